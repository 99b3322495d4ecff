"""A session: who you are in which game, and what you may see of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.failure import KEY, CliError
from pbem.storage.folder import Folder, Listing
from pbem.storage.private.home import Home, Mine

if TYPE_CHECKING:
    from pbem.format.errors import RecordError
    from pbem.format.keys import SigningKey
    from pbem.play.checking.game_folder import GameFolder
    from pbem.play.checking.table_reader import TableReader
    from pbem.play.making.progress import Progress
    from pbem.play.view import View

REFEREE = "referee"


@dataclass
class Roles:
    """What one person is in a game: by profile, or as a seat that the referee holds."""

    referee: str = ""
    """The profile whose key made the charter."""
    seats: dict[str, str] = field(default_factory=dict)
    """Own seats, and the profile whose key sits there; for held seats that of the referee."""
    held: frozenset[str] = frozenset()


class Session:
    """One run of a command in a game's folder."""

    def __init__(
        self,
        folder: Path | None = None,
        seat: str | None = None,
        passphrase_file: Path | None = None,
        home: Home | None = None,
    ) -> None:
        self.root = (folder or Path(".")).absolute()
        self.folder = Folder(self.root)
        self.home = home or Home.find()
        self._wish = seat or os.environ.get("PBEM_AS", "")
        self._passphrase_file = passphrase_file
        self._keys: dict[str, SigningKey] = {}
        self.met: list[str] = []
        """Notes on files that the last step of `advance` met and passed over."""
        self._readers: dict[str, TableReader] = {}
        self._progress: Progress | None = None

    # -------------------------------------------------------------- the game
    @cached_property
    def names(self) -> Listing:
        """What lies in the folder, by names alone."""
        return self.folder.scan()

    @property
    def listing(self) -> Listing:
        """What lies in the folder; of a game its turns are those that the referee signed."""
        return self.game_folder.listing if self.names.charter else self.names

    @property
    def gaps(self) -> list[int]:
        """Numbers of turns that are missing before one that is here."""
        return self.listing.gaps

    @cached_property
    def game_folder(self) -> GameFolder:
        """The game, its files checked as they are read. Raises NoGameError, FileError."""
        from pbem.play.checking.game_folder import open_folder

        game_folder = open_folder(self.folder)
        self.home.stay_outside(self.root)  # only a game's folder is seen by others
        return game_folder

    def refresh(self) -> None:
        """Look at the folder again: something was written, or time has passed."""
        for name in ("game_folder", "names", "roles", "outlook"):
            self.__dict__.pop(name, None)

    @property
    def mine(self) -> Mine:
        """What is mine of this game."""
        return self.home.game(self.game_folder.game.hex())

    @property
    def wish(self) -> str:
        """The seat that `--as` or PBEM_AS names, if any."""
        return self._wish.lower()

    # -------------------------------------------------------------- who I am
    @cached_property
    def roles(self) -> Roles:
        """What I am here, by my keys: public halves alone, no passphrase is asked."""
        charter = self.game_folder.charter.content
        publics = self.publics
        referee = next((p for p, public in publics.items() if public == charter.key), "")
        seats = {
            seat: profile
            for seat, public in self._taken().items()
            for profile, mine in publics.items()
            if mine == public
        }
        held = frozenset(charter.plays) if referee else frozenset[str]()
        return Roles(referee, {**dict.fromkeys(sorted(held), referee), **seats}, held)

    @cached_property
    def publics(self) -> dict[str, bytes]:
        """The public key of each of my profiles."""
        from pbem.format.keys import public_of_file

        found = {}
        for name in self.home.profiles():
            with self._key_file(name) as data:
                found[name] = public_of_file(data)
        return found

    def _taken(self) -> Mapping[str, bytes]:
        """The key that sits in each seat: as turn 1 says, before it as the joins do."""
        joins = self.game_folder.joins()
        first = next(self.game_folder.turns(), None)
        if first is not None and first.content.joins:
            ids = first.content.joins
            return {seat: joins[i].content.key for seat, i in ids.items() if i in joins}
        mine = set(self.publics.values())
        return {
            record.content.seat: record.content.key
            for record in joins.values()
            if record.content.key in mine
        }

    def name_of(self, seat: str) -> str:
        """Who sits there: as the join has it that counts; before turn 1 as the charter has it."""
        first = next(self.game_folder.turns(), None)
        if first is not None and first.content.joins:
            join = self.game_folder.joins().get(first.content.joins.get(seat, b""))
            if join is not None:
                return join.content.name
        plans = self.game_folder.charter.content.seats
        return next((plan.name for plan in plans if plan.seat == seat), "")

    def public_of(self, seat: str) -> bytes:
        """The public key of one of my seats."""
        held = seat in self.roles.held
        return self.seat_key(seat).public if held else self.publics[self.roles.seats[seat]]

    def sealed(self, view: View) -> set[str]:
        """Seats whose orders for the view's last turn lie here, signed and in their place."""
        head = {seat: view.heads[-2 if seat in view.plays else -1] for seat in view.names}
        held = self.roles.held if view.preview else ()  # before turn 1 their joins do not tell
        keys = {**self._taken(), **{seat: self.public_of(seat) for seat in held}}
        done = set[str]()
        for found in self.listing.orders:
            seat = found.name.seat
            if found.name.turn != view.turn or seat not in keys or seat in done:
                continue  # one set of a seat is enough: not all need be verified
            for record in self.game_folder.orders_signed_by(found, keys[seat]):
                if record.content.prev.hex() == head[seat]:
                    done.add(seat)
        return done

    @property
    def seat(self) -> str:
        """The seat that is meant: `--as`, PBEM_AS, or the only one; empty for a spectator.

        Raises CliError where several are mine and none is named, or another's is.
        """
        mine = [seat for seat in sorted(self.roles.seats) if not self._bot(seat)]
        if self._wish:
            return self._wished(mine)
        if len(mine) > 1:
            named = ", ".join(f"--as {seat}" for seat in mine)
            raise CliError(f"you sit in {len(mine)} seats here", f"say which: {named}")
        return mine[0] if mine else ""

    def _wished(self, mine: list[str]) -> str:
        from pbem.cli.session.lost_keys import not_yours

        if self.wish in self.roles.seats:
            return self.wish
        raise not_yours(self, self.wish, mine)

    def _bot(self, seat: str) -> bool:
        return any(
            plan.seat == seat and plan.bot for plan in self.game_folder.charter.content.seats
        )

    def need_seat(self) -> str:
        """The seat, or a CliError that says how to get one."""
        if seat := self.seat:
            return seat
        if self.roles.referee:
            raise CliError("you are the referee here and have no seat", "pbem advance", KEY)
        from pbem.cli.session.lost_keys import no_seat

        raise no_seat(self)

    def seat_key(self, seat: str) -> SigningKey:
        """The signing key of one of my seats."""
        from pbem.format.keys import Secrets, SigningKey

        key = self.key(self.roles.seats[seat])
        held = seat in self.roles.held
        return SigningKey(Secrets(key.seed).held(self.game_folder.game, seat)) if held else key

    def referee_key(self) -> SigningKey:
        """The referee's key. Raises CliError for anybody else."""
        if not self.roles.referee:
            from pbem.cli.session.lost_keys import not_referee

            raise not_referee(self)
        return self.key(self.roles.referee)

    # -------------------------------------------------------------- keys
    def key(self, profile: str) -> SigningKey:
        """The key of a profile; its passphrase is asked for on a terminal if it has one."""
        if profile not in self._keys:
            from pbem.format.keys import is_encrypted, read_key

            with self._key_file(profile) as data:
                passphrase = self._passphrase(profile) if is_encrypted(data) else None
                self._keys[profile] = read_key(data, passphrase)
        return self._keys[profile]

    @contextmanager
    def _key_file(self, profile: str) -> Iterator[bytes]:
        """The bytes of a key file; what is wrong with them is said with its path."""
        from pbem.format.errors import RecordError
        from pbem.storage.errors import FileError

        try:
            yield self.home.read_key(profile)
        except FileError:
            raise
        except RecordError as error:
            where = self.home.key_path(profile)
            raise FileError(error.reason, where, error.sentence) from None

    def _passphrase(self, profile: str) -> bytes | None:
        import sys

        if self._passphrase_file is not None:
            from pbem.storage.read_file import read_file

            return read_file(self._passphrase_file.absolute()).rstrip(b"\r\n")
        if not sys.stdin.isatty():
            return None
        from getpass import getpass

        return getpass(f"passphrase of the key of {profile}: ").encode()

    # -------------------------------------------------------------- what I see
    def reader(self, seat: str) -> TableReader:
        """The game read and checked as this seat (empty: as anybody), every file hashed again."""
        from pbem.play.checking.seat_reader import SeatReader
        from pbem.play.checking.table_reader import TableReader

        reader, charter = self._readers.get(seat), self.game_folder.charter
        if reader is None:
            seed = self.seat_key(seat).seed if seat else b""
            reader = SeatReader(charter, seat, seed) if seat else TableReader(charter)
        try:
            self.catch_up(reader)
        except Exception:
            self._readers.pop(seat, None)  # it stopped half way
            raise
        self._readers[seat] = reader
        return reader

    def catch_up(self, reader: TableReader) -> None:
        """Let the reader absorb the turns that it has not. Raises FileError with the path."""
        from pbem.cli.session.seen_here import check_seen
        from pbem.format.errors import RecordError
        from pbem.storage.errors import FileError

        known = {join.key for join in reader.roster.values()}

        def may_sign(kind: str, key: bytes) -> bool:
            return key in (known or {join.key for join in reader.roster.values()})

        find = self.game_folder.find_orders(may_sign)
        for turn in self.game_folder.turns(reader.turn):
            try:
                self.game_folder.joins_of(turn.content)
                reader.absorb(turn, find, self.game_folder.joins())
            except FileError:
                raise
            except RecordError as error:
                where = f"turns/{turn.content.turn:04}.toml"
                raise FileError(error.reason, where, self._signed_by(error)) from None
        check_seen(self.mine, self.game_folder, reader.heads)

    def _signed_by(self, error: RecordError) -> str:
        """What is wrong with a turn, and whom to ask: its signature was right."""
        if error.reason in ("version", "parent"):
            return error.sentence
        name = self.game_folder.charter.content.referee
        return f"{error.sentence}; {name} signed this turn: ask {name}, and see pbem audit"

    def view(self, fresh: bool = False) -> View:
        """What I may see; from the cache if no file has changed, unless it must be fresh."""
        from pbem.cli.session.missing_turns import need_turn
        from pbem.cli.session.view_cache import ViewCache

        shelf = ViewCache(self.home, self.folder, self.names)
        if not fresh and (kept := shelf.view(self.wish)):
            return kept
        need_turn(self)
        view = self.fresh_view(self.seat)
        own = sorted(set(self.roles.seats) - self.roles.held)
        shelf.keep(view, own, self.roles.referee)
        return view

    def fresh_view(self, seat: str) -> View:
        """The view of one seat, read and checked; a seat the referee plays also sees the turn that
        waits for its answer."""
        from pbem.cli.session.seen_here import look
        from pbem.play.view import view_of

        reader = self.reader(seat)
        self.mine.heads.remember([head.hex() for head in reader.heads])
        self.mine.remember_place(self.root)
        look(self.mine, reader.times)
        if seat and seat in self.roles.held:
            return self._with_preview(seat)
        return view_of(reader)

    def _with_preview(self, seat: str) -> View:
        from pbem.play.view import view_of

        reader = self.reader_now(seat)
        view = view_of(reader, preview=seat not in self._readers)
        view.first = list(self.outlook.first) if view.preview else []
        return view

    def reader_now(self, seat: str) -> TableReader:
        """The reader of a seat; for a held seat after the turn that waits for its answer."""
        reader = self.reader(seat)
        preview = self.outlook.preview if seat in self.roles.held else None
        if preview is None:
            return reader
        find = self.game_folder.find_orders(lambda kind, key: True)
        reader.absorb(preview, find, self.game_folder.joins())
        self._readers.pop(seat)  # the preview is not part of the chain
        return reader

    @cached_property
    def outlook(self) -> Any:
        """What `advance` would do with the folder as it was read: worked out once."""
        from pbem.cli.session.missing_turns import need_made

        need_made(self)
        return self.advance()

    def is_ahead(self, reader: TableReader, seat: str) -> bool:
        """Whether orders of a held seat are for a turn that it has not been shown yet."""
        return seat in self.roles.held and self._readers.get(seat) is reader

    def advance(self, wishes: Any = None, now: int | None = None) -> Any:
        """What `advance` would do now: see pbem.play.making.advance. Nothing is written.

        Before turn 1 wishes that were said earlier hold on: see keep_wishes.
        """
        from dataclasses import replace

        from pbem.cli.clock import now as clock
        from pbem.cli.session.start_wishes import wishes_of
        from pbem.play.making.advance import Advance, Wishes

        moment = clock() if now is None else now
        if not self.listing.reached:
            wishes = wishes_of(self.mine, wishes)
        signed = self.mine.signed.last()
        if signed is not None and signed.place == self.listing.reached:
            # no turn of this machine's is missing: orders on an unknown head build on none of them
            wishes = replace(wishes or Wishes(), all_here=True)
        run = Advance(self.game_folder, self.referee_key(), moment, wishes, self._progress)
        self._progress = None
        outcome = run.run()
        here = run.heads[: self.listing.reached + 1]  # without the turn that was just made
        self.mine.heads.check([head.hex() for head in here])
        self._progress = run.progress
        return outcome
