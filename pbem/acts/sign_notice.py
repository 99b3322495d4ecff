"""Sign a notice for the game in the folder, and write it there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbem.errors import NOT_YET, CliError
from pbem.files.file_errors import TakenError
from pbem.files.home import note_if_writable
from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.make_signed_records import make_notice, next_number
from pbem.judge.notice_kinds import (
    NoticeKind,
    SetClock,
    SetDeadline,
    Vote,
    Vouch,
)
from pbem.judge.read_and_check_record_file import file_name
from pbem.judge.record_chain import Chain
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.judge.unlisted_notices import unlisted_notices
from pbem.judge.which_notices_count import (
    SignedNotice,
    is_recovery,
    numbered_with,
    sort_notices,
    why_not,
)
from pbem.person.last_signed_record import last_signed_record
from pbem.person.session import Session
from pbem.person.standing_with_unlisted_notices import sort_new_notices, standing_now
from pbem.records.notice import NO_WINNER, REFEREE, Saying
from pbem.text.clock import now
from pbem.text.terminal_and_page_wording import to_type
from pbem.wording.game_folder_repairs import not_the_notice_note


class Declared(NamedTuple):
    """A notice in the folder."""

    record: SignedNotice
    is_repeat: bool
    """Whether it had been signed before: you have said the same thing twice."""
    notes: Sequence[str] = ()
    """Sentences on files that were moved out of the way."""


def declare(
    session: Session,
    saying: NoticeKind,
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
        note_if_writable(
            session.game_home.acts.keep, notice_act_subject(writer, saying), record.file
        )
    notes = put_notice(session, record)
    note_if_writable(
        session.game_home.receipts.note, record.id.hex(), now(), file_name(record).path
    )
    return Declared(record, earlier_record is not None, notes)


def _writer(session: Session, saying: NoticeKind) -> str:
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


def notice_act_subject(writer: str, saying: Saying) -> str:
    """Return a word for what a notice is about: a later notice with the same word replaces it."""
    seat, phase = getattr(saying, "seat", ""), getattr(saying, "phase", "")
    return "-".join(part for part in ("notice", writer, saying.about, seat, phase) if part)


def note_notice_reported(session: Session, record: SignedNotice) -> None:
    """Remember that the user was told that this notice is signed."""
    subject = notice_act_subject(record.content.writer, record.content.saying)
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
    session: Session, saying: NoticeKind, writer: str, key: SigningKey, signs_again: bool
) -> SignedNotice | None:
    """Return the last notice on this subject that this key signed since the last turn, in the
    folder or only in the home, if it says the same. A notice that cannot be taken back may also be
    listed already, if the command that signed it never reported it."""
    chain = _need_running_game(session)
    listed_ids, subject = chain.listed_notices, notice_act_subject(writer, saying)
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
    records = [
        record for record in records if notice_act_subject(writer, record.content.saying) == subject
    ]
    last_record = max(records, key=lambda record: record.content.number, default=None)
    if last_record is None or not saying.is_repeat(last_record.content.saying, now()):
        return None
    is_reported = was_reported if kept_record and kept_record.id == last_record.id else True
    return None if signs_again and is_reported else last_record


def _chain_place(record: SignedNotice) -> tuple[int, bytes, str, bytes]:
    notice = record.content
    return notice.turn, notice.prev, notice.writer, record.signed.key


def signed_notice(
    session: Session, saying: NoticeKind, writer: str, key: SigningKey | None = None
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
