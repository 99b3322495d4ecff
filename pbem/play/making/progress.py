"""Keep the game, with the turns made so far, in memory between two runs of `advance`.

This only saves time. The kept game is used if all its files still have the same size, time and
inode. A run that makes no turn throws the kept game away, because it contains orders that their
players may still replace. `pbem.play.checkpoints` keeps the same data from one process to the next.
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
    """The turn maker after its last turn, and the files that it used."""

    maker: TurnMaker
    heads: list[bytes]
    last: Turn | None = None
    listed: set[bytes] = field(default_factory=set)
    """The ids of the orders and notices that turns list."""
    files: dict[str, Mark] = field(default_factory=dict)
    """The files of charter, joins and turns, as they were when they were read."""
    orders: dict[str, Mark] = field(default_factory=dict)
    """The files of listed orders and notices, as they were when they were read."""

    def note_files(self, listing: Listing) -> None:
        """Note the files in this listing, from which the game was made."""
        marks = listing.marks
        apart = ("orders/", "notices/")
        self.files = {path: m for path, m in marks.items() if not path.startswith(apart)}
        ids = {ident.hex()[:6] for ident in self.listed}
        self.orders = {
            found.path: found.mark
            for found in (*listing.orders, *listing.notices)
            if found.name.digits in ids and found.name.turn < self.maker.turn
        }

    def holds(self, listing: Listing) -> bool:
        """Return whether all noted files are unchanged since they were read."""
        marks = listing.marks
        known = {**self.files, **self.orders}
        return all(marks.get(path) == mark for path, mark in known.items())
