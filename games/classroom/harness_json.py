"""Read and write the course's JSON, for the harness.

No other module knows the course's names (``long-neck``), its cards as ``[food, trait]``, its
players and boards as lists of pairs, or its indexes into a hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from games.cards import food_of, trait_of
from games.classroom.rules import CARDS, CLASSROOM
from games.classroom.sentences import FORMS
from games.classroom.table import MOST, MOST_TRAITS, Species, State, dress

Json = Any
"""A value that ``json`` has read; nothing is known about it before it is checked."""
SEATS = "abcdefgh"
MOST_FOOD = 8
TRAITS = frozenset(map(trait_of, CARDS))


class Malformed(ValueError):
    """Raised for input that does not have the expected form; the message says where."""


# ------------------------------------------------------------------ reading
def listed(value: Json, what: str, *lengths: int) -> list[Json]:
    """Return the value if it is a list; if lengths are given, it must have one of them.

    Raises Malformed.
    """
    if not isinstance(value, list) or (lengths and len(value) not in lengths):
        size = f" of {' or '.join(map(str, lengths))} values" if lengths else ""
        raise Malformed(f"{what} must be a list{size}, not {shortly(value)}")
    return value


def number(value: Json, what: str, least: int, most: int | None = None) -> int:
    """Return the value if it is a whole number within these bounds; else raise Malformed."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        bound = f"{least} or more" if most is None else f"{least} to {most}"
        raise Malformed(f"{what} must be a whole number, {bound}, not {shortly(value)}")
    return int(value)


def shortly(value: Json) -> str:
    """Return the value as text for an error message, cut if it is long."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def pairs(value: Json, what: str, names: Sequence[str], optional: str) -> dict[str, Json]:
    """Read ``[name, value]`` pairs in this order, with the optional name last; return the values.

    Raises Malformed.
    """
    got = listed(value, what, len(names), len(names) + 1)
    want = [*names, optional][: len(got)]
    for pair, name in zip(got, want, strict=True):
        if listed(pair, f"each part of {what}", 2)[0] != name:
            raise Malformed(f"{what} has {name!r} here, not {shortly(pair)}")
    return {name: pair[1] for name, pair in zip(want, got, strict=True)}


def read_trait(value: Json) -> str:
    """Read a trait's name; returns it in our spelling. Raises Malformed."""
    name = value.replace("-", "_") if isinstance(value, str) and "_" not in value else ""
    if name not in TRAITS:
        raise Malformed(f"{shortly(value)} is not a trait")
    return name


def read_card(value: Json) -> str:
    """Read ``[food, trait]``; returns the card's text. Raises Malformed."""
    food, trait = listed(value, "a card", 2)
    return f"{read_trait(trait)} {number(food, 'the food of a card', -MOST_FOOD, MOST_FOOD)}"


def read_cards(value: Json) -> list[str]:
    """Read a list of cards. Raises Malformed."""
    return [read_card(card) for card in listed(value, "a list of cards")]


def read_species(state: State, seat: str, value: Json) -> Species:
    """Read a board. Raises Malformed.

    The trait cards get the food number 0, because nothing uses that number. The course's format
    does not forbid more food than population, or more fat than body: such a board needs no food.
    """
    said = pairs(value, "a species", ("food", "body", "population", "traits"), "fat-food")
    state.creature_counts[seat] += 1
    species = Species(f"{seat}{state.creature_counts[seat]}", seat, state.kits(()))
    species.population = number(said["population"], "population", 1, MOST)
    species.body = number(said["body"], "body", 0, MOST)
    species.food = number(said["food"], "food", 0, MOST)
    names = [read_trait(name) for name in listed(said["traits"], "traits")]
    if len(names) > MOST_TRAITS or len(set(names)) < len(names):
        raise Malformed(f"a species has at most {MOST_TRAITS} different traits, not {names}")
    species.traits = [f"{name} 0" for name in names]
    dress(state, species)
    species.fat = number(said.get("fat-food", 0), "fat-food", 0, MOST)
    if species.fat and not species.has("fat_tissue"):
        raise Malformed("fat-food needs fat-tissue")
    return species


def read_row(state: State, seat: str, value: Json) -> None:
    """Read a player's boards, from left to right. Raises Malformed."""
    boards = listed(value, "a list of boards")
    state.rows[seat] = [read_species(state, seat, board) for board in boards]


class Position:
    """A table read from JSON: the state, each seat's id, and the hands in the order given."""

    def __init__(self, players: Json) -> None:
        found = listed(players, "a list of players")
        if not 1 <= len(found) <= len(SEATS):
            raise Malformed(f"there must be 1 to {len(SEATS)} players, not {len(found)}")
        seats = SEATS[: len(found)]
        self.state = CLASSROOM.setup(CLASSROOM, seats, {})
        self.state.round, self.state.dealt = 1, True
        self.ids: dict[str, int] = {}
        self.hands: dict[str, list[str]] = {}
        for seat, player in zip(seats, found, strict=True):
            said = pairs(player, "a player", ("id", "species", "bag"), "cards")
            self.ids[seat] = number(said["id"], "an id", 0)
            self.state.bags[seat] = number(said["bag"], "a bag", 0)
            self.hands[seat] = read_cards(said.get("cards", []))
            self.state.hands[seat] = sorted(self.hands[seat])
            read_row(self.state, seat, said["species"])

    @classmethod
    def of(cls, value: Json) -> tuple[Position, list[str]]:
        """Read a Configuration; returns it with its deck. Raises Malformed."""
        players, hole, deck = listed(value, "a configuration", 3)
        position = cls(players)
        position.state.hole = number(hole, "the watering hole", 0)
        cards = read_cards(deck)
        position.state.deck = len(cards)
        return position, cards


# ------------------------------------------------------------------ writing
def say_card(card: str) -> Json:
    """Write a card as ``[food, trait]``."""
    return [food_of(card), trait_of(card).replace("_", "-")]


def say_species(species: Species) -> Json:
    """Write a board; stored food is written only if there is any."""
    said = [
        ["food", species.food],
        ["body", species.body],
        ["population", species.population],
        ["traits", [trait_of(card).replace("_", "-") for card in species.traits]],
    ]
    return [*said, ["fat-food", species.fat]] if species.fat else said


def say_configuration(
    state: State, ids: Mapping[str, int], deck: Sequence[str], order: str = ""
) -> Json:
    """Write the table and the rest of this deck, with the players in ``order`` or in order of
    play."""
    players = []
    for seat in order or state.order():
        said = [
            ["id", ids[seat]],
            ["species", [say_species(species) for species in state.rows[seat]]],
            ["bag", state.bags[seat]],
        ]
        hand = [say_card(card) for card in state.hands[seat]]
        players.append([*said, ["cards", hand]] if hand else said)
    left = list(deck)[len(deck) - state.deck :]
    return [players, state.hole, [say_card(card) for card in left]]


# ------------------------------------------------------------------ choices
def say_choice(state: State, seat: str, text: str, hand: Sequence[str]) -> Json:
    """Write a script as an Action4, with indexes into the hand as it was before the choice.

    The course's JSON cannot express a trait that is added to an older board.
    """
    free = list(range(len(hand)))
    food, grown, fatter, exchanged = -1, [], [], []
    made: list[list[int]] = []
    boards = [species.name for species in state.rows[seat]]
    for form, said in map(FORMS.parse, text.split("; ")[:-1]):
        card = next(i for i in free if hand[i] == said["card"])
        free.remove(card)
        at = boards.index(said["sp"]) if "sp" in said else -1
        if form == "food":
            food = card
        elif form == "right":
            boards.append(f"{seat}{state.creature_counts[seat] + len(made) + 1}")
            made.append([card])
        elif form == "trait":
            made[at - len(state.rows[seat])].append(card)
        elif form == "population":
            grown.append([form, at, card])
        elif form == "body":
            fatter.append([form, at, card])
        else:
            exchanged.append([at, int(said["i"]) - 1, card])
    return [food, grown, fatter, made, exchanged]


def read_choice(position: Position, seat: str, value: Json) -> str:
    """Read an Action4 as a script. Raises Malformed."""
    food, grown, fatter, made, exchanged = listed(value, "an action", 5)
    hand, boards = Hand(position.hands[seat]), Boards(position.state, seat)
    steps = [f"food {hand.card(food)}"]
    swaps = _replacements(exchanged, hand)
    for pay, *traits in (listed(new, "a new board", 1, 2, 3, 4) for new in listed(made, "boards")):
        steps.append(f"{hand.card(pay)}: new board")
        at = boards.made()
        for place, trait in enumerate(traits):
            steps.append(f"{hand.card(trait)} on {boards.name(at)}")
            # replaced before the next trait comes: until then the board may have this trait twice
            steps += boards.replace(at, place, swaps.pop((at, place), []))
    for (at, place), cards in sorted(swaps.items()):
        steps += boards.replace(at, place, cards)
    for track, growths in (("population", grown), ("body", fatter)):
        for at, card in (_growth(growth, track) for growth in listed(growths, f"{track} growths")):
            steps.append(f"{hand.card(card)}: {boards.name(at)} {track}")
    return "; ".join([*steps, "done"])


def _replacements(value: Json, hand: Hand) -> dict[tuple[int, int], list[str]]:
    """Read all replacements: the cards in the order given, by the board's and the trait's index.

    The order of replacements matters only if they are for the same trait. Raises Malformed.
    """
    found: dict[tuple[int, int], list[str]] = {}
    for swap in listed(value, "replacements"):
        at, trait, card = listed(swap, "a replacement", 3)
        board = number(at, "the index of a board", 0)
        place = number(trait, "the index of a trait", 0, MOST_TRAITS - 1)
        found.setdefault((board, place), []).append(hand.card(card))
    return found


class Hand:
    """The hand at the start of a choice; JSON names each card by index, and each only once."""

    def __init__(self, cards: Sequence[str]) -> None:
        self._cards, self._spent = cards, set[int]()

    def card(self, index: Json) -> str:
        """Return the card at that index. Raises Malformed."""
        at = number(index, "the index of a card", 0, len(self._cards) - 1)
        if at in self._spent:
            raise Malformed(f"the card at {at} is used twice")
        self._spent.add(at)
        return self._cards[at]


class Boards:
    """A player's row of boards; JSON names each by index, also those made in the same choice."""

    def __init__(self, state: State, seat: str) -> None:
        self._seat, self._made = seat, state.creature_counts[seat]
        self._names = [species.name for species in state.rows[seat]]

    def made(self) -> int:
        """Add a board at the right end of the row; return its index."""
        self._made += 1
        self._names.append(f"{self._seat}{self._made}")
        return len(self._names) - 1

    def replace(self, index: int, place: int, cards: Sequence[str]) -> list[str]:
        """Return the steps that replace one trait of a board by each of these cards. Raises
        Malformed."""
        return [f"{card} instead of {place + 1} on {self.name(index)}" for card in cards]

    def name(self, index: Json) -> str:
        """Return the name of the board at that index. Raises Malformed."""
        return self._names[number(index, "the index of a board", 0, len(self._names) - 1)]


def _growth(value: Json, track: str) -> list[Json]:
    growth = listed(value, f"a growth of {track}", 2, 3)
    if len(growth) == 3 and growth[0] != track:
        raise Malformed(f"a growth of {track} begins with {track!r}, not {shortly(value)}")
    return growth[-2:]
