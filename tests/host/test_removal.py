"""The owner removes a game, with `pbem host remove`, while the host runs and people use it."""

import threading

import pytest

from pbem.host import answer_requests
from pbem.host.kept_games import Game, Games
from tests.host.origin_games import begin_on_host
from tests.host.web_client import Client
from tests.host.written_records import DIGITS
from tests.kit.processes import PATIENCE, until
from tests.kit.running_host import RunningHost


def removed(host: RunningHost) -> None:
    """Another process removes the game; what the host has listed is from before."""
    games = Games(host.games.place)
    assert games.remove(host.games.game_at(DIGITS).name)


@pytest.mark.long
def test_nothing_of_a_removed_game_comes_back(host: RunningHost, monkeypatch: pytest.MonkeyPatch):
    client = Client(host)
    client.put_all("turns/0002.toml")
    monkeypatch.setattr(Game, "fresh_seconds", 1e9)
    assert client.get().status == 200
    assert client.put("turns/0003.toml", client.records[-1].file).status == 400
    removed(host)
    charter = client.records[0]
    for path, data in (("turns/0002.toml", client.turn_2.file), ("turns/0001.toml", charter.file)):
        assert client.put(path, data).status in (404, 412)
    place = host.games.game_at(DIGITS).folder.place.path
    assert not place.exists()
    monkeypatch.setattr(Game, "fresh_seconds", 0.0)
    assert client.get().status == 404
    client.put_all()
    assert client.get().status == 200, "its maker may make it again"


@pytest.mark.long
def test_whoever_waits_for_news_is_told_that_the_game_was_removed(host, monkeypatch):
    monkeypatch.setattr(answer_requests, "LOOK_SECONDS", 0.2)
    client = Client(host)
    client.put_all("turns/0002.toml")
    etag, found = client.get().headers["etag"], list[int]()
    waiting = threading.Thread(
        target=lambda: found.append(client.get(if_none_match=etag, prefer="wait=25").status)
    )
    waiting.start()
    until(lambda: host.host.counts.waiting_requests.amounts_by_network)
    removed(host)
    waiting.join(PATIENCE)
    assert found == [404]


@pytest.mark.long
def test_advance_watch_ends_with_a_sentence_when_the_game_is_removed(table, host):
    address, rhea = begin_on_host(table, host, "Ann,Bo"), table.person("rhea")
    watching = rhea.start(f"advance --watch -C {address}")
    until(lambda: host.host.counts.waiting_requests.amounts_by_network)
    Games(host.games.place).remove(host.games.game_at(address[-32:]).name)
    out, err = watching.communicate(timeout=PATIENCE)
    assert watching.returncode != 0
    assert "no game is at http://127.0.0.1:" in err, out + err
    assert "Traceback" not in err
