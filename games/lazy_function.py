"""Name functions whose modules are imported only when the functions are called."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def lazy_function(path: str) -> Callable[..., Any]:
    """Return a function that imports ``module:name`` and calls it.

    Use this for functions that few commands need: pictures, texts, bots, positions, the score.
    """
    module, _, name = path.partition(":")

    def call(*arguments: Any) -> Any:
        return getattr(import_module(module), name)(*arguments)

    return call
