"""The steps of a replay: for each entry of the log, the table after it, and what was said.

Pictures of cards, pieces and facts repeat from step to step. Each different one is drawn once,
and steps name it by its number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine import ALL, UNKNOWN, Entry, Piece, Place, Scene, Table
from pbem.drawing.changes import changes
from pbem.drawing.icons import Icons
from pbem.drawing.table import card_svg, chip_svg, fact_svg, flags, icons_of, named, piece_svg
from pbem.play.view import View
from pbem.screen.tell_entries import Teller
from pbem.screen.tell_turns import entries_of, phase_names, where_in
from pbem.screen.what_changed import Following

Plain = dict[str, Any]


class Pictures:
    """The pictures of one replay, each with a number."""

    def __init__(self, icons: Icons) -> None:
        self.icons = icons
        self.drawn: list[str] = []
        self._numbers: dict[tuple[Any, ...], int] = {}

    def _number(self, key: tuple[Any, ...], draw: Callable[[], str]) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self.drawn)
            self.drawn.append(draw())
        return self._numbers[key]

    def card(self, text: str) -> int:
        """The number of a card's picture."""
        return self._number(("card", text), lambda: card_svg(text, self.icons))

    def piece(self, piece: Piece, at: int) -> int:
        """The number of a piece's picture; `at` is the number of its player."""
        return self._number(("piece", piece, at), lambda: piece_svg(piece, self.icons, at))

    def fact(self, name: str, value: str) -> int:
        """The number of the picture of a fact of the table."""
        return self._number(("fact", name, value), lambda: fact_svg(name, value, self.icons))

    def chip(self, seat: str, name: str, value: str) -> int:
        """The number of the picture of a fact of one player."""
        key = f"seat:{seat}:{name}"
        return self._number(("chip", key, value), lambda: chip_svg(name, value, self.icons, key))


class Steps:
    """The replay of some turns of a view, as plain data for the page."""

    def __init__(self, view: View, turns: range) -> None:
        self.view, self.turns = view, turns
        self.icons = icons_of(view.play.ruleset)
        self.pictures = Pictures(self.icons)
        self.steps = list(self._steps())

    def _steps(self) -> Iterator[Plain]:
        """The table before the turns, and after each of their entries."""
        view, ruleset = self.view, self.view.play.ruleset
        teller, following = Teller(ruleset, view.names), Following(view)
        table: Table[Any] = Table(view.play, view.table.viewpoint)
        for entry in view.log[: view.ends[self.turns.start - 2] if self.turns.start > 1 else 0]:
            following.skip(entry)
            table.send(entry.text)
        phases = phase_names(view)
        before = ruleset.scene(table.state)
        yield self._step(self.turns.start - 1, "", [], before, None)
        for turn, entry in entries_of(view, self.turns):
            said = [*teller.entry(entry), *(f"→ {line}" for line in following.after(entry))]
            table.send(entry.text)
            scene = ruleset.scene(table.state)
            yield self._step(turn, where_in(entry.key, phases), said, scene, before)
            before = scene

    def _step(
        self, turn: int, where: str, said: list[str], scene: Scene, before: Scene | None
    ) -> Plain:
        flagged = flags(scene)
        return {
            "turn": turn,
            "where": where,
            "said": said,
            "facts": [
                self.pictures.fact(name, named(value, self.view.names))
                for name, value in scene.facts
            ],
            "places": [
                self._place(place, at, flagged.get(place.seat, ""))
                for at, place in enumerate(scene.places)
            ],
            "changed": changes(before, scene) if before else [],
        }

    def _place(self, place: Place, at: int, flag: str) -> Plain:
        known = any(card != UNKNOWN for card in place.hand)
        return {
            "flag": flag,
            "facts": [self.pictures.chip(place.seat, *fact) for fact in place.facts],
            "pieces": [self.pictures.piece(piece, at) for piece in place.pieces],
            "hand": [self.pictures.card(card) for card in place.hand] if known else [],
            "held": len(place.hand),
        }


def all_hands(view: View, log: list[Entry]) -> View:
    """The view with every hidden card, from the log that `final` opens."""
    from dataclasses import replace

    entries = [(e.key, e.seat, e.text, e.by, e.to) for e in log]
    return replace(view, seat=ALL, entries=entries)


def seats_of(view: View) -> list[Mapping[str, Any]]:
    """The players in the order of the table: letter, name, whether this view is theirs."""
    return [
        {"seat": seat, "name": view.names.get(seat, seat), "you": seat == view.seat}
        for seat in view.play.seats
    ]
