"""Give a seat new keys, signed with the old or the recovery key, or confirmed by the other
players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import KEY, CliError
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.notices.notice_here import Declared
    from pbem.cli.session.session import Session
    from pbem.format.keys import SigningKey

BACK_UP = "with this key file and the game folder, you can always continue"


def change_key(session: Session, seat: str, profile: str, recovery: str, json: bool) -> None:
    """Make a new key and sign it with the old key of your seat, or with the recovery key."""
    from pbem.cli.notices.notice_here import declare, report
    from pbem.records.notices.sayings import NewKey

    seat = _seat_of(session, seat, recovery) if recovery else session.need_seat()
    declared = _changed_already(session, seat, profile)
    if declared is None:
        signer = session.keyring.key(recovery) if recovery else None
        new = _new_key(session, profile)
        said = NewKey(new.public, _x25519(session, new, seat))
        declared = declare(session, said, seat, signer)
    if not json:
        _back_up(session, profile)
    told = f"seat {seat} gets a new key; the old key counts until a turn lists this notice"
    report(session, declared, told, json)


def _changed_already(session: Session, seat: str, profile: str) -> Declared | None:
    """Return the notice that gave the seat this profile's key, if a turn lists it already but the
    command that signed it never reported it; else None."""
    from pbem.cli.notices.notice_here import Declared
    from pbem.cli.session.seen_on_this_machine import last_signed

    record, reported = last_signed(session.mine, f"notice-{seat}-key")
    if record is None or reported:
        return None
    listed = {one.id for one in session.here.standing.listed}
    mine = record.content.saying.key == session.keyring.publics.get(profile)
    return Declared(record, again=True) if mine and record.id in listed else None


def _seat_of(session: Session, seat: str, recovery: str) -> str:
    """Return the seat whose recovery key this profile has. Raises CliError if there is none."""
    if recovery not in session.home.profiles():
        hint = f"pbem keys import FILE --profile {recovery}"
        raise CliError(f"you have no profile called {recovery}", hint, KEY)
    public = session.keyring.publics[recovery]
    found = [s for s, join in session.here.roster.items() if join.recovery == public]
    if not found or (seat and seat not in found):
        raise CliError(f"{recovery} is not the recovery key of a seat in this game", "", KEY)
    return found[0]


def ask_others(session: Session, seat: str, profile: str, json: bool) -> None:
    """Make a new key, and print the line that the others need to confirm it with `notice vouch`."""
    from pbem.play.seats.key_line import KeyLine

    if seat not in session.here.roster:
        raise CliError("say whose key is lost", "add --as and the letter of your seat")
    new = _new_key(session, profile)
    game = session.game_folder.game
    line = KeyLine(game, seat, new.public, _x25519(session, new, seat)).line()
    if json:
        from pbem.cli.json_output import print_data

        print_data("notice", {"about": "vouch", "seat": seat, "line": line})
        return
    _back_up(session, profile)
    print("send this line to all other players, and to the referee last:")
    print(f"  {line}")
    print(
        "each of them asks you, by phone or in person, whether the line is yours, then types: "
        "pbem notice vouch LINE"
    )


def vouch(session: Session, line: str, json: bool) -> None:
    """Confirm a player's new keys; they count once everybody has confirmed them, the referee
    last."""
    from pbem.cli.notices.notice_here import declare_and_report
    from pbem.format.errors import RecordError
    from pbem.play.seats.key_line import parse_key_line
    from pbem.records.notices.notice_record import REFEREE
    from pbem.records.notices.sayings import Vouch

    if line == "-":
        import sys

        line = sys.stdin.readline()
    try:
        asked = parse_key_line(line, session.game_folder.game)
    except RecordError as error:
        raise CliError(error.sentence, "", error.exit) from None
    name = clean(session.here.name_of(asked.seat))
    writer = REFEREE if session.roles.referee else session.need_seat()
    told = f"you vouch for the new key of {name}, in seat {asked.seat}"
    declare_and_report(session, Vouch(asked.seat, asked.key, asked.x25519), told, json, writer)


def _new_key(session: Session, profile: str) -> SigningKey:
    try:
        where = session.home.key_path(profile)
    except ValueError as error:
        raise CliError(str(error)) from None
    if profile not in session.home.profiles():
        return session.keyring.make(profile)
    key = session.keyring.key(profile)
    if key.public in session.here.standing.known_keys():
        told = f"the key of {profile} is already used in this game: {where}"
        raise CliError(told, "choose a different name: --profile NAME")
    return key


def _x25519(session: Session, key: SigningKey, seat: str) -> bytes:
    from pbem.format.encrypted_box import public_of
    from pbem.format.keys import Secrets

    return public_of(Secrets(key.seed).box(session.game_folder.game, seat))


def _back_up(session: Session, profile: str) -> None:
    print(f"BACK UP {session.home.key_path(profile)}: {BACK_UP}")
