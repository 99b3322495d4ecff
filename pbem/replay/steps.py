"""Make the steps of a replay: for each entry of the log, the table after it and its sentences.

Pictures of cards, pieces and facts repeat from step to step. Each different picture is drawn once,
and steps refer to it by its number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine import ALL, UNKNOWN, Entry, Piece, Place
from pbem.drawing.icons import Icons
from pbem.drawing.table import (
    backs_svg,
    card_svg,
    chip_svg,
    die_svg,
    fact_svg,
    flags,
    icons_of,
    piece_svg,
)
from pbem.play.press.read_messages import Message
from pbem.play.view import View
from pbem.replay.history import History
from pbem.screen.tell_turns import notices_of, phase_names, removed_in, where_in
from pbem.screen.terminal import clean

Plain = dict[str, Any]
_ROLLED = re.compile(r" (\d{1,2})$")


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
        """Return the number of a card's picture."""
        return self._number(("card", text), lambda: card_svg(text, self.icons))

    def piece(self, piece: Piece, at: int) -> int:
        """Return the number of a piece's picture; `at` is the number of its player."""
        return self._number(("piece", piece, at), lambda: piece_svg(piece, self.icons, at))

    def fact(self, name: str, value: str) -> int:
        """Return the number of the picture of a fact of the table."""
        return self._number(("fact", name, value), lambda: fact_svg(name, value, self.icons))

    def chip(self, seat: str, name: str, value: str) -> int:
        """Return the number of the picture of a fact of one player."""
        key = f"seat:{seat}:{name}"
        return self._number(("chip", key, value), lambda: chip_svg(name, value, self.icons, key))

    def backs(self, count: int) -> int:
        """Return the number of the picture that shows this many card backs, for an unknown hand."""
        return self._number(("backs", count), lambda: backs_svg(count))

    def die(self, number: int) -> int:
        """Return the number of the picture of a die."""
        return self._number(("die", number), lambda: die_svg(number))


class Steps:
    """The replay of some turns of a view, as plain data for the page."""

    def __init__(self, view: View, turns: range, messages: Sequence[Message] = ()) -> None:
        self.view = view
        self.pictures = Pictures(icons_of(view.play.ruleset))
        self.history = History.of(view, None)
        begin = self.history.end_of(turns.start - 1)
        self.steps = [self._step(at) for at in range(begin, self.history.end_of(turns[-1]) + 1)]
        self.steps[0] |= {"said": [], "dice": [], "where": "", "changed": []}
        """The first step is the table before these turns."""
        self._add_notices(turns)
        self._add_messages(turns, messages)

    def _add_notices(self, turns: range) -> None:
        """Add notices and removed players to the steps.

        A notice goes to the first step of its turn or of a later one; if there is none, to the last
        step. A removed player goes to the last step of the turn or of an earlier one.
        """
        for turn, _, _, told in notices_of(self.view, turns):
            later = (step for step in self.steps[1:] if step["turn"] >= turn)
            step = next(later, self.steps[-1])
            step["notices"].append(f"turn {turn}: {clean(told)}")
        for turn, told in removed_in(self.view, turns):
            last = [step for step in self.steps if step["turn"] <= turn][-1]
            last["notices"].append(f"turn {turn}: {clean(told)}")

    def _add_messages(self, turns: range, messages: Sequence[Message]) -> None:
        """Add each message to the last step of the turn after which it was written."""
        from pbem.screen.tell_messages import safe, writer_of

        for said in messages:
            if said.turn not in turns:
                continue
            last = next(step for step in reversed(self.steps) if step["turn"] <= said.turn)
            last["messages"].append(
                {
                    "after": said.turn,
                    "from": writer_of(said),
                    "to": clean(said.to_name),
                    "text": "\n".join(safe(line) for line in said.lines),
                }
            )

    def _step(self, at: int) -> Plain:
        """Return the step after the first `at` entries: the table, and what the last entry said and
        changed."""
        history, scene = self.history, self.history.scene_after(at)
        flagged = flags(scene)
        said, where = ([], "") if not at else self._said(at)
        return {
            "turn": history.turn_at(at),
            "where": where,
            "said": said,
            "dice": self._dice(at),
            "notices": [],
            "messages": [],
            "facts": [
                self.pictures.fact(name, value)
                for name, value in scene.facts
                if value not in flagged  # the player's place already shows it
            ],
            "places": [
                self._place(place, number, flagged.get(place.seat, ""))
                for number, place in enumerate(scene.places)
            ],
            "changed": history.changed(at - 1, at) if at else [],
        }

    def _said(self, at: int) -> tuple[list[str], str]:
        """Return the sentences of an entry and of what followed automatically, and the entry's
        round and phase."""
        step, entry = self.history.steps[at - 1], self.view.log[at - 1]
        told = [*step.told, *(f"→ {line}" for line in step.followed)]
        return told, where_in(entry.key, phase_names(self.view))

    def _dice(self, at: int) -> list[int]:
        """Return the number of the die's picture, in a list, if entry number `at` rolled a die."""
        if not at or self.view.log[at - 1].key.split(".")[2] != "die":
            return []
        rolled = _ROLLED.search(self.view.log[at - 1].text)
        return [self.pictures.die(int(rolled[1]))] if rolled else []

    def _place(self, place: Place, at: int, flag: str) -> Plain:
        known = any(card != UNKNOWN for card in place.hand)
        return {
            "flag": flag,
            "facts": [self.pictures.chip(place.seat, *fact) for fact in place.facts],
            "pieces": [self.pictures.piece(piece, at) for piece in place.pieces],
            "hand": [self.pictures.card(card) for card in place.hand]
            if known
            else [self.pictures.backs(len(place.hand))],
            "known": known,
        }


def all_hands(view: View, log: list[Entry]) -> View:
    """Return the view with every hidden card shown, from the log that `final` reveals."""
    entries = [(e.key, e.seat, e.text, e.by, e.to) for e in log]
    return view.changed(seat=ALL, entries=entries)


def seats_of(view: View) -> list[Mapping[str, Any]]:
    """Return the players in the order of the table: letter, name, whether this view is theirs."""
    return [
        {"seat": seat, "name": view.names.get(seat, seat), "you": seat == view.seat}
        for seat in view.play.seats
    ]
