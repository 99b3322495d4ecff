"""The debts of dealers after each turn in mode `dealers`, and their parts once they come (§13).

The reader, the turn maker and a co-dealer follow the same `HiddenDealing`; it needs no secret.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine import CHANCE, DECK, Pending
from engine.hidden_hands import Hands
from engine.sentences.hand_card_numbers import Slot
from pbem.cards.card_keys_and_shares import check_key_proof
from pbem.cards.hidden_deck import HiddenDeck
from pbem.cards.mixing import Mix
from pbem.cards.sealed_shares import seat_point
from pbem.format.record_error import RecordError
from pbem.judge.game_ruleset import ruleset_of
from pbem.judge.record_chain import Chain
from pbem.records.deal_record import CardMix, Deal, split_shares
from pbem.records.read_and_sign_record import Record
from pbem.records.turn import SaidAnswer


class OwedPart(NamedTuple):
    """The part that a co-dealer owes after a turn."""

    has_mix: bool
    """Whether it owes a mix."""
    slots_by_seat: Mapping[str, Sequence[int]]
    """For each seat: the slots of which it owes shares to the seat."""
    open_slots: Sequence[Slot]
    """The slots of which it owes shares to everybody; sorted."""


class HiddenDealing:
    """The hidden deck, what is needed and owed, and the parts of the dealers as they come."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.referee = len(chain.charter.dealers)
        """The referee's number among the dealers: the last."""
        cards = ruleset_of(chain.charter).decks[DECK]
        self.deck = HiddenDeck(chain.game, cards, self.referee + 1)
        self.said: tuple[SaidAnswer, ...] = ()
        """The answers of the wave that waits for names."""
        self.need: tuple[Slot, ...] = ()
        """The slots that must be opened before the game goes on; sorted."""
        self.owed: tuple[int, ...] = tuple(range(self.referee))
        """The co-dealers for whose part the game waits: before turn 1, all."""
        self.seat_points: dict[str, bytes] = {}
        """For each seat with unshared slots: the point under which the dealers seal its shares."""
        self._points: dict[Slot, dict[int, bytes]] = {}
        """The points of the checked shares of needed slots, by dealer."""

    # -------------------------------------------------------------- parts
    def part_owed_by(self, dealer: int) -> OwedPart:
        """Return what a co-dealer in `owed` owes."""
        has_mix = self.deck.next_mixer() == dealer
        slots_by_seat = {
            seat: tuple(numbers) for seat, numbers in sorted(self.deck.unshared_slots.items())
        }
        return OwedPart(has_mix, slots_by_seat, self.need)

    def take_deals(self, deals: Sequence[Record[Deal]]) -> None:
        """Take the parts of all dealers in `owed`, for the turn after the last one of the chain.
        Raises RecordError `opening` for a part that is not the one owed, and what its proofs
        raise."""
        deals = sorted(deals, key=lambda record: record.content.dealer)
        if tuple(record.content.dealer for record in deals) != self.owed:
            raise RecordError(
                "opening",
                "deals: the turn must list one file from each dealer that must deal in it",
            )
        for record in deals:  # what each owes does not depend on what the others have given
            self.check_place(record)
        for record in deals if self.chain.turn else ():
            self._take_part(record.content)
        if self.chain.turn:
            self.deck.unshared_slots.clear()

    def check_place(self, record: Record[Deal]) -> None:
        """Check that a deal is signed by its dealer for the last turn of the chain, and has what
        the dealer owes. Raises RecordError `opening`."""
        deal, subject = record.content, f"the deal of dealer {record.content.dealer}"
        if record.signed.key != self.chain.standing.dealer_keys[deal.dealer]:
            raise RecordError("opening", f"{subject} is not signed with the dealer's key")
        if (deal.game, deal.turn, deal.prev) != (self.chain.game, self.chain.turn, self.chain.head):
            raise RecordError("opening", f"{subject} must be for this turn, but is for another one")
        if not self.chain.turn:
            has_deputy = bool(self.chain.charter.dealers[deal.dealer].deputy_key)
            if bool(deal.recovery) != has_deputy:
                sentence = f"{subject} must have a box for its deputy if it has one, and only then"
                raise RecordError("opening", f"recovery: {sentence}")
            return
        part = self.part_owed_by(deal.dealer)
        given_counts = {
            seat: len(split_shares(share_bytes))
            for seat, share_bytes in (deal.shares or {}).items()
        }
        share_counts = {seat: len(numbers) for seat, numbers in part.slots_by_seat.items()}
        opened_slots = [Slot(row.seat, row.slot) for row in deal.opened]
        if (
            bool(deal.mix) != part.has_mix
            or given_counts != share_counts
            or opened_slots != [*part.open_slots]
            or deal.secret
        ):
            raise RecordError(
                "opening",
                f"{subject} must have exactly the parts that this turn needs from the dealer",
            )

    def check_sealed_shares(self, deal: Deal) -> None:
        """Check the shares for seats in a deal whose place is right. Raises RecordError `field`,
        `commitment`."""
        for seat, share_bytes in (deal.shares or {}).items():
            point = self.seat_points[seat]
            numbers = self.deck.unshared_slots[seat]
            for number, share in zip(numbers, split_shares(share_bytes), strict=True):
                self.deck.check_sealed_share(Slot(seat, number), deal.dealer, share, point)

    def is_right(self, record: Record[Deal]) -> bool:
        """Return whether a deal is signed by its dealer for the last turn of the chain, has what
        the dealer owes, and proves it; no state changes."""
        deal = record.content
        try:
            self.check_place(record)
            if not self.chain.turn:
                check_key_proof(deal.card_key, deal.card_proof, self.chain.game, deal.dealer)
            if deal.mix is not None:
                self.deck.check_mix(Mix(deal.mix.pairs, deal.mix.proof), deal.dealer)
            self.check_sealed_shares(deal)
            for row in deal.opened:
                self.deck.check_share(Slot(row.seat, row.slot), deal.dealer, row.share)
        except RecordError:
            return False
        return True

    def _take_part(self, deal: Deal) -> None:
        if deal.mix is not None:
            self.deck.take_mix(Mix(deal.mix.pairs, deal.mix.proof), deal.dealer)
        self.check_sealed_shares(deal)
        for row in deal.opened:
            self.take_share(Slot(row.seat, row.slot), deal.dealer, row.share)

    def take_keys(self, deals: Sequence[Record[Deal]], card_key: bytes, card_proof: bytes) -> None:
        """Take the card keys of all dealers with their proofs, the referee's last. Raises
        RecordError `field`, `commitment`."""
        deals = sorted(deals, key=lambda record: record.content.dealer)
        keys = [*(record.content.card_key for record in deals), card_key]
        proofs = [*(record.content.card_proof for record in deals), card_proof]
        if not card_key or not card_proof:
            raise RecordError("field", "card_key: turn 1 must have the referee's card key")
        self.deck.take_keys(keys, proofs)

    def take_share(self, slot: Slot, dealer: int, share: bytes) -> None:
        """Take a dealer's share of a needed slot, once it is checked. Raises what `check_share`
        raises."""
        point = self.deck.check_share(slot, dealer, share)
        self._points.setdefault(slot, {})[dealer] = point

    def open_card(self, slot: Slot) -> str:
        """Return the card of a needed slot, of which all dealers have given shares. Raises
        RecordError `commitment`."""
        return self.deck.card_of(slot, self._points[slot])

    def wants_referees_mix(self) -> bool:
        """Return whether all co-dealers have mixed, and the referee has not."""
        return self.deck.next_mixer() == self.referee

    def take_referees_mix(self, mix: CardMix) -> None:
        """Take the referee's mix, which is due. Raises RecordError `field`, `commitment`."""
        self.deck.take_mix(Mix(mix.pairs, mix.proof), self.referee)

    def clear_need(self) -> None:
        """Forget what was needed: the dealers have given it."""
        self.said, self.need = (), ()
        self._points.clear()

    # -------------------------------------------------------------- what is owed next
    def share_again(self, hands: Hands, turn: int) -> None:
        """Let shares of all live slots be due for each seat that gets new keys in this turn."""
        for seat in self.chain.standing.new_keys(turn):
            self.deck.share_again(seat, hands.live_slots(seat))

    def stop(
        self, said: Sequence[SaidAnswer], need: Sequence[Slot], pending: Pending, *, is_over: bool
    ) -> None:
        """Note what is said and needed at the end of a turn, with these open questions, and what
        the dealers owe now. Raises RecordError `rule` for a shuffle that cannot be."""
        self.said, self.need = tuple(said), tuple(sorted(need))
        if is_over:
            self.owed = ()
            return
        if pending and not need:
            _, decision = pending[0]
            if (decision.seat, decision.kind, decision.deck) == (CHANCE, "shuffle", DECK):
                self.deck.expect_shuffle(decision)
        roster = self.chain.standing.roster
        self.seat_points = {
            seat: seat_point(roster[seat].x25519) for seat in self.deck.unshared_slots
        }
        mixer = self.deck.next_mixer()
        owed = {mixer} - {None, self.referee}
        if self.need or self.deck.unshared_slots:
            owed |= {*range(self.referee)}
        self.owed = tuple(sorted(dealer for dealer in owed if dealer is not None))
