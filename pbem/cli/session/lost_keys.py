"""Find out which keys are missing on this computer, and what you can still do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import KEY, STALE, CliError
from pbem.cli.session.keyring import DEFAULT
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from collections.abc import Collection

    from pbem.cli.session.game_here import GameHere

COPY = "with your copy of the key file"
INVITE = "pbem join --invite …, with the invite that the referee sent you"


def lost_seats(here: GameHere) -> list[str]:
    """Return the seats that were joined or played on this computer with a key that no profile has
    now."""
    ids = here.mine.receipts.times().keys()
    if not ids:
        return []
    listing, first = here.listing, next(here.game_folder.turns(), None)
    sealed = {ident[:6] for ident in ids}
    seats = {found.name.seat for found in listing.orders if found.name.digits in sealed}
    joins = here.game_folder.joins()
    taken = set((first.content.joins or {}).values()) if first else {*joins}
    seats |= {joins[i].content.seat for i in taken & joins.keys() if i.hex() in ids}
    # the player who has such a seat now has the key
    by_mail = here.game_folder.charter.content.by_mail
    return sorted(seats - here.roles.seats.keys() - _mine_joined(here) - {*by_mail})


def _mine_joined(here: GameHere) -> set[str]:
    """Return the seats for which one of your keys has signed a join, even if the key did not get
    the seat."""
    mine = set(here.keyring.publics.values())
    joins = here.game_folder.joins().values()
    return {record.content.seat for record in joins if record.content.key in mine}


def lost_referee(here: GameHere) -> bool:
    """Return whether the key that makes the turns made some on this computer, and no profile has it
    now."""
    from pbem.format.signed_file import split

    last = None if here.roles.referee else here.mine.signed.last()
    return last is not None and split(last.file).key == here.game_folder.maker().key


def import_command(here: GameHere) -> str:
    """Return the command that imports a key again; it uses a second name if the usual one is
    taken."""
    other = " --profile copy" if DEFAULT in here.home.profiles() else ""
    return f"pbem keys import FILE{other}"


def bring_back(here: GameHere) -> str:
    """Return the command that imports a key again, and what to type for FILE."""
    return f"{import_command(here)}, {COPY}"


def lost_lines(here: GameHere) -> list[str]:
    """Return sentences on the missing keys and what you can still do; empty if no key was lost."""
    referee = clean(here.game_folder.maker().name)
    lines = []
    if seats := lost_seats(here):
        lines = [_missing(here, seats), f"if you have a copy of the key: {import_command(here)}"]
        if here.listing.reached:
            lines.append(
                f"without a copy: pbem notice key --lost --as {seats[0]}, and tell {referee}"
            )
        else:
            lines.append(f"without a copy, join again with your invite, and tell {referee}")
    if lost_referee(here):
        lines += [_no_turns(), f"if you have a copy of the key: {import_command(here)}"]
        since, deputy = here.game_folder.deputy_since, here.game_folder.charter.content.deputy
        deputy = "" if since else clean(deputy)
        other = f"{deputy} can take over: tell them" if deputy else "this game cannot go on"
        lines.append(f"without a copy, {other}; tell the players")
    return lines


def _missing(here: GameHere, seats: Collection[str]) -> str:
    named = ", ".join(f"{seat} ({clean(here.name_of(seat))})" for seat in seats)
    one = len(seats) == 1
    keys = f"the key of seat {named} is" if one else f"the keys of seats {named} are"
    it = "it" if one else "them"
    return f"{keys} missing: you played with {it} on this computer, and no profile has {it} now"


def _no_turns() -> str:
    told = "you made turns with it on this computer, and no profile has it now"
    return f"the referee's key is missing: {told}"


def has_handed_over(here: GameHere) -> bool:
    """Return whether you are the charter's referee, and the deputy makes the turns now."""
    mine = here.game_folder.charter.content.key in here.keyring.publics.values()
    return mine and bool(here.game_folder.deputy_since)


def watching(here: GameHere) -> str:
    """Return what to tell a person who can only watch, once the game has begun."""
    if has_handed_over(here):
        maker, since = clean(here.game_folder.maker().name), here.game_folder.deputy_since
        return f"{maker} makes the turns since turn {since}, so you can only watch"
    if here.home.profiles():
        told = "you have no key for a seat in this game"
    else:
        told = "you have no key on this computer"
    return f"{told}, so you can only watch; if you are a player here: {bring_back(here)}"


# ------------------------------------------------------------------ errors
def no_seat(here: GameHere) -> CliError:
    """Return the error for a person who wants to give orders but has no seat, with what they can
    do."""
    if seats := lost_seats(here):
        return CliError(_missing(here, seats), bring_back(here), KEY)
    if not here.listing.reached:
        return CliError("you have no seat in this game", INVITE, KEY)
    hint = "" if has_handed_over(here) else bring_back(here)
    return CliError(watching(here).partition("; ")[0], hint, KEY)


def not_yours(here: GameHere, seat: str, mine: Collection[str]) -> CliError:
    """Return the error for a `--as SEAT` that is not your seat."""
    if seat in lost_seats(here):
        return CliError(_missing(here, [seat]), bring_back(here), KEY)
    told = f"seat {seat} is not yours here"
    if mine:
        return CliError(told, f"yours here: {', '.join(f'--as {one}' for one in mine)}")
    if here.listing.reached:
        return CliError(told, f"if it is, import its key: {bring_back(here)}")
    return CliError(told, "you have no seat here: join with the invite that the referee sent you")


def not_referee(here: GameHere) -> CliError:
    """Return the error for a person who is not the referee but tries to do what only the referee
    can do."""
    if lost_referee(here):
        return CliError(_no_turns(), bring_back(here), KEY)
    maker, since = here.game_folder.maker(), here.game_folder.deputy_since
    name, told = clean(maker.name), f"only {clean(maker.called)}, can do that"
    if since:
        told += f": {name} makes the turns since turn {since}"
    hint = (
        ""
        if here.roles.seats or has_handed_over(here)
        else f"if you are {name}: {bring_back(here)}"
    )
    return CliError(told, hint, KEY)


def taken(here: GameHere, seat: str) -> CliError:
    """Return the error for somebody who wants to join after the game has begun."""
    if seat in lost_seats(here):
        hint = f"{bring_back(here)}; without a copy: pbem notice key --lost --as {seat}"
        return CliError(f"the game has begun, and {_missing(here, [seat])}", hint, STALE)
    name = clean(here.name_of(seat))
    first = next(here.game_folder.turns(), None)
    if first is None or seat not in (first.content.joins or {}):
        return CliError("the game has begun; seats can no longer be taken", "", STALE)
    told = f"the game has begun, and {name} has seat {seat}; seats can no longer be taken"
    return CliError(told, f"if that is you: {bring_back(here)}", STALE)
