"""Make the finished games again, or add to them: bots play, what shows something new is kept.

`.venv/bin/python -m tests.games.make [GAME…]` writes `tests/games/GAME/*.txt`: as few and as short
games as it finds that show all that `spec.py` wants. Which games, follows from the rules and the
seeds alone: the same code writes the same files. With `--add` the stored games stay, and only what
is missing is looked for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any

from engine import Decision, Entry, Game, Referee, SeedDealer
from engine.bots import Bot, RandomBot, answer, factories, make_bot
from games import registry
from tests.games.spec import acted, facts_in_log, occurs, wanted
from tests.games.stored import HERE, Finished, paths, read_stored_game, score_lines, stored_text

LOOKED_AT = 40
"""So many games may be kept for whatever they show, all others only if they show something new."""
MOST = 2_000
"""So many games are played before the search gives up."""


@dataclass
class Found:
    """A game that may be kept, and what it shows."""

    finished: Finished
    shows: set[str]

    @property
    def size(self) -> int:
        """The length of its file."""
        return len(stored_text(self.finished))


class Players:
    """Bots that answer from lines of orders, now and then on a whim or by silence."""

    def __init__(self, game: Game[Any], bots: Sequence[str], seed: int) -> None:
        self.rng = Random(seed)
        self.whim = RandomBot(self.rng)
        self.bots: dict[str, Bot] = {
            seat: make_bot(game.ruleset, bot, Random(f"{seed} {seat}"))
            for seat, bot in zip(game.seats, bots, strict=True)
        }
        dealer = SeedDealer(f"game {seed}".encode())
        self.referee: Referee[Any] = Referee(game, dealer, checks_entries=False)
        self.lines = 0

    def answer(self, key: str, decision: Decision) -> tuple[str, str]:
        if decision.default and self.rng.random() < 0.05:
            return decision.default(), "default"
        bot = self.whim if self.rng.random() < 0.1 else self.bots[decision.seat]
        text = answer(bot, self.referee.full_table.state, decision)
        return text, f"{'always' if self.rng.random() < 0.1 else 'line'} [{self.lines + 1}]"

    def entered(self, entry: Entry) -> None:
        self.lines = (self.lines + 1) % 20

    def finish(self) -> Referee[Any]:
        asked = self.referee.advance(self)
        assert not asked
        return self.referee


def play_finished_game(name: str, seed: int) -> Finished:
    """The game of that seed: numbers of players, options and bots take turns."""
    ruleset = registry.ruleset(name)
    rng = Random(f"{name} {seed}")
    seats = "abcdefgh"[: ruleset.players[seed % len(ruleset.players)]]
    options = {o.name: rng.choice(o.values) for o in ruleset.options}
    known = sorted(factories(ruleset))
    bots = [rng.choice(known) for _ in seats]
    if rng.random() < 0.5:
        bots = [rng.choice(known)] * len(seats)
    game = ruleset.game(seats, options)
    referee = Players(game, bots, seed).finish()
    result = ruleset.result(referee.full_table.state)
    return Finished(
        name, seats, options, f"{' '.join(bots)}, seed {seed}", score_lines(result),
        result.decided_by, tuple(referee.log),
    )  # fmt: skip


def search(name: str, missing: set[str]) -> Iterator[Found]:
    """Games that show something of what is missing, until all of it is shown or time is up."""
    missing = set(missing)
    for seed in count():
        if seed >= MOST or (seed >= LOOKED_AT and not missing):
            break
        finished = play_finished_game(name, seed)
        shows = facts_in_log(finished.table(), finished.log)
        rest = {what for what in missing if ": " in what}
        if seed >= LOOKED_AT and rest:
            shows |= acted(finished.table(), finished.log, rest)
        if seed < LOOKED_AT or missing & shows:
            shows |= acted(finished.table(), finished.log)
            missing -= shows
            yield Found(finished, shows)
    for what in sorted(missing):
        print(f"{name}: in {MOST} games never seen: {what}", file=sys.stderr)


def fewest(found: Sequence[Found], missing: set[str]) -> list[Found]:
    """Of these games the few that show all: first what is rare, then most news for its length."""
    rest, kept = set(missing), list[Found]()
    while rest:
        rare = min(sorted(rest), key=lambda what: sum(what in f.shows for f in found) or MOST)
        with_it = [f for f in found if rare in f.shows]
        if not with_it:
            rest.discard(rare)
            continue
        kept.append(max(with_it, key=lambda f: len(f.shows & rest) / f.size))
        rest -= kept[-1].shows
    return pruned(kept, missing)


def pruned(kept: Sequence[Found], missing: set[str]) -> list[Found]:
    """Without those games, the longest first, all of whose moments others show too."""
    left = list(kept)
    for one in sorted(kept, key=lambda f: (-f.size, f.finished.players)):
        others = set().union(*(f.shows for f in left if f is not one))
        if not (one.shows & missing) - others:
            left.remove(one)
    return left


def store(found: Found) -> None:
    """Write the file of a game."""
    finished = found.finished
    seed = finished.players.rsplit(" ", 1)[1]
    folder, stem = HERE / finished.game, f"{len(finished.seats)}-players-{seed}"
    names = (stem if n == 1 else f"{stem}-{n}" for n in count(1))  # other options, the same seed
    path = next(path for name in names if not (path := folder / f"{name}.txt").exists())
    path.parent.mkdir(exist_ok=True)
    path.write_text(stored_text(finished), "utf-8")


def make_stored_games(name: str, add: bool) -> None:
    """The stored games of one ruleset, all anew or the missing ones besides."""
    missing = wanted(name)
    if add:
        for path in paths(name):
            kept = read_stored_game(path.read_text("utf-8"))
            missing -= occurs(kept.table(), kept.log)
    found = fewest(list(search(name, missing)), missing) if missing else []
    for path in () if add else paths(name):
        path.unlink()
    for one in found:
        store(one)
    print(f"{name}: {len(found)} games, {sum(f.size for f in found)} bytes")


def make_named_games(words: Sequence[str]) -> None:
    """For every game named, or all."""
    names = [word for word in words if word != "--add"]
    for name in names or [name for name in registry.names() if name in registry.BUILT_IN_GAMES]:
        make_stored_games(name, "--add" in words)


if __name__ == "__main__":
    make_named_games(sys.argv[1:])
