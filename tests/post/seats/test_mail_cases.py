"""Emails as people and their programs write them: each file of ../shared/cases/mail."""

from collections.abc import Callable

import pytest

from tests.kit.mail_seats import (
    answer_mail,
    letters,
    receive,
    reply,
    sealed_lines,
    successful,
    text_of,
    turn_mail,
)
from tests.kit.people import Person, Round
from tests.kit.selection import SHARED, needs_shared
from tests.post.seats.answering import answer_line

Game = Callable[[str], Round]
FOOD, PLAY = "food: [long_neck 3]", "play: [climbing 1] on b1"
BOTH = [FOOD, PLAY, "play: done"]
"""Choices 3 and 9: the second belongs to a later question, which Bo asked for with `more`."""
NINE = [PLAY, "play: done"]
SEALED = {
    "a04-thunderbird-finnish-minute": NINE, "a06-gmail-german-wrapped-after-day": NINE,
    "a07-gmail-german-wrapped-day-28": BOTH, "a08-thunderbird-slovak": NINE,
    "a10-gmail-indonesian": BOTH, "a11-emclient-german-headers": NINE,
    "a12-thunderbird-croatian": NINE, "b01-first-contact-banner": BOTH,
    "b02-first-contact-banner-html": BOTH, "b06-line-of-spaces-before-headers": BOTH,
    "b07-human-reply-through-a-group": BOTH,
    "b08-struck-out-number": ["food: [long_neck 7]", PLAY, "play: done"],
    "c04-pgp-clearsigned-signature": NINE,
    **{f"d0{n}-below-the-orders": BOTH for n in (1, 2, 4, 5, 7)},
    **{f"e0{n}-numbers": BOTH for n in (1, 2, 4, 5, 6)},
}  # fmt: skip
SUGGESTED = ("always ",)
MAIL_CASES = SHARED / "cases" / "mail"
pytestmark = needs_shared("cases/mail")


def case_mail(name: str, rhea: Person) -> bytes:
    """The email of a case, which answers the mail that Bo got."""
    mail = turn_mail(rhea)
    text = text_of(mail)
    quoted = "\n".join(f"> {line}".rstrip() for line in text.splitlines())
    data = next(MAIL_CASES.glob(f"{name}.*")).read_bytes()
    for place, said in (("SUBJECT", str(mail["Subject"])), ("QUOTE", quoted), ("TEXT", text)):
        data = data.replace(f"{{{place}}}".encode(), said.encode())
    return data


@pytest.fixture
def rhea_at_more(mail_game: Game) -> Person:
    """The referee of the game at turn 1, in which Bo has asked for the later choices."""
    rhea = mail_game("first").person("rhea")
    successful(receive(rhea, reply(turn_mail(rhea), "more")))
    return rhea


@pytest.mark.sample(0)
@pytest.mark.parametrize("name", sorted(SEALED))
def test_only_what_the_person_wrote_is_an_answer(rhea_at_more: Person, name: str):
    successful(receive(rhea_at_more, case_mail(name, rhea_at_more)))
    sealed = [line for line in sealed_lines(rhea_at_more) if not line.startswith(SUGGESTED)]
    assert sealed == SEALED[name], text_of(answer_mail(rhea_at_more))
    assert "messages" not in {path.name for path in rhea_at_more.shared.glob("savannah/*")}
    assert not list(rhea_at_more.shared.glob("savannah/press/*"))  # nothing of it is talk


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["a01-gmail-hungarian", "a02-gmail-slovak"])
def test_the_line_above_a_quote_is_no_talk(rhea_at_more: Person, name: str):
    successful(receive(rhea_at_more, case_mail(name, rhea_at_more)))
    assert not sealed_lines(rhea_at_more)
    said = successful(rhea_at_more.pbem("since -C savannah")).text
    assert "I will answer tomorrow" in said
    assert "rhea@example.org" not in said


@pytest.mark.sample(0)
def test_an_answer_that_is_marked_as_quoted_is_not_taken_and_not_lost(rhea_at_more: Person):
    successful(receive(rhea_at_more, case_mail("b04-own-blockquote", rhea_at_more)))
    assert not sealed_lines(rhea_at_more)
    told = answer_line(rhea_at_more)
    assert "your words: “3, 9”" in told
    assert "because it is marked as quoted" in told


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("c01-winmail-only", "winmail.dat, which Outlook makes. Set the format"),
        ("c02-smime-opaque", "it is encrypted or signed (S/MIME)"),
    ],
)
def test_a_wrapper_that_hides_the_text_is_named(rhea_at_more: Person, name: str, told: str):
    successful(receive(rhea_at_more, case_mail(name, rhea_at_more)))
    assert not sealed_lines(rhea_at_more)
    assert told in answer_line(rhea_at_more)


def test_a_bounce_that_is_received_says_who_got_nothing_and_why(rhea_at_more: Person):
    written = len(letters(rhea_at_more))
    said = successful(
        receive(rhea_at_more, case_mail("c05-bounce-saved-and-received", rhea_at_more))
    )
    assert "your email to Bo (seat b) did not arrive" in said.out
    assert "550 5.1.1 User unknown" in said.out
    assert len(letters(rhea_at_more)) == written


def test_outlooks_own_format_is_named(rhea_at_more: Person):
    said = receive(rhea_at_more, case_mail("c07-outlook-file", rhea_at_more), "saved.msg")
    assert said.exit == 4
    assert "Outlook's own format (.msg)" in said.err
    assert "save the email as .eml" in said.err


@pytest.mark.parametrize("name", ["g01-automatic-reply-danish", "g02-automatic-reply-portuguese"])
def test_an_automatic_reply_in_any_language_means_nothing(rhea_at_more: Person, name: str):
    before = [path for path in letters(rhea_at_more) if "answer" in path.name]
    said = successful(receive(rhea_at_more, case_mail(name, rhea_at_more)))
    assert "is an automatic email (Subject: " in said.out
    assert ") from the mail program of Bo (seat b), so it needs no answer" in said.out
    assert not sealed_lines(rhea_at_more)
    assert [path for path in letters(rhea_at_more) if "answer" in path.name] == before
    assert not list(rhea_at_more.shared.glob("savannah/notices/*"))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "head",
    ["Antwort", "Odpowiedź", "回复", "SV", "[games] Re", "WG", "YNT", "Re: [EXT] Re", "Re[2]"],
)
def test_the_beginnings_of_subjects_of_people_are_no_programs(rhea_at_more: Person, head: str):
    mail = turn_mail(rhea_at_more)
    successful(receive(rhea_at_more, reply(mail, "3", Subject=f"{head}: {mail['Subject']}")))
    assert FOOD in sealed_lines(rhea_at_more)


def test_every_case_is_a_test():
    """The three of other kinds are tests of names, keys and order files."""
    told = {*SEALED, "a01-gmail-hungarian", "a02-gmail-slovak", "b04-own-blockquote"}
    told |= {"c01-winmail-only", "c02-smime-opaque", "c05-bounce-saved-and-received"}
    told |= {"c07-outlook-file", "g01-automatic-reply-danish", "g02-automatic-reply-portuguese"}
    others = {"f01-player-called-all", "f03-key-with-bom", "f04-comma-after-a-list", "README"}
    assert {path.stem for path in MAIL_CASES.iterdir()} == told | others
