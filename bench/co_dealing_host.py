"""A game that a host and a referee at home deal together: how long a round of orders takes them.

A real host (`pbem host --co-deal`) and a real `pbem run` of the referee; four bots play evolution,
all at the same time. The seconds are those from the last order that a turn waited for to the next
turn that asks somebody, with all turns in between that wait for a dealer.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.timed_tasks_and_result_rows import Figure
from pbem.acts.advance import bot_texts
from pbem.acts.join import take_seat
from pbem.acts.new_game import NewGame
from pbem.acts.seal_orders import seal_and_write_orders
from pbem.files.game_folder_places import new_address
from pbem.files.home import Home
from pbem.judge.make_signed_records import invite_to
from pbem.person.session import Session
from tests.kit.processes import until
from tests.kit.running_host import HostProcess

PLAYERS = ("Ann", "Bo", "Cy", "Di")
MAX_SECONDS = 60.0
"""The most seconds that are good enough."""
ASKING_TURNS = 12
"""The number of turns that ask somebody and are waited for."""


def rows(asking_turns: int = ASKING_TURNS) -> Iterator[Figure]:
    """Play the game for so many turns that ask somebody, and yield the seconds between them."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        host = HostProcess(str(base / "data"), base / "owner", "--co-deal")
        try:
            seconds, turn_count = _play(base, host, asking_turns)
        finally:
            host.stop()
    yield Figure("two dealers: last orders to the next question", median(seconds), "s", MAX_SECONDS)
    yield Figure("two dealers: the longest of these times", max(seconds), "s", MAX_SECONDS)
    yield Figure("two dealers: turns for each that asks", turn_count / len(seconds), "")


def _play(base: Path, host: HostProcess, asking_turns: int) -> tuple[list[float], int]:
    """Make the game and play it; return the seconds before each turn that asks somebody, without
    the first, and the number of turns made meanwhile."""
    referee = Session(str(new_address(host.url)), home=Home(base / "referee"))
    NewGame(
        referee, folder=str(referee.place), players=",".join(PLAYERS), referee="Rhea",
        deadline="never", co_dealers=[host.url],
    ).run()  # fmt: skip
    sessions = {}
    for plan in referee.charter.seats:
        session = Session(referee.place, home=Home(base / plan.seat))
        key = referee.refereeing.key()
        take_seat(
            session,
            invite_to(referee.game_folder.charter, key, plan.seat).line(),
            "",
            "",
            "default",
        )
        sessions[plan.seat] = session
    run = subprocess.Popen(
        [sys.executable, "-m", "pbem", "run"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=os.environ | {"PBEM_HOME": str(base / "referee")},
    )  # fmt: skip
    try:
        turn = first_turn = _next_asking_turn(sessions["a"], 0)
        seconds = list[float]()
        while turn and len(seconds) < asking_turns:
            _answer(sessions)
            answered_at = time.monotonic()
            turn = _next_asking_turn(sessions["a"], turn)
            seconds.append(time.monotonic() - answered_at)
        return seconds, sessions["a"].listing.reached - first_turn
    finally:
        run.terminate()
        run.wait()


def _answer(sessions: dict[str, Session]) -> None:
    """Let a bot answer for each seat that is asked."""
    for seat, session in sessions.items():
        session.refresh()
        reader = session.readers.seat(seat)
        if seat in reader.chain.awaited:
            seal_and_write_orders(session, reader, seat, bot_texts(reader, "greedy"))


def _next_asking_turn(session: Session, last_turn: int) -> int:
    """Wait for a later turn that asks somebody, and return its number; 0 if the game is over."""
    turn = 0

    def is_there() -> bool:
        nonlocal turn
        session.refresh()
        if session.listing.reached <= last_turn:
            return False
        chain = session.readers.table().chain
        turn = 0 if chain.is_over else chain.turn
        return chain.is_over or bool(chain.awaited)

    until(is_there, every=0.2)
    return turn
