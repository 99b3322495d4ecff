"""Replies as people write them freely: what is understood, what is forwarded, what is held."""

import re
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.send import MailSeat
from pbem.errors import NOT_YET
from pbem.mailseats.order_form import OrderForm
from pbem.mailseats.read import new_lines
from pbem.mailseats.understand import drafted, understand
from tests.cli.games import session_of
from tests.cli.people import NOW, Person, Round
from tests.post.seats.mail_game import (
    NEW,
    answer,
    begun,
    letters,
    ok,
    orders_of_bo,
    receive,
    reply,
    submit,
    text_of,
    turn_mail,
)

Said = dict[str, Any]
"""A reply of the corpus: the email that it answers, its text, and the numbers that it means."""


def corpus(name: str) -> list[Said]:
    """The replies in a file."""
    text = (Path(__file__).parent / f"{name}_replies.toml").read_text("utf-8")
    found: list[Said] = tomllib.loads(text)["reply"]
    return found


REPLIES, UNSEEN, HOSTILE = corpus("free"), corpus("unseen"), corpus("hostile")
PLAIN = str.maketrans("_", " ", "[]")
GAMES = {"food": "first", "cards": "second"}
PAGE = (Path(__file__).parents[3] / "docs" / "mail.md").read_text("utf-8")
EIGHTS = [REPLIES[begin : begin + 8] for begin in range(0, len(REPLIES), 8)]


class Tried:
    """Receives replies of the corpus, each in its own copy of the game."""

    def __init__(self, game: Callable[[str], Round]) -> None:
        self.game = game
        self.plain = cache(self._plain)

    def sealed(self, to: str, says: str) -> list[str]:
        rhea = self.game(GAMES[to]).person("rhea")
        ok(receive(rhea, reply(turn_mail(rhea), says.strip())))
        return orders_of_bo(rhea)

    def _plain(self, to: str, numbers: tuple[int, ...]) -> list[str]:
        """What the form of the numbers that the email teaches seals."""
        return self.sealed(to, "\n".join(map(str, numbers))) if numbers else []


@pytest.fixture
def tried(game: Callable[[str], Round]) -> Tried:
    return Tried(game)


def sorted_by_reading(tried: Tried, replies: list[Said]) -> tuple[list[Said], list[Said]]:
    """Return the replies that are understood, and those that are misread; print the others."""
    understood, misread = [], []
    for one in replies:
        sealed = tried.sealed(one["to"], one["says"])
        if sealed == tried.plain(one["to"], tuple(one["means"])):
            understood.append(one)
            continue
        print(repr(one["says"]), sealed)
        if sealed:
            misread.append({**one, "sealed": sealed})
    print(f"{len(understood)} of {len(replies)} understood, {len(misread)} misread")
    return understood, misread


@pytest.mark.sample(1)
@pytest.mark.parametrize("replies", EIGHTS, ids=[f"from {8 * n}" for n in range(len(EIGHTS))])
def test_the_free_replies(tried: Tried, replies: list[Said]):
    """No reply is misread, and only those that are marked as hard are not understood."""
    understood, misread = sorted_by_reading(tried, replies)
    assert not misread, misread
    assert [one for one in replies if one not in understood and "hard" not in one] == []


def test_few_free_replies_are_hard():
    choices = [one for one in REPLIES if one["means"]]
    assert len(choices) >= 350
    assert len([one for one in choices if "hard" in one]) <= 0.05 * len(choices)


@pytest.mark.long
def test_the_replies_of_the_last_strangers(tried: Tried):
    """On first sight; the reader was not changed for them."""
    understood, misread = sorted_by_reading(tried, UNSEEN)
    assert not misread, misread
    assert len(understood) >= 0.85 * len(UNSEEN)


@pytest.mark.long
@pytest.mark.parametrize("begin", range(0, len(HOSTILE), 20))
def test_no_hostile_reply_is_taken(tried: Tried, begin: int):
    """Jokes, quotes, questions, conditions, dates, other people's numbers."""
    for one in HOSTILE[begin : begin + 20]:
        assert not tried.sealed(one["to"], one["says"]), one


def test_the_examples_of_the_page(tried: Tried):
    _, _, own_words = PAGE.partition("### Own words")
    rows = re.findall(r"^\| `(.+)` \| (.+) \|$", own_words.partition("###")[0], re.M)
    assert len(rows) >= 6
    for says, means in rows:
        numbers = tuple(map(int, re.findall(r"\d+", means)))
        assert tried.sealed("cards", says) == tried.plain("cards", numbers), says


# ---------------------------------------------------------------- words that make it doubtful
HAZARDS = """not|or|maybe|if|unless|either|instead of|anything but|never|don't take|Ann says
at|I thought of|depends on|I hate|turn|what about|nicht|oder|vielleicht|wenn|falls|keinesfalls
pas|ou|peut-être|si|jamais|no quiero|o|quizás|nunca|excepto|non|oppure|forse|mai|niet|of|não"""


class InWords:
    """Reads replies without sealing them."""

    def __init__(self, game: Callable[[str], Round]) -> None:
        names = GAMES.items()
        self.forms = {
            to: OrderForm(MailSeat(session_of(game(name).person("rhea")), "b").view)
            for to, name in names
        }

    def orders(self, to: str, says: str) -> list[tuple[str, str]]:
        """The orders that would be sealed."""
        form = self.forms[to]
        found = understand(new_lines(says), form)
        draft = drafted(form.view, found, [])
        sealed = not (found.wrong or draft.errors) and found.lines
        return [(line.kind, line.text) for line in draft.lines if not line.always] if sealed else []


@pytest.fixture
def in_words(game: Callable[[str], Round]) -> InWords:
    return InWords(game)


@pytest.mark.long
@pytest.mark.parametrize("hazards", HAZARDS.splitlines())
def test_a_doubtful_word_never_makes_another_choice(in_words: InWords, hazards: str):
    """Before a number, it leaves the choices as they were, or without this one, or takes none."""
    choices = [one for one in REPLIES if one["means"] and "hard" not in one][::20]
    for one in choices:
        before = in_words.orders(one["to"], one["says"])
        found = re.finditer(r"(?<![\w.:])#?\d{1,2}\b(?![.:]?\d)", one["says"])
        numbers = [match.start() for match in found]
        for at, hazard in product(numbers[:2], hazards.split("|")):
            said = f"{one['says'][:at]}{hazard} {one['says'][at:]}"
            after = in_words.orders(one["to"], said)
            rest = iter(before)
            assert all(order in rest for order in after), (said, after)


@pytest.mark.long
@pytest.mark.parametrize("place", ["before", "after"])
def test_hostile_words_beside_a_reply_change_no_choice(in_words: InWords, place: str):
    """A reply and something that is no choice: the choices of the reply, or none."""
    choices = [one for one in REPLIES if one["means"] and "hard" not in one][::15]
    for one, other in product(choices, HOSTILE[::9]):
        parts = [other["says"], one["says"]]
        said = "\n\n".join(parts if place == "before" else reversed(parts))
        after = in_words.orders(one["to"], said)
        assert after in ([], in_words.orders(one["to"], one["says"])), said


# ---------------------------------------------------------------- for the referee
def said_to(rhea: Person, words: str, to: str = "Bo") -> str:
    """What the last answer says, in one line, after Bo wrote these words."""
    ok(receive(rhea, reply(turn_mail(rhea, to), words)))
    return " ".join(text_of(answer(rhea)).split())


def test_a_question_beside_an_order_reaches_the_referee(game: Callable[[str], Round]):
    rhea = game("second").person("rhea")
    told = said_to(rhea, "3, 10\n\nWhen is the deadline? May I swap seats with Ann?\n\nThanks\nBo")
    assert "UNDERSTOOD" in told
    assert "SENT TO RHEA" in told
    assert "play: long neck 3 on b1" in " ".join(orders_of_bo(rhea)).translate(PLAIN)
    assert "1 new message" in ok(rhea.pbem("status -C savannah")).text
    said = ok(rhea.pbem("since -C savannah")).text
    assert "When is the deadline?" in said
    assert "May I swap seats with Ann?" in said
    assert "Thanks" not in said
    assert "wrote:" not in said


def test_a_question_alone_is_no_mistake(game: Callable[[str], Round]):
    table = game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    told = said_to(rhea, "when is the deadline, may I swap seats?")
    assert "PLEASE WRITE AGAIN" not in told
    assert "“when is the deadline, may I swap seats?”" in told
    assert "You have no orders for this turn yet." in told
    assert not orders_of_bo(rhea)
    assert "when is the deadline" in ok(rhea.pbem("since -C savannah")).text
    assert "when is the deadline" not in ok(ann.pbem("since -C savannah")).text


def test_after_three_refusals_the_referee_is_told(game: Callable[[str], Round]):
    rhea = game("second").person("rhea")
    mail = turn_mail(rhea)
    for number in range(3):
        said = ok(receive(rhea, reply(mail, f"horns {4 + number} on b1")))
    assert "write to the player yourself" in said.text
    assert "RHEA WILL HELP YOU" in text_of(answer(rhea))
    assert "horns 6 on b1" in ok(rhea.pbem("since -C savannah")).text
    written = len(letters(rhea))
    said = ok(receive(rhea, reply(mail, "horns 3 on b1, and what is wrong with it?")))
    assert "write to the player yourself" in said.text
    assert len(letters(rhea)) == written
    assert "what is wrong with it?" in ok(rhea.pbem("since -C savannah")).text
    ok(receive(rhea, reply(mail, "3")))
    assert "UNDERSTOOD" in text_of(answer(rhea))


def test_a_refused_reply_is_told_line_by_line(game: Callable[[str], Round]):
    rhea = game("second").person("rhea")
    told = said_to(rhea, "my choice is 3\nhorns 4 on b1\nsee you on Sunday")
    assert not orders_of_bo(rhea)
    assert "“my choice is 3”: cooperation 3 for the body of b1" in told
    assert "horns 4 on b1" in told.partition("UNDERSTOOD, BUT NOT USED")[0]
    assert "gets them as a message from you: “see you on Sunday”" in told


def at(seconds: int) -> str:
    """A moment after that of everybody's clock, as `--now` takes it."""
    return f"{datetime.fromtimestamp(NOW + seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


# ---------------------------------------------------------------- held for a correction
def test_free_words_hold_the_turn_for_ten_minutes(game: Callable[[str], Round]):
    table = game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    submit(ann, 'play = ["done"]')
    told = said_to(rhea, "my choice is 3, thanks :-)")
    assert "You wrote in your own words." in told
    assert "“my choice is 3, thanks”: cooperation 3 for the body of b1" in told
    assert "The turn waits for this until" in told
    waits = rhea.pbem("advance -C savannah")
    assert waits.exit == NOT_YET
    assert "they may change their orders" in waits.text
    assert "may be changed until" in ok(rhea.pbem("status -C savannah")).text
    assert rhea.pbem(f"advance -C savannah --now {at(599)}").exit == NOT_YET
    ok(rhea.pbem(f"advance -C savannah --now {at(600)}"))
    assert "turn 3" in ok(rhea.pbem("log -C savannah")).text


def test_a_correction_in_numbers_ends_the_wait(game: Callable[[str], Round]):
    table = game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    submit(ann, 'play = ["done"]')
    said_to(rhea, "my choice is 3")
    told = said_to(rhea, "4")
    assert "The turn waits" not in told
    ok(rhea.pbem("advance -C savannah"))


# ---------------------------------------------------------------- lines that need lines above
def test_a_line_may_need_the_line_above(game: Callable[[str], Round]):
    rhea = game("second").person("rhea")
    told = said_to(rhea, "2\nlong neck 3 on b2")
    sealed = [line.translate(PLAIN) for line in orders_of_bo(rhea)]
    assert "play: long neck 3 on b2" in sealed, told


def test_a_card_alone_does_not_say_which_species(game: Callable[[str], Round]):
    """Where only one piece fits, its name may be left out; where two fit, nothing is sealed."""
    rhea = game("second").person("rhea")
    said_to(rhea, "cooperation 3 as population")
    assert "play: cooperation 3: b1 population" in orders_of_bo(rhea)
    told = said_to(rhea, "2\nlong neck 3 as population")
    assert "PLEASE WRITE AGAIN" in told
    assert "SENT TO RHEA" not in told


def test_a_name_is_no_way_to_change_what_words_mean(tmp_path: Path):
    """Words of the player's own name may stand beside a number, but not words such as `or`."""
    table = Round(tmp_path)
    rhea = begun(table, NEW.replace("Bo", "Or"))
    told = said_to(rhea, "1 or 2", to="b")
    assert "PLEASE WRITE AGAIN" in told
    assert not orders_of_bo(rhea)
