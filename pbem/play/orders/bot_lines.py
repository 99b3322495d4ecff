"""Write a bot's orders for a whole round: the cards to play now, and ready lines for later."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.bots import pick, script
from engine.decisions import Decision
from engine.ruleset import Bot, Kind, Ruleset
from engine.sentences.ready_lines import SKIP
from engine.sentences.text import Seat


def total_line(ruleset: Ruleset[Any], kind: Kind) -> tuple[str, bool]:
    """Return a line that answers every question of this kind, and whether it must be a standing
    order.

    This is the first ready line that always finds an option. Without such a line, it is the word
    that ends a list of this kind, or an empty text if the kind has no such word.
    """
    for line in ruleset.ready_lines.of(kind.name):
        if line.total:
            return line.sentence, line.own
    return (kind.ends if kind.ends in ruleset.forms.templates.values() else ""), False


def standing_lines(ruleset: Ruleset[Any]) -> list[str]:
    """Standing orders that answer everything except which cards to play."""
    found = {k.name: total_line(ruleset, k)[0] for k in ruleset.kinds.values() if not k.cards}
    return [f"always {kind}: {line}" for kind, line in found.items() if line]


def round_lines(
    ruleset: Ruleset[Any], state: Any, seat: Seat, bot: Bot, asked: Iterable[Decision]
) -> list[str]:
    """Return all the order lines that a bot sends for a seat at the beginning of a round.

    ``asked`` are the seat's open questions; ``state`` may come from any table that knows the seat's
    cards.
    """
    writing = _Writing(ruleset, state, seat, bot, {one.kind: one for one in asked})
    for kind in ruleset.kinds.values():
        if kind.cards or not total_line(ruleset, kind)[0]:
            writing.choose(kind)
        else:
            writing.leave(kind)
    return writing.lines


class _Writing:
    def __init__(
        self, ruleset: Ruleset[Any], state: Any, seat: Seat, bot: Bot, asked: dict[str, Decision]
    ) -> None:
        self.ruleset, self.state, self.seat = ruleset, state, seat
        self.bot, self.asked = bot, asked
        self.given: dict[str, list[str]] = {}
        self.lines: list[str] = []

    def choose(self, kind: Kind) -> None:
        """Add lines with the bot's answer to a kind of question; add nothing if the options are not
        known yet."""
        asked = self.asked.get(kind.name)
        decision = asked if asked is not None and asked.script else self._ahead(kind) or asked
        if decision is None:
            return
        if decision.script:
            said = script(self.bot, self.state, decision)[0].split("; ")
        else:
            said = [pick(self.bot, self.state, decision, decision.listed())]
        whole = asked is not None and asked.script
        self._say(kind, [*said, *([SKIP] if kind.script and not whole else [])])

    def leave(self, kind: Kind) -> None:
        """Add a line that answers any question of this kind."""
        line, own = total_line(self.ruleset, kind)
        if own:
            self.lines.append(f"always {kind.name}: {line}")
        else:
            self._say(kind, [line])

    def _ahead(self, kind: Kind) -> Decision | None:
        return self.ruleset.ahead(self.state, self.seat, kind.name, self.given)

    def _say(self, kind: Kind, said: list[str]) -> None:
        self.given[kind.name] = said
        self.lines += [f"{kind.name}: {text}" for text in said]
