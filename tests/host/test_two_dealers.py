"""Two hosts over one bucket with one key: one deals, and the other goes on if it is killed."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.files.home import Home
from pbem.files.write_once_files import files_beside
from pbem.format.openssh_key_files import write_key
from pbem.format.secret_and_public_keys import SigningKey
from tests.host.dealing import (
    FORM,
    everybody_joins,
    game_from_form,
    response_of_host,
    wait_for_turn,
)
from tests.host.host_games import bot_answers
from tests.kit.people import NOW, output_of
from tests.kit.processes import until
from tests.kit.running_host import HostProcess, RunningHost

pytestmark = pytest.mark.host


@pytest.fixture
def dealers(in_bucket: RunningHost, tmp_path: Path) -> Iterator[list[HostProcess]]:
    """Two hosts with homes of their own, which share a bucket and the key that deals."""
    place, key = str(in_bucket.games.place), bytes(random.Random(1).randbytes(32))
    leases = files_beside(in_bucket.games.place, f"dealing-{SigningKey(key).public.hex()[:16]}")
    running = []
    for name in ("one", "two"):
        home = tmp_path / name
        Home(home / "dealer").write_key("default", write_key(SigningKey(key)))
        running.append(HostProcess(place, home, "--deal", SOURCE_DATE_EPOCH=str(NOW)))
        until(leases.names, why=running[-1].log.read_text)  # the first host deals
    yield running
    for host in running:
        host.stop()


def test_of_two_hosts_that_deal_one_is_killed_and_the_other_goes_on(dealers, table, in_bucket):
    chance = random.Random(3)
    people = everybody_joins(dealers[0], table, FORM | {"players": "Ann,Bo"})
    digits = people[0].env["PBEM_FOLDER"][-32:]
    for turn in range(1, 3):
        lives = dealers[turn % 2]
        address = f"{lives.url}/g/{digits}"
        assert not wait_for_turn(address, turn)
        for seat, who in zip("ab", people, strict=True):
            bot_answers(who, address, seat)
        time.sleep(chance.uniform(0, 0.3))  # before, while or after it makes the turn
        dealers[1 - turn % 2].kill()
        assert not wait_for_turn(address, turn + 1)
        dealers[1 - turn % 2].start()
    said = output_of(table.person("eve"), f"audit {address}")
    assert "fork" not in said, said
    for host in dealers:
        homes = Home(host.home / "dealer")
        assert homes.games(), "both know the game"


def test_a_waiting_host_refuses_to_begin_a_game(dealers: list[HostProcess]):
    game = game_from_form(dealers[0], FORM)
    refused = response_of_host(dealers[1], game["page"], {"begin": "yes"})
    assert refused.status == 503
    assert (
        "another host that uses the same games is dealing now; try again on that host"
    ) in refused.data.decode()


def test_a_host_that_lost_the_key_that_deals_says_so(dealers: list[HostProcess]):
    game_from_form(dealers[0], FORM)
    for host in dealers:
        host.stop()
    Home(dealers[0].home / "dealer").key_path("default").unlink()
    dealers[0].start()
    told = "put the copy of that key back into the folder dealer/"
    until(lambda: told in dealers[0].log.read_text(), why=dealers[0].log.read_text)
