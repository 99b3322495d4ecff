"""The commands `status` and `list`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from pbem.cli.options import FolderOption, JsonOption, NowOption, PassphraseOption, SeatOption
from pbem.desk.base import print_data
from pbem.desk.game_here import Keyring
from pbem.desk.list import DIGITS, UNREAD, _places, games_of
from pbem.desk.session import Session
from pbem.desk.situation import situation_of
from pbem.desk.status import say_notes, status_data, status_lines
from pbem.errors import CliError, PbemError
from pbem.files.disk import storage_error
from pbem.files.folder import Place, is_gone, place_of
from pbem.files.home import Home
from pbem.game.view import View
from pbem.screen.scores import places
from pbem.screen.tell import listed
from pbem.screen.terminal import clean, print_folded
from pbem.text.dates import local_date

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


# ---- The command `results`: who won what, over all your games or those in a folder

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
    places = _games_in(folder) if folder else _my_games(keyring)
    found = list(_results(keyring, places))
    ended = [one for one in found if one["over"]]
    if json:
        print_data("results", {"games": found, "players": _players(ended)})
    elif csv:
        _print_csv(ended)
    else:
        _print(found, ended, folder)


# ------------------------------------------------------------------ which games
def _my_games(keyring: Keyring) -> list[Place]:
    """Return the places of all your games whose folder is there."""
    games = [keyring.home.game(ident) for ident in keyring.home.games()]
    return [mine.place for mine in games if mine.place is not None and not is_gone(mine.place)]


def _games_in(typed: str) -> list[Place]:
    """Return the folder itself if it is a game or in a store, else the game folders directly in it.
    Raises CliError, StorageError."""
    place = place_of(typed)
    if not isinstance(place, Path) or (place / "game.toml").is_file():
        return [place]
    try:
        inside = sorted(path for path in place.iterdir() if (path / "game.toml").is_file())
    except OSError as error:
        raise storage_error(error, typed) from None
    if not inside:
        told = f"there is no game in {typed}"
        raise CliError(told, "give the folder that contains your game folders")
    return [*inside]


# ------------------------------------------------------------------ their results
def _results(keyring: Keyring, places: list[Place]) -> Iterator[dict[str, Any]]:
    """Yield the result of each game, the oldest end first; games that go on come last.

    A game that is in two folders is counted once.
    """
    found = dict[str, dict[str, Any]]()
    for place in places:
        one = _result(keyring, place)
        found.setdefault(one["game"] or str(place), one)
    yield from sorted(
        found.values(), key=lambda one: (not one["over"], one["ended"], one["title"], one["game"])
    )


def _result(keyring: Keyring, place: Place) -> dict[str, Any]:
    """Return a game's result, or why there is none."""
    one: dict[str, Any] = {"game": "", "title": UNREAD, "ruleset": "", "folder": str(place)}
    one |= {"over": False, "ended": 0, "how": "", "seats": [], "error": ""}
    try:
        session = Session(place, home=keyring.home, keyring=keyring)
        charter = session.game_folder.charter.content
        one |= {"game": session.game_folder.game.hex(), "title": charter.title}
        one["ruleset"] = charter.ruleset
        if session.listing.reached:
            with keyring.not_asking():
                one |= _ended(session.view())
    except PbemError as error:
        path = getattr(error, "path", "")
        one["error"] = (f"{path}: " if path else "") + getattr(error, "sentence", str(error))
    return one


def _ended(view: View) -> dict[str, Any]:
    """Return the result of a game, from a view of it; nothing if the game goes on."""
    if not view.over or view.preview:
        return {}
    ranks, scores = places(view), view.play.ruleset.result(view.table.state).scores
    out = {*view.conceded, *view.removed}
    seats = [
        {
            "seat": score.seat,
            "name": view.names[score.seat],
            "bot": view.bots.get(score.seat, ""),
            "points": score.total,
            "rank": ranks[score.seat],
            "won": ranks[score.seat] == 1 and score.seat not in out,
        }
        for score in sorted(scores, key=lambda score: (ranks[score.seat], score.seat))
    ]
    return {"over": True, "ended": view.times[-1], "how": view.ended, "seats": seats}


def _players(ended: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what each player has won, by name. A shared win counts for each who shares it."""
    found = dict[str, dict[str, Any]]()
    for game in ended:
        for seat in game["seats"]:
            new = {"name": seat["name"], "games": 0, "won": 0, "points": 0}
            one = found.setdefault(seat["name"], new)
            one["games"] += 1
            one["won"] += seat["won"]
            one["points"] += seat["points"]
    return sorted(found.values(), key=lambda one: (-one["won"], -one["points"], one["name"]))


# ------------------------------------------------------------------ what is printed
def _print(found: list[dict[str, Any]], ended: list[dict[str, Any]], folder: str) -> None:
    for one in ended:
        title, when = clean(one["title"]), local_date(one["ended"])
        print(f"{title} ({clean(one['ruleset'])}), over since {when}: {_winner(one)}")
        print_folded("  " + "; ".join(_seat(seat) for seat in one["seats"]), 4)
    for one in found:
        if one["error"]:
            print_folded(f"{clean(one['folder'])}: cannot be read: {clean(one['error'])}")
    on = sum(not one["over"] and not one["error"] for one in found)
    if not ended:
        where = f"in {folder} " if folder else ""
        print(f"no game {where}is over yet{f'; {_games(on)} on' if on else ''}")
        return
    print(f"\n{len(ended)} game{'s are' if len(ended) > 1 else ' is'} over", end="")
    print(f", {_games(on)} on:" if on else ":")
    for player in _players(ended):
        games = f"{player['games']} game{'s' if player['games'] != 1 else ''}"
        average = f"{player['points'] / player['games']:.1f}"
        print(f"  {clean(player['name'])}: {player['won']} won of {games}, {average} points a game")


def _games(number: int) -> str:
    return f"{number} game{' goes' if number == 1 else 's go'}"


def _winner(one: dict[str, Any]) -> str:
    names = [clean(seat["name"]) for seat in one["seats"] if seat["won"]]
    if not names:
        return "a draw" if one["how"] == "draw" else "nobody wins"
    return f"{listed(names)} {'wins' if len(names) == 1 else 'share the win'}"


def _seat(seat: dict[str, Any]) -> str:
    rank = f"{seat['rank']}. " if seat["rank"] else ""
    points = f"{seat['points']} point{'' if seat['points'] == 1 else 's'}"
    return f"{rank}{clean(seat['name'])}, {points}"


def _print_csv(ended: list[dict[str, Any]]) -> None:
    """Print a row for each seat. No cell begins like a formula, because others chose the names."""
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    for game in ended:
        when = datetime.fromtimestamp(game["ended"], UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        for seat in game["seats"]:
            row = {**game, **seat, "ended": when, "won": int(seat["won"])}
            row["rank"] = seat["rank"] or ""
            writer.writerow(_safe(row[name]) for name in COLUMNS)


def _safe(cell: object) -> object:
    if isinstance(cell, str):
        text = clean(cell)
        return f"'{text}" if text.startswith(UNSAFE) else text
    return cell


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
    situation = situation_of(session)
    if json:
        print_data("status", status_data(situation))
        return
    print("\n".join(status_lines(situation)))
    say_notes(session)
