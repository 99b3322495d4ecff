"""What must occur in the finished games of a ruleset, and what occurs in one game, by name."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from engine import ALL, CHANCE, Entry, Game, Ruleset, Table, hooks_of
from engine.hooks import Wrap
from games import registry
from tests.games.moments import MOMENTS, WON_BY


class _All:
    def __contains__(self, name: object) -> bool:
        return True


ALL_HOOKS = _All()


# ------------------------------------------------------------------ wanted
def wanted(game: str) -> set[str]:
    """Everything that some stored game of the ruleset must show."""
    ruleset = registry.ruleset(game)
    return set(chain(_named(ruleset), MOMENTS[game].wanted, _won(game), _hooks(ruleset)))


def _named(ruleset: Ruleset[Any]) -> Iterator[str]:
    yield from (f"{count} players" for count in ruleset.players)
    yield from (f"option {o.name}={value}" for o in ruleset.options for value in o.values)
    yield from (f"sentence {form}" for form in ruleset.forms.templates)
    yield from (f"question {kind}" for kind in ruleset.kinds)
    yield from (f"settled by {by}" for by in ("forced", "line", "always", "default"))


def _won(game: str) -> Iterator[str]:
    return (f"won by {how}" for how in WON_BY[game])


def _hooks(ruleset: Ruleset[Any]) -> Iterator[str]:
    assert ruleset.kits is not None
    for trait, made in ruleset.kits.traits.items():
        yield from (f"{trait}: {hook}" for hook in hooks_of(made))


# ------------------------------------------------------------------ what occurs
def facts_in_log(game: Game[Any], log: Sequence[Entry]) -> set[str]:
    """What the log tells, hooks apart: a quick replay."""
    ruleset = game.ruleset
    found = {f"{len(game.seats)} players"}
    found |= {f"option {name}={value}" for name, value in game.options.items()}
    for entry in log:
        kind = entry.key.split(".")[2]
        found |= {f"question {kind}", f"settled by {entry.by.split(' ')[0]}"}
        if entry.seat != CHANCE and kind != "reveal":
            found |= {f"sentence {ruleset.forms.parse(s)[0]}" for s in entry.text.split("; ")}
        elif kind == "die" and ruleset.forms.matching(entry.text):
            found.add(f"sentence {ruleset.forms.parse(entry.text)[0]}")
    watch = MOMENTS[ruleset.name](game)
    table = Table(game, ALL)
    for entry in log:
        watch.before(table.state, entry)
        table.push(entry)
    watch.after(table.state)
    decided_by = ruleset.result(table.state).decided_by
    return found | watch.seen | {f"won by {decided_by or 'points'}"}


def acted(game: Game[Any], log: Iterable[Entry], hooks: Container[str] = ALL_HOOKS) -> set[str]:
    """Those of these hooks that made a difference: a slow replay, with every check."""
    found: set[str] = set()
    ruleset = game.ruleset
    assert ruleset.kits is not None
    noting = ruleset.extend(kits=ruleset.kits.rewired(_noting(found, hooks)))
    table = Table(noting.game(game.seats, game.options), ALL, log, checks_entries=True)
    noting.result(table.state)
    return found


def _noting(found: set[str], hooks: Container[str]) -> Wrap:
    def wrap(trait: str, hook: str, function: Callable[..., Any]) -> Callable[..., Any]:
        name = f"{trait}: {hook}"

        def noted(*args: Any) -> Any:
            if name in found:
                return function(*args)
            before = repr(args)
            result = function(*args)
            if isinstance(result, Iterator):  # an offer that is made one by one
                result = list(result)
            if repr(args) != before or _differs(args, result):
                found.add(name)
            return iter(result) if isinstance(result, list) else result

        return noted if name in hooks else function

    return wrap


def _differs(args: Sequence[Any], result: Any) -> bool:
    """Whether a fold changed its number, a veto said something, an offer was made."""
    numbers = [arg for arg in args if type(arg) is int]
    if numbers and type(result) is int:
        return result != numbers[-1]
    return bool(result)


def occurs(game: Game[Any], log: Sequence[Entry]) -> set[str]:
    """Everything that the game shows."""
    return facts_in_log(game, log) | acted(game, log)
