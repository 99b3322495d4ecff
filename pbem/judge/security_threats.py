"""The threats to a game that pbem answers, from threats.toml: who can try what, and what catches
them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple


class Threat(NamedTuple):
    """One attack: the people who can try it, the check that catches it, and the test of it."""

    attack: str
    who: str
    """The people who can try it."""
    caught: str
    """The check that catches it, or the reason why there is nothing to catch."""
    when: str
    file: str
    """The file of the attack's test: the path in tests/, without `.py`, or a script with `.txt`."""
    test: str
    """The name of the test function, or the first line of the script."""


def threats() -> Mapping[str, list[Threat]]:
    """Return every attack that was tried, by group."""
    text = files("pbem.judge").joinpath("threats.toml").read_text("utf-8")
    return {
        group["name"]: [Threat(**row) for row in group["rows"]]
        for group in tomllib.loads(text)["group"]
    }
