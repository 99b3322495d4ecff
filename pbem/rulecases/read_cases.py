"""Read case files, with names as people write them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Final

from engine import Ruleset
from engine.value_classes import Value
from games.rule_case_differences import hint
from pbem.files.disk import read_file as bytes_of
from pbem.files.file_errors import FileError, StorageError
from pbem.text.handwritten_toml_within_limits import MAX_TEXT, Overlong, decoded

DEFAULTS = ("seats", "phase", "source")
"""The keys that a file may give once for all its cases."""


class BadCase(Exception):
    """Raised for a file or case that cannot be understood; says which, where and why."""

    exit = 2


class BadFile(BadCase):
    """Raised for what cannot be a case file: not a regular file, too long or too deep."""

    exit = 4


class Step(Value):
    """One question in a case: who is asked, and what is offered, refused, answered and expected."""

    ask: str = ""
    """The seat and the kind of the question, as in ``b feed``."""
    forced: bool | None = None
    """Whether everyone can see that there is only one answer; None: the case does not say."""
    first_steps: tuple[str, ...] = ()
    """The first steps of a list of steps; the checks are about what comes after them."""
    offers: tuple[str, ...] = ()
    """Sentences that must be among the options."""
    exactly: tuple[str, ...] | None = None
    """The sentences that must be all options, in any order; None: the case does not say."""
    refuses: Mapping[str, str] = field(default_factory=dict)
    """For each sentence that must be refused, a part of the expected reason."""
    answer: str = ""
    """The answer that the seat gives; empty for none."""
    default: str = ""
    """The answer that silence must give; the seat is then silent."""
    silence: str = ""
    """Everybody stays silent until this question is asked, this round begins or the game is
    over."""
    expected_facts: Mapping[str, Any] = field(default_factory=dict)
    """The facts after the step, under the names that the ruleset's positions give them, and
    ``next``, ``winners`` and other facts about the course of the game."""
    expected_views: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """For each viewpoint (a seat or ``public``), the facts that it sees of the table."""


class Case(Value):
    """One rule case: a position, a series of questions, and what must follow."""

    file: str
    """The path of the case file, as messages name it."""
    game: str
    """The name of the ruleset."""
    id: str
    title: str
    source: str
    """The place in a rulebook that the case is about."""
    seats: str
    """The letters of the seats, as in ``abc``."""
    options: Mapping[str, str] = field(default_factory=dict)
    phase: str = ""
    """The phase in which play begins; empty for a game that begins with its set-up."""
    position: Mapping[str, Any] = field(default_factory=dict)
    """The table at the beginning of the phase, in the form of the ruleset's positions."""
    dice: tuple[str, ...] = ()
    """The results of the dice, in order."""
    shuffled: tuple[str, ...] = ()
    """The cards on top of the deck after the next shuffle."""
    steps: tuple[Step, ...] = ()
    # as in `Step`, but after the last step
    expected_facts: Mapping[str, Any] = field(default_factory=dict)
    expected_views: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def read_file(path: Path) -> list[Case]:
    """Return all cases of a file. Raises BadCase.

    Unknown keys are refused, so that a misspelt key cannot drop a check.
    """
    if os.path.isdir(path):  # False for any path that cannot be looked up
        raise BadFile(f"{path}: cannot be read: it is a folder; name the files in it")
    try:  # links that the user made may be followed
        data = decoded(bytes_of(Path(os.path.realpath(path)), 4 * MAX_TEXT), MAX_TEXT)
    except FileError as error:
        problem = f"longer than {MAX_TEXT >> 10} kB" if error.reason == "size" else error.sentence
        raise BadFile(f"{path}: {problem}") from error
    except StorageError as error:
        problem = "there is no such file" if error.is_missing else error.sentence
        raise BadCase(f"{path}: cannot be read: {problem}") from error
    except UnicodeDecodeError as error:
        raise BadCase(f"{path}: cannot be read: {error}") from error
    except Overlong as error:
        raise BadFile(f"{path}: {error}") from error
    except ValueError as error:
        raise BadCase(f"{path}: not TOML: {error}") from error
    return parse(data, str(path))


def parse(data: Mapping[str, Any], file: str) -> list[Case]:
    """Return the cases of a file's data; `file` is its path, for messages. Raises BadCase for
    unknown or missing keys, values of the wrong kind, or an id that two cases have."""
    shape = {"game": str, "case": list} | dict.fromkeys(DEFAULTS, str)
    values = _checked_values(data, shape, file, needed_keys=("game", "case"))
    common = {key: data[key] for key in ("game", *DEFAULTS) if key in data}
    cases = [_case(raw, common, file, n) for n, raw in enumerate(values["case"], start=1)]
    known_ids: set[str] = set()
    for case in cases:
        if case.id in known_ids:
            raise BadCase(f"{file}: two cases have the id {case.id!r}")
        known_ids.add(case.id)
    return cases


def _case(raw: Any, common: Mapping[str, str], file: str, number: int) -> Case:
    """Return the case of one table of a file; `common` are the keys that the file gives for all its
    cases. `number` names a case without an id in messages. Raises BadCase."""
    name = raw.get("id") if isinstance(raw, dict) else None
    subject = f"{file}: case {name if isinstance(name, str) else number}"
    shape = {
        "id": str, "title": str, "source": str, "seats": str, "options": dict, "phase": str,
        "position": dict, "dice": [str], "shuffled": [str], "step": list, "then": dict,
        "seen": dict,
    }  # fmt: skip
    values = _checked_values({**common, **_table(raw, subject)}, {"game": str} | shape, subject,
                      needed_keys=("id", "title", "source", "seats"))  # fmt: skip
    values["steps"] = tuple(
        _step(step, f"{subject}, step {i}")
        for i, step in enumerate(values.pop("step", ()), start=1)
    )
    seats = values["seats"]
    if not re.fullmatch(r"[a-h]+", seats) or len(set(seats)) < len(seats):
        raise BadCase(f"{subject}: seats are letters from a to h, each once, not {seats!r}")
    if not values["steps"] and not values.get("then") and not values.get("seen"):
        raise BadCase(f"{subject}: this case checks nothing; add steps, 'then' or 'seen'")
    return Case(file=file, **_by_field(values))


def _step(raw: Any, subject: str) -> Step:
    """Return the step of one table; `subject` names it in messages. Raises BadCase."""
    shape = {
        "ask": str, "forced": bool, "after": [str], "offers": [str], "exactly": [str],
        "refuses": dict, "answer": str, "default": str, "silence": str, "then": dict,
        "seen": dict,
    }  # fmt: skip
    values = _checked_values(_table(raw, subject), shape, subject)
    answer_keys = [key for key in ("answer", "default", "silence") if values.get(key)]
    if len(answer_keys) > 1:
        raise BadCase(f"{subject}: {' and '.join(answer_keys)}: give only one of them")
    if bool(values.get("ask")) == bool(values.get("silence")):
        raise BadCase(f"{subject}: give either 'ask' (seat and kind) or 'silence' (until when)")
    if values.get("ask") and len(values["ask"].split()) != 2:
        raise BadCase(f"{subject}: 'ask' must be a seat and a kind of question, as in 'b feed'")
    return Step(**_by_field(values))


_FIELDS: Final = {"after": "first_steps", "then": "expected_facts", "seen": "expected_views"}
"""The field for each key of a case file that differs from it."""


def _by_field(values: Mapping[str, Any]) -> dict[str, Any]:
    return {_FIELDS.get(key, key): value for key, value in values.items()}


def _table(raw: Any, subject: str) -> Mapping[str, Any]:
    if not isinstance(raw, dict):
        raise BadCase(f"{subject} is not a table of keys")
    return raw


def _checked_values(
    raw: Mapping[str, Any], shape: Mapping[str, Any], subject: str, needed_keys: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the values of a table after checking its keys; `shape` has the type for each key that
    it may have, `[str]` for a list of strings, which becomes a tuple. Raises BadCase."""
    for key in needed_keys:
        if not raw.get(key):
            raise BadCase(f"{subject}: needs {key!r}")
    values = {}
    for key, value in raw.items():
        if key not in shape:
            raise BadCase(f"{subject}: no such key: {key!r}; {hint(key, list(shape))}")
        values[key] = _shaped(value, shape[key], f"{subject}: {key!r}")
    return values


def _shaped(value: Any, shape: Any, subject: str) -> Any:
    """Return a value of this shape (see `_checked_values`). Raises BadCase for another value."""
    if isinstance(shape, list):
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise BadCase(f"{subject} must be a list of strings")
        return tuple(value)
    if type(value) is not shape:
        names = {str: "a text", bool: "true or false", dict: "a table", list: "a list"}
        raise BadCase(f"{subject} must be {names[shape]}, not {repr(value)[:80]}")
    return value


# ---- Names as people write them: `long neck` and `long-neck` mean `long_neck`

_JOINED = re.compile(r"[a-z]+(?:_[a-z]+)+")


def spelt(case: Case, ruleset: Ruleset[Any]) -> Case:
    """Return the case with every name as the game writes it; texts for people stay unchanged.

    A name is a word with an underscore in the ruleset's vocabulary: people may write a space or a
    hyphen for the underscore.
    """
    names = {name for text in ruleset.vocabulary for name in _JOINED.findall(text)}
    if not names:
        return case
    # the longest name comes first, so that no name is taken for a longer one's beginning
    longest_names = sorted(names, key=len, reverse=True)
    loose_pattern = "|".join(name.replace("_", "[ _-]") for name in longest_names)
    pattern = re.compile(rf"(?<![a-z_])(?:{loose_pattern})(?![a-z_])")

    def respell(text: str) -> str:
        return pattern.sub(lambda found: re.sub("[ -]", "_", found[0]), text)

    def respelt_fields(case_or_step: Case | Step, *names: str) -> dict[str, Any]:
        return {name: _respelt(getattr(case_or_step, name), respell) for name in names}

    steps, step_fields = [], (
        "first_steps", "offers", "exactly", "answer", "default", "expected_facts",
        "expected_views",
    )  # fmt: skip
    for step in case.steps:
        # the reasons keep their spaces, because players read them
        refuses = {respell(text): reason for text, reason in step.refuses.items()}
        steps.append(replace(step, refuses=refuses, **respelt_fields(step, *step_fields)))
    case_fields = respelt_fields(case, "position", "shuffled", "expected_facts", "expected_views")
    return replace(case, steps=tuple(steps), **case_fields)


def _respelt(value: Any, respell: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return respell(value)
    if isinstance(value, list | tuple):
        return type(value)(_respelt(part, respell) for part in value)
    if isinstance(value, dict):
        return {respell(key): _respelt(part, respell) for key, part in value.items()}
    return value
