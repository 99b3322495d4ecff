"""`pbem run` serves players without `pbem`: reminders, new addresses, and what it tells Rhea."""

import re

import pytest

from tests.kit.mail_seats import (
    FOOD,
    NEW,
    begin_mail_game,
    opened_bytes,
    reply,
    sealed_lines,
    submit,
    text_of,
)
from tests.kit.people import NOW, Person, Round
from tests.kit.small_mail_servers import BO, RHEA, MailHost, run_once, use_small_servers

DAY = NEW.replace("never", "24h")
HOUR = 3600


def run_output_later(rhea: Person, hours: int) -> str:
    said = rhea.pbem("run --once", SOURCE_DATE_EPOCH=str(NOW + hours * HOUR))
    assert said.exit == 0, said.text
    return said.out


def subjects(mail_server: MailHost, address: str = BO) -> list[str]:
    found = [str(opened_bytes(data)["Subject"]) for data in mail_server.mails(address)]
    return [re.sub(r" \[pbem-.*\]", "", subject) for subject in found]


@pytest.mark.long
def test_a_reminder_asks_again_and_can_be_answered(table: Round, mail_server: MailHost) -> None:
    rhea = begin_mail_game(table, DAY)
    use_small_servers(rhea, mail_server)
    run_once(rhea)
    run_output_later(rhea, 13)
    run_output_later(rhea, 14)
    assert subjects(mail_server) == [
        "savannah, turn 1: it is your move", "savannah, turn 1: reminder: it is your move"
    ]  # fmt: skip
    reminder = opened_bytes(mail_server.mails(BO)[-1])
    text = text_of(reminder)
    assert "This is a reminder: less than half of the time is left." in text
    assert "IT IS YOUR MOVE: THE CARD FOR THE WATERING HOLE" in text
    mail_server.put(RHEA, reply(reminder, "1"))
    run_output_later(rhea, 15)
    assert sealed_lines(rhea)
    run_output_later(rhea, 19)  # less than a quarter is left, but Bo has answered
    assert subjects(mail_server)[2:] == ["savannah, turn 1: understood"]


@pytest.mark.sample(0)
def test_no_answer_has_a_path_of_this_computer(table: Round, mail_server: MailHost) -> None:
    """Rhea's copy of Ann's orders is damaged: that is for Rhea to read, and to mend."""
    rhea, ann = begin_mail_game(table), table.person("ann")
    submit(ann, FOOD)
    bundle = ann.pbem("send -C savannah --paste").out
    orders = next((rhea.shared / "savannah/orders").glob("0001-a-1-*"))
    whole = orders.read_bytes()
    orders.write_bytes(b"junk")
    head = "From: ann@example.org\nTo: rhea@example.org\nMessage-ID: <1@ann>\nSubject: mine\n\n"
    use_small_servers(rhea, mail_server)
    assert rhea.pbem("post address -C savannah a ann@example.org").exit == 0
    run_once(rhea)
    mail_server.put(RHEA, f"{head}{bundle}".encode())
    said = run_once(rhea)
    assert "/savannah is damaged" in said
    found = [opened_bytes(data) for data in mail_server.mails("ann@example.org")]
    assert not [one for one in found if "damaged" in text_of(one)]
    assert not [one for one in found if str(rhea.shared) in text_of(one)]
    orders.unlink()
    mail_server.put(RHEA, f"{head}{bundle}".replace("<1@ann>", "<2@ann>").encode())
    run_once(rhea)
    assert orders.read_bytes() == whole


def test_a_new_address_gets_the_turn_mail_again(table: Round, mail_server: MailHost) -> None:
    rhea = begin_mail_game(table)
    use_small_servers(rhea, mail_server)
    run_once(rhea)
    assert "b Bo: bo@example.org" in rhea.pbem("post address -C savannah").out
    said = rhea.pbem("post address -C savannah Bo new@example.org")
    assert (said.exit, said.out) == (0, "mail for Bo goes to new@example.org\n")
    assert "b Bo: new@example.org" in rhea.pbem("post address -C savannah").out
    assert "needs an address" in rhea.pbem("post address -C savannah b -").err
    run_once(rhea)
    run_once(rhea)
    assert subjects(mail_server, "new@example.org") == ["savannah, turn 1: it is your move"]
    assert len(mail_server.mails(BO)) == 1


def test_the_referee_is_told_who_has_to_be_spoken_to(table: Round, mail_server: MailHost) -> None:
    rhea = begin_mail_game(table)
    use_small_servers(rhea, mail_server)
    run_once(rhea)
    submit(table.person("ann"), '[always]\nplay = "done"')
    said = run_once(rhea)
    told = "the orders of a Ann leave a question unanswered: tell that player"
    assert said.count(told) == 1
    assert told not in run_once(rhea)
