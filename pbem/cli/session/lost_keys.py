"""A key that is not here any more: whose it was, where a copy would be, what can still be done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pbem.cli.failure import KEY, STALE, CliError
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.play.checking.game_folder import GameFolder
    from pbem.storage.folder import Listing
    from pbem.storage.private.home import Home, Mine

COPY = "with your copy of the key file"
INVITE = "pbem join --invite …, with the line that the referee sent you"


class Here(Protocol):
    """What is asked of a session; sessions ask this module, so it does not know them."""

    home: Home

    @property
    def mine(self) -> Mine:
        """What I keep of the game."""

    @property
    def listing(self) -> Listing:
        """What lies in the folder."""

    @property
    def game_folder(self) -> GameFolder:
        """The game."""

    @property
    def roles(self) -> Any:
        """What I am here."""

    @property
    def outlook(self) -> Any:
        """What `advance` would do."""

    @property
    def publics(self) -> dict[str, bytes]:
        """The public keys of my profiles."""

    def name_of(self, seat: str) -> str:
        """Who sits there."""


def lost_seats(session: Here) -> list[str]:
    """Seats that were joined or played on this computer, and whose key none of my profiles has."""
    sealed = {ident[:6] for ident in session.mine.receipts.times()}
    if not sealed:
        return []
    listing, first = session.listing, next(session.game_folder.turns(), None)
    seats = {found.name.seat for found in listing.orders if found.name.digits in sealed}
    taken = {ident.hex()[:6] for ident in (first.content.joins or {}).values()} if first else sealed
    seats |= {f.name.seat for f in listing.joins if f.name.digits in sealed & taken}
    return sorted(seats - session.roles.seats.keys() - _mine_joined(session))


def _mine_joined(session: Here) -> set[str]:
    """Seats that a key of mine wanted, whether it sits there or not."""
    mine = set(session.publics.values())
    joins = session.game_folder.joins().values()
    return {record.content.seat for record in joins if record.content.key in mine}


def lost_referee(session: Here) -> bool:
    """Whether turns were signed on this computer, and none of my profiles has the key."""
    return not session.roles.referee and session.mine.signed.last() is not None


def cure(session: Here) -> str:
    """The command that brings a key back; another profile if the usual one is taken."""
    other = " --profile copy" if "default" in session.home.profiles() else ""
    return f"pbem keys import FILE{other}"


def lost_lines(session: Here) -> list[str]:
    """What is missing, and what can still be done; nothing if no key was lost."""
    referee = clean(session.game_folder.charter.content.referee)
    lines = []
    if seats := lost_seats(session):
        lines = [_missing(session, seats), f"if you have a copy of it: {cure(session)}"]
        if session.listing.reached:
            lines.append(f"without a copy nobody can play for you: tell {referee}")
        else:
            lines.append(f"without a copy: join again with your invite, and tell {referee}")
    if lost_referee(session):
        lines += [_no_turns(), f"if you have a copy of it: {cure(session)}"]
        lines.append("without a copy this game cannot go on: tell the players")
    return lines


def _missing(session: Here, seats: Collection[str]) -> str:
    named = ", ".join(f"{seat} ({clean(session.name_of(seat))})" for seat in seats)
    keys = f"the key of seat {named} is" if len(seats) == 1 else f"the keys of seats {named} are"
    return f"{keys} missing: you played with it on this computer, and no profile has it now"


def _no_turns() -> str:
    told = "you made turns with it on this computer, and no profile has it now"
    return f"the referee's key is missing: {told}"


def watching(session: Here) -> str:
    """What to say to whoever has no key in a game that has begun, and perhaps should have one."""
    if session.home.profiles():
        told = "none of your keys plays in this game"
    else:
        told = "you have no key on this computer"
    return f"{told}, so you only watch; if you do play here: {cure(session)}, {COPY}"


# ------------------------------------------------------------------ errors
def no_seat(session: Here) -> CliError:
    """Why whoever has no seat cannot give orders, and what to do."""
    if seats := lost_seats(session):
        return CliError(_missing(session, seats), f"{cure(session)}, {COPY}", KEY)
    if not session.listing.reached:
        return CliError("you have no seat in this game", INVITE, KEY)
    return CliError(watching(session).partition("; ")[0], f"{cure(session)}, {COPY}", KEY)


def not_yours(session: Here, seat: str, mine: Collection[str]) -> CliError:
    """Why `--as SEAT` cannot be."""
    if seat in lost_seats(session):
        return CliError(_missing(session, [seat]), f"{cure(session)}, {COPY}", KEY)
    told = f"seat {seat} is not yours here"
    if mine:
        return CliError(told, f"yours: {', '.join(mine)}")
    if session.listing.reached:
        return CliError(told, f"if it is, bring its key: {cure(session)}, {COPY}")
    return CliError(told, "none is: join with the invite you were sent")


def not_referee(session: Here) -> CliError:
    """Why only another one can do what only the referee can."""
    if lost_referee(session):
        return CliError(_no_turns(), f"{cure(session)}, {COPY}", KEY)
    name = session.game_folder.charter.content.referee
    hint = "" if session.roles.seats else f"if you are {name}: {cure(session)}, {COPY}"
    return CliError(f"only {name}, the referee, can do that", hint, KEY)


def taken(session: Here, seat: str) -> CliError:
    """Why nobody can join any more."""
    if seat in lost_seats(session):
        hint = f"{cure(session)}, {COPY}; without a copy nobody can play the seat"
        return CliError(f"the game has begun, and {_missing(session, [seat])}", hint, STALE)
    name = clean(session.name_of(seat))
    first = next(session.game_folder.turns(), None)
    if first is None or seat not in (first.content.joins or {}):
        return CliError("the game has begun; seats can no longer be taken", "", STALE)
    told = f"the game has begun, and {name} sits in seat {seat}; seats can no longer be taken"
    return CliError(told, f"if that is you: {cure(session)}, {COPY}", STALE)
