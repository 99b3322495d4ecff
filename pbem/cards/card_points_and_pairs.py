"""Cards as points of the group, and hidden under the joint key as pairs (ElGamal; protocol §12)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pbem.cards import card_protocol_labels
from pbem.format import curve_group
from pbem.format.curve_group import POINT_BYTES
from pbem.format.record_error import RecordError

PAIR_BYTES: Final = 2 * POINT_BYTES


class Pair(NamedTuple):
    """A hidden card, as two points of 32 bytes; the dealers together can remove the mask."""

    masked_card: bytes
    """The point of the card + r·(joint key): `a` in the protocol."""
    mask: bytes
    """r times the base point: `b` in the protocol."""


def card_point(game: bytes, card: str) -> bytes:
    """Return the point that stands for a card in this game; `game` is the game's 32-byte id."""
    return curve_group.point_of(card_protocol_labels.CARD_POINT, game, card.encode("ascii"))


def cards_by_point(game: bytes, cards: Iterable[str]) -> dict[bytes, str]:
    """Return the cards of a game by their points."""
    return {card_point(game, card): card for card in cards}


def known_pairs(game: bytes, cards: Iterable[str]) -> list[Pair]:
    """Return the pairs with which a new epoch begins: its cards, unmasked, sorted by their
    bytes."""
    return [Pair(card_point(game, card), curve_group.IDENTITY) for card in sorted(cards)]


def read_mixed_pairs(data: bytes, pairs: Sequence[Pair]) -> list[Pair]:
    """Read the pairs after a mix, from 64 bytes each; `pairs` are those that were mixed.

    Raises RecordError `field` for another number of bytes, for points that cannot be, and for a
    point that is there twice or was there before. No honest dealer makes such a point; one without
    masks, or with one mask for all, mixes for all to see.
    """
    count = len(pairs)
    if len(data) != PAIR_BYTES * count:
        raise RecordError(
            "field", f"a dealer's shuffle of {count} cards must have {PAIR_BYTES * count} bytes"
        )
    points = [*map(curve_group.read_point, split_points(data))]
    if len(set(points)) < len(points):
        raise RecordError(
            "field",
            "a dealer's shuffle must hide each card differently, but has the same value twice",
        )
    if any(point in points for pair in pairs for point in pair):
        raise RecordError(
            "field",
            "a dealer's shuffle must hide each card anew, but has a value that was there before",
        )
    return [*map(Pair, points[::2], points[1::2])]


def split_points(data: bytes) -> list[bytes]:
    """Return consecutive pieces of 32 bytes, unread."""
    return [data[start : start + POINT_BYTES] for start in range(0, len(data), POINT_BYTES)]


def pairs_bytes(pairs: Iterable[Pair]) -> bytes:
    """Return pairs as 64 bytes each."""
    return b"".join(point for pair in pairs for point in pair)


def unmasked_point(pair: Pair, shares: Sequence[bytes], dealers: int) -> bytes:
    """Return the point of a hidden card, from a checked share of each dealer.

    Raises ValueError for another number of shares: the point would be no card, or another one.
    """
    if len(shares) != dealers:
        raise ValueError(
            f"a card that {dealers} dealers hid opens only with one share of each, but the number "
            f"of shares is {len(shares)}"
        )
    point = pair.masked_card
    for share in shares:
        point = curve_group.subtract(point, share)
    return point
