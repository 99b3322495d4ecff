"""Understand a reply: its orders, its commands, and what must be asked back."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import field, replace
from typing import Final

from engine import DONE, Line, bare
from engine.values import Mutable
from pbem.drafts.offers import Choice
from pbem.drafts.read import Draft, Row, check_rows, missing_ends, with_ends
from pbem.judge.view import View
from pbem.mailseats.around import OwnLine, OwnText
from pbem.mailseats.order_form import OrderForm
from pbem.mailseats.reader import Reader, Sentence, alarms, folded, may_be_ignored, words_of
from pbem.records.notice import DRAW, NO_WINNER, PLAY_ON, SCORE
from pbem.screen.tell import spaced
from pbem.text.absence import (
    DaysAway,
    concedes,
    mentions_conceding,
    read_absence,
    wishes_to_concede,
)

Ask = tuple[str, str]
"""A question of a reply: `help`, `status`, `show`, `explain`, `concede`, `more` or `rules`, and the
word to explain if there is one."""

_ASK = re.compile(r"(help|status|show|explain|more|rules)\b[\s:]*(.{0,60})")
_ABOUT: Final = frozenset(["", "please", "me", "table", "the table", "me the table"])
_TELL = re.compile(r"tell\b(?:\s+([^:]{1,40}?))?\s*:\s*(.*)", re.I)
_ALL: Final = frozenset(["", "all", "everyone", "everybody", "them", "the others", "all players"])
_VOTE = re.compile(r"(?:i )?vote\b:?(?: (?:for|to))?(?: an?| the)?(?: (.*))?")
_VOTES: Final = {
    **dict.fromkeys(["end", "end the game", "end game", "stop", "score", "scores"], SCORE),
    **dict.fromkeys(["draw", "end as draw", "end as a draw"], DRAW),
    **dict.fromkeys(["no winner", "end without winner", "end without a winner"], NO_WINNER),
    **dict.fromkeys(["no", "play on", "against", "continue", "go on"], PLAY_ON),
}
_AGREE: Final = frozenset(["agree", "i agree", "agreed"])
_HOW: Final = {
    r"tell (?:all|every(?:one|body)|them|the others)\b": "write “tell:” before what you say",
    r"(?:i )?vote\b(?=.{0,45}$)": "write “vote end”, “vote draw” or “vote no”",
    r"away\b(?=.{0,45}$)": "write it like “away until friday” or “away 24 December to 2 January”",
}
"""How to write what is nearly a command; longer lines are prose."""
_BROKEN_AT: Final = 50
"""Mail programs break lines that are longer than about 70 characters between two words."""
_MOST_READ: Final = 16_000
"""How many characters of a reply are read as orders."""
MOST_ORDERS: Final = 200
"""How many orders in one reply are read."""
MOST_ASKS: Final = 10
"""How many questions in one reply are answered."""
MOST_TAPS: Final = 5
"""The most links of an answer that asks back."""
LONG: Final = "it is too long to be read as orders"


class Understood(Mutable):
    """What a reply says."""

    sentences: list[Sentence] = field(default_factory=list)
    reason: str = ""
    """Why nothing counts although the reply may have orders; empty if it can count."""
    lines: list[Row] = field(default_factory=list)
    """The orders in the reply, in their order; none if there is a reason against them."""
    asks: list[Ask] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)
    """Commands that cannot be carried out, and why."""
    rest: list[str] = field(default_factory=list)
    """All other lines, without greetings: questions and small talk, for the referee."""
    told: list[tuple[str, str]] = field(default_factory=list)
    """The messages to others: to whom (empty = all), and the text."""
    vote: str = ""
    """A vote to end the game, or not to, as in a notice; or `agree`."""
    absence: DaysAway | None = None
    """An absence that the reply announces or takes back."""
    concedes: bool = False
    """Whether the reply concedes the game."""
    start_over: bool = False
    """Whether the reply drops the earlier orders for this turn."""
    below: list[str] = field(default_factory=list)
    """The lines below the orders that were not used, and may be ignored if they come again."""

    @property
    def says_something(self) -> bool:
        """Whether the reply orders or asks for anything."""
        return bool(self.lines or self.reason or self.asks or self.start_over or self.speaks)

    @property
    def speaks(self) -> bool:
        """Whether the reply tells others something, votes, announces an absence, or concedes."""
        return bool(self.told or self.vote or self.absence or self.concedes)


def understand(own: OwnText, form: OrderForm, known: Collection[str] = ()) -> Understood:
    """Find out what a reply means, with the numbers in this form.

    Only lines above everything that is quoted can concede. `known` are lines that the player writes
    below each answer.
    """
    return _Understanding(form, known).of(own)


class _Understanding:
    def __init__(self, form: OrderForm, known: Collection[str]) -> None:
        self.form, self.known, self.found = form, known, Understood()
        self.reader = Reader(form)

    def of(self, own: OwnText) -> Understood:
        found, left = self.found, list[OwnLine]()
        found.concedes = concedes(own.above)
        if sum(len(one.text) for one in own.lines) > _MOST_READ:
            found.reason, found.rest = LONG, [one.text for one in own.lines]
            return found
        command: OwnLine | None = None
        for one in own.lines:
            is_command = self._goes_on(command, one) or self._is_command(one.text)
            command, left = (one, left) if is_command else (None, [*left, one])
        found.sentences += self.reader.sentences(left)
        if not any(one.kind == "order" for one in found.sentences):
            last = max((one.paragraph for one in found.sentences), default=0)
            marked = [OwnLine(line, last + 1) for line in own.quoted[:20]]
            for sentence in self.reader.sentences(marked):
                if sentence.kind == "order":
                    told = "the whole line, because it is marked as quoted"
                    found.sentences.append(replace(sentence, kind="ask", unused=[told]))
        self._settle([one.text for one in own.lines if one.is_signed])
        return found

    # -------------------------------------------------------------- commands
    def _goes_on(self, before: OwnLine | None, one: OwnLine) -> bool:
        """Add a line to the message in the line before it, which a mail program broke."""
        told, is_next = self.found.told, before and before.paragraph == one.paragraph
        if not (told and before and is_next) or len(before.text) < _BROKEN_AT:
            return False
        is_order = self.reader.read(Sentence(one.text, one.text)).kind == "order"
        if is_order or _TELL.fullmatch(one.text):
            return False
        told[-1] = told[-1][0], f"{told[-1][1]} {one.text}"
        return True

    def _is_command(self, line: str) -> bool:
        """Note a command, or that a line is one which is not written as it must be."""
        found, plain = self.found, line.rstrip("?!. ").lower()
        vote, asked = _VOTE.fullmatch(plain), _ASK.fullmatch(plain)
        wrong = [how for mark, how in _HOW.items() if re.match(mark, plain)]
        if match := _TELL.fullmatch(line):
            to = "" if (match[1] or "").lower() in _ALL else match[1]
            found.told.append((to, match[2]))
        elif plain == "start over":
            found.start_over = True
        elif wishes_to_concede(plain) or (mentions_conceding(line) and not found.concedes):
            self._ask("" if found.concedes else "concede")
        elif plain in _AGREE or (vote and vote[1] in _VOTES):
            found.vote = _VOTES[vote[1]] if vote else "agree"
        elif absence := read_absence(plain):
            found.absence = absence
        elif asked and asked[2] in _ABOUT and (asked[1] == "show" or "table" not in asked[2]):
            self._ask("help" if asked[1] == "explain" else asked[1])
        elif asked and asked[1] == "explain":
            self._ask("explain", asked[2])
        elif wrong:
            found.wrong.append((f"“{line}”", wrong[0]))
        else:
            return False
        return True

    def _ask(self, what: str, about: str = "") -> None:
        if what and (what, about) not in self.found.asks and len(self.found.asks) < MOST_ASKS:
            self.found.asks.append((what, about))

    # -------------------------------------------------------------- all of it
    def _settle(self, signed: Sequence[str]) -> None:
        found = self.found
        orders = [one for one in found.sentences if one.kind == "order"]
        self._ignore(orders, signed)
        first = found.sentences.index(orders[0]) if orders else 0
        for at, one in enumerate(found.sentences):
            long = len(words_of(one.text)) > 4
            if one.kind == "ask" and not (orders or one.took or one.near) and long:
                one.kind = "talk"
            if one.kind == "talk" and orders and alarms(one, orders, below=at > first):
                one.kind = "ask"
                found.reason = found.reason or "it may take back or change your answer"
            if one.kind == "talk" or (long and one.text.rstrip().endswith("?")):
                found.rest += [one.text] if self._is_talk(one) else []
        if any(one.kind == "ask" for one in found.sentences):
            found.reason = found.reason or "something in it was not used"
        choices = [(choice, one) for one in orders for choice in one.took]
        found.reason = found.reason or self._doubt(choices, orders)
        if not found.reason:
            found.lines = [Row(c.kind, spaced(bare(c.text)), one.always) for c, one in choices]

    def _is_talk(self, one: Sentence) -> bool:
        """Return whether a sentence says more than thanks, a name or a mark."""
        said = folded(one.text).strip(" .,!;:-")
        is_name = said in self.reader.signers
        return len(said) > 2 and not is_name and self.reader.choices(said) != []

    def _ignore(self, orders: Sequence[Sentence], signed: Sequence[str]) -> None:
        """Leave out what this player writes below each answer, and note what may be such a line."""
        found, last = self.found, max((s.paragraph for s in self.found.sentences), default=0)
        after = found.sentences.index(orders[-1]) if orders else 0
        for at, one in enumerate(list(found.sentences)):
            ends = one.paragraph == last or one.line in signed
            if not orders or at <= after or one.kind in ("order", "command") or not ends:
                continue
            if not may_be_ignored(one, self.reader.strong):
                continue
            found.below.append(folded(one.line))
            if folded(one.line) in self.known:
                found.sentences.remove(one)

    def _doubt(self, choices: list[tuple[Choice, Sentence]], orders: Sequence[Sentence]) -> str:
        """Return why several choices are not clear together; empty if they are."""
        kinds = self.form.view.play.ruleset.kinds
        if len(choices) > MOST_ORDERS:
            return f"there are more than {MOST_ORDERS} orders"
        for kind in dict.fromkeys(choice.kind for choice, one in choices if not one.always):
            mine = {choice.text: one for choice, one in choices if choice.kind == kind}
            spans = [one for one in orders if any(choice.kind == kind for choice in one.took)]
            if len(mine) < 2 or kind not in kinds:
                continue
            if kinds[kind].one_answer:
                return "this question wants one answer"
            joined = {one.joined for one in spans}
            if kinds[kind].script and "else" in joined:
                return "do you mean both, or one of them?"
            is_asked = kind in self.reader.asked and not kinds[kind].script
            if is_asked and (len(spans) > 1 or "then" in joined):
                return "one after the other, or the second only if the first is not possible?"
        numbers = [choice for choice, _ in choices]
        return "a choice stands in it twice" if len(set(numbers)) < len(numbers) else ""


# ---- What an answer that asks back offers


def meanings(
    view: View, form: OrderForm, found: Understood, base: Sequence[Line]
) -> list[list[Choice]]:
    """Return what the reply may mean, the understood parts first; only what the rules accept."""
    read = [one for one in found.sentences if one.took and not one.always]
    sure = list(dict.fromkeys(choice for one in read for choice in one.took))
    near = list(dict.fromkeys(choice for one in found.sentences for choice in one.near))
    kinds, singles = view.play.ruleset.kinds, [[choice] for choice in sure]
    several = [sure, read[-1].took] if len(read) > 1 and len(read[-1].took) > 1 else [sure]
    only = {kind for kind in kinds if kinds[kind].one_answer}
    several = [s for s in several if len(s) > 1 and not (only & {c.kind for c in s})]
    tried = [*several, *singles, *([choice] for choice in near if choice not in sure)]
    good = list[list[Choice]]()
    for some in tried[: 3 * MOST_TAPS]:
        rows = Understood(lines=[Row(c.kind, spaced(bare(c.text))) for c in some])
        if len(good) < MOST_TAPS and not draft_with_earlier(view, rows, base)[0].errors:
            good.append(some)
    return good


# ---- A draft from the lines of a reply and those written before it


def draft_with_earlier(
    view: View, found: Understood, base: Sequence[Line]
) -> tuple[Draft, list[str]]:
    """Join a reply's orders with the earlier lines that still fit, as a checked draft.

    Also returns the kinds whose earlier lines no longer fit and were left out. If the reply itself
    is wrong, the draft has its errors.
    """
    lines = [line for line in base if line.always]
    whole, kept = drafted(view, found, base), drafted(view, found, lines)
    if not whole.errors or kept.errors:
        return whole, []
    dropped = list[str]()
    for kind in dict.fromkeys(line.kind for line in base if not line.always):
        more = [*lines, *(line for line in base if line.kind == kind and not line.always)]
        tried = drafted(view, found, more)
        if not tried.errors:
            kept, lines = tried, more
        elif not any(row.kind == kind and not row.always for row in found.lines):
            dropped.append(kind)
    return kept, dropped


def drafted(view: View, found: Understood, base: Sequence[Line]) -> Draft:
    """Return a reply's orders as a checked draft; for each kind in the reply, they replace the
    lines in `base`. A list of steps in the reply is ended wherever it may end."""
    written = {(row.kind, row.always) for row in found.lines}
    kept = [] if found.start_over else list(base)
    kept = [line for line in kept if (line.kind, line.always) not in written]
    rows = [Row(line.kind, spaced(bare(line.text)), line.always) for line in kept] + found.lines
    draft = check_rows(view, rows)
    ends = missing_ends(view, draft, {kind for kind, always in written if not always})
    ends = [one for one in ends if one.is_whole or one.end == DONE]  # nobody passes for a player
    return with_ends(view, draft, ends) if ends and not draft.errors else draft
