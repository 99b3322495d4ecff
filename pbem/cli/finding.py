"""`list`, `since`, `doctor`: all my games, what is new, and what is the matter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.options import FolderOption, JsonOption, PassphraseOption, SeatOption
from pbem.screen.style import clean

if TYPE_CHECKING:
    from pbem.cli.session import Session
    from pbem.storage.home import Home


def list_games(json: JsonOption = False) -> None:
    """All my games, where they lie, and which of them wait for me."""
    from pbem.storage.home import Home

    found = [_game(Home.find(), ident) for ident in Home.find().games()]
    if json:
        from pbem.cli.data import print_data

        print_data("list", found)
        return
    for one in found:
        print(f"{one['game'][:6]} {clean(one['title'])}: {one['state']}")
        if one["folder"]:
            print(f"       {one['folder']}")
    if not found:
        print("no games yet; next: pbem new, or pbem join with an invite")


def _game(home: Home, ident: str) -> dict[str, Any]:
    place = home.game(ident).place
    one: dict[str, Any] = {"game": ident, "title": "?", "folder": str(place or ""), "state": ""}
    if place is None or not place.exists():
        return one | {"state": "its folder is not where it was; run any command there once"}
    return one | _state(place, home, ident)


def _state(place: Path, home: Home, ident: str) -> dict[str, Any]:
    from pbem.cli.failure import CliError
    from pbem.cli.session import Session
    from pbem.cli.standing import Standing
    from pbem.format.errors import RecordError
    from pbem.play.chronicle import NoGameError
    from pbem.storage.errors import StorageError

    try:
        session = Session(place, home=home)
        title = session.chronicle.charter.content.title
        if session.chronicle.game.hex() != ident:
            return {"state": "another game lies in its folder now"}
        lines = Standing(session).lines()
    except (RecordError, StorageError, NoGameError, CliError) as error:
        return {"state": f"{error}"}
    return {"title": title, "state": lines[-1]}


def since(
    folder: FolderOption = None,
    seat: SeatOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """What happened since my last orders were taken."""
    from pbem.cli.looking import print_log
    from pbem.cli.session import Session

    view = Session(folder, seat, passphrase_file).view()
    taken = view.accepted.get(view.seat, 1)
    print_log(view, range(taken, view.turn + 1), json, "since")


def doctor(folder: FolderOption = None) -> None:
    """What is the matter: keys, folder, strange files, and what to do about each."""
    from pbem.cli.failure import CliError
    from pbem.cli.session import Session
    from pbem.play.chronicle import NoGameError

    session = Session(folder)
    for line in _home(session):
        print(line)
    try:
        for line in _folder(session):
            print(line)
    except (NoGameError, CliError) as error:
        print(f"folder: {error}")


def _home(session: Session) -> list[str]:
    from pbem import __version__

    profiles = session.home.profiles()
    keys = ", ".join(profiles) or "none yet; one is made when you first need it"
    return [f"pbem {__version__}", f"yours: {session.home.root}", f"keys: {keys}"]


def _folder(session: Session) -> list[str]:
    chronicle, listing = session.chronicle, session.listing
    chronicle.joins()
    lines = [
        f"folder: {session.root}",
        f"game: {clean(chronicle.charter.content.title)} ({chronicle.game.hex()[:6]})",
        f"records: {len(listing.records)}, turns 1 to {len(listing.turns)}",
    ]
    lines += [f"missing: turns/{gap:04}.toml; let the folder sync" for gap in chronicle.gaps]
    lines += [f"not usable: {clean(f.path)}: {clean(f.sentence)}" for f in chronicle.faults]
    lines += [f"not read: {clean(x.path)}: {x.why}" for x in listing.litter]
    if len(lines) == 3:
        lines.append("nothing is the matter here")
    return lines
