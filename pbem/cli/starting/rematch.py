"""Make a game like another one, for `pbem new --like`: the same people, another first player.

The player of the first seat gets the last one, and everybody else moves up.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pbem.cli.failure import KEY, CliError

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.making.sign import Plan
    from pbem.storage.private.home import Home
    from pbem.storage.store.address import Place


class Rematch(NamedTuple):
    """What a game takes from the one before."""

    plan: Plan
    addresses: dict[str, str]
    """The address of each player who answers by plain email, by the seat in the new game."""


class _Person(NamedTuple):
    name: str
    bot: str
    yours: bool
    """Whether the referee of the new game plays this seat in person."""
    mail: bool
    address: str


def place_of_game(typed: str, home: Home) -> Place:
    """Return the folder of the game that was typed: a folder, or the title of one of your games.

    Raises CliError, StorageError.
    """
    from pbem.mail.find_folder import game_in
    from pbem.storage.store.address import is_gone, place_of

    place = place_of(typed)
    if not isinstance(place, Path) or game_in(place):
        return place
    places = [home.game(ident).place for ident in home.games()]
    known = [one for one in places if isinstance(one, Path) and not is_gone(one)]
    named = [one for one in known if typed in (one.name, _title(one))]
    if len(named) != 1:
        told = f"{len(named)} of your games are called" if named else "no game is called"
        raise CliError(f"--like: {told} {typed!r}", "give the folder of a game: pbem list")
    return named[0]


def _title(place: Path) -> str:
    from pbem.play.checking.game_folder import NoGameError, open_folder
    from pbem.storage.errors import FileError, StorageError
    from pbem.storage.folder import as_folder

    try:
        return open_folder(as_folder(place)).charter.content.title
    except (NoGameError, FileError, StorageError):
        return ""


def next_title(title: str) -> str:
    """Return a title for the next game after one with this title: `pond 2` after `pond`."""
    words, space, number = title.rpartition(" ")
    if space and number.isascii() and number.isdecimal() and len(number) < 4:
        return f"{words} {int(number) + 1}"
    return f"{title} 2"


def next_folder(typed: str) -> Path:
    """Return a new folder beside the game that was typed: `pond-2` after `pond`.

    Raises CliError, StorageError.
    """
    from pbem.records.joining import slug
    from pbem.storage.private.home import Home

    place = place_of_game(typed, Home.find())
    if not isinstance(place, Path):
        raise CliError("say in which new folder the game will be", "pbem new FOLDER --like GAME")
    old = place.absolute()
    path = old.parent / slug(next_title(old.name.replace("-", " ")))
    return Path(path.name) if path.parent == Path.cwd() else path


def rematch(session: Session) -> Rematch:
    """Return what a new game takes from the game of this session. Raises CliError."""
    from pbem.play.making.sign import Plan

    charter = session.game_folder.charter.content
    people = _people(session)
    people = [*people[1:], *people[:1]]
    letters = [chr(ord("a") + n) for n in range(len(people))]
    seats = dict(zip(letters, people, strict=True))
    yours = next((one.name for one in people if one.yours), "")
    maker = session.game_folder.maker().name
    deals = maker if session.roles.referee else yours or "the referee"
    deputy = (charter.deputy, charter.deputy_key, charter.deputy_x25519)
    kept = session.roles.referee and maker == charter.referee
    plan = Plan(
        title=charter.title,
        referee=deals,
        ruleset=charter.ruleset,
        players=[one.name for one in people],
        options=charter.options,
        policies=charter.policies,
        plays=[seat for seat, one in seats.items() if one.bot or one.yours],
        by_mail=[seat for seat, one in seats.items() if one.mail],
        bots={seat: one.bot for seat, one in seats.items() if one.bot},
        deputy=deputy if kept else ("", b"", b""),
        cards=charter.cards,
    )
    return Rematch(plan, {seat: one.address for seat, one in seats.items() if one.mail})


def _people(session: Session) -> list[_Person]:
    """Return who has each seat of the game, in order. Raises CliError."""
    from pbem.mailseats.mail_book import MailBook

    charter, roles = session.game_folder.charter.content, session.roles
    names, mail = {p.seat: p.name for p in charter.seats}, {*charter.by_mail}
    if session.listing.reached:
        view = session.view()
        names, mail = names | view.names, {*view.by_mail}
    if mail and not roles.referee:
        told = f"{names[min(mail)]} answers by plain email, and only the referee of the old game"
        raise CliError(f"{told} has the address", "--players and --mail-seats, without --like", KEY)
    book, found = MailBook(session.mine), list[_Person]()
    own = [p.seat for p in charter.seats if p.seat in roles.seats and not p.bot]
    own = own if not roles.referee else [seat for seat in own if seat in charter.plays]
    for plan in charter.seats:
        seat = plan.seat
        yours, by_mail = seat in own[:1], seat in mail
        found.append(
            _Person(names[seat], plan.bot, yours, by_mail, book.address(seat) if by_mail else "")
        )
    return found
