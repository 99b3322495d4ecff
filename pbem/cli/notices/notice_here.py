"""Sign a notice for the game in the folder, write it there, and say what happens next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pbem.cli.failure import NOT_YET, CliError
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.format.keys import SigningKey
    from pbem.play.seats.listed_notices import SignedNotice
    from pbem.play.seats.standing import Standing
    from pbem.play.view import View
    from pbem.records.notices.sayings import Saying

HOUR = 3600


class Declared(NamedTuple):
    """A notice in the folder."""

    record: SignedNotice
    again: bool
    """Whether it had been signed before: you have said the same thing twice."""


def declare(
    session: Session,
    saying: Saying,
    writer: str = "",
    key: SigningKey | None = None,
    *,
    once_more: bool = False,
) -> Declared:
    """Write a notice of your seat or of `writer`, signed with that seat's key or with `key`.

    If the last notice on this subject since the last turn says the same, that notice is written
    again, with the same bytes: a command that was killed can be repeated. With `once_more`, a new
    notice is signed nevertheless, unless the last one was never reported to the user. Raises
    CliError if the notice could not count now.
    """
    from pbem.cli.failure import say
    from pbem.cli.session.seen_on_this_machine import note_sealed, note_signed

    writer = writer or session.need_seat()
    key = key or _key(session, writer)
    before = _said_already(session, saying, writer, key, once_more)
    record = before or signed_notice(session, saying, writer, key)
    if before is None:
        note_signed(session.mine, subject_of(writer, saying), record.file)
    for note in put_notice(session, record):
        say(note)
    note_sealed(session.mine, record.id)
    return Declared(record, before is not None)


def subject_of(writer: str, saying: Saying) -> str:
    """Return a word for what a notice is about: a later notice with the same word replaces it."""
    seat, phase = getattr(saying, "seat", ""), getattr(saying, "phase", "")
    return "-".join(part for part in ("notice", writer, saying.about, seat, phase) if part)


def note_told(session: Session, record: SignedNotice) -> None:
    """Remember that the user was told that this notice is signed."""
    from pbem.cli.session.seen_on_this_machine import note_reported

    subject = subject_of(record.content.writer, record.content.saying)
    note_reported(session.mine, subject, record.file)


def put_notice(session: Session, record: SignedNotice) -> list[str]:
    """Write a notice that you signed into the folder; return notes for the user.

    Anybody can work out what some notices will say, and put a different file in the place of one.
    Such a file is set aside. Raises TakenError if somebody has written the file only just now.
    """
    from pbem.play.notices.notice_files import notice_name
    from pbem.storage.errors import TakenError

    name = notice_name(record)
    try:
        session.folder.create(name, record.file)
        return []
    except TakenError:
        found = [one for one in session.listing.notices if one.name == name]
        if not found:
            raise
    aside = session.folder.set_aside(found[0])
    session.folder.create(name, record.file)
    told = f"was not that notice; it is now called {aside}, and its contents are unchanged"
    return [f"note: {name.path} had the name of your notice, but {told}"]


def _said_already(
    session: Session, saying: Saying, writer: str, key: SigningKey, once_more: bool
) -> SignedNotice | None:
    """Return the notice that says the same; None if the writer has to sign a new one.

    It is the last notice on this subject that this key signed since the last turn, in the folder or
    only in the home. A notice that cannot be taken back may also be listed already, if the command
    that signed it never reported it.
    """
    from pbem.cli.session.seen_on_this_machine import last_signed
    from pbem.play.notices.notice_files import new_notices

    standing, heads = standing_here(session)
    turn, listed = len(heads) - 1, {one.id for one in standing.listed}
    place, subject = (turn, heads[turn], writer, key.public), subject_of(writer, saying)
    found = [r for r in new_notices(session.game_folder, listed) if _place(r) == place]
    kept, reported = last_signed(session.mine, subject)
    if kept and not reported and kept.id in listed and _adds_up(saying):
        return kept if _is_same(kept.content.saying, saying) else None
    used = {record.content.number for record in found}
    if kept and _place(kept) == place and kept.content.number not in used:
        found.append(kept)  # the command was killed before it wrote the notice
    found = [r for r in found if subject_of(writer, r.content.saying) == subject]
    last = max(found, key=lambda record: record.content.number, default=None)
    if last is None or not _is_same(last.content.saying, saying):
        return None
    told = reported if kept and kept.id == last.id else True
    return None if once_more and told else last


def _place(record: SignedNotice) -> tuple[int, bytes, str, bytes]:
    """Return the turn after which a notice was written, its head, the writer and their key."""
    notice = record.content
    return notice.turn, notice.prev, notice.writer, record.signed.key


def _adds_up(saying: Saying) -> bool:
    """Return whether saying this twice would be refused, or would count twice."""
    from pbem.records.notices.sayings import Concede, Delay, Leave

    return isinstance(saying, Concede | Delay | Leave)


def _is_same(before: Saying, saying: Saying) -> bool:
    """Return whether two notices on one subject, written after the same turn, say the same.

    An absence that begins now, and the time on your clock, are typed without a time.
    """
    from pbem.cli.clock import now
    from pbem.records.notices.sayings import Away, SetClock

    if isinstance(before, Away) and isinstance(saying, Away):
        begun = 0 < before.begins <= saying.begins <= now()
        return before == saying or (begun and before.ends == saying.ends)
    if isinstance(before, SetClock) and isinstance(saying, SetClock):
        return 0 <= saying.time - before.time < HOUR
    return before == saying


def signed_notice(
    session: Session, saying: Saying, writer: str = "", key: SigningKey | None = None
) -> SignedNotice:
    """Sign a notice as `declare` does, but do not write it. Raises CliError if it cannot count."""
    from pbem.format.errors import RecordError
    from pbem.play.notices.notice_files import new_notices
    from pbem.play.notices.write_notice import make_notice, next_number
    from pbem.play.seats.listed_notices import is_recovery, numbered_with, sorted_out, why_not

    standing, heads = standing_here(session)
    writer = writer or session.need_seat()
    key = key or _key(session, writer)
    listed = {one.id for one in standing.listed}
    turn = len(heads) - 1
    waiting = new_notices(session.game_folder, listed)
    if is_recovery(standing, writer, key.public):  # it counts before what other keys signed
        waiting = [r for r in waiting if is_recovery(standing, r.content.seat, r.signed.key)]
    here = [*sorted_out(standing, waiting, heads)[0], *_written(session, listed, key.public)]
    try:
        mine = numbered_with(standing, writer, key.public)
        here = [r for r in here if numbered_with(standing, writer, r.signed.key) == mine]
        number = next_number(here, turn, writer)
        place = session.game_folder.game, turn, heads[turn]
        record = make_notice(place, writer, number, saying, key)
    except RecordError as error:
        raise CliError(error.sentence, "", error.exit) from None
    reason = why_not(_with(standing, waiting, heads), record, heads)
    if reason:
        raise CliError(f"this notice would not count: {reason}")
    return record


def declare_and_report(
    session: Session, saying: Saying, told: str, json: bool, writer: str = ""
) -> None:
    """Write a notice of your seat or of `writer`, and report it. Raises CliError as `declare`
    does."""
    report(session, declare(session, saying, writer), told, json)


def standing_here(session: Session) -> tuple[Standing, list[bytes]]:
    """Return the current standing (who has which seat and keys), and the heads of all turns.

    Raises CliError before turn 1 and after the end.
    """
    view = session.view(fresh=True)
    if not view.published:
        raise CliError("you can write notices as soon as turn 1 is here", "pbem status", NOT_YET)
    if view.over:
        raise CliError("the game is over", "pbem status", NOT_YET)
    reader = session.reading.table_reader()
    return standing_now(session), reader.heads


def votes_here(session: Session) -> dict[str, str]:
    """Return how each seat has voted to end the game, with the votes that the next turn will list.

    Raises CliError as `standing_here`.
    """
    return {**standing_soon(session).votes}


def absences_here(session: Session) -> dict[str, tuple[int, int]]:
    """Return when each announced absence begins and ends, with those that the next turn will list.

    Raises CliError as `standing_here`.
    """
    return {**standing_soon(session).calendar.absences}


def conceded_here(session: Session) -> frozenset[str]:
    """Return the seats that have conceded, including those whose notices the next turn will list.

    Raises CliError as `standing_here` does.
    """
    gone = standing_soon(session).gone
    return frozenset(seat for seat, why in gone.items() if why == "conceded")


def standing_soon(session: Session) -> Standing:
    """Return the standing after a turn that lists the notices in the folder."""
    from pbem.play.notices.notice_files import new_notices

    standing, heads = standing_here(session)
    waiting = new_notices(session.game_folder, {one.id for one in standing.listed})
    return _with(standing, waiting, heads)


def standing_now(session: Session) -> Standing:
    """Return the current standing, including which seats are idle and which joins are in the
    folder."""
    from dataclasses import replace

    from pbem.cli.clock import now
    from pbem.play.orders.absence import round_asked

    reader = session.reading.table_reader()
    asked, last = round_asked(reader.public.pending), (reader.time, reader.deadline)
    time = max(now(), reader.time)
    seen = reader.standing.seeing(reader.absence, asked, time, last, reader.asked_by)
    return replace(seen, joins=session.game_folder.joins())


def _with(standing: Standing, waiting: list[SignedNotice], heads: list[bytes]) -> Standing:
    """Return the standing as it will be once the waiting notices count."""
    from pbem.play.seats.listed_notices import after_notice, sorted_out

    good, _ = sorted_out(standing, waiting, heads)
    for record in good:
        standing = after_notice(standing, record, len(heads))
    return standing


def _written(session: Session, listed: set[bytes], key: bytes) -> list[SignedNotice]:
    """Return the notices in the folder that this key signed, and those that turns list.

    A notice that somebody else signed in this writer's name uses up no number.
    """
    from pbem.play.notices.notice_files import new_notices

    here = new_notices(session.game_folder, ())
    return [r for r in here if r.signed.key == key or r.id in listed]


def _key(session: Session, writer: str) -> SigningKey:
    from pbem.records.notices.notice_record import REFEREE

    return session.referee_key() if writer == REFEREE else session.seat_key(writer)


def report(session: Session, declared: Declared, told: str, json: bool) -> None:
    """Print which notice was written, and the next step."""
    _print_notice(session, declared, told, json)
    note_told(session, declared.record)


def _print_notice(session: Session, declared: Declared, told: str, json: bool) -> None:
    from pbem.play.notices.notice_files import notice_name

    record, again = declared
    notice = record.content
    if json:
        from pbem.cli.json_output import print_data

        data = {"about": notice.about, "from": notice.writer, "turn": notice.turn}
        data |= {"id": record.id.hex(), "path": notice_name(record).path, "again": again}
        print_data("notice", data)
        return
    from pbem.cli.session.mail_hints import mail_hint, sending_hint

    session.refresh()
    referee = clean(session.game_folder.maker().name)
    before = "already, " * again
    print(f"SIGNED here {before}as {record.id.hex()[:6]}: {told}")
    if again:
        print("nothing new was signed, because you have said the same thing before")
    if session.roles.referee:
        print("next: pbem advance")
        mail_hint(session)
    elif not sending_hint(session):
        print(
            f"the notice counts as soon as {referee} makes a turn that lists it; pbem status "
            "will show that"
        )


def lines_on_theft(session: Session, view: View) -> list[str]:
    """Return what to do if somebody else may have the key of a seat of yours: a notice in its name
    was not signed on this computer, or only its recovery key is here."""
    from pbem.play.notices.notice_files import new_notices
    from pbem.screen.tell_entries import listed

    lines, publics, roles = [], session.keyring.publics, session.roles
    own = roles.seats.keys() - roles.held
    for seat, join in session.here.roster.items() if not view.over else ():
        back = next((p for p, key in publics.items() if key == join.recovery), "")
        cure = f"pbem notice key --recovery {back}" if back else "pbem notice key"
        if seat not in own and back:
            told = f"you have the recovery key of seat {seat}, but not its key"
            lines.append(f"{told}; to take the seat back: {cure}, which counts first")
        elif seat in own and session.listing.notices:
            counted = {one.id for one in session.here.standing.listed}
            here = [
                r for r in new_notices(session.game_folder, counted) if r.signed.key == join.key
            ]
            signed = session.mine.receipts.times()
            other = [r for r in here if r.content.seat == seat and r.id.hex() not in signed]
            if other:
                names = listed(f"{r.content.about} {r.id.hex()[:6]}" for r in other)
                told = f"your key signed {names}, but not on this computer"
                lines.append(f"{told}; if it was not you, somebody has your key: {cure}")
    return lines


def waiting_lines(session: Session, view: View) -> list[str]:
    """Return a line for each notice that no turn lists yet; the line says why if the notice cannot
    count."""
    from pbem.play.notices.notice_files import new_notices
    from pbem.play.seats.listed_notices import after_notice, is_recovery, sorted_out

    if not session.listing.notices or view.preview or view.over:
        return []
    reader = session.reading.table_reader()
    listed = {one.id for one in reader.standing.listed}
    new = new_notices(session.game_folder, listed)
    standing = standing_now(session)
    good, others = sorted_out(standing, new, reader.heads)
    names = standing.names
    lines = []
    for record in good:
        notice = record.content
        first = "the notice is signed and will count from the next turn on"
        if is_recovery(standing, notice.seat, record.signed.key):
            first = "the recovery key signed a notice, which will count in the next turn before "
            first += f"all others of seat {notice.seat}"
        standing = after_notice(standing, record, len(reader.heads))
        lines.append(f"{first}: {clean(standing.listed[-1].told)}")
    for record, reason in others:
        notice = record.content
        who = clean(names.get(notice.writer, notice.writer))
        told = f"a notice of {who} ({notice.about}, {record.id.hex()[:6]}) does not count"
        lines.append(f"{told}: {clean(reason)}")
    return lines
