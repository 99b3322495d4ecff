"""Order lines: answers given ahead, matched against the options when a decision comes.

``a2 attacks b1`` · ``a2 attacks b*`` · ``* eats`` · ``pass``: ``*`` stands for a name. There is no
``if``: the order of the lines is all the logic there is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from engine.decisions import Decision
from engine.log import Entry
from engine.sentences.legality import why_not
from engine.sentences.text import Seat


class Line(NamedTuple):
    """One line of orders: its number, the kind of decision it is for and the sentence.

    A plain line counts in one round; an ``always`` line, a standing order, until its set is
    replaced.
    """

    number: int
    kind: str
    text: str
    always: bool = False


_STARS = re.compile(r"\*+")
_STOP = re.compile(r"[][;:,]")
"""Characters that a star never stands for; a space ends a word anyway."""


def first_fit(line: str, options: Iterable[str]) -> str | None:
    """The first option that the line names, or None.

    A star stands for one or more characters of one word, never for ``[ ] ; : ,``. The time is
    always proportional to the length of the texts, even if an option is full of stars.
    """
    if "*" not in line:
        return line if line in options else None
    words = line.split(" ")
    return next((option for option in options if _all_fit(words, option.split(" "))), None)


def _all_fit(words: list[str], said: list[str]) -> bool:
    return len(words) == len(said) and all(
        word == other or ("*" in word and _fits(word, other))
        for word, other in zip(words, said, strict=True)
    )


@lru_cache(4096)
def _fits(word: str, said: str) -> bool:
    """Whether a word with stars names a word. Each part is matched where it first fits.

    That is enough: if a part fits at a later place too, the next star covers what is between.
    """
    first, *middle, last = _STARS.split(word)
    at, end = len(first), len(said) - len(last)
    if not (said.startswith(first) and said.endswith(last)):
        return False
    for part in middle:
        here = said.find(part, at + 1, end)
        if here < 0 or _STOP.search(said, at, here):
            return False
        at = here + len(part)
    return at < end and not _STOP.search(said, at, end)


@dataclass
class OrderSet:
    """One seat's lines in force, and how many of its scripted lines were carried out.

    ``scripts`` names the kinds whose plain lines are carried out one after the other; for any
    other kind the first line that is an option counts. Plain lines come before standing orders.
    """

    seat: Seat
    round: int
    lines: Sequence[Line]
    scripts: Collection[str]
    cards: Container[str]
    done: dict[str, int] = field(default_factory=dict)

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """Sentence and how it is settled; None if no line fits and the seat must be asked."""
        plain = self._plain(key, decision.kind)
        if decision.script and plain:
            return self._whole(decision, plain)
        options = None if decision.script else decision.listed()
        if decision.kind in self.scripts:
            if rest := plain[self.done.get(decision.kind, 0) :]:
                return self._first(rest[:1], options or [])
        elif found := self._first(plain, options or []):
            return found
        return self._always(decision, options)

    def entered(self, entry: Entry) -> None:
        """Follow the log: a scripted line of this set that was carried out is used up."""
        if entry.seat == self.seat and entry.by.startswith("line "):
            kind = entry.key.split(".")[2]
            self.done[kind] = self.done.get(kind, 0) + 1

    def _plain(self, key: str, kind: str) -> list[Line]:
        if key.partition(".")[0] != str(self.round):
            return []
        return [line for line in self.lines if line.kind == kind and not line.always]

    def _whole(self, decision: Decision, lines: list[Line]) -> tuple[str, str] | None:
        text = "; ".join(line.text for line in lines)
        legal = why_not(decision, text, self.seat, self.cards) is None
        return (text, f"line [{lines[0].number}]") if legal else None

    def _always(self, decision: Decision, options: list[str] | None) -> tuple[str, str] | None:
        lines = [line for line in self.lines if line.kind == decision.kind and line.always]
        if options is None:
            whole = [
                line
                for line in lines
                if why_not(decision, line.text, self.seat, self.cards) is None
            ]
            return (whole[0].text, f"always [{whole[0].number}]") if whole else None
        return self._first(lines, options)

    def _first(self, lines: Iterable[Line], options: list[str]) -> tuple[str, str] | None:
        for line in lines:
            if (option := first_fit(line.text, options)) is not None:
                return option, f"{'always' if line.always else 'line'} [{line.number}]"
        return None
