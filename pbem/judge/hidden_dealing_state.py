"""The state of hidden dealing: what each dealer owes after a turn in mode `dealers`, and the mixes,
shares and keys that came (§13).

The reader, the turn maker and a co-dealer follow the same `HiddenDealing`; it needs no secret.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import CHANCE, DECK, Pending
from engine.hidden_hands import Hands
from engine.sentences.slots_in_sentences import Slot
from pbem.cards.card_keys_and_shares import check_key_proof
from pbem.cards.card_points_and_pairs import Pair
from pbem.cards.hidden_deck import CardDealer, HiddenDeck, MixingState
from pbem.cards.mixing import Mix
from pbem.format.record_error import RecordError
from pbem.judge.game_ruleset import ruleset_of
from pbem.judge.record_chain import Chain
from pbem.judge.tagged_json_data import PlainData, from_data, to_data
from pbem.records.deal_record import CardMix, Deal, split_shares
from pbem.records.read_and_sign_record import Record
from pbem.records.seeded_decks_and_dice import Pile, Position
from pbem.records.turn import SaidAnswer


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
    def take_deals(self, deals: Sequence[Record[Deal]]) -> None:
        """Take the parts of all dealers in `owed`, for the turn after the last one of the chain;
        the referee's shares come next. Raises RecordError `opening` for a part that is not the one
        owed, and what its proofs raise."""
        deals = sorted(deals, key=lambda record: record.content.dealer)
        if tuple(record.content.dealer for record in deals) != self.owed:
            raise RecordError(
                "opening",
                "the turn must list one file of each dealer for whom the game waits, and no others",
            )
        for record in deals:  # what each owes does not depend on what the others have given
            self.check_place(record)
        for record in deals if self.chain.turn else ():
            self._take_part(record.content)

    def check_place(self, record: Record[Deal]) -> None:
        """Check that a deal is signed by its dealer for the last turn of the chain, and has what
        the dealer owes. Raises RecordError `opening`."""
        deal, subject = record.content, f"the file of dealer {record.content.dealer}"
        if record.signed.key != self.chain.standing.dealer_keys[deal.dealer]:
            raise RecordError("opening", f"{subject} is not signed with the dealer's key")
        if (deal.game, deal.turn, deal.prev) != (self.chain.game, self.chain.turn, self.chain.head):
            raise RecordError("opening", f"{subject} belongs to a different turn")
        if not self.chain.turn:
            has_deputy = bool(self.chain.charter.dealers[deal.dealer].deputy_key)
            if bool(deal.recovery) != has_deputy:
                problem = "lacks the box for the dealer's deputy (field recovery)"
                if not has_deputy:
                    problem = "has a box for a deputy (field recovery), but this dealer has "
                    problem += "no deputy"
                raise RecordError("opening", f"{subject} {problem}")
            return
        opened_slots = [Slot(row.seat, row.slot) for row in deal.opened]
        if (
            bool(deal.mix) != (self.deck.next_mixer() == deal.dealer)
            or not self.are_shares_due(deal.shares)
            or opened_slots != [*self.need]
            or deal.secret
        ):
            raise RecordError(
                "opening",
                f"{subject} must contain what the game needs from this dealer now, and nothing "
                "else",
            )

    def are_shares_due(self, shares_by_seat: Mapping[str, bytes] | None) -> bool:
        """Return whether these are shares of as many cards for each seat as are due."""
        due_counts = {seat: len(numbers) for seat, numbers in self.deck.unshared_slots.items()}
        given_counts = {seat: len(split_shares(x)) for seat, x in (shares_by_seat or {}).items()}
        return given_counts == due_counts

    def sealed_shares(self, card_dealer: CardDealer) -> dict[str, bytes] | None:
        """Return a dealer's shares of all unshared slots, sealed for their seats; None if there are
        no such slots."""
        points = self.seat_points
        shares_by_seat = {
            seat: b"".join(
                card_dealer.sealed_share(Slot(seat, number), points[seat]) for number in numbers
            )
            for seat, numbers in sorted(self.deck.unshared_slots.items())
        }
        return shares_by_seat or None

    def check_sealed_shares(self, shares_by_seat: Mapping[str, bytes] | None, dealer: int) -> None:
        """Check a dealer's shares for seats, which are as many as are due. Raises RecordError
        `field`, `commitment`."""
        for seat, share_bytes in (shares_by_seat or {}).items():
            point = self.seat_points[seat]
            numbers = self.deck.unshared_slots[seat]
            for number, share in zip(numbers, split_shares(share_bytes), strict=True):
                self.deck.check_sealed_share(Slot(seat, number), dealer, share, point)

    def take_referees_shares(self, shares_by_seat: Mapping[str, bytes] | None) -> None:
        """Take the referee's shares for seats, after the parts of all co-dealers: no slot is
        unshared then. Raises RecordError `opening` for others than are due, and what their proofs
        raise."""
        if not self.are_shares_due(shares_by_seat):
            raise RecordError(
                "opening",
                "the referee and the co-dealers did not give shares of the same cards",
            )
        self.check_sealed_shares(shares_by_seat, self.referee)
        self.deck.unshared_slots.clear()

    def check_deal(self, record: Record[Deal]) -> None:
        """Check that a deal is signed by its dealer for the last turn of the chain, has what the
        dealer owes, and proves it; no state changes. Raises RecordError `opening`, `field`,
        `commitment`."""
        deal = record.content
        self.check_place(record)
        if not self.chain.turn:
            check_key_proof(deal.card_key, deal.card_proof, self.chain.game, deal.dealer)
        if deal.mix is not None:
            self.deck.check_mix(Mix(deal.mix.pairs, deal.mix.proof), deal.dealer)
        self.check_sealed_shares(deal.shares, deal.dealer)
        for row in deal.opened:
            self.deck.check_share(Slot(row.seat, row.slot), deal.dealer, row.share)

    def is_right(self, record: Record[Deal]) -> bool:
        """Return whether `check_deal` finds nothing wrong with a deal."""
        try:
            self.check_deal(record)
        except RecordError:
            return False
        return True

    def _take_part(self, deal: Deal) -> None:
        if deal.mix is not None:
            self.deck.take_mix(Mix(deal.mix.pairs, deal.mix.proof), deal.dealer)
        self.check_sealed_shares(deal.shares, deal.dealer)
        for row in deal.opened:
            self.take_share(Slot(row.seat, row.slot), deal.dealer, row.share)

    def take_keys(self, deals: Sequence[Record[Deal]], card_key: bytes, card_proof: bytes) -> None:
        """Take the card keys of all dealers with their proofs, the referee's last. Raises
        RecordError `field`, `commitment`."""
        deals = sorted(deals, key=lambda record: record.content.dealer)
        keys = [*(record.content.card_key for record in deals), card_key]
        proofs = [*(record.content.card_proof for record in deals), card_proof]
        if not card_key or not card_proof:
            raise RecordError(
                "field",
                "turn 1 lacks the referee's card key (field card_key) or its proof (field "
                "card_proof)",
            )
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

    # -------------------------------------------------------------- checkpoints
    def state(self) -> PlainData:
        """Return the deck, and what is said, needed and owed after the last turn, as data for a
        checkpoint."""
        deck, pile, mixing = self.deck, self.deck.pile, self.deck.mixing
        return {
            "said": [[answer.key, answer.text, answer.by] for answer in self.said],
            "need": [[*slot] for slot in self.need],
            "owed": [*self.owed],
            "seat_points": to_data(self.seat_points),
            "keys": to_data(deck.keys),
            "pile": to_data([pile.epoch, pile.entered, pile.positions]),
            "pairs": to_data(deck.pairs),
            "positions": to_data(deck.position_by_slot),
            "unshared": deck.unshared_slots,
            "mixing": to_data(mixing) if mixing and mixing.mix_count else None,
        }

    def resume(self, state: PlainData, pending: Pending) -> None:
        """Restore the data that `state` returned; `pending` are the open questions. Raises
        KeyError, TypeError or ValueError for other data."""
        self.said = tuple(SaidAnswer(*row) for row in state["said"])
        self.need = tuple(Slot(*row) for row in state["need"])
        self.owed, self.seat_points = tuple(state["owed"]), from_data(state["seat_points"])
        epoch, entered, positions = from_data(state["pile"])
        self.deck.resume(
            from_data(state["keys"]),
            Pile(DECK, epoch, entered, (Position(*parts) for parts in positions)),
            {Position(*place): Pair(*pair) for place, pair in from_data(state["pairs"]).items()},
            {Slot(*x): Position(*place) for x, place in from_data(state["positions"]).items()},
            {seat: [*numbers] for seat, numbers in state["unshared"].items()},
        )
        if state["mixing"] is not None:
            pairs, mix_count = from_data(state["mixing"])
            self.deck.mixing = MixingState([Pair(*pair) for pair in pairs], mix_count)
        self._expect_mixes(pending)

    # -------------------------------------------------------------- what is owed next
    def need_shares_for_new_keys(self, hands: Hands, turn: int) -> None:
        """Note that the dealers owe shares of all live slots of each seat that gets new keys in
        this turn."""
        for seat in self.chain.standing.new_keys(turn):
            self.deck.need_shares(seat, hands.live_slots(seat))

    def _expect_mixes(self, pending: Pending) -> None:
        """Let the mixes of the dealers be due, one after the other, if the next question is the
        shuffle of the hidden deck. Raises RecordError `rule` for a shuffle that cannot be."""
        if pending and not self.need:
            _, decision = pending[0]
            if (decision.seat, decision.kind, decision.deck) == (CHANCE, "shuffle", DECK):
                self.deck.expect_shuffle(decision)

    def stop(
        self, said: Sequence[SaidAnswer], need: Sequence[Slot], pending: Pending, *, is_over: bool
    ) -> None:
        """Note what is said and needed at the end of a turn, with these open questions, and what
        the dealers owe now. Raises RecordError `rule` for a shuffle that cannot be."""
        self.said, self.need = tuple(said), tuple(sorted(need))
        if is_over:
            self.owed = ()
            return
        self._expect_mixes(pending)
        roster = self.chain.standing.roster
        self.seat_points = {seat: roster[seat].seat_point for seat in self.deck.unshared_slots}
        mixer = self.deck.next_mixer()
        owed = {mixer} - {None, self.referee}
        if self.need or self.deck.unshared_slots:
            owed |= {*range(self.referee)}
        self.owed = tuple(sorted(dealer for dealer in owed if dealer is not None))
