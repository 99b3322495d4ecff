"""Write a draft of orders: an order file with all choices as comments."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from engine import (
    STOP,
    UNKNOWN,
    Line,
    Place,
    QuestionKind,
    Ruleset,
)
from pbem.drafts.carried_over_orders import CarriedLines, carried_over_lines, standing_orders_now
from pbem.drafts.forecast import lines_now
from pbem.drafts.order_file_toml import quote_option
from pbem.drafts.questions_and_choices import (
    Choice,
    Question,
    grouped,
    phase_of,
    questions,
)
from pbem.drafts.read_order_file import answered_turn_name
from pbem.judge.bot_order_lines import total_line
from pbem.judge.game_view import View
from pbem.judge.order_line_checks import decisions_by_kind
from pbem.terminal.clean_text import clean
from pbem.terminal.game_prose import spaced
from pbem.terminal.table import format_facts, with_player_facts_renamed

_ALWAYS = "   # answers every question"


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
    rows = [f"    # lines in words (`pbem explain {question.kind}` says what they do):"]
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


WIDTH = 80
_TIED = "\0"
_QUOTED = re.compile(r'"[^"]*"')
_REMARKED = re.compile(r'(    # "[^"]*",)   # (.*)')
INSTRUCTIONS: Final = (
    "# Remove the # from a line to use it. Case and brackets do not matter. You can\n"
    "# shorten words. `pbem explain` explains cards, `pbem check` finds mistakes, and\n"
    "# `pbem submit` seals the orders."
)
LATER_HEADING = "# ---- Later questions, which you can already answer"


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
                f'# Your orders {order[:6]} were refused for "{clean(line)}": {clean(reason)}'
                for order, line, reason in view.rule_refusals
            ),
            *self._table(),
            "",
            INSTRUCTIONS,
            "",
            f'game = "{view.game[:6]}"',
            f'answers = "{answered_turn_name(view)}"',
            f'seat = "{view.seat}"',
            "",
            *self.carried.remarks,
        ]
        for question in asked_questions:
            instruction = how_read(
                self.ruleset.kinds[question.kind],
                question.is_single_answer,
                line_with_star(self.ruleset, question.offers),
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
        scene = with_player_facts_renamed(self.ruleset.scene(view.table.state), self.ruleset)
        lines = _comments(format_facts(scene.facts, view.names))
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
        place_facts = [spaced(fact) for fact in format_facts(place.facts, {})]
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
        instruction = how_read(kind, example=line_with_star(self.ruleset, question.offers))
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


def how_read(kind: QuestionKind, is_single_answer: bool = False, example: str = "") -> str:
    """Say how the lines of a kind are read; with `is_single_answer`, they are one answer.

    `example` is a line with a star that fits now, if there is one.
    """
    if is_single_answer:
        return f'The lines are used in order, from top to bottom; the last must be "{kind.ends}".'
    if kind.script:
        return f'The lines are used in order, from top to bottom; "{kind.ends}" ends the list.'
    sentence = "The first line that fits counts"
    return f"{sentence}; * stands for any name, as in {example}." if example else f"{sentence}."


def line_with_star(ruleset: Ruleset[Any], offers: Sequence[Choice]) -> str:
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
