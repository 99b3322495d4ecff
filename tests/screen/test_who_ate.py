"""Who ate what is told, also if food comes and is swept away before anybody is asked."""

import re
from collections import Counter

import pytest

from games.registry import BUILT_IN_GAMES
from pbem.person.session import Session
from tests.kit.people import Round

PIECE = r"[a-h]\d+"
EATS = re.compile(rf"\b({PIECE}) eats\b(?! \d)")
FED = re.compile(rf"((?:{PIECE}(?:, | and )?)+) eats? (\d+)")
GROWS = re.compile(r"(?:food|fat|red|blue) (\d+)(?:/\d+)? → (\d+)")


def eaten_in_log(log: str) -> Counter[str]:
    """How much each piece has eaten, as far as the log says: in sentences and in numbers."""
    eaten: Counter[str] = Counter()
    for line in log.splitlines():
        _, colon, changes = line.partition(": ")
        if not (line.startswith("    ") and colon):
            eaten.update(EATS.findall(line))
            continue
        for part in changes.split("; "):
            names = re.findall(PIECE, part)
            if fed := FED.match(part):
                eaten.update(dict.fromkeys(re.findall(PIECE, fed[1]), int(fed[2])))
                continue
            for was, now in GROWS.findall(part) if names else ():
                eaten.update(dict.fromkeys(names, max(0, int(now) - int(was))))
    return eaten


@pytest.mark.long
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_the_log_tells_of_all_food_that_a_piece_ate(game: str, table: Round) -> None:
    ann = table.person("ann")
    assert ann.pbem(f"demo --game {game} --players 3 --seed 5 -C {table.root}/demo").exit == 0
    folder = table.root / "demo/savannah"
    log = ann.pbem(f"log -C {folder}").out
    view = Session(folder).fresh_view("")
    eaten = view.play.ruleset.eaten(view.table.state)
    said = eaten_in_log(log)
    assert sum(eaten.values()) > 10
    assert {name: (said[name], much) for name, much in eaten.items() if said[name] < much} == {}


@pytest.mark.long
def test_the_log_of_automatic_feeding_names_the_species_that_ate(table: Round) -> None:
    ann = table.person("ann")
    ann.pbem(f"demo --game digital --players 3 --seed 5 -C {table.root}/demo")
    log = ann.pbem(f"log -C {table.root}/demo/savannah").out
    assert "    Ann: a1, a2, a3 and a4 eat 1 each; food behind the screen 0 → 4" in log
