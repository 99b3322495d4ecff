"""Whole games in mode `dealers`: a referee, co-dealers and players, each with its own reader."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest

from engine import mask
from games.registry import BUILT_IN_GAMES, ruleset
from pbem.files.game_folder import Folder
from pbem.judge.audit import audit
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import copied_folder
from tests.kit.selection import ROOT, before_release, long

OPTIONS = {name: {} if name == "classroom" else {"together": "yes"} for name in BUILT_IN_GAMES}
CASES = [
    (name, players, bot, co_dealers, together)
    for name in BUILT_IN_GAMES
    for players in ruleset(name).players
    for bot in ("random", "greedy")
    for co_dealers in (1, 2)
    for together in ((True, False) if OPTIONS[name] else (False,))
    if bot in ruleset(name).bots or bot == "random"
]
SHORT = [
    ("evolution", 2, "greedy", 1, True),
    ("climate", 2, "random", 2, True),
    ("classroom", 3, "random", 1, False),
]
EACH_NUMBER_OF_SEATS = [
    cases[n % len(cases)]
    for n, (_, group) in enumerate(groupby(CASES, key=itemgetter(0, 1)))
    for cases in [list(group)]
]
"""One case for each ruleset and number of seats; bots, co-dealers and options take turns."""


def finished_dealers_game(
    root: Path, name: str, players: int, bot: str, co_dealers: int, together: bool
) -> DealersGame:
    """A game that is over, with the secrets of all dealers in its folder."""
    game = DealersGame(
        root / "game", ruleset=name, players=players, bot=bot, co_dealers=co_dealers,
        options=OPTIONS[name] if together else {},
    )  # fmt: skip
    game.play()
    return game


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("name", "players", "bot", "co_dealers", "together"),
    [
        *SHORT,
        *long(case for case in EACH_NUMBER_OF_SEATS if case not in SHORT),
        *before_release(case for case in CASES if case not in [*SHORT, *EACH_NUMBER_OF_SEATS]),
    ],
)
def test_a_game_is_played_to_its_end_and_proven(
    tmp_path: Path, name: str, players: int, bot: str, co_dealers: int, together: bool
) -> None:
    """Each turn is read by every seat as it comes, and by the co-dealers from time to time."""
    game = finished_dealers_game(tmp_path, name, players, bot, co_dealers, together)
    report = audit(game.folder)
    assert (report.findings, report.final, report.exit) == ([], True, 0)
    assert [mask(entry.text) for entry in report.log] == [e.text for e in game.made.table.log]
    assert "?" not in "".join(entry.text for entry in report.log), "the secrets open all cards"
    for player in game.seats.values():
        # of the cards dealt in the last turn, nobody gives the co-dealers' shares
        before_last = player.reader.own_log[: player.reader.chain.log_lengths[-2]]
        assert all(
            entry.text == report.log[number].text
            for number, entry in enumerate(before_last)
            if player.seat in (entry.seat, entry.to)
        )
        shown = [e.text for e in before_last if player.seat in (e.seat, e.to)]
        assert shown
        assert "[?]" not in "".join(shown), "the seat knows all its cards"


def what_the_second_implementation_finds(game: DealersGame, cards_file: Path) -> str:
    """What it prints about all that the dealers of a finished game wrote; it knows no rules."""
    cards_file.write_text(json.dumps(ruleset(game.ruleset).decks["deck"]), "ascii")
    script = ROOT / "tests" / "vectors" / "second_dealers.py"
    done = subprocess.run(
        [sys.executable, script, game.root, cards_file], capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.sample(0)
def test_a_game_is_right_after_each_turn_without_any_key(tmp_path: Path) -> None:
    game = finished_dealers_game(tmp_path, "classroom", 3, "random", 1, False)
    assert len(game.turns) > 8
    assert what_the_second_implementation_finds(game, tmp_path / "cards.json") == (
        "right: 2 mixes, 238 sealed shares, 154 shares, 18 answers said, 77 opened cards, 122 "
        "cards read\n"
    )
    for number in range(1, len(game.turns)):
        root = copied_folder(game.root, tmp_path / str(number))
        (root / "final.toml").unlink()
        for path in root.glob("turns/*"):
            if int(path.stem) > number:
                path.unlink()
        for path in [*root.glob("orders/*"), *root.glob("deals/*")]:
            if int(path.name[:4]) > number:
                path.unlink()
        report = audit(Folder(root))
        assert (number, report.findings, report.turns) == (number, [], number)
        shutil.rmtree(root)
