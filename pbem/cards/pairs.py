"""Cards as points of the group, and hidden under the joint key as pairs (ElGamal; protocol §12)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pbem.cards import labels
from pbem.format import group
from pbem.format.canonical import RecordError
from pbem.format.group import POINT_BYTES

PAIR_BYTES: Final = 2 * POINT_BYTES


class Pair(NamedTuple):
    """A hidden card, as two points of 32 bytes; the dealers together can remove the mask."""

    masked_card: bytes
    """The point of the card + r·(joint key): `a` in the protocol."""
    mask: bytes
    """r times the base point: `b` in the protocol."""


def card_point(game: bytes, card: str) -> bytes:
    """Return the point that stands for a card in this game; `game` is the game's 32-byte id."""
    return group.point_of(labels.CARD_POINT, game, card.encode("ascii"))


def cards_by_point(game: bytes, cards: Iterable[str]) -> dict[bytes, str]:
    """Return the cards of a game by their points."""
    return {card_point(game, card): card for card in cards}


def known_pairs(game: bytes, cards: Iterable[str]) -> list[Pair]:
    """Return the pairs with which a new epoch begins: its cards, unmasked, sorted by their
    bytes."""
    return [Pair(card_point(game, card), group.IDENTITY) for card in sorted(cards)]


def read_pairs(data: bytes, count: int) -> list[Pair]:
    """Read pairs from 64 bytes each. Raises RecordError `field` for another number of bytes, for
    points that cannot be, or if two pairs are equal, which no honest dealer makes."""
    if len(data) != PAIR_BYTES * count:
        raise RecordError("field", f"a mix of {count} cards must have {PAIR_BYTES * count} bytes")
    points = [*map(group.read_point, split_points(data))]
    pairs = [*map(Pair, points[::2], points[1::2])]
    if len(set(pairs)) < count:
        raise RecordError("field", "a mix has the same pair twice")
    return pairs


def split_points(data: bytes) -> list[bytes]:
    """Return consecutive pieces of 32 bytes, unread."""
    return [data[start : start + POINT_BYTES] for start in range(0, len(data), POINT_BYTES)]


def pairs_bytes(pairs: Iterable[Pair]) -> bytes:
    """Return pairs as 64 bytes each."""
    return b"".join(point for pair in pairs for point in pair)


def unmasked_point(pair: Pair, shares: Sequence[bytes]) -> bytes:
    """Return the point of a hidden card, from the shares of all dealers."""
    point = pair.masked_card
    for share in shares:
        point = group.subtract(point, share)
    return point
