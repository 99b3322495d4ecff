"""New keys of a seat: signed with the old or the recovery key, or confirmed by the others."""

from __future__ import annotations

from pbem.acts.sign_notice import Declared, declare, standing_soon
from pbem.errors import KEY, CliError
from pbem.format.encrypted_box import public_of
from pbem.format.secret_and_public_keys import Secrets, SigningKey
from pbem.judge.notice_kinds import (
    NewKey,
    Vouch,
)
from pbem.judge.seat_curve_points import SeatPoint, make_seat_point
from pbem.judge.which_notices_count import SignedNotice
from pbem.person.last_signed_record import last_signed_record
from pbem.person.session import Session
from pbem.text.terminal_and_page_wording import TerminalText, to_type


def change_key(session: Session, seat: str, profile: str, recovery: str) -> Declared:
    """Make a new key and sign it with the old key of your seat, or with the recovery key. Raises
    CliError."""
    seat = _seat_of(session, seat, recovery) if recovery else session.need_seat()
    record, is_reported = last_signed_record(session.game_home, f"notice-{seat}-key")
    key = session.keyring.publics.get(profile)
    if record and not is_reported and _gives_key(record, key) and _is_listed(session, record):
        # the command that signed it never reported it
        return Declared(record, is_repeat=True)
    signer = session.keyring.key(recovery) if recovery else None
    new_key, x25519, seat_point = _new_keys(session, profile, seat)
    saying = NewKey.make(new_key, x25519, session.game_folder.game, seat, seat_point)
    return declare(session, saying, seat, signer)


def _gives_key(record: SignedNotice, key: bytes | None) -> bool:
    saying = record.content.saying
    return isinstance(saying, NewKey) and saying.key == key


def _is_listed(session: Session, record: SignedNotice) -> bool:
    notices = session.game_folder.standing.applied_notices
    return any(notice.id == record.id for notice in notices)


def _seat_of(session: Session, seat: str, recovery: str) -> str:
    """Return the seat to which the recovery key in a profile can give a new key; `seat` is the seat
    that the user named, if any. Raises CliError if the key fits no seat, or several and the user
    named none."""
    if recovery not in session.home.profiles():
        hint = to_type(f"pbem keys import FILE --profile {recovery} (FILE is your recovery key)")
        raise CliError(f"you have no profile called {recovery}", hint, KEY)
    public = session.keyring.publics[recovery]
    seats = [s for s, join in session.roster.items() if join.recovery == public]
    if not seats or (seat and seat not in seats):
        whose = f"seat {seat}" if seat else "a seat"
        problem = f"your profile {recovery} does not have the recovery key of {whose} in this game"
        raise CliError(problem, "", KEY)
    if len(seats) > 1 and not seat:  # whoever names another player's gives their own seat away
        problem = (
            f"your profile {recovery} has the recovery key of more than one seat: "
            f"{', '.join(sorted(seats))}"
        )
        raise CliError(problem, to_type("add --as and the letter of your seat"))
    return seat or seats[0]


def request_vouching(session: Session, seat: str, profile: str) -> Vouch:
    """Make a new key, and return what the others confirm with `notice vouch`. Raises CliError."""
    if seat not in session.roster:
        raise CliError("say whose key is lost", to_type("add --as and the letter of your seat"))
    new_key, x25519, seat_point = _new_keys(session, profile, seat)
    return Vouch(seat, new_key.public, x25519, *seat_point)


def vouching_obstacle(session: Session, seat: str) -> str:
    """Return why the others cannot confirm a new key of a seat now; empty if they can."""
    if session.view().is_over:
        return ""
    return standing_soon(session).consent("vouch", seat).obstacle


def _new_keys(session: Session, profile: str, seat: str) -> tuple[SigningKey, bytes, SeatPoint]:
    """Return the signing key in the profile, which is made if the profile is new, the public key
    for boxes to the seat, and its seat point. Raises CliError if this game uses the key already."""
    key_path = session.keyring.path(profile)
    if profile not in session.home.profiles():
        key = session.keyring.make(profile)
    else:
        key = session.keyring.key(profile)
        standing = session.game_folder.standing
        recoveries = {join.recovery for join in standing.roster.values()}
        waiting_keys = {act.key for act in standing.announced_acts}  # its line can be printed again
        if key.public in (standing.taken_keys() - waiting_keys) | recoveries:
            problem = f"this game already uses the key of your profile {profile}: {key_path}"
            raise CliError(problem, TerminalText("choose a different profile[[: --profile NAME]]"))
    game, charter = session.game_folder.game, session.game_folder.charter.content
    box_public = public_of(Secrets(key.seed).box(game, seat))
    return key, box_public, make_seat_point(charter, game, seat, key.seed)
