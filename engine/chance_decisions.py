"""The decisions of chance, and revealed cards: deal, shuffle, roll a die."""

from collections.abc import Callable, Iterable, Sequence

from engine.decisions import DECK, Decision
from engine.viewpoints import CHANCE, PUBLIC, Seat


def _only_option(text: str) -> tuple[str]:
    return (text,)


def deal(seat: Seat, count: int, deck: str = DECK) -> Decision:
    """Deal ``count`` cards from the top of the deck to a hand; only the hand's owner sees the
    cards.
    """
    text = f"{seat} draws " + " ".join(["[?]"] * count)
    return Decision(CHANCE, "deal", _only_option, (text,), to=seat, deck=deck)


def deal_openly(count: int, deck: str = DECK) -> Decision:
    """Turn the top ``count`` cards of the deck face up, for all to see."""
    text = f"{deck} shows " + " and ".join(["?"] * count)
    return Decision(CHANCE, "deal", _only_option, (text,), deck=deck)


def shuffle(cards: Iterable[str], deck: str = DECK) -> Decision:
    """Shuffle the cards and put them on top of the deck. Cards that are still in the deck, such as
    those put under it (see `under`), are then dealt last."""
    new_cards = tuple(cards)
    return Decision(
        CHANCE,
        "shuffle",
        _only_option,
        (f"{deck} takes {len(new_cards)}",),
        cards=new_cards,
        deck=deck,
    )


def under(cards: Iterable[str], depth: int, deck: str = DECK, to: Seat = PUBLIC) -> Decision:
    """Put the cards into the deck, face down and in this order, below its top ``depth`` cards.

    Only the seat ``to`` knows which cards they are, and its packet proves them to it; without
    ``to``, everybody has seen them.
    """
    new_cards = tuple(cards)
    text = f"{deck} hides {len(new_cards)} below {depth}"
    return Decision(CHANCE, "under", _only_option, (text,), to=to, cards=new_cards, deck=deck)


def die(faces: Sequence[str] = ("1", "2", "3", "4", "5", "6")) -> Decision:
    """Roll a die: one of the faces, all equally likely."""
    return Decision(CHANCE, "die", _faces, (tuple(faces),))


def _faces(faces: tuple[str, ...]) -> tuple[str, ...]:
    return faces


def reveal(
    seat: Seat, place: str, card: str, veto: Callable[[str], str | None] | None = None
) -> Decision:
    """Reveal a hidden card as a fact, before the rules compute anything from the card."""
    return Decision(seat, "reveal", _only_option, (f"{place} is {card}",), fact=True, veto=veto)


def shown(text: str) -> str:
    """Return the card that the sentence of a `reveal` names."""
    return text.rsplit(" is ", 1)[1]
