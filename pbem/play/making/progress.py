"""What one process remembers between two runs of `advance`: the game as far as it was made.

It only saves time. It is used if every file that it stands for has the size, time and inode that it
had, and thrown away after a run that came to nothing, for then the maker has taken orders that may
still be replaced.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.play.making.turn_maker import TurnMaker
from pbem.records.turn import Turn
from pbem.storage.folder import Listing
from pbem.storage.read_file import Mark

Marks = Mapping[str, Mark]


@dataclass
class Progress:
    """The maker after its last turn, and the files it was made of."""

    maker: TurnMaker
    heads: list[bytes]
    last: Turn | None = None
    listed: set[bytes] = field(default_factory=set)
    files: dict[str, Mark] = field(default_factory=dict)
    """Charter, joins and turns that were read."""
    orders: dict[str, Mark] = field(default_factory=dict)
    """Order files that a turn lists."""

    def holds(self, listing: Listing) -> bool:
        """Whether nothing that was read has changed since."""
        marks = marks_of(listing)
        known = {**self.files, **self.orders}
        return all(marks.get(path) == mark for path, mark in known.items())


def marks_of(listing: Listing) -> Marks:
    """Every record file of a folder, and how it stands."""
    return {found.path: found.mark for found in listing.records}
