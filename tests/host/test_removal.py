"""The owner removes a game, with `pbem host remove`, while the host runs and people use it."""

import threading
import time

import pytest

from pbem.host import answer_requests
from pbem.host.kept_games import Game, Games
from tests.host.host_games import make_on_host
from tests.host.web_client import Client
from tests.host.written_records import DIGITS, path_of
from tests.kit.people import output_of
from tests.kit.processes import PATIENCE
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
    turn = next(one for one in client.records if path_of(one) == "turns/0002.toml")
    charter = client.records[0]
    for path, data in (("turns/0002.toml", turn.file), ("turns/0001.toml", charter.file)):
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
    time.sleep(0.5)
    removed(host)
    waiting.join(PATIENCE)
    assert found == [404]


@pytest.mark.long
def test_advance_watch_ends_with_a_sentence_when_the_game_is_removed(table, host):
    """`advance --watch` ends with a sentence."""
    address, lines = make_on_host(table, host, "--players Ann,Bo --game origin")
    for name in ("Ann", "Bo"):
        output_of(table.person(name.lower()), lines[name])
    rhea = table.person("rhea")
    output_of(rhea, f"advance -C {address}")
    watching = rhea.start(f"advance --watch -C {address}")
    time.sleep(4)
    Games(host.games.place).remove(host.games.game_at(address[-32:]).name)
    out, err = watching.communicate(timeout=PATIENCE)
    assert watching.returncode != 0
    assert "no game is at http://127.0.0.1:" in err, out + err
    assert "Traceback" not in err
