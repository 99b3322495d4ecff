"""Read a study that `pbem sim --json` or `--save` wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

from pbem import __version__
from pbem.files.disk import read_file
from pbem.simulation.game_counts import Counts
from pbem.simulation.play_games import Setup
from pbem.simulation.study import Study, StudyError

T = TypeVar("T")


def read_study(path: Path) -> Study:
    """Read the study in a file.

    Raises StudyError if the file is not a study, was changed by hand, or is from a different
    version of pbem; FileError and StorageError if the file cannot be read.
    """
    try:
        data = json.loads(read_file(path))
    except (ValueError, RecursionError):
        raise StudyError(f"{path} is not a result of pbem sim --json") from None
    try:
        study = _study(data)
        own_json, given_json = (
            json.dumps(document, sort_keys=True) for document in (study.to_json(), data)
        )
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        own_json, given_json = "", "changed"
    if own_json == given_json:
        return study
    version = data.get("pbem") if isinstance(data, dict) else None
    if isinstance(version, str) and version != __version__:
        raise StudyError(f"{path} is from pbem {version:.20}, and this is pbem {__version__}")
    raise StudyError(f"{path} is not a result of pbem sim --json, or somebody has changed it")


def _study(data: dict[str, Any]) -> Study:
    """Return the study that `to_json` wrote as this data. Raises LookupError, TypeError,
    ValueError, AttributeError or OverflowError for other data."""
    setup = Setup(
        _checked(data["game"], str),
        _checked(data["players"], int),
        _checked(data["seed"], int),
        tuple(_checked(bot, str) for bot in data["bots"]),
        {name: _checked(value, str) for name, value in data["options"].items()},
        _checked(data["rules"], str),
        _checked(data["digest"], str),
        _checked(data.get("card_file", ""), str),
        _checked(data.get("compared_with", ""), str),
        _checked(data.get("against_digest", ""), str),
        _checked(data.get("orders", ""), str),
    )
    numbers = [_range(row) for row in data["played"]]
    counts = Counts.from_summary(sum(map(len, numbers)), data)
    return Study(setup, _range(data["asked"])).plus(numbers, counts, data["seconds"])


def _checked(value: Any, kind: type[T]) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"{value} is not of type {kind.__name__}")
    return value


def _range(data: dict[str, int]) -> range:
    if data["first"] < 0:
        raise ValueError("games are counted from 0")
    return range(data["first"], data["first"] + data["games"])
