"""The hidden deck of a game, as everybody knows it: its mixes, and the place of each card.

Nobody needs a secret for it, so a co-dealer, the referee and everybody who checks the game follow
the same deck. A `CardDealer` is one dealer with its secret, beside the deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from engine import DECK, PUBLIC, Decision
from engine.sentences.slots_in_sentences import Slot
from pbem.cards.card_keys_and_shares import (
    ProvenKey,
    SharePlace,
    check_card_share,
    check_key_proof,
    joint_key,
    make_card_share,
    make_key_proof,
)
from pbem.cards.card_points_and_pairs import Pair, cards_by_point, known_pairs, unmasked_point
from pbem.cards.mixing import Mix, MixPlace, check_mix, make_mix
from pbem.cards.sealed_shares import check_sealed_share, seal_share
from pbem.format import curve_group
from pbem.format.record_error import RecordError
from pbem.records.seeded_decks_and_dice import Pile, Position


class MixingState(NamedTuple):
    """Cards that go into the deck, while one dealer after the other mixes them."""

    pairs: Sequence[Pair]
    """The pairs after the mixes so far."""
    mix_count: int
    """The number of dealers that have mixed."""


class HiddenDeck:
    """The pairs of all hidden cards, and which slots of hands they are."""

    def __init__(self, game: bytes, cards: Iterable[str], dealer_count: int) -> None:
        """`game` is the game's 32-byte id, `cards` are all cards of the deck."""
        self.game, self.dealer_count = game, dealer_count
        self.card_by_point = cards_by_point(game, set(cards))
        self.keys: Sequence[ProvenKey] = ()
        """The card keys of the dealers, in their order."""
        self.joint_key = b""
        self.pile = Pile()
        """The positions of the cards that are left in the deck."""
        self.pairs: dict[Position, Pair] = {}
        """The pair of each card that ever was in the deck."""
        self.position_by_slot: dict[Slot, Position] = {}
        """The position from which each slot was dealt."""
        self.unshared_slots: dict[str, list[int]] = {}
        """For each seat: the slots of which the co-dealers owe shares."""
        self.mixing: MixingState | None = None
        """The mixing of the next epoch; None if no cards are being mixed."""
        self._slot_counts: dict[str, int] = {}

    def take_keys(self, keys: Sequence[bytes], proofs: Sequence[bytes]) -> None:
        """Take the card keys of all dealers, with their proofs. Raises RecordError `field`,
        `commitment`."""
        self.keys = [
            check_key_proof(key, proof, self.game, number)
            for number, (key, proof) in enumerate(zip(keys, proofs, strict=True))
        ]
        self.joint_key = joint_key(self.keys)

    def resume(
        self,
        keys: Sequence[ProvenKey],
        pile: Pile,
        pairs: Mapping[Position, Pair],
        position_by_slot: Mapping[Slot, Position],
        unshared_slots: Mapping[str, list[int]],
    ) -> None:
        """Go on with a deck that this machine has followed before; the fields are its own. No cards
        are being mixed."""
        self.keys, self.pile, self.pairs = keys, pile, dict(pairs)
        if keys:
            self.joint_key = joint_key(keys)
        self.position_by_slot = dict(position_by_slot)
        self.unshared_slots, self.mixing = dict(unshared_slots), None
        self._slot_counts = dict(Counter(slot.seat for slot in position_by_slot))

    # -------------------------------------------------------------- mixing
    def expect_shuffle(self, decision: Decision) -> None:
        """Begin to mix the cards that this decision shuffles, unless they are being mixed. Raises
        RecordError `rule` if not everybody knows them."""
        if self.mixing is None:
            if "?" in decision.cards:
                raise RecordError(
                    "rule",
                    "only cards that everybody has seen can be shuffled into the hidden deck",
                )
            self.mixing = MixingState(known_pairs(self.game, decision.cards), 0)

    def next_mixer(self) -> int | None:
        """Return the number of the dealer whose mix is due, or None."""
        if self.mixing is None or self.mixing.mix_count == self.dealer_count:
            return None
        return self.mixing.mix_count

    def mix_place(self, dealer: int) -> MixPlace:
        """Return the place for which this dealer's mix of the next epoch is."""
        return MixPlace(self.game, DECK, self.pile.epoch + 1, dealer)

    def take_mix(self, mix: Mix, dealer: int) -> None:
        """Take the mix that is due. Raises RecordError `field`, `commitment` for a wrong one."""
        assert self.mixing is not None
        self.mixing = MixingState(self.check_mix(mix, dealer), self.mixing.mix_count + 1)

    def check_mix(self, mix: Mix, dealer: int) -> list[Pair]:
        """Return the pairs of the mix that is due, once it is checked. Raises RecordError `field`,
        `commitment`."""
        assert self.mixing is not None
        return check_mix(mix, self.mix_place(dealer), self.joint_key, self.mixing.pairs)

    @property
    def is_mixed(self) -> bool:
        """Whether all dealers have mixed the cards of the next epoch."""
        return self.mixing is not None and self.mixing.mix_count == self.dealer_count

    # -------------------------------------------------------------- the log
    def follow(self, decision: Decision, text: str, slots: Sequence[int] = ()) -> list[Slot]:
        """Move the cards as an entry of chance about this deck says, and return the slots that it
        deals; `slots` are those that a seat puts under the deck. Raises RecordError `chain`,
        `rule`."""
        if decision.to == PUBLIC and decision.kind != "shuffle":
            raise RecordError(
                "rule",
                "cards of the hidden deck can only go to hands, and only cards from hands "
                "can go under it",
            )
        if decision.kind == "shuffle":
            if self.mixing is None or not self.is_mixed:
                sentence = (
                    f"'{text}' comes too early: not all dealers have shuffled these cards yet"
                )
                raise RecordError("chain", sentence)
            pairs, self.mixing = self.mixing.pairs, None
            self.pairs |= zip(self.pile.shuffle(len(pairs)), pairs, strict=True)
        elif decision.kind == "under":
            depth = int(text.rsplit(" ", 1)[1])
            for number, position in zip(slots, self.pile.put_under(len(slots), depth), strict=True):
                self.pairs[position] = self.pair_of(Slot(decision.to, number))
        else:
            return self._deal(decision)
        return []

    def _deal(self, decision: Decision) -> list[Slot]:
        """Deal the top cards of the pile to a hand, and return their slots; the dealers then owe
        shares of them."""
        (pattern,) = decision.option_list()
        first_number = self._slot_counts.get(decision.to, 0)
        positions = self.pile.deal(pattern.count("?"))
        self._slot_counts[decision.to] = first_number + len(positions)
        slots = [Slot(decision.to, first_number + index) for index in range(len(positions))]
        self.position_by_slot |= zip(slots, positions, strict=True)
        self.need_shares(decision.to, [slot.number for slot in slots])
        return slots

    def need_shares(self, seat: str, numbers: Collection[int]) -> None:
        """Note that the dealers owe shares of these slots of a seat: the cards are new, or the seat
        has new keys."""
        due_numbers = {*self.unshared_slots.get(seat, ()), *numbers}
        if due_numbers:
            self.unshared_slots[seat] = sorted(due_numbers)

    # -------------------------------------------------------------- shares
    def pair_of(self, slot: Slot) -> Pair:
        """Return the pair of the card in a slot."""
        return self.pairs[self.position_by_slot[slot]]

    def share_place(self, slot: Slot, dealer: int) -> SharePlace:
        """Return the place for which this dealer's share of the slot is."""
        return SharePlace(self.game, self.position_by_slot[slot], dealer)

    def check_share(self, slot: Slot, dealer: int, share: bytes) -> bytes:
        """Return the point of a dealer's share of a slot, once it is checked. Raises RecordError
        `field`, `commitment`."""
        place = self.share_place(slot, dealer)
        return check_card_share(share, place, self.keys[dealer], self.pair_of(slot))

    def check_sealed_share(
        self, slot: Slot, dealer: int, sealed_share: bytes, seat_point: bytes
    ) -> None:
        """Check a dealer's share of a slot, sealed for the seat with this point. Raises RecordError
        `field`, `commitment`."""
        place, key = self.share_place(slot, dealer), self.keys[dealer]
        check_sealed_share(sealed_share, place, key, self.pair_of(slot), seat_point)

    def card_of(self, slot: Slot, points: Mapping[int, bytes]) -> str:
        """Return the card in a slot, from the points of all dealers' checked shares, by dealer.
        Raises RecordError `commitment` if they give no card of the deck."""
        shares = [points[dealer] for dealer in range(self.dealer_count)]
        point = unmasked_point(self.pair_of(slot), shares, self.dealer_count)
        if point not in self.card_by_point:
            subject = f"card #{slot.number} in the hand of seat {slot.seat}"
            raise RecordError("commitment", f"{subject} opens as something that is not a card")
        return self.card_by_point[point]


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
