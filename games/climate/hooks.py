"""The hooks that Climate adds to those of evolution."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from games.climate.box import Weather
from games.evolution.hooks import Kit
from games.evolution.table import Species, State

if TYPE_CHECKING:
    from games.climate.table import ClimateState


@dataclass(frozen=True, slots=True)
class ClimateKit(Kit):
    """What the face-up traits of one species do, with heat, cold and the new feedings."""

    loss: tuple[Callable[[Weather, int], int], ...] = ()
    """fold: population lost to heat or cold, where there is a loss for its body (may end below
    0, which is no gain)."""
    again: tuple[Callable[[ClimateState, Species], Iterable[str]], ...] = ()
    """offer: feedings right after its normal feeding on its owner's turn."""
    dusk: tuple[Callable[[State, Species], None], ...] = ()
    """react: feeding is over, nobody has starved yet."""


def kit_of(species: Species) -> ClimateKit:
    """Its kit, which in this game is Climate's."""
    return cast(ClimateKit, species.kit)
