"""From a charter to the rules it names: the same ruleset, version and digest, or nothing."""

from __future__ import annotations

import hashlib
from typing import Any

from engine import Game, Ruleset, hooks_of
from pbem.format.errors import RecordError
from pbem.records.kinds import Charter


def digest_of(ruleset: Ruleset[Any]) -> bytes:
    """SHA-256 of what a game's rules are made of: name, version, cards, sentences, kinds, hooks.

    It does not cover the code of the rules: that is what the version is for, and the replay.
    """
    parts = [ruleset.name, ruleset.version]
    for deck in sorted(ruleset.decks):
        parts += ["deck", deck, *sorted(ruleset.decks[deck])]
    for form, template in sorted(ruleset.forms.templates.items()):
        parts += ["form", form, template]
    parts += ["kinds", *sorted(ruleset.kinds), "phases", *(p.name for p in ruleset.phases)]
    if ruleset.kits is not None:
        for trait, behaviour in sorted(ruleset.kits.traits.items()):
            parts += ["trait", trait, *hooks_of(behaviour)]
    return hashlib.sha256("".join(f"{part}\n" for part in parts).encode()).digest()


def game_of(charter: Charter, seats: str) -> Game[Any]:
    """The game that the charter describes, for the seats that were taken.

    Raises RecordError `version` where these rules are not installed, or are others.
    """
    ruleset = ruleset_of(charter)
    options = {name: str(value) for name, value in charter.options.items()}
    try:
        return ruleset.game(seats, options)
    except ValueError as error:
        raise RecordError(
            "version", f"the charter's options do not fit these rules: {error}"
        ) from None


def ruleset_of(charter: Charter) -> Ruleset[Any]:
    """The ruleset that the charter names. Raises RecordError `version`."""
    from games.registry import UnknownGame, ruleset

    try:
        found = ruleset(charter.ruleset)
    except UnknownGame as error:
        raise RecordError("version", f"{error}; install it, or another version of pbem") from None
    if (found.version, digest_of(found)) != (charter.version, charter.digest):
        raise RecordError(
            "version",
            f"this game is played by {charter.ruleset} {charter.version} with digest "
            f"{charter.digest.hex()[:6]}; installed is {found.version} with "
            f"{digest_of(found).hex()[:6]}: install the pbem that the referee uses",
        )
    return found
