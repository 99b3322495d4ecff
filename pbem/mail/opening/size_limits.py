"""Limit the work of opening one letter: bytes, pieces, depth.

Anything above the limits is an error.

The limits apply to everything in a letter together (a zip in a zip in an email gets no new ones).
They are far above what any game needs: a whole evening of six players is 1 MB in 200 files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from pbem.format.mail_block import Unpacked, unpacked

MAX_POST: Final = 12 << 20
"""The most bytes of a file that was sent; unpacked and decoded, it may become twice as long."""
MAX_PIECES: Final = 2_000
"""The most messages, parts of messages, files in archives and blocks, all counted together."""
MAX_REPAIR: Final = 1 << 21
"""The most characters of text in which damage is undone.

In longer texts, only whole blocks are found.
"""
MAX_RATIO: Final = 100
"""How many times longer an unpacked file may be than the packed one.

Files from pbem are at most twice as long.
"""
DEEPEST: Final = 6
"""How deep files may be inside each other: a zip in an email in a zip."""
DEEPEST_PART: Final = 30
"""How deep parts of an email may be inside each other."""


class TooMuch(Exception):
    """Raised if a letter takes more work than any letter from pbem would; the message names the
    limit."""


@dataclass
class Budget:
    """How much work opening one letter may still take."""

    unpacked: int = 2 * MAX_POST
    pieces: int = MAX_PIECES
    repairs: int = MAX_REPAIR
    texts: int = MAX_POST
    files: int = 2 * MAX_POST
    blocks: dict[bytes, Unpacked | None] = field(default_factory=dict)
    """The blocks unpacked so far; a block that is read again is not counted again."""

    def piece(self) -> None:
        """Count one more piece. Raises TooMuch."""
        self.pieces -= 1
        if self.pieces < 0:
            raise TooMuch(f"has more than {MAX_PIECES} parts or files")

    def unpack(self, size: int) -> None:
        """Count this many bytes that are unpacked. Raises TooMuch."""
        self.unpacked -= size
        if self.unpacked < 0:
            raise TooMuch(f"unpacks to more than {2 * MAX_POST >> 20} MB")

    def file(self, size: int) -> None:
        """Count this many bytes of a file that was found in a block. Raises TooMuch."""
        self.files -= size
        if self.files < 0:
            raise TooMuch(f"has more than {2 * MAX_POST >> 20} MB of files")

    def block(self, packed: bytes) -> Unpacked | None:
        """Unpack a block as `unpacked` does, and count its length. Raises TooMuch."""
        if packed not in self.blocks:
            self.blocks[packed] = unpacked(packed, self.unpack)
        return self.blocks[packed]

    def text(self, size: int) -> None:
        """Count this many characters of text to search for blocks. Raises TooMuch."""
        self.texts -= size
        if self.texts < 0:
            raise TooMuch(f"has more than {MAX_POST >> 20} MB of text")

    def repair(self, size: int) -> bool:
        """Return whether a text this long may be searched for damage; if so, count its length."""
        if size > self.repairs:
            return False
        self.repairs -= size
        return True
