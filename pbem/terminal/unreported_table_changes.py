"""Find the changes of the table after an entry that no sentence reports, and say them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine import (
    CHANCE,
    Entry,
    Place,
    Scene,
    Table,
    Unreadable,
)
from engine.counts_and_lists_in_prose import join_words
from pbem.judge.game_view import View
from pbem.terminal.clean_text import clean
from pbem.terminal.game_prose import spaced

FOOD = "food"
"""The label of the food that lies on a piece."""
_NUMBER = re.compile(r"(\d+)(/\d+)?")
_Facts = Mapping[str, str]
_Piece = str
"""A piece's name; empty means the table itself."""


class UnreportedChanges:
    """Replays the log and finds, after each entry, the changes that no sentence reports.

    It compares only what this view may see of the table.
    """

    def __init__(self, view: View) -> None:
        """Begin at the start of the view's game; no entry has been applied yet."""
        self.names = {seat: clean(name) for seat, name in view.names.items()}
        self.ruleset = view.play.ruleset
        self.prose = self.ruleset.prose()
        self.table: Table[Any] = Table(view.play, view.table.viewpoint)
        self.scene: Scene | None = None
        self.eaten: Mapping[_Piece, int] = {}
        """How much each piece had eaten before the entry, as the ruleset counts it."""
        self.reported_changes: Counter[tuple[_Piece, str]] = Counter()

    def skip(self, entry: Entry) -> None:
        """Apply an entry without looking for changes."""
        self._take(entry)
        self.scene = None

    def changes_after(self, entry: Entry) -> list[str]:
        """Apply an entry; return a line for each change that its sentence does not report.

        Choices made at the same time take effect together, so their changes follow the last of
        them.
        """
        if self.scene is None:
            self.scene, self.eaten = self._look()
        old_scene = self.scene
        self._take(entry)
        if self.table.is_inside_wave:
            return []  # other answers of the wave are missing
        old_eaten, (self.scene, self.eaten) = self.eaten, self._look()
        changes, old_facts, new_facts = [], dict(old_scene.facts), dict(self.scene.facts)
        for label, template in self.prose.common.items():
            old_value, new_value = old_facts.get(label, ""), new_facts.get(label, "")
            if new_value != old_value and not self._is_reported("", label, old_value, new_value):
                changes.append(template.format(before=spaced(old_value), after=spaced(new_value)))
        for old_place, new_place in zip(old_scene.places, self.scene.places, strict=True):
            if sentence := "; ".join(
                [*self._fed(old_place, new_place, old_eaten), *self._place(old_place, new_place)]
            ):
                changes.append(f"{self.names.get(old_place.seat, old_place.seat)}: {sentence}")
        return changes

    def _look(self) -> tuple[Scene, Mapping[_Piece, int]]:
        """Return what the table shows now, and how much each piece has eaten."""
        state = self.table.state
        return self.ruleset.scene(state), self.ruleset.eaten(state)

    def _take(self, entry: Entry) -> None:
        """Apply an entry, and remember which changes of numbers its sentences report."""
        if not self.table.is_inside_wave:
            self.reported_changes.clear()
        self.table.take_answer(entry.text)
        kind = entry.kind
        for step in entry.text.split("; ") if entry.by != "fact" and entry.seat != CHANCE else ():
            try:
                form, fields = self.ruleset.forms.parse(step)
            except Unreadable:
                continue
            changes = self.prose.reported_changes.get(
                f"{kind}.{form}"
            ) or self.prose.reported_changes.get(form, {})
            for label, change in changes.items():
                piece = "" if label in self.prose.common else fields.get("sp", "")
                self.reported_changes[piece, label] += change

    def _place(self, old_place: Place, new_place: Place) -> Iterator[str]:
        """Yield clauses on changes of one seat's place: its facts, numbers of pieces, and pieces
        that came or left."""
        old_facts, new_facts = dict(old_place.facts), dict(new_place.facts)
        for label, name in self.prose.seat_facts.items():
            if old_facts.get(label) != new_facts.get(label):
                yield f"{name} {old_facts.get(label, '0')} → {new_facts.get(label, '0')}"
        old_pieces = {piece.name: dict(piece.facts) for piece in old_place.pieces}
        new_pieces = {piece.name: dict(piece.facts) for piece in new_place.pieces}
        changes: dict[str, list[str]] = {}
        for name in (name for name in old_pieces if name in new_pieces):
            sentence = " and ".join(self._numbers(name, old_pieces[name], new_pieces[name]))
            changes.setdefault(sentence, []).append(name)
        yield from (
            f"{join_words(names)} {sentence}" for sentence, names in changes.items() if sentence
        )
        yield from _pieces_lines(
            self.prose.departures, [name for name in old_pieces if name not in new_pieces]
        )
        yield from _pieces_lines(
            self.prose.arrivals, [name for name in new_pieces if name not in old_pieces]
        )

    def _fed(
        self, old_place: Place, new_place: Place, old_eaten: Mapping[_Piece, int]
    ) -> Iterator[str]:
        """Yield what pieces ate without a sentence or a trace on the table: food that came and was
        swept away again before anybody was asked."""
        old_pieces = {piece.name: dict(piece.facts) for piece in old_place.pieces}
        new_pieces = {piece.name: dict(piece.facts) for piece in new_place.pieces}
        fed: dict[str, list[_Piece]] = {}
        for name in (name for name in new_pieces if name in self.eaten):
            food = self.eaten[name] - old_eaten.get(name, 0) - self.reported_changes[name, FOOD]
            old_value, new_value = (
                facts.get(name, {}).get(FOOD, "0") for facts in (old_pieces, new_pieces)
            )
            if food > 0 and self._is_reported(name, FOOD, old_value, new_value):
                suffix = " more" if self.reported_changes[name, FOOD] else ""
                fed.setdefault(f"{food}{suffix}", []).append(name)
        for amount, names in fed.items():
            eats = f"eats {amount}" if len(names) == 1 else f"eat {amount} each"
            yield f"{join_words(names)} {eats}"

    def _numbers(self, piece: str, old_facts: _Facts, new_facts: _Facts) -> Iterator[str]:
        """A missing number counts as 0."""
        for label in dict.fromkeys((*old_facts, *new_facts)):
            old_value = old_facts.get(label) or _zero_like(new_facts[label])
            new_value = new_facts.get(label) or _zero_like(old_value)
            if not _NUMBER.fullmatch(old_value) or not _NUMBER.fullmatch(new_value):
                continue
            if new_value != old_value and not self._is_reported(piece, label, old_value, new_value):
                yield f"{spaced(label)} {old_value} → {new_value}"

    def _is_reported(self, piece: _Piece, label: str, was: str, now: str) -> bool:
        """Return whether a sentence reports the change, or nobody needs to know about it."""
        grown, number = was, _NUMBER.fullmatch(was)
        if number:
            grown = f"{int(number[1]) + self.reported_changes[piece, label]}{number[2] or ''}"
        emptied = now[:1] == "0" and was[:1] != "0" and label in self.prose.emptied
        return emptied or now == grown


def _pieces_lines(templates: tuple[str, str], names: Sequence[str]) -> Iterator[str]:
    if names:
        yield templates[len(names) > 1].format(pieces=join_words(names))


def _zero_like(number: str) -> str:
    return re.sub(r"^\d+", "0", number)
