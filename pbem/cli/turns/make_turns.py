"""Make turns until a person is asked."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Final, NamedTuple

from pbem.cli.failure import NOT_YET, CliError
from pbem.cli.turns.held_interrupt import held_interrupt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pbem.cli.session.session import Session
    from pbem.play.making.outcome import Outcome, Wishes
    from pbem.play.view import View

MOST_TURNS: Final = 500
"""The most turns of one game that are made without a pause, because bots could go on for ever."""


class Step(NamedTuple):
    """What one run of `advance` did."""

    outcome: Outcome
    notes: list[str]
    """Notes on files that the run set aside, put back or ignored."""


def make_turns(
    session: Session,
    wishes: Wishes | None = None,
    hold: Callable[[], None] | None = None,
) -> Iterator[Step]:
    """Make turns until a person is asked, or nothing more can be made; yield each step once it is
    written.

    The wishes count for the first step only, except what they say about the clock. Ctrl-C waits
    until the caller has reported a step, or, if the caller has a `hold` of its own, until it has
    reported all.
    """
    from pbem.play.making.outcome import Wishes

    for _ in range(MOST_TURNS):
        with nullcontext(hold) if hold else held_interrupt() as held:
            done = step(session, wishes, before_writing=held)
            yield done
        outcome = done.outcome
        if not outcome.write or outcome.over or unanswered(session, outcome):
            return
        right = bool(wishes and wishes.time_is_right)
        wishes = Wishes(time_is_right=True) if right else None


def unanswered(session: Session, outcome: Outcome) -> list[str]:
    """Return the seats of other people whose orders the next turn waits for."""
    here = {
        *outcome.answered,
        *(session.game_folder.charter.content.plays if outcome.write else ()),
    }
    return [seat for seat in sorted(outcome.waiting) if seat not in here]


def waits_for_nobody(session: Session, view: View) -> bool:
    """Return whether the referee who plays has just given the last answer that was missing.

    Then the next turn can be made at once: nobody else is awaited, nobody may still change their
    mind, and the turn makes no choice for a player who may still answer.
    """
    from pbem.format.errors import RecordError
    from pbem.records.turn import Turn
    from pbem.storage.errors import StorageError

    if view.seat not in session.roles.held:
        return False
    try:
        outcome = session.refereeing.outlook
    except (CliError, RecordError, StorageError):
        return False  # pbem advance says what is wrong
    bots = {plan.seat for plan in session.game_folder.charter.content.seats if plan.bot}
    found = [record.content for _, record in outcome.write]
    if outcome.preview and bots.issuperset(outcome.first):
        found.append(outcome.preview.content)
    turns = [content for content in found if isinstance(content, Turn)]
    gone = {seat for seat, how in view.away.items() if how != "absent"}
    return bool(turns) and not set(turns[0].silent) - gone


def _not_sealed(session: Session, outcome: Outcome) -> list[str]:
    """Say which own orders a new turn contains, if the draft was changed after they were sealed."""
    from pbem.cli.status.my_orders import changed_draft
    from pbem.records.turn import Turn

    told = []
    for _, record in outcome.write:
        turn = record.content
        for order in turn.own if isinstance(turn, Turn) else ():
            if draft := changed_draft(session, order.hex()):
                what = f"turn {turn.turn} contains your orders {order.hex()[:6]} as you sealed them"
                told.append(f"note: {what}; the later changes in your draft {draft} are not in it")
    return told


def step(
    session: Session,
    wishes: Wishes | None = None,
    now: int | None = None,
    before_writing: Callable[[], None] = lambda: None,
) -> Step:
    """Let bots answer, then make and write all turns that can be made now.

    `before_writing` is called once it is clear what will be written.
    """
    from pbem.cli.notices.notice_here import put_notice
    from pbem.cli.session.seen_on_this_machine import note_heads
    from pbem.cli.session.start_wishes import exact, keep_wishes
    from pbem.cli.status.ignored_files import notes
    from pbem.cli.turns.bot_players import bots_answer
    from pbem.cli.turns.publish_turn import publish, put_back, put_right, restore

    with session.mine.lock("advance") as alone:
        if not alone:
            told = "another `pbem advance` is running for this game"
            raise CliError(told, "wait until that one has finished", NOT_YET)
        session.refresh()
        session.mine.remember_place(session.place)
        again = [*put_right(session), *put_back(session), *restore(session)]
        early = not session.listing.reached
        wishes = exact(session.game_folder, wishes) if early and wishes else wishes
        outcome = session.refereeing.advance(wishes, now)
        if early:
            keep_wishes(session.mine, wishes, bool(outcome.first))
        while outcome.first and bots_answer(session, outcome):
            session.refresh()
            outcome = session.refereeing.advance(wishes, now)
        if now is None and not (wishes and wishes.time_is_right):
            session.refereeing.check_clock(outcome)
        reader = session.reading.check_new(outcome)
        again += _not_sealed(session, outcome)
        before_writing()
        for _, notice in outcome.notices if outcome.write else ():
            again += put_notice(session, notice)
        for name, record in outcome.write:
            again += publish(session, name, record)
        note_heads(session.mine, session.refereeing.heads)
        if reader:
            session.reading.readers.table = reader  # it goes on from here
    again += notes(session, {name.path for name, _ in outcome.write})
    if outcome.write:
        session.refresh()
    return Step(outcome, again)
