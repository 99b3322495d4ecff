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
from games.data_files import package_data

EXAMPLE_KEYS = ("text", "after", "facts")
"""The keys of an example that are not those of a rule case."""


@cache
def _chapters(package: str) -> Mapping[str, Chapter]:
    page_table = tomllib.loads(package_data(package, "how_to_play.toml"))
    inherited_chapters = _chapters(page_table["like"]) if "like" in page_table else {}
    return {
        part["name"]: _chapter(part) if "title" in part else inherited_chapters[part["name"]]
        for part in page_table["chapter"]
    }


def _chapter(chapter_table: Mapping[str, Any]) -> Chapter:
    fields = {key: part for key, part in chapter_table.items() if key not in ("name", "example")}
    examples = tuple(map(_example, chapter_table.get("example", ())))
    tuples = {key: tuple(part) for key, part in fields.items() if isinstance(part, list)}
    return Chapter(**{**fields, **tuples}, examples=examples)


def _example(example_table: Mapping[str, Any]) -> Example:
    case = {key: part for key, part in example_table.items() if key not in EXAMPLE_KEYS}
    return Example(
        text=example_table["text"],
        case=case,
        end_position=example_table["after"],
        facts=tuple(example_table.get("facts", ())),
    )


def chapters(package: str) -> tuple[Chapter, ...]:
    """Return the chapters of the page of rules of the ruleset in this package, in order."""
    return tuple(_chapters(package).values())
