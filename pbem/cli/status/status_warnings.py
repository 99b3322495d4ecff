"""Write warnings about a game that has begun: ignored orders or joins, lost keys, odd dates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.notices.notice_here import lines_on_theft
from pbem.cli.session.lost_keys import watching
from pbem.cli.session.own_joins import join_warnings
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.cli.status.game_status import GameStatus
    from pbem.play.view import View

DAY = 86_400
MOST = 3
"""The most orders that are named in a warning; the newest are named."""
WHY = {
    "late": "came too late",
    "forked": "answer a turn that differs from the one in this game",
    "unopenable": "could not be opened",
}


def warnings(status: GameStatus) -> list[str]:
    """Return a sentence for each thing that is wrong."""
    from pbem.records.fields.header import near_the_last_turn

    session, view = status.session, status.view
    lines = [
        f"your orders {order[:6]} were refused: {clean(line)}: {clean(why)}"
        for order, line, why in view.refused
    ]
    lines += [*_passed_over(session, view), *_opened_early(status), *_odd_times(session, view)]
    lines += [*_other_zone_data(view), *_unsealed(session, view)]
    if session.roles.referee and not view.over and (doubt := status.readiness.doubt):
        lines.append(f"pbem advance will not make the next turn: {doubt}; {doubt.hint}")
    if not view.over and (near := near_the_last_turn(view.turn)):
        lines.append(near)
    lines += lines_on_theft(session, view)
    return [*lines, *(_not_taken(session, view) or _no_key(status))]


# ------------------------------------------------------------------ orders
def _passed_over(session: Session, view: View) -> list[str]:
    """Return sentences on your orders that the last turn refused, or that came too late."""
    if view.seat in view.plays:
        return []  # a referee who plays is never late; only older revisions are listed as late
    lines = [
        f"your orders {order[:6]} do not count: they {WHY.get(reason, reason)} "
        f"(turn {view.turn} refused them)"
        for order, reason in view.passed_over[:MOST]
    ]
    return lines + _unlisted(session, view)


def _unsealed(session: Session, view: View) -> list[str]:
    """Say that your draft has changes that you did not seal, while you can still seal them."""
    from pbem.cli.status.my_orders import answered_for_good, changed_draft, newest

    if not view.seat or view.over or view.seat not in view.awaited:
        return []
    record = newest(session, view)
    draft = changed_draft(session, record.id.hex()) if record else ""
    if record is None or not draft or answered_for_good(session, view):
        return []
    told = f"your draft {draft} was changed after you sealed it, and the changes are not sealed"
    return [f"{told}: your orders {record.id.hex()[:6]} still count, until you type pbem submit"]


def _unlisted(session: Session, view: View) -> list[str]:
    """Return sentences on those of your earlier orders that no turn lists."""
    if not view.seat or view.over:
        return []
    key, lines, listed = session.me.public_of(view.seat), list[str](), set(view.listed)
    mine = [
        found
        for found in session.listing.orders
        if (found.name.seat, found.name.digits in listed) == (view.seat, False)
        and found.name.turn < view.published
    ]
    for found in sorted(mine, key=lambda f: (f.name.turn, f.name.revision), reverse=True)[:MOST]:
        for record in session.game_folder.orders_signed_by(found, key):
            turn, digits = record.content.turn, record.id.hex()[:6]
            maker = clean(session.game_folder.maker(turn + 1).name)
            told = f"{maker} had made turn {turn + 1} without them"
            lines.append(f"your orders {digits} for turn {turn} came too late: {told}")
    return lines


# ------------------------------------------------------------------ the referee
def _opened_early(status: GameStatus) -> list[str]:
    """Report that the final secrets are public although the game is still going on."""
    view = status.view
    final = None if view.over else status.final
    if final is None:
        return []
    if final.content.turn > view.turn + 1:  # the folder is half synced
        return [f"final.toml is here, but turn {view.turn + 1} is not; let the folder sync"]
    told = "is here, but the game is not over: every hand and every order can be read"
    return [f"final.toml {told}; phone {clean(view.referee)}, and see pbem audit"]


def _odd_times(session: Session, view: View) -> list[str]:
    """Report dates of the last two turns that do not fit this machine's clock."""
    from pbem.text.dates import odd_time

    times = session.mine.sightings.odd() if view.deadline or view.silent else []
    maker, ahead = session.game_folder.maker, _dated_ahead(view)
    lines = [
        odd_time(one.turn, one.seconds, one.when, clean(maker(one.turn).name))
        for one in times
        if one.turn >= view.turn - 1
        and not session.roles.referee
        and not (ahead and one.turn == view.turn)
    ]
    return [*lines, *ahead]


def _dated_ahead(view: View) -> list[str]:
    """Say how to go on if the last turn is dated far in the future."""
    from pbem.cli.clock import now
    from pbem.text.dates import span

    ahead = (0 if view.over else view.times[-1]) - now()
    if ahead < DAY:
        return []
    told = f"turn {view.turn} is dated {span(ahead)} in the future, and so are the deadlines"
    cure = "if your clock is right, type pbem notice clock; when half of the players have done so, "
    cure += "the referee does the same, and the next turn is dated correctly"
    return [f"{told}: {cure}"]


def _other_zone_data(view: View) -> list[str]:
    """Say that this machine's time zone data gives a different deadline from the turn's."""
    from pbem.play.calendar.charter_deadlines import other_zone_data

    if len(view.ends) > 1 and view.ends[-1] == view.ends[-2]:
        return []  # this turn only lists notices, so it keeps the deadline of the turn before
    return other_zone_data(view.policies, view.table.pending, view.times[-1], view.deadline)


# ------------------------------------------------------------------ keys and joins
def _not_taken(session: Session, view: View) -> list[str]:
    """Report your joins that were not accepted, and who has the seat instead, if anybody."""
    if view.seat in view.accepted:
        return []  # a person who has played already knows this
    return join_warnings(session.here)


def _no_key(status: GameStatus) -> list[str]:
    """Report that your key is missing, or that you can only watch."""
    view, roles = status.view, status.session.roles
    if view.over or view.seat or roles.seats or roles.referee:
        return status.lost
    return status.lost or [watching(status.session.here)]
