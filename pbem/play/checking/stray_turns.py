"""Find stray files in the places of later turns, so that such files cannot stop the game.

Anybody who can write to the folder can put such files there (protocol §4). The referee's program
sets plain junk aside, but waits if the file is a part or a damaged copy of the next turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, Literal

from pbem.format.errors import Reason, RecordError
from pbem.format.signed_file import split, verify
from pbem.storage.folder import Found

LOOK: Final = 64
"""After how many stray files in a row the search for later turns ends."""
MOST: Final = 500
"""How many stray files an audit reads: each may be a second turn for one place, which is proof."""
Worth = Literal["turn", "half", "damaged", "junk"]
"""What a file in a turn's place is.

`half`: the beginning of a turn of this game, or an empty file: perhaps the folder is still syncing.
`damaged`: a whole turn of this game whose signature does not match. `junk`: neither.
"""
_DIGITS: Final = re.compile(rb"[0-9]*")


def behind_the_last(turns: Sequence[Found], is_turn: Callable[[Found], bool]) -> Sequence[Found]:
    """Return the stray files after the last turn.

    The last file is nearly always a turn. If it is not, the search starts from the first file, so
    that thousands of stray names cost no time.
    """
    if not turns or is_turn(turns[-1]):
        return ()
    last, strange = -1, 0
    for number, found in enumerate(turns):
        if is_turn(found):
            last, strange = number, 0
        elif (strange := strange + 1) == LOOK:
            break
    return turns[last + 1 :]


def worth_of(data: bytes, game: bytes, referee: bytes) -> tuple[Worth, Reason]:
    """Return what a file in a turn's place is, and the reason if it is not a turn.

    `turn` means that the referee signed the file as a turn, perhaps for a different game or place.
    """
    begins = _begins_a_turn(data.rstrip(b"\0"), game)
    try:
        signed = split(data)
    except RecordError as error:
        return ("half" if begins else "junk"), error.reason
    try:
        verify(signed)
    except RecordError as error:
        return ("damaged" if begins else "junk"), error.reason
    return ("turn" if (signed.kind, signed.key) == ("turn", referee) else "junk"), "key"


def _begins_a_turn(data: bytes, game: bytes) -> bool:
    """Return whether the part of the file that is here begins as every turn of this game does."""
    for start in (b"deadline = ", b'\ngame = "' + game.hex().encode() + b'"\nkind = "turn"\n'):
        if data[: len(start)] != start[: len(data)]:
            return False
        data = data[len(start) :]
        if found := _DIGITS.match(data):
            data = data[found.end() :]
    return True
