"""`concede`: a seat resigns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.play.seats.rule import Rule, who
from pbem.play.seats.standing import Standing
from pbem.records.notices.notice_record import Notice
from pbem.records.notices.sayings import Concede


class ConcedeRule(Rule[Concede]):
    """The seat's choices are made without it from now on, and the others are ranked above it."""

    saying = Concede

    def why_not(self, standing: Standing, notice: Notice, said: Concede) -> str:
        """See Rule."""
        if notice.seat not in standing.people():
            return "only a player can concede"
        return "the seat has conceded already" if _gone(standing, notice.seat) else ""

    def apply(self, standing: Standing, notice: Notice, said: Concede) -> Standing:
        """See Rule."""
        return replace(standing, gone={**standing.gone, notice.seat: "conceded"})

    def tell(self, notice: Notice, said: Concede, names: Mapping[str, str]) -> str:
        """See Rule."""
        return f"{who(notice, names)} concedes the game"


def _gone(standing: Standing, seat: str) -> bool:
    return standing.gone.get(seat) == "conceded"
