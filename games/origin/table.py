"""The table: animals, trait cards, players' places, and the hooks that traits can change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from engine import ALL, UNKNOWN, Hooks, Kits, Seat, Tag, zones_seen
from engine.value_classes import Mutable, Value
from games.attack_and_defence import Defence
from games.origin.card_and_dice_data import Dice
from games.rows_of_creatures import Rows

Colour = Literal["red", "blue"]


# ------------------------------------------------------------------ hooks
class Kit(Hooks):
    """The effects of one animal's traits, or of one pair card: a tuple of functions for each
    hook."""

    need: tuple[Callable[[int], int], ...]
    """Change the number of food tokens that the animal needs, which starts with 1."""
    points: tuple[Callable[[int], int], ...]
    """Change the number of additional points at the end, which starts with 0."""
    fat_cards: tuple[Callable[[Animal, int], int], ...]
    """Change the number of yellow tokens for which the animal has room, which starts with 0."""
    host: tuple[Callable[[Seat, Animal], str | None], ...]
    """Say why this player may not put the trait on this animal, or None; without this hook, it goes
    only on own animals."""
    several: tuple[Callable[[], bool], ...]
    """Say whether one animal may have the trait more than once."""
    excludes: tuple[Callable[[Animal, str], str | None], ...]
    """Say why an animal with this trait may not get that other trait, or None."""
    hunts: tuple[Callable[[Animal, Animal], str | None], ...]
    """Say why this carnivore never attacks that animal, or None (carnivore, target)."""
    defends: tuple[Callable[[Animal], Defence | None], ...]
    """Give the defence that protects this target, or None."""
    overcomes: tuple[Callable[[str], bool], ...]
    """Say whether this carnivore ignores a defence of that name."""
    shelters: tuple[Callable[[Pair, Animal], Defence | None], ...]
    """For a pair card: give the defence that protects this target, one of the pair, or None."""
    holds_back: tuple[Callable[[State, Pair, Animal], str | None], ...]
    """For a pair card: say why this animal of the pair may not take food, or None."""
    passes_on: tuple[Callable[[State, bool], Colour | None], ...]
    """For a pair card: called when one animal of the pair took food (true: a red token from the
    food bank); returns what the other gets, or None."""
    eaten: tuple[Callable[[Animal], None], ...]
    """Called when this carnivore has eaten the animal."""
    scavenges: tuple[Callable[[State, Animal], bool], ...]
    """Called when another animal was eaten; returns whether this animal can scavenge."""
    answers: tuple[Callable[[State, Hunt], Iterable[str]], ...]
    """Offer the answers that the target of an attack can choose from."""
    mains: tuple[Callable[[State, Animal], Iterable[str]], ...]
    """Offer main actions for a feeding turn, instead of taking a red token."""
    extras: tuple[Callable[[State, Animal], Iterable[str]], ...]
    """Offer additional actions for a feeding turn."""


# ------------------------------------------------------------------ the rulebook's numbers
class Book(Value):
    """The values that the rulebook sets for one game: cards, dice and the traits in play."""

    kits: Kits[Kit]
    deck: tuple[str, ...]
    """The cards in play: one set or two."""
    dice: Dice
    hand: int = 6
    """The number of cards at the start, and for a player with neither animals nor cards."""
    is_simultaneous: bool = False
    """Whether all choose the cards that they play at the same time."""


# ------------------------------------------------------------------ what is on the table
class Trait(NamedTuple):
    """A trait card on one animal: the card, the trait as which it was played, and when it was
    played."""

    card: str
    name: str
    serial: int


class Pair(Mutable):
    """A trait card that joins two animals, given by name. In a Symbiosis the first is the
    symbiont."""

    shared_attributes = frozenset({"kit"})

    def __init__(
        self, card: str, name: str, serial: int, first_animal: str, second_animal: str, kit: Kit
    ) -> None:
        """Make a pair that is not used yet."""
        self.card, self.name, self.serial, self.kit = card, name, serial, kit
        self.first_animal, self.second_animal = first_animal, second_animal
        self.is_used = False
        """Whether the card was used in this feeding turn."""

    def clone(self) -> Pair:
        """Return a copy. Pair cards are face up, so nothing needs to be masked."""
        copy = Pair(
            self.card, self.name, self.serial, self.first_animal, self.second_animal, self.kit
        )
        copy.is_used = self.is_used
        return copy

    def joins(self, name: str) -> bool:
        """Return whether that animal is one of the two animals of this pair."""
        return name in (self.first_animal, self.second_animal)

    def partner(self, name: str) -> str:
        """Return the partner of that animal in the pair."""
        return self.second_animal if name == self.first_animal else self.first_animal


class Animal(Mutable):
    """An animal: a face-down card, which only its owner knows, with its trait cards and tokens."""

    shared_attributes = frozenset({"kit"})

    def __init__(self, name: str, owner: Seat, card: str, tag: Tag, kit: Kit) -> None:
        """Make an animal without traits or tokens; ``tag`` is the place in the log (entry and
        bracket) where the card was put down."""
        self.name, self.owner, self.card, self.tag, self.kit = name, owner, card, tag, kit
        self.red = self.blue = self.food_taken = 0
        """``food_taken`` counts all the tokens that it has ever taken."""
        self.fat = 0
        """The number of yellow tokens, which are on the oldest of its Fat Tissue cards, one
        each."""
        self.traits: list[Trait] = []
        self.used_traits: list[str] = []
        """Traits that were used and will work again in the next game turn."""
        self.has_grazed = False
        """Whether the animal has grazed in this feeding turn."""
        self.is_hibernating, self.last_hibernation = False, 0
        """``last_hibernation`` is the last game turn in which the animal hibernated; 0 if none."""
        self.is_poisoned = False

    def clone(self, viewpoint: Seat) -> Animal:
        """Return a copy in which only the owner knows the face-down card."""
        copy = Animal.__new__(Animal)
        copy.card = self.card if viewpoint in (ALL, self.owner) else UNKNOWN
        copy.name, copy.owner, copy.tag, copy.kit = self.name, self.owner, self.tag, self.kit
        copy.red, copy.blue, copy.fat, copy.food_taken = (
            self.red,
            self.blue,
            self.fat,
            self.food_taken,
        )
        copy.traits, copy.used_traits = self.traits[:], self.used_traits[:]
        copy.has_grazed, copy.is_poisoned = self.has_grazed, self.is_poisoned
        copy.is_hibernating, copy.last_hibernation = self.is_hibernating, self.last_hibernation
        return copy

    def has(self, trait: str) -> bool:
        """Return whether the animal carries this trait (pair cards do not count)."""
        return trait in self.kit.names

    def count(self, trait: str) -> int:
        """Return the number of cards of this trait on the animal."""
        return sum(1 for card in self.traits if card.name == trait)

    @property
    def food(self) -> int:
        """The number of red and blue tokens on the animal."""
        return self.red + self.blue

    @property
    def need(self) -> int:
        """The number of tokens that the animal needs: 1, and more for some traits."""
        need = 1
        for fold in self.kit.need:
            need = fold(need)
        return need

    @property
    def hunger(self) -> int:
        """The number of tokens that the animal still needs; fat does not count; 0 during
        hibernation."""
        if self.is_hibernating:
            return 0
        lack = 1
        for fold in self.kit.need:
            lack = fold(lack)
        lack -= self.red + self.blue
        return lack if lack > 0 else 0

    @property
    def is_fed(self) -> bool:
        """Whether the animal counts as fed."""
        return self.hunger == 0

    @property
    def fat_room(self) -> int:
        """The number of the animal's Fat Tissue cards that are empty."""
        room = 0
        for fold in self.kit.fat_cards:
            room = fold(self, room)
        return room - self.fat


class Hunt(NamedTuple):
    """An attack that its target can still answer."""

    hunter: Animal
    target: Animal
    runners: tuple[str, ...]
    """The animals that have tried to run away in this attack."""


class State(Mutable, Rows[Animal]):
    """Everything on the table, as one viewpoint sees it; zones are sorted lists of cards."""

    shared_attributes = frozenset({"book"})

    def __init__(self, book: Book, seats: str) -> None:
        """Make the empty table of a game that has not begun."""
        self.book, self.seats = book, seats
        self.first_seat_index = 0
        """The index of the first player in ``seats``."""
        self.round, self.scope, self.entry = 0, "", 0
        """``round`` is the number of the present game turn."""
        self.deck = self.boxed_card_count = 0
        """``boxed_card_count`` is the number of cards of a second set that are not in play."""
        self.bank = 0
        """The number of red tokens in the food bank."""
        self.tokens = 0
        """The number of tokens that have come into play and not left it."""
        self.final_round = 0
        """The number of the last game turn, once it is known."""
        self.played_card_count = 0
        """The number of trait cards that were ever played, which gives each card its age."""
        self.hands: dict[Seat, list[str]] = {seat: [] for seat in seats}
        self.rows: dict[Seat, list[Animal]] = {seat: [] for seat in seats}
        self.pairs: dict[Seat, list[Pair]] = {seat: [] for seat in seats}
        """Each player's pair cards, in the order played."""
        self.creature_counts = dict.fromkeys(seats, 0)
        """The number of animals that each seat has ever had, so that no name is used twice."""
        self.passed_seats: list[Seat] = []
        """The seats that have passed, for the rest of the development phase."""
        self.piles: dict[Seat, list[str]] = {seat: [] for seat in seats}
        """The discarded trait cards of each player; everybody has seen them (house rule O14)."""
        self.buried: dict[Seat, list[str]] = {seat: [] for seat in seats}
        """The face-down cards of dead animals; only their owner knows them."""

    def clone(self, viewpoint: Seat) -> State:
        """Return a copy with only what this viewpoint may see."""
        copy = State.__new__(State)
        copy.book, copy.seats, copy.first_seat_index = self.book, self.seats, self.first_seat_index
        copy.round, copy.scope, copy.entry = self.round, self.scope, self.entry
        copy.deck, copy.boxed_card_count, copy.bank = self.deck, self.boxed_card_count, self.bank
        copy.tokens, copy.final_round = self.tokens, self.final_round
        copy.played_card_count = self.played_card_count
        copy.hands = zones_seen(self.hands, viewpoint)
        copy.rows = {s: [x.clone(viewpoint) for x in row] for s, row in self.rows.items()}
        copy.pairs = {s: [p.clone() for p in pairs] for s, pairs in self.pairs.items()}
        copy.creature_counts, copy.passed_seats = self.creature_counts.copy(), self.passed_seats[:]
        copy.piles = {s: z[:] for s, z in self.piles.items()}
        copy.buried = zones_seen(self.buried, viewpoint)
        return copy

    def animals(self, start: Seat | None = None) -> Iterator[Animal]:
        """Yield all animals: player by player in order, each row left to right."""
        for seat in self.order(start):
            yield from self.rows[seat]

    def pairs_of(self, animal: Animal) -> Iterator[Pair]:
        """Yield the pair cards that join the animal to others, in the order played."""
        for pair in self.pairs[animal.owner]:
            if pair.first_animal == animal.name or pair.second_animal == animal.name:
                yield pair

    def cards(self) -> Iterator[str]:
        """Yield every card that is neither in the deck nor in the box."""
        for zones in (self.hands, self.piles, self.buried):
            for zone in zones.values():
                yield from zone
        for pairs in self.pairs.values():
            yield from (pair.card for pair in pairs)
        for animal in self.animals():
            yield animal.card
            yield from (trait.card for trait in animal.traits)

    def total(self) -> int:
        """Return the number of all cards, which never changes."""
        return self.boxed_card_count + self.deck + sum(1 for _ in self.cards())

    def stray_tokens(self) -> int:
        """Return the number of tokens that came into play but are missing from the table; it must
        always be 0."""
        lying = sum(animal.food + animal.fat for animal in self.animals())
        return self.tokens - self.bank - lying


def why_not_take(state: State, animal: Animal) -> str | None:
    """Say why no food token may be put on this animal (ruling 4: *can take*)."""
    if animal.is_hibernating:
        return f"{animal.name} hibernates"
    if not animal.hunger and animal.fat_room <= 0:
        if animal.has("fat_tissue"):
            return f"{animal.name} is fed, and its fat tissue is full"
        return f"{animal.name} is fed"
    for pair in state.pairs_of(animal):
        for holds_back in pair.kit.holds_back:
            if reason := holds_back(state, pair, animal):
                return reason
    return None


def can_take(state: State, animal: Animal) -> bool:
    """Return whether a food token may be put on this animal."""
    return why_not_take(state, animal) is None
