"""Choose the finished games again, or add to them: bots play, what shows something new is kept.

`.venv/bin/python -m tests.games.make [GAME…]` writes the seeds and digests of as few and as short
games as it finds that show all that `spec.py` wants. Which games, follows from the rules and the
seeds alone: the same code writes the same file. With `--add` the seeds stay, and only what is
missing is looked for. `--texts FOLDER` writes each game as a text, to compare it with that of an
older commit.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from tests.games.finished import (
    DIGESTS,
    Finished,
    digest_of,
    digests_by_seed,
    game_of_seed,
    game_text,
)
from tests.games.spec import acted, facts_in_log, occurs, wanted

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
        """The length of its text."""
        return len(game_text(self.finished))


def search(name: str, missing: set[str]) -> Iterator[Found]:
    """Games that show something of what is missing, until all of it is shown or time is up."""
    missing = set(missing)
    for seed in count():
        if seed >= MOST or (seed >= LOOKED_AT and not missing):
            break
        finished = game_of_seed(name, seed)
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


def chosen_seeds(name: str, add: bool) -> list[int]:
    """The seeds of one ruleset, all anew or with those that were missing."""
    missing, seeds = wanted(name), list(digests_by_seed()[name]) if add else []
    for seed in seeds:
        kept = game_of_seed(name, seed)
        missing -= occurs(kept.table(), kept.log)
    found = fewest(list(search(name, missing)), missing) if missing else []
    print(f"{name}: {len(found)} games, {sum(f.size for f in found)} bytes")
    return sorted({*seeds, *(one.finished.seed for one in found)})


def write_digests(names: Sequence[str], add: bool) -> None:
    """Choose the games of these rulesets; those of the others stay."""
    seeds = {name: list(rows) for name, rows in digests_by_seed().items()}
    seeds |= {name: chosen_seeds(name, add) for name in names or seeds}
    tables = [
        "\n".join([f"[{name}]", *(f'{n} = "{digest_of(game_of_seed(name, n))}"' for n in each)])
        for name, each in seeds.items()
    ]
    head = DIGESTS.read_text("utf-8").partition("\n\n")[0]
    DIGESTS.write_text("\n\n".join([head, *tables]) + "\n", "utf-8")


def write_texts(folder: Path) -> None:
    """Write the text of each game into a folder."""
    for name, seeds in digests_by_seed().items():
        for seed in seeds:
            (folder / f"{name}-{seed}.txt").write_text(game_text(game_of_seed(name, seed)), "utf-8")


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["--texts"]:
        write_texts(Path(words[1]))
    else:
        write_digests([word for word in words if word != "--add"], "--add" in words)
