"""Files in turns/ that are not the game's next turn: damaged, half synced, junk."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, Literal

from pbem.files.folder import Found
from pbem.format.canonical import Reason, RecordError
from pbem.format.signed_file import split, verify

LOOK: Final = 64
"""After how many stray files in a row the search for later turns ends."""
MOST: Final = 500
"""How many stray files an audit reads: each may be a second turn for one place, which is proof."""
FileState = Literal["turn", "half", "damaged", "junk"]
"""What a file in a turn's place is; anybody who can write to the folder can put one there (protocol
§4). The referee's program sets junk aside, and waits if it finds one of the others.

`half`: the beginning of a turn of this game, or an empty file: perhaps the folder is still syncing.
`damaged`: a whole turn of this game whose signature does not match. `junk`: neither.
"""
_DIGITS: Final = re.compile(rb"[0-9]*")


def behind_the_last(turns: Sequence[Found], is_turn: Callable[[Found], bool]) -> Sequence[Found]:
    """Return the stray files after the last turn.

    Only if the last file is no turn does the search begin at the first file: many stray names cost
    no time.
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


def file_state(data: bytes, game: bytes, referee: bytes) -> tuple[FileState, Reason]:
    """Return what a file in a turn's place is (`turn`: signed by the referee as one, perhaps for
    another place), and the reason if it is no turn."""
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
    for start in (b"deadline = ", b'\ngame = "' + game.hex().encode() + b'"\nkind = "turn"\n'):
        if data[: len(start)] != start[: len(data)]:
            return False
        data = data[len(start) :]
        if found := _DIGITS.match(data):
            data = data[found.end() :]
    return True
