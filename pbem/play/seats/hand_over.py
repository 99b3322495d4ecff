"""`referee`: the deputy takes the referee's place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.play.calendar.charter_deadlines import deputy_after
from pbem.play.seats.rule import Rule
from pbem.play.seats.standing import Standing
from pbem.records.notices.notice_record import Notice
from pbem.records.notices.sayings import HandOver
from pbem.text.dates import utc_date


class HandOverRule(Rule[HandOver]):
    """After a handover, the deputy's key signs turns and `final`, and the referee's key no longer
    does.
    """

    saying = HandOver

    def signers(self, standing: Standing, notice: Notice, said: HandOver) -> frozenset[bytes]:
        """See Rule."""
        charter = standing.charter
        key = charter.key if said.by == "referee" else charter.deputy_key
        return frozenset() if notice.seat else frozenset({key} - {b""})

    def why_not(self, standing: Standing, notice: Notice, said: HandOver) -> str:
        """See Rule."""
        if not standing.charter.deputy_key:
            return "the charter names no deputy"
        if standing.referee_key != standing.charter.key:
            return f"{standing.charter.deputy} is already the referee"
        if said.by == "referee":
            return ""
        first = standing.quiet_since + deputy_after(standing.charter.policies)
        if standing.now < first:
            return f"the deputy can take over only if no turn is made by {utc_date(first)}"
        return ""

    def apply(self, standing: Standing, notice: Notice, said: HandOver, turn: int) -> Standing:
        """See Rule."""
        return replace(standing, deputy_since=turn)

    def tell(self, notice: Notice, said: HandOver, names: Mapping[str, str]) -> str:
        """See Rule."""
        if said.by == "referee":
            return "the referee hands the game over to the deputy"
        return "the deputy takes over, because no turn has been made for a long time"
