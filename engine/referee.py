"""Plays the game on, with a table for each viewpoint, until somebody must be asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Protocol

from engine.dealer import Dealer
from engine.decisions import Decision
from engine.log import ALL, CHANCE, PUBLIC, Entry, Seat
from engine.replayed_table import Pending, Table
from engine.ruleset import Game, S
from engine.sentences.legality import forced


class Settler(Protocol):
    """Answers questions with order lines, standing orders, defaults or bots."""

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """Return the answer and how it was settled (``line [3]``); None if the seat must be asked.

        It may be called again for the same key while other answers of the wave are missing.
        """

    def entered(self, entry: Entry) -> None:
        """Called with every new entry of the log."""


class Referee(Generic[S]):
    """The full table and the public table, side by side.

    Only the public table decides whether a decision is forced. So a skipped question reveals
    nothing, and everybody can check that it was right to skip it.

    ``dealer`` settles what chance decides. It must be new: it learns all entries of ``log``, the
    entries of a game that goes on. ``viewpoints`` adds a table for each of these seats (tests keep
    them all). Unless ``checks_entries``, entries are not held against the rules.
    """

    def __init__(
        self,
        game: Game[S],
        dealer: Dealer,
        log: Iterable[Entry] = (),
        viewpoints: Iterable[Seat] = (),
        checks_entries: bool = True,
    ) -> None:
        """Play the log again on every table. The class says what the arguments are."""
        self.game, self.dealer = game, dealer
        self.log: list[Entry] = []
        self.full_table = Table(game, ALL, checks_entries=checks_entries)
        self.public_table = Table(game, PUBLIC, checks_entries=checks_entries)
        seat_tables = {s: Table(game, s, checks_entries=checks_entries) for s in viewpoints}
        self.tables: dict[Seat, Table[S]] = {
            ALL: self.full_table,
            PUBLIC: self.public_table,
        } | seat_tables
        """Every table, by its viewpoint."""
        for entry in log:
            self.push(entry)

    def push(self, entry: Entry) -> None:
        """Add the answer to the next open question to the log, and show each table the part of it
        that the table may see.

        Raises Misfit if the entry does not answer that question, Illegal if the rules do not allow
        the answer (only if entries are checked), IndexError if the game is over.
        """
        decision = self.full_table.pending[0][1]
        for table in self.tables.values():
            table.push(entry.masked_for(table.viewpoint))
        if decision.seat == CHANCE:
            self.dealer.learn(decision, entry.text)
        self.log.append(entry)

    def advance(self, settler: Settler) -> Pending:
        """Settle decisions until a seat must be asked; return the questions that are still without
        an answer, each with its key.

        Questions of chance are among them if the dealer does not know the answer yet. A wave is
        written to the log only when all its answers are there. If no questions are returned, the
        game is over.
        """
        while wave := self.full_table.pending:
            entries = [
                self._settle(settler, key, decision, public)
                for (key, decision), (_, public) in zip(
                    wave, self.public_table.pending, strict=True
                )
            ]
            if unanswered_questions := [
                question
                for question, entry_or_none in zip(wave, entries, strict=True)
                if entry_or_none is None
            ]:
                return unanswered_questions
            for entry in entries:
                assert entry is not None
                self.push(entry)
                settler.entered(entry)
        return []

    def _settle(
        self, settler: Settler, key: str, decision: Decision, public_decision: Decision
    ) -> Entry | None:
        """Return the entry that answers a question; None if nobody can answer it yet.

        Both decisions are the same question: as the full table has it, and as the public table
        has it, which decides whether only one option is left.
        """
        if decision.seat == CHANCE:
            text = self.dealer.answer(key, decision)
            return None if text is None else Entry(key, decision.seat, text, "chance", decision.to)
        if decision.fact or forced(public_decision):
            settling = "fact" if decision.fact else "forced"
            return Entry(
                key,
                decision.seat,
                next(iter(decision.options(*decision.args))),
                settling,
                decision.to,
            )
        answer = settler.answer(key, decision)
        if answer is None and decision.unasked:  # nobody waits for such a seat
            assert decision.default is not None
            answer = decision.default(), "default"
        return (
            None if answer is None else Entry(key, decision.seat, answer[0], answer[1], decision.to)
        )
