"""Check entries of chance against the commitments to decks and dice (protocol §7, §9)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import field

from engine import PUBLIC, Decision, filled
from engine.value_classes import Mutable, Value
from pbem.format.record_error import RecordError
from pbem.judge.sealed_openings import Openings
from pbem.judge.tagged_json_data import PlainData, from_data, to_data
from pbem.records.seeded_decks_and_dice import (
    Pile,
    Position,
    check_link,
    check_position,
    deck_in_words,
    die,
    position_of,
)
from pbem.records.turn import OpenPosition


class DealtPositions(Value):
    """The positions of the cards that one entry dealt to a seat, or that the seat put under a deck.
    Only this seat knows the cards."""

    entry: int
    """The number of the log entry."""
    seat: str
    positions: tuple[Position, ...]


class TurnDeals(Mutable):
    """The deals of one turn to hands and under decks, as positions."""

    dealt: list[DealtPositions] = field(default_factory=list)
    """The cards dealt to hands."""
    under: list[DealtPositions] = field(default_factory=list)
    """The cards that seats put under a deck, unseen by the others."""
    handles: list[tuple[str, bytes]] = field(default_factory=list)
    """For each card put down, the seat and the handle."""
    entry: int = 0
    """The number of the log entry that is being read."""

    def opened(self, in_lines: Container[bytes]) -> Counter[str]:
        """Count, for each seat, the cards that its packet must open: dealt, put under a deck, or
        put down with a handle that is not among the handles `in_lines` of opened lines."""
        counts = Counter(seat for seat, handle in self.handles if handle not in in_lines)
        for deal in [*self.dealt, *self.under]:
            counts[deal.seat] += len(deal.positions)
        return counts


def move_cards(pile: Pile, decision: Decision, text: str) -> list[Position]:
    """Apply a deal, a shuffle or cards put under a deck to the deck's pile. Return the positions of
    the cards that are dealt from the deck or enter it. `text` is the sentence that settles the
    decision; of cards put under a deck, it ends with the number of cards above them. Raises
    RecordError `chain` if the pile has too few cards."""
    if decision.kind == "shuffle":
        return pile.shuffle(len(decision.cards))
    if decision.kind == "under":
        return pile.put_under(len(decision.cards), int(text.rsplit(" ", 1)[1]))
    (pattern,) = decision.option_list()
    return pile.deal(pattern.count("?"))


class ChanceChecker:
    """Checks log entries that come from chance against the commitments to decks and dice."""

    def __init__(self, game: bytes) -> None:
        """`game` is the game's id. There are no decks before their first commitments."""
        self._game = game
        self.commitments: dict[Position, bytes] = {}
        """The commitment to the card at each position: deck, epoch and number."""
        self.piles: dict[str, Pile] = {}
        """The positions of the cards in each deck."""
        self.hands: dict[str, set[Position]] = {}
        """The positions dealt to each hand, without the cards that left it for all to see."""
        self.link = b""
        """The link of the last die, or the end of the chain if no die was rolled yet."""

    def state(self) -> PlainData:
        """Return the decks, the hands and the last link as data for a checkpoint."""
        piles = {
            deck: (pile.epoch, pile.entered, pile.positions) for deck, pile in self.piles.items()
        }
        return {
            "link": to_data(self.link),
            "commitments": to_data(self.commitments),
            "hands": to_data(self.hands),
            "piles": to_data(piles),
        }

    def resume(self, state: PlainData) -> None:
        """Restore the data that `state` returned. Raises KeyError, TypeError or ValueError for
        other data."""
        self.link = from_data(state["link"])
        commitments, hands = from_data(state["commitments"]), from_data(state["hands"])
        self.commitments = {Position(*parts): value for parts, value in commitments.items()}
        self.hands = {seat: {Position(*parts) for parts in hand} for seat, hand in hands.items()}
        for deck, (epoch, entered, positions) in from_data(state["piles"]).items():
            self.piles[deck] = Pile(deck, epoch, entered, (Position(*p) for p in positions))

    def check(
        self, key: str, decision: Decision, text: str, openings: Openings, deals: TurnDeals
    ) -> None:
        """Check one log entry of chance, and note its deals in `deals`.

        `key` is the decision's key in the log, `text` the published sentence, `openings` are those
        of the turn. Cards dealt openly are compared with their openings; cards of a hand, and cards
        that a seat puts under a deck, are only noted. Raises RecordError `chain`, `opening` or
        `commitment`.
        """
        pile = self.piles.setdefault(decision.deck, Pile(decision.deck))
        if decision.kind == "die":
            self._check_die(key, decision, text, openings)
            return
        positions = move_cards(pile, decision, text)
        if decision.kind in ("shuffle", "under") and positions:
            commitments = openings.use_commitments(positions[0], len(positions))
            self.commitments.update(zip(positions, commitments, strict=True))
        deal = DealtPositions(deals.entry, decision.to, tuple(positions))
        if decision.kind == "shuffle":
            return
        if decision.to == PUBLIC:
            is_under = decision.kind == "under"
            # the cards that the log shows: known ones under a deck, or those dealt in place of `?`
            cards = decision.cards if is_under else filled(decision.option_list()[0], text)
            for position, card in zip(positions, cards, strict=True):
                opening = openings.use_dealt(position)
                self.check_dealt(opening)
                if opening.card != card:
                    sentence = (
                        f"the log shows {card}, but the turn proves that the card is {opening.card}"
                    )
                    raise RecordError("opening", sentence)
        elif decision.kind == "under":
            deals.under.append(deal)
        else:
            deals.dealt.append(deal)
            self.hands.setdefault(decision.to, set()).update(positions)

    def _check_die(self, key: str, decision: Decision, text: str, openings: Openings) -> None:
        """Check that the next link of the dice chain gives this face. Raises RecordError `chain`,
        `opening`."""
        link = openings.use_link()
        check_link(link, self.link)
        self.link = link
        faces = decision.option_list()
        face = faces[die(self._game, link, key, len(faces))]
        if text != face:
            raise RecordError(
                "chain", f"entry {key}: the die shows {face!r}, but the turn says {text!r}"
            )

    def show(self, seat: str, card: str, openings: Openings) -> None:
        """Check that a card shown from a hand was dealt to the hand and not shown before; then it
        has left the hand. Raises RecordError `opening`, `commitment`.

        The first opening that matches is enough: others may be for equal cards shown later in the
        turn.
        """
        hand = self.hands.get(seat, set())
        opening = openings.use_shown(card, hand)
        if opening is None:
            sentence = (
                f"seat {seat} shows {card}, but the turn does not prove that the seat had this card"
            )
            raise RecordError("opening", sentence)
        self.check_dealt(opening)
        hand.remove(position_of(opening))

    def check_dealt(self, opening: OpenPosition) -> None:
        """Check an opened card against its commitment. Raises RecordError `commitment`, or
        `opening` if there is none."""
        position = position_of(opening)
        if position not in self.commitments:
            deck = deck_in_words(position.deck)
            sentence = f"the turn shows card {position.k} of {deck}, which never had such a card"
            raise RecordError("opening", sentence)
        check_position(self._game, opening, self.commitments[position])
