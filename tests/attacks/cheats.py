"""Referees that cheat, each in one way: they differ from the honest one in one place."""

from __future__ import annotations

from dataclasses import replace

from engine import Decision
from pbem.judge.sealed_dealer import SealedDealer, sealed_seed
from pbem.judge.turn_maker import TurnMaker
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record
from pbem.records.seeded_decks_and_dice import Dealing, DiceChain, Position
from pbem.records.turn import OpenPosition

OTHER = b"\x77" * 32


def seed_of(maker: TurnMaker) -> bytes:
    """The seed that the turn maker should use."""
    return sealed_seed(maker.chain, maker.joins, maker.secrets, maker.keys)


def dealing_with(dealer: type[SealedDealer]) -> type[TurnMaker]:
    """A turn maker whose cards such a dealer deals."""

    class Maker(TurnMaker):
        def _new_cards(self) -> SealedDealer:
            return dealer(seed_of(self), self.game)

    return Maker


class DeckRerolled(TurnMaker):
    """Another deck than the seed's: cards and dice of a seed that the referee chose."""

    def _new_cards(self) -> SealedDealer:
        return SealedDealer(OTHER, self.game)


class _Unsorted(Dealing):
    def shuffled(self, deck, epoch, cards):
        return super().shuffled(deck, epoch, cards)[::-1]


class DeckUnsorted(TurnMaker):
    """The order in which the cards go in is not the sorted one."""

    def _new_cards(self) -> SealedDealer:
        dealer = super()._new_cards()
        dealer.dealing = _Unsorted(seed_of(self), self.game)
        return dealer


class OtherDice(TurnMaker):
    """A chain of dice that the referee chose."""

    def _new_cards(self) -> SealedDealer:
        dealer = super()._new_cards()
        dealer.dice = DiceChain(OTHER)
        return dealer


class _Seconds(SealedDealer):
    def answer(self, key: str, decision: Decision) -> str:
        if decision.kind == "deal" and decision.to == "a":
            left = self._pile(decision).positions
            left[0], left[20] = left[20], left[0]
        return super().answer(key, decision)


class SecondDealing(TurnMaker):
    """Seat a gets a card that does not lie on top."""

    def _new_cards(self) -> SealedDealer:
        return _Seconds(seed_of(self), self.game)


class _Changed(Dealing):
    def opening(self, position: Position, card: str) -> OpenPosition:
        opening = super().opening(position, card)
        other = "climbing 2" if opening.card != "climbing 2" else "climbing 3"
        return replace(opening, card=other) if position.k == 0 else opening


class CardChanged(TurnMaker):
    """The first card dealt is shown as a different card from the one committed to."""

    def _new_cards(self) -> SealedDealer:
        dealer = super()._new_cards()
        dealer.dealing = _Changed(seed_of(self), self.game)
        return dealer


class LaterLine(TurnMaker):
    """Lines of seat b are taken from the last to the first."""

    def _accept(self, record: Record[Orders]) -> None:
        super()._accept(record)
        if record.content.seat == "b":
            lines = self.in_force["b"].lines
            lines.lines = lines.lines[::-1]


class LinesLost(TurnMaker):
    """Seat b's `always` lines are never there."""

    def _accept(self, record: Record[Orders]) -> None:
        super()._accept(record)
        if record.content.seat == "b":
            lines = self.in_force["b"].lines
            lines.lines = [line for line in lines.lines if not line.always]
