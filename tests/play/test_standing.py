"""Who sits where after a turn: keys, who is away, who must agree, and which notices count."""

from dataclasses import replace

import pytest

from pbem.acts.invite_next_player import next_code
from pbem.format.keys import SigningKey
from pbem.format.record_error import RecordError
from pbem.judge.absence import Absence
from pbem.judge.calendar_of_notices import Calendar
from pbem.judge.notice_kinds import (
    Away,
    Concede,
    Delay,
    HandOver,
    Leave,
    NewKey,
    SetDeadline,
    SetDoor,
    Vote,
    Vouch,
)
from pbem.judge.seats_and_agreements import AnnouncedAct, SeatKeys
from pbem.judge.which_notices_count import (
    MAX_SEAT_NOTICES,
    acts_to_relist,
    after_notice,
    after_turn,
    applied_order,
    believed,
    check_signer_and_contents,
    is_pressing,
    no_notice,
    row_of,
    sort_notices,
    why_not,
)
from pbem.records.limits import MAX_NOTICES
from pbem.records.notice import DRAW, NO_WINNER, SCORE
from pbem.records.read_and_sign_record import make
from pbem.text.dates import DAY, HOUR
from pbem.wording.notices import describe_announcement
from tests.notices.people import (
    GAME,
    HEADS,
    KEYS,
    NAMES,
    REF,
    X_NEW,
    G,
    box,
    charter_of_three,
    counted,
    join_by,
    plan_bot,
    sign,
    standing_of_three,
    with_deputy,
)

NEW = KEYS["new"].public
NEW_KEY = NewKey.make(KEYS["new"], X_NEW, GAME, "b")
CHARTER = charter_of_three()


# ------------------------------------------------------------------ who sits where
def test_the_referee_is_the_one_of_the_charter_until_the_deputy_takes_over():
    here = standing_of_three(with_deputy())
    assert (here.referee_key, here.referee_name) == (REF.public, "Rhea")
    after = replace(here, deputy_since=3)
    assert (after.referee_key, after.referee_name) == (KEYS["dee"].public, "Dee")
    assert here.names == {"referee": "Rhea", **NAMES}


def test_open_and_conceded_seats():
    here = standing_of_three(departures={"a": "open", "b": "conceded"}, silent_long=frozenset("bc"))
    assert here.seats_out == {"b"}
    assert [here.is_open(seat) for seat in "abcd"] == [True, False, True, False]


def test_a_seat_that_was_silent_for_long_is_open_unless_the_charter_removes_it():
    policies = {"silent_seat": "remove"}
    for base, is_open in (
        (charter_of_three(), True),
        (replace(charter_of_three(), policies=policies), False),
    ):
        assert standing_of_three(base, silent_long=frozenset("b")).is_open("b") == is_open


def test_who_is_there_to_agree():
    assert standing_of_three(plan_bot("c")).people() == {"a", "b"}
    assert standing_of_three().present == {"a", "b", "c"}
    assert standing_of_three(departures={"a": "open"}, idle=frozenset("c")).present == {"b"}
    shown = standing_of_three(idle=frozenset("bc"), seats_shown_now=frozenset("c"))
    assert [shown.presence(seat) for seat in "abc"] == ["here", "idle", "here"]
    held = standing_of_three(charter_of_three(plays=("c",)), departures={"a": "conceded"})
    assert held.seats == (("a", "own", "out"), ("b", "own", "here"), ("c", "referee", "here"))


def test_who_holds_the_keys_of_each_seat():
    plans = tuple(replace(plan, mail=plan.seat == "b") for plan in CHARTER.seats)
    here = standing_of_three(replace(CHARTER, seats=plans, plays=("c",)), guests=frozenset("a"))
    assert [one.holder for one in here.seats] == ["guest", "mail", "referee"]
    own = replace(here, keys_valid_from={"b": 4})
    assert [one.holder for one in own.seats] == ["guest", "own", "referee"]


def test_who_is_away_as_they_announced():
    away = standing_of_three(
        calendar=Calendar(absences={"b": Away(0, 9)}), now=5, departures={"a": "open"}
    )
    assert away.absence_reasons == {"b": "announced", "a": "open"}
    assert replace(away, now=9).absence_reasons == {"a": "open"}
    both = replace(away, departures={"b": "conceded"})
    assert both.absence_reasons == {"b": "conceded"}


def test_an_announced_absence_keeps_a_seat_among_those_who_agree_for_14_days():
    here = standing_of_three(calendar=Calendar(absences={"b": Away(1000, 1000 + 99 * DAY)}))
    for now, presence in ((999, "here"), (1000, "away"), (999 + 14 * DAY, "away")):
        assert replace(here, now=now).presence("b") == presence
    late = replace(here, now=1000 + 14 * DAY)
    assert (late.presence("b"), late.present) == ("idle", {"a", "c"})
    assert replace(late, seats_shown_now=frozenset("b")).presence("b") == "here"
    assert replace(late, answer_times={"b": 1001}).presence("b") == "away"
    assert replace(late, answer_times={"b": 1001}, now=1001 + 14 * DAY).presence("b") == "idle"


def test_an_absence_of_everybody_who_still_plays_counts_for_nobody():
    spans = {"b": Away(0, 9), "c": Away(0, 9)}
    here = standing_of_three(calendar=Calendar(absences=spans), now=5, departures={"a": "open"})
    assert here.absence_reasons == {"a": "open"}
    assert replace(here, departures={}).absence_reasons == {"b": "announced", "c": "announced"}


def test_deadlines_agreed_on_later_replace_those_of_the_charter():
    here = standing_of_three(charter_of_three(policies={"deadline": "24h", "wait": "round"}))
    assert replace(here, calendar=Calendar(rules={"deadline": "never"})).policies == {
        "deadline": "never",
        "wait": "round",
    }


def test_what_a_standing_sees_of_time_and_absence():
    absence = Absence(
        frozenset("abc"), 2, 1, missed_turns={"b": 2, "c": 1}, rounds={"b": 1, "c": 3}
    )
    seen = standing_of_three().seeing(absence, 3, 77, (10, 60), 5)
    assert (seen.idle, seen.silent_long) == (frozenset("b"), frozenset("b"))
    assert (seen.now, seen.turn_due_at, seen.deadline, seen.asking_turn) == (77, 60, 60, 5)
    seen = standing_of_three().seeing(absence, 2, 77, (10, 0))
    assert (seen.silent_long, seen.turn_due_at, seen.deadline) == (frozenset(), 10, 0)


def test_what_a_standing_sees_if_only_the_round_is_known():
    seen = standing_of_three(now=5, asking_turn=5).seeing(Absence(frozenset("abc"), 2), 2)
    assert (seen.now, seen.turn_due_at, seen.deadline, seen.asking_turn) == (0, 0, 0, 0)


# ------------------------------------------------------------------ removal
SILENT = Absence(
    frozenset("abc"), 2, 1, missed_turns=dict.fromkeys("bc", 2), rounds={"b": 1, "c": 1}
)


def removing(**changes):
    return standing_of_three(charter_of_three(policies={"silent_seat": "remove"}), **changes)


def test_seats_that_were_silent_for_too_long_are_removed_at_the_end_of_a_turn():
    turn = replace(G.turn2.content, turn=7, over=False)
    after = removing(departures={"a": "conceded"}, removal_turns={"d": 2}).at_end(
        turn, SILENT, 3, ()
    )
    assert after.removal_turns == {"b": 7, "c": 7, "d": 2}
    assert after.departures == {"a": "conceded", "b": "removed", "c": "removed"}
    assert removing(departures={"b": "conceded"}).at_end(turn, SILENT, 3, ()).removal_turns == {
        "c": 7
    }
    assert removing().at_end(turn, SILENT, 2, ()).removal_turns == {}


def test_nobody_is_removed_at_the_end_of_the_game_or_if_the_charter_does_not_say_so():
    turn = replace(G.turn2.content, turn=7, over=False)
    assert removing().at_end(replace(turn, over=True), SILENT, 3, ()) == removing()
    assert standing_of_three().at_end(turn, SILENT, 3, ()).removal_turns == {}
    assert standing_of_three().with_removed_seats({}) == standing_of_three()


def test_a_bot_is_not_removed():
    plans = tuple(replace(plan, bot="greedy" if plan.seat == "b" else "") for plan in CHARTER.seats)
    base = replace(CHARTER, seats=plans, plays=("b",), policies={"silent_seat": "remove"})
    turn = replace(G.turn2.content, turn=7, over=False)
    after = standing_of_three(base).at_end(turn, SILENT, 3, ())
    assert after.removal_turns == {"c": 7}


# ------------------------------------------------------------------ invites
def test_the_next_invite_is_the_same_until_somebody_used_it():
    audit = bytes([5]) * 32
    codes = [
        next_code(standing_of_three(doors_made=made, doors=doors), audit, "b")
        for made, doors in (({}, {}), ({"b": 1}, {"b": b"d"}), ({"b": 1}, {}), ({"c": 4}, {}))
    ]
    assert codes[0] == codes[1] == codes[3] != codes[2]


# ------------------------------------------------------------------ keys
def test_no_key_counts_twice():
    here = standing_of_three(with_deputy())
    taken = {REF.public, here.charter.audit, here.charter.desk}
    taken |= {KEYS["dee"].public, here.charter.deputy_x25519}
    taken |= {KEYS[seat].public for seat in "abc"}
    assert here.taken_keys() == taken
    assert here.why_not_keys((NEW, X_NEW)) == ""
    for one in taken:
        assert here.why_not_keys((one, X_NEW)) != ""
        assert here.why_not_keys((NEW, one)) != ""
    assert here.why_not_keys((NEW, NEW)) != ""
    waiting = replace(here, announced_acts=(WAIT,))
    assert waiting.taken_keys() == taken | {NEW}
    assert waiting.why_not_keys((NEW, X_NEW)) != ""


def test_what_somebody_only_names_takes_no_key_from_anybody():
    roster = {**standing_of_three().roster, "b": join_by("b", recovery=NEW, x25519=X_NEW).content}
    here = standing_of_three(roster=roster)
    assert here.why_not_keys((NEW, X_NEW)) == ""
    assert here.why_not_keys((NEW, box("a"))) == ""


def test_old_keys_stay_taken():
    recovery = KEYS["dee"].public
    old = join_by("b", recovery=recovery).content
    here = standing_of_three(roster={**standing_of_three().roster, "b": old})
    new = join_by("b", "new", recovery=recovery).content
    after = here.with_keys("b", new, 6)
    assert after.roster == {**here.roster, "b": new}
    assert after.keys_valid_from == {"b": 6}
    assert after.former_keys == {"b": (SeatKeys(old.key, old.x25519, 6, "Bo"),)}
    assert {old.key, new.key} <= after.taken_keys()
    third = after.with_keys("b", join_by("b", "new").content, 9)
    assert third.former_keys["b"] == (
        SeatKeys(old.key, old.x25519, 6, "Bo"),
        SeatKeys(new.key, new.x25519, 9, "new"),
    )
    assert (third.new_keys(9), third.new_keys(6)) == ({"b"}, frozenset())


def test_orders_lapse_with_keys_and_with_a_concession():
    before = standing_of_three(keys_valid_from={"a": 2}, departures={"a": "conceded"})
    after = replace(
        before, keys_valid_from={"a": 2, "b": 4}, departures={"a": "conceded", "c": "conceded"}
    )
    assert after.lapsed(before) == {"b", "c"}
    assert before.lapsed(before) == frozenset()
    assert replace(before, keys_valid_from={"a": 5}).lapsed(before) == {"a"}


# ------------------------------------------------------------------ an agreed end
def voting(votes, turn=4, **changes):
    """A standing with these votes, after the notices of turn 4; all were listed in one turn."""
    return standing_of_three(
        votes=votes, vote_turns=dict.fromkeys(votes, turn), **changes
    ).with_agreed_end(4)


def test_the_game_ends_when_all_who_play_want_the_same():
    assert voting({"a": SCORE, "b": SCORE}).ended == ""
    ended = voting(dict.fromkeys("abc", DRAW))
    assert (ended.ended, ended.ended_by, ended.announced_acts) == ("draw", ("a", "b", "c"), ())
    assert voting({"a": SCORE, "b": DRAW, "c": SCORE}).ended == ""
    assert voting(dict.fromkeys("ab", SCORE), departures={"c": "open"}).ended == "score"
    assert voting(dict.fromkeys("ab", DRAW), departures={"c": "conceded"}).ended == "draw"


def test_those_who_are_silent_have_time_to_answer_before_the_game_ends():
    waiting = voting(dict.fromkeys("ab", SCORE), idle=frozenset("c"))
    (wait,) = waiting.announced_acts
    assert (waiting.ended, wait.kind, wait.cancels, wait.effective_at) == ("", "vote", ("c",), 0)
    assert describe_announcement("vote", wait.fields) == (
        "the game ends with the scores as they are, as Ann and Bo agreed"
    )
    timed = replace(waiting, announced_acts=(wait._replace(effective_at=500),))
    assert replace(timed, now=499).with_agreed_end(5).ended == ""
    assert replace(timed, now=499).with_agreed_end(5).announced_acts == timed.announced_acts
    assert replace(timed, now=500).with_agreed_end(5).ended == "score"
    back = replace(timed, now=500, seats_shown_now=frozenset("c")).with_agreed_end(5)
    assert (back.ended, back.announced_acts) == ("", ()), "Cy is there, and has not agreed"
    no = replace(timed, now=500, votes={"a": SCORE})
    assert (no.with_agreed_end(5).ended, no.with_agreed_end(5).announced_acts) == ("", ())


def test_one_player_does_not_end_the_game_alone():
    others = {"c": "conceded"}
    assert voting({"a": SCORE}, departures=others, idle=frozenset("b")).ended == ""
    assert voting({"a": SCORE}, departures=others, idle=frozenset("b")).announced_acts == ()
    assert voting({"a": SCORE}, departures={**others, "b": "conceded"}).ended == "score"
    none = voting({"a": "no winner"}, departures=others, idle=frozenset("b"))
    assert none.announced_acts == (), "the referee has not agreed"
    both = voting(dict.fromkeys(("a", "referee"), "no winner"), idle=frozenset("bc"))
    (wait,) = both.announced_acts
    assert (wait.result, wait.cancels) == ("no winner", ("b", "c"))
    assert describe_announcement("vote", wait.fields) == (
        "the game ends without a winner, as Ann and Rhea agreed"
    )


def test_votes_lapse_when_a_seat_leaves_those_who_agree():
    before = standing_of_three(
        votes={"a": DRAW, "b": DRAW},
        vote_turns={"a": 3, "b": 4},
        calendar=Calendar(proposals={"a": ("", "never")}, proposal_turns={"a": 3}),
    )
    after = after_notice(before, sign("c", Concede(), 1, 3), 4)
    assert after.votes == {"b": DRAW}, "a vote of the same turn counts: the concession came first"
    assert after.calendar.proposals == {}
    come = replace(before, idle=frozenset("c"))
    assert after_notice(come, sign("c", Vote(SCORE), 1, 3), 4).votes.keys() == {"a", "b", "c"}
    absence = Absence(frozenset("abc"), 2, 1, missed_turns={"c": 2}, rounds={"c": 1})
    then = replace(before, present_then=frozenset("abc"))
    assert then.seeing(absence, 1, 9).votes == {}
    assert then.seeing(replace(absence, missed_turns={}), 1, 9).votes == before.votes


def test_a_changed_key_takes_back_what_was_said_with_the_old_one():
    pair = (NEW, X_NEW)
    before = standing_of_three(
        votes={"a": DRAW, "b": DRAW},
        vote_turns={"a": 3, "b": 3},
        vouched={("b", "c"): pair, ("a", "b"): pair, ("a", "c"): pair},
        calendar=Calendar(proposals={"a": ("", "never"), "b": ("", "never")}),
    )
    after = before.with_keys("b", join_by("b", "new").content, 6)
    assert (after.votes, after.vouched) == ({"a": DRAW}, {("a", "c"): pair})
    assert after.calendar.proposals == {"a": ("", "never")}


def test_a_game_that_everybody_conceded_is_over():
    out = dict.fromkeys("abc", "conceded")
    assert voting({}, departures=out).ended == "score"
    assert voting({}, departures={**out, "c": "open"}).ended == ""
    assert voting({}, idle=frozenset("abc")).ended == ""


# ------------------------------------------------------------------ what can still be cancelled
WAIT = AnnouncedAct("vouch", b"v" * 32, 4, "b", ("b",), {"seat": "b"}, key=NEW)


def test_an_act_written_after_the_announcement_cancels_it():
    here = standing_of_three(announced_acts=(WAIT._replace(effective_at=900),))
    assert here.cancelled("b", 3) == here, "written before the announcement"
    assert here.cancelled("a", 5) == here, "somebody else"
    for written in (4, 5):
        after = here.cancelled("b", written)
        assert (after.announced_acts, after.disputed) == ((), {"b"})
    disputed = standing_of_three(announced_acts=(WAIT._replace(effective_at=900, disputed=True),))
    assert disputed.cancelled("b", 5) == disputed
    assert disputed.cancelled("b", 5, is_recovery_key=True).announced_acts == ()


def test_a_listed_notice_cancels_what_was_announced_before_it_was_written():
    here = standing_of_three(announced_acts=(WAIT._replace(effective_at=900),))
    assert after_notice(here, sign("b", Vote(SCORE), 1, 3), 6).announced_acts == here.announced_acts
    assert after_notice(here, sign("a", Vote(SCORE), 1, 5), 6).announced_acts == here.announced_acts
    assert after_notice(here, sign("b", Vote(SCORE), 1, 5), 6).announced_acts == ()


def test_what_is_disputed_only_a_notice_of_the_recovery_key_cancels():
    recovery = SigningKey(bytes([99]) * 32)
    safe = {**standing_of_three().roster, "b": join_by("b", recovery=recovery.public).content}
    here = standing_of_three(
        roster=safe, announced_acts=(WAIT._replace(effective_at=900, disputed=True),)
    )
    assert after_notice(here, sign("b", Vote(SCORE), 1, 5), 6).announced_acts == here.announced_acts
    assert after_notice(here, sign("b", Vote(SCORE), 1, 5, key=recovery), 6).announced_acts == ()


def test_turns_made_only_for_notices_and_new_keys_are_counted_in_each_round():
    rows = (
        counted(7, "vote", "a"), counted(7, "key", "b"), counted(6, "vote", "c"),
        counted(7, "key", "c")._replace(recovery=True), counted(7, "referee"),
    )  # fmt: skip
    here = standing_of_three(
        applied_notices=rows, round=1, forced_turns_by_writer={"a": 2}, key_changes={"b": 1}
    )
    quiet = replace(G.turn2.content, turn=7, log=())
    after = here.count_forced_turns(quiet, 1)
    assert (after.forced_turns_by_writer, after.key_changes) == (
        {"a": 3, "b": 1, "c recovery": 1},
        {"b": 2},
    )
    full = here.count_forced_turns(replace(quiet, log=G.turn2.content.log), 1)
    assert (full.forced_turns_by_writer, full.key_changes) == ({"a": 2}, {"b": 2})
    new = here.count_forced_turns(quiet, 2)
    assert (new.forced_turns_by_writer, new.key_changes) == (
        {"a": 1, "b": 1, "c recovery": 1},
        {"b": 1},
    )


def test_how_long_an_act_waits():
    """Two days, or until the rule's first deadline, after the end of an absence of whoever can
    cancel it."""
    turn = replace(G.turn2.content, turn=4, over=False, time=1000, deadline=1000 + 7 * DAY)
    quiet, rule = Absence(frozenset("abc"), 2), "deadline"

    def until(absence=None, **rules):
        absences = {"c": Away(0, 1000 + 99 * DAY)} | ({"b": absence} if absence else {})
        calendar = Calendar(absences=absences, rules=rules)
        here = standing_of_three(announced_acts=(WAIT,), calendar=calendar)
        return here.at_end(turn, quiet, 1, ()).announced_acts[0].effective_at - 1000

    for short in ("never", "1 day", "48h", "every day 20:00 UTC"):
        assert until(**{rule: short}) == 2 * DAY, short
        assert until(Away(0, 1000 + 9 * DAY), **{rule: short}) == 11 * DAY, short
    assert until(**{rule: "3 days"}) == 3 * DAY
    assert until(Away(0, 1000 + 9 * DAY), **{rule: "3 days"}) == 12 * DAY
    assert until(Away(0, 999), **{rule: "3 days"}) == 3 * DAY, "this absence is over"
    assert until(**{rule: "1 day", "deadline_play": "5 days, grace 2h"}) == 5 * DAY + 7200
    soon, late = (Away(1000 + days * DAY, 1000 + 9 * DAY) for days in (1, 3))
    assert until(soon, **{rule: "1 day"}) == 11 * DAY, "it begins in the waiting time"
    assert until(late, **{rule: "1 day"}) == 2 * DAY, "the waiting time is over before it begins"


def test_several_who_can_cancel_an_end_each_have_the_whole_waiting_time():
    turn = replace(G.turn2.content, turn=4, over=False, time=20 * DAY, deadline=0)
    wait = AnnouncedAct("vote", b"", 4, "", ("b", "c"), {}, result=SCORE)
    absences = {"b": Away(30 * DAY, 40 * DAY), "c": Away(0, 29 * DAY)}
    calendar = Calendar(absences=absences)
    here = standing_of_three(
        announced_acts=(wait,), calendar=calendar, idle=frozenset("bc"), now=20 * DAY
    )
    silent = Absence(frozenset("abc"), 2, missed_turns={"b": 2, "c": 2}, rounds={"b": 1, "c": 1})
    assert here.at_end(turn, silent, 1, ()).announced_acts[0].effective_at == 42 * DAY


def test_a_waiting_time_is_fixed_once_it_is_set():
    """Unless it was set by a wrong date, which is put right."""
    turn = replace(G.turn2.content, turn=5, over=False, time=1000, deadline=1000 + 30 * DAY)
    quiet = Absence(frozenset("abc"), 2)
    later = Calendar(
        absences={"b": Away(0, 1000 + 90 * DAY)}, rules={"deadline": "90 days"}, rules_changed_in=5,
        last_delay=(5, 9 * DAY),
    )  # fmt: skip
    (same,) = (
        standing_of_three(announced_acts=(WAIT._replace(effective_at=2000),), calendar=later)
        .at_end(turn, quiet, 1, ())
        .announced_acts
    )
    assert same.effective_at == 2000
    late = standing_of_three(
        announced_acts=(WAIT._replace(effective_at=1000 + 365 * DAY),),
        calendar=Calendar(set_back=5),
    )
    (again,) = late.at_end(turn, quiet, 1, ()).announced_acts
    assert again.effective_at == 1000 + 2 * DAY, "when a wrong date is put right, it waits anew"


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Tokyo", "America/Los_Angeles", "No/Where"])
def test_a_waiting_time_is_the_same_on_every_machine(zone):
    """A rule in a time zone, whose data machines may not have: the deadline is over for certain."""
    turn = replace(G.turn2.content, turn=4, over=False, time=1000, deadline=0)
    calendar = Calendar(rules={"deadline": f"sun 20:00 {zone}"})
    here = standing_of_three(announced_acts=(WAIT,), calendar=calendar)
    until = here.at_end(turn, Absence(frozenset("abc"), 2), 1, ()).announced_acts[0].effective_at
    assert until == 3 * DAY + 32 * HOUR, "1 January 1970 was a Thursday"


def test_an_end_does_not_wait_for_somebody_who_came_back_and_has_not_agreed():
    turn = replace(G.turn2.content, turn=6, over=False, time=1000)
    wait = AnnouncedAct("vote", b"", 4, "", ("c",), {}, effective_at=9000, result=SCORE)
    here = standing_of_three(announced_acts=(wait,), idle=frozenset("c"))
    silent = Absence(frozenset("abc"), 2, missed_turns={"c": 2}, rounds={"c": 1})
    assert here.at_end(turn, silent, 1, ()).announced_acts == (wait,)
    assert here.at_end(turn, Absence(frozenset("abc"), 2), 1, ()).announced_acts == ()


def test_announcing_new_keys_shows_nothing_of_the_seat_that_gets_them():
    pair = (NEW, X_NEW)
    here = standing_of_three(vouched={("a", "b"): pair, ("c", "b"): pair}, idle=frozenset("b"))
    after = after_notice(here, sign("referee", Vouch("b", *pair)), 6)
    assert (after.announced_acts[0].seat, after.seats_shown_now) == ("b", frozenset())
    assert after_notice(here, sign("b", Vote(SCORE)), 6).seats_shown_now == {"b"}


def test_orders_that_a_turn_lists_cancel_too():
    turn = replace(G.turn2.content, turn=6, over=False, time=1000)
    here = standing_of_three(announced_acts=(WAIT._replace(effective_at=900),))
    quiet = Absence(frozenset("abc"), 2)
    assert here.at_end(turn, quiet, 1, [("b", 5)]).announced_acts == ()
    assert here.at_end(turn, quiet, 1, [("b", 3), ("a", 5)]).announced_acts == here.announced_acts


def test_what_must_take_effect():
    wait = WAIT._replace(effective_at=900)
    assert standing_of_three(announced_acts=(wait,), now=899).matured_acts == ()
    assert standing_of_three(announced_acts=(WAIT,), now=900).matured_acts == (), (
        "the turn that announces it is being made"
    )
    assert standing_of_three(announced_acts=(wait,), now=900).matured_acts == (wait,)
    assert acts_to_relist([wait], ()) == acts_to_relist([wait], [("a", 5), ("c", 5)]) == [wait]
    assert acts_to_relist([wait], [("b", wait.turn - 1)]) == [wait], (
        "written before it was announced"
    )
    assert acts_to_relist([wait], [("b", wait.turn)]) == []
    disputed = wait._replace(disputed=True)
    assert acts_to_relist([disputed], [("b", wait.turn)]) == [disputed]
    assert acts_to_relist([wait._replace(id=b"")], ()) == [], "votes are not listed again"


def test_the_seats_that_a_turn_shows():
    rows = (counted(3, "vote", "a"), counted(4, "vote", "b"), counted(4, "referee"))
    assert standing_of_three(applied_notices=rows).seats_shown(4) == {"b"}


# ------------------------------------------------------------------ which notices count
def test_notices_count_in_one_order_whatever_the_order_of_files():
    first = [
        sign("a", Vote(SCORE), 1, 2), sign("b", Vote(SCORE), 1, 2), sign("a", Vote(DRAW), 2, 2),
        sign("a", Concede(), 1, 3), sign("referee", HandOver("referee"), 1, 1),
    ]  # fmt: skip
    assert applied_order(standing_of_three(), reversed(first)) == first
    recovery = SigningKey(bytes([99]) * 32)
    safe = {**standing_of_three().roster, "c": join_by("c", recovery=recovery.public).content}
    late = sign("c", NewKey.make(KEYS["new"], X_NEW, GAME, "c"), 5, 3, key=recovery)
    assert applied_order(standing_of_three(roster=safe), [*first, late]) == [late, *first]
    assert applied_order(standing_of_three(), [*first, late]) == [*first[:4], late, first[4]]
    twins = sorted([sign("a", Vote(SCORE)), sign("a", Vote(DRAW))], key=lambda one: one.id)
    assert applied_order(standing_of_three(), twins[::-1]) == twins


def test_why_a_notice_does_not_count():
    good = sign("b", Vote(SCORE), 2, 3)
    assert why_not(standing_of_three(), good, HEADS) == ""
    late = "this notice was written after a turn that is not in this game"
    assert why_not(standing_of_three(), good, HEADS[:3]) == late
    assert why_not(standing_of_three(), good, HEADS[:4]) == ""
    assert (
        why_not(standing_of_three(), sign("b", Vote(SCORE), 2, 3, heads=HEADS[::-1]), HEADS) == late
    )
    forged = sign("b", Vote(SCORE), key=KEYS["a"])
    assert (
        why_not(standing_of_three(), forged, HEADS)
        == "the notice is not signed with the writer's present key"
    )
    ranked = "this notice comes too late: a turn already lists a later notice of the same writer"
    assert why_not(standing_of_three(ranks={"b": (3, 2)}), good, HEADS) == ranked
    assert why_not(standing_of_three(ranks={"b": (4, 1)}), good, HEADS) == ranked
    assert why_not(standing_of_three(ranks={"b": (3, 1), "a": (5, 5)}), good, HEADS) == ""
    none = sign("b", Away(0, 0))
    assert "no absence" in why_not(standing_of_three(), none, HEADS)


def test_a_listed_notice_is_remembered():
    vote = sign("b", Vote(SCORE), 2, 3)
    after = after_notice(standing_of_three(), vote, 5)
    (row,) = after.applied_notices
    assert row == (
        5,
        vote.id,
        "b",
        "vote",
        "b",
        False,
        {"writer": "b", "b": "Bo", "result": "score"},
    )
    assert (after.ranks, after.votes) == ({"b": (3, 2)}, {"b": SCORE})
    assert believed(standing_of_three(), [vote], 5) == after


def test_notices_about_seats_that_nobody_has_are_passed_over():
    vote, about = sign("b", Vote(SCORE)), sign("a", Vouch("d", NEW, X_NEW), 2)
    stranger = sign("d", Concede(), key=KEYS["new"])
    assert believed(standing_of_three(), [about, vote, stranger], 5) == believed(
        standing_of_three(), [vote], 5
    )


def test_a_later_notice_is_judged_by_the_earlier_ones():
    one, two = sign("b", Vote(SCORE), 1), sign("b", Vote(SCORE), 2)
    good, others, _ = sort_notices(standing_of_three(), [two, one], HEADS)
    assert good == [one]
    assert others == [(two, "this seat has already voted in this way")]


def test_a_turn_lists_so_many_notices():
    many = [
        sign("b", Vote(SCORE if n % 2 else DRAW), n, turn)
        for turn in range(1, 8)
        for n in range(1, MAX_NOTICES + 1)
    ] + [
        sign("c", Vote(SCORE if n % 2 else DRAW), n, turn)
        for turn in range(1, 8)
        for n in range(1, MAX_NOTICES + 1)
    ]  # fmt: skip
    own = sign("referee", Vote(NO_WINNER), 1)
    *good, last = sort_notices(standing_of_three(), [*many, own], HEADS)[0]
    assert last == own, "there is always room for the referee's notices"
    share = MAX_SEAT_NOTICES // (2 * len(standing_of_three().roster))
    firsts = {s: [one for one in many if one.content.seat == s][:share] for s in "bc"}
    assert {one.id for one in good} == {one.id for some in firsts.values() for one in some}


def turn_listing(*records, number: int = 8, **changes):
    """A turn that lists these notices."""
    return replace(G.turn2.content, turn=number, notices=tuple(map(row_of, records)), **changes)


def test_the_notices_of_a_turn_are_followed_by_everybody():
    key, vote = sign("b", NEW_KEY), sign("a", Vote(SCORE))
    find = {key.id: key, vote.id: vote}.__getitem__
    after = after_turn(standing_of_three(), turn_listing(key, vote), find, HEADS)
    assert after.keys_valid_from == {"b": 8}
    assert {one.turn for one in after.applied_notices} == {8}
    assert after == believed(standing_of_three(), [key, vote], 8).with_agreed_end(8)
    all_ = dict.fromkeys("abc", SCORE)
    first = replace(standing_of_three(), votes=all_, vote_turns=dict.fromkeys("abc", 7))
    assert after_turn(first, turn_listing(number=1), find, HEADS[:1]) is first
    assert after_turn(first, turn_listing(), find, HEADS).ended == "score"


@pytest.mark.parametrize("field", ["about", "seat"])
def test_a_notice_is_listed_as_what_it_is(field):
    vote = sign("b", Vote(SCORE))
    row = replace(row_of(vote), **{field: "away" if field == "about" else "c"})
    wrong = replace(turn_listing(), notices=(row,))
    with pytest.raises(RecordError, match="with the wrong kind or seat") as caught:
        after_turn(standing_of_three(), wrong, lambda _: vote, HEADS)
    assert caught.value.reason == "rule"


def test_a_notice_that_cannot_count_is_named():
    bad = sign("b", Away(0, 0))
    with pytest.raises(RecordError) as caught:
        after_turn(standing_of_three(), turn_listing(bad), lambda _: bad, HEADS)
    told = f"notice {bad.id.hex()[:6]} (away) breaks a rule: the seat has announced no"
    assert caught.value.sentence.startswith(told)
    with pytest.raises(
        RecordError, match=("the notice 616263 is missing from this folder")
    ) as caught:
        no_notice(b"abcdef")
    assert caught.value.reason == "parent"


def test_which_notices_make_a_turn():
    here = standing_of_three(with_deputy(), calendar=Calendar(delay_hours={}))
    pressing = [
        sign("b", NEW_KEY), sign("referee", HandOver("referee")), sign("b", Delay(1)),
        sign("referee", SetDeadline("never")),
    ]  # fmt: skip
    for one in pressing:
        assert is_pressing(here, after_notice(here, one, 8)), one.content.about
    quiet = [sign("b", Vote(SCORE)), sign("b", Leave()), sign("b", Concede())]
    quiet += [sign("b", SetDeadline("never")), sign("a", Vouch("b", NEW, X_NEW))]
    for one in quiet:
        assert not is_pressing(here, after_notice(here, one, 8)), one.content.about
    left = after_notice(here, sign("b", Leave()), 8)
    assert is_pressing(here, after_notice(left, sign("referee", SetDoor("b", NEW)), 8))
    assert is_pressing(here, replace(here, ended="draw"))
    pressed = replace(here, forced_turns_by_writer={"b": 6})
    new = pressed.with_keys("b", join_by("b", "new").content, 8)
    rows = [counted(8, "key", "b"), counted(8, "key", "b")._replace(recovery=True)]
    assert [is_pressing(pressed, replace(new, applied_notices=(row,))) for row in rows] == [
        False,
        True,
    ]


def test_something_happens_in_every_turn_and_the_right_person_signs_it():
    empty = replace(turn_listing(), log=())
    with pytest.raises(RecordError, match="nothing happens in this turn") as caught:
        check_signer_and_contents(make(empty, REF), standing_of_three())
    assert caught.value.reason == "rule"
    check_signer_and_contents(make(empty, REF), standing_of_three(ended="draw"))
    check_signer_and_contents(
        make(replace(turn_listing(sign("b", Vote(SCORE))), log=()), REF), standing_of_three()
    )
    full = turn_listing()
    assert full.log
    check_signer_and_contents(make(full, REF), standing_of_three())
    told = "turn 8 is not signed by Rhea, who was the referee at that time"
    with pytest.raises(RecordError, match=told) as caught:
        check_signer_and_contents(make(full, KEYS["dee"]), standing_of_three(with_deputy()))
    assert caught.value.reason == "key"
