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
from pbem.plain_email.around import ABOVE
from pbem.plain_email.order_form import MORE, RULES, OrderForm
from pbem.plain_email.understand import Understood
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
    lines = [_joined(facts(scene.facts, view.names))]
    others, own = scene.around(view.seat)
    for place in (scene.places[at] for at in (*others, *own)):
        who = f"you, seat {place.seat}" if place.seat == view.seat else f"seat {place.seat}"
        head = f"{clean(view.names.get(place.seat, ''))} ({who})"
        known = [spaced(card) for card in place.hand if card != UNKNOWN]
        said = [*facts(place.facts, {}), *([] if known else [f"{len(place.hand)} cards in hand"])]
        lines += ["", f"{head}: {_joined(said)}" if said else head]
        for piece in place.pieces:
            cards = ", ".join(map(spaced, piece.cards))
            row = f"{piece.name}: {_joined(f'{label} {value}' for label, value in piece.facts)}"
            lines.append(f"  {row}; {cards}" if cards else f"  {row}")
        if known and place.seat == view.seat:
            lines.append(f"  your hand: {', '.join(known)}")
    return lines


def _joined(parts: Iterable[str]) -> str:
    return " · ".join(spaced(part) for part in parts)


# ---- Write the emails to a player without `pbem`: one for each turn, and answers to replies
#
# An email is a list of sections, so that its text and its HTML say the same.

MOST_ROWS = 21
"""The most lines of a reply that an answer explains; the last may say that the rest was not
read."""
MOST_STORY = 120
"""The most lines of a turn's story in an email: the last lines, if there are more."""
MOST_BUTTONS = 8
"""If a question has more choices, they are small and stand under the cards or pieces that act."""
MOST_LINKS = 80
"""The most choices of an email that are links; Gmail hides the end of an email over 100 kB."""
YOUR_MOVE: Final = "it is your move"
"""The first words of the title of a question."""
_CONCEDE = (
    "To give up the game for good, begin your reply with a line that says only "
    f"“{CONCESSION}”. You cannot take that back."
)
_TAP: Final = "Tap one: an email opens, press Send. Or reply"
"""How to answer on the page; the text has nothing to tap."""
_AWAY: Final = re.compile(r"\b(away|holidays?|vacation|urlaub|vacances|vacaciones)\b", re.I)
_HOW_AWAY = (
    "If you are away for some days, write only that on a line of its own, for example: away until "
    "2 January. On these days the game does not wait for you."
)
LOST = "pbem found no orders in these lines, and cannot send them as a message now."
ALONE = (
    "pbem could not read several of your replies. Until it can read one, it writes you no more "
    "answers about this turn. It sends what you write to"
)
IN_BROWSER = (
    "This link shows the table and all that has happened, but neither your hand nor a way to "
    "answer: you answer by email."
)
_HELP = """\
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

    says: str
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


class Desk(Value):
    """Where an answer goes: the referee's address, which may be unknown, and the code."""

    address: str
    code: str
    where: str

    def mailto(self, body: str) -> str:
        """Return the link that opens a new email with this text (RFC 6068).

        Gmail shows `+` as it is and calendars `&` as `&amp;`, so the subject has neither.
        """
        first = body.split("\n")[0][:40].rstrip(": ")
        subject = " ".join(re.sub(r"[&+#]", " ", f"{self.where}: {first}").split())
        said = quote(body, safe="").replace("%0A", "%0D%0A")
        to = quote(self.address, safe="@")
        return f"mailto:{to}?subject={quote(f'{subject} [{self.code}]', safe='')}&body={said}"


def where(view: View) -> str:
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
    other = clean(next(name for seat, name in view.names.items() if seat != view.seat))
    told = _HELP.format(other=other)
    paragraphs = [" ".join(paragraph.split()) for paragraph in told.split("\n\n")]
    conceding = [] if view.seat in view.conceded else [_CONCEDE]
    return Section(title, [*paragraphs, talk, *conceding])


def concede_section(view: View) -> Section:
    """Say how to concede, to a player whose reply mentions it but does not concede."""
    if view.is_over:
        return Section("To concede", ["The game is over."])
    told = "Your reply does not concede the game, so you are still playing."
    how = (
        "If you want to give up the game for good, reply again and begin with this line. Write "
        "nothing else on the line, and put no quoted text above it:"
    )
    # not on a line of its own, so that no quoted email contains the sentence as a whole line
    return Section(
        "To concede", [told, how, f"  write: {CONCESSION}", "You cannot take that back."]
    )


# ------------------------------------------------------------------ the question and its choices
def question_sections(
    form: OrderForm, head: Sequence[str] = (), what: str = YOUR_MOVE
) -> list[Section]:
    """Write the questions that are asked now, each with its choices and how to answer it.

    `head` are lines below the first question, such as the deadline; `what` begins its title.
    """
    view, sections = form.view, list[Section]()
    for question in form.asked:
        title = f"{clean(view.names[view.seat])}, {what}: {question.prompt}"
        second = {choice.text for choice in question.second_choices if question.script}
        first = [choice for choice in question.offers if choice.text not in second]
        section = _choices(view, question, first or question.choices)
        section.title = title if not sections else f"Also: {question.prompt}"
        section.lines = [] if sections else list(head)
        sections += [section, Section("", [_how(view, question)], look="small")]
        if question.script and section.look == "chips":
            sections[-1].taps = [Tap("Several: write their numbers", f"[{question.prompt}] ")]
        then = [choice for choice in question.offers if choice.text in second]
        if first and then:
            sections.append(_choices(view, question, then))
            told = "Write the number of a choice above first, and then one or several of these:"
            sections[-1].title = "And then"
            sections[-1].lines = [f"{told} {first[0].number}, {then[0].number}."]
    if len(form.asked) > 1:
        body = "\n".join(f"[{question.prompt}] " for question in form.asked)
        sections.append(Section("", taps=[Tap("Answer all in one email", body)], look="links"))
    return sections


def _choices(view: View, question: Question, choices: Sequence[Choice]) -> Section:
    many = len(choices) > MOST_BUTTONS and any(choice.group for choice in choices)
    taps = [
        Tap(
            choice_words(choice), str(choice.number or ""), str(choice.number or ""),
            "" if many else fact_of(view, choice),
        )
        for choice in choices
    ]  # fmt: skip
    return Section("", taps=taps, look="chips" if many else "buttons")


def fact_of(view: View, choice: Choice) -> str:
    """Return what decides about a choice: the piece of another player that it is about, else the
    own one that acts."""
    scene = view.play.ruleset.scene(view.table.state)
    pieces = {piece.name: piece for place in scene.places for piece in place.pieces}
    named = [pieces[name] for name in choice.names if name in pieces]
    others = [piece for piece in named if piece.name[0] != view.seat]
    if not named:
        return ""
    piece = [*others[::-1], *named][0]
    known = [spaced(card) for card in piece.cards]
    said = [*(f"{label} {value}" for label, value in piece.facts), *known]
    return f"{piece.name}: " + _joined(said) if len(said) > 1 else ""


def _how(view: View, question: Question) -> str:
    """Say how to answer one question."""
    how = f"{_TAP} with its number."
    if question.script:
        how += " Several happen in the order in which you write them: 3, 1."
        ends = question.is_single_answer and question.ends not in ("", DONE)
        return f"{how} After the last one comes: {question.ends}." if ends else how
    if view.play.ruleset.kinds[question.kind].one_answer:
        return how
    return (
        f"{how} If you write two, the second is used if the first is not possible any more: 3, 1."
    )


def _all_else(form: OrderForm) -> Section:
    """The one line for everything that is no choice of the question."""
    referee = clean(form.view.referee)
    taps = []
    if any(
        one.now != "nothing"
        for q in form.questions
        for one in q.words
        if q.offers or q in form.later
    ):
        taps.append(Tap("Rules that decide for you: rules", RULES))
    if form.made or any(one.offers for one in form.later):
        taps.append(Tap("Later choices: more", MORE))
    taps += [Tap(f"Ask {referee}", f"{referee}, "), Tap("away until …", "away until ")]
    return Section("", taps=[*taps, Tap("help", "help")], look="links")


def more_sections(form: OrderForm) -> list[Section]:
    """Write what the player may answer already now: later questions, and what a line makes
    possible."""
    sections = list[Section]()
    told = "You are not asked this yet. You may answer it now, to save time."
    for question in form.later:
        if question.offers:
            sections.append(_choices(form.view, question, question.offers))
            sections[-1].title, sections[-1].lines = f"Later: {question.prompt}", [told]
    if form.made:
        made = _choices(form.view, form.asked[0], form.made)
        names = join_words(
            dict.fromkeys(one.makes for q in form.asked for one in q.offers if one.makes)
        )
        made.title = f"After a line that makes {names}"
        made.lines = ["Write the number of that line first, and then one of these: 2, 33."]
        sections.append(made)
    return sections or [Section("More", ["There is nothing else that you may answer now."])]


def rules_sections(form: OrderForm) -> list[Section]:
    """Write the choices in words that would do something; some of them decide all round."""
    sections = list[Section]()
    for question in form.questions:
        words = [one for one in question.words if one.now != "nothing"]
        if words:
            section = _choices(form.view, question, words)
            section.title, section.look = f"Rules for: {question.prompt}", "buttons"
            sections.append(section)
    told = "A rule answers the question each time that it is asked in this round."
    return (sections and [Section("", [told]), *sections]) or [
        Section("Rules", ["There are none."])
    ]


def choice_words(choice: Choice) -> str:
    """Write one choice: `long neck 5 on b1`."""
    text = choice.text.replace("{n}", "N")
    if choice.takes_number:
        text = f"write: {choice.kind}: {text}"
    said = (
        f"{text} ({choice.prose})" if choice.ready_line and choice.prose else choice.prose or text
    )
    return f"{said}: play nothing more" if choice.text == "done" else said


# ------------------------------------------------------------------ a turn
def orders_that_answer(view: View) -> list[str]:
    """Write the seat's orders in force for the questions that it is asked now, as sentences. Only
    its own player may read them."""
    asked = view.awaited.get(view.seat, [])
    return describe_orders(view, [line for line in view.lines if line.kind in asked])


def turn_letter(
    view: View, desk: Desk, due: str, since: int, seen: Collection[str] = (),
    notes: Sequence[str] = (), reminder: str = "", link: str = "", again: Sequence[Section] = (),
    losses: Sequence[str] = (),
) -> Letter:  # fmt: skip
    """Write the email that asks for orders for a turn, or says that the game is over.

    `due` says until when an answer counts; if it is empty, an answer always counts. `since` is the
    first turn to tell about. `seen` are the lists that the player asked for. `notes` are further
    sentences, such as messages of other players. `reminder` says how little time is left, if the
    email is sent again for this reason; `again` is what the last reply may have meant. `link` opens
    the game in a browser, if it is on a host. `losses` say what will be taken from the player
    unless they cancel it.
    """
    form = OrderForm(view, seen)
    asked = bool(form.asked) and not view.is_over
    what = "the game is over" if view.is_over else YOUR_MOVE if asked else "nothing to do"
    answered = asked and answers_everything(view)
    what = "your earlier orders already answer" if answered else what
    title = what if answered else YOUR_MOVE
    what = "you can still cancel what others have announced" if losses else what
    phase = "" if view.is_over else phase_of(view)
    about = " · ".join(
        filter(None, [where(view), phase, f"answer until {due}" if due and asked else ""])
    )
    opening = [about]
    opening += [f"This is a reminder: {reminder}."] if reminder else []
    if view.seat in view.silent and not reminder:
        opening.append(f"Your last answer did not come in time: {LEAST_HARMFUL_CHOICE} was made.")
    if answered:
        opening += ["Your earlier orders:", *(f"  {said}" for said in orders_that_answer(view))]
        opening.append("Reply only if you want something else.")
    sections = [Section("", [ABOVE], look="small"), *again]
    sections += [Section("What you can still cancel", list(losses))] if losses else []
    if asked:
        sections += [*question_sections(form, opening, title), _all_else(form)]
    else:
        dear = f"{clean(view.names[view.seat])}: {what}"
        sections.append(Section(dear, opening, look="main"))
        if not view.is_over:
            sections.append(_all_else(form))
    if view.turn == 1 and asked:
        sections.append(_first_section(view))
    if view.is_over:
        more = f"To play again with the same people, ask {clean(view.referee)}."
        sections.append(Section("The result", [*score_lines(view), "", more]))
    if notes:
        sections.append(Section("Notes", list(notes)))
    told = [clean(line) for line in story(view, range(max(since, 1), view.turn + 1))]
    if len(told) > MOST_STORY:
        told = ["(the beginning is left out)", *told[-MOST_STORY:]]
    sections.append(Section("What happened", told or ["Nothing since your last answer."]))
    sections.append(Section("The table", table_lines(view)))
    if 0 < len(link) <= WIDTH - 2:  # mail programs break longer rows: the rest looks like an answer
        sections.append(Section("The table in your browser", [IN_BROWSER], link))
    ruleset = view.play.ruleset
    picture = draw(
        ruleset.scene(view.table.state), icons_of(ruleset), view.names, view.seat,
        width=PICTURE_WIDTH, title=where(view), is_separate_file=True,
    )  # fmt: skip
    what = f"reminder: {what}" if reminder else what
    return _letter(view, desk, what, sections, "reminder" if reminder else "", picture)


def _first_section(view: View) -> Section:
    rules, referee = view.play.ruleset, clean(view.referee)
    names = [clean(name) for seat, name in view.names.items() if seat != view.seat]
    others = join_words(name for name in names if name != referee)
    with_others = f" with {others}" if others else ""
    what = f"{referee} invites you to a game of {rules.title}{with_others}. {rules.about}".strip()
    how = (
        "You play it by email and install nothing. Each time you are asked something, you get an "
        "email like this one. You need not know the rules: to get them, reply with “explain "
        "rules”; to read what a card does, reply with “explain” and its name. If you do not want "
        f"to play, tell {referee}."
    )
    return Section("What this is", [what, "", how])


def _letter(
    view: View, desk: Desk, what: str, sections: Sequence[Section], stem: str, picture: str = ""
) -> Letter:
    referee = clean(view.referee)
    about = (
        f"You play without the program pbem: {referee} has the key of your seat and signs your "
        "orders for you. Do not forward this email: it shows your hand, and whoever has its code "
        f"can answer for you. The code is {desk.code}"
    )
    whole = [*sections, Section("About this email", [about], look="small")]
    subject = f"{where(view)}: {what}"
    stems = (slug(view.title), f"{view.turn:04}", view.seat, stem)
    return Letter(
        address="",
        subject=subject,
        text=text_of_sections(whole),
        game=view.game,
        person=view.seat,
        code=desk.code,
        page=page_of_sections(f"{subject} [{desk.code}]", whole, desk, bool(picture)),
        picture=picture,
        name=view.names[view.seat],
        stem="-".join(part for part in stems if part),
    )


# ------------------------------------------------------------------ the answer to a reply
class Answered(Mutable):
    """What pbem did with a reply; the email that answers the reply says all of this."""

    orders: Sequence[Line] | None = None
    """The orders that count now, if the reply changed or confirmed them."""
    revision: int = 0
    left: Sequence[str] = ()
    """What these orders leave unanswered, as questions in words."""
    asked_back: Section | None = None
    """What the reply was taken for, and links to what it may mean; nothing in it counts yet."""
    wrong: Sequence[tuple[str, str]] = ()
    """The lines that could not be used, and why."""
    warnings: Sequence[tuple[str, str]] = ()
    forwarded: Sequence[str] = ()
    """The lines that the referee gets as a message."""
    lost: Sequence[str] = ()
    """The lines that are no orders, and that could not be forwarded."""
    left_alone: bool = False
    """Whether pbem answers no more about this turn, so that the referee has to."""
    asked: Sequence[Section] = ()
    """The answers to `status`, `show` and `explain`."""
    said: Sequence[str] = ()
    """What the reply told other players, its vote, and the absence it announced."""
    conceded: str = ""
    """A sentence for a player who has conceded; empty for others."""
    old: bool = False
    """Whether the reply is to the email about an earlier turn."""
    unchanged: str = ""
    """A sentence that says which orders still count, if nothing was changed."""


def asked_back_section(view: View, found: Understood, why: str, offered: Sequence[Tap]) -> Section:
    """Write how each sentence was read, its unused words, and the possible meanings."""
    rows = [f"Nothing in your reply counts yet: {why}{'' if why.endswith('?') else '.'}", ""]
    for one in found.sentences[:MOST_ROWS]:
        took = "; ".join(_numbered_words(choice) for choice in one.took)
        if one.kind == "talk" and not one.took:
            continue
        unused = "" if one.kind == "order" else ", ".join(one.unused) or "the whole line"
        rows.append(f"  your words: “{clean(one.text[:200])}”")
        rows += [f"    understood: {took}"] if took else []
        rows += [f"    not used: {clean(unused)}"] if unused else []
    rows += [_HOW_AWAY] if any(_AWAY.search(one.text) for one in found.sentences) else []
    how = f"{_TAP} with its number alone:"
    how = how if offered else "Reply with the number of a choice, or with “help”."
    title = "Not counted yet: your answer"
    return Section(title, [*rows, "", how], taps=list(offered), look="buttons")


def _numbered_words(choice: Choice) -> str:
    said = choice_words(choice)
    return f"{choice.number}: {said}" if choice.number else said


def echo_letter(
    view: View, desk: Desk, due: str, done: Answered, seen: Collection[str] = ()
) -> Letter:
    """Write the email that answers a reply; the address is still missing."""
    sections = [Section("", [ABOVE], look="small"), Section("", [f"{ECHO_START} {where(view)}."])]
    if done.conceded:
        sections.append(Section("You have conceded", [done.conceded]))
    if done.old:
        told = "Your reply answered an email about an earlier turn, so it changed nothing."
        told += "" if done.conceded else " Below is what you are asked now."
        sections.append(Section("", [told]))
    if done.asked_back:
        sections += [done.asked_back, Section("", [done.unchanged], look="small")]
    elif done.wrong:
        rows = [f"Your reply changed nothing. {done.unchanged}".strip(), ""]
        wrong = [f"{what}: {why}" if why else what for what, why in done.wrong[:MOST_ROWS]]
        rows += [f"  {clean(row)}" for row in wrong]
        sections.append(Section("Nothing changed" if done.conceded else "Please write again", rows))
    elif done.orders is not None:
        sections.append(_understood(view, done, due))
    if done.said:
        sections.append(Section("Sent to the other players", list(done.said)))
    sections += done.asked
    quiet = done.wrong or done.forwarded or done.asked_back
    if done.asked and done.unchanged and not quiet:
        sections.append(Section("Your orders", [done.unchanged]))
    sections += _no_orders(clean(view.referee), done)
    is_new = done.orders is not None or done.said or done.asked_back
    again = done.wrong or done.old or done.left or not is_new
    if again and not view.is_over and not done.conceded:
        form = OrderForm(view, seen)
        sections += [*question_sections(form), _all_else(form)]
    return _letter(view, desk, _in_short(done), sections, "answer")


def _in_short(done: Answered) -> str:
    if done.conceded:
        return "you have conceded"
    if done.old:
        return "this is the question now"
    if done.asked_back:
        return "not counted yet"
    if done.wrong:
        return "please write again"
    if done.orders is not None:
        return "there is still a question" if done.left else "understood"
    if done.said:
        return "sent to the other players"
    if done.asked or not done.forwarded:
        return "your question" if done.asked else "please write again"
    return "the referee has your message"


def _no_orders(referee: str, done: Answered) -> list[Section]:
    sections = list[Section]()
    quoted = [f"  “{clean(line[:200])}”" for line in (done.forwarded or done.lost)[:MOST_ROWS]]
    if done.forwarded:
        told = f"pbem found no orders in these lines. {referee} gets them as a message from you:"
        more = [done.unchanged] if done.unchanged and not (done.wrong or done.asked_back) else []
        more += [_HOW_AWAY] if any(_AWAY.search(line) for line in done.forwarded) else []
        sections.append(Section(f"Sent to {referee}", [told, *quoted, *more]))
    elif done.lost:
        told = f"{LOST} Write to {referee} yourself:"
        sections.append(Section("Not understood as orders", [told, *quoted]))
    if done.left_alone:
        sections.append(Section(f"{referee} will help you", [f"{ALONE} {referee}."]))
    return sections


def _understood(view: View, done: Answered, due: str) -> Section:
    rows = ["These are your orders now:"]
    rows += [f"  {told}" for told in describe_orders(view, done.orders or ())]
    if done.left:
        rows.append(f"You still have to answer: {', '.join(done.left)}.")
    rows += [clean(f"Note: {what}" + (f" ({why})" if why else "")) for what, why in done.warnings]
    until = f"until {due}, or until all have answered" if due else "until all have answered"
    rows.append(f"You can change them {until}.")
    return Section(f"Understood (version {done.revision} for this turn)", rows)


# ---- The text and the page of an email


def text_of_sections(sections: Sequence[Section]) -> str:
    """Write the sections as plain text, with short rows."""
    rows = list[str]()
    for section in sections:
        rows += [section.title.upper(), ""] if section.title else []
        lines = [line.replace(_TAP, "Reply") for line in section.lines]
        rows += [row for line in lines for row in _filled(line)]
        if section.look == "links":
            said = [tap.says for tap in section.taps]
            rows += [row for one in ["Also: " + " · ".join(said)] for row in _filled(one)]
        elif section.look != "small":
            rows += [""] if section.lines and section.taps else []
            rows += [row for tap in section.taps for row in _filled(_tap_row(tap))]
        rows += [f"  {section.link}", ""] if section.link else [""]
    text = "\n".join(row.rstrip() for row in rows).strip() + "\n"
    return re.sub(r"\n{3,}", "\n\n", text)


def _tap_row(tap: Tap) -> str:
    number = tap.number or tap.body
    said = f"{number}: {tap.says}" if number and not tap.says.startswith("write: ") else tap.says
    return f"  {said}" + (f"   ({tap.fact})" if tap.fact else "")


def _filled(text: str) -> list[str]:
    indent = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(
        text.strip(), WIDTH, initial_indent=indent, break_on_hyphens=False,
        subsequent_indent=f"{indent}  " if indent else "",
    ) or [""]  # fmt: skip


PICTURE_WIDTH: Final = 480
"""The picture's width in CSS pixels: little more than a phone's, so that words are legible."""
_STYLE = (
    "font-family:-apple-system,Segoe UI,Roboto,sans-serif;font-size:15px;line-height:1.4;"
    "max-width:36em;padding:4px 12px"
)
# half transparent, so that they fit a dark background as well
_EDGE, _BACK = "border:1px solid #2f8f5f", "background:#2f8f5f22"
_BUTTON = (
    f"display:block;padding:9px 13px;margin:6px 0;{_EDGE};border-radius:10px;{_BACK};"
    "color:inherit;text-decoration:none;font-size:17px;line-height:1.25"
)
_CHIP = (
    f"display:inline-block;padding:4px 8px;margin:2px 1px;{_EDGE};border-radius:8px;"
    "color:inherit;text-decoration:none"
)
_SMALL = "font-size:12.5px;opacity:.75"


def page_of_sections(subject: str, sections: Sequence[Section], desk: Desk, picture: bool) -> str:
    """Write the sections as HTML that loads nothing from the network."""
    parts = ["<!DOCTYPE html>", '<html><head><meta charset="utf-8">']
    parts += ['<meta name="viewport" content="width=device-width">']
    parts += ['<meta name="color-scheme" content="light dark">']
    parts += ["<style>:root{color-scheme:light dark}</style>"]
    parts += [f"<title>{html.escape(subject)}</title></head>", f'<body><div style="{_STYLE}">']
    left = MOST_LINKS
    for section in sections:
        main = section.look in ("main", "buttons", "chips")
        tag = ("h2", "font-size:20px;margin:8px 0 2px") if main else ("h3", "margin:14px 0 4px")
        title = html.escape(section.title)
        parts += [f'<{tag[0]} style="{tag[1]}">{title}</{tag[0]}>'] if title else []
        small = f' style="{_SMALL}"' if section.look == "small" else ""
        lines = [_line_of_page(line) for line in section.lines]
        parts += [f"<div{small}>", *lines, "</div>"] if lines else []
        if at := html.escape(section.link):
            parts.append(f'<p><a href="{at}">{at}</a></p>')
        if picture and section.title == "The table":
            parts.append(
                f'<p><img {PICTURE} alt="the table as a picture" '
                f'width="{PICTURE_WIDTH}" style="max-width:100%;height:auto"></p>'
            )
        parts += _taps_of_page(section, desk, left)
        left -= len(section.taps)
    return "\n".join([*parts, "</div></body></html>", ""])


def _taps_of_page(section: Section, desk: Desk, left: int) -> list[str]:
    rows, group = list[str](), ""
    for at, tap in enumerate(section.taps):
        says, number = tap.says, f"<b>{html.escape(tap.number)}</b> " if tap.number else ""
        href = f' href="{html.escape(desk.mailto(tap.body))}"' if tap.body and at < left else ""
        if section.look in ("links", "small"):
            rows.append(f"<a{href}>{html.escape(says)}</a> · ")
            continue
        if section.look == "chips":
            card = re.match(r"[^\d:]+ -?\d+|[a-p]\d+\b", says)
            if card and card[0] != group:
                group = card[0]
                rows.append(f'<div style="margin-top:5px"><b>{html.escape(group)}</b></div>')
            says = re.sub(r"^(?:for )?(?:an? |the )?", "", says.removeprefix(group).lstrip(": "))
            says = says or tap.says
        fact = f'<br><span style="{_SMALL}">{html.escape(tap.fact)}</span>' if tap.fact else ""
        style = _CHIP if section.look == "chips" else _BUTTON
        rows.append(f'<a{href} style="{style}">{number}{html.escape(says)}{fact}</a>')
    if section.look in ("links", "small") and rows:
        rows[-1] = rows[-1].removesuffix(" · ")
        return ['<p style="margin:8px 0">', *rows, "</p>"]
    return rows


def _line_of_page(line: str) -> str:
    text = line.strip()
    deep = (len(line) - len(line.lstrip())) // 2
    return f'<div style="margin-left:{deep}em">{html.escape(text) or "&nbsp;"}</div>'
