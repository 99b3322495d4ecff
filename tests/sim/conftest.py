"""Somebody who simulates games, and belongs to none."""

import pytest

from tests.kit.people import Person, Round


@pytest.fixture
def researcher(table: Round) -> Person:
    return table.person("ann")
