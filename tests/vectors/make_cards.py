"""Makes the answers of docs/protocol.md §12: `python -m tests.vectors.make_cards` writes
`hidden-cards.json`; a test sees to it that they are what they were."""

import hashlib
import json
from pathlib import Path
from typing import Any

from pbem.cards.card_keys_and_shares import SharePlace
from pbem.cards.card_points_and_pairs import Pair
from pbem.cards.sealed_shares import make_point_proof, make_seat_secret, open_share, seal_share
from pbem.format.curve_group import (
    IDENTITY,
    ScalarStream,
    multiply_base,
    point_of,
    scalar_bytes,
    scalar_of,
)
from pbem.format.hashes_and_streams import u
from pbem.format.protocol_labels import make_label
from pbem.format.usable_public_keys import P
from pbem.records.seeded_decks_and_dice import Position
from tests.cards.dealers import GAME, Dealers
from tests.vectors.refused_cards import refused_rows

FILE = Path(__file__).resolve().parent / "hidden-cards.json"
KEY = bytes(range(32))
CARDS = ["climbing 2", "horns 4", "fat tissue 6", "climbing 2", "horns 4", "burrowing 0"]
DECK, EPOCH = "deck", 3
TRANSCRIPTS = 20


def card_vectors() -> dict[str, Any]:
    """Everything in `hidden-cards.json`; bytes as hex."""
    three_dealers = Dealers(b"three", 3)
    return {
        "scalar": [_hash(scalar_of, "key-proof"), _hash(scalar_of, "key-proof", b"a", b"bc")],
        "point": [_hash(point_of, "card-point", KEY, b"horns 4"), _generator(0), _generator(1)],
        "scalars": {
            "key": KEY.hex(),
            "out": [scalar_bytes(one).hex() for one in ScalarStream(KEY).next_scalars(4)],
        },
        "no points": [{"why": why, "bytes": data.hex()} for why, data in no_points().items()],
        "game": GAME.hex(),
        "two dealers": dealt_cards(Dealers(b"vectors"), CARDS, 4),
        "three dealers": dealt_cards(three_dealers, CARDS[:2], 2),
        "refused": refused_rows(three_dealers, DECK, EPOCH, CARDS[:2]),
        "transcripts": [transcript(number) for number in range(TRANSCRIPTS)],
    }


def dealt_cards(dealers: Dealers, cards: list[str], opened_count: int) -> dict[str, Any]:
    """A deck that these dealers mix, and its first cards, opened."""
    rows = zip(dealers.people, dealers.secrets, dealers.keys, dealers.key_proofs, strict=True)
    mixes, pairs = dealers.mixes(DECK, EPOCH, cards)
    positions = [Position(DECK, EPOCH, k) for k in range(opened_count)]
    return {
        "dealers": [
            {
                "person secret": person.hex(),
                "secret": scalar_bytes(secret).hex(),
                "key": key.hex(),
                "proof": proof.hex(),
            }
            for person, secret, key, proof in rows
        ],
        "joint key": dealers.joint_key.hex(),
        "deck": DECK,
        "epoch": EPOCH,
        "cards": cards,
        "mixes": [{"pairs": mix.pairs.hex(), "proof": mix.proof.hex()} for mix in mixes],
        "shares": [dealers.opened(at, pairs[at.k], cards) for at in positions],
        "sealed shares": [sealed_share(dealers, at, pairs[at.k]) for at in positions],
    }


def sealed_share(dealers: Dealers, position: Position, pair: Pair) -> dict[str, Any]:
    """The first dealer's share of a card, sealed for a seat; each card has another seat."""
    seed, seat = hashlib.sha256(b"seat %d" % position.k).digest(), "abcdefgh"[position.k]
    secret = make_seat_secret(seed, GAME, seat)
    point = multiply_base(secret)
    sealed = seal_share(dealers.secrets[0], SharePlace(GAME, position, 0), pair, point)
    return {
        "seat": seat,
        "seed of the seat": seed.hex(),
        "seat secret": scalar_bytes(secret).hex(),
        "seat point": point.hex(),
        "point proof": make_point_proof(secret, GAME, seat).hex(),
        "sealed share": sealed.hex(),
        "share point": open_share(sealed, secret).hex(),
    }


def _hash(function: Any, name: str, *parts: bytes) -> dict[str, Any]:
    value = function(make_label(name), *parts)
    out = scalar_bytes(value) if isinstance(value, int) else value
    return {"label": name, "parts": [part.hex() for part in parts], "out": out.hex()}


def _generator(number: int) -> dict[str, Any]:
    return _hash(point_of, "mix-generator", u(number))


def no_points() -> dict[str, bytes]:
    """Bytes that no record may have as a point, each with the reason."""
    base = b"\x58" + b"\x66" * 31
    order_8 = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
    mixed_order = "1c354c4c7a6de4bcb4fd275f391333dd9bf17d38b41332753f60cf56d5ef4fcc"
    return {
        "neutral": IDENTITY,
        "neutral, with the sign": IDENTITY[:31] + b"\x80",
        "neutral, y + p": (P + 1).to_bytes(32, "little"),
        "order 2, with the sign": (P - 1 | 1 << 255).to_bytes(32, "little"),
        "on the curve, y + p": (P + 3).to_bytes(32, "little"),
        "order 2": (P - 1).to_bytes(32, "little"),
        "order 4": bytes(32),
        "order 8": bytes.fromhex(order_8),
        "mixed order": bytes.fromhex(mixed_order),
        "not on the curve": (2).to_bytes(32, "little"),
        "y = p": P.to_bytes(32, "little"),
        "all ones": b"\xff" * 32,
        "31 bytes": base[:31],
        "33 bytes": base + b"\0",
        "nothing": b"",
    }


def transcript(number: int) -> dict[str, Any]:
    """The SHA-256 of all bytes that two dealers write for a small deck."""
    dealers = Dealers(b"transcript %d" % number)
    cards = [f"card {n // 2}" for n in range(1 + number % 5)]
    mixes, pairs = dealers.mixes(DECK, number, cards)
    pieces = [*dealers.key_proofs, *(piece for mix in mixes for piece in mix)]
    for k, pair in enumerate(pairs):
        shares = dealers.opened(Position(DECK, number, k), pair, cards)["shares"]
        pieces += map(bytes.fromhex, shares)
    return {
        "people": [person.hex() for person in dealers.people],
        "epoch": number,
        "cards": cards,
        "out": hashlib.sha256(b"".join(pieces)).hexdigest(),
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(card_vectors(), indent=1) + "\n", "ascii")
