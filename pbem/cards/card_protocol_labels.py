"""The labels of the cards that several dealers hide, each with exactly one use (protocol §12).

They are apart from `pbem/format/protocol_labels.py`, because only games in mode `dealers` load
them.
"""

from __future__ import annotations

from typing import Final

from pbem.format.protocol_labels import make_label

# a dealer's secret and key
CARD_KEY: Final = make_label("card-key")
CARD_SECRET: Final = make_label("card-secret")
KEY_NONCE: Final = make_label("key-nonce")
KEY_PROOF: Final = make_label("key-proof")

# a card, and a dealer's share of it
CARD_POINT: Final = make_label("card-point")
SHARE_NONCE: Final = make_label("share-nonce")
SHARE_PROOF: Final = make_label("share-proof")

# a seat's secret and point
SEAT_CARD: Final = make_label("seat-card")
SEAT_SECRET: Final = make_label("seat-secret")
SEAT_NONCE: Final = make_label("seat-nonce")
SEAT_PROOF: Final = make_label("seat-proof")

# a share that only a seat can read
SEALED_SHARE_NONCES: Final = make_label("sealed-share-nonces")
SEALED_SHARE_PROOF: Final = make_label("sealed-share-proof")

# a mix: what it derives from the secret
MIX: Final = make_label("mix")
MIX_ORDER: Final = make_label("mix-order")
MIX_NUMBERS: Final = make_label("mix-numbers")
MIX_NONCES: Final = make_label("mix-nonces")

# a mix: hashes that everybody can compute
MIX_GENERATOR: Final = make_label("mix-generator")
MIX_SEED: Final = make_label("mix-seed")
MIX_WEIGHT: Final = make_label("mix-weight")
MIX_PROOF: Final = make_label("mix-proof")
