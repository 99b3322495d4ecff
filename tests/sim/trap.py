"""A ruleset and a bot as another package offers them; the bot gets its own process killed.

TRAP=FILE      the first process that plays writes its number there and waits to be killed
POISON=NUMBER  whoever plays the game whose chance begins with that number dies
"""

import os
import signal
import time
from pathlib import Path
from random import Random

from engine.random_bot import RandomBot
from games.evolution.rules import EVOLUTION

POINT = "[pbem.games]\ntrap = tests.sim.trap:TRAP\n"


class TrapBot(RandomBot):
    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.poison = repr(rng.random()) == os.environ.get("POISON")

    def choose(self, state, decision, options, steps=()):
        if self.poison:
            os.kill(os.getpid(), signal.SIGKILL)
        if trap := os.environ.get("TRAP"):
            spring(Path(trap))
        return super().choose(state, decision, options, steps)


def spring(trap: Path) -> None:
    try:
        with trap.open("x") as file:
            file.write(f"{os.getpid()}\n")
    except FileExistsError:
        return
    time.sleep(120)


TRAP = EVOLUTION.extend(name="trap", bots={"trap": TrapBot})


def install(folder: Path) -> Path:
    """The folder for PYTHONPATH, as pip leaves it."""
    info = folder / "trap_for_pbem-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: trap-for-pbem\nVersion: 1\n")
    (info / "entry_points.txt").write_text(POINT)
    return folder
