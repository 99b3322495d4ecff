"""Put notices into effect: which of them count for a turn, in which order, and what follows.

The referee chooses with `sorted_out` which notices a turn lists, and everybody follows with
`after_turn` what the listed ones do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from pbem.format.errors import RecordError
from pbem.play.seats.concede import ConcedeRule
from pbem.play.seats.rule import Rule
from pbem.play.seats.standing import Counted, Standing
from pbem.records.notices.notice_record import Notice
from pbem.records.read_record import Record
from pbem.records.turn import MOST_LISTED, ListedNotice, Turn

SignedNotice = Record[Notice]
FindNotice = Callable[[bytes], SignedNotice]
"""Finds the notice with this id. Raises RecordError if it is not here."""

RULES: Final[dict[str, Rule[Any]]] = {rule.saying.about: rule for rule in (ConcedeRule(),)}
"""What each kind of notice does, by its name."""


def nowhere(wanted: bytes) -> SignedNotice:
    """A FindNotice for a game without notices. Raises RecordError `parent`."""
    raise RecordError("parent", f"the notice {wanted.hex()[:6]} is not here")


def in_order(records: Iterable[SignedNotice]) -> list[SignedNotice]:
    """Notices in the order in which they count: by turn, number, seat (the referee's first), id."""
    return sorted(records, key=lambda r: (r.content.rank, r.content.seat, r.id))


def why_not(standing: Standing, record: SignedNotice, heads: Sequence[bytes]) -> str:
    """Why a notice cannot count for the turn after these heads; empty if it counts."""
    notice = record.content
    rule, said = RULES[notice.about], notice.saying
    if notice.turn >= len(heads) or notice.prev != heads[notice.turn]:
        return "it was written after a turn that is not in this game"
    if record.signed.key not in rule.signers(standing, notice, said):
        return "it is not signed with the key that counts now"
    if notice.rank <= standing.ranks.get(notice.writer, (0, 0)):
        return "a turn lists a later notice of the same writer"
    return rule.why_not(standing, notice, said)


def after_notice(standing: Standing, record: SignedNotice, turn: int) -> Standing:
    """The standing once this turn has listed a notice that counts."""
    notice = record.content
    rule, ranks = RULES[notice.about], {**standing.ranks, notice.writer: notice.rank}
    told = rule.tell(notice, notice.saying, standing.names)
    one = Counted(turn, record.id, notice.writer, notice.about, told)
    standing = replace(standing, ranks=ranks, listed=(*standing.listed, one))
    return rule.apply(standing, notice, notice.saying)


def again(standing: Standing, listed: Iterable[tuple[int, bytes]], find: FindNotice) -> Standing:
    """The standing after these notices, which turns have listed in this order.

    Raises RecordError for one that is not here.
    """
    for turn, ident in listed:
        standing = after_notice(standing, find(ident), turn)
    return standing


def sorted_out(
    standing: Standing, records: Iterable[SignedNotice], heads: Sequence[bytes]
) -> tuple[list[SignedNotice], list[tuple[SignedNotice, str]]]:
    """Of the notices that no turn lists: those that count now, and why the others do not."""
    good, others = list[SignedNotice](), list[tuple[SignedNotice, str]]()
    for record in in_order(records):
        if reason := why_not(standing, record, heads):
            others.append((record, reason))
        elif len(good) < MOST_LISTED:
            good.append(record)
            standing = after_notice(standing, record, len(heads))
    return good, others


def is_pressing(record: SignedNotice) -> bool:
    """Whether a turn is made for this notice even if nothing else happens in it."""
    return RULES[record.content.about].pressing


def row_of(record: SignedNotice) -> ListedNotice:
    """How a turn lists a notice."""
    return ListedNotice(record.id, record.content.about, record.content.seat)


def after_turn(
    standing: Standing, turn: Turn, find: FindNotice, heads: Sequence[bytes]
) -> Standing:
    """The standing after the notices that a turn lists; `heads`: those before the turn.

    Raises RecordError `rule` for a notice that cannot count, `parent` for a missing one.
    """
    if not turn.notices:
        return standing
    rows = {row.id: row for row in turn.notices}
    for record in in_order(find(wanted) for wanted in rows):
        if row_of(record) != rows[record.id]:
            raise RecordError("rule", f"{_named(record)} is listed as something else")
        if reason := why_not(standing, record, heads):
            raise RecordError("rule", f"{_named(record)} cannot count: {reason}")
        standing = after_notice(standing, record, len(heads))
    return standing


def _named(record: SignedNotice) -> str:
    return f"notices: {record.id.hex()[:6]} ({record.content.about})"


def writers(turn: Turn) -> set[str]:
    """The seats whose notices a turn lists: each gave a sign of life."""
    return {row.seat for row in turn.notices if row.seat}
