"""Act on emails from players without pbem: their orders, messages, votes and questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from engine import Line, bare
from engine.values import Mutable
from pbem.acts.notices import (
    announced,
    declare,
    signed_notice,
    standing_soon,
    what_you_declared,
)
from pbem.acts.orders import send
from pbem.acts.press import MessagesHere, addressee, lines_of_text, name_of, send_message
from pbem.acts.send import MailSeat, write_letter
from pbem.drafts.offers import may_come
from pbem.drafts.read import OPEN, Draft
from pbem.drafts.write import carried_over_lines, standing_orders_now
from pbem.errors import CliError
from pbem.files.home import Home
from pbem.files.places import Place, place_of
from pbem.judge.absence import AnnouncedAbsence
from pbem.judge.archive import game_in
from pbem.judge.lines import read_lines
from pbem.judge.notice_kinds import Away, Concede, Vote
from pbem.judge.press import Message
from pbem.mail.letter import Letter
from pbem.mail.message import Mail
from pbem.mail.opening import mails_in, open_post
from pbem.person.keyring import Keyring
from pbem.person.own_orders import find_latest_orders
from pbem.person.seen import need_last_made
from pbem.person.session import Session
from pbem.plain_email.around import OwnLine, own_text
from pbem.plain_email.letters import (
    Answered,
    Section,
    Tap,
    asked_back_section,
    choice_words,
    concede_section,
    echo_letter,
    help_section,
    more_sections,
    rules_sections,
    table_lines,
    where,
)
from pbem.plain_email.order_form import MORE, RULES, OrderForm
from pbem.plain_email.read import MAX_TEXT, Reply, looks_automatic, read_reply, tokens_in
from pbem.plain_email.understand import (
    Understood,
    draft_with_earlier,
    meanings,
    understand,
)
from pbem.records.limits import MAX_MESSAGES
from pbem.records.notice import PLAY_ON
from pbem.records.press import MAX_MESSAGE_CHARACTERS, MAX_MESSAGE_LINES, REFEREE
from pbem.records.sealed_orders import unseal_orders
from pbem.terminal.tell import spaced
from pbem.terminal.terminal import clean
from pbem.text.absence import CONCESSION, DaysAway
from pbem.text.clock import now
from pbem.text.phrases import LEAST_HARMFUL_CHOICES
from pbem.wording.agreements import describe_wish
from pbem.wording.explain import find

# ---- Sign the messages, votes, absences and concessions of a player without `pbem`

MOST_TOLD = 10
AGREED = (
    "The game ends when all other players who are there have voted the same way, and silent "
    "players have had time to answer. Until then, you can take your vote back. Write: vote no"
)
SAME = "This changes nothing: you have already voted that way, or you had no vote to take back."
AWAY = (
    "The game does not wait for you then; your orders and standing orders still count. If you "
    "return earlier, write: back"
)
CONCEDED = (
    "You have given up the game, and you cannot take that back. You get no more questions: "
    f"{LEAST_HARMFUL_CHOICES} are made for you. All other players are ranked above you. You get an "
    "email when the game is over."
)
SOON = "This counts from the next turn on."
ALONE = (
    "you cannot take this back, so a reply that concedes must not contain orders, a vote or an "
    "absence: if you want to concede, write the line again without them"
)
TOO_LATE = "you have conceded, so you can only send messages and ask questions"
STILL_AWAY = "You have already announced this absence."


class Speaker:
    """Signs messages, votes, absences and concessions with the key of one seat, which the referee
    has.

    What is already here is not signed again, because a reply may be taken twice: `pbem` may be
    killed before it notes the reply.
    """

    def __init__(self, seat: MailSeat) -> None:
        self.seat, self.session = seat, seat.session

    def agreed(self, found: Understood) -> None:
        """Treat `agree` as small talk if no other player has voted, and `back` if the player was
        not away."""
        over = self.seat.view.is_over
        voted = not over and standing_soon(self.session).votes.keys() - {self.seat.seat}
        if found.vote == "agree" and not voted:
            found.vote = ""
            found.remarks.append("agree")
        if found.absence and not found.absence.last_day and not self._announced():
            found.absence = None
            found.remarks.append("back")

    def objections(self, found: Understood) -> list[tuple[str, str]]:
        """Return what cannot be sent or announced, each with the reason.

        Writes nothing; it signs only to try.
        """
        wrong = self._concession(found)
        for to, text in found.messages:
            try:
                lines_of_text(text)
                if to:
                    addressee(self.seat.view, to, self.seat.seat)
            except CliError as error:
                hint = error.hint if error.hint.startswith("did you mean") else ""
                told = f"“tell {to}:”" if to else "“tell:”"
                wrong.append((told, f"{error}; {hint}" if hint else str(error)))
        if too_many := self._too_many(len(found.messages)):
            wrong.append(("“tell:”", too_many))
        if why := _why_not(lambda: self._vote(found.vote)):
            wrong.append(("the vote", why))
        if why := _why_not(lambda: self._absence(found.absence)):
            wrong.append(("the absence", why))
        return wrong

    def _too_many(self, count: int) -> str:
        if count > MOST_TOLD:
            return f"your email has {count} messages to players; it may have at most {MOST_TOLD}"
        view, me = self.seat.view, self.seat.seat
        written = sum(one.writer == me for one in self._messages()) if count else 0
        if written + count <= MAX_MESSAGES:
            return ""
        told = f"since turn {view.published} you may write {MAX_MESSAGES} messages, and this would"
        return f"{told} be more: write again after the next turn"

    def _messages(self) -> list[Message]:
        view = self.seat.view
        return MessagesHere(self.session, view, mine=[self.seat.seat]).read({view.published})

    def speak(self, found: Understood) -> list[str]:
        """Sign all of it; return what was done. Raises CliError, StorageError."""
        done = [self._tell(to, text) for to, text in found.messages]
        if found.vote:
            vote = self._vote(found.vote)
            if vote is None or declare(self.session, vote, self.seat.seat).is_repeat:
                done.append(SAME)
            else:
                done.append(f"You vote {describe_wish(vote.result)}.")
                done += [] if vote.result == PLAY_ON else [AGREED]
        if found.absence:
            self.session.refresh()
            away = self._absence(found.absence)
            if away is None:
                done.append(STILL_AWAY)
            else:
                record = declare(self.session, away, self.seat.seat).record
                told = what_you_declared(self.session, record)
                done.append(f"{told[:1].upper()}{told[1:]}.")
                done += [AWAY] if found.absence.last_day else []
        if found.concedes and not self.has_conceded:
            self.session.refresh()
            declare(self.session, Concede(), self.seat.seat)
        if done or found.concedes:
            self.session.refresh()
        return done

    # -------------------------------------------------------------- conceding
    @property
    def has_conceded(self) -> bool:
        """Whether the player has conceded, even if no turn lists that yet."""
        view, me = self.seat.view, self.seat.seat
        if me in view.conceded or view.is_over:
            return me in view.conceded
        return standing_soon(self.session).departures.get(me) == "conceded"

    @property
    def conceded(self) -> str:
        """A sentence for a player who has conceded; empty for others, and when the game is over."""
        view = self.seat.view
        if view.is_over or not self.has_conceded:
            return ""
        return CONCEDED if self.seat.seat in view.conceded else f"{CONCEDED} {SOON}"

    def _concession(self, found: Understood) -> list[tuple[str, str]]:
        others = bool(found.lines or found.start_over or found.vote or found.absence)
        if self.conceded:
            return [(TOO_LATE, "")] if others else []
        if not found.concedes:
            return []
        why = _why_not(lambda: signed_notice(self.session, Concede(), self.seat.seat))
        why = ALONE if others else why
        return [(f"“{CONCESSION}”", why)] if why else []

    # -------------------------------------------------------------- messages
    def _tell(self, to: str, text: str) -> str:
        view, me = self.seat.view, self.seat.seat
        lines, receiver = lines_of_text(text), addressee(view, to, me) if to else ""
        if not any(
            (m.writer, m.recipient, m.lines) == (me, receiver, lines) for m in self._messages()
        ):
            send_message(self.session, view, text, to, as_referee=False)
            self.session.refresh()
        who = f"to {name_of(view, receiver)}" if receiver else "to all players"
        return f"You said {who}: {clean(' '.join(lines))}"

    def forward(self, lines: Sequence[str]) -> list[str]:
        """Send lines that are no orders to the referee, as a private message of this player; return
        the lines that are on their way. Raises StorageError."""
        text = "\n".join(clean(line) for line in lines[:MAX_MESSAGE_LINES])[
            :MAX_MESSAGE_CHARACTERS
        ].strip()
        if not text:
            return []
        try:
            self._tell(REFEREE, text)
        except CliError:
            return []  # the player has written too many messages since the last turn
        return text.split("\n")

    # -------------------------------------------------------------- votes
    def _vote(self, word: str) -> Vote | None:
        """Return None if there is no word, or if the seat already votes so. Raises CliError if the
        seat cannot cast this vote now."""
        if not word:
            return None
        view, me = self.seat.view, self.seat.seat
        if me in view.conceded or me in view.removed:
            raise CliError("your seat has no vote now")
        votes = standing_soon(self.session).votes
        others = {vote for seat, vote in votes.items() if seat != me}
        if word == "agree" and (len(others) != 1 or view.proposed_deadlines):
            raise CliError("it is not clear what you agree to: write “vote end” or “vote draw”")
        wanted = next(iter(others)) if word == "agree" else word
        return None if votes.get(me) == wanted else Vote(wanted)

    # -------------------------------------------------------------- absences
    def _announced(self) -> AnnouncedAbsence | None:
        if self.seat.view.is_over:
            return None
        return standing_soon(self.session).calendar.absences.get(self.seat.seat)

    def _absence(self, absence: DaysAway | None) -> Away | None:
        """Return None if there is none, or if it is already announced. Raises CliError if it cannot
        count now."""
        if absence is None:
            return None
        try:
            away, before = announced(absence), self._announced()
        except ValueError as error:
            raise CliError(str(error)) from None
        begun = before and not absence.first_day and before.begins <= away.begins
        if before and before.ends == away.ends and (begun or before.begins == away.begins):
            return None
        signed_notice(self.session, away, self.seat.seat)
        return away


def _why_not(check: Callable[[], object]) -> str:
    try:
        check()
    except CliError as error:
        return str(error).removeprefix("this notice would not count: ")
    return ""


# ---- Deal with a reply that a player without `pbem` has sent by email

Fate = Literal[
    "sealed", "back", "asked", "said", "forwarded", "conceded", "wrong", "old", "again",
    "automatic", "returned", "forged", "quiet", "bundle",
]  # fmt: skip
CHANGES = ("sealed", "said", "forwarded", "conceded")
"""The fates of replies that changed something in the game."""
MOST_ANSWERS = 40
"""The most answers to one player about one turn; after that, the referee must write to them."""
MOST_IN_VAIN = 3
"""The most answers in a row to replies that pbem cannot read, so that two programs never go on
writing to each other."""
DROPPED = "what you wrote before is no longer possible, and was dropped"
NOTHING = "nothing in your reply is an order or a question"
TOLD: dict[Fate, str] = {
    "sealed": "the orders in the reply are sealed",
    "back": "nothing in the reply counts yet: the answer asks what it means",
    "asked": "the reply contains only questions",
    "said": "the reply contains a message to other players, a vote or an absence",
    "forwarded": "the reply contains no orders, but a message to you: pbem since",
    "conceded": "the reply concedes the game",
    "wrong": "the reply could not be used, and changed nothing",
    "old": "the reply answers an email about an earlier turn, so it changed nothing",
}


class ReplyResult(Mutable):
    """The fate of a reply."""

    reply: Reply
    fate: Fate
    told: str
    """A sentence for the referee, which shows nothing that the seat hides."""
    seat: MailSeat | None = None
    """The seat whose code is in the reply; None if no code is right."""
    letter: Letter | None = None
    path: Path | None = None
    """The file with the answer, if it was written to one."""


class ReplyDesk:
    """Handles one reply of a player."""

    def __init__(self, seat: MailSeat) -> None:
        self.seat, self.speaker = seat, Speaker(seat)

    def answer(self, reply: Reply, turn: int) -> ReplyResult:
        """Seal the orders in a reply to the email about a turn, and write the answer to it.

        Raises CliError, StorageError.
        """
        seat = self.seat
        self.turn = f"{seat.seat}{seat.view.asking_turn}"
        form = OrderForm(seat.view, seat.book.shown_lists(self.turn))
        sent = seat.book.sent_emails(seat.seat, turn) or seat.noted(seat.turn_letter())
        writers = (*reply.writers, seat.view.names[seat.seat], seat.address)
        own = own_text(reply.text, sent, writers, (clean(seat.view.referee), seat.book.reply_to))
        found = understand(own, form, seat.book.known_lines(seat.seat))
        if reply.has_records and not (found.says_something or found.wrong):
            return ReplyResult(reply, "bundle", f"{seat.called} sent files that pbem made", seat)
        if reply.wrapper:
            found.wrong.append((f"the text of your email is in {reply.wrapper}", ""))
        self.speaker.agreed(found)
        if turn < seat.view.asking_turn:
            found.asks += [("concede", "")] if found.concedes else []
            done = Answered(old=True, asked=self._asked(found, form))
        else:
            done = self._act(found, form)
        fate = _fate(found, done)
        self._note(reply, found, fate, done)
        return self._answered(reply, fate, done, own.lines, found.remarks)

    def _answered(
        self, reply: Reply, fate: Fate, done: Answered, own: Sequence[OwnLine], rest: list[str]
    ) -> ReplyResult:
        """Forward what is for the referee, and write the answer, unless too many were in vain."""
        seat = self.seat
        answers, vain = seat.book.count_answer(self.turn, fate in ("wrong", "back", "forwarded"))
        may_answer = answers <= MOST_ANSWERS and vain <= MOST_IN_VAIN
        last = fate in ("wrong", "back") and vain >= MOST_IN_VAIN
        if no_orders := [one.text for one in own] if last or not may_answer else rest:
            done.forwarded = self.speaker.forward(no_orders)
            done.lost = () if done.forwarded else no_orders
        told = f"{seat.called}: {TOLD[fate]}"
        if done.forwarded and fate != "forwarded":
            told += "; its lines that are not orders are a message to you: pbem since"
        if last or not may_answer:
            told += f"; pbem sends {seat.view.names[seat.seat]} no more answers about this turn: "
            told += "write to the player yourself"
        if not may_answer:
            return ReplyResult(reply, "quiet", told, seat)
        done.left_alone, done.conceded = last, self.speaker.conceded
        letter = echo_letter(seat.view, seat.desk, seat.due, done, seat.book.shown_lists(self.turn))
        return ReplyResult(reply, fate, told, seat, seat.addressed(letter))

    def _note(self, reply: Reply, found: Understood, fate: Fate, done: Answered) -> None:
        """Note how the player answers: for `status`, for the reminder, and for the next reply."""
        book, seat = self.seat.book, self.seat.seat
        if fate in ("back", "wrong") and self.seat.seat in self.seat.view.awaited:
            offered = done.asked_back.taps if done.asked_back else ()
            rows = [f"{tap.body}\t{tap.says}" for tap in offered]
            book.note_unclear_reply(self.turn, [str(now()), *rows])
        elif fate == "sealed":
            book.note_unclear_reply(self.turn, ())
        if fate in ("sealed", "back"):
            book.note_lines_below(seat, found.below)
            said = " ".join(one.text for one in found.sentences)
            tapped = f"{where(self.seat.view)}: {said[:40].rstrip(': ')} [" in reply.subject
            way = "back" if fate == "back" else "tap" if tapped else "words"
            is_number = way == "words" and not re.search(r"[^\W\d]", said)
            book.count_way(seat, "number" if is_number else way)

    # -------------------------------------------------------------- what it says
    def _act(self, found: Understood, form: OrderForm) -> Answered:
        view = self.seat.view
        wrong = list(found.wrong)
        done = Answered(asked=self._asked(found, form))
        if not (found.says_something or found.remarks or wrong):
            wrong.append((NOTHING, ""))
        orders = bool(found.lines or found.start_over)
        wrong += self.speaker.objections(found)
        if (orders or found.reason) and view.is_over:
            wrong.append(("the game is over; no more orders are accepted", ""))
        draft, why, dropped = None, "" if view.is_over else found.reason, list[str]()
        if orders and not wrong and not why:
            earlier = self._earlier(form)
            draft = draft_with_earlier(view, found, earlier)
            kinds_left = {line.kind for line in draft.lines if not line.always}
            dropped = [] if found.start_over else [line.kind for line in earlier if not line.always]
            dropped = [kind for kind in dict.fromkeys(dropped) if kind not in kinds_left]
            why = "; ".join(note.sentence for note in draft.errors[:2])
        if why and not wrong:
            offered = [] if self.speaker.conceded else self._offered(found, form)
            done.asked_back = asked_back_section(view, found, why, offered)
        if why or wrong or draft is None:
            done.wrong = wrong
            done.said = [] if wrong or why else self.speaker.speak(found)
            plays = not view.is_over and not self.speaker.conceded
            asks = any(what != "status" for what, _ in found.asks)  # `status` says it as well
            done.unchanged = (
                self._unchanged() if (wrong or why or found.remarks or asks) and plays else ""
            )
            return done
        done.said = self.speaker.speak(found)
        kinds = view.play.ruleset.kinds
        done.orders, done.revision = self._seal(draft)
        done.left = [kinds[kind].question for kind in draft.unanswered_kinds]
        warned = [(n.sentence, "") for n in draft.notes if n.code != OPEN]
        done.warnings = warned + [(f"{kinds[kind].question}: {DROPPED}", "") for kind in dropped]
        return done

    def _offered(self, found: Understood, form: OrderForm) -> list[Tap]:
        """Return links to what a reply may mean."""
        offered = list[Tap]()
        for some in meanings(self.seat.view, form, found, self._earlier(form)):
            listed = all(choice.number in form.listed for choice in some)
            rows = [f"{one.kind}: {spaced(bare(one.text))}" for one in some]
            body = ", ".join(str(one.number) for one in some) if listed else "\n".join(rows)
            words = [choice_words(choice) for choice in some]
            script = self.seat.view.play.ruleset.kinds[some[0].kind].script
            says = " → ".join(words) if script else ", or if that is not possible: ".join(words)
            offered.append(Tap(says, body, body if listed else ""))
        return offered

    def _seal(self, draft: Draft) -> tuple[Sequence[Line], int]:
        """Seal the orders with the seat's key; return them and their revision. Raises
        StorageError."""
        session = self.seat.session
        reader = session.readers.seat_now(self.seat.seat)
        record = send(session, reader, self.seat.seat, draft.texts)
        session.refresh()
        return draft.lines, record.content.revision

    def _earlier(self, form: OrderForm) -> list[Line]:
        """Return the orders of an earlier reply to this turn; without one, this round's orders that
        still count, with the standing orders; without those, the standing orders that the rules
        suggest."""
        session, view = self.seat.session, self.seat.view
        if record := find_latest_orders(session, view):
            key = session.readers.seat_now(self.seat.seat).key
            return read_lines(list(unseal_orders(record.content, key).texts))
        kinds = {question.kind for question in form.questions}
        kept = carried_over_lines(view).lines
        kept = [line for line in kept if may_come(view, line.kind) or line.kind in kinds]
        return [*kept, *standing_orders_now(view)]

    def _unchanged(self) -> str:
        record = find_latest_orders(self.seat.session, self.seat.view)
        if record is None:
            return "You have no orders for this turn yet."
        return f"What you sent before (version {record.content.revision}) still counts."

    # -------------------------------------------------------------- what it asks
    def _asked(self, found: Understood, form: OrderForm) -> list[Section]:
        view, sections = self.seat.view, list[Section]()
        if lists := {what for what, _ in found.asks} & {MORE, RULES}:
            self.seat.book.note_shown_lists(self.turn, sorted(lists))
        for what, about in found.asks:
            if what == "explain":
                sections.append(Section(f"Explain {about}", self._explained(about)))
            elif what == "status":
                sections.append(Section("Status", self._status()))
            elif what == "show":
                sections.append(Section("The table", table_lines(view)))
            elif what == MORE:
                sections += more_sections(form)
            elif what == RULES:
                sections += rules_sections(form)
            elif what == "help":
                sections.append(help_section(view, "Help"))
            elif not self.speaker.conceded:
                sections.append(concede_section(view))
        return sections

    def _explained(self, about: str) -> list[str]:
        try:
            text = find(self.seat.view.play.ruleset, about, self.seat.view)
        except CliError as error:
            hint = error.hint if error.hint.startswith("did you mean") else ""
            return [f"{error}{f': {hint}' if hint else '.'}"]
        house = [f"House rule: {text.house}"] if text.house else []
        return [*text.body.split("\n"), *house, f"Source: {text.source}"]

    def _status(self) -> list[str]:
        view, mine = self.seat.view, self.seat.seat
        if view.is_over:
            return [f"The game is over after turn {view.turn}."]
        lines = [f"Turn {view.turn} is the last one."]
        awaited = dict(view.awaited)
        if self.speaker.conceded:
            awaited.pop(mine, None)
        for seat, asked in sorted(awaited.items()):
            who = "You are" if seat == mine else f"{view.names[seat]} is"
            lines.append(f"{who} asked: {', '.join(map(view.question_of, asked))}.")
        if mine not in awaited:
            return lines
        lines += [f"Answers count until {self.seat.due}."] if self.seat.due else []
        return [*lines, self._unchanged()]


def _fate(found: Understood, done: Answered) -> Fate:
    if done.old or done.wrong or done.asked_back:
        return "old" if done.old else "wrong" if done.wrong else "back"
    if done.orders is not None:
        return "sealed"
    if found.concedes:
        return "conceded"
    if found.messages or found.vote or found.absence:
        return "said"
    return "forwarded" if found.remarks and not found.asks else "asked"


# ---- Read the emails in which players without `pbem` answer the referee


def keep_answer(result: ReplyResult) -> None:
    """Write the answer to a reply to a file. Raises StorageError."""
    if result.letter and result.seat:
        result.path = write_letter(result.seat.referee, result.letter)


class Replies:
    """The replies that came to one person; call `take` for each file before it is opened as a
    bundle."""

    def __init__(
        self,
        home: Home,
        report: Callable[[ReplyResult], None],
        deliver: Callable[[ReplyResult], None] = keep_answer,
        *,
        folder: Place | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        """`deliver` gets each answer before its reply is noted as answered: if pbem is killed in
        between, it takes the reply again. `report` gets each result after that."""
        self.home, self.folder, self.report, self.deliver = home, folder, report, deliver
        self._keyring = keyring

    def take(self, data: bytes, source: str) -> bool:
        """Read all replies in a file; return False if other code must still file what is in it.

        That is so if the file has no reply, or if it also contains records. Raises CliError,
        FileError, StorageError.
        """
        mails = list(mails_in(data))
        replies = [read_reply(mail, source) for mail in mails if not self._returned(mail, source)]
        if mails and not replies:
            return True
        replies = [reply for reply in replies if reply.tokens]
        if not replies:
            return False
        findings = open_post(data, source)
        fates = [self._take(replace(reply, has_records=bool(findings))) for reply in replies]
        # what is damaged may be a part of a message that the reply quotes
        return "bundle" not in fates and not any(one.data is not None for one in findings)

    def _returned(self, mail: Mail, source: str) -> bool:
        """Report a mail server's message that an email to a player did not arrive."""
        if not (mail.is_bounce and mail.failure):
            return False
        tokens = tuple(tokens_in(mail.data[-MAX_TEXT:].decode("utf-8", "replace")))
        seat, _, told = self._seat(reply := Reply(source, tokens, ""))
        if seat is not None:
            told = f"your email to {seat.called} did not arrive: {clean(mail.failure)}"
            self.report(ReplyResult(reply, "returned", told, seat))
        return seat is not None

    def _take(self, reply: Reply) -> Fate:
        seat, turn, told = self._seat(reply)
        if seat is None:  # with records, its player uses `pbem` now
            result = ReplyResult(reply, "bundle" if reply.has_records else "forged", told)
        elif program := reply.automatic or looks_automatic(reply.subject, seat.view.title):
            told = f"was written by {seat.called}'s mail program ({program})"
            result = ReplyResult(reply, "automatic", f"{told}, so it needs no answer", seat)
        elif seat.book.was_answered(reply.mark):
            told = f"pbem has already read this reply of {seat.called}"
            result = ReplyResult(reply, "again", told, seat)
        else:
            result = ReplyDesk(seat).answer(reply, turn)
            if result.fate != "bundle":
                self.deliver(result)
                seat.book.note_answered(reply.mark)
        if result.fate != "bundle":
            self.report(result)
        return result.fate

    def _seat(self, reply: Reply) -> tuple[MailSeat | None, int, str]:
        """If no code is right, the reason is about the first seat that a code names. A reply may
        quote codes that somebody else wrote into a message or a title."""
        reasons: list[str] = []
        for digits, letter in dict.fromkeys((one.game, one.seat) for one in reply.tokens):
            for session in self._sessions(digits):
                if letter in session.roles.mail_seats:
                    seat = MailSeat(session, letter)
                    if turn := seat.turn_of(reply.tokens):
                        return seat, turn, ""
                    told = f"does not have the code of any email that you sent to {seat.called}"
                    reasons.append(f"{told}, so pbem ignores it")
                elif letter in session.charter.by_mail:
                    name = clean(session.name_of(letter))
                    told = f"{name} now has a key for seat {letter}"
                    reasons.append(f"{told}, so emails no longer count for it")
        reasons.append("it answers an email about a game that you do not referee")
        return None, 0, reasons[0]

    def _sessions(self, digits: str) -> Iterator[Session]:
        """There can be several: a stranger can make a game whose id begins like that of another
        game. Raises FileError if turns are missing there."""
        known = [game for game in self.home.games() if game.startswith(digits)]
        places = [self.home.game(game).place for game in known]
        for place in [self.folder] if self.folder else [place_of("."), *places]:
            if place and game_in(self.home.folder(place)).hex().startswith(digits):
                self._keyring = self._keyring or Keyring(self.home)
                session = Session(place, home=self.home, keyring=self._keyring)
                if session.roles.referee:
                    need_last_made(session)  # else a reply to that turn would be lost
                    if session.listing.reached:
                        yield session
