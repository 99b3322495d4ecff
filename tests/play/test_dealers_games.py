"""Whole games in mode `dealers`: a referee, co-dealers and players, each with its own reader."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from engine import mask
from games.registry import BUILT_IN_GAMES, ruleset
from pbem.cards import hidden_deck
from pbem.files.game_folder import Folder
from pbem.judge.audit import audit
from tests.kit.dealers_games import DealersGame
from tests.kit.people import Round
from tests.kit.played_games import Player, copied_folder
from tests.kit.selection import ROOT, before_release

OPTIONS = {name: {} if name == "classroom" else {"together": "yes"} for name in BUILT_IN_GAMES}
SEATS = [(name, players) for name in BUILT_IN_GAMES for players in ruleset(name).players]
CASES = [
    (name, players, bot, co_dealers, together)
    for name, players in SEATS
    for bot in ("random", "greedy")
    for co_dealers in (1, 2)
    for together in ((True, False) if OPTIONS[name] else (False,))
    if bot in ruleset(name).bots or bot == "random"
]
WHOLE_ROUNDS = [
    ("evolution", 2, "greedy", 1, True),
    ("digital", 2, "greedy", 1, True),
    ("climate", 2, "greedy", 2, True),
    ("origin", 2, "greedy", 1, True),
]
"""The demo has the fifth ruleset."""


def finished_dealers_game(
    root: Path, name: str, players: int, bot: str, co_dealers: int, together: bool, **more: Any
) -> DealersGame:
    """A game that is over, with the secrets of all dealers in its folder."""
    game = DealersGame(
        root / "game", ruleset=name, players=players, bot=bot, co_dealers=co_dealers,
        options=OPTIONS[name] if together else {}, **more,
    )  # fmt: skip
    game.play()
    return game


def check_proven(game: DealersGame) -> None:
    """The secrets of all dealers open all cards, as each seat knew them."""
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


@pytest.fixture
def checked_once() -> Iterator[None]:
    """The audits of one game check each proof once: each would check those of all turns again."""

    def once(check: Callable[..., Any]) -> Callable[..., Any]:
        cached = lru_cache(maxsize=None)(check)

        def checked(*args: Any) -> Any:
            return cached(*(tuple(arg) if isinstance(arg, list) else arg for arg in args))

        return checked

    with pytest.MonkeyPatch.context() as patch:
        for name in ("check_mix", "check_card_share", "check_sealed_share"):
            patch.setattr(hidden_deck, name, once(getattr(hidden_deck, name)))
        yield


def check_after_each_turn(game: Path, to: Path) -> None:
    """An audit without any key finds nothing after each turn of this finished game: neither before
    anybody answers the turn nor with what it owes, and the orders that answer it."""
    root, by_turn = copied_folder(game, to), dict[int, list[Path]]()
    (root / "final.toml").unlink()
    for path in [*root.glob("turns/*"), *root.glob("orders/*"), *root.glob("deals/*")]:
        if number := int(path.name[:4]):
            by_turn.setdefault(number, []).append(path.relative_to(root))
            path.unlink()
    assert [*by_turn] == [*range(1, len(by_turn) + 1)]
    for number, (turn, *answers) in by_turn.items():
        for paths in ([turn], answers):
            for path in paths:
                shutil.copy(game / path, root / path)
            found = audit(Folder(root))
            assert (number, found.findings, found.turns) == (number, [], number)


@pytest.mark.long
@pytest.mark.usefixtures("checked_once")
@pytest.mark.parametrize(("name", "players", "bot", "co_dealers", "together"), WHOLE_ROUNDS)
def test_a_game_is_right_after_each_turn_and_proven_at_its_end(
    tmp_path, name, players, bot, co_dealers, together
):
    """No audit needs a key; each seat reads each turn as it comes, and knows its cards."""
    game = finished_dealers_game(
        tmp_path, name, players, bot, co_dealers, together, answer=Player.round_lines
    )
    check_proven(game)
    check_after_each_turn(game.root, tmp_path / "growing")


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "players", "bot", "co_dealers", "together"),
    [
        ("classroom", 3, "random", 1, False),
        *before_release(case for case in CASES if case != ("classroom", 3, "random", 1, False)),
    ],
)
def test_a_dealers_game_with_one_answer_a_turn_is_proven_at_its_end(
    tmp_path, name, players, bot, co_dealers, together
):
    """Each turn is read by every seat as it comes, and by the co-dealers from time to time."""
    check_proven(finished_dealers_game(tmp_path, name, players, bot, co_dealers, together))


@pytest.mark.long
@pytest.mark.usefixtures("checked_once")
@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("classroom", 3),
        *before_release(
            (g, n) for g in BUILT_IN_GAMES for n in ruleset(g).players if g != "classroom" or n > 3
        ),
    ],
)
def test_a_demo_is_right_after_each_turn(tmp_path: Path, name: str, players: int) -> None:
    line = ["demo", "--dealers", "--game", name, "--players", str(players), "--folder", "here"]
    shown = Round(tmp_path).person("ann").pbem([*line, "--seed", str(players)])
    assert (shown.exit, "PROVEN" in shown.out) == (0, True), shown.text
    check_after_each_turn(tmp_path / "shared/here/savannah", tmp_path / "growing")


def what_the_second_implementation_finds(game: DealersGame, cards_file: Path) -> str:
    """What it prints about all that the dealers of a finished game wrote; it knows no rules."""
    cards_file.write_text(json.dumps(ruleset(game.ruleset).decks["deck"]), "ascii")
    script = ROOT / "tests" / "vectors" / "second_dealers.py"
    done = subprocess.run(
        [sys.executable, script, game.root, cards_file], capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.long
def test_the_second_implementation_finds_a_whole_game_right(tmp_path: Path) -> None:
    game = finished_dealers_game(tmp_path, "classroom", 3, "random", 1, False)
    assert what_the_second_implementation_finds(game, tmp_path / "cards.json") == (
        "right: 3 seat points, 2 mixes, 238 sealed shares, 154 shares, 18 answers said, 77 opened "
        "cards, 122 cards read\n"
    )
