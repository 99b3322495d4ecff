"""Moments of a game that no sentence, question or hook names: how it ended, and what is rare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from engine import Entry, Game
from games.climate.rules import CLIMATE

WON_BY = {
    "evolution": ("points", "traits", "population", "shared"),
    "digital": ("points", "traits", "population", "shared"),
    "climate": ("points", "traits", "population", "shared"),
    "origin": ("points", "discard pile", "shared"),
    "classroom": ("points", "shared"),
}
"""What decides who won: points alone, a tie-break, or nothing at all."""


class Moments:
    """Looks at the table before every entry of a log, and after the last."""

    wanted: ClassVar[Iterable[str]] = ()
    """All that it can tell of, by name."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.seen: set[str] = set()

    def before(self, state: Any, entry: Entry) -> None:
        """The table as it is when the entry comes."""
        _, phase, kind, *_ = entry.key.split(".")
        self.look(state, entry, phase, kind)

    def look(self, state: Any, entry: Entry, phase: str, kind: str) -> None:
        """Note what is to be seen."""

    def after(self, state: Any) -> None:
        """The table at the end."""

    def note(self, what: str, so: object) -> None:
        """It is to be seen, if it is so."""
        if so:
            self.seen.add(what)


def on_own(text: str) -> bool:
    """Whether it is an attack on a piece of the same seat."""
    words = text.split()
    return words[1:2] == ["attacks"] and words[0][0] == words[2][0]


# ------------------------------------------------------------------ the North Star family
class Printed(Moments):
    """What evolution and the games made from it have in common."""

    wanted: ClassVar[Iterable[str]] = (
        "the deck runs out in the deal",
        "the deck runs out by an extinction",
        "a hand is dealt from two decks",
        "a player has no species left",
        "a species has as many traits as it may",
        "body 6",
        "population 6",
        "food stays on the watering hole",
        "the watering hole is empty",
        "fat stays for the next round",
        "an attack on an own species",
        "attacker and target both die",
    )
    most_traits = 3

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        self.last = 0
        self.fighters: set[str] = set()

    def look(self, state: Any, entry: Entry, phase: str, kind: str) -> None:
        species = list(state.species())
        self.boards(species)
        self.end(state, phase)
        self.fight(entry, kind, {x.name for x in species})
        lost = phase == "feed" and not all(state.rows.values())
        self.note("a player has no species left", lost)
        if phase == "food":
            self.note("food stays on the watering hole", state.hole)
            self.note("fat stays for the next round", any(x.fat for x in species))
        self.note("the watering hole is empty", phase == "feed" and not state.hole)

    def boards(self, species: list[Any]) -> None:
        most = self.most_traits
        full = any(len(x.traits) == most for x in species)
        self.note("a species has as many traits as it may", full)
        self.note("body 6", any(x.body == 6 for x in species))
        self.note("population 6", any(x.population == 6 for x in species))

    def fight(self, entry: Entry, kind: str, alive: set[str]) -> None:
        self.note("attacker and target both die", self.fighters and not self.fighters & alive)
        words = entry.text.split()
        if kind in ("feed", "again"):
            self.fighters = {words[0], words[2]} if words[1:2] == ["attacks"] else set()
        self.note("an attack on an own species", on_own(entry.text))

    def end(self, state: Any, phase: str) -> None:
        if state.final_round != self.last:
            in_deal = state.final_round == state.round
            self.note(f"the deck runs out {'in the deal' if in_deal else self.cause(phase)}", True)
            self.note("a hand is dealt from two decks", in_deal and phase == "deal")
        self.last = state.final_round

    def cause(self, phase: str) -> str:
        return "by an extinction"


class Evolution(Printed):
    """Two players have fewer traits."""

    wanted = (*Printed.wanted, "two players, as many traits as they may")

    def boards(self, species: list[Any]) -> None:
        super().boards(species)
        two = len(self.game.seats) == 2
        full = any(len(x.traits) == 2 for x in species)
        self.note("two players, as many traits as they may", two and full)


class Digital(Printed):
    """Auto-Feed leaves no entry: the feeding just ends without passes."""

    wanted = (*Printed.wanted, "auto-feed at once", "auto-feed after some feeding")

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        self.came = ("", "")

    def look(self, state: Any, entry: Entry, phase: str, kind: str) -> None:
        super().look(state, entry, phase, kind)
        if phase == "deal" and state.round > 1:
            before, text = self.came
            self.note("auto-feed at once", before == "reveal")
            self.note("auto-feed after some feeding", before == "feed" and text.endswith(" eats"))
        self.came = (phase, entry.text)


class Climate(Printed):
    """Zones, events, losses, and the cards that were set aside."""

    zones = tuple(z.split(":")[0][5:] for z in CLIMATE.values if z.startswith("zone "))
    events = tuple(e.split()[1] for e in CLIMATE.values if e.startswith("event "))
    wanted = (
        *Printed.wanted,
        "the deck runs out by a loss",
        "the cards set aside become the deck",
        "the discards become the deck",
        *[f"the marker stands on {zone}" for zone in zones],
        *[f"event {event}" for event in events],
    )
    most_traits = 4

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        self.open: set[str] = set()
        self.aside = 0

    def look(self, state: Any, entry: Entry, phase: str, kind: str) -> None:
        super().look(state, entry, phase, kind)
        self.weather(state)
        self.note("the discards become the deck", kind == "shuffle" and state.round)
        self.note(
            "the cards set aside become the deck",
            state.round and self.aside > state.set_aside_count,
        )
        self.aside = state.set_aside_count

    def weather(self, state: Any) -> None:
        self.note(f"the marker stands on {state.zone.name}", True)
        for event in self.open - {*state.events.values()}:
            self.note(f"event {event}", True)
        self.open = {*state.events.values()}

    def cause(self, phase: str) -> str:
        return "by a loss" if phase == "reveal" else "by an extinction"

    def after(self, state: Any) -> None:
        self.weather(state)


# ------------------------------------------------------------------ Origin
class Origin(Moments):
    """Dice, tokens, and cards dealt one by one."""

    wanted = (
        "one set of cards",
        "two sets of cards",
        "the highest die is rolled again",
        "the deck ends within a deal",
        "the deck ends with a deal",
        "six cards for who has nothing",
        "a fed carnivore is poisoned",
        "tokens are left in the food bank",
        "the food bank is empty",
        "a pass, and then a feeding",
        "an attack on an own animal",
        "two answers to one attack",
        "two pair cards on the same two animals",
        "three fat tissues on one animal",
        "a carnivore loses its carnivorous trait",
        "a parasite is lost with the tail",
    )

    def __init__(self, game: Game[Any]) -> None:
        super().__init__(game)
        self.passed: set[str] = set()
        self.answers = self.due = self.left = 0

    def look(self, state: Any, entry: Entry, phase: str, kind: str) -> None:
        two = len(self.game.seats) > 4
        self.note("two sets of cards" if two else "one set of cards", True)
        if phase == "setup" and kind == "die":
            rolled = int(entry.key.split(".")[-1])
            self.note("the highest die is rolled again", rolled >= len(self.game.seats))
        elif phase == "feeding":
            self.feeding(state, entry, kind)
        else:
            self.passed = set()
        if phase == "extinction":
            self.deal(state)
        else:
            self.dealt(state)
        self.animals(state)

    def feeding(self, state: Any, entry: Entry, kind: str) -> None:
        text = entry.text
        self.note("the food bank is empty", not state.bank)
        self.note("an attack on an own animal", on_own(text))
        fed = kind == "feed" and text != "pass"
        self.note("a pass, and then a feeding", fed and entry.seat in self.passed)
        self.passed |= {entry.seat} if text == "pass" else set()
        self.answers = 0 if kind == "feed" else self.answers + (kind == "defend")
        self.note("two answers to one attack", self.answers > 1)
        self.note("a carnivore loses its carnivorous trait", text.endswith("loses carnivorous"))
        self.note("a parasite is lost with the tail", text.endswith("loses parasite"))
        self.note(
            "a fed carnivore is poisoned", any(x.is_poisoned and x.is_fed for x in state.animals())
        )

    def deal(self, state: Any) -> None:
        if not self.due:
            self.note("tokens are left in the food bank", state.bank)
            for seat, row in state.rows.items():
                nothing = not row and not state.hands[seat]
                self.note("six cards for who has nothing", nothing)
                self.due += 6 if nothing else 1 + len(row)
            self.left = state.deck

    def dealt(self, state: Any) -> None:
        if self.due and not state.deck:
            self.note("the deck ends within a deal", self.left < self.due)
            self.note("the deck ends with a deal", self.left == self.due)
        self.due = 0

    def animals(self, state: Any) -> None:
        for pairs in state.pairs.values():
            joined = [frozenset((p.first_animal, p.second_animal)) for p in pairs]
            self.note("two pair cards on the same two animals", len({*joined}) < len(joined))
        several = any(x.count("fat_tissue") > 2 for x in state.animals())
        self.note("three fat tissues on one animal", several)


# ------------------------------------------------------------------ classroom
class Classroom(Moments):
    """The deck that becomes too small, the silent, and those who leave."""

    wanted = (
        "the deck becomes too small",
        "everybody has left",
        "a player is out",
        "a player has no species left",
        "a species has as many traits as it may",
        "body 7",
        "population 7",
        "food stays on the watering hole",
        "the watering hole is empty",
        "fat stays for the next turn",
        "an attack on an own species",
    )

    def look(self, state: Any, entry: Entry, phase: str, kind: str) -> None:
        boards = list(state.species())
        self.note("body 7", any(x.body == 7 for x in boards))
        self.note("population 7", any(x.population == 7 for x in boards))
        self.note("a species has as many traits as it may", any(len(x.traits) > 2 for x in boards))
        self.note("an attack on an own species", on_own(entry.text))
        self.note("the watering hole is empty", phase == "end" and not state.hole)
        lost = phase in ("feed", "end") and not all(state.rows[seat] for seat in state.order())
        self.note("a player has no species left", lost)
        if phase == "deal" and state.round > 1:
            self.note("food stays on the watering hole", state.hole)
            self.note("fat stays for the next turn", any(x.fat for x in boards))

    def after(self, state: Any) -> None:
        left = state.order()
        self.note("the deck becomes too small", left)
        self.note("everybody has left", not left)
        self.note("a player is out", left and state.departed_seats)


MOMENTS: dict[str, type[Moments]] = {
    "evolution": Evolution,
    "digital": Digital,
    "climate": Climate,
    "origin": Origin,
    "classroom": Classroom,
}
