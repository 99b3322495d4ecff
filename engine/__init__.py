"""The game engine, which plays any ruleset: decisions, the log, and tables for each viewpoint.

It contains no rules of any particular game.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.exported_names import *  # noqa: F403 that is all that it has


def __getattr__(name: str) -> Any:
    """Import what rulesets use when somebody asks for the first of it (PEP 562)."""
    import engine.exported_names

    return getattr(engine.exported_names, name)
