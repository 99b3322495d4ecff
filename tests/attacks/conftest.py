"""Games that are played once for all tests of this folder; whoever damages one copies it first."""

import pytest

from tests.attacks.played import Played


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    return Played(tmp_path_factory.mktemp("finished")).play()


@pytest.fixture(scope="session")
def held(tmp_path_factory):
    """The referee plays seat a."""
    return Played(tmp_path_factory.mktemp("held"), plays=("a",)).play()


def _often_silent(player):
    return None if player.seat == "b" and player.reader.turn % 5 == 0 else player.lines()


@pytest.fixture(scope="session")
def silent(tmp_path_factory):
    """There is a deadline, and seat b lets it pass now and then."""
    root = tmp_path_factory.mktemp("silent")
    return Played(root, policies={"deadline_hours": 1}, answer=_often_silent).play()


@pytest.fixture(scope="session")
def six(tmp_path_factory):
    """Six players, who play their cards at the same time: whole scripts."""
    return Played(tmp_path_factory.mktemp("six"), players=6, bot="random").play()
