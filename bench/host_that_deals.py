"""A host that deals many games at once, to bots that are clients over HTTP.

How many turns a second it makes, how long a turn takes after the last orders for it have come, and
how much memory it needs. Clients and host share the processors of this computer, with a bounded
number of turns. The times are those of the files in the host's folder.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing import Process
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlencode

import urllib3

from bench.timed_tasks_and_result_rows import Figure
from pbem.acts.advance import bot_texts
from pbem.acts.join import take_seat
from pbem.acts.seal_orders import seal_and_write_orders
from pbem.errors import PbemError
from pbem.files.home import Home
from pbem.files.record_file_names import parse_name
from pbem.person.session import Session

GAMES, TURNS, CLIENTS = 200, 4, 2
"""The numbers of games, of turns of each, and of processes that play them."""
SERVE = """
import sys
from pathlib import Path
from pbem.files.home import Home
from pbem.host.answer_requests import Host
from pbem.host.kept_games import Games
from pbem.host.web_server import Server
host = Host(Games(Path(sys.argv[1])))
counts = host.counts
counts.requests.limit = counts.new_games.limit = counts.missing_games.limit = 10**9
server = Server(host, "127.0.0.1", 0, None, None)
host.set_address(f"http://127.0.0.1:{server.port}", Home(Path(sys.argv[2])))
print(server.port, flush=True)
server.run()
"""
"""A host without limits for one network, because all clients are on this computer."""


def rows() -> Iterator[Figure]:
    """Play all games for some turns, and yield figures from the times of the files."""
    with tempfile.TemporaryDirectory() as base:
        data = Path(base) / "data"
        words = [sys.executable, "-c", SERVE, str(data), f"{base}/owner"]
        host = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert host.stdout
        try:
            url = f"http://127.0.0.1:{int(host.stdout.readline())}"
            games = [_make_game(url, number) for number in range(GAMES)]
            started_at = time.time()
            clients = [
                Process(target=_play, args=(games[n::CLIENTS], Path(base) / f"client{n}"))
                for n in range(CLIENTS)
            ]
            for client in clients:
                client.start()
            for client in clients:
                client.join()
            seconds, last_turn_at = _waits_for_turns(data)
            turns = len(seconds)
            yield Figure(f"{GAMES} games: turns that were dealt", turns, "")
            turn_rate = turns / (last_turn_at - started_at)
            yield Figure("turns a second, with the clients", turn_rate, "/s")
            yield Figure("from the last orders to the turn, median", median(seconds), "s")
            p95 = quantiles(seconds, n=20)[-1]
            yield Figure("from the last orders to the turn, 95 of 100", p95, "s", 2)
            status = Path(f"/proc/{host.pid}/status")
            if status.exists():
                lines = status.read_text().splitlines()
                peak_line = next(line for line in lines if line.startswith("VmHWM"))
                yield Figure("memory of the host", int(peak_line.split()[1]) / 1024, "MB")
        finally:
            host.terminate()
            host.wait()


def _make_game(url: str, number: int) -> dict[str, object]:
    """Make a game on the host, and return its description from the answer."""
    form = {"players": "Ann,Bo", "game": "evolution", "pace": "day", "title": f"pond {number}"}
    headers = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
    response = urllib3.request("POST", f"{url}/new", body=urlencode(form), headers=headers)
    assert response.status == 201, response.data
    game: dict[str, object] = json.loads(response.data)[0]
    return game


def _play(games: list[dict[str, object]], base: Path) -> None:
    """Join all seats, then go round and answer all questions, until each game has its turns; after
    15 minutes, give up. `base` is the folder for the homes of the players."""
    os.environ.pop("PBEM_AS", None)
    sessions = []
    for number, game in enumerate(games):
        game_sessions = []
        for seat in game["seats"]:  # type: ignore[attr-defined]
            home = Home(base / f"{number}{seat['seat']}")
            session = Session(str(game["address"]), None, home=home)
            line = seat["command"].partition("--invite ")[2]
            take_seat(session, line, "", "", "default")
            game_sessions.append(session)
        sessions.append(game_sessions)
    ends_at = time.monotonic() + 900
    while sessions and time.monotonic() < ends_at:
        sessions = [
            game_sessions
            for game_sessions in sessions
            if sum(map(_answer_if_asked, game_sessions)) < len(game_sessions)
        ]
        time.sleep(0.05)


def _answer_if_asked(session: Session) -> bool:
    """Answer if this player is asked; return whether the game has its turns."""
    session.refresh()
    turn = session.listing.reached
    if turn > TURNS:
        return True
    seat = session.seat
    sealed = {file.name.seat for file in session.listing.orders if file.name.turn == turn}
    if turn and seat not in sealed:
        reader = session.readers.seat(seat)
        if seat in reader.chain.awaited:
            try:
                seal_and_write_orders(session, reader, seat, bot_texts(reader, "greedy"))
            except PbemError:  # the turn has just been made
                return False
    return False


def _waits_for_turns(data: Path) -> tuple[list[float], float]:
    """Return how long each turn took after the last orders or joins that it answers, and when the
    last turn was made."""
    seconds, last_turn_at = [], 0.0
    for folder in data.iterdir():
        if not (folder / "game.toml").exists():
            continue
        arrival_times = dict[int, float]()
        for path in [*folder.glob("seats/*"), *folder.glob("orders/*/*"), *folder.glob("orders/*")]:
            name = parse_name(path.relative_to(folder).as_posix())
            if name and path.is_file():
                turn = 0 if name.kind == "join" else name.turn
                arrival_times[turn] = max(arrival_times.get(turn, 0.0), path.stat().st_mtime)
        for path in folder.glob("turns/*.toml"):
            turn, made_at = int(path.stem), path.stat().st_mtime
            if turn - 1 in arrival_times:
                seconds.append(made_at - arrival_times[turn - 1])
                last_turn_at = max(last_turn_at, made_at)
    return seconds, last_turn_at
