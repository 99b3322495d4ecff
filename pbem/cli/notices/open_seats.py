"""Print the invite with which a new player takes over an open seat, and lines on open seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import NOT_YET, CliError
from pbem.screen.terminal import clean, typed

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.view import View


def print_invite(session: Session, seat: str, json: bool) -> None:
    """Print the invite for the next player of an open seat, and publish the door that it opens.

    Raises CliError if the seat is not open.
    """
    from pbem.cli.notices.notice_here import declare, standing_soon
    from pbem.play.making.advance import secrets_of
    from pbem.play.seats.invites import next_code
    from pbem.records.joining import Invite, door_key, slug
    from pbem.records.notices.notice_record import REFEREE
    from pbem.records.notices.sayings import SetDoor

    secrets = secrets_of(session.game_folder, session.referee_key())
    session.view(fresh=True)
    standing, game = standing_soon(session), session.game_folder.game
    if not standing.is_open(seat):
        free = [s for s in sorted(standing.roster) if standing.is_open(s)]
        hint = f"the open seats are: {', '.join(free)}" if free else "pbem status says who is away"
        raise CliError(f"seat {seat} is not open", hint, NOT_YET)
    code = next_code(standing, secrets.audit, seat)
    line = Invite(slug(standing.charter.title), seat, code, game).line()
    if seat not in standing.doors:
        declare(session, SetDoor(seat, door_key(code, seat).public), REFEREE)
    if json:
        from pbem.cli.json_output import print_data

        print_data("notice", {"about": "invite", "seat": seat, "invite": line})
        return
    name = clean(standing.names[seat])
    if seat in standing.by_mail:
        print(f"send this invite privately to {name}, who has answered by plain email so far:")
        print(f"  pbem join --name {typed(name)} --invite {line}")
    else:
        print(f"send this invite privately to the new player in seat {seat}, which {name} had:")
        print(f"  pbem join --name NAME --invite {line}")
    print(f"if the player has no shared folder, send the game as well: pbem send --all --to {seat}")


def any_open(session: Session) -> bool:
    """Return whether a new player may take over a seat now."""
    from pbem.cli.notices.notice_here import standing_now

    standing = standing_now(session)
    return any(standing.is_open(seat) for seat in standing.roster)


def open_lines(session: Session, view: View) -> list[str]:
    """Return lines on open seats for the referee; for the deputy, a line on when they may take
    over."""
    if view.over or view.preview:
        return []
    if session.roles.deputy:
        return [_deputy_line(session, view)]
    if not session.roles.referee:
        return []
    seats = [seat for seat, why in sorted(view.away.items()) if why == "open"]
    return [f"seat {s} is open; to invite a new player: pbem notice invite {s}" for s in seats]


def _deputy_line(session: Session, view: View) -> str:
    from pbem.cli.clock import now
    from pbem.play.calendar.charter_deadlines import deputy_after
    from pbem.text.dates import local_date

    first = max(view.times[-1], view.deadline) + deputy_after(view.policies)
    name = clean(session.game_folder.charter.content.referee)
    told = f"you are the deputy of {name}"
    if now() >= first:
        return (
            f"{told}, and no turn has come for a long time; to take over: pbem advance --take-over"
        )
    return f"{told}; if no turn comes, you can take over after {local_date(first)}"
