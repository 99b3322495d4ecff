"""The commands `status` and `list`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.options import FolderOption, JsonOption, NowOption, PassphraseOption, SeatOption
from pbem.desk.base import print_data
from pbem.desk.game_here import Keyring
from pbem.desk.list import DIGITS, UNREAD, _places, games_of
from pbem.desk.session import Session
from pbem.desk.status import BeforeTurnOne, StatusLines, read_status, say_notes, status_data
from pbem.errors import CliError
from pbem.files.folder import Place, is_gone
from pbem.files.home import Home
from pbem.screen.terminal import clean, print_folded

# ---- The command `list`: show all your games, and which of them wait for you

ForgetOption = Annotated[
    str,
    typer.Option(
        "--forget",
        metavar="GAME",
        help="Leave a game out of the list if its folder is gone; GAME is the six digits at the "
        "beginning of its line, or its folder. Your keys and private files stay.",
    ),
]


def list_games(json: JsonOption = False, now: NowOption = "", forget: ForgetOption = "") -> None:
    """List all your games, where they are, and which of them wait for you."""
    if forget:
        _forget(Home.find(), forget, json)
        return
    found = games_of(Keyring(Home.find()))
    if json:
        print_data("list", found)
        return
    for one in found:
        mine = "YOUR MOVE; " if one["asked"] else "ADVANCE NOW; " if one["ready"] else ""
        title = "" if one["title"] == UNREAD else f" {clean(one['title'])}"
        print_folded(f"{one['game'][:DIGITS]}{title}: {mine}{clean(one['state'])}", 7)
        if one["folder"]:
            print(f"       {one['folder']}")
    if not found:
        print("there are no games yet; next: pbem new, or pbem join with an invite")


def _forget(home: Home, typed: str, json: bool) -> None:
    """Leave a game out of the list. Raises CliError if it is not listed, or its folder exists."""
    places = _places(home)
    found = [ident for ident, place in places.items() if _is_meant(typed, ident, place)]
    if len(found) != 1:
        many = f"{len(found)} games are" if found else "no game is"
        raise CliError(
            f"{many} called {typed!r}",
            "type the six digits at the beginning of the game's line in pbem list",
        )
    (ident,) = found
    place = places[ident]
    if isinstance(place, Path) and not is_gone(place):
        told = f"the folder of this game is still there: {place}"
        raise CliError(told, "only a game whose folder is gone can be forgotten")
    mine = home.game(ident)
    mine.forget_place()
    if json:
        print_data("list", {"forgotten": ident, "folder": str(place or ""), "kept": str(mine.root)})
        return
    told = f"pbem list no longer shows {ident[:DIGITS]}"
    print(f"{told}; a pbem command in the game's folder brings it back")
    print(f"your keys stay, and your private files of this game are still in {mine.root}")


def _is_meant(typed: str, ident: str, place: Place | None) -> bool:
    """Return whether the user means this game: by the beginning of its id, or by its folder."""
    if len(typed) >= DIGITS and ident.startswith(typed.lower()):
        return True
    return place is not None and typed.rstrip("/") in (str(place), place.name)


# ---- The command `status`: show the state of the game, who it waits for, and what to do next


def status(
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
    now: NowOption = "",
) -> None:
    """Show the state of the game, who it waits for, and what to type next."""
    session = Session(folder, seat, passphrase_file)
    found = read_status(session)
    if json:
        print_data("status", status_data(found))
        return
    lines = found.lines() if isinstance(found, BeforeTurnOne) else StatusLines(found).all()
    print("\n".join(lines))
    say_notes(session)
