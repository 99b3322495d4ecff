"""Files in the places of turns to come that are no turns: anybody who writes to the folder can put
them there, and nobody's game may stop for it (protocol §4).

What looks like a part of the next turn, or like a damaged copy of it, is told from plain junk: the
referee's program waits for the one and sets the other aside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, Literal

from pbem.format.errors import Reason, RecordError
from pbem.format.signed_file import split, verify
from pbem.storage.folder import Found

LOOK: Final = 64
"""How many files in a row, which are no turns, are looked at for a turn behind them."""
MOST: Final = 500
"""How many of them an audit looks into: each may be a second turn for one place, a proof."""
Worth = Literal["turn", "half", "damaged", "junk"]
"""`half`: the beginning of a turn of this game, or nothing at all: perhaps the folder still syncs.
`damaged`: a whole turn of this game whose signature does not fit. `junk`: neither."""
_DIGITS: Final = re.compile(rb"[0-9]*")


def behind_the_last(turns: Sequence[Found], is_turn: Callable[[Found], bool]) -> Sequence[Found]:
    """The files behind the last turn. The last file is nearly always one; if not, they are looked
    at from the first on, so that thousands of names cost nothing."""
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
    """What a file in a turn's place is, and what speaks against it. `turn`: the referee signed it
    as a turn; of which game and for which place is another question."""
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
    """Whether the file begins as every turn of this game does, as far as it goes."""
    for start in (b"deadline = ", b'\ngame = "' + game.hex().encode() + b'"\nkind = "turn"\n'):
        if data[: len(start)] != start[: len(data)]:
            return False
        data = data[len(start) :]
        if found := _DIGITS.match(data):
            data = data[found.end() :]
    return True
