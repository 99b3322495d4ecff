"""Load the page of rules from ``how_to_play.toml`` in a ruleset's folder, and the lesson from
``lesson.toml``.

A file inherits from the ruleset that it is ``like``: the lesson, its text for each kind of
question; the page of rules, each ``[[chapter]]`` that has only a ``name``. A
``[[chapter.example]]`` is a rule case (docs/rule-cases.md) with a ``text``, the table ``after`` its
last answer, and the ``facts`` of the table to show.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from engine import Chapter, Example, Lesson, LessonStep
from games.data_and_icon_files import package_data

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


def load_chapters(package: str) -> tuple[Chapter, ...]:
    """Return the chapters of the page of rules of the ruleset in this package, in order."""
    return tuple(_chapters(package).values())


@cache
def load_lesson(package: str) -> Lesson:
    """Return the lesson of the ruleset in this package."""
    lesson_table = tomllib.loads(package_data(package, "lesson.toml"))
    inherited_kinds = load_lesson(lesson_table["like"]).kinds if "like" in lesson_table else {}
    return Lesson(
        table=lesson_table["table"],
        rounds=lesson_table["rounds"],
        steps=tuple(map(_step, lesson_table["step"])),
        kinds={**inherited_kinds, **lesson_table.get("kinds", {})},
        end=lesson_table["end"],
    )


def _step(step_table: Mapping[str, Any]) -> LessonStep:
    tuples = {key: tuple(part) for key, part in step_table.items() if isinstance(part, list)}
    return LessonStep(**{**step_table, **tuples})
