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

from engine.value_classes import Mutable, Value
from pbem.format.encrypted_box import box_key
from pbem.format.record_error import RecordError
from pbem.judge.seat_curve_points import check_seat_point
from pbem.records.charter import Charter, charter_key_owners
from pbem.records.game_id_and_chain_heads import game_id
from pbem.records.join import (
    Join,
    check_share,
    find_shared_key,
    foreign_key_sentence,
    is_let_in,
    open_r,
)
from pbem.records.read_and_sign_record import Record
from pbem.records.record_count_and_size_limits import MAX_DOOR_JOINS
from pbem.text.terminal_and_page_wording import TerminalText, to_type

Joined = Record[Join]


class Claim(Value):
    """One join, and whether it can count."""

    record: Joined
    fault: RecordError | None = None
    """The reason why the join can never count; None if there is none."""
    is_invited: bool = False
    """Whether the seat's door signed the keys in the join."""

    @property
    def is_good(self) -> bool:
        """Whether the join can count without a decision by the referee."""
        return self.is_invited and self.fault is None


class Seating(Mutable):
    """The joins that get seats before turn 1, and the cases that the referee must decide."""

    seated_joins: dict[str, Joined] = field(default_factory=dict)
    """For each seat that gets a player: the join."""
    by_word: list[bytes] = field(default_factory=list)
    """The ids of joins that the referee accepted without the invite, or left out in spite of it."""
    contested: dict[str, list[Joined]] = field(default_factory=dict)
    """The seats that several people joined, each with the invite."""
    doubtful: list[tuple[Joined, str]] = field(default_factory=list)
    """The joins that do not count unless the referee acts, each with a clause that says why."""


def claim_of(charter: Record[Charter], record: Joined, audit: bytes = b"") -> Claim:
    """Return the claim of a join: its fault, and whether it was made with its seat's invite.

    `audit` is the X25519 secret that `final` opens: with it, the box `r` with the join's share of
    the seed is opened and checked too.
    """
    join, game = record.content, game_id(charter.signed.body)
    doors = charter.content.doors
    if join.seat not in doors:
        return Claim(record, RecordError("place", f"there is no seat {join.seat}"))
    try:
        check_share(charter.content, join)
        keys = join.seat_point, join.point_proof
        check_seat_point(charter.content, game, join.seat, *keys)
        if join.commit and audit:  # held seats have no share, so they commit to none
            open_r(box_key(audit, join.x25519, game), game, join)
    except RecordError as error:
        return Claim(record, error)
    return Claim(record, is_invited=is_let_in(join, doors[join.seat]))


def seat_players(
    charter: Charter,
    claims: Iterable[Claim],
    accept: Collection[str] = (),
    refuse: Collection[str] = (),
) -> Seating:
    """Choose the join that counts for each seat; `accept` and `refuse` have the first hex digits of
    joins' ids, as the referee decided.

    Of one key's joins for a seat, good ones count before those that the referee accepts without the
    invite; of equal ones, the one with the smallest id counts. Between two keys only the referee
    can decide: they refuse the wrong joins, or accept the right one, which must be made with the
    invite. `by_word` must not name a join that was accepted and does not count in the end.
    """
    seating, good_ids = Seating(), set[bytes]()
    candidates = dict[str, dict[bytes, Joined]]()  # by seat, then by signing key
    claims = examined_claims(claims, lambda record: is_named(record, accept))
    claims = _without_copied_keys(charter, claims)
    for claim in sorted(claims, key=lambda claim: (not claim.is_good, claim.record.id)):
        record = claim.record
        good_ids |= {record.id} if claim.is_good else set()
        if is_named(record, refuse):
            seating.by_word += [record.id] if claim.is_good else []
        elif claim.is_good or (claim.fault is None and is_named(record, accept)):
            candidates.setdefault(record.content.seat, {}).setdefault(record.content.key, record)
        else:
            seat, short_id = record.content.seat, record.id.hex()[:6]
            reason = (
                claim.fault.sentence
                if claim.fault
                else TerminalText(
                    "this join was made without the invite of seat {seat}[[; to let the player in "
                    "anyway: pbem advance --accept {short_id}]]"
                ).format(seat=seat, short_id=short_id)
            )
            seating.doubtful.append((record, reason))
    for seat, by_key in sorted(candidates.items()):
        joins = list(by_key.values())
        invited_joins = [join for join in joins if join.id in good_ids]
        if chosen_join := joins[0] if len(joins) == 1 else accepted_join(invited_joins, accept):
            seating.seated_joins[seat] = chosen_join
            seating.by_word += [join.id for join in invited_joins if join is not chosen_join]
        else:
            seating.contested[seat] = joins
    _part_keys(charter, seating)
    seating.by_word += [
        join.id for join in seating.seated_joins.values() if join.id not in good_ids
    ]
    return seating


def _without_copied_keys(charter: Charter, claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims, with a fault for each good join whose recovery key belongs to the referee
    or to a good join for another seat: such a join contests no seat."""
    good_joins = [claim.record.content for claim in claims if claim.is_good]
    checked_claims = list[Claim]()
    for claim in claims:
        seat, recovery = claim.record.content.seat, claim.record.content.recovery
        other_joins = [join for join in good_joins if join.seat != seat]
        other_owners = {k: f"seat {j.seat}" for j in other_joins for k in (j.key, j.x25519)}
        owner = (charter_key_owners(charter) | other_owners).get(recovery)
        fault = (
            RecordError("key", foreign_key_sentence(seat, owner))
            if claim.is_good and owner
            else None
        )
        checked_claims.append(replace(claim, fault=fault) if fault else claim)
    return checked_claims


def examined_claims(claims: Iterable[Claim], keep: Callable[[Joined], bool]) -> list[Claim]:
    """Return the claims without a seat's good joins beyond the first `MAX_DOOR_JOINS`; joins to
    `keep` always stay."""
    claims, good_counts, excluded_ids = list(claims), Counter[str](), set[bytes]()
    # the ids decide which are the first, so that everybody who checks turn 1 keeps the same
    for claim in sorted(claims, key=lambda claim: claim.record.id):
        seat = claim.record.content.seat
        if claim.is_good and good_counts[seat] >= MAX_DOOR_JOINS and not keep(claim.record):
            excluded_ids.add(claim.record.id)
        good_counts[seat] += claim.is_good
    return [claim for claim in claims if claim.record.id not in excluded_ids]


def one_of_each_person(records: Iterable[Joined], refuse: Collection[str]) -> list[Joined]:
    """Leave out refused joins and, for each key, all joins but the one with the smallest id."""
    by_key: dict[bytes, Joined] = {}
    for record in sorted(records, key=lambda record: record.id):
        if not is_named(record, refuse):
            by_key.setdefault(record.content.key, record)
    return list(by_key.values())


def accepted_join(joins: Iterable[Joined], accept: Collection[str]) -> Joined | None:
    """Return the join that the referee accepted; None unless it is exactly one."""
    accepted = [join for join in joins if is_named(join, accept)]
    return accepted[0] if len(accepted) == 1 else None


def is_named(record: Joined, id_prefixes: Collection[str]) -> bool:
    """Return whether the id of a join begins with any of these hex digits."""
    return any(record.id.hex().startswith(prefix) for prefix in id_prefixes)


def _part_keys(charter: Charter, seating: Seating) -> None:
    """Make seated joins doubtful that use another person's key: a key can be in a game only once.
    The reason names the options that settle the case."""
    while twice := find_shared_key(
        charter, {s: join.content for s, join in seating.seated_joins.items()}
    ):
        seat, sentence = twice
        record = seating.seated_joins.pop(seat)
        short_ids = [  # of two joins with the same signing key, the referee may refuse either
            join.id.hex()[:6]
            for join in seating.seated_joins.values()
            if join.content.key == record.content.key
        ]
        digits = (*short_ids, record.id.hex()[:6])
        options = to_type(f"; {' or '.join(f'--refuse {x}' for x in digits)}")
        seating.doubtful.append((record, sentence + options))


def shared_key_owner(charter: Charter, record: Joined, seated_joins: Iterable[Joined]) -> str:
    """Return the owner of a key that a join shares, `seat a` or `the referee`: the join then cannot
    count beside the `seated_joins` of other seats. Empty if the join can count, or if another join
    is at fault."""
    other_joins = {join.content.seat: join.content for join in seated_joins}
    other_joins.pop(record.content.seat, None)
    twice = find_shared_key(charter, {**other_joins, record.content.seat: record.content})
    if twice is None or twice[0] != record.content.seat:
        return ""
    owner_by_key = charter_key_owners(charter)
    for seat, join in other_joins.items():
        owner_by_key |= dict.fromkeys((join.key, join.x25519), f"seat {seat}")
    own_keys = record.content.key, record.content.x25519, record.content.recovery
    return next((owner_by_key[key] for key in own_keys if key in owner_by_key), "")


def check_by_word(
    claims: Sequence[Claim], seated_ids: Collection[bytes], by_word_ids: Collection[bytes]
) -> None:
    """Raise RecordError if turn 1 gives a seat to a join with a fault (with the fault's reason), or
    names in `by_word` a join without a seat that could not count anyway (`rule`).

    `claims` are those of all joins that are here. Whether `by_word` fits the invites of the seated
    joins is not checked here: `PublicReader` has done so.
    """
    for claim in claims:
        join_id, short_id = claim.record.id, claim.record.id.hex()[:6]
        seat = claim.record.content.seat
        if join_id in seated_ids and claim.fault is not None:
            sentence = (
                f"the turn gives seat {seat} to the join {short_id}, which cannot have "
                f"the seat: {claim.fault.sentence}"
            )
            raise RecordError(claim.fault.reason, sentence)
        if join_id in by_word_ids and join_id not in seated_ids and not claim.is_good:
            sentence = (
                f"the turn says that the referee decided against the join {short_id}, but "
                f"without a decision that join would not get seat {seat} either"
            )
            raise RecordError("rule", sentence)


def unmentioned_joins(
    claims: Iterable[Claim], seated_ids: Collection[bytes], by_word_ids: Collection[bytes]
) -> list[Joined]:
    """Return the good joins that turn 1 names neither in `joins` nor in `by_word`.

    Each came too late, or the referee left it out; no record says which. Other joins of a seated
    player (with the same key, for the same seat) are not returned.
    """
    claims = examined_claims(claims, lambda record: record.id in seated_ids)
    seated_joins = [claim.record for claim in claims if claim.record.id in seated_ids]
    seated_keys = {(join.content.seat, join.content.key) for join in seated_joins}
    mentioned_ids = {*seated_ids, *by_word_ids}
    joins = [claim.record for claim in claims if claim.is_good]
    joins = [join for join in joins if join.id not in mentioned_ids]
    return [join for join in joins if (join.content.seat, join.content.key) not in seated_keys]
