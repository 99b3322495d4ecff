"""Measure whole games in mode `dealers`: how often dealers are awaited, bytes, processor time.

The roles are a referee, a co-dealer and four players, each with a reader of its own; bots send
orders for a whole round. The same games in mode `referee` show what it costs to hide cards.

All six readers check each proof. The time of a game counts each proof once, as made and checked
once; a row of its own says what the readers of six machines take together.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean
from unittest import mock

from bench.timed_tasks_and_result_rows import Figure
from pbem.cards import hidden_deck
from pbem.judge.public_turn_reader import PublicReader
from pbem.records.deal_record import CardMix
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import Played, Player

PLAYERS = 4
GAMES = 3
"""The number of games; each figure is their mean, but for the most in a round."""


def rows() -> Iterator[Figure]:
    """Yield the figures of games of evolution with four seats, in which all play together."""
    with tempfile.TemporaryDirectory() as base:
        plain_seconds = [_played(Played(**_fields(base, number)))[1] for number in range(GAMES)]
        with repeated_checks() as repeated_seconds:
            pairs = [_played(DealersGame(**_fields(base, -1 - number))) for number in range(GAMES)]
    games, seconds = zip(*pairs, strict=True)
    stops = [count for game in games for count in stops_by_round(game).values()]
    yield Figure("two dealers: stops for them, a round", mean(stops), "", 3.3)
    yield Figure("two dealers: the most stops of a round", max(stops), "", 5)
    sizes = [card_bytes(game) for game in games]
    for part in sizes[0]:
        part_bytes = mean(size[part] for size in sizes)
        yield Figure(f"two dealers: {part}, a game", part_bytes / 1000, "kB")
    total = mean(sum(size.values()) for size in sizes)
    yield Figure("two dealers: all that hides cards, a game", total / 1000, "kB", 160)
    once_seconds = (sum(seconds) - sum(repeated_seconds)) / GAMES
    yield Figure("two dealers: a game, each proof checked once", once_seconds, "s", 3)
    yield Figure("two dealers: a game, checked by six readers", mean(seconds), "s")
    yield Figure("one dealer: the same", mean(plain_seconds), "s")


def _fields(base: str, number: int) -> dict[str, object]:
    table = hashlib.sha256(b"bench %d" % number).digest()[:16]
    return {
        "root": Path(base) / str(number), "players": PLAYERS, "options": {"together": "yes"},
        "answer": Player.round_lines, "table": table,
    }  # fmt: skip


def _played(game: Played) -> tuple[Played, float]:
    """Play a game to its end; return it, and the seconds of processor time."""
    started_at = time.process_time()
    game.play()
    return game, time.process_time() - started_at


@contextmanager
def repeated_checks() -> Iterator[list[float]]:
    """Measure checks of proofs that this process has made before: yields a list that grows by the
    seconds of processor time of each."""
    repeated_seconds: list[float] = []
    checked = set[tuple[object, ...]]()

    def timed(check: Callable[..., object]) -> Callable[..., object]:
        def check_and_time(*args: object) -> object:
            started_at = time.process_time()
            result = check(*args)
            proof = (check, *(tuple(arg) if isinstance(arg, list) else arg for arg in args))
            if proof in checked:
                repeated_seconds.append(time.process_time() - started_at)
            checked.add(proof)
            return result

        return check_and_time

    names = ("check_mix", "check_card_share", "check_sealed_share")
    timed_checks = {name: timed(getattr(hidden_deck, name)) for name in names}
    with mock.patch.multiple(hidden_deck, **timed_checks):
        yield repeated_seconds


def stops_by_round(game: Played) -> Counter[int]:
    """Count the turns of each round that ask nobody, because they wait for dealers; those that deal
    the cards of a round belong to the round before, and those before round 1 to none."""
    counts, current_round = Counter[int](), 0
    reader = game.read(PublicReader(game.charter), 0)
    for turn in game.turns:
        game.read_one(reader, turn)
        if turn.content.owed and current_round:
            counts[current_round] += 1
        elif turn.content.awaited:
            current_round = reader.chain.round
            counts[current_round] += 0
    return counts


def card_bytes(game: DealersGame) -> dict[str, int]:
    """Return the bytes of all that exists only to hide and open cards, before base64, by part."""
    turns = [turn.content for turn in game.turns]
    deals = [deal.content for deal in game.deals.values()]
    mixes: list[CardMix] = [record.mix for record in (*turns, *deals) if record.mix]
    shares = [data for record in (*turns, *deals) for data in (record.shares or {}).values()]
    openings = [row.share for record in (*turns, *deals) for row in record.opened]
    return {
        "pairs of mixes": sum(len(mix.pairs) for mix in mixes),
        "proofs of mixes": sum(len(mix.proof) for mix in mixes),
        "sealed shares": sum(map(len, shares)),
        "opened shares": sum(map(len, openings)),
    }
