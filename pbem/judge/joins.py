"""Decide which join counts for each seat (protocol §5, *Which join counts*).

The charter gives each seat a door: a key that follows from the code in the seat's invite. A join
that this key signed is from somebody with the invite, as everybody can see. A hash of the code
would do for the referee only; the signature binds the code to the keys of the join, so copying
helps nobody. The referee follows these rules at the start, and anybody can check turn 1 with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import field, replace

from engine.values import Mutable, Value
from pbem.format.canonical import RecordError
from pbem.format.encrypted_box import box_key
from pbem.records.charter import (
    Charter,
    Join,
    check_share,
    find_shared_key,
    foreign_key_sentence,
    is_let_in,
    open_r,
    referee_key_owners,
)
from pbem.records.limits import MAX_DOOR_JOINS
from pbem.records.read_record import Record
from pbem.records.words import game_id

Joined = Record[Join]


class Claim(Value):
    """One join, and whether it can count."""

    record: Joined
    fault: RecordError | None = None
    """Why the join can never count; None if it can."""
    invited: bool = False
    """Whether the seat's door signed the keys in the join."""

    @property
    def good(self) -> bool:
        """Whether the join can count without a decision by the referee."""
        return self.invited and self.fault is None


class Seating(Mutable):
    """Who takes which seat before turn 1, and which cases the referee must decide."""

    taken: dict[str, Joined] = field(default_factory=dict)
    by_word: list[bytes] = field(default_factory=list)
    """Joins that the referee accepted without the invite, or left out although they have it."""
    contested: dict[str, list[Joined]] = field(default_factory=dict)
    """The seats that several people joined, each with the invite."""
    doubtful: list[tuple[Joined, str]] = field(default_factory=list)
    """The joins that do not count unless the referee acts, and why."""


def claim_of(charter: Record[Charter], record: Joined, audit: bytes = b"") -> Claim:
    """Find out whether a join can count, and was made with an invite; without `audit`, the X25519
    secret that `final` opens, the box `r` is not checked."""
    join, game = record.content, game_id(charter.signed.body)
    doors = charter.content.doors
    if join.seat not in doors:
        return Claim(record, RecordError("place", f"there is no seat {join.seat}"))
    try:
        check_share(charter.content, join)
        if join.commit and audit:
            open_r(box_key(audit, join.x25519, game), game, join)
    except RecordError as error:
        return Claim(record, error)
    return Claim(record, invited=is_let_in(join, doors[join.seat]))


def seat_players(
    charter: Charter,
    claims: Iterable[Claim],
    accept: Collection[str] = (),
    refuse: Collection[str] = (),
) -> Seating:
    """Choose the join that counts for each seat; `accept` and `refuse` have the first hex digits of
    joins' ids, as the referee decided.

    Of one key's good joins, the one with the smallest id counts. Between two keys only the referee
    can decide: they refuse the wrong joins, or accept the right one, which must be made with the
    invite. `by_word` must not name a join that was accepted and does not count in the end.
    """
    found, candidates, good = Seating(), dict[str, dict[bytes, Joined]](), set[bytes]()
    claims = looked_at(claims, lambda record: is_named(record, accept))
    claims = _without_copied_keys(charter, claims)
    for claim in sorted(claims, key=lambda claim: (not claim.good, claim.record.id)):
        record = claim.record
        good |= {record.id} if claim.good else set()
        if is_named(record, refuse):
            found.by_word += [record.id] if claim.good else []
        elif claim.good or (claim.fault is None and is_named(record, accept)):
            candidates.setdefault(record.content.seat, {}).setdefault(record.content.key, record)
        else:
            seat, digits = record.content.seat, record.id.hex()[:6]
            why = f"was not made with seat {seat}'s invite; --accept {digits} accepts this join "
            why = claim.fault.sentence if claim.fault else f"{why}anyway"
            found.doubtful.append((record, why))
    for seat, by_key in sorted(candidates.items()):
        joins = list(by_key.values())
        coded = [one for one in joins if one.id in good]
        if meant := joins[0] if len(joins) == 1 else accepted_join(coded, accept):
            found.taken[seat] = meant
            found.by_word += [one.id for one in coded if one is not meant]
        else:
            found.contested[seat] = joins
    _part_keys(charter, found)
    found.by_word += [one.id for one in found.taken.values() if one.id not in good]
    return found


def _without_copied_keys(charter: Charter, claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims; a good join that names a key of the referee, or one that a good join for
    another seat proves, as its recovery key has a fault, so that it contests no seat."""
    good = [claim.record.content for claim in claims if claim.good]
    found = list[Claim]()
    for claim in claims:
        seat, recovery = claim.record.content.seat, claim.record.content.recovery
        others = {k: f"seat {o.seat}" for o in good if o.seat != seat for k in (o.key, o.x25519)}
        owner = (referee_key_owners(charter) | others).get(recovery)
        fault = (
            RecordError("key", foreign_key_sentence(seat, owner)) if claim.good and owner else None
        )
        found.append(replace(claim, fault=fault) if fault else claim)
    return found


def looked_at(claims: Iterable[Claim], keep: Callable[[Joined], bool]) -> list[Claim]:
    """Return the claims without a seat's good joins beyond the first few, except those to
    `keep`."""
    claims, looked, passed = list(claims), Counter[str](), set[bytes]()
    for claim in sorted(claims, key=lambda claim: claim.record.id):
        seat = claim.record.content.seat
        if claim.good and looked[seat] >= MAX_DOOR_JOINS and not keep(claim.record):
            passed.add(claim.record.id)
        looked[seat] += claim.good
    return [claim for claim in claims if claim.record.id not in passed]


def one_of_each_person(records: Iterable[Joined], refuse: Collection[str]) -> list[Joined]:
    """Leave out refused joins and, for each key, all joins but the one with the smallest id."""
    by_key: dict[bytes, Joined] = {}
    for record in sorted(records, key=lambda record: record.id):
        if not is_named(record, refuse):
            by_key.setdefault(record.content.key, record)
    return list(by_key.values())


def accepted_join(joins: Iterable[Joined], accept: Collection[str]) -> Joined | None:
    """Return the join that the referee accepted; None if that is not exactly one."""
    accepted = [one for one in joins if is_named(one, accept)]
    return accepted[0] if len(accepted) == 1 else None


def is_named(record: Joined, digits: Collection[str]) -> bool:
    """Return whether the id of a join begins with any of these hex digits."""
    return any(record.id.hex().startswith(start) for start in digits)


def _part_keys(charter: Charter, found: Seating) -> None:
    """Leave out joins that use another person's key: a key can be in a game only once."""
    while twice := find_shared_key(charter, {s: one.content for s, one in found.taken.items()}):
        seat, sentence = twice
        record = found.taken.pop(seat)
        same = [  # the referee may refuse either
            other.id.hex()[:6]
            for other in found.taken.values()
            if other.content.key == record.content.key
        ]
        refuse = " or ".join(f"--refuse {digits}" for digits in [*same, record.id.hex()[:6]])
        found.doubtful.append((record, f"{sentence}; {refuse}"))


def shared_with(charter: Charter, record: Joined, counted: Iterable[Joined]) -> str:
    """Return whose key this join also names, so that it cannot count: `seat a`, `the referee`;
    empty if it can count, or if another join is at fault."""
    others = {o.content.seat: o.content for o in counted if o.content.seat != record.content.seat}
    twice = find_shared_key(charter, {**others, record.content.seat: record.content})
    if twice is None or twice[0] != record.content.seat:
        return ""
    mine = {record.content.key, record.content.x25519, record.content.recovery}
    twins = (s for s, join in others.items() if mine & {join.key, join.x25519})
    return next((f"seat {seat}" for seat in twins), "the referee")


def check_by_word(
    claims: Sequence[Claim], counted: Collection[bytes], said: Collection[bytes]
) -> None:
    """Raise RecordError if a join that got a seat (`counted`), or that `by_word` of turn 1 names
    (`said`), could not count. `TableReader` has compared by_word with the invites of `counted`."""
    for claim in claims:
        ident, digits = claim.record.id, claim.record.id.hex()[:6]
        seat = claim.record.content.seat
        if ident in counted and claim.fault is not None:
            told = f"joins: {digits} cannot count for seat {seat}: {claim.fault.sentence}"
            raise RecordError(claim.fault.reason, told)
        if ident in said and ident not in counted and not claim.good:
            told = f"by_word: the join {digits} of seat {seat} could not count anyway"
            raise RecordError("rule", told)


def left_out(
    claims: Iterable[Claim], counted: Collection[bytes], said: Collection[bytes]
) -> list[Joined]:
    """Return the good joins that turn 1 does not mention, and whose signers did not get the seat.

    They came too late, or the referee left them out; no record says which.
    """
    claims = looked_at(claims, lambda record: record.id in counted)
    joins = [claim.record for claim in claims if claim.record.id in counted]
    seated = {(one.content.seat, one.content.key) for one in joins}
    left = [x.record for x in claims if x.good and x.record.id not in {*counted, *said}]
    return [one for one in left if (one.content.seat, one.content.key) not in seated]
