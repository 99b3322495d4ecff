"""Two hosts over one bucket, both used at once: one game, no fork, no lost file."""

import threading
from pathlib import Path

import pytest
import urllib3

from pbem.host.kept_games import FRESH_SECONDS, Row
from tests.host.host_games import bot_answers, make_on_host
from tests.host.written_records import DIGITS, VECTORS, in_time, path_of
from tests.kit.people import output_of
from tests.kit.processes import until
from tests.kit.running_host import RunningHost, StartHost

pytestmark = pytest.mark.host


@pytest.fixture
def hosts_of_bucket(in_bucket: RunningHost, start_host: StartHost) -> list[RunningHost]:
    return [in_bucket, start_host(in_bucket.games.place)]


def test_people_at_two_hosts_over_one_bucket_play_one_game(hosts_of_bucket, table, s3_of_session):
    for host in hosts_of_bucket:
        host.host.counts.requests.limit = 1_000_000  # a game of hours is played in a minute
    first, lines = make_on_host(table, hosts_of_bucket[0], "--players Ann,Bo --game origin")
    second = first.replace(hosts_of_bucket[0].url, hosts_of_bucket[1].url)
    rhea, ann, bo = (table.person(name) for name in ("rhea", "ann", "bo"))
    for person in (rhea, ann, bo):
        person.env.update(s3_of_session.env())
    output_of(ann, lines["Ann"])
    output_of(bo, lines["Bo"].replace(first, second))
    digits = first[-32:]

    def is_turn_4_there() -> bool:
        bot_answers(ann, first, "a")
        bot_answers(bo, second, "b")
        said = rhea.pbem(f"advance -C {first}")
        assert said.exit in (0, 5), said.text
        return b"turns/0004.toml" in hosts_of_bucket[0].games.game_at(digits).tagged_list()[1]

    # each host looks into the bucket again after a while
    until(is_turn_4_there, every=FRESH_SECONDS)
    for host in hosts_of_bucket:
        host.games.game_at(digits).listing = None
    lists = [host.games.game_at(digits).tagged_list() for host in hosts_of_bucket]
    assert lists[0] == lists[1]
    assert b"turns/0004.toml" in lists[0][1]
    assert (
        output_of(ann, f"status -C {first}").splitlines()[1]
        == (output_of(bo, f"status -C {second}").splitlines()[1])
    ), "the same twelve words"
    assert table.person("eve").pbem(f"audit {second}").exit == 0
    rows = [row for row in hosts_of_bucket[1].games.rows() if isinstance(row, Row)]
    assert [row.title for row in rows] == ["savannah"]


def test_of_two_hosts_that_get_each_record_at_once_the_bucket_keeps_one(hosts_of_bucket):
    records = in_time(VECTORS / "sample")
    pool = urllib3.PoolManager(retries=False)

    def put(host: RunningHost, path: str, data: bytes) -> int:
        headers = {"If-None-Match": "*"}
        url = f"{host.url}/g/{DIGITS}/{path}"
        return pool.request("PUT", url, body=data, headers=headers).status

    for number, record in enumerate(records):
        both = [0, 0]

        def one(n: int, record=record, both=both) -> None:
            both[n] = put(hosts_of_bucket[n], path_of(record), record.file)

        threads = [threading.Thread(target=one, args=(n,)) for n in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert 201 in both, (number, both, path_of(record))
        assert set(both) <= {200, 201, 404, 409, 403}, both
    found = hosts_of_bucket[0].games.game_at(DIGITS).folder.scan()
    assert len((*found.records, *found.press)) == len(records)


def test_a_game_is_removed_from_a_bucket(hosts_of_bucket: list[RunningHost], tmp_path: Path):
    games = hosts_of_bucket[0].games
    for record in in_time(VECTORS / "sample")[:3]:
        if path_of(record) == "game.toml":
            games.make_game(DIGITS, record.file, is_free=True)
        else:
            games.game_at(DIGITS).keep_file(*_named(record))
    [name] = [one for one in games.names() if one == games.game_at(DIGITS).name]
    assert games.remove(name)
    assert name not in set(hosts_of_bucket[1].games.names())
    assert not games.remove(name)


def _named(record):
    from pbem.judge.read_and_check_record_file import file_name

    return file_name(record), record.file
