"""The beginning of the last round in a log, from which a table is replayed faster."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Generic

from engine.decisions import Rules
from engine.log import Entry, Seat, view
from engine.replayed_table import Table
from engine.ruleset import Game, S


class RoundStart(Generic[S]):
    """The beginning of the last round in a log, from one viewpoint.

    The rules are generators, which cannot be copied. But at the beginning of a round the generators
    remember nothing: the state contains everything, so play can go on from a copy of the state.
    """

    def __init__(self, game: Game[S], viewpoint: Seat, state: S | None, entries: int) -> None:
        self.game, self.viewpoint = game, viewpoint
        self.state = state
        """The state at the beginning of the round; None before the first round."""
        self.entries = entries
        """The number of entries of the log before the round."""

    def table(self, log: Sequence[Entry], viewpoint: Seat | None = None) -> Table[S]:
        """Return a new table after this log, and replay only the entries of this round for it.

        The table has the same viewpoint, or one that may see less.
        """
        table_viewpoint = self.viewpoint if viewpoint is None else viewpoint
        if self.state is None:
            return Table(self.game, table_viewpoint, view(log, table_viewpoint))
        position = self.state.clone(table_viewpoint), self.game.ruleset.phases[0].name
        table = Table(self.game, table_viewpoint, position=position)
        table.entries = self.entries
        for entry in view(log[self.entries :], table_viewpoint):
            table.push(entry)
        return table


def start_of_round(game: Game[S], viewpoint: Seat, log: Sequence[Entry]) -> RoundStart[S]:
    """Replay the log once, and remember where its last round begins."""
    first_phase = game.ruleset.phases[0]
    tables: list[Table[S]] = []
    start: list[tuple[S | None, int]] = [(None, 0)]

    # every round begins with the first phase, so each round overwrites what the last one noted
    def noting_run(state: S) -> Rules:
        # without a table yet, the table is just being made, and no entry has been pushed
        start[0] = state.clone(viewpoint), tables[0].entries if tables else 0
        yield from first_phase.run(state)

    noting_ruleset = game.ruleset.extend(
        phases={first_phase.name: replace(first_phase, run=noting_run)}
    )
    tables.append(Table(Game(noting_ruleset, game.seats, game.options), viewpoint))
    for entry in log:
        tables[0].push(entry)
    return RoundStart(game, viewpoint, *start[0])
