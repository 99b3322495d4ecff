"""The lease: whatever happens, at most one of several hosts deals at a time."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.files.game_folder_places import Place, place_of
from pbem.files.write_once_files import WriteOnceFiles, files_beside
from pbem.host.dealing_lease import CERTAIN_SECONDS, RENEWAL_SECONDS, TAKEOVER_SECONDS, Lease
from tests.kit.running_host import RunningHost


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def deal_numbers(place: Path | Place) -> WriteOnceFiles:
    return files_beside(place_of(place), "dealing")


@pytest.fixture
def lease_clock() -> Clock:
    return Clock()


@pytest.fixture
def two_hosts(tmp_path: Path, lease_clock: Clock) -> list[Lease]:
    """The leases of two hosts over the same games."""
    return [Lease(deal_numbers(tmp_path), lease_clock) for _ in range(2)]


def lasts(lease: Lease, clock: Clock, seconds: float) -> bool:
    """Let a host ask for the lease each second; return whether it always held it."""
    held = True
    for _ in range(int(seconds)):
        clock.now += 1
        held &= lease.hold()
    return held


def test_the_first_host_holds_the_lease_and_the_other_waits(two_hosts, lease_clock, tmp_path):
    one, other = two_hosts
    assert one.hold()
    assert one.is_certain
    for _ in range(100):
        lease_clock.now += 1
        assert one.hold()
        assert not other.hold()
        assert not other.is_certain
    assert len(list((tmp_path / "dealing").iterdir())) == 1, "old numbers are removed"


def test_a_killed_host_loses_the_lease_after_a_while(two_hosts, lease_clock):
    one, other = two_hosts
    assert one.hold()
    assert not other.hold()
    lease_clock.now += TAKEOVER_SECONDS - 1
    assert not other.hold()
    lease_clock.now += 1
    assert other.hold()
    assert not one.is_certain
    assert not one.hold(), "it comes back, and sees that it was replaced"
    assert lasts(other, lease_clock, 50)


def test_a_host_that_stops_gives_up_the_lease_at_once(two_hosts, lease_clock):
    one, other = two_hosts
    assert one.hold()
    assert not other.hold()
    one.give_up()
    assert not one.is_certain
    assert other.hold()
    assert not one.hold()


def test_a_frozen_host_mistrusts_its_lease_before_another_may_take_it(tmp_path, lease_clock):
    one = Lease(deal_numbers(tmp_path), lease_clock)
    assert one.hold()
    lease_clock.now += CERTAIN_SECONDS
    assert not one.is_certain
    assert RENEWAL_SECONDS < CERTAIN_SECONDS < TAKEOVER_SECONDS


def test_a_lost_answer_of_the_store_does_not_cost_the_lease(tmp_path: Path, lease_clock: Clock):
    one = Lease(deal_numbers(tmp_path), lease_clock)
    assert one.hold()
    lease_clock.now += RENEWAL_SECONDS
    one._files.make(f"{2:012}", one._host_mark)  # the store made it, and its answer did not come
    assert not one.hold() or one.is_certain
    assert one.hold()
    assert one.is_certain


def test_emptying_the_folder_of_the_lease_costs_only_a_moment(tmp_path: Path, lease_clock: Clock):
    class Emptied(Lease):
        def _numbers(self) -> list[int]:
            for name in self._files.names():
                self._files.remove(name)
            return []

    emptied = Emptied(deal_numbers(tmp_path), lease_clock)
    assert not emptied.hold()
    assert not emptied.is_certain
    one = Lease(deal_numbers(tmp_path), lease_clock)
    assert one.hold()


@pytest.mark.sample(0)
def test_hosts_that_freeze_and_die_at_random_never_hold_the_lease_together(tmp_path: Path):
    chance = random.Random(7)
    held = 0
    for run in range(20):
        place = tmp_path / str(run)
        real = Clock()
        speeds = [chance.uniform(0.97, 1.03) for _ in range(3)]
        clocks: list[Callable[[], float]] = [
            lambda real=real, speed=speed: real.now * speed for speed in speeds
        ]
        hosts = [Lease(deal_numbers(place), clock) for clock in clocks]
        for _ in range(300):
            real.now += chance.choice([0.5, 1, 2, 4, 15])
            n = chance.randrange(3)
            match chance.randrange(20):
                case 0:
                    hosts[n] = Lease(deal_numbers(place), clocks[n])  # killed, and started again
                case 1:
                    hosts[n].give_up()
                case _:
                    hosts[n].hold()
            sure = [host for host in hosts if host.is_certain]
            assert len(sure) <= 1
            held += len(sure)
    assert held > 1000, "somebody usually deals"


@pytest.mark.host
def test_the_lease_works_in_a_bucket(in_bucket: RunningHost, lease_clock: Clock):
    place: Place = in_bucket.games.place
    one, other = Lease(deal_numbers(place), lease_clock), Lease(deal_numbers(place), lease_clock)
    assert one.hold()
    assert not other.hold()
    assert lasts(one, lease_clock, 3 * RENEWAL_SECONDS)
    lease_clock.now += TAKEOVER_SECONDS
    assert not other.hold(), "it has only now seen the last number"
    lease_clock.now += TAKEOVER_SECONDS
    assert other.hold()
    assert not one.hold()
    other.give_up()
    assert one.hold()
