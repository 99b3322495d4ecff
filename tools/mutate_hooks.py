"""Leave out each hook of each trait in turn: at least one rule case must come out differently.

`.venv/bin/python -m tools.mutate_hooks [GAME…]` prints a table. Exit 1 if no case notices a loss.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import Ruleset, hooks_of
from games import registry
from pbem.rulecases.read_cases import Case, read_file
from pbem.rulecases.run_cases import run

CASES = Path(__file__).resolve().parents[1] / "tests" / "rules"


@dataclass(frozen=True)
class Mutant:
    """One hook left out, and the first case that noticed (empty if none did)."""

    trait: str
    hook: str
    noticed_by: str


def cases_of(game: str) -> list[Case]:
    """Return all rule cases of a game."""
    return [case for path in sorted(CASES.glob(f"{game}/*.toml")) for case in read_file(path)]


def hooks(ruleset: Ruleset[Any]) -> Iterator[tuple[str, str]]:
    """Yield every hook of every trait: the names of trait and hook."""
    if ruleset.kits is not None:
        for trait, behaviour in sorted(ruleset.kits.traits.items()):
            yield from ((trait, hook) for hook in hooks_of(behaviour))


def without_hook(ruleset: Ruleset[Any], trait: str, hook: str = "") -> Ruleset[Any]:
    """Return the ruleset without that hook of that trait; without a hook, without all of them."""

    def wrap(name: str, hook_name: str, function: Callable[..., Any]) -> Callable[..., Any] | None:
        return None if name == trait and hook in ("", hook_name) else function

    assert ruleset.kits is not None
    return ruleset.extend(kits=ruleset.kits.rewired(wrap))


def fails(case: Case, ruleset: Ruleset[Any]) -> bool:
    """Whether the case comes out differently, a crash included."""
    try:
        return not run(case, ruleset, with_seats=False).ok
    except Exception:  # noqa: BLE001 rules with a hole in them may break anywhere
        return True


def mutants(
    ruleset: Ruleset[Any],
    cases: Iterable[Case],
    chosen_hooks: Iterable[tuple[str, str]] | None = None,
) -> Iterator[Mutant]:
    """Leave out each hook, or each of ``chosen_hooks``, and yield which case noticed it. Only cases
    with the trait's name somewhere in them are run."""
    case_texts = [(case, repr(case)) for case in cases]
    for trait, hook in hooks(ruleset) if chosen_hooks is None else chosen_hooks:
        mutant = without_hook(ruleset, trait, hook)
        noticing_ids = (
            case.id for case, text in case_texts if trait in text and fails(case, mutant)
        )
        yield Mutant(trait, hook, next(noticing_ids, ""))


def main(games: list[str]) -> int:
    """Print the table of all games that have cases. Exit code 1 if a loss is not noticed."""
    unnoticed_count = 0
    for game in games or [name for name in registry.names() if cases_of(name)]:
        for mutant in mutants(registry.ruleset(game), cases_of(game)):
            unnoticed_count += not mutant.noticed_by
            outcome = mutant.noticed_by or "NOT NOTICED BY ANY CASE"
            print(f"{game:<12} {mutant.trait:<18} {mutant.hook:<13} {outcome}")
    sentence = f"{unnoticed_count} hooks could be left out unnoticed"
    print(sentence if unnoticed_count else "every lost hook is noticed")
    return 1 if unnoticed_count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
