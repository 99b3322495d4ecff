"""Some rows of `tools.hostile_input_cost`: bounded, answered by a sentence, no traceback."""

import pytest

from tests.kit.selection import long
from tools import hostile_input_cost
from tools.hostile_input_cost import World, honest, too_dear

FEW = [
    "500 multiparts", "60,000 lists in lists", "/dev/zero", "512 lines of stars",
    "400 lines of free words", "100,000 quotes in quotes",
    *long([
        "charset= 840 kB", "4 MB of -", "200 MB of zeros", "a name of 30,000 parts",
        "orders full of stars (advance)", "4 MB of blocks of nearly 1 MB",
        "10 MB of lines", "10 MB of HTML",
    ]),
]  # fmt: skip
LIMIT = 1 << 30
"""Bytes of address space: libraries map more than they use."""


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return World(tmp_path_factory.mktemp("bombs"), memory=LIMIT)


def test_the_list_of_hostile_inputs_has_sixty_or_more():
    assert len({(bomb.kind, bomb.name) for bomb in hostile_input_cost.bombs()}) >= 60


@pytest.mark.sample(0)
@pytest.mark.parametrize("name", FEW)
def test_no_hostile_input_takes_ten_seconds_or_ends_in_a_traceback(world, name):
    bomb = next(bomb for bomb in hostile_input_cost.bombs() if bomb.name == name)
    cost = bomb.throw(world)
    assert cost.exit in (0, 1, 2, 3, 4, 5, 6), cost
    assert cost.sentence, cost
    assert "Traceback" not in cost.sentence, cost
    assert cost.seconds < 10, cost


@pytest.mark.sample(0)
def test_the_measure_of_hostile_inputs_notices_one_that_costs_too_much(world):
    base = honest(world, "rules test")
    assert not too_dear(base, base)
    assert too_dear(hostile_input_cost.Cost(base.seconds + 2, base.memory, 0, "x"), base)
    assert too_dear(hostile_input_cost.Cost(base.seconds, base.memory + 200, 0, "x"), base)
    assert too_dear(hostile_input_cost.Cost(base.seconds, base.memory, 70, "x"), base)
