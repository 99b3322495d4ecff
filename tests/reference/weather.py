"""What happens before feeding, in the second implementation (see `model`): leaf traits, the Food
Cards, and Climate's phase 4."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests.kit.selection import ROOT
from tests.reference.model import Board, Model

CARDS = tomllib.loads((ROOT / "games/climate/cards.toml").read_text("utf-8"))
"""Climate's zones, protections and events, as the file prints them."""
ZONES: Sequence[Mapping[str, Any]] = CARDS["zones"]
EVENTS: Mapping[str, Mapping[str, Any]] = {event["card"]: event for event in CARDS["events"]}
LEAVES = ("fertile", "long_neck", "fat_tissue")

Leaf = tuple[str, str]
"""A leaf trait, and the name of its species."""


# ------------------------------------------------------------------ leaf traits
def leaves_of(model: Model, seat: str) -> list[Leaf]:
    """Return the leaf traits of a seat in the default order (ruling 1.2)."""
    row = model.rows[seat]
    return [(trait, board.name) for trait in LEAVES for board in row if trait in board.traits]


def use_leaf_trait(model: Model, leaf: Leaf) -> None:
    trait, name = leaf
    board = model.find(name)
    assert board is not None
    if trait == "fertile":
        board.population = min(6, board.population + (model.hole > 0))
    elif trait == "long_neck":
        model.take(board, 1, "plant", "bank")
    else:
        moved = min(board.fat, board.hunger)
        board.fat -= moved
        board.food += moved


def numbers_after_orders(model: Model, seat: str) -> set[tuple[tuple[int, ...], ...]]:
    """Return the numbers of the row after each order of its leaf traits; the row stays as it is."""
    row = model.rows[seat]
    before = row_numbers(row)
    reached = {(frozenset(leaves_of(model, seat)), before)}
    while any(left for left, _ in reached):
        reached = {after for left, now in reached for after in nexts(model, row, left, now)}
    set_row_numbers(row, before)
    return {now for _, now in reached}


def nexts(
    model: Model, row: list[Board], left: frozenset[Leaf], now: tuple[tuple[int, ...], ...]
) -> Iterator[tuple[frozenset[Leaf], tuple[tuple[int, ...], ...]]]:
    for leaf in left:
        set_row_numbers(row, now)
        use_leaf_trait(model, leaf)
        yield left - {leaf}, row_numbers(row)


def row_numbers(row: Iterable[Board]) -> tuple[tuple[int, ...], ...]:
    return tuple((board.population, board.food, board.fat) for board in row)


def set_row_numbers(row: Iterable[Board], found: Iterable[tuple[int, ...]]) -> None:
    for board, (population, food, fat) in zip(row, found, strict=True):
        board.population, board.food, board.fat = population, food, fat


# ------------------------------------------------------------------ the Food Cards
def reveal(model: Model, cards: Sequence[str]) -> None:
    """Add up the Food Cards, then change the Watering Hole (ruling 1.1)."""
    pour(model, food_on(cards))
    model.discards += len(cards)


def food_on(cards: Iterable[str]) -> int:
    return sum(int(card.split()[1]) for card in cards)


def pour(model: Model, food: int) -> None:
    model.hole = max(0, model.hole + food)


# ------------------------------------------------------------------ Climate, phase 4
def environment(model: Model, cards: Sequence[str], zone: str, events: Iterable[str]) -> str:
    """Play phase 4 in the rulebook's order, and return the zone of the marker."""
    words = " ".join(cards).split()
    suns, snowflakes = words.count("sun"), words.count("snowflake")
    at = moved(zone, (suns > snowflakes) - (suns < snowflakes))
    event = next((EVENTS[name] for name in events if EVENTS[name]["zone"] == at), {})
    if event:
        at = moved(at, event.get("move", 0))
        pour(model, 0 if event.get("food_instead") else event.get("food", 0))
        for seat in model.order():
            model.draw(seat, event.get("draw", 0))
    replaced = event.get("instead", False)
    here = next(one for one in ZONES if one["name"] == at)
    if "loss" in event and not replaced:
        suffer(model, event["loss"])
    suffer(model, (event if replaced else here).get("loss", {}))
    zone_food = here["food"][0 if len(model.seats) < 4 else 1]
    pour(model, food_on(cards) + (event["food"] if event.get("food_instead") else zone_food))
    model.discards += len(cards)
    return at


def moved(zone: str, zones: int) -> str:
    names = [str(one["name"]) for one in ZONES]
    return names[max(0, min(len(names) - 1, names.index(zone) + zones))]


def suffer(model: Model, loss: Mapping[str, Any]) -> None:
    """Let all species lose population at the same time; then the extinct ones are buried."""
    for board in model.boards() if loss else ():
        least, most = loss["body"]
        if least <= board.body <= most:
            model.lose(board, max(0, loss_after_protection(board, loss)))
    for board in model.boards():
        if not board.population:
            model.bury(board)


def loss_after_protection(board: Board, loss: Mapping[str, Any]) -> int:
    """Return the loss less all protections (ruling 3.4); it may be below 0."""
    (weather,) = set(loss) - {"body"}
    less = (CARDS["protection"].get(trait, {}).get(weather, 0) for trait in board.traits)
    return int(loss[weather]) - sum(less)
