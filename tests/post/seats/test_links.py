"""The links in an email to a player without `pbem`, and what comes of sending what they open."""

import html
import re
from collections.abc import Callable
from email.message import EmailMessage
from urllib.parse import unquote

import pytest

from tests.kit.mail_seats import (
    answer_mail,
    links_in,
    receive,
    reply,
    sealed_lines,
    successful,
    text_of,
    turn_mail,
)
from tests.kit.people import Person, Round
from tests.post.seats.answering import answer_line

Game = Callable[[str], Round]


def sources(mail: EmailMessage) -> list[str]:
    """The links to addresses, as they stand in the page."""
    page = mail.get_body(("html",))
    assert page is not None
    return [html.unescape(one) for one in re.findall(r'href="([^"]*)"', str(page.get_content()))]


def gmail_app(tap: EmailMessage) -> EmailMessage:
    """Gmail's apps drop the line breaks of the body, and write HTML as well."""
    return with_body(tap, " ".join(tap.get_content().split("\n")).strip(), page=True)


def apple_mail(tap: EmailMessage) -> EmailMessage:
    """Apple Mail keeps them, and adds the signature of the phone."""
    return with_body(tap, f"{tap.get_content().rstrip()}\n\nSent from my iPhone")


def outlook_tap(tap: EmailMessage) -> EmailMessage:
    """Outlook doubles them, ends lines with spaces, and adds a signature of its own."""
    said = tap.get_content().rstrip("\n").replace("\n", " \n\n")
    return with_body(tap, f"{said} \n\nGet Outlook for iOS<https://aka.ms/o0ukef>", page=True)


def still_encoded(tap: EmailMessage) -> EmailMessage:
    """Some programs show the percent signs of the link."""
    said = tap.get_content().strip()
    return with_body(tap, said.replace(" ", "%20").replace("\n", "%0D%0A"))


def with_body(tap: EmailMessage, said: str, *, page: bool = False) -> EmailMessage:
    made = EmailMessage()
    for name in ("From", "To", "Subject", "Message-ID"):
        made[name] = tap[name]
    made.set_content(said)
    if page:
        rows = "".join(f"<div>{html.escape(row) or '<br>'}</div>" for row in said.split("\n"))
        made.add_alternative(f"<div dir='auto'>{rows}</div>", subtype="html")
    return made


PROGRAMS = [gmail_app, apple_mail, outlook_tap, still_encoded]


@pytest.mark.sample(0)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("to", ["first", "second"])
def test_each_choice_of_the_mail_is_a_tap_that_counts(mail_game, to, program):
    """As Gmail, Apple Mail and Outlook send it: without a quote, in a new thread."""
    rhea = mail_game(to).person("rhea")
    taps = [tap for tap in links_in(turn_mail(rhea)) if tap.get_content().strip().isdecimal()]
    assert len(taps) == {"first": 4, "second": 16}[to]
    first = PROGRAMS.index(program)
    for tap in taps if to == "first" else taps[first :: len(PROGRAMS)]:  # each choice is tapped
        said = successful(receive(rhea, program(tap).as_bytes()))
        assert "the orders in the reply are sealed" in said.out, tap["Subject"]
        by_number = sealed_lines(rhea)
        number = tap.get_content().strip()
        successful(
            receive(rhea, reply(turn_mail(rhea), number, Message_ID=f"<{number}@x.example>"))
        )
        assert sealed_lines(rhea) == by_number


@pytest.mark.sample(0)
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_form_of_several_cards_survives_every_program(rhea, program):
    (tap,) = [one for one in links_in(turn_mail(rhea)) if one.get_content().startswith("[")]
    tap.set_content(f"{tap.get_content().strip()} 3, 10\n")
    successful(receive(rhea, program(tap).as_bytes()))
    assert sealed_lines(rhea)[:2] == ["play: cooperation 3: b1 body", "play: [long_neck 3] on b1"]


@pytest.mark.sample(0)
def test_all_other_links_say_something(rhea: Person):
    taps = {tap.get_content().strip(): tap for tap in links_in(turn_mail(rhea))}
    for body, told in {
        "rules": "RULES FOR: FEEDING",
        "more": "AFTER A LINE THAT MAKES B2",
        "help": "HELP",
    }.items():
        successful(receive(rhea, apple_mail(taps[body]).as_bytes()))
        assert told in text_of(answer_mail(rhea))
    asks = with_body(taps["Rhea,"], "Rhea, may I swap seats with Ann?")
    successful(receive(rhea, asks.as_bytes()))
    assert "may I swap seats" in successful(rhea.pbem("since -C savannah")).text
    away = with_body(taps["away until"], "away until 30 November 2099")
    successful(receive(rhea, away.as_bytes()))
    assert "the absence is too long" in answer_line(rhea)


@pytest.mark.sample(0)
def test_numbers_of_later_choices_and_rules_count_only_once_an_email_listed_them(mail_game: Game):
    rhea = mail_game("first").person("rhea")
    mail = turn_mail(rhea)
    successful(receive(rhea, reply(mail, "9")))
    assert not sealed_lines(rhea)
    assert "play: climbing 1 on b1" in [
        one.get_content().strip() for one in links_in(answer_mail(rhea))
    ]
    for asked, look in (("more", "climbing 1 on b1"), ("rules", "plants only")):
        successful(receive(rhea, reply(mail, asked)))
        number = re.search(rf"^ *(\d+): {look}", text_of(answer_mail(rhea)), re.M)
        assert number
        tap = next(t for t in links_in(answer_mail(rhea)) if t.get_content().strip() == number[1])
        successful(receive(rhea, apple_mail(tap).as_bytes()))
    sealed = [line for line in sealed_lines(rhea) if not line.startswith("always")]
    assert sealed == ["play: [climbing 1] on b1", "play: done", "feed: plants only"]


@pytest.mark.sample(0)
def test_the_answer_to_more_numbers_the_choices_for_a_piece_not_yet_made(rhea: Person):
    mail = turn_mail(rhea)
    successful(receive(rhea, reply(mail, "more")))
    made = text_of(answer_mail(rhea)).partition("AFTER A LINE THAT MAKES B2")[2]
    number = re.search(r"^ *(\d+): long neck 3 on b2", made, re.M)
    assert number
    successful(receive(rhea, reply(mail, f"2, {number[1]}")))
    assert "play: [long_neck 3] on b2" in sealed_lines(rhea)
    successful(receive(rhea, reply(mail, number[1], Message_ID="<alone@x.example>")))
    assert "NOT COUNTED YET" in text_of(answer_mail(rhea))


@pytest.mark.sample(0)
def test_links_are_short_and_have_no_signs_that_mail_programs_break(rhea: Person):
    """`%20` and `%0D%0A`; no `& + #` in subjects; short enough for every program."""
    successful(rhea.pbem("post address -C savannah referee rhea+games@example.org"))
    found = [link for link in sources(turn_mail(rhea)) if link.startswith("mailto:")]
    assert len(found) > 16
    for link in found:
        to, _, query = link.partition("?")
        assert to == "mailto:rhea%2Bgames@example.org"
        subject, body = query.removeprefix("subject=").split("&body=")
        assert not re.search(r"[&+#]", unquote(subject))
        assert "+" not in query
        assert "\n" not in unquote(body).replace("\r\n", "")
        assert len(link) < 400


@pytest.mark.sample(0)
def test_a_title_with_signs_that_links_use_does_no_harm(tmp_path):
    from tests.kit.mail_seats import NEW, begin_mail_game

    rhea = begin_mail_game(Round(tmp_path), f"{NEW} --title 'Fun & games + #1: a=b'")
    tap = links_in(turn_mail(rhea))[1]
    assert not re.search(r"[&+#]", str(tap["Subject"]))
    successful(receive(rhea, gmail_app(tap).as_bytes()))
    assert sealed_lines(rhea)[0].startswith("food: ")


# ---------------------------------------------------------------- asking back
def status_words(rhea: Person) -> str:
    return successful(rhea.pbem("status -C savannah")).text


@pytest.mark.sample(0)
def test_the_referee_reads_that_a_player_wrote_and_nothing_counts_yet(rhea: Person):
    successful(receive(rhea, reply(turn_mail(rhea), "cooperation")))
    assert "note: pbem did not understand an email that Bo wrote on " in status_words(rhea)
    assert "and has asked Bo what the email means" in status_words(rhea)
    assert "cooperation" not in status_words(rhea)
    assert (
        "answers of Bo by email: 0 by tap, 0 by number, 0 in words; questions that pbem had to "
        "ask Bo: 1" in status_words(rhea)
    )
    taps = links_in(answer_mail(rhea))
    assert 1 <= len(taps) <= 5
    successful(receive(rhea, outlook_tap(taps[0]).as_bytes()))
    assert "pbem did not understand an email" not in status_words(rhea)
    successful(receive(rhea, reply(turn_mail(rhea), "3, 10")))
    successful(receive(rhea, reply(turn_mail(rhea), "cooperation 3 for the body of b1")))
    assert (
        "answers of Bo by email: 1 by tap, 1 by number, 1 in words; questions that pbem had to "
        "ask Bo: 1" in status_words(rhea)
    )


@pytest.mark.sample(0)
def test_other_players_learn_nothing_of_an_answer_that_was_asked_back(mail_game: Game):
    table = mail_game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    before = successful(ann.pbem("status -C savannah")).text
    there = sorted(path.name for path in (table.shared / "savannah").rglob("*"))
    for number, said in enumerate(["cooperation", "x " * 400 + "7"]):
        successful(receive(rhea, reply(turn_mail(rhea), said, Message_ID=f"<{number}@b.example>")))
        assert successful(ann.pbem("status -C savannah")).text == before
    assert sorted(path.name for path in (table.shared / "savannah").rglob("*")) == there


def test_the_reminder_repeats_the_links(rhea: Person):
    from pbem.acts.emails_to_seat_by_mail import MailSeat
    from tests.kit.named_games import session_of

    successful(receive(rhea, reply(turn_mail(rhea), "3 or 10")))
    offered = [tap.get_content().strip() for tap in links_in(answer_mail(rhea))]
    letter = MailSeat(session_of(rhea), "b").write_turn_letter("two hours left")
    assert letter.text.index("NOT COUNTED YET") < letter.text.index("IT IS YOUR MOVE")
    bodies = [unquote(link.split("body=")[1]) for link in re.findall(r'href="(.*?)"', letter.page)]
    assert bodies[: len(offered)] == offered


@pytest.mark.sample(0)
def test_a_line_below_each_answer_is_ignored_from_the_third_time_on(rhea: Person):
    """Unless it has a condition or a negation, or names a card."""
    for number, below in enumerate(
        ["Ext. 4, Lab 12"] * 2 + ["not before 12 Jan"] * 3 + ["Ext. 4, Lab 12"]
    ):
        said = reply(turn_mail(rhea), f"3\n\n{below}", Message_ID=f"<{number}@k.example>")
        successful(receive(rhea, said))
        assert bool(sealed_lines(rhea)) is (number == 5), below


def test_the_first_question_stands_on_the_first_screen(mail_game: Game):
    """Below its heading, before what happened; the mail is short without its picture."""
    mail = turn_mail(mail_game("second").person("rhea"))
    text = text_of(mail)
    places = [text.index(mark) for mark in ("IT IS YOUR MOVE", "16: done", "WHAT HAPPENED")]
    assert places == sorted(places)
    assert places[1] < 900
    page = mail.get_body(("html",))
    assert page is not None
    assert len(str(page.get_content())) < 20_000
