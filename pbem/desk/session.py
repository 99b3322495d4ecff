"""A person and a game: folder, keys, roles, what they may see or make, what this machine saw."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar, cast

from engine import Illegal, Misfit
from engine.values import Value
from pbem.desk.base import is_typed, now, say
from pbem.desk.base import now as clock
from pbem.errors import BUG, KEY, NOT_YET, STALE, CliError, PbemError
from pbem.files.disk import FileError, StorageError, read_file
from pbem.files.folder import Listing, Name, Place, place_of, turn_path
from pbem.files.home import Home, Mine, Signed
from pbem.format.canonical import RecordError
from pbem.format.keys import Secrets, SigningKey, is_encrypted, public_of_file, read_key, write_key
from pbem.format.signed_file import split
from pbem.judge.archive import (
    Archive,
    NoGameError,
    are_unchanged,
    files_of,
    open_folder,
    rank_of_file,
)
from pbem.judge.deputy import RefereeSecrets
from pbem.judge.record_files import file_name
from pbem.judge.view import View, view_from_data, view_of
from pbem.records.charter import Charter, Join, is_let_in
from pbem.records.limits import MAX_DOOR_JOINS
from pbem.records.notice import Notice
from pbem.records.policies import DAY
from pbem.records.press import REFEREE
from pbem.records.read_record import Record, read
from pbem.records.turn import Turn
from pbem.records.words import first_head, words_of
from pbem.screen.terminal import brief, clean, typed
from pbem.text.dates import local_date, span

if TYPE_CHECKING:
    from pbem.judge.chain import Chain
    from pbem.judge.order_fates import OpenQuestions
    from pbem.judge.seat_reader import SeatReader
    from pbem.judge.table_reader import TableReader
    from pbem.judge.turn_inputs import AdvanceOptions, Outcome, Remembered
    from pbem.judge.turn_maker import Progress

# ---- The game in a folder, and the roles that your keys give you in it


class Roles(Value):
    """The roles of one person in a game: the referee, or a player in some seats, or both."""

    referee: str
    """The profile whose key makes the turns now."""
    deputy: str
    """The profile of the deputy, if you are the deputy and do not make the turns yet."""
    seats: Mapping[str, str]
    """Your seats, each with the profile whose key plays it; for held seats, the referee's."""
    held: frozenset[str]
    """Held seats: those that you play because you are the referee."""
    mail: frozenset[str]
    """Seats whose players answer by plain email, and whose keys you have as the referee. They are
    not in `seats`, because you do not play them."""


AnyReader = TypeVar("AnyReader", bound="TableReader")
P = ParamSpec("P")


class Session:
    """One run of a command: a person, the game in a folder as it was when it was read, and what
    this person may see of it."""

    def __init__(
        self,
        folder: str | Place | None = None,
        seat: str | None = None,
        passphrase_file: Path | None = None,
        home: Home | None = None,
        keyring: Keyring | None = None,
    ) -> None:
        self.keyring = keyring or Keyring(home or Home.find(), passphrase_file)
        self.place = chosen_place(folder)
        if (lesson := self.keyring.home.lesson_at(self.place)) is not None:
            self.keyring = Keyring(lesson)
        self.home = self.keyring.home
        self.folder = self.home.folder(self.place)
        self.wish = (seat or os.environ.get("PBEM_AS", "")).lower()
        """The seat named by `--as` or PBEM_AS, if any."""
        self.public_reader: TableReader | None = None
        self.seat_readers: dict[str, SeatReader] = {}
        self.refereeing = Refereeing(self)
        self.order_notes: list[str] = []
        """Notes on your last sealed orders that were missing or do not count, since the last view
        was made."""
        self.use_checkpoints = True
        """Whether checkpoints may be used; if not, every file is read and hashed again."""

    def refresh(self) -> None:
        """Read the folder again after something was written or time has passed; readers and the
        turn maker continue where they stopped."""
        for name in ("names", "game_folder", "mine", "roles"):
            vars(self).pop(name, None)
        self.refereeing = Refereeing(self, self.refereeing.progress)

    @cached_property
    def names(self) -> Listing:
        """The names of the files in the folder; their contents are not read."""
        return self.folder.scan()

    @property
    def listing(self) -> Listing:
        """The files of the folder; a turn file counts only if the referee signed it."""
        return self.game_folder.listing if self.names.charter else self.names

    @property
    def gaps(self) -> list[int]:
        """The numbers of turns that are missing although a later turn is here."""
        # if no file name is missing, no signed turn is: no file has to be opened
        return self.listing.gaps if self.names.gaps else []

    @cached_property
    def game_folder(self) -> Archive:
        """The game in the folder; each file is checked when it is read. Raises NoGameError,
        FileError."""
        try:
            game_folder = open_folder(self.folder, self.names)
        except NoGameError as error:
            error.hint = self._only_game()
            raise
        self.home.check_outside(self.folder.place)  # other people see only the game folder
        return game_folder

    def _only_game(self) -> str:
        games = self.home.games()
        if self.place != Path.cwd() or len(games) != 1:
            return ""
        place = self.home.game(games[0]).place
        there = isinstance(place, Path) and place.is_dir()
        return f"cd {typed(str(place))}, where your game is" if there else ""

    @property
    def charter(self) -> Charter:
        """What the charter says. Raises NoGameError, FileError."""
        return self.game_folder.charter.content

    @cached_property
    def mine(self) -> Mine:
        """The private files of this game in your home."""
        return self.home.game(self.game_folder.game.hex())

    def draft_of(self, view: View) -> Path:
        """Return the path of the draft for a view's turn and seat; the folder is not read."""
        return self.home.game(view.game).draft(view.turn, view.seat)

    @cached_property
    def roles(self) -> Roles:
        """Your roles in this game, found from your public keys, so no passphrase is needed."""
        charter, profiles = self.charter, dict[bytes, str]()
        for profile, public in self.keyring.publics.items():
            profiles.setdefault(public, profile)
        since = self.game_folder.deputy_since
        referee = profiles.get(charter.deputy_key if since else charter.key, "")
        deputy = "" if since else profiles.get(charter.deputy_key, "")
        held = frozenset(charter.plays if referee else ())
        keys = self.seat_keys()
        seats = dict.fromkeys(sorted(held), referee)
        seats |= {seat: profiles[key] for seat, key in keys.items() if key in profiles}
        mail = frozenset(charter.by_mail if referee else ())
        if mail and self.listing.reached:
            mail = self.game_folder.standing.by_mail
        return Roles(referee, deputy, seats, held, mail)

    @property
    def roster(self) -> Mapping[str, Join]:
        """The join of each seat whose file is here, with the keys that count now."""
        try:
            return self.game_folder.standing.roster
        except RecordError:
            joins, named = self.game_folder.joins(), (self.first_joins or {}).items()
            return {seat: joins[i].content for seat, i in named if i in joins}

    @property
    def first_joins(self) -> Mapping[str, bytes] | None:
        """The id of the join of each seat that turn 1 names; None if it is not here."""
        first = next(self.game_folder.turns(), None)
        return (first.content.joins or {}) if first else None

    @property
    def joined(self) -> set[str]:
        """The seats for which somebody's join is in the folder."""
        return {join.content.seat for join in self.game_folder.joins().values()}

    def since(self, seat: str) -> int:
        """Return the number of the first turn in which the keys of a seat count."""
        return self.game_folder.standing.keys_valid_from.get(seat, 1)

    def seat_keys(self) -> Mapping[str, bytes]:
        """Return the public key of each seat now; before turn 1, the key in your join."""
        joins = self.game_folder.joins()
        if self.listing.reached:
            return {seat: join.key for seat, join in self.roster.items()}
        mine = set(self.keyring.publics.values())
        return {
            record.content.seat: record.content.key
            for record in joins.values()
            if record.content.key in mine
        }

    def name_of(self, seat: str) -> str:
        """Return the player's name, from the join that counts; before turn 1 from the charter."""
        if seat in self.roster:
            return self.roster[seat].name
        plans = self.charter.seats
        return next((plan.name for plan in plans if plan.seat == seat), "")

    # -------------------------------------------------------------- which seat you mean
    @property
    def seat(self) -> str:
        """The seat that you mean: `--as`, PBEM_AS, or your only seat; empty for a spectator.

        Raises CliError if you have several and name none, or name a seat that is not yours.
        """
        roles = self.roles
        mine = sorted(roles.seats.keys() - self.charter.bots.keys())
        if self.wish and self.wish not in roles.seats.keys() | roles.mail:
            raise not_yours(self, self.wish, mine)
        if not self.wish and len(mine) > 1:
            named = ", ".join(f"--as {seat}" for seat in mine)
            raise CliError(f"you have {len(mine)} seats here", f"say which: {named}")
        return self.wish or next(iter(mine), "")

    def need_seat(self) -> str:
        """Return the seat that you mean. Without one, raises a CliError that says how to get a
        seat."""
        if seat := self.seat:
            return seat
        if self.roles.referee:
            raise CliError("you are the referee here and have no seat", "pbem advance", KEY)
        if seats := lost_seats(self):
            raise CliError(_missing(self, seats), bring_back(self), KEY)
        if not self.listing.reached:
            hint = "pbem join --invite …, with the invite that the referee sent you"
            raise CliError("you have no seat in this game", hint, KEY)
        hint = "" if has_handed_over(self) else bring_back(self)
        raise CliError(watching(self).partition("; ")[0], hint, KEY)

    # -------------------------------------------------------------- your keys in this game
    def seat_key(self, seat: str) -> SigningKey:
        """Return the signing key of one of your seats."""
        if seat not in self.roles.held | self.roles.mail:
            return self.keyring.key(self.roles.seats[seat])
        key = self.keyring.key(self.roles.referee)
        return SigningKey(Secrets(key.seed).held_seat(self.game_folder.game, seat))

    def public_of(self, seat: str) -> bytes:
        """Return the public key of one of your seats."""
        if seat in self.roles.held | self.roles.mail:
            return self.seat_key(seat).public
        return self.keyring.publics[self.roles.seats[seat]]

    def referee_key(self) -> SigningKey:
        """Return the key of the referee, or of the deputy. Raises CliError for anybody else."""
        if profile := self.roles.deputy or self.roles.referee:
            return self.keyring.key(profile)
        if lost_referee(self):
            raise CliError(NO_TURNS, bring_back(self), KEY)
        maker, since = self.game_folder.maker(), self.game_folder.deputy_since
        name, told = clean(maker.name), f"only {clean(maker.called)}, can do that"
        if since:
            told += f": {name} makes the turns since turn {since}"
        plays = self.roles.seats or has_handed_over(self)
        raise CliError(told, "" if plays else f"if you are {name}: {bring_back(self)}", KEY)

    # -------------------------------------------------------------- readers
    def table_reader(self) -> TableReader:
        """Return a reader for the public part of the game."""
        from pbem.judge.table_reader import TableReader

        reader, self.public_reader = self.public_reader, None
        new = partial(TableReader, self.game_folder.charter)
        self.public_reader = self._caught_up(reader, SPECTATOR, b"", new)
        return self.public_reader

    def reader(self, seat: str) -> SeatReader:
        """Return a reader that also opens what is sealed for one of your seats."""
        from pbem.judge.seat_reader import SeatReader

        reader, key = self.seat_readers.pop(seat, None), self.seat_key(seat)
        new = partial(SeatReader, self.game_folder.charter, seat, key.seed, self.since(seat))
        self.seat_readers[seat] = self._caught_up(reader, seat, key.public, new)
        return self.seat_readers[seat]

    def _caught_up(
        self, reader: AnyReader | None, who: str, key: bytes, new: Callable[[], AnyReader]
    ) -> AnyReader:
        """Return the reader after it has read all turns; without one, older turns come from its
        checkpoint. A reader that stopped halfway cannot be used again."""
        if reader is not None:
            self._catch_up(reader)
            return reader
        store = CheckpointStore(self)
        reader = store.resume_reader(who, key, new) if self.use_checkpoints else None
        reader = reader or new()
        known = reader.chain.turn
        self._catch_up(reader)
        if reader.chain.turn > known:
            store.keep_reader(who, key, reader)
        return reader

    def reader_now(self, seat: str) -> SeatReader:
        """Return a seat's reader; for a seat that the referee plays, it has also read the turn that
        waits for the seat."""
        reader = self.reader(seat)
        held = seat in self.roles.held
        preview = self.refereeing.outlook.preview if held else None
        if preview is None:
            return reader
        self._read_ahead(reader, preview, self.refereeing.outlook.notices)
        self.seat_readers.pop(seat)  # the preview is not a turn of the chain
        reader.preview = True
        return reader

    def _read_ahead(
        self,
        reader: TableReader,
        turn: Record[Turn],
        notices: Sequence[tuple[Name, Record[Notice]]],
    ) -> None:
        game_folder = self.game_folder
        new = {record.id: record for _, record in notices}

        def find_notice(wanted: bytes) -> Record[Notice]:
            return new.get(wanted) or game_folder.find_notice(wanted)

        reader.absorb(turn, game_folder.finder()._replace(notice=find_notice))

    def check_new(self, outcome: Outcome) -> TableReader | None:
        """Check a turn that is not written yet as everybody will check it.

        Return a reader that has read it; None if there is no new turn. Raises CliError if others
        would refuse the turn, and what `table_reader` raises.
        """
        made = [cast("Record[Turn]", one) for name, one in outcome.write if name.kind == "turn"]
        if not made:
            return None
        reader, self.public_reader = self.table_reader(), None
        try:
            self._read_ahead(reader, made[0], outcome.notices)
        except RecordError as error:
            told = f"everybody would refuse turn {made[0].content.turn}, so it was not written: "
            told += error.sentence
            hint = "this is a mistake in pbem: report it with a copy of the game folder"
            raise CliError(told, hint, BUG) from None
        return reader

    def _catch_up(self, reader: TableReader) -> None:
        game_folder = self.game_folder
        find = game_folder.finder(reader.chain.may_sign_orders)
        for turn in game_folder.turns(reader.chain.turn):
            try:
                game_folder.joins_of(turn.content)
                reader.absorb(turn, find)
            except FileError:
                raise
            except RecordError as error:
                number, why = turn.content.turn, error.sentence
                if error.reason not in ("version", "parent"):
                    name = game_folder.maker(number).name
                    why += f"; {name} signed this turn: ask {name}, and see pbem audit"
                raise FileError(error.reason, turn_path(number), why) from None
        check_seen(self.mine, game_folder, reader.chain.heads)

    # -------------------------------------------------------------- views
    def view(self, fresh: bool = False) -> View:
        """Return your view: from the cache if no file has changed and `fresh` is false, else read
        again."""
        cache = ViewCache(self)
        view = None if fresh else cache.view()
        if view is None:  # a cached one was made from this folder, so the place is remembered
            self.mine.remember_place(self.place)
            self.need_turn()
            view = self.fresh_view(self.seat)
            cache.keep(view)
        if not self._last_orders_come_first(view):
            self.look_after_orders(view.open_questions)
        return view

    def _last_orders_come_first(self, view: View) -> bool:
        """Return whether the last orders of each seat that were sealed here are in the folder, and
        no file ranks before them; nothing is verified, which would take longer than all else."""
        last = self.home.game(view.game).last_orders
        for name in last.names():
            files = [found for found in self.names.orders if found.name.seat == name.seat]
            first = min(files, key=rank_of_file, default=None)
            if first is None or first.name != name:
                return False
            try:
                if self.folder.read(first) != last.file(name.seat):
                    return False
            except PbemError:  # it is damaged
                return False
        return True

    def look_after_orders(
        self, questions: OpenQuestions | None, tell: Callable[[str], None] | None = None
    ) -> None:
        """Put your last orders for the open questions back if their file is missing, and print a
        note, once in a run, on those that were missing or do not count; with `tell`, give it each
        note instead."""
        roles, mine = self.roles, self.mine
        seats = [s for s in roles.seats.keys() - roles.held if mine.last_orders.name(s)]
        if not seats:
            return
        from pbem.desk.last_orders import look_after_orders

        keys = {seat: self.public_of(seat) for seat in seats}
        self.order_notes = look_after_orders(self.game_folder, mine, keys, questions)
        for note in self.order_notes:
            if tell:
                tell(note)
            elif note not in self.keyring.printed_notes:
                self.keyring.printed_notes.add(note)
                say(f"note: {note}")
        if self.order_notes:  # a file may be here again
            for name in ("names", "game_folder"):
                vars(self).pop(name, None)

    def fresh_view(self, seat: str) -> View:
        """Read and check the game; return the view of one seat (empty: of a spectator).

        A seat that the referee plays also sees the turn that waits for its answer.
        """
        reader = self.reader(seat) if seat else self.table_reader()
        self.mine.remember_place(self.place)
        noted(self.mine.sightings.look, reader.chain.times, now())
        if seat not in self.roles.held:
            return view_of(reader)
        view = view_of(self.reader_now(seat))
        view.preview_seats = list(self.refereeing.outlook.preview_seats) if view.preview else []
        return view

    def need_turn(self) -> None:
        """Raise CliError if turn 1 is not published, unless it already asks a seat that the referee
        plays.

        Raises FileError if a turn has not arrived, is gone, or is damaged.
        """
        if self.game_folder.listing.gaps[:1] == [1]:
            told = "is missing, but later turns are here; get it first: pbem doctor says how"
            raise FileError("parent", turn_path(1), told)
        check_damage(self.mine, self.game_folder)
        self.need_last_made()
        if self.listing.reached or (self.roles.held and self.refereeing.outlook.preview):
            return
        need_seen(self)
        told = "the game has not begun: there is no turn 1 yet"
        if self.roles.referee:
            raise CliError(f"{told}; you are the one who makes it", "pbem advance", NOT_YET)
        raise CliError(told, "pbem status", NOT_YET)

    def need_last_made(self) -> None:
        """Raise FileError if the last turn made on this machine is gone, as in a half-synced
        folder."""
        last = self.mine.signed.last_record() if self.roles.referee else None
        if last and last.path.startswith("turns/") and last_is_gone(self.listing, last):
            told = "is missing here, and this machine made it; pbem advance puts it back, byte for "
            raise FileError("parent", last.path, f"{told}byte")


# ---- Keep views from one command to the next, as long as no file changes
#
# A file has changed if its size, times or inode have. `submit`, `advance` and `audit` never use
# the cache. Deleting the cache only costs time.

VIEW_PURPOSE = "view-8"
IDS = "ids-1"
"""The purpose of the cache of the games' ids, by the paths of their charters."""


class ViewCache:
    """The saved views of the game in a folder; they stay valid until the folder changes."""

    def __init__(self, here: Session) -> None:
        self.here, self.names = here, here.names
        charter = here.names.charter
        self._charter = f"{here.place}/{charter.path}" if charter else ""

    def keep(self, view: View) -> None:
        """Save a view, with the size, times and inode of all files that it was made from."""
        here, charter = self.here, self.names.charter
        if view.preview or not self.names.turns or charter is None:
            return  # a preview changes with every order that arrives
        last = self.names.turns[-1]
        cache = here.home.game(view.game).cache(VIEW_PURPOSE)
        kept = cache.get(last.path, last.mark)
        if not kept or not self._fits(kept):
            kept = {**self._made_from(), "views": {}}
        kept["views"][view.seat] = view.to_data()
        kept["seats"] = sorted(set(here.roles.seats) - here.roles.held)
        kept["referee"] = here.roles.referee
        cache.store(last.path, last.mark, kept)
        cache.save([last.path])
        # the game's id too: to compute it takes longer than to read the view
        ids = here.home.cache(IDS)
        ids.store(self._charter, charter.mark, view.game)
        ids.save()

    def view(self) -> View | None:
        """Return the saved view of the seat that you mean; None if anything has changed since."""
        home, charter, wish = self.here.home, self.names.charter, self.here.wish
        game = charter and home.cache(IDS).get(self._charter, charter.mark)
        if not game or not self.names.turns:
            return None
        last = self.names.turns[-1]
        kept = home.game(game).cache(VIEW_PURPOSE).get(last.path, last.mark)
        if not kept or not self._fits(kept):
            return None
        seats = kept.get("seats", [])
        # views of seats that the referee plays are not saved: they may change without a new turn
        if (kept.get("referee") and not seats) or (wish not in seats if wish else len(seats) > 1):
            return None
        plain = kept.get("views", {}).get(wish or next(iter(seats), ""))
        return view_from_data(plain) if plain else None

    def _fits(self, kept: dict[str, Any]) -> bool:
        made_from = self._made_from()
        return {name: kept.get(name) for name in made_from} == made_from

    def _made_from(self) -> dict[str, Any]:
        names = self.names
        files = [*([names.charter] if names.charter else []), *names.joins, *names.turns]
        marks = {file.path: list(file.mark) for file in files}
        return {"marks": marks, "who": self.here.home.profiles(), "place": str(self.here.place)}


# ---- Your keys, one for each profile; a key is read only when it is needed

DEFAULT = "default"
Ask = Callable[[str], "bytes | None"]
"""A function that asks for the passphrase of a profile's key; it gives None if nobody is there."""


def ask_on_terminal(profile: str) -> bytes | None:
    """Ask for a passphrase on the terminal; None if there is no terminal.

    Raises CliError for bytes that are not text on this terminal.
    """
    if not sys.stdin.isatty():
        return None
    from getpass import getpass

    try:
        return getpass(f"passphrase of the key of {profile}: ").encode(errors="surrogateescape")
    except UnicodeDecodeError:
        hint = "put the passphrase into a file, and add --passphrase-file FILE"
        raise CliError("a character of the passphrase is not UTF-8", hint, KEY) from None


class Keyring:
    """The keys of one home; a passphrase is asked for only once in a run."""

    def __init__(
        self, home: Home, passphrase_file: Path | None = None, ask: Ask = ask_on_terminal
    ) -> None:
        self.home = home
        self._ask = ask
        self._passphrase_file = passphrase_file
        self._keys: dict[str, SigningKey] = {}
        self.printed_notes = set[str]()
        """Notes on last orders that this run has printed, so that it prints each only once."""

    @cached_property
    def publics(self) -> dict[str, bytes]:
        """The public key of each of your profiles; no passphrase is asked for."""
        publics = {}
        for profile in self.home.profiles():
            with self._key_file(profile) as data:
                publics[profile] = public_of_file(data)
        return publics

    def key(self, profile: str) -> SigningKey:
        """Return the key of a profile. If the key has a passphrase, asks for it on a terminal."""
        if profile not in self._keys:
            with self._key_file(profile) as data:
                passphrase = None
                if is_encrypted(data) and self._passphrase_file is not None:
                    passphrase = read_file(self._passphrase_file.absolute()).rstrip(b"\r\n")
                elif is_encrypted(data):
                    passphrase = self._ask(profile)
                self._keys[profile] = read_key(data, passphrase)
        return self._keys[profile]

    @contextmanager
    def not_asking(self) -> Iterator[None]:
        """In the block, do not ask for passphrases: a key that needs one cannot be read."""
        asking, self._ask = self._ask, lambda profile: None
        try:
            yield
        finally:
            self._ask = asking

    def path(self, profile: str) -> Path:
        """Return the file of a profile's key. Raises CliError for a name that no profile has."""
        try:
            return self.home.key_path(profile)
        except ValueError as error:
            raise CliError(str(error)) from None

    def key_or_new(self, profile: str) -> SigningKey:
        """Return the key of a profile; for `default`, a new key is made if there is none.

        Raises CliError for any other profile that has no key.
        """
        self.path(profile)
        if profile in self.home.profiles():
            return self.key(profile)
        if profile != DEFAULT:
            hint = f"pbem keys new --profile {profile}"
            raise CliError(f"you have no profile called {profile}", hint, KEY)
        return self.make(profile)

    def make(self, profile: str) -> SigningKey:
        """Make a new key for a profile and write it to the home."""
        import secrets

        key = SigningKey(secrets.token_bytes(32))
        self.keep(profile, key)
        return key

    def keep(self, profile: str, key: SigningKey) -> None:
        """Write a key to the home, for a profile that has none. Raises TakenError."""
        self.home.write_key(profile, write_key(key))
        vars(self).pop("publics", None)

    @contextmanager
    def _key_file(self, profile: str) -> Iterator[bytes]:
        try:
            yield self.home.read_key(profile)
        except FileError:
            raise
        except RecordError as error:
            where = self.home.key_path(profile)
            raise FileError(error.reason, where, error.sentence) from None


# ---- Find out which keys are missing on this computer, and what you can still do

NO_TURNS = (
    "the referee's key is missing: you made turns with it on this computer, and no profile has it "
    "now"
)


def lost_seats(here: Session) -> list[str]:
    """Return the seats that were joined or played on this computer with a key that no profile has
    now."""
    ids = here.mine.receipts.times().keys()
    if not ids:
        return []
    sealed = {ident[:6] for ident in ids}
    seats = {order.name.seat for order in here.listing.orders if order.name.digits in sealed}
    joins, first = here.game_folder.joins(), here.first_joins
    taken = {*joins} if first is None else set(first.values())
    seats |= {joins[i].content.seat for i in taken & joins.keys() if i.hex() in ids}
    # one of your keys may have joined a seat without getting it
    mine = set(here.keyring.publics.values())
    seats -= {join.content.seat for join in joins.values() if join.content.key in mine}
    # the player who has a seat by mail now has the key
    return sorted(seats - here.roles.seats.keys() - {*here.charter.by_mail})


def lost_referee(here: Session) -> bool:
    """Return whether the key that makes the turns made some on this computer, and no profile has it
    now."""
    last = None if here.roles.referee else here.mine.signed.last_record()
    return last is not None and split(last.file).key == here.game_folder.maker().key


def import_command(here: Session) -> str:
    """Return the command that imports a key again; it uses a second name if the usual one is
    taken."""
    other = " --profile copy" if DEFAULT in here.home.profiles() else ""
    return f"pbem keys import FILE{other}"


def bring_back(here: Session) -> str:
    """Return the command that imports a key again, and what to type for FILE."""
    return f"{import_command(here)}, with your copy of the key file"


def lost_lines(here: Session) -> list[str]:
    """Return sentences on the missing keys and what you can still do; empty if no key was lost."""
    referee, lines = clean(here.game_folder.maker().name), list[str]()
    copy = f"if you have a copy of the key: {import_command(here)}"
    if seats := lost_seats(here):
        again = "without a copy, join again with your invite"
        if here.listing.reached:
            lost = at_address(here.place, f"pbem notice key --lost --as {seats[0]}")
            again = f"without a copy: {lost}"
        if not here.charter.automaton:
            again += f", and tell {referee}"
        lines += [_missing(here, seats), copy, again]
    if lost_referee(here):
        deputy = "" if here.game_folder.deputy_since else here.charter.deputy
        other = f"{clean(deputy)} can take over: tell them"
        other = other if deputy else "this game cannot go on"
        lines += [NO_TURNS, copy, f"without a copy, {other}; tell the players"]
    return lines


def _missing(here: Session, seats: Collection[str]) -> str:
    named = ", ".join(f"{seat} ({clean(here.name_of(seat))})" for seat in seats)
    one = len(seats) == 1
    keys = f"the key of seat {named} is" if one else f"the keys of seats {named} are"
    it = "it" if one else "them"
    return f"{keys} missing: you played with {it} on this computer, and no profile has {it} now"


def has_handed_over(here: Session) -> bool:
    """Return whether you are the charter's referee, and the deputy makes the turns now."""
    mine = here.charter.key in here.keyring.publics.values()
    return mine and bool(here.game_folder.deputy_since)


def watching(here: Session) -> str:
    """Return what to tell a person who can only watch, once the game has begun."""
    if has_handed_over(here):
        maker, since = clean(here.game_folder.maker().name), here.game_folder.deputy_since
        return f"{maker} makes the turns since turn {since}, so you can only watch"
    where = "for a seat in this game" if here.home.profiles() else "on this computer"
    told = f"you have no key {where}, so you can only watch"
    told = f"{told}; if you are a player here: {bring_back(here)}"
    if here.listing.final:
        return told
    return f"{told}; without a copy: {at_address(here.place, 'pbem notice key --lost --as SEAT')}"


# ------------------------------------------------------------------ errors
def not_yours(here: Session, seat: str, mine: Collection[str]) -> CliError:
    """Return the error for a `--as SEAT` that is not your seat."""
    if seat in lost_seats(here):
        return CliError(_missing(here, [seat]), bring_back(here), KEY)
    told = f"seat {seat} is not yours here"
    if mine:
        seats = "which is your seat" if len(mine) == 1 else "which are your seats"
        return CliError(told, f"{' or '.join(f'--as {one}' for one in mine)}, {seats} here")
    if here.listing.reached:
        return CliError(told, f"if it is, import its key: {bring_back(here)}")
    return CliError(told, "you have no seat here: join with the invite that the referee sent you")


def taken(here: Session, seat: str) -> CliError:
    """Return the error for somebody who wants to join after the game has begun."""
    if seat in lost_seats(here):
        hint = f"{bring_back(here)}; without a copy: pbem notice key --lost --as {seat}"
        return CliError(f"the game has begun, and {_missing(here, [seat])}", hint, STALE)
    if seat not in (here.first_joins or {}):
        return CliError("the game has begun; seats can no longer be taken", "", STALE)
    told = f"the game has begun, and {clean(here.name_of(seat))} has seat {seat}"
    hint = f"if that is you: {bring_back(here)}"
    return CliError(f"{told}; seats can no longer be taken", hint, STALE)


# ---- Check for turns that are missing in the folder, and say how to get them back


def need_seen(here: Session) -> None:
    """Raise FileError if the folder has no turn although turn 1 was seen on this machine."""
    seen = here.mine.heads.last_position()
    if seen and seen.turn:
        here.need_last_made()
        here.mine.heads.check([first_head(here.game_folder.game).hex()])


def last_is_gone(listing: Listing, last: Signed) -> bool:
    """Return whether the last record that this machine signed is missing, and can be put back.

    Raises FileError `parent` if turns before it are missing too.
    """
    here = {found.path for found in listing.records}
    missing = [n for n in range(1, last.place) if turn_path(n) not in here]
    if not missing:
        return last.path not in here
    many = len(missing) > 1
    upto, them = (f"and the turns up to {missing[-1]:04} are", "them") if many else ("is", "it")
    told = f"{upto} missing, and this machine signed {last.path} after {them}; let the folder "
    told += f"sync, or ask a player for {them} (pbem send --all)"
    raise FileError("parent", turn_path(missing[0]), told)


# ---- Compare the joins that you signed on this machine with those in the folder


def subject_of(seat: str) -> str:
    """Return the word under which the home keeps your join for a seat."""
    return f"join-{seat}"


def own_joins(here: Session) -> dict[bytes, Record[Join]]:
    """Return the joins of your keys by id: those in the folder, and those that you signed on this
    machine."""
    mine = set(here.keyring.publics.values())
    plans = here.charter.seats
    kept = [last_signed(here.mine, subject_of(plan.seat))[0] for plan in plans]
    joins = {record.id: record for record in kept if record} | here.game_folder.joins()
    return {ident: record for ident, record in joins.items() if record.content.key in mine}


def gone_joins(here: Session) -> list[Record[Join]]:
    """Return your joins whose files are no longer in the folder."""
    return [one for one in own_joins(here).values() if not _is_in_folder(here, one)]


def _is_in_folder(here: Session, record: Record[Join]) -> bool:
    """Return whether a join is here, even if seats/ has too many files for all to be read."""
    if record.id in here.game_folder.joins():
        return True
    name = file_name(record)
    return any(one.name == name for one in here.names.joins) and here.folder.has(name, record.file)


def keep_joins(here: Session) -> None:
    """As the referee, before turn 1: remember the joins that were made with invites, a few of each
    seat. If the home is read-only, nothing is noted."""
    with suppress(StorageError):
        kept = {path for path, _ in here.mine.joined.files()}
        for plan in here.charter.seats:
            for record in let_in(here, plan.seat):
                path = file_name(record).path
                room = sum(one.startswith(f"seats/{plan.seat}-") for one in kept) < MAX_DOOR_JOINS
                if path not in kept and room:
                    here.mine.joined.keep(path, record.file)
                    kept.add(path)


def let_in(here: Session, seat: str) -> list[Record[Join]]:
    """Return the joins for a seat that were made with its first invite; strangers cannot make
    any."""
    door = here.charter.doors[seat]
    joins = (r for r in here.game_folder.joins().values() if r.content.seat == seat)
    found = (record for record in joins if is_let_in(record.content, door))
    return sorted(found, key=lambda record: record.id)


def pending_joins(here: Session) -> list[Record[Join]]:
    """Return the joins made with the invites that count now, which no turn has taken in yet."""
    doors = dict(here.game_folder.doors())
    taken_in = {notice.join for _, notice in here.game_folder.take_ins()}
    return [
        record
        for record in here.game_folder.joins().values()
        if is_let_in(record.content, doors.get(record.content.seat, b""))
        and record.id not in taken_in
    ]


def join_of_key(here: Session, key: bytes) -> Join | None:
    """Return the join that gives this key its seat now, or will do so in the next turn."""
    seated = here.roster.values() if here.listing.reached else ()
    joins = [*seated, *(record.content for record in pending_joins(here))]
    return next((join for join in joins if join.key == key), None)


def own_seat(here: Session) -> Join | None:
    """Return the join that gives one of your keys a seat; None if none does."""
    found = (join_of_key(here, key) for key in here.keyring.publics.values())
    return next((join for join in found if join), None)


def words_line(record: Record[Join]) -> str:
    """Return the six digits and the twelve words of a join: by phone, only the words prove that two
    people mean the same join."""
    return f"join {record.id.hex()[:6]}  {' '.join(words_of(record.id))}"


def join_warnings(here: Session) -> list[str]:
    """Return a sentence for each of your joins that is gone or has a rival, before turn 1; and for
    each that was not accepted, from turn 1 on. The referee gets none."""
    if here.roles.referee:
        return []
    return _not_accepted(here) if here.listing.reached else _in_danger(here)


def _in_danger(here: Session) -> list[str]:
    lines, referee = [], clean(here.charter.referee)
    mine = set(here.keyring.publics.values())
    ask = f"phone {referee} before turn 1 is made, and read out the twelve words of your join"
    for ident, record in sorted(own_joins(here).items()):
        seat = record.content.seat
        others = [join for join in let_in(here, seat) if join.content.key not in mine]
        names = ", ".join(f"{clean(r.content.name)} ({r.id.hex()[:6]})" for r in others[:4])
        if not _is_in_folder(here, record):
            told = f"your join for seat {seat} ({ident.hex()[:6]}) is no longer in the folder"
            told += f", but with your invite somebody else joined: {names}; {ask}" * bool(others)
            lines.append(f"{told}; to put it back, type pbem join again, with the same invite")
        elif others:
            lines.append(f"somebody else joined seat {seat} with your invite: {names}; {ask}")
    return lines


def _not_accepted(here: Session) -> list[str]:
    lines, accepted = [], set((here.first_joins or {}).values())
    accepted |= {said.join for _, said in here.game_folder.take_ins()}
    referee, publics = clean(here.charter.referee), here.keyring.publics
    seats = {publics[profile]: seat for seat, profile in here.roles.seats.items()}
    for ident, record in sorted(own_joins(here).items()):
        seat = record.content.seat
        if seat in here.roles.seats or ident in accepted:
            continue
        if _may_still_count(here, record):
            told = f"you have joined seat {seat} ({ident.hex()[:6]}): it is yours from the next"
            lines.append(f"{told} turn on, which {referee} makes")
            continue
        name = here.name_of(seat) if seat in here.roster else ""
        who = f"{clean(name)} has that seat" if name else "the game began without that seat"
        if has := seats.get(record.content.key):
            who = f"its key has seat {has} already, and a key can have only one seat"
        gone = "" if _is_in_folder(here, record) else "; somebody took it out of the folder"
        told = f"your join for seat {seat} ({ident.hex()[:6]}) was not accepted: {who}{gone}"
        words = " ".join(words_of(ident))
        ask = f"; phone {referee} and ask why; the twelve words of your join are: {words}"
        lines.append(told if here.roles.seats else f"{told}{ask}")
    return lines


def _may_still_count(here: Session, record: Record[Join]) -> bool:
    """Whether a join is the only one with the last invite for a seat whose player is gone: then it
    waits for the turn that takes it in."""
    door = dict(here.game_folder.doors()).get(record.content.seat, b"")
    joins = here.game_folder.joins().values()
    return [one.id for one in joins if is_let_in(one.content, door)] == [record.id]


# ---- Note what this machine saw, signed and sealed, and when


def noted(note: Callable[P, object], *what: P.args, **named: P.kwargs) -> None:
    """Note something in the home; nothing is noted if the home is read-only."""
    with suppress(StorageError):
        note(*what, **named)


def last_signed(mine: Mine, subject: str) -> tuple[Record[Any] | None, bool]:
    """Return the last notice, message or join on a subject that was signed on this machine, and
    whether the user was told that it is done. Raises StorageError."""
    act = mine.acts.last_act(subject)
    try:
        return (read(act.file), act.reported) if act else (None, False)
    except RecordError:
        return None, False  # a damaged copy is worth nothing


def note_heads(mine: Mine, heads: Sequence[bytes]) -> None:
    """Remember the last of these heads if they continue those seen here before.

    If they do not, or the home is read-only, nothing is noted: the commands that play the game say
    what is wrong.
    """
    with suppress(FileError, StorageError):
        mine.heads.remember([head.hex() for head in heads])


def check_seen(mine: Mine, game_folder: Archive, heads: Sequence[bytes]) -> None:
    """Check that the turns in the folder continue those seen here before, and remember the last
    one. Raises FileError, StorageError."""
    try:
        mine.heads.remember([head.hex() for head in heads])
    except FileError:
        check_damage(mine, game_folder)
        # the chain of heads stops where a turn is missing
        if game_folder.listing.gaps[:1] == [len(heads)]:
            told = "is missing, but later turns are here; let the folder sync, or ask another "
            told += "player for it (pbem send --all)"
            raise FileError("parent", turn_path(len(heads)), told) from None
        raise


def check_damage(mine: Mine, game_folder: Archive) -> None:
    """Raise FileError if a turn that was seen on this machine before is damaged now.

    Without this check, somebody could play on from an older turn.
    """
    seen = mine.heads.last_position()
    for found in game_folder.stray_files[:1]:
        if seen and found.name.turn <= seen.turn:
            fault = game_folder.stray_fault(found)
            told = f"{fault.sentence.partition('; pbem advance')[0]}; turn {seen.turn} was seen"
            told += " here before: get it from another player (pbem send --all)"
            raise FileError(fault.reason, fault.path, told) from None


# ---- The game folder of a command: as typed, PBEM_FOLDER, or the current one


def chosen_place(folder: str | Place | None) -> Place:
    """Return the folder of a command: as typed, else from the environment, else the current folder.

    Raises StorageError for an address that no game folder can have.
    """
    return named_place(folder) or place_of(".")


def named_place(folder: str | Place | None) -> Place | None:
    """Return the folder that was typed or is in the environment; None if nobody named one."""
    named = folder or os.environ.get("PBEM_FOLDER")
    return place_of(named) if named else None


def command_at(place: Place, command: str) -> str:
    """Return a command line that runs the command in a game folder, wherever the user is."""
    if not isinstance(place, Path):
        return at_address(place, command)
    where = brief(place)
    there = f'"{place}"' if " " in where else where
    return command if where == "." else f"cd {there} && {command}"


_COMMAND = re.compile(
    r"\bpbem (?:advance|audit|check|join|orders|play|send|show|since|status|submit|"
    r"notice key --lost --as \w+)\b(?! -C)"
)


def at_address(place: Place, text: str) -> str:
    """Return a text in which each command names the game's address, so that it can be copied.

    Nothing is added for a folder, in which people stand, or if PBEM_FOLDER has the address.
    """
    if isinstance(place, Path) or os.environ.get("PBEM_FOLDER") == str(place):
        return text
    return _COMMAND.sub(lambda m: f"{m[0]} -C {place}", text)


# ---- Say what you must still mail, to which player, and with which command

SEND = "pbem send, then mail the referee the file that it wrote"
RUN = (
    "pbem run --once sends it to the referee; if pbem run is already running, you do not need to "
    "do anything"
)


def mail_hint(session: Session) -> None:
    """Print what `hint_lines` says."""
    for line in hint_lines(session):
        say(line)


def hint_lines(session: Session) -> list[str]:
    """Tell the referee what to type for each player who plays by mail or gets plain emails."""
    by_mail = [seat for seat in seats_by_mail(session) if not runs_post(session, seat)]
    told = [f"seat {seat} plays by mail: pbem send --to {seat}" for seat in by_mail]
    return told + unwritten_letters(session)


def unwritten_letters(session: Session) -> list[str]:
    """Return a line for each player by plain email whose email about the last turn is not written
    yet."""
    from pbem.mail.sending import SentMail

    if not session.roles.mail or not session.listing.reached:
        return []
    last = session.game_folder.turn(session.listing.turns[-1])
    asked = {one.seat for one in last.content.awaited}
    book = SentMail(session.mine)
    how = "pbem run sends it" if runs_post(session) else "pbem send"
    due = session.roles.mail if last.content.over else asked & session.roles.mail
    return [
        f"the email to {clean(session.name_of(seat))} about turn {last.content.turn} has "
        f"not been written yet: {how}"
        for seat in sorted(due)
        if not book.was_sent(seat, last.id)
    ]


def seats_by_mail(session: Session) -> list[str]:
    """Return the seats that are known to play by mail."""
    from pbem.mail.sending import SentMail, sitting

    found = SentMail(session.mine).by_mail(sitting(session.game_folder))
    return [seat for seat in found if seat not in session.roles.mail]


def sending_hint(session: Session) -> bool:
    """If the player sends orders by mail, print the next step; return whether they do."""
    how = _how_to_send(session)
    if how:
        print(f"next: {how}")
    return bool(how)


LOOKED_AT: Final = 12
"""In how many turns we look for orders that were taken without mail."""


def _how_to_send(session: Session) -> str:
    """Say how to mail orders; empty if the referee sees the folder, as turns show that took orders
    which were never mailed, even if you typed `pbem send` once."""
    from pbem.mail.sending import SentMail

    if runs_post(session, REFEREE):
        return RUN
    book, seats = SentMail(session.mine), session.roles.seats
    if not book.with_referee:
        return ""
    for found in reversed(session.listing.turns[-LOOKED_AT:] if book.only_sent(REFEREE) else ()):
        used = session.game_folder.turn(found).content.orders
        mine = [one.id for one in used if one.seat in seats and one.status == "accepted"]
        if mine:
            return SEND if any(book.was_sent(REFEREE, ident) for ident in mine) else ""
    return SEND


def runs_post(session: Session, who: str = "") -> bool:
    """Return whether `pbem run` can send mail from this home, and the home has this person's
    address."""
    from pbem.mail.sending import ACCOUNT, People, mailboxes

    can_send = any(mailboxes(session.home).glob(f"*/{ACCOUNT}"))
    return can_send and (not who or who in People(session.mine).addresses)


def unsent(session: Session, seat: str, since: int = 0) -> str:
    """Say how to mail what is sealed but not sent; empty if nothing must be sent.

    Of orders, that is the set that can count for the next turn: it answers turn `since`, which
    asked the open questions, or a later one. Before turn 1 it is the join.
    """
    from pbem.mail.sending import SentMail

    how = "" if session.roles.referee else _how_to_send(session)
    if not how:
        return ""
    listing, last, book = session.listing, session.listing.reached, SentMail(session.mine)
    here = (one for one in listing.orders if one.name.seat == seat and one.name.turn >= since)
    mine = sorted(here, key=rank_of_file)[:1]
    if not last:
        mine = [one for one in listing.joins if one.name.seat == seat]
    mine += [one for one in listing.press if one.name.seat == seat and one.name.turn >= last]
    return "" if all(book.was_sent_as(REFEREE, one.name.digits) for one in mine) else how


# ---- Work out what `advance` would do with the game; nothing is written

FAR: Final = 14 * DAY
"""By how many seconds a turn's date may differ from the clock, and from everything else here."""
ALL_THE_SAME: Final = "to go on all the same: pbem advance --time-is-right"


class Refereeing:
    """The referee's view of the next turn, as the folder was when it was read."""

    def __init__(self, here: Session, progress: Progress | None = None) -> None:
        self.here = here
        self.progress = progress
        """What the last `advance` in this process knew, so that the next one need not start
        again."""
        self.heads: list[bytes] = []
        """The heads after all turns, with those of the turns that the last `advance` made."""

    @cached_property
    def outlook(self) -> Outcome:
        """What `advance` would do now; computed only once."""
        self.here.need_last_made()
        outcome = self.advance()
        if outcome.write:
            self.progress = None  # these records were not written: the next run makes them again
        return outcome

    def advance(self, wishes: AdvanceOptions | None = None, now: int | None = None) -> Outcome:
        """Return what `advance` would do at a time (default: now); see pbem.judge.turn_maker.

        Before turn 1, the wishes that earlier runs saved count too; see keep_wishes.
        """
        from pbem.judge.next_turn import Advance, secrets_of

        moment = clock() if now is None else now
        here = self.here
        key = here.referee_key()
        if not here.listing.reached:
            wishes = wishes_of(here.mine, wishes)
        store, before = CheckpointStore(here), self.progress
        if before is None and here.names.turns:
            before = store.resume_progress(key.public, secrets_of(here.game_folder, key))
        keep = partial(store.keep_progress, key.public)  # where the next process finds it
        run = Advance(here.game_folder, key, moment, wishes, before, keep, self._remembered())
        self.progress = None  # a run that fails must leave no progress behind
        outcome = run.run()
        if outcome.revisable_paths and here.charter.policies.change_of_mind:
            with suppress(StorageError):  # a home that cannot keep the note
                here.mine.arrivals.look(outcome.revisable_paths, moment)
        reached = here.listing.reached
        heads = run.chain.heads[: reached + 1]  # all turns except the one that was just made
        self._remember(heads)
        made = sum(name.kind == "turn" for name, _ in outcome.write)
        self.heads = run.chain.heads[: reached + 1 + made]
        self.progress = run.progress
        return outcome

    def doubt(self, outcome: Outcome) -> CliError | None:
        """Return why a new turn seems to have a wrong date; None if it does not.

        A turn that is dated far ahead spoils the game: no later turn can have an earlier date. In a
        turn that is dated long ago, nobody has time to answer. If you typed the time, it is
        compared with the clock as well.
        """
        turn = outcome.write[0][1].content if outcome.write else None
        if not isinstance(turn, Turn):
            return None
        date, cure = turn.time, "if it is right: pbem advance --time-is-right"
        files, last = self._dates(turn)
        ahead = 0 if last or is_typed() else files[0] - now()
        if ahead > FAR:
            told = f"this computer's clock says {local_date(now())}, {span(ahead)} before"
            return CliError(f"{told} the game was made", f"set the clock; {cure}", NOT_YET)
        if not is_typed() and date > now() + FAR:
            told = f"this computer's clock says {local_date(now())}, {span(date - now())} before "
            told += f"the last turn, and no turn can have an earlier date ({local_date(date)})"
            cure = f"set the clock; if it is right, type pbem notice clock; {ALL_THE_SAME}"
            return CliError(told, cure, NOT_YET)
        others = [when for when in files if when < date + DAY]  # a later file proves nothing
        newest = max(others, default=0)
        newest = max(newest, last.time, last.deadline) if last else newest
        newest = max(newest, int(time.time())) if is_typed() else newest
        if not newest or date <= newest + FAR:  # a host tells no times of files
            return None
        what = "the time that you typed is" if is_typed() else "this computer's clock says"
        told = f"{what} {local_date(date)}, {span(date - newest)} after "
        told += "the last turn, its deadline and all that players have sent"
        told += f" ({local_date(newest)})" if not is_typed() else ", and after the clock's time"
        return CliError(told, f"set the clock; {cure}", NOT_YET)

    def _dates(self, turn: Turn) -> tuple[list[int], Turn | None]:
        """Return when the players' files that count in a new turn came here (others are anybody's
        junk), and the turn before; for turn 1, when the charter came, then the joins, and None."""
        listing, game_folder = self.here.listing, self.here.game_folder
        plays = game_folder.charter.content.plays
        names, last = [Name("charter")], None
        if turn.joins is not None:
            names += [Name("join", seat=s, digits=i.hex()[:6]) for s, i in turn.joins.items()]
        else:
            last = game_folder.turn(listing.turns[listing.reached - 1]).content
            find = game_folder.find_orders(lambda _kind, _key: True)
            good = [one for one in turn.orders if one.status in ("accepted", "replaced")]
            names = [file_name(find(one.id)) for one in good]
            signed = [one.id for one in turn.notices if one.seat]  # not by the referee
            names += [file_name(game_folder.find_notice(one)) for one in signed]
        marks = listing.marks
        files = [marks.get(name.path) for name in names if name.seat not in plays]
        return [mark.mtime_ns // 10**9 for mark in files if mark], last

    def _remember(self, heads: Sequence[bytes]) -> None:
        """Remember these heads. If your other machine made the last turn in place of this one's,
        its turn counts, and `advance` says so."""
        mine, chain = self.here.mine, [head.hex() for head in heads]
        try:
            mine.heads.remember(chain)
        except FileError:
            seen, made = mine.heads.last_position(), mine.signed.last_record()
            if not seen or not made or made.place != seen.turn or seen.turn >= len(heads):
                raise
            if read(made.file).content.prev != heads[seen.turn - 1]:
                raise
            mine.heads.remember_instead(chain)

    def _remembered(self) -> Remembered:
        from pbem.judge.turn_inputs import Remembered

        here = self.here
        signed, arrivals = here.mine.signed.last_record(), dict[str, int]()
        if here.charter.policies.change_of_mind:
            with suppress(StorageError):
                arrivals = here.mine.arrivals.times()
        # then all turns that it made are here: orders on an unknown head build on no missing one
        made_last_turn = signed is not None and signed.place == here.listing.reached
        return Remembered(made_last_turn, arrivals)


# ---- Remember how the referee wants to begin a game: options that are typed only once


def wishes_of(mine: Mine, said: AdvanceOptions | None) -> AdvanceOptions:
    """Return the remembered wishes, together with those that are typed now."""
    from pbem.judge.turn_inputs import AdvanceOptions

    said = said or AdvanceOptions()
    kept = str(mine.settings().get("begin", "")).split()
    accept, refuse = ([word[1:] for word in kept if word[0] == sign] for sign in "+-")
    return AdvanceOptions(
        said.start or "start" in kept,
        {*accept} - {*said.refuse} | {*said.accept},
        {*refuse} - {*said.accept} | {*said.refuse},
        said.go_on,
    )


def exact(game_folder: Archive, wishes: AdvanceOptions) -> AdvanceOptions:
    """Return the wishes with each id completed to 16 digits. Raises CliError.

    Anybody can make a join whose id begins with the same six digits, and a remembered id must not
    match such a join later.
    """
    here = sorted(ident.hex() for ident in game_folder.joins())

    def ids(digits: Iterable[str]) -> list[str]:
        found = []
        for start in digits:
            fit = [ident for ident in here if ident.startswith(start)]
            if not fit:
                told = f"no join in seats/ begins with {start}"
                raise CliError(told, "type the six digits at the end of the join file's name")
            if len(fit) > 1:
                told = f"{len(fit)} joins begin with {start}: {', '.join(fit)}"
                raise CliError(told, "give more digits")
            found.append(fit[0][:16])
        return found

    return replace(wishes, accept=ids(wishes.accept), refuse=ids(wishes.refuse))


def keep_wishes(mine: Mine, wishes: AdvanceOptions | None, begun: bool) -> None:
    """Remember which joins were accepted and refused, and whether to begin without empty seats.

    The wish to begin without empty seats is remembered only once the game has ``begun``, because a
    referee who plays answers before turn 1 exists.
    """
    now = wishes_of(mine, wishes)
    words = [f"+{i}" for i in sorted(now.accept)] + [f"-{i}" for i in sorted(now.refuse)]
    said = " ".join(["start", *words] if now.start and begun else words)
    if mine.settings().get("begin", "") != said:
        mine.change_setting("begin", said)


# ---- Keep checkpoints of readers and of the turn maker in the home, from one command to the
# next
#
# A checkpoint counts only if all files from which it was made still have the same size, times and
# inode, and if the key, the folder and the version of pbem are the same. Otherwise it is thrown
# away, and the game is read from its start. `audit` and `doctor` never use it: they hash every
# file again.

PURPOSE = "checkpoint-6"
SPECTATOR = "table"


class CheckpointStore:
    """The checkpoints of one game, one for each viewpoint: a seat, `table` or `referee`."""

    def __init__(self, here: Session) -> None:
        self.here = here

    # -------------------------------------------------------------- readers
    def resume_reader(self, who: str, key: bytes, new: Callable[[], AnyReader]) -> AnyReader | None:
        """Return a reader that continues from its checkpoint; None if no checkpoint fits.

        `new` makes a reader that has read nothing; `key` is the seat's public key, or empty.
        """
        from pbem.judge.checkpoints import resume

        state = self._load(who, key)
        if state is None:
            return None
        game_folder = self.here.game_folder
        reader = new()
        try:
            last = game_folder.turn(game_folder.listing.turns[len(state["chain"]["times"]) - 1])
            find = game_folder.finder()  # the reader checks whose orders they are
            return resume(reader, state, last.content, find)
        except (*_NO_FIT, Illegal, Misfit):
            return None

    def keep_reader(self, who: str, key: bytes, reader: TableReader) -> None:
        """Save a checkpoint of this reader, which must have absorbed only turns from the folder."""
        from pbem.judge.checkpoints import checkpoint_of

        if reader.chain.turn:
            self._save(who, key, checkpoint_of(reader), reader.chain)

    # -------------------------------------------------------------- the turn maker
    def resume_progress(self, key: bytes, secrets: RefereeSecrets) -> Progress | None:
        """Return the turn maker as the last `advance` left it; None if no checkpoint fits."""
        from pbem.judge.checkpoints import resume_progress

        state = self._load(REFEREE, key)
        try:
            return resume_progress(self.here.game_folder, secrets, state) if state else None
        except (*_NO_FIT, Illegal, Misfit):
            return None

    def keep_progress(self, key: bytes, progress: Progress) -> None:
        """Save a checkpoint of the turn maker, whose last turn must be in the folder."""
        from pbem.judge.checkpoints import checkpoint_of_maker

        self._save(REFEREE, key, checkpoint_of_maker(progress.maker), progress.maker.chain)

    # -------------------------------------------------------------- files
    def _load(self, who: str, key: bytes) -> dict[str, Any] | None:
        charter = self.here.names.charter
        if charter is None or not self.here.names.turns:
            return None
        cache = self.here.mine.cache(f"{PURPOSE}-{who}")
        kept = cache.get(charter.path, charter.mark)
        if not isinstance(kept, dict) or kept.get("made_for") != self._made_for(key):
            return None
        state: dict[str, Any] = kept["state"]
        return state if are_unchanged(kept["files"], self.here.names) else None

    def _save(self, who: str, key: bytes, state: dict[str, Any], chain: Chain) -> None:
        charter = self.here.names.charter
        if charter is None:
            return
        cache = self.here.mine.cache(f"{PURPOSE}-{who}")
        files = {path: list(mark) for path, mark in files_of(chain, self.here.names).items()}
        kept = {"made_for": self._made_for(key), "files": files, "state": state}
        cache.store(charter.path, charter.mark, kept)
        cache.save()

    def _made_for(self, key: bytes) -> list[str]:
        return [key.hex(), str(self.here.folder.place)]


_NO_FIT = (RecordError, StorageError, KeyError, TypeError, ValueError, IndexError, AttributeError)
