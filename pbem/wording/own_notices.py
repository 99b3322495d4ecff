"""The user's own notices in words: signed, not listed yet, not theirs; and lines to send."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pbem.judge.seats_and_agreements import MIN_WAIT_SECONDS, Standing
from pbem.judge.which_notices_count import SignedNotice, SortedNotices, is_recovery
from pbem.person.keyring import DEFAULT_PROFILE
from pbem.person.session import Session
from pbem.terminal.commands_to_type import at_address, way_to
from pbem.terminal.terminal import clean, shell_quote
from pbem.text.dates import local_date
from pbem.text.numbers_and_lists import counted, join_words
from pbem.text.terminal_and_page_wording import TerminalText
from pbem.wording.notice_templates import describe_event

# ---- A notice that was signed just now

_SIGNED: Final = TerminalText("SIGNED here[[ as {digits}]]: {confirmation}")
_SIGNED_BEFORE: Final = TerminalText("SIGNED here already[[, as {digits}]]: {confirmation}")
NOTHING_NEW_SENTENCE: Final = (
    "nothing new was signed, because you have already signed the same notice"
)
_COUNTS_WHEN_LISTED: Final = TerminalText(
    "the notice takes effect when {maker} makes a turn that contains it[[; pbem status shows when]]"
)


_HOURS_LEFT: Final = "; you can then put deadlines off by {hours_left} more in all"
_HOURS_LEFT_FOR_MORE: Final = TerminalText(
    "; you can then put deadlines off by {hours_left} more in all[[; to put this deadline off "
    "again, add --again]]"
)


def hours_left_clause(hours: int, *, is_repeat: bool) -> str:
    """Return the end of the line on a delay: how much the seat may still put off."""
    return (_HOURS_LEFT_FOR_MORE if is_repeat else _HOURS_LEFT).format(
        hours_left=counted(hours, "hour")
    )


def signed_line(notice_id: bytes, confirmation: str, *, is_repeat: bool) -> str:
    """Return the line that says that a notice is signed."""
    template = _SIGNED_BEFORE if is_repeat else _SIGNED
    return template.format(digits=notice_id.hex()[:6], confirmation=confirmation)


def counts_when_listed(maker: str) -> str:
    """Say when a signed notice counts; `maker` makes the next turn."""
    return _COUNTS_WHEN_LISTED.format(maker=clean(maker))


# ---- A new key that others confirm

_SEND_TO_ALL: Final = "send this line to all other players:"
_SEND_TO_ALL_AND_REFEREE: Final = "send this line to all other players, and to the referee last:"
_COMPARE_WORDS: Final = (
    "each of them types pbem notice vouch LINE, and asks you, by phone or in person, for its "
    "twelve words; read out:"
)
_KEY_COUNTS_LATER: Final = (
    "when all of them have confirmed your new key, {hours} hours pass (more if the first "
    "deadline comes later). After that, your new key replaces the old key, unless somebody has "
    "used the old key"
)
_HOST_ACTS_LAST: Final = (
    "when all of them have confirmed your new key, the host confirms it too, and {hours} hours "
    "pass (more if the first deadline comes later). After that, your new key replaces the old "
    "key, unless somebody has used the old key"
)
_CANNOT_VOUCH: Final = "note: at present the other players cannot confirm a new key: {obstacle}"


def vouch_request_lines(line: str, words: str, *, has_host: bool) -> list[str]:
    """Return what a player who lost a key sends to the others: the `line` that they type in, with
    the `words` that they compare with the player by voice. With `has_host`, the host deals, and
    confirms the key after all others."""
    last_line = _HOST_ACTS_LAST if has_host else _KEY_COUNTS_LATER
    return [
        _SEND_TO_ALL if has_host else _SEND_TO_ALL_AND_REFEREE,
        f"  {line}",
        _COMPARE_WORDS,
        f"  {words}",
        last_line.format(hours=MIN_WAIT_SECONDS // 3600),
    ]


def cannot_vouch(obstacle: str) -> str:
    """Say why the others cannot confirm a new key now."""
    return _CANNOT_VOUCH.format(obstacle=obstacle)


_BACK_UP_REASON: Final = "with this key file and {place}, you can always continue"
BACK_UP_REASON: Final = _BACK_UP_REASON.format(place="the game folder")
_BACK_UP: Final = "BACK UP {path}: {reason}"


def back_up_key_line(session: Session, profile: str) -> str:
    """Tell the user to back up the key file of a profile."""
    reason = BACK_UP_REASON
    if session.place.is_remote:
        reason = _BACK_UP_REASON.format(place=session.place)
    return _BACK_UP.format(path=session.home.key_path(profile), reason=reason)


def back_up_reminder(session: Session, profile: str) -> list[str]:
    """Return the line on the backup of a profile's key, for somebody who begins a game; for the
    usual profile, only in the first game."""
    other_games = {*session.home.games()} - {session.game_folder.game.hex()}
    needs_backup = profile != DEFAULT_PROFILE or not other_games
    return [back_up_key_line(session, profile)] if needs_backup else []


# ---- A key that somebody else may have

_ONLY_RECOVERY_KEY: Final = (
    "you have the recovery key of seat {seat}, but not its key. To take the seat back before any "
    "other change of its keys: {command}"
)
_FOREIGN_NOTICES: Final = (
    "your key signed {notices}, but not on this computer. If you did not sign on another "
    "computer, somebody has your key: {command}"
)


def only_recovery_key(seat: str, command: str) -> str:
    """Say that only the recovery key of a seat is here; `command` takes the seat back."""
    return _ONLY_RECOVERY_KEY.format(seat=seat, command=command)


def foreign_notices(records: Iterable[SignedNotice], command: str) -> str:
    """Say that the user's key signed notices on another computer; `command` gives a new key."""
    notices = join_words(f"{record.content.about} {record.id.hex()[:6]}" for record in records)
    return _FOREIGN_NOTICES.format(notices=notices, command=command)


# ---- Notices that no turn lists yet

_WILL_COUNT: Final = "the notice is signed, and takes effect with the next turn: {event}"
_RECOVERY_COUNTS_FIRST: Final = (
    "the recovery key signed this notice, which takes effect with the next turn, before other "
    "notices of seat {seat}: {event}"
)
_DOES_NOT_COUNT: Final = TerminalText(
    "a notice of {name} ({about}[[, {digits}]]) has no effect: {reason}"
)


def unlisted_notice_lines(standing: Standing, result: SortedNotices) -> list[str]:
    """Return a line for each notice that no turn lists yet, with the reason if it cannot count.

    `standing` is the current one; `result` is how these notices were sorted.
    """
    counting, rejected, next_standing = result
    events = {applied.id: applied for applied in next_standing.applied_notices}
    lines = list[str]()
    for record in counting:
        notice = record.content
        event = clean(describe_event(notice.about, events[record.id].fields))
        counts_first = is_recovery(standing, notice.seat, record.signed.key)
        template = _RECOVERY_COUNTS_FIRST if counts_first else _WILL_COUNT
        lines.append(template.format(seat=notice.seat, event=event))
    for record, reason in rejected:
        notice = record.content
        line = _DOES_NOT_COUNT.format(
            name=clean(next_standing.names.get(notice.writer, notice.writer)),
            about=notice.about,
            digits=record.id.hex()[:6],
            reason=clean(reason),
        )
        lines.append(line)
    return lines


# ---- Open seats, and the deputy

_OPEN_SEAT: Final = TerminalText(
    "seat {seat} is open[[; to invite a new player: pbem notice invite {seat}]]"
)
_DEPUTY_MAY_ACT: Final = TerminalText(
    "you are the deputy of {referee}, and no turn has come for a long time[[; to take "
    "over: pbem advance --take-over]]"
)
_DEPUTY_WAITS: Final = (
    "you are the deputy of {referee}; if no turn comes, you can take over after {date}"
)


def open_seat_line(seat: str) -> str:
    """Return a line for the referee about an open seat."""
    return _OPEN_SEAT.format(seat=seat)


def deputy_line(referee: str, takeover_at: int, now: int) -> str:
    """Return a line for the deputy on when they may take over."""
    template = _DEPUTY_MAY_ACT if now >= takeover_at else _DEPUTY_WAITS
    return template.format(referee=clean(referee), date=local_date(takeover_at))


# ---- An invite for the next player of an open seat

_INVITE_FOR_SAME_PLAYER: Final = (
    "send this invite privately to {name}, who has answered by plain email so far:"
)
_INVITE_FOR_NEW_PLAYER: Final = (
    "send this invite privately to the new player in seat {seat}, which {name} had:"
)
_SEND_GAME: Final = "if the player has no shared folder, send the game as well: {command}"


def invite_heading(seat: str, name: str, *, was_by_mail: bool) -> str:
    """Return the line above the invite for the next player of a seat, which `name` had."""
    template = _INVITE_FOR_SAME_PLAYER if was_by_mail else _INVITE_FOR_NEW_PLAYER
    return template.format(seat=seat, name=clean(name))


def next_player_lines(session: Session, standing: Standing, seat: str, invite: str) -> list[str]:
    """Return the command with the invite for the next player of a seat, and the command that
    sends this player the game."""
    place, was_by_mail = session.place, seat in standing.by_mail
    command = f"pbem join{way_to(place).option}"
    name = shell_quote(clean(standing.names[seat])) if was_by_mail else "NAME"
    return [
        invite_heading(seat, standing.names[seat], was_by_mail=was_by_mail),
        f"  {command} --name {name} --invite {invite}",
        _SEND_GAME.format(command=at_address(place, f"pbem send --all --to {seat}")),
    ]
