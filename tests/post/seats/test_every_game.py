"""Each ruleset by plain email: Bo chooses from the forms that he gets, against two bots."""

import random
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.drafts.questions_and_choices import Choice
from pbem.plain_email.order_form import OrderForm
from pbem.plain_email.reply_meaning import interpret_reply
from pbem.plain_email.sentence_parser import words_of
from pbem.plain_email.strip_quotes import OwnLine, OwnText
from pbem.terminal.game_prose import spaced
from tests.kit.mail_seats import (
    answer_mail,
    asked_in,
    receive,
    reply,
    sealed_lines,
    successful,
    text_of,
    turn_mail,
)
from tests.kit.named_games import session_of
from tests.kit.people import TABLE, Person, Round
from tests.kit.positions import position, positions
from tests.kit.selection import before_release

RULESETS = ["origin", "digital", "climate", "classroom"]
WHOLE = "climate"
"""The ruleset of which a whole game is played for every change."""
NEW = '--players "Bo <bo@example.org>" --mail-seats Bo --bots greedy:2 --deadline never'


@pytest.mark.long
@pytest.mark.parametrize("ruleset", [one for one in RULESETS if one != WHOLE])
def test_every_question_can_be_answered_from_its_form(ruleset: str, tmp_path: Path):
    rhea = new_game_of(Round(tmp_path), ruleset)
    offered, sealed = play_forms(rhea, ruleset, turns=18)
    assert offered <= sealed


@pytest.mark.long
@pytest.mark.parametrize(
    "ruleset", [WHOLE, *before_release(one for one in RULESETS if one != WHOLE)]
)
def test_a_whole_game_can_be_played_by_plain_email_from_its_forms(ruleset: str, tmp_path: Path):
    table = Round(tmp_path)
    rhea = new_game_of(table, ruleset)
    offered, sealed = play_forms(rhea, f"{ruleset} to the end", turns=500)
    assert offered <= sealed
    assert (table.shared / "savannah" / "final.toml").exists()
    assert "Bo (a) answered by plain email" in successful(rhea.pbem("audit savannah")).out


def new_game_of(table: Round, ruleset: str) -> Person:
    rhea = table.person("rhea")
    successful(rhea.pbem(f"new savannah --game {ruleset} {NEW} --referee Rhea --table {TABLE}"))
    return rhea


def play_forms(rhea: Person, seed: str, turns: int) -> tuple[set[str], set[str]]:
    """Play some turns; the kinds of decision in Bo's forms, and those of his sealed orders."""
    chance, offered, sealed = random.Random(seed), set[str](), set[str]()
    for _ in range(turns):
        assert rhea.pbem("advance -C savannah").exit in (0, 5)
        if (rhea.shared / "savannah" / "final.toml").exists():
            break
        if "a Bo (by email): MISSING" not in rhea.pbem("status -C savannah").out:
            continue
        mail = turn_mail(rhea)
        kinds = session_of(rhea, "a").view().play.ruleset.kinds.values()
        asked = asked_in(text_of(mail))
        offered |= {kind.name for kind in kinds if kind.question.upper() in asked}
        questions = list(asked.values())
        first, rest = questions[0][0], [chance.choice(one) for one in questions[1:]]
        for said in ([chance.choice(questions[0]), *rest], [first, *rest], [first]):
            told = answer_to_reply(rhea, mail, "\n".join(said))
            if "\nUNDERSTOOD" in told and "You still have to answer" not in told:
                break  # else two choices need the same card
            assert re.search(r"NOT COUNTED YET|You still", told), told
        else:
            raise AssertionError(told)
        sealed |= {line.split(":")[0] for line in sealed_lines(rhea, "a")}
    return offered, sealed


def answer_to_reply(rhea: Person, mail: EmailMessage, said: str) -> str:
    """Reply to a mail; the text of the answer."""
    successful(receive(rhea, reply(mail, said)))
    return text_of(answer_mail(rhea))


@pytest.mark.long
def test_the_second_step_of_a_list_is_in_the_form_too(tmp_path: Path):
    """In the classroom game a player first chooses the food card, then plays the other cards."""
    rhea = new_game_of(Round(tmp_path), "classroom")
    successful(rhea.pbem("advance -C savannah"))
    mail = turn_mail(rhea)
    question = text_of(mail)
    food = re.search(r"^ *(\d+): (.+) to the watering hole$", question, re.M)
    trait = re.search(rf"^ *(\d+): (?!{food[2]}).+ on a1$", question, re.M)
    told = answer_to_reply(rhea, mail, f"{food[1]}, {trait[1]}")
    assert "UNDERSTOOD" in told
    assert len([line for line in sealed_lines(rhea, "a") if line.startswith("choice:")]) == 3


@pytest.mark.sample(10)
@pytest.mark.parametrize("place", positions(10), ids=str)
def test_words_after_the_end_of_a_list_are_read(place: tuple[str, int, int]) -> None:
    """What follows `cycle: done` in a reply made the reader of climate fail."""
    form = OrderForm(position(*place))
    for one in [one for one in form.asked_questions if one.script]:
        end = form.view.play.ruleset.kinds[one.kind].ends
        words = [f"{one.kind}: {end}", "no idea what to do with my mammoths"]
        found = interpret_reply(OwnText([OwnLine(line, at) for at, line in enumerate(words)]), form)
        assert [choice.text for said in found.sentences for choice in said.choices] == [end]


LATER = [("climate", 4, 112), ("climate", 12, 1008), ("digital", 6, 252)]
"""Positions whose later questions have words that no question of now has."""


@pytest.mark.sample(0)
@pytest.mark.parametrize("place", LATER, ids=str)
def test_a_bare_word_answers_only_what_is_asked(place: tuple[str, int, int]) -> None:
    """The player has not seen the choices of later questions: `hunt` must not discard a card."""
    form = OrderForm(position(*place))
    said = {words: words.split() for one in form.choices for words in _words(one)}
    asked = {question.kind for question in form.asked_questions}
    words = {short for words in said.values() for word in words for short in (word, word[:4])}
    for word in sorted(words - said.keys()):
        found = interpret_reply(OwnText([OwnLine(word, 1)]), form)
        assert {line.kind for line in found.lines} <= asked, word


def _words(choice: Choice) -> list[str]:
    return [" ".join(words_of(spaced(text))) for text in (choice.text, choice.prose)]
