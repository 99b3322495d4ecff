"""What a page asks for again and again shows its reader nothing that their records do not."""

import json
import re

from tests.kit.people import Round
from tests.kit.table_requests import enter_game

SEEDS = ("5eed" * 8, "abcd" * 8)
PEOPLE = ("ann", "bo")
SECRET_PATH = re.compile(r"/[\w-]{43}/")
"""What begins the address of each page of one table."""


def began(table: Round, seed: str) -> None:
    """A game of Ann and Bo, dealt by Rhea from a seed; turn 1 is made."""
    rhea = table.person("rhea")
    said = rhea.pbem(
        f"new savannah --game evolution --players Ann,Bo --referee Rhea --table {seed}"
    )
    assert said.exit == 0, said.text
    invites = [line.split("--invite ")[1] for line in said.out.splitlines() if "--invite" in line]
    for name, invite in zip(PEOPLE, invites, strict=True):
        table.person(name).pbem(["join", "-C", "savannah", "--invite", invite]).checked(0)
    made = rhea.pbem("advance -C savannah")
    assert made.exit in (0, 5), made.text


def live_page(table: Round, name: str) -> dict[str, object]:
    """What the page of a person gets, without the digits of the game and of its files."""
    asking, path = enter_game(table, name)
    answer = json.loads(asking.get(f"{path}/live?have=none").text)
    game = path.rpartition("/")[2]
    regions = {
        region: re.sub(
            r"\b[0-9a-f]{6,64}\b", "#", SECRET_PATH.sub("/#/", html.replace(game, "GAME"))
        )
        for region, html in answer["regions"].items()
    }
    return {"turn": answer["turn"], "title": answer["title"], "regions": regions}


def test_two_games_that_differ_in_hidden_cards_are_the_same_to_the_public(tmp_path) -> None:
    tables = [Round(tmp_path / str(number)) for number, _ in enumerate(SEEDS)]
    for table, seed in zip(tables, SEEDS, strict=True):
        began(table, seed)
    seen_by_eve = [live_page(table, "eve") for table in tables]  # she has no seat
    for region, html in seen_by_eve[0]["regions"].items():
        assert html == seen_by_eve[1]["regions"][region], region
    assert seen_by_eve[0] == seen_by_eve[1]
    seen_by_ann = [live_page(table, "ann") for table in tables]
    assert seen_by_ann[0] != seen_by_ann[1], "she sees her own cards"
