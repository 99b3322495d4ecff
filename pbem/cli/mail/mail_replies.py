"""Deal with a reply that a player without `pbem` has sent by email."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pbem.cli.failure import CliError
from pbem.cli.mail.speak_for_seat import Speaker

if TYPE_CHECKING:
    from engine import Line
    from pbem.cli.mail.mail_seats import Letter, MailSeat
    from pbem.drafts.read.read_draft import Draft
    from pbem.mailseats.letter_text import Answered, Section
    from pbem.mailseats.order_form import OrderForm
    from pbem.mailseats.read_reply import Reply
    from pbem.mailseats.understand import Understood

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


@dataclass
class ReplyResult:
    """What pbem did with a reply."""

    fate: Fate
    told: str
    """A sentence for the referee, which shows nothing that the seat hides."""
    letter: Letter | None = None
    """The answer to send, if there is one."""
    order: str = ""
    """The id of the sealed orders."""


@dataclass
class _Work:
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
        from pbem.mailseats.letter_text import echo_letter
        from pbem.mailseats.new_lines import lines_above, new_lines
        from pbem.mailseats.order_form import OrderForm
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
        from pbem.mailseats.letter_text import Answered

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
        from pbem.drafts.read.problem_texts import OPEN, left_open
        from pbem.mailseats.letter_text import Answered
        from pbem.mailseats.reply_draft import draft_with_earlier, problems

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
        from pbem.cli.clock import now
        from pbem.cli.orders.seal_orders import send
        from pbem.cli.status.my_orders import newest
        from pbem.play.making.advance import orders_name
        from pbem.text.dates import utc_date

        session, held = self.seat.session, ""
        before = newest(session, self.seat.view)
        record = send(session, session.reader_now(self.seat.seat), self.seat.seat, draft.texts)
        path = orders_name(record).path
        if guessed and (before is None or before.id != record.id or path in self.seat.book.held):
            held = utc_date(self.seat.book.hold(path, now() + HOLD))
        session.refresh()
        return record.id.hex(), record.content.revision, held

    def _earlier(self, form: OrderForm) -> list[Line]:
        """Return the orders to which a reply adds.

        These are the orders of an earlier reply to this turn. Without one, they are this round's
        orders that still count, with the standing orders. Without those, they are the standing
        orders that the rules suggest.
        """
        from pbem.cli.status.my_orders import newest
        from pbem.drafts.write.earlier_orders import kept_lines
        from pbem.drafts.write.rest_of_round import may_come
        from pbem.mailseats.reply_draft import suggested
        from pbem.play.orders.check_lines import read_lines
        from pbem.records.sealed_orders import unseal_orders

        session, view = self.seat.session, self.seat.view
        if record := newest(session, view):
            key = session.reader_now(self.seat.seat).key
            return read_lines(list(unseal_orders(record.content, key).texts))
        standing = [line for line in view.lines if line.always] if view.texts else suggested(view)
        kept = kept_lines(view).lines
        return [*(x for x in kept if may_come(view, x.kind) or x.kind in form.kinds()), *standing]

    def _unchanged(self) -> str:
        """Say which orders count if the player sends nothing new."""
        from pbem.cli.status.my_orders import newest

        record = newest(self.seat.session, self.seat.view)
        if record is None:
            return "You have no orders for this turn yet."
        return f"What you sent before (version {record.content.revision}) still counts."

    # -------------------------------------------------------------- what it asks
    def _asked(self, found: Understood) -> list[Section]:
        from pbem.mailseats.letter_text import Section, concede_section, help_section
        from pbem.mailseats.table_text import table_lines

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
        from pbem.cli.viewing.explain import find
        from pbem.mailseats.letter_text import Section

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
    from pbem.screen.terminal import clean

    return f"{clean(seat.name)} (seat {seat.seat})"
