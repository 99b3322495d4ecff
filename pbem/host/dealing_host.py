"""A host that deals: it makes games and their turns (`pbem host --deal`), or its part of the deal
in games that name it as a co-dealer (`--co-deal`), with keys of its own.

Its key, its mailbox and its memory are in a home of their own, inside that of the host's owner, so
that `pbem run` of the same person does not meddle. Everything else that a second host over the same
games needs follows from the key and the games' files. The lease decides which of them deals.
"""

from __future__ import annotations

import contextlib
import heapq
import logging
import math
import re
import secrets
import threading
import time
from collections.abc import Callable
from hmac import compare_digest
from typing import Final

from pbem.acts.invite_next_player import invite_next_player, invite_of
from pbem.acts.new_game import NewGame
from pbem.acts.sign_notice import standing_soon
from pbem.errors import CliError, PbemError
from pbem.files.file_errors import AwayError
from pbem.files.home import Home
from pbem.files.host_store import folder_name_of
from pbem.files.record_file_names import Name
from pbem.files.write_once_files import files_beside
from pbem.format import protocol_labels
from pbem.format.curve_group import load_library
from pbem.format.hashes_and_streams import kdf
from pbem.format.secret_and_public_keys import SigningKey
from pbem.host.classes_of_requested_and_dealt_games import DealtGame, GameRequest, Seat
from pbem.host.dealing_host_passes import OTHER_HOST_SENTENCE, DealersHome, DealersPasses
from pbem.host.dealing_lease import RENEWAL_SECONDS, Lease
from pbem.host.kept_games import Games
from pbem.host.league_games_as_rows_and_csv import LeagueRow, league_row
from pbem.host.record_gate import HostRefusal, MissingGame, check_charter
from pbem.host.times_host_was_full_or_stopped import Pauses
from pbem.judge.deputy_and_co_dealer_keys_in_charter import CoDealerLine, make_co_dealer_line
from pbem.judge.game_ruleset import ruleset_of
from pbem.judge.make_signed_records import invite_to
from pbem.judge.next_turn import seating_of
from pbem.judge.referee_secrets import secrets_of
from pbem.judge.turn_inputs_and_outcome import AdvanceOptions
from pbem.person.keyring import CO_DEALER_PROFILE, Keyring
from pbem.person.mail_notebooks import People
from pbem.person.referees_next_turn_and_options import remember_options
from pbem.person.session import Session
from pbem.post.event_printer import Log
from pbem.records.charter import Charter, SeatPlan
from pbem.records.invite import Invite
from pbem.text.clock import now
from pbem.text.names_and_email_addresses import name_of_host
from pbem.wording.host_reports import (
    FULL_HOST_SENTENCE,
    NOT_DEALT_SENTENCE,
    OLD_KEY_HINT,
    OTHER_KEY_SENTENCE,
    REACHABLE_SENTENCE,
    ROOM_AGAIN_SENTENCE,
    UNREACHABLE_SENTENCE,
    UNREADABLE_GAME_SENTENCE,
    UNREADABLE_NOW_CLAUSE,
    full_host_sentence,
    game_error,
    games_error,
    make_room_line,
    took_no_files,
)

ADDRESS_DIGITS_PATTERN: Final = re.compile("[0-9a-f]{32}")
MIN_LOOK_SECONDS: Final = 2.0
"""Seconds until a game is looked at again whose files another host may have changed."""
MAX_LOOK_SECONDS: Final = 600.0
"""The most seconds until then, for a game in which nothing happens."""
IDLE_TO_LOOK_RATIO: Final = 20.0
"""A game in which nothing has happened for so many seconds is looked at again after one more."""
ADOPT_SECONDS: Final = 10.0
"""Seconds between two searches for games that another host with the same key has made."""
MAX_ADOPT_SECONDS: Final = 0.1
"""Seconds of such a search after which a game that is due comes first."""
MAX_STOP_SECONDS: Final = 10.0
"""Seconds that the end of the host waits for the work that has begun."""
MAX_REST_SECONDS: Final = 5.0
"""The most seconds that the host rests after it has looked after a game that names it as a
co-dealer. It rests as long as it worked, so such games take half of one processor at most."""
_PLACE_FILE: Final = "place"
"""The file with the name of the folder of a game that hosts deal as a co-dealer."""
MAIL_SECONDS: Final = 60.0
"""Seconds between two looks into the mailbox, if no letter waits to be sent."""

log = logging.getLogger("pbem.host")


def _make_co_dealer_line(keyring: Keyring) -> CoDealerLine:
    """Return the line of this host as a co-dealer; its key is made if there is none. Raises
    CliError if the library that hides cards is missing."""
    load_library()
    if CO_DEALER_PROFILE not in keyring.publics:
        keyring.make(CO_DEALER_PROFILE)
    return make_co_dealer_line(keyring.key(CO_DEALER_PROFILE))


def seconds_to_next_look(idle_seconds: float, moment_seconds: float, *, is_over: bool) -> float:
    """Return the seconds until a host looks at a game again, if no news comes; infinity for never.

    Nothing has happened in the game for `idle_seconds`; in `moment_seconds` the clock alone changes
    something in it. A game that is over changes only then.
    """
    if is_over:
        return moment_seconds
    wait_seconds = max(MIN_LOOK_SECONDS, idle_seconds / IDLE_TO_LOOK_RATIO)
    return min(wait_seconds, MAX_LOOK_SECONDS, moment_seconds)


class Dealer:
    """Makes the games and the turns of one host. `make` may be called from any thread."""

    def __init__(
        self,
        games: Games,
        home: Home,
        address: str,
        serves_page: bool,
        report_change: Callable[[str], None],
        *,
        makes_games: bool = True,
        co_deals: bool = False,
    ) -> None:
        """`address` is the address of the host, `serves_page`: it has the page that plays in a
        browser. `report_change` is called with the name of each game in which the dealer has
        written. `makes_games`: the host is the referee of games that people start on its page;
        `co_deals`: it is a co-dealer of games that name its key for that. Raises CliError if the
        library that hides cards is missing."""
        self.games, self.address, self._report_change = games, address.rstrip("/"), report_change
        self.home = DealersHome(home, games.place)
        self.home.page_address = f"{self.address}/" if serves_page else ""
        self.keyring = Keyring(self.home)
        self._home_lock = threading.Lock()
        """One thread at a time uses the home's memory of games. The last head seen there must not
        be newer than the files that another thread is just reading."""
        self.key: SigningKey = self.keyring.key_or_new("default")
        self.makes_games = makes_games
        self.co_dealer_line = _make_co_dealer_line(self.keyring) if co_deals else None
        """The line with which games name this host as a co-dealer."""
        if self.co_dealer_line:
            self.home.co_dealer_key = self.co_dealer_line.key
        self._co_dealt_names: set[str] = set()
        """The names of the games that name this host as a co-dealer."""
        key_digits = self.key.public.hex()[:16]
        self.lease = Lease(files_beside(games.place, f"dealing-{key_digits}"))
        self._token_files = files_beside(games.place, f"made-{key_digits}")
        """Empty files whose names say which game was started with which token."""
        self.log = Log(write=log.info)
        self.pauses = Pauses(files_beside(games.place, f"pauses-{key_digits}"))
        self.passes = DealersPasses(self.keyring, self.log, self.lease, self.pauses, games)
        self.name = name_of_host(self.address)
        self._news_condition = threading.Condition()
        self._due_times: dict[str, float] = {}
        """By name, the time by the monotonic clock at which the dealer looks at a game next."""
        self._queue: list[tuple[float, str]] = []
        """The same as a heap. An entry whose time differs from `_due_times` is out of date."""
        self._ids_by_name: dict[str, str] = {}
        """By name, the id of each game that this host deals."""
        self._active_times: dict[str, float] = {}
        """By name, the time at which something last happened in a game."""
        self._foreign_names: set[str] = set()
        """The names of the games that this host does not deal."""
        self._unread_names: list[str] = []
        """The names of games that may be this host's: their charters are still to be read."""
        self._next_listing_at = 0.0
        """The time by the monotonic clock at which the names of all games are listed again."""
        self._letters_event = threading.Event()
        """Set when letters may wait to be sent."""
        self._threads: list[threading.Thread] = []
        self._stopped = False

    # -------------------------------------------------------------- new games
    def make_game(self, request: GameRequest, token: str) -> DealtGame:
        """Make a game that this host deals, for somebody with this token, or with none (empty).
        Raises CliError, HostRefusal, StorageError."""
        if any(request.addresses) and not token:
            raise HostRefusal(
                401, "to give email addresses, you need a token of this host: ask its owner"
            )
        if any(request.addresses) and not self.passes.posts:
            raise HostRefusal(400, "this host sends no mail: leave the email addresses out")
        self.games.check_room_for_game(is_free=not token)
        table = secrets.token_bytes(16)
        digits = self._digits(table)
        name = folder_name_of(digits)
        session = self._open_session(name)
        new_game = NewGame(
            session, folder=request.title, players=",".join(request.players), game=request.game,
            title=request.title, referee=self.name,
            bots=f"greedy:{request.bots}" if request.bots else "",
            as_printed=request.as_printed, deadline=request.deadline, table=table.hex(),
            automaton=True,
        )  # fmt: skip
        with self._home_lock:
            charter = new_game.run().charter
            self._remember(session)
            people = People(session.game_home)
            for plan, address in zip(charter.content.seats, request.addresses, strict=False):
                if address:
                    people.set(plan.seat, address)
            dealt_game = self._dealt_game(session, digits)
        self.games.count_new_game(len(charter.file), is_free=not token)
        if token:
            self._token_files.make(f"{self._token_mark(token)}-{name}", b"")
        self.note_news(name)
        return dealt_game

    def find_game(self, digits: str, code: str) -> DealtGame:
        """Return the game whose page has this address: the digits of the game and the code of the
        page. Raises HostRefusal if there is none."""
        with self._home_lock:
            return self._dealt_game(self._open_by_code(digits, code), digits)

    def begin_game(self, digits: str, code: str) -> None:
        """Begin a game without those who have not joined. `digits` and `code` are those in the
        address of its page. Raises HostRefusal, CliError."""
        self._check_lease()
        with self._home_lock:
            session = self._open_by_code(digits, code)
            game = self._dealt_game(session, digits)
            missing_count = sum(seat.state == "free" for seat in game.seats)
            if not game.turn and missing_count and not game.may_begin:
                min_players = ruleset_of(session.charter).players[0]
                here_count = len(session.charter.seats) - missing_count
                raise CliError(
                    f"the game needs {min_players} or more players, but only {here_count} joined"
                )
            if game.may_begin:
                remember_options(session.game_home, AdvanceOptions(start=True), has_begun=True)
        self.note_news(folder_name_of(digits))

    def invite_to_seat(self, digits: str, code: str, seat: str) -> None:
        """Open the seat of a player who has left, or is silent for long, to somebody new.

        `digits` and `code` are those in the address of the game's page. Raises HostRefusal,
        CliError.
        """
        self._check_lease()
        with self._home_lock:
            session = self._open_by_code(digits, code)
            _, notes = invite_next_player(session, seat)
            for note in notes:
                self.log.say("note", note, session.charter.title)
        self.note_news(folder_name_of(digits))

    def _check_lease(self) -> None:
        """Check that this host deals: another host would not learn what this one was asked for.
        Raises HostRefusal."""
        if not self.lease.is_certain:
            raise HostRefusal(
                503, f"{OTHER_HOST_SENTENCE}; try again on that host, or here in a minute"
            )

    def _open_by_code(self, digits: str, code: str) -> Session:
        """Return the session of the game whose page has these digits and this code. Raises
        MissingGame."""
        if not ADDRESS_DIGITS_PATTERN.fullmatch(digits):
            raise MissingGame
        session = self._open_session(folder_name_of(digits))
        table = session.charter.table if session.names.charter else b""
        is_right_address = digits == self._digits(table)
        if not is_right_address or not compare_digest(code.encode(), self._code(table).encode()):
            raise MissingGame
        return session

    def _dealt_game(self, session: Session, digits: str) -> DealtGame:
        """Return a game for the person who has started it. `digits` are those of its address."""
        charter, address = session.game_folder.charter, f"{self.address}/g/{digits}"
        last_turn, is_over = session.listing.reached, session.listing.final is not None
        if last_turn:
            seats = self._seats_in_play(session, address, is_over)
        else:
            seats = self._seats_before_play(session, address)
        free_count = sum(seat.state == "free" for seat in seats)
        max_missing = len(charter.content.seats) - ruleset_of(charter.content).players[0]
        return DealtGame(
            charter.content.title,
            charter.content.ruleset,
            address,
            self._page_path(charter.content.table),
            last_turn,
            is_over,
            may_begin=not last_turn and 0 < free_count <= max_missing,
            seats=seats,
            watch=self.home.folder(session.place).link("game"),
            waits=self._wait_sentence(session),
        )

    def _seats_before_play(self, session: Session, address: str) -> list[Seat]:
        """Return the seats of people in a game without a turn. A seat is free until somebody has
        joined; of several, the first will get it."""
        secrets = secrets_of(session.game_folder, self.key)
        seating = seating_of(session.game_folder, secrets.audit, AdvanceOptions())
        joined_seats = seating.seated_joins.keys() | seating.contested.keys()
        reasons = {
            join.content.seat: reason.partition("; --")[0] for join, reason in seating.doubtful
        }
        seats = list[Seat]()
        for plan in session.charter.seats:
            if plan.bot:
                continue
            if plan.seat in joined_seats:
                seats.append(self._taken_seat_row(session, plan, "joined"))
            else:
                invite = invite_to(session.game_folder.charter, self.key, plan.seat)
                reason = reasons.get(plan.seat, "")
                seats.append(self._free_seat_row(session, plan, address, invite, reason))
        return seats

    def _seats_in_play(self, session: Session, address: str, is_over: bool) -> list[Seat]:
        """Return the seats of people in a game that has begun. An open seat is free once somebody
        is invited to it."""
        standing = None if is_over else standing_soon(session)
        seats = list[Seat]()
        for plan in session.charter.seats:
            if plan.bot:
                continue
            is_open = standing is not None and standing.is_open(plan.seat)
            roster = standing.roster if standing else session.roster
            if standing and is_open and plan.seat in standing.doors:
                invite = invite_of(session, standing, plan.seat)
                seats.append(self._free_seat_row(session, plan, address, invite))
            elif is_open:
                seats.append(self._taken_seat_row(session, plan, "open"))
            else:
                state = "joined" if plan.seat in roster else "left out"
                seats.append(self._taken_seat_row(session, plan, state))
        return seats

    def _taken_seat_row(self, session: Session, plan: SeatPlan, state: str) -> Seat:
        """Return a seat that nobody can take now."""
        name = session.name_of(plan.seat) or plan.name
        return Seat(plan.seat, name, link="", command="", state=state)

    def _free_seat_row(
        self, session: Session, plan: SeatPlan, address: str, invite: Invite, reason: str = ""
    ) -> Seat:
        """Return a free seat with its link and command. `reason`: why a join does not count."""
        line = invite.line()
        link = self.home.folder(session.place).link("join", line)
        command = f"pbem join -C {address} --invite {line}"
        name = session.name_of(plan.seat) or plan.name
        return Seat(plan.seat, name, link, command, "free", reason)

    def _wait_sentence(self, session: Session) -> str:
        """Return a sentence about why a game waits for the host; empty if it does not."""
        if full_clause := self.games.full_clause():
            return full_host_sentence(full_clause)
        if wait_end := self.passes.wait_ends.get(session.game_folder.game.hex(), 0):
            return took_no_files(wait_end)
        return ""

    def league_rows(self, token: str) -> list[LeagueRow]:
        """Return the state of all games that were started with a token: the games that are over
        come last."""
        prefix = f"{self._token_mark(token)}-"
        marks = [mark for mark in self._token_files.names() if mark.startswith(prefix)]
        rows = []
        for name in (mark.removeprefix(prefix) for mark in marks):
            try:
                session = self._open_session(name)
                with self._home_lock:
                    if session.names.charter:  # else the host's owner has removed it
                        rows.append(league_row(session, self._page_path(session.charter.table)))
            except PbemError as error:
                self.log.trouble(name, game_error(name, error), UNREADABLE_NOW_CLAUSE)
                rows.append(LeagueRow(name[:8], "", UNREADABLE_NOW_CLAUSE, "", "", False, []))
        return sorted(rows, key=lambda row: (row.is_over, row.title))

    def _digits(self, table: bytes) -> str:
        """Return the digits in the address of the game with a table's id. A second host with the
        same key finds the same digits."""
        return self._derive_address(table)[:16].hex()

    def _code(self, table: bytes) -> str:
        """Return the code, a secret, in the address of the page with the links of a game."""
        return self._derive_address(table)[16:].hex()

    def _derive_address(self, table: bytes) -> bytes:
        """Return 32 bytes, from the key and the id of a table: the first half is for the address of
        the game, the second for the code of its page."""
        return kdf(self.key.seed, protocol_labels.ADDRESS, table)

    def _token_mark(self, token: str) -> str:
        """Return 16 hex digits that stand for a token in names of files. Nobody can try out tokens
        with them."""
        return kdf(self.key.seed, protocol_labels.TOKEN, token.encode())[:8].hex()

    def _page_path(self, table: bytes) -> str:
        """Return the path of the page with the links of a game."""
        return f"/new/{self._digits(table)}/{self._code(table)}"

    def _open_session(self, name: str) -> Session:
        """Return the session of the game in the folder with this name."""
        place = self.games.folder(name).place
        return Session(place, home=self.home, keyring=self.keyring)

    def _remember(self, session: Session) -> None:
        """Remember the address and the id of a game that this host deals."""
        digits = self._digits(session.charter.table)
        self.home.digits_by_place[session.place] = digits
        self._ids_by_name[folder_name_of(digits)] = session.game_folder.game.hex()

    # -------------------------------------------------------------- which games
    def _adopt(self) -> None:
        """Find all games of this key, also those that another host with the same key has made.

        After `MAX_ADOPT_SECONDS`, the rest is left for the next call. Raises StorageError.
        """
        begun_at = time.monotonic()
        if not self._unread_names and begun_at >= self._next_listing_at:
            known_names = self._ids_by_name.keys() | self._foreign_names
            self._unread_names = [name for name in self.games.names() if name not in known_names]
            listing_seconds = time.monotonic() - begun_at
            wait_seconds = max(ADOPT_SECONDS, IDLE_TO_LOOK_RATIO * listing_seconds)
            self._next_listing_at = begun_at + wait_seconds
        while self._unread_names and time.monotonic() - begun_at < MAX_ADOPT_SECONDS:
            name = self._unread_names.pop()
            try:
                self._adopt_one(name)
            except AwayError:
                raise
            except PbemError as error:
                self.log.trouble(name, game_error(name, error), UNREADABLE_GAME_SENTENCE)

    def _adopt_one(self, name: str) -> None:
        """Deal a game from now on if it is this host's.

        Anybody who knows the address of a game can copy its files to another address; such a copy
        must not be dealt instead.
        """
        charter = check_charter(self.games.folder(name).read(Name("charter"))).content
        session = self._open_session(name)
        if self._co_deals(session, charter):
            session.game_home.remember_place(session.place)
            self._co_dealt_names.add(name)
            self._ids_by_name[name] = session.game_folder.game.hex()
            self._schedule(name, 0.0)
            return
        is_own_key = self.makes_games and charter.key == self.key.public
        if not is_own_key or folder_name_of(self._digits(charter.table)) != name:
            self._foreign_names.add(name)
            if self.makes_games and charter.automaton:  # a new key was made, or it is a copy
                self.log.trouble("key", OTHER_KEY_SENTENCE, NOT_DEALT_SENTENCE, OLD_KEY_HINT)
            return
        session.game_home.remember_place(session.place)
        self._remember(session)
        self._schedule(name, 0.0)

    def _co_deals(self, session: Session, charter: Charter) -> bool:
        """Return whether the game names this host as a co-dealer, and is not a copy of one that
        the host, or another host with the same key, deals at another address."""
        if self.co_dealer_line is None:
            return False
        if all(dealer.key != self.co_dealer_line.key for dealer in charter.dealers):
            return False
        files = self.home.co_dealt_files(session.game_folder.game.hex())
        known_name = (files.read(_PLACE_FILE) or b"").decode()
        if known_name and self.games.folder(known_name).place.is_gone():
            files.remove(_PLACE_FILE)
        return files.make(_PLACE_FILE, session.place.name.encode())

    # -------------------------------------------------------------- when
    def note_news(self, name: str) -> None:
        """Look at a game soon, because a file of it has come: before the games without news."""
        if name in self._ids_by_name:
            self._active_times[name] = time.monotonic()
            self._schedule(name, -MAX_LOOK_SECONDS)
        elif self.co_dealer_line and name not in self._foreign_names:
            with self._news_condition:
                self._unread_names.append(name)
                self._news_condition.notify_all()

    def _schedule(self, name: str, wait_seconds: float) -> None:
        """Look at a game after so many seconds, or earlier if that was planned before."""
        due_at = time.monotonic() + wait_seconds
        with self._news_condition:
            if due_at < self._due_times.get(name, math.inf):
                self._due_times[name] = due_at
                heapq.heappush(self._queue, (due_at, name))
                self._news_condition.notify_all()

    def _next_due_name(self, max_seconds: float) -> str:
        """Wait until it is time to look at a game; return its name, and drop it from the plan.

        Return an empty text after `max_seconds`, or when the dealer stops.
        """
        end = time.monotonic() + max_seconds
        with self._news_condition:
            while not self._stopped:
                while self._queue and self._due_times.get(self._queue[0][1]) != self._queue[0][0]:
                    heapq.heappop(self._queue)
                now = time.monotonic()
                first_due_at = self._queue[0][0] if self._queue else math.inf
                if first_due_at <= now:
                    _, name = heapq.heappop(self._queue)
                    del self._due_times[name]
                    return name
                if end <= now or self._unread_names:
                    return ""
                self._news_condition.wait(min(end, first_due_at) - now)
        return ""

    # -------------------------------------------------------------- the work
    def start(self) -> None:
        """Start two threads that work until `stop` is called: the first deals, the second reads and
        sends mail."""
        threads = [
            threading.Thread(target=self._repeat, args=(work,), daemon=True)
            for work in (self._look_after_next_due, self._exchange_mail)
        ]
        for thread in threads:
            thread.start()
        self._threads = threads

    def stop(self) -> None:
        """Stop after the current work, and let another host deal at once."""
        with self._news_condition:
            self._stopped = True
            self._news_condition.notify_all()
        self._letters_event.set()
        for thread in self._threads:
            thread.join(MAX_STOP_SECONDS)
        with contextlib.suppress(PbemError):
            self.lease.give_up()

    def _repeat(self, work: Callable[[], None]) -> None:
        """Do some work again and again until `stop`, also after errors: nobody would see that it
        has ended."""
        work_name = work.__name__
        while not self._stopped:
            try:
                work()
            except Exception as error:  # noqa: BLE001 - as above
                with contextlib.suppress(Exception):  # nobody can be told
                    sentence = games_error(self.log.why(work_name, error))
                    self.log.trouble(work_name, sentence, UNREACHABLE_SENTENCE)
                self._pause(MIN_LOOK_SECONDS)
            else:
                self.log.fine(work_name, REACHABLE_SENTENCE)

    def _look_after_next_due(self) -> None:
        """Look after the next game that is due, if the host has room and holds the lease; wait for
        a while if there is none."""
        if clause := self.games.full_clause():
            self.pauses.note_full()
            self.log.trouble("room", make_room_line(clause), FULL_HOST_SENTENCE)
            self._pause(MIN_LOOK_SECONDS)
            return
        self.log.fine("room", ROOM_AGAIN_SENTENCE)
        self.passes.note_files_taken()
        if not self.lease.hold():
            self._pause(MIN_LOOK_SECONDS)
            return
        self._adopt()
        name = self._next_due_name(0.0 if self._unread_names else RENEWAL_SECONDS / 2)
        if not name:
            return
        begun_at = time.monotonic()
        try:
            self._look_after(name)
        except PbemError:
            self._schedule(name, MIN_LOOK_SECONDS)
            raise
        except Exception:
            self._schedule(name, MAX_LOOK_SECONDS)
            raise
        finally:
            if name in self._co_dealt_names:  # strangers decide how much there is to deal
                self._pause(min(time.monotonic() - begun_at, MAX_REST_SECONDS))

    def _look_after(self, name: str) -> None:
        """Make the turns of a game that are due, and plan when to look at it again: the longer
        nothing has happened in it, the later, but at its next deadline."""
        game_id, game = self._ids_by_name[name], self.games.peek(name)
        self._active_times.setdefault(name, time.monotonic())
        with self._home_lock:
            has_changed = self.passes.look_after_game(game_id)
        if has_changed:
            self._active_times[name] = time.monotonic()
            self._letters_event.set()
            self._report_change(name)
        with game.lock:
            is_over = game.list_files().final is not None
        idle_seconds = time.monotonic() - self._active_times[name]
        if is_over:
            self._active_times.pop(name, None)
        next_moment = self.passes.next_moment(game_id)
        moment_seconds = math.inf if next_moment is None else max(0.0, next_moment - now())
        wait_seconds = seconds_to_next_look(idle_seconds, moment_seconds, is_over=is_over)
        if wait_seconds != math.inf:  # else only news leads back to the game
            self._schedule(name, wait_seconds)

    def _exchange_mail(self) -> None:
        """Read the mailbox and send the letters that are due, if this host deals; then wait for
        letters."""
        if not self.lease.is_certain:
            self._pause(MIN_LOOK_SECONDS)
            return
        self._letters_event.clear()
        if self.passes.collect():
            for name in self._ids_by_name.copy():
                self._schedule(name, 0.0)
        if self.lease.is_certain:
            self.passes.send_letters()
        self._letters_event.wait(MAIL_SECONDS)

    def _pause(self, seconds: float) -> None:
        """Wait so many seconds, or until `stop`."""
        with self._news_condition:
            self._news_condition.wait_for(lambda: self._stopped, seconds)
