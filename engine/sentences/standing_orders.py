"""Order lines: answers written in advance, which are matched with the options of each decision.

Examples: ``a2 attacks b1``, ``a2 attacks b*``, ``* eats``, ``pass``; ``*`` means any name. A line
may also be one of the ruleset's ready lines. There is no ``if``: only the order of the lines
matters.
"""

import re
from collections.abc import Collection, Container, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from engine.decisions import Decision
from engine.log import Entry, line_number
from engine.sentences.legality import why_not
from engine.sentences.ready_lines import SKIP, ReadyLines, Said, chosen, left_by
from engine.sentences.stop_lines import Watch
from engine.sentences.text import PUBLIC, Seat


class Line(NamedTuple):
    """One order line: its number, the kind of decision that it answers, and the sentence.

    A plain line counts in one round. An ``always`` line is a standing order: it counts until new
    orders replace it.
    """

    number: int
    kind: str
    text: str
    always: bool = False


_STARS = re.compile(r"\*+")
_STOP = re.compile(r"[][;:,]")
"""The characters that a star never matches; a space ends a word anyway."""


def first_fit(line: str, options: Iterable[str]) -> str | None:
    """Return the first option that the line names, or None.

    A star matches one or more characters of one word, never ``[ ] ; : ,``. The time grows only with
    the length of the texts, even if a line is full of stars.
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
    """Return whether a word with stars matches this word; each part is matched at the first
    possible place.

    The first place is enough: if a part also fits later, the next star covers what is between.
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


class OrderSet:
    """The order lines of one seat that count now, with how many of its scripted lines have been
    used.

    ``scripts`` names the kinds whose plain lines are carried out one after the other; for any
    other kind the first line that is an option counts. Plain lines come before standing orders.
    """

    def __init__(
        self,
        seat: Seat,
        in_round: int,
        lines: Sequence[Line],
        scripts: Collection[str],
        cards: Container[str],
        ready: ReadyLines | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Make a set of which no line has been used; ``watch`` follows its stop lines, if any."""
        self.seat, self.round, self.lines = seat, in_round, lines
        self.scripts, self.cards = scripts, cards
        self.ready, self.watch = ready or ReadyLines(), watch
        self.done: dict[str, int] = {}
        """For each kind, the number of the last scripted line that was used."""

    def answer(self, key: str, decision: Decision, state: Any = None) -> tuple[str, str] | None:
        """Return the answer and the line that gave it; None if no line fits, so the seat must be
        asked.

        ``state`` may come from any table that knows what the seat knows; only ready lines read it.
        """
        plain = self._plain(key, decision.kind)
        if self.stopped:
            plain = [line for line in plain if self._exact(line)]
        if decision.script and plain:
            return self._whole(decision, plain)
        moment = _Moment(self, decision, state)
        if decision.kind in self.scripts:
            rest = [line for line in plain if line.number > self.done.get(decision.kind, -1)]
            skips = any(line.text == SKIP for line in plain)
            if found := moment.first(rest if skips else rest[:1]):
                return found
            if rest and not skips:
                return None
        elif found := moment.first(plain):
            return found
        if self.stopped:
            return None
        always = [line for line in self.lines if line.kind == decision.kind and line.always]
        return moment.first(always, plain)

    @property
    def stopped(self) -> list[str]:
        """The stop lines whose conditions have come true; after that, only lines that spell out an
        option count."""
        return self.watch.stopped if self.watch else []

    def entered(self, entry: Entry, state: Any = None) -> None:
        """Follow the log: mark a scripted line of this set as used once it was carried out.

        ``state`` is the state after the entry; only stop lines read it.
        """
        if self.watch:
            self.watch.entered(entry, state)
        if entry.seat == self.seat and entry.by.startswith("line "):
            kind, number = entry.kind, line_number(entry.by)
            assert number is not None  # only the set's own seat and the referee can read the number
            self.done[kind] = number

    def ranks(self, entry: Entry, script: bool) -> list[int]:
        """Return the ranks, from 0, of the plain lines that settled an entry.

        For a whole script, these are all its lines; for a ready line, that line and the lines that
        limit its choice.
        """
        number = line_number(entry.by)
        if number is None or not entry.by.startswith("line"):
            return []
        kind = entry.kind
        mine = [line for line in self.lines if line.kind == kind and not line.always]
        if script:
            return [line.number - 1 for line in mine if line.text != SKIP]
        if self.ready.read(kind, self.lines[number - 1].text) is None:
            return [number - 1]
        said = {line.number: self.ready.read(kind, line.text) for line in mine}
        return [number - 1, *(n - 1 for n, one in said.items() if one and one.line.keeps)]

    def _plain(self, key: str, kind: str) -> list[Line]:
        if key.partition(".")[0] != str(self.round):
            return []
        return [line for line in self.lines if line.kind == kind and not line.always]

    def _exact(self, line: Line) -> bool:
        return "*" not in line.text and self.ready.read(line.kind, line.text) is None

    def _whole(self, decision: Decision, lines: list[Line]) -> tuple[str, str] | None:
        lines = [line for line in lines if line.text != SKIP]
        text = "; ".join(line.text for line in lines)
        legal = why_not(decision, text, self.seat, self.cards) is None
        return (text, f"line [{lines[0].number}]") if legal else None


class _Moment:
    """One question to a seat at one moment, which the seat's lines must answer."""

    def __init__(self, orders: OrderSet, decision: Decision, state: Any) -> None:
        self.orders, self.decision, self.state = orders, decision, state
        self.options = [] if decision.script else decision.listed()

    def first(
        self, lines: Sequence[Line], besides: Sequence[Line] = ()
    ) -> tuple[str, str] | None:  # fmt: skip
        """Return the answer of the first of these lines that has one; lines in ``besides`` may
        limit the options too."""
        kind, ready = self.decision.kind, self.orders.ready
        said = {line.number: ready.read(kind, line.text) for line in (*lines, *besides)}
        holds = [one for one in said.values() if one and one.line.keeps]
        kept: Sequence[str] = self.options
        if holds and not self.decision.script:
            kept = left_by(holds, self.state.clone(PUBLIC), self.orders.seat, kept)
        for line in lines:
            if (option := self._one(line.text, said[line.number], kept)) is not None:
                return option, f"{'always' if line.always else 'line'} [{line.number}]"
        return None

    def _one(self, text: str, said: Said | None, kept: Sequence[str]) -> str | None:
        """Return the answer that a line gives: one of the options; for a script, a whole list of
        steps."""
        if said is not None:
            option = chosen(said, self.state, self.orders.seat, kept)
        elif self.decision.script:
            option = text
        else:
            option = first_fit(text, kept if "*" in text else self.options)
        if option is None or not self.decision.script:
            return option
        legal = why_not(self.decision, option, self.orders.seat, self.orders.cards) is None
        return option if legal else None
