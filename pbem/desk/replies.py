"""Act on emails from players without pbem: their orders, messages, votes and questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from engine import Line
from engine.values import Mutable
from pbem.desk.base import complain, now, say
from pbem.desk.explain import find
from pbem.desk.game_here import Keyring, need_last_made
from pbem.desk.my_orders import newest
from pbem.desk.notices import (
    absences_here,
    announced,
    conceded_here,
    declare,
    signed_notice,
    votes_here,
    what_you_declared,
)
from pbem.desk.orders import send
from pbem.desk.press import MessagesHere, addressee, lines_of_text, name_of, send_message
from pbem.desk.send import Letter, MailSeat, vote_words, write_letter
from pbem.desk.session import Session, mail_hint
from pbem.drafts.offers import may_come
from pbem.drafts.read import OPEN, Draft, left_open
from pbem.drafts.write import kept_lines
from pbem.errors import KEY, CliError
from pbem.files.folder import Place
from pbem.files.home import Home
from pbem.game.archive import game_in
from pbem.game.lines import read_lines
from pbem.game.notice_kinds import Away, Concede, Vote
from pbem.game.referee import orders_name
from pbem.records.notice import DRAW, NO_WINNER, PLAY_ON, SCORE
from pbem.records.orders import unseal_orders
from pbem.records.press import MOST_LINES, MOST_MESSAGES, MOST_TEXT, REFEREE
from pbem.screen.terminal import brief, clean
from pbem.text.absence import Absence
from pbem.text.concession import SENTENCE
from pbem.text.dates import utc_date

if TYPE_CHECKING:
    from pbem.mailseats.letters import Answered, Section
    from pbem.mailseats.order_form import OrderForm
    from pbem.mailseats.read import Reply
    from pbem.mailseats.understand import Understood

# ---- Sign the messages, votes, absences and concessions of a player without `pbem`

MOST_TOLD = 10
"""The most messages to other players in one reply."""
AGREED = (
    "The game ends when all other players who are there have voted to end it in the same way, and "
    "when those who are silent have had time to answer. Until then you can write: vote no"
)
SAME = "This changes nothing: you have already voted that way, or you had no vote to take back."
AWAY = (
    "The game does not wait for you then; your orders and standing orders still count. If you "
    "return earlier, write: back"
)
CONCEDED = (
    "You have given up the game, and you cannot take that back. You get no more questions: the "
    "least harmful choices are made for you. All other players are ranked above you. You get an "
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
    """Signs messages, votes, absences and concessions with the key of one seat.

    The referee has this key.

    What is already here is not signed again, because a reply may be taken twice: `pbem` may be
    killed before it notes the reply.
    """

    def __init__(self, seat: MailSeat) -> None:
        self.seat, self.session = seat, seat.session

    def agreed(self, found: Understood) -> None:
        """Treat `agree` as small talk if no other player has voted, and `back` if the player was
        not away."""
        if found.vote == "agree":
            voted = not self.seat.view.over and votes_here(self.session).keys() - {self.seat.seat}
            if not voted:
                found.vote = ""
                found.rest.append("agree")
        if found.absence and not found.absence.last and not self._announced():
            found.absence = None
            found.rest.append("back")

    def wrong(self, found: Understood) -> list[tuple[str, str]]:
        """Return what cannot be sent or announced, with the reasons. Sign nothing."""
        wrong = self._concession(found)
        for to, text in found.told:
            try:
                self._checked(to, text)
            except CliError as error:
                hint = error.hint if error.hint.startswith("did you mean") else ""
                told = f"“tell {to}:”" if to else "“tell:”"
                wrong.append((told, f"{error}; {hint}" if hint else str(error)))
        wrong += [("“tell:”", told) for told in [self._too_many(len(found.told))] if told]
        try:
            self._vote(found.vote)
        except CliError as error:
            wrong.append((f"“vote {found.vote}”", str(error)))
        try:
            self._absence(found.absence)
        except CliError as error:
            wrong.append(("the absence", str(error).removeprefix("this notice would not count: ")))
        return wrong

    def _too_many(self, count: int) -> str:
        """Say why a reply cannot send so many messages; empty if it can."""
        if count > MOST_TOLD:
            return f"your email has {count} messages to players; it may have at most {MOST_TOLD}"
        view, me = self.seat.view, self.seat.seat
        here = MessagesHere(self.session, view, mine=[me]) if count else None
        written = here.read({view.published}) if here else []
        if sum(one.writer == me for one in written) + count <= MOST_MESSAGES:
            return ""
        told = f"since turn {view.published} you may write {MOST_MESSAGES} messages, and this would"
        return f"{told} be more: write again after the next turn"

    def speak(self, found: Understood) -> list[str]:
        """Sign all of it; return what was done. Raises CliError, StorageError."""
        done = [self._tell(to, text) for to, text in found.told]
        if found.vote:
            vote = self._vote(found.vote)
            done += self._declare(vote) if vote else [SAME]
        if found.absence:
            self.session.refresh()
            done += self._announce(found.absence)
        if found.concedes and not self.has_conceded:
            self._concede()
        if done or found.concedes:
            self.session.refresh()
        return done

    # -------------------------------------------------------------- conceding
    @property
    def has_conceded(self) -> bool:
        """Whether the player has conceded, even if no turn lists that yet."""
        view, me = self.seat.view, self.seat.seat
        return me in view.conceded or (not view.over and me in conceded_here(self.session))

    @property
    def conceded(self) -> str:
        """A sentence for a player who has conceded; empty for others, and when the game is over."""
        view = self.seat.view
        if view.over or not self.has_conceded:
            return ""
        return CONCEDED if self.seat.seat in view.conceded else f"{CONCEDED} {SOON}"

    def _concession(self, found: Understood) -> list[tuple[str, str]]:
        """Return why the player cannot concede now, or what they can no longer do if they have."""
        others = bool(found.lines or found.start_over or found.vote or found.absence)
        if self.conceded:
            return [(TOO_LATE, "")] if others else []
        if not found.concedes:
            return []
        if others:
            return [(f"“{SENTENCE}”", ALONE)]
        try:
            signed_notice(self.session, Concede(), self.seat.seat)
        except CliError as error:
            told = str(error).removeprefix("this notice would not count: ")
            return [(f"“{SENTENCE}”", told)]
        return []

    def _concede(self) -> None:
        self.session.refresh()
        declare(self.session, Concede(), self.seat.seat)

    # -------------------------------------------------------------- messages
    def _checked(self, to: str, text: str) -> tuple[tuple[str, ...], str]:
        """Return the lines of a message, and the seat or `referee` it is for. Raises CliError."""
        lines = lines_of_text(text)
        return lines, addressee(self.seat.view, to, self.seat.seat) if to else ""

    def _tell(self, to: str, text: str) -> str:
        view, me = self.seat.view, self.seat.seat
        lines, receiver = self._checked(to, text)
        here = MessagesHere(self.session, view, mine=[me]).read({view.published})
        if not any((m.writer, m.to, m.lines) == (me, receiver, lines) for m in here):
            send_message(self.session, view, text, to, as_referee=False)
            self.session.refresh()
        who = f"to {name_of(view, receiver)}" if receiver else "to all players"
        return f"You said {who}: {clean(' '.join(lines))}"

    def forward(self, lines: Sequence[str]) -> list[str]:
        """Send lines that are no orders to the referee, as a private message of this player.

        Returns the lines that are on their way; none if no message can be sent now. Raises
        StorageError.
        """
        text = "\n".join(clean(line) for line in lines[:MOST_LINES])[:MOST_TEXT].strip()
        if not text:
            return []
        try:
            self._tell(REFEREE, text)
        except CliError:
            return []  # the player has written too many messages since the last turn
        return text.split("\n")

    # -------------------------------------------------------------- votes
    def _vote(self, word: str) -> Vote | None:
        """Return the vote that a word asks for; None if there is no word, or if the seat already
        votes so.

        Raises CliError if the seat cannot cast this vote now.
        """
        if not word:
            return None
        view, me = self.seat.view, self.seat.seat
        if me in view.conceded or me in view.removed:
            raise CliError("your seat has no vote now")
        votes = votes_here(self.session)
        others = {vote for seat, vote in votes.items() if seat != me}
        if word == "agree" and (len(others) != 1 or view.wanted):
            raise CliError("it is not clear what you agree to: write “vote end” or “vote draw”")
        words = {"end": SCORE, "draw": DRAW, "no winner": NO_WINNER, "no": PLAY_ON}
        wanted = words.get(word) or next(iter(others))
        return None if votes.get(me) == wanted else Vote(wanted)

    def _declare(self, vote: Vote) -> list[str]:
        if declare(self.session, vote, self.seat.seat).again:
            return [SAME]
        told = [f"You vote {vote_words(vote.result)}."]
        return told if vote.result == PLAY_ON else [*told, AGREED]

    # -------------------------------------------------------------- absences
    def _announced(self) -> tuple[int, int] | None:
        """Return when the seat's absence begins and ends; None if it has announced none."""
        return None if self.seat.view.over else absences_here(self.session).get(self.seat.seat)

    def _absence(self, absence: Absence | None) -> Away | None:
        """Return the notice that is meant; None if there is none, or if it is already announced.

        Raises CliError if it cannot count now.
        """
        if absence is None:
            return None
        try:
            away, before = announced(absence), self._announced()
        except (ValueError, OverflowError) as error:
            raise CliError(str(error)) from None
        if before and before[1] == away.ends:
            begun = not absence.first and before[0] <= away.begins
            if begun or before[0] == away.begins:
                return None
        signed_notice(self.session, away, self.seat.seat)
        return away

    def _announce(self, absence: Absence) -> list[str]:
        away = self._absence(absence)
        if away is None:
            return [STILL_AWAY]
        record = declare(self.session, away, self.seat.seat).record
        told = what_you_declared(self.session, record)
        told = f"{told[:1].upper()}{told[1:]}."
        return [told, AWAY] if absence.last else [told]


# ---- Deal with a reply that a player without `pbem` has sent by email

Fate = Literal[
    "sealed",
    "asked",
    "said",
    "forwarded",
    "conceded",
    "wrong",
    "old",
    "again",
    "automatic",
    "forged",
    "quiet",
    "bundle",
]
MOST_ANSWERS = 40
"""The most answers to one player about one turn; after that, the referee must write to them."""
MOST_IN_VAIN = 3
"""The most answers in a row to replies that pbem cannot read, so that two programs never go on
writing to each other."""
HOLD = 600
"""For how many seconds the turn waits for a correction of orders that were written in free
words."""
DROPPED = "what you wrote before is no longer possible, and was dropped"
NOTHING = "nothing in your reply is an order or a question"


class ReplyResult(Mutable):
    """What pbem did with a reply."""

    fate: Fate
    told: str
    """A sentence for the referee, which shows nothing that the seat hides."""
    letter: Letter | None = None
    """The answer to send, if there is one."""
    order: str = ""
    """The id of the sealed orders."""


class _Work(Mutable):
    """What is known about a reply while pbem works on it."""

    done: Answered
    order: str = ""
    wrong: list[tuple[str, str]] = field(default_factory=list)


class ReplyDesk:
    """Handles the replies of one player; `seat` is read again after each reply that changed
    something."""

    def __init__(self, seat: MailSeat) -> None:
        self.seat, self.speaker = seat, Speaker(seat)

    def take(
        self, reply: Reply, deliver: Callable[[ReplyResult], None] = lambda _result: None
    ) -> ReplyResult:
        """Seal the orders in a reply, and write the answer to it. Raises CliError, StorageError.

        `deliver` is called with the answer before pbem notes the reply as answered. If pbem is
        killed in between, it takes the reply again.
        """
        seat, name = self.seat, _shown(self.seat)
        turn = seat.turn_of(reply.tokens)
        if not turn:
            told = (
                f"does not have the code of any email that you sent to {name}, so pbem ignores it"
            )
            return ReplyResult("forged", told)
        if reply.automatic:
            told = (
                f"was written by {name}'s mail program ({reply.automatic}), so it needs no answer"
            )
            return ReplyResult("automatic", told)
        if seat.book.was_answered(reply.mark):
            return ReplyResult("again", f"pbem has already read this reply of {name}")
        result = self._answer(reply, turn)
        if result.fate == "bundle":
            return result
        deliver(result)
        seat.book.answered([reply.mark])
        return result

    def _answer(self, reply: Reply, turn: int) -> ReplyResult:
        from pbem.mailseats.letters import echo_letter
        from pbem.mailseats.order_form import OrderForm
        from pbem.mailseats.read import lines_above, new_lines
        from pbem.mailseats.understand import understand

        seat, form = self.seat, OrderForm(self.seat.view)
        old = turn < seat.asked_by
        sent = seat.book.sent(seat.seat, turn) or seat.turn_text().text
        lines = new_lines(reply.text, sent)
        found = understand(lines, form, lines_above(reply.text))
        if reply.has_records and not (found.says_something or found.wrong):
            return ReplyResult("bundle", f"{_shown(seat)} sent files that pbem made")
        work = self._work(found, form, old=old)
        fate = self._fate(found, work, old=old)
        may_answer = self._may_answer(fate)
        last = fate == "wrong" and seat.book.in_vain(self._turn) >= MOST_IN_VAIN
        self._forward(lines if last or not may_answer else found.rest, work)
        told = f"{_shown(seat)}: {_TOLD[fate]}"
        if work.done.forwarded and fate != "forwarded":
            told += "; what is no order in it is a message to you: pbem since"
        if last or not may_answer:
            told += f"; pbem answers {seat.name} no more about this turn: write to the "
            told += "player yourself"
        if not may_answer:
            return ReplyResult("quiet", told)
        work.done.left_alone = last
        work.done.conceded = self.speaker.conceded
        text = echo_letter(seat.view, str(seat.token(seat.asked_by)), seat.due, work.done)
        letter = seat.letter(text, seat.answer_stem())
        return ReplyResult(fate, told, letter, work.order)

    def _fate(self, found: Understood, work: _Work, *, old: bool) -> Fate:
        if old or work.wrong:
            return "old" if old else "wrong"
        if work.done.orders is not None:
            return "sealed"
        if found.concedes or found.speaks:
            return "conceded" if found.concedes else "said"
        return "forwarded" if found.rest and not found.asks else "asked"

    def _forward(self, lines: Sequence[str], work: _Work) -> None:
        """Send what is no order to the referee, and note in the answer whether that was done."""
        if lines:
            work.done.forwarded = self.speaker.forward(lines)
            work.done.lost = () if work.done.forwarded else lines

    @property
    def _turn(self) -> str:
        return f"{self.seat.seat}{self.seat.asked_by}"

    def _may_answer(self, fate: Fate) -> bool:
        """Count one more answer, and return whether it may be sent. Raises StorageError."""
        in_vain = fate in ("wrong", "forwarded")
        return self.seat.book.count(self._turn, in_vain, MOST_ANSWERS, MOST_IN_VAIN)

    # -------------------------------------------------------------- what it says
    def _work(self, found: Understood, form: OrderForm, *, old: bool) -> _Work:
        from pbem.mailseats.letters import Answered

        view = self.seat.view
        self.speaker.agreed(found)
        wrong = list(found.wrong)
        if old and found.concedes:
            found.asks.append(("concede", ""))
        asks = self._asked(found)
        if old:
            return _Work(Answered(old=True, asked=asks))
        if not (found.says_something or found.rest or wrong):
            wrong.append((NOTHING, ""))
        orders = bool(found.lines or found.start_over)
        wrong += self.speaker.wrong(found)
        if orders and (reason := self._too_late()):
            wrong.append((reason, ""))
        if orders and not wrong:
            return self._orders(found, form, asks)
        said = [] if wrong else self.speaker.speak(found)
        done = Answered(asked=asks, wrong=wrong, guessed=found.guessed, said=said)
        plays = not view.over and not self.speaker.conceded
        done.unchanged = self._unchanged() if (wrong or found.rest) and plays else ""
        return _Work(done, wrong=wrong)

    def _too_late(self) -> str:
        view = self.seat.view
        return "the game is over; no more orders are accepted" if view.over else ""

    def _orders(self, found: Understood, form: OrderForm, asks: Sequence[Section]) -> _Work:
        """Check the orders of a reply and, if nothing is wrong, seal them."""
        from pbem.mailseats.letters import Answered
        from pbem.mailseats.understand import draft_with_earlier, problems

        view = self.seat.view
        draft, dropped = draft_with_earlier(view, found, self._earlier(form))
        if wrong := problems(draft):
            done = Answered(wrong=wrong, asked=asks, guessed=found.guessed)
            done.unchanged = self._unchanged()
            return _Work(done, wrong=wrong)
        said = self.speaker.speak(found)
        order, revision, held = self._seal(draft, bool(found.guessed))
        kinds = view.play.ruleset.kinds
        left = [kinds[kind].question for kind in left_open(view, draft.lines)]
        warned = [(n.what, "") for n in draft.notes if n.code != OPEN]
        warned += [(f"{kinds[kind].question}: {DROPPED}", "") for kind in dropped]
        done = Answered(draft.lines, revision, left, (), warned, asked=asks, said=said)
        done.guessed, done.held_until = found.guessed, held
        return _Work(done, order)

    def _seal(self, draft: Draft, guessed: bool) -> tuple[str, int, str]:
        """Seal the orders with the seat's key; return their id and revision, and until when the
        turn waits for a correction, if they were written in free words. Raises StorageError."""
        session, held = self.seat.session, ""
        before = newest(session, self.seat.view)
        record = send(session, session.reader_now(self.seat.seat), self.seat.seat, draft.texts)
        path = orders_name(record).path
        if guessed and (before is None or before.id != record.id or path in self.seat.book.held):
            until = self.seat.book.hold(path, now() + HOLD)
            held = utc_date(until) if until > now() else ""
        session.refresh()
        return record.id.hex(), record.content.revision, held

    def _earlier(self, form: OrderForm) -> list[Line]:
        """Return the orders to which a reply adds.

        These are the orders of an earlier reply to this turn. Without one, they are this round's
        orders that still count, with the standing orders. Without those, they are the standing
        orders that the rules suggest.
        """
        from pbem.mailseats.understand import suggested

        session, view = self.seat.session, self.seat.view
        if record := newest(session, view):
            key = session.reader_now(self.seat.seat).key
            return read_lines(list(unseal_orders(record.content, key).texts))
        standing = [line for line in view.lines if line.always] if view.texts else suggested(view)
        kept = kept_lines(view).lines
        return [*(x for x in kept if may_come(view, x.kind) or x.kind in form.kinds()), *standing]

    def _unchanged(self) -> str:
        """Say which orders count if the player sends nothing new."""
        record = newest(self.seat.session, self.seat.view)
        if record is None:
            return "You have no orders for this turn yet."
        return f"What you sent before (version {record.content.revision}) still counts."

    # -------------------------------------------------------------- what it asks
    def _asked(self, found: Understood) -> list[Section]:
        from pbem.mailseats.letters import Section, concede_section, help_section, table_lines

        view, sections = self.seat.view, list[Section]()
        for what, about in found.asks:
            if what == "explain":
                sections.append(self._explained(about))
            elif what == "status":
                sections.append(Section("Status", self._status()))
            elif what == "show":
                sections.append(Section("The table", table_lines(view)))
            elif what == "help":
                sections.append(help_section(view, "Help"))
            elif not self.speaker.conceded:
                sections.append(concede_section(view))
        return sections

    def _explained(self, about: str) -> Section:
        from pbem.mailseats.letters import Section

        title = f"Explain {about}"
        try:
            text = find(self.seat.view.play.ruleset, about)
        except CliError as error:
            hint = error.hint if error.hint.startswith("did you mean") else ""
            return Section(title, [f"{error}{f': {hint}' if hint else '.'}"])
        house = [f"House rule: {text.house}"] if text.house else []
        return Section(title, [text.body, *house, f"Source: {text.source}"])

    def _status(self) -> list[str]:
        """Say whose move it is, what the deadline is, and what is known of this player's orders."""
        view, mine = self.seat.view, self.seat.seat
        if view.over:
            return [f"The game is over after turn {view.turn}."]
        kinds = view.play.ruleset.kinds
        lines = [f"Turn {view.turn} is the last one."]
        awaited = dict(view.awaited)
        if self.speaker.conceded:
            awaited.pop(mine, None)
        for seat, asked in sorted(awaited.items()):
            who = "You are" if seat == mine else f"{view.names[seat]} is"
            lines.append(f"{who} asked: {', '.join(kinds[kind].question for kind in asked)}.")
        if mine not in awaited:
            return lines
        lines += [f"Answers count until {self.seat.due}."] if self.seat.due else []
        return [*lines, self._unchanged()]


_TOLD: dict[Fate, str] = {
    "sealed": "the orders in the reply are sealed",
    "asked": "the reply contains only questions",
    "said": "the reply contains a message to other players, a vote or an absence",
    "forwarded": "the reply contains no orders, but a message to you: pbem since",
    "conceded": "the reply concedes the game",
    "wrong": "the reply could not be used, and changed nothing",
    "old": "the reply answers an email about an earlier turn, so it changed nothing",
}


def _shown(seat: MailSeat) -> str:
    return f"{clean(seat.name)} (seat {seat.seat})"


# ---- Read the emails in which players without `pbem` answer the referee, for `receive`


class ReplyTaker:
    """One run of `receive`; call `take` for each file before it is opened as a bundle."""

    def __init__(self, home: Home, folder: Place | None) -> None:
        self.home, self.folder = home, folder
        self.code = 0
        """The exit code, which reports the replies that were refused."""
        self.results: list[tuple[Session, ReplyResult]] = []
        """What pbem did with each reply, in order."""
        self._keyring: Keyring | None = None

    def take(self, data: bytes, source: str) -> bool:
        """Read all replies in a file; return False if other code must still file what is in it.

        That is so if the file has no reply, or if it also contains records. Raises CliError,
        FileError, StorageError.
        """
        from pbem.mail.opening import mails_in, open_post
        from pbem.mailseats.read import is_reply, read_reply

        replies = [read_reply(mail, source) for mail in mails_in(data) if is_reply(mail)]
        replies = [reply for reply in replies if reply.tokens]
        if not replies:
            return False
        found = open_post(data, source)
        fates = [self._take(replace(reply, has_records=bool(found))) for reply in replies]
        # what is damaged may be a part of a message that the reply quotes
        return "bundle" not in fates and not any(one.data is not None for one in found)

    def _take(self, reply: Reply) -> Fate:

        seat = self._seat(reply)
        if isinstance(seat, str):
            return self._counts_for_nothing(reply, seat)
        result = ReplyDesk(seat).take(reply, lambda found: self.deliver(seat, reply, found))
        if result.fate == "forged":
            return self._counts_for_nothing(reply, result.told)
        if result.fate != "bundle":
            self.results.append((seat.referee, result))
            self.tell(seat, result)
        return result.fate

    def _counts_for_nothing(self, reply: Reply, told: str) -> Fate:
        """Print why a reply was refused, unless it also contains records, because its player uses
        `pbem` now."""
        if reply.has_records:
            return "bundle"
        self.refuse(reply, told)
        return "forged"

    def deliver(self, seat: MailSeat, reply: Reply, result: ReplyResult) -> None:
        """Do nothing here; a subclass gets each answer before its reply is noted as answered."""

    def refuse(self, reply: Reply, told: str) -> None:
        """Print why a reply was refused."""
        self.code = KEY
        complain(f"{reply.source}: {told}")

    def tell(self, seat: MailSeat, result: ReplyResult) -> None:
        """Write the answer to a file, and say what to do with it."""
        print(f"{clean(seat.view.title)}, turn {seat.view.turn}: {result.told}")
        if result.letter:
            path = write_letter(seat.referee, result.letter)
            print(f"wrote {brief(path)} (an email to {clean(result.letter.name)})")
            say(
                f"send the email to {result.letter.address}, so that the player knows what pbem "
                "understood"
            )
        if result.fate in ("said", "conceded"):
            mail_hint(seat.referee)

    @property
    def changed(self) -> dict[bytes, Session]:
        """The games in which a reply changed something."""
        done = ("sealed", "said", "forwarded", "conceded")
        changed = (session for session, result in self.results if result.fate in done)
        return {session.game_folder.game: session for session in changed}

    # -------------------------------------------------------------- the game
    def _seat(self, reply: Reply) -> MailSeat | str:
        """Return the seat to which a reply belongs, or a sentence that says why there is none.

        That is the seat whose code in the reply is right. If no code is right, it is the first seat
        that a code names, or a sentence if that seat's player uses their own key now. A reply may
        quote codes that somebody else wrote into a message or a title.
        """
        named: list[MailSeat | str] = []
        for digits, letter in dict.fromkeys((one.game, one.seat) for one in reply.tokens):
            for session in self._sessions(digits):
                if letter in session.roles.mail:
                    seat = MailSeat(session, letter)
                    if seat.turn_of(reply.tokens):
                        return seat
                    named.append(seat)
                elif letter in session.game_folder.charter.content.by_mail:
                    name = clean(session.name_of(letter))
                    told = (
                        f"{name} now has a key for seat {letter}, so emails no longer count for it"
                    )
                    named.append(told)
        told = "it answers an email about a game of which you are not the referee"
        return named[0] if named else told

    def _sessions(self, digits: str) -> Iterator[Session]:
        """Find the games that you referee here and whose ids begin with these digits.

        There can be several: a stranger can make a game whose id begins like that of another game.
        Raises FileError if turns are missing there.
        """
        known = [game for game in self.home.games() if game.startswith(digits)]
        places = [self.home.game(game).place for game in known]
        for place in [self.folder] if self.folder else [Path(".").absolute(), *places]:
            if place and game_in(self.home.folder(place)).hex().startswith(digits):
                self._keyring = self._keyring or Keyring(self.home)
                session = Session(place, home=self.home, keyring=self._keyring)
                if session.roles.referee:
                    need_last_made(session)  # else a reply to that turn would be lost
                    if session.listing.reached:
                        yield session


class WrittenReplies(ReplyTaker):
    """Writes each answer to a file before pbem notes its reply as answered; `receive` uses this."""

    def deliver(self, seat: MailSeat, reply: Reply, result: ReplyResult) -> None:
        """Write the answer to a file (see ReplyTaker.deliver)."""
        if result.letter:
            write_letter(seat.referee, result.letter)
