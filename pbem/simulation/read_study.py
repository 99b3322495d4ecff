"""Read a study that `pbem sim --json` or `--save` wrote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

from pbem import __version__
from pbem.simulation.counts import Counts
from pbem.simulation.play_games import Setup
from pbem.simulation.study import Study, StudyError
from pbem.storage.read_file import read_file

T = TypeVar("T")


def read_study(path: Path) -> Study:
    """Read the study in a file.

    Raises StudyError if the file is not a study, was changed by hand, or is from a different
    version of pbem; FileError and StorageError if the file cannot be read.
    """
    try:
        told = json.loads(read_file(path))
    except (ValueError, RecursionError):
        raise StudyError(f"{path} is not a result of pbem sim --json") from None
    try:
        study = _study(told)
        same = _plain(study.to_json()) == _plain(told)
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError):
        same = False
    if not same:
        raise _not_one(path, told)
    return study


def _not_one(path: Path, told: Any) -> StudyError:
    made = told.get("pbem") if isinstance(told, dict) else None
    if isinstance(made, str) and made != __version__:
        return StudyError(f"{path} is from pbem {made:.20}, and this is pbem {__version__}")
    return StudyError(f"{path} is not a result of pbem sim --json, or somebody has changed it")


def _study(told: dict[str, Any]) -> Study:
    """Return the study in this data. Raises LookupError, TypeError, ValueError or AttributeError
    for data that is not a study."""
    setup = Setup(
        _checked(told["game"], str),
        _checked(told["players"], int),
        _checked(told["seed"], int),
        tuple(_checked(bot, str) for bot in told["bots"]),
        {name: _checked(value, str) for name, value in told["options"].items()},
        _checked(told["rules"], str),
        _checked(told.get("orders", ""), str),
    )
    numbers = [_range(one) for one in told["played"]]
    counts = Counts.of_summary(sum(map(len, numbers)), told)
    return Study(setup, _range(told["asked"])).plus(numbers, counts, told["seconds"])


def _checked(value: Any, kind: type[T]) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"{value} is not of type {kind.__name__}")
    return value


def _plain(told: Any) -> str:
    return json.dumps(told, sort_keys=True)


def _range(told: dict[str, int]) -> range:
    if told["first"] < 0:
        raise ValueError("games are counted from 0")
    return range(told["first"], told["first"] + told["games"])
