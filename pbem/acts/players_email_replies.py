"""Act on emails from players without pbem: their orders, messages, votes and questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from engine import Line, bare
from engine.value_classes import Mutable
from pbem.acts.emails_to_seat_by_mail import MailSeat
from pbem.acts.read_typed_absences_and_delays import away_notice
from pbem.acts.seal_orders import seal_and_write_orders
from pbem.acts.send_message import (
    AFTER_NEXT_TURN_HINT,
    TOO_MANY_MESSAGES,
    addressee,
    format_person,
    lines_of_text,
    send_message,
)
from pbem.acts.sign_notice import NotSignedError, declare, signed_notice, standing_soon
from pbem.acts.write_bundles_and_emails import write_letter
from pbem.drafts.carried_over_orders import carried_over_lines, standing_orders_now
from pbem.drafts.checked_rows import OPEN, Draft
from pbem.drafts.questions_and_choices import may_come
from pbem.errors import CliError
from pbem.files.game_folder_places import Place, place_of
from pbem.files.home import Home
from pbem.judge.announced_absences_and_delays import AnnouncedAbsence
from pbem.judge.notice_kinds import Away, Concede, Vote
from pbem.judge.order_line_checks import read_lines
from pbem.judge.read_and_make_messages import Message
from pbem.judge.records_of_game_folder import read_game_id
from pbem.mail.incoming_email import Mail
from pbem.mail.letter import Letter
from pbem.mail.unpack_mail import mails_in, open_post
from pbem.person.check_seen_and_made_turns import need_last_made
from pbem.person.keyring import Keyring
from pbem.person.questions_left_open_by_orders import find_latest_orders
from pbem.person.readable_messages import MessagesHere
from pbem.person.session import Session
from pbem.plain_email.answer_letters import ReplyOutcome, answer_letter, asked_back_section
from pbem.plain_email.letter_as_text_and_html import Section, Tap
from pbem.plain_email.mail_code import find_mail_codes
from pbem.plain_email.order_form import MORE_REQUEST, RULES_REQUEST, OrderForm
from pbem.plain_email.reply_email import (
    MAX_TEXT_CHARACTERS,
    Reply,
    find_automatic_prefix,
    read_reply,
)
from pbem.plain_email.reply_meaning import (
    ReplyInterpretation,
    draft_with_earlier,
    interpret_reply,
    possible_meanings,
)
from pbem.plain_email.strip_quotes import OwnLine, extract_own_text
from pbem.plain_email.turn_letters import (
    choice_words,
    concede_section,
    help_section,
    more_sections,
    rules_sections,
    table_lines,
    turn_title,
)
from pbem.plain_email.typed_concessions import CONCESSION
from pbem.records.notice import PLAY_ON
from pbem.records.press_message import MAX_MESSAGE_CHARACTERS, MAX_MESSAGE_LINES, REFEREE
from pbem.records.record_count_and_size_limits import MAX_MESSAGES
from pbem.terminal.clean_text import clean
from pbem.terminal.game_prose import spaced
from pbem.text.clock import now
from pbem.text.least_harmful_choice import LEAST_HARMFUL_CHOICES
from pbem.text.terminal_and_page_wording import TerminalText, join_texts, off_terminal
from pbem.text.typed_absences import DaysAway
from pbem.wording.find_explanation import find_text
from pbem.wording.notices import what_you_declared
from pbem.wording.votes_and_vouching import describe_wish

# ---- Sign the messages, votes, absences and concessions of a player without `pbem`

MAX_MESSAGES_IN_REPLY = 10
VOTE_RULE_SENTENCE = (
    "The game ends when all other active players have voted the same way, and silent players "
    "have had time to answer. If you want to take your vote back before then, write: vote no"
)
SAME_VOTE_SENTENCE = (
    "Your vote has not changed: you have already voted in this way, or you had no vote to take "
    "back."
)
ABSENCE_SENTENCE = (
    "On these days the game does not wait for you; your orders and standing orders still count. If "
    "you return earlier, write: back"
)
CONCEDED_SENTENCE = (
    "You have given up the game, and you cannot take that back. pbem asks you nothing more, and "
    f"makes {LEAST_HARMFUL_CHOICES} for you. All other players are ranked above you. You get an "
    "email when the game is over."
)
COUNTS_SOON_SENTENCE = "What you wrote takes effect with the next turn."
CONCEDE_ALONE_SENTENCE = (
    "nobody can take a concession back, so a reply that concedes must not also contain orders, a "
    "vote or an absence. To concede, send only the line that concedes"
)
CONCEDED_PROBLEM = "you have conceded, so you can only send messages and ask questions"
KNOWN_ABSENCE_SENTENCE = "You have already announced this absence."


class Speaker:
    """Signs messages, votes, absences and concessions with the key of one seat, which the referee
    has.

    What is already here is not signed again, because a reply may be taken twice: `pbem` may be
    killed before it notes the reply.
    """

    def __init__(self, seat: MailSeat) -> None:
        self.seat, self.session = seat, seat.session

    def set_small_talk_apart(self, interpretation: ReplyInterpretation) -> None:
        """Treat `agree` as small talk if no other player has voted, and `back` if the player was
        not away."""
        is_over = self.seat.view.is_over
        voters = not is_over and standing_soon(self.session).votes.keys() - {self.seat.seat}
        if interpretation.vote == "agree" and not voters:
            interpretation.vote = ""
            interpretation.remarks.append("agree")
        if (
            interpretation.absence
            and not interpretation.absence.last_day
            and not self._announced_absence()
        ):
            interpretation.absence = None
            interpretation.remarks.append("back")

    def objections(self, interpretation: ReplyInterpretation) -> list[tuple[str, str]]:
        """Return what cannot be sent or announced, each with the reason.

        Writes nothing; it signs only to try.
        """
        problems = self._concession(interpretation)
        for typed_recipient, text in interpretation.messages:
            try:
                lines_of_text(text)
                if typed_recipient:
                    addressee(self.seat.view, typed_recipient, self.seat.seat)
            except CliError as error:
                hint = off_terminal(error.hint)
                subject = f"“tell {typed_recipient}:”" if typed_recipient else "“tell:”"
                problems.append((subject, f"{error}; {hint}" if hint else str(error)))
        if count_problem := self._why_not_so_many_messages(len(interpretation.messages)):
            problems.append(("“tell:”", count_problem))
        if reason := _why_not_accepted(lambda: self._vote(interpretation.vote)):
            problems.append(("the vote", reason))
        if reason := _why_not_accepted(lambda: self._absence_to_announce(interpretation.absence)):
            problems.append(("the absence", reason))
        return problems

    def _why_not_so_many_messages(self, count: int) -> str:
        """Say why the reply cannot have this many messages to players; empty if it can."""
        if count > MAX_MESSAGES_IN_REPLY:
            problem = f"your email has {count} messages to players"
            return f"{problem}; it may have at most {MAX_MESSAGES_IN_REPLY}"
        own_seat = self.seat.seat
        written_count = (
            sum(message.writer == own_seat for message in self._messages()) if count else 0
        )
        if written_count + count <= MAX_MESSAGES:
            return ""
        return f"{TOO_MANY_MESSAGES}: {AFTER_NEXT_TURN_HINT}"

    def _messages(self) -> list[Message]:
        view = self.seat.view
        return MessagesHere(self.session, view, roles=[self.seat.seat]).read({view.published})

    def speak(self, interpretation: ReplyInterpretation) -> list[str]:
        """Sign the messages, the vote, the absence and the concession in a reply, except what is
        there already; return sentences for the player on all but the concession. Raises CliError,
        StorageError."""
        sentences = [
            self._send_message(typed_recipient, text)
            for typed_recipient, text in interpretation.messages
        ]
        if interpretation.vote:
            vote = self._vote(interpretation.vote)
            if vote is None or declare(self.session, vote, self.seat.seat).is_repeat:
                sentences.append(SAME_VOTE_SENTENCE)
            else:
                sentences.append(f"You vote {describe_wish(vote.result)}.")
                sentences += [] if vote.result == PLAY_ON else [VOTE_RULE_SENTENCE]
        if interpretation.absence:
            self.session.refresh()
            notice = self._absence_to_announce(interpretation.absence)
            if notice is None:
                sentences.append(KNOWN_ABSENCE_SENTENCE)
            else:
                record = declare(self.session, notice, self.seat.seat).record
                sentence = what_you_declared(self.session, record)
                sentences.append(f"{sentence[:1].upper()}{sentence[1:]}.")
                sentences += [ABSENCE_SENTENCE] if interpretation.absence.last_day else []
        if interpretation.concedes and not self.has_conceded:
            self.session.refresh()
            declare(self.session, Concede(), self.seat.seat)
        if sentences or interpretation.concedes:
            self.session.refresh()
        return sentences

    # -------------------------------------------------------------- conceding
    @property
    def has_conceded(self) -> bool:
        """Whether the player has conceded, even if no turn lists that yet."""
        view, own_seat = self.seat.view, self.seat.seat
        if own_seat in view.conceded or view.is_over:
            return own_seat in view.conceded
        return standing_soon(self.session).departures.get(own_seat) == "conceded"

    @property
    def conceded_sentence(self) -> str:
        """A sentence for a player who has conceded; empty for others, and when the game is over."""
        view = self.seat.view
        if view.is_over or not self.has_conceded:
            return ""
        return (
            CONCEDED_SENTENCE
            if self.seat.seat in view.conceded
            else f"{CONCEDED_SENTENCE} {COUNTS_SOON_SENTENCE}"
        )

    def _concession(self, interpretation: ReplyInterpretation) -> list[tuple[str, str]]:
        """Return the problems with a concession in the reply, or with orders and votes in a reply
        after one, as pairs: what was written, and why it is refused. A concession must stand
        alone."""
        has_other_requests = bool(
            interpretation.lines
            or interpretation.start_over
            or interpretation.vote
            or interpretation.absence
        )
        if self.conceded_sentence:
            return [(CONCEDED_PROBLEM, "")] if has_other_requests else []
        if not interpretation.concedes:
            return []
        if has_other_requests:
            return [(f"“{CONCESSION}”", CONCEDE_ALONE_SENTENCE)]
        reason = _why_not_accepted(lambda: signed_notice(self.session, Concede(), self.seat.seat))
        return [(f"“{CONCESSION}”", reason)] if reason else []

    # -------------------------------------------------------------- messages
    def _send_message(self, typed_recipient: str, text: str) -> str:
        """Sign a message, unless the same message is there already, and return the sentence for the
        answer. An empty recipient means all players. Raises CliError."""
        view, own_seat = self.seat.view, self.seat.seat
        lines = lines_of_text(text)
        recipient = addressee(view, typed_recipient, own_seat) if typed_recipient else ""
        if not any(
            (message.writer, message.recipient, message.lines) == (own_seat, recipient, lines)
            for message in self._messages()
        ):
            send_message(self.session, view, text, typed_recipient, as_referee=False)
            self.session.refresh()
        recipient_phrase = f"to {format_person(view, recipient)}" if recipient else "to all players"
        return f"You said {recipient_phrase}: {clean(' '.join(lines))}"

    def forward(self, lines: Sequence[str]) -> list[str]:
        """Send lines that are no orders to the referee, as a private message of this player; return
        the lines that are on their way. Raises StorageError."""
        text = "\n".join(clean(line) for line in lines[:MAX_MESSAGE_LINES])[
            :MAX_MESSAGE_CHARACTERS
        ].strip()
        if not text:
            return []
        try:
            self._send_message(REFEREE, text)
        except CliError:
            return []  # the player has written too many messages since the last turn
        return text.split("\n")

    # -------------------------------------------------------------- votes
    def _vote(self, word: str) -> Vote | None:
        """Return None if there is no word, or if the seat already votes so. Raises CliError if the
        seat cannot cast this vote now."""
        if not word:
            return None
        view, own_seat = self.seat.view, self.seat.seat
        if own_seat in view.conceded or own_seat in view.removed:
            raise CliError(
                "your seat has no vote: you have conceded, or were removed from the game"
            )
        votes = standing_soon(self.session).votes
        other_votes = {vote for seat, vote in votes.items() if seat != own_seat}
        if word == "agree" and (len(other_votes) != 1 or view.proposed_deadlines):
            raise CliError("it is not clear what you agree to: write “vote end” or “vote draw”")
        result = next(iter(other_votes)) if word == "agree" else word
        return None if votes.get(own_seat) == result else Vote(result)

    # -------------------------------------------------------------- absences
    def _announced_absence(self) -> AnnouncedAbsence | None:
        """Return the absence that the player has announced, as the next turn will know it."""
        if self.seat.view.is_over:
            return None
        return standing_soon(self.session).calendar.absences.get(self.seat.seat)

    def _absence_to_announce(self, absence: DaysAway | None) -> Away | None:
        """Return the declaration of an absence; None if there is none, or if the player has already
        announced the same. Raises CliError if it cannot count now.

        An absence without a first day begins now.
        """
        if absence is None:
            return None
        try:
            declaration, earlier_absence = away_notice(absence), self._announced_absence()
        except ValueError as error:
            raise CliError(str(error)) from None
        has_begun = (
            earlier_absence
            and not absence.first_day
            and earlier_absence.begins <= declaration.begins
        )
        if (
            earlier_absence
            and earlier_absence.ends == declaration.ends
            and (has_begun or earlier_absence.begins == declaration.begins)
        ):
            return None
        # signed only to try: this raises CliError if it cannot count, and writes nothing
        signed_notice(self.session, declaration, self.seat.seat)
        return declaration


def _why_not_accepted(check: Callable[[], object]) -> str:
    try:
        check()
    except NotSignedError as error:
        return error.reason
    except CliError as error:
        return error.sentence
    return ""


# ---- Deal with a reply that a player without `pbem` has sent by email

Fate = Literal[
    "sealed", "back", "asked", "said", "forwarded", "conceded", "wrong", "old", "again",
    "automatic", "returned", "forged", "quiet", "bundle",
]  # fmt: skip
CHANGING_FATES = ("sealed", "said", "forwarded", "conceded")
"""The fates of replies that changed something in the game."""
MAX_ANSWERS = 40
"""The most answers to one player about one turn; after that, the referee must write to them."""
MAX_VAIN_ANSWERS = 3
"""The most answers in a row to replies that pbem cannot read, so that two programs never go on
writing to each other."""
DROPPED_LINE_PROBLEM = "your earlier orders are no longer possible, so pbem leaves them out"
NO_ORDER_PROBLEM = "your reply contains neither an order nor a question"
FATE_SENTENCES: dict[Fate, str] = {
    "sealed": "the orders in the reply are sealed",
    "back": "the reply was not clear: pbem has asked the player what the reply means",
    "asked": "the reply contains only questions",
    "said": "the reply contains a message to other players, a vote or an absence",
    "forwarded": TerminalText(
        "the reply contains no orders, but a message to you[[; to read it: pbem since]]"
    ),
    "conceded": "the reply concedes the game",
    "wrong": "pbem could not use the reply, so nothing has changed",
    "old": "the reply answers an email about an earlier turn, so it changed nothing",
}


class ReplyResult(Mutable):
    """The fate of a reply."""

    reply: Reply
    fate: Fate
    sentence: str
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
        self._turn_key = f"{seat.seat}{seat.view.asking_turn}"
        """The key of the notes about the emails to this seat about this turn."""

    def answer(self, reply: Reply, turn: int) -> ReplyResult:
        """Seal the orders in a reply to the email about a turn, and write the answer to it.

        Raises CliError, StorageError.
        """
        seat = self.seat
        order_form = OrderForm(seat.view, seat.book.shown_lists(self._turn_key))
        sent_text = seat.book.sent_emails(seat.seat, turn)
        sent_text = sent_text or seat.noted_text(seat.write_turn_letter())
        writers = (*reply.writers, seat.view.names[seat.seat], seat.address)
        own_words = extract_own_text(
            reply.text, sent_text, writers, (clean(seat.view.referee), seat.book.reply_to)
        )
        interpretation = interpret_reply(own_words, order_form, seat.book.known_lines(seat.seat))
        if reply.has_records and not (
            interpretation.has_meaning or interpretation.rejected_commands
        ):
            return ReplyResult(
                reply, "bundle", f"{seat.name_and_seat} sent files that pbem made", seat
            )
        if reply.unreadable_sentence:
            interpretation.rejected_commands.append((reply.unreadable_sentence, ""))
        self.speaker.set_small_talk_apart(interpretation)
        if turn < seat.view.asking_turn:
            interpretation.requests += [("concede", "")] if interpretation.concedes else []
            outcome = ReplyOutcome(
                is_old=True, answer_sections=self._answer_questions(interpretation, order_form)
            )
        else:
            outcome = self._act(interpretation, order_form)
        fate = _fate_of(interpretation, outcome)
        self._note(reply, interpretation, fate, outcome)
        return self._finish_answer(reply, fate, outcome, own_words.lines, interpretation.remarks)

    def _finish_answer(
        self,
        reply: Reply,
        fate: Fate,
        outcome: ReplyOutcome,
        own_lines: Sequence[OwnLine],
        remarks: list[str],
    ) -> ReplyResult:
        """Forward what is for the referee, and write the answer, unless too many were in vain.

        Forwarded are the `remarks`, the lines that are no orders; with the last answer, and after
        it, all of the player's `own_lines`.
        """
        seat = self.seat
        answer_count, vain_answers = seat.book.count_answer(
            self._turn_key, fate in ("wrong", "back", "forwarded")
        )
        may_answer = answer_count <= MAX_ANSWERS and vain_answers <= MAX_VAIN_ANSWERS
        is_last_answer = fate in ("wrong", "back") and vain_answers >= MAX_VAIN_ANSWERS
        if (
            no_orders := [own_line.text for own_line in own_lines]
            if is_last_answer or not may_answer
            else remarks
        ):
            outcome.forwarded_lines = self.speaker.forward(no_orders)
            outcome.lost_lines = () if outcome.forwarded_lines else no_orders
        sentences = [f"{seat.name_and_seat}: " + FATE_SENTENCES[fate]]
        if outcome.forwarded_lines and fate != "forwarded":
            message = (
                "the lines that are not orders are a message to you[[; to read it: pbem since]]"
            )
            sentences.append(TerminalText(message))
        if is_last_answer or not may_answer:
            name = seat.view.names[seat.seat]
            sentences.append(
                f"pbem has answered {name} too often about this turn, and stops: write to {name} "
                "yourself"
            )
        sentence = join_texts("; ", sentences)
        if not may_answer:
            return ReplyResult(reply, "quiet", sentence, seat)
        outcome.is_left_alone = is_last_answer
        outcome.conceded_sentence = self.speaker.conceded_sentence
        letter = answer_letter(
            seat.view,
            seat.reply_address,
            seat.deadline_text,
            outcome,
            seat.book.shown_lists(self._turn_key),
        )
        return ReplyResult(reply, fate, sentence, seat, seat.addressed(letter))

    def _note(
        self, reply: Reply, interpretation: ReplyInterpretation, fate: Fate, outcome: ReplyOutcome
    ) -> None:
        """Note how the player answers: for `status`, for the reminder, and for the next reply.

        Counted are `back` (asked back), `tap` (a link was used), `number` and `words` (as the
        player typed).
        """
        book, seat = self.seat.book, self.seat.seat
        if fate in ("back", "wrong") and self.seat.seat in self.seat.view.awaited:
            offered = outcome.asked_back.taps if outcome.asked_back else ()
            rows = [f"{tap.body}\t{tap.label}" for tap in offered]
            book.note_unclear_reply(self._turn_key, [str(now()), *rows])
        elif fate == "sealed":
            book.note_unclear_reply(self._turn_key, ())
        if fate in ("sealed", "back"):
            book.note_lines_below(seat, interpretation.closing_lines)
            words_text = " ".join(
                order_sentence.text for order_sentence in interpretation.sentences
            )
            tapped = (
                f"{turn_title(self.seat.view)}: {words_text[:40].rstrip(': ')} [" in reply.subject
            )
            way = "back" if fate == "back" else "tap" if tapped else "words"
            is_number = way == "words" and not re.search(r"[^\W\d]", words_text)
            book.count_way(seat, "number" if is_number else way)

    # -------------------------------------------------------------- what it says
    def _act(self, interpretation: ReplyInterpretation, form: OrderForm) -> ReplyOutcome:
        """Carry out the reply, or nothing of it: seal the orders and sign messages, votes and
        notices only if nothing in the reply is wrong or unclear.

        Return the outcome: the sections of the answer, and the problems or the sealed orders.
        """
        view = self.seat.view
        problems = list(interpretation.rejected_commands)
        outcome = ReplyOutcome(answer_sections=self._answer_questions(interpretation, form))
        if not (interpretation.has_meaning or interpretation.remarks or problems):
            problems.append((NO_ORDER_PROBLEM, ""))
        orders = bool(interpretation.lines or interpretation.start_over)
        problems += self.speaker.objections(interpretation)
        if (orders or interpretation.reason) and view.is_over:
            problems.append(("the game is over; no more orders are accepted", ""))
        draft, dropped_kinds = None, list[str]()
        reason = "" if view.is_over else interpretation.reason
        if orders and not problems and not reason:
            earlier_lines = self._earlier_lines(form)
            draft = draft_with_earlier(view, interpretation, earlier_lines)
            if not interpretation.start_over:
                dropped_kinds = _dropped_kinds(draft, earlier_lines)
            reason = "; ".join(note.sentence for note in draft.errors[:2])
        if reason and not problems:
            offered = [] if self.speaker.conceded_sentence else self._offered(interpretation, form)
            outcome.asked_back = asked_back_section(view, interpretation, reason, offered)
        if reason or problems or draft is None:
            outcome.wrong_lines = problems
            outcome.sent_sentences = (
                [] if problems or reason else self.speaker.speak(interpretation)
            )
            plays = not view.is_over and not self.speaker.conceded_sentence
            # `status` says it as well
            has_questions = any(topic != "status" for topic, _ in interpretation.requests)
            repeats_orders = problems or reason or interpretation.remarks or has_questions
            outcome.unchanged_sentence = self._unchanged() if repeats_orders and plays else ""
            return outcome
        outcome.sent_sentences = self.speaker.speak(interpretation)
        kinds = view.play.ruleset.kinds
        outcome.orders, outcome.revision = self._seal(draft)
        outcome.open_questions = [kinds[kind].question for kind in draft.unanswered_kinds]
        warned = [(n.sentence, "") for n in draft.notes if n.code != OPEN]
        outcome.warnings = warned + [
            (f"{kinds[kind].question}: {DROPPED_LINE_PROBLEM}", "") for kind in dropped_kinds
        ]
        return outcome

    def _offered(self, interpretation: ReplyInterpretation, form: OrderForm) -> list[Tap]:
        """Return links to what a reply may mean."""
        offered = list[Tap]()
        earlier_lines = self._earlier_lines(form)
        for choices in possible_meanings(self.seat.view, form, interpretation, earlier_lines):
            are_listed = all(choice.number in form.listed_choices for choice in choices)
            rows = [f"{choice.kind}: {spaced(bare(choice.text))}" for choice in choices]
            body = (
                ", ".join(str(choice.number) for choice in choices)
                if are_listed
                else "\n".join(rows)
            )
            words = [choice_words(choice) for choice in choices]
            script = self.seat.view.play.ruleset.kinds[choices[0].kind].script
            label = " → ".join(words) if script else ", or if that is not possible: ".join(words)
            offered.append(Tap(label, body, body if are_listed else ""))
        return offered

    def _seal(self, draft: Draft) -> tuple[Sequence[Line], int]:
        """Seal the orders with the seat's key; return them and their revision. Raises
        StorageError."""
        session = self.seat.session
        reader = session.readers.seat_now(self.seat.seat)
        record = seal_and_write_orders(session, reader, self.seat.seat, draft.texts)
        session.refresh()
        return draft.lines, record.content.revision

    def _earlier_lines(self, form: OrderForm) -> list[Line]:
        """Return the lines that a reply adds to: those of the last orders for this turn, opened
        with the seat's key; else the lines of this round that still count, then the standing
        orders, which are those that the rules suggest if the seat has none."""
        session, view = self.seat.session, self.seat.view
        if record := find_latest_orders(session, view):
            return read_lines(session.readers.seat_now(self.seat.seat).own_texts(record.content))
        kinds = {question.kind for question in form.questions}
        carried_lines = carried_over_lines(view).lines
        carried_lines = [
            line for line in carried_lines if may_come(view, line.kind) or line.kind in kinds
        ]
        return [*carried_lines, *standing_orders_now(view)]

    def _unchanged(self) -> str:
        record = find_latest_orders(self.seat.session, self.seat.view)
        if record is None:
            return "You have no orders for this turn yet."
        return f"What you sent before (revision {record.content.revision}) still counts."

    # -------------------------------------------------------------- what it asks
    def _answer_questions(
        self, interpretation: ReplyInterpretation, form: OrderForm
    ) -> list[Section]:
        """Return a section of the answer for each request in the reply, such as `status` or
        `explain WORD`. Also notes which lists of choices the player has now seen."""
        view, sections = self.seat.view, list[Section]()
        if lists := {topic for topic, _ in interpretation.requests} & {MORE_REQUEST, RULES_REQUEST}:
            self.seat.book.note_shown_lists(self._turn_key, sorted(lists))
        for topic, word in interpretation.requests:
            if topic == "explain":
                sections.append(Section(f"Explain {word}", self._explained(word)))
            elif topic == "status":
                sections.append(Section("Status", self._status()))
            elif topic == "show":
                sections.append(Section("The table", table_lines(view)))
            elif topic == MORE_REQUEST:
                sections += more_sections(form)
            elif topic == RULES_REQUEST:
                sections += rules_sections(form)
            elif topic == "help":
                sections.append(help_section(view, "Help"))
            elif not self.speaker.conceded_sentence:
                sections.append(concede_section(view))
        return sections

    def _explained(self, word: str) -> list[str]:
        try:
            text = find_text(self.seat.view.play.ruleset, word, self.seat.view)
        except CliError as error:
            hint = off_terminal(error.hint)
            return [f"{error.sentence}{f': {hint}' if hint else '.'}"]
        house = [f"House rule: {text.house}"] if text.house else []
        return [*text.body.split("\n"), *house, f"Source: {text.source}"]

    def _status(self) -> list[str]:
        """Return the lines of a status for the answer: the last turn, who is asked what, until
        when, and which orders of the player count."""
        view, own_seat = self.seat.view, self.seat.seat
        if view.is_over:
            return [f"The game is over after turn {view.turn}."]
        lines = [f"The game is at turn {view.turn}."]
        awaited = dict(view.awaited)
        if self.speaker.conceded_sentence:
            awaited.pop(own_seat, None)
        for seat, kinds in sorted(awaited.items()):
            subject = "You are" if seat == own_seat else f"{view.names[seat]} is"
            lines.append(f"{subject} asked: {', '.join(map(view.question_of, kinds))}.")
        if own_seat not in awaited:
            return lines
        lines += (
            [f"Answers count until {self.seat.deadline_text}."] if self.seat.deadline_text else []
        )
        return [*lines, self._unchanged()]


def _dropped_kinds(draft: Draft, earlier_lines: Iterable[Line]) -> list[str]:
    """Return the kinds of earlier orders for which a draft has none."""
    kept_kinds = {line.kind for line in draft.lines if not line.always}
    kinds = dict.fromkeys(line.kind for line in earlier_lines if not line.always)
    return [kind for kind in kinds if kind not in kept_kinds]


def _fate_of(interpretation: ReplyInterpretation, outcome: ReplyOutcome) -> Fate:
    """Return the fate of a reply from its interpretation and the outcome. A refused reply comes
    first, then the strongest act in it; a reply that only asks is `asked`, one with only remarks is
    forwarded."""
    if outcome.is_old or outcome.wrong_lines or outcome.asked_back:
        return "old" if outcome.is_old else "wrong" if outcome.wrong_lines else "back"
    if outcome.orders is not None:
        return "sealed"
    if interpretation.concedes:
        return "conceded"
    if interpretation.messages or interpretation.vote or interpretation.absence:
        return "said"
    return "forwarded" if interpretation.remarks and not interpretation.requests else "asked"


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
        send_answer: Callable[[ReplyResult], None] = keep_answer,
        *,
        folder: Place | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        """`send_answer` gets each answer before its reply is noted as answered: if pbem is killed
        in between, it takes the reply again. `report` gets each result after that."""
        self.home, self.folder = home, folder
        self.report, self.send_answer = report, send_answer
        self._keyring = keyring

    def take(self, data: bytes, source: str) -> bool:
        """Carry out all replies in a file; return whether that is all that the file contains: it
        has a reply, or a mail server's message, and no records. Raises CliError,
        FileError, StorageError.
        """
        mails = list(mails_in(data))
        replies = [read_reply(mail, source) for mail in mails if not self._returned(mail, source)]
        if mails and not replies:
            return True
        replies = [reply for reply in replies if reply.codes]
        if not replies:
            return False
        findings = open_post(data, source)
        fates = [self._take(replace(reply, has_records=bool(findings))) for reply in replies]
        # what is damaged may be a part of a message that the reply quotes
        return "bundle" not in fates and not any(finding.data is not None for finding in findings)

    def _returned(self, mail: Mail, source: str) -> bool:
        """Report a mail server's message that an email to a player did not arrive."""
        if not (mail.is_bounce and mail.failure):
            return False
        tokens = tuple(find_mail_codes(mail.data[-MAX_TEXT_CHARACTERS:].decode("utf-8", "replace")))
        seat, _, sentence = self._seat(reply := Reply(source, tokens, ""))
        if seat is not None:
            sentence = f"your email to {seat.name_and_seat} did not arrive: {clean(mail.failure)}"
            self.report(ReplyResult(reply, "returned", sentence, seat))
        return seat is not None

    def _take(self, reply: Reply) -> Fate:
        """Find the seat of a reply. Answer a new reply of a person, report the reply, and return
        its fate.

        A reply that also has records, without a right code, is left to the caller: its fate is
        `bundle`.
        """
        seat, turn, sentence = self._seat(reply)
        if seat is None:  # with records, its player uses `pbem` now
            result = ReplyResult(reply, "bundle" if reply.has_records else "forged", sentence)
        elif program := reply.program_sign or find_automatic_prefix(reply.subject, seat.view.title):
            sentence = (
                f"is an automatic email ({program}) from the mail program of "
                f"{seat.name_and_seat}, so it needs no answer"
            )
            result = ReplyResult(reply, "automatic", sentence, seat)
        elif seat.book.was_answered(reply.fingerprint):
            sentence = f"pbem has already read this reply of {seat.name_and_seat}"
            result = ReplyResult(reply, "again", sentence, seat)
        else:
            result = ReplyDesk(seat).answer(reply, turn)
            if result.fate != "bundle":
                self.send_answer(result)
                seat.book.note_answered(reply.fingerprint)
        if result.fate != "bundle":
            self.report(result)
        return result.fate

    def _seat(self, reply: Reply) -> tuple[MailSeat | None, int, str]:
        """Return the seat and the turn that a right code names; else None, 0 and the reason, which
        is about the first seat that a code names. A reply may quote codes that somebody else wrote
        into a message or a title."""
        reasons: list[str] = []
        for game_digits, letter in dict.fromkeys(
            (token.game_digits, token.seat) for token in reply.codes
        ):
            for session in self._sessions(game_digits):
                if letter in session.roles.mail_seats:
                    seat = MailSeat(session, letter)
                    if turn := seat.turn_of(reply.codes):
                        return seat, turn, ""
                    reason = (
                        f"does not have the code of any email that you sent to {seat.name_and_seat}"
                    )
                    reasons.append(f"{reason}, so pbem ignores it")
                elif letter in session.charter.by_mail:
                    name = clean(session.name_of(letter))
                    reason = f"{name} now has a key for seat {letter}"
                    reasons.append(f"{reason}, so plain emails no longer give orders for that seat")
        reasons.append("answers an email about a game that you do not referee")
        return None, 0, reasons[0]

    def _sessions(self, game_digits: str) -> Iterator[Session]:
        """Yield the games with these first digits that this user referees. There can be several:
        a stranger can make a game whose id begins like that of another game. Raises FileError if
        turns are missing there."""
        game_ids = [game for game in self.home.games() if game.startswith(game_digits)]
        places = [self.home.game(game).place for game in game_ids]
        for place in [self.folder] if self.folder else [place_of("."), *places]:
            if place and read_game_id(self.home.folder(place)).hex().startswith(game_digits):
                self._keyring = self._keyring or Keyring(self.home)
                session = Session(place, home=self.home, keyring=self._keyring)
                if session.roles.referee:
                    need_last_made(session)  # else a reply to that turn would be lost
                    if session.listing.reached:
                        yield session
