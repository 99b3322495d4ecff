"""The table: species boards, players' places, and the hooks that traits can change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Literal, Self

from engine import (
    ALL,
    UNKNOWN,
    Actions,
    Hooks,
    Kits,
    Seat,
    Sentences,
    Tag,
    distinct,
    zones_seen,
)
from engine.value_classes import Mutable, Value
from games.attack_and_defence import Defence
from games.food_number_cards import trait_of, traits_of
from games.rows_of_creatures import Rows

TraitNames = frozenset[str]
"""Names of traits."""
Food = Literal["plant", "meat"]
Source = Literal["hole", "bank"]
PLANT: Food = "plant"
MEAT: Food = "meat"
HOLE: Source = "hole"
BANK: Source = "bank"

MAX_BODY = MAX_POPULATION = 6
"""The largest numbers on the tracks of a species board."""


# ------------------------------------------------------------------ hooks
class Kit(Hooks):
    """The effects of one species' face-up traits: a tuple of functions for each hook.

    The docstring of a hook says whether it changes a number, forbids something (with a reason), has
    an effect, or offers sentences.
    """

    need: tuple[Callable[[Species, int], int], ...]
    """Change the amount of food that the population needs, which starts with the population."""
    attack_size: tuple[Callable[[Species, int], int], ...]
    """Change the body size with which the species attacks."""
    defence_size: tuple[Callable[[Species, int, TraitNames], int], ...]
    """Change the body size that counts when the species is attacked; the names are traits that the
    attacker ignores."""
    fat_room: tuple[Callable[[Species, int], int], ...]
    """Change the amount of food that the species may store beyond its need, which starts with 0."""
    no_plants: tuple[Callable[[Species], str | None], ...]
    """Say why the species never takes plant food, or None."""
    defends: tuple[Callable[[State, Species, Species], Defence | None], ...]
    """Give the trait of the target that stops this attacker, or None (state, target, attacker)."""
    shelters: tuple[Callable[[State, Species, Species, Species], Defence | None], ...]
    """Give the trait that protects the species' neighbour, or None (state, the species, target,
    attacker)."""
    overcomes: tuple[Callable[[Species, str], bool], ...]
    """Say whether this attacker ignores a defence of that name."""
    negates: tuple[Callable[[Species, str], bool], ...]
    """Say whether this attacker may ignore a trait of that name if its owner discards a card."""
    struck: tuple[Callable[[State, Species, Species], None], ...]
    """Called when the species was attacked, before anybody eats (state, target, attacker)."""
    took: tuple[Callable[[State, Species, Food, Source], None], ...]
    """Called when the species has taken food onto its board."""
    carrion: tuple[Callable[[State, Species], None], ...]
    """Called when a carnivore's attack has cost any species population."""
    leaf: tuple[Callable[[State, Species], None], ...]
    """Called before the food cards are revealed, for traits with the leaf icon."""
    gone: tuple[Callable[[State, Species], None], ...]
    """Called when the trait leaves the species, the species dies out, or the game ends."""
    meals: tuple[Callable[[State, Species], Iterable[str]], ...]
    """Offer special feedings; a hungry species must use one of them."""
    extras: tuple[Callable[[State, Species], Iterable[str]], ...]
    """Offer feedings that nobody ever has to use."""


# ------------------------------------------------------------------ the rulebook's numbers
class Hand:
    """The different cards of a hand."""

    def __init__(self, cards: Sequence[str]) -> None:
        self.cards = distinct(cards)
        self.traits = frozenset(map(trait_of, self.cards))
        """The traits of these cards."""

    def cards_without(self, traits: Set[str]) -> Sequence[str]:
        """Return the cards with other traits than these."""
        if self.traits.isdisjoint(traits):
            return self.cards
        return [card for card in self.cards if trait_of(card) not in traits]


class Book(Value):
    """The values that the rulebook sets for one game: numbers, limits and the traits in play."""

    kits: Kits[Kit]
    """The hooks of all traits in play."""
    cards: tuple[str, ...]
    """The printed deck."""
    play: Actions[State, Hand]
    """The actions of the Play Cards phase."""
    sentences: Sentences
    """All sentences of the game."""
    trait_limit: int = 3
    """The largest number of traits on a species."""
    cards_per_round: int = 3
    """The number of cards dealt to each player in each round, besides one for each species."""
    set_aside_count: int = 0
    """The number of cards taken out of the deck, unseen, at set-up."""
    has_spare_deck: bool = False
    """Whether the cards taken out become the deck when it runs out, instead of the discards."""
    is_simultaneous: bool = False
    """Whether all play their cards at the same time."""
    has_autofeed: bool = False
    """Whether all are fed without questions as soon as nobody has anything to decide."""


# ------------------------------------------------------------------ what is on the table
class Species(Mutable):
    """One species board."""

    shared_attributes = frozenset({"kit"})

    def __init__(self, name: str, owner: Seat, kit: Kit, population: int = 1) -> None:
        """Make a species without traits or food."""
        self.name, self.owner = name, owner
        self.kit = kit
        """The hooks of the face-up traits."""
        self.population, self.body = population, 1
        self.food = 0
        """The amount of food on the board."""
        self.fat = 0
        """The amount of food stored on Fat Tissue."""
        self.food_taken = 0
        """All the food that it has ever taken, on its board or as fat."""
        self.traits: list[str] = []
        self.face_down_tags: list[Tag | None] = []
        """For each of ``traits`` the tag under which it lies face down; None if it is face up."""
        self.left_traits: tuple[tuple[Tag, str], ...] = ()
        """The traits that have left the species while a card lay face down beside them, each with
        the tag of this card."""

    def clone(self, viewpoint: Seat) -> Species:
        """Return a copy as a viewpoint sees the species: only the owner knows the face-down
        cards."""
        copy = Species(self.name, self.owner, self.kit, self.population)
        copy.body, copy.food, copy.fat = self.body, self.food, self.fat
        copy.food_taken = self.food_taken
        copy.traits, copy.face_down_tags = self.traits[:], self.face_down_tags[:]
        copy.left_traits = self.left_traits
        if viewpoint not in (ALL, self.owner) and any(copy.face_down_tags):
            pairs = zip(copy.traits, copy.face_down_tags, strict=True)
            copy.traits = [UNKNOWN if tag is not None else card for card, tag in pairs]
        return copy

    def has(self, trait: str) -> bool:
        """Return whether the species has this trait face up: a face-down trait does nothing."""
        return trait in self.kit.names

    @property
    def card_traits(self) -> frozenset[str]:
        """The traits of the cards on the species, face up or, if known here, face down."""
        return traits_of(tuple(self.traits))

    def has_trait_card(self, trait: str) -> bool:
        """Return whether a card on the species has this trait, face up or, if known here, face
        down."""
        return trait in self.card_traits

    def neighbour_traits(self, index: int) -> list[str]:
        """Return the traits of the cards that lie, or have lain, beside the card at this index.

        Until it is turned up, a card that has left the species counts too: its owner may have put
        down a second card with its trait while nobody else knew the two.
        """
        traits = [trait_of(card) for card in (*self.traits[:index], *self.traits[index + 1 :])]
        own_tag = self.face_down_tags[index]
        return traits + [trait for tag, trait in self.left_traits if tag == own_tag]

    @property
    def need(self) -> int:
        """The amount of food that the species needs on its board."""
        need = self.population
        for fold in self.kit.need:
            need = fold(self, need)
        return need

    @property
    def hunger(self) -> int:
        """The amount of food that the species still lacks; it is hungry if this is more than 0."""
        lack = self.population - self.food
        for fold in self.kit.need:
            lack = fold(self, self.population) - self.food
        return lack if lack > 0 else 0

    @property
    def fat_room(self) -> int:
        """The amount of food that the species may still store on Fat Tissue."""
        room = 0
        for fold in self.kit.fat_room:
            room = fold(self, room)
        return room

    @property
    def room(self) -> int:
        """The amount of food that the species can still take, on the board and as fat."""
        return self.hunger + self.fat_room


class State(Mutable, Rows[Species]):
    """Everything on the table, as one viewpoint sees it; zones are sorted lists of cards."""

    shared_attributes = frozenset({"book"})

    def __init__(self, book: Book, seats: str) -> None:
        """Make the empty table of a game that has not begun."""
        self.book, self.seats = book, seats
        self.first_seat_index = 0
        """The index of the first player in ``seats``."""
        self.round, self.scope, self.entry = 0, "", 0
        self.deck = 0
        """The number of cards in the deck."""
        self.set_aside_count = 0
        """The number of cards that were taken out of the deck, unseen."""
        self.hole = 0
        """The amount of plant food on the Watering Hole."""
        self.bank = 0
        """The amount of food in the game: all that has left the Food Bank and not come back."""
        self.final_round = 0
        """The number of the final round; 0 while it is not known."""
        self.hands: dict[Seat, list[str]] = {seat: [] for seat in seats}
        self.rows: dict[Seat, list[Species]] = {seat: [] for seat in seats}
        self.creature_counts = dict.fromkeys(seats, 0)
        """The number of species that each seat has ever had, so that no name is used twice."""
        self.screens = dict.fromkeys(seats, 0)
        """The food behind each Food Screen; it is public, because everybody could keep count."""
        self.food_cards: dict[Seat, tuple[str, Tag | None]] = {}
        """Each Food Card, and the tag under which it lies face down; None once it is turned up."""
        self.discards: list[str] = []

    def clone(self, viewpoint: Seat) -> Self:
        """Return a copy with only what this viewpoint may see."""
        copy = type(self).__new__(type(self))
        copy.book, copy.seats, copy.first_seat_index = self.book, self.seats, self.first_seat_index
        copy.round, copy.scope, copy.entry = self.round, self.scope, self.entry
        copy.deck, copy.set_aside_count, copy.hole = self.deck, self.set_aside_count, self.hole
        copy.bank, copy.final_round = self.bank, self.final_round
        copy.hands = zones_seen(self.hands, viewpoint)
        copy.rows = {seat: [x.clone(viewpoint) for x in row] for seat, row in self.rows.items()}
        copy.creature_counts, copy.screens = self.creature_counts.copy(), self.screens.copy()
        copy.food_cards = {
            seat: (card if viewpoint in (ALL, seat) or tag is None else UNKNOWN, tag)
            for seat, (card, tag) in self.food_cards.items()
        }
        copy.discards = self.discards[:]
        return copy

    # -------------------------------------------------------------- looking
    def species(self, start: Seat | None = None) -> Iterator[Species]:
        """Yield all species: player by player in order, each row left to right."""
        for seat in self.order(start):
            yield from self.rows[seat]

    def cards(self) -> Iterator[str]:
        """Yield every card that is not in the deck."""
        yield from self.discards
        for hand in self.hands.values():
            yield from hand
        yield from (card for card, _ in self.food_cards.values())
        for species in self.species():
            yield from species.traits

    def total(self) -> int:
        """Return the number of all cards, which never changes."""
        return self.deck + self.set_aside_count + sum(1 for _ in self.cards())

    def stray_tokens(self) -> int:
        """Return the amount of food that left the Food Bank but is missing from the table; it must
        always be 0."""
        board_food = sum(species.food + species.fat for species in self.species())
        return self.bank - self.hole - board_food - sum(self.screens.values())
