"""The course's JSON for the card actions of a turn: random cases, and what they should lead to."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.reference.classroom.choices import keeps_limits, replace
from tests.reference.classroom.model import Model, Place, Species, card_food
from tests.reference.classroom.turn import play_feeding_rounds, trait_phase

TRAITS = (
    "carnivore", "fat-tissue", "cooperation", "foraging", "horns", "ambush", "burrowing",
    "climbing", "fertile", "hard-shell", "herding", "long-neck", "pack-hunting", "scavenger",
    "symbiosis", "warning-call",
)  # fmt: skip


# ------------------------------------------------------------------ random cases
def random_input(rng: Random) -> Any:
    """Return an input of the program xstep4: a configuration, and each player's action."""
    pool = TRAITS if rng.random() < 0.5 else TRAITS[:5]
    players = [_player(rng, n, pool) for n in range(1, rng.randint(1, 4) + 1)]
    deck = [[0, rng.choice(TRAITS)] for _ in range(rng.choice((0, 1, 3, 9)))]
    configuration = [players, rng.choice((0, 1, 5, 12)), deck]
    return [configuration, [_action(rng, player) for player in players]]


def _player(rng: Random, number: int, pool: tuple[str, ...]) -> Any:
    cards = [[rng.randint(-3, 3), rng.choice(pool)] for _ in range(rng.choice((1, 3, 5, 8)))]
    boards = [_species(rng, pool) for _ in range(rng.randint(0, 3))]
    return [["id", number], ["species", boards], ["bag", rng.randint(0, 9)], ["cards", cards]]


def _species(rng: Random, pool: tuple[str, ...]) -> Any:
    """Return a board; the format allows more food than population, and more fat than body."""
    traits, body = rng.sample(pool, rng.randint(0, 3)), rng.randint(0, 7)
    population = rng.choice((1, 2, 4, 7))
    food = rng.randint(0, 7 if rng.random() < 0.1 else population)
    said = [["food", food], ["body", body], ["population", population]]
    fat = (
        [["fat-food", rng.randint(0, 7 if rng.random() < 0.1 else body)]]
        if "fat-tissue" in traits
        else []
    )
    return [*said, ["traits", traits], *fat]


def _action(rng: Random, player: Any) -> Any:
    """Return an action that uses each card once; its result may break a limit."""
    said = dict(player)
    cards = rng.sample(range(len(said["cards"])), len(said["cards"]))
    food, boards, swaps = cards.pop(), list[list[int]](), list[list[int]]()
    growth: dict[str, list[list[Any]]] = {"population": [], "body": []}
    while cards and rng.random() < 0.4:
        boards.append([cards.pop() for _ in range(rng.randint(1, min(4, len(cards))))])
    sizes = [len(dict(board)["traits"]) for board in said["species"]]
    sizes += [len(board) - 1 for board in boards]
    while cards and sizes and rng.random() < 0.8:
        at, track = rng.randrange(len(sizes)), rng.choice(("population", "body", "", ""))
        if track:
            growth[track].append([track, at, cards.pop()])
        elif sizes[at]:
            swaps.append([at, rng.randrange(sizes[at]), cards.pop()])
    return [food, growth["population"], growth["body"], boards, swaps]


# ------------------------------------------------------------------ what they lead to
class Silly:
    """All players are silly; the cards come from the configuration's deck."""

    def __init__(self, deck: list[str]) -> None:
        self.deck = deck

    def choose(self) -> dict[str, list[str]]:
        raise NotImplementedError

    def ask(self, seat: str, options: set[str], default: str) -> str:
        assert default in options
        return default

    def deal(self, seat: str, count: int) -> list[str]:
        cards, self.deck = self.deck[:count], self.deck[count:]
        return cards


def table_after_actions(given: Any) -> Any:
    """Return the table after step 4, or nothing if an action breaks a limit."""
    configuration, actions = given
    model = model_of_configuration(configuration)
    for seat, action in zip(model.seats, actions, strict=True):
        if not play_action(model, seat, action):
            return None
    trait_phase(model)
    play_feeding_rounds(model)
    return configuration_facts(model)


def play_action(model: Model, seat: str, action: Any) -> bool:
    """Carry out an action; return whether its result keeps the limits (rulings 5.2, 5.3)."""
    food, populations, bodies, boards, swaps = action
    place = model.places[seat]
    hand, spent = place.hand, {food}
    for _, *traits in boards:
        place.new_board(seat).cards = [hand[index] for index in traits]
    for at, trait, index in swaps:
        replace(place.row[at], trait, hand[index])
    for track, at, _ in populations + bodies:
        setattr(place.row[at], track, getattr(place.row[at], track) + 1)
    for used in [*boards, *([one[-1]] for one in populations + bodies + swaps)]:
        spent.update(used)
    model.hole = max(0, model.hole + card_food(hand[food]))
    place.hand = [card for index, card in enumerate(hand) if index not in spent]
    return keeps_limits(place)


# ------------------------------------------------------------------ JSON
def model_of_configuration(configuration: Any) -> Model:
    """Read a configuration; hands keep their order."""
    players, hole, deck = configuration
    seats = "abcdefgh"[: len(players)]
    places = {seat: _place(seat, dict(said)) for seat, said in zip(seats, players, strict=True)}
    silly = Silly([_card(card) for card in deck])
    return Model(seats, 0, hole, len(deck), [], places, players=silly)


def _place(seat: str, said: dict[str, Any]) -> Place:
    row = [_board(f"{seat}{n}", dict(told)) for n, told in enumerate(said["species"], 1)]
    return Place(row, [_card(card) for card in said.get("cards", [])], said["bag"], len(row))


def _board(name: str, said: dict[str, Any]) -> Species:
    cards = [_card([0, trait]) for trait in said["traits"]]
    fat = said.get("fat-food", 0)
    return Species(name, said["population"], said["body"], said["food"], fat, cards)


def _card(card: Any) -> str:
    food, trait = card
    return f"{trait.replace('-', '_')} {food}"


def configuration_facts(model: Model) -> Any:
    """Return all that the JSON of a configuration says, without names and order of hands."""
    rows = [
        [(x.population, x.food, x.body, x.fat, x.traits) for x in place.row]
        for place in model.places.values()
    ]
    owned = [(place.bag, sorted(place.hand)) for place in model.places.values()]
    assert isinstance(model.players, Silly)
    return rows, owned, model.hole, model.players.deck
