"""The data file: the package's own, and what is said of files that cannot be."""

import tomllib
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from engine import DECK
from games.climate.card_file import cards_template, make_box
from games.climate.classes_of_printed_zones_and_events import Loss
from games.climate.phases.environment import population_lost
from games.climate.rules import CLIMATE, climate_from
from games.evolution.table import Species
from games.food_number_cards import trait_of
from pbem.rulecases.read_cases import parse
from pbem.rulecases.run_cases import _Run
from tests.kit.selection import long
from tests.properties.laws import LawfulGame

Data = dict[str, Any]
PACKAGED: Data = tomllib.loads(cards_template())


def changed_cards(change: Callable[[Data], object]) -> Data:
    data = deepcopy(PACKAGED)
    change(data)
    return data


def test_the_packaged_deck_is_the_printed_one_in_number() -> None:
    deck = CLIMATE.decks[DECK]
    traits = [trait_of(card) for card in deck]
    assert len(deck) == 177
    assert {trait: traits.count(trait) for trait in traits} == dict.fromkeys(
        CLIMATE.kits.traits,
        7,  # type: ignore[union-attr]
    ) | {"carnivore": 23}
    assert all(len(CLIMATE.decks[name]) >= 5 for name in ("cold", "hot"))


def test_the_template_of_a_card_file_can_be_used_unchanged() -> None:
    assert CLIMATE.card_file is not None
    template = CLIMATE.card_file.template()
    own = CLIMATE.card_file.read(tomllib.loads(template))
    assert own.decks == CLIMATE.decks
    comments = "\n".join(line for line in template.splitlines() if line.startswith("#"))
    assert all(key in comments for key in ("standin", "pbem new --cards FILE", "snowflake", "harm"))


def test_stand_ins_are_called_so_wherever_a_player_meets_them() -> None:
    parts = (
        "food numbers", "suns and snowflakes", "food of the zones", "event cards", "protections",
    )  # fmt: skip
    state = CLIMATE.game("ab").start()
    shown = dict(CLIMATE.scene(state).facts)["values"]
    state.discards.append("carnivore 3")
    assert "values" not in dict(CLIMATE.scene(state).facts), "once a game is enough"
    texts = CLIMATE.texts()
    for part in parts:
        assert part in CLIMATE.notes
        assert part in shown
        assert part in texts["standin"].body
    for trait in CLIMATE.kits.traits:  # type: ignore[union-attr]
        assert "not the printed values: the food numbers" in texts[trait].house
    assert "we do not know the printed cards" in texts["cold_snap"].house
    assert "stand-in" in texts["tropical"].house


def test_no_text_calls_printed_values_stand_ins() -> None:
    printed = climate_from(changed_cards(lambda data: data.update(standin=[])))
    said = [printed.notes, *map(str, printed.texts().values())]
    said += map(str, printed.scene(printed.game("ab").start()).facts)
    assert not [text for text in said if "tand-in" in text]


def test_a_card_file_may_call_only_some_of_its_values_stand_ins() -> None:
    mixed = climate_from(changed_cards(lambda data: data.update(standin=["events"])))
    assert mixed.notes == ("Stand-ins of our own, not the printed values: the event cards.")
    assert mixed.texts()["horns"].house == ""
    assert "stand-in" in mixed.texts()["cold_snap"].house


def own_values(data: Data) -> None:
    """A box of another edition: other numbers, another track, other events."""
    data["cards"]["horns"] = ["9 sun", "9 2 suns", "-1 3 snowflakes", "0"]
    data["zones"][3:6] = [{"name": "mild", "food": [3, 5]}]
    data["start"] = "mild"
    data["set_aside"]["2"] = 20
    data["events"] = [
        {"deck": "cold", "card": "frost", "zone": "cold", "loss": {"cold": 1, "body": [1, 3]}},
        {
            "deck": "cold",
            "card": "thaw",
            "zone": "cold",
            "food": 0,
            "food_instead": True,
            "copies": 3,
        },
        {"deck": "hot", "card": "rain", "zone": "tropical", "food": 9, "leaves": True},
    ]


SEEDS = [(players, seed) for players in (2, 6) for seed in range(4)]


@pytest.mark.long
@pytest.mark.parametrize(("players", "seed"), [*SEEDS[::4], *long(SEEDS[1:4] + SEEDS[5:])])
def test_a_game_with_the_values_of_a_card_file_keeps_the_laws(players: int, seed: int) -> None:
    ruleset = climate_from(changed_cards(own_values))
    LawfulGame(ruleset.game("abcdef"[:players]), seed).run()


def test_the_protections_of_a_card_file_are_played_and_told() -> None:
    def stronger(data: Data) -> None:
        data["protection"]["heavy_fur"] = {"heat": -2, "cold": 3}
        data["protection"]["nocturnal"] = {"heat": 2, "cold": 2}
        data["protection"]["hibernation"] = {}
        data["standin"].remove("protection")

    ruleset = climate_from(changed_cards(stronger))
    assert ruleset.values != CLIMATE.values
    lost = {
        (trait, weather): population_lost(
            Species("a1", "a", ruleset.kits((trait,)), 6), Loss(weather, 3, 1, 6)
        )
        for trait in ("heavy_fur", "nocturnal", "hibernation", "horns")
        for weather in ("heat", "cold", "harm")
    }
    assert lost == {
        ("heavy_fur", "heat"): 5, ("heavy_fur", "cold"): 0, ("heavy_fur", "harm"): 3,
        ("nocturnal", "heat"): 1, ("nocturnal", "cold"): 1, ("nocturnal", "harm"): 3,
        ("hibernation", "heat"): 3, ("hibernation", "cold"): 3, ("hibernation", "harm"): 3,
        ("horns", "heat"): 3, ("horns", "cold"): 3, ("horns", "harm"): 3,
    }  # fmt: skip
    texts = ruleset.texts()
    assert (
        "Loses 3 less population to cold, but 2 more to heat. It loses more only in a"
        in texts["heavy_fur"].body
    )
    assert texts["nocturnal"].body.endswith("Loses 2 less population to heat and to cold.")
    assert texts["hibernation"].body == "Two of its population need no food."
    assert "protection from heat is ours" not in texts["mud_wallowing"].house


def test_if_a_card_file_gives_no_protections_ours_count_and_are_called_stand_ins() -> None:
    def left_out(data: Data) -> None:
        del data["protection"]
        data["standin"] = []

    ruleset = climate_from(changed_cards(left_out))
    assert ruleset.notes.endswith("not the printed values: the protections from heat and cold.")
    assert "Both numbers are ours" in ruleset.texts()["heavy_fur"].house


def test_the_values_of_a_card_file_are_played() -> None:
    state = climate_from(changed_cards(own_values)).game("ab").start()
    assert state.zone.name == "mild"
    assert state.track.food(state.zone) == 3
    cards = [card for card in state.book.cards if trait_of(card) == "horns"]
    assert cards == [
        "horns -1 snowflake snowflake snowflake", "horns 0", "horns 9 sun", "horns 9 sun sun",
    ]  # fmt: skip
    assert len(state.book.cards) == 174
    assert state.book.kits is not None
    assert climate_from(changed_cards(own_values)).decks["cold"] == (
        "frost",
        "thaw",
        "thaw",
        "thaw",
    )
    assert state.book.set_aside_count == 20


def phase_differences(cards: str, zone: str, then: Data, cold: str = "") -> list[str]:
    """What is not as `then` says after phase 4 with these Food Cards, in a box of other values."""
    position = {
        "zone": zone, "hole": 9, "a": ["a1 body 6 population 6"],
        "events": {"cold": cold} if cold else {},
        "food_cards": dict(zip("ab", cards.split(", "), strict=True)),
    }  # fmt: skip
    case = {
        "id": "other-values", "title": "Other values", "source": "the data file", "seats": "ab",
        "phase": "reveal", "position": position, "then": then,
    }  # fmt: skip
    (read,) = parse({"game": "climate", "case": [case]}, "other.toml")
    return list(_Run(read, climate_from(changed_cards(own_values)), with_seats=True).differences())


def test_all_icons_of_a_card_are_counted() -> None:
    suns = "horns 9 sun sun, climbing 1 snowflake"
    assert phase_differences(suns, "mild", {"zone": "tropical"}) == []
    snowflakes = "horns -1 snowflake snowflake snowflake, climbing 4 sun"
    assert phase_differences(snowflakes, "mild", {"zone": "cold"}) == []


def test_the_food_of_an_event_may_replace_that_of_the_zone() -> None:
    cards = "horns 0, climbing 3"
    assert phase_differences(cards, "cold", {"hole": 11}) == []
    decks = {"cold": 3, "hot": 1}  # it went under its deck, and another was turned up
    assert phase_differences(cards, "cold", {"hole": 12, "event_decks": decks}, "thaw") == []


GONE = object()
FAULTS: dict[str, tuple[str, object, str]] = {
    "no table": ("cards", 3, "the file: cards must be a table, not 3"),
    "part missing": ("zones", GONE, "the file: zones is missing"),
    "unknown part": ("zone", [], "the file: unknown name 'zone'"),
    "trait missing": ("cards.horns", GONE, "cards: horns is missing"),
    "unknown trait": ("cards.wings", ["3"], "cards: unknown name 'wings'"),
    "no card of a trait": ("cards.horns", [], "cards.horns: at least one card is needed"),
    "too few cards": ("cards", {trait: ["3", "4"] for trait in PACKAGED["cards"]},
        "cards: there must be 60 to 400 in all, not 46"),
    "too many": ("cards.carnivore", ["3"] * 323,
        "cards: there must be 60 to 400 in all, not 477"),
    "icons without a food number": ("cards.horns.0", "2 snowflakes",
        "'2 snowflakes' is not a card; write a food number and perhaps icons"),
    "five icons": ("cards.horns.0", "3 5 suns",
        "'3 5 suns' is not a card; write a food number and perhaps icons (up to 4)"),
    "no list": ("cards.horns", "3", "cards.horns: horns must be a list, not '3'"),
    "bare number": ("cards.horns.0", 3, "horns: 3 is not a card"),
    "icon": ("cards.horns.0", "3 moon", "'3 moon' is not a card;"),
    "start": ("start", "mild",
        "start: 'mild' is not possible; choose one of: freezing, cold, cool"),
    "start at the end": ("start", "ice age", "start: 'ice age' is not possible; choose one of"),
    "start no text": ("start", ["cool"], "start: ['cool'] is not possible; choose one of"),
    "aside missing": ("set_aside.4", GONE, "set_aside: 4 is missing"),
    "aside too many": ("set_aside.2", 170, "set_aside.2 must be a whole number"),
    "aside half": ("set_aside.2", 1.5, "from 0 to 117, not 1.5"),
    "zone twice": ("zones.1.name", "cold", "zones: 'cold' is listed twice"),
    "two zones": ("zones", PACKAGED["zones"][:2], "zones: at least three are needed"),
    "protection no table": ("protection", 3, "protection must be a table, not 3"),
    "protection missing": ("protection.migratory", GONE, "protection: migratory is missing"),
    "protection of another": ("protection.horns", {"heat": 1}, "protection: unknown name 'horns'"),
    "protection to harm": ("protection.migratory", {"harm": 1},
        "protection.migratory: unknown name 'harm'"),
    "protection half": ("protection.migratory", {"cold": 0.5},
        "protection.migratory: cold must be a whole number from -6 to 6, not 0.5"),
    "protection too large": ("protection.nocturnal.heat", 7,
        "protection.nocturnal: heat must be a whole number from -6 to 6, not 7"),
    "protection no numbers": ("protection.migratory", 1,
        "protection.migratory must be a table, not 1"),
    "event like a zone": ("events.0.card", "ice_age",
        "event 'ice_age': a zone already has this name"),
    "event without effect": ("events.0", {"deck": "cold", "card": "cold_snap", "zone": "cool"},
        "event 'cold_snap': this card has no effect; give it"),
    "event that only leaves": (
        "events.0", {"deck": "hot", "card": "haze", "zone": "hot", "leaves": True},
        "event 'haze': this card has no effect"),
    "zone no table": ("zones.1", 5, "zone 2 must be a table, not 5"),
    "zone unnamed": ("zones.1.name", GONE, "zone 2: name is missing"),
    "zone name": ("zones.1.name", "Mild!", "zone 'Mild!': a name must be in lowercase"),
    "zone food": ("zones.1.food", [1], "zone 'freezing': food must be two numbers"),
    "food text": ("zones.1.food", [1, "2"], "food must be a whole number from -30"),
    "food yes": ("zones.1.food", [1, True], "to 30, not True"),
    "no weather": ("zones.1.loss", {"body": [1, 2]}, "exactly one of heat, cold"),
    "harm": ("zones.1.loss", {"harm": 1, "body": [1, 2]},
        "zone 'freezing', in 'loss': unknown name 'harm'"),
    "both": ("zones.1.loss", {"heat": 1, "cold": 1, "body": [1, 2]},
        "zone 'freezing', in 'loss': give exactly one of heat, cold"),
    "no body": ("zones.1.loss", {"heat": 1}, "in 'loss': body is missing"),
    "body": ("zones.1.loss", {"heat": 1, "body": [4, 2]},
        "body must give the smaller number first: [2, 4]"),
    "body 7": ("zones.1.loss", {"heat": 1, "body": [4, 7]},
        "in 'loss': body must be a whole number from 1 to 6, not 7"),
    "one body": ("zones.1.loss", {"heat": 1, "body": [4]},
        "body must be a smallest and a largest body size"),
    "loss 0": ("zones.0.loss.cold", 0, "cold must be a whole number from 1"),
    "event deck": ("events.0.deck", "wet", "event 'cold_snap': the deck must be"),
    "event side": ("events.0.zone", "hot",
        "a card of the cold deck must have one of these zones: ice age,"),
    "event name": ("events.0.card", "Cold Snap", "event 1: 'Cold Snap' is not"),
    "event trait": ("events.0.card", "horns", "'horns' is not a valid name"),
    "event twice": ("events.1.card", "cold_snap", "two cards have this name"),
    "event flag": ("events.0.leaves", 1, "leaves must be true or false, not 1"),
    "event move": ("events.0.move", 20, "move must be a whole number from -9 to 9"),
    "event draw": ("events.0.draw", -1, "draw must be a whole number from 0 to 5"),
    "event copies": ("events.0.copies", 0,
        "event 'cold_snap': copies must be a whole number from 1 to 9, not 0"),
    "food instead of none": ("events.0.food_instead", True,
        "event 'cold_snap': 'food_instead = true' needs a 'food'"),
    "instead": ("events.0.loss", GONE, "'instead = true' needs a 'loss'"),
    "event key": ("events.0.text", "", "event 1: unknown name 'text'"),
    "no hot deck": ("events", [e for e in PACKAGED["events"] if e["deck"] == "cold"],
        "events: the hot deck has no event cards; give it at least one"),
    "standin": ("standin", ["zones"], "standin: 'zones' is not possible; choose from: numbers"),
    "standin twice": ("standin", ["icons"] * 2, "standin: 'icons' is listed twice"),
    "standin no text": ("standin", [["icons"]], "standin: ['icons'] is not possible; choose from"),
}  # fmt: skip
"""What is put in a place of our card file, and what is said of it."""


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_card_file_is_named_with_its_place(fault: str) -> None:
    path, value, told = FAULTS[fault]
    *keys, last = path.split(".")
    place: Any = (data := deepcopy(PACKAGED))
    for key in keys:
        place = place[int(key) if isinstance(place, list) else key]
    if value is GONE:
        del place[last]
    else:
        place[int(last) if isinstance(place, list) else last] = value
    with pytest.raises(ValueError) as error:  # noqa: PT011 the message is looked at
        make_box(data)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def without_events_in(data: Data, zone: str) -> None:
    data["events"] = [event for event in data["events"] if event["zone"] != zone]


def other_name(data: Data) -> None:
    data["zones"][3]["name"] = "fresh"
    without_events_in(data, "cool")


def other_start(data: Data) -> None:
    data["start"] = "warm"
    without_events_in(data, "warm")


VALUES: list[Callable[[Data], object]] = [
    lambda d: d["zones"][0]["loss"].update(cold=5),
    lambda d: d["zones"][1]["loss"].update(body=[1, 5]),
    lambda d: d["zones"][2].update(food=[0, 0]),
    lambda d: d["events"][0]["loss"].update(cold=3),
    lambda d: d["events"][0].pop("instead"),
    lambda d: d["events"][3].update(move=2),
    lambda d: d["events"][9].update(draw=2),
    lambda d: d["events"][2].update(food=-3),
    lambda d: d["events"][2].update(leaves=True),
    lambda d: d["events"][2].update(zone="freezing"),
    lambda d: d["events"][2].update(food_instead=True),
    lambda d: d["events"][2].update(copies=2),
    lambda d: d["set_aside"].update({"3": 61}),
    lambda d: d["protection"]["nocturnal"].update(heat=2),
    lambda d: d["protection"]["nocturnal"].update(cold=1),
    lambda d: d.update(standin=["events"]),
    other_name,
    other_start,
]


def test_changing_any_value_of_a_card_file_changes_the_digest() -> None:
    found = {climate_from(changed_cards(change)).values for change in VALUES}
    assert len(found | {CLIMATE.values}) == len(VALUES) + 1
    assert climate_from(PACKAGED).values == CLIMATE.values
