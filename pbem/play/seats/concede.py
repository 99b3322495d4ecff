"""What the notices `concede` and `leave` do: a player gives up the game, or only the seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.play.seats.rule import Rule, plays, who
from pbem.play.seats.standing import Standing
from pbem.records.notices.notice_record import Notice
from pbem.records.notices.sayings import Concede, Leave


class ConcedeRule(Rule[Concede]):
    """`concede`: the seat is no longer asked; the defaults answer for it, and it is ranked last."""

    saying = Concede

    def why_not(self, standing: Standing, notice: Notice, said: Concede) -> str:
        """Say why this notice cannot count now; empty if it can."""
        return plays(standing, notice)

    def apply(self, standing: Standing, notice: Notice, said: Concede, turn: int) -> Standing:
        """Return the game's standing after a turn has listed this notice."""
        return replace(standing, gone={**standing.gone, notice.seat: "conceded"})

    def tell(self, notice: Notice, said: Concede, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        return f"{who(notice, names)} concedes the game"


class LeaveRule(Rule[Leave]):
    """`leave`: the game stops waiting for the seat, and somebody else may take it over."""

    saying = Leave

    def why_not(self, standing: Standing, notice: Notice, said: Leave) -> str:
        """Say why this notice cannot count now; empty if it can."""
        if notice.seat in standing.charter.plays:
            return "the referee holds the keys of this seat, so nobody else can take it over"
        if standing.removes:
            return "the charter lets nobody take a seat over in this game, but you can concede"
        again = "the seat is already open" if notice.seat in standing.gone else ""
        return plays(standing, notice) or again

    def apply(self, standing: Standing, notice: Notice, said: Leave, turn: int) -> Standing:
        """Return the game's standing after a turn has listed this notice."""
        return replace(standing, gone={**standing.gone, notice.seat: "open"})

    def tell(self, notice: Notice, said: Leave, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        name = who(notice, names)
        return f"{name} gives up seat {notice.seat}: it is open for somebody else"
