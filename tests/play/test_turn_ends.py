"""What the end of a turn must say: deadlines, delays, silence, and a game that all ended."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace

import pytest

from engine import CHANCE, Decision
from pbem.format.record_error import RecordError
from pbem.judge.absence import Absence
from pbem.judge.calendar_of_notices import Calendar
from pbem.judge.seats_and_agreements import Standing
from pbem.judge.turn_end_checks import (
    UnheardSeats,
    awaited_kinds_by_seat,
    check_agreed_end,
    check_deadline,
    check_end,
    check_silence,
    turn_table_lines,
)
from pbem.records.turn import Awaited, ListedOrders, LogEntry, Turn
from tests.kit.positions import position
from tests.kit.sample_records import sample

G = sample()
HOUR = 3600
TABLE = position("evolution", 1, 33).table
"""Seat c is asked to feed."""
SCENE = turn_table_lines(TABLE.game.ruleset.scene(TABLE.state))
ENTRY = LogEntry("2.feed.feed.a.0", "pass", "default")


def rule_refusal(work, *args) -> str:
    with pytest.raises(RecordError) as caught:
        work(*args)
    assert caught.value.reason == "rule"
    return caught.value.sentence


# ------------------------------------------------------------------ a game that all ended
ENDED = replace(
    G.turn2.content, log=(), orders=(), silent=(), awaited=(), own=(), over=True, deadline=0,
    table=SCENE,
)  # fmt: skip
ON = "the players have ended the game, but this turn plays on"
NOT_SAID = "the players have ended the game, but the turn does not say so"


def test_a_turn_that_ends_a_game_by_agreement_does_nothing_else():
    check_agreed_end(ENDED, TABLE)
    for changes, told in (
        ({"log": (ENTRY,)}, ON),
        ({"orders": (ListedOrders(bytes(32), "a", "accepted"),)}, ON),
        ({"silent": ("a",)}, ON),
        ({"awaited": (Awaited("a", ("feed",)),)}, ON),
        ({"own": (bytes(32),)}, ON),
        ({"over": False}, NOT_SAID),
        ({"deadline": 5}, NOT_SAID),
        ({"table": SCENE[1:]}, "the turn describes the table wrongly"),
    ):
        assert rule_refusal(check_agreed_end, replace(ENDED, **changes), TABLE) == told


# ------------------------------------------------------------------ deadlines
def standing_with_deadline(rule: str = "1h", **declared) -> Standing:
    charter = replace(G.charter.content, policies={"deadline": rule} if rule else {})
    return Standing(charter, {}, calendar=Calendar(**declared))


def deadline_fault(
    deadline: int, before: int = 0, log: Sequence[LogEntry] = (ENTRY,), **rest
) -> str:
    """What is wrong with the deadline of turn 2, made at second 50; empty if nothing."""
    turn = replace(G.turn2.content, turn=2, time=50, deadline=deadline, log=tuple(log))
    try:
        check_deadline(turn, TABLE, standing_with_deadline(**rest), before)
    except RecordError as error:
        return error.sentence if error.reason == "rule" else error.reason
    return ""


OTHER = "the deadline does not follow the rule in the charter (game.toml)"
KEEP = "the turn changes the deadline, although it only lists notices"
EARLY = "the deadline is too early, because players have put it off"


def test_the_deadline_follows_from_the_charter_if_something_happened():
    assert deadline_fault(50 + HOUR) == deadline_fault(50 + HOUR, before=7) == ""
    assert deadline_fault(7, before=7) == deadline_fault(49 + HOUR) == deadline_fault(0) == OTHER
    assert deadline_fault(0, rule="") == ""
    assert deadline_fault(50 + HOUR, rule="") == OTHER


def test_a_turn_that_only_lists_notices_keeps_the_deadline():
    assert deadline_fault(7, before=7, log=()) == deadline_fault(0, before=0, log=()) == ""
    assert (
        deadline_fault(50 + HOUR, before=7, log=()) == deadline_fault(8, before=7, log=()) == KEEP
    )
    changed = {"rules_changed_in": 2, "log": ()}
    assert deadline_fault(50 + HOUR, before=7, **changed) == "", "all agreed on another rule"
    assert deadline_fault(7, before=7, **changed) == OTHER
    assert deadline_fault(7, before=7, log=(), rules_changed_in=1) == ""
    assert deadline_fault(50 + HOUR, before=7, log=(), rules_changed_in=1) == KEEP


def test_delays_put_the_deadline_off_in_their_turn_only():
    late = {"last_delay": (2, 2 * HOUR)}
    assert (
        deadline_fault(50 + 3 * HOUR, **late)
        == deadline_fault(7 + 2 * HOUR, before=7, log=(), **late)
        == ""
    )
    assert deadline_fault(50 + 2 * HOUR, **late) == deadline_fault(50 + 5 * HOUR, **late) == OTHER
    assert deadline_fault(7, before=7, log=(), **late) == EARLY
    assert deadline_fault(8 + 2 * HOUR, before=7, log=(), **late) == KEEP
    assert deadline_fault(50 + HOUR, last_delay=(1, 2 * HOUR)) == ""


def test_a_delay_is_part_of_the_deadline():
    late = {"last_delay": (2, HOUR), "log": ()}
    for deadline in (1, HOUR):
        assert deadline_fault(deadline, **late) == EARLY
    assert deadline_fault(0, before=1, **late) == KEEP
    assert deadline_fault(HOUR + 1, before=1, **late) == ""


def test_a_delay_is_no_obstacle_where_the_next_questions_have_no_deadline():
    assert deadline_fault(0, rule="", last_delay=(2, HOUR)) == ""
    assert deadline_fault(0, last_delay=(2, HOUR)) == OTHER


# ------------------------------------------------------------------ who has nobody to ask
def decision_with_key(
    seat: str, round_: int = 2, kind: str = "feed", default=lambda: "pass", options=2
):
    texts = [str(n) for n in range(options)]
    key = f"{round_}.feed.{kind}.{seat}.0"
    return key, Decision(seat, kind, lambda: iter(texts), default=default)


def pending_table(*pending, over: bool = False):
    return SimpleNamespace(pending=pending, over=over)


def test_a_turn_stops_only_where_somebody_is_asked():
    def end(*pending, over=False, missed=""):
        people = Absence(frozenset("abc"), 1).after_turn((), missed, 1)
        rows = tuple(
            Awaited(seat, kinds) for seat, kinds in awaited_kinds_by_seat(pending, {}).items()
        )
        turn, table = replace(ENDED, awaited=rows, over=over), pending_table(*pending, over=over)
        return rule_refusal(check_end, turn, table, standing_with_deadline(), people, 0, {})

    nobody = "the turn stops too early: no player has anything to decide"
    forced, chance = decision_with_key("a", options=1), decision_with_key(CHANCE)
    fact = "2.feed.dies.b.0", Decision("b", "dies", lambda: iter("12"), fact=True)
    for some in ([forced], [chance], [fact], [forced, fact, chance]):
        assert end(*some) == nobody
    away = "the turn waits for seat {}, although the player is away"
    assert end(decision_with_key("b"), missed="b") == away.format("b")
    assert end(decision_with_key("b"), decision_with_key("a"), missed="ab") == away.format("a, b")
    assert end(forced, decision_with_key("b"), missed="b") == away.format("b")


# ------------------------------------------------------------------ seats that were not asked
def unheard_fault(turn: Turn, *pending, seats="ab", deadline=40, silences=()) -> str:
    try:
        UnheardSeats(frozenset(seats), 2, deadline).check(turn, pending_table(*pending), silences)
    except RecordError as error:
        return error.sentence if error.reason == "rule" else error.reason
    return ""


QUIET = replace(G.turn2.content, time=50, silent=(), log=(ENTRY,))
OVERDUE = "the turn waits for seat {}, although the deadline for its orders has passed"


def test_a_seat_that_was_waited_for_is_named_when_its_questions_come():
    assert unheard_fault(QUIET, decision_with_key("a")) == OVERDUE.format("a")
    assert unheard_fault(QUIET, decision_with_key("b"), decision_with_key("a")) == OVERDUE.format(
        "a"
    )
    assert unheard_fault(replace(QUIET, silent=("a",)), decision_with_key("a")) == ""
    assert unheard_fault(
        replace(QUIET, silent=("a",)), decision_with_key("a"), decision_with_key("b")
    ) == OVERDUE.format("b")
    assert (
        unheard_fault(QUIET, decision_with_key("a"), seats="b")
        == unheard_fault(QUIET, decision_with_key("a"), seats="")
        == ""
    )
    assert unheard_fault(QUIET, decision_with_key("a", round_=3)) == "", (
        "its questions of a later round"
    )
    assert unheard_fault(QUIET, decision_with_key("a", default=None)) == "", "no default settles it"


def test_nothing_is_overdue_before_the_deadline_or_in_a_turn_of_notices():
    assert unheard_fault(QUIET, decision_with_key("a"), deadline=50) == OVERDUE.format("a")
    for changes, deadline in (({}, 51), ({}, 0), ({"log": ()}, 40)):
        assert (
            unheard_fault(replace(QUIET, **changes), decision_with_key("a"), deadline=deadline)
            == ""
        )


def test_only_a_seat_whose_questions_came_is_named():
    named = replace(QUIET, silent=("a",), log=())
    told = "the turn calls seat a silent, but asked the seat nothing"
    assert unheard_fault(named) == unheard_fault(named, decision_with_key("b"), deadline=0) == told
    assert (
        unheard_fault(named, decision_with_key("a", round_=3))
        == unheard_fault(named, decision_with_key("a", default=None))
        == told
    )
    assert unheard_fault(named, silences={("a", 2)}) == "", "a default settled it"
    for silences in ({("a", 3)}, {("b", 2)}):
        assert unheard_fault(named, silences=silences) == told
    assert unheard_fault(replace(named, silent=("c",))) == "", (
        "it was asked: another check's business"
    )
    both = replace(named, silent=("a", "b"))
    assert unheard_fault(both) == told


def test_nobody_becomes_silent_in_a_turn_in_which_nothing_happens():
    turn = replace(QUIET, silent=("a",), log=())
    told = "the turn calls a seat silent, although nothing happens in the turn"
    assert rule_refusal(check_silence, turn, "a", 40, ()) == told
    check_silence(replace(turn, log=(ENTRY,)), "a", 40, ())
    check_silence(replace(turn, silent=()), "a", 40, ())
    check_silence(replace(turn, turn=1), "a", 40, ())
