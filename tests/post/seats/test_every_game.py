"""Each ruleset by plain email: Bo chooses from the forms that he gets, against two bots."""

import random
import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.mailseats.order_form import OrderForm
from pbem.mailseats.understand import understand
from tests.cli.games import session_of
from tests.cli.people import TABLE, Person, Round
from tests.drafts.positions import position, positions
from tests.post.seats.mail_game import (
    answer,
    ok,
    orders_of_bo,
    receive,
    reply,
    text_of,
    turn_mail,
)

NUMBERED = r"^ *(\d+): "
SHORT = r"There are many choices\.(.*?)^The places:\n(.*?)(^  \d.*|\Z)"
RULESETS = ["origin", "digital", "climate", "classroom"]
NEW = '--players "Bo <bo@example.org>" --mail-seats Bo --bots greedy:2 --deadline never'


@pytest.mark.long
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_question_can_be_answered_from_its_form(ruleset: str, tmp_path: Path):
    rhea = begun(Round(tmp_path), ruleset)
    offered, sealed = play(rhea, ruleset, turns=18)
    assert offered <= sealed


@pytest.mark.long
@pytest.mark.parametrize("ruleset", RULESETS)
def test_whole_games(ruleset: str, tmp_path: Path):
    table = Round(tmp_path)
    rhea = begun(table, ruleset)
    play(rhea, f"{ruleset} to the end", turns=500)
    assert (table.shared / "savannah" / "final.toml").exists()
    assert "Bo (a) answered by plain email" in ok(rhea.pbem("audit savannah")).out


def begun(table: Round, ruleset: str) -> Person:
    rhea = table.person("rhea")
    ok(rhea.pbem(f"new savannah --game {ruleset} {NEW} --referee Rhea --table {TABLE}"))
    return rhea


def play(rhea: Person, seed: str, turns: int) -> tuple[set[str], set[str]]:
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
        questions = questions_in(text_of(mail))
        heads = {question.split("\n")[0].rstrip(":").casefold() for question in questions}
        offered |= {kind.name for kind in kinds if kind.question.casefold() in heads}
        first, rest = numbers(questions[0])[0], [chance.choice(numbers(q)) for q in questions[1:]]
        any_ = chance.choice(numbers(questions[0]))
        for said in ([any_, *rest], [first, *rest], [first]):
            told = answered(rhea, mail, "\n".join(said))
            if "\nUNDERSTOOD" in told and "You still have to answer" not in told:
                break  # else two choices need the same card, or a choice in words fits nothing
            assert re.search(r"after your other lines|legal\s+here|You still", told), told
        else:
            raise AssertionError(told)
        sealed |= {line.split(":")[0] for line in orders_of_bo(rhea, "a")}
    return offered, sealed


def questions_in(mail: str) -> list[str]:
    """The questions that a mail asks now or later in the round, with their choices."""
    form = mail[mail.index("\nYOU ARE ASKED: ") : mail.index("\nHOW TO ANSWER\n")]
    found = re.split(r"\nYOU ARE ASKED: |\n\n(?=[A-Z][a-z].*:\n)", form)
    return [question for question in found if numbers(question)]


def numbers(question: str) -> list[str]:
    """What a reply may write for each choice of a question: `7`, or `7 on b1` in a short list."""
    short = re.search(SHORT, question, re.S | re.M)
    many, places, after = short.groups() if short else ("", "", question)
    found = re.findall(NUMBERED, question[: short.start()], re.M) if short else []
    for number, _, lacks in re.findall(r"^  (\d+): (.*?)( \(not .*)?$", many, re.M):
        fit = [place.strip() for place in places.splitlines() if place.strip()]
        found += [f"{number} {place}" for place in fit if f"not {place}" not in lacks]
    return found + re.findall(NUMBERED, after, re.M)


def answered(rhea: Person, mail: EmailMessage, said: str) -> str:
    """Reply to a mail; the text of the answer."""
    ok(receive(rhea, reply(mail, said)))
    return text_of(answer(rhea))


@pytest.mark.long
def test_the_second_step_of_a_list_is_in_the_form_too(tmp_path: Path):
    """In the classroom game a player first chooses the food card, then plays the other cards."""
    rhea = begun(Round(tmp_path), "classroom")
    ok(rhea.pbem("advance -C savannah"))
    mail = turn_mail(rhea)
    (question,) = [one for one in questions_in(text_of(mail)) if "watering hole" in one]
    food = re.search(r"^ *(\d+): (.+) to the watering hole$", question, re.M)
    trait = re.search(rf"^ *(\d+): (?!{food[2]}).+ on a1$", question, re.M)
    told = answered(rhea, mail, f"{food[1]}, {trait[1]}")
    assert "UNDERSTOOD" in told
    assert len([line for line in orders_of_bo(rhea, "a") if line.startswith("choice:")]) == 3


@pytest.mark.sample(10)
@pytest.mark.parametrize("place", positions(10), ids=str)
def test_words_after_the_end_of_a_list_are_read(place: tuple[str, int, int]) -> None:
    """What follows `cycle: done` in a reply made the reader of climate fail."""
    form = OrderForm(position(*place))
    for one in [one for one in form.asked if one.script]:
        end = form.view.play.ruleset.kinds[one.kind].ends
        found = understand([f"{one.kind}: {end}", "no idea what to do with my horns"], form)
        assert [row.text for row in found.lines] == [end]
