"""Remember the last head of a game that this person saw, and refuse a chain that forks (§5).

A chain that ends before that head is refused too.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pbem.format.canonical import emit
from pbem.storage.atomic_write import replace
from pbem.storage.errors import FileError, StorageError
from pbem.storage.file_names import turn_path
from pbem.storage.read_file import read_if_there
from pbem.text.handwritten_toml import decoded


class Seen(NamedTuple):
    """A position in the chain: the turn (0: before turn 1) and its head, 64 hex digits."""

    turn: int
    head: str


class Heads:
    """The last position in the chain that one person saw of one game, stored outside its folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def last(self) -> Seen | None:
        """Return the last position seen; None before the first.

        Raises StorageError if unreadable.
        """
        data = read_if_there(self.path)
        if data is None:
            return None
        try:
            doc = decoded(data)
            turn, head = doc["turn"], doc["head"]
            if type(turn) is not int or turn < 0 or len(bytes.fromhex(head)) != 32:
                raise ValueError
        except (ValueError, KeyError, TypeError):
            told = "is damaged; remove it, then compare the twelve words with another player's"
            raise StorageError(self.path, told) from None
        return Seen(turn, head)

    def check(self, heads: Sequence[str]) -> None:
        """Check a chain against the last position seen.

        `heads[k]` is the head after turn k, in hex.

        Raises FileError `fork`, with both ids, if the chain ends before the last position seen or
        has a different head there.
        """
        seen = self.last()
        if seen is None:
            return
        if seen.turn >= len(heads):
            raise FileError("fork", turn_path(max(1, len(heads))), _back(seen, heads))
        if heads[seen.turn] != seen.head:
            told = (
                f"turn {seen.turn} is not the one seen here before: its head was {seen.head[:6]} "
                f"and is now {heads[seen.turn][:6]}; ask the referee which one counts, and show "
                "both to the other players"
            )
            raise FileError("fork", turn_path(max(1, seen.turn)), told)

    def remember(self, heads: Sequence[str]) -> None:
        """Check a chain, then remember its end if that is new. Also raises StorageError.

        Before turn 1 there is nothing to remember.
        """
        self.check(heads)
        if len(heads) > 1 and self.last() != (len(heads) - 1, heads[-1]):
            self.remember_instead(heads)

    def remember_instead(self, heads: Sequence[str]) -> None:
        """Remember the end of a chain without checking it against what was seen before."""
        replace(self.path, emit({"turn": len(heads) - 1, "head": heads[-1]}))


def _back(seen: Seen, heads: Sequence[str]) -> str:
    here = f"turn {len(heads) - 1} ({heads[-1][:6]})" if heads else "nothing"
    return (
        f"turn {seen.turn} ({seen.head[:6]}) was seen here before, and the folder now ends at "
        f"{here}; get the missing turns: let the folder sync, or ask the referee to send them"
    )
