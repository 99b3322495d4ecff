"""Facts about a record that may come into a game (protocol §5).

Mail asks whether a record may count here, now or later (`pbem/mail/record_filing.py`). A host asks
whether it may enter a shared place now (`pbem/host/record_gate.py`). The readers of a folder ask
which of many files to read (`unlisted_notices.py`, `read_and_make_messages.py`). The audit asks
what a record was (`unused_files_audit.py`). Each has rules of its own, and these facts are the same
for all. `tests/admission/scenes.toml` has their answers.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from typing import Final, Literal

from pbem.format.record_error import RecordError
from pbem.judge.notice_kinds import NewKey, Vouch
from pbem.judge.read_and_make_messages import keys_after, seating_with
from pbem.judge.record_chain import Chain
from pbem.judge.records_of_game_folder import Archive
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.judge.unlisted_notices import read_notice_files, unlisted_notices
from pbem.judge.which_notices_count import sort_notices
from pbem.records.deal_record import Deal
from pbem.records.final_record import FinalRecord
from pbem.records.join import Join, is_let_in
from pbem.records.orders import Orders
from pbem.records.press_message import REFEREE
from pbem.records.read_and_sign_record import Content, Record
from pbem.records.turn import Turn

Fit = Literal["fits", "ahead", "fork"]
"""Whether a record builds on a turn that is here. `ahead`: the turn is not here yet; `fork`:
another turn has its place."""
Signer = Literal[
    "now",
    "recovery",
    "then",
    "replaced",
    "joined",
    "named",
    "taking over",
    "referee",
    "dealer",
    "anybody",
]
"""A group of keys, one of which may have signed a record; `_KEYS` computes each."""


class Relation:
    """One signed record beside the records of its game that are here.

    Each fact is looked up when a caller asks for it, because some need all notices to be read.
    """

    def __init__(self, archive: Archive, chain: Chain, record: Record[Content]) -> None:
        """`chain` is what the turns in the archive say."""
        self.archive, self.chain, self.record = archive, chain, record
        self.content, self.seat = record.content, record.content.seat

    # -------------------------------------------------------------- its place in the chain
    @property
    def place(self) -> int:
        """The number of the turn on which the record builds: its place in the chain."""
        content = self.content
        if isinstance(content, Orders):
            return self.chain.charter.turn_built_on(content.seat, content.turn)
        return content.turn - isinstance(content, Turn | FinalRecord)

    @property
    def fit(self) -> Fit:
        """Whether the record builds on a turn that is here."""
        if self.place > self.chain.turn:
            return "ahead"
        return "fits" if self.content.prev == self.chain.heads[self.place] else "fork"

    @cached_property
    def is_listed(self) -> bool:
        """Whether a turn names the record."""
        ident, chain = self.record.id, self.chain
        if isinstance(self.content, Join):
            later_ids = (notice.join for _, notice in self.archive.take_ins())
            return ident in {*chain.join_ids.values(), *later_ids}
        return any(
            ident in listed_ids
            for listed_ids in (chain.listed_orders, chain.listed_notices, chain.listed_deals)
        )

    # -------------------------------------------------------------- its seat
    @property
    def has_player(self) -> bool:
        """Whether somebody has, or before turn 1 may get, the seat in whose name it is."""
        return not (self.seat and self.chain.turn) or self.seat in self.chain.join_ids

    @property
    def lacks_join(self) -> bool:
        """Whether the join that gives the record's seat its first player is not here yet."""
        if self.chain.turn:
            return self.seat in self.chain.join_ids.keys() - self.chain.standing.roster.keys()
        return bool(self.seat) and not self.joins

    @property
    def joins(self) -> list[Join]:
        """The joins of the record's seat that are here."""
        joins = (record.content for record in self.archive.joins().values())
        return [join for join in joins if join.seat == self.seat]

    @property
    def is_open(self) -> bool:
        """Whether somebody new may take the seat, now or once a turn lists the notices that are
        here."""
        return any(standing.is_open(self.seat) for standing in self._standings)

    @property
    def door(self) -> bytes:
        """The key of the door by which a join came to its seat: before turn 1 the charter's, later
        the present one, or the one after the unlisted notices; empty if the join was made with
        none of these, and for other records."""
        join, chain = self.content, self.chain
        doors = [chain.charter.doors] if not chain.turn else [x.doors for x in self._standings]
        keys = (by_seat.get(self.seat, b"") for by_seat in doors)
        return next((key for key in keys if isinstance(join, Join) and is_let_in(join, key)), b"")

    @cached_property
    def _standings(self) -> tuple[Standing, Standing]:
        """The standing now, and once a turn lists the notices that are here."""
        chain = self.chain
        standing = chain.standing_at(chain.time, self.archive.joins())
        notices = unlisted_notices(self.archive, chain.listed_notices)
        if chain.charter.dealers:  # new keys open no seat, and a host may be unable to check them
            notices = [record for record in notices if record.content.about not in ("key", "vouch")]
        return standing, sort_notices(standing, notices, chain.heads).next_standing

    # -------------------------------------------------------------- its key
    def is_signed_by(self, *signers: Signer) -> bool:
        """Return whether the record's key is one of these; they are asked in this order."""
        return any(self.record.signed.key in _KEYS[signer](self) for signer in signers)

    @property
    def seat_of_key(self) -> str:
        """The seat that signs with the record's key, or once did; may be empty."""
        return self.chain.standing.seats_of_keys().get(self.record.signed.key, "")


def _present_keys(relation: Relation) -> Collection[bytes]:
    """The key of the person who has the record's seat now, or if it has none, who makes turns now;
    before turn 1, the keys of the seat's joins. For a deal, the key of its dealer now."""
    if isinstance(relation.content, Deal):
        return relation.chain.standing.dealer_keys[relation.content.dealer :][:1]
    if not relation.seat:
        return {relation.archive.maker().key}
    if not relation.chain.turn:
        return {join.key for join in relation.joins}
    return {relation.chain.standing.signer(relation.seat)}


def _recovery_keys(relation: Relation) -> Collection[bytes]:
    """The recovery key of who sits there now."""
    join = relation.chain.standing.roster.get(relation.seat)
    return {join.recovery} if join else ()


def _keys_at_that_turn(relation: Relation) -> Collection[bytes]:
    """The key that counted after the turn that the record names."""
    keys = seating_with(relation.chain.standing).get(relation.seat or REFEREE)
    return {keys_after(keys, relation.content.turn).signing} if keys else ()


def _replaced_keys(relation: Relation) -> Collection[bytes]:
    """The former keys of the seat that were replaced before the next turn after the record."""
    former = relation.chain.standing.former_keys.get(relation.seat, ())
    return {keys.signing for keys in former if relation.content.turn + 1 >= keys.valid_until}


def _keys_of_joins(relation: Relation) -> Collection[bytes]:
    """The keys of the seat's joins; only that of its first player, if no notice can have given the
    seat to somebody else."""
    if not relation.chain.turn or relation.archive.listing.notices:
        return {join.key for join in relation.joins}
    first_join = relation.archive.joins().get(relation.chain.join_ids.get(relation.seat, b""))
    return {first_join.content.key} if first_join else ()


def _keys_in_notices(relation: Relation) -> Collection[bytes]:
    """The keys that notices, listed or new, name for the seat."""
    return named_keys(relation.archive, relation.chain.listed_notices, relation.seat)


def _key_taking_over(relation: Relation) -> Collection[bytes]:
    """The deputy's key, if the record is the turn that makes the deputy the referee."""
    content, signed = relation.content, relation.record.signed
    is_right = isinstance(content, Turn) and relation.archive.deputy_turns.takes_over(
        Record(signed, content)
    )
    return {signed.key} if is_right else ()


def _referee_keys(relation: Relation) -> Collection[bytes]:
    """The keys of the referee and the deputy, whoever of them makes turns now."""
    return relation.archive.charter.content.referee_keys


def _keys_of_dealer(relation: Relation) -> Collection[bytes]:
    """The keys of the dealer whose deal it is and of its deputy, whoever of them deals now."""
    content, dealers = relation.content, relation.chain.charter.dealers
    named = dealers[content.dealer :][:1] if isinstance(content, Deal) else []
    return {key for dealer in named for key in dealer.signing_keys}


def _keys_of_anybody(relation: Relation) -> Collection[bytes]:
    """The keys, recovery keys among them, that the charter, a join or a notice names."""
    return read_notice_files(relation.archive, relation.chain.listed_notices).keys


_KEYS: Final[Mapping[Signer, Callable[[Relation], Iterable[bytes]]]] = {
    "now": _present_keys,
    "recovery": _recovery_keys,
    "then": _keys_at_that_turn,
    "replaced": _replaced_keys,
    "joined": _keys_of_joins,
    "named": _keys_in_notices,
    "taking over": _key_taking_over,
    "referee": _referee_keys,
    "dealer": _keys_of_dealer,
    "anybody": _keys_of_anybody,
}


def named_keys(archive: Archive, listed_ids: Iterable[bytes], seat: str) -> set[bytes]:
    """Return the new keys that notices name for a seat. `listed_ids` are the ids of the notices
    that turns list; the others here count too, whoever signed them."""
    # the notices that are here, at most a few of each writer; listed ones count in any case
    keys, records = set[bytes](), unlisted_notices(archive, ())
    for ident in listed_ids:
        with contextlib.suppress(RecordError):
            records.append(archive.find_notice(ident))
    for record in records:
        saying = record.content.saying
        if isinstance(saying, NewKey) and record.content.seat == seat:
            keys.add(saying.key)
        if isinstance(saying, Vouch) and saying.seat == seat:
            keys.add(saying.key)
    return keys


def keys_of_people(archive: Archive, chain: Chain) -> set[bytes]:
    """Return the signing keys of everybody who has a seat or had one, and of the referee, the
    co-dealers and their deputies; before turn 1, of everybody who joined with an invite. Nobody
    else gets room for files that wait."""
    if chain.turn:
        people = seating_with(chain.standing).values()
        keys = {pair.signing for pairs in people for pair in pairs}
    else:
        joins = (record.content for record in archive.joins().values())
        doors = chain.charter.doors
        keys = {join.key for join in joins if is_let_in(join, doors.get(join.seat, b""))}
    dealer_keys = (key for dealer in chain.charter.dealers for key in dealer.signing_keys)
    return keys | {*chain.charter.referee_keys, *dealer_keys}
