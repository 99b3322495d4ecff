"""The tables of a referee who sees all cards, with the log."""

from __future__ import annotations

from typing import Any

from engine import CHANCE, Entry, Game, Referee, cards_in
from pbem.judge.dealing_mode import MakerCards


class Recorder(Referee[Any]):
    """The referee's tables. They also report to `cards` which cards turn up and leave a hand."""

    def __init__(self, game: Game[Any], cards: MakerCards) -> None:
        super().__init__(game, cards, checks_entries=False)
        self._cards = cards
        self.scripts: set[str] = set()
        """The keys of decisions that a script answered."""

    def push(self, entry: Entry) -> None:
        """Add an entry, and note the cards that it shows. Raises Misfit or Illegal."""
        table, ruleset = self.tables[self._cards.viewpoint], self.game.ruleset
        number = len(self.log)
        self._cards.turn_up([t for t, _ in ruleset.turned_up(table.state, entry.text, number)])
        if entry.seat != CHANCE:
            shown_cards = ruleset.shows(table.state, entry.text)
            self._cards.leave(entry.seat, cards_in(entry.text), shown_cards)
        if self.public_table.pending[0][1].script:
            self.scripts.add(entry.key)
        super().push(entry)
