"""Write the lines that `status` prints."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from pbem.cli.clock import now
from pbem.cli.deadlines.away import away_lines, calendar_lines
from pbem.cli.deadlines.due import Due, due_of
from pbem.cli.notices.notice_here import waiting_lines
from pbem.cli.notices.open_seats import open_lines
from pbem.cli.notices.open_votes import agreement_lines
from pbem.cli.press.messages_here import how_many_new
from pbem.cli.session.mail_hints import unwritten_letters
from pbem.cli.status.advance_readiness import leaves_open
from pbem.cli.status.my_orders import answered_for_good, newest, standing_lines
from pbem.cli.status.status_warnings import warnings
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.status.game_status import GameStatus


class StatusLines:
    """Writes the lines about a game that has begun."""

    def __init__(self, status: GameStatus) -> None:
        self.status, self.session, self.view = status, status.session, status.view

    def all(self) -> list[str]:
        """Return all lines: the turn, each seat, warnings, your questions, the deadline, the next
        command."""
        view = self.view
        lines = [f"{clean(view.title)} ({view.ruleset}), turn {view.turn}{self._stage()}"]
        lines += [*self._head(), *self._seats(), *self._result(), *warnings(self.status)]
        lines += standing_lines(view)
        lines += [*self._asked(), *self._ahead(), *self._whole_round(), *self.deadline()]
        lines += [*away_lines(view, self.status.sealed), *calendar_lines(view)]
        lines += agreement_lines(self.session, view)
        lines += [leaves_open(view.names[seat], seat) for seat in self.status.left_open]
        lines += [*waiting_lines(self.session, view), *open_lines(self.session, view)]
        lines += [*self._reminder(), *unwritten_letters(self.session)]
        lines += how_many_new(self.status.new_messages)
        if view.over:
            from pbem.screen.scores import play_again

            lines.append(play_again(self.session.place))
        return [*lines, f"next: {self.status.next}"]

    # -------------------------------------------------------------- the game
    def _stage(self) -> str:
        if self.view.over:
            return ": the game is over"
        return ": not published yet" if self.view.preview else ""

    def _head(self) -> list[str]:
        from pbem.records.chain import words_of

        view = self.view
        if not view.published:
            return []
        words = " ".join(words_of(bytes.fromhex(view.published_head)))
        return [f"head {view.published}:{view.published_head[:6]}  {words}"]

    def _seats(self) -> list[str]:
        view, lines = self.view, []
        for seat, name in sorted(view.names.items()) if not view.over else ():
            asked = f", asked for {', '.join(view.awaited[seat])}" if seat in view.awaited else ""
            me = " (you)" if seat == view.seat else ""
            me += " (by email)" if seat in view.by_mail else ""
            lines.append(f"  {seat} {clean(name)}{me}: {self.status.readiness_of(seat)}{asked}")
        return lines

    def _result(self) -> list[str]:
        """Return the winner and the scores, once the game is over."""
        from pbem.screen.scores import score_lines

        return [f"  {line}" for line in score_lines(self.view)] if self.view.over else []

    # -------------------------------------------------------------- your orders
    def _asked(self) -> list[str]:
        """Return the questions you are asked, and the orders you may add."""
        from pbem.drafts.write.rest_of_round import may_come

        view = self.view
        kinds = view.play.ruleset.kinds
        asked = view.awaited.get(view.seat, [])
        if not asked:
            return []
        if told := answered_for_good(self.session, view):
            return [told]
        told = ", ".join(f"{kind} ({kinds[kind].question})" for kind in asked)
        more = [kind for kind in kinds if kind not in asked and may_come(view, kind)]
        lines = [
            f"you are asked for: {told}" + (f"; you may add: {', '.join(more)}" if more else "")
        ]
        if view.seat in self.status.answered:
            told = "the orders that you already gave answer this"
            lines.append(f"{told}: send orders only if you want something else")
        if left := self.status.open_kinds:
            told = f"your sealed orders do not answer {', '.join(left)}"
            lines.append(f"{told}, so you still have to answer")
        return lines

    def _ahead(self) -> list[str]:
        """Say that orders of a seat that you play as the referee answer a turn that is not
        published."""
        view = self.view
        if view.seat not in self.session.roles.held or view.preview or view.over:
            return []
        record = newest(self.session, view)
        if record is None or record.content.turn <= view.turn:
            return []
        turn = record.content.turn
        waits = f"they are waiting for turn {turn}, which cannot be made yet"
        told = "pbem advance publishes that turn" if self.status.readiness.ready else waits
        return [f"your orders for turn {turn} are sealed; {told}"]

    def _whole_round(self) -> list[str]:
        """Name the players who are asked only later in the round, but whose orders the game waits
        for now."""
        from pbem.screen.tell_entries import listed

        view = self.view
        if not (seats := self.status.unheard):
            return []
        others = listed(clean(view.names[seat]) for seat in seats if seat != view.seat)
        told = (
            "the game is also waiting for orders for this round from players who have not been "
            f"asked yet: {others}"
        )
        if view.seat not in seats:
            return [told]
        mine = "you have not been asked yet, but the game is waiting for your orders for this round"
        return [mine + (f", and for orders from {others}" if others else "")]

    # -------------------------------------------------------------- who is late
    def deadline(self) -> list[str]:
        """Return the deadline, and what will happen then if nothing changes."""
        from pbem.screen.tell_entries import listed

        view, late = self.view, self.status.late
        if view.over or not view.awaited:
            return []
        if view.preview:
            return [self._unpublished()]
        if not late:
            return self._all_sealed()
        who = listed(clean(view.names[seat]) for seat in late)
        if not self._due:
            return [f"there is no deadline: the game is waiting for {who}"]
        mine = self._default() if view.seat in late else ""
        least = "the least harmful choice is"
        when = f"deadline: {self._due.words}; if nothing changes, {least} then made for {who}"
        if self._due.over:
            when = f"the deadline has passed: {self._due.words}; {least} made for {who} when"
            when += f" {clean(view.referee)} makes the next turn"
        return [when + (f" (for you: {mine})" if mine else "")]

    @cached_property
    def _due(self) -> Due:
        return due_of(self.view)

    def _reminder(self) -> list[str]:
        """For the referee: say who to remind, once half of the time is over."""
        from pbem.cli.deadlines.reminders import reminder

        view = self.view
        if not self.session.roles.referee or view.preview or view.over:
            return []
        missing = set(view.awaited) - self.status.sealed - {*view.plays} - view.away.keys()
        missing -= self.status.answered
        late = {seat: view.awaited[seat] for seat in missing}
        return reminder(self._due, view.title, view.turn, late, view.names)

    def _all_sealed(self) -> list[str]:
        """Say what the game still waits for if everyone who is asked has sealed orders."""
        from pbem.screen.tell_entries import listed

        referee = bool(self.session.roles.referee)
        if self.status.unheard and not (referee and self.status.readiness.sure):
            who = listed(clean(self.view.names[seat]) for seat in self.status.unheard)
            told = f"everyone who was asked has answered; the next turn is waiting for {who}"
        elif referee and self.status.readiness.sure:
            told = "all orders are here: pbem advance makes the next turn"
        elif until := self.status.held_until:
            from pbem.text.dates import moment

            told = "all orders are here, and may be changed until "
            told += f"{moment(until, now())}; then pbem advance makes the next turn"
        else:
            makes = "you make" if referee else f"{self.status.referee}, makes"
            told = f"all orders are here: {makes} the next turn if they answer everything"
            told += self._change_of_mind()
        return [f"deadline: {self._due.words}; {told}" if self._due else told]

    def _change_of_mind(self) -> str:
        """Say that orders may still be changed, if the charter gives time for this."""
        from pbem.play.calendar.charter_deadlines import CHANGE_OF_MIND, change_of_mind

        policies = self.view.policies
        if not change_of_mind(policies):
            return ""
        told = f"{clean(self.view.referee)} waits {policies[CHANGE_OF_MIND]} after the last orders"
        return f"; {told}, and until then you may change yours"

    def _unpublished(self) -> str:
        """Say who must answer a turn that only the referee sees so far."""
        from pbem.screen.tell_entries import listed

        view, late = self.view, self.status.late
        if not late and view.seat in self.status.sealed:
            return f"your orders for turn {view.turn} are sealed; pbem advance publishes that turn"
        if not late:
            return f"turn {view.turn} needs no answer from anybody: pbem advance publishes it"
        who = listed(clean(view.names[seat]) for seat in late)
        return (
            f"turn {view.turn} will be published as soon as {who} has answered; nobody else sees "
            "it yet"
        )

    def _default(self) -> str:
        """Say what happens if you stay silent: the default answer to each question that you are
        asked."""
        from pbem.screen.tell_entries import Teller

        view = self.view
        teller = Teller(view.play.ruleset, view.names)
        mine = [d for _, d in view.table.pending if d.seat == view.seat and d.default]
        return "; ".join(teller.order(d.default()) for d in mine if d.default)
