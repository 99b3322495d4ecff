"""What one process keeps between two runs of `advance`: the game as far as it was made.

It only saves time. It is used if every file it was made of still has the same size, time and inode.
After a run that made no turn it is thrown away: the maker has taken orders that may be replaced.
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
    """The charter, joins and turns that were read."""
    orders: dict[str, Mark] = field(default_factory=dict)
    """The order files that a turn lists."""

    def holds(self, listing: Listing) -> bool:
        """Whether none of the files has changed since it was read."""
        marks = marks_of(listing)
        known = {**self.files, **self.orders}
        return all(marks.get(path) == mark for path, mark in known.items())


def marks_of(listing: Listing) -> Marks:
    """The mark (size, time, inode) of every record file in a folder."""
    return {found.path: found.mark for found in listing.records}
