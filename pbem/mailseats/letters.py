"""Letters to players who answer by plain email: the table, the choices, the answers."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import field
from pathlib import Path
from typing import Final

from engine import UNKNOWN, Line
from engine.values import Mutable
from pbem.drafts.offers import Choice, Question, phase_of
from pbem.drafts.write import said_back
from pbem.drawing.table import draw, icons_of
from pbem.errors import PbemError
from pbem.files.disk import make_folder, read_file, replace
from pbem.files.home import Mine, Notebook, table_of, texts_of
from pbem.game.view import View, answers_everything
from pbem.mail.letter import PICTURE, WIDTH, Letter
from pbem.mailseats.order_form import OrderForm
from pbem.mailseats.read import ABOVE, ECHO
from pbem.records.charter import slug
from pbem.screen.table import facts
from pbem.screen.tell import listed, score_lines, spaced, story
from pbem.screen.terminal import clean
from pbem.text.absence import SENTENCE

# ---- Write the table as text for an email, without columns, so that any font and phone shows it


def table_lines(view: View) -> list[str]:
    """Write the table as the view's seat sees it, with the seat's own place at the end."""
    scene = view.play.ruleset.scene(view.table.state)
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
"""How many lines of a reply an answer explains; the last may say that the rest was not read."""
MOST_STORY = 120
"""How many lines of a turn's story an email tells: the last ones, if there are more."""
_SEVERAL = (
    "You may choose several. They happen in the order in which you write them. A choice may make "
    "further choices possible that are not listed here: write those in words."
)
_MANY = (
    "There are many choices. For each, write the number of one of these, and then a place, such as"
)
_CONCEDE = (
    "To give up the game for good, begin your reply with a line that says only "
    f"“{SENTENCE}”. You cannot take that back."
)
_AWAY: Final = re.compile(r"\b(away|holidays?|vacation|urlaub|vacances|vacaciones)\b", re.I)
_HOW_AWAY = (
    "If you are away for some days, write only that on a line of its own, for example: away until "
    "2 January. The game does not wait for you then."
)
LOST = "These lines are no orders, and no message can be sent now."
ALONE = (
    "pbem could not read several of your replies. Until it can read one, it writes you no more "
    "answers about this turn. It sends what you write to"
)
IN_BROWSER = (
    "This link shows the table and all that has happened, but neither your hand nor a way to "
    "answer: you answer by email."
)
_HELP = """\
Reply to this email, and write above everything that is quoted.

Write the numbers of your choices, one on each line or with commas: 3, 7. You may also write a
choice in words. If pbem had to guess what your words mean, the answer says so, and you have ten
minutes to correct it.

You get an answer that says what was understood. You can reply again until the turn is made:
your new answer to a question replaces your earlier answer to it. To drop everything, write:
start over.

To ask for information, write one of these on a line of its own: help, status, show, or explain
followed by a word, such as the name of a card.

To say something to all players, begin a line with “tell:”. To say it to one of them only, begin
with the name: “tell {other}:”. To vote to end the game, write: vote end (with the scores as they
are) or vote draw. To take your vote back, write: vote no. The game ends if all players who are
there vote to end it in the same way, and nobody who is silent cancels this.

If you are away for some days, write for example “away until 2 January” or “away 24 December to
2 January”. The game does not wait for you then.
"""


class Section(Mutable):
    """A part of an email: a heading, and lines of any length; spaces before a line indent it."""

    title: str
    lines: list[str] = field(default_factory=list)
    link: str = ""
    """A link below the lines, on a row of its own."""


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
    if view.over:
        return Section("To concede", ["The game is over."])
    told = "Your reply does not concede the game, so you are still playing."
    how = (
        "If you want to give up the game for good, reply again and begin with this line. Write "
        "nothing else on the line, and put no quoted text above it:"
    )
    # not on a line of its own, so that no quoted email contains the sentence as a whole line
    return Section("To concede", [told, how, f"  write: {SENTENCE}", "You cannot take that back."])


# ------------------------------------------------------------------ a turn
def turn_letter(
    view: View, code: str, due: str, since: int, notes: Sequence[str] = (), reminder: str = "",
    link: str = "", losses: Sequence[str] = (),
) -> Letter:  # fmt: skip
    """Write the email that asks for orders for a turn, or says that the game is over.

    `due` says until when an answer counts; if it is empty, an answer always counts. `since` is the
    first turn to tell about. `notes` are further sentences, such as messages of other players.
    `reminder` says how little time is left, if the email is sent again for this reason. `link`
    opens the game in a browser, if it is on a host. `losses` say what will be taken from the player
    unless they cancel it. The address is still missing.
    """
    form = OrderForm(view)
    asked = bool(form.asked) and not view.over
    what = "the game is over" if view.over else "it is your move" if asked else "nothing to do"
    answered = asked and answers_everything(view)
    what = "your earlier orders already answer" if answered else what
    what = "you can still cancel what others have announced" if losses else what
    phase = "" if view.over else phase_of(view)
    dear = f"Dear {clean(view.names[view.seat])}, {where(view)}{f' ({phase})' if phase else ''}"
    opening = [ABOVE, "", f"{dear}: {what}."]
    opening += [f"This is a reminder: {reminder}."] if reminder else []
    if view.seat in view.silent and not reminder:
        opening.append("Your last answer did not come in time: the least harmful choice was made.")
    opening += ["Reply only if you want something else."] if answered else []
    opening += [f"Your answer counts until {due}."] if due and asked else []
    sections = [Section("", opening)]
    sections += [Section("What you can still cancel", list(losses))] if losses else []
    if view.turn == 1 and asked:
        sections.append(_first_section(view))
    if view.over:
        again = f"To play again with the same people, ask {clean(view.referee)}."
        sections.append(Section("The result", [*score_lines(view), "", again]))
    if notes:
        sections.append(Section("Notes", list(notes)))
    told = [clean(line) for line in story(view, range(max(since, 1), view.turn + 1))]
    if len(told) > MOST_STORY:
        told = ["(the beginning is left out)", *told[-MOST_STORY:]]
    sections.append(Section("What happened", told or ["Nothing since your last answer."]))
    sections.append(Section("The table", table_lines(view)))
    if 0 < len(link) <= WIDTH - 2:  # mail programs break longer rows: the rest looks like an answer
        sections.append(Section("The table in your browser", [IN_BROWSER], link))
    if not view.over:
        sections += [*form_sections(form), help_section(view)]
    ruleset = view.play.ruleset
    picture = draw(
        ruleset.scene(view.table.state), icons_of(ruleset), view.names, view.seat,
        width=PICTURE_WIDTH, title=where(view), alone=True,
    )  # fmt: skip
    what = f"reminder: {what}" if reminder else what
    return _letter(view, code, what, sections, "reminder" if reminder else "", picture)


def _first_section(view: View) -> Section:
    rules, referee = view.play.ruleset, clean(view.referee)
    names = [clean(name) for seat, name in view.names.items() if seat != view.seat]
    others = listed(name for name in names if name != referee)
    with_others = f" with {others}" if others else ""
    what = f"{referee} invites you to a game of {rules.title}{with_others}. {rules.about}".strip()
    how = (
        "You play it by email and install nothing. Each time you are asked something, you get an "
        "email like this one, and reply to it. Short answers are enough. You need not know the "
        "rules: to get them, reply with “explain rules”; to read what a card does, reply with "
        f"“explain” and its name. If you do not want to play, tell {referee}."
    )
    return Section("What this is", [what, "", how])


def _letter(
    view: View, code: str, what: str, sections: Sequence[Section], stem: str, picture: str = ""
) -> Letter:
    referee = clean(view.referee)
    about = (
        f"You play without the program pbem: {referee} has the key of your seat and signs your "
        "orders for you. Do not forward this email: it shows your hand, and whoever has its code "
        f"can answer for you. The code is {code}"
    )
    whole = [*sections, Section("About this email", [about])]
    rows: list[str] = []
    for section in whole:
        rows += [section.title.upper(), ""] if section.title else []
        rows += [row for line in section.lines for row in _filled(line)]
        rows += [f"  {section.link}", ""] if section.link else [""]
    subject = f"{where(view)}: {what}"
    stems = (slug(view.title), f"{view.turn:04}", view.seat, stem)
    return Letter(
        to="",
        subject=subject,
        text="\n".join(row.rstrip() for row in rows).rstrip() + "\n",
        game=view.game,
        person=view.seat,
        code=code,
        page=_page(f"{subject} [{code}]", whole, bool(picture)),
        picture=picture,
        name=view.names[view.seat],
        stem="-".join(part for part in stems if part),
    )


def _filled(text: str) -> list[str]:
    indent = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(
        text.strip(), WIDTH, initial_indent=indent, break_on_hyphens=False,
        subsequent_indent=f"{indent}  " if indent else "",
    ) or [""]  # fmt: skip


PICTURE_WIDTH: Final = 480
"""The picture's width in CSS pixels: little more than a phone's, so that words are legible."""
_STYLE = "font-family:sans-serif;font-size:15px;line-height:1.45;max-width:42em"


def _page(subject: str, sections: Sequence[Section], picture: bool) -> str:
    parts = ["<!DOCTYPE html>", '<html><head><meta charset="utf-8">']
    parts += ['<meta name="viewport" content="width=device-width">']
    parts += [f"<title>{html.escape(subject)}</title></head>", f'<body><div style="{_STYLE}">']
    for section in sections:
        parts += [f"<h3>{html.escape(section.title)}</h3>"] if section.title else []
        parts += map(_line_of_page, section.lines)
        if at := html.escape(section.link):
            parts.append(f'<p><a href="{at}">{at}</a></p>')
        if picture and section.title == "The table":
            parts.append(
                f'<p><img {PICTURE} alt="the table as a picture" '
                f'width="{PICTURE_WIDTH}" style="max-width:100%;height:auto"></p>'
            )
    return "\n".join([*parts, "</div></body></html>", ""])


def _line_of_page(line: str) -> str:
    text = line.strip()
    deep = (len(line) - len(line.lstrip())) // 2
    number, colon, rest = text.partition(": ")
    if not (number.isdecimal() and colon):
        return f'<div style="margin-left:{deep}em">{html.escape(text) or "&nbsp;"}</div>'
    style = f"margin:.2em 0 .2em {deep + 1.5:g}em;text-indent:-1.5em"
    return f'<div style="{style}"><b>{number}:</b> {html.escape(rest)}</div>'


# ------------------------------------------------------------------ the form
def form_sections(form: OrderForm) -> list[Section]:
    """Write the questions of the form, those that are asked now first."""
    sections = [Section(f"You are asked: {one.asks}", _choices(one, form)) for one in form.asked]
    if form.later:
        lines = ["You are not asked these questions yet. You may answer them now, to save time."]
        for question in form.later:
            lines += ["", f"{question.asks[:1].upper()}{question.asks[1:]}:"]
            lines += _choices(question, form)
        title = "Later in this round" if form.asked else "You are not asked now"
        sections.append(Section(title, lines))
    return sections


def _choices(question: Question, form: OrderForm) -> list[str]:
    """Write the choices of a question, or a list of cards and one of the places where they can
    go."""
    lines = [_SEVERAL] if question.script and question.asked else []
    short, listed = form.short.get(question.kind), question.choices
    if short is None:
        return [*lines, *(f"  {choice_words(choice)}" for choice in listed)]
    first, last = min(short.heads), max(short.heads)
    lines += [f"  {choice_words(choice)}" for choice in listed if 0 < choice.number < first]
    such = f"“{first} {short.places[0]}” or “{first} {short.places[-1]}”"
    lines.append(f"{_MANY} {such}:")
    for number, head in short.heads.items():
        lacks = short.lacks.get(head)
        lines.append(f"  {number}: {head}" + (f" (not {', not '.join(lacks)})" if lacks else ""))
    lines += ["The places:", *(f"    {place}" for place in short.places)]
    after = [choice for choice in listed if choice.number > last or choice.ready]
    return [*lines, *(f"  {choice_words(choice)}" for choice in after)]


def choice_words(choice: Choice) -> str:
    """Write one choice with its number: `3: long neck 5 on b1`."""
    number = f"{choice.number}: " if choice.number else "write: "
    text = choice.text.replace("{n}", "N")
    if choice.ready and choice.says:
        return f"{number}{text} ({choice.says})"
    return f"{number}{choice.says or text}"


# ------------------------------------------------------------------ the answer to a reply
class Answered(Mutable):
    """What pbem did with a reply; the email that answers the reply says all of this."""

    orders: Sequence[Line] | None = None
    """The orders that count now, if the reply changed or confirmed them."""
    revision: int = 0
    left: Sequence[str] = ()
    """What these orders leave unanswered, as questions in words."""
    wrong: Sequence[tuple[str, str]] = ()
    """The lines that could not be used, and why."""
    warnings: Sequence[tuple[str, str]] = ()
    guessed: Sequence[tuple[str, str]] = ()
    """The lines in free words, and the orders that they were taken for."""
    held_until: str = ""
    """Until when the turn waits for a correction of these; empty if it does not wait."""
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


def echo_letter(view: View, code: str, due: str, done: Answered) -> Letter:
    """Write the email that answers a reply; the address is still missing."""
    sections = [Section("", [ABOVE, "", f"{ECHO} {where(view)}."])]
    if done.conceded:
        sections.append(Section("You have conceded", [done.conceded]))
    if done.old:
        told = "Your reply answered an email about an earlier turn, so it changed nothing."
        told += "" if done.conceded else " Below is what you are asked now."
        sections.append(Section("", [told]))
    if done.wrong:
        rows = [f"Your reply changed nothing. {done.unchanged}".strip(), ""]
        wrong = [f"{what}: {why}" if why else what for what, why in done.wrong[:MOST_ROWS]]
        rows += [f"  {clean(row)}" for row in wrong]
        sections.append(Section("Nothing changed" if done.conceded else "Please write again", rows))
        if done.guessed and not done.conceded:
            read = ["These lines would be orders, but do not count yet:", *_guessed(done)]
            sections.append(Section("Understood, but not used", read))
    elif done.orders is not None:
        sections.append(_understood(view, done, due))
    if done.said:
        sections.append(Section("Sent to the other players", list(done.said)))
    sections += done.asked
    if done.asked and done.unchanged and not (done.wrong or done.forwarded):
        sections.append(Section("Your orders", [done.unchanged]))
    sections += _no_orders(clean(view.referee), done)
    again = done.wrong or done.old or done.left or (done.orders is None and not done.said)
    if again and not view.over and not done.conceded:
        sections += [*form_sections(OrderForm(view)), help_section(view)]
    return _letter(view, code, _in_short(done), sections, "answer")


def _in_short(done: Answered) -> str:
    if done.conceded:
        return "you have conceded"
    if done.old:
        return "this is the question now"
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
        told = f"These lines are no orders. {referee} gets them as a message from you:"
        more = [done.unchanged] if done.unchanged and not done.wrong else []
        more += [_HOW_AWAY] if any(_AWAY.search(line) for line in done.forwarded) else []
        sections.append(Section(f"Sent to {referee}", [told, *quoted, *more]))
    elif done.lost:
        told = f"{LOST} Write to {referee} yourself:"
        sections.append(Section("Not understood as orders", [told, *quoted]))
    if done.left_alone:
        sections.append(Section(f"{referee} will help you", [f"{ALONE} {referee}."]))
    return sections


def _guessed(done: Answered) -> list[str]:
    return [f"  “{clean(line[:200])}”: {clean(says)}" for line, says in done.guessed[:MOST_ROWS]]


def _understood(view: View, done: Answered, due: str) -> Section:
    rows = ["These are your orders now:"]
    rows += [f"  {told}" for told in said_back(view, done.orders or ())]
    if done.guessed:
        rows += ["You wrote in your own words. pbem took them for this:", *_guessed(done)]
    if done.held_until:
        rows.append(
            "If that is wrong, write again, with the numbers of your choices. The turn waits for "
            f"this until {done.held_until}."
        )
    if done.left:
        rows.append(f"You still have to answer: {', '.join(done.left)}.")
    rows += [clean(f"Note: {what}" + (f" ({why})" if why else "")) for what, why in done.warnings]
    until = f"until {due}, or until all have answered" if due else "until all have answered"
    rows.append(f"You can change them {until}.")
    return Section(f"Understood (version {done.revision} for this turn)", rows)


# ---- Remember in the home what the referee needs for seats by mail: addresses, answered replies

SENT: Final = "mail-texts"
"""The folder with the texts of the emails that were sent, one file for each turn and seat."""
MOST_SENT: Final = 60
"""How many texts with one code are kept: the oldest answers to replies are forgotten first, then
the oldest emails, but never the first."""
MOST_HELD: Final = 50
"""How many orders in free words are remembered."""
MOST_HELD_FOR: Final = 3600
"""The longest time, in seconds, for which one seat's replies in free words can hold up a turn."""
_BETWEEN: Final = "\n\f\n"
MOST_ANSWERED: Final = 2000
"""How many replies are remembered, so that none is answered twice; the oldest are forgotten."""


class MailBook(Notebook):
    """The notes of one game about seats by mail.

    If they are lost, the addresses are read from the seats' joins.
    """

    def __init__(self, mine: Mine) -> None:
        super().__init__(mine.root / "mail-seats.toml")

    def first_address(self, seat: str) -> str:
        """Return the address that a seat had when the game was made, which its join also contains;
        empty if it is not known here."""
        return table_of(self.notes().get("first"), str).get(seat, "")

    def address(self, seat: str) -> str:
        """Return the address to which email for a seat is sent now; empty if it is not known
        here."""
        notes = self.notes()
        first, moved = (table_of(notes.get(name), str) for name in ("first", "now"))
        return moved.get(seat) or first.get(seat, "")

    def move(self, seat: str, address: str) -> None:
        """Note that a player has a new address. Raises StorageError."""
        self.change(now=table_of(self.notes().get("now"), str) | {seat: address})

    # -------------------------------------------------------------- what was sent
    def note_sent(self, seat: str, turn: int, text: str) -> None:
        """Note the text of an email with the code of this turn, before it is sent.

        A reply is compared with what was sent, not with what would be written now: since then,
        messages and turns may have come or gone. Raises StorageError.
        """
        texts = self._sent(seat, turn)
        if text not in texts:
            kept = [*texts, text]
            if len(kept) > MOST_SENT:
                answers = (at for at, one in enumerate(kept[:-1]) if ECHO in one)
                del kept[next(answers, 1)]
            make_folder(self.path.parent / SENT, private=True)
            replace(self._sent_path(seat, turn), _BETWEEN.join(kept).encode())

    def sent(self, seat: str, turn: int) -> str:
        """Return the texts of the emails with the code of this turn; empty if none is known."""
        return "\n".join(self._sent(seat, turn))

    def _sent(self, seat: str, turn: int) -> list[str]:
        try:
            text = read_file(self._sent_path(seat, turn)).decode("utf-8", "replace")
        except PbemError:
            return []
        return text.split(_BETWEEN)

    def _sent_path(self, seat: str, turn: int) -> Path:
        return self.path.parent / SENT / f"{turn:04}-{seat}.txt"

    # -------------------------------------------------------------- replies
    def was_answered(self, reply: str) -> bool:
        """Return whether this reply was answered before; `reply` is its fingerprint."""
        return reply in texts_of(self.notes().get("answered"))

    def answered(self, reply: str) -> None:
        """Note that this reply was answered. Raises StorageError."""
        answered = [*texts_of(self.notes().get("answered")), reply]
        self.change(answered=answered[-MOST_ANSWERED:])

    def count(self, turn: str, in_vain: bool) -> tuple[int, int]:
        """Count one more answer about a turn; return how many there were, and how many in a row
        could not use anything in the reply, as this one with `in_vain`.

        `turn` names the seat and turn, as `b7`. Raises StorageError.
        """
        notes = self.notes()
        for name, more in (("counts", True), ("in_vain", in_vain)):
            before = table_of(notes.get(name), int)
            number = before.get(turn, 0) + 1 if more else 0
            others = {one: count for one, count in before.items() if one[:1] != turn[:1]}
            notes[name] = others | {turn: number}
        self.write(notes)
        return notes["counts"][turn], notes["in_vain"][turn]

    # -------------------------------------------------------------- orders in free words
    @property
    def held(self) -> dict[str, int]:
        """Until when the turn waits for a correction of orders in free words, by their paths."""
        try:
            rows = [row.split(" ", 1) for row in texts_of(self.notes().get("held"))]
            return {path: int(until) for until, path in rows}
        except ValueError:
            return {}

    def hold(self, path: str, until: int) -> int:
        """Note until when the turn waits for a correction of these orders.

        Returns the moment that counts: the one noted before, if there is one. However often a seat
        writes in free words, its moments for one turn lie within an hour. Raises StorageError.
        """
        held = self.held
        if path not in held:
            place = path.split("-")[:2]  # the turn and the seat
            mine = {p: at for p, at in held.items() if p.split("-")[:2] == place}
            first = dict(list(mine.items())[:1])
            others = [(p, at) for p, at in held.items() if p not in mine]
            until = min([until, *(at + MOST_HELD_FOR for at in first.values())])
            held = {**dict(others[-MOST_HELD:]), **first, path: until}
            self.change(held=[f"{until} {path}" for path, until in held.items()])
        return held[path]
