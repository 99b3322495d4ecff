"""Which join counts for a seat, whose word decided it, and what turn 1 must say of that."""

import random
from types import SimpleNamespace

import pytest

from pbem.format.record_error import RecordError
from pbem.judge.turn_end_checks import check_cards
from pbem.judge.which_joins_count import (
    Claim,
    check_by_word,
    claim_of,
    seat_players,
    unmentioned_joins,
)
from tests.kit.played_games import Played, played_key
from tests.kit.record_files import resigned
from tests.kit.refusals import refused_for
from tests.kit.sample_records import invited_claim


@pytest.fixture(scope="module")
def joined_game(tmp_path_factory):
    return Played(tmp_path_factory.mktemp("joined"), players=3)


def numbered_join(game, seat, name, number=0):
    return game.join_by(seat, f"{name}{number}", played_key(name))


def short_ids(*records):
    return [record.id.hex()[:6] for record in records]


def seats_by_word(game, claims, **words):
    claims = list(claims)
    random.Random(len(claims)).shuffle(claims)
    return seat_players(game.charter.content, claims, **words)


BAD = RecordError("box", "does not open")


def test_only_the_join_with_the_code_of_the_invite_gets_the_seat(joined_game):
    ann = numbered_join(joined_game, "a", "Ann")
    eve = numbered_join(joined_game, "a", "Eve")
    bo = numbered_join(joined_game, "b", "Bo")
    cy = numbered_join(joined_game, "c", "Cy")
    found = seats_by_word(
        joined_game,
        [invited_claim(ann), Claim(eve), invited_claim(bo), Claim(cy, BAD, is_invited=True)],
    )
    assert found.seated_joins == {"a": ann, "b": bo}
    assert (found.by_word, found.contested) == ([], {})
    (eves,) = short_ids(eve)
    told = (
        f"this join was made without the invite of seat a; to let the player in anyway: pbem "
        f"advance --accept {eves}"
    )
    assert sorted(why for _, why in found.doubtful) == ["does not open", told]


def test_a_join_accepted_without_the_code_counts_as_seated_by_the_referees_word(joined_game):
    eve, bo = numbered_join(joined_game, "a", "Eve"), numbered_join(joined_game, "b", "Bo")
    found = seats_by_word(joined_game, [Claim(eve), invited_claim(bo)], accept=short_ids(eve))
    assert (found.seated_joins, found.by_word) == ({"a": eve, "b": bo}, [eve.id])
    found = seats_by_word(joined_game, [Claim(eve, BAD)], accept=short_ids(eve))
    assert (found.seated_joins, found.by_word) == ({}, [])
    assert [why for _, why in found.doubtful] == ["does not open"]


def test_two_keys_with_the_code_contest_a_seat_until_the_referee_decides(joined_game):
    ann, eve, stranger = (numbered_join(joined_game, "a", name) for name in ("Ann", "Eve", "Flo"))
    claims = [invited_claim(ann), invited_claim(eve), Claim(stranger)]
    found = seats_by_word(joined_game, claims)
    assert (found.seated_joins, list(found.contested)) == ({}, ["a"])
    assert set(found.contested["a"]) == {ann, eve}
    for words in ({"accept": short_ids(ann)}, {"refuse": short_ids(eve)}):
        found = seats_by_word(joined_game, claims, **words)
        assert (found.seated_joins, found.by_word, found.contested) == ({"a": ann}, [eve.id], {})
    both = seats_by_word(joined_game, claims, accept=short_ids(ann, eve))
    assert (both.seated_joins, list(both.contested)) == ({}, ["a"])
    strange = seats_by_word(
        joined_game, [invited_claim(ann), Claim(stranger)], accept=short_ids(stranger)
    )
    assert (strange.seated_joins, list(strange.contested)) == ({}, ["a"])


def test_turn_1_need_not_mention_a_refused_join_without_the_code(joined_game):
    ann, eve = numbered_join(joined_game, "a", "Ann"), numbered_join(joined_game, "a", "Eve")
    found = seats_by_word(joined_game, [invited_claim(ann), Claim(eve)], refuse=short_ids(eve))
    assert (found.seated_joins, found.by_word, found.doubtful) == ({"a": ann}, [], [])


def test_turn_1_mentions_every_good_join_that_the_referee_refuses(joined_game):
    ann, eve, flo = (numbered_join(joined_game, "a", name) for name in ("Ann", "Eve", "Flo"))
    found = seats_by_word(
        joined_game,
        [invited_claim(ann), invited_claim(eve), invited_claim(flo)],
        refuse=short_ids(eve, flo),
    )
    assert (found.seated_joins, sorted(found.by_word)) == ({"a": ann}, sorted([eve.id, flo.id]))


def test_of_two_joins_by_one_key_the_good_one_counts_then_the_smaller_id(joined_game):
    one, two = numbered_join(joined_game, "a", "Ann", 1), numbered_join(joined_game, "a", "Ann", 2)
    small, large = sorted([one, two], key=lambda record: record.id)
    assert seats_by_word(joined_game, [invited_claim(one), invited_claim(two)]).seated_joins == {
        "a": small
    }
    found = seats_by_word(
        joined_game, [Claim(small), invited_claim(large)], accept=short_ids(small)
    )
    assert (found.seated_joins, found.by_word) == ({"a": large}, [])


def test_a_key_that_joins_two_seats_gets_only_one_of_them(joined_game):
    ann, same = numbered_join(joined_game, "a", "Ann"), numbered_join(joined_game, "b", "Ann", 2)
    found = seats_by_word(joined_game, [invited_claim(ann), invited_claim(same)])
    assert len(found.seated_joins) == 1
    ((record, why),) = found.doubtful
    (kept,) = found.seated_joins.values()
    assert f"--refuse {short_ids(kept)[0]} or --refuse {short_ids(record)[0]}" in why


def test_a_join_for_a_seat_that_the_charter_does_not_have_is_refused(joined_game):
    stranger = resigned(joined_game.joins["a"], played_key("Ann"), seat="p")
    claim = claim_of(joined_game.charter, stranger, joined_game.made.secrets.audit)
    assert (claim.fault.reason, claim.fault.sentence) == ("place", "there is no seat p")
    for seat, record in joined_game.joins.items():
        claim = claim_of(joined_game.charter, record, joined_game.made.secrets.audit)
        assert (seat, claim.fault, claim.is_invited, claim.is_good) == (seat, None, True, True)
    other = claim_of(
        joined_game.charter, numbered_join(joined_game, "a", "Eve"), joined_game.made.secrets.audit
    )
    assert (other.fault, other.is_invited, other.is_good) == (None, False, False)


# ---------------------------------------------------------------- what turn 1 says of it
@pytest.mark.parametrize(
    ("code", "counted", "said", "wrong"),
    [
        (True, True, False, ""),
        (False, True, True, ""),
        (True, False, True, ""),
        (True, False, False, ""),
        (False, False, False, ""),
        (False, False, True, "would not get seat a either"),
    ],
)
def test_a_turn_1_that_mentions_an_impossible_join_is_refused(
    joined_game, code, counted, said, wrong
):
    record = numbered_join(joined_game, "a", "Ann")
    named = ({record.id} if counted else set(), {record.id} if said else set())
    claims = [invited_claim(numbered_join(joined_game, "b", "Bo")), Claim(record, is_invited=code)]
    if not wrong:
        check_by_word(claims, *named)
        return
    with refused_for("rule") as caught:
        check_by_word(claims, *named)
    assert caught.value.sentence == (
        "the turn says that the referee decided against the join "
        f"{short_ids(record)[0]}, but without a decision that join {wrong}"
    )


def test_a_turn_1_that_seats_a_join_which_can_never_count_is_refused(joined_game):
    record = numbered_join(joined_game, "a", "Ann")
    claim = Claim(record, BAD, is_invited=True)
    check_by_word([claim], (), ())
    with refused_for("box") as caught:
        check_by_word([claim], {record.id}, ())
    assert caught.value.sentence.endswith("cannot have the seat: does not open")
    with pytest.raises(RecordError, match="would not get seat a either"):
        check_by_word([claim], (), {record.id})


def test_joins_with_the_code_that_turn_1_does_not_mention_are_found_as_left_out(joined_game):
    ann = numbered_join(joined_game, "a", "Ann")
    again = numbered_join(joined_game, "a", "Ann", 2)
    eve = numbered_join(joined_game, "a", "Eve")
    bo = numbered_join(joined_game, "b", "Bo")
    cy = numbered_join(joined_game, "c", "Cy")
    same = numbered_join(joined_game, "b", "Ann")
    claims = [
        invited_claim(ann), invited_claim(again), invited_claim(eve), invited_claim(bo),
        Claim(cy), invited_claim(same),
    ]  # fmt: skip
    assert unmentioned_joins(claims, {ann.id}, {bo.id}) == [eve, same]
    assert unmentioned_joins(iter(claims), {ann.id, same.id, eve.id}, {bo.id}) == []


# ---------------------------------------------------------------- no card twice
@pytest.mark.parametrize(
    ("known", "wrong"),
    [
        (["horns 4", "horns 4", "fertile 2", "?", "?"], ""),
        (
            ["horns 4", "horns 4", "horns 4", "?"],
            "horns 4 is on the table 3 times, but the game has 2 copies of this card",
        ),
        (
            ["fertile 2", "fertile 2", "z"],
            "fertile 2 is on the table twice, but the game has 1 copy of this card",
        ),
        (["z"], "z is on the table once, but the game has 0 copies of this card"),
    ],
)
def test_a_table_with_more_copies_of_a_card_than_were_printed_is_refused(known, wrong):
    ruleset = SimpleNamespace(decks={"deck": ["horns 4", "fertile 2"], "side": ["horns 4"]})
    state = SimpleNamespace(cards=lambda: known)
    table = SimpleNamespace(game=SimpleNamespace(ruleset=ruleset), state=state)
    if not wrong:
        check_cards(table)
        return
    with pytest.raises(RecordError) as caught:
        check_cards(table)
    assert (caught.value.reason, caught.value.sentence) == ("chain", wrong)
