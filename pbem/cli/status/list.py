"""The command `list`: show all your games, and which of them wait for you."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from pbem.cli.command_line.declarations import Option
from pbem.cli.options import JsonOption, NowOption
from pbem.screen.terminal import clean
from pbem.storage.errors import StorageError
from pbem.storage.store.address import Place, is_gone

if TYPE_CHECKING:
    from pbem.cli.session.keyring import Keyring
    from pbem.cli.status.game_status import GameStatus
    from pbem.cli.status.list_cache import ListCache
    from pbem.storage.private.home import Home

ForgetOption = Annotated[
    str,
    Option(
        "--forget",
        metavar="GAME",
        help="Leave a game out of the list if its folder is gone; GAME is the six digits at the "
        "beginning of its line, or its folder. Your keys and private files stay.",
    ),
]
UNREAD = "?"
"""The title of a game whose charter was not read."""
LEAVE: Final = "to leave the game out of this list: "
TO_TYPE: Final = ("next: ", LEAVE)
"""How the parts of a game's state begin that say what to type."""
DIGITS: Final = 6
"""How many digits of a game's id the list shows."""


def list_games(json: JsonOption = False, now: NowOption = "", forget: ForgetOption = "") -> None:
    """List all your games, where they are, and which of them wait for you."""
    from pbem.cli.session.keyring import Keyring
    from pbem.screen.terminal import print_folded
    from pbem.storage.private.home import Home

    if forget:
        _forget(Home.find(), forget, json)
        return
    found = games_of(Keyring(Home.find()))
    if json:
        from pbem.cli.json_output import print_data

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
    from pbem.cli.failure import CliError

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
        from pbem.cli.json_output import print_data

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


def _places(home: Home) -> dict[str, Place | None]:
    """Return where each game is, by its id; games that were forgotten are left out."""
    games = {ident: home.game(ident) for ident in home.games()}
    places = {ident: mine.place for ident, mine in games.items()}
    return {x: place for x, place in places.items() if place or not games[x].is_forgotten}


def games_of(keyring: Keyring) -> list[dict[str, Any]]:
    """Return data on each of your games, those that wait for you first."""
    from pbem.cli.status.list_cache import ListCache

    cache = ListCache(keyring.home)
    places = _places(keyring.home)
    cache.look_ahead({ident: place for ident, place in places.items() if place})
    found = [_game(keyring, ident, place, cache) for ident, place in places.items()]
    found.sort(key=lambda one: (not one["asked"], not one["ready"], one["title"], one["game"]))
    return found


def _game(keyring: Keyring, ident: str, place: Place | None, cache: ListCache) -> dict[str, Any]:
    folder = str(place or "")
    one: dict[str, Any] = {"game": ident, "title": UNREAD, "folder": folder}
    one |= {"asked": False, "ready": False, "deadline": 0, "grace": 0, "held_until": 0, "then": ""}
    if place is None or is_gone(place):
        gone = (
            "its folder is no longer there; if you moved the folder, run any pbem command "
            "in it once; if you lost it, ask another player for a copy; "
            f"{LEAVE}pbem list --forget {ident[:DIGITS]}"
        )
        return _told(one | {"state": gone})
    try:
        line = cache.line(ident, place, lambda: one | _state(place, keyring, ident))
    except StorageError as error:  # the game's store cannot be reached
        line = one | {"state": f"cannot be read: {_why(error)}"}
    return _told(line)


def _told(line: dict[str, Any]) -> dict[str, Any]:
    """Return a game's line, with its deadline in words added.

    These words are not cached, because they change with time.
    """
    from pbem.cli.deadlines.due import Due

    line = dict(line)
    due, then = Due(0, line["deadline"], line["grace"]), line.pop("then")
    words = f", deadline {due.words}" + (" (over)" if due.over else "") if due else ""
    line["state"] = f"{line['state']}{words}" + (f"; {then}" if then else "")
    return line


def _state(place: Place, keyring: Keyring, ident: str) -> dict[str, Any]:
    from pbem.cli.failure import KEY, CliError
    from pbem.cli.session.session import Session
    from pbem.cli.status.before_turn_one import BeforeTurnOne
    from pbem.cli.status.game_status import read_status
    from pbem.format.errors import RecordError
    from pbem.play.checking.game_folder import NoGameError

    title = UNREAD
    try:
        session = Session(place, home=keyring.home, keyring=keyring)
        title = session.game_folder.charter.content.title
        if session.game_folder.game.hex() != ident:
            return {"title": UNREAD, "state": "its folder contains a different game now"}
        status = read_status(session)
        next_ = f"next: {status.next}"
    except (RecordError, StorageError, NoGameError, CliError) as error:
        # the user may give the passphrase to the next command
        passing = getattr(error, "exit", 0) == KEY
        return {"title": title, "state": f"cannot be read: {_why(error)}", "passing": passing}
    ready = bool(session.roles.referee) and status.readiness.ready
    if not isinstance(status, BeforeTurnOne):
        ready = ready or status.can_publish
    if session.roles.referee and not ready and next_.endswith("pbem advance"):
        next_ = status.readiness.waits()
    if isinstance(status, BeforeTurnOne):
        return {"title": title, "ready": ready, "state": "not begun", "then": next_}
    return {"title": title, "ready": ready, "then": next_} | _begun(status)


def _begun(status: GameStatus) -> dict[str, Any]:
    """Return the part of a game's line that is known only once the game has begun."""
    from pbem.cli.deadlines.away import COME_BACK
    from pbem.cli.deadlines.due import due_of
    from pbem.cli.notices.open_votes import waits_data

    view = status.view
    asked = view.seat in view.awaited.keys() - status.sealed - status.answered
    asked = asked or bool(status.open_kinds)
    where = "over" if view.over else f"turn {view.turn}"
    until = 0 if view.over or view.preview or not view.awaited else view.deadline
    state, grace = f"{view.ruleset}, {where}", due_of(view).grace if until else 0
    times = {"deadline": until, "grace": grace, "held_until": status.held_until}
    if waits_data(status.session, view):  # what waits takes effect without a new file
        times["passing"] = True
    why = view.away.get(view.seat, "")
    if why in ("conceded", "removed"):
        state += f"; you have {why}" if why == "conceded" else "; you were removed"
        asked = False
    elif why and view.seat not in status.sealed:
        state += f"; {COME_BACK}"
        asked = True
    return {"asked": asked, "state": state} | times


def _why(error: Exception) -> str:
    """Return the sentence of an error, with the path of its file if it is known."""
    path = getattr(error, "path", "")
    return (f"{path}: " if path else "") + getattr(error, "sentence", str(error))
