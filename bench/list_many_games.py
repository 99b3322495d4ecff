"""``list`` with 1, 100 and 500 games, warm: what it takes when nothing has changed."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.make_games import GameSetup, begin, key_of
from bench.timed_tasks_and_result_rows import PBEM, Row, children, command, take_turns
from pbem.files.home import Home
from pbem.format.openssh_key_files import write_key
from pbem.records.game_id_and_chain_heads import game_id

ROUNDS = 5
COUNTS = (1, 100, 500)
TURNS = 3
AIM = 105
"""For 500 games, in multiples of a Python that does nothing: 0.15 of the first version's 697."""


def rows(rounds: int = ROUNDS, counts: Sequence[int] = COUNTS) -> Iterator[Row]:
    """Yield one row for each number of games; the same person plays in all of them."""
    with tempfile.TemporaryDirectory() as base:
        tasks = {"pass": command(sys.executable, "-c", "pass")}
        for count in counts:
            home = _home(Path(base) / f"home-{count}")
            for number in range(count):
                _play(Path(base) / "games" / f"{number:03}", home, number)
            tasks[str(count)] = command(PBEM, "list", home=home.root)
        seconds = take_turns(tasks, rounds, summarize=min, clock=children)
    for count in counts:
        aim = AIM if count == max(COUNTS) else None
        yield Row(
            f"pbem list, {count} games", seconds[str(count)], seconds["pass"], "python -c pass", aim
        )


def _home(root: Path) -> Home:
    home = Home(root)
    home.write_key("default", write_key(key_of("player", "a")))
    return home


def _play(folder: Path, home: Home, number: int) -> None:
    """Make the first turns of a game, once, and note it in the home as a command would."""
    if not folder.exists():
        begin(GameSetup(folder, f"list {number}", players=2, player="player")).play(TURNS)
    body = (folder / "game.toml").read_bytes().partition(b"\n#")[0] + b"\n"
    home.game(game_id(body).hex()).remember_place(folder)
