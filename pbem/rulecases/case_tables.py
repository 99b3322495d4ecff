"""Keep the tables of all viewpoints in step, and settle everything that is not a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine import ALL, CHANCE, PUBLIC, Dealer, Decision, Entry, Seat, Table, forced

Keep = Callable[[Decision], bool]
Asked = tuple[int, Decision]
"""An open question: its place in the wave, and the decision as the full table has it."""


class Tables:
    """One game as seen on the tables of several viewpoints; ALL and PUBLIC are among them."""

    def __init__(self, tables: Mapping[Seat, Table[Any]], dealer: Dealer) -> None:
        self.tables, self.dealer = tables, dealer
        self.full, self.public = tables[ALL], tables[PUBLIC]
        self._answers: dict[int, tuple[str, str]] = {}

    def settle(self, keep: Keep | None = None) -> None:
        """Answer what chance or facts decide, and, with ``keep``, also the forced choices for which
        ``keep`` is false.

        Raises Illegal or Misfit if the tables disagree, ValueError for an impossible die or card.
        """
        while self.full.asked:
            for at, (key, decision) in enumerate(self.full.pending):
                if at not in self._answers and (found := self._unasked(at, key, decision, keep)):
                    self._answers[at] = found
            if len(self._answers) < len(self.full.asked):
                return
            self._push()

    def _unasked(
        self, at: int, key: str, decision: Decision, keep: Keep | None
    ) -> tuple[str, str] | None:
        if decision.seat == CHANCE:
            text = self.dealer.answer(key, decision)
            return None if text is None else (text, "chance")
        if decision.fact:
            return decision.listed()[0], "fact"
        if keep and not keep(decision) and self.is_forced(at):
            return decision.listed()[0], "forced"
        return None

    def _push(self) -> None:
        wave = [
            Entry(key, decision.seat, *self._answers[at], to=decision.to)
            for at, (key, decision) in enumerate(self.full.pending)
        ]
        self._answers = {}
        for entry, decision in zip(wave, self.full.asked, strict=True):
            for table in self.tables.values():
                table.push(entry.seen(table.viewpoint))
            if decision.seat == CHANCE:
                self.dealer.saw(decision, entry.text)

    def answer(self, at: int, text: str, by: str) -> None:
        """Store an answer; when the wave's last answer is there, the wave is written to the log."""
        self._answers[at] = (text, by)
        if len(self._answers) == len(self.full.asked):
            self._push()

    def asked(self) -> list[Asked]:
        """Return the questions that still need an answer."""
        wave = enumerate(self.full.asked)
        return [(at, decision) for at, decision in wave if at not in self._answers]

    def own(self, at: int) -> Decision:
        """Return a question as the seat that must answer it sees it."""
        table = self.tables.get(self.full.asked[at].seat, self.full)
        return table.asked[at]

    def why_not(self, at: int, text: str) -> str | None:
        """Say why the seat that is asked may not give this answer; None if it is legal."""
        table = self.tables.get(self.full.asked[at].seat, self.full)
        return table.why_not(table.asked[at], text)

    def is_forced(self, at: int) -> bool:
        """Return whether everyone can see that the question has only one answer."""
        return forced(self.public.asked[at])

    def lost(self, cards: int) -> Iterator[str]:
        """Yield sentences on wrong totals of cards and food."""
        state = self.full.state
        if state.total() != cards:
            yield f"there are {state.total()} cards, but the game has {cards}"
        if state.stray_tokens():
            yield f"{state.stray_tokens()} food is missing from the table"
