"""A game in which people write to each other."""

from collections.abc import Callable

import pytest

from tests.kit.people import Round
from tests.press.writing import Table


@pytest.fixture
def press_scene(game: Callable[[str], Round]) -> Table:
    return Table(game("middle"))
