"""The command `list`: all your games, and which of them wait for you."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.acts.list import MAX_ID_DIGITS, UNREAD_TITLE, games_of, places_of
from pbem.cli.options import JsonOption, NowOption
from pbem.errors import CliError
from pbem.files.home import Home
from pbem.person.keyring import Keyring
from pbem.terminal.output import print_data
from pbem.terminal.terminal import clean, print_folded
from pbem.wording.game_list import NO_GAMES_SENTENCE
from pbem.wording.removals import forgotten_game_lines


def list_games(
    json: JsonOption = False,
    now: NowOption = "",
    forget: Annotated[
        str,
        typer.Option(
            metavar="GAME",
            help="Leave a game out of the list if its folder is gone; GAME is the six digits at "
            "the beginning of its line, or its folder. Your keys and private files stay.",
        ),
    ] = "",
) -> None:
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
        title = "" if one["title"] == UNREAD_TITLE else f" {clean(one['title'])}"
        print_folded(f"{one['game'][:MAX_ID_DIGITS]}{title}: {mine}{clean(one['state'])}", 7)
        if one["folder"]:
            print(f"       {one['folder']}")
    if not found:
        print(NO_GAMES_SENTENCE)


def _forget(home: Home, typed: str, json: bool) -> None:
    places = places_of(home)
    meant = [
        ident
        for ident, place in places.items()
        if (len(typed) >= MAX_ID_DIGITS and ident.startswith(typed.lower()))
        or (place is not None and typed.rstrip("/") in (str(place), place.name))
    ]
    if len(meant) != 1:
        many = f"{len(meant)} games are" if meant else "no game is"
        hint = "type the six digits at the beginning of the game's line in pbem list"
        raise CliError(f"{many} called {typed!r}", hint)
    (ident,) = meant
    place = places[ident]
    if place and not place.is_remote and not place.is_gone():
        told = f"the folder of this game is still there: {place}"
        raise CliError(told, "only a game whose folder is gone can be forgotten")
    mine = home.game(ident)
    mine.forget_place()
    if json:
        print_data("list", {"forgotten": ident, "folder": str(place or ""), "kept": str(mine.root)})
        return
    for line in forgotten_game_lines(ident[:MAX_ID_DIGITS], mine.root):
        print(line)
