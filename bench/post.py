"""One pass of ``pbem run``: 1,000 games, of which 200 are due, and 500 messages that wait.

The mail servers are left out: messages come from a folder, and what is sent is only noted, but the
outbox and the files of all games are real. The pass runs in a process of its own.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from bench.make_games import FIRST_TIME, Wish, begin, key_of
from bench.measure import Figure
from pbem.files.home import Home
from pbem.format.keys import write_key
from pbem.judge.record_files import file_name
from pbem.mail.letter import Letter, written
from pbem.mail.sending import bundle
from pbem.person.books import People
from pbem.person.keyring import Keyring
from pbem.post.account import Account, PostBox, Server
from pbem.post.notify import Log
from pbem.post.rounds import PostRound
from pbem.records.words import game_id

GAMES, DUE, MAILS = 1000, 200, 500
"""How many games, how many of them are due, and how many messages wait."""
TURNS = 2
QUIET = 0.002
"""Seconds for a game in which nothing happened: what we aim at."""


def rows(games: int = GAMES, due: int = DUE, mails: int = MAILS) -> Iterator[Figure]:
    """A row for each thing that a pass does."""
    with tempfile.TemporaryDirectory() as base:
        make(Path(base), games, due, mails)
        command = [sys.executable, "-c", f"from bench.post import measure; measure({base!r})"]
        environ = os.environ | {"SOURCE_DATE_EPOCH": str(FIRST_TIME + 3600)}
        said = subprocess.run(command, capture_output=True, text=True, check=True, env=environ)
    took = json.loads(said.stdout.splitlines()[-1])
    assert took["sent"] == 2 * due, took
    yield Figure(f"run, each of {mails} messages that wait", 1000 * took["mails"] / mails, "ms")
    yield Figure(f"run, each of {due} games that are due", 1000 * took["due"] / max(due, 1), "ms")
    aim = 1000 * QUIET
    quiet = 1000 * took["quiet"] / games
    yield Figure(f"run, each of {games} games, nothing happened", quiet, "ms", aim)
    yield Figure("run, the most memory of that process", took["memory"] / 1024, "MB")


# ------------------------------------------------------------------ what is measured
def measure(base: str) -> None:
    """Run one pass with mail, and one in which nothing happened; print the seconds as JSON."""
    home, took = Home(Path(base) / "home"), {}
    with patch("pbem.post.rounds.Sender", Noted):
        round_ = PostRound(Keyring(home), Log(as_json=True))
        post = round_.posts["default"]
        post._mailbox = Waiting(Path(base) / "mail")  # type: ignore[assignment]
        round_.games()  # games that this machine has never seen: not measured
        before = _sent(home)
        wall, work = time.perf_counter, time.process_time
        tasks = (("mails", post.collect, wall), ("due", round_.games, wall))
        for name, task, clock in (*tasks, ("quiet", round_.games, work)):
            begun = clock()
            task()
            took[name] = clock() - begun
    took["sent"] = _sent(home) - before
    took["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps(took))


def _sent(home: Home) -> int:
    return len(list((home.root / "post/default/sent").iterdir()))


class Waiting:
    """A mailbox whose messages are files."""

    validity = 1

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def new_mails(self, after: int) -> list[tuple[int, int]]:
        uids = sorted(int(f.name) for f in self.folder.iterdir())
        return [(uid, 1) for uid in uids if uid > after]

    def fetch(self, uid: int) -> bytes:
        return (self.folder / str(uid)).read_bytes()

    def file_copy(self, uids: list[int]) -> None:
        """Leave everything where it is."""

    def close(self) -> None:
        """Nothing is open."""


class Noted:
    """Takes every letter."""

    def __init__(self, account: Account, password: str) -> None:
        """No server is needed."""

    def send(self, to: str, data: bytes, before: object) -> None:
        """Take it."""
        assert callable(before)
        before()

    def close(self) -> None:
        """Nothing is open."""


# ------------------------------------------------------------------ what it is measured with
def make(base: Path, games: int, due: int, most: int) -> None:
    """Make the games, their mail and the home of their referee. Messages that are not for
    ``pbem`` are added until there are so many."""
    home = Home(base / "home")
    home.write_key("default", write_key(key_of("all games", "referee")))
    server = Server("localhost", 1, "clear")
    account = Account("rhea@example.org", "rhea", server, server, "command", "echo secret",
                      per_hour=10**6)  # fmt: skip
    PostBox(home).write(account)
    (base / "mail").mkdir()
    mails = [m for number in range(games) for m in _game(base, home, number, number < due)]
    other = range(len(mails), most)
    mails += [_mail("bo@example.org", f"lunch {number}", "") for number in other]
    for uid, data in enumerate(mails, start=1):
        (base / "mail" / str(uid)).write_bytes(data)


def _game(base: Path, home: Home, number: int, is_due: bool) -> list[bytes]:
    """Make one game; if it is due, return the messages with the orders that it waits for."""
    folder = base / "games" / f"{number:04}"
    making = begin(Wish(folder, f"post {number}", players=2, referee="all games"))
    making.play(TURNS)
    mine = home.game(game_id(making.charter.signed.body).hex())
    mine.remember_place(folder)
    if not is_due:
        return []
    mails = []
    for seat in making.joins:
        People(mine).set(seat, f"{seat}{number}@example.org")
    for seat in sorted(making.maker.awaited):
        record = making._orders(seat)
        (folder / file_name(record).path).unlink()
        text = bundle([record], "orders")
        mails.append(_mail(f"{seat}{number}@example.org", "orders", text))
    return mails


def _mail(sender: str, subject: str, text: str) -> bytes:
    letter = Letter("rhea@example.org", subject, "Hello.\n", text, "orders.pbem")
    return written(letter, sender, f"<{sender}.{subject.replace(' ', '.')}>", FIRST_TIME)
