"""Who sits where after a turn: keys, who is away, who must agree, and which notices count."""

from dataclasses import replace

import pytest

from pbem.format.errors import RecordError
from pbem.play.calendar.declared import Declared
from pbem.play.orders.absence import Absence
from pbem.play.seats.invites import earlier_players, has_code
from pbem.play.seats.listed_notices import (
    after_notice,
    after_turn,
    again,
    all_counted,
    check_needed,
    in_order,
    is_pressing,
    nowhere,
    row_of,
    sorted_out,
    why_not,
)
from pbem.play.seats.standing import FormerKeys
from pbem.records.notices.notice_record import MOST_NOTICES
from pbem.records.notices.sayings import (
    DRAW,
    PLAY_ON,
    SCORE,
    Concede,
    Delay,
    HandOver,
    Leave,
    NewKey,
    SetDeadline,
    Vote,
    Vouch,
)
from pbem.records.read_record import make
from pbem.records.turn import MOST_LISTED
from tests.play.notice_people import (
    HEADS,
    KEYS,
    NAMES,
    REF,
    X_NEW,
    G,
    box,
    charter,
    counted,
    join,
    plan_bot,
    sign,
    standing,
    with_deputy,
)

NEW = KEYS["new"].public
CHARTER = charter()


# ------------------------------------------------------------------ who sits where
def test_the_referee_is_the_one_of_the_charter_until_the_deputy_takes_over():
    here = standing(with_deputy())
    assert (here.referee_key, here.referee_name) == (REF.public, "Rhea")
    after = replace(here, deputy_since=3)
    assert (after.referee_key, after.referee_name) == (KEYS["dee"].public, "Dee")
    assert here.names == {"referee": "Rhea", **NAMES}


def test_open_and_conceded_seats():
    here = standing(gone={"a": "open", "b": "conceded"}, silent_long=frozenset("bc"))
    assert here.out == {"b"}
    assert [here.is_open(seat) for seat in "abcd"] == [True, False, True, False]


def test_a_seat_that_was_silent_for_long_is_open_unless_the_charter_removes_it():
    policies = {"silent_seat": "remove"}
    for base, is_open in ((charter(), True), (replace(charter(), policies=policies), False)):
        assert standing(base, silent_long=frozenset("b")).is_open("b") == is_open


def test_who_must_agree():
    assert standing(plan_bot("c")).people() == {"a", "b"}
    assert standing().live() == {"a", "b", "c"}
    assert standing(gone={"a": "open"}, idle=frozenset("c")).live() == {"b"}
    away = standing(calendar=Declared(absences={"b": (0, 9)}), now=5, gone={"a": "open"})
    assert away.away == {"b": "announced", "a": "open"}
    assert away.live() == {"c"}
    assert replace(away, now=9).away == {"a": "open"}
    both = replace(away, gone={"b": "conceded"})
    assert both.away == {"b": "conceded"}


def test_an_absence_of_everybody_who_still_plays_counts_for_nobody():
    spans = {"b": (0, 9), "c": (0, 9)}
    here = standing(calendar=Declared(absences=spans), now=5, gone={"a": "open"})
    assert here.away == {"a": "open"}
    assert replace(here, gone={}).away == {"b": "announced", "c": "announced"}


def test_deadlines_agreed_on_later_replace_those_of_the_charter():
    here = standing(charter(policies={"deadline": "24h", "wait": "round"}))
    assert replace(here, calendar=Declared(rules={"deadline": "never"})).policies == {
        "deadline": "never",
        "wait": "round",
    }


def test_what_a_standing_sees_of_time_and_absence():
    absence = Absence(frozenset("abc"), 2, 1, missed={"b": 2, "c": 1}, rounds={"b": 1, "c": 3})
    seen = standing().seeing(absence, 3, 77, (10, 60), 5)
    assert (seen.idle, seen.silent_long) == (frozenset("b"), frozenset("b"))
    assert (seen.now, seen.quiet_since, seen.deadline, seen.asked_by) == (77, 60, 60, 5)
    seen = standing().seeing(absence, 2, 77, (10, 0))
    assert (seen.silent_long, seen.quiet_since, seen.deadline) == (frozenset(), 10, 0)


def test_what_a_standing_sees_if_only_the_round_is_known():
    seen = standing(now=5, asked_by=5).seeing(Absence(frozenset("abc"), 2), 2)
    assert (seen.now, seen.quiet_since, seen.deadline, seen.asked_by) == (0, 0, 0, 0)


# ------------------------------------------------------------------ removal
SILENT = Absence(frozenset("abc"), 2, 1, missed=dict.fromkeys("bc", 2), rounds={"b": 1, "c": 1})


def removing(**changes):
    return standing(charter(policies={"silent_seat": "remove"}), **changes)


def test_seats_that_were_silent_for_too_long_are_removed_at_the_end_of_a_turn():
    pending = (("3.feed.feed.a.0", None),)
    turn = replace(G.turn2.content, turn=7, over=False)
    after = removing(gone={"a": "conceded"}, removed={"d": 2}).after_silence(SILENT, pending, turn)
    assert after.removed == {"b": 7, "c": 7, "d": 2}
    assert after.gone == {"a": "conceded", "b": "removed", "c": "removed"}
    assert removing(gone={"b": "conceded"}).after_silence(SILENT, pending, turn).removed == {"c": 7}
    early = (("2.feed.feed.a.0", None),)
    assert removing().after_silence(SILENT, early, turn) == removing()


def test_nobody_is_removed_at_the_end_of_the_game_or_if_the_charter_does_not_say_so():
    pending = (("3.feed.feed.a.0", None),)
    turn = replace(G.turn2.content, turn=7, over=False)
    assert removing().after_silence(SILENT, pending, replace(turn, over=True)) == removing()
    assert standing().after_silence(SILENT, pending, turn) == standing()
    assert standing().without({}) == standing()


def test_a_bot_is_not_removed():
    plans = tuple(replace(plan, bot="greedy" if plan.seat == "b" else "") for plan in CHARTER.seats)
    base = replace(CHARTER, seats=plans, plays=("b",), policies={"silent_seat": "remove"})
    turn = replace(G.turn2.content, turn=7, over=False)
    after = standing(base).after_silence(SILENT, (("3.feed.feed.a.0", None),), turn)
    assert after.removed == {"c": 7}


# ------------------------------------------------------------------ invites
def test_a_join_has_the_code_of_its_invite():
    right, other = G.code("b"), G.code("a")
    assert has_code(G.join_b.content, G.audit, G.game, right)
    assert not has_code(G.join_b.content, G.audit, G.game, other)
    assert not has_code(G.join_b.content, bytes([3]) * 32, G.game, right), "it does not open"


# ------------------------------------------------------------------ keys
def test_no_key_counts_twice():
    here = standing(with_deputy(), spent=frozenset({bytes(32)}))
    known = {bytes(32), REF.public, here.charter.audit, here.charter.desk}
    known |= {KEYS["dee"].public, here.charter.deputy_x25519}
    for seat in "abc":
        known |= {KEYS[seat].public, box(seat)}
    assert here.known_keys() == known
    assert here.why_not_keys((NEW, X_NEW)) == ""
    for one in known:
        assert here.why_not_keys((one, X_NEW)) != ""
        assert here.why_not_keys((NEW, one)) != ""
    assert here.why_not_keys((NEW, NEW)) != ""
    roster = {**here.roster, "b": join("b", recovery=NEW).content}
    assert replace(here, roster=roster).why_not_keys((NEW, X_NEW)) != ""


def test_new_keys_spend_the_old_ones():
    recovery = KEYS["dee"].public
    old = join("b", recovery=recovery).content
    here = standing(roster={**standing().roster, "b": old}, spent=frozenset({b"s"}))
    new = join("b", "new", recovery=recovery).content
    after = here.with_keys("b", new, 6)
    assert after.roster == {**here.roster, "b": new}
    assert after.since == {"b": 6}
    assert after.former == {"b": (FormerKeys(old.key, old.x25519, 6),)}
    assert after.spent == {b"s", old.key, old.x25519}
    without = standing().with_keys("b", join("b", "new").content, 6)
    first = standing().roster["b"]
    assert without.spent == {first.key, first.x25519}, "it had no recovery key"
    third = after.with_keys("b", join("b", "new").content, 9)
    assert third.spent == {b"s", old.key, old.x25519, new.key, new.x25519, recovery}
    assert third.former["b"] == (
        FormerKeys(old.key, old.x25519, 6),
        FormerKeys(new.key, new.x25519, 9),
    )
    assert (third.new_keys(9), third.new_keys(6)) == ({"b"}, frozenset())


def test_orders_lapse_with_keys_and_with_a_concession():
    before = standing(since={"a": 2}, gone={"a": "conceded"})
    after = replace(before, since={"a": 2, "b": 4}, gone={"a": "conceded", "c": "conceded"})
    assert after.lapsed(before) == {"b", "c"}
    assert before.lapsed(before) == frozenset()
    assert replace(before, since={"a": 5}).lapsed(before) == {"a"}


def test_earlier_players_of_a_seat_are_counted():
    rows = (counted(2, "seat", "b"), counted(3, "seat", "c"), counted(4, "key", "b"))
    here = standing(listed=(*rows, counted(5, "seat", "b")))
    assert [earlier_players(here, seat) for seat in "abc"] == [0, 2, 1]


# ------------------------------------------------------------------ an agreed end
def test_the_game_ends_when_all_who_play_want_the_same():
    assert standing(votes={"a": SCORE, "b": SCORE}).agreed(4) == ""
    assert standing(votes=dict.fromkeys("abc", DRAW)).agreed(4) == "draw"
    assert standing(votes={"a": SCORE, "b": DRAW, "c": SCORE}).agreed(4) == ""
    idle = standing(votes=dict.fromkeys("ab", SCORE), idle=frozenset("c"))
    assert idle.agreed(4) == "score"
    shown = replace(idle, listed=(counted(4, "vouch", "c"),))
    assert (shown.agreed(4), shown.agreed(5)) == ("", "score")
    gone = replace(shown, gone={"c": "open"})
    assert gone.agreed(4) == "score"


def test_a_game_that_everybody_conceded_is_over():
    out = dict.fromkeys("abc", "conceded")
    assert standing(gone=out).agreed(4) == "score"
    assert standing(gone={**out, "c": "open"}).agreed(4) == ""
    assert standing(idle=frozenset("abc")).agreed(4) == ""


def test_the_seats_that_a_turn_shows():
    rows = (counted(3, "vote", "a"), counted(4, "vote", "b"), counted(4, "referee"))
    assert standing(listed=rows).seats_shown(4) == {"b"}


# ------------------------------------------------------------------ which notices count
def test_notices_count_in_one_order_whatever_the_order_of_files():
    first = [
        sign("a", Vote(SCORE), 1, 2), sign("b", Vote(SCORE), 1, 2), sign("a", Vote(DRAW), 2, 2),
        sign("a", Concede(), 1, 3), sign("referee", HandOver("referee"), 1, 1),
    ]  # fmt: skip
    assert in_order(reversed(first)) == first
    twins = sorted([sign("a", Vote(SCORE)), sign("a", Vote(DRAW))], key=lambda one: one.id)
    assert in_order(twins[::-1]) == twins


def test_why_a_notice_does_not_count():
    good = sign("b", Vote(SCORE), 2, 3)
    assert why_not(standing(), good, HEADS) == ""
    late = "it was written after a turn that is not in this game"
    assert why_not(standing(), good, HEADS[:3]) == late
    assert why_not(standing(), good, HEADS[:4]) == ""
    assert why_not(standing(), sign("b", Vote(SCORE), 2, 3, heads=HEADS[::-1]), HEADS) == late
    forged = sign("b", Vote(SCORE), key=KEYS["a"])
    assert why_not(standing(), forged, HEADS) == "it is not signed with the key that counts now"
    ranked = "a turn lists a later notice of the same writer"
    assert why_not(standing(ranks={"b": (3, 2)}), good, HEADS) == ranked
    assert why_not(standing(ranks={"b": (4, 1)}), good, HEADS) == ranked
    assert why_not(standing(ranks={"b": (3, 1), "a": (5, 5)}), good, HEADS) == ""
    none = sign("b", Vote(PLAY_ON))
    assert "no vote" in why_not(standing(), none, HEADS)


def test_a_listed_notice_is_remembered():
    vote = sign("b", Vote(SCORE), 2, 3)
    after = after_notice(standing(), vote, 5)
    (row,) = after.listed
    assert row == (
        5,
        vote.id,
        "b",
        "vote",
        "b",
        "Bo votes to end the game with the scores as they are",
    )
    assert (after.ranks, after.votes) == ({"b": (3, 2)}, {"b": SCORE})
    assert again(standing(), [(5, vote.id)], {vote.id: vote}.__getitem__) == after


def test_a_later_notice_is_judged_by_the_earlier_ones():
    one, two = sign("b", Vote(SCORE), 1), sign("b", Vote(SCORE), 2)
    good, others = sorted_out(standing(), [two, one], HEADS)
    assert good == [one]
    assert others == [(two, "the seat has already voted for this")]


def test_a_turn_lists_so_many_notices():
    many = [
        sign("b", Vote(SCORE if n % 2 else DRAW), n, turn)
        for turn in range(1, 8)
        for n in range(1, MOST_NOTICES + 1)
    ] + [
        sign("c", Vote(SCORE if n % 2 else DRAW), n, turn)
        for turn in range(1, 8)
        for n in range(1, MOST_NOTICES + 1)
    ]  # fmt: skip
    good, _ = sorted_out(standing(), many, HEADS)
    assert good == in_order(many)[:MOST_LISTED]


def turn(*records, number: int = 8, **changes):
    """A turn that lists these notices."""
    return replace(G.turn2.content, turn=number, notices=tuple(map(row_of, records)), **changes)


def test_the_notices_of_a_turn_are_followed_by_everybody():
    key, vote = sign("b", NewKey(NEW, X_NEW)), sign("a", Vote(SCORE))
    find = {key.id: key, vote.id: vote}.__getitem__
    after = after_turn(standing(), turn(key, vote), find, HEADS)
    assert after.since == {"b": 8}
    assert {one.turn for one in after.listed} == {8}
    assert after == all_counted(standing(), [key, vote], 8)
    first = replace(standing(), votes=dict.fromkeys("abc", SCORE))
    assert after_turn(first, turn(number=1), find, HEADS[:1]) is first
    assert after_turn(first, turn(), find, HEADS).ended == "score"


@pytest.mark.parametrize("field", ["about", "seat"])
def test_a_notice_is_listed_as_what_it_is(field):
    vote = sign("b", Vote(SCORE))
    row = replace(row_of(vote), **{field: "away" if field == "about" else "c"})
    wrong = replace(turn(), notices=(row,))
    with pytest.raises(RecordError, match="is listed with the wrong kind or seat") as caught:
        after_turn(standing(), wrong, lambda _: vote, HEADS)
    assert caught.value.reason == "rule"


def test_a_notice_that_cannot_count_is_named():
    bad = sign("b", Vote(PLAY_ON))
    with pytest.raises(RecordError) as caught:
        after_turn(standing(), turn(bad), lambda _: bad, HEADS)
    told = f"notices: {bad.id.hex()[:6]} (vote) cannot count: the seat has not voted"
    assert caught.value.sentence.startswith(told)
    with pytest.raises(RecordError, match="the notice 616263 is not here") as caught:
        nowhere(b"abcdef")
    assert caught.value.reason == "parent"


def test_which_notices_make_a_turn():
    here = standing(with_deputy(), calendar=Declared(taken={}))
    pressing = [
        sign("b", NewKey(NEW, X_NEW)), sign("referee", HandOver("referee")), sign("b", Delay(1)),
        sign("referee", SetDeadline("never")),
    ]  # fmt: skip
    for one in pressing:
        assert is_pressing(here, after_notice(here, one, 8)), one.content.about
    quiet = [sign("b", Vote(SCORE)), sign("b", Leave()), sign("b", Concede())]
    quiet += [sign("b", SetDeadline("never")), sign("a", Vouch("b", NEW, X_NEW))]
    for one in quiet:
        assert not is_pressing(here, after_notice(here, one, 8)), one.content.about
    assert is_pressing(here, replace(here, ended="draw"))


def test_something_happens_in_every_turn_and_the_right_person_signs_it():
    empty = replace(turn(), log=())
    with pytest.raises(RecordError, match="nothing happens in this turn") as caught:
        check_needed(make(empty, REF), standing())
    assert caught.value.reason == "rule"
    check_needed(make(empty, REF), standing(ended="draw"))
    check_needed(make(replace(turn(sign("b", Vote(SCORE))), log=()), REF), standing())
    full = turn()
    assert full.log
    check_needed(make(full, REF), standing())
    told = "turn 8 is not signed by Rhea, who was the referee at that time"
    with pytest.raises(RecordError, match=told) as caught:
        check_needed(make(full, KEYS["dee"]), standing(with_deputy()))
    assert caught.value.reason == "key"
