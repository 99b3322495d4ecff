"""The subject of a turn mail: people can read it, and the log shows it without the code."""

import re

from tests.kit.mail_seats import begin_mail_game, opened_bytes, reply
from tests.kit.small_mail_servers import BO, RHEA, run_once, use_small_servers

CODE = r"\[pbem-[0-9a-f]{6}-b1-[a-z2-7]{16}\]"


def test_the_player_reads_a_sentence_and_the_log_has_no_code(table, mail_server):
    rhea = begin_mail_game(table)
    use_small_servers(rhea, mail_server)
    said = run_once(rhea)
    assert "sent to bo@example.org: savannah, turn 1: it is your move\n" in said
    (mail,) = mail_server.mails(BO)
    mail_server.put(RHEA, reply(opened_bytes(mail), "1"))
    said += run_once(rhea)
    subjects = [str(opened_bytes(data)["Subject"]) for data in mail_server.mails(BO)]
    assert re.fullmatch(rf"savannah, turn 1: it is your move {CODE}", subjects[0])
    assert re.fullmatch(rf"savannah, turn 1: .+ {CODE}", subjects[1])
    assert len(re.findall("sent to bo@example.org: savannah, turn 1: ", said)) == 2
    assert "[pbem-" not in said
    kept = b"".join(p.read_bytes() for p in rhea.home.glob("post/*/sent/*"))
    assert b"it is your move" in kept
    assert b"[pbem-" not in kept
