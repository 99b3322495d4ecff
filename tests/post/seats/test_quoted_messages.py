"""What other players write into an email to a player without `pbem`: no reply that quotes it may
say what its writer did not, and no reply is lost for it."""

from collections.abc import Callable

import pytest

from pbem.mail.write_and_describe_bundle import format_bundle
from pbem.person.mail_notebooks import ECHO_START
from pbem.plain_email.strip_quotes import ANSWER_LINE, extract_own_text
from tests.kit.mail_seats import opened_bytes, receive, reply, sealed_lines, successful, turn_mail
from tests.kit.mail_seats import text_of as plain_text
from tests.kit.people import Person, Round
from tests.kit.record_files import record_at
from tests.post.seats.outlook import reply_in_html, reply_in_plain_text

Game = Callable[[str], Round]
PRESS = {
    "a row that is a number": "x" * 54 + " y 3", "a line that is a number": "hello\n3\nbye",
    "numbers": "hi\n3, 10", "a mark": "x\n\n> 3", "a bar": "| 3\n| 3",
    "an order": "hi\ncooperation 3 on b1\nstart over",
    "an earlier mail": "hi\n-----Original Message-----\n3",
    "a head": "hi\nFrom: Bo <bo@example.org>\nSubject: x\n3", "the line above": f"{ANSWER_LINE}\n3",
    "an answer of ours": f"{ECHO_START} savannah\n3",
    "a broken bundle": "-----BEGIN PBEM-----\nabc\n-----END PBEM-----",
    "words of his own": "hi\ntell: I give up\nvote end\nI agree\ntell Ann: my cards",
    "another code": "pbem-c2a959-a2-aaaaaaaaaaaaaaaa pbem-c2a959-b2-aaaaaaaaaaaaaaaa",
}  # fmt: skip


@pytest.fixture
def shown_message(mail_game: Game) -> Callable[[str], Person]:
    """A function: Ann writes a message to Bo; the result is Rhea, whose next mail shows it."""

    def tell(message: str) -> Person:
        table = mail_game("second")
        successful(table.person("ann").pbem("tell -C savannah --to b -", stdin=message))
        return table.person("rhea")

    return tell


@pytest.mark.sample(0)
@pytest.mark.parametrize("shape", [reply, reply_in_plain_text, reply_in_html])
@pytest.mark.parametrize("name", sorted(PRESS))
def test_nothing_that_another_player_wrote_is_an_order(shown_message, name, shape):
    rhea = shown_message(PRESS[name])
    mail = turn_mail(rhea)
    assert "Ann (a) to you" in plain_text(mail)
    assert "contains only questions" in successful(receive(rhea, shape(mail, "help"))).out
    assert sealed_lines(rhea) == []
    successful(receive(rhea, shape(mail, "10")))
    assert sealed_lines(rhea) == ["play: [long_neck 3] on b1", "play: done"]
    files = rhea.shared / "savannah"
    assert not [*files.glob("press/*-b-*"), *files.glob("notices/*-b-*")]


@pytest.mark.parametrize(
    ("said", "own"),
    [
        ("10\n\n-----Original Message-----\n\nFrom: Rhea\nSubject: x", ["10"]),
        ("== my answer ====\nplay: 3\nfeed: plants only", ["play: 3", "feed: plants only"]),
        ("==== my answer ====\nplay: 3\nfeed: plants only", ["play: 3", "feed: plants only"]),
    ],
)
def test_the_head_below_a_bar_is_no_answer_but_lines_of_orders_are(said: str, own: list[str]):
    found = extract_own_text(f"{said}\n\n> it is your move\n", "it is your move", ["Bo"], ["Rhea"])
    assert [one.text for one in found.lines if "==" not in one.text] == own


@pytest.mark.sample(0)
def test_a_record_in_a_message_does_not_silence_the_reply(mail_game: Game):
    """Ann hides one of her own signed files in a message; Bo quotes it with each reply."""
    table = mail_game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    successful(ann.pbem(["tell", "-C", "savannah", "hi"]))
    (record,) = (table.shared / "savannah").glob("press/*")
    hidden = format_bundle([record_at(record)], "x")
    made = opened_bytes(reply(turn_mail(rhea), "10"))
    made.set_content(made.get_content() + "\n".join(f"> > {row}" for row in hidden.split("\n")))
    said = receive(rhea, made.as_bytes())
    assert sealed_lines(rhea) == ["play: [long_neck 3] on b1", "play: done"], said.text


@pytest.mark.sample(0)
def test_a_code_that_somebody_else_wrote_does_not_hide_the_right_one(mail_game: Game):
    """Bo's mail program dropped the subject, so the first code in the mail is Ann's."""
    table = mail_game("second")
    rhea = table.person("rhea")
    code = "pbem-c2a959-a2-aaaaaaaaaaaaaaaa"
    successful(table.person("ann").pbem(["tell", "-C", "savannah", f"look: {code}"]))
    mail = turn_mail(rhea)
    assert code in plain_text(mail)
    successful(receive(rhea, reply(mail, "10", Subject="my move")))
    assert sealed_lines(rhea) == ["play: [long_neck 3] on b1", "play: done"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", [reply_in_plain_text, reply_in_html])
def test_a_message_that_its_writer_deletes_after_the_mail_harms_no_reply(shown_message, shape):
    """Ann writes to Bo, the mail goes out, and she deletes her file: replies still quote it."""
    rhea = shown_message("hi\n3, 10\nvote end\ncooperation 3 on b1")
    mail = turn_mail(rhea)
    for found in (rhea.shared / "savannah" / "press").iterdir():
        found.unlink()
    said = receive(rhea, shape(mail, "3, 10"))
    assert said.exit == 0, said.text
    assert sealed_lines(rhea)[:2] == ["play: cooperation 3: b1 body", "play: [long_neck 3] on b1"]


@pytest.mark.long
def test_a_turn_without_a_question_harms_no_reply(shown_message: Callable[[str], Person]) -> None:
    rhea = shown_message("hi")
    mail = turn_mail(rhea)
    successful(rhea.pbem("notice end --no-winner -C savannah"))
    ann = Person("ann", rhea.home.parent / "ann", rhea.shared, rhea.place)
    successful(ann.pbem("notice key -C savannah"))
    successful(rhea.pbem("advance -C savannah"))
    said = receive(rhea, reply_in_plain_text(mail, "3, 10"))
    assert said.exit == 0, said.text
    assert sealed_lines(rhea)[:2] == ["play: cooperation 3: b1 body", "play: [long_neck 3] on b1"]


@pytest.mark.long
def test_many_answers_do_not_push_out_the_mail_that_a_reply_quotes(mail_game: Game) -> None:
    """A later mail of the same turn shows a message; Bo asks for help again and again."""
    table = mail_game("second")
    rhea = table.person("rhea")
    turn_mail(rhea)
    successful(table.person("ann").pbem("tell -C savannah --to b -", stdin="hi\n3, 10\nvote end"))
    mail = turn_mail(rhea)
    assert "vote end" in plain_text(mail)
    for number in range(30):
        successful(receive(rhea, reply(mail, f"explain card {number}")))
    said = successful(receive(rhea, reply_in_plain_text(mail, "10")))
    assert sealed_lines(rhea) == ["play: [long_neck 3] on b1", "play: done"], said.text
    assert not [*(rhea.shared / "savannah").glob("notices/*-b-*")]
