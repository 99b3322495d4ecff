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

from bench.measure import Figure
from pbem.acts.advance import bot_texts
from pbem.acts.join import take_seat
from pbem.acts.orders import send
from pbem.errors import PbemError
from pbem.files.folder import parse_name
from pbem.files.home import Home
from pbem.person.session import Session

GAMES, TURNS, CLIENTS = 200, 4, 2
"""How many games, how many turns of each, and how many processes play them."""
SERVE = """
import sys
from pathlib import Path
from pbem.files.home import Home
from pbem.host.app import Host
from pbem.host.games import Games
from pbem.host.server import Server
host = Host(Games(Path(sys.argv[1])))
host.counts.asked.most = host.counts.made.most = host.counts.guessed.most = 10**9
server = Server(host, "127.0.0.1", 0, None, None)
host.reached_at(f"http://127.0.0.1:{server.port}", Home(Path(sys.argv[2])))
print(server.port, flush=True)
server.run()
"""
"""A host without limits for one network, because all clients are on this computer."""


def rows() -> Iterator[Figure]:
    """Play all games for some turns, and read the times of the files."""
    with tempfile.TemporaryDirectory() as base:
        data = Path(base) / "data"
        words = [sys.executable, "-c", SERVE, str(data), f"{base}/owner"]
        host = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert host.stdout
        try:
            url = f"http://127.0.0.1:{int(host.stdout.readline())}"
            games = [_made(url, number) for number in range(GAMES)]
            begun = time.time()
            clients = [
                Process(target=_play, args=(games[n::CLIENTS], Path(base) / f"client{n}"))
                for n in range(CLIENTS)
            ]
            for client in clients:
                client.start()
            for client in clients:
                client.join()
            waits, last = _waits(data)
            turns = len(waits)
            yield Figure(f"{GAMES} games: turns that were dealt", turns, "")
            yield Figure("turns a second, with the clients", turns / (last - begun), "/s")
            yield Figure("from the last orders to the turn, median", median(waits), "s")
            p95 = quantiles(waits, n=20)[-1]
            yield Figure("from the last orders to the turn, 95 of 100", p95, "s", 2)
            status = Path(f"/proc/{host.pid}/status")
            if status.exists():
                most = next(x for x in status.read_text().splitlines() if x.startswith("VmHWM"))
                yield Figure("memory of the host", int(most.split()[1]) / 1024, "MB")
        finally:
            host.terminate()
            host.wait()


def _made(url: str, number: int) -> dict[str, object]:
    form = {"players": "Ann,Bo", "game": "evolution", "pace": "day", "title": f"pond {number}"}
    headers = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}
    said = urllib3.request("POST", f"{url}/new", body=urlencode(form), headers=headers)
    assert said.status == 201, said.data
    found: dict[str, object] = json.loads(said.data)[0]
    return found


def _play(games: list[dict[str, object]], base: Path) -> None:
    """Join all seats, then go round and answer whatever is asked, until each game has its turns."""
    os.environ.pop("PBEM_AS", None)
    sessions = []
    for number, game in enumerate(games):
        here = []
        for seat in game["seats"]:  # type: ignore[attr-defined]
            home = Home(base / f"{number}{seat['seat']}")
            session = Session(str(game["address"]), None, home=home)
            line = seat["command"].partition("--invite ")[2]
            take_seat(session, line, "", "", "default")
            here.append(session)
        sessions.append(here)
    until = time.monotonic() + 900
    while sessions and time.monotonic() < until:
        sessions = [here for here in sessions if sum(map(_answered, here)) < len(here)]
        time.sleep(0.05)


def _answered(session: Session) -> bool:
    """Answer if this player is asked; return whether the game has its turns."""
    session.refresh()
    turn = session.listing.reached
    if turn > TURNS:
        return True
    seat = session.seat
    sealed = {found.name.seat for found in session.listing.orders if found.name.turn == turn}
    if turn and seat not in sealed:
        reader = session.readers.seat(seat)
        if seat in reader.chain.awaited:
            try:
                send(session, reader, seat, bot_texts(reader, "greedy"))
            except PbemError:  # the turn has just been made
                return False
    return False


def _waits(data: Path) -> tuple[list[float], float]:
    """Return how long each turn took after the last orders or joins that it answers, and when the
    last turn was made."""
    waits, last = [], 0.0
    for folder in data.iterdir():
        if not (folder / "game.toml").exists():
            continue
        came = dict[int, float]()
        for path in [*folder.glob("seats/*"), *folder.glob("orders/*/*"), *folder.glob("orders/*")]:
            name = parse_name(path.relative_to(folder).as_posix())
            if name and path.is_file():
                turn = 0 if name.kind == "join" else name.turn
                came[turn] = max(came.get(turn, 0.0), path.stat().st_mtime)
        for path in folder.glob("turns/*.toml"):
            turn, made = int(path.stem), path.stat().st_mtime
            if turn - 1 in came:
                waits.append(made - came[turn - 1])
                last = max(last, made)
    return waits, last
