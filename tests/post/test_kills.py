"""`pbem run` is killed at random moments; afterwards nothing is lost, and nothing came twice."""

import os
import random
import re
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest

from pbem.format.record_error import RecordError
from tests.kit.people import Person, Round
from tests.post.games_by_mail import MailGame

pytestmark = pytest.mark.post
KILLS = int(os.environ.get("PBEM_KILLS", "20"))
"""How often; `make test-post KILLS=200` is the long form."""
LONGEST = 2.5
"""Seconds after which the first pass is killed at the latest."""


class Moments:
    """Random moments within a pass; they follow how long a pass takes on this machine."""

    def __init__(self) -> None:
        self.chance, self.longest = random.Random(7), LONGEST

    def wait(self) -> None:
        time.sleep(self.chance.uniform(0.05, self.longest))

    def learn(self, was_running: bool) -> None:
        self.longest = min(LONGEST, max(0.1, self.longest * (1.1 if was_running else 0.8)))


def test_pbem_run_killed_at_random_moments_loses_and_repeats_no_mail(table, server):
    moments = Moments()
    killed = 0
    for number in range(KILLS):  # one game after the other; a game gives several kills
        game = MailGame(Round(table.root / f"game-{number}"), server)
        game.begin()
        killed += play_and_kill(game, KILLS - killed, moments)
        time.sleep(4)  # longer than --wait-for-copy of these people
        run_all_three(game)
        run_all_three(game)
        check_mails(game, killed)
        if killed >= KILLS:
            return
    raise AssertionError(
        f"only {killed} of {KILLS} passes were still running when they were killed"
    )


def play_and_kill(game: MailGame, most: int, moments: Moments) -> int:
    """Play on while passes are killed, so many times or to the end; returns how many were."""
    killed = 0
    while killed < most and not game.over:
        for person in (game.bo, game.rhea):
            game.server.settle()  # else a copy may come later than --wait-for-copy allows
            killed += run_and_kill(person, moments)
        answers = game.answer(game.ann, "a")
        with suppress(RecordError):  # his pass was killed between a turn and its orders
            answers |= game.answer(game.bo, "b")
        if not answers and moments.chance.random() < 0.5:
            run_all_three(game)  # else no pass would ever end
    return killed


def run_and_kill(person: Person, moments: Moments) -> bool:
    """Start a pass, and kill it; return whether it was still running."""
    process = person.start("run --once")
    moments.wait()
    was_running = process.poll() is None
    process.kill()
    process.communicate()
    moments.learn(was_running)
    return was_running


def run_all_three(game: MailGame) -> None:
    for person in (game.bo, game.rhea, game.bo):
        game.run(person)


def check_mails(game: MailGame, killed: int) -> None:
    """Count what came to Bo, and what did not."""
    mails = game.server.mails("bo")
    ids = Counter(re.search(rb"(?im)^message-id: *(\S+)", mail)[1] for mail in mails)
    subjects = Counter(re.search(rb"(?im)^subject: *([^\r\n]+)", mail)[1] for mail in mails)
    turns = file_names(game.folder / "turns")
    lost_turns = turns - file_names(game.far / "turns")
    lost_orders = file_names(game.far / "orders", "*-b-*") - file_names(game.folder / "orders")
    lost = len(lost_turns) + len(lost_orders)
    twice = sum(n - 1 for n in ids.values()) + sum(n - 1 for n in subjects.values())
    print(f"{killed} kills, {len(turns)} turns, {len(mails)} mails to Bo: "
          f"duplicates {twice}, lost {lost}")  # fmt: skip
    assert (twice, lost) == (0, 0)


def file_names(folder: Path, pattern: str = "*") -> set[str]:
    """The files of a folder; none if it is not made yet."""
    return {path.name for path in folder.glob(pattern)}
