"""Replies as people write them freely: what is sealed is right, and most of the rest is one tap."""

import re
import tomllib
from collections.abc import Callable
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pbem.acts.emails_to_seat_by_mail import MailSeat
from pbem.plain_email.order_form import MORE_REQUEST, RULES_REQUEST, OrderForm
from pbem.plain_email.reply_meaning import (
    ReplyInterpretation,
    interpret_reply,
    make_draft,
    possible_meanings,
)
from pbem.plain_email.strip_quotes import extract_own_text
from tests.kit.mail_seats import (
    NEW,
    answer_mail,
    begin_mail_game,
    letters,
    receive,
    reply,
    sealed_lines,
    successful,
    text_of,
    turn_mail,
)
from tests.kit.named_games import session_of
from tests.kit.people import Person, Round
from tests.kit.selection import before_release
from tests.post.seats.answering import said_to

Said = dict[str, Any]
"""A reply of the corpus: the email that it answers, its text, and the numbers that it means."""


def corpus(name: str) -> list[Said]:
    """The replies in a file."""
    text = (Path(__file__).parent / f"{name}_replies.toml").read_text("utf-8")
    found: list[Said] = tomllib.loads(text)["reply"]
    return found


REPLIES, UNSEEN, HOSTILE = corpus("free"), corpus("unseen"), corpus("hostile")
FRESH = corpus("fresh") + corpus("worldwide")
PLAIN = str.maketrans("_", " ", "[]")
GAMES = {"food": "first", "cards": "second"}
PAGE = (Path(__file__).parents[3] / "docs" / "mail.md").read_text("utf-8")


class InWords:
    """Reads replies without sealing them."""

    def __init__(self, game: Callable[[str], Round]) -> None:
        names = GAMES.items()
        views = {
            to: MailSeat(session_of(game(name).person("rhea")), "b").view for to, name in names
        }
        self.plain = {to: OrderForm(view) for to, view in views.items()}
        self.whole = {
            to: OrderForm(view, [MORE_REQUEST, RULES_REQUEST]) for to, view in views.items()
        }

    def form(self, to: str, numbers: list[int]) -> OrderForm:
        """The form of a player who has asked for more only if the reply means such a number."""
        plain = self.plain[to]
        return (
            plain if all(number in plain.listed_choices for number in numbers) else self.whole[to]
        )

    def read(
        self, to: str, says: str, form: OrderForm
    ) -> tuple[ReplyInterpretation, list[tuple[str, str]]]:
        """What was understood, and the orders that would be sealed."""
        own = extract_own_text(says, "", ["Bo", "bo@example.org"], ["Rhea", "rhea@example.org"])
        found = interpret_reply(own, form)
        draft = make_draft(form.view, found, [])
        found.reason = found.reason or next((note.sentence for note in draft.errors), "")
        lines = [] if found.reason or not found.lines else draft.lines
        return found, [(line.kind, line.text) for line in lines if not line.always]

    def orders(self, to: str, says: str) -> list[tuple[str, str]]:
        """The orders that would be sealed."""
        return self.read(to, says, self.plain[to])[1]

    def sorted(self, replies: list[Said]) -> dict[str, list[Said]]:
        """Sort replies with choices: right, one tap, asked, talk and misread."""
        found: dict[str, list[Said]] = {
            key: [] for key in ("right", "tap", "ask", "talk", "misread")
        }
        for one in replies:
            form = self.form(one["to"], one["means"])
            said, sealed = self.read(one["to"], one["says"], form)
            meant = [form.choices_by_number[number] for number in one["means"]]
            _, wanted = self.read(one["to"], "\n".join(map(str, one["means"])), form)
            offered = [] if sealed else possible_meanings(form.view, form, said, [])
            ways = [[choice.number for choice in some] for some in offered]
            if sealed:
                key = "right" if sealed == wanted else "misread"
            elif any(sorted(way) == sorted(one["means"]) for way in ways):
                key = "tap"
            else:
                key = "ask" if said.reason else "talk"
            found[key].append(one)
            assert key != "misread" or not meant or print(one["says"], sealed) is None
        print({key: len(some) for key, some in found.items()})
        return found


@pytest.fixture
def in_words(mail_game: Callable[[str], Round]) -> InWords:
    return InWords(mail_game)


@pytest.mark.sample(0)
@pytest.mark.parametrize("replies", [REPLIES, UNSEEN, FRESH], ids=["free", "unseen", "fresh"])
def test_what_is_sealed_is_right_and_what_is_not_hard_is_at_most_one_tap_away(in_words, replies):
    found = in_words.sorted([one for one in replies if one["means"]])
    assert not found["misread"], found["misread"]
    assert not [one for one in (*found["ask"], *found["talk"]) if "hard" not in one]
    hard = [one for one in (*found["right"], *found["tap"]) if "hard" in one]
    assert not hard, "understood now: no longer hard"


@pytest.mark.sample(0)
def test_no_hostile_reply_is_taken(in_words: InWords):
    """Jokes, quotes, questions, conditions, dates, other people's numbers."""
    nothing = [one for one in [*REPLIES, *FRESH] if not one["means"]]
    for one in [*HOSTILE, *nothing]:
        assert not in_words.orders(one["to"], one["says"]), one


@pytest.mark.sample(0)
def test_no_trap_is_taken(in_words: InWords):
    """Talk with numbers and words of choices: what it would mean depends on who reads it."""
    traps = (Path(__file__).parent / "trap_replies.toml").read_text("utf-8")
    for says in tomllib.loads(traps)["says"]:
        for to in ("food", "cards"):
            assert not in_words.orders(to, says), (to, says)


@pytest.mark.sample(0)
def test_no_word_that_may_stand_beside_a_number_makes_talk_a_choice(in_words: InWords):
    """Each filler beside other words and a number: nothing that was not read is sealed."""
    words = (files("pbem.plain_email") / "words.toml").read_text("utf-8")
    fillers = tomllib.loads(words)["filler"].split()
    for word in fillers:
        for says in (f"see you {word} 3", f"Ann {word} 3", f"{word} 3 weeks", f"3 {word} 4 of us"):
            assert not in_words.orders("food", says), says


INTRODUCTIONS = (Path(__file__).parent / "attributions.txt").read_text("utf-8").split("\n%%\n")


@pytest.mark.sample(0)
@pytest.mark.parametrize("mark", ["> ", ">", ""])
def test_what_introduces_a_quote_is_no_answer(mail_game: Callable[[str], Round], mark: str):
    """In any language, on one line or several, with marks or without."""
    rhea = mail_game("first").person("rhea")
    sent = text_of(turn_mail(rhea))
    rows = "\n".join(f"{mark}{row}".rstrip() if mark else row for row in sent.splitlines())
    for introduction in INTRODUCTIONS:
        text = f"3\n\n{introduction.strip()}\n{rows}"
        own = extract_own_text(
            text, sent, ["Bo Beck", "bo@example.org"], ["Rhea", "rhea@example.org"]
        )
        assert [one.text for one in own.lines] == ["3"], introduction


@pytest.mark.sample(0)
@pytest.mark.parametrize("part", [0, *before_release(range(1, 8))])
def test_what_the_reader_takes_is_sealed(in_words, mail_game, part):
    """Through `receive`: the same orders as in process. A part is each eighth reply."""
    for one in REPLIES[part::8]:
        if all(number in in_words.plain[one["to"]].listed_choices for number in one["means"]):
            rhea = mail_game(GAMES[one["to"]]).person("rhea")
            successful(receive(rhea, reply(turn_mail(rhea), one["says"].strip())))
            sealed = [line for line in sealed_lines(rhea) if not line.startswith("always")]
            taken = in_words.orders(one["to"], one["says"])
            assert sealed == [f"{kind}: {text}" for kind, text in taken], one


@pytest.mark.sample(0)
def test_the_replies_shown_in_docs_mail_mean_what_the_page_says(in_words: InWords):
    _, _, rows = PAGE.partition("| you write | choices |")
    rows = re.findall(r"^\| `(.+)` \| (.+) \|$", rows.partition("\n\n")[0], re.M)
    assert len(rows) >= 4
    ways = [(one, means) for says, means in rows for one in says.split("` · `")]
    for says, means in ways:
        numbers = "\n".join(re.findall(r"\d+", means))
        assert in_words.orders("cards", says) == in_words.orders("cards", numbers), says


# ---------------------------------------------------------------- words that make it doubtful
HAZARDS = """not|or|maybe|if|unless|either|instead of|anything but|never|don't take|Ann says
at|I thought of|depends on|I hate|turn|what about|nicht|oder|vielleicht|wenn|falls|keinesfalls
pas|ou|peut-être|si|jamais|no quiero|o|quizás|nunca|excepto|non|oppure|forse|mai|niet|of|não"""


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


@pytest.mark.sample(0)
def test_a_question_beside_an_order_reaches_the_referee(rhea: Person):
    told = said_to(rhea, "3, 10\n\nWhen is the deadline? May I swap seats with Ann?\n\nThanks\nBo")
    assert "UNDERSTOOD" in told
    assert "SENT TO RHEA" in told
    assert "play: long neck 3 on b1" in " ".join(sealed_lines(rhea)).translate(PLAIN)
    assert "1 new message" in successful(rhea.pbem("status -C savannah")).text
    said = successful(rhea.pbem("since -C savannah")).text
    assert "When is the deadline?" in said
    assert "May I swap seats with Ann?" in said
    assert "Thanks" not in said
    assert "wrote:" not in said


@pytest.mark.sample(0)
def test_a_question_alone_is_no_mistake(mail_game: Callable[[str], Round]):
    table = mail_game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    told = said_to(rhea, "when is the deadline, may I swap seats?")
    assert "PLEASE WRITE AGAIN" not in told
    assert "“when is the deadline, may I swap seats?”" in told
    assert "You have no orders for this turn yet." in told
    assert not sealed_lines(rhea)
    assert "when is the deadline" in successful(rhea.pbem("since -C savannah")).text
    assert "when is the deadline" not in successful(ann.pbem("since -C savannah")).text


@pytest.mark.sample(0)
def test_after_three_refusals_the_referee_is_told(rhea: Person):
    mail = turn_mail(rhea)
    for number in range(3):
        said = successful(receive(rhea, reply(mail, f"horns {4 + number} on b1")))
    assert "and stops: write to Bo yourself" in said.text
    assert "RHEA WILL HELP YOU" in text_of(answer_mail(rhea))
    assert "horns 6 on b1" in successful(rhea.pbem("since -C savannah")).text
    written = len(letters(rhea))
    said = successful(receive(rhea, reply(mail, "horns 3 on b1, and what is wrong with it?")))
    assert "and stops: write to Bo yourself" in said.text
    assert len(letters(rhea)) == written
    assert "what is wrong with it?" in successful(rhea.pbem("since -C savannah")).text
    assert "UNDERSTOOD" in said_to(rhea, "3", mail)


def test_an_answer_asks_back_line_by_line(rhea: Person):
    told = said_to(rhea, "my choice is 3\nhorns 4 on b1\nsee you on Sunday")
    assert not sealed_lines(rhea)
    assert "NOT COUNTED YET" in told
    assert "your words: “my choice is 3” understood: 3: cooperation 3 for the body of b1" in told
    assert "your words: “horns 4 on b1”" in told
    assert "your words: “see you on Sunday” not used: " in told


# ---------------------------------------------------------------- lines that need lines above
def test_a_line_may_need_the_line_above(rhea: Person):
    told = said_to(rhea, "2\nlong neck 3 on b2")
    sealed = [line.translate(PLAIN) for line in sealed_lines(rhea)]
    assert "play: long neck 3 on b2" in sealed, told


@pytest.mark.sample(0)
def test_a_card_alone_does_not_say_which_species(rhea: Person):
    """Where only one piece fits, its name may be left out; where two fit, nothing is sealed."""
    said_to(rhea, "cooperation 3 as population")
    assert "play: cooperation 3: b1 population" in sealed_lines(rhea)
    told = said_to(rhea, "2\nlong neck 3 as population")
    assert "NOT COUNTED YET" in told
    assert "SENT TO RHEA" not in told


@pytest.mark.sample(0)
def test_a_name_is_no_way_to_change_what_words_mean(tmp_path: Path):
    """Words of the player's own name may stand beside a number, but not words such as `or`."""
    table = Round(tmp_path)
    rhea = begin_mail_game(table, NEW.replace("Bo", "Or"))
    told = said_to(rhea, "1 or 2", to="b")
    assert "NOT COUNTED YET" in told
    assert not sealed_lines(rhea)
