"""Take a seat: check the invite, then sign a join and write it."""

from __future__ import annotations

import re

from pbem.acts.sign_notice import standing_soon
from pbem.errors import KEY, NOT_YET, CliError
from pbem.files.home import Home, note_if_writable
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import parse_public_line
from pbem.judge.make_signed_records import make_join
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.records_of_game_folder import read_game_id
from pbem.person.last_signed_record import last_signed_record
from pbem.person.missing_seats_and_keys import game_begun_error
from pbem.person.own_and_pending_joins import invited_joins, join_subject
from pbem.person.session import Session
from pbem.person.standing_with_unlisted_notices import standing_now
from pbem.person.user_game import chosen_place
from pbem.records.invite import Invite, door_key, parse_invite
from pbem.records.join import Join, is_let_in
from pbem.records.read_and_sign_record import Record
from pbem.terminal.clean_text import clean
from pbem.text.clock import now
from pbem.text.names_and_email_addresses import check_player_name, lookalike_form
from pbem.text.terminal_and_page_wording import TerminalText, to_type


def take_seat(
    session: Session,
    invite: str,
    name: str,
    contact: str,
    profile: str,
    *,
    recovery: str = "",
    makes_key: bool = False,
) -> Record[Join]:
    """Join a game with an invite for it; write the join and return it.

    An empty `name` means the name in the charter. `contact` says how the referee can reach the
    player, `recovery` is the public half of a recovery key; both may be empty. With `makes_key`, a
    key is made for any profile that has none, otherwise only for `default`. Raises CliError if the
    seat cannot be taken, NoGameError if there is no game.
    """
    parsed = _read_invite(session, invite)
    charter = session.game_folder.charter
    plan = next((p for p in charter.content.seats if p.seat == parsed.seat), None)
    if parsed.seat in charter.content.by_mail and not session.listing.reached:
        problem = (
            f"seat {parsed.seat} belongs to a player who answers by email, and before turn 1 "
            "nobody can take it over"
        )
        hint = "once turn 1 is here, the referee can send an invite for the seat"
        raise CliError(
            problem,
            TerminalText("{hint}[[: pbem notice invite {seat}]]").format(
                hint=hint, seat=parsed.seat
            ),
            NOT_YET,
        )
    if plan is None or parsed.seat in charter.content.plays:
        seats = [p.seat for p in charter.content.seats if p.seat not in charter.content.plays]
        problem = f"seat {parsed.seat} cannot be taken in this game"
        raise CliError(problem, f"the seats for players are: {', '.join(seats)}", KEY)
    check_open(session, parsed.seat, name)
    _check_door(session, parsed)
    _check_alone(session, plan.name, parsed.seat, profile)
    _check_name(session, name or plan.name, parsed.seat)
    makes_key = makes_key and profile not in session.keyring.publics
    key = session.keyring.make(profile) if makes_key else session.keyring.key_or_new(profile)
    recovery_key = _recovery_key(session, recovery)
    record = make_join(
        charter, parsed.seat, name or plan.name, key, parsed.code, contact, recovery_key
    )
    last_join, _ = last_signed_record(session.game_home, join_subject(parsed.seat))
    if last_join and last_join.content.key == key.public and not (name or contact or recovery):
        record = last_join  # the same join again, also if it was signed under a different name
    else:
        _check_once(session, last_join, record)
        note_if_writable(session.game_home.acts.keep, join_subject(parsed.seat), record.file)
    put_join(session, record)
    note_if_writable(
        session.game_home.receipts.note, record.id.hex(), now(), file_name(record).path
    )
    return record


# ---- The invite: as typed, and as this machine used it before


_LINK_FOR_BROWSER = r"(?P<address>https?://\S+/g/[0-9a-f]{32})/play#join=(?P<invite>\S+)"


def split_invite(pasted_line: str) -> tuple[str, str | None]:
    """Return the invite in a typed or pasted text, and the place of the game if the text has a
    place: people often paste the whole line, or the link for a browser. Raises CliError for an
    empty text."""
    if not pasted_line.strip():
        problem = "the invite is missing: paste the one long line that the referee sent you"
        hint = to_type(
            "pbem join savannah:b:4H7Q…:4f1c22…:K7Q2… (if you have lost it, ask the referee: "
            "`pbem advance` prints it again)"
        )
        raise CliError(problem, hint)
    if link := re.search(_LINK_FOR_BROWSER, pasted_line):
        return link["invite"], link["address"]
    command, _, rest_of_line = pasted_line.rpartition("--invite")
    place = next((word for word in command.split() if "://" in word), None)
    invites = (word for word in rest_of_line.split() if word.count(":") == 4)
    return next(invites, rest_of_line), place


def invited_place(invite: str) -> str | None:
    """Return the folder of the game that the invite names, if you are not in a game's folder and
    this computer knows the game; else None."""
    current_place, home = chosen_place(None), Home.find()
    try:
        game = parse_invite(invite).game.hex()
    except RecordError:
        return None
    if current_place.is_remote or read_game_id(home.folder(current_place)):
        return None
    if game not in home.games():
        return None
    place = home.game(game).place
    return None if place is None or place.is_gone() else str(place)


def _read_invite(session: Session, invite: str) -> Invite:
    """Return the parts of an invite. Raises CliError if it is for another game."""
    try:
        parsed = parse_invite(invite)
    except RecordError as error:
        raise CliError(error.sentence) from None
    if parsed.game != session.game_folder.game:
        problem = "your invite is for a different game from the game in this folder"
        hint = (
            "check that this is the right folder. If the folder is right, somebody may have "
            "changed game.toml: ask the referee"
        )
        raise CliError(problem, hint, KEY)
    return parsed


def profile_of_invite(session: Session, invite: str) -> str:
    """Return the profile whose key signed the last join that this machine made with this invite;
    empty if it made none."""
    parsed = _read_invite(session, invite)
    join, _ = last_signed_record(session.game_home, join_subject(parsed.seat))
    if join is None or not is_let_in(join.content, door_key(parsed.code, parsed.seat).public):
        return ""
    publics = session.keyring.publics
    return next((name for name, public in publics.items() if public == join.content.key), "")


# ---- May this person take the seat?


def check_open(session: Session, seat: str, name: str) -> None:
    """Raise CliError unless somebody of this name may take the seat, now or before turn 1."""
    if not session.listing.reached or seat in session.roles.seats:
        return
    if not standing_now(session).is_open(seat):
        raise game_begun_error(session, seat)
    if not name:
        problem = (
            f"you take seat {seat} over from {session.name_of(seat)}, so pbem must know your "
            "own name"
        )
        raise CliError(problem, TerminalText("say who you are[[: --name NAME]]"))


def _check_door(session: Session, invite: Invite) -> None:
    """Raise CliError if the invite is not the present one for its seat. A door is the public half
    of the key in an invite, which the charter or a notice publishes."""
    doors = session.charter.doors
    if session.listing.reached and invite.seat not in session.roles.seats:
        doors = {**standing_soon(session).doors}
    door = doors.get(invite.seat)  # a door that is not here yet cannot be compared
    if door is not None and door_key(invite.code, invite.seat).public != door:
        problem = f"the folder has a different invite for seat {invite.seat} than yours"
        hint = "let the folder sync and try again, or ask the referee for the newest invite"
        raise CliError(problem, hint, KEY)


def _check_alone(session: Session, name: str, seat: str, profile: str) -> None:
    """Raise CliError if the key of the profile is the referee's, or already has another seat in
    this game."""
    if session.roles.referee == profile:
        problem = "this is the referee's key in this game, and a seat needs a separate key"
        raise CliError(
            problem, to_type("to deal and play, make a new game: pbem new … --referee-plays")
        )
    if profile == session.roles.co_dealer:
        raise CliError(
            f"the key of your profile {profile} deals in this game, and a key that deals cannot "
            "play",
            to_type("pbem keys new --profile NAME, then pbem join again with --profile NAME"),
            KEY,
        )
    other_seats = [s for s, p in session.roles.seats.items() if p == profile and s != seat]
    if other_seats:
        problem = f"you already have seat {other_seats[0]}; this invite is for seat {seat}"
        hint = to_type(
            f"if you want to play both seats, or if seat {other_seats[0]} belongs to someone "
            f"else: pbem keys new --profile seat-{seat}, and join with --profile seat-{seat}"
        )
        raise CliError(f"{problem} ({clean(name)})", hint)


def _check_once(session: Session, last_join: Record[Join] | None, record: Record[Join]) -> None:
    """Raise CliError if this key joined for the seat before turn 1 and says something else now:
    nobody could tell which of the two joins counts."""
    seat, key = record.content.seat, record.content.key
    joins = [last_join] if last_join else []
    joins += [] if session.listing.reached else invited_joins(session, seat)
    known_joins = [join for join in joins if join.content.key == key]
    if session.listing.reached or not known_joins or record.id in {join.id for join in known_joins}:
        return
    first_join = known_joins[0]
    problem = f"you have joined seat {seat} already, as {clean(first_join.content.name)}"
    problem += TerminalText("[[ (join {digits})]]").format(digits=first_join.id.hex()[:6])
    referee = clean(session.charter.referee)
    hint = to_type(
        "to join under another name before turn 1: pbem keys new --profile NAME, join again with "
        f"--profile NAME, and ask {referee} to accept that join"
    )
    raise CliError(problem, hint)


def _check_name(session: Session, name: str, seat: str) -> None:
    """Raise CliError if the name looks like that of another person in the game. Names that differ
    only in letters that look alike look the same."""
    check_player_name(name)
    plans = {plan.seat: plan.name for plan in session.charter.seats}
    if lookalike_form(name) == lookalike_form(plans.get(seat, "")):
        return  # the name that the referee gave this player
    joins = [record.content for record in session.game_folder.joins().values()]
    people = [("the referee", session.charter.referee)]
    people += [(f"seat {plan_seat}", plan_name) for plan_seat, plan_name in plans.items()]
    people += [(f"seat {join.seat}", join.name) for join in joins]
    for person, person_name in people:
        if person != f"seat {seat}" and lookalike_form(person_name) == lookalike_form(name):
            problem = f"{name!r} looks the same as the name of {person}"
            raise CliError(problem, TerminalText("choose a different name[[: --name NAME]]"))


def _recovery_key(session: Session, text: str) -> bytes:
    """Return the public recovery key that was typed as a profile or a line; empty without one."""
    if not text or text in session.keyring.publics:
        return session.keyring.publics[text] if text else b""
    try:
        return parse_public_line(" ".join(text.split()[:2]))
    except RecordError as error:
        hint = to_type(
            "pbem keys new --profile recovery, then pbem join again with --recovery recovery"
        )
        raise CliError(
            TerminalText("[[--recovery: ]]{sentence}").format(sentence=error.sentence), hint
        ) from None


# ---- Write the join


def put_join(session: Session, record: Record[Join]) -> None:
    """Write a join into the folder; the same join again changes nothing."""
    session.folder.create(file_name(record), record.file)
    session.refresh()
    session.game_home.remember_place(session.place)
