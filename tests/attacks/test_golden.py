"""Golden games: the same people, orders and times make the same bytes, today and in every version.

A game that is being played must not change under its players. Whoever changes the protocol or the
rules on purpose, and says so in docs/protocol.md or by a new version of the rules, pins new heads.
"""

import pytest

from engine import DONE
from tests.kit.played_games import Played, Player

TURNS = 6
TABLE = bytes([13]) * 16


def first_option(player: Player) -> list[str] | None:
    """What a seat answers without any bot: the first option of each question."""
    lines: list[str] = []
    for _, decision in player.reader.own_table.pending:
        if decision.seat == player.seat:
            steps: list[str] = []
            while not steps or (decision.script and steps[-1] != DONE):
                steps.append(decision.option_list(*[steps] * decision.script)[0])
            lines += [f"{decision.kind}: {step}" for step in steps]
    return list(dict.fromkeys(lines))


def first_option_and_standing(player: Player) -> list[str] | None:
    """The same with standing orders; seat b misses a deadline."""
    if player.seat == "b" and player.reader.chain.turn == 2:
        return None
    return [*(first_option(player) or []), "always feed: * eats", "always feed: pass"]


GAMES = {
    "evolution": {"players": 2},
    "digital": {"players": 2},
    "climate": {"players": 2},
    "origin": {"players": 2},
    "classroom": {"players": 3},
    "evolution, silent": {
        "players": 3,
        "policies": {"deadline": "1h"},
        "answer": first_option_and_standing,
    },
    "evolution, held": {"players": 2, "plays": ("a",)},
}
HEADS = {
    "evolution": "4e2f2a1d6fd89ce7", "digital": "0a3a018835903eb6",
    "climate": "5105ebf7f825ee3d", "origin": "899ca7b942cefd68",
    "classroom": "6f911cf742408a82", "evolution, silent": "b71ccd4c615a0f13",
    "evolution, held": "99b8c0ba81ec8b2b",
}  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", GAMES)
def test_the_same_orders_make_the_same_turns_in_every_version_of_pbem(name, tmp_path):
    wishes = {"answer": first_option, "ruleset": name.partition(",")[0], **GAMES[name]}
    wishes["table"] = TABLE
    game = Played(tmp_path / "g", **wishes).play(TURNS)
    assert game.heads[-1].hex()[:16] == HEADS[name], "games that go on would change: see above"
