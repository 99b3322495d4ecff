"""Write the email that answers a reply: its effects, and what pbem must ask back."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from engine import Line
from engine.value_classes import Mutable
from pbem.drafts.describe_orders import describe_orders
from pbem.drafts.questions_and_choices import Choice
from pbem.judge.game_view import View
from pbem.mail.letter import Letter
from pbem.person.mail_notebooks import ECHO_START
from pbem.plain_email.letter_as_text_and_html import (
    ReplyAddress,
    Section,
    Tap,
)
from pbem.plain_email.order_form import OrderForm
from pbem.plain_email.reply_meaning import ReplyInterpretation
from pbem.plain_email.strip_quotes import ANSWER_LINE
from pbem.plain_email.turn_letters import (
    REPLY,
    choice_words,
    make_letter,
    other_requests_section,
    question_sections,
    turn_title,
)
from pbem.terminal.clean_text import clean

MAX_ROWS = 21
"""The most lines of a reply that an answer explains; the last may say that the rest was not
read."""
LOST_SENTENCE = "pbem found no orders in these lines, and it did not send them to anybody."
NO_MORE_ANSWERS_SENTENCE = (
    "pbem could not read several of your replies. It answers you again when it can read one. Until "
    "then, your words go to"
)
_AWAY_PATTERN: Final = re.compile(r"\b(away|holidays?|vacation|urlaub|vacances|vacaciones)\b", re.I)
_AWAY_ADVICE = (
    "If you are away for some days, write the days on a line of their own, for example: away until "
    "2 January. On these days the game does not wait for you."
)


class ReplyOutcome(Mutable):
    """The effects of a reply. The email that answers the reply mentions all of them."""

    orders: Sequence[Line] | None = None
    """The orders that count now, if the reply changed or confirmed them."""
    revision: int = 0
    open_questions: Sequence[str] = ()
    """The questions, in words, that these orders leave unanswered."""
    asked_back: Section | None = None
    """If nothing in the reply counts yet: how it was read, and links to its possible meanings."""
    wrong_lines: Sequence[tuple[str, str]] = ()
    """The lines that could not be used, each with the reason."""
    warnings: Sequence[tuple[str, str]] = ()
    """Notes about the orders, each with the reason."""
    forwarded_lines: Sequence[str] = ()
    """The lines that the referee gets as a message."""
    lost_lines: Sequence[str] = ()
    """The lines that are no orders, and that could not be forwarded."""
    is_left_alone: bool = False
    """Whether pbem answers no more about this turn, so that the referee has to."""
    answer_sections: Sequence[Section] = ()
    """The answers to `status`, `show` and `explain`."""
    sent_sentences: Sequence[str] = ()
    """Sentences about the messages, the vote and the absence in the reply."""
    conceded_sentence: str = ""
    """A sentence for a player who has conceded; empty for others."""
    is_old: bool = False
    """Whether the reply is to the email about an earlier turn."""
    unchanged_sentence: str = ""
    """A sentence that says which orders still count, if nothing was changed."""


def asked_back_section(
    view: View, interpretation: ReplyInterpretation, reason: str, taps: Sequence[Tap]
) -> Section:
    """Return the section that asks what a reply means: each sentence with its unused words, and
    `taps` for the possible meanings. `reason` says why nothing in the reply counts yet."""
    rows = [f"Nothing in your reply counts yet: {reason}{'' if reason.endswith('?') else '.'}", ""]
    for sentence in interpretation.sentences[:MAX_ROWS]:
        if sentence.kind == "talk" and not sentence.choices:
            continue
        rows.append(f"  your words: “{clean(sentence.text[:200])}”")
        if sentence.choices:
            choices_text = "; ".join(_numbered_words(choice) for choice in sentence.choices)
            rows.append(f"    understood: {choices_text}")
        if sentence.kind != "order":
            unused_text = ", ".join(sentence.unused_words) or "the whole line"
            rows.append(f"    not used: {clean(unused_text)}")
    if any(_AWAY_PATTERN.search(sentence.text) for sentence in interpretation.sentences):
        rows.append(_AWAY_ADVICE)
    advice = "Reply with the number of a choice, or with “help”."
    if taps:
        advice = REPLY + " with its number alone:"
    return Section(
        "Not counted yet: your answer", [*rows, "", advice], taps=list(taps), look="buttons"
    )


def _numbered_words(choice: Choice) -> str:
    """Return a choice in words, with its number before the words."""
    words = choice_words(choice)
    return f"{choice.number}: {words}" if choice.number else words


def answer_letter(
    view: View,
    reply_address: ReplyAddress,
    deadline_text: str,
    outcome: ReplyOutcome,
    requested_lists: Collection[str] = (),
) -> Letter:
    """Write the email that answers a reply, without an address.

    `deadline_text` says until when an answer counts; empty if it always counts. `requested_lists`
    are the lists that the player asked for (`MORE_REQUEST`, `RULES_REQUEST`).
    """
    sections = [
        Section("", [ANSWER_LINE], look="small"),
        Section("", [f"{ECHO_START} {turn_title(view)}."]),
    ]
    has_conceded = bool(outcome.conceded_sentence)
    if has_conceded:
        sections.append(Section("You have conceded", [outcome.conceded_sentence]))
    if outcome.is_old:
        notice = "Your reply answered an email about an earlier turn, so it changed nothing."
        notice += "" if has_conceded else " Below is what you are asked now."
        sections.append(Section("", [notice]))
    if outcome.asked_back:
        sections += [outcome.asked_back, Section("", [outcome.unchanged_sentence], look="small")]
    elif outcome.wrong_lines:
        title = "Nothing changed" if has_conceded else "Please write again"
        sections.append(Section(title, _wrong_rows(outcome)))
    elif outcome.orders is not None:
        sections.append(_orders_section(view, outcome, deadline_text))
    if outcome.sent_sentences:
        sections.append(Section("Sent to the other players", list(outcome.sent_sentences)))
    sections += outcome.answer_sections
    says_unchanged = outcome.wrong_lines or outcome.forwarded_lines or outcome.asked_back
    if outcome.answer_sections and outcome.unchanged_sentence and not says_unchanged:
        sections.append(Section("Your orders", [outcome.unchanged_sentence]))
    sections += _no_orders_sections(clean(view.referee), outcome)
    has_effect = outcome.orders is not None or outcome.sent_sentences or outcome.asked_back
    needs_answer = outcome.wrong_lines or outcome.is_old or outcome.open_questions
    if (needs_answer or not has_effect) and not view.is_over and not has_conceded:
        form = OrderForm(view, requested_lists)
        sections += [*question_sections(form), other_requests_section(form)]
    return make_letter(view, reply_address, _answer_topic(outcome), sections, "answer")


def _wrong_rows(outcome: ReplyOutcome) -> list[str]:
    """Return the rows about a reply's wrong lines, each with the reason."""
    rows = [f"Your reply changed nothing. {outcome.unchanged_sentence}".strip(), ""]
    for line, reason in outcome.wrong_lines[:MAX_ROWS]:
        rows.append("  " + clean(f"{line}: {reason}" if reason else line))
    return rows


def _answer_topic(outcome: ReplyOutcome) -> str:
    """Return the end of the subject of the email that answers a reply."""
    if outcome.conceded_sentence:
        return "you have conceded"
    if outcome.is_old:
        return "this is the question now"
    if outcome.asked_back:
        return "not counted yet"
    if outcome.wrong_lines:
        return "please write again"
    if outcome.orders is not None:
        return "there is still a question" if outcome.open_questions else "understood"
    if outcome.sent_sentences:
        return "sent to the other players"
    if outcome.answer_sections:
        return "your question"
    return "the referee has your message" if outcome.forwarded_lines else "please write again"


def _no_orders_sections(referee: str, outcome: ReplyOutcome) -> list[Section]:
    """Return the sections about the lines that are no orders: forwarded to the referee, or lost."""
    sections = list[Section]()
    lines = outcome.forwarded_lines or outcome.lost_lines
    quoted_rows = [f"  “{clean(line[:200])}”" for line in lines[:MAX_ROWS]]
    if outcome.forwarded_lines:
        sentence = (
            f"pbem found no orders in these lines. {referee} gets them as a message from you:"
        )
        rows = [sentence, *quoted_rows]
        if outcome.unchanged_sentence and not (outcome.wrong_lines or outcome.asked_back):
            rows.append(outcome.unchanged_sentence)
        if any(_AWAY_PATTERN.search(line) for line in outcome.forwarded_lines):
            rows.append(_AWAY_ADVICE)
        sections.append(Section(f"Sent to {referee}", rows))
    elif outcome.lost_lines:
        sentence = f"{LOST_SENTENCE} Write to {referee} yourself:"
        sections.append(Section("Not understood as orders", [sentence, *quoted_rows]))
    if outcome.is_left_alone:
        sentence = f"{NO_MORE_ANSWERS_SENTENCE} {referee}."
        sections.append(Section(f"{referee} will help you", [sentence]))
    return sections


def _orders_section(view: View, outcome: ReplyOutcome, deadline_text: str) -> Section:
    """Return the section with the orders in force, the open questions, and the deadline for changes
    of the orders."""
    rows = ["These are your orders now:"]
    rows += [f"  {sentence}" for sentence in describe_orders(view, outcome.orders or ())]
    if outcome.open_questions:
        rows.append(f"You still have to answer: {', '.join(outcome.open_questions)}.")
    rows += [
        clean(f"Note: {problem}" + (f" ({reason})" if reason else ""))
        for problem, reason in outcome.warnings
    ]
    deadline_clause = f"until {deadline_text}, or " if deadline_text else ""
    rows.append(f"You can change them {deadline_clause}until all have answered.")
    return Section(f"Understood (revision {outcome.revision} for this turn)", rows)
