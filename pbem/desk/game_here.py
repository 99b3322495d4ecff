"""The game here and who you are in it: the folder, your keys and joins, what this machine saw."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from engine.values import Value
from pbem.desk.base import now
from pbem.errors import KEY, STALE, CliError, PbemError
from pbem.files.disk import FileError, StorageError, read_file
from pbem.files.folder import Listing, Place, place_of, turn_path
from pbem.files.home import Home, Mine, Signed
from pbem.format.canonical import RecordError
from pbem.format.keys import Secrets, SigningKey, is_encrypted, public_of_file, read_key, write_key
from pbem.format.signed_file import split
from pbem.game.archive import Archive, file_name, open_folder
from pbem.game.joins import MOST_LET_IN
from pbem.records.charter import Charter, Join, is_let_in
from pbem.records.read_record import Record, read
from pbem.records.words import first_head, words_of
from pbem.screen.terminal import brief, clean

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


class GameHere:
    """A person and the game in a folder, as it was when it was read."""

    def __init__(self, place: Place, keyring: Keyring, wish: str) -> None:
        self.home, self.keyring = keyring.home, keyring
        self.place, self.folder = place, keyring.home.folder(place)
        self.wish = wish
        """The seat named by `--as` or PBEM_AS, if any."""

    def forget(self) -> None:
        """Forget what the folder contained: it is read again."""
        for name in ("names", "game_folder", "roles"):
            vars(self).pop(name, None)

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
        game_folder = open_folder(self.folder, self.names)
        self.home.stay_outside(self.folder.place)  # other people see only the game folder
        return game_folder

    @property
    def charter(self) -> Charter:
        """What the charter says. Raises NoGameError, FileError."""
        return self.game_folder.charter.content

    @property
    def mine(self) -> Mine:
        """The private files of this game in your home."""
        return self.home.game(self.game_folder.game.hex())

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

    def since(self, seat: str) -> int:
        """Return the number of the first turn in which the keys of a seat count."""
        return self.game_folder.standing.since.get(seat, 1)

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
        roles, plans = self.roles, self.charter.seats
        bots = {plan.seat for plan in plans if plan.bot}
        mine = sorted(roles.seats.keys() - bots)
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
        return SigningKey(Secrets(key.seed).held(self.game_folder.game, seat))

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
        self.home.write_key(profile, write_key(key))
        vars(self).pop("publics", None)
        return key

    @contextmanager
    def _key_file(self, profile: str) -> Iterator[bytes]:
        """Yield the bytes of a key file; add the file's path to an error in the block."""
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


def lost_seats(here: GameHere) -> list[str]:
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


def lost_referee(here: GameHere) -> bool:
    """Return whether the key that makes the turns made some on this computer, and no profile has it
    now."""
    last = None if here.roles.referee else here.mine.signed.last()
    return last is not None and split(last.file).key == here.game_folder.maker().key


def import_command(here: GameHere) -> str:
    """Return the command that imports a key again; it uses a second name if the usual one is
    taken."""
    other = " --profile copy" if DEFAULT in here.home.profiles() else ""
    return f"pbem keys import FILE{other}"


def bring_back(here: GameHere) -> str:
    """Return the command that imports a key again, and what to type for FILE."""
    return f"{import_command(here)}, with your copy of the key file"


def lost_lines(here: GameHere) -> list[str]:
    """Return sentences on the missing keys and what you can still do; empty if no key was lost."""
    referee, lines = clean(here.game_folder.maker().name), list[str]()
    copy = f"if you have a copy of the key: {import_command(here)}"
    if seats := lost_seats(here):
        again = "without a copy, join again with your invite"
        if here.listing.reached:
            again = f"without a copy: pbem notice key --lost --as {seats[0]}"
        lines += [_missing(here, seats), copy, f"{again}, and tell {referee}"]
    if lost_referee(here):
        deputy = "" if here.game_folder.deputy_since else here.charter.deputy
        other = f"{clean(deputy)} can take over: tell them"
        other = other if deputy else "this game cannot go on"
        lines += [NO_TURNS, copy, f"without a copy, {other}; tell the players"]
    return lines


def _missing(here: GameHere, seats: Collection[str]) -> str:
    named = ", ".join(f"{seat} ({clean(here.name_of(seat))})" for seat in seats)
    one = len(seats) == 1
    keys = f"the key of seat {named} is" if one else f"the keys of seats {named} are"
    it = "it" if one else "them"
    return f"{keys} missing: you played with {it} on this computer, and no profile has {it} now"


def has_handed_over(here: GameHere) -> bool:
    """Return whether you are the charter's referee, and the deputy makes the turns now."""
    mine = here.charter.key in here.keyring.publics.values()
    return mine and bool(here.game_folder.deputy_since)


def watching(here: GameHere) -> str:
    """Return what to tell a person who can only watch, once the game has begun."""
    if has_handed_over(here):
        maker, since = clean(here.game_folder.maker().name), here.game_folder.deputy_since
        return f"{maker} makes the turns since turn {since}, so you can only watch"
    where = "for a seat in this game" if here.home.profiles() else "on this computer"
    told = f"you have no key {where}, so you can only watch"
    return f"{told}; if you are a player here: {bring_back(here)}"


# ------------------------------------------------------------------ errors
def not_yours(here: GameHere, seat: str, mine: Collection[str]) -> CliError:
    """Return the error for a `--as SEAT` that is not your seat."""
    if seat in lost_seats(here):
        return CliError(_missing(here, [seat]), bring_back(here), KEY)
    told = f"seat {seat} is not yours here"
    if mine:
        return CliError(told, f"yours here: {', '.join(f'--as {one}' for one in mine)}")
    if here.listing.reached:
        return CliError(told, f"if it is, import its key: {bring_back(here)}")
    return CliError(told, "you have no seat here: join with the invite that the referee sent you")


def taken(here: GameHere, seat: str) -> CliError:
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


def need_last_made(here: GameHere) -> None:
    """Raise FileError if the last turn made on this machine is gone, as in a half-synced folder."""
    last = here.mine.signed.last() if here.roles.referee else None
    if last and last.path.startswith("turns/") and is_gone(here.listing, last):
        told = "is missing here, and this machine made it; pbem advance puts it back, byte for byte"
        raise FileError("parent", last.path, told)


def need_seen(here: GameHere) -> None:
    """Raise FileError if the folder has no turn although turn 1 was seen on this machine."""
    seen = here.mine.heads.last()
    if seen and seen.turn:
        need_last_made(here)
        here.mine.heads.check([first_head(here.game_folder.game).hex()])


def is_gone(listing: Listing, last: Signed) -> bool:
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


def own_joins(here: GameHere) -> dict[bytes, Record[Join]]:
    """Return the joins of your keys by id: those in the folder, and those that you signed on this
    machine."""
    mine = set(here.keyring.publics.values())
    plans = here.charter.seats
    kept = [last_signed(here.mine, subject_of(plan.seat))[0] for plan in plans]
    joins = {record.id: record for record in kept if record} | here.game_folder.joins()
    return {ident: record for ident, record in joins.items() if record.content.key in mine}


def gone_joins(here: GameHere) -> list[Record[Join]]:
    """Return your joins whose files are no longer in the folder."""
    return [one for one in own_joins(here).values() if not _is_in_folder(here, one)]


def _is_in_folder(here: GameHere, record: Record[Join]) -> bool:
    """Return whether a join is here, also among so many other files that not all are read."""
    if record.id in here.game_folder.joins():
        return True
    path = file_name(record).path
    if path not in {found.path for found in here.names.joins}:
        return False
    try:
        return here.folder.read(path) == record.file
    except PbemError:
        return False


def keep_joins(here: GameHere) -> None:
    """As the referee, before turn 1: remember the joins that were made with invites, a few of each
    seat. If the home is read-only, nothing is noted."""
    with suppress(StorageError):
        kept = {path for path, _ in here.mine.joined.all()}
        for plan in here.charter.seats:
            for record in let_in(here, plan.seat):
                path = file_name(record).path
                room = sum(one.startswith(f"seats/{plan.seat}-") for one in kept) < MOST_LET_IN
                if path not in kept and room:
                    here.mine.joined.keep(path, record.file)
                    kept.add(path)


def let_in(here: GameHere, seat: str) -> list[Record[Join]]:
    """Return the joins for a seat that were made with its first invite; strangers cannot make
    any."""
    door = here.charter.doors[seat]
    joins = (r for r in here.game_folder.joins().values() if r.content.seat == seat)
    found = (record for record in joins if is_let_in(record.content, door))
    return sorted(found, key=lambda record: record.id)


def words_line(record: Record[Join]) -> str:
    """Return the six digits and the twelve words of a join: by phone, only the words prove that two
    people mean the same join."""
    return f"join {record.id.hex()[:6]}  {' '.join(words_of(record.id))}"


def join_warnings(here: GameHere) -> list[str]:
    """Return a sentence for each of your joins that is gone or has a rival, before turn 1; and for
    each that was not accepted, from turn 1 on. The referee gets none."""
    if here.roles.referee:
        return []
    return _not_accepted(here) if here.listing.reached else _in_danger(here)


def _in_danger(here: GameHere) -> list[str]:
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


def _not_accepted(here: GameHere) -> list[str]:
    lines, accepted = [], set((here.first_joins or {}).values())
    accepted |= {said.join for _, said in here.game_folder.taken_in()}
    referee, publics = clean(here.charter.referee), here.keyring.publics
    seats = {publics[profile]: seat for seat, profile in here.roles.seats.items()}
    for ident, record in sorted(own_joins(here).items()):
        seat = record.content.seat
        if seat in here.roles.seats or ident in accepted:
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


# ---- Note what this machine saw, signed and sealed, and when


def note_turns(mine: Mine, times: Sequence[int]) -> None:
    """Remember that these turns are in the folder now; if the home is read-only, nothing is
    noted."""
    with suppress(StorageError):
        mine.sightings.look(times, now())


def note_sealed(mine: Mine, ident: bytes) -> None:
    """Remember when orders or a join were sealed on this machine; if the home is read-only, nothing
    is noted."""
    with suppress(StorageError):
        mine.receipts.note(ident.hex(), now())


def note_signed(mine: Mine, subject: str, file: bytes) -> None:
    """Remember a notice, message or join before it is written to the folder; if the home is
    read-only, nothing is noted."""
    with suppress(StorageError):
        mine.acts.keep(subject, file)


def last_signed(mine: Mine, subject: str) -> tuple[Record[Any] | None, bool]:
    """Return the last notice, message or join on a subject that was signed on this machine, and
    whether the user was told that it is done. Raises StorageError."""
    act = mine.acts.last(subject)
    try:
        return (read(act.file), act.reported) if act else (None, False)
    except RecordError:
        return None, False  # a damaged copy is worth nothing


def note_reported(mine: Mine, subject: str, file: bytes) -> None:
    """Remember that the user was told that this act is done; if the home is read-only, nothing is
    noted."""
    with suppress(StorageError):
        mine.acts.note_reported(subject, file)


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
        if game_folder.gaps[:1] == [len(heads)]:  # the chain of heads stops where a turn is missing
            told = "is missing, but later turns are here; let the folder sync, or ask another "
            told += "player for it (pbem send --all)"
            raise FileError("parent", turn_path(len(heads)), told) from None
        raise


def check_damage(mine: Mine, game_folder: Archive) -> None:
    """Raise FileError if a turn that was seen on this machine before is damaged now.

    Without this check, somebody could play on from an older turn.
    """
    seen = mine.heads.last()
    for found in game_folder.strays[:1]:
        if seen and found.name.turn <= seen.turn:
            fault = game_folder.stray(found)
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
    r"\bpbem (advance|audit|check|join|orders|play|send|show|since|status|submit)\b(?! -C)"
)


def at_address(place: Place, text: str) -> str:
    """Return a text in which each command names the game's address, so that it can be copied.

    Nothing is added for a folder, in which people stand, or if PBEM_FOLDER has the address.
    """
    if isinstance(place, Path) or os.environ.get("PBEM_FOLDER") == str(place):
        return text
    return _COMMAND.sub(lambda m: f"{m[0]}{' -C' * (m[1] != 'audit')} {place}", text)
