"""Open seats in words: what their referee may do, and the invite for the next player of each."""

from __future__ import annotations

from typing import Final

from pbem.judge.game_view import View
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.person.session import Session
from pbem.person.standing_with_unlisted_notices import standing_now
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import at_address, shell_quote, way_to
from pbem.text.terminal_and_page_wording import TerminalText

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


def open_seat_lines(session: Session, view: View) -> list[str]:
    """Return a line on each open seat for the referee; none for anybody else."""
    if view.is_over or view.preview or not session.roles.referee:
        return []
    # `absence_reasons` leaves out a seat that its player left, but that the game still waits for
    absence_reasons = {**view.absence_reasons, **standing_now(session).departures}
    seats = [seat for seat, reason in sorted(absence_reasons.items()) if reason == "open"]
    return [open_seat_line(seat) for seat in seats]
