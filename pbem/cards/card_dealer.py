"""One dealer with its secret, beside the hidden deck that everybody knows."""

from __future__ import annotations

from engine.sentences.slots_in_sentences import Slot
from pbem.cards.card_keys_and_shares import (
    make_card_share,
    make_key_proof,
)
from pbem.cards.hidden_deck import HiddenDeck
from pbem.cards.mixing import Mix, make_mix
from pbem.cards.sealed_shares import seal_share
from pbem.format import curve_group


class CardDealer:
    """A dealer with its secret, beside the deck that everybody knows."""

    def __init__(self, deck: HiddenDeck, number: int, secret: int) -> None:
        """`number` is the dealer's, `secret` its scalar for this game."""
        self.deck, self.number, self._secret = deck, number, secret

    def card_key(self) -> tuple[bytes, bytes]:
        """Return the dealer's card key and its proof."""
        proof = make_key_proof(self._secret, self.deck.game, self.number)
        return curve_group.multiply_base(self._secret), proof

    def mix(self) -> Mix:
        """Return the mix that is due."""
        mixing, place = self.deck.mixing, self.deck.mix_place(self.number)
        assert mixing is not None
        return make_mix(self._secret, place, self.deck.joint_key, mixing.pairs)

    def share(self, slot: Slot) -> bytes:
        """Return the dealer's share of the card in a slot."""
        place = self.deck.share_place(slot, self.number)
        return make_card_share(self._secret, place, self.deck.pair_of(slot))

    def sealed_share(self, slot: Slot, seat_point: bytes) -> bytes:
        """Return the dealer's share of the card in a slot, sealed for the seat with this point."""
        place = self.deck.share_place(slot, self.number)
        return seal_share(self._secret, place, self.deck.pair_of(slot), seat_point)
