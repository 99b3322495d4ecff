"""Sign a notice for the game in the folder, write it there, and say what happens next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import NOT_YET, CliError
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.format.keys import SigningKey
    from pbem.play.seats.listed_notices import SignedNotice
    from pbem.play.seats.standing import Standing
    from pbem.play.view import View
    from pbem.records.notices.sayings import Saying


def declare(
    session: Session, saying: Saying, writer: str = "", key: SigningKey | None = None
) -> SignedNotice:
    """Write a notice of your seat or of `writer`, signed with that seat's key or with `key`.

    Somebody who vouches for the same keys again gets the notice that is here already. Raises
    CliError if the notice could not count now.
    """
    from pbem.cli.failure import say
    from pbem.cli.session.seen_on_this_machine import note_sealed

    if (again := _vouched(session, saying, writer)) is not None:
        return again
    record = signed_notice(session, saying, writer, key)
    for note in put_notice(session, record):
        say(note)
    note_sealed(session.mine, record.id)
    return record


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


def _vouched(session: Session, saying: Saying, writer: str) -> SignedNotice | None:
    """Return the notice in the folder with which the writer already vouched for the same keys."""
    from pbem.play.notices.notice_files import new_notices
    from pbem.records.notices.sayings import Vouch

    if not isinstance(saying, Vouch):
        return None
    standing, _ = standing_here(session)
    waiting = new_notices(session.game_folder, {one.id for one in standing.listed})
    who = writer or session.need_seat()
    key = _key(session, who).public  # somebody else may have forged a notice in this name
    mine = (one for one in waiting if (one.content.writer, one.signed.key) == (who, key))
    return next((one for one in mine if one.content.saying == saying), None)


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


def report(session: Session, record: SignedNotice, told: str, json: bool) -> None:
    """Print which notice was written, and the next step."""
    from pbem.play.notices.notice_files import notice_name

    notice = record.content
    if json:
        from pbem.cli.json_output import print_data

        data = {"about": notice.about, "from": notice.writer, "turn": notice.turn}
        data |= {"id": record.id.hex(), "path": notice_name(record).path}
        print_data("notice", data)
        return
    from pbem.cli.session.mail_hints import mail_hint, sending_hint

    session.refresh()
    referee = clean(session.game_folder.maker().name)
    print(f"SIGNED here as {record.id.hex()[:6]}: {told}")
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
    from pbem.play.seats.listed_notices import RULES, is_recovery, sorted_out

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
        told = RULES[notice.about].told(standing, notice, notice.saying)
        first = "the notice is signed and will count from the next turn on"
        if is_recovery(standing, notice.seat, record.signed.key):
            first = "the recovery key signed a notice, which will count in the next turn before "
            first += f"all others of seat {notice.seat}"
        lines.append(f"{first}: {clean(told)}")
    for record, reason in others:
        notice = record.content
        who = clean(names.get(notice.writer, notice.writer))
        told = f"a notice of {who} ({notice.about}, {record.id.hex()[:6]}) does not count"
        lines.append(f"{told}: {clean(reason)}")
    return lines
