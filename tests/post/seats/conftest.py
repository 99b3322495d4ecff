"""What the tests of seats by mail share: one game, and fresh copies of it."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from tests.kit.mail_seats import NEW, at_turn_two, begin_mail_game, copied_round
from tests.kit.people import Person, Round


@pytest.fixture(scope="module")
def mail_games(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The games, once: at turn 1, and at turn 2 with the mail about it sent."""
    first, second = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second")
    begin_mail_game(Round(first))
    at_turn_two(Round(second))
    return {"first": first, "second": second}


@pytest.fixture
def mail_game(mail_games: dict[str, Path], tmp_path: Path) -> Callable[[str], Round]:
    """A function from `first` or `second` to a fresh copy of that game."""
    numbers = count()
    return lambda name: copied_round(mail_games[name], tmp_path / f"game{next(numbers)}")


@pytest.fixture(name="rhea")
def referee_at_turn_two(mail_game: Callable[[str], Round]) -> Person:
    """The referee at turn 2; the mail about it is sent to Bo."""
    return mail_game("second").person("rhea")


@pytest.fixture
def table_with_deadline(tmp_path: Path) -> Round:
    """The game at turn 1, with a deadline of one day."""
    table = Round(tmp_path)
    begin_mail_game(table, NEW.replace("--deadline never", "--deadline 24h"))
    return table
