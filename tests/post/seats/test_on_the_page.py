"""`pbem table` for a referee with a player by email: the email, and replies dropped on the page."""

from tests.kit.mail_seats import letters, reply, sealed_lines, successful, turn_mail
from tests.kit.named_games import game_id
from tests.kit.table_requests import Asking


def test_the_page_shows_the_email_and_takes_the_reply(mail_game, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    table = mail_game("second")
    rhea = table.person("rhea")
    mail = turn_mail(rhea)
    successful(rhea.pbem("status -C savannah"))  # which notes where the game is
    asking = Asking(rhea.home, table.shared / "savannah")
    asking.enter()
    asking.get("/")
    shown = asking.get(f"/game/{game_id(table)[:12]}/mail")
    assert shown.status == 200, shown.text
    assert "because Bo does not use pbem" in shown.text
    assert "IT IS YOUR MOVE: CARDS TO PLAY" in shown.text
    came = asking.post("/receive", reply(mail, "3"), x_name="reply.eml")
    assert came.status == 200, came.text
    assert "the orders in the reply are sealed" in came.text
    assert "play: cooperation 3: b1 body" in sealed_lines(rhea)
    assert [path.name for path in letters(rhea)][-1] == "savannah-0002-b-answer.eml"
    forged = asking.post("/receive", reply(mail, "3").replace(b"-b2-", b"-b1-"), x_name="r.eml")
    assert "so pbem ignores it" in forged.text
