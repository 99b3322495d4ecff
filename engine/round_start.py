"""Begin a table again at the last round, not at the first entry of the log.

The rules are generators, which cannot be copied. But at the beginning of a round they remember
nothing: the state has everything, and a copy of it is a place from which to play on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic

from engine.decisions import Rules
from engine.log import Entry, view
from engine.ruleset import Game, S
from engine.sentences.text import Seat
from engine.table import Table


@dataclass(frozen=True)
class RoundStart(Generic[S]):
    """The beginning of the last round in a log, from one viewpoint."""

    game: Game[S]
    viewpoint: Seat
    state: S | None
    """The state then; None before the first round."""
    entries: int
    """How many entries of the log come before it."""

    def table(self, log: Sequence[Entry], viewpoint: Seat | None = None) -> Table[S]:
        """A new table after this log, of which only the entries of this round are replayed.

        It is for the same viewpoint, or for one that may see less.
        """
        seen = self.viewpoint if viewpoint is None else viewpoint
        if self.state is None:
            return Table(self.game, seen, view(log, seen))
        position = self.state.clone(seen), self.game.ruleset.phases[0].name
        found = Table(self.game, seen, position=position)
        found.entries = self.entries
        for entry in view(log[self.entries :], seen):
            found.push(entry)
        return found


def start_of_round(game: Game[S], viewpoint: Seat, log: Sequence[Entry]) -> RoundStart[S]:
    """Replay the log once, and note where its last round begins."""
    first, *others = game.ruleset.phases
    tables: list[Table[S]] = []
    found: list[tuple[S | None, int]] = [(None, 0)]

    def noting(state: S) -> Rules:
        found[0] = state.clone(viewpoint), tables[0].entries if tables else 0
        yield from first.run(state)

    phases = (first._replace(run=noting), *others)
    tables.append(Table(replace(game, ruleset=replace(game.ruleset, phases=phases)), viewpoint))
    for entry in log:
        tables[0].push(entry)
    return RoundStart(game, viewpoint, *found[0])
