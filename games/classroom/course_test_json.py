"""Read and write the course's JSON, for the harness.

No other module knows the course's names (``long-neck``), its cards as ``[food, trait]``, its
players and boards as lists of pairs, or its indexes into a hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from games.classroom.rules import CARDS, CLASSROOM
from games.classroom.sentences import FORMS
from games.classroom.table import MAX_TRACK, MAX_TRAITS, Species, State, update_kit
from games.food_number_cards import food_of, trait_of

Json = Any
"""A value that ``json`` has read; nothing is known about it before it is checked."""
SEATS = "abcdefgh"
"""The letters of the most seats that a table can have."""
MAX_CARD_FOOD = 8
"""The greatest food number of a card, above or below 0."""
TRAITS = frozenset(map(trait_of, CARDS))


class Malformed(ValueError):
    """Raised for input that does not have the expected form; the message says where."""


# ------------------------------------------------------------------ reading
def read_list(value: Json, subject: str, *lengths: int) -> list[Json]:
    """Return the value, a list, of one of these lengths if any are given.

    Raises Malformed.

    >>> read_list([7, 8], "a card", 2)
    [7, 8]
    """
    if not isinstance(value, list) or (lengths and len(value) not in lengths):
        size = f" of {' or '.join(map(str, lengths))} values" if lengths else ""
        raise Malformed(f"{subject} must be a list{size}, but it is: {shorten_json(value)}")
    return value


def read_number(value: Json, subject: str, minimum: int, maximum: int | None = None) -> int:
    """Return the value, a whole number within bounds. Raises Malformed.

    >>> read_number(True, "a bag", 0)
    Traceback (most recent call last):
    games.classroom.course_test_json.Malformed: a bag must be a whole number, 0 or more; it is: true
    """
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if not is_whole or value < minimum or (maximum is not None and value > maximum):
        bound = f"{minimum} or more" if maximum is None else f"{minimum} to {maximum}"
        raise Malformed(f"{subject} must be a whole number, {bound}; it is: {shorten_json(value)}")
    return int(value)


def shorten_json(value: Json) -> str:
    """Return the value as text for an error message, cut if it is long."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def read_pairs(value: Json, subject: str, names: Sequence[str], optional: str) -> dict[str, Json]:
    """Read ``[name, value]`` pairs in this order; return the values by name.

    The pair with the name ``optional`` may come last, or be left out. ``subject`` is what the value
    is, for messages. Raises Malformed.
    """
    parts = read_list(value, subject, len(names), len(names) + 1)
    expected_names = [*names, optional][: len(parts)]
    for pair, name in zip(parts, expected_names, strict=True):
        if read_list(pair, f"each part of {subject}", 2)[0] != name:
            raise Malformed(f"{subject} has {name!r} here, not {shorten_json(pair)}")
    return {name: pair[1] for name, pair in zip(expected_names, parts, strict=True)}


def read_trait(value: Json) -> str:
    """Read a trait's name; returns it in our spelling. Raises Malformed.

    >>> read_trait("long-neck")
    'long_neck'
    """
    name = value.replace("-", "_") if isinstance(value, str) and "_" not in value else ""
    if name not in TRAITS:
        raise Malformed(f"{shorten_json(value)} is not a trait")
    return name


def read_card(value: Json) -> str:
    """Read ``[food, trait]``; returns the card's text. Raises Malformed.

    >>> read_card([-3, "long-neck"])
    'long_neck -3'
    """
    food_value, trait = read_list(value, "a card", 2)
    food = read_number(food_value, "the food of a card", -MAX_CARD_FOOD, MAX_CARD_FOOD)
    return f"{read_trait(trait)} {food}"


def read_cards(value: Json) -> list[str]:
    """Read a list of cards. Raises Malformed."""
    return [read_card(card) for card in read_list(value, "a list of cards")]


def read_board(state: State, seat: str, value: Json) -> Species:
    """Read a board as the seat's next species, which the caller puts into its row. Raises
    Malformed.

    The trait cards get the food number 0, because nothing uses that number. The course's format
    does not forbid more food than population, or more fat than body: such a board needs no food.
    """
    values = read_pairs(value, "a species", ("food", "body", "population", "traits"), "fat-food")
    state.creature_counts[seat] += 1
    species = Species(f"{seat}{state.creature_counts[seat]}", seat, state.kits(()))
    species.population = read_number(values["population"], "population", 1, MAX_TRACK)
    species.body = read_number(values["body"], "body", 0, MAX_TRACK)
    species.food = read_number(values["food"], "food", 0, MAX_TRACK)
    names = [read_trait(name) for name in read_list(values["traits"], "traits")]
    if len(names) > MAX_TRAITS or len(set(names)) < len(names):
        raise Malformed(
            f"a species can have at most {MAX_TRAITS} traits, and none of them twice, but this one "
            f"has: {', '.join(names)}"
        )
    species.traits = [f"{name} 0" for name in names]
    update_kit(state, species)
    species.fat = read_number(values.get("fat-food", 0), "fat-food", 0, MAX_TRACK)
    if species.fat and not species.has("fat_tissue"):
        raise Malformed("fat-food needs fat-tissue")
    return species


def read_row(state: State, seat: str, value: Json) -> None:
    """Read a player's boards, from left to right. Raises Malformed."""
    boards = read_list(value, "a list of boards")
    state.rows[seat] = [read_board(state, seat, board) for board in boards]


class Position:
    """A table read from JSON: the state, each seat's id, and the hands in the order given."""

    def __init__(self, players: Json) -> None:
        """Set up the table of these players, in the order of their turns. Raises Malformed."""
        player_list = read_list(players, "a list of players")
        if not 1 <= len(player_list) <= len(SEATS):
            raise Malformed(f"there must be 1 to {len(SEATS)} players, not {len(player_list)}")
        seats = SEATS[: len(player_list)]
        self.state = CLASSROOM.setup(CLASSROOM, seats, {})
        self.state.round, self.state.is_dealt = 1, True
        self.ids: dict[str, int] = {}
        self.hands: dict[str, list[str]] = {}
        for seat, player in zip(seats, player_list, strict=True):
            values = read_pairs(player, "a player", ("id", "species", "bag"), "cards")
            self.ids[seat] = read_number(values["id"], "an id", 0)
            self.state.bags[seat] = read_number(values["bag"], "a bag", 0)
            self.hands[seat] = read_cards(values.get("cards", []))
            self.state.hands[seat] = sorted(self.hands[seat])
            read_row(self.state, seat, values["species"])

    @classmethod
    def read(cls, value: Json) -> tuple[Position, list[str]]:
        """Read a Configuration; returns it with its deck. Raises Malformed."""
        players, hole, deck = read_list(value, "a configuration", 3)
        position = cls(players)
        position.state.hole = read_number(hole, "the watering hole", 0)
        cards = read_cards(deck)
        position.state.deck = len(cards)
        return position, cards


# ------------------------------------------------------------------ writing
def say_card(card: str) -> Json:
    """Write a card as ``[food, trait]``."""
    return [food_of(card), trait_of(card).replace("_", "-")]


def say_species(species: Species) -> Json:
    """Write a board; stored food is written only if there is any."""
    parts = [
        ["food", species.food],
        ["body", species.body],
        ["population", species.population],
        ["traits", [trait_of(card).replace("_", "-") for card in species.traits]],
    ]
    return [*parts, ["fat-food", species.fat]] if species.fat else parts


def say_configuration(
    state: State, ids: Mapping[str, int], deck: Sequence[str], order: str = ""
) -> Json:
    """Write the table as a configuration: the players, the watering hole, the cards that are left
    in the deck.

    ``ids`` are the players' ids, by seat. ``deck`` are all its cards at the start, of which the
    last ones are left. ``order`` has the seats in the order to write, by default that of play.
    """
    players = []
    for seat in order or state.order():
        parts = [
            ["id", ids[seat]],
            ["species", [say_species(species) for species in state.rows[seat]]],
            ["bag", state.bags[seat]],
        ]
        hand = [say_card(card) for card in state.hands[seat]]
        players.append([*parts, ["cards", hand]] if hand else parts)
    cards_left = list(deck)[len(deck) - state.deck :]
    return [players, state.hole, [say_card(card) for card in cards_left]]


# ------------------------------------------------------------------ choices
def say_choice(state: State, seat: str, text: str, hand: Sequence[str]) -> Json:
    """Write the steps of a choice (``text``) as the course's Action4: a list of five parts.

    These are the food card; growths of population and of body, each ``[track, board, card]``; new
    boards, each with the card that pays for it and then its traits; replacements, each ``[board,
    trait, card]``. A card is its index in ``hand``, the hand before the choice, or -1 for no food
    card; a board is its index in the row, and a trait its index on the board.

    Raises KeyError for a trait that is added to an older board, which the course's JSON cannot
    express. The harness writes only the silly player's choices, which never have one.
    """
    free_indexes = list(range(len(hand)))
    food, population_growths, body_growths, replacements = -1, [], [], []
    new_boards: dict[str, list[int]] = {}
    boards = [species.name for species in state.rows[seat]]
    for form, fields in map(FORMS.parse, text.split("; ")[:-1]):  # the last step is `done`
        card = next(i for i in free_indexes if hand[i] == fields["card"])
        free_indexes.remove(card)
        board_index = boards.index(fields["sp"]) if "sp" in fields else -1
        if form == "food":
            food = card
        elif form == "right":
            name = f"{seat}{state.creature_counts[seat] + len(new_boards) + 1}"
            boards.append(name)
            new_boards[name] = [card]
        elif form == "trait":
            new_boards[fields["sp"]].append(card)
        elif form == "population":
            population_growths.append([form, board_index, card])
        elif form == "body":
            body_growths.append([form, board_index, card])
        else:
            replacements.append([board_index, int(fields["i"]) - 1, card])
    return [food, population_growths, body_growths, [*new_boards.values()], replacements]


def read_choice(position: Position, seat: str, value: Json) -> str:
    """Read an Action4 (see `say_choice`), here always with a food card, as a script of
    steps, which is not checked against the rules. Raises Malformed."""
    parts = read_list(value, "an action", 5)
    food, population_growths, body_growths, new_boards, replacements = parts
    hand, boards = Hand(position.hands[seat]), Boards(position.state, seat)
    steps = [f"food {hand.card(food)}"]
    cards_by_place = _read_replacements(replacements, hand)
    for board in read_list(new_boards, "boards"):
        payment, *traits = read_list(board, "a new board", 1, 2, 3, 4)
        steps.append(f"{hand.card(payment)}: new board")
        board_index = boards.add_board()
        for trait_index, trait in enumerate(traits):
            steps.append(f"{hand.card(trait)} on {boards.name(board_index)}")
            # replaced before the next trait comes: until then the board may have this trait twice
            cards = cards_by_place.pop((board_index, trait_index), [])
            steps += boards.replace(board_index, trait_index, cards)
    for (board_index, trait_index), cards in sorted(cards_by_place.items()):
        steps += boards.replace(board_index, trait_index, cards)
    for track, growths in (("population", population_growths), ("body", body_growths)):
        for growth in read_list(growths, f"{track} growths"):
            board_index, card = _read_growth(growth, track)
            steps.append(f"{hand.card(card)}: {boards.name(board_index)} {track}")
    return "; ".join([*steps, "done"])


def _read_replacements(value: Json, hand: Hand) -> dict[tuple[int, int], list[str]]:
    """Read all replacements: the cards in the order given, by the board's and the trait's index.

    The order of replacements matters only if they are for the same trait. Raises Malformed.
    """
    cards_by_place: dict[tuple[int, int], list[str]] = {}
    for replacement in read_list(value, "replacements"):
        board_value, trait_value, card_value = read_list(replacement, "a replacement", 3)
        board_index = read_number(board_value, "the index of a board", 0)
        trait_index = read_number(trait_value, "the index of a trait", 0, MAX_TRAITS - 1)
        cards_by_place.setdefault((board_index, trait_index), []).append(hand.card(card_value))
    return cards_by_place


class Hand:
    """The hand at the start of a choice; JSON names each card by index, and each only once."""

    def __init__(self, cards: Sequence[str]) -> None:
        self._cards, self._used_indexes = cards, set[int]()

    def card(self, index: Json) -> str:
        """Return the card at that index. Raises Malformed."""
        position = read_number(index, "the index of a card", 0, len(self._cards) - 1)
        if position in self._used_indexes:
            raise Malformed(f"the choice uses the card with index {position} twice")
        self._used_indexes.add(position)
        return self._cards[position]


class Boards:
    """A player's row of boards; JSON names each by index, also those made in the same choice."""

    def __init__(self, state: State, seat: str) -> None:
        self._seat, self._board_count = seat, state.creature_counts[seat]
        self._names = [species.name for species in state.rows[seat]]

    def add_board(self) -> int:
        """Add a board at the right end of the row; return its index."""
        self._board_count += 1
        self._names.append(f"{self._seat}{self._board_count}")
        return len(self._names) - 1

    def replace(self, index: int, trait_index: int, cards: Sequence[str]) -> list[str]:
        """Return the steps that replace one trait of a board by each of these cards. Raises
        Malformed."""
        return [f"{card} instead of {trait_index + 1} on {self.name(index)}" for card in cards]

    def name(self, index: Json) -> str:
        """Return the name of the board at that index. Raises Malformed."""
        return self._names[read_number(index, "the index of a board", 0, len(self._names) - 1)]


def _read_growth(value: Json, track: str) -> list[Json]:
    """Read ``[board, card]`` or ``[track, board, card]``; return the two indexes, not checked yet.
    Raises Malformed."""
    growth = read_list(value, f"a choice to increase {track}", 2, 3)
    if len(growth) == 3 and growth[0] != track:
        raise Malformed(
            f"a choice to increase {track} must begin with {track!r}, not {shorten_json(value)}"
        )
    return growth[-2:]
