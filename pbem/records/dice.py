"""Dice: a chain of hashes fixed before the first move, one link for each die (protocol §9)."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from pbem.format import labels
from pbem.format.errors import RecordError
from pbem.format.hashing import Stream, kdf, th

LINKS: Final = 4096
"""Dice that may fall in one game."""


class DiceChain:
    """All links; known to the referee, and to everybody after `final`."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    @cached_property
    def _links(self) -> list[bytes]:
        links = [kdf(self._seed, labels.CHAIN)]
        for _ in range(LINKS):
            links.append(previous_link(links[-1]))
        return links[::-1]

    def link(self, j: int) -> bytes:
        """link_0 (published in turn 1) … link_4096. Raises RecordError `chain` beyond."""
        if not 0 <= j <= LINKS:
            raise RecordError("chain", f"{LINKS} dice fell; the chain has no more links")
        return self._links[j]


def previous_link(link: bytes) -> bytes:
    """link_{j-1} of link_j."""
    return th(labels.LINK, link)


def check_link(link: bytes, before: bytes) -> None:
    """Raise RecordError `chain` unless `link` is the one that follows `before`."""
    if previous_link(link) != before:
        raise RecordError("chain", "the dice are not those fixed before the game: a wrong link")


def die(game: bytes, link: bytes, key: str, faces: int) -> int:
    """The face, 0 … faces - 1, that falls for the decision with this key."""
    return Stream(th(labels.CHANCE, game, link, key.encode("ascii"))).below(faces)
