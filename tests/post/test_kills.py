"""`pbem run` is killed at random moments; afterwards nothing is lost, and nothing came twice."""

import os
import random
import re
import time
from collections import Counter

import pytest

from tests.cli.people import Person, Round
from tests.post.games_by_mail import MailGame
from tests.post.mailserver import MailServer

pytestmark = pytest.mark.post
KILLS = int(os.environ.get("PBEM_KILLS", "20"))
"""How often; `make test-post KILLS=200` is the long form."""
LONGEST = 2.5
"""Seconds after which a pass is killed at the latest: it takes about as long."""


def test_killed_at_random_moments(table: Round, server: MailServer) -> None:
    chance = random.Random(7)
    killed = 0
    while killed < KILLS:  # one game after the other
        game = MailGame(Round(table.root / f"after-{killed}"), server)
        game.begin()
        killed += play_and_kill(game, KILLS - killed, chance)
        time.sleep(4)  # longer than --wait-for-copy of these people
        settle(game)
        settle(game)
        report(game, killed)


def play_and_kill(game: MailGame, most: int, chance: random.Random) -> int:
    """Play on while passes are killed, so many times or to the end; returns how many were."""
    killed = 0
    while killed < most and not game.over:
        for person in (game.bo, game.rhea):
            killed += run_and_kill(person, chance)
        answers = game.answer(game.ann, "a") | game.answer(game.bo, "b")
        if not answers and chance.random() < 0.5:
            settle(game)  # else no pass would ever end
    return killed


def run_and_kill(person: Person, chance: random.Random) -> bool:
    """Start a pass, and kill it; return whether it was still running."""
    process = person.start("run --once")
    time.sleep(chance.uniform(0.5, LONGEST))
    was_running = process.poll() is None
    process.kill()
    process.communicate()
    return was_running


def settle(game: MailGame) -> None:
    for person in (game.bo, game.rhea, game.bo):
        game.run(person)


def report(game: MailGame, killed: int) -> None:
    """Count what came to Bo, and what did not."""
    mails = game.server.mails("bo")
    ids = Counter(re.search(rb"(?im)^message-id: *(\S+)", mail)[1] for mail in mails)
    subjects = Counter(re.search(rb"(?im)^subject: *([^\r\n]+)", mail)[1] for mail in mails)
    here = {f.name for f in (game.folder / "turns").iterdir()}
    there = {f.name for f in (game.far / "turns").iterdir()}
    orders = {f.name for f in (game.far / "orders").glob("*-b-*")}
    lost = len(here - there) + len(orders - {f.name for f in (game.folder / "orders").iterdir()})
    twice = sum(n - 1 for n in ids.values()) + sum(n - 1 for n in subjects.values())
    print(f"{killed} kills, {len(here)} turns, {len(mails)} mails to Bo: "
          f"duplicates {twice}, lost {lost}")  # fmt: skip
    assert (twice, lost) == (0, 0)
