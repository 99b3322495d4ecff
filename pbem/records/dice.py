"""Dice: each die comes from a link of a hash chain; the chain is committed to before the first move
(§9)."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Final

from pbem.format import labels
from pbem.format.errors import RecordError
from pbem.format.hashing import Stream, kdf, pae, th

LINKS: Final = 4096
"""How many dice may fall in one game."""
_BEFORE_LINK: Final = pae(labels.LINK, bytes(32))[:-32]


class DiceChain:
    """All links of the chain; only the referee knows them until `final`."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    @cached_property
    def _links(self) -> list[bytes]:
        return all_links(self._seed)

    def link(self, j: int) -> bytes:
        """Return link_j; link_0 is published in turn 1.

        Raises RecordError `chain` beyond link_4096.
        """
        if not 0 <= j <= LINKS:
            raise RecordError(
                "chain", f"{LINKS} dice have been rolled; the chain has no more links"
            )
        return self._links[j]


def all_links(seed: bytes) -> list[bytes]:
    """Compute all links of the chain, from link_0 to link_4096, from the game's seed."""
    links = [kdf(seed, labels.CHAIN)]
    for _ in range(LINKS):
        links.append(previous_link(links[-1]))
    return links[::-1]


def previous_link(link: bytes) -> bytes:
    """Compute link_{j-1} from link_j."""
    return hashlib.sha256(_BEFORE_LINK + link).digest()  # th(LINK, link), in half the time


def check_link(link: bytes, before: bytes) -> None:
    """Raise RecordError `chain` unless `link` follows `before` in the hash chain."""
    if previous_link(link) != before:
        raise RecordError(
            "chain",
            "the link is wrong: these are not the dice that were committed to before the game",
        )


def die(game: bytes, link: bytes, key: str, faces: int) -> int:
    """Compute the face, from 0 to faces - 1, that the die shows for the decision with this key."""
    return Stream(th(labels.CHANCE, game, link, key.encode("ascii"))).below(faces)
