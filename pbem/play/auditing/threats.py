"""The attacks that were tried, who catches each and when (`audit --attacks`, docs/threats.md)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple


class Threat(NamedTuple):
    """One attack."""

    attack: str
    who: str
    """Who could try it."""
    caught: str
    """By whom it is caught, or why there is nothing to catch."""
    when: str
    file: str
    """The test that holds it: its file below tests/, without `.py` …"""
    test: str
    """… and its function."""


def threats() -> Mapping[str, list[Threat]]:
    """Every attack, by group."""
    text = files("pbem.play.auditing").joinpath("threats.toml").read_text("utf-8")
    return {
        group["name"]: [Threat(**row) for row in group["rows"]]
        for group in tomllib.loads(text)["group"]
    }
