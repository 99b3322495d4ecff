"""Write a draft of orders, change its lines, say orders back in prose, and forecast them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from functools import cached_property
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
    Ruleset,
    Table,
    bare,
    first_fit,
    forced,
    line_number,
)
from engine.sentences.ready_lines import chosen_option
from engine.values import Mutable
from pbem.drafts.offers import (
    Choice,
    Question,
    grouped,
    new_piece,
    phase_of,
    pieces_in,
    questions,
)
from pbem.drafts.read import position
from pbem.judge.lines import LineChecker, decisions_by_kind, total_line
from pbem.judge.view import View, has_answered_this_round
from pbem.terminal.table import facts, for_people
from pbem.terminal.tell import Teller, spaced
from pbem.terminal.terminal import clean

# ---- Orders in prose, to check before sealing


AGAIN = "then you are asked again"
SUGGESTED = " (as pbem suggests)"


def said_back(view: View, lines: Sequence[Line]) -> list[str]:
    """Write orders as prose, a line for each kind: `play: fat 2 on b1; climbing 2 on b2`."""
    said, kinds = each_said(view, lines), view.play.ruleset.kinds
    checker = LineChecker(view.table, view.seat, lines)
    rows = []
    order = dict.fromkeys(line.kind for line in lines)
    for kind, always in [*((kind, False) for kind in order), *((kind, True) for kind in order)]:
        mine = [line for line in lines if (line.kind, line.always) == (kind, always)]
        if not mine:
            continue
        if kind == STOP:
            told = f"when {', or '.join(line.text for line in mine)}, you are asked again"
        elif kinds[kind].script and not always:
            told = _steps_said(mine, said, kinds[kind].ends, checker.is_single_answer(kind))
        else:
            told = _policy_said(view, mine, said)
            if always and [line.text for line in mine] == [kinds[kind].suggestion]:
                told += SUGGESTED
        rows.append(f"{'always ' if always else ''}{kind}: {told}")
    return rows or ["no orders: this only tells the referee that you are here"]


def _steps_said(mine: Sequence[Line], said: Mapping[int, str], end: str, whole: bool) -> str:
    lines = [line for line in mine if line.text != SKIP]
    steps = [said[line.number] for line in lines if line.text != DONE or len(lines) == 1]
    if end not in [line.text for line in lines]:
        steps.append(f'but the list does not count until it ends with "{end}"' if whole else AGAIN)
    return "; ".join([*steps, *(["what is not possible is left out"] if lines != mine else [])])


def _policy_said(view: View, mine: Sequence[Line], said: Mapping[int, str]) -> str:
    """Write these lines as one phrase; those that limit other lines come last."""
    read = view.play.ruleset.ready_lines.read
    limits = {x.number for x in mine if (one := read(x.kind, x.text)) and one.line.keeps}
    tries = ", else ".join(said[line.number] for line in mine if line.number not in limits)
    return "; ".join(filter(None, [tries, *(said[x.number] for x in mine if x.number in limits)]))


def each_said(view: View, lines: Sequence[Line]) -> dict[int, str]:
    """Write each line as prose, by its number: `climbing 2 for a new species b2`."""
    ruleset, teller = view.play.ruleset, Teller(view.play.ruleset, view.names)
    new, said = _new_pieces(view, lines), {}
    for line in lines:
        ready = None if line.kind == STOP else ruleset.ready_lines.read(line.kind, line.text)
        if line.kind == STOP:
            said[line.number] = f"when {line.text}, you are asked again"
        elif ruleset.kinds[line.kind].script and not line.always:
            skips = line.text == SKIP
            said[line.number] = SKIP if skips else teller.order(line.text, new.get(line.number, ""))
        elif ready:
            name = teller.names.get(ready.argument, ready.argument)
            said[line.number] = ready.line.describe(name)
        else:
            said[line.number] = teller.order(line.text)
    return said


def _new_pieces(view: View, lines: Sequence[Line]) -> dict[int, str]:
    ruleset, checker = view.play.ruleset, LineChecker(view.table, view.seat, lines)
    makes = {form for form, told in ruleset.prose().orders.items() if "{new}" in told}
    names: dict[int, str] = {}
    for kind in {line.kind for line in lines if line.kind != STOP}:
        script = checker.script(kind) if ruleset.kinds[kind].script else None
        known = pieces_in(ruleset, script.option_list([])) if script else set()
        for line, options in checker.carried_out(kind) if script else ():
            if ruleset.forms.read(line.text)[0] in makes:
                names[line.number] = new_piece(ruleset, known, options)
            known |= pieces_in(ruleset, options)
    return names


# ---- The forecast

MOST_STEPS, MOST_STAND_IN = 400, 8
_SHOWN = re.compile(r"(?<!\[)\?")
"""A card that others will see, but that is not known yet; hidden cards are in brackets."""
_NUMBER = re.compile(r"-?\d+")


class Forecast:
    """What the seat's lines do on a copy of its table; other seats do nothing wherever the rules
    allow that.

    The forecast ends where chance, another player's choice or a hidden card decides, and where the
    seat would be asked.
    """

    def __init__(self, view: View, lines: Sequence[Line]) -> None:
        self.view, self.table = view, view.table_again()
        self.entries: list[Entry] = []
        """The entries that would follow."""
        self.end = ""
        """Why the forecast ends."""
        self.place: Place | None = None
        """The seat's own place after the last thing that the seat does, as long as nobody else
        changes it; None if the seat does nothing."""
        state = self.table.state
        self.orders = view.play.ruleset.orders(view.seat, state.round, lines, state)
        self._listed = {line.kind for line in lines if not line.always}
        self._seen = 0
        self._run()

    def _run(self) -> None:
        mine, alone, acts = self._mine(), True, False
        while self.table.pending and len(self.entries) < MOST_STEPS:
            key, decision = self.table.pending[0]
            settled = self._settle(key, decision)
            if isinstance(settled, str):
                self.end = settled
                if alone and (acts or mine == self._mine()):
                    self._end_wave(acts)
                return
            entry = Entry(key, decision.seat, *settled, to=decision.to)
            self.entries.append(entry)
            if entry.seat == self.view.seat and not acts:
                acts, alone = True, alone and mine == self._mine()
            before = self.table.entries
            self.table.send(entry.text)
            self.orders.entered(entry, self.table.state)
            if acts and alone and self.table.entries > before:  # the wave is complete
                mine = self._mine()
                self.place = self.place if decision.fact else mine
            acts = acts and self.table.entries == before
        self.end = "" if self.table.pending else "then the game is over"

    def _end_wave(self, acts: bool) -> None:
        """Set `place` although another player's choice ends the forecast in the middle of a wave:
        complete the wave with any answers, because what others choose at the same time as the seat
        does not change its place."""
        texts = []
        for key, decision in self.table.pending:
            settled = self._settle(key, decision)
            acts = acts or decision.seat == self.view.seat
            if not isinstance(settled, str):
                texts.append(settled[0])
            elif decision.seat != self.view.seat and (text := self._stand_in(decision)):
                texts.append(text)
            else:
                return
        if acts and len(self.table.open_decisions) > 1:
            for text in texts:
                self.table.send(text)
            self.place = self._mine()

    def _stand_in(self, decision: Decision) -> str:
        """Choose an answer for another seat. Of unknown cards it takes those with the greatest
        numbers, so that the round does not end at once for lack of food."""
        steps: list[str] = []
        while decision.script and decision.ends not in steps:
            options = decision.option_list(steps)
            if not options or len(steps) == MOST_STAND_IN:
                return ""
            steps.append(decision.ends if decision.ends in options else options[0])
        cards = next(iter(self.view.play.ruleset.decks.values()))
        shown = max(cards, key=lambda card: int((_NUMBER.search(card) or "0")[0]))
        return _SHOWN.sub(shown, "; ".join(steps))

    def _mine(self) -> Place | None:
        places = self.view.play.ruleset.scene(self.table.state).places
        return next((place for place in places if place.seat == self.view.seat), None)

    @property
    def said(self) -> list[str]:
        """The entries as sentences, and why the forecast ends."""
        teller = Teller(self.view.play.ruleset, self.view.names)
        told = [sentence for entry in self.entries for sentence in teller.entry(entry)]
        return [*told, self.end or "and so on"]

    def _settle(self, key: str, decision: Decision) -> tuple[str, str] | str:
        options = decision.option_list([]) if decision.script else decision.option_list()
        if decision.seat == CHANCE:
            return "then chance decides"
        if decision.fact:
            known = UNKNOWN not in options[0]
            return (options[0], "fact") if known else "then other players' cards are revealed"
        kind = self.view.play.ruleset.kinds[decision.kind]
        if decision.seat != self.view.seat:
            return self._theirs(kind, decision, options)
        if answer := self.orders.answer(key, decision, self.table.state):
            return answer
        if len(options) == 1 and self._all_see_one():
            return options[0], "forced"
        if decision.unasked and decision.default:
            return decision.default(), "default"
        told = f"then you are asked for {kind.name} ({kind.question})"
        if decision.script and kind.name in self._listed:
            told = f'your lines for {kind.name} do not end with "{kind.ends}", so they do not count'
            return f"{told} yet; then you are asked for them ({kind.question})"
        return told

    @cached_property
    def _public(self) -> Table[Any]:
        return self.view.table_again(PUBLIC)

    def _all_see_one(self) -> bool:
        """Return whether the public table too lists only one option: it does not show which hidden
        cards are equal, so it can list several where this seat sees one."""
        for entry in self.entries[self._seen :]:
            self._public.send(entry.masked_for(PUBLIC).text)
        self._seen = len(self.entries)
        return forced(self._public.pending[0][1])

    def _theirs(self, kind: Kind, decision: Decision, options: list[str]) -> tuple[str, str] | str:
        if len(set(options)) == 1 and not decision.script:  # one step is not an answer
            return options[0], "" if UNKNOWN in options[0] else "forced"
        if DONE in options:
            return DONE, "default"
        if decision.default and not decision.script and not any(UNKNOWN in o for o in options):
            return decision.default(), "default"
        name = self.view.names.get(decision.seat, decision.seat)
        return f"then {name} decides: {kind.question}"


# ---- Earlier orders that still count


class Kept(Mutable):
    """Lines of the orders for this round that can still be used, without standing orders."""

    lines: list[Line] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """Comments: which orders these are, and which of their lines are no longer possible."""

    def of(self, kind: str) -> list[Line]:
        """Return the kept lines of one kind."""
        return [line for line in self.lines if line.kind == kind]


def kept_lines(view: View) -> Kept:
    """Find the lines that a new draft takes over; none if the orders were for a different round."""
    if not view.orders or not has_answered_this_round(view, view.seat):
        return Kept()
    used = _used(view)
    plain = [line for line in view.lines if not line.always and line.number not in used]
    asked = decisions_by_kind(view.table, view.seat)
    problems = LineChecker(view.table, view.seat, plain).run()
    wrong = {problem.line: problem.sentence for problem in problems if problem.level == "error"}
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


def standing_orders_now(view: View) -> list[Line]:
    """Return the seat's standing orders; before its first orders, those that the rules suggest."""
    if view.texts:
        return [line for line in view.lines if line.always]
    kinds = view.play.ruleset.kinds.values()
    return [Line(0, kind.name, kind.suggestion, True) for kind in kinds if kind.suggestion]


def _used(view: View) -> set[int]:
    kinds, begin = view.play.ruleset.kinds, view.log_lengths[view.accepted[view.seat] - 2]
    used: set[int] = set()
    for entry in view.log[begin:]:
        kind, number = entry.kind, line_number(entry.by)
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
    options, rows = decision.option_list(), []
    for line in lines:
        ready = ruleset.ready_lines.read(line.kind, line.text)
        if ready is not None and ready.line.keeps:
            kept = ready.line.keeps(state.clone(PUBLIC), decision.seat, options, ready.argument)
            fewer = len(options) - len(kept) if kept else 0
            told = f"leaves out {f'{fewer} of {len(options)} choices' if fewer else 'nothing'}"
        else:
            seat = decision.seat
            choice = (
                chosen_option(ready, state, seat, options)
                if ready
                else first_fit(line.text, options)
            )
            told = spaced(bare(choice)) if choice else "nothing: it is not possible now"
        rows.append(f"{written(line.text)} → {told}")
    return rows


# ---- Choices as comments, which players can uncomment

_ALWAYS = "   # always answers"


def choice_rows(
    ruleset: Ruleset[Any], choices: Sequence[Choice], names: Mapping[str, str]
) -> list[str]:
    """Write choices as comments, grouped by the card or piece that acts.

    The line of a choice that makes a new piece says the piece's name: `# it will be b3`.
    """
    rows = []
    for title, some in grouped([one for one in choices if one.group != "*"]):
        rows += [f"    # {title}:"] if title else []
        for one in some:
            makes = f"   # it will be {one.makes}" if one.makes else ""
            rows.append(f"    # {written(one.text)},{makes}")
        for one in choices:
            if one.group == "*" and ruleset.forms.read(one.text)[1]["sp"] == some[0].group:
                whose = f"any {ruleset.prose().piece} of {names[one.names[0]]}"
                rows.append(f"    # {written(one.text)},   # {whose}")
    return rows


def ready_rows(question: Question, end: str, seat: str, names: Mapping[str, str]) -> list[str]:
    """Write the ready lines of a question as comments; a line that names a player is written for
    the next one."""
    if not question.words:
        return []
    seats = sorted(names)
    other = (seats[seats.index(seat) + 1 :] + seats[: seats.index(seat)])[0]
    rows = [f"    # in words (`pbem explain {question.kind}` says what they do):"]
    lines = [
        (one, one.ready) for one in question.words if one.names in ((), (other,)) and one.ready
    ]
    for one, line in lines:
        remark = _ALWAYS if line.total else ""
        if line.keeps:
            remark = f"   # {names[other]}; this also applies to lines with *"
        elif one.now:
            remark = f"   # now: {one.now}{remark.replace('   #', ';')}"
        rows.append(f"    # {written(one.text)},{remark}")
    if not any(line.total for _, line in lines):
        rows.append(f"    # {written(end)},{_ALWAYS}")
    return rows


def written(option: str) -> str:
    """Write the option as a TOML string for an order file."""
    text = spaced(bare(option)).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


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

WIDTH = 80
_TIED = "\0"
_QUOTED = re.compile(r'"[^"]*"')
_REMARKED = re.compile(r'(    # "[^"]*",)   # (.*)')
HOW = (
    "# Remove the # from a line to use it. Case and brackets do not matter. You can",
    "# shorten words. `pbem explain` explains cards, `pbem check` finds mistakes, and",
    "# `pbem submit` seals the orders.",
)
LATER = "# ---- Not asked now. You can already answer what you may be asked later."


def write_draft(view: View) -> str:
    """Write a draft for the view's seat: empty lists, with the choices as comments."""
    rows = (row for part in _Writing(view).parts() for row in part.split("\n"))
    return "\n".join(narrow for row in rows for narrow in _narrow(row))


def _narrow(row: str) -> list[str]:
    """Break a line of a draft that is too long; a quoted line stays whole."""
    if len(row) <= WIDTH:
        return [row]
    if remarked := _REMARKED.fullmatch(row):
        return [remarked[1], *_narrow(f"    #     {remarked[2]}")]
    indent = row[: len(row) - len(row.lstrip(" "))]
    tied = _QUOTED.sub(lambda found: found[0].replace(" ", _TIED), row.lstrip(" "))
    later = f"{indent}#     " if tied.startswith("#") else f"{indent}    "
    rows = textwrap.wrap(
        tied, WIDTH, initial_indent=indent, subsequent_indent=later,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return [one.replace(_TIED, " ") for one in rows]


class _Writing:
    def __init__(self, view: View) -> None:
        self.view, self.ruleset = view, view.play.ruleset
        self.asked = decisions_by_kind(view.table, view.seat)
        self.kept: Kept = kept_lines(view)
        self.questions = questions(view, self.kept.lines, begun=False)

    def parts(self) -> list[str]:
        view = self.view
        where = f"round {view.table.state.round}"
        where += f", {phase_of(view)}" if phase_of(view) else ""
        name = clean(view.names[view.seat])
        asked = [one for one in self.questions if one.asked]
        ahead = [one for one in self.questions if not one.asked]
        told = (
            "; ".join(f"{one.kind} ({one.asks})" for one in asked)
            or "nothing now; you may write lines for later"
        )
        parts = [
            f"# {clean(view.title)} · turn {view.turn} · seat {view.seat} ({name}) · {where}",
            f"# You are asked for: {told}",
            *(
                f"# Your orders {order[:6]} were refused: {clean(line)}: {clean(why)}"
                for order, line, why in view.rule_refusals
            ),
            *self._table(),
            "",
            *HOW,
            "",
            f'game = "{view.game[:6]}"',
            f'answers = "{position(view)}"',
            f'seat = "{view.seat}"',
            "",
            *self.kept.remarks,
        ]
        for one in asked:
            how = how_read(self.ruleset.kinds[one.kind], one.whole, star(self.ruleset, one.offers))
            parts += [f"# ---- Asked now: {one.asks}", f"# {how}", *self._array(one)]
        if ahead:
            parts.append(LATER)
        for one in ahead:
            parts += self._ahead(one)
        return [*parts, *self._always(), ""]

    def _table(self) -> list[str]:
        view = self.view
        scene = for_people(self.ruleset.scene(view.table.state), self.ruleset)
        lines = _comments(facts(scene.facts, view.names))
        others, mine = scene.around(view.seat)
        for at in (*mine, *others):
            lines += self._place(scene.places[at])
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

    def _ahead(self, one: Question) -> list[str]:
        kind = self.ruleset.kinds[one.kind]
        how = how_read(kind, example=star(self.ruleset, one.offers))
        title = f"# {one.asks[:1].upper()}{one.asks[1:]}. {how}"
        choices = any(choice.text != kind.ends for choice in one.choices)
        if not (choices or self.kept.of(one.kind)):
            seen = self._seen(one.kind)
            example = f"#   examples from this game: {', '.join(seen)}"
            return [title, example, f"{one.kind} = []", ""] if seen else []
        now = ["#   possible after the lines above:"] if one.offers and not one.script else []
        return [title, *now, *self._array(one)]

    def _array(self, one: Question) -> list[str]:
        kind = self.ruleset.kinds[one.kind]
        names = {seat: clean(name) for seat, name in self.view.names.items()}
        rows = [f"    {written(line.text)}," for line in self.kept.of(one.kind)]
        rows += choice_rows(self.ruleset, one.offers, names)
        if one.second:
            last = sorted(one.second, key=lambda choice: choice.text == kind.ends)
            rows.append("    # after that, any of these that are still possible:")
            rows += choice_rows(self.ruleset, last, names)
        if one.on_new:
            texts = ", ".join(written(choice.text) for choice in one.on_new)
            piece = self.ruleset.prose().piece
            rows.append(f"    # after a line that makes a new {piece}, for example: {texts}")
        rows += ready_rows(one, kind.ends, self.view.seat, names)
        return [f"{one.kind} = [", *rows, "]", ""]

    def _seen(self, kind: str) -> list[str]:
        found: dict[str, str] = {}
        for entry in self.view.log:
            if entry.kind == kind and UNKNOWN not in entry.text:
                step = entry.text.split("; ")[0]
                found.setdefault(self.ruleset.forms.read(step)[0], written(step))
        return list(found.values())[:3]

    def _always(self) -> list[str]:
        kinds: dict[str, list[Line]] = {}
        for line in standing_orders_now(self.view):
            kinds.setdefault(line.kind, []).append(line)
        rows = ["[always]   # standing orders: kept until replaced; the first that fits counts"]
        for kind, lines in kinds.items():
            rows.append(f"{kind} = [{', '.join(written(line.text) for line in lines)}]")
            if self.view.texts and (decision := self.asked.get(kind)) is not None:
                now = lines_now(self.ruleset, self.view.table.state, decision, lines)
                rows += [f"#   now: {told}" for told in now]
        return [*rows, *([] if kinds else self._example()), *standing_choices(self.ruleset, kinds)]

    def _example(self) -> list[str]:
        """An example of a standing order: a line from this game, for any piece."""
        for name, kind in self.ruleset.kinds.items():
            for text in [] if kind.script else self._seen(name):
                wide = re.sub(r'^"[a-p][0-9]+ ', '"* ', text)
                if (
                    wide != text
                    and self.ruleset.forms.read(text[1:-1])[0] not in self.ruleset.harms
                ):
                    return [f"# for example: {name} = [{wide}]"]
        return []


def how_read(kind: Kind, whole: bool = False, example: str = "") -> str:
    """Say how the lines of a kind are read; with `whole`, all lines together are one answer.

    `example` is a line with a star that fits now, if there is one.
    """
    if whole:
        return f'The lines are used in order. End with "{kind.ends}".'
    if kind.script:
        return f'The lines are used in order, from top to bottom; "{kind.ends}" ends the list.'
    told = "The first line that fits counts"
    return f"{told}; * stands for any name, as in {example}." if example else f"{told}."


def star(ruleset: Ruleset[Any], offers: Sequence[Choice]) -> str:
    """Return an offered line with a star in place of the piece that acts; empty if no line that
    harms nobody has one."""
    for offer in offers:
        form, fields = ruleset.forms.read(offer.text)
        if "sp" in fields and form not in ruleset.harms and offer.text.startswith(fields["sp"]):
            return f'"*{offer.text.removeprefix(fields["sp"])}"'
    return ""


def _comments(parts: Sequence[str], head: str = "# ") -> list[str]:
    """Write the parts as comment lines, which break only between parts or in a long part."""
    whole = [part.replace(" ", _TIED) if len(part) < WIDTH // 2 else part for part in parts]
    first, *rest = whole
    gap = " " if first.endswith(":") else " · "
    text = head + (gap.join([first, " · ".join(rest)]) if rest else first)
    lines = textwrap.wrap(text, WIDTH, subsequent_indent="#      ", break_on_hyphens=False)
    return [line.replace(_TIED, " ") for line in lines]
