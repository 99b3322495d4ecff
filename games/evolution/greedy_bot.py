"""The greedy bot, which plays like a person: it sees what its seat sees and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from random import Random
from typing import ClassVar

from engine import DONE, Decision, Offers, cards_in
from games.best_option import Worths, best_index
from games.evolution.bot_estimates import BITE_WORTH, FOOD_WORTH, LOSS_COST, Imagined, Outlook
from games.evolution.phases.play_cards import play_all
from games.evolution.sentences import FORMS, split_names
from games.evolution.table import MAX_BODY, Species, State
from games.food_number_cards import food_of, trait_of

STORED_FOOD_WORTH = 0.7
"""The value of a stored food, in points."""
CROWD_DISCOUNT = 0.3
"""The part by which each species lowers the value of a new one, because all must be defended."""
KEPT_CARD_WORTH = 0.3
"""The value of a card kept in hand after the turn."""
LAST_CARDS_WORTH = 1.5
"""The value of the last cards to a player with Intelligence."""
KEPT_CARD_COUNT = 2
"""The number of cards that a player with Intelligence keeps."""
UNGUARDED_ROUNDS = 2.5
"""The number of rounds after which other players have found a defence."""


class Greedy:
    """Chooses the option that it values most, in points, one decision at a time.

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
        make_judge = self.judges.get(decision.kind)
        if make_judge is None or len(options) == 1:
            return options[0]
        play_all(state, decision.seat, steps, (state.entry, 0))
        judge = make_judge(Outlook(state, decision.seat))
        if isinstance(judge, PlayJudge) and isinstance(options, Offers):
            return options.sentence(best_index(judge.offer_worths(options)))
        return options[best_index(map(judge, options))]


# ------------------------------------------------------------------ playing cards
class PlayJudge:
    """Estimates the values of cards in the Play Cards phase, in points until the end of the
    game."""

    forms = FORMS

    def __init__(self, outlook: Outlook) -> None:
        """Values are worked out when they are first asked for."""
        self.outlook, self.state, self.own_species = outlook, outlook.state, outlook.own_species
        self.unguarded_rounds = min(UNGUARDED_ROUNDS, outlook.rounds_left)
        """The number of rounds for which hunting, and defences against it, keep their value."""
        self.prices = Worths(self._card_price)
        """The value of each card as a trait, which every other use of the card loses."""
        self.traits = Worths(self._trait_worth_by_name)
        """The value of a trait on a species, by the names of trait and species."""
        self.growths = Worths(self._growth_worth)
        """The value of 1 body size, 1 population or a new species, by form and species."""

    def __call__(self, option: str) -> float:
        """Return how much better this step is than ending the turn, in points."""
        form, fields = self.forms.parse(option)
        if form == DONE:
            return self._stop_worth()
        if form == "drop":
            return self.drop_worth(fields["sp"], trait_of(fields["card"]))
        return self.use_worth(form, fields)(fields["card"])

    def offer_worths(self, offers: Offers) -> list[float]:
        """Return the value of each of these offers; each way to use cards is judged only once for
        all its cards."""
        worths = {way: self.use_worth(*self.forms.parse(way)) for way, _ in offers.ways}
        return [*map(self, offers.sentences), *[worths[way](card) for way, card in offers.uses]]

    def use_worth(self, form: str, fields: Mapping[str, str]) -> Callable[[str], float]:
        """Return a function that gives the value of a card used in this way."""
        name = fields.get("sp", "")
        if form == "trait":
            return lambda card: self.traits[trait_of(card), name]
        growth, prices = self.growths[form, name], self.prices
        return lambda card: growth - prices[card]

    def _stop_worth(self) -> float:
        """Return the value of ending the turn: that of a card kept in hand, which is higher for the
        last cards of a player with Intelligence."""
        has_thinker = any(x.kit.extras for x in self.own_species)
        if has_thinker and len(self.state.hands[self.outlook.seat]) <= KEPT_CARD_COUNT:
            return LAST_CARDS_WORTH
        return KEPT_CARD_WORTH if self.outlook.rounds_left > 1 else 0.0

    def _card_price(self, card: str) -> float:
        """Return the value of a card as a trait of the own species that gains most from it; less
        for a card with much food, because its food can be used instead."""
        limit, trait = self.state.book.trait_limit, trait_of(card)
        open_species = [x for x in self.own_species if len(x.traits) < limit]
        bearers = [x for x in open_species if not x.has_trait_card(trait)]
        best_worth = max([self.traits[trait, x.name] for x in bearers], default=0.0)
        return best_worth - 0.01 * food_of(card)

    def has_hook(self, trait: str, hooks: Iterable[str]) -> bool:
        """Return whether a trait has one of these hooks."""
        kit = self.state.book.kits.kit_of(trait)
        return any(getattr(kit, hook) for hook in hooks)

    def _trait_worth_by_name(self, trait_and_species: tuple[str, str]) -> float:
        """Return the value of a trait for a species (see ``traits``), from both names."""
        trait, name = trait_and_species
        return self._trait_worth(trait, self.outlook.species_by_name[name])

    def _trait_worth(self, trait: str, species: Species) -> float:
        """Return the value of a trait for a species: the point for its card, if the species lives,
        and what the trait does for feeding, hunting and defence until the end of the game."""
        point = 1 / (1 + 0.3 * self.outlook.dangers[species.name])
        if trait == "carnivore":
            return point + self._carnivore_worth(species)
        worth = 0.0
        if trait in TRAIT_WORTH:
            worth = TRAIT_WORTH[trait](self.outlook, species) * self.outlook.rounds_left
        if species.kit.meals:
            worth *= CARNIVORE_FACTORS.get(trait, 0.0)
            if self.has_hook(trait, HUNTING_HOOKS):
                meat_gain = self._worth_change(self.outlook.hunt, species, trait=trait)
                worth += meat_gain * self.unguarded_rounds
        if self.has_hook(trait, DEFENCE_HOOKS) and trait not in OTHER_DEFENCES:
            worth += self._safety_worth(trait, species)
        return point + worth

    def _carnivore_worth(self, species: Species) -> float:
        """Return the value of becoming a carnivore: the meat, minus the plants and the traits that
        are then useless; each carnivore that the seat has already lowers it."""
        with Imagined(self.state, species, trait="carnivore"):
            meat_worth = self.outlook.hunt(species)
            meat_worth += self._growth_per_card(species, meat_worth)
        useless_traits = [trait for trait in species.kit.names if trait in TRAIT_WORTH]
        trait_loss = fsum(TRAIT_WORTH[trait](self.outlook, species) for trait in useless_traits)
        plant_loss = self.outlook.graze(species)
        hunter_count = sum(bool(x.kit.meals) for x in self.own_species)
        return (meat_worth - plant_loss - trait_loss - hunter_count) * self.unguarded_rounds

    def _safety_worth(self, trait: str, species: Species) -> float:
        """Return the value of the attacks that a defence keeps off the species, or, for a Warning
        Call, off its neighbours. Horns keep none off, but half of them are not made."""
        protected_species = [species]
        if trait == "warning_call":
            pair = (self.state.left_neighbour(species), self.state.right_neighbour(species))
            protected_species = [x for x in pair if x is not None]
        previous_danger = fsum([self.outlook.dangers[x.name] for x in protected_species])
        with Imagined(self.state, species, trait=trait):
            next_danger = fsum(map(self.outlook.danger, protected_species))
        horns = 0.5 * previous_danger if trait == "horns" else 0.0
        return LOSS_COST * (previous_danger - next_danger + horns) * self.unguarded_rounds

    def _growth_per_card(self, hunter: Species, current_worth: float) -> float:
        """Return the points that a carnivore gains from a larger body, for each card spent on
        growth."""
        max_count = min(3, len(self.state.hands[self.outlook.seat]), MAX_BODY - hunter.body)
        best_gain = 0.0
        for count in range(1, max_count + 1):
            with Imagined(self.state, hunter, body=count):
                best_gain = max(best_gain, (self.outlook.hunt(hunter) - current_worth) / count)
        return best_gain

    def _worth_change(
        self, measure: Callable[[Species], float], species: Species, trait: str = "",
        body: int = 0, population: int = 0,
    ) -> float:  # fmt: skip
        """Return the change of a measure if the species had one more trait, body or population."""
        previous_worth = measure(species)
        with Imagined(self.state, species, trait, body, population):
            return measure(species) - previous_worth

    def _growth_worth(self, form_and_species: tuple[str, str]) -> float:
        """Return the value of growth (see ``growths``); the species' name is empty for a new
        species."""
        form, name = form_and_species
        if form in ("left", "right"):
            return self._new_species_worth(form)
        species = self.outlook.species_by_name[name]
        if form == "body":
            worth = -LOSS_COST * self._worth_change(self.outlook.danger, species, body=1)
            if species.kit.meals:
                worth += self._growth_per_card(species, self.outlook.hunt(species))
            return worth * self.unguarded_rounds
        if species.kit.meals:
            meat_gain = self._worth_change(self.outlook.hunt, species, population=1)
            return (meat_gain + (1 if meat_gain > 0 else -0.5)) * self.unguarded_rounds
        survival = 1 / (1 + 0.4 * self.outlook.dangers[species.name])
        return self.outlook.feeding_chance * survival * (1 + self.outlook.rounds_left)

    def _new_species_worth(self, side: str) -> float:
        """Return the value of a new species on the `left` or `right` side of the own species: the
        cards that it brings in later rounds and the food that it eats, less for each species that
        must be defended too."""
        card_worth = 1.2 * (self.outlook.rounds_left - 1)
        food_worth = self.outlook.feeding_chance * (1 + self.outlook.rounds_left)
        crowd_divisor = 1 + CROWD_DISCOUNT * len(self.own_species)
        return (card_worth + food_worth) / crowd_divisor + self._side_worth(side)

    def _side_worth(self, side: str) -> float:
        """Return the value of the traits with which the outermost own species on this side would
        help a new neighbour. Without such traits, the right side is preferred a little."""
        if not self.own_species:
            return 0.0
        end_traits = self.own_species[0 if side == "left" else -1].kit.names
        useful_traits = {"warning_call"} if side == "left" else {"warning_call", "cooperation"}
        return 0.3 * len(useful_traits & end_traits) + (0.01 if side == "right" else 0.0)

    def drop_worth(self, name: str, trait: str) -> float:
        """Return the value of discarding a trait: only a carnivore without prey discards one."""
        species = self.outlook.species_by_name[name]
        if trait != "carnivore" or self.outlook.rounds_left == 1:
            return -9.0
        grazing_gain = self.outlook.graze(species) - self.outlook.hunt(species)
        return grazing_gain * self.unguarded_rounds - 2


CARNIVORE_FACTORS = {"scavenger": 0.4, "intelligence": 0.6}
"""For some traits, the part of the value that is left on a carnivore; other traits have none."""
HUNTING_HOOKS = ("attack_size", "overcomes")
"""The hooks of traits that help a carnivore to find prey."""
DEFENCE_HOOKS = ("defends", "shelters", "defence_size", "struck")
"""The hooks of traits that protect a species or its neighbours."""
OTHER_DEFENCES = {"cooling_frills", "mud_wallowing"}
"""The traits whose protection Climate's bot values in its own way."""
TRAIT_WORTH: Mapping[str, Callable[[Outlook, Species], float]] = {
    "cooperation": lambda outlook, x: 0.5 if outlook.state.right_neighbour(x) else 0.1,
    "fat_tissue": lambda outlook, x: 0.25 * x.body * outlook.feeding_chance,
    "fertile": lambda outlook, x: 0.8 * outlook.feeding_chance if x.population < 5 else 0.2,
    "foraging": lambda outlook, x: (0.9 - 0.4 * outlook.feeding_chance) * (x.population > 1) + 0.1,
    "intelligence": lambda outlook, x: 0.6,
    "long_neck": lambda outlook, x: 1.5 - 0.7 * outlook.feeding_chance,
    "scavenger": lambda outlook, x: 0.6 * sum(bool(y.kit.meals) for y in outlook.state.species()),
}
"""The points in each round for traits that help with feeding, on a species that eats plants."""


# ------------------------------------------------------------------ feeding
class FeedingJudge:
    """Estimates the values of feedings, in points."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook, self.state = outlook, outlook.state
        self.play_judge = PlayJudge(outlook)
        """Values the cards that a feeding may cost."""

    def __call__(self, option: str) -> float:
        """Return how much better this feeding is than doing nothing, in points."""
        form, fields = FORMS.parse(option)
        if form not in ("eats", "thinks", "attacks", "despite"):
            return 0.0
        species = self.state.creature_named(fields["sp"])
        if form == "eats":
            return self.eat_worth(species)
        if form == "thinks":
            return self.think_worth(species, fields["card"])
        negated_traits = split_names(fields["words"]) if form == "despite" else []
        return self.attack_worth(species, self.state.creature_named(fields["who"]), negated_traits)

    def food_worth(self, species: Species, count: int) -> float:
        """Return the value of ``count`` food for a species; its first food in a round saves it."""
        eaten_count = min(count, species.hunger)
        stored_count = min(count - eaten_count, species.fat_room)
        saved_worth = 0.3 + 0.2 * len(species.traits) if eaten_count and not species.food else 0.0
        return FOOD_WORTH * eaten_count + STORED_FOOD_WORTH * stored_count + saved_worth

    def eat_worth(self, species: Species) -> float:
        """Return the value of taking 1 plant food, with everything that this triggers."""
        is_foraging = bool(species.has("foraging") and species.hunger > 1)
        worth = self.food_worth(species, 1 + is_foraging)
        neighbour = self.state.right_neighbour(species)
        if neighbour and species.has("cooperation") and not neighbour.kit.no_plants:
            worth += self.food_worth(neighbour, 1)
        scarcity = max(0.0, 1.5 - self.outlook.plenty) if species.hunger else 0.0
        burrow_worth = 0.5 * (species.has("burrowing") and species.hunger == 1)
        return worth + 2 * scarcity + burrow_worth

    def think_worth(self, species: Species, card: str) -> float:
        """Return the value of using Intelligence: 2 plant food, minus the discarded card."""
        count = 3 if species.has("foraging") and species.hunger > 2 else 2
        worth = self.food_worth(species, min(count, species.room))
        may_graze_later = self.outlook.plenty >= 1 and species.hunger > 0
        is_postponable = may_graze_later and self.outlook.rounds_left > 1
        return (0.4 if is_postponable else 1.0) * worth - self.kept_card_worth(card)

    def _cheapest_card_worth(self) -> float:
        """Return the value of the least valuable card in hand; 0 for an empty hand."""
        hand = self.state.hands[self.outlook.seat]
        return min(map(self.kept_card_worth, hand), default=0.0)

    def kept_card_worth(self, card: str) -> float:
        """Return the value of keeping a card for later rounds."""
        if self.outlook.rounds_left == 1:
            return 0.0
        return 0.5 + 0.4 * max(0.0, self.play_judge.prices[card])

    def attack_worth(
        self, hunter: Species, target: Species, negated_traits: Sequence[str]
    ) -> float:
        """Return the value of an attack that ignores these traits, a card for each: the meat, and
        the harm to other players, minus the cost of Horns and of the cards."""
        horn_count = len(target.kit.struck) * ("horns" not in negated_traits)
        meal_worth = self.food_worth(hunter, target.body) if hunter.population > horn_count else 0.0
        dies_out = target.population == 1
        is_own_species = target.owner == self.outlook.seat
        if is_own_species:
            harm_worth = -LOSS_COST - 2 * dies_out
        else:
            harm_worth = BITE_WORTH + 0.3 * dies_out * (1 + len(target.traits))
        worth = meal_worth + harm_worth - LOSS_COST * horn_count
        if horn_count and hunter.population == 1:
            worth -= 1 + len(hunter.traits)
        worth += 0.02 * self.state.screens[target.owner] * (not is_own_species)
        return worth - len(negated_traits) * (0.2 + self._cheapest_card_worth())


class PaymentJudge(FeedingJudge):
    """Decides which card pays for an attack."""

    def __call__(self, option: str) -> float:
        """Return how good it is to discard this card: the less the card is worth, the better."""
        return -self.play_judge.prices[FORMS.parse(option)[1]["card"]]


class FoodCardJudge(PlayJudge):
    """Decides which card becomes the food card on the Watering Hole."""

    def __call__(self, option: str) -> float:
        """Return the value of the food for the seat's plant eaters, compared with those of other
        players, minus the card's value."""
        (card,) = cards_in(option)
        own_population = plant_eaters_population(self.own_species)
        other_population = plant_eaters_population(self.outlook.other_species)
        share = (own_population + 0.5) / (own_population + other_population + 1)
        food_number_worth = 0.6 * (share * len(self.state.seats) - 0.6)
        return food_number_worth * food_of(card) - 0.4 * self.prices[card]

    def offer_worths(self, offers: Offers) -> list[float]:
        """Return the value of each of these cards."""
        return [*map(self, offers)]


def plant_eaters_population(all_species: Iterable[Species]) -> int:
    """Return the population of all species that eat plants."""
    return sum(species.population for species in all_species if not species.kit.no_plants)


JUDGES: Mapping[str, Callable[[Outlook], Callable[[str], float]]] = {
    "food": FoodCardJudge,
    "play": PlayJudge,
    "feed": FeedingJudge,
    "think": FeedingJudge,
    "pay": PaymentJudge,
}
"""For each kind of decision, the class that values its options; for other kinds the bot takes the
first option."""
Greedy.judges = JUDGES
