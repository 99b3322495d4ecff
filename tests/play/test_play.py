"""`pbem play`: orders by numbers in a terminal, of which nothing is lost when it is left."""

import re

import pytest

from games.registry import OURS, ruleset
from tests.cli.people import TABLE, Person, Round
from tests.play.typist import Typist

MOST_WAVES = 40
ENDS = re.compile(r"^ +(\d+)  .*\b(?:no more|done|pass|passes|declines)\b", re.MULTILINE)
ASKED_AND_OPEN = re.compile(r"^ +(\d+)  [^\n]*(?:\n {6}[^\n]*)*\(asked now;\s+open\)", re.MULTILINE)


def alone(table: Round, game: str) -> Person:
    """A referee in seat a, against as few bots as the game allows."""
    bots = ruleset(game).players[0] - 1
    rhea = table.person("rhea")
    line = f"new savannah --game {game} --players Rhea --referee-plays --bots greedy:{bots}"
    assert rhea.pbem(f"{line} --table {TABLE}").exit == 0
    rhea.place = rhea.place / "savannah"
    rhea.pbem("advance")
    return rhea


def answer(shown: str) -> str:
    """What to type: the first choice, then whatever ends the list, then the seal."""
    if "s seals" in shown:
        found = ASKED_AND_OPEN.search(shown)
        return found[1] if found else "s"
    if "Enter = yes" in shown:
        return ""
    if "your line" not in shown:
        return "1"
    ends = ENDS.search(shown)
    return ends[1] if ends and "your line 2" not in shown else ""


def wave(person: Person, columns: int) -> str:
    """Answer everything that is asked now; what was shown."""
    with Typist(person, "play", columns) as typist:
        for _ in range(100):
            shown = typist.read()
            if not shown:
                break
            typist.type(answer(shown))
        assert typist.exit == 0, typist.shown
        return typist.shown


def round_now(person: Person) -> int:
    said = person.pbem("show --json").out
    return int(re.search(r'\["(?:round|turn)", "(\d+)', re.sub(r"\s+", " ", said))[1])


@pytest.mark.parametrize("game", OURS)
@pytest.mark.parametrize("columns", [40, 100])
def test_a_round_by_numbers(game: str, columns: int, table: Round) -> None:
    person = alone(table, game)
    begun, sealed = round_now(person), 0
    for _ in range(MOST_WAVES):
        shown = wave(person, columns)
        assert re.search(r"SEALED (?:here|already) as", shown), shown
        sealed += 1
        rows = [row for row in shown.splitlines() if "/" not in row]
        assert max(map(len, rows)) <= columns, max(rows, key=len)
        person.pbem("advance")
        if round_now(person) > begun:
            break
    assert round_now(person) > begun
    assert sealed
