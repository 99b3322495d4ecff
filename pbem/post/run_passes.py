"""The passes of `pbem run`: read new mail, look after each game, send mail, until Ctrl-C."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterable
from typing import Final

from pbem.acts.advance import MAX_TURNS, make_next_turn
from pbem.acts.deal_as_co_dealer import deal_own_part
from pbem.acts.emails_to_seat_by_mail import MailSeat
from pbem.errors import CliError, PbemError
from pbem.files.game_folder_places import Place
from pbem.files.open_game_folder import open_place
from pbem.judge.deadline_status import deadline_status_of
from pbem.judge.turn_inputs_and_outcome import AdvanceOptions, Outcome
from pbem.person.cache_freshness import Freshness, Stamp, stamp_of_game, stamp_of_keys
from pbem.person.checks_before_co_dealing import secret_wait
from pbem.person.keyring import Keyring
from pbem.person.mail_notebooks import MailBook, MailHistory, People
from pbem.person.session import Session
from pbem.person.standing_with_unlisted_notices import sort_new_notices
from pbem.post.collect_mail import Collector, MailRules
from pbem.post.event_printer import Log
from pbem.post.game_letters import GameLetters
from pbem.post.imap_mailbox import Mailbox
from pbem.post.mail_account import Account, PostBox, boxes
from pbem.post.mail_password import password_of
from pbem.post.mail_server_connection import Trouble
from pbem.post.notifications import Notifier, news_of
from pbem.post.outbox import Outbox, Queued
from pbem.post.smtp_sender import Refused, Sender
from pbem.text.clock import now
from pbem.text.dates import HOUR
from pbem.wording.advance_report import dealt_line, made_lines, referee_notes
from pbem.wording.run_log import (
    DAMAGED_MESSAGE_HINT,
    DAMAGED_MESSAGE_SENTENCE,
    NO_NOTIFICATIONS_SENTENCE,
    NO_READING_SENTENCE,
    NO_SENDING_SENTENCE,
    READING_WORKS_SENTENCE,
    SENDING_WORKS_SENTENCE,
    SERVER_REFUSES_SENTENCE,
    broken_game,
    damaged_file,
    future_turn,
    hourly_limit,
    perhaps_sent_mail,
    readable_game,
    sent_mail,
)

# ---- News of hosts

MAX_WATCHED_GAMES: Final = 32
"""The number of games that are waited for at a time; others are looked at in each whole pass."""


class HostNews:
    """Asks the hosts of games for news, each in a thread of its own that ends with the process."""

    def __init__(self) -> None:
        self._has_come = threading.Event()
        self._watched: set[Place] = set()

    def watch(self, places: Iterable[Place | None]) -> None:
        """Wait for news of these games too, if their places can tell."""
        for place in places:
            if place is None or not place.has_news:
                continue
            if place not in self._watched and len(self._watched) < MAX_WATCHED_GAMES:
                self._watched.add(place)
                threading.Thread(target=self._watch_place, args=(place,), daemon=True).start()

    def take_news(self) -> bool:
        """Return whether there was news since the last call, and forget it."""
        has_come = self._has_come.is_set()
        self._has_come.clear()
        return has_come

    def _watch_place(self, place: Place) -> None:
        folder = open_place(place)
        try:
            while True:
                if folder.wait_for_news(folder.pause):
                    self._has_come.set()
        except PbemError:  # the next whole pass gets the same error and reports it
            self._watched.discard(place)


# ---- One pass over all mailboxes and games; it can be killed at any moment

POST_PURPOSE: Final = "post-2"


class Post:
    """One mailbox during a run: its connection, and the reading and sending of its mail."""

    def __init__(
        self, box: PostBox, account: Account, keyring: Keyring, log: Log, rules: MailRules
    ) -> None:
        """Open the outbox and the notes of a mailbox; the servers are asked when something is read
        or sent."""
        self.account, self.log, self._rules = account, log, rules
        self.outbox = Outbox(box, account)
        self.collector = Collector(box, account, self.outbox, keyring, log, rules)
        self._password = ""
        self._mailbox: Mailbox | None = None
        self._sender: Sender | None = None

    def collect(self) -> int:
        """Read new mail; return how many messages there were. A problem is printed only once."""
        try:
            count = self.collector.collect(self.mailbox())
        except Exception as error:  # noqa: BLE001 - one mailbox must not stop the others
            self._in_trouble("imap", error)
            return 0
        self.log.fine(f"imap {self.account.address}", READING_WORKS_SENTENCE)
        return count

    def send_letters(self) -> int:
        """Send the letters in the outbox, each only once; return how many were sent."""
        try:
            is_empty = next(self.outbox.queued_letters(), None) is None
            for path in sorted(self.outbox.damaged):
                self.log.trouble(
                    f"outbox {path}",
                    damaged_file(path),
                    DAMAGED_MESSAGE_SENTENCE,
                    DAMAGED_MESSAGE_HINT,
                )
            if is_empty:
                return 0
            # if the connection breaks during a message, the others wait for the next pass: a
            # silent server uses up the whole time limit for each
            with contextlib.ExitStack() as connection:
                letters = self.outbox.queued_letters()
                count = sum(self._send_letter(queued, connection) for queued in letters)
        except Exception as error:  # noqa: BLE001 - as above
            self._in_trouble("smtp", error)
            return 0
        self.log.fine(f"smtp {self.account.address}", SENDING_WORKS_SENTENCE)
        return count

    def _send_letter(self, queued: Queued, connection: contextlib.ExitStack) -> bool:
        """Send one letter if it may go now; return whether it was sent. The first letter opens the
        connection, and `connection` closes it. Raises Trouble."""
        if self.outbox.was_sent(queued.key, queued.to):
            self.outbox.mark_sent(queued)
            return False
        if not self._may_go(queued):
            return False
        if self._sender is None:
            self._sender = Sender(self.account, self.password)
            connection.callback(self._hang_up)
        try:
            self._sender.send(queued.to, queued.data, lambda: self.outbox.try_now(queued.key))
        except Refused as error:
            self.log.trouble(f"smtp {queued.to}", str(error), SERVER_REFUSES_SENTENCE)
            forget = self.outbox.mark_refused if error.lasting else self.outbox.note_unsent
            forget(queued)
            return False
        self.outbox.mark_sent(queued)
        sentence = sent_mail(queued.to, queued.subject)
        self.log.say("sent", sentence, to=queued.to, message_id=queued.message_id)
        return True

    def _hang_up(self) -> None:
        if self._sender:
            self._sender.close()
            self._sender = None

    def _may_go(self, queued: Queued) -> bool:
        """Return whether to send a letter now. A letter that may have been sent already waits until
        its copy would be in the mailbox; if the copy is there, mark the letter as sent. Nobody gets
        more than `per_hour` letters in an hour."""
        if not self._rules.may_go_on():
            return False
        if self.outbox.sent_count(queued.to, HOUR) >= self.account.per_hour:
            self.log.note(f"limit {queued.to}", hourly_limit(queued.to, self.account.per_hour))
            return False
        seconds_since_try = self.outbox.seconds_since_try(queued.key)
        if seconds_since_try is None:
            return True
        if self._mailbox is None:
            return False
        if self._mailbox.has(queued.message_id):
            self.outbox.mark_sent(queued)
            self.log.say("sent", sent_mail(queued.to, queued.subject), to=queued.to)
            return False
        if seconds_since_try < self.account.wait_for_copy:
            self.log.note(f"unsure {queued.key}", perhaps_sent_mail(queued.to, queued.subject))
            return False
        return True

    @property
    def password(self) -> str:
        """The password, which is asked for only once in a run, or a new access token."""
        if self.account.by_token:  # a token is valid for about an hour
            return password_of(self.account)
        self._password = self._password or password_of(self.account)
        return self._password

    def mailbox(self) -> Mailbox:
        """Return the open mailbox. Raises Trouble, CliError."""
        if self._mailbox is None:
            self._mailbox = Mailbox(self.account, self.password)
        return self._mailbox

    def wait(self, seconds: float) -> bool:
        """Wait for new mail for this long; return whether there is any. Raises Trouble."""
        return self.mailbox().wait(seconds)

    def close(self) -> None:
        """Close the connection."""
        if self._mailbox:
            self._mailbox.close()
            self._mailbox = None

    def _in_trouble(self, protocol: str, error: Exception) -> None:
        """Log that a server cannot be used, and forget password and connection; `protocol` is
        `imap` or `smtp`."""
        key = f"{protocol} {self.account.address}"
        sentence = self.log.why(key, error)
        short_sentence = NO_READING_SENTENCE if protocol == "imap" else NO_SENDING_SENTENCE
        self.log.trouble(
            key, sentence, short_sentence, getattr(error, "hint", ""), is_server_trouble=True
        )
        self._password = ""  # perhaps somebody corrects it
        if isinstance(error, Trouble) or not isinstance(error, CliError):
            self.close()


class MailPasses:
    """Passes over all mailboxes and games of one home."""

    def __init__(self, keyring: Keyring, log: Log, rules: MailRules | None = None) -> None:
        """Open all mailboxes of the home, and note what a killed run has left in their outboxes."""
        self.keyring, self.home, self.log = keyring, keyring.home, log
        accounts = [(box, box.read()) for box in boxes(self.home)]
        self.posts = {
            box.profile: Post(box, account, keyring, log, rules or MailRules())
            for box, account in accounts
        }
        self.notifier = Notifier(self.home, log)
        self._keys = ""
        self._settle()

    def close(self) -> None:
        """Close all connections."""
        for post in self.posts.values():
            post.close()

    def run_pass(self) -> int:
        """Read mail, look after all games, send mail; return how many things happened."""
        return self.collect() + self.look_after_games()

    def collect(self) -> int:
        """Read new mail; return how many messages were read."""
        return sum(post.collect() for post in self.posts.values())

    def look_after_games(self, *, stores: bool = True) -> int:
        """Look after all games, and send mail; return how many things happened.

        `stores` says whether to look at stores on the network too; each look costs a request.
        """
        self._keys = stamp_of_keys(self.home)
        changed = sum(self.look_after_game(ident, stores=stores) for ident in self.home.games())
        return changed + self.send_letters()

    def send_letters(self) -> int:
        """Send what waits to be sent, and notifications; return how many letters were sent."""
        sent_count = sum(post.send_letters() for post in self.posts.values())
        try:
            self.notifier.send()
        except Exception as error:  # noqa: BLE001 - games and mail do not need notifications
            sentence = f"notifications: {self.log.why('notify', error)}"
            self.log.trouble("notify", sentence, NO_NOTIFICATIONS_SENTENCE)
        return sent_count

    def next_moment(self, ident: str) -> int | None:
        """Return when the clock alone changes something in a game, as far as the last look could
        tell: a reminder or a deadline, the end of a waiting time, or an absence that begins or
        ends."""
        moments = self._last_look(ident).moments
        return min((moment for moment in moments if moment > now()), default=None)

    def _last_look(self, ident: str) -> Freshness:
        cache_entry = self.home.game(ident).cache(POST_PURPOSE).load()
        return Freshness(*cache_entry) if cache_entry else Freshness([], 0, [])

    def places(self) -> list[Place | None]:
        """Return where the games are."""
        return [self.home.game(ident).place for ident in self.home.games()]

    def look_after_game(self, ident: str, *, stores: bool = True) -> bool:
        """Look after one game, if anything in it has changed or is due; return whether it was."""
        try:
            changed = self._look_after_if_changed(ident, stores)
        except Exception as error:  # noqa: BLE001 - one broken game must not stop the others
            sentence, short_sentence = self.log.why(ident, error), broken_game(ident)
            hint = getattr(error, "hint", "")
            self.log.trouble(ident, f"game {ident[:6]}: {sentence}", short_sentence, hint)
            return False
        if changed:
            self.log.fine(ident, readable_game(ident))
        return changed

    def _look_after_if_changed(self, ident: str, stores: bool) -> bool:
        """Look after one game, unless nothing has changed since the last look and no moment has
        come; return whether it was done. Raises what commands raise: then the next pass looks at
        the game again."""
        game_home = self.home.game(ident)
        place = game_home.place
        if place is None or place.is_gone() or (place.is_remote and not stores):
            return False
        stamp = self._stamp(ident, place)
        if self._last_look(ident).is_valid(stamp):
            return False
        looked_at = now()
        moments = self._work(ident, place)
        # what came while this worked may not have been read, so the next pass looks once more; it
        # does so too if the work has written something itself
        valid_stamp = stamp if self._stamp(ident, place) == stamp else []
        game_home.cache(POST_PURPOSE).save(Freshness(valid_stamp, looked_at, moments))
        return True

    def _stamp(self, ident: str, place: Place) -> Stamp:
        settings = ",".join(self.posts), str(self.notifier.is_wanted)
        return [self._keys, *stamp_of_game(self.home, ident, place), *settings]

    def _settle(self) -> None:
        """Note which records the letters in the outbox contain; a killed run may not have noted
        this."""
        for post in self.posts.values():
            post.outbox.tidy()
            for queued in post.outbox.queued_letters():
                records = [bytes.fromhex(record) for record in queued.records]
                if queued.game and records:
                    book = MailHistory(self.home.game(queued.game))
                    if not all(book.was_sent(queued.person, record_id) for record_id in records):
                        book.note_sent(queued.person, records)

    # -------------------------------------------------------------- the work
    def _work(self, ident: str, place: Place) -> list[int]:
        """Make turns, write letters and find news; return the moments, in seconds since 1970 UTC,
        at which the clock alone changes something (0 means nothing)."""
        session = Session(place, home=self.home, keyring=self.keyring)
        if session.game_folder.game.hex() != ident:
            return []
        if session.roles.co_dealer:
            self._deal(session)
        outcome = self.advance(session) if session.roles.referee else None
        self._write_letters(session, outcome)
        moments = _moments(outcome)
        is_over = bool(session.roles.co_dealer and session.listing.final)
        if is_over and (own_wait := secret_wait(session, now())):
            moments.append(own_wait.ends_at)
        if outcome and not outcome.is_over and session.listing.notices:
            moments += sort_new_notices(session).next_standing.wake_times
        if self.notifier.is_wanted:
            news, near_at = news_of(session)
            self.notifier.add(news)
            moments.append(near_at)
        return moments

    def check_may_write(self) -> None:
        """Raise PbemError if a new turn must not be written now."""

    def _deal(self, session: Session) -> None:
        """Write the part that this person owes as a co-dealer. Raises as `deal_own_part` does."""
        self.check_may_write()
        if deal := deal_own_part(session):
            self.log.say("dealt", dealt_line(deal), session.charter.title)
            session.refresh()

    def advance(self, session: Session, options: AdvanceOptions | None = None) -> Outcome:
        """Make the turns of a game that can be made now; return the outcome of the last step."""
        title = session.charter.title
        for _ in range(MAX_TURNS):
            outcome, notes = make_next_turn(session, options, before_writing=self.check_may_write)
            for note in notes:
                self.log.note(f"{session.place} {note}", note, title)
            for line in made_lines(outcome):
                self.log.say("turn", line, title)
            if not outcome.new_records:
                break
        for note in referee_notes(session, outcome):
            self.log.note(f"{session.place} {note}", note, title)
        turn = outcome.turn
        if turn and turn.time > now() + HOUR:
            self.log.note(f"clock {session.place}", future_turn(turn.turn, turn.time), title)
        return outcome

    def _write_letters(self, session: Session, outcome: Outcome | None) -> None:
        """Put the letters that the game needs into the outbox; reminders only with the outcome of
        `advance`, which only the referee has."""
        outbox, roles = self._outbox(session), session.roles
        people = People(session.game_home)
        by_mail = set(session.charter.by_mail) if roles.referee else set()
        for seat in sorted(by_mail - roles.mail_seats - people.addresses.keys()):
            # a player who took over with `pbem` gets turns where the turn emails went
            with contextlib.suppress(CliError):  # the address is not known here
                people.learn(seat, MailSeat(session, seat).address)
        if outbox is None or not (people.addresses or roles.mail_seats):
            return
        letters, address = GameLetters(session, people), outbox.account.address
        if roles.referee and roles.mail_seats and MailBook(session.game_home).reply_to != address:
            MailBook(session.game_home).note_reply_to(address)
        for letter in (*letters.due_letters(), *letters.turn_mails()):
            outbox.put(letter, now())
            letters.writer.book.note_sent(letter.person, map(bytes.fromhex, letter.records))
        for letter in letters.reminders(outcome) if outcome else ():
            outbox.put(letter, now())

    def _outbox(self, session: Session) -> Outbox | None:
        roles = session.roles
        profiles = [roles.referee, *(roles.seats[seat] for seat in sorted(roles.seats)), "default"]
        own_posts = [self.posts[name] for name in profiles if name in self.posts]
        posts = own_posts or [*self.posts.values()]
        return posts[0].outbox if posts else None


def _moments(outcome: Outcome | None) -> list[int]:
    """Return the moments at which the clock alone changes something for the referee: the end of the
    revision window, half and three quarters of the time, and the deadline with its grace."""
    if outcome is None or outcome.is_over:
        return []
    moments = [outcome.revisable_until] if outcome.revisable_until else []
    if status := deadline_status_of(outcome):
        deadline, seconds = status.deadline, status.deadline - status.asked_at
        moments += [status.absent_at, deadline - seconds // 2, deadline - seconds // 4]
    return moments


# ---- One round after another, until Ctrl-C

MIN_LOOK_SECONDS: Final = 2.0
"""The time between two looks at the folders, if looking takes no time."""
LOOKING_DIVISOR: Final = 20
"""The divisor of the time: looking at folders in vain may take at most this part of it."""
MAX_BACKOFF_SECONDS: Final = 900.0


class Runner:
    """Repeats passes over all games until Ctrl-C."""

    def __init__(self, mail_passes: MailPasses, log: Log, pass_seconds: float) -> None:
        self.passes, self.log, self.pass_seconds = mail_passes, log, pass_seconds
        self._backoff = 0.0
        self._news = HostNews()
        self._deaf = False
        """Whether waiting for new mail failed since the last whole pass."""

    def run(self) -> None:
        """Run passes for ever; Ctrl-C raises KeyboardInterrupt."""
        while True:
            started_at = time.monotonic()
            self._deaf = False
            self.passes.run_pass()
            self._news.watch(self.passes.places())
            # wait longer after each problem with a server, but continue to look at the folders
            longer = min(max(self.pass_seconds, 2 * self._backoff), MAX_BACKOFF_SECONDS)
            self._backoff = longer if self.log.no_server else 0.0
            ends_at = started_at + max(self.pass_seconds, self._backoff)
            self._look_after_games_until_mail(ends_at, started_at + MIN_LOOK_SECONDS)

    def _look_after_games_until_mail(self, ends_at: float, earliest: float) -> None:
        """Look after the games again and again, until this time or until mail comes, but at least
        until `earliest`, because a server may announce new mail all the time."""
        pause = MIN_LOOK_SECONDS
        while (seconds_left := ends_at - time.monotonic()) > 0:
            if self._mail_came(min(pause, seconds_left)):
                time.sleep(max(0.0, earliest - time.monotonic()))
                return
            started_at = time.monotonic()
            has_worked = bool(self.passes.look_after_games(stores=self._news.take_news()))
            looking_seconds = 0.0 if has_worked else time.monotonic() - started_at
            pause = max(MIN_LOOK_SECONDS, LOOKING_DIVISOR * looking_seconds)

    def _mail_came(self, seconds: float) -> bool:
        """Wait; return whether there is new mail. Only the first mailbox is watched."""
        post = next(iter(self.passes.posts.values()), None)
        if post is None or self._backoff or self._deaf:
            time.sleep(seconds)
            return False
        try:
            return post.wait(seconds)
        except Exception:  # noqa: BLE001 - the next pass gets the same error and reports it
            post.close()
            self._deaf = True  # else a server that hangs up here would be asked all the time
            return False
