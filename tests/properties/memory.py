"""Which cards somebody remembers: the names in everything that an object can reach."""

from __future__ import annotations

import gc
import re
from collections.abc import Container, Iterable
from functools import _lru_cache_wrapper
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from engine import Game


class CardSearch:
    """Finds the names of a game's cards in memory: in any text, also in frames of generators.

    What the rules themselves contain, with all that they remember for speed, is left out; so are
    the printed cards of the game, which each new table lists.
    """

    def __init__(self, game: Game[Any]) -> None:
        ruleset = game.ruleset
        names = sorted({*ruleset.decks["deck"]}, key=len, reverse=True)
        self.pattern = re.compile(rf"(?<![\w/-])(?:{'|'.join(map(re.escape, names))})(?![\w/-])")
        self.ready_lines = {line.sentence for line in ruleset.ready}  # words, whoever says them
        at_first_use = ruleset.vocabulary, ruleset.ready_lines, ruleset.stop_lines
        rules = _parts([ruleset, at_first_use], set(), ())
        self._rules = [part for part in rules if type(part) is not str]  # keeps their ids
        self.known = {id(part) for part in self._rules}
        start = _parts([game.start()], self.known, ())
        self.printed = [part for part in start if type(part) is tuple and names[0] in part]

    def names(self, roots: Iterable[Any]) -> set[str]:
        """The names that can be reached from these objects."""
        parts = _parts(roots, self.known, self.printed)
        texts = {part for part in parts if isinstance(part, str)} - self.ready_lines
        return {name for text in texts for name in self.pattern.findall(text)}


def _parts(roots: Iterable[Any], known: set[int], printed: Container[Any]) -> list[Any]:
    """Everything that can be reached, without code, what is known, and tuples of printed cards."""
    seen, parts, todo = set(known), list[Any](), list(roots)
    while todo:
        part = todo.pop()
        if id(part) in seen or isinstance(part, (type, ModuleType, _lru_cache_wrapper)):
            continue
        seen.add(id(part))
        if type(part) is tuple and part in printed:
            continue
        parts.append(part)
        if isinstance(part, FunctionType):  # its globals are code
            todo += [part.__defaults__, part.__kwdefaults__, part.__closure__, part.__dict__]
        elif isinstance(part, BuiltinFunctionType):  # such as the `pop` of a list
            todo.append(part.__self__)
        else:
            todo += gc.get_referents(part)
            if isinstance(part, dict):  # the collector knows no text that is a key
                todo += part
    return parts
