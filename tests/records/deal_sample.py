"""A charter and a deal record of mode `dealers`, in which every field is there that can be."""

from dataclasses import replace
from typing import Any

from pbem.format.encrypted_box import public_of
from pbem.format.secret_and_public_keys import SigningKey
from pbem.records.charter import Charter, CoDealer
from pbem.records.deal_record import CardMix, Deal, OpenedShare
from pbem.records.read_and_sign_record import Record, make
from tests.kit.sample_records import Sample, sample

CO_DEALER = SigningKey(b"\x07" * 32)
BOX_SECRET = b"\x08" * 32
SHARES = [b"s" * 160, b"t" * 160]


def co_dealer(**fields: Any) -> CoDealer:
    """A co-dealer as charters name it."""
    return CoDealer(**{"name": "Host", "key": CO_DEALER.public,
                       "x25519": public_of(BOX_SECRET)} | fields)  # fmt: skip


def dealers_charter(**fields: Any) -> Charter:
    """The sample's charter in mode `dealers`."""
    values: dict[str, Any] = {"mode": "dealers", "dealers": (co_dealer(),)}
    return replace(sample().charter.content, **(values | fields))


def sample_deal(game: Sample, **fields: Any) -> Record[Deal]:
    """A deal record after turn 1 with a mix of two cards, shares for Bo and an opening."""
    values: dict[str, Any] = {
        "mix": CardMix(b"m" * 128, b"p" * 32 * 13),
        "shares": {"b": b"".join(SHARES)},
        "opened": (OpenedShare("a", 3, b"o" * 96), OpenedShare("b", 0, b"o" * 96)),
    }
    place: dict[str, Any] = {"game": game.game, "turn": 1, "prev": game.heads[1], "seat": ""}
    return make(Deal(**({"dealer": 0} | place | values | fields)), CO_DEALER)
