"""Questions that nobody waits for: the default answers, unless an order given ahead does."""

from pathlib import Path

import pytest

from pbem.records.turn import LogEntry
from tests.kit.played_games import Played, Player

STOIC = "always defend: * does not defend"


def stoic_lines(player: Player) -> list[str]:
    """As the bot, and seat b orders ahead that none of its animals defends itself."""
    return [*player.lines(), *([STOIC] if player.seat == "b" else [])]


def defence_entries(root: Path, table: int) -> list[LogEntry]:
    """How animals defended themselves in a game in which all play their cards at the same time."""
    options = {"together": "yes"}
    game = Played(
        root / "g",
        3,
        ruleset="origin",
        options=options,
        answer=stoic_lines,
        table=bytes([table]) * 16,
    )
    game.play()
    assert not any(turn.content.silent for turn in game.turns), "nobody is silent"
    log = [entry for turn in game.turns for entry in turn.content.log]
    return [entry for entry in log if ".defend." in entry.key]


@pytest.mark.sample(0)
def test_nobody_waits_for_a_single_defence(tmp_path: Path) -> None:
    found = {(entry.by, entry.text) for entry in defence_entries(tmp_path, 52)}
    assert ("default", "c1 runs") in found


@pytest.mark.sample(0)
def test_an_order_given_ahead_keeps_an_animal_from_defending_itself(tmp_path: Path) -> None:
    found = {(entry.by, entry.text) for entry in defence_entries(tmp_path, 50)}
    assert found == {("always [?]", f"{name} does not defend") for name in ("b1", "b12")}
