"""Write the emails that ask players by plain email for orders: the table, the questions and their
choices.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from engine import DONE, UNKNOWN
from engine.counts_and_lists_in_prose import counted, join_words
from pbem.drafts.describe_orders import describe_orders
from pbem.drafts.questions_and_choices import Choice, Question, phase_of
from pbem.drawing.table import draw, icons_of
from pbem.judge.game_view import View, answers_everything
from pbem.mail.letter import WIDTH, Letter
from pbem.plain_email.letter_as_text_and_html import (
    PICTURE_WIDTH,
    ReplyAddress,
    Section,
    Tap,
    page_of_sections,
    text_of_sections,
)
from pbem.plain_email.order_form import MORE_REQUEST, RULES_REQUEST, OrderForm
from pbem.plain_email.strip_quotes import ANSWER_LINE
from pbem.plain_email.typed_concessions import CONCESSION
from pbem.records.invite import slug
from pbem.terminal.clean_text import clean
from pbem.terminal.game_prose import spaced
from pbem.terminal.table import format_facts, with_player_facts_renamed
from pbem.text.least_harmful_choice import LEAST_HARMFUL_CHOICE
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.game_story import story
from pbem.wording.results import score_lines
from pbem.wording.who_sees_hands import dealers_in, hand_sentences

MAX_STORY_LINES = 120
"""The most lines of a turn's story in an email: the last lines, if there are more."""
MAX_BUTTONS = 8
"""If a question has more choices, they are small and stand under the cards or pieces that act."""
YOUR_MOVE_CLAUSE: Final = "it is your move"
"""The first words of the title of a question."""
EARLIER_ORDERS_CLAUSE: Final = "your earlier orders already answer"
"""The same, for a question that needs no answer."""
_CONCEDE_SENTENCE = (
    "To give up the game for good, begin your reply with a line that says only "
    f"“{CONCESSION}”. This decision is final."
)
REPLY: Final = TerminalText("[[Reply||Tap one: an email opens, press Send. Or reply]]")
"""How to choose: plain text has no links to tap."""
"""The first words of the advice how to answer; in the text, which has nothing to tap, they become
“Reply”."""
IN_BROWSER_SENTENCE = (
    "This link shows the table and all that has happened, but not your hand. To answer, write an "
    "email."
)
_HELP_TEXT = """\
Tap a choice and send the email that opens, or reply with its number. Write above the quoted text.
You may write several numbers, such as 3, 1. If you may choose several, pbem does 3 first, then 1.
If you may choose only one, pbem does 3, and does 1 only if 3 is no longer possible. You may also
write the words of a choice, and shorten them.

If your reply has a number or a card that pbem cannot use, pbem uses nothing of this reply and sends
you links to choices that you may have meant. You can reply again until the turn is made: your new
answer to a question replaces the earlier answer. To delete all your answers, write: start over.

You may also write one of these words on a line of its own: more (questions that you may answer
early), rules (choices that also decide for you later), status, show or help. To read about a card
or a word, write explain and its name.

To say something to all players, begin a line with “tell:”. To say it to one player only, begin
with the name: “tell {other}:”. To vote to end the game, write: vote end (with the scores as they
are) or vote draw. To take your vote back, write: vote no. The game ends when all active
players have cast the same vote, unless a player who has been silent comes back and cancels the end.

If you are away for some days, write for example “away until 2 January” or “away 24 December to
2 January”. On these days the game does not wait for you.
"""


def turn_title(view: View) -> str:
    """Name the game and the turn: `Savannah, turn 3`."""
    return f"{clean(view.title)}, turn {view.turn}"


def help_section(view: View, title: str = "How to answer") -> Section:
    """Return the section about the answers of the view's seat, and about the reader of other
    lines."""
    referee = clean(view.referee)
    talk = (
        f"You can also write to {referee}, who gets all your lines that are not orders as a "
        "private message."
    )
    if {*view.plays} - {*view.bots}:
        talk += f" {referee} also plays in this game, and can read your message."
    other_name = clean(next(name for seat, name in view.names.items() if seat != view.seat))
    help_text = _HELP_TEXT.format(other=other_name)
    paragraphs = [" ".join(paragraph.split()) for paragraph in help_text.split("\n\n")]
    conceding = [] if view.seat in view.conceded else [_CONCEDE_SENTENCE]
    return Section(title, [*paragraphs, talk, *conceding])


def concede_section(view: View) -> Section:
    """Return the section for a player whose reply mentions conceding but does not concede."""
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
    """Return a section for each question that is asked now, with its choices and how to answer.

    `opening` are lines in the first section, such as the deadline; `title_start` begins its title,
    after the player's name.
    """
    view, sections = form.view, list[Section]()
    for question in form.asked_questions:
        second_texts = {choice.text for choice in question.second_choices if question.script}
        first_choices = [choice for choice in question.offers if choice.text not in second_texts]
        second_choices = [choice for choice in question.offers if choice.text in second_texts]
        section = _choice_section(view, question, first_choices or question.choices)
        if sections:
            section.title = f"Also: {question.prompt}"
        else:
            section.title = f"{clean(view.names[view.seat])}, {title_start}: {question.prompt}"
            section.lines = list(opening)
        advice_section = Section("", [_answer_advice(view, question)], look="small")
        sections += [section, advice_section]
        if question.script and section.look == "chips":
            advice_section.taps = [Tap("Several: write their numbers", f"[{question.prompt}] ")]
        if first_choices and second_choices:
            sentence = (
                "First write the number of a choice above, and then one or several of these, as in:"
            )
            section = _choice_section(view, question, second_choices)
            section.title = "And then"
            section.lines = [f"{sentence} {first_choices[0].number}, {second_choices[0].number}."]
            sections.append(section)
    if len(form.asked_questions) > 1:
        body = "\n".join(f"[{question.prompt}] " for question in form.asked_questions)
        sections.append(Section("", taps=[Tap("Answer all in one email", body)], look="links"))
    return sections


def _choice_section(view: View, question: Question, choices: Sequence[Choice]) -> Section:
    """Return a section with a tap for each choice of a question; it has no title yet."""
    has_groups = any(choice.group for choice in choices)
    is_long_list = len(choices) > MAX_BUTTONS and has_groups
    taps = [
        Tap(
            choice_words(choice),
            body=str(choice.number or ""),
            number=str(choice.number or ""),
            fact="" if is_long_list else deciding_facts(view, choice),
            is_written=choice.takes_number,
        )
        for choice in choices
    ]
    return Section("", taps=taps, look="chips" if is_long_list else "buttons")


def deciding_facts(view: View, choice: Choice) -> str:
    """Return the facts that decide about a choice: those of the last piece of another player in it,
    else of the player's own piece that acts; empty if there are none."""
    scene = view.play.ruleset.scene(view.table.state)
    pieces = {piece.name: piece for place in scene.places for piece in place.pieces}
    named_pieces = [pieces[name] for name in choice.names if name in pieces]
    if not named_pieces:
        return ""
    other_pieces = [piece for piece in named_pieces if piece.name[0] != view.seat]
    piece = other_pieces[-1] if other_pieces else named_pieces[0]
    fact_texts = [f"{label} {value}" for label, value in piece.facts]
    fact_texts += [spaced(card) for card in piece.cards]
    return f"{piece.name}: " + join_facts(fact_texts) if len(fact_texts) > 1 else ""


def _answer_advice(view: View, question: Question) -> str:
    """Return the sentences about how to answer a question."""
    advice = REPLY + " with the number of a choice."
    if question.script:
        advice += " If you write several numbers, such as 3, 1, pbem does them in this order."
        has_ending = question.is_single_answer and question.ends not in ("", DONE)
        return advice + f" The last choice must be: {question.ends}." if has_ending else advice
    if view.play.ruleset.kinds[question.kind].one_answer:
        return advice
    return advice + (
        " If you write two numbers, such as 3, 1, pbem uses the second only if the first is no "
        "longer possible."
    )


def other_requests_section(form: OrderForm) -> Section:
    """Return the row of links for everything that is no choice of the question: the lists of other
    choices, a question to the referee, an absence, help."""
    referee, taps = clean(form.view.referee), list[Tap]()
    rule_questions = [q for q in form.questions if q.offers or q in form.later_questions]
    if any(choice.now != "nothing" for question in rule_questions for choice in question.words):
        taps.append(Tap("Choices that decide for you later: rules", RULES_REQUEST))
    if form.piece_choices or any(question.offers for question in form.later_questions):
        taps.append(Tap("Later choices: more", MORE_REQUEST))
    taps += [Tap(f"Ask {referee}", f"{referee}, "), Tap("away until …", "away until ")]
    return Section("", taps=[*taps, Tap("help", "help")], look="links")


def more_sections(form: OrderForm) -> list[Section]:
    """Return the sections with choices that the player may make already now: of later questions,
    and for a piece that a line of the answer makes."""
    sections = list[Section]()
    sentence = "You are not asked this question yet. If you answer it now, you save time."
    for question in form.later_questions:
        if question.offers:
            section = _choice_section(form.view, question, question.offers)
            section.title, section.lines = f"Later: {question.prompt}", [sentence]
            sections.append(section)
    if form.piece_choices:
        section = _choice_section(form.view, form.asked_questions[0], form.piece_choices)
        offers = [choice for question in form.asked_questions for choice in question.offers]
        pieces = join_words(dict.fromkeys(choice.makes for choice in offers if choice.makes))
        section.title = f"After a line that makes {pieces}"
        section.lines = [
            "First write the number of that line, and then one of these, as in: 2, 33."
        ]
        sections.append(section)
    return sections or [Section("More", ["There is nothing else that you may answer now."])]


def rules_sections(form: OrderForm) -> list[Section]:
    """Return the sections with the choices in words that would do something. Some of them decide
    for the whole round."""
    sections = list[Section]()
    for question in form.questions:
        effective_rules = [choice for choice in question.words if choice.now != "nothing"]
        if effective_rules:
            section = _choice_section(form.view, question, effective_rules)
            section.title, section.look = f"Rules for: {question.prompt}", "buttons"
            sections.append(section)
    if not sections:
        return [Section("Rules", ["There are none."])]
    sentence = "A rule of your own answers its question every time in this round."
    return [Section("", [sentence]), *sections]


def choice_words(choice: Choice) -> str:
    """Return a choice in words, such as `long neck 5 on b1`."""
    text = choice.text.replace("{n}", "N")
    if choice.takes_number:
        text = f"write: {choice.kind}: {text}"
    if choice.prose:
        text = f"{text} ({choice.prose})" if choice.ready_line else choice.prose
    return f"{text}: play nothing more" if choice.text == "done" else text


# ------------------------------------------------------------------ a turn
def orders_that_answer(view: View) -> list[str]:
    """Return the seat's orders in force for the questions that it is asked now, as sentences. Only
    its own player may read them."""
    asked_kinds = view.awaited.get(view.seat, [])
    return describe_orders(view, [line for line in view.lines if line.kind in asked_kinds])


def turn_letter(
    view: View, reply_address: ReplyAddress, deadline_text: str, first_turn: int,
    requested_lists: Collection[str] = (), notes: Sequence[str] = (), reminder: str = "",
    game_link: str = "", guess_sections: Sequence[Section] = (), losses: Sequence[str] = (),
) -> Letter:  # fmt: skip
    """Write the email that asks for orders for a turn, or says that the game is over.

    The letter has no address yet. `deadline_text` says until when an answer counts; if it is empty,
    an answer always counts. `first_turn` is the first turn of the story. `requested_lists` are the
    lists that the player asked for (`MORE_REQUEST`, `RULES_REQUEST`). `notes` are further
    sentences, such as messages of other players. `reminder` says how little time is left, if the
    email is sent again for this reason; `guess_sections` then repeat the guesses about an unclear
    reply. `game_link` opens the game in a browser, if it is on a host. `losses` are sentences about
    losses of the player that the player can still cancel.
    """
    form = OrderForm(view, requested_lists)
    is_asked = bool(form.asked_questions) and not view.is_over
    is_answered = is_asked and answers_everything(view)
    topic = _turn_topic(view, is_asked, is_answered, bool(losses))
    opening = _turn_opening(view, deadline_text if is_asked else "", reminder)
    if is_answered:
        orders = [f"  {sentence}" for sentence in orders_that_answer(view)]
        opening += ["Your earlier orders:", *orders, "Reply only if you want something else."]
    sections = [Section("", [ANSWER_LINE], look="small"), *guess_sections]
    sections += [Section("What you can still cancel", list(losses))] if losses else []
    if is_asked:
        title_start = EARLIER_ORDERS_CLAUSE if is_answered else YOUR_MOVE_CLAUSE
        sections += [*question_sections(form, opening, title_start), other_requests_section(form)]
    else:
        sections.append(Section(f"{clean(view.names[view.seat])}: {topic}", opening, look="main"))
        sections += [] if view.is_over else [other_requests_section(form)]
    is_first_question = view.turn == 1 or not any(entry.seat for entry in view.log)
    if is_first_question and is_asked:
        sections.append(_invitation_section(view))
    if view.is_over:
        advice = f"To play again with the same people, ask {clean(view.referee)}."
        sections.append(Section("The result", [*score_lines(view), "", advice]))
    if notes:
        sections.append(Section("Notes", list(notes)))
    story_lines = [clean(line) for line in story(view, range(max(first_turn, 1), view.turn + 1))]
    if len(story_lines) > MAX_STORY_LINES:
        story_lines = ["(the beginning is left out)", *story_lines[-MAX_STORY_LINES:]]
    sections.append(Section("What happened", story_lines or ["Nothing since your last answer."]))
    sections.append(Section("The table", table_lines(view), has_picture=True))
    # mail programs break a longer row, and its rest would look like an answer
    if 0 < len(game_link) <= WIDTH - 2:
        sections.append(Section("The table in your browser", [IN_BROWSER_SENTENCE], game_link))
    ruleset = view.play.ruleset
    picture = draw(
        ruleset.scene(view.table.state), icons_of(ruleset), view.names, view.seat,
        width=PICTURE_WIDTH, title=turn_title(view), is_separate_file=True,
    )  # fmt: skip
    if reminder:
        return make_letter(view, reply_address, f"reminder: {topic}", sections, "reminder", picture)
    return make_letter(view, reply_address, topic, sections, "", picture)


def _turn_opening(view: View, deadline_text: str, reminder: str) -> list[str]:
    """Return the first lines of a turn's email: game, turn, phase and deadline; the reminder, or
    that the last answer did not come in time."""
    title_parts = [turn_title(view), "" if view.is_over else phase_of(view)]
    title_parts += [f"answer until {deadline_text}"] if deadline_text else []
    lines = [" · ".join(part for part in title_parts if part)]
    if reminder:
        lines.append(f"This is a reminder: {reminder}.")
    elif view.seat in view.silent:
        lines.append(f"Your last answer did not come in time, so {LEAST_HARMFUL_CHOICE} was made.")
    return lines


def _turn_topic(view: View, is_asked: bool, is_answered: bool, can_cancel: bool) -> str:
    """Return the end of the subject of a turn's email. `is_answered`: earlier orders answer all
    questions. `can_cancel`: the player can still cancel what others have announced."""
    if can_cancel:
        return "you can still cancel what others have announced"
    if view.is_over:
        return "the game is over"
    if is_answered:
        return EARLIER_ORDERS_CLAUSE
    return YOUR_MOVE_CLAUSE if is_asked else "nothing to do"


def _invitation_section(view: View) -> Section:
    """Return the section of a player's first email: the game, and how to play it."""
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


def make_letter(
    view: View,
    reply_address: ReplyAddress,
    topic: str,
    sections: Sequence[Section],
    file_suffix: str,
    picture: str = "",
) -> Letter:
    """Make a letter of sections, without an address.

    `topic` ends the subject. `file_suffix` ends the name of the file that the letter is written to.
    `picture` is the table as SVG, or empty.
    """
    referee = clean(view.referee)
    hands = hand_sentences(dealers_in(view))
    hands += " " if hands else ""
    notice = (
        f"You play without the program pbem: {referee} has the key of your seat and signs your "
        f"orders for you. {hands}Do not forward this email: it shows your hand, and whoever has "
        f"its code can answer for you. The code is {reply_address.code}"
    )
    all_sections = [*sections, Section("About this email", [notice], look="small")]
    subject = f"{turn_title(view)}: {topic}"
    stems = (slug(view.title), f"{view.turn:04}", view.seat, file_suffix)
    return Letter(
        address="",
        subject=subject,
        text=text_of_sections(all_sections),
        game=view.game,
        person=view.seat,
        code=reply_address.code,
        page=page_of_sections(
            f"{subject} [{reply_address.code}]", all_sections, reply_address, bool(picture)
        ),
        picture=picture,
        name=view.names[view.seat],
        stem="-".join(part for part in stems if part),
    )


# half transparent, so that they fit a dark background as well


def table_lines(view: View) -> list[str]:
    """Write the table as the view's seat sees it, with the seat's own place at the end; without
    columns, so that any font and phone shows it."""
    ruleset = view.play.ruleset
    scene = with_player_facts_renamed(ruleset.scene(view.table.state), ruleset)
    lines = [join_facts(format_facts(scene.facts, view.names))]
    other_indexes, own_indexes = scene.around(view.seat)
    for place in (scene.places[index] for index in (*other_indexes, *own_indexes)):
        is_own_place = place.seat == view.seat
        seat_label = f"you, seat {place.seat}" if is_own_place else f"seat {place.seat}"
        head = f"{clean(view.names.get(place.seat, ''))} ({seat_label})"
        visible_cards = [spaced(card) for card in place.hand if card != UNKNOWN]
        fact_texts = format_facts(place.facts, {})
        if not visible_cards:
            fact_texts = [*fact_texts, f"{counted(len(place.hand), 'card')} in hand"]
        lines += ["", f"{head}: {join_facts(fact_texts)}" if fact_texts else head]
        for piece in place.pieces:
            cards = ", ".join(map(spaced, piece.cards))
            piece_facts = join_facts(f"{label} {value}" for label, value in piece.facts)
            row = f"{piece.name}: {piece_facts}"
            lines.append(f"  {row}; {cards}" if cards else f"  {row}")
        if visible_cards and is_own_place:
            lines.append(f"  your hand: {', '.join(visible_cards)}")
    return lines


def join_facts(parts: Iterable[str]) -> str:
    """Return facts in one row, such as `food 3 · population 2`."""
    return " · ".join(spaced(part) for part in parts)
