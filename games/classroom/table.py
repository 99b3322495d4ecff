"""The table: hooks, species boards, players' places, and the functions that change them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from engine import Hooks, Kits, Rules, Seat, put, zones_seen
from engine.value_classes import Mutable
from games.attack_and_defence import Defence
from games.draw_cards_and_pour_food import draw_cards
from games.food_number_cards import trait_of
from games.rows_of_creatures import Rows, index_in_row

MAX_TRACK = 7
"""The largest population and body size (Basic Terms)."""
MAX_TRAITS = 3
CARDS_PER_DEAL = 3
"""The number of cards dealt to each player in each turn, besides one for each species."""
CARDS_PER_EXTINCTION = 2
"""The number of cards that the owner of an extinct species draws."""


# ------------------------------------------------------------------ hooks
class Kit(Hooks):
    """The effects of one species' traits: a tuple of functions for each hook.

    The docstring of a hook says whether it changes a number, forbids something, has an effect, or
    offers sentences. If a trait's text is the same as in an older ruleset, the trait uses that
    ruleset's class. So the hooks have the same names and arguments here as in that ruleset.
    """

    attack_size: tuple[Callable[[Species, int], int], ...]
    """Change the body size with which the species attacks, which matters only against a Hard
    Shell."""
    fat_room: tuple[Callable[[Species, int], int], ...]
    """Change the amount of food that the species may still store, which starts with 0."""
    bites: tuple[Callable[[Species, int], int], ...]
    """Change the number of tokens of one feeding step, which starts with 1."""
    defends: tuple[Callable[[State, Species, Species], Defence | None], ...]
    """Give the trait of the target that stops this attacker, or None (state, target, attacker)."""
    shelters: tuple[Callable[[State, Species, Species, Species], Defence | None], ...]
    """Give the trait that protects the species' neighbour, or None (state, the species, target,
    attacker)."""
    overcomes: tuple[Callable[[Species, str], bool], ...]
    """Say whether this attacker ignores a defence of that name."""
    struck: tuple[Callable[[State, Species, Species], None], ...]
    """Called when the species was attacked, before anybody eats (state, target, attacker)."""
    ate: tuple[Callable[[State, Species, int], None], ...]
    """Called when a feeding step has put this many tokens on the species' board."""
    carrion: tuple[Callable[[State, Species], None], ...]
    """Called when a carnivore has attacked any species and survived."""
    leaf: tuple[Callable[[State, Species], None], ...]
    """Called when the food cards have been revealed."""
    gone: tuple[Callable[[State, Species], None], ...]
    """Called when the trait leaves the species, or the species dies out."""
    hunts: tuple[Callable[[State, Species], Iterable[str]], ...]
    """Offer the species' attacks; a species with this hook cannot choose to take a token."""


# ------------------------------------------------------------------ what is on the table
class Species(Mutable):
    """One species board; everything on it is face up."""

    shared_attributes = frozenset({"kit"})

    def __init__(self, name: str, owner: Seat, kit: Kit) -> None:
        """Make a board with population 1 and body size 0."""
        self.name, self.owner, self.kit = name, owner, kit
        self.population, self.body = 1, 0
        self.food = self.fat = 0
        self.food_taken = 0
        """All the food that it has ever taken, on its board or as fat."""
        self.traits: list[str] = []

    def clone(self) -> Species:
        """Return a copy."""
        copy = Species(self.name, self.owner, self.kit)
        copy.population, copy.body = self.population, self.body
        copy.food, copy.fat, copy.food_taken = self.food, self.fat, self.food_taken
        copy.traits = self.traits[:]
        return copy

    def has(self, trait: str) -> bool:
        """Return whether the species has this trait."""
        return trait in self.kit.names

    @property
    def hunger(self) -> int:
        """The amount of food that the species still lacks; it is hungry if this is more than 0."""
        return max(0, self.population - self.food)

    @property
    def fat_room(self) -> int:
        """The amount of food that the species may still store on Fat Tissue."""
        room = 0
        for fold in self.kit.fat_room:
            room = fold(self, room)
        return room


class State(Mutable, Rows[Species]):
    """Everything on the table. Only the hands are secret; each hand is a sorted list of cards."""

    shared_attributes = frozenset({"kits", "printed_deck"})

    def __init__(
        self,
        kits: Kits[Kit],
        seats: str,
        *,
        removal: bool = False,
        printed_deck: tuple[str, ...] = (),
    ) -> None:
        """Make the empty table of a game that has not begun.

        ``removal`` says whether a player who is silent at a deadline is out of the game; the
        charter decides this.
        """
        self.kits, self.seats, self.removal = kits, seats, removal
        self.printed_deck = printed_deck
        self.first_seat_index = 0
        """The index of the starting player in ``seats``."""
        self.round, self.scope, self.entry, self.deck = 0, "", 0, 0
        """``deck`` is the number of cards in the deck."""
        self.is_dealt = False
        """Whether this turn's cards have been dealt."""
        self.hole = 0
        """The amount of food on the watering hole board."""
        self.bank = 0
        """The amount of food in the game: all that food cards brought, minus all that was lost."""
        self.hands: dict[Seat, list[str]] = {seat: [] for seat in seats}
        self.rows: dict[Seat, list[Species]] = {seat: [] for seat in seats}
        self.creature_counts = dict.fromkeys(seats, 0)
        """The number of species that each seat has ever had, so that no name is used twice."""
        self.bags = dict.fromkeys(seats, 0)
        """The food that each seat has put into its bag; each is worth a point."""
        self.food_cards: dict[Seat, str] = {}
        """The food card of each seat, from its choice until its food is added."""
        self.discards: list[str] = []
        self.declined_seats = ""
        """The seats that are out of this feeding phase."""
        self.departed_seats = ""
        """The seats that are out of the game, in the order in which they left."""

    def clone(self, viewpoint: Seat) -> State:
        """Return a copy with only what this viewpoint may see."""
        copy = State.__new__(State)
        copy.kits, copy.seats, copy.removal = self.kits, self.seats, self.removal
        copy.printed_deck = self.printed_deck
        copy.first_seat_index, copy.round = self.first_seat_index, self.round
        copy.scope, copy.entry = self.scope, self.entry
        copy.deck, copy.is_dealt = self.deck, self.is_dealt
        copy.hole, copy.bank = self.hole, self.bank
        copy.hands = zones_seen(self.hands, viewpoint)
        copy.rows = {s: [x.clone() for x in row] for s, row in self.rows.items()}
        copy.creature_counts, copy.bags = self.creature_counts.copy(), self.bags.copy()
        copy.food_cards, copy.discards = self.food_cards.copy(), self.discards[:]
        copy.declined_seats, copy.departed_seats = self.declined_seats, self.departed_seats
        return copy

    def draft(self, seat: Seat) -> State:
        """Return a copy of one player's part of the table, on which a choice can be tried: as if
        the player sat alone, with an empty watering hole."""
        draft = State(self.kits, seat, removal=self.removal)
        draft.hands = {seat: self.hands[seat][:]}
        draft.rows = {seat: [x.clone() for x in self.rows[seat]]}
        draft.creature_counts, draft.bags = (
            {seat: self.creature_counts[seat]},
            {seat: self.bags[seat]},
        )
        return draft

    # -------------------------------------------------------------- looking
    def order(self, start: Seat | None = None) -> str:
        """Return the players clockwise, without those who are out of the game."""
        seats = Rows.order(self, start)
        if not self.departed_seats:
            return seats
        return "".join(seat for seat in seats if seat not in self.departed_seats)

    def species(self, start: Seat | None = None) -> Iterator[Species]:
        """Yield all species: player by player in order, each row left to right."""
        for seat in self.order(start):
            yield from self.rows[seat]

    def cards(self) -> Iterator[str]:
        """Yield every card that is not in the deck."""
        yield from self.discards
        for hand in self.hands.values():
            yield from hand
        yield from self.food_cards.values()
        for row in self.rows.values():
            for species in row:
                yield from species.traits

    def total(self) -> int:
        """Return the number of all cards, which never changes."""
        return self.deck + sum(1 for _ in self.cards())

    def stray_tokens(self) -> int:
        """Return the number of food tokens that are missing from the table; it must always be 0."""
        rows = self.rows.values()
        food_on_boards = sum(species.food + species.fat for row in rows for species in row)
        return self.bank - self.hole - food_on_boards - sum(self.bags.values())


def names_of(species: Species) -> list[str]:
    """Return the traits on a board, in the order of their cards."""
    return [trait_of(card) for card in species.traits]


# ------------------------------------------------------------------ verbs
def new_species(state: State, seat: Seat, left: bool = False) -> Species:
    """Add a board with population 1 and body 0 at one end of the row."""
    state.creature_counts[seat] += 1
    species = Species(f"{seat}{state.creature_counts[seat]}", seat, state.kits(()))
    state.rows[seat].insert(0 if left else len(state.rows[seat]), species)
    return species


def update_kit(state: State, species: Species) -> None:
    """Find the hooks of the species' traits; call this whenever its traits have changed."""
    species.kit = state.kits(names_of(species))


def discard(state: State, *cards: str) -> None:
    """Discard cards; discards never come back into play."""
    put(state.discards, cards)


def add_trait(state: State, species: Species, card: str) -> None:
    """Add a trait to a board."""
    species.traits.append(card)
    update_kit(state, species)


def replace_trait(state: State, species: Species, index: int, card: str) -> None:
    """Replace a trait card, which is discarded together with the food stored on it."""
    old_card = species.traits[index]
    for react in state.kits.kit_of(trait_of(old_card)).gone:
        react(state, species)
    species.traits[index] = card
    discard(state, old_card)
    update_kit(state, species)


def feeding_step(state: State, species: Species) -> None:
    """Take a token from the watering hole (two with Foraging), with everything that this triggers.

    No species eats more than it needs, and none eats if the watering hole is empty (Feeding; ruling
    5.6).
    """
    tokens = 1
    for fold in species.kit.bites:
        tokens = fold(species, tokens)
    tokens = min(tokens, species.hunger, state.hole)
    species.food += tokens
    species.food_taken += tokens
    state.hole -= tokens
    for react in species.kit.ate:
        react(state, species, tokens)


def store(state: State, species: Species, tokens: int) -> None:
    """Move food from the watering hole to Fat Tissue; this is not a feeding step (ruling 5.6)."""
    species.fat += tokens
    species.food_taken += tokens
    state.hole -= tokens


def lose(state: State, species: Species) -> None:
    """Reduce the population by one; food above the new population is lost (ruling 5.8)."""
    species.population -= 1
    cut = max(0, species.food - species.population)
    species.food -= cut
    state.bank -= cut


def remove(state: State, species: Species) -> None:
    """Remove the board with everything on it: traits are discarded and food is lost."""
    for react in species.kit.gone:
        react(state, species)
    state.bank -= species.food
    species.food = 0
    row = state.rows[species.owner]
    del row[index_in_row(species, row)]
    discard(state, *species.traits)


def die_out(state: State, species: Species) -> Rules:
    """Remove a species that died out; its owner immediately draws two cards."""
    remove(state, species)
    yield from draw(state, species.owner, CARDS_PER_EXTINCTION)


def draw(state: State, seat: Seat, count: int) -> Rules:
    """Draw cards from the deck to a hand; if the deck is too short, fewer are drawn."""
    count = min(count, state.deck)
    if count:
        yield from draw_cards(state, seat, count)


def leave(state: State, seat: Seat) -> None:
    """Remove the player from the rest of the game (ruling 5.10).

    The player's boards and bag are removed; the hand is put aside unseen [house].
    """
    for species in state.rows[seat][:]:
        remove(state, species)
    state.bank -= state.bags[seat]
    state.bags[seat] = 0
    state.departed_seats += seat
