"""The greedy bot, which plays like a person: it sees what its seat sees and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from engine import DONE, Decision, Offers, Seat
from games.cards import food_of, trait_of
from games.choices import Worths, best_index
from games.classroom.phases.attacks import why_not_attack
from games.classroom.phases.choosing import play_all
from games.classroom.sentences import FORMS
from games.classroom.table import DEALT, MOST_TRAITS, State

KEEP = 0.4
"""The value of a card kept in hand after the turn, if there is another turn."""
SCARCE = 1.5
"""The food that a food card brings on average, if everybody plays their best one."""
LOSS = 1.5
"""The cost in points if one of the bot's own animals dies."""
NEVER = -99.0

Use = Callable[[str], float]
"""A function that gives the value of a card used in one way."""


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
        look = Outlook(state, decision.seat)
        if isinstance(options, Offers):
            return options.sentence(best_index(look.offers(options)))
        return options[best_index(map(look.worth, options))]


class Outlook:
    """Estimates what will happen at the table, and what each option is worth to one seat."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat
        self.mine = state.rows[seat]
        self.own = {species.name: species for species in self.mine}
        seats = state.order()
        self.others = [x for other in seats if other != seat for x in state.rows[other]]
        animals = sum([x.population for x in self.mine + self.others]) + 1
        self.plenty = (state.hole + SCARCE * len(seats)) / animals
        self.hunters = sum([bool(x.kit.hunts) for x in self.others])
        self.left = state.deck // ((DEALT + 2) * max(1, len(seats)))
        self.prices = Worths(self._price)
        """The value of each card as a food card for a later turn."""
        self.traits = Worths(self._trait_worth)
        """The value of a trait on a board of this seat, by their names; without a board, on any."""

    def worth(self, option: str) -> float:
        """Estimate what an option is worth, in points."""
        form, said = FORMS.parse(option)
        if form in USES:
            return USES[form](self, said)(said["card"])
        if form in JUDGES:
            return JUDGES[form](self, said)
        return KEEP if form == DONE and self.left else 0.0 if form != "leave" else NEVER

    def offers(self, offers: Offers) -> list[float]:
        """Estimate what each of these offers is worth; each way to use cards is judged only once
        for all its cards."""
        uses = {text: self._use(text) for text, _ in offers.ways}
        return [
            *map(self.worth, offers.sentences),
            *[uses[text](card) for text, card in offers.uses],
        ]

    def _use(self, text: str) -> Use:
        form, said = FORMS.parse(text)
        return USES[form](self, said)

    # -------------------------------------------------------------- the choice of a turn
    def _price(self, card: str) -> float:
        return 0.3 * max(0, food_of(card)) if self.left else 0.0

    def food(self, said: Mapping[str, str]) -> float:
        """Return the value of a card as a food card: the more food it has, the better."""
        return food_of(said["card"]) - 0.1 * self.traits[trait_of(said["card"]), ""]

    def board(self, said: Mapping[str, str]) -> Use:
        """Value a new board: one animal, and one more card in each later turn."""
        crowd = 1 + 0.5 * len(self.mine)
        return self._grown((0.8 * self.left + self.plenty) / crowd)

    def population(self, said: Mapping[str, str]) -> Use:
        """Value one more animal, if it will find food."""
        fed = min(1.0, self.plenty) / self.own[said["sp"]].population
        return self._grown((1 + 0.5 * min(2, self.left)) * fed)

    def body(self, said: Mapping[str, str]) -> Use:
        """Value a larger body: it can store more fat, and attack a species with a Hard Shell."""
        species = self.own[said["sp"]]
        use = 0.5 * species.has("fat_tissue") + 0.3 * bool(species.kit.hunts)
        return self._grown(use / (1 + species.body))

    def _grown(self, worth: float) -> Use:
        return lambda card: worth - self.prices[card]

    def trait(self, said: Mapping[str, str]) -> Use:
        """Value one more trait: a point, and what the trait does."""
        name = said["sp"]
        return lambda card: 0.7 + self.traits[trait_of(card), name] - self.prices[card]

    def replace(self, said: Mapping[str, str]) -> Use:
        """Value the gain from replacing a worse trait with a better one."""
        name, traits = said["sp"], self.own[said["sp"]].traits
        lost = self.traits[trait_of(traits[int(said["i"]) - 1]), name]
        spare = 0.5 if len(traits) == MOST_TRAITS else 1.0
        return lambda card: self.traits[trait_of(card), name] - lost - spare - self.prices[card]

    def _trait_worth(self, place: tuple[str, str]) -> float:
        trait, name = place
        species = self.own.get(name)
        if trait == "carnivore":
            if species is None or species.kit.hunts:
                return 0.3
            prey = sum(why_not_attack(self.state, species, x) is None for x in self.others)
            return 0.2 * min(4, prey) - (0.8 if self.plenty > 1 else 0.2)
        if trait in DEFENCES:
            return min(1.0, 0.3 * self.hunters)
        hunts = species is not None and bool(species.kit.hunts)
        return HUNTER.get(trait, 0.1) if hunts else GRAZER.get(trait, 0.0)

    # -------------------------------------------------------------- feeding
    def eats(self, said: Mapping[str, str]) -> float:
        """Return the value of a food token for a species; the first token saves its board."""
        species = self.state.creature_named(said["sp"])
        more = 0.5 * (species.has("foraging") + species.has("cooperation"))
        return 1 + more + (0 if species.food else 0.5 + 0.3 * len(species.traits))

    def stores(self, said: Mapping[str, str]) -> float:
        """Return the value of storing food for the next turn, if there is a next turn."""
        return (0.6 if self.left else 0.1) * int(said["n"])

    def attacks(self, said: Mapping[str, str]) -> float:
        """Return the value of an attack: a token for the attacker, and what others lose."""
        attacker, target = (
            self.state.creature_named(said["sp"]),
            self.state.creature_named(said["who"]),
        )
        horns = LOSS * len(target.kit.struck)
        if target.owner == self.seat:
            return self.eats(said) - LOSS - horns - len(target.traits) * (target.population == 1)
        harm = 0.4 + 0.3 * (target.population == 1) * (1 + len(target.traits))
        return (self.eats(said) if attacker.population > bool(horns) else 0.0) + harm - horns


DEFENCES = {
    "burrowing", "climbing", "hard_shell", "herding", "horns", "symbiosis", "warning_call",
}  # fmt: skip
GRAZER = {
    "cooperation": 0.5,
    "fat_tissue": 0.3,
    "fertile": 0.5,
    "foraging": 0.9,
    "long_neck": 1.0,
    "scavenger": 0.6,
}
"""The value in points of traits that help with feeding, on a board that eats from the watering
hole."""
HUNTER = {
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
