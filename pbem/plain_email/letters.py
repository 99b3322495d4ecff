"""Letters to players who answer by plain email: the table, the choices, the answers."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from typing import Final, Literal
from urllib.parse import quote

from engine import DONE, UNKNOWN, Line
from engine.values import Mutable, Value
from pbem.drafts.offers import Choice, Question, phase_of
from pbem.drafts.write import describe_orders
from pbem.drawing.table import draw, icons_of
from pbem.judge.view import View, answers_everything
from pbem.mail.letter import PICTURE, WIDTH, Letter
from pbem.person.books import ECHO_START
from pbem.plain_email.order_form import MORE_REQUEST, RULES_REQUEST, OrderForm
from pbem.plain_email.reply_meaning import ReplyInterpretation
from pbem.plain_email.strip_quotes import ANSWER_LINE
from pbem.records.charter import slug
from pbem.terminal.table import facts, for_people
from pbem.terminal.tell import spaced
from pbem.terminal.terminal import clean
from pbem.text.absence import CONCESSION
from pbem.text.names import join_words
from pbem.text.phrases import LEAST_HARMFUL_CHOICE
from pbem.wording.scores import score_lines
from pbem.wording.story import story

# ---- Write the table as text for an email, without columns, so that any font and phone shows it


def table_lines(view: View) -> list[str]:
    """Write the table as the view's seat sees it, with the seat's own place at the end."""
    ruleset = view.play.ruleset
    scene = for_people(ruleset.scene(view.table.state), ruleset)
    lines = [_join_facts(facts(scene.facts, view.names))]
    other_indexes, own_indexes = scene.around(view.seat)
    for place in (scene.places[index] for index in (*other_indexes, *own_indexes)):
        seat_label = f"you, seat {place.seat}" if place.seat == view.seat else f"seat {place.seat}"
        head = f"{clean(view.names.get(place.seat, ''))} ({seat_label})"
        known_cards = [spaced(card) for card in place.hand if card != UNKNOWN]
        fact_texts = [
            *facts(place.facts, {}),
            *([] if known_cards else [f"{len(place.hand)} cards in hand"]),
        ]
        lines += ["", f"{head}: {_join_facts(fact_texts)}" if fact_texts else head]
        for piece in place.pieces:
            cards = ", ".join(map(spaced, piece.cards))
            row = f"{piece.name}: {_join_facts(f'{label} {value}' for label, value in piece.facts)}"
            lines.append(f"  {row}; {cards}" if cards else f"  {row}")
        if known_cards and place.seat == view.seat:
            lines.append(f"  your hand: {', '.join(known_cards)}")
    return lines


def _join_facts(parts: Iterable[str]) -> str:
    return " · ".join(spaced(part) for part in parts)


# ---- Write the emails to a player without `pbem`: one for each turn, and answers to replies
#
# An email is a list of sections, so that its text and its HTML say the same.

MAX_ROWS = 21
"""The most lines of a reply that an answer explains; the last may say that the rest was not
read."""
MAX_STORY_LINES = 120
"""The most lines of a turn's story in an email: the last lines, if there are more."""
MAX_BUTTONS = 8
"""If a question has more choices, they are small and stand under the cards or pieces that act."""
MAX_LINKS = 80
"""The most choices of an email that are links; Gmail hides the end of an email over 100 kB."""
YOUR_MOVE_CLAUSE: Final = "it is your move"
"""The first words of the title of a question."""
_CONCEDE_SENTENCE = (
    "To give up the game for good, begin your reply with a line that says only "
    f"“{CONCESSION}”. You cannot take that back."
)
_TAP_CLAUSE: Final = "Tap one: an email opens, press Send. Or reply"
"""How to answer on the page; the text has nothing to tap."""
_AWAY_PATTERN: Final = re.compile(r"\b(away|holidays?|vacation|urlaub|vacances|vacaciones)\b", re.I)
_AWAY_ADVICE = (
    "If you are away for some days, write only that on a line of its own, for example: away until "
    "2 January. On these days the game does not wait for you."
)
LOST_SENTENCE = "pbem found no orders in these lines, and cannot send them as a message now."
NO_MORE_ANSWERS_SENTENCE = (
    "pbem could not read several of your replies. Until it can read one, it writes you no more "
    "answers about this turn. It sends what you write to"
)
IN_BROWSER_SENTENCE = (
    "This link shows the table and all that has happened, but neither your hand nor a way to "
    "answer: you answer by email."
)
_HELP_TEXT = """\
Tap a choice and send the email that opens, or reply with its number, above everything that is
quoted. Several numbers, such as 3, 1: where several things happen, they happen in this order;
where one of several may act, the second counts if the first is not possible any more. You may
also write a choice as it stands; you may shorten its words.

If anything in your reply has a number or a card that pbem cannot use, nothing in it counts, and you
get links to what you may have meant. You can reply again until the turn is made: your new answer to
a question replaces the earlier one. To drop everything, write: start over.

Each of these works on a line of its own: more (what you may answer already now), rules (choices in
words, which also decide for you later), status, show, help, or explain followed by a word, such as
the name of a card.

To say something to all players, begin a line with “tell:”. To say it to one of them only, begin
with the name: “tell {other}:”. To vote to end the game, write: vote end (with the scores as they
are) or vote draw. To take your vote back, write: vote no. The game ends if all players who are
there vote to end it in the same way, and nobody who is silent cancels this.

If you are away for some days, write for example “away until 2 January” or “away 24 December to
2 January”. On these days the game does not wait for you.
"""


class Tap(Value):
    """A choice that opens an email which is ready to send."""

    label: str
    body: str = ""
    """What the email says; `mailto` adds address and subject."""
    number: str = ""
    fact: str = ""
    """What decides about the choice, such as how much a species lacks."""


class Section(Mutable):
    """A part of an email: a heading, and lines of any length; spaces before a line indent it."""

    title: str
    lines: list[str] = field(default_factory=list)
    link: str = ""
    """A link below the lines, on a row of its own."""
    taps: list[Tap] = field(default_factory=list)
    """The choices below these lines."""
    look: Literal["", "main", "buttons", "chips", "links", "small"] = ""
    """How the page shows it: its lines large or small; its choices as buttons, chips or links."""


class ReplyAddress(Value):
    """Where an answer goes: the referee's address, which may be unknown, and the code."""

    address: str
    code: str
    turn_title: str

    def mailto_link(self, body: str) -> str:
        """Return the link that opens a new email with this text (RFC 6068).

        Gmail shows `+` as it is and calendars `&` as `&amp;`, so the subject has neither.
        """
        first_words = body.split("\n")[0][:40].rstrip(": ")
        subject = " ".join(re.sub(r"[&+#]", " ", f"{self.turn_title}: {first_words}").split())
        encoded_body = quote(body, safe="").replace("%0A", "%0D%0A")
        encoded_address = quote(self.address, safe="@")
        encoded_subject = quote(f"{subject} [{self.code}]", safe="")
        return f"mailto:{encoded_address}?subject={encoded_subject}&body={encoded_body}"


def turn_title(view: View) -> str:
    """Name the game and the turn: `Savannah, turn 3`."""
    return f"{clean(view.title)}, turn {view.turn}"


def help_section(view: View, title: str = "How to answer") -> Section:
    """Say what the player of the view's seat may answer, and who reads what is no order."""
    referee = clean(view.referee)
    talk = (
        f"You can also ask {referee} something, or just talk: {referee} gets whatever is no order, "
        "as a private message from you."
    )
    if {*view.plays} - {*view.bots}:
        talk += f" {referee} plays in this game too, and reads it."
    other_name = clean(next(name for seat, name in view.names.items() if seat != view.seat))
    help_text = _HELP_TEXT.format(other=other_name)
    paragraphs = [" ".join(paragraph.split()) for paragraph in help_text.split("\n\n")]
    conceding = [] if view.seat in view.conceded else [_CONCEDE_SENTENCE]
    return Section(title, [*paragraphs, talk, *conceding])


def concede_section(view: View) -> Section:
    """Say how to concede, to a player whose reply mentions it but does not concede."""
    if view.is_over:
        return Section("To concede", ["The game is over."])
    sentence = "Your reply does not concede the game, so you are still playing."
    advice = (
        "If you want to give up the game for good, reply again and begin with this line. Write "
        "nothing else on the line, and put no quoted text above it:"
    )
    # not on a line of its own, so that no quoted email contains the sentence as a whole line
    return Section(
        "To concede", [sentence, advice, f"  write: {CONCESSION}", "You cannot take that back."]
    )


# ------------------------------------------------------------------ the question and its choices
def question_sections(
    form: OrderForm, opening: Sequence[str] = (), title_start: str = YOUR_MOVE_CLAUSE
) -> list[Section]:
    """Write the questions that are asked now, each with its choices and how to answer it.

    `head` are lines below the first question, such as the deadline; `what` begins its title.
    """
    view, sections = form.view, list[Section]()
    for question in form.asked_questions:
        title = f"{clean(view.names[view.seat])}, {title_start}: {question.prompt}"
        second_texts = {choice.text for choice in question.second_choices if question.script}
        first_choices = [choice for choice in question.offers if choice.text not in second_texts]
        section = _choice_section(view, question, first_choices or question.choices)
        section.title = title if not sections else f"Also: {question.prompt}"
        section.lines = [] if sections else list(opening)
        sections += [section, Section("", [_answer_advice(view, question)], look="small")]
        if question.script and section.look == "chips":
            sections[-1].taps = [Tap("Several: write their numbers", f"[{question.prompt}] ")]
        second_choices = [choice for choice in question.offers if choice.text in second_texts]
        if first_choices and second_choices:
            sections.append(_choice_section(view, question, second_choices))
            sentence = "Write the number of a choice above first, and then one or several of these:"
            sections[-1].title = "And then"
            sections[-1].lines = [
                f"{sentence} {first_choices[0].number}, {second_choices[0].number}."
            ]
    if len(form.asked_questions) > 1:
        body = "\n".join(f"[{question.prompt}] " for question in form.asked_questions)
        sections.append(Section("", taps=[Tap("Answer all in one email", body)], look="links"))
    return sections


def _choice_section(view: View, question: Question, choices: Sequence[Choice]) -> Section:
    is_long_list = len(choices) > MAX_BUTTONS and any(choice.group for choice in choices)
    taps = [
        Tap(
            choice_words(choice), str(choice.number or ""), str(choice.number or ""),
            "" if is_long_list else fact_of(view, choice),
        )
        for choice in choices
    ]  # fmt: skip
    return Section("", taps=taps, look="chips" if is_long_list else "buttons")


def fact_of(view: View, choice: Choice) -> str:
    """Return what decides about a choice: the piece of another player that it is about, else the
    own one that acts."""
    scene = view.play.ruleset.scene(view.table.state)
    pieces = {piece.name: piece for place in scene.places for piece in place.pieces}
    named_pieces = [pieces[name] for name in choice.names if name in pieces]
    other_pieces = [piece for piece in named_pieces if piece.name[0] != view.seat]
    if not named_pieces:
        return ""
    piece = [*other_pieces[::-1], *named_pieces][0]
    known_cards = [spaced(card) for card in piece.cards]
    fact_texts = [*(f"{label} {value}" for label, value in piece.facts), *known_cards]
    return f"{piece.name}: " + _join_facts(fact_texts) if len(fact_texts) > 1 else ""


def _answer_advice(view: View, question: Question) -> str:
    """Say how to answer one question."""
    advice = f"{_TAP_CLAUSE} with its number."
    if question.script:
        advice += " Several happen in the order in which you write them: 3, 1."
        has_ending = question.is_single_answer and question.ends not in ("", DONE)
        return f"{advice} After the last one comes: {question.ends}." if has_ending else advice
    if view.play.ruleset.kinds[question.kind].one_answer:
        return advice
    return (
        f"{advice} If you write two, the second is used if the first is not possible any more: "
        "3, 1."
    )


def _other_requests_section(form: OrderForm) -> Section:
    """The one line for everything that is no choice of the question."""
    referee = clean(form.view.referee)
    taps = []
    if any(
        choice.now != "nothing"
        for question in form.questions
        for choice in question.words
        if question.offers or question in form.later_questions
    ):
        taps.append(Tap("Rules that decide for you: rules", RULES_REQUEST))
    if form.piece_choices or any(choice.offers for choice in form.later_questions):
        taps.append(Tap("Later choices: more", MORE_REQUEST))
    taps += [Tap(f"Ask {referee}", f"{referee}, "), Tap("away until …", "away until ")]
    return Section("", taps=[*taps, Tap("help", "help")], look="links")


def more_sections(form: OrderForm) -> list[Section]:
    """Write what the player may answer already now: later questions, and what a line makes
    possible."""
    sections = list[Section]()
    sentence = "You are not asked this yet. You may answer it now, to save time."
    for question in form.later_questions:
        if question.offers:
            sections.append(_choice_section(form.view, question, question.offers))
            sections[-1].title, sections[-1].lines = f"Later: {question.prompt}", [sentence]
    if form.piece_choices:
        section = _choice_section(form.view, form.asked_questions[0], form.piece_choices)
        names = join_words(
            dict.fromkeys(
                choice.makes
                for question in form.asked_questions
                for choice in question.offers
                if choice.makes
            )
        )
        section.title = f"After a line that makes {names}"
        section.lines = ["Write the number of that line first, and then one of these: 2, 33."]
        sections.append(section)
    return sections or [Section("More", ["There is nothing else that you may answer now."])]


def rules_sections(form: OrderForm) -> list[Section]:
    """Write the choices in words that would do something; some of them decide all round."""
    sections = list[Section]()
    for question in form.questions:
        effective_rules = [choice for choice in question.words if choice.now != "nothing"]
        if effective_rules:
            section = _choice_section(form.view, question, effective_rules)
            section.title, section.look = f"Rules for: {question.prompt}", "buttons"
            sections.append(section)
    sentence = "A rule answers the question each time that it is asked in this round."
    return (sections and [Section("", [sentence]), *sections]) or [
        Section("Rules", ["There are none."])
    ]


def choice_words(choice: Choice) -> str:
    """Write one choice: `long neck 5 on b1`."""
    text = choice.text.replace("{n}", "N")
    if choice.takes_number:
        text = f"write: {choice.kind}: {text}"
    words = (
        f"{text} ({choice.prose})" if choice.ready_line and choice.prose else choice.prose or text
    )
    return f"{words}: play nothing more" if choice.text == "done" else words


# ------------------------------------------------------------------ a turn
def orders_that_answer(view: View) -> list[str]:
    """Write the seat's orders in force for the questions that it is asked now, as sentences. Only
    its own player may read them."""
    asked_kinds = view.awaited.get(view.seat, [])
    return describe_orders(view, [line for line in view.lines if line.kind in asked_kinds])


def turn_letter(
    view: View, desk: ReplyAddress, deadline_text: str, first_turn: int,
    requested_lists: Collection[str] = (), notes: Sequence[str] = (), reminder: str = "",
    game_link: str = "", guess_sections: Sequence[Section] = (), losses: Sequence[str] = (),
) -> Letter:  # fmt: skip
    """Write the email that asks for orders for a turn, or says that the game is over.

    `due` says until when an answer counts; if it is empty, an answer always counts. `since` is the
    first turn to tell about. `seen` are the lists that the player asked for. `notes` are further
    sentences, such as messages of other players. `reminder` says how little time is left, if the
    email is sent again for this reason; `again` is what the last reply may have meant. `link` opens
    the game in a browser, if it is on a host. `losses` say what will be taken from the player
    unless they cancel it.
    """
    form = OrderForm(view, requested_lists)
    is_asked = bool(form.asked_questions) and not view.is_over
    what = "the game is over" if view.is_over else YOUR_MOVE_CLAUSE if is_asked else "nothing to do"
    is_answered = is_asked and answers_everything(view)
    what = "your earlier orders already answer" if is_answered else what
    title = what if is_answered else YOUR_MOVE_CLAUSE
    what = "you can still cancel what others have announced" if losses else what
    phase = "" if view.is_over else phase_of(view)
    header = " · ".join(
        filter(
            None,
            [
                turn_title(view),
                phase,
                f"answer until {deadline_text}" if deadline_text and is_asked else "",
            ],
        )
    )
    opening = [header]
    opening += [f"This is a reminder: {reminder}."] if reminder else []
    if view.seat in view.silent and not reminder:
        opening.append(f"Your last answer did not come in time: {LEAST_HARMFUL_CHOICE} was made.")
    if is_answered:
        opening += [
            "Your earlier orders:",
            *(f"  {sentence}" for sentence in orders_that_answer(view)),
        ]
        opening.append("Reply only if you want something else.")
    sections = [Section("", [ANSWER_LINE], look="small"), *guess_sections]
    sections += [Section("What you can still cancel", list(losses))] if losses else []
    if is_asked:
        sections += [*question_sections(form, opening, title), _other_requests_section(form)]
    else:
        title = f"{clean(view.names[view.seat])}: {what}"
        sections.append(Section(title, opening, look="main"))
        if not view.is_over:
            sections.append(_other_requests_section(form))
    if view.turn == 1 and is_asked:
        sections.append(_invitation_section(view))
    if view.is_over:
        advice = f"To play again with the same people, ask {clean(view.referee)}."
        sections.append(Section("The result", [*score_lines(view), "", advice]))
    if notes:
        sections.append(Section("Notes", list(notes)))
    story_rows = [clean(line) for line in story(view, range(max(first_turn, 1), view.turn + 1))]
    if len(story_rows) > MAX_STORY_LINES:
        story_rows = ["(the beginning is left out)", *story_rows[-MAX_STORY_LINES:]]
    sections.append(Section("What happened", story_rows or ["Nothing since your last answer."]))
    sections.append(Section("The table", table_lines(view)))
    if (
        0 < len(game_link) <= WIDTH - 2
    ):  # mail programs break longer rows: the rest looks like an answer
        sections.append(Section("The table in your browser", [IN_BROWSER_SENTENCE], game_link))
    ruleset = view.play.ruleset
    picture = draw(
        ruleset.scene(view.table.state), icons_of(ruleset), view.names, view.seat,
        width=PICTURE_WIDTH, title=turn_title(view), is_separate_file=True,
    )  # fmt: skip
    what = f"reminder: {what}" if reminder else what
    return _make_letter(view, desk, what, sections, "reminder" if reminder else "", picture)


def _invitation_section(view: View) -> Section:
    rules, referee = view.play.ruleset, clean(view.referee)
    names = [clean(name) for seat, name in view.names.items() if seat != view.seat]
    other_names = join_words(name for name in names if name != referee)
    players_clause = f" with {other_names}" if other_names else ""
    invitation = (
        f"{referee} invites you to a game of {rules.title}{players_clause}. {rules.about}".strip()
    )
    advice = (
        "You play it by email and install nothing. Each time you are asked something, you get an "
        "email like this one. You need not know the rules: to get them, reply with “explain "
        "rules”; to read what a card does, reply with “explain” and its name. If you do not want "
        f"to play, tell {referee}."
    )
    return Section("What this is", [invitation, "", advice])


def _make_letter(
    view: View,
    desk: ReplyAddress,
    topic: str,
    sections: Sequence[Section],
    stem: str,
    picture: str = "",
) -> Letter:
    referee = clean(view.referee)
    notice = (
        f"You play without the program pbem: {referee} has the key of your seat and signs your "
        "orders for you. Do not forward this email: it shows your hand, and whoever has its code "
        f"can answer for you. The code is {desk.code}"
    )
    all_sections = [*sections, Section("About this email", [notice], look="small")]
    subject = f"{turn_title(view)}: {topic}"
    stems = (slug(view.title), f"{view.turn:04}", view.seat, stem)
    return Letter(
        address="",
        subject=subject,
        text=text_of_sections(all_sections),
        game=view.game,
        person=view.seat,
        code=desk.code,
        page=page_of_sections(f"{subject} [{desk.code}]", all_sections, desk, bool(picture)),
        picture=picture,
        name=view.names[view.seat],
        stem="-".join(part for part in stems if part),
    )


# ------------------------------------------------------------------ the answer to a reply
class ReplyOutcome(Mutable):
    """What pbem did with a reply; the email that answers the reply says all of this."""

    orders: Sequence[Line] | None = None
    """The orders that count now, if the reply changed or confirmed them."""
    revision: int = 0
    open_questions: Sequence[str] = ()
    """What these orders leave unanswered, as questions in words."""
    asked_back: Section | None = None
    """What the reply was taken for, and links to what it may mean; nothing in it counts yet."""
    wrong_lines: Sequence[tuple[str, str]] = ()
    """The lines that could not be used, and why."""
    warnings: Sequence[tuple[str, str]] = ()
    forwarded_lines: Sequence[str] = ()
    """The lines that the referee gets as a message."""
    lost_lines: Sequence[str] = ()
    """The lines that are no orders, and that could not be forwarded."""
    is_left_alone: bool = False
    """Whether pbem answers no more about this turn, so that the referee has to."""
    answer_sections: Sequence[Section] = ()
    """The answers to `status`, `show` and `explain`."""
    sent_sentences: Sequence[str] = ()
    """What the reply told other players, its vote, and the absence it announced."""
    conceded_sentence: str = ""
    """A sentence for a player who has conceded; empty for others."""
    is_old: bool = False
    """Whether the reply is to the email about an earlier turn."""
    unchanged_sentence: str = ""
    """A sentence that says which orders still count, if nothing was changed."""


def asked_back_section(
    view: View, interpretation: ReplyInterpretation, reason: str, taps: Sequence[Tap]
) -> Section:
    """Write how each sentence was read, its unused words, and the possible meanings."""
    rows = [f"Nothing in your reply counts yet: {reason}{'' if reason.endswith('?') else '.'}", ""]
    for sentence in interpretation.sentences[:MAX_ROWS]:
        choices_text = "; ".join(_numbered_words(choice) for choice in sentence.choices)
        if sentence.kind == "talk" and not sentence.choices:
            continue
        unused = (
            "" if sentence.kind == "order" else ", ".join(sentence.unused_words) or "the whole line"
        )
        rows.append(f"  your words: “{clean(sentence.text[:200])}”")
        rows += [f"    understood: {choices_text}"] if choices_text else []
        rows += [f"    not used: {clean(unused)}"] if unused else []
    rows += (
        [_AWAY_ADVICE]
        if any(_AWAY_PATTERN.search(sentence.text) for sentence in interpretation.sentences)
        else []
    )
    advice = f"{_TAP_CLAUSE} with its number alone:"
    advice = advice if taps else "Reply with the number of a choice, or with “help”."
    title = "Not counted yet: your answer"
    return Section(title, [*rows, "", advice], taps=list(taps), look="buttons")


def _numbered_words(choice: Choice) -> str:
    words = choice_words(choice)
    return f"{choice.number}: {words}" if choice.number else words


def answer_letter(
    view: View,
    desk: ReplyAddress,
    deadline_text: str,
    outcome: ReplyOutcome,
    requested_lists: Collection[str] = (),
) -> Letter:
    """Write the email that answers a reply; the address is still missing."""
    sections = [
        Section("", [ANSWER_LINE], look="small"),
        Section("", [f"{ECHO_START} {turn_title(view)}."]),
    ]
    if outcome.conceded_sentence:
        sections.append(Section("You have conceded", [outcome.conceded_sentence]))
    if outcome.is_old:
        notice = "Your reply answered an email about an earlier turn, so it changed nothing."
        notice += "" if outcome.conceded_sentence else " Below is what you are asked now."
        sections.append(Section("", [notice]))
    if outcome.asked_back:
        sections += [outcome.asked_back, Section("", [outcome.unchanged_sentence], look="small")]
    elif outcome.wrong_lines:
        rows = [f"Your reply changed nothing. {outcome.unchanged_sentence}".strip(), ""]
        error_rows = [
            f"{line}: {reason}" if reason else line
            for line, reason in outcome.wrong_lines[:MAX_ROWS]
        ]
        rows += [f"  {clean(row)}" for row in error_rows]
        sections.append(
            Section("Nothing changed" if outcome.conceded_sentence else "Please write again", rows)
        )
    elif outcome.orders is not None:
        sections.append(_orders_section(view, outcome, deadline_text))
    if outcome.sent_sentences:
        sections.append(Section("Sent to the other players", list(outcome.sent_sentences)))
    sections += outcome.answer_sections
    is_explained = outcome.wrong_lines or outcome.forwarded_lines or outcome.asked_back
    if outcome.answer_sections and outcome.unchanged_sentence and not is_explained:
        sections.append(Section("Your orders", [outcome.unchanged_sentence]))
    sections += _no_orders_sections(clean(view.referee), outcome)
    is_new = outcome.orders is not None or outcome.sent_sentences or outcome.asked_back
    asks_again = outcome.wrong_lines or outcome.is_old or outcome.open_questions or not is_new
    if asks_again and not view.is_over and not outcome.conceded_sentence:
        form = OrderForm(view, requested_lists)
        sections += [*question_sections(form), _other_requests_section(form)]
    return _make_letter(view, desk, _answer_topic(outcome), sections, "answer")


def _answer_topic(outcome: ReplyOutcome) -> str:
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
    if outcome.answer_sections or not outcome.forwarded_lines:
        return "your question" if outcome.answer_sections else "please write again"
    return "the referee has your message"


def _no_orders_sections(referee: str, outcome: ReplyOutcome) -> list[Section]:
    sections = list[Section]()
    quoted = [
        f"  “{clean(line[:200])}”"
        for line in (outcome.forwarded_lines or outcome.lost_lines)[:MAX_ROWS]
    ]
    if outcome.forwarded_lines:
        sentence = (
            f"pbem found no orders in these lines. {referee} gets them as a message from you:"
        )
        extra_rows = (
            [outcome.unchanged_sentence]
            if outcome.unchanged_sentence and not (outcome.wrong_lines or outcome.asked_back)
            else []
        )
        extra_rows += (
            [_AWAY_ADVICE]
            if any(_AWAY_PATTERN.search(line) for line in outcome.forwarded_lines)
            else []
        )
        sections.append(Section(f"Sent to {referee}", [sentence, *quoted, *extra_rows]))
    elif outcome.lost_lines:
        sentence = f"{LOST_SENTENCE} Write to {referee} yourself:"
        sections.append(Section("Not understood as orders", [sentence, *quoted]))
    if outcome.is_left_alone:
        sections.append(
            Section(f"{referee} will help you", [f"{NO_MORE_ANSWERS_SENTENCE} {referee}."])
        )
    return sections


def _orders_section(view: View, outcome: ReplyOutcome, deadline_text: str) -> Section:
    rows = ["These are your orders now:"]
    rows += [f"  {sentence}" for sentence in describe_orders(view, outcome.orders or ())]
    if outcome.open_questions:
        rows.append(f"You still have to answer: {', '.join(outcome.open_questions)}.")
    rows += [
        clean(f"Note: {problem}" + (f" ({reason})" if reason else ""))
        for problem, reason in outcome.warnings
    ]
    time_clause = (
        f"until {deadline_text}, or until all have answered"
        if deadline_text
        else "until all have answered"
    )
    rows.append(f"You can change them {time_clause}.")
    return Section(f"Understood (version {outcome.revision} for this turn)", rows)


# ---- The text and the page of an email


def text_of_sections(sections: Sequence[Section]) -> str:
    """Write the sections as plain text, with short rows."""
    rows = list[str]()
    for section in sections:
        rows += [section.title.upper(), ""] if section.title else []
        lines = [line.replace(_TAP_CLAUSE, "Reply") for line in section.lines]
        rows += [row for line in lines for row in _wrap_line(line)]
        if section.look == "links":
            labels = [tap.label for tap in section.taps]
            rows += [row for line in ["Also: " + " · ".join(labels)] for row in _wrap_line(line)]
        elif section.look != "small":
            rows += [""] if section.lines and section.taps else []
            rows += [row for tap in section.taps for row in _wrap_line(_tap_row(tap))]
        rows += [f"  {section.link}", ""] if section.link else [""]
    text = "\n".join(row.rstrip() for row in rows).strip() + "\n"
    return re.sub(r"\n{3,}", "\n\n", text)


def _tap_row(tap: Tap) -> str:
    number = tap.number or tap.body
    words = (
        f"{number}: {tap.label}" if number and not tap.label.startswith("write: ") else tap.label
    )
    return f"  {words}" + (f"   ({tap.fact})" if tap.fact else "")


def _wrap_line(text: str) -> list[str]:
    indent = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(
        text.strip(), WIDTH, initial_indent=indent, break_on_hyphens=False,
        subsequent_indent=f"{indent}  " if indent else "",
    ) or [""]  # fmt: skip


PICTURE_WIDTH: Final = 480
"""The picture's width in CSS pixels: little more than a phone's, so that words are legible."""
_PAGE_STYLE = (
    "font-family:-apple-system,Segoe UI,Roboto,sans-serif;font-size:15px;line-height:1.4;"
    "max-width:36em;padding:4px 12px"
)
# half transparent, so that they fit a dark background as well
_EDGE_STYLE, _BACK_STYLE = "border:1px solid #2f8f5f", "background:#2f8f5f22"
_BUTTON_STYLE = (
    f"display:block;padding:9px 13px;margin:6px 0;{_EDGE_STYLE};border-radius:10px;{_BACK_STYLE};"
    "color:inherit;text-decoration:none;font-size:17px;line-height:1.25"
)
_CHIP_STYLE = (
    f"display:inline-block;padding:4px 8px;margin:2px 1px;{_EDGE_STYLE};border-radius:8px;"
    "color:inherit;text-decoration:none"
)
_SMALL_STYLE = "font-size:12.5px;opacity:.75"


def page_of_sections(
    subject: str, sections: Sequence[Section], desk: ReplyAddress, has_picture: bool
) -> str:
    """Write the sections as HTML that loads nothing from the network."""
    parts = ["<!DOCTYPE html>", '<html><head><meta charset="utf-8">']
    parts += ['<meta name="viewport" content="width=device-width">']
    parts += ['<meta name="color-scheme" content="light dark">']
    parts += ["<style>:root{color-scheme:light dark}</style>"]
    parts += [f"<title>{html.escape(subject)}</title></head>", f'<body><div style="{_PAGE_STYLE}">']
    link_budget = MAX_LINKS
    for section in sections:
        is_main = section.look in ("main", "buttons", "chips")
        tag = ("h2", "font-size:20px;margin:8px 0 2px") if is_main else ("h3", "margin:14px 0 4px")
        title = html.escape(section.title)
        parts += [f'<{tag[0]} style="{tag[1]}">{title}</{tag[0]}>'] if title else []
        style_attribute = f' style="{_SMALL_STYLE}"' if section.look == "small" else ""
        lines = [_line_of_page(line) for line in section.lines]
        parts += [f"<div{style_attribute}>", *lines, "</div>"] if lines else []
        if address := html.escape(section.link):
            parts.append(f'<p><a href="{address}">{address}</a></p>')
        if has_picture and section.title == "The table":
            parts.append(
                f'<p><img {PICTURE} alt="the table as a picture" '
                f'width="{PICTURE_WIDTH}" style="max-width:100%;height:auto"></p>'
            )
        parts += _taps_of_page(section, desk, link_budget)
        link_budget -= len(section.taps)
    return "\n".join([*parts, "</div></body></html>", ""])


def _taps_of_page(section: Section, desk: ReplyAddress, link_budget: int) -> list[str]:
    rows, group = list[str](), ""
    for index, tap in enumerate(section.taps):
        label, number = tap.label, f"<b>{html.escape(tap.number)}</b> " if tap.number else ""
        href = (
            f' href="{html.escape(desk.mailto_link(tap.body))}"'
            if tap.body and index < link_budget
            else ""
        )
        if section.look in ("links", "small"):
            rows.append(f"<a{href}>{html.escape(label)}</a> · ")
            continue
        if section.look == "chips":
            card = re.match(r"[^\d:]+ -?\d+|[a-p]\d+\b", label)
            if card and card[0] != group:
                group = card[0]
                rows.append(f'<div style="margin-top:5px"><b>{html.escape(group)}</b></div>')
            label = re.sub(r"^(?:for )?(?:an? |the )?", "", label.removeprefix(group).lstrip(": "))
            label = label or tap.label
        fact = (
            f'<br><span style="{_SMALL_STYLE}">{html.escape(tap.fact)}</span>' if tap.fact else ""
        )
        style = _CHIP_STYLE if section.look == "chips" else _BUTTON_STYLE
        rows.append(f'<a{href} style="{style}">{number}{html.escape(label)}{fact}</a>')
    if section.look in ("links", "small") and rows:
        rows[-1] = rows[-1].removesuffix(" · ")
        return ['<p style="margin:8px 0">', *rows, "</p>"]
    return rows


def _line_of_page(line: str) -> str:
    text = line.strip()
    depth = (len(line) - len(line.lstrip())) // 2
    return f'<div style="margin-left:{depth}em">{html.escape(text) or "&nbsp;"}</div>'
