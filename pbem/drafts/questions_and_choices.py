"""The choices of a seat: its questions now and later in the round, with lines for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final

from engine import DONE, PUBLIC, STOP, Decision, Line, QuestionKind, ReadyLine, Ruleset, bare
from engine.sentences.ready_lines import ReadyCall, chosen_option
from engine.value_classes import Mutable, Value
from pbem.judge.absent_seats import phase_of as phase_asked
from pbem.judge.bot_order_lines import total_line
from pbem.judge.game_view import View
from pbem.judge.order_line_checks import LineChecker
from pbem.terminal.game_prose import Teller, phase_names, spaced

# ---- What the sentences of options name


def pieces_in(ruleset: Ruleset[Any], options: Sequence[str]) -> set[str]:
    """Return the pieces that these options name."""
    pieces = set()
    for option in options:
        if option != DONE:
            fields = ruleset.forms.read(option)[1]
            pieces |= {value for field, value in fields.items() if field in ("sp", "who")}
    return pieces


def new_piece(ruleset: Ruleset[Any], known_pieces: set[str], options: Sequence[str]) -> str:
    """Return the new piece among these options: the only piece that is not one of ``known_pieces``.
    Empty if there is none, or several."""
    new_pieces = pieces_in(ruleset, options) - known_pieces
    return new_pieces.pop() if len(new_pieces) == 1 else ""


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
    asking_phases = {view.play.ruleset.kinds[kind].phase} - {""} or view.phases_of.get(kind, set())
    current_phase = phase_asked(view.table.pending)
    if not asking_phases or current_phase not in order:
        return True
    current_index = order.index(current_phase)
    return any(order.index(phase) >= current_index for phase in asking_phases if phase in order)


# ---- What a seat may order now


class Choice(Value):
    """One choice: a line that a seat may write."""

    kind: str
    text: str
    """The line as people write it; `{n}` in it stands for a number that the player chooses."""
    prose: str = ""
    """The line in prose, or what a ready line does; empty if the line already says the same."""
    names: tuple[str, ...] = ()
    """The cards, pieces and seats that the line names, spelt as in the scene."""
    group: str = ""
    """The card or the piece that acts; `*` for a line that harms any piece of another player."""
    makes: str = ""
    """The name of the new piece that the line makes, if that is known."""
    ready_line: ReadyLine | None = None
    """The ready line that this is, if it is one."""
    now: str = ""
    """The choice that a ready line would make now, in words; empty for other lines."""
    is_idle: bool = False
    """Whether a ready line would choose nothing now, or limit nothing."""
    number: int = 0
    """Its number in an order form; 0 if it has none there."""
    use: str = ""
    """The heading of its row in the list of what a card or a piece can do, such as `Trait`; empty
    if the ruleset has no row for it."""
    target: str = ""
    """Its name in this row; empty if the names in the sentence say enough."""
    harms_own: bool = False
    """Whether it harms a piece of the player who chooses it, so that pages list it last."""
    is_loss: bool = False
    """Whether the player only loses something by this choice. Pages then ask first."""
    effect: str = ""
    """The change that the choice makes, such as `2 → 3` for a number of a piece; or `face down`."""

    @property
    def takes_number(self) -> bool:
        """Whether the player must choose a number for the line."""
        return "{n}" in self.text


class Question(Mutable):
    """One kind of decision, and the choices with which its seat may answer."""

    kind: str
    prompt: str
    """The question in words."""
    script: bool = False
    """Whether the lines are steps of a script, carried out one after the other."""
    ends: str = ""
    """The line that ends a script."""
    is_asked: bool = False
    """Whether the seat is asked now; if not, the lines are for later or are standing orders."""
    is_single_answer: bool = False
    """Whether all lines together are one answer, which must be complete."""
    always: bool = False
    """Whether the lines are standing orders."""
    offers: list[Choice] = field(default_factory=list)
    """The choices that are legal after the lines so far."""
    second_choices: list[Choice] = field(default_factory=list)
    """More choices for the second step, if the list needs at least two steps. Otherwise empty: the
    choices for both steps are the same."""
    new_piece_examples: list[Choice] = field(default_factory=list)
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
    needs_titles = len(groups) > 1 and any(
        len(choices) > 1 for name, choices in groups.items() if name
    )
    ordered_groups = sorted(groups.items(), key=lambda item: item[0] == "")
    return [
        ((spaced(name) or "or") if needs_titles and titles else "", choices)
        for name, choices in ordered_groups
    ]


def questions(view: View, lines: Sequence[Line], *, continues_lines: bool = True) -> list[Question]:
    """List what the seat is asked now, and then what it may be asked later in the round.

    The choices for a list of steps follow the steps in `lines`, unless `continues_lines` is false.
    """
    return _Offering(view, lines, continues_lines).questions()


def standing_questions(view: View) -> list[Question]:
    """List the kinds of standing orders, and the lines that each kind may have."""
    return _Offering(view, ()).standing()


def ends_list(ruleset: Ruleset[Any], kind: str, text: str) -> bool:
    """Return whether this line ends its list: no later line of the kind is reached."""
    if kind == STOP:
        return False
    if ruleset.kinds[kind].script:
        return text in (ruleset.kinds[kind].ends, DONE)
    call = ruleset.ready_lines.read(kind, text)
    return bool(call and call.line.total)


MAX_FIRST_STEPS: Final = 12
"""The number of first steps that are tried, to find the possible second steps."""


MAX_EXAMPLES_PER_FORM: Final = 3
"""The number of examples of each form that are given for a piece that a line makes."""


class _Offering:
    """Finds the choices of a seat after these lines of its orders.

    If ``continues_lines`` is false, lists of steps begin with their first step, whatever the lines
    are.
    """

    def __init__(self, view: View, lines: Sequence[Line], continues_lines: bool = True) -> None:
        """Check the lines, and note the names that are on the table."""
        self.view, self.continues_lines = view, continues_lines
        self.ruleset = view.play.ruleset
        self.teller = Teller(self.ruleset, view.names)
        self.makes = {
            form for form, template in self.teller.prose.orders.items() if "{new}" in template
        }
        self.checker = LineChecker(view.table, view.seat, lines)
        scene = self.ruleset.scene(view.table.state)
        hand_cards = [card for place in scene.places for card in place.hand]
        self.pieces = {piece.name: piece for place in scene.places for piece in place.pieces}
        self.known_names = {*hand_cards, *self.pieces, *(place.seat for place in scene.places)}

    def questions(self) -> list[Question]:
        decisions = self.checker.decisions_by_kind
        later_kinds = [
            k for k in self.ruleset.kinds if k not in decisions and may_come(self.view, k)
        ]
        return [self._question(self.ruleset.kinds[kind]) for kind in (*decisions, *later_kinds)]

    def _question(self, kind: QuestionKind) -> Question:
        """Return a question of a kind with its choices: the choices that are asked now, or for a
        later question those that are known before."""
        open_decision = self.checker.decisions_by_kind.get(kind.name)
        decision = self.checker.script(kind.name) if kind.script else None
        decision = decision or open_decision or self.checker.early_decision(kind.name)
        ends = kind.ends if kind.script else ""
        question = Question(kind.name, kind.question, kind.script, ends, open_decision is not None)
        question.is_single_answer = self.checker.is_single_answer(kind.name)
        if decision is not None and decision.script:
            carried_out = self.checker.carried_out(kind.name) if self.continues_lines else ()
            steps = [line.text for line, _ in carried_out if line.text != decision.ends]
            question.offers = self._offers(kind, decision, steps)
            if not steps and kind.ends not in decision.option_list([]):
                question.second_choices = self._second_choices(kind, decision)
            elif not steps and not self.continues_lines:
                question.new_piece_examples = self._new_piece_examples(
                    kind, decision, question.offers
                )
        elif decision is not None:
            question.offers = self._offers(kind, decision)
            question.offers += (
                [] if kind.script else self._starred_choices(kind, decision.option_list())
            )
        options_now = (
            open_decision.option_list()
            if open_decision is not None and not open_decision.script
            else None
        )
        ready_lines = [
            line for line in self.ruleset.ready_lines.lines_of(kind.name) if not line.reads_hand
        ]
        question.words = [
            offer for line in ready_lines for offer in self._in_words(line, options_now)
        ]
        return question

    def _offers(
        self, kind: QuestionKind, decision: Decision, *steps: Sequence[str]
    ) -> list[Choice]:
        """Return the choices of a decision; for a script, those that follow these ``steps`` (one
        list). The prose of an option that makes a piece has the name that it will get."""
        options = list(dict.fromkeys(decision.option_list(*steps)))
        new_names: dict[str, str] = {}
        offers = []
        for option in options:
            form, fields = self.ruleset.forms.read(option)
            if steps and form in self.makes and form not in new_names:
                later_options = decision.option_list([*steps[0], option])
                new_names[form] = new_piece(
                    self.ruleset, pieces_in(self.ruleset, options), later_options
                )
            text, prose = spaced(bare(option)), self.teller.order(option, new_names.get(form, ""))
            # a piece that an earlier line makes is not in the scene
            named_things = (
                value for name, value in fields.items() if name == "sp" or value in self.known_names
            )
            names = tuple(dict.fromkeys(named_things))
            group = fields.get("card") or fields.get("sp", "")
            choice = Choice(
                kind.name, text, _unless(prose, text), names, group, new_names.get(form, "")
            )
            victim = fields.get("who", "") if form in self.ruleset.harms else ""
            if victim.startswith(self.view.seat):
                choice = replace(choice, harms_own=True)
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
            is_loss=use.is_loss,
            effect=use.card if use.card == "face down" else self._change(form, fields),
        )

    def _change(self, form: str, fields: Mapping[str, str]) -> str:
        """Return how a number of the piece changes, as `2 → 3`; empty if the form changes none."""
        piece = self.pieces.get(fields.get("sp", ""))
        facts = dict(piece.facts) if piece else {}
        for label, growth in self.teller.prose.reported_changes.get(form, {}).items():
            number = facts.get(label, "").partition("/")[0]
            if number.isdecimal():
                return f"{number} → {int(number) + growth}"
        return ""

    def _second_choices(self, kind: QuestionKind, decision: Decision) -> list[Choice]:
        first_options, offers = decision.option_list([]), dict[str, Choice]()
        for option in first_options[:MAX_FIRST_STEPS]:
            offers |= {choice.text: choice for choice in self._offers(kind, decision, [option])}
        known_texts = {spaced(bare(option)) for option in first_options}
        return [offer for text, offer in offers.items() if text not in known_texts]

    def _new_piece_examples(
        self, kind: QuestionKind, decision: Decision, offers: Sequence[Choice]
    ) -> list[Choice]:
        """Return examples of the later steps that name a piece which a first step makes."""
        makers = {self.ruleset.forms.read(option)[0]: option for option in decision.option_list([])}
        made_names = {offer.makes for offer in offers} - {""}
        steps = [option for form, option in makers.items() if form in self.makes]
        later_choices = dict[str, Choice]()
        for option in steps:
            later_choices |= {
                choice.text: choice for choice in self._offers(kind, decision, [option])
            }
        choices_by_form: dict[str, list[Choice]] = {}
        for choice in later_choices.values():
            if made_names & set(choice.text.split()) and not choice.makes:
                choices_by_form.setdefault(self.ruleset.forms.read(choice.text)[0], []).append(
                    choice
                )
        return [
            choice
            for choices in choices_by_form.values()
            for choice in choices[:MAX_EXAMPLES_PER_FORM]
        ]

    def _starred_choices(self, kind: QuestionKind, options: Sequence[str]) -> list[Choice]:
        """Return lines with `*` that harm any piece of one other player."""
        choice_by_text: dict[str, Choice] = {}
        for option in options:
            form, option_fields = self.ruleset.forms.read(option)
            if form in self.ruleset.harms and set(option_fields) == {"sp", "who"}:
                seat = option_fields["who"][0]
                if seat != option_fields["sp"][0]:
                    text = self.ruleset.forms.say(form, sp=option_fields["sp"], who=f"{seat}*")
                    prose = _unless(self.teller.order(text), text)
                    choice_by_text.setdefault(text, Choice(kind.name, text, prose, (seat,), "*"))
        return list(choice_by_text.values())

    def _in_words(self, line: ReadyLine, options: Sequence[str] | None) -> list[Choice]:
        """Return the choices that a ready line gives: one, or one for each other seat that it can
        name. With ``options``, each says what it would choose now."""
        general_choice = Choice(line.kind, line.sentence, line.description, ready_line=line)
        if "{seat}" in line.sentence:
            other_seats = [(s, name) for s, name in self.view.names.items() if s != self.view.seat]
            return [
                replace(
                    general_choice, text=line.sentence.replace("{seat}", seat),
                    prose=line.describe(name), names=(seat,),
                    is_idle=self._keeps_all(line, seat, options),
                )
                for seat, name in other_seats
            ]  # fmt: skip
        if options is None or not line.choose or "{n}" in line.sentence:
            return [general_choice]
        choice = chosen_option(ReadyCall(line, ""), self.view.table.state, self.view.seat, options)
        chosen_now = spaced(bare(choice)) if choice else "nothing"
        return [
            replace(
                general_choice,
                prose=f"{line.description} (now: {chosen_now})",
                now=chosen_now,
                is_idle=not choice,
            )
        ]

    def _keeps_all(self, line: ReadyLine, argument: str, options: Sequence[str] | None) -> bool:
        if options is None or line.keeps is None:
            return False
        public_state = self.view.table.state.clone(PUBLIC)
        kept_options = line.keeps(public_state, self.view.seat, options, argument)
        return len(kept_options) in (0, len(options))

    def standing(self) -> list[Question]:
        """Return the questions that standing orders can answer, and that of stop lines."""
        questions = []
        for kind in self.ruleset.kinds.values():
            ready_lines = self.ruleset.ready_lines.lines_of(kind.name)
            words = [offer for line in ready_lines for offer in self._in_words(line, None)]
            known_texts = {offer.text for offer in words}
            total_texts = dict.fromkeys((kind.suggestion, total_line(self.ruleset, kind)[0]))
            words += [
                Choice(kind.name, text) for text in total_texts if text and text not in known_texts
            ]
            if words and not (kind.cards and kind.script):
                question = Question(kind.name, kind.question, kind.script, always=True)
                question.words = words
                questions.append(question)
        if self.ruleset.stops:
            prompt = "when your standing orders stop"
            stops = [
                Choice(STOP, stop_line.sentence, stop_line.description)
                for stop_line in self.ruleset.stops
            ]
            questions.append(Question(STOP, prompt, always=True, words=stops))
        return questions


def _unless(prose: str, text: str) -> str:
    return "" if " ".join(prose.lower().split()) == " ".join(text.lower().split()) else prose
