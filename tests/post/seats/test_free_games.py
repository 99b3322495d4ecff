"""Whole games by plain email in which every reply is written freely, as no two people write."""

import re
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from tests.cli.people import Person, Round
from tests.post.seats.mail_game import answer, ok, orders_of_bo, receive, reply, text_of, turn_mail
from tests.post.seats.test_every_game import begun, numbers, questions_in

SAID = [
    "Hi Rhea,\n\nI'll take {0}.\n\nCheers,\nBo",
    "{0} :-)",
    "number {0} please 🙂",
    "OK: {0}. When is the next deadline?",
    "my choice is {0}",
    "Nummer {0} bitte",
    "I would like {0}.",
    "let's go with {0} this time",
    "{0} is my pick\n\nPS: is it always this quiet?",
    "Sorry for the delay! {0}, thanks",
    "le {0} s'il vous plaît",
    "just {0} for now",
    "{0} it is! Greetings from Rome.",
    "*{0}*",
    "answer: {0}",
    "Evening all! My pick = {0}, see you on Friday",
    "Yo elijo la {0}, gracias",
    "Ok, number {0} then. What a game!",
    "oops, forgot to answer! option {0} please, and who is ahead?",
    "Put me down for {0}. The kids are ill, so this is short.",
    "ik neem nummer {0}, bedankt",
]
PLACED = [
    "{0}",
    "I'd put {0}, please",
    "I play {0}",
    "{0} :-)",
    "and {0}, thanks",
    "*{0}* this time",
]
BEGUN = datetime(2026, 11, 24, 12, 0, tzinfo=UTC)


@pytest.mark.long
@pytest.mark.parametrize("ruleset", ["origin", "digital"])
def test_a_whole_game_in_free_words(ruleset: str, tmp_path: Path):
    table = Round(tmp_path)
    rhea = begun(table, ruleset)
    asked, read = played(table, rhea)
    print(f"{ruleset}: {read} of {asked} free replies understood")
    assert asked >= 8
    assert read == asked
    assert "Bo (a) answered by plain email" in ok(rhea.pbem("audit savannah")).out


def played(table: Round, rhea: Person) -> tuple[int, int]:
    """Play to the end; how many emails Bo answered, and how many of his free replies were read."""
    asked = read = 0
    for turn in count():
        now = f"{BEGUN + timedelta(minutes=11 * turn):%Y-%m-%dT%H:%M:%SZ}"
        said = rhea.pbem(f"advance -C savannah --now {now}")
        assert said.exit in (0, 5), said.text
        if (table.shared / "savannah" / "final.toml").exists():
            return asked, read
        assert turn < 400
        if "a Bo (by email): MISSING" not in rhea.pbem("status -C savannah").out:
            continue
        mail = turn_mail(rhea)
        questions = [numbers(q)[0] for q in asked_now(text_of(mail))]
        asked += 1
        told = freely(rhea, mail, questions, asked)
        read += "\nUNDERSTOOD" in told
        if "\nUNDERSTOOD" not in told or "You still have to answer" in told:
            print(questions, told[:700])
            return asked, read
    raise AssertionError


def asked_now(mail: str) -> list[str]:
    """The questions that a mail asks now."""
    now = mail.partition("\nLATER IN THIS ROUND")[0].partition("\nHOW TO ANSWER\n")[0]
    return questions_in(f"{now}\nHOW TO ANSWER\n")


def freely(rhea: Person, mail: object, chosen: list[str], number: int) -> str:
    """Answer in free words; the text of the answer."""
    words = []
    for place, one in enumerate(chosen):
        forms = SAID if one.isdecimal() else PLACED
        words.append(forms[(number + 7 * place) % len(forms)].format(one))
    ok(receive(rhea, reply(mail, "\n".join(words))))  # type: ignore[arg-type]
    assert orders_of_bo(rhea, "a") or re.search("PLEASE WRITE", text_of(answer(rhea)))
    return text_of(answer(rhea))
