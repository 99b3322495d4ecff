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

from bench.make_games import FIRST_TIME, GameSetup, begin, key_of
from bench.timed_tasks_and_result_rows import Figure
from pbem.files.home import Home
from pbem.format.openssh_key_files import write_key
from pbem.judge.read_and_check_record_file import file_name
from pbem.mail.letter import Letter, letter_bytes
from pbem.mail.write_and_describe_bundle import format_bundle
from pbem.person.keyring import Keyring
from pbem.person.mail_notebooks import People
from pbem.post.event_printer import Log
from pbem.post.mail_account import Account, PostBox, Server
from pbem.post.run_passes import MailPasses
from pbem.records.game_id_and_chain_heads import game_id

GAMES, DUE_GAMES, MAILS = 1000, 200, 500
"""The numbers of games, of games that are due, and of messages that wait."""
TURNS = 2
QUIET_GAME_SECONDS = 0.002
"""The greatest time for a game in which nothing happened that is good enough."""


def rows(games: int = GAMES, due_count: int = DUE_GAMES, mails: int = MAILS) -> Iterator[Figure]:
    """Yield a figure for each thing that a pass does."""
    with tempfile.TemporaryDirectory() as base:
        make(Path(base), games, due_count, mails)
        command = [
            sys.executable,
            "-c",
            f"from bench.pass_of_run import measure; measure({base!r})",
        ]
        environ = os.environ | {"SOURCE_DATE_EPOCH": str(FIRST_TIME + 3600)}
        finished = subprocess.run(command, capture_output=True, text=True, check=True, env=environ)
    results = json.loads(finished.stdout.splitlines()[-1])
    assert results["sent"] == 2 * due_count, results
    yield Figure(f"run, each of {mails} messages that wait", 1000 * results["mails"] / mails, "ms")
    due_ms = 1000 * results["due"] / max(due_count, 1)
    yield Figure(f"run, each of {due_count} games that are due", due_ms, "ms")
    aim = 1000 * QUIET_GAME_SECONDS
    quiet_ms = 1000 * results["quiet"] / games
    yield Figure(f"run, each of {games} games, nothing happened", quiet_ms, "ms", aim)
    yield Figure("run, the most memory of that process", results["memory"] / 1024, "MB")


# ------------------------------------------------------------------ what is measured
def measure(base: str) -> None:
    """Run one pass with mail, and one in which nothing happened; print the seconds as JSON."""
    home, results = Home(Path(base) / "home"), {}
    with patch("pbem.post.run_passes.Sender", NotingSender):
        passes = MailPasses(Keyring(home), Log(as_json=True))
        post = passes.posts["default"]
        post._mailbox = FolderMailbox(Path(base) / "mail")  # type: ignore[assignment]
        passes.look_after_games()  # games that this machine has never seen: not measured
        sent_count_before = _sent_count(home)
        wall, work = time.perf_counter, time.process_time
        tasks = (("mails", post.collect, wall), ("due", passes.look_after_games, wall))
        for name, task, clock in (*tasks, ("quiet", passes.look_after_games, work)):
            started_at = clock()
            task()
            results[name] = clock() - started_at
    results["sent"] = _sent_count(home) - sent_count_before
    results["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps(results))


def _sent_count(home: Home) -> int:
    return len(list((home.root / "post/default/sent").iterdir()))


class FolderMailbox:
    """A mailbox whose messages are files."""

    validity = 1

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def new_mails(self, last_uid: int) -> list[tuple[int, int]]:
        uids = sorted(int(f.name) for f in self.folder.iterdir())
        return [(uid, 1) for uid in uids if uid > last_uid]

    def fetch(self, uid: int) -> bytes:
        return (self.folder / str(uid)).read_bytes()

    def file_copy(self, uids: list[int]) -> None:
        """Leave everything where it is."""

    def close(self) -> None:
        """Nothing is open."""


class NotingSender:
    """Takes every letter."""

    def __init__(self, account: Account, password: str) -> None:
        """No server is needed."""

    def send(self, recipient: str, data: bytes, before_sending: object) -> None:
        """Take it."""
        assert callable(before_sending)
        before_sending()

    def close(self) -> None:
        """Nothing is open."""


# ------------------------------------------------------------------ what it is measured with
def make(base: Path, games: int, due_count: int, mail_count: int) -> None:
    """Make the games, the mail and the referee's home below `base`; `due_count` games are due.
    Messages that are not for ``pbem`` are added, until `mail_count` messages wait."""
    home = Home(base / "home")
    home.write_key("default", write_key(key_of("all games", "referee")))
    server = Server("localhost", 1, "clear")
    account = Account("rhea@example.org", "rhea", server, server, "command", "echo secret",
                      per_hour=10**6)  # fmt: skip
    PostBox(home).write(account)
    (base / "mail").mkdir()
    mails = [m for number in range(games) for m in _game(base, home, number, number < due_count)]
    other_numbers = range(len(mails), mail_count)
    mails += [_mail("bo@example.org", f"lunch {number}", "") for number in other_numbers]
    for uid, data in enumerate(mails, start=1):
        (base / "mail" / str(uid)).write_bytes(data)


def _game(base: Path, home: Home, number: int, is_due: bool) -> list[bytes]:
    """Make one game; if it is due, return the messages with the orders that it waits for."""
    folder = base / "games" / f"{number:04}"
    game = begin(GameSetup(folder, f"post {number}", players=2, referee="all games"))
    game.play(TURNS)
    game_home = home.game(game_id(game.charter.signed.body).hex())
    game_home.remember_place(folder)
    if not is_due:
        return []
    mails = []
    for seat in game.joins:
        People(game_home).set(seat, f"{seat}{number}@example.org")
    for seat in sorted(game.maker.awaited):
        record = game._orders(seat)  # writes the file, which only the mail shall have
        (folder / file_name(record).path).unlink()
        text = format_bundle([record], "orders")
        mails.append(_mail(f"{seat}{number}@example.org", "orders", text))
    return mails


def _mail(sender: str, subject: str, text: str) -> bytes:
    letter = Letter("rhea@example.org", subject, "Hello.\n", text, "orders.pbem")
    return letter_bytes(letter, sender, f"<{sender}.{subject.replace(' ', '.')}>", FIRST_TIME)
