"""Load the page of rules from ``how_to_play.toml`` in a ruleset's folder.

A ``[[chapter]]`` that has only a ``name`` is the chapter with that name of the ruleset that the
file is ``like``. A ``[[chapter.example]]`` is a rule case (docs/rule-cases.md) with a ``text``, the
table ``after`` its last answer, and the ``facts`` of the table to show.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from engine import Chapter, Example
from games.data import package_data

SHOWN = ("text", "after", "facts")
"""The keys of an example that are not those of a rule case."""


@cache
def _chapters(package: str) -> Mapping[str, Chapter]:
    written = tomllib.loads(package_data(package, "how_to_play.toml"))
    base = _chapters(written["like"]) if "like" in written else {}
    return {
        one["name"]: _chapter(one) if "title" in one else base[one["name"]]
        for one in written["chapter"]
    }


def _chapter(written: Mapping[str, Any]) -> Chapter:
    fields = {key: value for key, value in written.items() if key not in ("name", "example")}
    examples = tuple(map(_example, written.get("example", ())))
    lists = {key: tuple(v) for key, v in fields.items() if isinstance(v, list)}
    return Chapter(**{**fields, **lists}, examples=examples)


def _example(written: Mapping[str, Any]) -> Example:
    case = {key: value for key, value in written.items() if key not in SHOWN}
    return Example(
        text=written["text"],
        case=case,
        end_position=written["after"],
        facts=tuple(written.get("facts", ())),
    )


def chapters(package: str) -> tuple[Chapter, ...]:
    """Return the chapters of the page of rules of the ruleset in this package, in order."""
    return tuple(_chapters(package).values())
