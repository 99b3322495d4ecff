"""Keep the game, with the turns made so far, in memory between two runs of `advance`.

This only saves time. The kept game is used if all its files still have the same size, time and
inode. A run that makes no turn throws the kept game away, because its maker took orders that may be
replaced. `pbem.play.checkpoints` keeps it as data from one process to the next.
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
    """The maker after its last turn, and the files that it used."""

    maker: TurnMaker
    heads: list[bytes]
    last: Turn | None = None
    listed: set[bytes] = field(default_factory=set)
    """The orders and notices that a turn lists."""
    files: dict[str, Mark] = field(default_factory=dict)
    """The charter, joins and turns that were read."""
    orders: dict[str, Mark] = field(default_factory=dict)
    """The files of orders and notices that a turn lists."""

    def note_files(self, listing: Listing) -> None:
        """Note the files in this listing: the game was made from them."""
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
        """Whether all noted files are unchanged since they were read."""
        marks = listing.marks
        known = {**self.files, **self.orders}
        return all(marks.get(path) == mark for path, mark in known.items())
