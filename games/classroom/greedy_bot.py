"""The greedy bot, which plays like a person: it sees what its seat sees and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from engine import DONE, Decision, Offers, Seat
from games.best_option import Worths, best_index
from games.classroom.phases.legal_attacks_and_effects import why_not_attack
from games.classroom.phases.sealed_choices import play_all
from games.classroom.sentences import FORMS
from games.classroom.table import CARDS_PER_DEAL, MAX_TRAITS, State
from games.food_number_cards import food_of, trait_of

KEPT_CARD_WORTH = 0.4
"""The value of a card kept in hand after the turn, if there is another turn."""
FOOD_PER_CARD = 1.5
"""The food that a food card brings on average, if everybody plays their best one."""
ANIMAL_LOSS = 1.5
"""The cost in points if one of the bot's own animals dies."""
WORST_WORTH = -99.0

Use = Callable[[str], float]
"""A function that gives the value, in points, of a card used in one way."""


class Greedy:
    """Chooses one step at a time, by simple estimates of what each option is worth."""

    sees = True

    def __init__(self, rng: Random) -> None:
        """Make the bot; it uses no random numbers."""

    def choose(
        self, state: State, decision: Decision, options: Sequence[str], steps: Sequence[str] = ()
    ) -> str:
        """Choose the option with the greatest value (see engine.Bot)."""
        play_all(state, decision.seat, steps)
        outlook = Outlook(state, decision.seat)
        if isinstance(options, Offers):
            return options.sentence(best_index(outlook.offers(options)))
        return options[best_index(map(outlook.worth, options))]


class Outlook:
    """Estimates what will happen at the table, and what each option is worth to one seat."""

    def __init__(self, state: State, seat: Seat) -> None:
        """Look at the table once for one seat; values of cards and traits are worked out when asked
        for."""
        self.state, self.seat = state, seat
        self.own_species = state.rows[seat]
        self.species_by_name = {species.name: species for species in self.own_species}
        seats = state.order()
        self.other_species = [x for owner in seats if owner != seat for x in state.rows[owner]]
        animals = sum([x.population for x in self.own_species + self.other_species]) + 1
        self.food_per_animal = (state.hole + FOOD_PER_CARD * len(seats)) / animals
        self.hunter_count = sum([bool(x.kit.hunts) for x in self.other_species])
        """The number of other players' carnivores."""
        self.turns_left = state.deck // ((CARDS_PER_DEAL + 2) * max(1, len(seats)))
        """The number of turns after this one: as many as the deck has cards for, if every player
        has two boards."""
        self.prices = Worths(self._price)
        """The value of each card as a food card for a later turn."""
        self.traits = Worths(self._trait_worth)
        """The value of a trait on a board of this seat; the key is the trait's name and the
        board's, which is empty for a board that does not exist yet."""

    def worth(self, option: str) -> float:
        """Estimate what an option is worth, in points."""
        form, fields = FORMS.parse(option)
        if form in USES:
            return USES[form](self, fields)(fields["card"])
        if form in JUDGES:
            return JUDGES[form](self, fields)
        if form == "leave":
            return WORST_WORTH
        return KEPT_CARD_WORTH if form == DONE and self.turns_left else 0.0

    def offers(self, offers: Offers) -> list[float]:
        """Estimate what each of these offers is worth; each way to use cards is judged only once
        for all its cards."""
        uses = {text: self._use(text) for text, _ in offers.ways}
        return [
            *map(self.worth, offers.sentences),
            *[uses[text](card) for text, card in offers.uses],
        ]

    def _use(self, text: str) -> Use:
        form, fields = FORMS.parse(text)
        return USES[form](self, fields)

    # -------------------------------------------------------------- the choice of a turn
    def _price(self, card: str) -> float:
        return 0.3 * max(0, food_of(card)) if self.turns_left else 0.0

    def food(self, fields: Mapping[str, str]) -> float:
        """Return the value of a card as a food card: the more food it has, the better."""
        return food_of(fields["card"]) - 0.1 * self.traits[trait_of(fields["card"]), ""]

    def board(self, fields: Mapping[str, str]) -> Use:
        """Value a new board: one animal, and one more card in each later turn."""
        crowd = 1 + 0.5 * len(self.own_species)
        return self._grown((0.8 * self.turns_left + self.food_per_animal) / crowd)

    def population(self, fields: Mapping[str, str]) -> Use:
        """Value one more animal, if it will find food."""
        fed_share = min(1.0, self.food_per_animal) / self.species_by_name[fields["sp"]].population
        return self._grown((1 + 0.5 * min(2, self.turns_left)) * fed_share)

    def body(self, fields: Mapping[str, str]) -> Use:
        """Value a larger body: it can store more fat, and attack a species with a Hard Shell."""
        species = self.species_by_name[fields["sp"]]
        use = 0.5 * species.has("fat_tissue") + 0.3 * bool(species.kit.hunts)
        return self._grown(use / (1 + species.body))

    def _grown(self, worth: float) -> Use:
        return lambda card: worth - self.prices[card]

    def trait(self, fields: Mapping[str, str]) -> Use:
        """Value one more trait: a point, and what the trait does."""
        name = fields["sp"]
        return lambda card: 0.7 + self.traits[trait_of(card), name] - self.prices[card]

    def replace(self, fields: Mapping[str, str]) -> Use:
        """Value the gain from replacing a worse trait with a better one."""
        name, traits = fields["sp"], self.species_by_name[fields["sp"]].traits
        lost_worth = self.traits[trait_of(traits[int(fields["i"]) - 1]), name]
        slot_worth = 0.5 if len(traits) == MAX_TRAITS else 1.0
        return lambda card: (
            self.traits[trait_of(card), name] - lost_worth - slot_worth - self.prices[card]
        )

    def _trait_worth(self, trait_and_board: tuple[str, str]) -> float:
        """Return the value of a trait, given by name, on the board with this name (see
        ``traits``). Without a board, no trait helps with hunting."""
        trait, name = trait_and_board
        species = self.species_by_name.get(name)
        if trait == "carnivore":
            if species is None or species.kit.hunts:
                return 0.3
            prey = sum(why_not_attack(self.state, species, x) is None for x in self.other_species)
            return 0.2 * min(4, prey) - (0.8 if self.food_per_animal > 1 else 0.2)
        if trait in DEFENCES:
            return min(1.0, 0.3 * self.hunter_count)
        hunts = species is not None and bool(species.kit.hunts)
        return HUNTER_WORTHS.get(trait, 0.1) if hunts else GRAZER_WORTHS.get(trait, 0.0)

    # -------------------------------------------------------------- feeding
    def eats(self, fields: Mapping[str, str]) -> float:
        """Return the value of a food token for a species; the first token saves its board."""
        species = self.state.creature_named(fields["sp"])
        bonus = 0.5 * (species.has("foraging") + species.has("cooperation"))
        return 1 + bonus + (0 if species.food else 0.5 + 0.3 * len(species.traits))

    def stores(self, fields: Mapping[str, str]) -> float:
        """Return the value of storing food for the next turn, if there is a next turn."""
        return (0.6 if self.turns_left else 0.1) * int(fields["n"])

    def attacks(self, fields: Mapping[str, str]) -> float:
        """Return the value of an attack: a token for the attacker and the loss of others, minus the
        animal that Horns cost. If the seat attacks a species of its own, the seat's loss counts
        against the attack."""
        attacker = self.state.creature_named(fields["sp"])
        target = self.state.creature_named(fields["who"])
        horns_cost = ANIMAL_LOSS * len(target.kit.struck)  # Horns are the trait with this hook
        if target.owner == self.seat:
            lost_traits = len(target.traits) * (target.population == 1)
            return self.eats(fields) - ANIMAL_LOSS - horns_cost - lost_traits
        harm = 0.4 + 0.3 * (target.population == 1) * (1 + len(target.traits))
        survives = attacker.population > 1 or not horns_cost
        return (self.eats(fields) if survives else 0.0) + harm - horns_cost


DEFENCES = {
    "burrowing", "climbing", "hard_shell", "herding", "horns", "symbiosis", "warning_call",
}  # fmt: skip
GRAZER_WORTHS = {
    "cooperation": 0.5,
    "fat_tissue": 0.3,
    "fertile": 0.5,
    "foraging": 0.9,
    "long_neck": 1.0,
    "scavenger": 0.6,
}
"""The value in points of traits that help with feeding, on a board that eats from the watering
hole."""
HUNTER_WORTHS = {
    "ambush": 0.3,
    "climbing": 0.4,
    "cooperation": 0.4,
    "foraging": 0.8,
    "long_neck": 1.0,
    "pack_hunting": 0.2,
    "scavenger": 0.9,
}
"""The value in points of the same traits on a board with a carnivore."""
JUDGES: Mapping[str, Callable[[Outlook, Mapping[str, str]], float]] = {
    "food": Outlook.food,
    "eats": Outlook.eats,
    "stores": Outlook.stores,
    "attacks": Outlook.attacks,
}
USES: Mapping[str, Callable[[Outlook, Mapping[str, str]], Use]] = {
    "right": Outlook.board,
    "left": Outlook.board,
    "population": Outlook.population,
    "body": Outlook.body,
    "trait": Outlook.trait,
    "replace": Outlook.replace,
}
"""For each way to use a card, the method that values it for any card."""
