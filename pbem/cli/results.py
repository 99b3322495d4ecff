"""The command `results`: who won what, over several games."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import typer

from engine.counts_and_lists_in_prose import counted
from pbem.acts.game_list import UNREAD_TITLE, places_of
from pbem.cli.shared_options import JsonOption
from pbem.errors import CliError, PbemError
from pbem.files.file_errors import storage_error
from pbem.files.game_folder_places import DiskPlace, Place, place_of
from pbem.files.home import Home
from pbem.judge.ranks_after_departures import ranking
from pbem.person.keyring import Keyring
from pbem.person.session import Session
from pbem.terminal.clean_text import clean
from pbem.terminal.json_and_progress import print_data
from pbem.terminal.printing import print_folded
from pbem.wording.results import (
    none_over_line,
    over_game_line,
    over_line,
    player_line,
    unreadable_game_line,
)

CSV_COLUMNS: Final = (
    "game", "title", "ruleset", "ended", "how", "rank", "won", "seat", "name", "bot", "points",
)  # fmt: skip
"""The columns of the CSV file, which has a row for each seat of each game that is over."""
FORMULA_BEGINNINGS: Final = ("=", "+", "-", "@", "\t")
"""Characters with which a formula begins in a spreadsheet."""


def results(
    folder: Annotated[
        str,
        typer.Argument(
            metavar="[FOLDER]",
            help="A folder with game folders in it, or a game's folder (default: all your games).",
        ),
    ] = "",
    csv: Annotated[
        bool, typer.Option("--csv", help="Print a table for a spreadsheet: a row for each player.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Say who won what, over all your games or those in a folder."""
    if csv and json:
        raise CliError("--csv cannot be combined with --json", "leave out one of them")
    keyring = Keyring(Home.find())
    games_by_id = dict[str, dict[str, Any]]()
    for place in _places(keyring.home, folder):
        game = _game_data(keyring, place)
        games_by_id.setdefault(game["game"] or game["folder"], game)  # it may be in two folders
    games = sorted(
        games_by_id.values(),
        key=lambda game: (not game["over"], game["ended"], game["title"], game["game"]),
    )
    finished_games = [game for game in games if game["over"]]
    if json:
        print_data("results", {"games": games, "players": _player_data(finished_games)})
    elif csv:
        _print_csv(finished_games)
    else:
        _print_results(games, finished_games, folder)


def _places(home: Home, location: str) -> list[Place]:
    """Return the places of the games at a location: the game's own folder or address, or a folder
    with game folders directly in it. Empty means all games of the user whose folders still exist.

    Raises CliError if there is no game, StorageError if the folder cannot be read.
    """
    if not location:
        return [p for p in places_of(home).values() if p is not None and not p.is_gone()]
    place = place_of(location)
    folder = place.path
    if folder is None or (folder / "game.toml").is_file():
        return [place]
    try:
        game_folders = sorted(path for path in folder.iterdir() if (path / "game.toml").is_file())
    except OSError as error:
        raise storage_error(error, location) from None
    if not game_folders:
        problem = f"there is no game in {location}"
        raise CliError(problem, "give the folder that contains your game folders")
    return [*map(DiskPlace, game_folders)]


def _game_data(keyring: Keyring, place: Place) -> dict[str, Any]:
    """Return data on one game: who won, if it is over and no preview; or, in `error`, why the game
    cannot be read."""
    game: dict[str, Any] = {"game": "", "title": UNREAD_TITLE, "ruleset": "", "folder": str(place)}
    game |= {"over": False, "ended": 0, "how": "", "seats": [], "error": ""}
    try:
        session = Session(place, home=keyring.home, keyring=keyring)
        charter = session.charter
        game |= {"game": session.game_folder.game.hex(), "title": charter.title}
        game["ruleset"] = charter.ruleset
        if session.listing.reached:
            with keyring.not_asking():
                view = session.view()
            if view.is_over and not view.preview:
                game |= {"over": True, "ended": view.times[-1], "how": view.ended}
                game["seats"] = ranking(view)
    except PbemError as error:
        game["error"] = error.full_sentence
    return game


def _player_data(finished_games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each player's number of games, wins and points, best first. Players in different
    games are the same if their names are."""
    players = dict[str, dict[str, Any]]()
    for game in finished_games:
        for seat in game["seats"]:
            new_player = {"name": seat["name"], "games": 0, "won": 0, "points": 0}
            player = players.setdefault(seat["name"], new_player)
            player["games"] += 1
            player["won"] += seat["won"]
            player["points"] += seat["points"]
    return sorted(players.values(), key=lambda p: (-p["won"], -p["points"], p["name"]))


def _print_results(
    games: list[dict[str, Any]], finished_games: list[dict[str, Any]], folder: str
) -> None:
    """Print each finished game with its ranking, then the games that cannot be read, and each
    player's wins. `folder` is as typed; empty if all the user's games are meant."""
    for game in finished_games:
        print(over_game_line(game))
        print_folded("  " + "; ".join(map(_rank_clause, game["seats"])), 4)
    for game in games:
        if game["error"]:
            print_folded(unreadable_game_line(game["folder"], game["error"]))
    running_count = sum(not game["over"] and not game["error"] for game in games)
    if not finished_games:
        print(none_over_line(folder, running_count))
        return
    print(over_line(len(finished_games), running_count))
    for player in _player_data(finished_games):
        print(player_line(player))


def _rank_clause(seat: dict[str, Any]) -> str:
    rank = f"{seat['rank']}. " if seat["rank"] else ""
    points = counted(seat["points"], "point")
    return f"{rank}{clean(seat['name'])}, {points}"


def _print_csv(finished_games: list[dict[str, Any]]) -> None:
    """Print a row for each seat. No cell begins like a formula, because others chose the names."""
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for game in finished_games:
        ended_at = datetime.fromtimestamp(game["ended"], UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        for seat in game["seats"]:
            row = {**game, **seat, "ended": ended_at, "won": int(seat["won"])}
            row["rank"] = seat["rank"] or ""
            writer.writerow(_harmless_cell(row[column]) for column in CSV_COLUMNS)


def _harmless_cell(cell: object) -> object:
    """Return the cell as a spreadsheet may read it: a text that it would take for a formula gets a
    `'` in front."""
    if not isinstance(cell, str):
        return cell
    text = clean(cell)
    return f"'{text}" if text.startswith(FORMULA_BEGINNINGS) else text
