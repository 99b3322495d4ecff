"""The order lines of a seat: answers written in advance, matched with the options of decisions.

Examples: ``a2 attacks b1``, ``a2 attacks b*``, ``* eats``, ``pass``; ``*`` means any name. A line
may also be one of the ruleset's ready lines. There is no ``if``: only the order of the lines
matters.
"""

import re
from collections.abc import Collection, Container, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from engine.decisions import Decision
from engine.log import PUBLIC, Entry, Seat, line_number
from engine.sentences.legality import why_not
from engine.sentences.ready_lines import (
    SKIP,
    ReadyCall,
    ReadyLines,
    chosen_option,
    remaining_options,
)
from engine.sentences.stop_lines import Watch


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


def _all_fit(words: list[str], option_words: list[str]) -> bool:
    return len(words) == len(option_words) and all(
        word == option_word or ("*" in word and _fits(word, option_word))
        for word, option_word in zip(words, option_words, strict=True)
    )


@lru_cache(4096)
def _fits(word: str, option_word: str) -> bool:
    """Return whether a word with stars matches this word; each part is matched at the first
    possible place.

    The first place is enough: if a part also fits later, the next star covers what is between.
    """
    # between prefix, parts and suffix there is a star, which takes at least one character
    prefix, *parts, suffix = _STARS.split(word)
    position, end = len(prefix), len(option_word) - len(suffix)
    if not (option_word.startswith(prefix) and option_word.endswith(suffix)):
        return False
    for part in parts:
        found_at = option_word.find(part, position + 1, end)
        if found_at < 0 or _STOP.search(option_word, position, found_at):
            return False
        position = found_at + len(part)
    return position < end and not _STOP.search(option_word, position, end)


class OrderSet:
    """The order lines of one seat that count now, with how many of its scripted lines have been
    used.

    ``scripts`` names the kinds whose plain lines are carried out one after the other; for any
    other kind the first line that is an option counts. Plain lines come before standing orders.

    ``in_round`` is the round in which the plain lines count. ``lines`` are all lines of the seat,
    numbered from 1. ``cards`` are all texts that ``?`` in an option may stand for. ``ready`` reads
    ready lines. ``watch`` follows the stop lines, if there are any.
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
        """Make a set of which no line has been used."""
        self.seat, self.round, self.lines = seat, in_round, lines
        self.scripts, self.cards = scripts, cards
        self.ready_lines, self.watch = ready or ReadyLines(), watch
        self.last_line_numbers: dict[str, int] = {}
        """For each kind, the number of the last plain line that settled an entry. Only kinds in
        ``scripts`` need it: their lines up to this one are used up."""

    def answer(self, key: str, decision: Decision, state: Any = None) -> tuple[str, str] | None:
        """Return the answer and its source (``line [3]``, ``always [4]``); None if no line fits, so
        that the seat must be asked.

        ``state`` may come from any table that knows what the seat knows; only ready lines read it.
        No line is used up: `entered` marks the line of an answer that went into the log.
        """
        is_this_round = key.partition(".")[0] == str(self.round)
        plain_lines = self._plain_lines(decision.kind) if is_this_round else []
        if self.stopped:  # only lines that spell out an option count
            plain_lines = [
                line
                for line in plain_lines
                if "*" not in line.text and self.ready_lines.read(line.kind, line.text) is None
            ]
        # the question wants the whole script at once: all plain lines are the answer
        if decision.script and plain_lines:
            return self._answer_script(decision, plain_lines)
        moment = _Moment(self, decision, state)
        # the question wants the next step of a script: the next plain line is the answer
        if decision.kind in self.scripts:
            unused_lines = [
                line
                for line in plain_lines
                if line.number > self.last_line_numbers.get(decision.kind, -1)
            ]
            may_skip = any(line.text == SKIP for line in plain_lines)
            if settlement := moment.first_answer(unused_lines if may_skip else unused_lines[:1]):
                return settlement
            if unused_lines and not may_skip:
                return None
        elif settlement := moment.first_answer(plain_lines):
            return settlement
        if self.stopped:
            return None
        always = [line for line in self.lines if line.kind == decision.kind and line.always]
        return moment.first_answer(always, plain_lines)

    @property
    def stopped(self) -> list[str]:
        """The stop lines whose conditions have come true; after that, only lines that spell out an
        option count."""
        return self.watch.stopped if self.watch else []

    def entered(self, entry: Entry, state: Any = None) -> None:
        """Follow the log: tell the stop lines of the entry, and mark the plain line that settled
        it as used.

        ``state`` is the state after the entry; only stop lines read it.
        """
        if self.watch:
            self.watch.entered(entry, state)
        if entry.seat == self.seat and entry.by.startswith("line "):
            kind, number = entry.kind, line_number(entry.by)
            assert number is not None  # only the set's own seat and the referee can read the number
            self.last_line_numbers[kind] = number

    def ranks(self, entry: Entry, script: bool) -> list[int]:
        """Return the ranks of the plain lines that settled an entry: their numbers minus 1. Sealed
        orders open lines by these ranks.

        For a whole script (``script``), these are all its lines; for a ready line, that line and
        the lines that limit its choice. The list is empty if no plain line settled the entry, or
        this table does not know its number.
        """
        number = line_number(entry.by)
        if number is None or not entry.by.startswith("line"):  # "always [4]" is a standing order
            return []
        kind = entry.kind
        plain_lines = self._plain_lines(kind)
        if script:
            return [line.number - 1 for line in plain_lines if line.text != SKIP]
        if self.ready_lines.read(kind, self.lines[number - 1].text) is None:
            return [number - 1]
        call_by_number = {
            line.number: self.ready_lines.read(kind, line.text) for line in plain_lines
        }
        return [
            number - 1,
            *(n - 1 for n, call in call_by_number.items() if call and call.line.keeps),
        ]

    def _plain_lines(self, kind: str) -> list[Line]:
        return [line for line in self.lines if line.kind == kind and not line.always]

    def _answer_script(self, decision: Decision, lines: list[Line]) -> tuple[str, str] | None:
        """Return the lines as one script, and its first line as what settled it; None if the
        script is not legal as a whole."""
        lines = [line for line in lines if line.text != SKIP]
        text = "; ".join(line.text for line in lines)
        return (text, f"line [{lines[0].number}]") if self.accepts(decision, text) else None

    def option_of(self, text: str, options: Sequence[str]) -> str | None:
        """Return the option that a line names, if it is no ready line; None if it names none."""
        return first_fit(text, options)

    def accepts(self, decision: Decision, text: str) -> bool:
        """Return whether the answer that a line gives is legal. An option always is."""
        if not decision.script:
            return True
        return why_not(decision, text, self.seat, self.cards) is None


class _Moment:
    """One question to a seat at one moment, which the seat's lines must answer."""

    def __init__(self, orders: OrderSet, decision: Decision, state: Any) -> None:
        self.orders, self.decision, self.state = orders, decision, state
        self.options = [] if decision.script else decision.option_list()

    def first_answer(
        self, lines: Sequence[Line], limiting_lines: Sequence[Line] = ()
    ) -> tuple[str, str] | None:  # fmt: skip
        """Return the answer of the first of ``lines`` that has one, and how it was settled; None if
        none has.

        Lines such as ``never attack b``, among ``lines`` and ``limiting_lines``, limit the options
        of ready lines and of lines with a star. They do not limit the steps of a script.
        """
        kind, ready_lines = self.decision.kind, self.orders.ready_lines
        call_by_number = {
            line.number: ready_lines.read(kind, line.text) for line in (*lines, *limiting_lines)
        }
        limits = [call for call in call_by_number.values() if call and call.line.keeps]
        allowed_options: Sequence[str] = self.options
        if limits and not self.decision.script:
            allowed_options = remaining_options(
                limits, self.state.clone(PUBLIC), self.orders.seat, allowed_options
            )
        for line in lines:
            if (
                option := self._answer_of_line(
                    line.text, call_by_number[line.number], allowed_options
                )
            ) is not None:
                return option, f"{'always' if line.always else 'line'} [{line.number}]"
        return None

    def _answer_of_line(
        self, text: str, call: ReadyCall | None, allowed_options: Sequence[str]
    ) -> str | None:
        """Return the answer that a line gives: one of the options; for a script, a whole list of
        steps."""
        if call is not None:
            option = chosen_option(call, self.state, self.orders.seat, allowed_options)
        elif self.decision.script:
            option = text
        else:
            options = allowed_options if "*" in text else self.options
            option = self.orders.option_of(text, options)
        if option is None or not self.orders.accepts(self.decision, option):
            return None
        return option
