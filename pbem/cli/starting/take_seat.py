"""Take a seat for `join`: check the invite, then sign a join and write it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.failure import KEY, NOT_YET, CliError, say

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.records.charter_join_orders import Charter, Join
    from pbem.records.joining import Invite
    from pbem.records.read_record import Record

WHY_BACK_UP = "with this key file and the game folder, you can always continue"


def take_seat(
    session: Session,
    invite: str,
    name: str,
    contact: str,
    profile: str,
    *,
    recovery: str = "",
    quiet: bool = False,
) -> Record[Join]:
    """Join a game with an invite for it; write the join and return it."""
    from pbem.cli.session.own_joins import subject_of
    from pbem.cli.session.seen_on_this_machine import (
        last_signed,
        note_sealed,
        note_signed,
        note_turns,
    )
    from pbem.play.making.sign import make_join

    parsed = _invite(session, invite)
    charter = session.game_folder.charter
    plan = next((p for p in charter.content.seats if p.seat == parsed.seat), None)
    _check_begun(session, charter.content, parsed.seat)
    if plan is None or parsed.seat in charter.content.plays:
        free = [p.seat for p in charter.content.seats if p.seat not in charter.content.plays]
        told = f"seat {parsed.seat} cannot be taken in this game"
        raise CliError(told, f"the seats for players are: {', '.join(free)}", KEY)
    _check_open(session, parsed.seat, name)
    _check_door(session, parsed)
    _check_alone(session, plan.name, parsed.seat, profile)
    _check_name(session, name or plan.name, parsed.seat)
    key = session.keyring.key_or_new(profile)
    second = recovery_key(session, recovery)
    record = make_join(charter, parsed.seat, name or plan.name, key, parsed.code, contact, second)
    before, _ = last_signed(session.mine, subject_of(parsed.seat))
    if before and before.content.key == key.public and not (name or contact or recovery):
        record = before  # the same join again, also if it was signed under a different name
    else:
        _check_once(session, before, record)
        note_signed(session.mine, subject_of(parsed.seat), record.file)
    put_join(session, record)
    note_sealed(session.mine, record.id)
    if not quiet:
        note_turns(session.mine, [])
        _tell_joined(session, charter.content, record, profile)
    return record


def typed_invite(said: str) -> str:
    """Return the invite that somebody typed, pasted or piped in; people often paste the whole line
    that contains it. Raises CliError if there is nothing.
    """
    import sys

    if said.strip() == "-":
        if sys.stdin.isatty():
            say("paste the invite, then press Enter")
        said = sys.stdin.readline()
    if not said.strip():
        told = "paste the invite that the referee sent you: one long line"
        raise CliError(told, "pbem join savannah:b:4H7Q…:4f1c22…:K7Q2…")
    after = said.rpartition("--invite")[2]
    return next((word for word in after.split() if word.count(":") == 4), after)


def invited_place(invite: str) -> str | None:
    """Return the folder of the game that the invite names, if you are not in a game's folder and
    this computer knows the game; else None."""
    from pbem.cli.places.chosen_place import chosen_place
    from pbem.format.errors import RecordError
    from pbem.mail.find_folder import game_in
    from pbem.records.joining import parse_invite
    from pbem.storage.private.home import Home
    from pbem.storage.store.address import is_gone

    here, home = chosen_place(None), Home.find()
    try:
        game = parse_invite(invite).game.hex()
    except RecordError:
        return None
    if not isinstance(here, Path) or game_in(here) or game not in home.games():
        return None
    place = home.game(game).place
    return None if place is None or is_gone(place) else str(place)


def _invite(session: Session, invite: str) -> Invite:
    """Read the invite. Raises CliError if it is for a different game."""
    from pbem.format.errors import RecordError
    from pbem.records.joining import parse_invite

    try:
        parsed = parse_invite(invite)
    except RecordError as error:
        raise CliError(error.sentence) from None
    if parsed.game != session.game_folder.game:
        told = "the charter in this folder is not the one that your invite names"
        hint = (
            "check that this is the right folder; if it is, the charter may have been "
            "changed: ask the referee"
        )
        raise CliError(told, hint, KEY)
    return parsed


def _check_begun(session: Session, charter: Charter, seat: str) -> None:
    """Raise CliError if the seat's player answers by plain email and turn 1 is not here yet."""
    if seat in charter.by_mail and not session.listing.reached:
        told = f"the player of seat {seat} answers by email, and turn 1 is not here yet"
        hint = "once turn 1 is here, the referee can send an invite for the seat"
        raise CliError(told, f"{hint}: pbem notice invite {seat}", NOT_YET)


def _check_open(session: Session, seat: str, name: str) -> None:
    """Raise CliError if the game has begun and the seat is not open for a new player."""
    if not session.listing.reached or seat in session.roles.seats:
        return
    from pbem.cli.notices.notice_here import standing_now
    from pbem.cli.session.lost_keys import taken

    if not standing_now(session).is_open(seat):
        raise taken(session.here, seat)
    if not name:
        told = f"you take seat {seat} over from {session.here.name_of(seat)}"
        raise CliError(told, "say who you are: --name NAME")


def _check_door(session: Session, invite: Invite) -> None:
    """Raise CliError if the invite does not fit the seat's present door."""
    from pbem.records.joining import door_key

    doors = {plan.seat: plan.door for plan in session.game_folder.charter.content.seats}
    if session.listing.reached and invite.seat not in session.roles.seats:
        from pbem.cli.notices.notice_here import standing_soon

        doors = {**standing_soon(session).doors}
    door = doors.get(invite.seat)  # a door that is not here yet cannot be compared
    if door is not None and door_key(invite.code, invite.seat).public != door:
        told = f"this invite is not the one that counts for seat {invite.seat} now"
        hint = "let the folder sync, or ask the referee for a new invite"
        raise CliError(told, hint, KEY)


def _check_alone(session: Session, name: str, seat: str, profile: str) -> None:
    """Raise CliError if this key already has a role: as the referee, or in a different seat."""
    if session.roles.referee == profile:
        told = "this is the referee's key in this game, and a seat needs a separate key"
        raise CliError(told, "to deal and play, make a new game: pbem new … --referee-plays")
    others = [s for s, p in session.roles.seats.items() if p == profile and s != seat]
    if others:
        from pbem.screen.terminal import clean

        told = f"you already have seat {others[0]}; this invite is for seat {seat} ({clean(name)})"
        both = f"pbem keys new --profile seat-{seat}, and join with --profile seat-{seat}"
        why = f"if you want to play both seats, or if seat {others[0]} belongs to someone else"
        raise CliError(told, f"{why}: {both}")


def _check_once(session: Session, before: Record[Join] | None, record: Record[Join]) -> None:
    """Raise CliError if this key joined for the seat before turn 1 and says something else now:
    nobody could tell which of the two joins counts."""
    from pbem.cli.session.own_joins import let_in
    from pbem.screen.terminal import clean

    seat, key = record.content.seat, record.content.key
    there = [before] if before else []
    there += [] if session.listing.reached else let_in(session.here, seat)
    mine = [one for one in there if one.content.key == key]
    if session.listing.reached or not mine or record.id in {one.id for one in mine}:
        return
    old = mine[0]
    told = f"you have joined seat {seat} already, as {clean(old.content.name)}"
    told += f" ({old.id.hex()[:6]})"
    how = "to change that before turn 1: pbem keys new --profile NAME, join again with --profile "
    how += f"NAME, and ask {clean(session.game_folder.charter.content.referee)} to accept that join"
    raise CliError(told, how)


def _check_name(session: Session, name: str, seat: str) -> None:
    """Raise CliError for a name that people could confuse with another player's name."""
    from pbem.text.lookalike_names import look

    others = {p.seat: p.name for p in session.game_folder.charter.content.seats}
    for other, theirs in others.items():
        if other != seat and look(theirs) == look(name):
            told = f"{name!r} looks like the name of seat {other}"
            raise CliError(told, "choose a different name: --name NAME")


def recovery_key(session: Session, said: str) -> bytes:
    """Read the public key that may replace yours later: a profile, or `ssh-ed25519 AAAA…`."""
    from pbem.format.errors import RecordError
    from pbem.format.keys import parse_public_line

    if not said or said in session.keyring.publics:
        return session.keyring.publics[said] if said else b""
    try:
        return parse_public_line(" ".join(said.split()[:2]))
    except RecordError as error:
        hint = "pbem keys new --profile recovery, then --recovery recovery"
        raise CliError(f"--recovery: {error.sentence}", hint) from None


def put_join(session: Session, record: Record[Join]) -> None:
    """Write a join into the folder; the same join again changes nothing."""
    from pbem.cli.session.own_joins import join_name

    session.folder.create(join_name(record), record.file)
    session.refresh()
    session.mine.remember_place(session.place)


def _held_by_referee(charter: Charter) -> str:
    """Warn that the referee can see every hand, because they also play or their bots play."""
    if not charter.plays:
        return ""
    in_person = any(plan.seat in charter.plays and not plan.bot for plan in charter.seats)
    how = "who also plays" if in_person else "whose bots play"
    return f", {how}: the referee can see every hand"


def mail_lines(charter: Charter) -> list[str]:
    """Return a line for each player who answers by plain email: the referee signs for them."""
    from pbem.screen.terminal import clean

    return [
        f"{clean(plan.name)} (seat {plan.seat}) answers by plain email: "
        f"{clean(charter.referee)} has the key of this seat and signs its orders"
        for plan in charter.seats
        if plan.mail
    ]


def rules_of(charter: Charter) -> list[str]:
    """Return a line on the options in the charter; none if the game follows the printed rules.

    There is also no line if the ruleset is not installed here: you can join nevertheless.
    """
    from pbem.format.errors import RecordError
    from pbem.play.checking.charter_rules import ruleset_of
    from pbem.screen.rules_chosen import rules_chosen

    try:
        return rules_chosen(ruleset_of(charter), charter.options)
    except RecordError:
        return []


def _tell_joined(session: Session, charter: Charter, record: Record[Join], profile: str) -> None:
    from pbem.cli.session.mail_hints import sending_hint
    from pbem.cli.session.own_joins import join_warnings, words_line
    from pbem.cli.starting.typed_deadlines import silent_lines
    from pbem.screen.terminal import clean

    seats = f"{charter.ruleset}, {len(charter.seats)} seats, dealt by {clean(charter.referee)}"
    print(f"{clean(charter.title)}: {seats}{_held_by_referee(charter)}")
    for line in (*mail_lines(charter), *rules_of(charter), *silent_lines(charter.policies)):
        print(line)
    if charter.notes:
        print(clean(charter.notes))
    print("the charter is the one that your invite names")
    print(f"you are {clean(record.content.name)}, in seat {record.content.seat}")
    print(words_line(record))
    for line in join_warnings(session.here):
        say(line)
    print(f"BACK UP {session.home.key_path(profile)}: {WHY_BACK_UP}")
    if not sending_hint(session):
        print("next: wait for the referee; `pbem status` says when it is your move")
