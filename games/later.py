"""Name functions whose modules are imported only when the functions are called."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def later(place: str) -> Callable[..., Any]:
    """Return a function that calls the one at ``module:name``, and imports its module only then.

    Use this for what most commands do not need: pictures, texts, bots, positions, the score.
    """
    module, _, name = place.partition(":")

    def call(*arguments: Any) -> Any:
        return getattr(import_module(module), name)(*arguments)

    return call
