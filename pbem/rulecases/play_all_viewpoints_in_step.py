"""The table of each viewpoint; all of them play one game in step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine import ALL, CHANCE, PUBLIC, Dealer, Decision, Entry, Seat, Table, forced

Keep = Callable[[Decision], bool]
OpenQuestion = tuple[int, Decision]
"""The index of a question in the wave, and the decision as the full table has it."""


class Tables:
    """One game as seen on the tables of several viewpoints; ALL and PUBLIC are among them.

    A wave is the questions that are open at the same time; the log gets its answers together.
    """

    def __init__(self, tables: Mapping[Seat, Table[Any]], dealer: Dealer) -> None:
        self.tables, self.dealer = tables, dealer
        self.full_table, self.public_table = tables[ALL], tables[PUBLIC]
        self._answers: dict[int, tuple[str, str]] = {}
        """The answers of the wave so far, by the index of the question: text and source."""

    def settle(self, keep: Keep | None = None) -> None:
        """Answer the questions of chance and facts; with ``keep``, also others that need no player.

        These are forced, or not asked; those for which ``keep`` is true stay open. Go on, wave by
        wave, until a question is open.
        Raises Illegal or Misfit if the tables disagree, ValueError for an impossible die or card.
        """
        while self.full_table.open_decisions:
            for index, (key, decision) in enumerate(self.full_table.pending):
                if index in self._answers:
                    continue
                if settled_answer := self._unasked(index, key, decision, keep):
                    self._answers[index] = settled_answer
            if len(self._answers) < len(self.full_table.open_decisions):
                return
            self._push()

    def _unasked(
        self, index: int, key: str, decision: Decision, keep: Keep | None
    ) -> tuple[str, str] | None:
        """Return the answer and its source if the question needs no player; None if it stays open.
        For `keep` see `settle`."""
        if decision.seat == CHANCE:
            text = self.dealer.answer(key, decision)
            return None if text is None else (text, "chance")
        if decision.fact:
            return decision.option_list()[0], "fact"
        if not keep or keep(decision):
            return None
        if self.is_forced(index):
            return decision.option_list()[0], "forced"
        default_answer = self.seat_question(index).default
        return (default_answer(), "default") if decision.unasked and default_answer else None

    def _push(self) -> None:
        """Write the answers of the wave to the log of every table, which begins the next wave."""
        wave = [
            Entry(key, decision.seat, *self._answers[index], to=decision.to)
            for index, (key, decision) in enumerate(self.full_table.pending)
        ]
        self._answers = {}
        for entry, decision in zip(wave, self.full_table.open_decisions, strict=True):
            for table in self.tables.values():
                table.push(entry.masked_for(table.viewpoint))
            if decision.seat == CHANCE:
                self.dealer.learn(decision, entry.text)

    def answer(self, index: int, text: str, source: str) -> None:
        """Store the answer to the question with this index in the wave; when the last answer is
        there, write the wave to the log. `source` says what settled the question, as in the log:
        ``line [1]``, ``default``, ``forced``."""
        self._answers[index] = (text, source)
        if len(self._answers) == len(self.full_table.open_decisions):
            self._push()

    def open_questions(self) -> list[OpenQuestion]:
        """Return the questions that still need an answer."""
        wave = enumerate(self.full_table.open_decisions)
        return [(index, decision) for index, decision in wave if index not in self._answers]

    def seat_question(self, index: int) -> Decision:
        """Return a question as seen by the seat that must answer."""
        table = self.tables.get(self.full_table.open_decisions[index].seat, self.full_table)
        return table.open_decisions[index]

    def why_not(self, index: int, text: str) -> str | None:
        """Say why the seat that is asked may not give this answer; None if it is legal."""
        table = self.tables.get(self.full_table.open_decisions[index].seat, self.full_table)
        return table.why_not(table.open_decisions[index], text)

    def is_forced(self, index: int) -> bool:
        """Return whether everyone can see that the question has only one answer."""
        return forced(self.public_table.open_decisions[index])

    def missing_totals(self, cards: int) -> Iterator[str]:
        """Yield sentences on wrong totals of cards and food."""
        state = self.full_table.state
        if state.total() != cards:
            yield f"the table has {state.total()} cards in all, but the game has {cards}"
        if state.stray_tokens():
            yield f"{state.stray_tokens()} food is missing from the table"
