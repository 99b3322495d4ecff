"""Numbers and limits of a standing, and what is said of notices that do not count.

What notices do to seats, tests/notices and play/test_waits_enumerated.py show.
"""

from dataclasses import replace

import pytest

from pbem.format.record_error import RecordError
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.absent_seats import Absence
from pbem.judge.announced_absences_and_delays import Calendar
from pbem.judge.notice_kinds import Away, Concede, HandOver, NewKey, Vote
from pbem.judge.seat_holders_keys_and_agreements import AnnouncedAct
from pbem.judge.which_notices_count import (
    MAX_SEAT_NOTICES,
    after_turn,
    applied_order,
    check_signer_and_contents,
    no_notice,
    row_of,
    sort_notices,
    why_not,
)
from pbem.records.notice import DRAW, NO_WINNER, SCORE
from pbem.records.read_and_sign_record import make
from pbem.records.record_count_and_size_limits import MAX_NOTICES
from pbem.text.dates import DAY, HOUR
from tests.kit.record_files import refusal_by
from tests.notices.people import (
    GAME,
    HEADS,
    KEYS,
    REF,
    X_NEW,
    G,
    counted,
    join_by,
    sign,
    with_deputy,
)
from tests.notices.people import standing_of_three as standing

NEW = KEYS["new"].public
START = standing()


def test_an_announced_absence_keeps_a_seat_among_those_who_agree_for_14_days():
    here = standing(calendar=Calendar(absences={"b": Away(1000, 1000 + 99 * DAY)}))
    for now, presence in ((999, "here"), (1000, "away"), (999 + 14 * DAY, "away")):
        assert replace(here, now=now).presence("b") == presence
    late = replace(here, now=1000 + 14 * DAY)
    assert (late.presence("b"), late.present) == ("idle", {"a", "c"})
    assert replace(late, seats_shown_now=frozenset("b")).presence("b") == "here"
    assert replace(late, answer_times={"b": 1001}).presence("b") == "away"
    assert replace(late, answer_times={"b": 1001}, now=1001 + 14 * DAY).presence("b") == "idle"


def test_no_new_key_may_be_one_that_the_game_has_already():
    here = standing(with_deputy())
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


WAIT = AnnouncedAct("vouch", b"v" * 32, 4, "b", ("b",), {"seat": "b"}, key=NEW)


def test_turns_made_only_for_notices_and_new_keys_are_counted_in_each_round():
    rows = (
        counted(7, "vote", "a"), counted(7, "key", "b"), counted(6, "vote", "c"),
        counted(7, "key", "c")._replace(recovery=True), counted(7, "referee"),
    )  # fmt: skip
    here = standing(
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


def test_an_announced_act_waits_for_two_days_or_a_deadline_after_an_absence_ends():
    """Two days, or until the rule's first deadline, after the end of an absence of whoever can
    cancel it."""
    turn = replace(G.turn2.content, turn=4, over=False, time=1000, deadline=1000 + 7 * DAY)
    quiet, rule = Absence(frozenset("abc"), 2), "deadline"

    def until(absence=None, **rules):
        absences = {"c": Away(0, 1000 + 99 * DAY)} | ({"b": absence} if absence else {})
        calendar = Calendar(absences=absences, rules=rules)
        here = standing(announced_acts=(WAIT,), calendar=calendar)
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


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Tokyo", "America/Los_Angeles", "No/Where"])
def test_a_waiting_time_is_the_same_on_every_machine(zone):
    """A rule in a time zone, whose data machines may not have: the deadline is over for certain."""
    turn = replace(G.turn2.content, turn=4, over=False, time=1000, deadline=0)
    calendar = Calendar(rules={"deadline": f"sun 20:00 {zone}"})
    here = standing(announced_acts=(WAIT,), calendar=calendar)
    until = here.at_end(turn, Absence(frozenset("abc"), 2), 1, ()).announced_acts[0].effective_at
    assert until == 3 * DAY + 32 * HOUR, "1 January 1970 was a Thursday"


def test_notices_count_in_one_order_whatever_the_order_of_files():
    first = [
        sign("a", Vote(SCORE), 1, 2), sign("b", Vote(SCORE), 1, 2), sign("a", Vote(DRAW), 2, 2),
        sign("a", Concede(), 1, 3), sign("referee", HandOver("referee"), 1, 1),
    ]  # fmt: skip
    assert applied_order(START, reversed(first)) == first
    recovery = SigningKey(bytes([99]) * 32)
    safe = {**START.roster, "c": join_by("c", recovery=recovery.public).content}
    late = sign("c", NewKey.make(KEYS["new"], X_NEW, GAME, "c"), 5, 3, key=recovery)
    assert applied_order(standing(roster=safe), [*first, late]) == [late, *first]
    assert applied_order(START, [*first, late]) == [*first[:4], late, first[4]]
    twins = sorted([sign("a", Vote(SCORE)), sign("a", Vote(DRAW))], key=lambda one: one.id)
    assert applied_order(START, twins[::-1]) == twins


def test_why_a_notice_does_not_count():
    good = sign("b", Vote(SCORE), 2, 3)
    assert why_not(START, good, HEADS) == ""
    late = "this notice was written after a turn that is not in this game"
    assert why_not(START, good, HEADS[:3]) == late
    assert why_not(START, good, HEADS[:4]) == ""
    assert why_not(START, sign("b", Vote(SCORE), 2, 3, heads=HEADS[::-1]), HEADS) == late
    forged = sign("b", Vote(SCORE), key=KEYS["a"])
    assert why_not(START, forged, HEADS) == "the notice is not signed with the writer's present key"
    ranked = "this notice comes too late: a turn already lists a later notice of the same writer"
    assert why_not(standing(ranks={"b": (3, 2)}), good, HEADS) == ranked
    assert why_not(standing(ranks={"b": (4, 1)}), good, HEADS) == ranked
    assert why_not(standing(ranks={"b": (3, 1), "a": (5, 5)}), good, HEADS) == ""
    none = sign("b", Away(0, 0))
    assert "no absence" in why_not(START, none, HEADS)


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
    *good, last = sort_notices(START, [*many, own], HEADS)[0]
    assert last == own, "there is always room for the referee's notices"
    share = MAX_SEAT_NOTICES // (2 * len(START.roster))
    firsts = {s: [one for one in many if one.content.seat == s][:share] for s in "bc"}
    assert {one.id for one in good} == {one.id for some in firsts.values() for one in some}


def turn_listing(*records, number: int = 8, **changes):
    """A turn that lists these notices."""
    return replace(G.turn2.content, turn=number, notices=tuple(map(row_of, records)), **changes)


@pytest.mark.parametrize(
    ("field", "told"), [("about", "kind: away, not vote"), ("seat", "seat: c, not b")]
)
def test_a_notice_is_listed_as_what_it_is(field, told):
    vote = sign("b", Vote(SCORE))
    row = replace(row_of(vote), **{field: "away" if field == "about" else "c"})
    wrong = replace(turn_listing(), notices=(row,))
    reason, sentence = refusal_by(after_turn, START, wrong, lambda _: vote, HEADS)
    assert (reason, f"with the wrong {told}" in sentence) == ("rule", True)


def test_a_notice_that_cannot_count_is_named():
    bad = sign("b", Away(0, 0))
    with pytest.raises(RecordError) as caught:
        after_turn(START, turn_listing(bad), lambda _: bad, HEADS)
    told = f"notice {bad.id.hex()[:6]} (away) breaks a rule: the seat has announced no"
    assert caught.value.sentence.startswith(told)
    reason, sentence = refusal_by(no_notice, b"abcdef")
    assert (reason, "the notice 616263 is missing from this folder" in sentence) == ("parent", True)


def test_a_turn_in_which_nothing_happens_or_that_somebody_else_signed_is_refused():
    empty = replace(turn_listing(), log=())
    reason, sentence = refusal_by(check_signer_and_contents, make(empty, REF), START)
    assert (reason, "nothing happens in this turn" in sentence) == ("rule", True)
    check_signer_and_contents(make(empty, REF), standing(ended="draw"))
    check_signer_and_contents(
        make(replace(turn_listing(sign("b", Vote(SCORE))), log=()), REF), START
    )
    full = turn_listing()
    assert full.log
    check_signer_and_contents(make(full, REF), START)
    told = "turn 8 is not signed by Rhea, who was the referee at that time"
    reason, sentence = refusal_by(
        check_signer_and_contents, make(full, KEYS["dee"]), standing(with_deputy())
    )
    assert (reason, told in sentence) == ("key", True)
