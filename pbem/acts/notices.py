"""Notices: what somebody typed as a notice; sign it; invites, new keys, last agreements."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import NamedTuple

from pbem.acts.typed_deadlines import SPAN_FORMS, typed_rule, typed_span
from pbem.errors import KEY, NOT_YET, CliError
from pbem.files.file_errors import TakenError
from pbem.format.encrypted_box import public_of
from pbem.format.keys import Secrets, SigningKey
from pbem.format.record_error import RecordError
from pbem.judge.notice_kinds import (
    Away,
    Delay,
    Kind,
    NewKey,
    SetClock,
    SetDeadline,
    SetDoor,
    Vote,
    Vouch,
    next_code,
)
from pbem.judge.record_chain import Chain
from pbem.judge.record_files import file_name
from pbem.judge.seats_and_agreements import Standing
from pbem.judge.signing import make_notice, next_number
from pbem.judge.unlisted_notices import unlisted_notices
from pbem.judge.which_notices_count import (
    SignedNotice,
    is_recovery,
    numbered_with,
    sort_notices,
    why_not,
)
from pbem.person.cancellable_acts import sort_new_notices, standing_now
from pbem.person.lost_records import last_signed_record, note_if_writable
from pbem.person.session import Session
from pbem.records.invite import Invite, door_key, slug
from pbem.records.notice import NO_WINNER, REFEREE, Saying
from pbem.text.clock import now
from pbem.text.dates import HOUR
from pbem.text.terminal_and_page_wording import TerminalText, to_type
from pbem.text.typed_absences import DaysAway, days_of, read_absence
from pbem.wording.repairs_before_turn import not_the_notice_note

# ---- Sign a notice for the game in the folder, and write it there


class Declared(NamedTuple):
    """A notice in the folder."""

    record: SignedNotice
    is_repeat: bool
    """Whether it had been signed before: you have said the same thing twice."""
    notes: Sequence[str] = ()
    """Sentences on files that were moved out of the way."""


def declare(
    session: Session,
    saying: Kind,
    writer: str = "",
    key: SigningKey | None = None,
    *,
    signs_again: bool = False,
) -> Declared:
    """Write a notice of your seat or of `writer`, signed with that seat's key or with `key`.

    If the last notice on this subject since the last turn says the same, that notice is written
    again, with the same bytes: a command that was killed can be repeated. With `signs_again`, a new
    notice is signed nevertheless, unless the last one was never reported to the user. Raises
    CliError if the notice could not count now.
    """
    writer = writer or _writer(session, saying) or session.need_seat()
    key = key or _key(session, writer)
    earlier_record = _find_repeated(session, saying, writer, key, signs_again)
    record = earlier_record or signed_notice(session, saying, writer, key)
    if earlier_record is None:
        note_if_writable(session.game_home.acts.keep, subject_of(writer, saying), record.file)
    notes = put_notice(session, record)
    note_if_writable(
        session.game_home.receipts.note, record.id.hex(), now(), file_name(record).path
    )
    return Declared(record, earlier_record is not None, notes)


def _writer(session: Session, saying: Kind) -> str:
    """Return who signs a notice: `referee`, or a seat.

    You sign for your seat. The referee signs deadlines and dates as the referee, unless they name a
    seat that they have with its own key, or the seat of a player by mail, for whom they write. To
    the end of the game the referee can agree only if nobody wins; with a seat of their own, once it
    has voted.
    """
    roles = session.roles
    if saying.by_referee or (roles.referee and isinstance(saying, Vouch)):
        return REFEREE
    if not roles.referee:
        return ""
    is_named_seat = session.requested_seat in (roles.seats.keys() - roles.referee_seats) | {
        *roles.mail_seats
    }
    if isinstance(saying, SetClock | SetDeadline):
        return "" if is_named_seat else REFEREE
    if not isinstance(saying, Vote):
        return ""
    agrees_as_referee = not roles.seats.keys() - session.view().bots.keys()
    # a player by mail, who has phoned
    agrees_as_referee = agrees_as_referee and session.requested_seat not in roles.mail_seats
    if saying.result == NO_WINNER and not (
        is_named_seat or roles.referee_seats or agrees_as_referee
    ):
        agrees_as_referee = standing_soon(session).votes.get(session.seat) == saying.result
    return REFEREE if agrees_as_referee else ""


def subject_of(writer: str, saying: Saying) -> str:
    """Return a word for what a notice is about: a later notice with the same word replaces it."""
    seat, phase = getattr(saying, "seat", ""), getattr(saying, "phase", "")
    return "-".join(part for part in ("notice", writer, saying.about, seat, phase) if part)


def note_notice_reported(session: Session, record: SignedNotice) -> None:
    """Remember that the user was told that this notice is signed."""
    subject = subject_of(record.content.writer, record.content.saying)
    note_if_writable(session.game_home.acts.note_reported, subject, record.file)


def put_notice(session: Session, record: SignedNotice) -> list[str]:
    """Write a notice that you signed into the folder; return notes for the user.

    Anybody can work out what some notices will say, and put a different file in the place of one.
    Such a file is set aside. Raises TakenError if somebody has written the file only just now.
    """
    name = file_name(record)
    try:
        session.folder.create(name, record.file)
        return []
    except TakenError:
        files = [file for file in session.listing.notices if file.name == name]
        if not files:
            raise
    aside_path = session.folder.set_aside(files[0])
    session.folder.create(name, record.file)
    return [not_the_notice_note(name.path, aside_path)]


def _find_repeated(
    session: Session, saying: Kind, writer: str, key: SigningKey, signs_again: bool
) -> SignedNotice | None:
    """Return the last notice on this subject that this key signed since the last turn, in the
    folder or only in the home, if it says the same. A notice that cannot be taken back may also be
    listed already, if the command that signed it never reported it."""
    chain = _need_running_game(session)
    listed_ids, subject = chain.listed_notices, subject_of(writer, saying)
    place = chain.turn, chain.head, writer, key.public
    records = [
        record
        for record in unlisted_notices(session.game_folder, listed_ids)
        if _chain_place(record) == place
    ]
    kept_record, was_reported = last_signed_record(session.game_home, subject)
    if kept_record and not was_reported and kept_record.id in listed_ids and saying.adds_up:
        return kept_record if saying.is_repeat(kept_record.content.saying, now()) else None
    used_numbers = {record.content.number for record in records}
    if (
        kept_record
        and _chain_place(kept_record) == place
        and kept_record.content.number not in used_numbers
    ):
        records.append(kept_record)  # the command was killed before it wrote the notice
    records = [record for record in records if subject_of(writer, record.content.saying) == subject]
    last_record = max(records, key=lambda record: record.content.number, default=None)
    if last_record is None or not saying.is_repeat(last_record.content.saying, now()):
        return None
    is_reported = was_reported if kept_record and kept_record.id == last_record.id else True
    return None if signs_again and is_reported else last_record


def _chain_place(record: SignedNotice) -> tuple[int, bytes, str, bytes]:
    notice = record.content
    return notice.turn, notice.prev, notice.writer, record.signed.key


def signed_notice(
    session: Session, saying: Kind, writer: str, key: SigningKey | None = None
) -> SignedNotice:
    """Sign a notice as `declare` does, but do not write it. Raises CliError if it cannot count."""
    chain = _need_running_game(session)
    standing, listed_ids = standing_now(session), chain.listed_notices
    key = key or _key(session, writer)
    unlisted_records = unlisted_notices(session.game_folder, listed_ids)
    if is_recovery(standing, writer, key.public):  # it counts before what other keys signed
        unlisted_records = [
            r for r in unlisted_records if is_recovery(standing, r.content.seat, r.signed.key)
        ]
    counting_records, _, next_standing = sort_notices(standing, unlisted_records, chain.heads)
    # a notice that somebody else signed in this writer's name uses up no number
    all_records = unlisted_notices(session.game_folder, ())
    numbered_records = [
        *counting_records,
        *(r for r in all_records if r.signed.key == key.public or r.id in listed_ids),
    ]
    number_group = numbered_with(standing, writer, key.public)
    numbered_records = [
        r for r in numbered_records if numbered_with(standing, writer, r.signed.key) == number_group
    ]
    place = chain.game, chain.turn, chain.head
    try:
        record = make_notice(
            place, writer, next_number(numbered_records, chain.turn, writer), saying, key
        )
    except RecordError as error:
        raise CliError(error.sentence, "", error.exit) from None
    if reason := why_not(next_standing, record, chain.heads):
        raise NotSignedError(reason)
    return record


class NotSignedError(CliError):
    """A notice that would have no effect, so nothing was signed; and the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"nothing was signed: {reason}")
        self.reason = reason


def _need_running_game(session: Session) -> Chain:
    """Return the chain of the session's game, read again. Raises CliError before turn 1 and after
    the end. Your last orders are put back if they are missing (see `Session.view`)."""
    view = session.view(skip_cache=True)
    if not view.published:
        raise CliError(
            "you can write notices as soon as turn 1 is here", to_type("pbem status"), NOT_YET
        )
    if view.is_over:
        raise CliError("the game is over", to_type("pbem status"), NOT_YET)
    return session.readers.table().chain


def standing_soon(session: Session) -> Standing:
    """Return the standing after a turn that lists the notices in the folder.

    Raises CliError before turn 1 and after the end.
    """
    _need_running_game(session)
    return sort_new_notices(session).next_standing


def _key(session: Session, writer: str) -> SigningKey:
    return session.refereeing.key() if writer == REFEREE else session.seat_key(writer)


# ---- What somebody typed or chose, as a notice's contents

ABSENCE_FORMS = (
    "write 'until friday', '24 dec to 2 jan', 'friday' or 'for a week', or dates: "
    "2026-12-24..2027-01-02"
)


def typed_absence(days: str, back: bool = False) -> Away:
    """Announce an absence in words or dates, or withdraw an announcement. Raises CliError."""
    if back == bool(days):
        raise CliError(
            "give the first and the last day of your absence",
            TerminalText("{ABSENCE_FORMS}[[; or --back]]").format(ABSENCE_FORMS=ABSENCE_FORMS),
        )
    if back or days.strip().lower() in ("back", "i am back", "i'm back"):
        return Away(0, 0)
    phrase = " ".join(days.lower().split()).removeprefix("away ").rstrip("!")
    absence = read_absence(f"away {phrase}") if phrase else None
    try:
        if absence:
            return away_notice(absence)
        # `read_absence` reads whole days joined by `..`; this reads days with times of day
        first_day, dots, last_day = (part.strip() for part in days.partition(".."))
        if not dots or not last_day:
            raise ValueError("the last day is missing")
        return Away(
            _moment(first_day) if first_day else now(), _moment(last_day, is_end_of_day=True)
        )
    except (ValueError, OverflowError):
        raise CliError(f"{days!r} does not give the days of your absence", ABSENCE_FORMS) from None


def away_notice(absence: DaysAway) -> Away:
    """Return the notice about an absence in words; its days are in this machine's time zone.

    Raises ValueError for a day that no calendar has.
    """
    if absence.last_day is None:
        return Away(0, 0)
    try:
        first_day, last_day = days_of(absence, date.fromtimestamp(now()))
        return Away(
            _moment(f"{first_day}") if first_day else now(),
            _moment(f"{last_day}", is_end_of_day=True),
        )
    except OverflowError:  # the day after 31 December 9999
        raise ValueError("an absence must end before the last day of the year 9999") from None


def _moment(text: str, *, is_end_of_day: bool = False) -> int:
    moment = datetime.fromisoformat(text)
    if len(text) == len("2026-12-24") and is_end_of_day:
        moment += timedelta(days=1)
    return int(moment.astimezone().timestamp())


def typed_delay(span: str) -> Delay:
    """Put the deadline off by a time such as `24h`. Raises CliError."""
    seconds = typed_span("notice delay", span)
    if seconds % HOUR:
        raise CliError("you can put a deadline off only by whole hours", SPAN_FORMS)
    return Delay(seconds // HOUR)


def typed_deadline(session: Session, rule: str, phase: str, *, no: bool) -> tuple[SetDeadline, str]:
    """Propose a deadline, agree with one, or withdraw a proposal; also return how the rule was
    read, if that needs saying. Raises CliError."""
    if no == bool(rule):
        raise CliError(
            "say which deadline you propose",
            TerminalText(
                "write a deadline such as 72h, or never[[; to take your proposal back, use --no]]"
            ),
        )
    phases = [game_phase.name for game_phase in session.view().play.ruleset.phases]
    if phase and phase not in phases:
        raise CliError(f"no phase is called {phase!r}", f"the phases are {', '.join(phases)}")
    if no:
        return SetDeadline("", phase), ""
    reading = typed_rule("notice deadline", rule)
    return SetDeadline(
        reading.rule, phase
    ), f" ({reading.assumption})" if reading.assumption else ""


# ---- The invite with which a new player takes over an open seat


def invite_of(session: Session, standing: Standing, seat: str) -> Invite:
    """Return the invite for the next player of an open seat. Raises CliError for all but the
    referee."""
    from pbem.judge.next_turn import secrets_of

    secrets = secrets_of(session.game_folder, session.refereeing.key())
    code = next_code(standing, secrets.audit, seat)
    return Invite(slug(standing.charter.title), seat, code, session.game_folder.game)


def invite_next(session: Session, seat: str) -> tuple[Invite, Sequence[str]]:
    """Return the invite for the next player of an open seat, and publish the door that it opens;
    also return notes on files that were moved out of the way.

    Raises CliError if the seat is not open.
    """
    session.view(skip_cache=True)
    standing = standing_soon(session)
    invite = invite_of(session, standing, seat)
    if not standing.is_open(seat):
        free = [s for s in sorted(standing.roster) if standing.is_open(s)]
        hint = (
            f"the open seats are: {', '.join(free)}"
            if free
            else to_type("pbem status says who is away")
        )
        raise CliError(f"seat {seat} is not open", hint, NOT_YET)
    if seat in standing.doors:
        return invite, ()
    saying = SetDoor(seat, door_key(invite.code, seat).public)
    return invite, declare(session, saying).notes


# ---- New keys: signed with the old or the recovery key, or confirmed by the others


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
    new_key, x25519 = _new_keys(session, profile, seat)
    saying = NewKey.make(new_key, x25519, session.game_folder.game, seat)
    return declare(session, saying, seat, signer)


def _gives_key(record: SignedNotice, key: bytes | None) -> bool:
    saying = record.content.saying
    return isinstance(saying, NewKey) and saying.key == key


def _is_listed(session: Session, record: SignedNotice) -> bool:
    notices = session.game_folder.standing.applied_notices
    return any(notice.id == record.id for notice in notices)


def _seat_of(session: Session, seat: str, recovery: str) -> str:
    """Return the seat to which the recovery key in this profile can give a new key; `seat` is the
    seat that the user named, if any. Raises CliError if there is none, or if there are several and
    none was named."""
    if recovery not in session.home.profiles():
        hint = to_type(f"pbem keys import FILE --profile {recovery}")
        raise CliError(f"you have no profile called {recovery}", hint, KEY)
    public = session.keyring.publics[recovery]
    seats = [s for s, join in session.roster.items() if join.recovery == public]
    if not seats or (seat and seat not in seats):
        raise CliError(f"{recovery} is not the recovery key of a seat in this game", "", KEY)
    if len(seats) > 1 and not seat:  # whoever names another player's gives their own seat away
        problem = f"{recovery} is the recovery key of the seats {', '.join(sorted(seats))}"
        raise CliError(problem, to_type("add --as and the letter of your seat"))
    return seat or seats[0]


def request_vouching(session: Session, seat: str, profile: str) -> Vouch:
    """Make a new key, and return what the others confirm with `notice vouch`. Raises CliError."""
    if seat not in session.roster:
        raise CliError("say whose key is lost", to_type("add --as and the letter of your seat"))
    new_key, x25519 = _new_keys(session, profile, seat)
    return Vouch(seat, new_key.public, x25519)


def vouching_obstacle(session: Session, seat: str) -> str:
    """Return why the others cannot confirm a new key of a seat now; empty if they can."""
    if session.view().is_over:
        return ""
    return standing_soon(session).consent("vouch", seat).obstacle


def _new_keys(session: Session, profile: str, seat: str) -> tuple[SigningKey, bytes]:
    """Return the signing key in the profile, which is made if the profile is new, and the public
    key for boxes to the seat. Raises CliError if this game uses the key already."""
    key_path = session.keyring.path(profile)
    if profile not in session.home.profiles():
        key = session.keyring.make(profile)
    else:
        key = session.keyring.key(profile)
        standing = session.game_folder.standing
        recoveries = {join.recovery for join in standing.roster.values()}
        waiting_keys = {act.key for act in standing.announced_acts}  # its line can be printed again
        if key.public in (standing.taken_keys() - waiting_keys) | recoveries:
            problem = f"the key of {profile} is already used in this game: {key_path}"
            raise CliError(problem, TerminalText("choose a different name[[: --profile NAME]]"))
    return key, public_of(Secrets(key.seed).box(session.game_folder.game, seat))


# ---- The agreement of a host that deals


def agree_last(session: Session) -> list[Declared]:
    """Sign the referee's agreement to each act on which all other necessary players agree, as a
    host that deals does; return the notices."""
    if not session.listing.notices or not session.listing.reached:
        return []
    if session.view(skip_cache=True).is_over:
        return []
    standing = standing_soon(session)
    calendar = standing.calendar
    wishes: list[Kind] = [
        Vouch(seat, *pair) for (_, seat), pair in sorted(standing.vouched.items())
    ]
    wishes += [SetDeadline(rule, phase) for phase, rule in sorted({*calendar.proposals.values()})]
    wishes += [SetClock(now())] if calendar.clocks else []
    notices = list[Declared]()
    for wish in wishes:
        with suppress(CliError):  # somebody has not agreed yet, or it is decided
            if not (declared := declare(session, wish, REFEREE)).is_repeat:
                notices.append(declared)
    return notices
