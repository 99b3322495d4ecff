"""A host that lies, damages, floods or drips: each command ends with a sentence, in good time."""

import contextlib
import gzip
import shutil
import time
from http.server import BaseHTTPRequestHandler
from itertools import pairwise

import pytest

from pbem.files import game_folder_on_host, store_answer_limits, store_errors
from pbem.files.game_folder_on_host import HostFolder
from pbem.files.game_folder_places import HostPlace
from pbem.files.host_http_connections import _SOCKETS_BY_THREAD
from pbem.host import kept_games
from tests.host.lying_host import Answer, answer_with
from tests.host.origin_games import PASS, begin_on_host, hosted_folder
from tests.kit.people import Person, Round, output_of
from tests.kit.processes import PATIENCE, until
from tests.kit.running_host import RunningHost


def endless(line: bytes, pause: float = 0.0) -> Answer:
    """An answer that ends long after everybody should have lost their patience."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        end = time.monotonic() + PATIENCE
        with contextlib.suppress(OSError):
            while time.monotonic() < end:
                request.wfile.write(line)
                time.sleep(pause)

    return answer


def endless_response(part: bytes, first: bytes = b"", pause: float = 0.0) -> Answer:
    """Bytes that are no answer yet; they end as late."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        end = time.monotonic() + PATIENCE
        with contextlib.suppress(OSError):
            request.wfile.write(first)
            while time.monotonic() < end:
                request.wfile.write(part if pause else part * 1_000)
                time.sleep(pause)

    return answer


LIES: dict[str, tuple[Answer, str]] = {
    "another page": (
        answer_with(200, b"<html>hello</html>"),
        "the server at this address is not a host of pbem games",
    ),
    "names that climb": (answer_with(200, b"../game.toml 12\n"), "not a host of pbem games"),
    "bytes that are no text": (answer_with(200, b"\xff\xfe\n"), "not a host of pbem games"),
    "too many names": (
        answer_with(200, b"".join(b"turns/%04d.toml 9\n" % (1 + n % 9000) for n in range(100_001))),
        "lists more than 100,000 files",
    ),
    "a list without end": (
        endless(b"game.toml 1\n" * 9_000),
        "sends more data than pbem asked for",
    ),
    "a byte a second": (endless(b"g", 0.2), "takes longer than 1 seconds"),
    "an error": (answer_with(500, b"Traceback: secret"), "the host answers with an error (500)"),
    "a busy sign": (answer_with(503, b"come back later"), "the host is busy now"),
    "somewhere else": (answer_with(302, b"", location="http://127.0.0.1:1/g/x"), "an error (302)"),
    "a busy sign with a date": (
        answer_with(429, b"too many requests; wait a minute", retry_after="60"),
        "the host is busy now (too many requests; wait a minute)",
    ),
    "the same as before, at first": (answer_with(304, b""), "no game is at http://127.0.0.1:"),
    "no game": (
        answer_with(404, b"there is no game at this address\n"),
        "compare this address with the",
    ),
    "a compressed list": (
        answer_with(200, gzip.compress(b"game.toml 1\n" * 9_000), content_encoding="gzip"),
        "not a host of pbem games",
    ),
    "greetings without end": (
        endless_response(b"HTTP/1.1 100 Continue\r\n\r\n"),
        "longer than 1 seconds",
    ),
    "a header without end": (
        endless_response(b"x", b"HTTP/1.1 200 OK\r\nX: ", 0.1),
        "longer than 1 seconds",
    ),
    "headers without end": (
        endless_response(b"X: y\r\n", b"HTTP/1.1 200 OK\r\n"),
        "cannot be reached now",
    ),
    "a file of the computer": (
        answer_with(301, b"", location="file:///etc/passwd"),
        "an error (301)",
    ),
    "escape characters": (
        answer_with(403, b"\x1b[2Jno\x07 entry" + b"x" * 5000),
        "the host refuses this file: [2Jno entryxx",
    ),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("lie", LIES)
def test_every_lie_of_a_host_becomes_a_sentence(lying_host, table, lie, monkeypatch):
    lying_host.answer, words = LIES[lie]
    if "longer than 1 seconds" in words:
        monkeypatch.setattr(store_answer_limits, "ANSWER_SECONDS", 1.0)
        slow_sentence = "the store takes longer than 1 seconds to answer"
        monkeypatch.setattr(store_errors, "_SLOW_SENTENCE", slow_sentence)
    said = table.person("ann").pbem(f"status -C {lying_host.address}")
    assert words in said.err, said
    assert said.exit in (2, 5, 7)
    assert said.out == ""
    assert "\x1b" not in said.err
    assert len(said.err) < 600
    assert "5eed5eed" not in said.err
    assert not any(path.startswith("/g/x") for path in lying_host.asked)
    until(lambda: not _SOCKETS_BY_THREAD, why="a thread is left behind that still reads")


def test_a_file_of_a_host_that_is_longer_than_listed_is_not_read(lying_host, table):
    def answer(request: BaseHTTPRequestHandler) -> None:
        (
            answer_with(200, b"game.toml 100\n")
            if request.path.endswith("/")
            else endless(b"x" * 9_000)
        )(request)

    lying_host.answer = answer
    said = table.person("ann").pbem(f"status -C {lying_host.address}")
    assert (said.exit, "sends a different number of bytes than it lists" in said.err) == (5, True)


@pytest.mark.long
@pytest.mark.parametrize("news", [True, False])
def test_a_host_that_answers_at_once_does_not_keep_a_computer_busy(lying_host, news, monkeypatch):
    monkeypatch.setattr(game_folder_on_host, "MIN_NEWS_SECONDS", 0.2)
    monkeypatch.setattr(game_folder_on_host, "RETRY_SECONDS", 0.2)

    def answer(request: BaseHTTPRequestHandler) -> None:
        etag = f'"{len(lying_host.asked) if news else 0}"'
        answer_with(200, b"game.toml 1\n", etag=etag)(request)

    lying_host.answer = answer
    folder = HostFolder(HostPlace(lying_host.address))
    folder.wait_for_news(25)
    begun = time.monotonic()
    for _ in range(4):
        assert folder.wait_for_news(25) is news
    assert time.monotonic() - begun >= 0.8


class Game:
    """A game of Ann and Bo on a host that its owner tampers with."""

    def __init__(self, table: Round, host: RunningHost) -> None:
        self.table, self.host = table, host
        self.address = begin_on_host(table, host, "Ann,Bo")
        self.rhea, self.ann, self.bo = (table.person(name) for name in ("rhea", "ann", "bo"))
        self.folder = hosted_folder(host, self.address)

    def turn(self) -> None:
        for person in (self.ann, self.bo):
            said = person.pbem(["submit", "-C", self.address, "-"], PASS)
            assert said.exit in (0, 5), said.text
        output_of(self.rhea, f"advance -C {self.address}")

    def status(self, person: Person, *more: str) -> str:
        said = person.pbem(["status", "-C", self.address, *more])
        assert "Traceback" not in said.text
        return said.text


@pytest.fixture
def hosted_game(table: Round, host: RunningHost, monkeypatch: pytest.MonkeyPatch) -> Game:
    monkeypatch.setattr(
        kept_games.Game, "fresh_seconds", 0.0
    )  # the owner changes files behind its back
    return Game(table, host)


@pytest.mark.long
def test_a_host_that_lost_a_turn_gets_it_from_a_player_who_has_it(hosted_game, caplog):
    hosted_game.turn()
    hosted_game.status(hosted_game.ann)
    turn, kept = hosted_game.folder / "turns" / "0002.toml", hosted_game.folder / "kept"
    turn.rename(kept)
    caplog.clear()
    assert "turn 2" in (said := hosted_game.status(hosted_game.ann)), said
    assert "the host has lost 1 file of this game" in caplog.text
    assert turn.read_bytes() == kept.read_bytes()


@pytest.mark.long
def test_an_audit_notices_a_turn_that_the_host_damaged(hosted_game: Game):
    hosted_game.turn()
    turn = hosted_game.folder / "turns" / "0002.toml"
    turn.write_bytes(turn.read_bytes().replace(b"time = 1", b"time = 2"))
    said = hosted_game.table.person("eve").pbem(f"audit {hosted_game.address}")
    assert "turns/0002.toml: somebody changed this turn" in said.text
    assert (
        "RIGHT SO FAR: everything that pbem can check up to turn 1; the game is not over"
        in said.text
    )


@pytest.mark.long
def test_a_damaged_turn_is_fetched_again_soon_and_then_ever_later(hosted_game, monkeypatch):
    clock = [float(int(time.time()))]
    monkeypatch.setattr(game_folder_on_host.time, "time", lambda: clock[0])
    asked = list[str]()
    got = HostFolder._fetch
    monkeypatch.setattr(
        HostFolder, "_fetch", lambda self, path: asked.append(path) or got(self, path)
    )
    hosted_game.turn()
    turn = hosted_game.folder / "turns" / "0002.toml"
    right = turn.read_bytes()
    turn.write_bytes(right.replace(b"time = 1", b"time = 2"))
    waits = list[float]()
    for _ in range(5):
        asked.clear()
        begun = clock[0]
        while "turns/0002.toml" not in asked and clock[0] < begun + 200:
            assert "does not count: somebody changed this turn" in hosted_game.status(
                hosted_game.ann
            )
            clock[0] += 1
        waits.append(clock[0] - begun)
    assert waits[0] <= 1
    assert all(later >= 1.5 * sooner for sooner, later in pairwise(waits[1:])), waits
    turn.write_bytes(right)
    clock[0] += 200
    assert "changed" not in hosted_game.status(hosted_game.ann)
    clock[0] += 7200
    asked.clear()
    hosted_game.status(hosted_game.ann)
    assert not asked, "it is a record now"


@pytest.mark.long
def test_a_host_that_takes_back_a_turn_gets_the_same_turn_again(hosted_game: Game):
    hosted_game.turn()
    turn = hosted_game.folder / "turns" / "0002.toml"
    before = turn.read_bytes()
    turn.unlink()
    hosted_game.rhea.pbem(f"advance -C {hosted_game.address}")
    assert turn.read_bytes() == before, "the referee's machine signs no second turn 2"
    assert "turn 2" in hosted_game.status(hosted_game.bo)


@pytest.mark.long
def test_a_player_is_told_if_a_host_forgets_the_game(hosted_game: Game):
    shutil.rmtree(hosted_game.folder)
    said = hosted_game.ann.pbem(f"status -C {hosted_game.address}")
    assert said.exit not in (0, 70), said.text
