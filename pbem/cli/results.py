"""The command `results`: who won what, over several games."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import typer

from pbem.acts.list import UNREAD_TITLE, places_of
from pbem.cli.options import JsonOption
from pbem.errors import CliError, PbemError
from pbem.files.disk import storage_error
from pbem.files.home import Home
from pbem.files.places import DiskPlace, Place, place_of
from pbem.person.keyring import Keyring
from pbem.person.session import Session
from pbem.terminal.output import print_data
from pbem.terminal.terminal import clean, print_folded
from pbem.text.names import counted
from pbem.wording.scores import ranking
from pbem.wording.views import (
    none_over_line,
    over_game_line,
    over_line,
    player_line,
    unreadable_game_line,
)

COLUMNS: Final = (
    "game", "title", "ruleset", "ended", "how", "rank", "won", "seat", "name", "bot", "points",
)  # fmt: skip
"""The columns of the CSV file: a row for each seat of each game that is over."""
UNSAFE: Final = ("=", "+", "-", "@", "\t")
"""How a cell begins that a spreadsheet would take for a formula."""


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
        raise CliError("choose one of --csv and --json")
    keyring = Keyring(Home.find())
    known = dict[str, dict[str, Any]]()
    for one in (_result(keyring, place) for place in _places(keyring.home, folder)):
        known.setdefault(one["game"] or one["folder"], one)  # it may be in two folders
    games = sorted(
        known.values(), key=lambda one: (not one["over"], one["ended"], one["title"], one["game"])
    )
    ended = [one for one in games if one["over"]]
    if json:
        print_data("results", {"games": games, "players": _players(ended)})
    elif csv:
        _print_csv(ended)
    else:
        _print(games, ended, folder)


def _places(home: Home, typed: str) -> list[Place]:
    if not typed:
        return [p for p in places_of(home).values() if p is not None and not p.is_gone()]
    place = place_of(typed)
    folder = place.path
    if folder is None or (folder / "game.toml").is_file():
        return [place]
    try:
        inside = sorted(path for path in folder.iterdir() if (path / "game.toml").is_file())
    except OSError as error:
        raise storage_error(error, typed) from None
    if not inside:
        told = f"there is no game in {typed}"
        raise CliError(told, "give the folder that contains your game folders")
    return [*map(DiskPlace, inside)]


def _result(keyring: Keyring, place: Place) -> dict[str, Any]:
    one: dict[str, Any] = {"game": "", "title": UNREAD_TITLE, "ruleset": "", "folder": str(place)}
    one |= {"over": False, "ended": 0, "how": "", "seats": [], "error": ""}
    try:
        session = Session(place, home=keyring.home, keyring=keyring)
        charter = session.charter
        one |= {"game": session.game_folder.game.hex(), "title": charter.title}
        one["ruleset"] = charter.ruleset
        if session.listing.reached:
            with keyring.not_asking():
                view = session.view()
            if view.is_over and not view.preview:
                one |= {"over": True, "ended": view.times[-1], "how": view.ended}
                one["seats"] = ranking(view)
    except PbemError as error:
        one["error"] = error.full_sentence
    return one


def _players(ended: list[dict[str, Any]]) -> list[dict[str, Any]]:
    players = dict[str, dict[str, Any]]()
    for seat in (seat for game in ended for seat in game["seats"]):
        new = {"name": seat["name"], "games": 0, "won": 0, "points": 0}
        one = players.setdefault(seat["name"], new)
        one["games"] += 1
        one["won"] += seat["won"]
        one["points"] += seat["points"]
    return sorted(players.values(), key=lambda one: (-one["won"], -one["points"], one["name"]))


def _print(games: list[dict[str, Any]], ended: list[dict[str, Any]], folder: str) -> None:
    for one in ended:
        print(over_game_line(one))
        print_folded("  " + "; ".join(map(_seat, one["seats"])), 4)
    for one in games:
        if one["error"]:
            print_folded(unreadable_game_line(one["folder"], one["error"]))
    on = sum(not one["over"] and not one["error"] for one in games)
    if not ended:
        print(none_over_line(f"{folder}" if folder else "", on))
        return
    print(over_line(len(ended), on))
    for player in _players(ended):
        print(player_line(player))


def _seat(seat: dict[str, Any]) -> str:
    rank = f"{seat['rank']}. " if seat["rank"] else ""
    points = counted(seat["points"], "point")
    return f"{rank}{clean(seat['name'])}, {points}"


def _print_csv(ended: list[dict[str, Any]]) -> None:
    """Print a row for each seat. No cell begins like a formula, because others chose the names."""
    import csv

    def safe(cell: object) -> object:
        if not isinstance(cell, str):
            return cell
        text = clean(cell)
        return f"'{text}" if text.startswith(UNSAFE) else text

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    for game in ended:
        when = datetime.fromtimestamp(game["ended"], UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        for seat in game["seats"]:
            row = {**game, **seat, "ended": when, "won": int(seat["won"])}
            row["rank"] = seat["rank"] or ""
            writer.writerow(safe(row[name]) for name in COLUMNS)
