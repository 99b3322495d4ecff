"""Decks and dice: the seed that decides each shuffle and roll, and the commitments to its parts, to
cards and to dice (protocol §5, §7, §9)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from engine.counts_and_lists_in_prose import counted
from pbem.format import protocol_labels
from pbem.format.hashes_and_streams import Kdf, Stream, kdf, pae, shuffle, th, u
from pbem.format.record_error import RecordError
from pbem.records.turn import OpenCard, OpenPosition

DECK = "deck"
"""The name of a game's main deck."""


def make_seed(r_ref: bytes, shares: Mapping[str, bytes], game: bytes) -> bytes:
    """Compute the game's 32-byte SEED from r_ref and each seat's share r, in the order of seats.

    Nothing else may enter the seed: if anything else could change once the shares are known, a
    person could try variations of that part until the deck suits them.
    """
    material = r_ref + b"".join(shares[seat] for seat in sorted(shares))
    return kdf(material, protocol_labels.SEED, game)


def referee_commitment(table: bytes, r_ref: bytes) -> bytes:
    """Compute the referee's commitment to r_ref: `commit` in the charter."""
    return th(protocol_labels.COMMIT_REF, table, r_ref)


def seat_commitment(game: bytes, seat: str, r: bytes) -> bytes:
    """Compute a player's commitment to r: `commit` in a join."""
    return th(protocol_labels.COMMIT, game, seat.encode(), r)


def deck_in_words(deck: str) -> str:
    """Return the name of a deck in a sentence; a game's main deck has no name of its own."""
    return "the deck" if deck == "deck" else f"the {deck.replace('_', ' ')} deck"


class Position(NamedTuple):
    """A card's permanent position in a deck: the k-th card (from 0) that entered in its epoch."""

    deck: str
    epoch: int
    k: int

    def parts(self) -> tuple[bytes, bytes, bytes]:
        """Return the position as input of a hash: deck, u(epoch), u(k)."""
        return self.deck.encode("ascii"), u(self.epoch), u(self.k)


def card_commitment(game: bytes, position: Position, card: str, salt: bytes) -> bytes:
    """Compute c_k, the commitment to a card."""
    deck, epoch, k = position.parts()
    return th(protocol_labels.CARD, game, deck, epoch, k, card.encode("ascii"), salt)


def position_of(opening: OpenPosition) -> Position:
    """Return the position that an opening names."""
    return Position(opening.deck, opening.epoch, opening.k)


def check_position(game: bytes, opening: OpenPosition, commitment: bytes) -> None:
    """Check an opened card against its commitment. Raises RecordError `commitment`."""
    position = position_of(opening)
    if card_commitment(game, position, opening.card, opening.salt) != commitment:
        sentence = (
            f"the turn shows card {position.k} of {deck_in_words(position.deck)} (shuffle "
            f"{position.epoch + 1}) "
            f"as {opening.card}, but the referee committed to a different card"
        )
        raise RecordError("commitment", sentence)


def hidden_ref(game: bytes, entry: int, j: int, card: str, salt: bytes) -> bytes:
    """Compute the handle of a card in the j-th bracket of a log entry (number `entry`), for a card
    that no opened line names; entries and brackets count from 0, entries through the whole game."""
    return th(protocol_labels.HIDDEN_REF, game, u(entry), u(j), card.encode("ascii"), salt)


def check_hidden_ref(game: bytes, entry: int, j: int, card: OpenCard) -> None:
    """Check an opened card against its `hidden_ref`. Raises RecordError `commitment`."""
    if hidden_ref(game, entry, j, card.card, card.salt) != card.handle:
        raise RecordError("commitment", f"{card.card} is not the card that was put down")


class Dealing:
    """Everything about the cards that follows from SEED, which `final` opens."""

    def __init__(self, seed: bytes, game: bytes) -> None:
        self._kdf, self._game = Kdf(seed), game

    def shuffled(self, deck: str, epoch: int, cards: Iterable[str]) -> list[str]:
        """Return an epoch's cards in deck order, top first: sorted by bytes, then shuffled."""
        key = self._kdf.derive(protocol_labels.DECK, deck.encode("ascii"), u(epoch))
        return shuffle(sorted(cards), Stream(key))

    def opening(self, position: Position, card: str) -> OpenPosition:
        """Return the opening of a card: for its owner, or for everybody if it is dealt openly."""
        salt = self._kdf.derive(protocol_labels.SALT, *position.parts())
        return OpenPosition(position.deck, position.epoch, position.k, card, salt)

    def commitments(self, first_position: Position, cards: Sequence[str]) -> tuple[bytes, ...]:
        """Return the commitments c_k to cards that enter a deck together: the first gets
        `first_position`, each other one the next k of the same epoch."""
        commitments = []
        for k, card in enumerate(cards, first_position.k):
            position = Position(first_position.deck, first_position.epoch, k)
            salt = self.opening(position, card).salt
            commitments.append(card_commitment(self._game, position, card, salt))
        return tuple(commitments)

    def rank(self, position: Position) -> bytes:
        """Return the secret rank, which decides which of several equal cards leaves a hand
        first."""
        return self._kdf.derive(protocol_labels.LEAVE, *position.parts())

    def hidden(self, entry: int, j: int, card: str) -> OpenCard:
        """Return the opening of a card that no opened line names."""
        salt = self._kdf.derive(protocol_labels.HIDE_REF, u(entry), u(j))
        return OpenCard(hidden_ref(self._game, entry, j, card, salt), card, salt)


class Pile:
    """The public order of one deck, top first: the positions of the cards, not the cards.

    Cards that a ruleset sets aside are the end of the first shuffle: they lie at the bottom.

    >>> pile = Pile()
    >>> len(pile.shuffle(3)), pile.deal(2), len(pile)
    (3, [Position(deck='deck', epoch=0, k=0), Position(deck='deck', epoch=0, k=1)], 1)
    """

    def __init__(
        self,
        deck: str = DECK,
        epoch: int = -1,
        entered: int = 0,
        positions: Iterable[Position] = (),
    ) -> None:
        """The deck is empty unless it goes on from a checkpoint."""
        self.deck = deck
        self.epoch = epoch
        """The number of the latest shuffle, from 0; -1 before the first."""
        self.entered = entered
        """The number of cards that have entered the deck in this epoch."""
        self.positions = [*positions]
        """The positions of the cards that are left, top first."""

    def __len__(self) -> int:
        """Return how many cards are left, including those set aside."""
        return len(self.positions)

    def shuffle(self, count: int) -> list[Position]:
        """Add a new epoch of `count` cards on top of those that were set aside; returns their
        positions."""
        self.epoch += 1
        self.entered = 0
        return self.put_under(count, 0)

    def put_under(self, count: int, depth: int) -> list[Position]:
        """Add `count` new cards, in order, below the top `depth` cards; returns their positions,
        numbered on in the latest epoch. Raises RecordError `chain` before the first shuffle, or if
        there are fewer than `depth` cards."""
        if self.epoch < 0:
            sentence = (
                f"cards are put under {deck_in_words(self.deck)} before it is shuffled "
                "for the first time"
            )
            raise RecordError("chain", sentence)
        if not 0 <= depth <= len(self.positions):
            sentence = (
                f"cards are put below the top {depth} cards of {deck_in_words(self.deck)}, "
                f"which has {counted(len(self), 'card')}"
            )
            raise RecordError("chain", sentence)
        new_positions = [Position(self.deck, self.epoch, self.entered + i) for i in range(count)]
        self.positions[depth:depth] = new_positions
        self.entered += count
        return new_positions

    def top(self, count: int) -> list[Position]:
        """Return the positions of the top cards, which stay in the deck."""
        return self.positions[:count]

    def deal(self, count: int) -> list[Position]:
        """Take the top cards out of the deck and return their positions. Raises RecordError `chain`
        if there are fewer."""
        if count > len(self.positions):
            raise RecordError(
                "chain",
                f"{deck_in_words(self.deck)} has {counted(len(self), 'card')}; "
                f"{count} cannot be dealt",
            )
        dealt = self.positions[:count]
        del self.positions[:count]
        return dealt


# ---- dice

LINKS: Final = 4096
"""The most dice that may fall in one game."""
_LINK_HASH_PREFIX: Final = pae(protocol_labels.LINK, bytes(32))[:-32]


class DiceChain:
    """All links of the chain; only the referee knows them until `final`."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._links: list[bytes] = []

    def link(self, j: int) -> bytes:
        """Return link_j; link_0 is published in turn 1. Raises RecordError `chain` beyond
        link_4096."""
        if not 0 <= j <= LINKS:
            sentence = (
                f"the referee committed to {LINKS} dice before the game, and all of them have "
                "been rolled"
            )
            raise RecordError("chain", sentence)
        self._links = self._links or all_links(self._seed)
        return self._links[j]


def all_links(seed: bytes) -> list[bytes]:
    """Compute all links of the chain, from link_0 to link_4096, from the game's seed."""
    links = [kdf(seed, protocol_labels.CHAIN)]
    for _ in range(LINKS):
        links.append(previous_link(links[-1]))
    return links[::-1]


def previous_link(link: bytes) -> bytes:
    """Compute link_{j-1} from link_j."""
    return hashlib.sha256(_LINK_HASH_PREFIX + link).digest()  # th(LINK, link), in half the time


WRONG_DICE: Final = "the dice of this turn are not the dice that the referee committed to"


def check_link(link: bytes, previous: bytes) -> None:
    """Raise RecordError `chain` unless `link` follows `previous` in the hash chain."""
    if previous_link(link) != previous:
        raise RecordError("chain", WRONG_DICE)


def die(game: bytes, link: bytes, key: str, faces: int) -> int:
    """Compute the face, from 0 to faces - 1, that the die shows for the decision with this key."""
    return Stream(th(protocol_labels.CHANCE, game, link, key.encode("ascii"))).number_below(faces)
