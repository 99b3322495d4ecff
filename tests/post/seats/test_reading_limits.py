"""Where small print ends in a reply, what is automatic, and how many codes are looked at."""

from collections.abc import Callable

import pytest

from pbem.acts.emails_to_seat_by_mail import MailSeat
from pbem.acts.players_email_replies import MAX_ANSWERS
from pbem.plain_email.answer_letters import MAX_ROWS
from pbem.plain_email.mail_code import find_mail_codes
from pbem.plain_email.order_form import OrderForm
from pbem.plain_email.reply_meaning import MAX_REQUESTS, TOO_LONG_REASON, interpret_reply
from pbem.plain_email.strip_quotes import ANSWER_LINE, OwnLine, OwnText, extract_own_text
from tests.kit.mail_seats import receive, reply, sealed_lines, successful, turn_mail
from tests.kit.named_games import session_of
from tests.kit.people import Person, Round
from tests.post.seats.answering import answer_line, said_to

Game = Callable[[str], Round]

SMALL = "This email is confidential and only for its intended recipient."
SENT = f"{ANSWER_LINE}\nWhat do you play?\n3: play a card"
WROTE = "On 3 January 2026 at 10:15, Rhea wrote:"


def new_lines(text: str, sent: str) -> list[str]:
    return [one.text for one in extract_own_text(text, sent, ["Bo"], ["Rhea"]).lines]


@pytest.mark.parametrize("small", ["-- ", SMALL])
@pytest.mark.parametrize(
    "quoted",
    [
        ["> What do you play?"],
        [WROTE, "> What do you play?"],
        [WROTE, "What do you play?"],
        [ANSWER_LINE, "What do you play?"],
    ],
    ids=["marks", "introduced with marks", "introduced without marks", "our line"],
)
def test_small_print_ends_where_a_quote_begins(small: str, quoted: list[str]):
    text = "\n".join(["7", small, "Bo Jensen", *quoted, "3"])
    assert new_lines(text, SENT) == ["7", "3"]


def test_twenty_codes_of_an_email_are_looked_at():
    codes = [f"pbem-c2a959-b{turn}-adyjxpzfk3pxcq3j" for turn in range(1, 31)]
    assert [token.turn for token in find_mail_codes("\n".join(codes))] == list(range(1, 21))


def test_small_print_ends_with_the_words_that_introduce_a_quote():
    text = "\n".join(["7", SMALL, WROTE, "4", "> What do you play?", "3"])
    assert new_lines(text, SENT) == ["7", "4", "3"]


@pytest.mark.sample(0)
def test_of_many_lines_that_are_no_orders_only_some_are_explained(rhea: Person) -> None:
    """Each takes a few milliseconds: a reply of four hundred took seconds."""
    lines = "\n".join(f"cooperation {n} on b1" for n in range(50, 450))
    told = said_to(rhea, lines)
    assert told.count("your words: “cooperation") == MAX_ROWS
    assert not sealed_lines(rhea)


@pytest.mark.long
def test_of_a_reply_with_hundreds_of_orders_only_some_are_read(rhea: Person) -> None:
    told = said_to(rhea, "\n".join(["3 und dann 9, 10, 24"] * 400))
    assert "NOT COUNTED YET" in told
    assert not sealed_lines(rhea)


@pytest.mark.long
def test_a_reply_with_too_many_messages_sends_none_and_holds_up_nothing(mail_game: Game) -> None:
    """Before, it sent 64, failed, and was tried again for a day, before all later replies."""
    table = mail_game("second")
    rhea = table.person("rhea")
    mail, press = turn_mail(rhea), table.shared / "savannah" / "press"
    assert "it may have at most 10" in said_to(
        rhea, "\n".join(f"tell Ann: x{n}" for n in range(400)), mail
    )
    assert not press.exists()
    for part in range(7):
        words = "\n".join(f"tell Ann: part {part} word {n}" for n in range(10))
        successful(receive(rhea, reply(mail, words)))
    assert "write again after the next turn" in answer_line(rhea)
    assert len(list(press.iterdir())) == 60
    successful(receive(rhea, reply(mail, "10")))
    assert sealed_lines(rhea) == ["play: [long_neck 3] on b1", "play: done"]


@pytest.mark.sample(0)
def test_at_most_ten_questions_of_a_reply_are_answered(rhea: Person) -> None:
    lines = [OwnLine(f"explain card {n}", 1) for n in range(12)]
    found = interpret_reply(OwnText(lines), OrderForm(MailSeat(session_of(rhea), "b").view))
    assert len(found.requests) == MAX_REQUESTS == 10


@pytest.mark.sample(0)
def test_at_most_forty_answers_go_to_a_player_about_one_turn(rhea: Person) -> None:
    book = MailSeat(session_of(rhea), "b").book
    count = [book.count_answer("b2", in_vain=False)[0] <= MAX_ANSWERS for _ in range(41)]
    assert (MAX_ANSWERS, count) == (40, [*[True] * 40, False])


def test_of_a_reply_with_very_many_free_words_only_some_are_read(mail_game: Game) -> None:
    form = OrderForm(MailSeat(session_of(mail_game("second").person("rhea")), "b").view)
    line = OwnLine(" ".join(f"word{number}x" for number in range(60)), 1)
    said = interpret_reply(OwnText([line] * 2 + [OwnLine("3", 2)]), form)
    assert said.lines
    assert not said.reason
    assert interpret_reply(OwnText([line] * 60 + [OwnLine("3", 2)]), form).reason == TOO_LONG_REASON
