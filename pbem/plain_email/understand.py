"""Understand a reply: its orders, its commands, and what must be asked back."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import field
from typing import Final

from engine import DONE, Line, bare
from engine.values import Mutable
from pbem.drafts.offers import Choice
from pbem.drafts.read import Draft, Row, check_rows, missing_ends, with_ends
from pbem.judge.view import View
from pbem.plain_email.around import OwnLine, OwnText
from pbem.plain_email.order_form import OrderForm
from pbem.plain_email.reader import FILLER, LABELLED, WORDS, Reader, Sentence, folded, words_of
from pbem.records.notice import DRAW, NO_WINNER, PLAY_ON, SCORE
from pbem.terminal.tell import spaced
from pbem.text.absence import CONCESSION, DaysAway, concedes, mentions_conceding, read_absence

_QUESTION = re.compile(r"(help|status|show|explain|more|rules)\b[\s:]*(.{0,60})")
_NO_SUBJECT: Final = frozenset(["", "please", "me", "table", "the table", "me the table"])
_ALL: Final = r"all(?: players)?|every(?:one|body)|them|the others"
_TELL = re.compile(rf"tell\b(?:\s+(?:{_ALL}|([^:]{{1,40}}?)))?\s*:\s*(.*)", re.I)
_VOTE = re.compile(r"(?:i )?vote\b:?(?: (?:for|to))?(?: an?| the)?(?: (.*))?")
_VOTES: Final = {
    **dict.fromkeys(["end", "end the game", "end game", "stop", "score", "scores"], SCORE),
    **dict.fromkeys(["draw", "end as draw", "end as a draw"], DRAW),
    **dict.fromkeys(["no winner", "end without winner", "end without a winner"], NO_WINNER),
    **dict.fromkeys(["no", "play on", "against", "continue", "go on"], PLAY_ON),
}
_AGREE: Final = frozenset(["agree", "i agree", "agreed"])
_CORRECTIONS: Final = {
    rf"tell (?:{_ALL})\b": "write “tell:” before what you say",
    r"(?:i )?vote\b(?=.{0,45}$)": "write “vote end”, “vote draw” or “vote no”",
    r"away\b(?=.{0,45}$)": (
        "write the days like “away until friday” or “away 24 December to 2 January”"
    ),
}
"""How to write what is nearly a command; longer lines are prose."""
_BROKEN_COLUMNS: Final = 50
"""The least length of a row that a mail program breaks between two words."""
_MAX_CHARACTERS: Final = 16_000
"""How many characters of a reply are read as orders."""
_MOST_SHORT_WORDS: Final = 5
"""How long a sentence below orders is that may take them back, whatever its words are."""
MOST_ASKS: Final = 10
"""How many questions in one reply are answered."""
MOST_TAPS: Final = 5
"""The most links of an answer that asks back."""
LONG: Final = "it is too long to be read as orders"


class Understood(Mutable):
    """The meaning of a reply."""

    sentences: list[Sentence] = field(default_factory=list)
    reason: str = ""
    """Why nothing counts although the reply may have orders; empty if it can count."""
    lines: list[Row] = field(default_factory=list)
    """The orders in the reply, in their order; none if there is a reason against them."""
    asks: list[tuple[str, str]] = field(default_factory=list)
    """Questions: `help`, `status`, `show`, `concede`, `more`, `rules`, or `explain` and a word."""
    wrong: list[tuple[str, str]] = field(default_factory=list)
    """Commands that cannot be carried out, and why."""
    remarks: list[str] = field(default_factory=list)
    """All other lines, without greetings: questions and small talk, for the referee."""
    messages: list[tuple[str, str]] = field(default_factory=list)
    """The messages to others: the recipient (empty = all), and the text."""
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
        """Whether the reply orders, asks or announces anything."""
        orders = self.lines or self.reason or self.asks or self.start_over
        return bool(orders or self.messages or self.vote or self.absence or self.concedes)


def understand(own: OwnText, form: OrderForm, known: Collection[str] = ()) -> Understood:
    """Find out what a reply means, with the numbers in this form.

    Only lines above everything that is quoted can concede. `known` are lines that the player writes
    below each answer.
    """
    reply, reader = Understood(concedes=concedes(own.above)), Reader(form)
    if sum(len(line.text) for line in own.lines) > _MAX_CHARACTERS:
        reply.reason, reply.remarks = LONG, [line.text for line in own.lines]
        return reply
    lines = [line for line in _unbroken(own.lines, reader) if not _is_command(line.text, reply)]
    reply.asks = list(dict.fromkeys(reply.asks))[:MOST_ASKS]
    reply.sentences = [*reader.sentences(lines)]
    orders = [sentence for sentence in reply.sentences if sentence.kind == "order"]
    if orders:
        _ignore_known(reply, reply.sentences.index(orders[-1]) + 1, known, reader.strong)
    for sentence in reader.sentences([OwnLine(line, 0) for line in own.quoted[:20]]):
        if sentence.kind == "order" and not orders:
            sentence.kind = "ask"
            sentence.unused = ["the whole line, because it is marked as quoted"]
            reply.sentences.append(sentence)
    _classify(reply, orders, reader)
    reply.reason = reply.reason or _doubt(orders, reader)
    if not reply.reason:
        reply.lines = [_row(choice, order.always) for order in orders for choice in order.took]
    return reply


def _unbroken(lines: Sequence[OwnLine], reader: Reader) -> list[OwnLine]:
    """Join the rows of a line that a mail program broke between two words."""
    joined, previous_row = list[OwnLine](), ""
    for line in lines:
        begun = joined[-1] if joined else line
        goes_on = line.text[:1].islower() and not LABELLED.match(line.text)
        if _TELL.fullmatch(begun.text):
            goes_on = reader.read(Sentence(line.text, line)).kind != "order"
        goes_on = goes_on and begun.paragraph == line.paragraph and not _TELL.fullmatch(line.text)
        if goes_on and len(previous_row) >= _BROKEN_COLUMNS:
            joined[-1] = begun._replace(text=f"{begun.text} {line.text}")
        else:
            joined.append(line)
        previous_row = line.text
    return joined


def _is_command(line: str, reply: Understood) -> bool:
    """Note a command, or that a line is one which is not written as it must be."""
    normalized = line.rstrip("?!. ").lower()
    vote, question = _VOTE.fullmatch(normalized), _QUESTION.fullmatch(normalized)
    corrections = [how for pattern, how in _CORRECTIONS.items() if re.match(pattern, normalized)]
    if match := _TELL.fullmatch(line):
        reply.messages.append((match[1] or "", match[2]))
    elif normalized == "start over":
        reply.start_over = True
    elif normalized == CONCESSION.lower() or (mentions_conceding(line) and not reply.concedes):
        reply.asks += [] if reply.concedes else [("concede", "")]
    elif normalized in _AGREE or (vote and vote[1] in _VOTES):
        reply.vote = _VOTES[vote[1]] if vote else "agree"
    elif absence := read_absence(normalized):
        reply.absence = absence
    elif question and question[2] in _NO_SUBJECT:
        reply.asks.append(("help" if question[1] == "explain" else question[1], ""))
    elif question and question[1] == "explain":
        reply.asks.append(("explain", question[2]))
    elif corrections:
        reply.wrong.append((f"“{line}”", corrections[0]))
    else:
        return False
    return True


def _ignore_known(
    reply: Understood, end: int, known: Collection[str], strong: Collection[str]
) -> None:
    """Leave out what this player writes below each answer, and note what may be such a line: never
    one with a condition, a negation or a card, nor one of numbers alone."""
    below, reply.sentences = reply.sentences[end:], reply.sentences[:end]
    for sentence in below:
        line, words = sentence.line, {w for w in words_of(sentence.line.text) if not w.isdigit()}
        is_last = line.is_signed or line.paragraph == below[-1].line.paragraph
        has_alarm = words & {*WORDS["alarm"], *strong} or not words - FILLER
        if is_last and not has_alarm:
            reply.below.append(folded(line.text))
        if not is_last or has_alarm or folded(line.text) not in known:
            reply.sentences.append(sentence)


def _classify(reply: Understood, orders: Sequence[Sentence], reader: Reader) -> None:
    """Tell questions and remarks for the referee from what stands against the orders beside it."""
    first_order = reply.sentences.index(orders[0]) if orders else 0
    for index, sentence in enumerate(reply.sentences):
        is_long = len(words_of(sentence.text)) > 4
        if sentence.kind == "ask" and is_long and not (orders or sentence.took or sentence.near):
            sentence.kind = "talk"
        if _has_alarm(sentence, orders, below=index > first_order):
            sentence.kind = "ask"
            reply.reason = "a sentence in your reply may take back or change your answer"
        is_question = is_long and sentence.text.rstrip().endswith("?")
        is_talk = sentence.kind == "talk" and len("".join(words_of(sentence.text))) > 2
        if is_talk or is_question:
            reply.remarks.append(sentence.text)
    if any(sentence.kind == "ask" for sentence in reply.sentences):
        reply.reason = reply.reason or "pbem could not use all of your reply"


def _has_alarm(sentence: Sentence, orders: Sequence[Sentence], *, below: bool) -> bool:
    """Return whether a sentence may take back or change the orders beside it."""
    text, words = sentence.text.rstrip(), words_of(sentence.text)
    if not orders or sentence.kind in ("order", "ask") or not words:
        return False
    beside = text.endswith((",", ":"))
    beside = beside or any(sentence.line.paragraph == order.line.paragraph for order in orders)
    if text.endswith("?"):
        return (below or beside) and words[0] in WORDS["alarm"]
    is_short = sentence.kind == "talk" and len(words) <= _MOST_SHORT_WORDS
    alarming = {words[0], *(word for word in words if word != "of")} & WORDS["alarm"]
    return (below and is_short) or ((below or beside) and bool(alarming))


def _doubt(orders: Sequence[Sentence], reader: Reader) -> str:
    """Return why several choices are not clear together; empty if they are."""
    choices = [choice for order in orders for choice in order.took]
    if len({*choices}) < len(choices):
        return "your reply has the same choice twice"
    for kind in reader.form.view.play.ruleset.kinds.values():
        same = [o for o in orders if not o.always and kind.name in {c.kind for c in o.took}]
        words = {word for order in same for word in words_of(order.text)}
        if sum(choice.kind == kind.name for order in same for choice in order.took) < 2:
            continue
        if kind.one_answer:
            return "you may give only one answer to this question"
        if kind.script and words & WORDS["else"]:
            return "do you mean both, or one of them?"
        is_sequence = len(same) > 1 or (words & WORDS["then"] and not words & WORDS["else"])
        if is_sequence and kind.name in reader.asked and not kind.script:
            return (
                "do you mean one after the other, or the second only if the first is not possible?"
            )
    return ""


def meanings(
    view: View, form: OrderForm, reply: Understood, base: Sequence[Line]
) -> list[list[Choice]]:
    """Return what the reply may mean, the understood parts first; only what the rules accept."""
    read = [sentence.took for sentence in reply.sentences if sentence.took and not sentence.always]
    sure = [*dict.fromkeys(choice for took in read for choice in took)]
    near = [choice for sentence in reply.sentences for choice in sentence.near]
    single = {kind.name for kind in view.play.ruleset.kinds.values() if kind.one_answer}
    several = [t for t in (sure, *read[-1:]) if len(t) > 1 and not single & {c.kind for c in t}]
    accepted = list[list[Choice]]()
    for choices in [*several, *([choice] for choice in sure + near)][: 3 * MOST_TAPS]:
        rows = Understood(lines=[_row(choice) for choice in choices])
        if choices not in accepted and not draft_with_earlier(view, rows, base).errors:
            accepted.append(choices)
    return accepted[:MOST_TAPS]


def draft_with_earlier(view: View, reply: Understood, base: Sequence[Line]) -> Draft:
    """Join a reply's orders with the earlier lines of each kind that still fit, as a checked draft.
    If the reply itself is wrong, the draft has its errors."""
    lines = [line for line in base if line.always]
    draft = drafted(view, reply, lines)
    for kind in dict.fromkeys(line.kind for line in base if not line.always):
        more = [*lines, *(line for line in base if line.kind == kind and not line.always)]
        longer_draft = draft if draft.errors else drafted(view, reply, more)
        if not longer_draft.errors:
            draft, lines = longer_draft, more
    return draft


def drafted(view: View, reply: Understood, base: Sequence[Line]) -> Draft:
    """Return a reply's orders as a checked draft; for each kind in the reply, they replace the
    lines in `base`. A list of steps in the reply is ended wherever it may end."""
    written = {(row.kind, row.always) for row in reply.lines}
    kept = [line for line in base if (line.kind, line.always) not in written]
    rows = [] if reply.start_over else [_row(line, line.always) for line in kept]
    draft = check_rows(view, [*rows, *reply.lines])
    ends = missing_ends(view, draft, {kind for kind, always in written if not always})
    ends = [end for end in ends if end.is_whole or end.end == DONE]  # nobody passes for a player
    return with_ends(view, draft, ends) if ends and not draft.errors else draft


def _row(line: Line | Choice, always: bool = False) -> Row:
    return Row(line.kind, spaced(bare(line.text)), always)
