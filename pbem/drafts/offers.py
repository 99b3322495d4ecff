"""What a seat may order now: its choices, with cards and pieces, and the rest of the round."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine import DONE, STOP, Decision, Kind, Line, ReadyLine, Ruleset, Unreadable, bare
from engine.sentences.ready_lines import Said, chosen
from pbem.frozen import frozen
from pbem.game.lines import LineChecker, total_line
from pbem.game.view import View
from pbem.screen.tell import Teller, phase_names, spaced

# ---- Choices as comments, grouped by the card or piece that acts

Listed = Callable[[Sequence[str]], Sequence[str]]
"""Takes the steps so far, and returns the options for the next step."""
MOST_FIRST: Final = 12
"""How many first steps are tried, to find out what the second step may be."""


def choice_lines(
    ruleset: Ruleset[Any],
    options: Sequence[str],
    after: Listed | None = None,
    names: Mapping[str, str] | None = None,
) -> list[str]:
    """Write the options as comments, each once, grouped by the card or piece that acts.

    With `after` (for scripts), the line of an option that makes a new piece says the piece's name:
    `# it will be b3`. Options that harm another player's pieces also get a line for all of these
    pieces: `a1 attacks b*`.
    """
    groups: dict[str, list[str]] = {}
    for option in dict.fromkeys(options):
        groups.setdefault(group_of(ruleset, option), []).append(option)
    made = Made(ruleset, options, after)
    lines: list[str] = []
    headed = any(len(found) > 1 for head, found in groups.items() if head) and len(groups) > 1
    for head, found in sorted(groups.items(), key=lambda one: one[0] == ""):
        if headed:
            lines.append(f"    # {spaced(head) or 'or'}:")
        lines += [f"    # {written(option)},{made.remark(option)}" for option in found]
        lines += [
            f"    # {written(wide)},   # any of {(names or {}).get(seat, seat)}'s"
            for wide, seat in wide_lines(ruleset, found).items()
        ]
    return lines


def second_steps(options: Sequence[str], after: Listed, ends: str) -> list[str]:
    """Return the choices for the second step of a list that may not end with the first step.

    `options` are those for the first step, and `ends` is the sentence that ends the list. The
    answer is empty if the list may be empty, because the choices for both steps are then the same.
    """
    if ends in options:
        return []
    later = [option for first in options[:MOST_FIRST] for option in after([first])]
    return [option for option in dict.fromkeys(later) if option not in options]


def wide_lines(ruleset: Ruleset[Any], options: Sequence[str]) -> dict[str, str]:
    """Return lines with `*` that harm any piece of one other player, with that player's seat."""
    found = {}
    for option in options:
        form, said = form_of(ruleset, option)
        if form in ruleset.harms and set(said) == {"sp", "who"}:
            seat = said["who"][0]
            if seat != said["sp"][0]:
                found[ruleset.forms.say(form, sp=said["sp"], who=f"{seat}*")] = seat
    return found


def written(option: str) -> str:
    """Write the option as a TOML string for an order file."""
    text = spaced(bare(option)).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def form_of(ruleset: Ruleset[Any], option: str) -> tuple[str, dict[str, str]]:
    """Return the form of an option and its fields; both empty if no form matches it."""
    try:
        return ruleset.forms.parse(option)
    except Unreadable:
        return "", {}


def group_of(ruleset: Ruleset[Any], option: str) -> str:
    """Return the card or piece that acts in an option; empty if the option names none."""
    _, fields = form_of(ruleset, option)
    return fields.get("card") or fields.get("sp", "")


class Made:
    """Finds the names of new pieces: those in the options only after a line was carried out."""

    def __init__(self, ruleset: Ruleset[Any], options: Sequence[str], after: Listed | None) -> None:
        self.ruleset, self.after = ruleset, after
        self.makes = {f for f, told in ruleset.prose().orders.items() if "{new}" in told}
        self.before = pieces_in(ruleset, options)
        self.known: dict[str, str] = {}

    def remark(self, option: str) -> str:
        """Write a comment with the name of the piece that the option makes, if any."""
        made = self.by(option)
        return f"   # it will be {made}" if made else ""

    def by(self, option: str) -> str:
        """Return the name of the piece that the option makes; empty if it makes none."""
        form, _ = form_of(self.ruleset, option)
        if self.after is None or form not in self.makes:
            return ""
        if form not in self.known:
            self.known[form] = new_piece(self.ruleset, self.before, self.after([option]))
        return self.known[form]


def new_piece(ruleset: Ruleset[Any], before: set[str], options: Sequence[str]) -> str:
    """Return the one new piece that these options name; empty if there is none, or several."""
    new = pieces_in(ruleset, options) - before
    return new.pop() if len(new) == 1 else ""


def pieces_in(ruleset: Ruleset[Any], options: Sequence[str]) -> set[str]:
    """Return the pieces that these options name."""
    found = set()
    for option in options:
        if option != DONE:
            fields = form_of(ruleset, option)[1]
            found |= {value for field, value in fields.items() if field in ("sp", "who")}
    return found


# ---- How far the round has gone


def phase_of(view: View) -> str:
    """Return the next question's phase in the rulebook's words; empty if nothing is asked."""
    return phase_names(view).get(_now(view), "")


def may_come(view: View, kind: str) -> bool:
    """Return whether this kind may still be asked in this round.

    The kind's phase decides this. If the ruleset names no phase for it, the log decides: a kind
    that was asked only in phases that are over will not be asked again.
    """
    order = list(phase_names(view))
    asked = {view.play.ruleset.kinds[kind].phase} - {""} or view.phases_of.get(kind, set())
    if not asked or _now(view) not in order:
        return True
    here = order.index(_now(view))
    return any(order.index(phase) >= here for phase in asked if phase in order)


def silent_so_far(view: View, sealed: Collection[str]) -> list[str]:
    """Return the seats that are not asked now, are not away, and have sent nothing for this round.

    Only what everybody can see decides this. `sealed` are the seats whose orders are here and wait
    for the next turn.
    """
    others = set(view.names) - {*view.awaited, *view.plays, *view.away, *sealed}
    return [seat for seat in sorted(others) if not answered_this_round(view, seat)]


def answered_this_round(view: View, seat: str) -> bool:
    """Return whether the seat's orders in force answered a question of this round."""
    answered = view.accepted.get(seat, 0) - 1
    return answered > 0 and view.round_at(answered) == view.table.state.round


def _now(view: View) -> str:
    pending = view.table.pending
    return pending[0][0].split(".")[1] if pending else ""


# ---- What a seat may order now


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

    def _offers(self, kind: Kind, decision: Decision) -> list[Offer]:
        done = self.checker.carried_out(kind.name) if decision.script else ()
        steps = [line.text for line, _ in done if line.text != decision.ends]
        listed = decision.listed(steps) if decision.script else decision.listed()
        options = list(dict.fromkeys(listed))
        after = (lambda more: decision.listed([*steps, *more])) if decision.script else None
        made, offers = Made(self.ruleset, options, after), []
        for option in options:
            fields = form_of(self.ruleset, option)[1].values()
            names = tuple(dict.fromkeys(value for value in fields if value in self.known))
            says = self.teller.order(option, made.by(option))
            group = group_of(self.ruleset, option)
            offers.append(Offer(spaced(bare(option)), names, group, says))
        wide = [] if kind.script else list(wide_lines(self.ruleset, options).items())
        return offers + [Offer(text, (seat,), "*", self.teller.order(text)) for text, seat in wide]

    def _in_words(self, line: ReadyLine, now: Decision | None) -> list[Offer]:
        if "{seat}" in line.sentence:
            others = [
                (seat, name) for seat, name in self.view.names.items() if seat != self.view.seat
            ]
            text = line.sentence.replace
            return [Offer(text("{seat}", s), (s,), says=line.said(name)) for s, name in others]
        says = line.says
        if now is not None and line.choose and "{n}" not in line.sentence:
            choice = chosen(Said(line, ""), self.view.table.state, self.view.seat, now.listed())
            says += f" (now: {spaced(bare(choice)) if choice else 'nothing'})"
        return [Offer(line.sentence, says=says, number="{n}" in line.sentence)]

    def standing(self) -> list[Question]:
        found = []
        for kind in self.ruleset.kinds.values():
            ready = self.ruleset.ready_lines.of(kind.name)
            words = [offer for line in ready for offer in self._in_words(line, None)]
            total, suggested = total_line(self.ruleset, kind)[0], kind.suggestion
            known = {offer.text for offer in words}
            words += [Offer(x) for x in dict.fromkeys((suggested, total)) if x and x not in known]
            if words and not (kind.cards and kind.script):
                question = Question(kind.name, kind.question, kind.script, words=words)
                question.always = True
                found.append(question)
        if self.ruleset.stops:
            words = [
                Offer(one.sentence, says=one.says, number="{n}" in one.sentence)
                for one in self.ruleset.stops
            ]
            asks = "when your standing orders stop"
            found.append(Question(STOP, asks, words=words, always=True))
        return found
