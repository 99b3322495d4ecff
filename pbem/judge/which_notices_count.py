"""The notices of a turn: which of them count, and in which order they apply (protocol §5).

A notice that somebody cannot wait for makes a turn with an empty log. Such a turn keeps the
deadline, and orders for the turn before stay in time, so that it delays nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, cast

from pbem.format.record_error import RecordError
from pbem.judge.notice_kinds import NoticeKind
from pbem.judge.seat_holders_keys_and_agreements import Acts, AnnouncedAct, AppliedNotice, Standing
from pbem.records.notice import Notice
from pbem.records.read_and_sign_record import Record
from pbem.records.record_count_and_size_limits import MAX_LISTED_NOTICES
from pbem.records.turn import ListedNotice, Turn

SignedNotice = Record[Notice]
FindNotice = Callable[[bytes], SignedNotice]
"""Finds the notice with this id. Raises RecordError if it is not here."""


def kind_of(notice: Notice) -> NoticeKind:
    """Return the declaration of a notice, with the rule and the sentences of its kind."""
    return cast(NoticeKind, notice.saying)


def no_notice(notice_id: bytes) -> SignedNotice:
    """Find no notice, in a game without notices. Raises RecordError `parent`."""
    raise RecordError("parent", f"the notice {notice_id.hex()[:6]} is missing from this folder")


def applied_order(standing: Standing, records: Iterable[SignedNotice]) -> list[SignedNotice]:
    """Sort notices into the order in which they are applied: first notices signed with recovery
    keys, then those of seats, then the referee's; each by turn, number, seat and id."""

    def sort_key(record: SignedNotice) -> tuple[bool, bool, int, int, str, bytes]:
        notice = record.content
        has_usual_key = not is_recovery(standing, notice.seat, record.signed.key)
        return not notice.seat, has_usual_key, *notice.rank, notice.seat, record.id

    return sorted(records, key=sort_key)


def is_recovery(standing: Standing, writer: str, key: bytes) -> bool:
    """Return whether this is the recovery key of this seat."""
    join = standing.roster.get(writer)
    return join is not None and key == join.recovery


def numbered_with(standing: Standing, writer: str, key: bytes) -> str:
    """Return the name under which a notice is numbered: the writer, a deputy, or the recovery key.

    So a thief of a seat's key cannot use up the numbers of the recovery key.
    """
    if is_recovery(standing, writer, key):
        return f"{writer} recovery"
    for number, dealer in enumerate(standing.charter.dealers):
        if key == dealer.deputy_key:
            return f"deputy of dealer {number}"
    return "deputy" if key == standing.charter.deputy_key else writer


def why_not(standing: Standing, record: SignedNotice, heads: Sequence[bytes]) -> str:
    """Say why a notice cannot count for the turn after these heads; empty if it can. `heads` are
    those before turn 1 and after each turn."""
    notice = record.content
    kind = kind_of(notice)
    if standing.is_announced(record.id):  # it was good when a turn first listed it
        has_matured = record.id in {act.id for act in standing.matured_acts}
        return (
            ""
            if has_matured
            else ("this notice does not count yet, because others may still cancel it")
        )
    if notice.turn >= len(heads) or notice.prev != heads[notice.turn]:
        return "this notice was written after a turn that is not in this game"
    if kind.at_once and notice.turn < len(heads) - 1:
        return f"turn {notice.turn + 1} was made without this notice; sign the same notice again"
    if record.signed.key not in kind.signers(standing, notice):
        return kind.why_not_signed(standing, notice, record.signed.key)
    number_owner = numbered_with(standing, notice.writer, record.signed.key)
    if notice.rank <= standing.ranks.get(number_owner, (0, 0)):
        return "this notice comes too late: a turn already lists a later notice of the same writer"
    return kind.why_not(standing, notice)


def after_notice(standing: Standing, record: SignedNotice, turn: int) -> Standing:
    """Return the standing after this turn has listed a notice that counts.

    A notice may announce an act that can be cancelled: then only the announcement is noted. It is
    listed again when the act takes effect: then it is applied. Acts that the writer cancels by it,
    and announced acts about departed seats, end. Votes lapse if a present seat becomes absent.
    """
    notice, kind, present_seats = record.content, kind_of(record.content), standing.present
    was_announced = any(applied.id == record.id for applied in standing.applied_notices)
    act = None if was_announced else kind.announced_act(standing, notice)
    fields, seat = kind.event_fields(standing, notice), kind.present_seat(notice)
    if act:  # an announcement does not show that somebody is present
        fields, seat = fields | {"cancels": " ".join(act.cancels)}, ""
    number_owner = numbered_with(standing, notice.writer, record.signed.key)
    is_recovery_key = is_recovery(standing, notice.seat, record.signed.key)
    applied = AppliedNotice(
        turn, record.id, notice.writer, notice.about, seat, is_recovery_key, fields
    )
    next_standing = replace(
        standing,
        # listed again, it is not the writer's last notice any more
        ranks={**standing.ranks} | ({} if was_announced else {number_owner: notice.rank}),
        applied_notices=(*standing.applied_notices, applied),
        seats_shown_now=standing.seats_shown_now | ({seat} - {""}),
        announced_acts=tuple(a for a in standing.announced_acts if a.id != record.id or not a.id),
    )
    if act:
        act = act._replace(id=record.id, turn=turn)
        return replace(next_standing, announced_acts=(*next_standing.announced_acts, act))
    next_standing = kind.apply(next_standing, notice, turn)
    if notice.seat:
        next_standing = next_standing.cancelled(notice.seat, notice.turn, is_recovery_key)
    acts = tuple(a for a in next_standing.announced_acts if a.seat not in next_standing.departures)
    next_standing = replace(next_standing, announced_acts=acts)
    return next_standing.lapse(turn) if present_seats - next_standing.present else next_standing


def believed(standing: Standing, records: Iterable[SignedNotice], turn: int) -> Standing:
    """Return the standing after a turn has listed these notices, without a check. Notices about
    seats that nobody has are skipped."""
    for record in applied_order(standing, records):
        notice = record.content
        if {notice.seat, getattr(notice.saying, "seat", "")} - {""} <= standing.roster.keys():
            standing = after_notice(standing, record, turn)
    return standing


MAX_FORCED_TURNS: Final = 6
"""The number of turns in a round that the notices of one seat can force."""


def is_pressing(standing: Standing, next_standing: Standing) -> bool:
    """Return whether the new notices between two standings alone force a turn.

    They always do if the game ends, or if a deputy takes over. Otherwise they do if somebody gets
    new keys, if the deadline or the date changes, if an act is announced that can be cancelled, or
    if somebody leaves and either a successor is invited or no player is present: then others can
    take over the open seats. A seat can force only a few turns in each round, and its recovery key
    as many.
    """
    if next_standing.ended or next_standing.deputy_since != standing.deputy_since:
        return True
    if next_standing.replaced_dealers != standing.replaced_dealers:
        return True
    writers = {
        notice.forced_turns_key
        for notice in next_standing.applied_notices[len(standing.applied_notices) :]
    }
    if writers and all(
        standing.forced_turns_by_writer.get(writer, 0) >= MAX_FORCED_TURNS for writer in writers
    ):
        return False
    open_seats = {seat for seat, reason in next_standing.departures.items() if reason == "open"}
    left_seats = open_seats - standing.departures.keys()
    acts, next_acts = (
        {(act.id, act.result) for act in s.announced_acts} for s in (standing, next_standing)
    )
    calendar, next_calendar = (
        (s.calendar.last_delay, s.calendar.rules_changed_in, s.calendar.set_back)
        for s in (standing, next_standing)
    )
    return (
        next_standing.keys_valid_from != standing.keys_valid_from
        or bool(
            left_seats and (not next_standing.present or left_seats & next_standing.doors.keys())
        )
        or bool(next_acts - acts)
        or calendar != next_calendar
    )


MAX_SEAT_NOTICES: Final = MAX_LISTED_NOTICES - 16
"""The number of notices of seats that a turn lists at most: there is always room for the referee's.

Each seat, and each recovery key, has its share; its other notices wait for the next turn.
"""


class SortedNotices(NamedTuple):
    """The notices that no turn lists."""

    counting: list[SignedNotice]
    """The notices that count for the next turn, in order."""
    rejected: list[tuple[SignedNotice, str]]
    """The notices that cannot count, with reasons."""
    next_standing: Standing
    """The standing after a turn that lists the counting notices."""


def sort_notices(
    standing: Standing, records: Iterable[SignedNotice], heads: Sequence[bytes]
) -> SortedNotices:
    """Sort the unlisted notices into those that count for the next turn, and the rejected. Good
    notices beyond the number that a turn may list are in neither list: they wait.

    `standing` is the standing before that turn, and `heads` are those before turn 1 and after each
    turn.
    """
    counting, rejected = list[SignedNotice](), list[tuple[SignedNotice, str]]()
    counts, max_count = Counter[str](), max_listed_of_key(standing)
    for record in applied_order(standing, records):
        number_owner = numbered_with(standing, record.content.writer, record.signed.key)
        if reason := why_not(standing, record, heads):
            rejected.append((record, reason))
        elif len(counting) < MAX_LISTED_NOTICES and (
            counts[number_owner] < max_count or not record.content.seat
        ):
            counting.append(record)
            counts[number_owner] += 1
            standing = after_notice(standing, record, len(heads))
    return SortedNotices(counting, rejected, standing)


def max_listed_of_key(standing: Standing) -> int:
    """Return the number of notices of a seat that a turn lists at most, and of its recovery key."""
    return max(1, MAX_SEAT_NOTICES // (2 * len(standing.roster) or 1))


def row_of(record: SignedNotice) -> ListedNotice:
    """Return the row with which a turn lists a notice."""
    return ListedNotice(record.id, record.content.about, record.content.seat)


def after_turn(
    standing: Standing, turn: Turn, find: FindNotice, heads: Sequence[bytes], acts: Acts = ()
) -> Standing:
    """Return the standing after the notices that a turn lists.

    `standing` is the standing before them, and `heads` are the heads before the turn. `acts` are
    the orders that it lists, each as a seat and the turn that it answers. Raises RecordError `rule`
    for a notice that cannot count, or if the turn does not list a notice that takes effect now;
    `parent` for a missing one.
    """
    rows, previous_standing = {row.id: row for row in turn.notices}, standing
    for record in applied_order(standing, (find(notice_id) for notice_id in rows)):
        if row_of(record) != rows[record.id]:
            raise RecordError("rule", _wrong_row(rows[record.id], row_of(record)))
        if reason := why_not(standing, record, heads):
            if reason == kind_of(record.content).missing_file_sentence(standing):
                raise RecordError("parent", reason)
            raise RecordError("rule", f"{_notice_label(record)} breaks a rule: {reason}")
        standing = after_notice(standing, record, len(heads))
    next_standing = previous_standing  # turn 1 lists no notices, and ends no game
    if turn.turn > 1:
        next_standing = standing.with_agreed_end(len(heads), acts)
    for act in () if next_standing.ended else acts_to_relist(standing.matured_acts, acts):
        sentence = (
            f"notice {act.id.hex()[:6]} ({act.kind}) takes effect now, but the turn does not list "
            "it again"
        )
        raise RecordError("rule", sentence)
    return next_standing


def acts_to_relist(matured_acts: Iterable[AnnouncedAct], acts: Acts) -> list[AnnouncedAct]:
    """Return the matured acts that the turn must list again: those that `acts`, the signed orders
    of seats, do not cancel.

    Orders never cancel a disputed act; votes are not listed again.
    """
    noticed_acts = [act for act in matured_acts if act.id]
    return [act for act in noticed_acts if act.disputed or not act.is_cancelled_by(acts)]


def check_signer_and_contents(record: Record[Turn], standing: Standing) -> None:
    """Check the signer of a turn, and that the turn has a log or notices, or ends the game;
    `standing` includes its notices. Raises RecordError `key`, `rule`."""
    turn = record.content
    if record.signed.key != standing.referee_key:
        sentence = (
            f"turn {turn.turn} is not signed by {standing.referee_name}, who was the referee at "
            "that time"
        )
        raise RecordError("key", sentence)
    if not (turn.has_play or turn.notices or standing.ended):
        raise RecordError("rule", "nothing happens in this turn, and such turns are not allowed")


def _wrong_row(row: ListedNotice, expected_row: ListedNotice) -> str:
    """Say what is wrong in the row with which a turn lists a notice."""
    field, listed, expected = "kind", row.about, expected_row.about
    if listed == expected:
        field, listed, expected = "seat", row.seat or "none", expected_row.seat or "none"
    return (
        f"the turn lists notice {row.id.hex()[:6]} with the wrong {field}: {listed}, not {expected}"
    )


def _notice_label(record: SignedNotice) -> str:
    return f"notice {record.id.hex()[:6]} ({record.content.about})"
