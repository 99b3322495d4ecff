"""Find the meaning of a reply: its orders, its commands, and what pbem must ask back."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import field
from typing import Final

from engine import DONE, Line, bare
from engine.value_classes import Mutable
from pbem.drafts.checked_rows import Draft, Row, check_rows, missing_ends, with_ends
from pbem.drafts.questions_and_choices import Choice
from pbem.judge.game_view import View
from pbem.plain_email.order_form import OrderForm
from pbem.plain_email.sentence_parser import (
    FILLER_WORDS,
    LABELLED_LINE_PATTERN,
    WORDS,
    Sentence,
    SentenceReader,
    fold_text,
    words_of,
)
from pbem.plain_email.strip_quotes import OwnLine, OwnText
from pbem.plain_email.typed_concessions import CONCESSION, concedes, mentions_conceding
from pbem.records.notice import DRAW, NO_WINNER, PLAY_ON, SCORE
from pbem.terminal.game_prose import spaced
from pbem.text.typed_absences import DaysAway, read_absence

_QUESTION_PATTERN = re.compile(r"(help|status|show|explain|more|rules)\b[\s:]*(.{0,60})")
_NO_SUBJECT: Final = frozenset(["", "please", "me", "table", "the table", "me the table"])
_EVERYBODY_PATTERN: Final = r"all(?: players)?|every(?:one|body)|them|the others"
_TELL_PATTERN = re.compile(
    rf"tell\b(?:\s+(?:{_EVERYBODY_PATTERN}|([^:]{{1,40}}?)))?\s*:\s*(.*)", re.I
)
_VOTE_PATTERN = re.compile(r"(?:i )?vote\b:?(?: (?:for|to))?(?: an?| the)?(?: (.*))?")
_RESULTS_BY_VOTE: Final = {
    **dict.fromkeys(["end", "end the game", "end game", "stop", "score", "scores"], SCORE),
    **dict.fromkeys(["draw", "end as draw", "end as a draw"], DRAW),
    **dict.fromkeys(["no winner", "end without winner", "end without a winner"], NO_WINNER),
    **dict.fromkeys(["no", "play on", "against", "continue", "go on"], PLAY_ON),
}
_AGREEING_LINES: Final = frozenset(["agree", "i agree", "agreed"])
_CORRECTIONS: Final = {
    rf"tell (?:{_EVERYBODY_PATTERN})\b": "write “tell:” before what you say",
    r"(?:i )?vote\b(?=.{0,45}$)": "write “vote end”, “vote draw” or “vote no”",
    r"away\b(?=.{0,45}$)": (
        "write the days like “away until friday” or “away 24 December to 2 January”"
    ),
}
"""For each pattern of a line that is nearly a command: the advice how to write it. Longer lines are
prose."""
_MIN_BROKEN_COLUMNS: Final = 50
"""The least length of a row that a mail program breaks between two words."""
_MAX_CHARACTERS: Final = 16_000
"""The most characters of a reply that may have orders."""
_MAX_SHORT_WORDS: Final = 5
"""A sentence of at most so many words below the orders may change them, whatever it says."""
MAX_REQUESTS: Final = 10
"""The most questions in one reply that are answered."""
MAX_TAPS: Final = 5
"""The most links of an answer that asks back."""
TOO_LONG_REASON: Final = "your reply is too long for pbem to find orders in it"


class ReplyInterpretation(Mutable):
    """The meaning of a reply."""

    sentences: list[Sentence] = field(default_factory=list)
    reason: str = ""
    """The reason why nothing counts although the reply may have orders; empty if it can count."""
    lines: list[Row] = field(default_factory=list)
    """The orders in the reply, in their order; none if there is a reason against them."""
    requests: list[tuple[str, str]] = field(default_factory=list)
    """Questions: `help`, `status`, `show`, `concede`, `more`, `rules`, or `explain` and a word."""
    rejected_commands: list[tuple[str, str]] = field(default_factory=list)
    """Commands that cannot be carried out, each with advice."""
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
    closing_lines: list[str] = field(default_factory=list)
    """The unused lines below the orders; if a later reply has them again, they are ignored."""

    @property
    def has_meaning(self) -> bool:
        """Whether the reply orders, asks or announces anything."""
        orders = self.lines or self.reason or self.requests or self.start_over
        return bool(orders or self.messages or self.vote or self.absence or self.concedes)


def interpret_reply(
    own_text: OwnText, form: OrderForm, known_closing_lines: Collection[str] = ()
) -> ReplyInterpretation:
    """Find out what a reply means, with the numbers in this form.

    `known_closing_lines` are the lines that the player writes below each answer; they are ignored.
    Only the lines above everything that is quoted can concede.
    """
    reply = ReplyInterpretation(concedes=concedes(own_text.first_lines))
    if sum(len(line.text) for line in own_text.lines) > _MAX_CHARACTERS:
        reply.reason, reply.remarks = TOO_LONG_REASON, [line.text for line in own_text.lines]
        return reply
    reader = SentenceReader(form)
    lines = [
        line
        for line in _join_broken_lines(own_text.lines, reader)
        if not _take_command(line.text, reply)
    ]
    reply.requests = list(dict.fromkeys(reply.requests))[:MAX_REQUESTS]
    reply.sentences = [*reader.read_lines(lines)]
    orders = [sentence for sentence in reply.sentences if sentence.kind == "order"]
    if orders:
        orders_end = reply.sentences.index(orders[-1]) + 1
        _drop_known_closings(reply, orders_end, known_closing_lines, reader.strong_words)
    else:
        quoted_lines = [OwnLine(line, 0) for line in own_text.quoted_lines[:20]]
        for sentence in reader.read_lines(quoted_lines):
            if sentence.kind == "order":
                sentence.kind = "ask"
                sentence.unused_words = ["the whole line, because it is marked as quoted"]
                reply.sentences.append(sentence)
    _sort_out_talk(reply, orders)
    reply.reason = reply.reason or _unclear_reason(orders, reader)
    if not reply.reason:
        reply.lines = [
            _row_of(choice, order.is_standing_order) for order in orders for choice in order.choices
        ]
    return reply


def _join_broken_lines(lines: Sequence[OwnLine], reader: SentenceReader) -> list[OwnLine]:
    """Join the rows of a line that a mail program broke between two words.

    A row continues the row above it if that is long, and this one begins with a small letter. Below
    a message (`tell: …`), it continues the message unless it is an order.
    """
    joined_lines, previous_row = list[OwnLine](), ""
    for line in lines:
        last_line = joined_lines[-1] if joined_lines else line
        may_continue = line.text[:1].islower() and not LABELLED_LINE_PATTERN.match(line.text)
        if _TELL_PATTERN.fullmatch(last_line.text):
            may_continue = reader.read_sentence(Sentence(line.text, line)).kind != "order"
        is_same_paragraph = last_line.paragraph == line.paragraph
        is_message = bool(_TELL_PATTERN.fullmatch(line.text))
        was_broken = is_same_paragraph and len(previous_row) >= _MIN_BROKEN_COLUMNS
        if may_continue and was_broken and not is_message:
            joined_lines[-1] = last_line._replace(text=f"{last_line.text} {line.text}")
        else:
            joined_lines.append(line)
        previous_row = line.text
    return joined_lines


def _take_command(line: str, reply: ReplyInterpretation) -> bool:
    """Add a line to the interpretation if it is a command, or is nearly one and needs a correction.

    Return False for any other line.
    """
    normalized_line = line.rstrip("?!. ").lower()
    vote = _VOTE_PATTERN.fullmatch(normalized_line)
    question = _QUESTION_PATTERN.fullmatch(normalized_line)
    corrections = [
        advice for pattern, advice in _CORRECTIONS.items() if re.match(pattern, normalized_line)
    ]
    if match := _TELL_PATTERN.fullmatch(line):
        reply.messages.append((match[1] or "", match[2]))
    elif normalized_line == "start over":
        reply.start_over = True
    elif normalized_line == CONCESSION.lower() or (mentions_conceding(line) and not reply.concedes):
        # the line of a reply that concedes was counted before
        reply.requests += [] if reply.concedes else [("concede", "")]
    elif normalized_line in _AGREEING_LINES:
        reply.vote = "agree"
    elif vote and vote[1] in _RESULTS_BY_VOTE:
        reply.vote = _RESULTS_BY_VOTE[vote[1]]
    elif absence := read_absence(normalized_line):
        reply.absence = absence
    elif question and question[2] in _NO_SUBJECT:
        reply.requests.append(("help" if question[1] == "explain" else question[1], ""))
    elif question and question[1] == "explain":
        reply.requests.append(("explain", question[2]))
    elif corrections:
        reply.rejected_commands.append((f"“{line}”", corrections[0]))
    else:
        return False
    return True


def _drop_known_closings(
    reply: ReplyInterpretation,
    orders_end: int,
    known_closing_lines: Collection[str],
    strong_words: Collection[str],
) -> None:
    """Drop the sentences that this player writes below each answer, such as a motto.

    `orders_end` is the index behind the last order. Lines below it that may be such closings are
    added to `reply.closing_lines`: never a line with a condition, a negation or a card (one of
    `strong_words`), and never one of numbers alone.
    """
    last_sentences, reply.sentences = reply.sentences[orders_end:], reply.sentences[:orders_end]
    for sentence in last_sentences:
        line = sentence.line
        words = {word for word in words_of(line.text) if not word.isdigit()}
        is_below_name = line.is_signed or line.paragraph == last_sentences[-1].line.paragraph
        has_alarm = words & {*WORDS["alarm"], *strong_words} or not words - FILLER_WORDS
        may_be_closing = is_below_name and not has_alarm
        if may_be_closing:
            reply.closing_lines.append(fold_text(line.text))
        if not may_be_closing or fold_text(line.text) not in known_closing_lines:
            reply.sentences.append(sentence)


def _sort_out_talk(reply: ReplyInterpretation, orders: Sequence[Sentence]) -> None:
    """Add questions and small talk to the remarks for the referee, and set the reason why nothing
    counts if a sentence may change the orders or was not used."""
    first_order = reply.sentences.index(orders[0]) if orders else 0
    for index, sentence in enumerate(reply.sentences):
        is_long = len(words_of(sentence.text)) > 4
        may_be_order = orders or sentence.choices or sentence.near_choices
        if sentence.kind == "ask" and is_long and not may_be_order:
            sentence.kind = "talk"
        if _may_change_orders(sentence, orders, is_below=index > first_order):
            sentence.kind = "ask"
            reply.reason = "a sentence in your reply may take back or change your answer"
        is_question = is_long and sentence.text.rstrip().endswith("?")
        is_talk = sentence.kind == "talk" and len("".join(words_of(sentence.text))) > 2
        if is_talk or is_question:
            reply.remarks.append(sentence.text)
    if any(sentence.kind == "ask" for sentence in reply.sentences):
        reply.reason = reply.reason or "pbem could not use all of your reply"


def _may_change_orders(sentence: Sentence, orders: Sequence[Sentence], *, is_below: bool) -> bool:
    """Return whether a sentence may take back or change the orders of a reply.

    `is_below`: it stands below the first of them. It then is dangerous if it is short; below or in
    the same paragraph, it is if it has a word such as “not” or “instead”.
    """
    text, words = sentence.text.rstrip(), words_of(sentence.text)
    if not orders or sentence.kind in ("order", "ask") or not words:
        return False
    is_beside = text.endswith((",", ":")) or any(
        sentence.line.paragraph == order.line.paragraph for order in orders
    )
    if text.endswith("?"):
        return (is_below or is_beside) and words[0] in WORDS["alarm"]
    if is_below and sentence.kind == "talk" and len(words) <= _MAX_SHORT_WORDS:
        return True
    alarm_words = {words[0], *(word for word in words if word != "of")} & WORDS["alarm"]
    return (is_below or is_beside) and bool(alarm_words)


def _unclear_reason(orders: Sequence[Sentence], reader: SentenceReader) -> str:
    """Return the reason why a reply's choices are not clear together; empty if they are."""
    choices = [choice for order in orders for choice in order.choices]
    if len({*choices}) < len(choices):
        return "your reply has the same choice twice"
    for kind in reader.form.view.play.ruleset.kinds.values():
        kind_orders = [
            order
            for order in orders
            if not order.is_standing_order and kind.name in {c.kind for c in order.choices}
        ]
        kind_choices = [c for order in kind_orders for c in order.choices if c.kind == kind.name]
        words = {word for order in kind_orders for word in words_of(order.text)}
        if len(kind_choices) < 2:
            continue
        if kind.one_answer:
            return "you may give only one answer to this question"
        if kind.script and words & WORDS["else"]:
            return "do you mean both, or one of them?"
        is_sequence = len(kind_orders) > 1 or (words & WORDS["then"] and not words & WORDS["else"])
        if is_sequence and kind.name in reader.asked_kinds and not kind.script:
            return (
                "do you mean one after the other, or the second only if the first is not possible?"
            )
    return ""


def possible_meanings(
    view: View, form: OrderForm, reply: ReplyInterpretation, earlier_lines: Sequence[Line]
) -> list[list[Choice]]:
    """Return up to `MAX_TAPS` answers that a reply may mean, each as a list of choices.

    The understood parts together come first, then single choices. Each answer is one that the rules
    accept with the lines of earlier orders.
    """
    choices_by_sentence = [
        sentence.choices
        for sentence in reply.sentences
        if sentence.choices and not sentence.is_standing_order
    ]
    sure_choices = [*dict.fromkeys(c for choices in choices_by_sentence for c in choices)]
    near_choices = [choice for sentence in reply.sentences for choice in sentence.near_choices]
    one_answer_kinds = {kind.name for kind in view.play.ruleset.kinds.values() if kind.one_answer}
    candidates = [
        choices
        for choices in (sure_choices, *choices_by_sentence[-1:])
        if len(choices) > 1 and not one_answer_kinds & {choice.kind for choice in choices}
    ]
    candidates += [[choice] for choice in sure_choices + near_choices]
    meanings = list[list[Choice]]()
    for choices in candidates[: 3 * MAX_TAPS]:
        trial = ReplyInterpretation(lines=[_row_of(choice) for choice in choices])
        if choices not in meanings and not draft_with_earlier(view, trial, earlier_lines).errors:
            meanings.append(choices)
    return meanings[:MAX_TAPS]


def draft_with_earlier(
    view: View, reply: ReplyInterpretation, earlier_lines: Sequence[Line]
) -> Draft:
    """Return a reply's orders as a checked draft, with the lines of earlier orders that still fit.

    The earlier lines of a kind are kept all together or not at all. If the reply itself is wrong,
    the draft has its errors.
    """
    lines = [line for line in earlier_lines if line.always]
    draft = make_draft(view, reply, lines)
    if draft.errors:
        return draft
    for kind in dict.fromkeys(line.kind for line in earlier_lines if not line.always):
        kind_lines = [line for line in earlier_lines if line.kind == kind and not line.always]
        longer_draft = make_draft(view, reply, [*lines, *kind_lines])
        if not longer_draft.errors:
            draft, lines = longer_draft, [*lines, *kind_lines]
    return draft


def make_draft(view: View, reply: ReplyInterpretation, earlier_lines: Sequence[Line]) -> Draft:
    """Return a reply's orders as a checked draft.

    For each kind in the reply, its orders replace the lines of that kind in `earlier_lines`. The
    list of steps in the reply is ended wherever it may end.
    """
    reply_kinds = {(row.kind, row.always) for row in reply.lines}
    kept_lines = [line for line in earlier_lines if (line.kind, line.always) not in reply_kinds]
    rows = [] if reply.start_over else [_row_of(line, line.always) for line in kept_lines]
    draft = check_rows(view, [*rows, *reply.lines])
    ends = missing_ends(view, draft, {kind for kind, always in reply_kinds if not always})
    ends = [end for end in ends if end.is_whole or end.end == DONE]  # nobody passes for a player
    return with_ends(view, draft, ends) if ends and not draft.errors else draft


def _row_of(line: Line | Choice, always: bool = False) -> Row:
    """Return an order line or a choice as a row of a draft."""
    return Row(line.kind, spaced(bare(line.text)), always)
