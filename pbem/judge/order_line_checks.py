"""Order lines as texts, and what is wrong with them at a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

from engine import (
    SKIP,
    STOP,
    UNKNOWN,
    Decision,
    Line,
    NotInHand,
    OrderSet,
    Ruleset,
    Table,
    Unreadable,
    bare,
    first_fit,
    reason_of,
    why_not_step,
)
from pbem.format.record_error import RecordError
from pbem.records.orders import MAX_LINE_BYTES, parse_line

Level = Literal["error", "warning"]
UNFIT = "PBEM-ORD-030"
"""The code of a line that matches no option now."""
UNHELD = "PBEM-ORD-035"
"""The code of a line that can never match, because its card is not in hand."""

UNFINISHED = "pbem will not use the list, and will ask you again"
"""The clause about a single answer of several steps without its end line."""
_NAME = re.compile(r"\b([a-p])([1-9][0-9]*)\b")


class Problem(NamedTuple):
    """One error or warning, about a line or (if `line` is 0) about the whole set."""

    code: str
    level: Level
    line: int
    """The line's number, from 1."""
    sentence: str
    hint: str = ""
    kind: str = ""
    """The kind of the question that no line answers."""


def write_line(line: Line) -> str:
    """Write the line as the text that will be sealed."""
    return f"{'always ' if line.always else ''}{line.kind}: {line.text}"


def read_lines(texts: Sequence[str]) -> list[Line]:
    """Read sealed texts as lines, numbered from 1. Raises RecordError `rule` for other text."""
    return [parse_line(text, number) for number, text in enumerate(texts, start=1)]


def decisions_by_kind(table: Table[Any], seat: str) -> dict[str, Decision]:
    """Return the open questions to a seat, by their kinds: no facts, which nobody chooses."""
    return {
        decision.kind: decision
        for _, decision in table.pending
        if decision.seat == seat and not decision.fact
    }


class LineChecker:
    """Checks the lines of one seat against its own table, for `check` and for the referee.

    `check` reports two kinds of errors: those for which the referee refuses the orders, and lines
    with cards that are not in hand. The referee does not refuse such lines, because a refusal would
    show everybody which cards a hand does not hold.
    """

    def __init__(self, table: Table[Any], seat: str, lines: Sequence[Line]) -> None:
        """Cards that are not in hand are found only on a `table` that shows the seat's hand."""
        self.table, self.seat, self.lines = table, seat, lines
        self.ruleset: Ruleset[Any] = table.game.ruleset
        self.decisions_by_kind = decisions_by_kind(table, seat)
        """The open questions to the seat, by kind."""
        self.problems: list[Problem] = []
        """The problems noted so far: `_add` appends one."""

    def run(self, warn: bool = True) -> list[Problem]:
        """Return all problems, sorted by line; without `warn` fewer warnings.
        `refusal_problems` has only those for which the referee refuses the orders (codes
        PBEM-ORD-020 to 029)."""
        checked_lines = [line for line in self.lines if self._check_line(line)]
        for kind in dict.fromkeys(line.kind for line in checked_lines):
            plain_lines = [line for line in checked_lines if line.kind == kind and not line.always]
            if self.script(kind):
                self._check_script(kind, plain_lines)
            elif warn:
                self._check_policy(kind, plain_lines)
        if warn:
            for line in checked_lines:
                self._check_own_harm(line)
            self._check_hand(checked_lines)
            self._check_unanswered()
        return sorted(self.problems, key=lambda p: (p.line, p.code))

    def _add(self, code: int, line: int, sentence: str, hint: str = "") -> None:
        """Note a problem of the line with this number. Codes 20 to 29 are errors for which the
        referee refuses the orders; the others are warnings."""
        level: Level = "error" if 20 <= code < 30 else "warning"
        self.problems.append(Problem(f"PBEM-ORD-{code:03}", level, line, sentence, hint))

    # -------------------------------------------------------------- one line
    def _check_line(self, line: Line) -> bool:
        """Check a line by itself, and return whether the other checks go on with the line: not with
        a stop line, which answers no question, and not with an unreadable line."""
        if line.kind == STOP and self.ruleset.stops:
            self._check_stop(line)
            return False
        if line.kind not in self.ruleset.kinds:
            kinds = ", ".join(self.ruleset.kinds)
            sentence = f"this game never asks for {line.kind!r}"
            self._add(26, line.number, sentence, f"the kinds are: {kinds}")
            return False
        if len(write_line(line).encode()) > MAX_LINE_BYTES:
            self._add(24, line.number, f"this line is longer than {MAX_LINE_BYTES} bytes")
            return False
        try:
            parse_line(write_line(line))
            if self._is_in_words(line):
                return self._check_ready_line(line)
            for step in line.text.split("; "):
                self.ruleset.forms.parse(step)
        except (RecordError, Unreadable):
            complete_form = self.ruleset.forms.unfinished(line.text)
            hint = (
                f'the order is not complete; it goes on: "{complete_form}"' if complete_form else ""
            )
            sentence = f"{line.text!r} is not an order that this game understands"
            self._add(20, line.number, sentence, hint)
            return False
        return self._check_names(line)

    def _check_stop(self, line: Line) -> None:
        if not line.always:
            sentence = "this line says when your standing orders stop, so it must stand with them"
            self._add(27, line.number, sentence, "write the line under [always]")
        elif self.ruleset.stop_lines.read(line.text) is None:
            sentence = f"{line.text!r} is not an event at which standing orders can stop"
            stops = ", ".join(f'"{stop.sentence}"' for stop in self.ruleset.stops)
            self._add(20, line.number, sentence, f"you can write: {stops.replace('{n}', '3')}")

    def _is_in_words(self, line: Line) -> bool:
        """Return whether a line names no option: it is a ready line, or `skip` among the plain
        lines of a list of steps."""
        is_skip = line.text == SKIP and self.ruleset.kinds[line.kind].script and not line.always
        return is_skip or self.ruleset.ready_lines.read(line.kind, line.text) is not None

    def _check_ready_line(self, line: Line) -> bool:
        """Note a problem of a ready line, and return whether there is none; lines that are not
        ready lines pass."""
        ready_call = self.ruleset.ready_lines.read(line.kind, line.text)
        if ready_call is None:
            return True
        seats = self.table.game.seats
        if "{seat}" in ready_call.line.sentence and ready_call.argument not in seats:
            sentence = f"there is no seat {ready_call.argument}"
            self._add(22, line.number, sentence, f"the seats are: {', '.join(seats)}")
            return False
        if ready_call.line.reads_hand and not line.always:
            sentence = "outside [always], this line would tell everybody something about your hand"
            hint = "write the line under [always], where lines stay secret"
            self._add(27, line.number, sentence, hint)
            return False
        return True

    def _check_names(self, line: Line) -> bool:
        """Note a problem of a line that names a seat or a piece which is not there, or begins with
        a piece of another seat; return whether there is none."""
        pieces = self._pieces
        for match in _NAME.finditer(line.text):
            name, owner = match[0], match[1]  # a piece `b12` belongs to seat `b`
            if owner not in self.table.game.seats:
                seats = ", ".join(self.table.game.seats)
                self._add(22, line.number, f"there is no seat {owner}", f"the seats are: {seats}")
                return False
            if match.start() == 0 and owner != self.seat:
                self._add(23, line.number, f"{name} is not yours", _pieces_hint(self.seat, pieces))
                return False
            if name not in pieces and not _may_come(owner, int(match[2]), pieces):
                sentence = f"{name} is no longer on the table"
                self._add(22, line.number, sentence, _pieces_hint(owner, pieces))
                return False
        return True

    @cached_property
    def _pieces(self) -> dict[str, str]:
        """For the name of each piece on the table: the seat at whose place it lies."""
        places = self.ruleset.scene(self.table.state).places
        return {piece.name: place.seat for place in places for piece in place.pieces}

    # -------------------------------------------------------------- scripts
    def script(self, kind: str) -> Decision | None:
        """Return the script that lines of this kind answer, now or later in the round, or None."""
        open_decision = self.decisions_by_kind.get(kind)
        if open_decision is not None and open_decision.script:
            return open_decision
        early_decision = self.early_decision(kind)
        return early_decision if early_decision is not None and early_decision.script else None

    def carried_out(self, kind: str) -> Iterator[tuple[Line, list[str]]]:
        """Yield each line that the script of this kind carries out, with the options for the step
        after it.

        Impossible lines, and all lines after the end line, are not yielded.
        """
        decision, steps = self.script(kind), list[str]()
        options = decision.option_list(steps) if decision else []
        for line in self.lines:
            if line.kind == kind and not line.always and decision and line.text in options:
                steps.append(line.text)
                options = [] if line.text == decision.ends else decision.option_list(steps)
                yield line, options

    def next_steps(self, kind: str) -> list[str]:
        """Return the options for the next step of the script of this kind, after these lines; none
        if there is no script."""
        steps = list(self.carried_out(kind))
        if steps:
            return steps[-1][1]
        decision = self.script(kind)
        return decision.option_list([]) if decision else []

    def is_single_answer(self, kind: str) -> bool:
        """Return whether all lines of this kind together are a single answer to an open
        question."""
        open_decision = self.decisions_by_kind.get(kind)
        return open_decision is not None and open_decision.script

    def unanswered(self) -> list[str]:
        """Return the unanswered kinds: open questions without a complete answer in these lines."""
        return [
            kind
            for kind in self.decisions_by_kind
            if not self._is_answered(kind, is_complete=self.is_single_answer(kind))
        ]

    def early_decision(self, kind: str) -> Decision | None:
        """Return the question of this kind as the future state after the other lines would ask it;
        None if nobody can know yet."""
        earlier_lines: dict[str, list[str]] = {}
        for line in self.lines:
            earlier_lines.setdefault(line.kind, []).append(line.text)
        return self.ruleset.early_decision(self.table.state, self.seat, kind, earlier_lines)

    def _check_script(self, kind: str, lines: Sequence[Line]) -> None:
        """Check the lines of a kind that has a script, as its steps, one after the other. An
        impossible line is an error; but if a `skip` line lets the list skip steps, only a
        warning."""
        decision = self.script(kind)
        assert decision is not None
        steps: list[str] = []
        words = self.ruleset.vocabulary
        for line in lines:
            if line.text == SKIP:
                continue
            if steps and steps[-1] == decision.ends:
                self._add(
                    31, line.number, f'this line comes after "{decision.ends}", so it is never used'
                )
                continue
            reason = why_not_step(decision, steps, line.text, words)
            if reason is None:
                steps.append(line.text)
            elif any(x.text == SKIP for x in lines):
                self._add(
                    30,
                    line.number,
                    f"this line is skipped, because it is not possible now: {reason}",
                )
            else:
                self._add(
                    21, line.number, reason, hint_of_legal(decision.option_list(steps), line.text)
                )
        end, open_decision = decision.ends, self.decisions_by_kind.get(kind)
        if steps and end not in steps and open_decision:
            clause = (
                UNFINISHED if open_decision.script else "the next turn will ask you how to go on"
            )
            self._add(33, lines[-1].number, f'the list has no "{end}" at its end: {clause}')

    # -------------------------------------------------------------- policies
    def _check_policy(self, kind: str, lines: Sequence[Line]) -> None:
        """Warn of plain lines that an earlier line leaves nothing for, and, if the question is open
        now, of lines that match no option. For each question, the first line that matches
        answers."""
        decision = self.decisions_by_kind.get(kind)
        options = decision.option_list() if decision else []
        is_scripted = self.ruleset.kinds[kind].script
        for index, line in enumerate(lines):
            if not is_scripted and (earlier_line := self._find_covering(line, lines[:index])):
                earlier_text = bare(earlier_line.text)
                sentence = f'this line is never used: "{earlier_text}" comes first and also fits'
                self._add(31, line.number, sentence)
            elif decision and not self._is_in_words(line) and first_fit(line.text, options) is None:
                reason = reason_of(decision, line.text)
                sentence = "no choice that you have now fits this line"
                sentence += f": {reason}" if reason else ""
                self._add(30, line.number, sentence, hint_of_legal(options, line.text))

    def _check_hand(self, lines: Iterable[Line]) -> None:
        """Turn warnings into errors for plain lines that can never match: their question is asked
        now, and their card is not in hand. Do nothing if the table does not show the hand."""
        places = self.ruleset.scene(self.table.state).places
        hand = [card for place in places if place.seat == self.seat for card in place.hand]
        if any(UNKNOWN in card for card in hand):
            return
        for line in lines:
            decision = None if line.always else self.decisions_by_kind.get(line.kind)
            if decision is None or self._is_in_words(line):
                continue
            warnings = [p for p in self.problems if (p.line, p.code) == (line.number, UNFIT)]
            if not warnings:  # a line that the rules allow has no reason against it
                continue
            # a script is asked for the reason against its first step, so after no steps: `[]`
            reason = reason_of(decision, line.text)
            # `*` may stand for any card, so it can still match one in hand
            if isinstance(reason, NotInHand) and not reason.startswith("*"):
                self.problems.remove(warnings[0])
                hint = warnings[0].hint
                self.problems.append(Problem(UNHELD, "error", line.number, reason, hint))

    def _find_covering(self, line: Line, earlier_lines: Sequence[Line]) -> Line | None:
        """Return the first earlier line that leaves nothing for this line, or None."""
        read = self.ruleset.ready_lines.read
        ready_call = read(line.kind, line.text)
        if ready_call is not None and ready_call.line.keeps:
            return None  # this line limits the lines before it too
        for earlier_line in earlier_lines:
            earlier_call = read(earlier_line.kind, earlier_line.text)
            if (earlier_call and earlier_call.line.total) or earlier_line.text == line.text:
                return earlier_line
        return find_covering_line(line, earlier_lines)

    def _is_answered(self, kind: str, is_complete: bool = False) -> bool:
        """Return whether the question of this kind has an answer.

        One line of a list of steps is enough, unless it must be complete.
        """
        lines = [line for line in self.lines if line.kind == kind]
        if self.ruleset.kinds[kind].script and not is_complete:
            return bool(lines)
        state, decision = self.table.state, self.decisions_by_kind[kind]
        orders: OrderSet = self.ruleset.orders(self.seat, state.round, lines)
        key = next(key for key, d in self.table.pending if d is decision)
        return orders.answer(key, decision, state) is not None

    def _check_own_harm(self, line: Line) -> None:
        """Warn of a star that may stand for one of the seat's own pieces, which it would harm."""
        if self._is_in_words(line):
            return
        form, fields = self.ruleset.forms.parse(line.text.split("; ")[0])
        # such forms have the fields `who`, the harmed pieces, and `sp`, the piece that acts
        if form not in self.ruleset.harms or "*" not in fields["who"]:
            return
        own_pieces = [name for name, seat in self._pieces.items() if seat == self.seat]
        fitting_pieces = [name for name in own_pieces if _fits(fields["who"], name)]
        actors = [name for name in own_pieces if _fits(fields["sp"], name)]
        # a piece does not harm itself
        harmed_pieces = [name for name in fitting_pieces if actors != [name]]
        last_number = max((int(name[1:]) for name in own_pieces), default=0)
        if harmed_pieces or _fits(fields["who"], f"{self.seat}{last_number + 1}"):
            clause = ", ".join(harmed_pieces) or "each new piece that you get"
            other_seats = [seat for seat in self.table.game.seats if seat != self.seat]
            safe_lines = [
                self.ruleset.forms.say(form, **{**fields, "who": f"{seat}*"})
                for seat in other_seats
            ]
            hint = ", ".join(f'"{text}"' for text in safe_lines)
            sentence = f"this line may harm your own pieces: {clause}"
            self._add(34, line.number, sentence, f"to harm only other players: {hint}")

    def _check_unanswered(self) -> None:
        """Warn of each open question that no line answers."""
        for kind, decision in self.decisions_by_kind.items():
            if not self._is_answered(kind):
                question = self.ruleset.kinds[kind].question
                options = decision.option_list([]) if decision.script else decision.option_list()
                hint = hint_of_legal(options, "")
                sentence = f"you are asked for {kind} ({question}), and no line answers it"
                self.problems.append(Problem("PBEM-ORD-032", "warning", 0, sentence, hint, kind))


def _fits(pattern: str, name: str) -> bool:
    return first_fit(pattern, [name]) is not None


def _may_come(owner: str, number: int, pieces: Mapping[str, str]) -> bool:
    """Return whether a piece of this seat with this number may still appear. Numbers increase, and
    each is used only once.

    >>> _may_come("a", 3, {"a2": "a"}), _may_come("a", 1, {"a2": "a"})
    (True, False)
    """
    numbers = [int(name[1:]) for name, seat in pieces.items() if seat == owner]
    return number > max(numbers, default=0)


def _pieces_hint(owner: str, pieces: Mapping[str, str]) -> str:
    names = ", ".join(name for name, seat in pieces.items() if seat == owner)
    return f"seat {owner} has: {names}" if names else f"seat {owner} has nothing on the table"


def find_covering_line(line: Line, earlier_lines: Sequence[Line]) -> Line | None:
    """Return the first earlier line that matches everything that this line matches, or None."""
    return next((x for x in earlier_lines if first_fit(x.text, [line.text])), None)


def hint_of_legal(options: Sequence[str], text: str, limit: int = 6) -> str:
    """Return a hint that lists at most `limit` legal options as order lines, those with the most
    words of `text` first; empty if there are none."""
    if not options:
        return ""
    words = set(bare(text).replace(":", " ").split())
    counts = {o: len(words & set(bare(o).replace(":", " ").split())) for o in options}
    closest_options = sorted(counts, key=lambda option: -counts[option])
    sentences = ", ".join(f'"{bare(option)}"' for option in closest_options[:limit])
    return f"legal here: {sentences}{' …' if len(closest_options) > limit else ''}"


def refusal_problems(table: Table[Any], seat: str, lines: Sequence[Line]) -> list[Problem]:
    """Return the errors for which the referee refuses the whole set of orders. This is faster than
    all checks."""
    return errors(LineChecker(table, seat, lines).run(warn=False))


def errors(problems: Sequence[Problem]) -> list[Problem]:
    """Return the problems that are errors."""
    return [problem for problem in problems if problem.level == "error"]
