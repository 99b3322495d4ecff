"""A host deals with a referee at home: whole games, in which each is killed once in the middle."""

from math import inf

import pytest

from pbem.files.home import Home
from pbem.host.dealing_host import seconds_to_next_look
from tests.host.dealing import POOL
from tests.host.host_games import make_on_host
from tests.kit.people import NOW, Person, Round, output_of, stdout_of
from tests.kit.processes import until
from tests.kit.running_host import HostProcess, RunningHost

pytestmark = pytest.mark.host


@pytest.fixture
def co_dealing_host(start_process) -> HostProcess:
    return start_process("--co-deal", SOURCE_DATE_EPOCH=str(NOW))


def begin_with_host(table: Round, host: HostProcess, line: str) -> tuple[str, list[Person]]:
    """A game of Ann, Bo and a bot, dealt by Rhea and the host; both players have joined."""
    address, joins = make_on_host(
        table,
        host,
        f"--players Ann,Bo --referee Rhea --bots greedy:1 {line} --co-dealer {host.url}",
    )
    people = [table.person("ann"), table.person("bo")]
    for person in people:
        output_of(person, joins[person.name.title()])
    return address, people


@pytest.mark.parametrize(
    ("idle", "moment", "ended", "seconds"),
    [
        (0, inf, False, 2), (200, inf, False, 10), (10**6, inf, False, 600), (10**6, 90, False, 90),
        (10**6, inf, True, inf), (0, 172_800, True, 172_800),
    ],
)  # fmt: skip
def test_a_co_dealing_host_looks_at_a_finished_game_when_its_secret_may_open(
    idle: float, moment: float, ended: bool, seconds: float
) -> None:
    assert seconds_to_next_look(idle, moment, is_over=ended) == seconds


def test_a_co_dealing_host_gives_its_line_and_is_named_in_the_game(co_dealing_host, table):
    line, words = (
        POOL.request("GET", f"{co_dealing_host.url}/co-dealer").data.decode().split("\n")[:2]
    )
    address, _ = begin_with_host(table, co_dealing_host, "--game classroom")
    said = output_of(table.person("ann"), f"status -C {address}")
    name = f"the host {co_dealing_host.url.partition('://')[2]}"
    assert f"{name} and Rhea together could see every hand; neither can alone" in said, said
    assert f"ask {name} for the words of their key; the right words: {words}" in said, said
    assert line.startswith("co-dealer:")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "--at {url} --co-dealer {other}",
            "a host can be the co-dealer only of a game that it keeps itself",
        ),
        ("--at {other} --co-dealer {other}", "this host is not a co-dealer"),
        ("--co-dealer {url}", "--at {url} --co-dealer {url}"),
    ],
)
def test_pbem_new_refuses_a_host_as_co_dealer_that_does_not_deal(
    co_dealing_host: HostProcess, host: RunningHost, table: Round, line: str, sentence: str
) -> None:
    addresses = {"url": co_dealing_host.url, "other": host.url}
    said = table.person("rhea").pbem(
        f"new savannah --players Ann,Bo,Cy --game classroom {line.format(**addresses)}"
    )
    assert said.exit == 2
    assert sentence.format(**addresses) in said.err


def test_a_co_dealing_host_deals_nothing_for_a_copy_at_another_address(co_dealing_host, table):
    address, _ = begin_with_host(table, co_dealing_host, "--game classroom")
    until(lambda: _last_deal(address), why=co_dealing_host.log.read_text)
    copy = f"{co_dealing_host.url}/g/{'0' * 32}"
    headers = {"If-None-Match": "*"}
    game = POOL.request("GET", f"{address}/game.toml").data
    assert POOL.request("PUT", f"{copy}/game.toml", body=game, headers=headers).status == 201
    other, _ = begin_with_host(table, co_dealing_host, "--game classroom")
    until(lambda: _last_deal(other), why=co_dealing_host.log.read_text)  # after the copy
    assert not _last_deal(copy)


def _last_deal(address: str) -> bytes:
    lines = POOL.request("GET", f"{address}/").data.decode().split("\n")
    paths = sorted(line.split(" ")[0] for line in lines if line.startswith("deals/"))
    return POOL.request("GET", f"{address}/{paths[-1]}").data if paths else b""


def test_two_dealers_at_home_deal_a_game_that_a_host_only_keeps(host, table):
    rhea, hal, ann = (table.person(name) for name in ("rhea", "hal", "ann"))
    line = stdout_of(hal, "keys co-dealer").strip()
    address, joins = make_on_host(
        table, host, f"--players Ann,Bo --referee Rhea --co-dealer Hal={line}"
    )
    for name in ("Ann", "Bo"):
        output_of(table.person(name.lower()), joins[name])
    for _ in range(3):
        output_of(hal, f"advance -C {address}")
        output_of(rhea, f"advance -C {address}")
    assert "you are asked for: food" in output_of(ann, f"status -C {address}")
    assert f"{address}\n" in stdout_of(hal, "list") + "\n"
    assert hal.pbem(f"advance -C {address}").exit == 5, "nothing is owed"


def test_a_second_co_dealing_host_goes_on_with_the_game_and_not_with_a_copy(
    co_dealing_host, start_process, table, tmp_path
):
    first = co_dealing_host
    address, _ = begin_with_host(table, first, "--game classroom")
    until(lambda: _last_deal(address), why=first.log.read_text)
    copy = f"{first.url}/g/{'f' * 32}"
    game = POOL.request("GET", f"{address}/game.toml").data
    headers = {"If-None-Match": "*"}
    assert POOL.request("PUT", f"{copy}/game.toml", body=game, headers=headers).status == 201
    first.stop()
    profiles = Home(tmp_path / "other" / "dealer")
    for profile in ("default", "co-dealer"):
        profiles.write_key(profile, Home(first.home / "dealer").read_key(profile))
    second = start_process("--co-deal", home="other", SOURCE_DATE_EPOCH=str(NOW))
    address, copy = (place.replace(first.url, second.url) for place in (address, copy))
    output_of(table.person("rhea"), f"advance -C {address}")
    until(lambda: b"turn = 1" in _last_deal(address), why=second.log.read_text)
    assert not _last_deal(copy)
