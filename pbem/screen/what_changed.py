"""Find the automatic effects of an entry: changes of the table that its sentence does not
mention.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine import CHANCE, Entry, Place, Scene, Table, Unreadable
from pbem.play.view import View
from pbem.screen.tell_entries import listed, spaced
from pbem.screen.terminal import clean

FOOD = "food"
"""The label of the food that lies on a piece."""
_NUMBER = re.compile(r"(\d+)(/\d+)?")
_Facts = Mapping[str, str]
_Piece = str
"""A piece's name; empty means the table itself."""


class Following:
    """Replays the log and finds, after each entry, the changes that no sentence reports.

    It compares only what this view may see of the table.
    """

    def __init__(self, view: View) -> None:
        self.names = {seat: clean(name) for seat, name in view.names.items()}
        self.ruleset = view.play.ruleset
        self.prose = self.ruleset.prose()
        self.table: Table[Any] = Table(view.play, view.table.viewpoint)
        self.scene: Scene | None = None
        self.eaten: Mapping[_Piece, int] = {}
        """How much each piece had eaten before the entry, as the ruleset counts it."""
        self.said: Counter[tuple[_Piece, str]] = Counter()

    def skip(self, entry: Entry) -> None:
        """Apply an entry without looking for changes."""
        self._take(entry)
        self.scene = None

    def after(self, entry: Entry) -> list[str]:
        """Apply an entry; return a line for each change that its sentence does not report.

        Choices made at the same time take effect together, so their changes follow the last of
        them.
        """
        if self.scene is None:
            self.scene, self.eaten = self._seen()
        before = self.scene
        self._take(entry)
        if len(self.table.pending) < len(self.table.asked):
            return []
        ate, (self.scene, self.eaten) = self.eaten, self._seen()
        found = list(self._common(before, self.scene))
        for old, new in zip(before.places, self.scene.places, strict=True):
            if told := "; ".join([*self._fed(old, new, ate), *self._place(old, new)]):
                found.append(f"{self.names.get(new.seat, new.seat)}: {told}")
        return found

    def _seen(self) -> tuple[Scene, Mapping[_Piece, int]]:
        """Return what the table shows now, and how much each piece has eaten."""
        state = self.table.state
        return self.ruleset.scene(state), self.ruleset.eaten(state)

    def _take(self, entry: Entry) -> None:
        if len(self.table.pending) == len(self.table.asked):
            self.said.clear()
        self._listen(entry)
        self.table.send(entry.text)

    def _listen(self, entry: Entry) -> None:
        """Remember which changes of numbers the entry's sentences report."""
        kind = entry.key.split(".")[2]
        for step in entry.text.split("; ") if entry.by != "fact" and entry.seat != CHANCE else ():
            try:
                form, fields = self.ruleset.forms.parse(step)
            except Unreadable:
                continue
            told = self.prose.said.get(f"{kind}.{form}") or self.prose.said.get(form, {})
            for label, more in told.items():
                piece = "" if label in self.prose.common else fields.get("sp", "")
                self.said[piece, label] += more

    # -------------------------------------------------------------- what is different
    def _common(self, before: Scene, after: Scene) -> Iterator[str]:
        old, new = dict(before.facts), dict(after.facts)
        for label, template in self.prose.common.items():
            was, now = old.get(label, ""), new.get(label, "")
            if now != was and not self._known("", label, was, now):
                yield template.format(before=spaced(was), after=spaced(now))

    def _place(self, before: Place, after: Place) -> Iterator[str]:
        """Yield the differences in one seat's place."""
        old, new = dict(before.facts), dict(after.facts)
        for label, name in self.prose.own.items():
            if old.get(label) != new.get(label):
                yield f"{name} {old.get(label, '0')} → {new.get(label, '0')}"
        there = {piece.name: dict(piece.facts) for piece in before.pieces}
        here = {piece.name: dict(piece.facts) for piece in after.pieces}
        changes: dict[str, list[str]] = {}
        for name in (name for name in there if name in here):
            told = " and ".join(self._numbers(name, there[name], here[name]))
            changes.setdefault(told, []).append(name)
        yield from (f"{listed(names)} {told}" for told, names in changes.items() if told)
        yield from _told(self.prose.gone, [name for name in there if name not in here])
        yield from _told(self.prose.new, [name for name in here if name not in there])

    def _fed(self, before: Place, after: Place, ate: Mapping[_Piece, int]) -> Iterator[str]:
        """Yield what pieces ate that neither a sentence nor the table shows: food that came and was
        swept away again before anybody was asked."""
        there = {piece.name: dict(piece.facts) for piece in before.pieces}
        here = {piece.name: dict(piece.facts) for piece in after.pieces}
        fed: dict[str, list[_Piece]] = {}
        for name in (name for name in here if name in self.eaten):
            more = self.eaten[name] - ate.get(name, 0) - self.said[name, FOOD]
            was, now = (facts.get(name, {}).get(FOOD, "0") for facts in (there, here))
            if more > 0 and self._known(name, FOOD, was, now):
                again = " more" if self.said[name, FOOD] else ""
                fed.setdefault(f"{more}{again}", []).append(name)
        for much, names in fed.items():
            yield f"{listed(names)} " + (f"eats {much}" if len(names) == 1 else f"eat {much} each")

    def _numbers(self, piece: str, before: _Facts, after: _Facts) -> Iterator[str]:
        """Yield each number that changed; a missing one counts as 0."""
        for label in dict.fromkeys((*before, *after)):
            was = before.get(label) or _none(after[label])
            now = after.get(label) or _none(was)
            if not _NUMBER.fullmatch(was) or not _NUMBER.fullmatch(now):
                continue
            if now != was and not self._known(piece, label, was, now):
                yield f"{spaced(label)} {was} → {now}"

    def _known(self, piece: _Piece, label: str, was: str, now: str) -> bool:
        """Return whether a sentence already reports the change, or nobody needs to know about
        it."""
        emptied = now[:1] == "0" and was[:1] != "0" and label in self.prose.emptied
        return emptied or now == self._grown(piece, label, was)

    def _grown(self, piece: _Piece, label: str, was: str) -> str:
        """Return what the number would be if only the reported changes had happened."""
        number = _NUMBER.fullmatch(was)
        if not number:
            return was
        return f"{int(number[1]) + self.said[piece, label]}{number[2] or ''}"


def _told(templates: tuple[str, str], names: Sequence[str]) -> Iterator[str]:
    if names:
        yield templates[len(names) > 1].format(pieces=listed(names))


def _none(number: str) -> str:
    """Return the text for an amount of zero: `0`, or `0/2` for a number written as in `1/2`."""
    return re.sub(r"^\d+", "0", number)
