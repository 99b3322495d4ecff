"""Which join counts: all combinations of code, fault and the referee's word, without secrets."""

from dataclasses import replace

import pytest

from pbem.format.canonical import RecordError
from pbem.format.keys import SigningKey
from pbem.judge.joins import Claim, check_by_word, claim_of, left_out, seat_players, shared_with
from pbem.records.charter import Join
from pbem.records.read_record import Record, make
from tests.kit.sample_records import sample, seat_plan

G = sample()
PLANS = tuple(seat_plan(seat, seat.upper()) for seat in "abc")
CHARTER = replace(G.charter.content, seats=PLANS, plays=())
KEYS = {name: SigningKey(bytes([n]) * 32) for n, name in enumerate("uvwxyz", 60)}


def join(seat: str, who: str, n: int = 0, **changes) -> Record[Join]:
    """A join of this person for this seat, the n-th."""
    key = KEYS[who]
    content = replace(G.join_b.content, seat=seat, key=key.public, name=f"{who}{n}", recovery=b"")
    content = replace(content, **{"x25519": bytes([ord(who)]) * 32, **changes})
    return make(content, key)


def digits(record: Record[Join]) -> str:
    return record.id.hex()[:6]


def good(record: Record[Join]) -> Claim:
    return Claim(record, invited=True)


FAULT = RecordError("box", "does not open")


def seated(*claims: Claim, accept=(), refuse=()):
    """Who sits where, by word, contested, doubtful; whatever the order of the claims."""
    found = [
        seat_players(CHARTER, some, accept, refuse) for some in (claims, claims[::-1])
    ]  # fmt: skip
    assert found[0] == found[1]
    one = found[0]
    return one.taken, one.by_word, one.contested, one.doubtful


B = join("b", "u")
OTHER = join("b", "v")


def test_a_join_with_the_code_counts():
    assert seated(good(B)) == ({"b": B}, [], {}, [])
    assert good(B).good
    assert not Claim(B).good
    assert not Claim(B, FAULT, invited=True).good


def test_a_join_without_it_counts_by_word_alone():
    told = f"was not made with seat b's invite; --accept {digits(B)} accepts this join anyway"
    assert seated(Claim(B)) == ({}, [], {}, [(B, told)])
    assert seated(Claim(B), accept=[digits(B)]) == ({"b": B}, [B.id], {}, [])
    assert seated(Claim(B), accept=[digits(OTHER)])[0] == {}
    assert seated(Claim(B), accept=[digits(B)], refuse=[digits(B)]) == ({}, [], {}, [])


def test_a_join_with_a_fault_never_counts():
    for code in (False, True):
        told = [(B, "does not open")]
        assert seated(Claim(B, FAULT, invited=code)) == ({}, [], {}, told)
        assert seated(Claim(B, FAULT, invited=code), accept=[digits(B)]) == ({}, [], {}, told)
        assert seated(Claim(B, FAULT, invited=code), refuse=[digits(B)]) == ({}, [], {}, [])


def test_a_refused_join_stands_in_turn_1_only_if_it_had_the_code():
    assert seated(good(B), refuse=[digits(B)]) == ({}, [B.id], {}, [])
    assert seated(good(B), refuse=[digits(OTHER)])[0] == {"b": B}
    assert seated(good(B), refuse=["", "x"])[1] == [B.id], "every id begins with nothing"


def test_of_several_joins_of_one_key_the_smallest_id_counts():
    some = sorted((join("b", "u", n) for n in range(4)), key=lambda record: record.id)
    assert seated(*map(good, some)) == ({"b": some[0]}, [], {}, [])
    last = [*map(Claim, some[:-1]), good(some[-1])]
    assert seated(*last)[0] == {"b": some[-1]}, "one with the code before all others"
    assert seated(*last, accept=[digits(some[0])])[:2] == ({"b": some[-1]}, [])


def test_two_people_in_one_seat_are_told_apart_by_word_alone():
    both = sorted((B, OTHER), key=lambda record: record.id)
    assert seated(good(B), good(OTHER)) == ({}, [], {"b": both}, [])
    assert seated(good(B), good(OTHER), refuse=[digits(OTHER)])[:3] == ({"b": B}, [OTHER.id], {})
    assert seated(good(B), good(OTHER), accept=[digits(B)])[:3] == ({"b": B}, [OTHER.id], {})
    again = seated(good(B), good(OTHER), accept=[digits(B), digits(OTHER)])
    assert again[:3] == ({}, [], {"b": both})
    mixed = seated(good(B), Claim(OTHER), accept=[digits(OTHER)])
    assert mixed[:3] == ({}, [], {"b": [B, OTHER]}), "the right one must have the code"
    right = seated(good(B), Claim(OTHER), accept=[digits(OTHER), digits(B)])
    assert right[:3] == ({"b": B}, [], {}), "nobody without the code is left out by word"


def test_seats_are_settled_one_by_one():
    one, two = join("a", "w"), join("c", "x")
    assert seated(good(two), good(B), good(one))[0] == {"a": one, "b": B, "c": two}
    assert list(seated(good(two), good(B), good(one))[0]) == ["a", "b", "c"]


def test_a_key_is_in_a_game_once():
    one, two = join("a", "u", x25519=bytes([1]) * 32), join("c", "u", 2, x25519=bytes([2]) * 32)
    taken, by_word, _, doubtful = seated(good(one), good(two))
    assert (taken, by_word) == ({"a": one}, [])
    told = "seat c uses a key of seat a; each needs its own"
    assert doubtful == [(two, f"{told}; --refuse {digits(one)} or --refuse {digits(two)}")]
    theirs = join("a", "w", recovery=G.ann.public)
    told = "seat a uses a key of the referee; each needs its own"
    assert seated(good(theirs), good(B))[3] == [(theirs, told)]
    recovery = KEYS["z"].public
    one, two = join("a", "w", recovery=recovery), join("c", "x", recovery=recovery)
    assert seated(good(one), good(two))[0] == {"a": one, "c": two}, "nobody could tell who copied"
    copied, again = join("c", "x", recovery=one.content.key), join("c", "y")
    found = seated(good(one), good(copied), good(again))
    assert (found[0], found[2]) == ({"a": one, "c": again}, {}), "it contests no seat"
    assert seated(good(one), good(copied), accept=[digits(copied)])[0] == {"a": one}
    one, two = join("a", "u"), join("c", "u", 2, x25519=bytes([2]) * 32)
    word = seated(Claim(one), Claim(two), accept=[digits(one), digits(two)])
    assert word[1] == [one.id], "a join that does not count in the end is in no word"


# ------------------------------------------------------------------ after the game
def rule(*args) -> tuple[str, str]:
    with pytest.raises(RecordError) as caught:
        check_by_word(*args)
    return caught.value.reason, caught.value.sentence


def test_turn_1_names_by_word_only_joins_that_could_count():
    counts, none = {B.id}, set()
    check_by_word([good(B), good(OTHER)], counts, none)
    check_by_word([good(B), good(OTHER)], counts, {OTHER.id})
    check_by_word([Claim(B), Claim(OTHER)], counts, counts)
    check_by_word([Claim(B, FAULT)], none, none)
    cannot = f"joins: {digits(B)} cannot count for seat b: does not open"
    assert rule([Claim(B, FAULT, invited=True)], counts, none) == ("box", cannot)
    assert rule([Claim(B, FAULT)], counts, counts) == ("box", cannot)
    anyway = f"by_word: the join {digits(OTHER)} of seat b could not count anyway"
    assert rule([good(B), Claim(OTHER)], counts, {OTHER.id}) == ("rule", anyway)
    assert rule([Claim(OTHER, FAULT, invited=True)], none, {OTHER.id}) == ("rule", anyway)


def test_who_was_left_out():
    c, again = join("c", "x"), join("b", "u", 5)
    every = [good(B), good(OTHER), good(c), good(again)]
    assert left_out(iter(every), {B.id}, set()) == [OTHER, c]
    assert left_out(every, {B.id}, {OTHER.id}) == [c]
    assert left_out(every, {B.id, c.id}, ()) == [OTHER]
    assert left_out([Claim(OTHER), Claim(c, FAULT, invited=True)], {B.id}, ()) == []
    assert left_out(every, (), ()) == [B, OTHER, c, again]
    elsewhere = join("c", "u", 6)
    assert left_out([good(B), good(elsewhere)], {B.id}, ()) == [elsewhere], "another seat"


def test_whose_key_a_join_shares():
    a, c = join("a", "w"), join("c", "x")
    assert shared_with(CHARTER, B, [a, c]) == ""
    same = join("b", "w", 3, x25519=bytes([9]) * 32)
    assert shared_with(CHARTER, same, [a, c]) == "seat a"
    box = join("b", "y", x25519=c.content.x25519)
    assert shared_with(CHARTER, box, [a, c]) == ""
    assert shared_with(CHARTER, join("c", "y", x25519=a.content.x25519), [a]) == "seat a"
    named = join("b", "y", recovery=c.content.key)
    assert shared_with(CHARTER, named, [a, c]) == "seat c"
    ours = join("b", "y", recovery=G.ann.public)
    assert shared_with(CHARTER, ours, [a, c]) == "the referee"
    assert shared_with(CHARTER, join("a", "u"), [B, a]) == "", "the other join is at fault"
    assert shared_with(CHARTER, join("b", "u", 8), [B, a]) == "", "its own seat does not count"


def test_what_only_the_audit_key_can_see():
    claim = claim_of(G.charter, G.join_b, G.audit)
    assert (claim.good, claim.invited, claim.fault) == (True, True, None)
    assert claim_of(G.charter, G.join_a, G.audit).good, "a held seat brings no share"
    guest = make(replace(G.join_b.content, seat="c"), G.bo)
    fault = claim_of(G.charter, guest, G.audit).fault
    assert fault is not None
    assert (fault.reason, fault.sentence) == ("place", "there is no seat c")
    for changes, reason in (
        ({"commit": b"", "r": b""}, "field"),
        ({"r": bytes(80)}, "box"),
        ({"commit": bytes(32)}, "commitment"),
    ):
        fault = claim_of(G.charter, make(replace(G.join_b.content, **changes), G.bo), G.audit).fault
        assert fault is not None
        assert fault.reason == reason, changes
    other = claim_of(G.charter, G.join_b, bytes([3]) * 32)
    assert other.fault is not None
