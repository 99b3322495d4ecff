"""Calls people when it is their move: once for each turn that asks their seat, and once more when
a quarter of the time is left.

The game's public records alone decide: the questions of the last turn, the orders that are here,
and the deadline.
"""

from __future__ import annotations

import heapq
import logging
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from pbem.errors import CliError, PbemError
from pbem.files.file_errors import StorageError
from pbem.format.record_error import RecordError
from pbem.host.kept_games import Game, Games
from pbem.host.player_call_letters import LETTER_ERRORS, CallLetters, mailbox_of
from pbem.host.player_call_limits import SentCalls
from pbem.host.record_gate import HostRefusal, MissingGame
from pbem.host.request_limits import RequestCounts
from pbem.host.taken_call_requests import CallBook, TakenRequest, address_name_of
from pbem.host.web_push import MAX_LIFETIME_SECONDS, Pusher, PushError
from pbem.judge.records_of_game_folder import NoGameError
from pbem.records.player_call_request import MAIL, PUSH, CallRequest, read_call_request
from pbem.text.clock import now
from pbem.wording.host_reports import (
    CALL_LOG,
    LETTER_TROUBLE_LOG,
    UNSENT_LETTER_CLAUSE,
    letter_clause,
    push_answer_clause,
)

LOOK_SECONDS: Final = 60.0
"""Seconds between two looks at a game in which somebody wants to be called: another host may have
kept its newest files."""
RETRY_SECONDS: Final = (30.0, 300.0)
"""Seconds after which a call is tried again that its service did not take."""
SENDING_THREADS: Final = 8
"""The threads that call push services. Letters have one of their own: a mail server may be slow."""
MAX_UNBEGUN_SECONDS: Final = 30 * 86_400
"""Seconds after which the host forgets a request if the game has not begun."""
MAX_STOP_SECONDS: Final = 6.0
"""Seconds that the end of the host waits for a game that is being looked at."""
GONE_STATUSES: Final = (404, 410)
"""The answers of a push service that say that the browser wants no more calls."""

log = logging.getLogger("pbem.host")


class AskedSeats(NamedTuple):
    """The seats of a game that may be called, by its public records."""

    game_id: bytes
    keys: Mapping[str, set[bytes]]
    """By seat, its signing key; before turn 1, the key of each join."""
    turn: int
    """The turn that asked the open questions; 0 before turn 1."""
    asked_at: int
    """The time of that turn, in seconds since 1970."""
    deadline: int
    """The time from which silence counts; 0 for never."""
    pending_seats: frozenset[str]
    """The seats that are asked, and whose orders are not here."""
    is_over: bool


def asked_seats(game: Game) -> AskedSeats:
    """Return whom a game asks now. Raises MissingGame, FileError, StorageError."""
    with game.lock:
        listing = game.list_files()
        game.check_is_there(listing)
        gate = game.gate(listing)
        chain = gate.chain
        if chain.turn:
            keys = {seat: {join.key} for seat, join in chain.standing.roster.items()}
            pending = frozenset(chain.awaited.keys() - gate.answered_seats())
        else:
            joins = gate.game_folder.joins().values()
            keys = {plan.seat: set[bytes]() for plan in gate.game_folder.charter.content.seats}
            for join in joins:
                keys.setdefault(join.content.seat, set()).add(join.content.key)
            pending = frozenset()
        asked_at = chain.times[chain.asking_turn - 1] if chain.asking_turn else 0
        game_id, turn = gate.game_folder.game, chain.asking_turn
        is_over = chain.is_over or listing.final is not None
        game.folder.bypass_copies()  # a folder in a store would keep each file that it read
        return AskedSeats(game_id, keys, turn, asked_at, chain.deadline, pending, is_over)


class DueCall(NamedTuple):
    """A call that is to be sent, perhaps again."""

    game_name: str
    request: TakenRequest
    turn: int
    deadline: int
    tries: int = 0


class Caller:
    """Calls people in all games of a host. A thread of its own looks at the games."""

    def __init__(
        self, host_address: str, games: Games, counts: RequestCounts, book: CallBook,
        pusher: Pusher, letters: CallLetters | None,
    ) -> None:  # fmt: skip
        """Requests must be for the host at `host_address`. `letters` is None if the host has no
        mailbox."""
        self.host_address, self.games, self.counts = host_address, games, counts
        self.book, self.pusher, self.letters = book, pusher, letters
        self._condition = threading.Condition()
        self._due_times: dict[str, float] = {}
        """By name, the time by the monotonic clock at which a game is looked at next."""
        self._retries: list[tuple[float, int, DueCall]] = []
        self._retry_count = 0
        self._next_listing_at = 0.0
        self._sent_calls = SentCalls()
        self._executors = {
            PUSH: ThreadPoolExecutor(SENDING_THREADS, "caller"),
            MAIL: ThreadPoolExecutor(1, "letters"),
        }
        self._thread = threading.Thread(target=self._repeat, daemon=True)
        self._stopped = False

    def take(self, game: Game, data: bytes, asker: str) -> None:
        """Check a call request in the order of protocol §14, count and keep the request. `asker` is
        the sender's network. Raises HostRefusal, MissingGame, FileError, StorageError."""
        seats = asked_seats(game)
        try:
            key, content = read_call_request(
                data, seats.game_id, self.host_address, seats.keys, now()
            )
        except RecordError as error:
            status = 403 if error.reason in ("key", "place", "state") else 400
            sentence = f"this host does not take the call request: {error.sentence}"
            raise HostRefusal(status, sentence) from None
        if seats.is_over:
            self.book.forget_game(game.name)
            if content.on:
                raise HostRefusal(409, "the game is over, so nobody is called")
            return
        seat_key = f"{game.name} {key.hex()}"
        if content.on:
            self.counts.count_call_request(asker, seat_key)
            self._check_address(content)
            if content.way == MAIL and not self._is_confirmed(game.name, key, content):
                mailbox = mailbox_of(content.address)
                self.counts.count_call_letter(asker, game.name, mailbox)
        elif not self._is_worth_a_note(game.name, key, content, asker):
            return
        self.book.take(game.name, data, key, content, has_begun=seats.turn > 0)
        if content.on and content.way == MAIL:
            self._ask_to_confirm(game.name, key, content)
        self.note_news(game.name)

    def _is_worth_a_note(
        self, game_name: str, key: bytes, content: CallRequest, asker: str
    ) -> bool:  # fmt: skip
        """Return whether a request to stop is to be kept, as always if somebody is called there. If
        not, it only keeps an earlier request from coming later."""
        is_called = self.book.request_for(address_name_of(game_name, key, content.address))
        return bool(is_called) or self.counts.count_idle_call_stop(asker)

    def _check_address(self, content: CallRequest) -> None:
        """Check that the host may call somebody at an address. Raises HostRefusal."""
        try:
            if content.way == PUSH:
                self.pusher.check(content)
            elif self.letters:
                self.letters.check(content.address)
            else:
                raise HostRefusal(400, "this host sends no mail")
        except (CliError, PushError) as error:
            raise HostRefusal(400, str(error)) from None

    def _is_confirmed(self, game_name: str, key: bytes, content: CallRequest) -> bool:
        request = self.book.request_for(address_name_of(game_name, key, content.address))
        return request is not None and self.book.is_confirmed(request)

    def _ask_to_confirm(self, game_name: str, key: bytes, content: CallRequest) -> None:
        """Send the letter that asks to confirm an address, unless that is done."""
        request = self.book.request_for(address_name_of(game_name, key, content.address))
        if request and not self.book.is_confirmed(request):
            self._executors[MAIL].submit(self._send_confirmation, request)

    def _send_confirmation(self, request: TakenRequest) -> None:
        try:
            if self.letters and self.book.is_wanted(request):
                self.letters.ask_to_confirm(request)
        except (*LETTER_ERRORS, StorageError):
            log.warning(LETTER_TROUBLE_LOG, request.file[:8])

    def find_letters(self, address_name: str, code: str) -> tuple[TakenRequest | None, bool]:
        """Return the request for letters to an address, and whether it is confirmed; None if there
        is none, or if the code in the link is wrong."""
        if not self.letters or not self.letters.is_code(address_name, code):
            return None, False
        request = self.book.request_for(address_name)
        return request, request is not None and self.book.is_confirmed(request)

    def note_news(self, game_name: str) -> None:
        """Look at a game soon, because something in it is new."""
        self._schedule(game_name, 0.0)

    def start(self) -> None:
        """Begin to look at games, until `stop` is called."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the game that is being looked at; calls on their way are not waited for."""
        with self._condition:
            self._stopped = True
            self._condition.notify_all()
        self._thread.join(MAX_STOP_SECONDS)
        for executor in self._executors.values():
            executor.shutdown(wait=False, cancel_futures=True)

    def _schedule(self, game_name: str, wait_seconds: float) -> None:
        """Look at a game after so many seconds, or earlier if that was planned before."""
        due_at = time.monotonic() + wait_seconds
        with self._condition:
            if due_at < self._due_times.get(game_name, float("inf")):
                self._due_times[game_name] = due_at
                self._condition.notify_all()

    def _repeat(self) -> None:
        """Look at games and try calls again until `stop`, also after errors."""
        while not self._stopped:
            try:
                self._work()
            except Exception as error:  # noqa: BLE001 - nobody would see that the thread has ended
                log.warning("calls: %s", error if isinstance(error, PbemError) else repr(error))
                with self._condition:
                    self._condition.wait_for(lambda: self._stopped, LOOK_SECONDS / 30)

    def _work(self) -> None:
        """Do all that is due, then wait until something is."""
        if time.monotonic() >= self._next_listing_at:
            for game_name in self.book.game_names():
                self._schedule(game_name, 0.0)
            self._sent_calls.forget_old()
            self._next_listing_at = time.monotonic() + LOOK_SECONDS
        with self._condition:
            due_names = [
                game_name
                for game_name, due_at in self._due_times.items()
                if due_at <= time.monotonic()
            ]
            for game_name in due_names:
                del self._due_times[game_name]
        for game_name in due_names:
            try:
                self._look(game_name)
            except Exception as error:  # noqa: BLE001 - one game must not keep the others waiting
                sentence = error if isinstance(error, PbemError) else repr(error)
                log.warning("%s calls: %s", game_name[:8], sentence)
                self._schedule(game_name, LOOK_SECONDS)
        while self._retries and self._retries[0][0] <= time.monotonic():
            self._send_soon(heapq.heappop(self._retries)[2])
        with self._condition:
            moments = [self._next_listing_at, *self._due_times.values()]
            moments += [self._retries[0][0]] if self._retries else []
            if not self._stopped:
                self._condition.wait(max(0.0, min(moments) - time.monotonic()))

    def _look(self, game_name: str) -> None:
        """Call the seats of a game that are due, and forget requests whose seats have other keys
        now, and old ones if the game has not begun. Raises PbemError."""
        requests = self.book.requests_of(game_name)
        if not requests:
            return
        try:
            seats = asked_seats(self.games.peek(game_name))
        except (MissingGame, NoGameError):
            self.book.forget_game(game_name)
            return
        if seats.is_over:
            self.book.forget_game(game_name)
            return
        second_at = seats.deadline - (seats.deadline - seats.asked_at) // 4
        has_second = bool(seats.deadline) and now() < seats.deadline
        for request in requests:
            is_late = not seats.turn and request.content.time < now() - MAX_UNBEGUN_SECONDS
            if is_late or request.key not in seats.keys.get(request.content.seat, ()):
                self.book.remove(request)
                continue
            may_call = request.content.seat in seats.pending_seats and self._may_call(request)
            if may_call and self._claim(request, seats.turn, has_second and now() >= second_at):
                self._sent_calls.add(request)
                self._send_soon(DueCall(game_name, request, seats.turn, seats.deadline))
        if has_second and now() < second_at and seats.pending_seats:
            self._schedule(game_name, second_at - now())

    def _may_call(self, request: TakenRequest) -> bool:
        """Return whether this host may send a call for a request: it has a mailbox or knows the
        push service, an email address is confirmed, and there was no call just now, nor too many
        today. Another host over the same games may have other services."""
        if request.content.way == PUSH:
            is_possible = self.pusher.may_call(request.content.address)
        else:
            is_possible = self.letters is not None and self.book.is_confirmed(request)
        return is_possible and self._sent_calls.has_room(request)

    def _claim(self, request: TakenRequest, turn: int, is_second_due: bool) -> bool:
        """Return whether this host is to call somebody at an address now. If the second time is due
        already, one call claims both."""
        is_first = self.book.claim(request, turn, 1)
        is_second = is_second_due and self.book.claim(request, turn, 2)
        return is_first or is_second

    def _send_soon(self, call: DueCall) -> None:
        self._executors[call.request.content.way].submit(self._send, call)

    def _is_still_asked(self, call: DueCall) -> bool:
        """Return whether the seat still has to answer the questions for which it is called. Raises
        PbemError."""
        seats = asked_seats(self.games.peek(call.game_name))
        return seats.turn == call.turn and call.request.content.seat in seats.pending_seats

    def _send(self, call: DueCall) -> None:
        """Send a call; if its service does not take it, try again later, at most twice."""
        lifetime = call.deadline - now() if call.deadline else MAX_LIFETIME_SECONDS
        is_gone = is_taken = False
        try:
            if lifetime <= 0 or not self.book.is_wanted(call.request):
                return
            if call.tries and not self._is_still_asked(call):
                return
            if call.request.content.way == MAIL:
                is_taken = self.letters is not None and self.letters.call(call.request)
                is_gone, outcome = not is_taken, letter_clause(is_taken)
            else:
                status = self.pusher.send(call.request.content, call.game_name, call.turn, lifetime)
                outcome = push_answer_clause(status)
                is_gone, is_taken = status in GONE_STATUSES, status < 300
            if is_gone:
                self.book.remove(call.request)
        except LETTER_ERRORS:  # the error may name the address
            outcome = UNSENT_LETTER_CLAUSE
        except PbemError as error:
            outcome = str(error)
        log.info(CALL_LOG, call.game_name[:8], call.request.content.seat, outcome)
        if not is_gone and not is_taken and call.tries < len(RETRY_SECONDS):
            with self._condition:
                self._retry_count += 1
                due_at = time.monotonic() + RETRY_SECONDS[call.tries]
                retry = call._replace(tries=call.tries + 1)
                heapq.heappush(self._retries, (due_at, self._retry_count, retry))
                self._condition.notify_all()


def plain_host_address(host_address: str) -> str:
    """Return the address of a host as browsers write it: without the port that everybody uses."""
    usual_port = ":443" if host_address.startswith("https") else ":80"
    return host_address.removesuffix(usual_port)
