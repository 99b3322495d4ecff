"""What the notice `referee` does: the deputy takes the referee's place."""

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
    """`referee`: from now on the deputy's key signs turns and `final`, not the referee's."""

    saying = HandOver
    at_once = True  # or somebody could keep an old notice, and hand the game over later

    def signers(self, standing: Standing, notice: Notice, said: HandOver) -> frozenset[bytes]:
        """Return the keys that may sign this notice now."""
        charter = standing.charter
        key = charter.key if said.by == "referee" else charter.deputy_key
        return frozenset() if notice.seat else frozenset({key} - {b""})

    def why_not(self, standing: Standing, notice: Notice, said: HandOver) -> str:
        """Say why this notice cannot count now; empty if it can."""
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
        """Return the game's standing after a turn has listed this notice."""
        return replace(standing, deputy_since=turn)

    def tell(self, notice: Notice, said: HandOver, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        if said.by == "referee":
            return "the referee hands the game over to the deputy"
        return "the deputy takes over, because no turn has been made for a long time"
