"""Which join counts for a seat, whose word decided it, and what turn 1 must say of that."""

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest

from pbem.format.canonical import RecordError
from pbem.judge.joins import Claim, check_by_word, claim_of, left_out, seat_players
from pbem.judge.sign import make_join
from pbem.judge.turn_ends import check_cards
from pbem.records.read_record import make
from tests.kit.played_games import Played, key_of


@pytest.fixture(scope="module")
def joined_game(tmp_path_factory):
    return Played(tmp_path_factory.mktemp("joined"), players=3)


def join(game, seat, name, number=0):
    return make_join(game.charter, seat, f"{name}{number}", key_of(name), b"?" * 16)


def digits(*records):
    return [record.id.hex()[:6] for record in records]


def seated(game, claims, **words):
    claims = list(claims)
    random.Random(len(claims)).shuffle(claims)
    return seat_players(game.charter.content, claims, **words)


def good(record):
    return Claim(record, invited=True)


BAD = RecordError("box", "does not open")


def test_the_one_with_the_code_counts_and_nobody_else(joined_game):
    ann, eve, bo = (
        join(joined_game, "a", "Ann"),
        join(joined_game, "a", "Eve"),
        join(joined_game, "b", "Bo"),
    )
    cy = join(joined_game, "c", "Cy")
    found = seated(joined_game, [good(ann), Claim(eve), good(bo), Claim(cy, BAD, invited=True)])
    assert found.taken == {"a": ann, "b": bo}
    assert (found.by_word, found.contested) == ([], {})
    (eves,) = digits(eve)
    told = f"was not made with seat a's invite; --accept {eves} accepts this join anyway"
    assert sorted(why for _, why in found.doubtful) == ["does not open", told]


def test_whoever_is_accepted_without_the_code_sits_there_by_word(joined_game):
    eve, bo = join(joined_game, "a", "Eve"), join(joined_game, "b", "Bo")
    found = seated(joined_game, [Claim(eve), good(bo)], accept=digits(eve))
    assert (found.taken, found.by_word) == ({"a": eve, "b": bo}, [eve.id])
    found = seated(joined_game, [Claim(eve, BAD)], accept=digits(eve))
    assert (found.taken, found.by_word) == ({}, [])
    assert [why for _, why in found.doubtful] == ["does not open"]


def test_two_keys_with_the_code_contest_the_seat_until_a_word_is_said(joined_game):
    ann, eve, stranger = (join(joined_game, "a", name) for name in ("Ann", "Eve", "Flo"))
    claims = [good(ann), good(eve), Claim(stranger)]
    found = seated(joined_game, claims)
    assert (found.taken, list(found.contested)) == ({}, ["a"])
    assert set(found.contested["a"]) == {ann, eve}
    for words in ({"accept": digits(ann)}, {"refuse": digits(eve)}):
        found = seated(joined_game, claims, **words)
        assert (found.taken, found.by_word, found.contested) == ({"a": ann}, [eve.id], {})
    both = seated(joined_game, claims, accept=digits(ann, eve))
    assert (both.taken, list(both.contested)) == ({}, ["a"])
    strange = seated(joined_game, [good(ann), Claim(stranger)], accept=digits(stranger))
    assert (strange.taken, list(strange.contested)) == ({}, ["a"])


def test_who_is_refused_without_the_code_is_not_worth_a_word(joined_game):
    ann, eve = join(joined_game, "a", "Ann"), join(joined_game, "a", "Eve")
    found = seated(joined_game, [good(ann), Claim(eve)], refuse=digits(eve))
    assert (found.taken, found.by_word, found.doubtful) == ({"a": ann}, [], [])


def test_every_good_join_that_is_refused_is_named(joined_game):
    ann, eve, flo = (join(joined_game, "a", name) for name in ("Ann", "Eve", "Flo"))
    found = seated(joined_game, [good(ann), good(eve), good(flo)], refuse=digits(eve, flo))
    assert (found.taken, sorted(found.by_word)) == ({"a": ann}, sorted([eve.id, flo.id]))


def test_of_two_joins_by_one_key_the_good_one_counts_then_the_smaller_id(joined_game):
    one, two = join(joined_game, "a", "Ann", 1), join(joined_game, "a", "Ann", 2)
    small, large = sorted([one, two], key=lambda record: record.id)
    assert seated(joined_game, [good(one), good(two)]).taken == {"a": small}
    found = seated(joined_game, [Claim(small), good(large)], accept=digits(small))
    assert (found.taken, found.by_word) == ({"a": large}, [])


def test_one_key_in_two_seats_sits_in_neither_of_them_twice(joined_game):
    ann, same = join(joined_game, "a", "Ann"), join(joined_game, "b", "Ann", 2)
    found = seated(joined_game, [good(ann), good(same)])
    assert len(found.taken) == 1
    ((record, why),) = found.doubtful
    (kept,) = found.taken.values()
    assert f"--refuse {digits(kept)[0]} or --refuse {digits(record)[0]}" in why


def test_a_join_for_a_seat_that_is_not_planned_is_worth_nothing(joined_game):
    stranger = make(replace(joined_game.joins["a"].content, seat="p"), key_of("Ann"))
    claim = claim_of(joined_game.charter, stranger, joined_game.made.secrets.audit)
    assert (claim.fault.reason, claim.fault.sentence) == ("place", "there is no seat p")
    for seat, record in joined_game.joins.items():
        claim = claim_of(joined_game.charter, record, joined_game.made.secrets.audit)
        assert (seat, claim.fault, claim.invited, claim.good) == (seat, None, True, True)
    other = claim_of(
        joined_game.charter, join(joined_game, "a", "Eve"), joined_game.made.secrets.audit
    )
    assert (other.fault, other.invited, other.good) == (None, False, False)


# ---------------------------------------------------------------- what turn 1 says of it
@pytest.mark.parametrize(
    ("code", "counted", "said", "wrong"),
    [
        (True, True, False, ""),
        (False, True, True, ""),
        (True, False, True, ""),
        (True, False, False, ""),
        (False, False, False, ""),
        (False, False, True, "could not count anyway"),
    ],
)
def test_turn_1_names_no_join_that_could_not_count(joined_game, code, counted, said, wrong):
    record = join(joined_game, "a", "Ann")
    named = ({record.id} if counted else set(), {record.id} if said else set())
    claims = [good(join(joined_game, "b", "Bo")), Claim(record, invited=code)]
    if not wrong:
        check_by_word(claims, *named)
        return
    with pytest.raises(RecordError) as caught:
        check_by_word(claims, *named)
    assert caught.value.reason == "rule"
    assert caught.value.sentence.endswith(wrong)
    assert f"{digits(record)[0]} of seat a" in caught.value.sentence


def test_a_join_that_can_never_count_is_the_fault_of_whoever_counts_it(joined_game):
    record = join(joined_game, "a", "Ann")
    claim = Claim(record, BAD, invited=True)
    check_by_word([claim], (), ())
    with pytest.raises(RecordError) as caught:
        check_by_word([claim], {record.id}, ())
    assert caught.value.reason == "box"
    assert caught.value.sentence.endswith("cannot count for seat a: does not open")
    with pytest.raises(RecordError, match="could not count anyway"):
        check_by_word([claim], (), {record.id})


def test_who_had_the_code_and_is_not_mentioned_was_left_out(joined_game):
    ann, again, eve = (
        join(joined_game, "a", "Ann"),
        join(joined_game, "a", "Ann", 2),
        join(joined_game, "a", "Eve"),
    )
    bo, cy, same = (
        join(joined_game, "b", "Bo"),
        join(joined_game, "c", "Cy"),
        join(joined_game, "b", "Ann"),
    )
    claims = [good(ann), good(again), good(eve), good(bo), Claim(cy), good(same)]
    assert left_out(claims, {ann.id}, {bo.id}) == [eve, same]
    assert left_out(iter(claims), {ann.id, same.id, eve.id}, {bo.id}) == []


# ---------------------------------------------------------------- no card twice
@pytest.mark.parametrize(
    ("known", "wrong"),
    [
        (["x", "x", "y", "?", "?"], ""),
        (["x", "x", "x", "?"], "x appears 3 times, but the game has only 2"),
        (["y", "y", "z"], "y appears 2 times, but the game has only 1"),
        (["z"], "z appears 1 times, but the game has only 0"),
    ],
)
def test_no_card_is_there_more_often_than_it_is_printed(known, wrong):
    ruleset = SimpleNamespace(decks={"deck": ["x", "y"], "side": ["x"]})
    state = SimpleNamespace(cards=lambda: known)
    table = SimpleNamespace(game=SimpleNamespace(ruleset=ruleset), state=state)
    if not wrong:
        check_cards(table)
        return
    with pytest.raises(RecordError) as caught:
        check_cards(table)
    assert (caught.value.reason, caught.value.sentence) == ("chain", wrong)
