"""A host that deals (`pbem host --deal`): it makes games and their turns, with a key of its own.

Its key, its mailbox and what it remembers are in a home of their own, inside that of the host's
owner, so that `pbem run` of the same person does not meddle. Whatever else a second host over the
same place needs follows from the key and the games' files. Which of them deals: see the lease.
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
from collections.abc import Callable, Sequence
from hmac import compare_digest
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from pbem.acts.new_game import NewGame
from pbem.acts.notices import agree_last, invite_next, invite_of, standing_soon
from pbem.errors import NOT_YET, CliError, PbemError
from pbem.files.disk import AwayError
from pbem.files.folder import Name, SharedFolder
from pbem.files.home import Home
from pbem.files.places import Place
from pbem.format import labels
from pbem.format.canonical import RecordError
from pbem.format.keys import SigningKey, kdf
from pbem.host.beside import beside
from pbem.host.games import Games, name_of
from pbem.host.gate import FullHostError, MissingGame, Refusal, check_charter
from pbem.host.lease import RENEWED, Lease
from pbem.host.room import Pauses
from pbem.judge.joins import Seating
from pbem.judge.next_turn import seating_of, secrets_of
from pbem.judge.record_files import file_name
from pbem.judge.rules import ruleset_of
from pbem.judge.signing import invite_to
from pbem.judge.standing import MIN_WAIT_SECONDS
from pbem.judge.turn_inputs import AdvanceOptions, Outcome
from pbem.person.keyring import Keyring
from pbem.person.mail_books import People
from pbem.person.refereeing import keep_wishes
from pbem.person.session import Session
from pbem.person.situation import situation_of
from pbem.post.notify import Log
from pbem.post.rounds import MailRules, PostRound
from pbem.records.turn import Turn
from pbem.text.clock import now
from pbem.wording.game_notices import what_you_declared
from pbem.wording.hosting import (
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
    pause_line,
    took_no_files,
)
from pbem.wording.next_step import name_awaited_players
from pbem.wording.scores import ranking

DIGITS: Final = re.compile("[0-9a-f]{32}")
NOT_MINE: Final = "another host that shares these games deals now"
SOONEST: Final = 2.0
"""Seconds until a game is looked at again whose files another host may have changed."""
LATEST: Final = 600.0
"""The most seconds until then, for a game in which nothing happens."""
SHARE: Final = 20.0
"""A game in which nothing has happened for SHARE seconds is looked at again after one second."""
ADOPTED_EVERY: Final = 10.0
"""Seconds between two searches for games that another host with the same key has made."""
ADOPTING: Final = 0.1
"""Seconds of such a search after which a game that is due comes first."""
STOPPING: Final = 10.0
"""Seconds that the end of the host waits for the work that has begun."""
MAIL_EVERY: Final = 60.0
"""Seconds between two looks into the mailbox, if no letter waits to be sent."""

log = logging.getLogger("pbem.host")


class Wanted(NamedTuple):
    """A game that somebody asks the host to make and to deal."""

    game: str
    """The name of the ruleset."""
    title: str
    players: Sequence[str]
    addresses: Sequence[str]
    """The email address of each player, or an empty text: the host mails their turns there."""
    bots: int
    deadline: str
    as_printed: bool

    def seat_of(self, name: str) -> str:
        """Return the letter of a player's seat; empty if nobody has this name."""
        found = " ".join(name.split())
        return chr(ord("a") + self.players.index(found)) if found in self.players else ""


class Seat(NamedTuple):
    """A seat in a game that the host deals: who it is for, and how to take it."""

    seat: str
    name: str
    link: str
    """The link that joins in a browser; empty if the host serves no page."""
    command: str
    """What somebody with `pbem` types. Link and command are empty unless the seat is free."""
    state: str
    """`free`: somebody may join; `joined`; `left out`: the game began without them; `open`: its
    player has left or is silent for long, and nobody is invited yet."""
    refused: str = ""
    """Why a join for the free seat does not count, as a sentence; empty if there is none."""


class Dealt(NamedTuple):
    """A game that the host deals, as the person sees it who has started it."""

    title: str
    ruleset: str
    address: str
    page: str
    """The path of the page with the links, which is a secret."""
    turn: int
    over: bool
    may_begin: bool
    """Whether the game could begin without those who have not joined."""
    seats: list[Seat]
    watch: str
    """The link that only shows the table; empty if the host serves no page."""
    waits: str
    """Why the host makes no turn for a while, as a sentence; empty if it makes turns."""

    def data(self) -> dict[str, Any]:
        """Return the same for programs."""
        return self._asdict() | {"seats": [seat._asdict() for seat in self.seats]}


class Player(NamedTuple):
    """A player of a game: place and points count once it is over, and are 0 before."""

    name: str
    place: int
    points: int


class Standing(NamedTuple):
    """How a game stands, for whoever started it with a token."""

    title: str
    ruleset: str
    state: str
    waits_for: str
    page: str
    """The path of the page with its links."""
    over: bool
    players: list[Player]


class DealersHome(Home):
    """The dealer's home, which knows at which address each of its games is."""

    def __init__(self, home: Home) -> None:
        super().__init__(home.root / "dealer")
        self.page = ""
        """The address of the page that plays in a browser; empty if the host serves none."""
        self.digits: dict[Place, str] = {}
        """The digits in the address of each game, by its folder."""

    def folder(self, place: Place) -> SharedFolder:
        """Return the game folder at a place, with the address of its page."""
        found = super().folder(place)
        if self.page and place in self.digits:
            found.on_page = self.page, self.digits[place]
        return found


class DealersRound(PostRound):
    """Looks after games as `pbem run` does, for a referee who is nobody."""

    def __init__(
        self, keyring: Keyring, log: Log, lease: Lease, pauses: Pauses, games: Games
    ) -> None:
        # whoever starts a game has all its invites, and could make the host write to anybody; and
        # the host's games are made on its page only
        rules = MailRules(False, 0, self._create, lambda: lease.is_sure)
        super().__init__(keyring, log, rules)
        self._lease, self.pauses, self._games = lease, pauses, games
        self.held_until: dict[str, int] = {}
        """Until when games wait for people whom a pause of the host may have kept out, by their
        ids."""

    def may_write(self) -> None:
        """Renew the lease if that is due: many turns may be made without a pause. Raises CliError
        unless this host certainly holds it, StorageError."""
        if not self._lease.hold() or not self._lease.is_sure:
            raise CliError(NOT_MINE, "", NOT_YET)

    def advance(self, session: Session, wishes: AdvanceOptions | None = None) -> Outcome:
        """Agree to what all others have agreed to, then make turns. If several people have joined
        with one invite, the first of them has the seat. The time in which the host took no files
        counts for no silence."""
        self.note_files_taken()  # this computer may just have been asleep
        self.may_write()
        if held := self._held(session):
            return held
        title = session.charter.title
        for record, _, notes in agree_last(session):
            self.log.say("agreed", what_you_declared(session, record), title)
            for note in notes:
                self.log.say("note", note, title)
        outcome = super().advance(session, wishes)
        if outcome.contested and not wishes:
            came = {one.path: one.mark.mtime_ns for one in session.listing.joins}
            first = [
                min(joins, key=lambda one: (came.get(file_name(one).path, 0), one.id))
                for joins in outcome.contested.values()
            ]
            accept = AdvanceOptions(accept=[one.id.hex()[:16] for one in first])
            outcome = super().advance(session, accept)
        return outcome

    def _create(self, folder: SharedFolder, name: Name, data: bytes) -> bool:
        """Put a record that came by mail into its game: what holds for requests holds for it too.
        Raises RecordError if the host refuses it, FullHostError, TakenError, StorageError."""
        try:
            return self._games.put(self._games.named(folder.place.name), name, data)
        except FullHostError:
            raise  # it is tried again later
        except Refusal as refusal:
            raise RecordError("state", f"the host refuses this file: {refusal.sentence}") from None

    def note_files_taken(self) -> None:
        """Note that the host takes files now, and say so if it did not for a while. Raises
        StorageError."""
        if pause := self.pauses.note_files_taken(now()):
            self.log.say("pause", pause_line(pause.begin, pause.end))

    def _held(self, session: Session) -> Outcome | None:
        """Return how a game waits if its next turn would name somebody as silent whom a pause of
        the host may have kept out; None if it need not wait."""
        listing, ident = session.listing, session.game_folder.game.hex()
        self.held_until.pop(ident, None)
        if not listing.reached or listing.final or not self.pauses.pauses:
            return None
        asking = [turn.content for turn in session.game_folder.asking_turns()]
        last, deadlines = asking[-1], [(asking[0].time, asking[-1].deadline)]
        waits = [
            (one.effective_at - MIN_WAIT_SECONDS, one.effective_at)
            for one in session.game_folder.standing.announced_acts
        ]
        answers_end, waits_end = (
            max((self.pauses.end_of(*one) for one in times if 0 < one[1] <= now()), default=0)
            for times in (deadlines, waits)
        )
        if max(answers_end, waits_end) <= now():
            return None
        outlook = session.refereeing.outlook
        contents = [record.content for _, record in outlook.new_records]
        contents += [outlook.preview.content] if outlook.preview else []
        made = next((one for one in contents if isinstance(one, Turn)), None)
        if made is None:
            return None
        until = max(answers_end if made.silent else 0, waits_end)
        if until <= now():
            return None
        self.held_until[ident] = until
        self.log.note(f"held {ident}", took_no_files(until), session.charter.title)
        return Outcome(turn=last, policies=outlook.policies, revisable_until=until)


class Dealer:
    """Makes the games and the turns of one host. `make` may be called from any thread."""

    def __init__(
        self, games: Games, home: Home, address: str, page: bool, tell: Callable[[str], None]
    ) -> None:
        """`address` is what people type to reach the host; `tell` is called with the name of each
        game in which the dealer has written."""
        self.games, self.address, self._tell = games, address.rstrip("/"), tell
        self.home = DealersHome(home)
        self.home.page = f"{self.address}/" if page else ""
        self.keyring = Keyring(self.home)
        self._one = threading.Lock()
        """One thread at a time uses what the home remembers of games: what it saw last of a game
        must not be newer than what another thread is just reading."""
        self.key: SigningKey = self.keyring.key_or_new("default")
        mine = self.key.public.hex()[:16]
        self.lease = Lease(beside(games.place, f"dealing-{mine}"))
        self._made = beside(games.place, f"made-{mine}")
        """Which games were started with which token."""
        self.log = Log(write=log.info)
        self.pauses = Pauses(beside(games.place, f"pauses-{mine}"))
        self.round = DealersRound(self.keyring, self.log, self.lease, self.pauses, games)
        self.name = f"the host {urlsplit(self.address).netloc}"[:40]
        self._news = threading.Condition()
        self._due: dict[str, float] = {}
        """When each game is looked at next, by the monotonic clock."""
        self._queue: list[tuple[float, str]] = []
        """The same, soonest first; what has been changed since is passed over."""
        self._idents: dict[str, str] = {}
        """The id of each game that this host deals, by its name."""
        self._active: dict[str, float] = {}
        """When something last happened in each game."""
        self._others: set[str] = set()
        """The names of the games that this host does not deal."""
        self._unread: list[str] = []
        """The names of games of which that is not known yet."""
        self._listed_next = 0.0
        """When all names are listed again, by the monotonic clock."""
        self._letters = threading.Event()
        """Set when letters may wait to be sent."""
        self._threads: list[threading.Thread] = []
        self._stopped = False

    # -------------------------------------------------------------- new games
    def make(self, wanted: Wanted, token: str) -> Dealt:
        """Make a game that this host deals, for somebody with this token, or with none. Raises
        CliError, Refusal, StorageError."""
        if any(wanted.addresses) and not token:
            raise Refusal(401, "mail to addresses that you type needs a token of this host")
        if any(wanted.addresses) and not self.round.posts:
            raise Refusal(400, "this host sends no mail: leave the addresses out")
        self.games.need_room(free=not token)
        table = secrets.token_bytes(16)
        digits = self._digits(table)
        session = self._opened(name_of(digits))
        new = NewGame(
            session, folder=wanted.title, players=",".join(wanted.players), game=wanted.game,
            title=wanted.title, referee=self.name, bots=f"greedy:{wanted.bots}" * bool(wanted.bots),
            as_printed=wanted.as_printed, deadline=wanted.deadline, table=table.hex(),
            automaton=True,
        )  # fmt: skip
        with self._one:
            charter = new.run().charter
            self._know(session)
            people = People(session.game_home)
            for plan, address in zip(charter.content.seats, wanted.addresses, strict=False):
                if address:
                    people.set(plan.seat, address)
            made = self._dealt(session, digits)
        self.games.count(len(charter.file), free=not token)
        name = name_of(digits)
        if token:
            self._made.make(f"{self._owner(token)}-{name}", b"")
        self.news(name)
        return made

    def find(self, digits: str, code: str) -> Dealt:
        """Return a game for whoever has the address of its page. Raises Refusal if nobody has
        it."""
        with self._one:
            return self._dealt(self._mine(digits, code), digits)

    def begin(self, digits: str, code: str) -> None:
        """Begin a game without those who have not joined. Raises Refusal, CliError."""
        self._need_lease()
        with self._one:
            session = self._mine(digits, code)
            game = self._dealt(session, digits)
            missing = sum(seat.state == "free" for seat in game.seats)
            if not game.turn and missing and not game.may_begin:
                least, seats = ruleset_of(session.charter).players[0], len(session.charter.seats)
                raise CliError(f"at least {least} must play, and {seats - missing} are here")
            if game.may_begin:
                keep_wishes(session.game_home, AdvanceOptions(start=True), has_begun=True)
        self.news(name_of(digits))

    def invite(self, digits: str, code: str, seat: str) -> None:
        """Open the seat of a player who has left, or is silent for long, to somebody new. Raises
        Refusal, CliError."""
        self._need_lease()
        with self._one:
            invite_next(self._mine(digits, code), seat)
        self.news(name_of(digits))

    def _need_lease(self) -> None:
        """Raise Refusal if another host deals: it would not learn what this one was asked for."""
        if not self.lease.is_sure:
            raise Refusal(503, f"{NOT_MINE}; try again there, or in a minute")

    def _mine(self, digits: str, code: str) -> Session:
        if not DIGITS.fullmatch(digits):
            raise MissingGame
        session = self._opened(name_of(digits))
        table = session.charter.table if session.names.charter else b""
        right = digits == self._digits(table)
        if not right or not compare_digest(code.encode(), self._code(table).encode()):
            raise MissingGame
        return session

    def _dealt(self, session: Session, digits: str) -> Dealt:
        charter, address = session.game_folder.charter, f"{self.address}/g/{digits}"
        begun, over = session.listing.reached, session.listing.final is not None
        found = Seating() if begun else self._seating(session)
        joined = (
            session.roster.keys() if begun else found.seated_joins.keys() | found.contested.keys()
        )
        refused = {r.content.seat: why.partition("; --")[0] for r, why in found.doubtful}
        standing = standing_soon(session) if begun and not over else None
        seats = []
        for plan in charter.content.seats:
            if plan.bot:
                continue
            invite = invite_to(charter, self.key, plan.seat)
            state = "joined" if plan.seat in joined else "left out" if begun else "free"
            if standing:
                plays = plan.seat in standing.roster
                state = "open" if standing.is_open(plan.seat) else "joined" if plays else "left out"
                if state == "open" and plan.seat in standing.doors:
                    state, invite = "free", invite_of(session, standing, plan.seat)
            line = invite.line() if state == "free" else ""
            link = line and self.home.folder(session.place).link("join", line)
            command = line and f"pbem join -C {address} --invite {line}"
            name = session.name_of(plan.seat) or plan.name
            why = refused.get(plan.seat, "") if state == "free" else ""
            seats.append(Seat(plan.seat, name, link, command, state, why))
        page = self._page(charter.content.table)
        title, rules = charter.content.title, charter.content.ruleset
        least = ruleset_of(charter.content).players[0]
        missing = [seat for seat in seats if seat.state == "free"]
        may_begin = not begun and 0 < len(missing) <= len(charter.content.seats) - least
        watch = self.home.folder(session.place).link("game")
        waits = self._why_it_waits(session)
        return Dealt(title, rules, address, page, begun, over, may_begin, seats, watch, waits)

    def _seating(self, session: Session) -> Seating:
        """Return who has which seat before turn 1, by the rule of referees. In a contested seat, it
        is whoever came first."""
        secrets = secrets_of(session.game_folder, self.key)
        return seating_of(session.game_folder, secrets.audit, AdvanceOptions())

    def _why_it_waits(self, session: Session) -> str:
        if full := self.games.what_is_full():
            return full_host_sentence(full)
        if until := self.round.held_until.get(session.game_folder.game.hex(), 0):
            return took_no_files(until)
        return ""

    def standings(self, token: str) -> list[Standing]:
        """Return how all games stand that were started with a token, those that wait first."""
        mine = f"{self._owner(token)}-"
        names = [one.removeprefix(mine) for one in self._made.names() if one.startswith(mine)]
        rows = []
        for name in names:
            try:
                session = self._opened(name)
                with self._one:
                    if session.names.charter:  # else the host's owner has removed it
                        rows.append(self._standing(session))
            except PbemError as error:
                self.log.trouble(name, game_error(name, error), UNREADABLE_NOW_CLAUSE)
                rows.append(Standing(name[:8], "", UNREADABLE_NOW_CLAUSE, "", "", False, []))
        return sorted(rows, key=lambda row: (row.over, row.title))

    def _standing(self, session: Session) -> Standing:
        charter, situation = session.charter, situation_of(session)
        view = situation.view
        if view is None:
            state, names = "not begun", [plan.name for plan in charter.seats]
        else:
            state = "over" if view.is_over else f"turn {view.turn}"
            names = [name for _, name in sorted(view.names.items())]
        over = state == "over"
        waits = "" if over else name_awaited_players(situation)
        players = [Player(name, 0, 0) for name in names]
        if view is not None and over:
            players = [Player(one["name"], one["rank"], one["points"]) for one in ranking(view)]
        page = self._page(charter.table)
        return Standing(charter.title, charter.ruleset, state, waits, page, over, players)

    def _digits(self, table: bytes) -> str:
        """Return the digits in the address of the game with this table: a second host with the same
        key finds them too."""
        return self._addresses(table)[:16].hex()

    def _code(self, table: bytes) -> str:
        """Return the secret in the address of the page with the links of a game."""
        return self._addresses(table)[16:].hex()

    def _addresses(self, table: bytes) -> bytes:
        return kdf(self.key.seed, labels.ADDRESS, table)

    def _owner(self, token: str) -> str:
        """Return what stands for a token in names of files; nobody can try out tokens with it."""
        return kdf(self.key.seed, labels.TOKEN, token.encode())[:8].hex()

    def _page(self, table: bytes) -> str:
        return f"/new/{self._digits(table)}/{self._code(table)}"

    def _opened(self, name: str) -> Session:
        place = self.games.folder(name).place
        return Session(place, home=self.home, keyring=self.keyring)

    def _know(self, session: Session) -> None:
        digits = self._digits(session.charter.table)
        self.home.digits[session.place] = digits
        self._idents[name_of(digits)] = session.game_folder.game.hex()

    # -------------------------------------------------------------- which games
    def _adopt(self) -> None:
        """Find all games of this key, also those that another host with the same key has made;
        after a moment, the rest is left for the next call. Raises StorageError."""
        begun = time.monotonic()
        if not self._unread and begun >= self._listed_next:
            known = self._idents.keys() | self._others
            self._unread = [name for name in self.games.names() if name not in known]
            took = time.monotonic() - begun
            self._listed_next = begun + max(ADOPTED_EVERY, SHARE * took)
        while self._unread and time.monotonic() - begun < ADOPTING:
            name = self._unread.pop()
            try:
                self._adopt_one(name)
            except AwayError:
                raise
            except PbemError as error:
                self.log.trouble(name, game_error(name, error), UNREADABLE_GAME_SENTENCE)

    def _adopt_one(self, name: str) -> None:
        """Deal a game from now on if it is this host's: anybody who knows the address of a game can
        copy its files to another one, and this must not be dealt instead."""
        charter = check_charter(self.games.folder(name).read(Name("charter"))).content
        if charter.key != self.key.public or name_of(self._digits(charter.table)) != name:
            self._others.add(name)
            if charter.automaton:  # the key may be lost, and a new one was made
                self.log.trouble("key", OTHER_KEY_SENTENCE, NOT_DEALT_SENTENCE, OLD_KEY_HINT)
            return
        session = self._opened(name)
        session.game_home.remember_place(session.place)
        self._know(session)
        self._push(name, 0.0)

    # -------------------------------------------------------------- when
    def news(self, name: str) -> None:
        """Look at the game with this name soon, because a file of it has come: before those in
        which nobody knows of anything new."""
        if name in self._idents:
            self._active[name] = time.monotonic()
            self._push(name, -LATEST)

    def _push(self, name: str, wait: float) -> None:
        when = time.monotonic() + wait
        with self._news:
            if when < self._due.get(name, math.inf):
                self._due[name] = when
                heapq.heappush(self._queue, (when, name))
                self._news.notify_all()

    def _next(self, most: float) -> str:
        until = time.monotonic() + most
        with self._news:
            while not self._stopped:
                while self._queue and self._due.get(self._queue[0][1]) != self._queue[0][0]:
                    heapq.heappop(self._queue)
                now = time.monotonic()
                first = self._queue[0][0] if self._queue else math.inf
                if first <= now:
                    _, name = heapq.heappop(self._queue)
                    del self._due[name]
                    return name
                if until <= now:
                    return ""
                self._news.wait(min(until, first) - now)
        return ""

    # -------------------------------------------------------------- the work
    def start(self) -> None:
        """Deal, and read and send mail, each in a thread of its own, until `stop` is called."""
        threads = [
            threading.Thread(target=self._go_on, args=(work,), daemon=True)
            for work in (self._deal, self._mail)
        ]
        for thread in threads:
            thread.start()
        self._threads = threads

    def stop(self) -> None:
        """Stop after the work that has begun, and let another host deal at once."""
        with self._news:
            self._stopped = True
            self._news.notify_all()
        self._letters.set()
        for thread in self._threads:
            thread.join(STOPPING)
        with contextlib.suppress(PbemError):
            self.lease.give_up()

    def _go_on(self, work: Callable[[], None]) -> None:
        """Do this work again and again until `stop`, whatever goes wrong: nobody would see that it
        has ended."""
        key = work.__name__
        while not self._stopped:
            try:
                work()
            except Exception as error:  # noqa: BLE001 - as above
                with contextlib.suppress(Exception):  # nobody can be told
                    sentence = games_error(self.log.why(key, error))
                    self.log.trouble(key, sentence, UNREACHABLE_SENTENCE)
                self._wait(SOONEST)
            else:
                self.log.fine(key, REACHABLE_SENTENCE)

    def _deal(self) -> None:
        if full := self.games.what_is_full():
            self.pauses.note_full()
            self.log.trouble("room", make_room_line(full), FULL_HOST_SENTENCE)
            self._wait(SOONEST)
            return
        self.log.fine("room", ROOM_AGAIN_SENTENCE)
        self.round.note_files_taken()
        if not self.lease.hold():
            self._wait(SOONEST)
            return
        self._adopt()
        if name := self._next(0.0 if self._unread else RENEWED / 2):
            try:
                self._look_after(name)
            except Exception as error:
                self._push(name, SOONEST if isinstance(error, PbemError) else LATEST)
                raise

    def _look_after(self, name: str) -> None:
        ident, game = self._idents[name], self.games.peek(name)
        self._active.setdefault(name, time.monotonic())
        with self._one:
            changed = self.round.game(ident)
        if changed:
            self._active[name] = time.monotonic()
            self._letters.set()
            self._tell(name)
        with game.lock:
            over = game.look().final is not None
        if over:
            self._active.pop(name, None)
            return  # only news leads back to it
        idle = time.monotonic() - self._active[name]
        wait = min(max(SOONEST, idle / SHARE), LATEST)
        if (moment := self.round.next_moment(ident)) is not None:
            wait = min(wait, max(0.0, moment - now()))
        self._push(name, wait)

    def _mail(self) -> None:
        if not self.lease.is_sure:
            self._wait(SOONEST)
            return
        self._letters.clear()
        if self.round.collect():
            for name in self._idents.copy():
                self._push(name, 0.0)
        if self.lease.is_sure:
            self.round.deliver()
        self._letters.wait(MAIL_EVERY)

    def _wait(self, seconds: float) -> None:
        with self._news:
            self._news.wait_for(lambda: self._stopped, seconds)
