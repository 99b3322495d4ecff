"""Which traits meet in which cases, and whether each of the two makes a difference there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise
from typing import Any

from engine import Ruleset
from pbem.rulecases.read_cases import Case
from tools.mutate_hooks import fails, without_hook

Cell = tuple[str, str]
_ATTACK = re.compile(r"(\w+) attacks (\w+)")


def cells(traits: Iterable[str]) -> set[Cell]:
    """Every pair of traits, each with itself too, in alphabetical order."""
    return set(combinations_with_replacement(sorted(traits), 2))


def covered(ruleset: Ruleset[Any], cases: Iterable[Case]) -> dict[Cell, list[str]]:
    """For each cell the cases in which both traits meet and neither can be left out unnoticed."""
    found: dict[Cell, list[str]] = {}
    lacking = cache(lambda trait: without_hook(ruleset, trait))
    for case in cases:
        if case.phase:
            pairs = meetings(ruleset, case)
            present = sorted({trait for pair in pairs for trait in pair})
            matter = {t for t in present if fails(case, lacking(t))}
            for pair in pairs:
                if set(pair) <= matter:
                    found.setdefault(pair, []).append(case.id)
    return found


def meetings(ruleset: Ruleset[Any], case: Case) -> set[Cell]:
    """The pairs of face-up traits that meet: on one species, or on two that have to do with
    each other."""
    rows = species_rows(ruleset, case)
    traits = {name: up for row in rows for name, up in row}
    pairs = {pair for up in traits.values() for pair in combinations(sorted(up), 2)}
    for one, other in together(rows, case):
        pairs |= {tuple(sorted((t, u))) for t in traits[one] for u in traits[other]}
    return pairs  # type: ignore[return-value]


def species_rows(ruleset: Ruleset[Any], case: Case) -> list[list[tuple[str, frozenset[str]]]]:
    """Rows of species with their face-up traits, as the case sets them."""
    assert ruleset.positions is not None
    state = ruleset.game(case.seats, case.options).start()
    ruleset.positions().read(state, case.position)
    return [[(x.name, x.kit.names) for x in row] for row in state.rows.values()]


def together(rows: list[list[tuple[str, frozenset[str]]]], case: Case) -> Iterator[tuple[str, str]]:
    """Two species that have to do with each other: neighbours; attacker and target; target's
    neighbours and attacker; the Scavengers of an attack with both."""
    names = [[name for name, _ in row] for row in rows]
    beside = {pair for row in names for pair in pairwise(row)}
    yield from beside
    alive = {name for row in names for name in row}
    scavengers = [name for row in rows for name, up in row if "scavenger" in up]
    for attacker, target in attack_pairs(case):
        if {attacker, target} <= alive and attacker != target:
            yield attacker, target
            near = [a if b == target else b for a, b in beside if target in (a, b)]
            yield from ((attacker, name) for name in near if name != attacker)
            for name in scavengers:
                yield from ((name, x) for x in (attacker, target) if x != name)


def attack_pairs(case: Case) -> set[tuple[str, str]]:
    """The attacks that the case speaks of."""
    said: list[str] = []
    for step in case.steps:
        said += [*step.offers, *(step.exactly or ()), *step.refuses, step.answer, step.default]
    return {pair for text in said for pair in _ATTACK.findall(text)}
