"""What the notices `away`, `delay` and `deadline` do: players change the calendar of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.play.calendar.charter_deadlines import delay_budget
from pbem.play.calendar.deadline_rule import DAY, read_rule
from pbem.play.seats.rule import Rule, plays, who
from pbem.play.seats.standing import Standing
from pbem.records.notices.notice_record import REFEREE, Notice
from pbem.records.notices.sayings import Away, Delay, SetClock, SetDeadline
from pbem.text.dates import utc_date

LONGEST_ABSENCE = 100 * DAY
"""The longest absence that one notice may announce, in seconds."""


class AwayRule(Rule[Away]):
    """`away`: during its announced absence, nobody waits for the seat, and its silence does not
    count.

    A later notice of the seat replaces an earlier one.
    """

    saying = Away

    def why_not(self, standing: Standing, notice: Notice, said: Away) -> str:
        """Say why this notice cannot count now; empty if it can."""
        if reason := plays(standing, notice):
            return reason
        if not said.ends:
            announced = notice.seat in standing.calendar.absences
            return "" if announced else "the seat has announced no absence"
        if said.ends <= said.begins:
            return "the absence ends before it begins"
        if standing.calendar.begun(
            notice.seat, standing.answered.get(notice.seat, 0), standing.now
        ):
            told = (
                "the last absence that the seat announced has begun, and the seat has not answered"
            )
            return f"{told} since: it can announce another one when it has answered"
        if said.ends - said.begins > LONGEST_ABSENCE:
            return f"an absence can last at most {LONGEST_ABSENCE // DAY} days"
        return "the absence is already over" if said.ends <= standing.now else ""

    def apply(self, standing: Standing, notice: Notice, said: Away, turn: int) -> Standing:
        """Return the game's standing after a turn has listed this notice."""
        calendar = standing.calendar.with_absence(notice.seat, said.begins, said.ends)
        return replace(standing, calendar=calendar)

    def tell(self, notice: Notice, said: Away, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        if not said.ends:
            return f"{who(notice, names)} is not away after all"
        when = f"from {utc_date(said.begins)} to {utc_date(said.ends)}"
        return f"{who(notice, names)} is away {when}, and nobody needs to wait"


class DelayRule(Rule[Delay]):
    """`delay`: a seat puts the deadline off by some hours; the charter limits the total."""

    saying = Delay

    def why_not(self, standing: Standing, notice: Notice, said: Delay) -> str:
        """Say why this notice cannot count now; empty if it can."""
        if reason := plays(standing, notice):
            return reason
        if notice.turn < standing.asked_by:
            return "it was written for an earlier deadline"
        if not standing.deadline:
            return "there is no deadline to put off"
        if standing.now >= standing.deadline:
            return "the deadline has passed"
        left = standing.calendar.hours_left(standing.charter.policies, notice.seat)
        if not delay_budget(standing.charter.policies):
            return "in this game, nobody may put a deadline off: the charter gives no time for that"
        if said.hours > left:
            return f"the seat may put deadlines off by {left} more hours, as the charter says"
        return ""

    def apply(self, standing: Standing, notice: Notice, said: Delay, turn: int) -> Standing:
        """Return the game's standing after a turn has listed this notice."""
        calendar = standing.calendar.with_delay(notice.seat, said.hours, turn)
        return replace(standing, calendar=calendar)

    def tell(self, notice: Notice, said: Delay, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        unit = "hour" if said.hours == 1 else "hours"
        return f"{who(notice, names)} puts the deadline off by {said.hours} {unit}"


class SetDeadlineRule(Rule[SetDeadline]):
    """`deadline`: a rule counts once all who must agree have proposed it and, last of all, the
    referee agrees."""

    saying = SetDeadline

    def why_not(self, standing: Standing, notice: Notice, said: SetDeadline) -> str:
        """Say why this notice cannot count now; empty if it can."""
        if reason := _why_unreadable(said.rule):
            return reason
        if notice.writer != REFEREE:
            return plays(standing, notice) or _why_no_wish(standing, notice, said)
        who_must = standing.consent("deadline")
        if who_must.never:
            return who_must.never
        others = who_must.seats - {*standing.charter.plays}
        wish, wanted = (said.phase, said.rule), standing.calendar.wanted
        if missing := [seat for seat in sorted(others) if wanted.get(seat) != wish]:
            names = ", ".join(standing.names[seat] for seat in missing)
            told = "the referee must agree last, but these players have not agreed to this deadline"
            return f"{told} yet: {names}"
        return "" if said.rule else "to have no deadline, propose the rule 'never'"

    def apply(self, standing: Standing, notice: Notice, said: SetDeadline, turn: int) -> Standing:
        """Return the game's standing after a turn has listed this notice."""
        calendar = standing.calendar
        if notice.writer == REFEREE:
            calendar = calendar.with_rule(said.phase, said.rule, turn)
        else:
            calendar = calendar.with_wish(notice.seat, said.phase, said.rule, turn)
        return replace(standing, calendar=calendar)

    def told(self, standing: Standing, notice: Notice, said: SetDeadline) -> str:
        """Say what happened, for people; `standing` is the game's standing before the notice."""
        told = super().told(standing, notice, said)
        if notice.writer != REFEREE:
            return told
        wish = (said.phase, said.rule)
        found = [seat for seat, one in standing.calendar.wanted.items() if one == wish]
        return f"{told}, by {standing.called([*sorted(found), REFEREE])}"

    def tell(self, notice: Notice, said: SetDeadline, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        where = f" in the phase {said.phase}" if said.phase else ""
        if notice.writer == REFEREE:
            return f"a new deadline is agreed{where}: {said.rule}"
        if not said.rule:
            return f"{who(notice, names)} no longer proposes a new deadline"
        return f"{who(notice, names)} proposes a new deadline{where}: {said.rule}"


class SetClockRule(Rule[SetClock]):
    """`clock`: the date of the last turn is wrong, and the game goes back to the right time.

    It counts once half of the players who are in and have keys of their own have said so and, last
    of all, the referee. All need not: no deadline comes that would show who is silent. Of those who
    have said so, half is enough to set the earliest time that the referee may give: so no single
    player can keep the game from going back.
    """

    saying = SetClock

    def why_not(self, standing: Standing, notice: Notice, said: SetClock) -> str:
        """Say why this notice cannot count now; empty if it can."""
        if said.time >= standing.dated:
            return "the last turn is not dated later than that"
        clocks = standing.calendar.clocks
        if notice.writer != REFEREE:
            again = "the seat has said this already" if notice.seat in clocks else ""
            return plays(standing, notice) or again
        must = standing.consent("deadline")
        if must.never:
            return must.never
        own = {s.letter for s in standing.seats if s.holder == "own"} & must.seats
        times = sorted(clocks[seat] for seat in own & clocks.keys())
        half = (len(own) + 1) // 2
        if len(times) < half:
            names = ", ".join(standing.names[seat] for seat in sorted(own - clocks.keys()))
            told = f"the referee must say this last, after {half} of the players with keys of their"
            return f"{told} own; these have not said it yet: {names}"
        late = times[half - 1] if half else 0
        return f"a player's clock showed {utc_date(late)} already" if said.time < late else ""

    def apply(self, standing: Standing, notice: Notice, said: SetClock, turn: int) -> Standing:
        """Return the game's standing after a turn has listed this notice."""
        calendar = standing.calendar
        if notice.writer != REFEREE:
            clocks = {**calendar.clocks, notice.seat: said.time}
            return replace(standing, calendar=replace(calendar, clocks=clocks))
        calendar = replace(calendar, clocks={}, set_back=turn, earliest=said.time)
        return replace(standing, calendar=calendar)

    def tell(self, notice: Notice, said: SetClock, names: Mapping[str, str]) -> str:
        """Say what happened, in a sentence for people."""
        when = utc_date(said.time)
        if notice.writer == REFEREE:
            return f"the game goes back to the right time: it is {when}"
        return f"{who(notice, names)} says that the date of the last turn is wrong: it is {when}"


def _why_unreadable(rule: str) -> str:
    """Say why these words are not a deadline rule in its standard form.

    The answer is empty if they are, or if there are no words.
    """
    try:
        right = read_rule(rule).words if rule else ""
    except ValueError as error:
        return f"the rule cannot be read: {str(error).partition(': ')[0]}"
    return "" if right == rule else f"the rule must be written in its standard form: {right}"


def _why_no_wish(standing: Standing, notice: Notice, said: SetDeadline) -> str:
    before = standing.calendar.wanted.get(notice.seat)
    if not said.rule:
        return "" if before else "the seat proposes no deadline"
    return "the seat already proposes this deadline" if before == (said.phase, said.rule) else ""
