"""What a seat may order now: its questions with their choices, and how far the round has gone."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final

from engine import DONE, PUBLIC, STOP, Decision, Kind, Line, ReadyLine, Ruleset, bare, reason_of
from engine.sentences.ready_lines import ReadyCall, chosen_option
from engine.values import Mutable, Value
from pbem.judge.absence import phase_of as phase_asked
from pbem.judge.lines import LineChecker, total_line
from pbem.judge.view import View
from pbem.terminal.tell import Teller, phase_names, spaced

# ---- What the sentences of options name


def pieces_in(ruleset: Ruleset[Any], options: Sequence[str]) -> set[str]:
    """Return the pieces that these options name."""
    found = set()
    for option in options:
        if option != DONE:
            fields = ruleset.forms.read(option)[1]
            found |= {value for field, value in fields.items() if field in ("sp", "who")}
    return found


def new_piece(ruleset: Ruleset[Any], before: set[str], options: Sequence[str]) -> str:
    """Return the one new piece that these options name; empty if there is none, or several."""
    new = pieces_in(ruleset, options) - before
    return new.pop() if len(new) == 1 else ""


# ---- How far the round has gone


def phase_of(view: View) -> str:
    """Return the next question's phase in the rulebook's words; empty if nothing is asked."""
    return phase_names(view).get(phase_asked(view.table.pending), "")


def may_come(view: View, kind: str) -> bool:
    """Return whether this kind may still be asked in this round.

    The kind's phase decides this. If the ruleset names no phase for it, the log decides: a kind
    that was asked only in phases that are over will not be asked again.
    """
    order = list(phase_names(view))
    asked = {view.play.ruleset.kinds[kind].phase} - {""} or view.phases_of.get(kind, set())
    now = phase_asked(view.table.pending)
    if not asked or now not in order:
        return True
    here = order.index(now)
    return any(order.index(phase) >= here for phase in asked if phase in order)


# ---- What a seat may order now


class Choice(Value):
    """One choice: a line that a seat may write."""

    kind: str
    text: str
    """The line as people write it; `{n}` in it stands for a number that the player chooses."""
    says: str = ""
    """The line in prose, or what a ready line does; empty if the line already says the same."""
    names: tuple[str, ...] = ()
    """The cards, pieces and seats that the line names, spelt as in the scene."""
    group: str = ""
    """The card or the piece that acts; `*` for a line that harms any piece of another player."""
    makes: str = ""
    """The name of the new piece that the line makes, if that is known."""
    ready: ReadyLine | None = None
    """The ready line that this is, if it is one."""
    now: str = ""
    """What a ready line would choose now."""
    is_idle: bool = False
    """Whether a ready line would choose nothing now, or limit nothing."""
    number: int = 0
    """Its number in an order form; 0 if it has none there."""
    use: str = ""
    """The heading of its row in the list of what a card or a piece can do, such as `Trait`; empty
    if the ruleset has no row for it."""
    target: str = ""
    """Its name in this row; empty if the names in the sentence say enough."""
    effect: str = ""
    """The change that the choice makes, such as `2 → 3` for a number of a piece; or `face down`."""

    @property
    def takes_number(self) -> bool:
        """Whether the player must choose a number for the line."""
        return "{n}" in self.text


class Question(Mutable):
    """One kind of decision, and the choices with which its seat may answer."""

    kind: str
    asks: str
    """The question in words."""
    script: bool = False
    """Whether the lines are steps of a script, carried out one after the other."""
    ends: str = ""
    """The line that ends a script."""
    asked: bool = False
    """Whether the seat is asked now; if not, the lines are for later or are standing orders."""
    whole: bool = False
    """Whether all lines together are one answer, which must be complete."""
    always: bool = False
    """Whether the lines are standing orders."""
    offers: list[Choice] = field(default_factory=list)
    """The choices that are legal after the lines so far."""
    second: list[Choice] = field(default_factory=list)
    """More choices for the second step, if the list needs at least two steps. Otherwise empty: the
    choices for both steps are the same."""
    on_new: list[Choice] = field(default_factory=list)
    """Choices for a piece that a first step makes; only in a draft without lines."""
    words: list[Choice] = field(default_factory=list)
    """The ready lines: choices in words."""

    @property
    def choices(self) -> list[Choice]:
        """All choices, those in words last."""
        return [*self.offers, *self.words]


def grouped(offers: Sequence[Choice], *, titles: bool = True) -> list[tuple[str, list[Choice]]]:
    """Group choices by the card or piece that acts; those that name none come last.

    The titles are empty if no group needs one.
    """
    groups: dict[str, list[Choice]] = {}
    for offer in offers:
        groups.setdefault("" if offer.group == "*" else offer.group, []).append(offer)
    many = len(groups) > 1 and any(len(some) > 1 for name, some in groups.items() if name)
    last = sorted(groups.items(), key=lambda one: one[0] == "")
    return [((spaced(name) or "or") if many and titles else "", some) for name, some in last]


def questions(view: View, lines: Sequence[Line], *, begun: bool = True) -> list[Question]:
    """List what the seat is asked now, and then what it may be asked later in the round.

    The choices for a list of steps follow the steps in `lines`, unless `begun` is false.
    """
    return _Offering(view, lines, begun).questions()


def standing_questions(view: View) -> list[Question]:
    """List the kinds of standing orders, and the lines that each kind may have."""
    return _Offering(view, ()).standing()


MOST_REASONS: Final = 4


def about_card(view: View, lines: Sequence[Line], card: str) -> list[str]:
    """Say whether the seat can play a card of its hand now, after these lines, and why it cannot be
    played in other ways."""
    ruleset, checker = view.play.ruleset, LineChecker(view.table, view.seat, lines)
    usable, reasons = False, dict[str, None]()
    for kind, asked in checker.decisions_by_kind.items():
        decision = (checker.script(kind) if ruleset.kinds[kind].script else None) or asked
        done = [line.text for line, _ in checker.carried_out(kind)] if decision.script else []
        if decision.ends in done:
            continue
        steps = [done] if decision.script else []
        options = decision.option_list(*steps)
        pieces = {name for name in pieces_in(ruleset, options) if name.startswith(view.seat)}
        for text in _with_card(ruleset, card, pieces):
            usable = usable or text in options
            if text not in options and (reason := reason_of(decision, text, *steps)):
                reasons[spaced(bare(reason))] = None
    why = "; ".join([*reasons][:MOST_REASONS])
    if usable:
        return ["You can play it now.", *([f"But: {why}."] if why else [])]
    asks = [ruleset.kinds[kind].question for kind in checker.decisions_by_kind]
    why = why or (f"you are asked for {', '.join(asks)}" if asks else "you are not asked anything")
    return [f"You cannot play it now: {why}."]


def _with_card(ruleset: Ruleset[Any], card: str, pieces: Collection[str]) -> list[str]:
    """Return every sentence that is about the card, or about the card and one of the pieces."""
    said = []
    for form, template in ruleset.forms.templates.items():
        fields = set(re.findall(r"{(\w+)}", template))
        if fields == {"card"}:
            said.append(ruleset.forms.say(form, card=card))
        elif fields == {"card", "sp"}:
            said += [ruleset.forms.say(form, card=card, sp=name) for name in sorted(pieces)]
    return said


def ends_list(ruleset: Ruleset[Any], kind: str, text: str) -> bool:
    """Return whether this line ends its list, so that no line of the kind is reached after it."""
    if kind == STOP:
        return False
    if ruleset.kinds[kind].script:
        return text in (ruleset.kinds[kind].ends, DONE)
    said = ruleset.ready_lines.read(kind, text)
    return bool(said and said.line.total)


MOST_FIRST: Final = 12
"""How many first steps are tried, to find out what the second step may be."""


MOST_ON_NEW: Final = 3
"""How many examples of each form are given for a piece that a line makes."""


class _Offering:
    def __init__(self, view: View, lines: Sequence[Line], begun: bool = True) -> None:
        self.view, self.begun = view, begun
        self.ruleset = view.play.ruleset
        self.teller = Teller(self.ruleset, view.names)
        self.makes = {form for form, said in self.teller.prose.orders.items() if "{new}" in said}
        self.checker = LineChecker(view.table, view.seat, lines)
        scene = self.ruleset.scene(view.table.state)
        mine = [card for place in scene.places for card in place.hand]
        self.pieces = {piece.name: piece for place in scene.places for piece in place.pieces}
        self.known = {*mine, *self.pieces, *(place.seat for place in scene.places)}

    def questions(self) -> list[Question]:
        asked = self.checker.decisions_by_kind
        later = [k for k in self.ruleset.kinds if k not in asked and may_come(self.view, k)]
        return [self._question(self.ruleset.kinds[kind]) for kind in (*asked, *later)]

    def _question(self, kind: Kind) -> Question:
        asked = self.checker.decisions_by_kind.get(kind.name)
        decision = self.checker.script(kind.name) if kind.script else None
        decision = decision or asked or self.checker.early_decision(kind.name)
        ends = kind.ends if kind.script else ""
        found = Question(kind.name, kind.question, kind.script, ends, asked is not None)
        found.whole = self.checker.is_single_answer(kind.name)
        if decision is not None and decision.script:
            done = self.checker.carried_out(kind.name) if self.begun else ()
            steps = [line.text for line, _ in done if line.text != decision.ends]
            found.offers = self._offers(kind, decision, steps)
            if not steps and kind.ends not in decision.option_list([]):
                found.second = self._second(kind, decision)
            elif not steps and not self.begun:
                found.on_new = self._on_new(kind, decision, found.offers)
        elif decision is not None:
            found.offers = self._offers(kind, decision)
            found.offers += [] if kind.script else self._wide(kind, decision.option_list())
        now = asked.option_list() if asked is not None and not asked.script else None
        ready = [
            line for line in self.ruleset.ready_lines.lines_of(kind.name) if not line.reads_hand
        ]
        found.words = [offer for line in ready for offer in self._in_words(line, now)]
        return found

    def _offers(self, kind: Kind, decision: Decision, *steps: Sequence[str]) -> list[Choice]:
        options = list(dict.fromkeys(decision.option_list(*steps)))
        new: dict[str, str] = {}
        offers = []
        for option in options:
            form, fields = self.ruleset.forms.read(option)
            if steps and form in self.makes and form not in new:
                after = decision.option_list([*steps[0], option])
                new[form] = new_piece(self.ruleset, pieces_in(self.ruleset, options), after)
            text, says = spaced(bare(option)), self.teller.order(option, new.get(form, ""))
            # a piece that an earlier line makes is not in the scene
            named = (value for name, value in fields.items() if name == "sp" or value in self.known)
            names = tuple(dict.fromkeys(named))
            group = fields.get("card") or fields.get("sp", "")
            choice = Choice(kind.name, text, _unless(says, text), names, group, new.get(form, ""))
            offers.append(self._in_row(choice, form, fields))
        return offers

    def _in_row(self, choice: Choice, form: str, fields: Mapping[str, str]) -> Choice:
        """Add the row and the effect of a choice, if the ruleset has a row for its form."""
        use = self.teller.prose.uses.get(form)
        if use is None:
            return choice
        words = {name: spaced(value) for name, value in fields.items()}
        return replace(
            choice,
            use=use.heading.format(**words),
            target=use.target.format(**words),
            effect=use.card if use.card == "face down" else self._change(form, fields),
        )

    def _change(self, form: str, fields: Mapping[str, str]) -> str:
        """Return how a number of the piece changes, as `2 → 3`; empty if the form changes none."""
        piece = self.pieces.get(fields.get("sp", ""))
        facts = dict(piece.facts) if piece else {}
        changes = self.teller.prose.reported_changes.get(form, {})
        for label, growth in changes.items():
            number = facts.get(label, "").partition("/")[0]
            if number.isdecimal():
                return f"{number} → {int(number) + growth}"
        return ""

    def _second(self, kind: Kind, decision: Decision) -> list[Choice]:
        first, offers = decision.option_list([]), dict[str, Choice]()
        for option in first[:MOST_FIRST]:
            offers |= {one.text: one for one in self._offers(kind, decision, [option])}
        known = {spaced(bare(option)) for option in first}
        return [offer for text, offer in offers.items() if text not in known]

    def _on_new(self, kind: Kind, decision: Decision, offers: Sequence[Choice]) -> list[Choice]:
        """Return examples of the later steps that name a piece which a first step makes."""
        makers = {self.ruleset.forms.read(option)[0]: option for option in decision.option_list([])}
        made = {offer.makes for offer in offers} - {""}
        steps = [option for form, option in makers.items() if form in self.makes]
        later = dict[str, Choice]()
        for option in steps:
            later |= {one.text: one for one in self._offers(kind, decision, [option])}
        by_form: dict[str, list[Choice]] = {}
        for one in later.values():
            if made & set(one.text.split()) and not one.makes:
                by_form.setdefault(self.ruleset.forms.read(one.text)[0], []).append(one)
        return [one for found in by_form.values() for one in found[:MOST_ON_NEW]]

    def _wide(self, kind: Kind, options: Sequence[str]) -> list[Choice]:
        """Return lines with `*` that harm any piece of one other player."""
        found: dict[str, Choice] = {}
        for option in options:
            form, said = self.ruleset.forms.read(option)
            if form in self.ruleset.harms and set(said) == {"sp", "who"}:
                seat = said["who"][0]
                if seat != said["sp"][0]:
                    text = self.ruleset.forms.say(form, sp=said["sp"], who=f"{seat}*")
                    says = _unless(self.teller.order(text), text)
                    found.setdefault(text, Choice(kind.name, text, says, (seat,), "*"))
        return list(found.values())

    def _in_words(self, line: ReadyLine, options: Sequence[str] | None) -> list[Choice]:
        whole = Choice(line.kind, line.sentence, line.description, ready=line)
        if "{seat}" in line.sentence:
            others = [(s, name) for s, name in self.view.names.items() if s != self.view.seat]
            return [
                replace(whole, text=line.sentence.replace("{seat}", seat), says=line.describe(name),
                        names=(seat,), is_idle=self._keeps_all(line, seat, options))
                for seat, name in others
            ]  # fmt: skip
        if options is None or not line.choose or "{n}" in line.sentence:
            return [whole]
        choice = chosen_option(ReadyCall(line, ""), self.view.table.state, self.view.seat, options)
        now = spaced(bare(choice)) if choice else "nothing"
        return [
            replace(whole, says=f"{line.description} (now: {now})", now=now, is_idle=not choice)
        ]

    def _keeps_all(self, line: ReadyLine, argument: str, options: Sequence[str] | None) -> bool:
        if options is None or line.keeps is None:
            return False
        public = self.view.table.state.clone(PUBLIC)
        kept = line.keeps(public, self.view.seat, options, argument)
        return len(kept) in (0, len(options))

    def standing(self) -> list[Question]:
        found = []
        for kind in self.ruleset.kinds.values():
            ready = self.ruleset.ready_lines.lines_of(kind.name)
            words = [offer for line in ready for offer in self._in_words(line, None)]
            known = {offer.text for offer in words}
            more = dict.fromkeys((kind.suggestion, total_line(self.ruleset, kind)[0]))
            words += [Choice(kind.name, text) for text in more if text and text not in known]
            if words and not (kind.cards and kind.script):
                question = Question(kind.name, kind.question, kind.script, always=True)
                question.words = words
                found.append(question)
        if self.ruleset.stops:
            asks = "when your standing orders stop"
            stops = [Choice(STOP, one.sentence, one.description) for one in self.ruleset.stops]
            found.append(Question(STOP, asks, always=True, words=stops))
        return found


def _unless(says: str, text: str) -> str:
    return "" if " ".join(says.lower().split()) == " ".join(text.lower().split()) else says
