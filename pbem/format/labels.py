"""The labels of the protocol, each with exactly one use (protocol §2, §3).

Equal inputs under two labels never give equal hashes, and a value made for one purpose is useless
for another.
"""

from __future__ import annotations

from typing import Final, NewType

Label = NewType("Label", bytes)


def _label(name: str) -> Label:
    return Label(b"pbem/1/" + name.encode("ascii"))


# hashes that are published
GAME: Final = _label("game")
HEAD: Final = _label("head")
COMMIT: Final = _label("commit")
COMMIT_REF: Final = _label("commit-ref")
DOOR: Final = _label("door")
INVITE_CHECK: Final = _label("invite-check")
KEY_CHECK: Final = _label("key-check")
NEW_KEY: Final = _label("new-key")
CARD: Final = _label("card")
LINE: Final = _label("line")
HIDDEN: Final = _label("hidden")
HIDDEN_REF: Final = _label("hidden-ref")
LINK: Final = _label("link")
CHANCE: Final = _label("chance")

# keys derived from a person's secret
R_REF: Final = _label("r-ref")
AUDIT: Final = _label("audit")
DESK: Final = _label("desk")
R_SEAT: Final = _label("r")
BOX_SEAT: Final = _label("seat-box")
SEALING: Final = _label("seat-sealing")
HELD_SEAT: Final = _label("held-seat")
MAIL_TOKEN: Final = _label("mail-token")
DEPUTY: Final = _label("deputy")
DEPUTY_CHECK: Final = _label("deputy-check")
ADDRESS: Final = _label("address")
TOKEN: Final = _label("token")

# keys derived from the secret that `final` opens
INVITE: Final = _label("invite")

# the key derived from an invite's code
DOOR_KEY: Final = _label("door-key")

# keys derived from the seed of the deck
SEED: Final = _label("seed")
DECK: Final = _label("deck")
SALT: Final = _label("salt")
CHAIN: Final = _label("chain")
HIDE_REF: Final = _label("hide-ref")
LEAVE: Final = _label("leave")

# keys derived from the secret of an order file
ORDERS: Final = _label("orders")
SLOTS: Final = _label("slots")
LINE_SALT: Final = _label("line-salt")
HIDE: Final = _label("hide")
FILL: Final = _label("fill")

# the key between two X25519 keys
BOX: Final = _label("box")
