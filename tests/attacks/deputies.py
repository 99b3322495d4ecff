"""A game whose referee has a deputy, and hands it over."""

from tests.kit.named_games import made, sit
from tests.kit.people import NOW, Person, Round, output_of
from tests.kit.timed_games import answer_all, play_on


def deputy_at_turn_three(table: Round) -> tuple[Person, Person]:
    """Ann and Bo, after turn 3; Rhea deals, and Flo is her deputy. Returns Rhea and Flo."""
    rhea, flo = table.person("rhea"), table.person("flo")
    line = flo.pbem("keys deputy").out.strip()
    made(table, f"--players Ann,Bo --referee Rhea --deadline 24h --deputy Flo={line}")
    for seat in "ab":
        sit(table, seat)
    assert rhea.pbem("advance -C savannah").exit == 0
    play_on(table, "ab", turns=2)
    return rhea, flo


def hand_over(table: Round, now: int = NOW) -> None:
    """Rhea hands the game over, and Flo makes the next turn."""
    output_of(table.person("rhea"), "notice hand-over -C savannah --yes")
    answer_all(table, "ab")
    output_of(table.person("flo"), f"advance -C savannah --now {now}")
