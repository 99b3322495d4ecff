"""Files in turns/ that are not the game's next turn: damaged, half synced, junk."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, Literal

from pbem.files.game_folder import RecordFile
from pbem.format.record_error import Reason, RecordError
from pbem.format.signed_file import split, verify

MAX_STRAYS_IN_A_ROW: Final = 64
"""The number of stray files in a row that ends the search for later turns."""
MAX_STRAYS_READ: Final = 500
"""The number of stray files that an audit reads: a second turn for one place would be proof."""
FileState = Literal["turn", "half", "damaged", "junk"]
"""The state of a file in a turn's place; anybody who can write to the folder can put one there
(protocol §4). The referee's program sets junk aside, and waits for `half` and `damaged` files.

`half`: the beginning of a turn of this game, or an empty file: perhaps the folder is still syncing.
`damaged`: a whole turn of this game whose signature does not match. `junk`: neither.
"""
_DIGITS: Final = re.compile(rb"[0-9]*")


def stray_files_after_last_turn(
    turns: Sequence[RecordFile], is_turn: Callable[[RecordFile], bool]
) -> Sequence[RecordFile]:
    """Return the stray files after the last turn. `turns` are the files in turns' places, by
    number; `is_turn` reads a file, and says whether it is signed for its place.

    If the last file is a turn, no other file is read; else the search begins at the first file, and
    ends after `MAX_STRAYS_IN_A_ROW` stray files in a row: many stray names cost no time.
    """
    if not turns or is_turn(turns[-1]):
        return ()
    last_index, stray_count = -1, 0
    for index, file in enumerate(turns):
        if is_turn(file):
            last_index, stray_count = index, 0
        elif (stray_count := stray_count + 1) == MAX_STRAYS_IN_A_ROW:
            break
    return turns[last_index + 1 :]


def file_state(data: bytes, game: bytes, referee: bytes) -> tuple[FileState, Reason]:
    """Return the state of a file in a turn's place, and the reason if it is no turn (else `key`,
    which means nothing then). `turn` says that the key `referee`, which makes this turn, signed the
    file as a turn, perhaps for another place. `data` are the file's bytes."""
    # a half-written file may end in zero bytes
    begins_a_turn = _begins_a_turn(data.rstrip(b"\0"), game)
    try:
        signed = split(data)
    except RecordError as error:
        return ("half" if begins_a_turn else "junk"), error.reason
    try:
        verify(signed)
    except RecordError as error:
        return ("damaged" if begins_a_turn else "junk"), error.reason
    return ("turn" if (signed.kind, signed.key) == ("turn", referee) else "junk"), "key"


def _begins_a_turn(data: bytes, game: bytes) -> bool:
    """Return whether the first lines of a turn of this game begin so, or the file begins with them:
    `deadline`, `game` and `kind`. An empty file does."""
    for start in (b"deadline = ", b'\ngame = "' + game.hex().encode() + b'"\nkind = "turn"\n'):
        if data[: len(start)] != start[: len(data)]:
            return False
        data = data[len(start) :]
        if match := _DIGITS.match(data):
            data = data[match.end() :]
    return True
