"""Load a ruleset's lesson from ``lesson.toml`` in its folder.

The text for each kind of question is inherited from the ruleset that the file is ``like``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from engine import Lesson, LessonStep
from games.data_files import package_data


@cache
def lesson(package: str) -> Lesson:
    """Return the lesson of the ruleset in this package."""
    lesson_table = tomllib.loads(package_data(package, "lesson.toml"))
    inherited_kinds = lesson(lesson_table["like"]).kinds if "like" in lesson_table else {}
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
