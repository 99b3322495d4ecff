"""The game engine, which plays any ruleset: decisions, the log, and tables for each viewpoint.

It contains no rules of any particular game.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.facade import *  # noqa: F403 that is all that it has


def __getattr__(name: str) -> Any:
    """Import what rulesets use when somebody asks for the first of it (PEP 562)."""
    import engine.facade

    return getattr(engine.facade, name)
