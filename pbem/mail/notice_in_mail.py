"""Check whether notices and late joins that came by mail belong to this game and its chain."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Final

from pbem.format.errors import RecordError
from pbem.mail.folder_so_far import FolderSoFar
from pbem.play.notices.notice_files import keys_in_game
from pbem.play.orders.absence import absence_from_turns, round_of
from pbem.play.press.read_messages import named
from pbem.records.charter_join_orders import Join
from pbem.records.notices.notice_record import Notice
from pbem.records.read_record import Content, Record
from pbem.storage.errors import FileError

MOST_KEPT: Final = 64
"""The most notices that are filed for one writer, turn and key: far more than can count."""


def check_notice(record: Record[Content], notice: Notice, game: FolderSoFar) -> None:
    """Check a notice before it is filed. A later turn decides whether the notice counts.

    A notice that a turn names is filed, no matter how many others are here.

    Raises RecordError `parent` if the notice must wait for its turn, `fork`, `key`, `state`.
    """
    told = f"a notice of {named(notice.writer)} ({notice.about})"
    if notice.turn > game.last:
        why = f"was written after turn {notice.turn}, and is waiting for that turn to arrive"
        raise RecordError("parent", f"{told} {why}")
    if notice.prev != game.heads[notice.turn]:
        why = f"was written after a version of turn {notice.turn} that differs from the one here"
        raise RecordError("fork", f"{told} {why}")
    if notice.seat in game.taken.keys() - game.roster.keys():
        why = f"is waiting for the join of seat {notice.seat}, which has not arrived yet"
        raise RecordError("parent", f"{told} {why}")
    if record.id in game.listed_notices:
        return  # the turn's readers check who signed it
    if record.signed.key not in keys_in_game(game.game_folder, game.listed_notices):
        raise RecordError("key", f"{told} is signed with a key that nobody in this game has")
    if sum(1 for _ in _here(notice, record.signed.key, game)) >= MOST_KEPT:
        why = f"was refused: notices/ already has {MOST_KEPT} files from this writer after turn"
        raise RecordError("state", f"{told} {why} {notice.turn}")


def _here(notice: Notice, key: bytes, game: FolderSoFar) -> Iterator[Record[Notice]]:
    """Yield the notices here with the same writer and turn as a notice, if this key signed them.

    So files that somebody else put there do not keep the notice out.
    """
    for found in game.game_folder.listing.notices:
        if (found.name.turn, found.name.seat) == (notice.turn, notice.writer):
            with contextlib.suppress(FileError):
                yield game.game_folder.notice(found, lambda _, other: other == key)


def check_late_join(join: Join, game: FolderSoFar) -> None:
    """Check a join that came after the game began and that no turn names: its seat must be open.

    Raises RecordError `state`.
    """
    standing = game.standing
    turns = [record.content for record in game.turns]
    charter = game.game_folder.charter.content
    away = absence_from_turns(charter, turns, standing.seats_shown)
    last = next((turn.log[-1].key for turn in reversed(turns) if turn.log), "0")
    if not standing.seeing(away, round_of(last)).is_open(join.seat):
        told = f"the game has begun, and seat {join.seat} is not open: it cannot be taken"
        raise RecordError("state", told)
