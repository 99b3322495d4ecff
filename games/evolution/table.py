"""The table: species, players' places, and the verbs that change them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, Protocol

from engine import (
    ALL,
    UNKNOWN,
    Forms,
    Kits,
    Rules,
    Seat,
    Tag,
    put,
    shuffle,
    zones_seen,
)
from games.evolution.hooks import Kit, Names
from games.tables import Rows, draw_cards, place_of

Food = Literal["plant", "meat"]
Source = Literal["hole", "bank"]
PLANT: Food = "plant"
MEAT: Food = "meat"
HOLE: Source = "hole"
BANK: Source = "bank"

MOST_BODY = MOST_POPULATION = 6
"""Where the tracks of a species board end."""


@lru_cache(1024)
def trait_of(card: str) -> str:
    """The trait that a card shows; ``?`` for an unknown card."""
    return card.partition(" ")[0]


def food_of(card: str) -> int:
    """The food number of a card."""
    return int(card.split(" ")[1])


class Leaving(Protocol):
    """How a trait leaves a species because its owner wants it to."""

    form: str
    """The sentence: it has the fields ``i`` (place), ``sp``, and the card that leaves."""
    mark: str
    """What every such sentence contains and no other."""
    leaves: str
    """The field that names the card that leaves."""

    def options(self, state: State, seat: Seat) -> Iterable[str]:
        """The sentences by which one of this seat's traits may leave now."""

    def do(self, state: State, seat: Seat, said: Mapping[str, str], tag: Tag) -> None:
        """Do what the sentence says; the tag is of its bracket."""

    def why_not(self, state: State, seat: Seat, said: Mapping[str, str]) -> str | None:
        """Why a sentence about an own species is not an option."""


@dataclass(frozen=True)
class Book:
    """What the rulebook fixes for one game: numbers, limits, and the traits in play."""

    kits: Kits[Kit]
    cards: tuple[str, ...]
    """The printed deck."""
    leaving: Leaving
    forms: Forms
    """The sentences of the Play Cards turn."""
    trait_limit: int = 3
    dealt: int = 3
    """Cards for each player and round, besides one for each species."""
    aside: int = 0
    """Cards taken out of the deck, unseen, at set-up."""
    spare: bool = False
    """Whether the cards taken out become the deck when it runs out, instead of the discards."""
    together: bool = False
    """Whether all play their cards at the same time."""


@dataclass(slots=True)
class Species:
    """One species board. ``down`` runs along ``traits``: the tag of a face-down card, else None."""

    name: str
    owner: Seat
    kit: Kit = field(compare=False, repr=False)
    population: int = 1
    body: int = 1
    food: int = 0
    fat: int = 0
    traits: list[str] = field(default_factory=list)
    down: list[Tag | None] = field(default_factory=list)

    def clone(self, eyes: Seat) -> Species:
        """A copy with the face-down cards unknown to all but their owner."""
        traits = self.traits[:]
        if eyes not in (ALL, self.owner):
            traits = [UNKNOWN if d else t for t, d in zip(traits, self.down, strict=True)]
        return Species(
            self.name, self.owner, self.kit, self.population, self.body, self.food, self.fat,
            traits, self.down[:],
        )  # fmt: skip

    def has(self, trait: str) -> bool:
        """Whether it has this trait face up: a face-down trait does nothing."""
        return trait in self.kit.names

    def bears(self, trait: str) -> bool:
        """Whether a card of this trait lies on it, face up or, as far as known here, down."""
        return trait in map(trait_of, self.traits)

    @property
    def need(self) -> int:
        """How much food its board asks for."""
        need = self.population
        for fold in self.kit.need:
            need = fold(self, need)
        return need

    @property
    def hunger(self) -> int:
        """How much food its board still lacks; hungry means more than 0."""
        return max(0, self.need - self.food)

    @property
    def fat_room(self) -> int:
        """How much food it may store besides."""
        room = 0
        for fold in self.kit.fat_room:
            room = fold(self, room)
        return room

    @property
    def room(self) -> int:
        """How much food it can take in all."""
        return self.hunger + self.fat_room


@dataclass(slots=True)
class State(Rows[Species]):
    """Everything on the table. Zones are sorted lists of cards; each has one set of eyes."""

    book: Book = field(compare=False, repr=False)
    seats: str
    first: int = 0
    """Index of the first player in ``seats``."""
    round: int = 0
    scope: str = ""
    entry: int = 0
    deck: int = 0
    aside: int = 0
    hole: int = 0
    """Plant food on the Watering Hole."""
    bank: int = 0
    """Food that has left the Food Bank and not come back: all food in the game."""
    last: int = 0
    """The final round, once it is known."""
    hands: dict[Seat, list[str]] = field(default_factory=dict)
    rows: dict[Seat, list[Species]] = field(default_factory=dict)
    made: dict[Seat, int] = field(default_factory=dict)
    """How many species each seat ever had: names are never used again."""
    screens: dict[Seat, int] = field(default_factory=dict)
    """Food behind the Food Screens. Everybody could count along, so it is public."""
    food_cards: dict[Seat, tuple[str, Tag]] = field(default_factory=dict)
    discards: list[str] = field(default_factory=list)

    def clone(self, eyes: Seat) -> State:
        """A copy as these eyes see it."""
        return State(*self.seen_by(eyes))

    def seen_by(self, eyes: Seat) -> tuple[Any, ...]:
        """The fields of a copy as these eyes see it."""
        return (
            self.book, self.seats, self.first, self.round, self.scope, self.entry, self.deck,
            self.aside, self.hole, self.bank, self.last,
            zones_seen(self.hands, eyes),
            {s: [x.clone(eyes) for x in row] for s, row in self.rows.items()},
            self.made.copy(),
            self.screens.copy(),
            {
                s: (card if eyes in (ALL, s) else UNKNOWN, tag)
                for s, (card, tag) in self.food_cards.items()
            },
            self.discards[:],
        )  # fmt: skip

    # -------------------------------------------------------------- looking
    def species(self, start: Seat | None = None) -> Iterator[Species]:
        """All species: player by player in order, each row left to right."""
        for seat in self.order(start):
            yield from self.rows[seat]

    def cards(self) -> Iterator[str]:
        """Every card outside the deck."""
        yield from self.discards
        for hand in self.hands.values():
            yield from hand
        yield from (card for card, _ in self.food_cards.values())
        for species in self.species():
            yield from species.traits

    def total(self) -> int:
        """All cards: never more, never fewer."""
        return self.deck + self.aside + sum(1 for _ in self.cards())

    def stray_tokens(self) -> int:
        """Food that left the bank and lies nowhere: always 0."""
        eaten = sum(species.food + species.fat for species in self.species())
        return self.bank - self.hole - eaten - sum(self.screens.values())


# ------------------------------------------------------------------ verbs
def dress(state: State, species: Species) -> None:
    """Compile what its face-up traits do, after they changed."""
    up = [trait_of(c) for c, d in zip(species.traits, species.down, strict=True) if d is None]
    species.kit = state.book.kits(up)


def new_species(state: State, seat: Seat, left: bool = False) -> Species:
    """A new board, body 1 and population 1, at one end of the row."""
    state.made[seat] += 1
    species = Species(f"{seat}{state.made[seat]}", seat, state.book.kits(()))
    state.rows[seat].insert(0 if left else len(state.rows[seat]), species)
    return species


def discard(state: State, *cards: str) -> None:
    """Cards onto the discard pile, face up."""
    put(state.discards, cards)


def take(state: State, species: Species, count: int, food: Food, source: Source) -> int:
    """A *take*: fills the board up to the need, then Fat Tissue; how much was taken.

    The rest is not taken. What lands on the board triggers Foraging and Cooperation, once,
    whatever the amount (Evolution, Feeding; ruling 1.5).
    """
    if food == PLANT and why_no_plants(species):
        return 0
    if source == HOLE:
        count = min(count, state.hole)
    board = min(count, species.hunger)
    stored = min(count - board, species.fat_room)
    gain(state, species, board, source)
    species.fat += stored
    draw_food(state, stored, source)
    if board:
        for react in species.kit.took:
            react(state, species, food, source)
    return board + stored


def why_no_plants(species: Species) -> str | None:
    """Why the species never takes plant food, if that is so."""
    return next((why for veto in species.kit.no_plants if (why := veto(species))), None)


def gain(state: State, species: Species, count: int, source: Source) -> None:
    """Food from the source onto its board, without any trigger."""
    species.food += count
    draw_food(state, count, source)


def draw_food(state: State, count: int, source: Source) -> None:
    """Food leaves the Watering Hole or the Food Bank."""
    if source == HOLE:
        state.hole -= count
    else:
        state.bank += count


def to_screen(state: State, seat: Seat, food: int) -> None:
    """Food behind the player's Food Screen."""
    state.screens[seat] += food


def lose(state: State, species: Species, count: int = 1) -> None:
    """So much less population; food above the new need goes behind the screen."""
    species.population = max(0, species.population - count)
    excess = max(0, species.food - species.need)
    species.food -= excess
    to_screen(state, species.owner, excess)


def clear_board(state: State, species: Species) -> None:
    """The food on its board goes behind the screen."""
    to_screen(state, species.owner, species.food)
    species.food = 0


def lose_trait(state: State, species: Species, at: int) -> str:
    """A trait leaves the species, with what was stored on it; the card."""
    card = species.traits.pop(at)
    if species.down.pop(at) is None:
        for react in state.book.kits((trait_of(card),)).gone:
            react(state, species)
    dress(state, species)
    return card


def extinct(state: State, species: Species) -> Rules:
    """Extinction: traits discarded, as many cards drawn, food behind the screen, the gap closed."""
    for react in species.kit.gone:
        react(state, species)
    clear_board(state, species)
    row = state.rows[species.owner]
    del row[place_of(species, row)]
    discard(state, *species.traits)
    yield from draw(state, species.owner, len(species.traits), final=state.round + 1)


def draw(state: State, seat: Seat, count: int, final: int) -> Rules:
    """Cards from the deck to a hand.

    When the last card is drawn the discards become the deck, and ``final`` the last round, unless
    it came sooner (ruling 1.17). If deck and discards are empty, nothing is drawn.
    """
    while count and (state.deck or state.discards):
        if not state.deck:
            yield from reshuffle(state)
        now = min(count, state.deck)
        yield from draw_cards(state, seat, now)
        count -= now
        if not state.deck:
            state.last = min(state.last or final, final)
            yield from reshuffle(state)


def reshuffle(state: State) -> Rules:
    """The discard pile becomes the draw deck, or the cards set aside for that do."""
    if state.book.spare and state.aside:
        state.deck, state.aside = state.aside, 0
    elif state.discards:
        yield shuffle(state.discards)
        state.deck, state.discards = len(state.discards), []


def defence_size(target: Species, negated: Names = frozenset()) -> int:
    """The body size that an attacker must exceed."""
    size = target.body
    for fold in target.kit.defence_size:
        size = fold(target, size, negated)
    return size


def attack_size(attacker: Species) -> int:
    """The body size with which it attacks."""
    size = attacker.body
    for fold in attacker.kit.attack_size:
        size = fold(attacker, size)
    return size
