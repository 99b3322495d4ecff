"""Load a ruleset's lesson from ``lesson.toml`` in its folder.

What each kind of question is for is inherited from the ruleset that the file is ``like``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from engine import Lesson, LessonStep
from games.data import package_data


@cache
def lesson(package: str) -> Lesson:
    """Return the lesson of the ruleset in this package."""
    written = tomllib.loads(package_data(package, "lesson.toml"))
    base = lesson(written["like"]).kinds if "like" in written else {}
    return Lesson(
        table=written["table"],
        rounds=written["rounds"],
        steps=tuple(map(_step, written["step"])),
        kinds={**base, **written.get("kinds", {})},
        end=written["end"],
    )


def _step(written: Mapping[str, Any]) -> LessonStep:
    lists = {key: tuple(found) for key, found in written.items() if isinstance(found, list)}
    return LessonStep(**{**written, **lists})
