"""Write a draft of orders: the table, what is asked and every legal choice, all in one file."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence

from engine import UNKNOWN, Decision, Kind, Line, Place
from engine.sentences.ready_lines import Said, chosen
from pbem.drafts.choices import Listed, choice_lines, form_of, second_steps, written
from pbem.drafts.read.read_draft import position
from pbem.drafts.write.earlier_orders import Kept, kept_lines
from pbem.drafts.write.lines_now import lines_now
from pbem.drafts.write.ready_choices import Now, ready_choices, standing_choices
from pbem.drafts.write.rest_of_round import may_come, phase_of
from pbem.play.orders.check_lines import LineChecker
from pbem.play.view import View
from pbem.screen.draw_table import facts
from pbem.screen.tell_entries import spaced
from pbem.screen.terminal import clean

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

    # -------------------------------------------------------------- what the player sees
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

    # -------------------------------------------------------------- what the player may write
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
        """Write the lines about a kind that may still be asked in this round, with its choices.

        If there are no choices, nothing is written.
        """
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
        """Return whether the kind has ready lines that may be plain lines."""
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
        """Return a function that says what a ready line of this kind would choose now."""
        decision = self.asked.get(kind)
        if decision is None or decision.script:
            return None
        options, seat = decision.listed(), self.view.seat
        return lambda line: chosen(Said(line, ""), self.view.table.state, seat, options)

    def _seen(self, kind: str) -> list[str]:
        """Return at most three lines of this kind from the game so far, as examples."""
        found: dict[str, str] = {}
        for entry in self.view.log:
            if entry.key.split(".")[2] == kind and UNKNOWN not in entry.text:
                step = entry.text.split("; ")[0]
                found.setdefault(form_of(self.ruleset, step)[0], written(step))
        return list(found.values())[:3]

    def _always(self) -> list[str]:
        """Write the part for standing orders.

        These are the standing orders that count now or, in a first draft, the ruleset's
        suggestions.
        """
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
        """Write the standing lines of a kind that count now.

        If the kind is asked now, each line says what it would choose.
        """
        row = f"{kind} = [{', '.join(texts)}]"
        if (decision := self.asked.get(kind)) is None:
            return [row]
        mine = [line for line in self.view.lines if line.always and line.kind == kind]
        now = lines_now(self.ruleset, self.view.table.state, decision, mine)
        return [row, *(f"#   now: {told}" for told in now)]

    def _example(self) -> list[str]:
        """Write an example of a standing order: a line from this game, for any piece."""
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
    """Write comment lines with these parts, joined by dots; lines are broken only between parts."""
    whole = [part.replace(" ", _TIED) if len(part) < WIDTH // 2 else part for part in parts]
    first, *rest = whole
    gap = " " if first.endswith(":") else " · "
    text = head + (gap.join([first, " · ".join(rest)]) if rest else first)
    lines = textwrap.wrap(text, WIDTH, subsequent_indent="#      ", break_on_hyphens=False)
    return [line.replace(_TIED, " ") for line in lines]
