"""Read the notices in a game's folder: those that turns list, by id, and those not yet listed.

Nobody can stop a game, or a reader, with junk: only a limited number of files is read for each
writer and turn, and only files of a notice's size.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import groupby
from typing import Final

from pbem.format.errors import RecordError
from pbem.play.checking.game_folder import Fault, GameFolder
from pbem.play.seats.listed_notices import FindNotice, SignedNotice, again, in_order
from pbem.play.seats.standing import Standing
from pbem.records.notices.notice_record import MOST_NOTICES, Notice
from pbem.records.notices.sayings import NewKey, TakeIn, Vouch
from pbem.records.read_record import Record
from pbem.storage.errors import HOW_TO_GET, FileError
from pbem.storage.file_names import Name
from pbem.storage.folder import Found

MOST_TRIED: Final = 1000
"""How many files are read to find the notices of one writer after one turn."""
MAX_SIZE: Final = 1 << 14
"""The most bytes of a file that is read as a notice: the longest notice has half as many."""


def notice_name(record: Record[Notice]) -> Name:
    """Return the name that a notice must have in the folder."""
    notice = record.content
    return Name("notice", notice.turn, notice.writer, notice.number, record.id.hex()[:6])


def find_notices(game_folder: GameFolder) -> FindNotice:
    """Return a function that finds notices by id.

    The reader of the turn checks who signed a notice and whether it counts.
    """
    names: dict[str, list[Found]] = {}
    for found in game_folder.listing.notices:
        names.setdefault(found.name.digits, []).append(found)

    def find(wanted: bytes) -> SignedNotice:
        digits = wanted.hex()[:6]
        wrong = RecordError("parent", f"the notice {digits} is not here: {HOW_TO_GET}")
        for found in names.get(digits, ()):
            try:
                if (record := read_notice(game_folder, found)).id == wanted:
                    return record
            except FileError as error:  # the next file may be the right one
                wrong = error
        raise wrong

    return find


def read_notice(game_folder: GameFolder, found: Found) -> SignedNotice:
    """Read one notice, signed by anybody. Raises FileError."""
    if found.mark.size > MAX_SIZE:
        told = f"{found.mark.size} bytes; a notice has at most {MAX_SIZE}"
        raise FileError("size", found.path, told)
    return game_folder.notice(found)


def standing_in(game_folder: GameFolder) -> Standing:
    """Return who has which seat after the last turn, as the turns say; nothing is replayed.

    Raises FileError for a file that is not a turn, and for a join or a notice that is missing.
    """
    first = next(game_folder.turns(), None)
    charter = game_folder.charter.content
    if first is None:
        return Standing(charter)
    roster = {seat: join.content for seat, join in game_folder.joins_of(first.content).items()}
    standing = Standing(charter, roster, joins=game_folder.joins())
    for number, ids in _listed(game_folder):
        records = in_order(map(find_notices(game_folder), ids))
        standing = again(standing, ((number, r.id) for r in records), find_notices(game_folder))
    return standing


def _listed(game_folder: GameFolder) -> Iterator[tuple[int, list[bytes]]]:
    """Return the ids of the notices that each turn lists. Turns without notices are not parsed."""
    if not game_folder.listing.notices:
        return
    reached = game_folder.listing.reached
    for found in game_folder.listing.turns[:reached]:
        if b"\n[[notices]]\n" in game_folder.folder.read(found):
            yield found.name.turn, [row.id for row in game_folder.turn(found).content.notices]


def may_sign(game_folder: GameFolder, key: bytes) -> bool:
    """Return whether this key belongs to somebody in the game, so that its notices are kept.

    `pbem.play.seats` decides which notices a key may sign at which time.
    """
    joins = (record.content for record in game_folder.joins().values())
    if key in game_folder.charter.content.referee_keys:
        return True
    return any(key in (join.key, join.recovery) for join in joins) or key in named_keys(game_folder)


def named_keys(game_folder: GameFolder, seat: str = "") -> set[bytes]:
    """Return the signing keys that notices name for a seat, whether the notices count or not.

    An empty `seat` means any seat.
    """
    found = set[bytes]()
    for record in new_notices(game_folder, ()):
        said = record.content.saying
        if isinstance(said, NewKey) and seat in ("", record.content.seat):
            found.add(said.key)
        if isinstance(said, Vouch) and seat in ("", said.seat):
            found.add(said.key)
    return found


def taken_in(game_folder: GameFolder, standing: Standing) -> set[bytes]:
    """Return the ids of the joins with which people took a seat over during the game."""
    listed = {one.id for one in standing.listed}
    here = (record for record in new_notices(game_folder, ()) if record.id in listed)
    sayings = (record.content.saying for record in here)
    return {said.join for said in sayings if isinstance(said, TakeIn)}


def keys_of_joins(game_folder: GameFolder, seat: str) -> set[bytes]:
    """Return the keys of all joins of a seat; empty if there is no notice that could give the seat
    to somebody new."""
    if not game_folder.listing.notices:
        return set()
    joins = (record.content for record in game_folder.joins().values())
    return {join.key for join in joins if join.seat == seat}


def new_notices(game_folder: GameFolder, listed: Collection[bytes]) -> list[SignedNotice]:
    """Read the notices that no turn lists yet, no matter who signed them.

    Bad files are noted as faults, and so is a writer who wrote more notices after a turn than can
    count.
    """
    digits = {ident.hex()[:6] for ident in listed}
    listing = game_folder.listing.notices  # by path, so by turn and by writer
    here = [found for found in listing if found.name.digits not in digits]
    records: list[SignedNotice] = []
    for _, files in groupby(here, key=lambda found: (found.name.turn, found.name.seat)):
        good: list[SignedNotice] = []
        for number, found in enumerate(files):
            if len(good) == MOST_NOTICES or number == MOST_TRIED:
                told = (
                    f"only {MOST_NOTICES} notices of one writer after one turn count, and "
                    "there are more"
                )
                fault = Fault(found.path, "size", told)
                game_folder.faults += [] if fault in game_folder.faults else [fault]
                break
            good += _tried(game_folder, found)
        records += [record for record in good if record.id not in listed]
    return records


def _tried(game_folder: GameFolder, found: Found) -> list[SignedNotice]:
    if found.path not in game_folder.looked:
        try:
            game_folder.looked[found.path] = [read_notice(game_folder, found)]
        except FileError as error:
            game_folder.looked[found.path] = []
            game_folder.faults.append(Fault(found.path, error.reason, error.sentence))
    return game_folder.looked[found.path]
