"""Write drafts of orders; describe orders in prose, and forecast the effects of their lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, Final

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
from engine.value_classes import Mutable
from pbem.drafts.choices import (
    Choice,
    Question,
    grouped,
    new_piece,
    phase_of,
    pieces_in,
    questions,
)
from pbem.drafts.read_order_file import position
from pbem.judge.bot_orders import total_line
from pbem.judge.game_view import View, has_answered_this_round
from pbem.judge.order_line_checks import UNFIT, LineChecker, Problem, decisions_by_kind
from pbem.terminal.game_prose import Teller, spaced
from pbem.terminal.table import facts, for_people
from pbem.terminal.terminal import clean

# ---- Orders in prose, to check before sealing


ASKED_AGAIN_CLAUSE = "then you are asked again"
SUGGESTED_CLAUSE = " (as pbem suggests)"


def describe_orders(view: View, lines: Sequence[Line]) -> list[str]:
    """Write orders as prose, a line for each kind: `play: fat 2 on b1; climbing 2 on b2`."""
    prose_by_number, kinds = prose_by_line_number(view, lines), view.play.ruleset.kinds
    checker = LineChecker(view.table, view.seat, lines)
    rows = []
    order = dict.fromkeys(line.kind for line in lines)
    for kind, always in [*((kind, False) for kind in order), *((kind, True) for kind in order)]:
        kind_lines = [line for line in lines if (line.kind, line.always) == (kind, always)]
        if not kind_lines:
            continue
        if kind == STOP:
            prose = f"when {', or '.join(line.text for line in kind_lines)}, you are asked again"
        elif kinds[kind].script and not always:
            prose = _describe_steps(
                kind_lines, prose_by_number, kinds[kind].ends, checker.is_single_answer(kind)
            )
        else:
            prose = _describe_policy(view, kind_lines, prose_by_number)
            if always and [line.text for line in kind_lines] == [kinds[kind].suggestion]:
                prose += SUGGESTED_CLAUSE
        rows.append(f"{'always ' if always else ''}{kind}: {prose}")
    return rows or ["no orders: they only tell the referee that you are here"]


def _describe_steps(
    kind_lines: Sequence[Line], prose_by_number: Mapping[int, str], end: str, is_single_answer: bool
) -> str:
    """Write the steps of a list as one phrase, from each line's prose by its number. ``end`` is the
    line that ends the list; ``is_single_answer`` says that the list does not count without it."""
    lines = [line for line in kind_lines if line.text != SKIP]
    steps = [prose_by_number[line.number] for line in lines if line.text != DONE or len(lines) == 1]
    if end not in [line.text for line in lines]:
        steps.append(
            f'but the list does not count until it ends with "{end}"'
            if is_single_answer
            else ASKED_AGAIN_CLAUSE
        )
    return "; ".join(
        [*steps, *(["what is not possible is left out"] if lines != kind_lines else [])]
    )


def _describe_policy(
    view: View, kind_lines: Sequence[Line], prose_by_number: Mapping[int, str]
) -> str:
    """Write these lines as one phrase; those that limit other lines come last."""
    read_line = view.play.ruleset.ready_lines.read
    limits = {
        x.number for x in kind_lines if (call := read_line(x.kind, x.text)) and call.line.keeps
    }
    choices_in_turn = ", else ".join(
        prose_by_number[line.number] for line in kind_lines if line.number not in limits
    )
    return "; ".join(
        filter(
            None,
            [
                choices_in_turn,
                *(prose_by_number[x.number] for x in kind_lines if x.number in limits),
            ],
        )
    )


def prose_by_line_number(view: View, lines: Sequence[Line]) -> dict[int, str]:
    """Write each line as prose, by its number: `climbing 2 for a new species b2`."""
    ruleset, teller = view.play.ruleset, Teller(view.play.ruleset, view.names)
    new_piece_names, prose_by_number = _new_pieces(view, lines), {}
    for line in lines:
        ready_call = None if line.kind == STOP else ruleset.ready_lines.read(line.kind, line.text)
        if line.kind == STOP:
            prose_by_number[line.number] = f"when {line.text}, you are asked again"
        elif ruleset.kinds[line.kind].script and not line.always:
            skips = line.text == SKIP
            prose_by_number[line.number] = (
                SKIP if skips else teller.order(line.text, new_piece_names.get(line.number, ""))
            )
        elif ready_call:
            name = teller.names.get(ready_call.argument, ready_call.argument)
            prose_by_number[line.number] = ready_call.line.describe(name)
        else:
            prose_by_number[line.number] = teller.order(line.text)
    return prose_by_number


def _new_pieces(view: View, lines: Sequence[Line]) -> dict[int, str]:
    """Return the name of the piece that each line makes, by the line's number, as far as names are
    known."""
    ruleset, checker = view.play.ruleset, LineChecker(view.table, view.seat, lines)
    making_forms = {
        form for form, template in ruleset.prose().orders.items() if "{new}" in template
    }
    names: dict[int, str] = {}
    for kind in {line.kind for line in lines if line.kind != STOP}:
        script = checker.script(kind) if ruleset.kinds[kind].script else None
        known_pieces = pieces_in(ruleset, script.option_list([])) if script else set()
        for line, options in checker.carried_out(kind) if script else ():
            if ruleset.forms.read(line.text)[0] in making_forms:
                names[line.number] = new_piece(ruleset, known_pieces, options)
            known_pieces |= pieces_in(ruleset, options)
    return names


# ---- The forecast

MAX_STEPS, MAX_STAND_IN_STEPS = 400, 8
_SHOWN_CARD = re.compile(r"(?<!\[)\?")
"""A card that others will see, but that is not known yet; hidden cards are in brackets."""
_NUMBER = re.compile(r"-?\d+")


class Forecast:
    """The effects of the seat's lines on a copy of its table. Other seats do nothing wherever the
    rules allow that.

    Decisions of one wave are answered at the same time, before the table shows any of them. The
    forecast ends where chance, another player's choice or a hidden card decides, and where the
    seat would be asked.
    """

    def __init__(self, view: View, lines: Sequence[Line]) -> None:
        """Forecast these lines, all of the seat's; ``own_place``, ``entries`` and ``end``
        are the result."""
        self.view, self.table = view, view.table_again()
        self.entries: list[Entry] = []
        """The entries that would follow."""
        self.end = ""
        """Why the forecast ends."""
        self.own_place: Place | None = None
        """The seat's own place after its last act that comes before any change by others; None if
        there is no such act. Later changes, by whomever, do not count."""
        state = self.table.state
        self.orders = view.play.ruleset.orders(view.seat, state.round, lines, state)
        self._listed_kinds = {line.kind for line in lines if not line.always}
        self._public_entry_count = 0
        self._run()

    def _run(self) -> None:
        """Settle one question after the other until one cannot be settled, the game is over, or
        there were too many. Only entries up to the seat's own decide ``own_place``."""
        own_place, is_unchanged_by_others, has_acted = self._own_place(), True, False
        while self.table.pending and len(self.entries) < MAX_STEPS:
            key, decision = self.table.pending[0]
            settlement = self._settle(key, decision)
            if isinstance(settlement, str):
                self.end = settlement
                if is_unchanged_by_others and (has_acted or own_place == self._own_place()):
                    self._end_wave(has_acted)
                return
            entry = Entry(key, decision.seat, *settlement, to=decision.to)
            self.entries.append(entry)
            if entry.seat == self.view.seat and not has_acted:
                has_acted, is_unchanged_by_others = (
                    True,
                    is_unchanged_by_others and own_place == self._own_place(),
                )
            entry_count = self.table.entries
            self.table.take_answer(entry.text)
            self.orders.entered(entry, self.table.state)
            if (
                has_acted and is_unchanged_by_others and self.table.entries > entry_count
            ):  # the wave is complete
                own_place = self._own_place()
                self.own_place = self.own_place if decision.fact else own_place
            has_acted = has_acted and self.table.entries == entry_count
        self.end = "" if self.table.pending else "then the game is over"

    def _end_wave(self, has_acted: bool) -> None:
        """Set `own_place` although another player's choice ends the forecast inside a wave:
        complete the wave with any answers, because what others choose at the same time as the seat
        does not change its place."""
        texts = []
        for key, decision in self.table.pending:
            settlement = self._settle(key, decision)
            has_acted = has_acted or decision.seat == self.view.seat
            if not isinstance(settlement, str):
                texts.append(settlement[0])
            elif decision.seat != self.view.seat and (text := self._stand_in(decision)):
                texts.append(text)
            else:
                return
        if has_acted and len(self.table.open_decisions) > 1:
            for text in texts:
                self.table.take_answer(text)
            self.own_place = self._own_place()

    def _stand_in(self, decision: Decision) -> str:
        """Choose an answer for another seat. Of unknown cards it takes those with the greatest
        numbers, so that the round does not end at once for lack of food."""
        steps: list[str] = []
        while decision.script and decision.ends not in steps:
            options = decision.option_list(steps)
            if not options or len(steps) == MAX_STAND_IN_STEPS:
                return ""
            steps.append(decision.ends if decision.ends in options else options[0])
        cards = next(iter(self.view.play.ruleset.decks.values()))
        shown_card = max(cards, key=lambda card: int((_NUMBER.search(card) or "0")[0]))
        return _SHOWN_CARD.sub(shown_card, "; ".join(steps))

    def _own_place(self) -> Place | None:
        places = self.view.play.ruleset.scene(self.table.state).places
        return next((place for place in places if place.seat == self.view.seat), None)

    @property
    def sentences(self) -> list[str]:
        """The entries as sentences, and why the forecast ends."""
        teller = Teller(self.view.play.ruleset, self.view.names)
        sentences = [sentence for entry in self.entries for sentence in teller.entry(entry)]
        return [*sentences, self.end or "and so on"]

    def _settle(self, key: str, decision: Decision) -> tuple[str, str] | str:
        """Return the answer to a question and how it was settled; or, if nobody can tell, a
        sentence on what comes then."""
        options = decision.option_list([]) if decision.script else decision.option_list()
        if decision.seat == CHANCE:
            return "then chance decides"
        if decision.fact:
            is_known = UNKNOWN not in options[0]
            return (options[0], "fact") if is_known else "then other players' cards are revealed"
        kind = self.view.play.ruleset.kinds[decision.kind]
        if decision.seat != self.view.seat:
            return self._settle_for_other_seat(kind, decision, options)
        if answer := self.orders.answer(key, decision, self.table.state):
            return answer
        if len(options) == 1 and self._all_see_one():
            return options[0], "forced"
        if decision.unasked and decision.default:
            return decision.default(), "default"
        sentence = f"then you are asked for {kind.name} ({kind.question})"
        if decision.script and kind.name in self._listed_kinds:
            sentence = (
                f'your lines for {kind.name} do not end with "{kind.ends}", so they do not count'
            )
            return f"{sentence} yet; then you are asked for them ({kind.question})"
        return sentence

    @cached_property
    def _public(self) -> Table[Any]:
        return self.view.table_again(PUBLIC)

    def _all_see_one(self) -> bool:
        """Return whether the public table too lists only one option: it does not show which hidden
        cards are equal, so it can list several where this seat sees one."""
        for entry in self.entries[self._public_entry_count :]:
            self._public.take_answer(entry.masked_for(PUBLIC).text)
        self._public_entry_count = len(self.entries)
        return forced(self._public.pending[0][1])

    def _settle_for_other_seat(
        self, kind: Kind, decision: Decision, options: list[str]
    ) -> tuple[str, str] | str:
        """Answer for another seat, if it has no choice, may do nothing, or has a default that needs
        no hidden card; otherwise return a sentence that the seat decides."""
        if len(set(options)) == 1 and not decision.script:  # one step is not an answer
            return options[0], "" if UNKNOWN in options[0] else "forced"
        if DONE in options:
            return DONE, "default"
        if decision.default and not decision.script and not any(UNKNOWN in o for o in options):
            return decision.default(), "default"
        name = self.view.names.get(decision.seat, decision.seat)
        return f"then {name} decides: {kind.question}"


# ---- Earlier orders that still count


class CarriedLines(Mutable):
    """Lines of the orders for this round that can still be used, without standing orders."""

    lines: list[Line] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """Comments: which orders these are, and which of their lines are no longer possible."""

    def lines_of(self, kind: str) -> list[Line]:
        """Return the kept lines of one kind."""
        return [line for line in self.lines if line.kind == kind]


def carried_over_lines(view: View) -> CarriedLines:
    """Find the lines that a new draft takes over; none if the orders were for a different round."""
    if not view.orders or not has_answered_this_round(view, view.seat):
        return CarriedLines()
    used_numbers = _used_line_numbers(view)
    plain_lines = [
        line for line in view.lines if not line.always and line.number not in used_numbers
    ]
    decisions = decisions_by_kind(view.table, view.seat)
    problems = LineChecker(view.table, view.seat, plain_lines).run()
    reason_by_number = {
        problem.line: problem.sentence for problem in problems if problem.level == "error"
    }
    remarks = [
        f"# Your orders {view.orders[:6]} (revision {view.revision}) for this round still count.",
        "# What you seal now replaces all of them. The lines below can still be used.",
    ]
    remarks += [
        f"# No longer possible: {line.kind}: {quote_option(line.text)} "
        f"({reason_by_number[line.number]})"
        for line in plain_lines
        if line.number in reason_by_number
    ]
    done_numbers = _done_line_numbers(view, problems)
    carried_lines = [
        line for line in plain_lines if line.number not in {*reason_by_number, *done_numbers}
    ]
    # a seat that is asked nothing, and whose lines are all used, needs no remarks
    return CarriedLines(
        carried_lines, [*remarks, ""] if carried_lines or reason_by_number or decisions else []
    )


def standing_orders_now(view: View) -> list[Line]:
    """Return the seat's standing orders; before its first orders, those that the rules suggest."""
    if view.texts:
        return [line for line in view.lines if line.always]
    kinds = view.play.ruleset.kinds.values()
    return [Line(0, kind.name, kind.suggestion, True) for kind in kinds if kind.suggestion]


def _done_line_numbers(view: View, problems: Sequence[Problem]) -> set[int]:
    """Return the numbers of lines that have answered since the orders were accepted, and that no
    choice fits now although their kind is asked: they named what they were for, and it is done.

    Lines with `*` and ready lines are meant for many answers, so they are never done.
    """
    unfit_numbers = {problem.line for problem in problems if problem.code == UNFIT}
    log_start = view.log_lengths[view.accepted[view.seat] - 2]
    used_numbers = {
        line_number(entry.by) for entry in view.log[log_start:] if entry.seat == view.seat
    }
    read_line = view.play.ruleset.ready_lines.read
    return {
        line.number
        for line in view.lines
        if line.number in unfit_numbers & used_numbers
        and "*" not in line.text
        and read_line(line.kind, line.text) is None
    }


def _used_line_numbers(view: View) -> set[int]:
    """Return the numbers of the lines of scripts that were carried out since the orders in force
    were accepted."""
    kinds, start = view.play.ruleset.kinds, view.log_lengths[view.accepted[view.seat] - 2]
    used_numbers: set[int] = set()
    for entry in view.log[start:]:
        kind, number = entry.kind, line_number(entry.by)
        if entry.seat != view.seat or number is None or not entry.by.startswith("line "):
            continue
        if kind in kinds and kinds[kind].script:
            step_count = len(entry.text.split("; "))
            used_numbers |= set(range(number, number + step_count))
    return used_numbers


# ---- What each line would choose now


def lines_now(
    ruleset: Ruleset[Any], state: Any, decision: Decision, lines: Sequence[Line]
) -> list[str]:
    """Say what each line would choose if it were alone: `"plants only" → a1 eats`."""
    if decision.script:
        return []
    options, rows = decision.option_list(), []
    for line in lines:
        ready_call = ruleset.ready_lines.read(line.kind, line.text)
        if ready_call is not None and ready_call.line.keeps:
            remaining_options = ready_call.line.keeps(
                state.clone(PUBLIC), decision.seat, options, ready_call.argument
            )
            omitted_count = len(options) - len(remaining_options) if remaining_options else 0
            quantity = f"{omitted_count} of {len(options)} choices" if omitted_count else "nothing"
            effect = f"leaves out {quantity}"
        else:
            seat = decision.seat
            choice = (
                chosen_option(ready_call, state, seat, options)
                if ready_call
                else first_fit(line.text, options)
            )
            effect = spaced(bare(choice)) if choice else "nothing: it is not possible now"
        rows.append(f"{quote_option(line.text)} → {effect}")
    return rows


# ---- Choices as comments, which players can uncomment

_ALWAYS = "   # always answers"


def choice_rows(
    ruleset: Ruleset[Any], choices: Sequence[Choice], names: Mapping[str, str]
) -> list[str]:
    """Write choices as comments, grouped by the card or piece that acts. A line that harms any
    piece of another player (group `*`) follows the choices of the piece that acts in it.

    The line of a choice that makes a new piece says the piece's name: `# it will be b3`.
    """
    rows = []
    for title, group_choices in grouped([choice for choice in choices if choice.group != "*"]):
        rows += [f"    # {title}:"] if title else []
        for choice in group_choices:
            remark = f"   # it will be {choice.makes}" if choice.makes else ""
            rows.append(f"    # {quote_option(choice.text)},{remark}")
        for choice in choices:
            if (
                choice.group == "*"
                and ruleset.forms.read(choice.text)[1]["sp"] == group_choices[0].group
            ):
                remark = f"any {ruleset.prose().piece} of {names[choice.names[0]]}"
                rows.append(f"    # {quote_option(choice.text)},   # {remark}")
    return rows


def ready_rows(question: Question, end: str, seat: str, names: Mapping[str, str]) -> list[str]:
    """Write the ready lines of a question as comments; a line that names a player is written for
    the next one."""
    if not question.words:
        return []
    seats = sorted(names)
    next_seat = (seats[seats.index(seat) + 1 :] + seats[: seats.index(seat)])[0]
    rows = [f"    # in words (`pbem explain {question.kind}` says what they do):"]
    lines = [
        (choice, choice.ready_line)
        for choice in question.words
        if choice.names in ((), (next_seat,)) and choice.ready_line
    ]
    for choice, line in lines:
        remark = _ALWAYS if line.total else ""
        if line.keeps:
            remark = f"   # {names[next_seat]}; this also applies to lines with *"
        elif choice.now:
            remark = f"   # now: {choice.now}{remark.replace('   #', ';')}"
        rows.append(f"    # {quote_option(choice.text)},{remark}")
    if not any(line.total for _, line in lines):
        rows.append(f"    # {quote_option(end)},{_ALWAYS}")
    return rows


def quote_option(option: str) -> str:
    """Write the option as a TOML string for an order file."""
    text = spaced(bare(option)).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def standing_choices(ruleset: Ruleset[Any], kinds: Collection[str]) -> list[str]:
    """Suggest, for every kind without a standing order, a ready line that always answers."""
    rows = []
    for kind in ruleset.kinds.values():
        line = total_line(ruleset, kind)[0]
        if line and kind.name not in kinds and not (kind.cards and kind.script):
            rows.append(f"# {kind.name} = [{quote_option(line)}]")
    if ruleset.stops and STOP not in kinds:
        stop_lines = ", ".join(f'"{stop_line.sentence}"' for stop_line in ruleset.stops).replace(
            "{n}", "3"
        )
        rows += [
            "# When should standing orders stop, so that you are asked again?",
            f"# stop = [{stop_lines}]",
        ]
    return rows


# ---- The draft

WIDTH = 80
_TIED = "\0"
_QUOTED = re.compile(r'"[^"]*"')
_REMARKED = re.compile(r'(    # "[^"]*",)   # (.*)')
INSTRUCTIONS: Final = (
    "# Remove the # from a line to use it. Case and brackets do not matter. You can\n"
    "# shorten words. `pbem explain` explains cards, `pbem check` finds mistakes, and\n"
    "# `pbem submit` seals the orders."
)
LATER_HEADING = "# ---- Not asked now. You can already answer what you may be asked later."


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
    tied_text = _QUOTED.sub(lambda match: match[0].replace(" ", _TIED), row.lstrip(" "))
    hanging_indent = f"{indent}#     " if tied_text.startswith("#") else f"{indent}    "
    rows = textwrap.wrap(
        tied_text, WIDTH, initial_indent=indent, subsequent_indent=hanging_indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return [row_part.replace(_TIED, " ") for row_part in rows]


class _Writing:
    """Writes one draft, part by part."""

    def __init__(self, view: View) -> None:
        self.view, self.ruleset = view, view.play.ruleset
        self.decisions_by_kind = decisions_by_kind(view.table, view.seat)
        self.carried: CarriedLines = carried_over_lines(view)
        self.questions = questions(view, self.carried.lines, continues_lines=False)

    def parts(self) -> list[str]:
        """Return the parts of the draft; each is one line or several."""
        view = self.view
        moment = f"round {view.table.state.round}"
        moment += f", {phase_of(view)}" if phase_of(view) else ""
        name = clean(view.names[view.seat])
        asked_questions = [question for question in self.questions if question.is_asked]
        later_questions = [question for question in self.questions if not question.is_asked]
        asked_kinds = (
            "; ".join(f"{question.kind} ({question.prompt})" for question in asked_questions)
            or "nothing now; you may write lines for later"
        )
        parts = [
            f"# {clean(view.title)} · turn {view.turn} · seat {view.seat} ({name}) · {moment}",
            f"# You are asked for: {asked_kinds}",
            *(
                f"# Your orders {order[:6]} were refused: {clean(line)}: {clean(reason)}"
                for order, line, reason in view.rule_refusals
            ),
            *self._table(),
            "",
            INSTRUCTIONS,
            "",
            f'game = "{view.game[:6]}"',
            f'answers = "{position(view)}"',
            f'seat = "{view.seat}"',
            "",
            *self.carried.remarks,
        ]
        for question in asked_questions:
            instruction = how_read(
                self.ruleset.kinds[question.kind],
                question.is_single_answer,
                star(self.ruleset, question.offers),
            )
            parts += [
                f"# ---- Asked now: {question.prompt}",
                f"# {instruction}",
                *self._array(question),
            ]
        if later_questions:
            parts.append(LATER_HEADING)
        for question in later_questions:
            parts += self._later_rows(question)
        return [*parts, *self._always(), ""]

    def _table(self) -> list[str]:
        view = self.view
        scene = for_people(self.ruleset.scene(view.table.state), self.ruleset)
        lines = _comments(facts(scene.facts, view.names))
        other_indexes, own_indexes = scene.around(view.seat)
        for index in (*own_indexes, *other_indexes):
            lines += self._place(scene.places[index])
        return lines

    def _place(self, place: Place) -> list[str]:
        """Write a seat's place as comments: facts, pieces with their cards, and the hand if it is
        known."""
        is_own_place = place.seat == self.view.seat
        name = clean(self.view.names.get(place.seat, ""))
        head = f"{place.seat} {name}" + (" (you)" if is_own_place else "")
        place_facts = [spaced(fact) for fact in facts(place.facts, {})]
        known_cards = [spaced(card) for card in place.hand if card != UNKNOWN]
        lines = [
            "#",
            *_comments(
                [f"{head}:", *place_facts, *([] if known_cards else [f"hand {len(place.hand)}"])]
            ),
        ]
        for piece in place.pieces:
            body = spaced(", ".join(f"{label} {value}" for label, value in piece.facts))
            cards = [spaced(card) for card in piece.cards]
            head = f"#   {piece.name}: {body}" + (" | " if cards else "")
            lines += _comments(cards, head) if cards else [head]
        return lines + (_comments(known_cards, "#   your hand: ") if known_cards else [])

    def _later_rows(self, question: Question) -> list[str]:
        """Write a question that may be asked later: its choices if nothing changes, else examples
        from the log; nothing if there are neither."""
        kind = self.ruleset.kinds[question.kind]
        instruction = how_read(kind, example=star(self.ruleset, question.offers))
        title = f"# {question.prompt[:1].upper()}{question.prompt[1:]}. {instruction}"
        choices = any(choice.text != kind.ends for choice in question.choices)
        if not (choices or self.carried.lines_of(question.kind)):
            examples = self._examples(question.kind)
            example = f"#   examples from this game: {', '.join(examples)}"
            return [title, example, f"{question.kind} = []", ""] if examples else []
        remark_rows = (
            ["#   possible after the lines above:"]
            if question.offers and not question.script
            else []
        )
        return [title, *remark_rows, *self._array(question)]

    def _array(self, question: Question) -> list[str]:
        """Write the list of a question: lines that still count, and the choices as comments."""
        kind = self.ruleset.kinds[question.kind]
        names = {seat: clean(name) for seat, name in self.view.names.items()}
        rows = [f"    {quote_option(line.text)}," for line in self.carried.lines_of(question.kind)]
        rows += choice_rows(self.ruleset, question.offers, names)
        if question.second_choices:
            second_choices = sorted(
                question.second_choices, key=lambda choice: choice.text == kind.ends
            )
            rows.append("    # after that, any of these that are still possible:")
            rows += choice_rows(self.ruleset, second_choices, names)
        if question.new_piece_examples:
            texts = ", ".join(quote_option(choice.text) for choice in question.new_piece_examples)
            piece = self.ruleset.prose().piece
            rows.append(f"    # after a line that makes a new {piece}, for example: {texts}")
        rows += ready_rows(question, kind.ends, self.view.seat, names)
        return [f"{question.kind} = [", *rows, "]", ""]

    def _examples(self, kind: str) -> list[str]:
        example_by_form: dict[str, str] = {}
        for entry in self.view.log:
            if entry.kind == kind and UNKNOWN not in entry.text:
                step = entry.text.split("; ")[0]
                example_by_form.setdefault(self.ruleset.forms.read(step)[0], quote_option(step))
        return list(example_by_form.values())[:3]

    def _always(self) -> list[str]:
        """Write the table of standing orders, each kind with what its lines would choose now."""
        kinds: dict[str, list[Line]] = {}
        for line in standing_orders_now(self.view):
            kinds.setdefault(line.kind, []).append(line)
        rows = ["[always]   # standing orders: kept until replaced; the first that fits counts"]
        for kind, lines in kinds.items():
            rows.append(f"{kind} = [{', '.join(quote_option(line.text) for line in lines)}]")
            if self.view.texts and (decision := self.decisions_by_kind.get(kind)) is not None:
                effects = lines_now(self.ruleset, self.view.table.state, decision, lines)
                rows += [f"#   now: {effect}" for effect in effects]
        return [*rows, *([] if kinds else self._example()), *standing_choices(self.ruleset, kinds)]

    def _example(self) -> list[str]:
        """An example of a standing order: a line from this game, for any piece."""
        for name, kind in self.ruleset.kinds.items():
            for text in [] if kind.script else self._examples(name):
                starred_text = re.sub(r'^"[a-p][0-9]+ ', '"* ', text)
                if (
                    starred_text != text
                    and self.ruleset.forms.read(text[1:-1])[0] not in self.ruleset.harms
                ):
                    return [f"# for example: {name} = [{starred_text}]"]
        return []


def how_read(kind: Kind, is_single_answer: bool = False, example: str = "") -> str:
    """Say how the lines of a kind are read; with `is_single_answer`, they are one answer.

    `example` is a line with a star that fits now, if there is one.
    """
    if is_single_answer:
        return f'The lines are used in order. End with "{kind.ends}".'
    if kind.script:
        return f'The lines are used in order, from top to bottom; "{kind.ends}" ends the list.'
    sentence = "The first line that fits counts"
    return f"{sentence}; * stands for any name, as in {example}." if example else f"{sentence}."


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
    tied_parts = [part.replace(" ", _TIED) if len(part) < WIDTH // 2 else part for part in parts]
    first_part, *other_parts = tied_parts
    gap = " " if first_part.endswith(":") else " · "
    text = head + (gap.join([first_part, " · ".join(other_parts)]) if other_parts else first_part)
    lines = textwrap.wrap(text, WIDTH, subsequent_indent="#      ", break_on_hyphens=False)
    return [line.replace(_TIED, " ") for line in lines]
