"""The ruleset of a game: the installed one that a charter names, its bot for open seats, and
whether it allows an entry.
"""

from __future__ import annotations

import difflib
import hashlib
from functools import lru_cache
from random import Random
from typing import Any, Final

from engine import (
    Decision,
    Entry,
    Game,
    Illegal,
    Misfit,
    Ruleset,
    Table,
    hooks_of,
)
from engine.make_and_ask_bots import ask_bot
from games import package_faults, registry
from pbem.errors import CliError
from pbem.format.record_error import RecordError
from pbem.records.charter import Charter
from pbem.records.deadline_and_silence_policies import BOT, Policies
from pbem.text.handwritten_toml_within_limits import loads

NO_CARD_FILE: Final = (
    "{name} cannot use a card file: pbem already knows the values of all its cards"
)
STAND_IN_BOT: Final = "greedy"
"""The bot's name in every ruleset that has one."""


def has_bot(ruleset: Ruleset[Any]) -> bool:
    """Return whether a ruleset has the bot that can answer for open seats."""
    return STAND_IN_BOT in ruleset.bots


def bot_answer(table: Table[Any], decision: Decision) -> str:
    """Return the bot's answer to a decision of an open seat.

    The bot uses no random numbers: its answer is the same on every table that shows the seat's
    cards. So the referee cannot choose for it. The seat's owner can check each answer at once,
    everybody can after `final`. The bot is part of the rules: if you change how it plays, raise the
    ruleset's version.
    """
    return ask_bot(table.game.ruleset.bots[STAND_IN_BOT](Random(0)), table.state, decision)


def ruleset_called(name: str) -> Ruleset[Any]:
    """Return the installed ruleset with this name, the first if it is empty. Raises CliError."""
    try:
        return registry.ruleset(name or registry.default_name())
    except registry.UnknownGame:
        names = registry.names()
        matches = difflib.get_close_matches(name, names, 1)
        hint = f"did you mean {matches[0]}?" if matches else f"the games are: {', '.join(names)}"
        raise CliError(f"no game is called {name!r}", hint) from None


@lru_cache(16)
def ruleset_with(name: str, cards: str = "") -> Ruleset[Any]:
    """Return the ruleset with that name. `cards` is the text of an owner's card file, with the
    values of cards that are not printed here; empty for none. Raises LookupError for an unknown
    name, ValueError for a card file that does not fit."""
    rules = registry.ruleset(name)
    if not cards:
        return rules
    if rules.card_file is None:
        raise ValueError(NO_CARD_FILE.format(name=name))
    return rules.card_file.read(loads(cards))


def cure_for_other_rules(ruleset: str) -> str:
    """Say how to get the rules that a game with this ruleset began with."""
    if package_faults.foreign_packages.get(ruleset):
        return (
            "undo the changes to the package, or install the referee's copy of it; to play with "
            "the changes, copy the package under a new name"
        )
    if ruleset and ruleset not in registry.names():
        return (
            "ask the referee for the package with these rules, and install the package only if "
            "you trust its author"
        )
    return "install the version of pbem that the referee uses"


def digest_of(ruleset: Ruleset[Any]) -> bytes:
    """Compute the SHA-256 of a ruleset's name, version, cards, values, sentences, kinds and hooks:
    not of the code of pbem, whose changes show in the version and in replays; but of the source
    files of somebody else's package, who may forget the version. A charter names the digest, so all
    who play have the same cards and words."""
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
    if source := registry.package_sources.get(ruleset.name):
        parts += ["source", hashlib.sha256(source).hexdigest()]
    return hashlib.sha256("".join(f"{part}\n" for part in parts).encode()).digest()


def game_of(charter: Charter, seats: str) -> Game[Any]:
    """Return the game that the charter describes, with these seats: their letters, as in `abc`.
    Raises RecordError `version`, or `field` if the ruleset has no bot for open seats."""
    options, rules = {n: str(value) for n, value in charter.options.items()}, ruleset_of(charter)
    check_bot(charter.policies, rules)
    try:
        return rules.game(seats, options)
    except ValueError as error:
        sentence = f"the options in game.toml do not fit the rules that are installed here: {error}"
        raise RecordError("version", sentence) from None


def check_bot(policies: Policies, ruleset: Ruleset[Any]) -> None:
    """Raise RecordError `field` unless the ruleset has the bot that the policies want for open
    seats."""
    if policies.silent_seat == BOT and not has_bot(ruleset):
        reason = f"{ruleset.name} has no bot called {STAND_IN_BOT}"
        raise RecordError("field", f"policies.silent_seat: {reason}")


def ruleset_of(charter: Charter) -> Ruleset[Any]:
    """Return the ruleset that the charter names. Raises RecordError `version` if it is not
    installed, or if its version or digest is another one."""
    try:
        rules = ruleset_with(charter.ruleset, charter.cards)
    except (LookupError, ValueError) as error:
        sentence = f"{error}; {cure_for_other_rules(charter.ruleset)}"
        raise RecordError("version", sentence) from None
    if (rules.version, digest_of(rules)) != (charter.version, charter.digest):
        if package := package_faults.foreign_packages.get(charter.ruleset):
            sentence = f"the rules of the package {package} have changed since this game began"
        else:
            game_digest, own_digest = charter.digest.hex()[:6], digest_of(rules).hex()[:6]
            sentence = (
                f"this game uses version {charter.version} ({game_digest}) of the rules of "
                f"{charter.ruleset}, but this computer has version {rules.version} ({own_digest})"
            )
        raise RecordError("version", f"{sentence}: {cure_for_other_rules(charter.ruleset)}")
    return rules


def check_entry(table: Table[Any], decision: Decision, entry: Entry) -> None:
    """Raise RecordError `rule` if the rules, as this table shows them, do not allow an entry."""
    try:
        if reason := table.why_not_entry(decision, entry):
            raise Illegal(f"entry {entry.key}: {reason}")
    except (Illegal, Misfit) as error:
        raise RecordError("rule", str(error)) from None
