"""Which join counts: all combinations of code, fault and the referee's word, without secrets."""

from dataclasses import replace

import pytest

from pbem.format.keys import SigningKey
from pbem.format.record_error import RecordError
from pbem.judge.joins import (
    Claim,
    check_by_word,
    claim_of,
    seat_players,
    shared_key_owner,
    unmentioned_joins,
)
from pbem.records.join import Join
from pbem.records.read_and_sign_record import Record, make
from tests.kit.record_files import resigned
from tests.kit.sample_records import invited_claim, sample, seat_plan, short_id

G = sample()
PLANS = tuple(seat_plan(seat, seat.upper()) for seat in "abc")
CHARTER = replace(G.charter.content, seats=PLANS, plays=())
KEYS = {name: SigningKey(bytes([n]) * 32) for n, name in enumerate("uvwxyz", 60)}


def numbered_join_for(seat: str, who: str, n: int = 0, **changes) -> Record[Join]:
    """A join of this person for this seat, the n-th."""
    key = KEYS[who]
    content = replace(G.join_b.content, seat=seat, key=key.public, name=f"{who}{n}", recovery=b"")
    content = replace(content, **{"x25519": bytes([ord(who)]) * 32, **changes})
    return make(content, key)


FAULT = RecordError("box", "does not open")


def seats_in_any_order(*claims: Claim, accept=(), refuse=()):
    """Who sits where, by word, contested, doubtful; whatever the order of the claims."""
    found = [
        seat_players(CHARTER, some, accept, refuse) for some in (claims, claims[::-1])
    ]  # fmt: skip
    assert found[0] == found[1]
    one = found[0]
    return one.seated_joins, one.by_word, one.contested, one.doubtful


B = numbered_join_for("b", "u")
OTHER = numbered_join_for("b", "v")


def test_a_join_with_the_code_counts():
    assert seats_in_any_order(invited_claim(B)) == ({"b": B}, [], {}, [])
    assert invited_claim(B).is_good
    assert not Claim(B).is_good
    assert not Claim(B, FAULT, is_invited=True).is_good


def test_a_join_without_it_counts_by_word_alone():
    told = (
        f"this join was made without the invite of seat b; to let the player in anyway: pbem "
        f"advance --accept {short_id(B)}"
    )
    assert seats_in_any_order(Claim(B)) == ({}, [], {}, [(B, told)])
    assert seats_in_any_order(Claim(B), accept=[short_id(B)]) == ({"b": B}, [B.id], {}, [])
    assert seats_in_any_order(Claim(B), accept=[short_id(OTHER)])[0] == {}
    assert seats_in_any_order(Claim(B), accept=[short_id(B)], refuse=[short_id(B)]) == (
        {},
        [],
        {},
        [],
    )


def test_a_join_with_a_fault_never_counts():
    for code in (False, True):
        told = [(B, "does not open")]
        assert seats_in_any_order(Claim(B, FAULT, is_invited=code)) == ({}, [], {}, told)
        assert seats_in_any_order(Claim(B, FAULT, is_invited=code), accept=[short_id(B)]) == (
            {},
            [],
            {},
            told,
        )
        assert seats_in_any_order(Claim(B, FAULT, is_invited=code), refuse=[short_id(B)]) == (
            {},
            [],
            {},
            [],
        )


def test_a_refused_join_stands_in_turn_1_only_if_it_had_the_code():
    assert seats_in_any_order(invited_claim(B), refuse=[short_id(B)]) == ({}, [B.id], {}, [])
    assert seats_in_any_order(invited_claim(B), refuse=[short_id(OTHER)])[0] == {"b": B}
    assert seats_in_any_order(invited_claim(B), refuse=["", "x"])[1] == [B.id], (
        "every id begins with nothing"
    )


def test_of_several_joins_of_one_key_the_smallest_id_counts():
    some = sorted((numbered_join_for("b", "u", n) for n in range(4)), key=lambda record: record.id)
    assert seats_in_any_order(*map(invited_claim, some)) == ({"b": some[0]}, [], {}, [])
    last = [*map(Claim, some[:-1]), invited_claim(some[-1])]
    assert seats_in_any_order(*last)[0] == {"b": some[-1]}, "one with the code before all others"
    assert seats_in_any_order(*last, accept=[short_id(some[0])])[:2] == ({"b": some[-1]}, [])


def test_two_people_in_one_seat_are_told_apart_by_word_alone():
    both = sorted((B, OTHER), key=lambda record: record.id)
    assert seats_in_any_order(invited_claim(B), invited_claim(OTHER)) == ({}, [], {"b": both}, [])
    assert seats_in_any_order(invited_claim(B), invited_claim(OTHER), refuse=[short_id(OTHER)])[
        :3
    ] == ({"b": B}, [OTHER.id], {})
    assert seats_in_any_order(invited_claim(B), invited_claim(OTHER), accept=[short_id(B)])[:3] == (
        {"b": B},
        [OTHER.id],
        {},
    )
    again = seats_in_any_order(
        invited_claim(B), invited_claim(OTHER), accept=[short_id(B), short_id(OTHER)]
    )
    assert again[:3] == ({}, [], {"b": both})
    mixed = seats_in_any_order(invited_claim(B), Claim(OTHER), accept=[short_id(OTHER)])
    assert mixed[:3] == ({}, [], {"b": [B, OTHER]}), "the right one must have the code"
    right = seats_in_any_order(
        invited_claim(B), Claim(OTHER), accept=[short_id(OTHER), short_id(B)]
    )
    assert right[:3] == ({"b": B}, [], {}), "nobody without the code is left out by word"


def test_seats_are_settled_one_by_one():
    one, two = numbered_join_for("a", "w"), numbered_join_for("c", "x")
    assert seats_in_any_order(invited_claim(two), invited_claim(B), invited_claim(one))[0] == {
        "a": one,
        "b": B,
        "c": two,
    }
    assert list(
        seats_in_any_order(invited_claim(two), invited_claim(B), invited_claim(one))[0]
    ) == ["a", "b", "c"]


def test_a_key_is_in_a_game_once():
    one, two = (
        numbered_join_for("a", "u", x25519=bytes([1]) * 32),
        numbered_join_for("c", "u", 2, x25519=bytes([2]) * 32),
    )
    taken, by_word, _, doubtful = seats_in_any_order(invited_claim(one), invited_claim(two))
    assert (taken, by_word) == ({"a": one}, [])
    told = "seat c uses a key of seat a; each person needs keys of their own"
    assert doubtful == [(two, f"{told}; --refuse {short_id(one)} or --refuse {short_id(two)}")]
    theirs = numbered_join_for("a", "w", recovery=G.ann.public)
    told = "seat a uses a key of the referee; each person needs keys of their own"
    assert seats_in_any_order(invited_claim(theirs), invited_claim(B))[3] == [(theirs, told)]
    both = bytes([6]) * 32  # a key for either use
    twice = numbered_join_for("a", "w", x25519=both, recovery=both)
    told = (
        "seat a uses one key for two purposes; each purpose needs a key of its own; --refuse "
        f"{short_id(twice)}"
    )
    assert seats_in_any_order(invited_claim(twice), invited_claim(B))[3] == [(twice, told)]
    recovery = KEYS["z"].public
    one, two = (
        numbered_join_for("a", "w", recovery=recovery),
        numbered_join_for("c", "x", recovery=recovery),
    )
    assert seats_in_any_order(invited_claim(one), invited_claim(two))[0] == {"a": one, "c": two}, (
        "nobody could tell who copied"
    )
    copied, again = (
        numbered_join_for("c", "x", recovery=one.content.key),
        numbered_join_for("c", "y"),
    )
    found = seats_in_any_order(invited_claim(one), invited_claim(copied), invited_claim(again))
    assert (found[0], found[2]) == ({"a": one, "c": again}, {}), "it contests no seat"
    assert seats_in_any_order(invited_claim(one), invited_claim(copied), accept=[short_id(copied)])[
        0
    ] == {"a": one}
    one, two = numbered_join_for("a", "u"), numbered_join_for("c", "u", 2, x25519=bytes([2]) * 32)
    word = seats_in_any_order(Claim(one), Claim(two), accept=[short_id(one), short_id(two)])
    assert word[1] == [one.id], "a join that does not count in the end is in no word"


# ------------------------------------------------------------------ after the game
def rule(*args) -> tuple[str, str]:
    with pytest.raises(RecordError) as caught:
        check_by_word(*args)
    return caught.value.reason, caught.value.sentence


def test_turn_1_names_by_word_only_joins_that_could_count():
    counts, none = {B.id}, set()
    check_by_word([invited_claim(B), invited_claim(OTHER)], counts, none)
    check_by_word([invited_claim(B), invited_claim(OTHER)], counts, {OTHER.id})
    check_by_word([Claim(B), Claim(OTHER)], counts, counts)
    check_by_word([Claim(B, FAULT)], none, none)
    cannot = (
        f"the turn gives seat b to the join {short_id(B)}, which cannot have the seat: does not "
        "open"
    )
    assert rule([Claim(B, FAULT, is_invited=True)], counts, none) == ("box", cannot)
    assert rule([Claim(B, FAULT)], counts, counts) == ("box", cannot)
    anyway = (
        f"the turn says that the referee decided about the join {short_id(OTHER)}, but that "
        "join could never have had seat b"
    )
    assert rule([invited_claim(B), Claim(OTHER)], counts, {OTHER.id}) == ("rule", anyway)
    assert rule([Claim(OTHER, FAULT, is_invited=True)], none, {OTHER.id}) == ("rule", anyway)


def test_who_was_left_out():
    c, again = numbered_join_for("c", "x"), numbered_join_for("b", "u", 5)
    every = [invited_claim(B), invited_claim(OTHER), invited_claim(c), invited_claim(again)]
    assert unmentioned_joins(iter(every), {B.id}, set()) == [OTHER, c]
    assert unmentioned_joins(every, {B.id}, {OTHER.id}) == [c]
    assert unmentioned_joins(every, {B.id, c.id}, ()) == [OTHER]
    assert unmentioned_joins([Claim(OTHER), Claim(c, FAULT, is_invited=True)], {B.id}, ()) == []
    assert unmentioned_joins(every, (), ()) == [B, OTHER, c, again]
    elsewhere = numbered_join_for("c", "u", 6)
    assert unmentioned_joins([invited_claim(B), invited_claim(elsewhere)], {B.id}, ()) == [
        elsewhere
    ], "another seat"


def test_whose_key_a_join_shares():
    a, c = numbered_join_for("a", "w"), numbered_join_for("c", "x")
    assert shared_key_owner(CHARTER, B, [a, c]) == ""
    same = numbered_join_for("b", "w", 3, x25519=bytes([9]) * 32)
    assert shared_key_owner(CHARTER, same, [a, c]) == "seat a"
    box = numbered_join_for("b", "y", x25519=c.content.x25519)
    assert shared_key_owner(CHARTER, box, [a, c]) == ""
    assert (
        shared_key_owner(CHARTER, numbered_join_for("c", "y", x25519=a.content.x25519), [a])
        == "seat a"
    )
    named = numbered_join_for("b", "y", recovery=c.content.key)
    assert shared_key_owner(CHARTER, named, [a, c]) == "seat c"
    ours = numbered_join_for("b", "y", recovery=G.ann.public)
    assert shared_key_owner(CHARTER, ours, [a, c]) == "the referee"
    assert shared_key_owner(CHARTER, numbered_join_for("a", "u"), [B, a]) == "", (
        "the other join is at fault"
    )
    assert shared_key_owner(CHARTER, numbered_join_for("b", "u", 8), [B, a]) == "", (
        "its own seat does not count"
    )


def test_what_only_the_audit_key_can_see():
    claim = claim_of(G.charter, G.join_b, G.audit)
    assert (claim.is_good, claim.is_invited, claim.fault) == (True, True, None)
    assert claim_of(G.charter, G.join_a, G.audit).is_good, "a held seat brings no share"
    guest = resigned(G.join_b, G.bo, seat="c")
    fault = claim_of(G.charter, guest, G.audit).fault
    assert fault is not None
    assert (fault.reason, fault.sentence) == ("place", "there is no seat c")
    for changes, reason in (
        ({"commit": b"", "r": b""}, "field"),
        ({"r": bytes(80)}, "box"),
        ({"commit": bytes(32)}, "commitment"),
    ):
        fault = claim_of(G.charter, resigned(G.join_b, G.bo, **changes), G.audit).fault
        assert fault is not None
        assert fault.reason == reason, changes
    other = claim_of(G.charter, G.join_b, bytes([3]) * 32)
    assert other.fault is not None
