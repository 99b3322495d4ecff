"""Open seats in words: what their referee may do, and the invite for the next player of each."""

from __future__ import annotations

from typing import Final

from pbem.judge.game_view import View
from pbem.judge.seats_and_agreements import Standing
from pbem.person.session import Session
from pbem.person.standing_now import standing_now
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_to_type import at_address, way_to
from pbem.terminal.paths_to_type import shell_quote
from pbem.text.clock import now
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.deputy import dealers_deputy_line, deputy_line

_OPEN_SEAT: Final = TerminalText(
    "seat {seat} is open[[; to invite a new player: pbem notice invite {seat}]]"
)


def open_seat_line(seat: str) -> str:
    """Return a line for the referee about an open seat."""
    return _OPEN_SEAT.format(seat=seat)


_INVITE_FOR_SAME_PLAYER: Final = (
    "send this invite privately to {name}, who has answered by plain email so far:"
)
_INVITE_FOR_NEW_PLAYER: Final = (
    "send this invite privately to the new player in seat {seat}, which {name} had:"
)
_SEND_GAME: Final = "if the player has no shared folder, send the game as well: {command}"


def invite_heading(seat: str, name: str, *, was_by_mail: bool) -> str:
    """Return the line above the invite for the next player of a seat, which `name` had."""
    template = _INVITE_FOR_SAME_PLAYER if was_by_mail else _INVITE_FOR_NEW_PLAYER
    return template.format(seat=seat, name=clean(name))


def next_player_lines(session: Session, standing: Standing, seat: str, invite: str) -> list[str]:
    """Return the command with the invite for the next player of a seat, and the command that
    sends this player the game."""
    place, was_by_mail = session.place, seat in standing.by_mail
    command = f"pbem join{way_to(place).option}"
    name = shell_quote(clean(standing.names[seat])) if was_by_mail else "NAME"
    return [
        invite_heading(seat, standing.names[seat], was_by_mail=was_by_mail),
        f"  {command} --name {name} --invite {invite}",
        _SEND_GAME.format(command=at_address(place, f"pbem send --all --to {seat}")),
    ]


def _dealers_deputy_line(session: Session, key: bytes) -> str:
    """Return the line for the deputy who has this public key on when they may take over."""
    dealers = session.charter.dealers
    number = next(n for n, dealer in enumerate(dealers) if dealer.deputy_key == key)
    standing = standing_now(session)
    is_owed = number in standing.owed_since
    takeover_at = standing.replaceable_from(number) if is_owed else None
    return dealers_deputy_line(dealers[number].name, takeover_at, now())


def open_lines(session: Session, view: View) -> list[str]:
    """Return lines on open seats for the referee; for a deputy, a line on when they may take
    over."""
    if view.is_over or view.preview:
        return []
    if session.roles.deputy:
        takeover_at = max(view.times[-1], view.deadline) + view.policies.deputy_after
        return [deputy_line(session.charter.referee, takeover_at, now())]
    if profile := session.roles.dealers_deputy:
        return [_dealers_deputy_line(session, session.keyring.publics[profile])]
    if not session.roles.referee:
        return []
    absence_reasons = {
        **view.absence_reasons,
        **standing_now(session).departures,
    }  # a seat that was left can be waited for
    seats = [seat for seat, reason in sorted(absence_reasons.items()) if reason == "open"]
    return [open_seat_line(seat) for seat in seats]
