"""Decisions: the questions that the rules yield, for everything that cannot be computed. Chance
answers some of them: it deals, shuffles and rolls dice.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import NamedTuple

from engine.log import CHANCE, PUBLIC, Seat
from engine.sentences.lazy_card_options import Offers

DECK = "deck"
"""The name of the main deck; a game may have others."""
DONE = "done"
"""The sentence that ends a script, unless the script names a different one."""


class Decision(NamedTuple):
    """One question to a seat or to chance, with the answers that are legal.

    ``options(*args)`` yields raw sentences, each once, with ``?`` where this table does not know
    the card. A sentence with ``?`` may be listed once for each card of a hand, because ``forced``
    must not treat unknown cards as equal. ``args`` are stored when the decision is made, so that no
    function reads a loop variable after it has changed. For a ``script`` the answer is ``s1; s2;
    done`` and ``options(*args, steps)`` lists the sentences that may follow the steps given so far.
    """

    seat: Seat
    kind: str
    options: Callable[..., Iterable[str]]
    args: tuple[object, ...] = ()
    to: Seat = PUBLIC
    """The seat that may read the hidden cards in the answer."""
    fact: bool = False
    """Whether the decision reveals a fact: nobody chooses, and a table that knows the fact
    answers."""
    script: bool = False
    default: Callable[[], str] | None = None
    """The answer for a silent seat; a function, because it may look at the owner's hand."""
    veto: Callable[[str], str | None] | None = None
    """Tells why a sentence is illegal although it fits an option with ``?``; None if it is
    legal."""
    why: Callable[..., str | None] | None = None
    """Tells the player why a sentence is not among the options. For a ``script``, also gets the
    steps before the sentence. It may give None, and raise Unreadable, if it knows no reason."""
    cards: tuple[str, ...] = ()
    """For ``shuffle`` and ``under``: the cards that go into the deck (``?`` if not known here)."""
    deck: str = DECK
    """For ``deal``, ``shuffle`` and ``under``: which deck."""
    ends: str = DONE
    """For a ``script``: the sentence that ends it."""
    unasked: bool = False
    """Whether nobody waits for the seat: if none of its lines answers, its default does at once.
    Such a decision needs a default."""

    def offered(self, *steps: Sequence[str]) -> Sequence[str]:
        """Return the same options as ``option_list``; a sentence of `Offers` is written only when
        it is read."""
        options = self.options(*self.args, *steps)
        return options if type(options) is Offers else list(options)

    def option_list(self, *steps: Sequence[str]) -> list[str]:
        """Return the options as a list; for a script, those that may follow the steps given."""
        return list(self.options(*self.args, *steps))


class Together(tuple[Decision, ...]):
    """Questions that are asked at the same time.

    Their answers are written to the log together, in this order, when the last one has come, and
    none takes effect before that. So the log never contains only a part of a wave.
    """

    veto: Callable[[Sequence[str]], str | None] | None = None
    """Tells why the last of the first answers is illegal after the others; None if it is legal. It
    is for cards that are turned up together."""


Rules = Generator[Decision | Together, "str | list[str]", None]
"""The type of a phase, a turn or an effect that may ask. Calling one without ``yield from`` does
nothing."""
Answer = Generator[Decision | Together, "str | list[str]", str]
"""A generator like ``Rules`` that returns one sentence."""
Answers = Generator[Decision | Together, "str | list[str]", list[str]]
"""A generator like ``Rules`` that returns a list of sentences or cards."""


def ask(decision: Decision) -> Answer:
    """Ask one question; used as ``answer = yield from ask(decision)``, where the answer is a
    sentence."""
    answer = yield decision
    assert isinstance(answer, str)
    return answer


def ask_all(
    decisions: Iterable[Decision], veto: Callable[[Sequence[str]], str | None] | None = None
) -> Answers:
    """Ask a wave of questions: ``answers = yield from ask_all(decisions)`` has a sentence for
    each. For ``veto``, see `Together`."""
    wave = Together(decisions)
    wave.veto = veto
    answers = yield wave
    assert isinstance(answers, list)
    return answers


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
