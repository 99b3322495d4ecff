"""A game like another one, for `pbem new --like`: the same people, another first player.

The player of the first seat gets the last one, and everybody else moves up.
"""

from __future__ import annotations

from pathlib import Path

from pbem.errors import KEY, CliError, PbemError
from pbem.files.game_folder_places import Place, place_of
from pbem.files.home import Home
from pbem.files.open_game_folder import open_place
from pbem.judge.make_signed_records import Plan
from pbem.judge.records_of_game_folder import open_folder, read_game_id
from pbem.person.mail_notebooks import MailBook
from pbem.person.session import Session
from pbem.records.charter import Charter
from pbem.records.invite import slug
from pbem.text.names_and_email_addresses import UNNAMED_REFEREE
from pbem.text.terminal_and_page_wording import TerminalText, to_type


def place_of_game(game: str, home: Home) -> Place:
    """Return the folder of the game that was typed: a folder, or the title of one of your games.

    Raises CliError, StorageError.
    """
    place = place_of(game)
    if place.is_remote or read_game_id(home.folder(place)):
        return place
    places = [home.game(game_id).place for game_id in home.games()]
    near_places = [place for place in places if place and not (place.is_remote or place.is_gone())]
    matches = [place for place in near_places if game in (place.name, _title(place))]
    if len(matches) != 1:
        problem = f"no game is called {game!r}"
        if matches:
            problem = f"{len(matches)} of your games are called {game!r}"
        raise CliError(
            TerminalText("[[--like: ]]{problem}").format(problem=problem),
            "give the folder of the old game; pbem list shows the folders of your games",
        )
    return matches[0]


def _title(place: Place) -> str:
    try:
        return open_folder(open_place(place)).charter.content.title
    except PbemError:
        return ""


def next_title(title: str) -> str:
    """Return a title for the next game after one with this title: `pond 2` after `pond`."""
    words, space, number = title.rpartition(" ")
    if space and number.isascii() and number.isdecimal() and len(number) < 4:
        return f"{words} {int(number) + 1}"
    return f"{title} 2"


def next_folder(game: str) -> Path:
    """Return a new folder beside the game that was typed: `pond-2` after `pond`.

    Raises CliError, StorageError.
    """
    place = place_of_game(game, Home.find())
    if place.path is None:
        raise CliError(
            "give the name of a new folder for the game", to_type("pbem new FOLDER --like GAME")
        )
    path = place.path.parent / slug(next_title(place.name.replace("-", " ")))
    return Path(path.name) if path.parent == Path.cwd() else path


def old_seats_by_new(charter: Charter) -> dict[str, str]:
    """Return the seats of an old game, by the seats of the next one."""
    seats = [plan.seat for plan in charter.seats]
    return dict(zip(seats, [*seats[1:], *seats[:1]], strict=True))


def rematch(session: Session) -> tuple[Plan, dict[str, str]]:
    """Return the plan of a game like the one of this session, and the address of each player who
    answers by plain email, by the seat in the new game. Raises CliError."""
    charter, roles = session.charter, session.roles
    names, mail_seats = {p.seat: p.name for p in charter.seats}, {*charter.by_mail}
    if session.listing.reached:
        view = session.view()
        names, mail_seats = names | view.names, {*view.by_mail}
    if mail_seats and not roles.referee:
        problem = f"{names[min(mail_seats)]} answers by plain email, and only the referee of the "
        problem += "old game has the address"
        raise CliError(problem, to_type("use --players and --mail-seats, and not --like"), KEY)
    user_seats = [p.seat for p in charter.seats if p.seat in roles.seats and not p.bot]
    if roles.referee:
        user_seats = [seat for seat in user_seats if seat in charter.plays]
    old_seats = old_seats_by_new(charter)
    maker = session.game_folder.maker().name
    keeps_deputy = roles.referee and maker == charter.referee
    old_bots = charter.bots
    bots = {s: old_bots[old_seat] for s, old_seat in old_seats.items() if old_seat in old_bots}
    by_mail = [seat for seat, old_seat in old_seats.items() if old_seat in mail_seats]
    plan = Plan(
        title=charter.title,
        referee=maker if roles.referee else names[user_seats[0]] if user_seats else UNNAMED_REFEREE,
        ruleset=charter.ruleset,
        players=[names[old_seat] for old_seat in old_seats.values()],
        options=charter.options,
        policies=charter.policies,
        plays=[s for s, old_seat in old_seats.items() if s in bots or old_seat in user_seats[:1]],
        by_mail=by_mail,
        bots=bots,
        deputy=(charter.deputy, charter.deputy_key, charter.deputy_x25519)
        if keeps_deputy
        else ("", b"", b""),
        cards=charter.cards,
        dealers=charter.dealers,
    )
    book = MailBook(session.game_home)
    return plan, {seat: book.address(old_seats[seat]) for seat in by_mail}
