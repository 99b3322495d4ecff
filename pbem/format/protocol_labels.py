"""The labels of the protocol, each with exactly one use (protocol §2, §3).

Equal inputs under two labels never give equal hashes, and a value made for one purpose is useless
for another.
"""

from __future__ import annotations

from typing import Final, NewType

Label = NewType("Label", bytes)


def make_label(name: str) -> Label:
    """Return the label with this name of the protocol."""
    return Label(b"pbem/1/" + name.encode("ascii"))


# hashes that are published
GAME: Final = make_label("game")
HEAD: Final = make_label("head")
COMMIT: Final = make_label("commit")
COMMIT_REF: Final = make_label("commit-ref")
DOOR: Final = make_label("door")
INVITE_CHECK: Final = make_label("invite-check")
KEY_CHECK: Final = make_label("key-check")
NEW_KEY: Final = make_label("new-key")
CARD: Final = make_label("card")
LINE: Final = make_label("line")
HIDDEN: Final = make_label("hidden")
HIDDEN_REF: Final = make_label("hidden-ref")
LINK: Final = make_label("link")
CHANCE: Final = make_label("chance")

# keys derived from a person's secret
R_REF: Final = make_label("r-ref")
AUDIT: Final = make_label("audit")
DESK: Final = make_label("desk")
R_SEAT: Final = make_label("r")
BOX_SEAT: Final = make_label("seat-box")
SEALING: Final = make_label("seat-sealing")
HELD_SEAT: Final = make_label("held-seat")
MAIL_TOKEN: Final = make_label("mail-token")
DEPUTY: Final = make_label("deputy")
DEPUTY_CHECK: Final = make_label("deputy-check")
CO_DEALER_DEPUTY: Final = make_label("co-dealer-deputy")
CO_DEALER_CHECK: Final = make_label("co-dealer-check")
ADDRESS: Final = make_label("address")
TOKEN: Final = make_label("token")

# keys derived from the secret that `final` opens
INVITE: Final = make_label("invite")

# a co-dealer's key for boxes
CO_DEALER: Final = make_label("co-dealer")

# the key derived from an invite's code
DOOR_KEY: Final = make_label("door-key")

# keys derived from the seed of the deck
SEED: Final = make_label("seed")
DECK: Final = make_label("deck")
SALT: Final = make_label("salt")
CHAIN: Final = make_label("chain")
HIDE_REF: Final = make_label("hide-ref")
LEAVE: Final = make_label("leave")

# keys derived from the secret of an order file
ORDERS: Final = make_label("orders")
SLOTS: Final = make_label("slots")
LINE_SALT: Final = make_label("line-salt")
HIDE: Final = make_label("hide")
FILL: Final = make_label("fill")

# the key between two X25519 keys
BOX: Final = make_label("box")
