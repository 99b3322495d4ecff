"""Orders: which lines are wrong, which match a question and settle it, and which orders count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Final, Literal, NamedTuple, Protocol

from engine import (
    SKIP,
    STOP,
    UNKNOWN,
    Decision,
    Entry,
    Line,
    NotInHand,
    OrderSet,
    Ruleset,
    Table,
    Unreadable,
    bare,
    first_fit,
    mask,
    reason_of,
    why_not_step,
)
from engine.bots import answer, pick, script
from engine.ruleset import Bot, Kind
from engine.sentences.ready_lines import ReadyCall, chosen_option, remaining_options
from engine.sentences.text import Seat
from engine.values import Mutable, Value
from pbem.format.canonical import RecordError
from pbem.judge.absence import Absence, round_of
from pbem.records.charter import Orders, orders_rank
from pbem.records.read_record import Record
from pbem.records.sealed_orders import Sealed
from pbem.records.turn import MAX_LINE, MAX_REASON, ListedOrders, OpenLine, Refusal, parse_line

# ---- the bot that answers for open seats

STAND_IN_BOT: Final = "greedy"
"""The bot's name in every ruleset that has one."""


def has_bot(ruleset: Ruleset[Any]) -> bool:
    """Return whether a ruleset has the bot that can answer for open seats."""
    return STAND_IN_BOT in ruleset.bots


def bot_answer(table: Table[Any], decision: Decision) -> str:
    """Return what the bot answers, which is the same on every table that shows the seat's cards.

    It uses no random numbers, so the referee cannot choose for it: the seat's owner can check each
    choice at once, and everybody after `final`. It is part of the rules: whoever changes how it
    plays must raise the ruleset's version.
    """
    return answer(table.game.ruleset.bots[STAND_IN_BOT](Random(0)), table.state, decision)


# ---- which lines are wrong

Level = Literal["error", "warning"]
UNFIT = "PBEM-ORD-030"
UNHELD = "PBEM-ORD-035"
NO_REASON = "is not an option now"
"""What to say about a line that matches no option, if the rules give no reason."""
UNFINISHED = "the list counts only when it is complete, so you will be asked again"
"""What to say about a list of steps that make one choice together, if the list does not end."""
_NAME = re.compile(r"\b([a-p])([1-9][0-9]*)\b")


class Problem(NamedTuple):
    """One error or warning, about a line or (if `line` is 0) about the whole set."""

    code: str
    level: Level
    line: int
    """The line's number, from 1."""
    what: str
    hint: str = ""
    kind: str = ""
    """The kind of the question that no line answers."""


def write_line(line: Line) -> str:
    """Write the line as the text that will be sealed."""
    return f"{'always ' if line.always else ''}{line.kind}: {line.text}"


def read_lines(texts: Sequence[str]) -> list[Line]:
    """Read sealed texts as lines, numbered from 1. Raises RecordError `rule` for other text."""
    return [parse_line(text, number) for number, text in enumerate(texts, start=1)]


def asked_of(table: Table[Any], seat: str) -> dict[str, Decision]:
    """Return the open questions to a seat, by their kinds."""
    return {decision.kind: decision for _, decision in table.pending if decision.seat == seat}


class LineChecker:
    """Checks the lines of one seat against its own table, for `check` and for the referee alike:
    `check` reports as errors what the referee refuses, and lines with cards that are not in hand.
    The referee does not refuse those: a refusal would show everybody what a hand does not hold."""

    def __init__(self, table: Table[Any], seat: str, lines: Sequence[Line]) -> None:
        self.table, self.seat, self.lines = table, seat, lines
        self.ruleset: Ruleset[Any] = table.game.ruleset
        self.asked = asked_of(table, seat)
        self.problems: list[Problem] = []

    def run(self, warn: bool = True) -> list[Problem]:
        """Find all problems, sorted by line; without `warn` only what the referee refuses, which
        has the codes PBEM-ORD-020 to 029."""
        readable = [line for line in self.lines if self._readable(line)]
        for kind in dict.fromkeys(line.kind for line in readable):
            mine = [line for line in readable if line.kind == kind and not line.always]
            if self.script(kind):
                self._check_script(kind, mine)
            elif warn:
                self._check_policy(kind, mine)
        if warn:
            for line in readable:
                self._own_hit(line)
            self._not_in_hand(readable)
            self._left_open()
        return sorted(self.problems, key=lambda p: (p.line, p.code))

    def _add(self, code: int, line: int, what: str, hint: str = "") -> None:
        level: Level = "error" if 20 <= code < 30 else "warning"
        self.problems.append(Problem(f"PBEM-ORD-{code:03}", level, line, what, hint))

    # -------------------------------------------------------------- one line
    def _readable(self, line: Line) -> bool:
        if line.kind == STOP and self.ruleset.stops:
            self._stop(line)
            return False
        if line.kind not in self.ruleset.kinds:
            kinds = ", ".join(self.ruleset.kinds)
            what = f"this game never asks for {line.kind!r}"
            self._add(26, line.number, what, f"the kinds are: {kinds}")
            return False
        if len(write_line(line).encode()) > MAX_LINE:
            self._add(24, line.number, f"longer than {MAX_LINE} bytes")
            return False
        try:
            parse_line(write_line(line))
            if self._in_words(line):
                return self._ready(line)
            for step in line.text.split("; "):
                self.ruleset.forms.parse(step)
        except (RecordError, Unreadable):
            whole = self.ruleset.forms.unfinished(line.text)
            hint = f"the order goes on: {whole}" if whole else ""
            what = f"{line.text!r} is not an order that this game understands"
            self._add(20, line.number, what, hint)
            return False
        return self._named(line)

    def _stop(self, line: Line) -> None:
        if not line.always:
            told = "stops standing orders, so it must itself be a standing order"
            self._add(27, line.number, told, "write it under [always]")
        elif self.ruleset.stop_lines.read(line.text) is None:
            known = ", ".join(f'"{one.sentence}"' for one in self.ruleset.stops)
            told = f"{line.text!r} is not a stop: standing orders cannot stop at it"
            self._add(20, line.number, told, f"the stops are: {known.replace('{n}', '3')}")

    def _in_words(self, line: Line) -> bool:
        skips = line.text == SKIP and self.ruleset.kinds[line.kind].script and not line.always
        return skips or self.ruleset.ready_lines.read(line.kind, line.text) is not None

    def _ready(self, line: Line) -> bool:
        said = self.ruleset.ready_lines.read(line.kind, line.text)
        if said is None:
            return True
        seats = self.table.game.seats
        if "{seat}" in said.line.sentence and said.argument not in seats:
            told = f"there is no seat {said.argument}"
            self._add(22, line.number, told, f"there are: {', '.join(seats)}")
            return False
        if said.line.reads_hand and not line.always:
            told = "depends on your hand, and everyone sees a plain line when it is used"
            hint = "write it under [always], because lines there stay secret"
            self._add(27, line.number, told, hint)
            return False
        return True

    def _named(self, line: Line) -> bool:
        pieces = self._pieces
        for found in _NAME.finditer(line.text):
            name, owner = found[0], found[1]
            if owner not in self.table.game.seats:
                seats = ", ".join(self.table.game.seats)
                self._add(22, line.number, f"there is no seat {owner}", f"the seats are: {seats}")
                return False
            if found.start() == 0 and owner != self.seat:
                self._add(23, line.number, f"{name} is not yours", _there(self.seat, pieces))
                return False
            if name not in pieces and not _may_come(owner, int(found[2]), pieces):
                told = f"{name} is no longer on the table"
                self._add(22, line.number, told, _there(owner, pieces))
                return False
        return True

    @cached_property
    def _pieces(self) -> dict[str, str]:
        places = self.ruleset.scene(self.table.state).places
        return {piece.name: place.seat for place in places for piece in place.pieces}

    # -------------------------------------------------------------- scripts
    def script(self, kind: str) -> Decision | None:
        """Return the script that lines of this kind answer, now or later in the round, or None."""
        asked = self.asked.get(kind)
        if asked is not None and asked.script:
            return asked
        found = self.ahead(kind)
        return found if found is not None and found.script else None

    def carried_out(self, kind: str) -> Iterator[tuple[Line, list[str]]]:
        """Yield the lines that a script carries out, each with the options for the next step.

        A line that is not possible is left out; nothing comes after the line that ends the list.
        """
        decision, steps = self.script(kind), list[str]()
        options = decision.option_list(steps) if decision else []
        for line in self.lines:
            if line.kind == kind and not line.always and decision and line.text in options:
                steps.append(line.text)
                options = [] if line.text == decision.ends else decision.option_list(steps)
                yield line, options

    def next_steps(self, kind: str) -> list[str]:
        """Return the options for the next step of a script, after these lines."""
        done = list(self.carried_out(kind))
        if done:
            return done[-1][1]
        decision = self.script(kind)
        return decision.option_list([]) if decision else []

    def whole(self, kind: str) -> bool:
        """Return whether all lines of this kind together are one answer to an open question."""
        asked = self.asked.get(kind)
        return asked is not None and asked.script

    def unanswered(self) -> list[str]:
        """Return the kinds that are asked now, but that these lines do not answer completely."""
        return [kind for kind in self.asked if not self._settled(kind, whole=self.whole(kind))]

    def ahead(self, kind: str) -> Decision | None:
        """Return the question of this kind, as it would be asked after the other lines."""
        given: dict[str, list[str]] = {}
        for line in self.lines:
            given.setdefault(line.kind, []).append(line.text)
        return self.ruleset.early_decision(self.table.state, self.seat, kind, given)

    def _check_script(self, kind: str, lines: Sequence[Line]) -> None:
        decision = self.script(kind)
        assert decision is not None
        steps: list[str] = []
        words = self.ruleset.vocabulary
        for line in lines:
            if line.text == SKIP:
                continue
            if steps and steps[-1] == decision.ends:
                self._add(31, line.number, f'comes after "{decision.ends}" and is never reached')
                continue
            reason = why_not_step(decision, steps, line.text, words)
            if reason is None:
                steps.append(line.text)
            elif any(other.text == SKIP for other in lines):
                self._add(30, line.number, f"would be left out now: {reason}")
            else:
                self._add(
                    21, line.number, reason, hint_of_legal(decision.option_list(steps), line.text)
                )
        end, asked = decision.ends, self.asked.get(kind)
        if steps and end not in steps and asked:
            told = UNFINISHED if asked.script else "you will be asked for the next step"
            self._add(33, lines[-1].number, f'no "{end}" at the end: {told}')

    # -------------------------------------------------------------- policies
    def _check_policy(self, kind: str, lines: Sequence[Line]) -> None:
        decision = self.asked.get(kind)
        options = decision.option_list() if decision else []
        steps = self.ruleset.kinds[kind].script
        for number, line in enumerate(lines):
            if not steps and (before := self._covered(line, lines[:number])):
                told = f'is never reached: "{bare(before.text)}" comes first and also fits'
                self._add(31, line.number, told)
            elif decision and not self._fits(line, options):
                reason = reason_of(decision, line.text) or NO_REASON
                hint = hint_of_legal(options, line.text)
                self._add(30, line.number, f"does not fit anything now: {reason}", hint)

    def _not_in_hand(self, lines: Iterable[Line]) -> None:
        """Make errors of warnings about lines that can never fit, because the question is asked now
        and the card is not in hand. A table that does not show the hand says nothing."""
        places = self.ruleset.scene(self.table.state).places
        hand = [card for place in places if place.seat == self.seat for card in place.hand]
        if any(UNKNOWN in card for card in hand):
            return
        for line in lines:
            decision = None if line.always else self.asked.get(line.kind)
            if decision is None or self._in_words(line):
                continue
            unfit = [p for p in self.problems if (p.line, p.code) == (line.number, UNFIT)]
            if not unfit:  # a line that the rules allow has no reason against it
                continue
            reason = reason_of(decision, line.text, *([[]] if decision.script else []))
            if isinstance(reason, NotInHand) and not reason.startswith("*"):
                self.problems.remove(unfit[0])
                self.problems.append(Problem(UNHELD, "error", line.number, reason, unfit[0].hint))

    def _covered(self, line: Line, before: Sequence[Line]) -> Line | None:
        read = self.ruleset.ready_lines.read
        mine = read(line.kind, line.text)
        if mine is not None and mine.line.keeps:
            return None  # this line limits the lines before it too
        for other in before:
            said = read(other.kind, other.text)
            if (said and said.line.total) or other.text == line.text:
                return other
        return covered(line, before)

    def _fits(self, line: Line, options: Sequence[str]) -> bool:
        return self._in_words(line) or first_fit(line.text, options) is not None

    def _settled(self, kind: str, whole: bool = False) -> bool:
        """Return whether the question of this kind has an answer.

        A list of steps needs only one line for that, but with `whole` it must be complete.
        """
        mine = [line for line in self.lines if line.kind == kind]
        if self.ruleset.kinds[kind].script and not whole:
            return bool(mine)
        state, decision = self.table.state, self.asked[kind]
        orders: OrderSet = self.ruleset.orders(self.seat, state.round, mine)
        key = next(key for key, one in self.table.pending if one is decision)
        return orders.answer(key, decision, state) is not None

    def _own_hit(self, line: Line) -> None:
        """Warn of a star that may stand for one of the seat's own pieces and harm it."""
        if self._in_words(line):
            return
        form, said = self.ruleset.forms.parse(line.text.split("; ")[0])
        if form not in self.ruleset.harms or "*" not in said["who"]:
            return
        mine = [name for name, seat in self._pieces.items() if seat == self.seat]
        fitting = [name for name in mine if _fits(said["who"], name)]
        actors = [name for name in mine if _fits(said["sp"], name)]
        hit = [name for name in fitting if actors != [name]]
        last = max((int(name[1:]) for name in mine), default=0)
        if hit or _fits(said["who"], f"{self.seat}{last + 1}"):
            told = ", ".join(hit) or "as soon as you have one more piece"
            others = [seat for seat in self.table.game.seats if seat != self.seat]
            wide = [self.ruleset.forms.say(form, **{**said, "who": f"{s}*"}) for s in others]
            hint = ", ".join(f'"{text}"' for text in wide)
            what = f"may harm your own pieces: {told}"
            self._add(34, line.number, what, f"to harm only other players: {hint}")

    def _left_open(self) -> None:
        for kind, decision in self.asked.items():
            if not self._settled(kind):
                question = self.ruleset.kinds[kind].question
                now = decision.option_list([]) if decision.script else decision.option_list()
                hint = hint_of_legal(now, "")
                told = f"you are asked for {kind} ({question}), and no line answers it"
                self.problems.append(Problem("PBEM-ORD-032", "warning", 0, told, hint, kind))


def _fits(pattern: str, name: str) -> bool:
    return first_fit(pattern, [name]) is not None


def _may_come(owner: str, number: int, pieces: Mapping[str, str]) -> bool:
    """Return whether a piece with this number may still appear.

    Numbers increase, and each is used only once.
    """
    numbers = [int(name[1:]) for name, seat in pieces.items() if seat == owner]
    return number > max(numbers, default=0)


def _there(owner: str, pieces: Mapping[str, str]) -> str:
    names = ", ".join(name for name, seat in pieces.items() if seat == owner)
    return f"seat {owner} has: {names}" if names else f"seat {owner} has nothing on the table"


def covered(line: Line, before: Sequence[Line]) -> Line | None:
    """Find the first earlier line that matches everything that this line matches, or None."""
    return next((other for other in before if first_fit(other.text, [line.text])), None)


def hint_of_legal(options: Sequence[str], text: str, most: int = 6) -> str:
    """Return a hint that lists the legal options as order lines, the most similar ones first;
    empty if there are none."""
    words = set(bare(text).replace(":", " ").split())
    shared = {o: len(words & set(bare(o).replace(":", " ").split())) for o in options}
    closest = sorted(shared, key=lambda option: -shared[option])
    shown = ", ".join(f'"{bare(option)}"' for option in closest[:most])
    return f"legal here: {shown}{' …' if len(closest) > most else ''}" if shown else ""


def wrong_lines(table: Table[Any], seat: str, lines: Sequence[Line]) -> list[Problem]:
    """Find only the errors for which the referee refuses the whole set; this is faster."""
    return errors(LineChecker(table, seat, lines).run(warn=False))


def errors(problems: Sequence[Problem]) -> list[Problem]:
    """Return the problems for which the referee refuses the whole set."""
    return [problem for problem in problems if problem.level == "error"]


# ---- which lines match


def line_fits(line: str, sentence: str) -> bool:
    """Return whether a line matches a sentence: `[#4f…] on a1` matches `[?] on a1`, `b2 attacks a*`
    matches `b2 attacks a1`."""
    return first_fit(mask(line), [mask(sentence)]) is not None


class LinesOfKind:
    """The opened plain lines of one set of orders that may settle one decision."""

    def __init__(self, table: Table[Any], decision: Decision, opened: Iterable[OpenLine]) -> None:
        """`table` is the public table, before the decision is settled."""
        self.table, self.decision = table, decision
        read = table.game.ruleset.ready_lines.read
        parsed = [(opening, parse_line(opening.text)) for opening in opened]
        mine = [
            (x, line) for x, line in parsed if (line.kind, line.always) == (decision.kind, False)
        ]
        self.lines = [(opening, line.text, read(line.kind, line.text)) for opening, line in mine]
        """Each opening with its sentence and, if it is one, its ready line."""
        self.limits = [said for _, _, said in self.lines if said and said.line.keeps]

    def saying(self, step: str) -> list[OpenLine]:
        """Return the lines that say this step, or that choose it from what everybody knows."""
        return [opening for opening, text, said in self.lines if self._says(text, said, step)]

    def holding(self, lines: Sequence[OpenLine]) -> list[OpenLine]:
        """Return the ready lines that limit what others choose, if one of `lines` is ready."""
        if not any(said for opening, _, said in self.lines if any(opening is x for x in lines)):
            return []
        return [opening for opening, _, said in self.lines if said and said.line.keeps]

    def _says(self, text: str, said: ReadyCall | None, step: str) -> bool:
        if said is None:
            return line_fits(text, step)
        if said.line.reads_hand or self.decision.script:
            return False  # lines that look at hidden cards are never opened
        state, seat = self.table.state, self.decision.seat
        options = remaining_options(self.limits, state, seat, self.decision.option_list())
        return chosen_option(said, state, seat, options) == step


# ---- how questions are settled


class Held(Protocol):
    """A seat's orders that count now."""

    lines: OrderSet


class Settler(Mutable):
    """Settles decisions by the orders that count; for seats that are away, by default or by the
    bot."""

    in_force: Mapping[str, Held]
    full: Table[Any]
    absence: Absence
    unheard: frozenset[str]
    round: int
    """The round of the questions that the turn before asked."""
    silent: frozenset[str] = frozenset()
    """The seats that were waited for without being asked, and that a question has now reached."""

    def answer(self, key: str, decision: Decision) -> tuple[str, str] | None:
        """Return the answer to a decision and its source; None if the seat must be asked."""
        seat, held = decision.seat, self.in_force.get(decision.seat)
        found = held.lines.answer(key, decision, self.full.state) if held else None
        if found is not None:
            return found
        expected = seat in self.unheard and not self.absence.absence_reason(seat, self.round)
        may_be_silent = decision.default is not None and not decision.unasked
        if may_be_silent and expected and round_of(key) == self.round:
            self.silent |= {seat}
            self.absence = self.absence.after_turn((), {seat}, self.round)
        match self.absence.unasked(key, decision):
            case "bot":
                return bot_answer(self.full, decision), "bot"
            case "default" if decision.default:
                return decision.default(), "default"
        return None

    def entered(self, entry: Entry) -> None:
        """Note a new entry of the log (see engine.Settler)."""
        for held in self.in_force.values():
            held.lines.entered(entry, self.full.state)


# ---- the lines of a bot for a whole round


def total_line(ruleset: Ruleset[Any], kind: Kind) -> tuple[str, bool]:
    """Return a line that answers every question of this kind, and whether it must be a standing
    order: the first ready line that always fits, else the word that ends a list, which may be
    empty."""
    for line in ruleset.ready_lines.lines_of(kind.name):
        if line.total:
            return line.sentence, line.reads_hand
    return (kind.ends if kind.ends in ruleset.forms.templates.values() else ""), False


def standing_lines(ruleset: Ruleset[Any]) -> list[str]:
    """Standing orders that answer everything except which cards to play."""
    found = {k.name: total_line(ruleset, k)[0] for k in ruleset.kinds.values() if not k.cards}
    return [f"always {kind}: {line}" for kind, line in found.items() if line]


def round_lines(
    ruleset: Ruleset[Any], state: Any, seat: Seat, bot: Bot, asked: Iterable[Decision]
) -> list[str]:
    """Return all the order lines that a bot sends for a seat at the beginning of a round.

    `asked` are its open questions; `state` may come from any table that knows the seat's cards.
    """
    open_now = {one.kind: one for one in asked}
    given: dict[str, list[str]] = {}
    lines = []
    for kind in ruleset.kinds.values():
        line, own = total_line(ruleset, kind)
        if line and own and not kind.cards:
            lines.append(f"always {kind.name}: {line}")
            continue
        if line and not kind.cards:
            said = [line]
        else:  # the bot chooses, if the options are known yet
            asks = open_now.get(kind.name)
            whole = asks is not None and asks.script
            decision = (
                asks if whole else ruleset.early_decision(state, seat, kind.name, given) or asks
            )
            if decision is None:
                continue
            if decision.script:
                said = script(bot, state, decision)[0].split("; ")
            else:
                said = [pick(bot, state, decision, decision.option_list())]
            said += [SKIP] if kind.script and not whole else []
        given[kind.name] = said
        lines += [f"{kind.name}: {text}" for text in said]
    return lines


# ---- which orders count, and why others do not (protocol §8)


class OrdersInForce(Value):
    """A seat's orders that count now, and the round in which their plain lines count."""

    record: Record[Orders]
    round: int


def why_misplaced(
    orders: Orders, heads: Sequence[bytes], held: bool, named: bool, since: int
) -> str:
    """Say why orders cannot count for the next turn: `late`, `forked`, or `ahead` (too early).

    The answer is empty if they are in time. `heads` are the heads from before turn 1 to the last
    turn made. With `held`, the seat is in `plays`; with `named`, the last turn names these orders
    as its `own`. `since` is the turn that asked the open questions; later turns only listed
    notices.
    """
    last = len(heads) - 1
    if held and (orders.turn, orders.prev) == (last + 1, heads[last]):
        return "ahead"
    if orders.prev not in heads:
        return "forked"
    if held:
        return "" if named else "late"
    if since <= orders.turn <= last and orders.prev == heads[orders.turn]:
        return ""
    past = orders.turn < last and orders.prev == heads[orders.turn]
    return "late" if past else "forked"


def why_unusable(
    record: Record[Orders], unseal: Callable[[Orders], Sealed], table: Table[Any]
) -> tuple[str, list[Refusal]]:
    """Say why orders that are in time cannot count at this table: `unopenable` or `rule`; empty if
    they can. Also returns each wrong line with what is wrong, for the owner."""
    try:
        lines = read_lines(unseal(record.content).texts)
    except RecordError as error:
        return "rule" if error.reason == "rule" else "unopenable", []
    details = [
        Refusal(record.id, write_line(lines[wrong.line - 1]), _plain(wrong.what))
        for wrong in wrong_lines(table, record.content.seat, lines)
    ]
    return "rule" if details else "", details


def _plain(reason: str) -> str:
    """Return a reason in plain ASCII, cut to the length that fits into a packet."""
    return reason.encode("ascii", "replace").decode()[:MAX_REASON]


def by_rank(records: Iterable[Record[Orders]]) -> list[Record[Orders]]:
    """Sort one seat's orders: the first of those in time counts."""
    return sorted(
        records, key=lambda r: orders_rank(r.content.turn, r.content.revision, r.id.hex())
    )


def check_status(listed: ListedOrders, misplaced: str) -> None:
    """Raise RecordError `opening` if a turn wrongly calls orders late, forked or in time."""
    said = listed.reason if listed.reason in ("late", "forked") else ""
    if said != misplaced:
        digits, told = listed.id.hex()[:6], listed.reason or listed.status
        told = f"the turn lists orders {digits} of seat {listed.seat} as {told}, "
        told += f"but they are {misplaced or 'in time'}"
        raise RecordError("opening", told)


def check_choice(
    seat: str,
    accepted: list[Record[Orders]],
    others: list[Record[Orders]],
    in_force: Record[Orders] | None = None,
) -> None:
    """Raise RecordError `opening` unless the accepted orders are exactly those that count: none if
    those `in_force` before the turn count before all that it lists."""
    if len(accepted) > 1:
        raise RecordError("opening", f"the turn accepts two sets of orders of seat {seat}")
    counts = next(iter(by_rank([*accepted, *others, *([in_force] if in_force else [])])), None)
    if accepted and counts is in_force:
        told = f"the turn accepts orders {accepted[0].id.hex()[:6]} of seat {seat}, although those"
        raise RecordError("opening", f"{told} in force count")
    if counts is not in_force and accepted != [counts]:
        digits = counts.id.hex()[:6] if counts else ""
        told = f"the turn leaves out orders {digits} of seat {seat}, although they count"
        raise RecordError("opening", told)
