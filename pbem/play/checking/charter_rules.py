"""Find the ruleset that a charter names, with the same version and digest."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from engine import Game, Ruleset, hooks_of
from pbem.format.errors import RecordError
from pbem.play.calendar.charter_deadlines import BOT, SILENT_SEAT, Policies, silent_seat
from pbem.play.installed_rules import ruleset_with
from pbem.play.orders.open_seat_bot import NAME, has_bot

if TYPE_CHECKING:
    from pbem.records.charter_join_orders import Charter

INSTALL = "install the version of pbem that the referee uses"


def digest_of(ruleset: Ruleset[Any]) -> bytes:
    """Compute the SHA-256 of a ruleset's name, version, cards, values, sentences, kinds and hooks.

    The digest does not cover the code of the rules; changes there show in the version and in
    replays.
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
    parts += [f"value {value}" for value in ruleset.values]
    return hashlib.sha256("".join(f"{part}\n" for part in parts).encode()).digest()


def game_of(charter: Charter, seats: str) -> Game[Any]:
    """Return the game that the charter describes, with only the seats that were taken.

    Raises RecordError `version` if these rules are not installed or differ.
    """
    options, rules = {n: str(value) for n, value in charter.options.items()}, ruleset_of(charter)
    check_bot(charter.policies, rules)
    try:
        return rules.game(seats, options)
    except ValueError as error:
        told = f"the charter's options do not fit the installed rules: {error}"
        raise RecordError("version", told) from None


def check_bot(policies: Policies, ruleset: Ruleset[Any]) -> None:
    """Check that the ruleset has the bot that the policies want for open seats.

    Raises RecordError `field`.
    """
    if silent_seat(policies) == BOT and not has_bot(ruleset):
        told = f"{ruleset.name} has no bot called {NAME}"
        raise RecordError("field", f"policies.{SILENT_SEAT}: {told}")


def ruleset_of(charter: Charter) -> Ruleset[Any]:
    """Return the ruleset that the charter names.

    Raises RecordError `version` if it is not installed or differs.
    """
    try:
        found = ruleset_with(charter.ruleset, charter.cards)
    except (LookupError, ValueError) as error:
        told = f"{error}; {INSTALL}"
        raise RecordError("version", told) from None
    if (found.version, digest_of(found)) != (charter.version, charter.digest):
        raise RecordError(
            "version",
            f"this game is played with {charter.ruleset} {charter.version}, digest "
            f"{charter.digest.hex()[:6]}; here {found.version} is installed, digest "
            f"{digest_of(found).hex()[:6]}: {INSTALL}",
        )
    return found
