"""The command `results`: who won what, over all your games or those in a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from pbem.cli.command_line.declarations import Argument, Option
from pbem.cli.failure import CliError
from pbem.cli.options import JsonOption
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.session.keyring import Keyring
    from pbem.play.view import View
    from pbem.storage.store.address import Place

COLUMNS: Final = (
    "game", "title", "ruleset", "ended", "how", "rank", "won", "seat", "name", "bot", "points",
)  # fmt: skip
"""The columns of the CSV file: a row for each seat of each game that is over."""
UNSAFE: Final = ("=", "+", "-", "@", "\t")
"""How a cell begins that a spreadsheet would take for a formula."""


def results(
    folder: Annotated[
        str,
        Argument(
            metavar="[FOLDER]",
            help="A folder with game folders in it, or a game's folder (default: all your games).",
        ),
    ] = "",
    csv: Annotated[
        bool, Option("--csv", help="Print a table for a spreadsheet: a row for each player.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Say who won what, over all your games or those in a folder."""
    from pbem.cli.json_output import print_data
    from pbem.cli.session.keyring import Keyring
    from pbem.storage.private.home import Home

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
    from pbem.storage.store.address import is_gone

    games = [keyring.home.game(ident) for ident in keyring.home.games()]
    return [mine.place for mine in games if mine.place is not None and not is_gone(mine.place)]


def _games_in(typed: str) -> list[Place]:
    """Return the game folders in a folder, or the folder itself. Raises CliError, StorageError."""
    from pbem.storage.errors import storage_error
    from pbem.storage.store.address import place_of

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
    from pbem.cli.session.session import Session
    from pbem.cli.status.list import UNREAD
    from pbem.format.errors import RecordError
    from pbem.play.checking.game_folder import NoGameError
    from pbem.storage.errors import StorageError

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
    except (RecordError, StorageError, NoGameError, CliError) as error:
        path = getattr(error, "path", "")
        one["error"] = (f"{path}: " if path else "") + getattr(error, "sentence", str(error))
    return one


def _ended(view: View) -> dict[str, Any]:
    """Return the result of a game, from a view of it; nothing if the game goes on."""
    from pbem.screen.scores import places

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
    from pbem.screen.terminal import print_folded
    from pbem.text.dates import local_date

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
    from pbem.screen.tell_entries import listed

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
    import sys
    from datetime import UTC, datetime

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
