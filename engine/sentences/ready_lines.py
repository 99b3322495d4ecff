"""Ready lines: orders in words that a ruleset offers, such as ``plants first, then prey``.

An order line can be a ready line. It chooses among the options at the moment when it is used, and
looks only at what everybody knows, so that everybody can check the choice. What a ready line
chooses is part of the rules: a ruleset that changes such a choice must raise its version.

They exist because players send orders for a whole round, for tables that they have not seen. Ranked
lists of exact sentences fit such tables only two times in three.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from engine.log import PUBLIC, Seat
from engine.value_classes import Value

Choose = Callable[[Any, Seat, Sequence[str], str], "str | None"]
"""A function from state, seat, options and argument to one of the options, or None."""
Keeps = Callable[[Any, Seat, Sequence[str], str], Sequence[str]]
"""A function from the same arguments to the options that may still be chosen."""
SKIP = "leave out what is not possible"
"""A line that a seat writes into a list of lines that are used in turn: then a line of the list
that is not an option is skipped, and does not end the list."""
_FIELDS = {"seat": "[a-p]", "n": "[0-9]{1,2}"}


class ReadyLine(Value):
    """One ready line: it chooses an option, or limits what other lines may choose (``never attack
    b``)."""

    kind: str
    sentence: str
    """The line as people write it; ``{seat}`` stands for a seat's letter, ``{n}`` for a number."""
    description: str
    """The effect of the line, in words; may contain the same fields."""
    choose: Choose | None = None
    keeps: Keeps | None = None
    """Set instead of ``choose`` for a line that limits other lines: all ready lines and all lines
    with a star of the same kind, wherever they are in the list. The limit is ignored if it would
    leave no option: so a line that always answers never leaves a question open."""
    total: bool = False
    """Whether the line always finds an option."""
    reads_hand: bool = False
    """Whether the line looks at the seat's own cards. Such a line must be a standing order, because
    plain lines are revealed to everybody when they are used."""

    def describe(self, argument: str) -> str:
        """Return the description, with the argument filled in.

        >>> ReadyLine("attack", "never attack {seat}", "spares {seat}").describe("Bo")
        'spares Bo'
        """
        return re.sub(r"{\w+}", argument, self.description)


class ReadyCall(NamedTuple):
    """A ready line as somebody wrote it."""

    line: ReadyLine
    argument: str


class ReadyLines:
    """All ready lines of a ruleset."""

    def __init__(self, lines: Iterable[ReadyLine] = ()) -> None:
        self.lines = tuple(lines)
        self._exact = {(x.kind, x.sentence): ReadyCall(x, "") for x in self.lines}

    @cached_property
    def _open(self) -> list[tuple[ReadyLine, re.Pattern[str]]]:
        return [(x, sentence_pattern(x.sentence)) for x in self.lines if "{" in x.sentence]

    def lines_of(self, kind: str) -> list[ReadyLine]:
        """Return the ready lines of one kind."""
        return [line for line in self.lines if line.kind == kind]

    def read(self, kind: str, text: str) -> ReadyCall | None:
        """Read a text as a ready line of a kind; return the line with its argument, which may be
        empty. None if the text is no ready line of the kind."""
        # `never attack {seat}`, copied as it is, names no seat
        if (exact_call := self._exact.get((kind, text))) and "{" not in text:
            return exact_call
        for line, pattern in self._open:
            if line.kind == kind and (match := pattern.fullmatch(text)):
                return ReadyCall(line, match[1])
        return None


def sentence_pattern(sentence: str) -> re.Pattern[str]:
    """Return the pattern that reads a sentence with ``{seat}`` or ``{n}`` in it."""

    def field(match: re.Match[str]) -> str:
        return f"({_FIELDS[match[1]]})"

    return re.compile(re.sub(r"\\{(\w+)\\}", field, re.escape(sentence)))


def remaining_options(
    limits: Iterable[ReadyCall], state: Any, seat: Seat, options: Sequence[str]
) -> Sequence[str]:  # fmt: skip
    """Return the options that lines such as ``never attack b`` leave; a line that would leave none
    is ignored."""
    for limit in limits:
        keeps = limit.line.keeps
        if keeps and (remaining := keeps(state, seat, options, limit.argument)):
            options = remaining
    return options


def chosen_option(call: ReadyCall, state: Any, seat: Seat, options: Sequence[str]) -> str | None:
    """Return the option that a ready line chooses; None if it chooses none, or only limits lines.

    The line gets a copy of the state that shows only what it may see: what everybody knows and,
    if it ``reads_hand``, also what the seat knows. So ``state`` may come from any table that knows
    this.
    """
    if call.line.choose is None:
        return None
    visible_state = state.clone(seat if call.line.reads_hand else PUBLIC)
    return call.line.choose(visible_state, seat, options, call.argument)
