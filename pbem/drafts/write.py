"""Write a draft of orders, change its lines, say orders back in prose, and forecast them."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from engine import (
    CHANCE,
    DONE,
    PUBLIC,
    SKIP,
    STOP,
    UNKNOWN,
    Decision,
    Entry,
    Kind,
    Line,
    Place,
    ReadyLine,
    Ruleset,
    Table,
    bare,
    first_fit,
    forced,
    line_number,
)
from engine.sentences.ready_lines import Said, chosen
from pbem.drafts.offers import (
    Listed,
    choice_lines,
    form_of,
    may_come,
    new_piece,
    phase_of,
    pieces_in,
    second_steps,
    written,
)
from pbem.drafts.read import TOKEN, parse, position
from pbem.game.lines import LineChecker, total_line
from pbem.game.view import View
from pbem.screen.table import facts
from pbem.screen.tell import Teller, spaced
from pbem.screen.terminal import clean

# ---- Orders in prose, to check before sealing


def said_back(view: View, lines: Sequence[Line]) -> list[str]:
    """Write orders as prose, a line for each kind: `play: fat 2 on b1; climbing 2 on b2`."""
    return _Echo(view, lines).run()


def each_said(view: View, lines: Sequence[Line]) -> dict[int, str]:
    """Write each line as prose, by its number: `climbing 2 for a new species b2`."""
    echo = _Echo(view, lines)
    return {line.number: echo.one(line) for line in lines}


AGAIN = "then you are asked again"


class _Echo:
    def __init__(self, view: View, lines: Sequence[Line]) -> None:
        self.view, self.lines = view, lines
        self.ruleset = view.play.ruleset
        self.teller = Teller(self.ruleset, view.names)

    def run(self) -> list[str]:
        said: list[str] = []
        for always in (False, True):
            for kind in dict.fromkeys(line.kind for line in self.lines):
                mine = [x for x in self.lines if x.kind == kind and x.always == always]
                if mine:
                    said.append(f"{'always ' if always else ''}{kind}: {self._kind(kind, mine)}")
        return said or ["no orders: this only tells the referee that you are here"]

    def one(self, line: Line) -> str:
        if line.kind == STOP:
            return f"when {line.text}, you are asked again"
        if line.text == SKIP:
            return line.text
        if self.ruleset.kinds[line.kind].script and not line.always:
            return self.teller.order(line.text, self._new[line.kind].get(line.number, ""))
        return self._words(line, self.ruleset.ready_lines.read(line.kind, line.text))

    @cached_property
    def _new(self) -> dict[str, dict[int, str]]:
        scripts = {x.kind for x in self.lines if not x.always and x.kind != STOP}
        return {
            kind: self._made(kind, [x for x in self.lines if x.kind == kind and not x.always])
            for kind in scripts
            if self.ruleset.kinds[kind].script
        }

    def _kind(self, kind: str, mine: Sequence[Line]) -> str:
        if kind == STOP:
            return f"when {', or '.join(line.text for line in mine)}, you are asked again"
        if self.ruleset.kinds[kind].script and not mine[0].always:
            made = self._made(kind, mine)
            end = self.ruleset.kinds[kind].ends
            whole = LineChecker(self.view.table, self.view.seat, self.lines).whole(kind)
            again = f'but the list does not count until it ends with "{end}"' if whole else AGAIN
            mine = [line for line in mine if line.text != SKIP]
            steps = [line for line in mine if line.text != DONE or len(mine) == 1]
            told = "; ".join(self.teller.order(x.text, made.get(x.number, "")) for x in steps)
            asks = "" if end in [line.text for line in mine] else f"; {again}"
            return f"{told}{asks}{self._skipped(kind)}"
        return self._in_turn(mine)

    def _skipped(self, kind: str) -> str:
        skips = any(line.kind == kind and line.text == SKIP for line in self.lines)
        return "; what is not possible is left out" if skips else ""

    def _in_turn(self, mine: Sequence[Line]) -> str:
        """Lines that limit other lines come last."""
        read = self.ruleset.ready_lines.read
        said = [(line, read(line.kind, line.text)) for line in mine]
        tries = [self._words(x, one) for x, one in said if not (one and one.line.keeps)]
        holds = [self._words(x, one) for x, one in said if one and one.line.keeps]
        return "; ".join([*([", else ".join(tries)] if tries else []), *holds])

    def _words(self, line: Line, said: Said | None) -> str:
        if said is None:
            return self.teller.order(line.text)
        return said.line.said(self.teller.names.get(said.argument, said.argument))

    def _made(self, kind: str, mine: Sequence[Line]) -> dict[int, str]:
        script = LineChecker(self.view.table, self.view.seat, self.lines).script(kind)
        if script is None:
            return {}
        makes = {form for form, told in self.teller.prose.orders.items() if "{new}" in told}
        steps: list[str] = []
        made: dict[int, str] = {}
        known = pieces_in(self.ruleset, script.listed(steps))
        for line in mine:
            if line.text not in script.listed(steps) or line.text == DONE:
                break
            steps.append(line.text)
            options = script.listed(steps)
            if form_of(self.ruleset, line.text)[0] in makes:
                made[line.number] = new_piece(self.ruleset, known, options)
            known |= pieces_in(self.ruleset, options)
        return made


# ---- The forecast

MOST_STEPS = 400


@dataclass
class Forecast:
    """The entries that would follow, the table after them, and the reason why the forecast ends."""

    table: Table[Any]
    entries: list[Entry] = field(default_factory=list)
    end: str = ""


def forecast(view: View, lines: Sequence[Line]) -> Forecast:
    """Play the seat's lines on a copy of its table; other seats do nothing wherever the rules allow
    that.

    The forecast ends where chance, another player's choice or a hidden card decides, and where the
    seat would be asked.
    """
    return _Forecasting(view, lines).run()


class _Forecasting:
    def __init__(self, view: View, lines: Sequence[Line]) -> None:
        self.view = view
        table = view.table_again()
        self.done = Forecast(table)
        self.told = 0
        """How many entries of the forecast were already played on the public table."""
        ruleset = view.play.ruleset
        self.orders = ruleset.orders(view.seat, table.state.round, lines, table.state)

    @cached_property
    def public(self) -> Table[Any]:
        return self.view.table_again(PUBLIC)

    def run(self) -> Forecast:
        done = self.done
        while done.table.pending and len(done.entries) < MOST_STEPS:
            key, decision = done.table.pending[0]
            settled = self._settle(key, decision)
            if isinstance(settled, str):
                done.end = settled
                return done
            entry = Entry(key, decision.seat, *settled, to=decision.to)
            done.entries.append(entry)
            done.table.send(entry.text)
            self.orders.entered(entry, done.table.state)
        done.end = "" if done.table.pending else "then the game is over"
        return done

    def _settle(self, key: str, decision: Decision) -> tuple[str, str] | str:
        options = decision.listed([]) if decision.script else decision.listed()
        if decision.seat == CHANCE:
            return "then chance decides"
        if decision.fact:
            known = UNKNOWN not in options[0]
            return (options[0], "fact") if known else "then other players' cards are revealed"
        if decision.seat == self.view.seat:
            return self._mine(key, decision, options)
        return self._theirs(decision, options)

    def _mine(self, key: str, decision: Decision, options: list[str]) -> tuple[str, str] | str:
        if answer := self.orders.answer(key, decision, self.done.table.state):
            return answer
        if len(options) == 1 and self._all_see_one():
            return options[0], "forced"
        kind = self.view.play.ruleset.kinds[decision.kind]
        return f"then you are asked for {kind.name} ({kind.question})"

    def _all_see_one(self) -> bool:
        """The other seats do not see which hidden cards are equal."""
        public = self.public
        for entry in self.done.entries[self.told :]:
            public.send(entry.seen(PUBLIC).text)
        self.told = len(self.done.entries)
        return forced(public.pending[0][1])

    def _theirs(self, decision: Decision, options: list[str]) -> tuple[str, str] | str:
        if len(set(options)) == 1 and not decision.script:  # one step is not an answer
            return options[0], "" if UNKNOWN in options[0] else "forced"
        if DONE in options:
            return DONE, "default"
        if decision.default and not decision.script and not any(UNKNOWN in o for o in options):
            return decision.default(), "default"
        name = self.view.names.get(decision.seat, decision.seat)
        kind = self.view.play.ruleset.kinds[decision.kind]
        return f"then {name} decides: {kind.question}"


# ---- The lines of one kind in an order file

ALWAYS = "always"
_parsed = lru_cache(8)(parse)
"""Remembers parsed files: a page asks for the lines of each kind of the same text."""
_INDENT = "    "
_SHORT = 60


def lines_in(text: str, kind: str, always: bool) -> list[str]:
    """Return the lines of a kind as they are written in an order file. Raises Broken."""
    doc = _parsed(text)
    table = doc.get(ALWAYS, {}) if always else doc
    found = table.get(_key(doc, kind, always), []) if isinstance(table, dict) else []
    lines = [found] if isinstance(found, str) else found
    return [line for line in lines if isinstance(line, str)] if isinstance(lines, list) else []


def with_lines(text: str, kind: str, always: bool, lines: Sequence[str]) -> str:
    """Return the order file with other lines of one kind; all else stays. Raises Broken."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    key = _key(parse(text), kind, always)
    value = _Value.find(text, ALWAYS if always else "", key)
    if value is not None:
        return f"{text[: value.begin]}{value.written(lines)}{text[value.end :]}"
    return _added(text, f"{kind} = {_Value(0, 0).written(lines)}\n", always)


def _key(doc: dict[str, object], kind: str, always: bool) -> str:
    """Capitals in the name of a kind do not matter."""
    table = doc.get(ALWAYS, {}) if always else doc
    keys = table if isinstance(table, dict) else {}
    return next((key for key in keys if key.lower() == kind), kind)


def _added(text: str, line: str, always: bool) -> str:
    head = re.search(rf"^[ \t]*\[[ \t]*{ALWAYS}[ \t]*\][^\n]*(?:\n|\Z)", text, re.MULTILINE)
    whole = text if text.endswith("\n") or not text else f"{text}\n"
    if head is None:
        return f"{whole}\n[{ALWAYS}]\n{line}" if always else f"{whole}\n{line}"
    if always:
        end = "" if head[0].endswith("\n") else "\n"
        return f"{text[: head.end()]}{end}{line}{text[head.end() :]}"
    return f"{text[: head.start()]}{line}\n{text[head.start() :]}"


@dataclass
class _Value:
    begin: int
    end: int
    spelled: dict[str, str] = field(default_factory=dict)
    """For each line, how the file spells it."""
    beside: dict[str, str] = field(default_factory=dict)
    """For each line, the comment beside it."""
    comments: list[str] = field(default_factory=list)
    """The comments that have a line to themselves."""

    @classmethod
    def find(cls, text: str, table: str, key: str) -> _Value | None:
        at, here = "", False
        value, depth, line = cls(0, 0), 0, ""
        for token in TOKEN.finditer(text):
            said = token[0]
            if not here:
                at = token["name"] if token["table"] else at
                here = bool(token["key"]) and (at, token["word"]) == (table, key)
                continue
            if token.lastgroup == "string":
                line = value._take(said)
            elif token.lastgroup == "comment":
                value._remark(said, line)
            depth += {"[": 1, "]": -1}.get(said, 0)
            line = "" if said == "\n" else line
            value.begin = value.begin or (0 if said.isspace() else token.start())
            if value.begin and not depth and not said.isspace():
                value.end = token.end()
                return value
        return None

    def _take(self, token: str) -> str:
        said = parse(f"x = {token}")["x"]
        assert isinstance(said, str)
        self.spelled[said] = token
        return said

    def _remark(self, comment: str, line: str) -> None:
        if line:
            self.beside[line] = comment
        else:
            self.comments.append(comment)

    def written(self, lines: Sequence[str]) -> str:
        strings = [self.spelled.get(line, _quoted(line)) for line in lines]
        beside = [self.beside.get(line, "") for line in lines]
        if not self.comments and not any(beside) and sum(map(len, strings)) < _SHORT:
            return f"[{', '.join(strings)}]"
        rows = [
            f"{_INDENT}{string}," + (f"   {comment}" if comment else "")
            for string, comment in zip(strings, beside, strict=True)
        ]
        return "\n".join(["[", *rows, *(f"{_INDENT}{one}" for one in self.comments), "]"])


def _quoted(line: str) -> str:
    return json.dumps(line, ensure_ascii=False).replace("\x7f", "\\u007f")


# ---- Earlier orders that still count


@dataclass
class Kept:
    """Lines of the orders for this round that can still be used, without standing orders."""

    lines: list[Line] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """Comments: which orders these are, and which of their lines are no longer possible."""

    def of(self, kind: str) -> list[Line]:
        """Return the kept lines of one kind."""
        return [line for line in self.lines if line.kind == kind]


def kept_lines(view: View) -> Kept:
    """Find the lines that a new draft takes over; none if the orders were for a different round."""
    if not view.orders or view.seat not in view.accepted or not _same_round(view):
        return Kept()
    plain = [line for line in view.lines if not line.always and line.number not in _used(view)]
    asked = {d.kind for _, d in view.table.pending if d.seat == view.seat}
    problems = LineChecker(view.table, view.seat, plain).run()
    wrong = {problem.line: problem.what for problem in problems if problem.level == "error"}
    remarks = [
        f"# Your orders {view.orders[:6]} (revision {view.revision}) for this round still count.",
        "# What you seal now replaces all of them. The lines below can still be used.",
    ]
    remarks += [
        f"# No longer possible: {line.kind}: {written(line.text)} ({wrong[line.number]})"
        for line in plain
        if line.number in wrong
    ]
    kept = [line for line in plain if line.number not in wrong]
    return Kept(kept, [*remarks, ""] if kept or wrong or asked else [])


def _same_round(view: View) -> bool:
    answered = view.accepted[view.seat] - 1
    return answered > 0 and view.round_at(answered) == view.table.state.round


def _used(view: View) -> set[int]:
    kinds, begin = view.play.ruleset.kinds, view.ends[view.accepted[view.seat] - 2]
    used: set[int] = set()
    for entry in view.log[begin:]:
        kind, number = entry.key.split(".")[2], line_number(entry.by)
        if entry.seat != view.seat or number is None or not entry.by.startswith("line "):
            continue
        if kind in kinds and kinds[kind].script:
            whole = len(entry.text.split("; "))
            used |= set(range(number, number + whole))
    return used


# ---- What each line would choose now


def lines_now(
    ruleset: Ruleset[Any], state: Any, decision: Decision, lines: Sequence[Line]
) -> list[str]:
    """Say what each line would choose if it were alone: `"plants only" → a1 eats`."""
    if decision.script:
        return []
    options = decision.listed()
    return [
        f"{written(line.text)} → {_now(ruleset, state, decision, options, line)}" for line in lines
    ]


def _now(
    ruleset: Ruleset[Any], state: Any, decision: Decision, options: list[str], line: Line
) -> str:
    said = ruleset.ready_lines.read(line.kind, line.text)
    if said is None:
        found = first_fit(line.text, options)
    elif said.line.keeps:
        kept = said.line.keeps(state.clone(PUBLIC), decision.seat, options, said.argument)
        left_out = len(options) - len(kept) if kept else 0
        return (
            f"leaves out {left_out} of {len(options)} choices" if left_out else "leaves out nothing"
        )
    else:
        found = chosen(said, state, decision.seat, options)
    return spaced(bare(found)) if found else "nothing: it is not possible now"


# ---- Ready lines as comments, which players can uncomment

Now = Callable[[ReadyLine], "str | None"]
"""Takes a ready line, and returns what it would choose now."""
_ALWAYS = "   # always answers"


def ready_choices(
    ruleset: Ruleset[Any], kind: str, seat: str, names: Mapping[str, str], now: Now | None
) -> list[str]:
    """List the ready lines of a kind that may be plain lines, one for each player if they name a
    player.

    If the question is open, `now` tells what a line would choose.
    """
    lines = [line for line in ruleset.ready_lines.of(kind) if not line.own]
    if not lines:
        return []
    seats = sorted(names)
    other = (seats[seats.index(seat) + 1 :] + seats[: seats.index(seat)])[0]
    found = [f"    # {_offer(line, other, names, now)}" for line in lines]
    if not any(line.total for line in lines):
        found.append(f"    # {written(ruleset.kinds[kind].ends)},{_ALWAYS}")
    return [f"    # in words (`pbem explain {kind}` says what they do):", *found]


def _offer(line: ReadyLine, other: str, names: Mapping[str, str], now: Now | None) -> str:
    text = f"{written(line.sentence.replace('{seat}', other))},"
    if line.keeps:
        return f"{text}   # {names.get(other, other)}; this also applies to lines with *"
    always = _ALWAYS if line.total else ""
    if now is None:
        return f"{text}{always}"
    chosen = now(line)
    told = f"   # now: {spaced(bare(chosen))}" if chosen else "   # now: nothing"
    return f"{text}{told}{always.replace('   #', ';')}"


def standing_choices(ruleset: Ruleset[Any], kinds: Collection[str]) -> list[str]:
    """Suggest, for every kind without a standing order, a ready line that always answers."""
    found = []
    for kind in ruleset.kinds.values():
        line = total_line(ruleset, kind)[0]
        if line and kind.name not in kinds and not (kind.cards and kind.script):
            found.append(f"# {kind.name} = [{written(line)}]")
    if ruleset.stops and STOP not in kinds:
        told = ", ".join(f'"{one.sentence}"' for one in ruleset.stops).replace("{n}", "3")
        found += [
            "# When should standing orders stop, so that you are asked again?",
            f"# stop = [{told}]",
        ]
    return found


# ---- The draft

WIDTH = 98
_TIED = "\0"
HOW = (
    "# Remove the # from a line to use it. Case and brackets do not matter. You can shorten words.",
    "# `pbem explain` explains cards, `pbem check` finds mistakes, `pbem submit` seals the orders.",
)
LATER = "# ---- Not asked now. You might be asked these later; you can already answer them now."


def write_draft(view: View) -> str:
    """Write a draft for the view's seat: empty lists, with the choices as comments."""
    return "\n".join(_Writing(view).parts())


class _Writing:
    def __init__(self, view: View) -> None:
        self.view, self.ruleset = view, view.play.ruleset
        self.asked = {d.kind: d for _, d in view.table.pending if d.seat == view.seat}
        self.kept: Kept = kept_lines(view)

    def parts(self) -> list[str]:
        view, kinds = self.view, self.ruleset.kinds
        ahead = [k for name, k in kinds.items() if name not in self.asked and may_come(view, name)]
        parts = [*self._head(), *self._table(), "", *HOW, *self._header()]
        for name, decision in self.asked.items():
            parts += self._asked(kinds[name], decision)
        if ahead:
            parts.append(LATER)
        for kind in ahead:
            parts += self._ahead(kind)
        return [*parts, *self._always(), ""]

    def _head(self) -> list[str]:
        view, table = self.view, self.view.table
        name = clean(view.names[view.seat])
        where = f"round {table.state.round}" + (f", {phase_of(view)}" if phase_of(view) else "")
        title = f"{clean(view.title)} · turn {view.turn} · seat {view.seat} ({name}) · {where}"
        questions = [f"{kind} ({self.ruleset.kinds[kind].question})" for kind in self.asked]
        told = "; ".join(questions) or "nothing now; you may write lines for later"
        return [f"# {title}", f"# You are asked for: {told}", *self._refused()]

    def _refused(self) -> list[str]:
        return [
            f"# Your orders {order[:6]} were refused: {clean(line)}: {clean(why)}"
            for order, line, why in self.view.refused
        ]

    def _table(self) -> list[str]:
        view = self.view
        scene = self.ruleset.scene(view.table.state)
        lines = _comments(facts(scene.facts, view.names))
        seats = [place.seat for place in scene.places]
        begin = seats.index(view.seat)
        for place in (*scene.places[begin:], *scene.places[:begin]):
            lines += self._place(place)
        return lines

    def _place(self, place: Place) -> list[str]:
        mine = place.seat == self.view.seat
        name = clean(self.view.names.get(place.seat, ""))
        head = f"{place.seat} {name}" + (" (you)" if mine else "")
        said = [spaced(fact) for fact in facts(place.facts, {})]
        known = [spaced(card) for card in place.hand if card != UNKNOWN]
        lines = [
            "#",
            *_comments([f"{head}:", *said, *([] if known else [f"hand {len(place.hand)}"])]),
        ]
        for piece in place.pieces:
            body = spaced(", ".join(f"{label} {value}" for label, value in piece.facts))
            cards = [spaced(card) for card in piece.cards]
            head = f"#   {piece.name}: {body}" + (" | " if cards else "")
            lines += _comments(cards, head) if cards else [head]
        return lines + (_comments(known, "#   your hand: ") if known else [])

    def _header(self) -> list[str]:
        view = self.view
        return [
            "",
            f'game = "{view.game[:6]}"',
            f'answers = "{position(view)}"',
            f'seat = "{view.seat}"',
            "",
            *self.kept.remarks,
        ]

    def _asked(self, kind: Kind, decision: Decision) -> list[str]:
        options = decision.listed([]) if decision.script else decision.listed()
        script = LineChecker(self.view.table, self.view.seat, []).script(kind.name)
        return [
            f"# ---- Asked now: {kind.question}. {how_read(kind, decision.script)}",
            *self._array(kind, options, script if kind.script else None),
        ]

    def _ahead(self, kind: Kind) -> list[str]:
        title = f"# {kind.question[:1].upper()}{kind.question[1:]}. {how_read(kind)}"
        found = LineChecker(self.view.table, self.view.seat, self.kept.lines).ahead(kind.name)
        options = [] if found is None else found.listed([]) if found.script else found.listed()
        if (
            not {*options} - {kind.ends}
            and not self._in_words(kind)
            and not self.kept.of(kind.name)
        ):
            seen = self._seen(kind.name)
            example = f"#   examples from this game: {', '.join(seen)}"
            return [title, example, f"{kind.name} = []", ""] if seen else []
        now = ["#   possible after the lines above:"]
        steps = found is None or found.script
        return [title, *([] if steps else now), *self._array(kind, options, found)]

    def _in_words(self, kind: Kind) -> bool:
        return any(not line.own for line in self.ruleset.ready_lines.of(kind.name))

    def _array(self, kind: Kind, options: Sequence[str], script: Decision | None) -> list[str]:
        after = script.listed if script is not None and script.script else None
        names = {seat: clean(name) for seat, name in self.view.names.items()}
        choices = choice_lines(self.ruleset, options, after, names)
        choices += self._second(kind, options, after, names)
        choices += ready_choices(
            self.ruleset, kind.name, self.view.seat, names, self._chooses(kind.name)
        )
        kept = [f"    {written(line.text)}," for line in self.kept.of(kind.name)]
        return [f"{kind.name} = [", *kept, *choices, "]", ""]

    def _second(
        self, kind: Kind, options: Sequence[str], after: Listed | None, names: Mapping[str, str]
    ) -> list[str]:
        """Write the choices for the second step, if the list cannot end with the first step."""
        if after is None or not (found := second_steps(options, after, kind.ends)):
            return []

        def following(steps: Sequence[str]) -> Sequence[str]:
            return after([options[0], *steps])

        last = sorted(found, key=lambda option: option == kind.ends)
        return [
            "    # after that, any of these that are still possible:",
            *choice_lines(self.ruleset, last, following, names),
        ]

    def _chooses(self, kind: str) -> Now | None:
        decision = self.asked.get(kind)
        if decision is None or decision.script:
            return None
        options, seat = decision.listed(), self.view.seat
        return lambda line: chosen(Said(line, ""), self.view.table.state, seat, options)

    def _seen(self, kind: str) -> list[str]:
        found: dict[str, str] = {}
        for entry in self.view.log:
            if entry.key.split(".")[2] == kind and UNKNOWN not in entry.text:
                step = entry.text.split("; ")[0]
                found.setdefault(form_of(self.ruleset, step)[0], written(step))
        return list(found.values())[:3]

    def _always(self) -> list[str]:
        """In a first draft, these are the suggestions of the ruleset."""
        kept = [line for line in self.view.lines if line.always]
        if not self.view.texts:
            kept = [
                Line(0, kind.name, kind.suggestion, True)
                for kind in self.ruleset.kinds.values()
                if kind.suggestion
            ]
        kinds: dict[str, list[str]] = {}
        for line in kept:
            kinds.setdefault(line.kind, []).append(written(line.text))
        return [
            "[always]   # standing orders: kept until replaced; the first line that fits counts",
            *(row for kind, texts in kinds.items() for row in self._standing(kind, texts)),
            *([] if kinds else self._example()),
            *standing_choices(self.ruleset, kinds),
        ]

    def _standing(self, kind: str, texts: Sequence[str]) -> list[str]:
        row = f"{kind} = [{', '.join(texts)}]"
        if (decision := self.asked.get(kind)) is None:
            return [row]
        mine = [line for line in self.view.lines if line.always and line.kind == kind]
        now = lines_now(self.ruleset, self.view.table.state, decision, mine)
        return [row, *(f"#   now: {told}" for told in now)]

    def _example(self) -> list[str]:
        for name, kind in self.ruleset.kinds.items():
            for text in [] if kind.script else self._seen(name):
                wide = re.sub(r'^"[a-p][0-9]+ ', '"* ', text)
                if wide != text and form_of(self.ruleset, text[1:-1])[0] not in self.ruleset.harms:
                    return [f"# for example: {name} = [{wide}]"]
        return []


def how_read(kind: Kind, whole: bool = False) -> str:
    """Say how the lines of a kind are read; with `whole`, all lines together are one answer."""
    if whole:
        must = f'the last must be "{kind.ends}", or the list does not count'
        return f"The lines are used in order; {must}."
    if kind.script:
        return f'The lines are used in order, from top to bottom; "{kind.ends}" ends the list.'
    return "The first line that fits counts; * stands for any name, as in * eats."


def _comments(parts: Sequence[str], head: str = "# ") -> list[str]:
    """Lines are broken only between parts."""
    whole = [part.replace(" ", _TIED) if len(part) < WIDTH // 2 else part for part in parts]
    first, *rest = whole
    gap = " " if first.endswith(":") else " · "
    text = head + (gap.join([first, " · ".join(rest)]) if rest else first)
    lines = textwrap.wrap(text, WIDTH, subsequent_indent="#      ", break_on_hyphens=False)
    return [line.replace(_TIED, " ") for line in lines]
