"""The invites to a rematch: private messages in the old game, one to each of its people.

Whoever starts the next game writes them, so nobody needs another address of anybody. The page of
the old game shows such a message as a button. No record has a new kind: everybody can read the
message too, and paste its last line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import partial
from typing import Final, NamedTuple

from games.registry import ruleset
from pbem.acts.check_game_made_by_host import check_dealt_game
from pbem.acts.join import split_invite
from pbem.acts.new_game import NewGame
from pbem.acts.rematch_plan import next_title, old_seats_by_new, place_of_game
from pbem.acts.send_message import note_message_reported, send_message
from pbem.errors import NOT_YET, CliError
from pbem.files.file_errors import StorageError
from pbem.files.game_folder_on_host import HostFolder
from pbem.files.game_folder_places import Place, place_of
from pbem.files.home import Home
from pbem.files.host_answer_about_new_game import NewGameAnswer
from pbem.files.host_store import RefusedError
from pbem.files.toml_notes_in_home import Notebook, Notes
from pbem.format.record_error import RecordError
from pbem.judge.game_view import View
from pbem.judge.make_signed_records import invite_to
from pbem.person.readable_messages import MessagesHere
from pbem.person.session import Session
from pbem.records.charter import Charter
from pbem.records.invite import Invite, parse_invite
from pbem.records.read_and_sign_record import Record
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import shell_quote
from pbem.text.terminal_and_page_wording import to_type

_HEADING: Final = "Rematch: {title}"
_HEADING_PATTERN: Final = re.compile(r"Rematch: (?P<title>.+)")
"""Matches the first line of a message with an invite; its other line is the invite."""
_NO_OFFER: Final = "nobody has invited you to a game after this one"
_NOT_OVER: Final = "this game is not over yet"
_OFFERED_ALREADY: Final = "{name} has started the next game already: {title}"
_NOT_ON_HOST: Final = "a host dealt this game, but this folder is a copy that is not on the host"
_UNFIT_INVITES: Final = (
    "the invites that the host made do not fit the people of this game; make the next game "
    "yourself, or on another host"
)
_ELSEWHERE: Final = (
    "pbem can send the invites only if the new game is in a folder, or on the same host or in the "
    "same store as the old one"
)
_ELSEWHERE_HINT: Final = (
    "make the next game in a folder, or on the host or in the store of the old one; or leave out "
    "--invite, and send the invites yourself"
)


class RematchOffer(NamedTuple):
    """An invite to the next game that somebody wrote to the user."""

    writer: str
    """The writer's seat in the old game, or `referee`."""
    name: str
    title: str
    invitation: str
    """The link or the command that takes the user's seat in the next game."""
    game: bytes
    """The id of the next game."""


class RematchNotes(Notes):
    """The next game that the user has started: its title, and the invites to it."""

    file = "rematch.toml"
    title: str = ""
    own_invitation: str = ""
    """Empty if the user needs none: they deal, and have their seat already."""
    unsent: Mapping[str, str] = field(default_factory=dict)
    """The invites that are not written yet, by the seat in the old game."""


def rematch_notebook(session: Session) -> Notebook[RematchNotes]:
    """Return the notebook about the next game after the one of this session."""
    return Notebook(session.game_home.root, RematchNotes)


# ---- A game that a host deals


def host_form(charter: Charter, names: Sequence[str]) -> dict[str, str]:
    """Return the fields of a host's form for a game like an old one, with the present `names` of
    its people. The first player of the old game comes last."""
    by_mail_options = [option for option in ruleset(charter.ruleset).options if option.by_mail]
    is_by_mail = any(option.name in charter.options for option in by_mail_options)
    return {
        "title": next_title(charter.title),
        "players": "\n".join([*names[1:], *names[:1]]),
        "game": charter.ruleset,
        "bots": str(sum(bool(plan.bot) for plan in charter.seats)),
        "deadline": str(charter.policies.get("deadline", "")),
        "printed": "no" if is_by_mail or not by_mail_options else "yes",
    }


def names_of_people(charter: Charter, view: View) -> list[str]:
    """Return the present names of the people of a game, in the order of their seats."""
    return [view.names.get(plan.seat, plan.name) for plan in charter.seats if not plan.bot]


def invites_by_old_seat(charter: Charter, invites: Sequence[str]) -> dict[str, str]:
    """Return the invites of a game that a host made from `host_form`, by the seats of the old game.
    `invites` are those of the people, in the order of the new seats. Raises CliError."""
    seats = [plan.seat for plan in charter.seats if not plan.bot]
    if len(invites) < len(seats):
        raise CliError(_UNFIT_INVITES)
    return dict(zip([*seats[1:], *seats[:1]], invites, strict=False))


def invites_from_host(session: Session, form: Mapping[str, str]) -> list[str]:
    """Let the host of this game make the next one; return the invites of its people, in the order
    of their seats. Raises CliError, StorageError."""
    if not isinstance(session.folder, HostFolder):
        hint = "give the address of the game on the host: --like https://…/g/…"
        raise CliError(_NOT_ON_HOST, to_type(hint))
    try:
        game = session.folder.start_game(form)
    except RefusedError as error:
        raise CliError(error.full_sentence) from None
    made_session = Session(game.address, home=session.home, keyring=session.keyring)
    return checked_invites(session.charter, form, game, made_session.game_folder.charter)


def checked_invites(
    old_charter: Charter, form: Mapping[str, str], game: NewGameAnswer, charter: Record[Charter]
) -> list[str]:
    """Return the invites of the people of a game that the host of the old one has made, in the
    order of their seats. Raises CliError if it is not the game in the form."""
    check_dealt_game(game, charter, form, form["players"].split("\n"), old_charter)
    return [seat.link or seat.command for seat in game.seats]


# ---- A game that a person deals


def start_next_game(new_game: NewGame) -> list[str]:
    """Make the next game, and invite the people of the old one; return the names of those who get
    an invite. The host of the old game makes the next one too. If the next game exists already,
    only write the missing invites. Raises CliError, StorageError."""
    session = new_game.old_session
    view = session.view(skip_cache=True)
    if not rematch_notebook(session).read().unsent:
        check_rematch(session, view)
        if session.charter.automaton:
            form = host_form(session.charter, names_of_people(session.charter, view))
            form |= {"title": new_game.title or form["title"]}
            invites = invites_by_old_seat(session.charter, invites_from_host(session, form))
            note_rematch(session, form["title"], invites)
        else:
            if new_game.session.place.server not in ("", session.place.server):
                raise CliError(_ELSEWHERE, _ELSEWHERE_HINT)
            new_game.run()
            return invite_old_players(new_game)
    return send_invites(session, view)


def invite_old_players(new_game: NewGame) -> list[str]:
    """Invite the people of the old game to the one that was just made; return the names of those
    who get an invite: nobody, if the old game goes on. Raises CliError, StorageError."""
    session, made_session = new_game.old_session, new_game.session
    view = session.view(skip_cache=True)
    if not view.is_over:
        return []
    invites = invites_of_made_game(made_session, session.charter)
    note_rematch(session, made_session.charter.title, invites)
    return send_invites(session, view)


def invites_of_made_game(session: Session, old_charter: Charter) -> dict[str, str]:
    """Return the invites of the next game, which its referee has made in the place of this session,
    by the seats of the old game."""
    charter, key = session.game_folder.charter, session.refereeing.key()
    command = f"pbem join -C {session.place} --invite " if session.place.is_remote else ""
    invites = dict[str, str]()
    for seat, old_seat in old_seats_by_new(old_charter).items():
        if seat not in charter.content.held_seats:
            line = invite_to(charter, key, seat).line()
            invites[old_seat] = session.folder.link("join", line) or f"{command}{line}"
    return invites


# ---- Write and read the invites


def check_rematch(session: Session, view: View) -> None:
    """Raise CliError if the game is not over, or somebody has invited the user to the next one."""
    if not view.is_over:
        raise CliError(_NOT_OVER, "", NOT_YET)
    if offers := rematch_offers(session, view):
        offer = offers[0]
        problem = _OFFERED_ALREADY.format(name=clean(offer.name), title=clean(offer.title))
        raise CliError(problem, "take your seat in the next game: the invite is in your messages")


def note_rematch(session: Session, title: str, invites: Mapping[str, str]) -> None:
    """Note the next game that the user has started. `invites` are by the seats of the old game.

    Raises CliError for an invite that is none, or leads elsewhere; StorageError.
    """
    for invitation in invites.values():
        if _read_invitation(session.place, invitation) is None:
            raise CliError(_UNFIT_INVITES)
    own_seat = session.seat
    own_invitation = invites.get(own_seat, "") if own_seat else ""
    unsent = {seat: invite for seat, invite in invites.items() if seat != own_seat}
    notes = RematchNotes(title=title, own_invitation=own_invitation, unsent=unsent)
    rematch_notebook(session).change(lambda _: notes)


def send_invites(session: Session, view: View) -> list[str]:
    """Write the noted invites that are not written yet, each as a private message. Return the names
    of the people who get one.

    A run that was interrupted can be repeated. Raises CliError, StorageError.
    """
    notebook, names = rematch_notebook(session), list[str]()
    notes = notebook.read()
    for seat, invitation in sorted(notes.unsent.items()):
        if seat in view.names and seat not in view.bots:
            text = f"{_HEADING.format(title=notes.title)}\n{invitation}"
            sent_message = send_message(session, view, text, seat, as_referee=not session.seat)
            note_message_reported(session, sent_message.record)
            names.append(view.names[seat])
        notebook.change(partial(_without_invite, seat))
    return names


def _without_invite(seat: str, notes: RematchNotes) -> RematchNotes:
    """Return the notes once the invite for this seat is written."""
    unsent = {x: invite for x, invite in notes.unsent.items() if x != seat}
    return RematchNotes(title=notes.title, own_invitation=notes.own_invitation, unsent=unsent)


def rematch_offers(session: Session, view: View) -> list[RematchOffer]:
    """Return the invites to the next game that the user got, the one to follow first.

    Two people may start a game at once. Everybody then follows the one who sat first, so all meet
    in one game; of two by one person, the last counts.
    """
    if not view.is_over:
        return []
    messages = MessagesHere(session, view)
    offers_by_writer = dict[str, RematchOffer]()
    for message in messages.read({view.published}):
        if message.writer in messages.roles or message.recipient not in messages.roles:
            continue
        heading, *other_lines = message.lines
        heading_match = _HEADING_PATTERN.fullmatch(heading)
        if len(other_lines) != 1 or not heading_match:
            continue
        (invitation,) = other_lines
        if invite := _read_invitation(session.place, invitation):
            title = heading_match["title"]
            offers_by_writer[message.writer] = RematchOffer(
                message.writer, message.name, title, invitation, invite.game
            )
    return [offer for _, offer in sorted(offers_by_writer.items())]


def invite_after(old_game: str) -> str:
    """Return the invite that somebody wrote to the user in a game that is over. `old_game` is its
    folder, address or title. Raises CliError, StorageError."""
    session = Session(place_of_game(old_game, Home.find()))
    offers = rematch_offers(session, session.view(skip_cache=True))
    if not offers:
        hint = to_type(f"start one: pbem new --like {shell_quote(old_game)} --invite")
        raise CliError(_NO_OFFER, hint, NOT_YET)
    return offers[0].invitation


def is_own_first(session: Session, offers: Sequence[RematchOffer]) -> bool:
    """Return whether everybody follows the game that the user has started, not one of these."""
    return all((session.seat or "referee") < offer.writer for offer in offers)


def _read_invitation(old_place: Place, invitation: str) -> Invite | None:
    """Return the invite in a link or a command; None if it is none, or if it leads away from the
    host or store of the old game. An invite without an address leads nowhere, so it counts."""
    try:
        line, address = split_invite(invitation)
        invite = parse_invite(line)
        place = place_of(address) if address else None
    except (CliError, RecordError, StorageError):
        return None
    is_here = place is None or (place.server != "" and place.server == old_place.server)
    return invite if is_here else None
