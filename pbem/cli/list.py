"""The command `list`: all your games, and which of them wait for you."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.acts.game_list import MAX_ID_DIGITS, UNREAD_TITLE, games_of, places_of
from pbem.cli.shared_options import JsonOption, NowOption
from pbem.errors import CliError
from pbem.files.home import Home
from pbem.person.keyring import Keyring
from pbem.terminal.clean_text import clean
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.printing import print_folded
from pbem.wording.game_list import NO_GAMES_SENTENCE, forgotten_game_lines


def list_games(
    json: JsonOption = False,
    now: NowOption = "",
    forget: Annotated[
        str,
        typer.Option(
            metavar="GAME",
            help="Leave out a game whose folder is gone. GAME is its folder, or the six digits at "
            "the beginning of its line. Your keys and private files stay.",
        ),
    ] = "",
) -> None:
    """List all your games, where they are, and which of them wait for you."""
    if forget:
        _forget(Home.find(), forget, json)
        return
    games = games_of(Keyring(Home.find()))
    if json:
        print_data("list", games)
        return
    for game in games:
        alert = ""
        if game["asked"]:
            alert = "YOUR MOVE; "
        elif game["ready"]:
            alert = "ADVANCE NOW; "
        title = "" if game["title"] == UNREAD_TITLE else f" {clean(game['title'])}"
        print_folded(f"{game['game'][:MAX_ID_DIGITS]}{title}: {alert}{clean(game['state'])}", 7)
        if game["folder"]:
            print(f"       {game['folder']}")
    if not games:
        print(NO_GAMES_SENTENCE)


def _forget(home: Home, name: str, json: bool) -> None:
    """Leave a game out of the list from now on. `name` is the beginning of its id (six digits or
    more), its folder or the name of this folder. Raises CliError if the name means no game or
    several games, or if the folder exists."""
    places = places_of(home)
    matching_ids = [
        game_id
        for game_id, place in places.items()
        if (len(name) >= MAX_ID_DIGITS and game_id.startswith(name.lower()))
        or (place is not None and name.rstrip("/") in (str(place), place.name))
    ]
    if len(matching_ids) != 1:
        quantity = f"{len(matching_ids)} games are" if matching_ids else "no game is"
        hint = "type the six digits at the beginning of the game's line in pbem list"
        raise CliError(f"{quantity} called {name!r}", hint)
    (game_id,) = matching_ids
    place = places[game_id]
    if place and not place.is_remote and not place.is_gone():
        problem = f"the folder of this game is still there: {place}"
        raise CliError(problem, "to forget the game, first move or delete its folder")
    game_home = home.game(game_id)
    game_home.forget_place()
    if json:
        data = {"forgotten": game_id, "folder": str(place or ""), "kept": str(game_home.root)}
        print_data("list", data)
        return
    for line in forgotten_game_lines(game_id[:MAX_ID_DIGITS], game_home.root):
        print(line)
