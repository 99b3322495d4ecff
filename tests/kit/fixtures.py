"""The fixtures of all tests: games that were made once, and fresh copies of them.

    ann = game("middle").person("ann")  # a fresh copy of the game, and one of its people
    said = ann.pbem("status -C savannah")
    assert said.exit == 0
    assert "savannah" in said.out

The names of the games are in `named_games.py`; `table` has people and no game.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.named_games import start
from tests.kit.people import Round


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where games are kept between tests, and between the processes of one run."""
    base = tmp_path_factory.getbasetemp()
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "games"


@pytest.fixture
def game(kept: Path, tmp_path: Path) -> Callable[[str], Round]:
    """A function from a game's name to a fresh copy of it (see named_games.py)."""
    return lambda name: start(name, tmp_path, kept)


@pytest.fixture
def table(tmp_path: Path) -> Round:
    """People who share an empty folder."""
    return Round(tmp_path)
