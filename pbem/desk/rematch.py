"""A game like another one, for `pbem new --like`: the same people, another first player.

The player of the first seat gets the last one, and everybody else moves up.
"""

from __future__ import annotations

from pathlib import Path

from pbem.errors import KEY, CliError, PbemError
from pbem.files.folder import Place, as_folder, is_gone, place_of
from pbem.files.home import Home
from pbem.judge.archive import game_in, open_folder
from pbem.judge.sign import Plan
from pbem.person.books import MailBook
from pbem.person.session import Session
from pbem.records.charter import slug


def place_of_game(typed: str, home: Home) -> Place:
    """Return the folder of the game that was typed: a folder, or the title of one of your games.

    Raises CliError, StorageError.
    """
    place = place_of(typed)
    if not isinstance(place, Path) or game_in(place):
        return place
    places = [home.game(ident).place for ident in home.games()]
    known = [one for one in places if isinstance(one, Path) and not is_gone(one)]
    named = [one for one in known if typed in (one.name, _title(one))]
    if len(named) != 1:
        problem = f"{len(named)} of your games are called" if named else "no game is called"
        raise CliError(f"--like: {problem} {typed!r}", "give the folder of a game: pbem list")
    return named[0]


def _title(place: Path) -> str:
    try:
        return open_folder(as_folder(place)).charter.content.title
    except PbemError:
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
    place = place_of_game(typed, Home.find())
    if not isinstance(place, Path):
        raise CliError("say in which new folder the game will be", "pbem new FOLDER --like GAME")
    old = place.absolute()
    path = old.parent / slug(next_title(old.name.replace("-", " ")))
    return Path(path.name) if path.parent == Path.cwd() else path


def rematch(session: Session) -> tuple[Plan, dict[str, str]]:
    """Return the plan of a game like the one of this session, and the address of each player who
    answers by plain email, by the seat in the new game. Raises CliError."""
    charter, roles = session.charter, session.roles
    names, mail = {p.seat: p.name for p in charter.seats}, {*charter.by_mail}
    if session.listing.reached:
        view = session.view()
        names, mail = names | view.names, {*view.by_mail}
    if mail and not roles.referee:
        problem = f"{names[min(mail)]} answers by plain email, and only the referee of the old game"
        raise CliError(
            f"{problem} has the address", "--players and --mail-seats, without --like", KEY
        )
    own = [p.seat for p in charter.seats if p.seat in roles.seats and not p.bot]
    own = own if not roles.referee else [seat for seat in own if seat in charter.plays]
    letters = [plan.seat for plan in charter.seats]
    old = dict(zip(letters, [*letters[1:], *letters[:1]], strict=True))
    """The seats of the old game, by those of the new one."""
    maker = session.game_folder.maker().name
    kept = roles.referee and maker == charter.referee
    bots = {seat: charter.bots[before] for seat, before in old.items() if before in charter.bots}
    by_mail = [seat for seat, before in old.items() if before in mail]
    plan = Plan(
        title=charter.title,
        referee=maker if roles.referee else names[own[0]] if own else "the referee",
        ruleset=charter.ruleset,
        players=[names[before] for before in old.values()],
        options=charter.options,
        policies=charter.policies,
        plays=[seat for seat, before in old.items() if seat in bots or before in own[:1]],
        by_mail=by_mail,
        bots=bots,
        deputy=(charter.deputy, charter.deputy_key, charter.deputy_x25519)
        if kept
        else ("", b"", b""),
        cards=charter.cards,
    )
    book = MailBook(session.game_home)
    return plan, {seat: book.address(old[seat]) for seat in by_mail}
