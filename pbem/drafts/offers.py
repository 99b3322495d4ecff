"""List what a seat may order: its choices, with the cards and pieces that each choice names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from engine import DONE, STOP, Decision, Kind, Line, ReadyLine, Ruleset, bare
from engine.sentences.ready_lines import Said, chosen
from pbem.drafts.choices import Made, form_of, group_of, wide_lines
from pbem.drafts.write.rest_of_round import may_come
from pbem.frozen import frozen
from pbem.play.orders.bot_lines import total_line
from pbem.play.orders.check_lines import LineChecker
from pbem.play.view import View
from pbem.screen.tell_entries import Teller, spaced


@frozen
class Offer:
    """One line that a seat may write."""

    text: str
    """The line as people write it."""
    names: tuple[str, ...] = ()
    """The cards, pieces and seats that the line names, spelt as in the scene."""
    group: str = ""
    """The card or the piece that acts."""
    says: str = ""
    """The line in prose; for a ready line, what the line does."""
    number: bool = False
    """Whether `{n}` in the text stands for a number that the player chooses."""


@dataclass
class Question:
    """One kind of decision, and the lines with which its seat may answer."""

    kind: str
    asks: str
    """The question in words."""
    script: bool = False
    """Whether the lines are steps of a script, carried out one after the other."""
    asked: bool = False
    """Whether the seat is asked now; if not, the lines are for later or are standing orders."""
    offers: list[Offer] = field(default_factory=list)
    """The choices that are legal after the lines so far."""
    words: list[Offer] = field(default_factory=list)
    """The ready lines: choices in words."""
    always: bool = False
    """Whether the lines are standing orders."""


def questions(view: View, lines: Sequence[Line]) -> list[Question]:
    """List what the seat is asked now, and then what it may be asked later in the round."""
    return _Offering(view, lines).questions()


def standing_questions(view: View) -> list[Question]:
    """List the kinds of standing orders, and the lines that each kind may have."""
    return _Offering(view, ()).standing()


def ends_list(ruleset: Ruleset[Any], kind: str, text: str) -> bool:
    """Return whether this line ends its list, so that no line of the kind is reached after it."""
    if kind == STOP:
        return False
    if ruleset.kinds[kind].script:
        return text in (ruleset.kinds[kind].ends, DONE)
    said = ruleset.ready_lines.read(kind, text)
    return bool(said and said.line.total)


class _Offering:
    def __init__(self, view: View, lines: Sequence[Line]) -> None:
        self.view, self.lines = view, lines
        self.ruleset = view.play.ruleset
        self.teller = Teller(self.ruleset, view.names)
        self.checker = LineChecker(view.table, view.seat, lines)
        scene = self.ruleset.scene(view.table.state)
        mine = [card for place in scene.places for card in place.hand]
        pieces = [piece.name for place in scene.places for piece in place.pieces]
        self.known = {*mine, *pieces, *(place.seat for place in scene.places)}

    def questions(self) -> list[Question]:
        asked = self.checker.asked
        later = [k for k in self.ruleset.kinds if k not in asked and may_come(self.view, k)]
        return [self._question(self.ruleset.kinds[kind]) for kind in (*asked, *later)]

    def _question(self, kind: Kind) -> Question:
        asked = self.checker.asked.get(kind.name)
        decision = self.checker.script(kind.name) if kind.script else None
        decision = decision or asked or self.checker.ahead(kind.name)
        found = Question(kind.name, kind.question, kind.script, asked is not None)
        if decision is not None:
            found.offers = self._offers(kind, decision)
        now = asked if asked is not None and not asked.script else None
        found.words = [
            offer
            for line in self.ruleset.ready_lines.of(kind.name)
            if not line.own
            for offer in self._in_words(line, now)
        ]
        return found

    # -------------------------------------------------------------- choices
    def _offers(self, kind: Kind, decision: Decision) -> list[Offer]:
        steps = self._steps(kind, decision)
        options = list(
            dict.fromkeys(decision.listed(steps) if decision.script else decision.listed())
        )
        after = partial(_after, decision, steps) if decision.script else None
        made = Made(self.ruleset, options, after)
        offers = [
            Offer(
                spaced(bare(option)), self._names(option), group_of(self.ruleset, option),
                self.teller.order(option, made.by(option)),
            )
            for option in options
        ]  # fmt: skip
        wide = [] if kind.script else list(wide_lines(self.ruleset, options).items())
        return offers + [Offer(text, (seat,), "*", self.teller.order(text)) for text, seat in wide]

    def _steps(self, kind: Kind, decision: Decision) -> list[str]:
        """Return the lines that are legal one after the other in a script, without the line that
        ends it."""
        steps: list[str] = []
        for line in self.lines if decision.script else ():
            if line.kind == kind.name and not line.always and line.text in decision.listed(steps):
                if ends_list(self.ruleset, kind.name, line.text):
                    break
                steps.append(line.text)
        return steps

    def _names(self, option: str) -> tuple[str, ...]:
        """Return the cards and pieces on the table that an option names."""
        fields = form_of(self.ruleset, option)[1].values()
        return tuple(dict.fromkeys(value for value in fields if value in self.known))

    # -------------------------------------------------------------- words
    def _in_words(self, line: ReadyLine, now: Decision | None) -> list[Offer]:
        if "{seat}" in line.sentence:
            return [self._about(line, seat) for seat in self.view.names if seat != self.view.seat]
        says = line.says
        if now is not None and line.choose and "{n}" not in line.sentence:
            choice = chosen(Said(line, ""), self.view.table.state, self.view.seat, now.listed())
            says += f" (now: {spaced(bare(choice)) if choice else 'nothing'})"
        return [Offer(line.sentence, says=says, number="{n}" in line.sentence)]

    def _about(self, line: ReadyLine, seat: str) -> Offer:
        text = line.sentence.replace("{seat}", seat)
        return Offer(text, (seat,), says=line.said(self.view.names[seat]))

    def standing(self) -> list[Question]:
        """List the kinds of standing orders; see standing_questions."""
        found = []
        for kind in self.ruleset.kinds.values():
            ready = self.ruleset.ready_lines.of(kind.name)
            words = [offer for line in ready for offer in self._in_words(line, None)]
            total, suggested = total_line(self.ruleset, kind)[0], kind.suggestion
            known = {offer.text for offer in words}
            more = [
                text for text in dict.fromkeys((suggested, total)) if text and text not in known
            ]
            words += [Offer(text) for text in more]
            if words and not (kind.cards and kind.script):
                question = Question(kind.name, kind.question, kind.script, words=words)
                question.always = True
                found.append(question)
        if self.ruleset.stops:
            found.append(self._stops())
        return found

    def _stops(self) -> Question:
        words = [
            Offer(one.sentence, says=one.says, number="{n}" in one.sentence)
            for one in self.ruleset.stops
        ]
        return Question(STOP, "when your standing orders stop", words=words, always=True)


def _after(decision: Decision, before: Sequence[str], steps: Sequence[str]) -> list[str]:
    return decision.listed([*before, *steps])
