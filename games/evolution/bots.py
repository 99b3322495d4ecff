"""The greedy bot, which plays like a person: it sees what its seat sees and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from random import Random
from typing import ClassVar

from engine import DONE, Decision, Offers, cards_in
from games.cards import food_of, trait_of
from games.choices import Worths, first_best
from games.evolution.outlook import BITE, FED, LOSS, Imagined, Outlook
from games.evolution.phases.play_cards import play_all
from games.evolution.sentences import FORMS, words_of
from games.evolution.table import MOST_BODY, Species, State

STORED = 0.7
"""The value of a stored food, in points."""
CROWD = 0.3
"""How much less a new species is worth for each species already there, as all must be defended."""
KEEP = 0.3
"""The value of a card kept in hand after the turn."""
THINK = 1.5
"""The value of the last cards to a player with Intelligence."""
THOUGHTS = 2
"""The number of cards that a player with Intelligence keeps."""
SOON = 2.5
"""The number of rounds after which other players have found a defence."""


class Greedy:
    """Chooses the option that it thinks is worth the most points, one decision at a time.

    It grows and adapts as long as that pays, becomes a carnivore where there is prey, defends
    itself against carnivores, and first feeds species that would starve. On equal tables it always
    makes the same choice.
    """

    sees = True
    judges: ClassVar[Mapping[str, Callable[[Outlook], Callable[[str], float]]]]
    """For each kind of decision, the class that values its options; JUDGES by default."""

    def __init__(self, rng: Random) -> None:
        """Make the bot; it uses no random numbers."""

    def choose(
        self, state: State, decision: Decision, options: Sequence[str], steps: Sequence[str] = ()
    ) -> str:
        """Choose the option with the greatest value (see engine.Bot)."""
        judge = self.judges.get(decision.kind)
        if judge is None or len(options) == 1:
            return options[0]
        play_all(state, decision.seat, steps, (state.entry, 0))
        worth = judge(Outlook(state, decision.seat))
        if isinstance(worth, Turn) and isinstance(options, Offers):
            return options.sentence(first_best(worth.offers(options)))
        return options[first_best(map(worth, options))]


# ------------------------------------------------------------------ playing cards
class Turn:
    """Estimates what cards are worth in the Play Cards phase, in points until the end of the
    game."""

    forms = FORMS

    def __init__(self, outlook: Outlook) -> None:
        self.look, self.state, self.mine = outlook, outlook.state, outlook.mine
        self.soon = min(SOON, outlook.left)
        self.prices = Worths(self._price)
        """The value of each card as a trait, which is lost if the card is used for something
        else."""
        self.traits = Worths(self._trait_on)
        """The value of a trait on a species, by their names."""
        self.growths = Worths(self._growth)
        """The value of 1 body size, 1 population or a new species, by form and species."""

    def __call__(self, option: str) -> float:
        """Return how much better this step is than ending the turn, in points."""
        form, said = self.forms.parse(option)
        if form == DONE:
            return self._stop()
        if form == "drop":
            return self.drop(said["sp"], trait_of(said["card"]))
        return self.use(form, said)(said["card"])

    def offers(self, offers: Offers) -> list[float]:
        """Return the value of each of these offers; each way to use cards is judged only once for
        all its cards."""
        uses = {text: self.use(*self.forms.parse(text)) for text, _ in offers.ways}
        return [*map(self, offers.sentences), *[uses[text](card) for text, card in offers.uses]]

    def use(self, form: str, said: Mapping[str, str]) -> Callable[[str], float]:
        """Return a function that gives the value of a card used in this way."""
        name = said.get("sp", "")
        if form == "trait":
            return lambda card: self.traits[trait_of(card), name]
        growth, prices = self.growths[form, name], self.prices
        return lambda card: growth - prices[card]

    def _stop(self) -> float:
        thinking = any(x.kit.extras for x in self.mine)
        if thinking and len(self.state.hands[self.look.seat]) <= THOUGHTS:
            return THINK
        return KEEP if self.look.left > 1 else 0.0

    def _price(self, card: str) -> float:
        limit, trait = self.state.book.trait_limit, trait_of(card)
        places = [x for x in self.mine if len(x.traits) < limit and not x.bears(trait)]
        best = max([self.traits[trait, x.name] for x in places], default=0.0)
        return best - 0.01 * food_of(card)

    def _trait_on(self, place: tuple[str, str]) -> float:
        trait, name = place
        return self._trait(trait, self.look.own[name])

    def _trait(self, trait: str, species: Species) -> float:
        point = 1 / (1 + 0.3 * self.look.dangers[species.name])
        if trait == "carnivore":
            return point + self._carnivore(species)
        worth = WORTH[trait](self.look, species) * self.look.left if trait in WORTH else 0.0
        if species.kit.meals:
            worth *= MEATY.get(trait, 0.0)
            if trait in HUNTING:
                worth += self._change(self.look.hunt, species, trait=trait) * self.soon
        if trait in DEFENCES:
            worth += self._safety(trait, species)
        return point + worth

    def _carnivore(self, species: Species) -> float:
        with Imagined(self.state, species, trait="carnivore"):
            meat = self.look.hunt(species)
            meat += self._growing(species, meat)
        lost = fsum(WORTH[t](self.look, species) for t in species.kit.names if t in WORTH)
        hunters = sum(bool(x.kit.meals) for x in self.mine)
        return (meat - self.look.graze(species) - lost - hunters) * self.soon

    def _safety(self, trait: str, species: Species) -> float:
        row = [species]
        if trait == "warning_call":
            pair = (self.state.left_of(species), self.state.right_of(species))
            row = [x for x in pair if x is not None]
        before = fsum([self.look.dangers[x.name] for x in row])
        with Imagined(self.state, species, trait=trait):
            after = fsum(map(self.look.danger, row))
        horns = 0.5 * before if trait == "horns" else 0.0
        return LOSS * (before - after + horns) * self.soon

    def _growing(self, hunter: Species, now: float) -> float:
        """Return the points that a carnivore gains from a larger body, for each card spent on
        growth."""
        cards = min(3, len(self.state.hands[self.look.seat]), MOST_BODY - hunter.body)
        best = 0.0
        for count in range(1, cards + 1):
            with Imagined(self.state, hunter, body=count):
                best = max(best, (self.look.hunt(hunter) - now) / count)
        return best

    def _change(
        self, measure: Callable[[Species], float], species: Species, trait: str = "",
        body: int = 0, population: int = 0,
    ) -> float:  # fmt: skip
        before = measure(species)
        with Imagined(self.state, species, trait, body, population):
            return measure(species) - before

    def _growth(self, place: tuple[str, str]) -> float:
        form, name = place
        if form in ("left", "right"):
            return self._new_species(form)
        species = self.look.own[name]
        if form == "body":
            safer = -LOSS * self._change(self.look.danger, species, body=1)
            if species.kit.meals:
                safer += self._growing(species, self.look.hunt(species))
            return safer * self.soon
        if species.kit.meals:
            more = self._change(self.look.hunt, species, population=1)
            return (more + (1 if more > 0 else -0.5)) * self.soon
        lasting = 1 / (1 + 0.4 * self.look.dangers[species.name])
        return self.look.fed * lasting * (1 + self.look.left)

    def _new_species(self, side: str) -> float:
        cards = 1.2 * (self.look.left - 1)
        food = self.look.fed * (1 + self.look.left)
        return (cards + food) / (1 + CROWD * len(self.mine)) + self._side(side)

    def _side(self, side: str) -> float:
        if not self.mine:
            return 0.0
        beside = self.mine[0 if side == "left" else -1].kit.names
        useful = {"warning_call"} if side == "left" else {"warning_call", "cooperation"}
        return 0.3 * len(useful & beside) + (0.01 if side == "right" else 0.0)

    def drop(self, name: str, trait: str) -> float:
        """Return the value of discarding a trait: only a carnivore without prey discards one."""
        species = self.look.own[name]
        if trait != "carnivore" or self.look.left == 1:
            return -9.0
        return (self.look.graze(species) - self.look.hunt(species)) * self.soon - 2


DEFENCES = {
    "burrowing", "climbing", "defensive_herding", "hard_shell", "horns", "symbiosis",
    "warning_call",
}  # fmt: skip
MEATY = {"scavenger": 0.4, "intelligence": 0.6}
"""For some traits, the part of their value that is left on a carnivore; other traits have none."""
HUNTING = {"ambush", "climbing", "pack_hunting"}
WORTH: Mapping[str, Callable[[Outlook, Species], float]] = {
    "cooperation": lambda look, x: 0.5 if look.state.right_of(x) else 0.1,
    "fat_tissue": lambda look, x: 0.25 * x.body * look.fed,
    "fertile": lambda look, x: 0.8 * look.fed if x.population < 5 else 0.2,
    "foraging": lambda look, x: (0.9 - 0.4 * look.fed) * (x.population > 1) + 0.1,
    "intelligence": lambda look, x: 0.6,
    "long_neck": lambda look, x: 1.5 - 0.7 * look.fed,
    "scavenger": lambda look, x: 0.6 * sum(bool(y.kit.meals) for y in look.state.species()),
}
"""The points in each round for traits that help with feeding, on a species that eats plants."""


# ------------------------------------------------------------------ feeding
class Feeding:
    """Estimates what a feeding is worth, in points."""

    def __init__(self, outlook: Outlook) -> None:
        self.look, self.state = outlook, outlook.state
        self.turn = Turn(outlook)

    def __call__(self, option: str) -> float:
        """Return how much better this feeding is than doing nothing, in points."""
        form, said = FORMS.parse(option)
        if form not in ("eats", "thinks", "attacks", "despite"):
            return 0.0
        species = self.state.named(said["sp"])
        if form == "eats":
            return self.eat(species)
        if form == "thinks":
            return self.think(species, said["card"])
        words = words_of(said["words"]) if form == "despite" else []
        return self.attack(species, self.state.named(said["who"]), words)

    def food(self, species: Species, count: int) -> float:
        """Return the value of ``count`` food for a species; its first food in a round saves it."""
        eaten = min(count, species.hunger)
        stored = min(count - eaten, species.fat_room)
        saved = 0.3 + 0.2 * len(species.traits) if eaten and not species.food else 0.0
        return FED * eaten + STORED * stored + saved

    def eat(self, species: Species) -> float:
        """Return the value of taking 1 plant food, with everything that this triggers."""
        more = bool(species.has("foraging") and species.hunger > 1)
        worth = self.food(species, 1 + more)
        neighbour = self.state.right_of(species)
        if neighbour and species.has("cooperation") and not neighbour.kit.no_plants:
            worth += self.food(neighbour, 1)
        scarce = max(0.0, 1.5 - self.look.plenty) if species.hunger else 0.0
        burrow = 0.5 * (species.has("burrowing") and species.hunger == 1)
        return worth + 2 * scarce + burrow

    def think(self, species: Species, card: str) -> float:
        """Return the value of using Intelligence: 2 plant food, minus the value of the card that is
        discarded."""
        count = 3 if species.has("foraging") and species.hunger > 2 else 2
        worth = self.food(species, min(count, species.room))
        spared = self.look.plenty >= 1 and species.hunger > 0 and self.look.left > 1
        return (0.4 if spared else 1.0) * worth - self.keep(card)

    def _cheapest(self) -> float:
        hand = self.state.hands[self.look.seat]
        return min(map(self.keep, hand), default=0.0)

    def keep(self, card: str) -> float:
        """Return the value of keeping a card for later rounds."""
        return 0.0 if self.look.left == 1 else 0.5 + 0.4 * max(0.0, self.turn.prices[card])

    def attack(self, hunter: Species, target: Species, words: Sequence[str]) -> float:
        """Return the value of an attack: its meat, and what the others lose."""
        horns = len(target.kit.struck) * ("horns" not in words)
        meal = self.food(hunter, target.body) if hunter.population > horns else 0.0
        dead = target.population == 1
        harm = BITE + 0.3 * dead * (1 + len(target.traits))
        mine = target.owner == self.look.seat
        worth = meal + (-LOSS - 2 * dead if mine else harm) - LOSS * horns
        if horns and hunter.population == 1:
            worth -= 1 + len(hunter.traits)
        worth += 0.02 * self.state.screens[target.owner] * (not mine)
        return worth - len(words) * (0.2 + self._cheapest())


class Payment(Feeding):
    """Decides which card pays for an attack."""

    def __call__(self, option: str) -> float:
        """Return how good it is to discard this card: the less the card is worth, the better."""
        return -self.turn.prices[FORMS.parse(option)[1]["card"]]


class FoodCard(Turn):
    """Decides which card becomes the food card on the Watering Hole."""

    def __call__(self, option: str) -> float:
        """Return how much more the food helps our plant eaters than other players', minus the
        card's value."""
        (card,) = cards_in(option)
        plants = sum(x.population for x in self.mine if not x.kit.no_plants)
        theirs = sum(x.population for x in self.look.others if not x.kit.no_plants)
        ours = (plants + 0.5) / (plants + theirs + 1) * len(self.state.seats)
        need = 0.6 * (ours - 0.6)
        return need * food_of(card) - 0.4 * self.prices[card]

    def offers(self, offers: Offers) -> list[float]:
        """Return the value of each of these cards."""
        return [*map(self, offers)]


JUDGES: Mapping[str, Callable[[Outlook], Callable[[str], float]]] = {
    "food": FoodCard,
    "play": Turn,
    "feed": Feeding,
    "think": Feeding,
    "pay": Payment,
}
"""For each kind of decision, the class that values its options; for other kinds the bot takes the
first option."""
Greedy.judges = JUDGES
