"""Announced absence, delays, agreed deadlines: at the front door, in records and in the audit."""

from pathlib import Path

import pytest

from tests.kit.people import NOW, Round
from tests.kit.selection import before_release, long
from tests.kit.timed_games import answer_all, answer_with_card, begin_three, play_on, status_data
from tests.notices.commands import (
    advance_at,
    assert_audit_passes,
    deadline_in_text,
    turn_text,
    type_at,
)

HOUR, DAY = 3600, 86400


# ---------------------------------------------------------------- away
@pytest.mark.long
def test_nobody_waits_for_who_announced_an_absence(table: Round) -> None:
    rhea = begin_three(table)
    said = type_at(table.person("bo"), f"notice away ..{iso(NOW + 10 * DAY)}")
    assert said.exit == 0, said.text
    assert "you are away from" in said.out
    answer_with_card(table, "a")
    answer_with_card(table, "c")
    assert advance_at(table).exit == 0
    assert 'about = "away"' in turn_text(table, 2)
    assert "silent" not in turn_text(table, 2)
    told = status_data(rhea)["seats"]["b"]
    assert told["away"] == "announced"
    assert (
        "Bo is away, as announced, so nobody waits for them" in rhea.pbem("status -C savannah").out
    )
    play_on(table, "ac", turns=2)
    assert_audit_passes(table)


@pytest.mark.sample(0)
def test_an_announced_absence_is_no_silence_and_ends_by_itself(table: Round) -> None:
    """Back in time, the player is neither absent nor idle, whatever was played meanwhile."""
    begin_three(table)
    assert type_at(table.person("bo"), f"notice away ..{iso(NOW + 3 * DAY)}").exit == 0
    play_on(table, "ac", turns=3)
    for _ in range(30):  # back in time: soon the game waits for Bo again
        answer_all(table, "ac")
        if advance_at(table, NOW + 4 * DAY).exit == 5:
            break
    told = status_data(table.person("rhea"))["seats"]["b"]
    assert told["away"] == ""
    assert told["asked"]
    assert_audit_passes(table)


@pytest.mark.sample(0)
def test_everybody_away_is_nobody_away(table: Round) -> None:
    begin_three(table)
    for name in ("ann", "bo", "cy"):
        assert type_at(table.person(name), f"notice away ..{iso(NOW + 9 * DAY)}").exit == 0
    assert advance_at(table).exit == 5
    assert status_data(table.person("rhea"))["turn"] == 1


@pytest.mark.sample(0)
def test_an_absence_is_taken_back(table: Round) -> None:
    begin_three(table)
    bo = table.person("bo")
    said = type_at(bo, "notice away --back")
    assert said.exit == 2
    assert "the seat has announced no absence" in said.err
    assert type_at(bo, f"notice away ..{iso(NOW + 9 * DAY)}").exit == 0
    assert type_at(bo, "notice away --back").exit == 0
    answer_with_card(table, "a")
    answer_with_card(table, "c")
    assert advance_at(table).exit == 5


TOO_LATE = NOW + 25 * HOUR


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("new", "typed", "now", "told"),
    [
        ("", "away", NOW, "give the first and the last day of your absence"),
        ("", "away over christmas", NOW, "'over christmas' does not give the days of your absence"),
        ("", "away 2023-13-20", NOW, "does not give the days of your absence"),
        ("", "away 30 february", NOW, "does not give the days of your absence"),
        ("", "away 2023-11-20..2023-11-18", NOW, "the absence ends before it begins"),
        ("", "away 2023-10-01..2023-10-02", NOW, "the absence is already over"),
        ("", "away 2023-11-20..2024-11-20", NOW,
         "the absence is too long: it can last 100 days at most"),
        ("", "away 2023-11-20..2023-11-22 --back", NOW,
         "give the first and the last day of your absence"),
        ("", "delay 24h", NOW, "nobody can put a deadline off"),
        ("--delays 2d", "delay 24h", TOO_LATE, "the deadline has passed"),
        ("--delays 2d", "delay soon", NOW, "'soon' is not a span of time"),
        ("--delays 2d", "delay 90 minutes", NOW, "by whole hours"),
        ("", "deadline", NOW, "say which deadline you propose"),
        ("", "deadline sometimes", NOW, "notice deadline: "),
        ("", "deadline 72h --phase night", NOW, "no phase is called 'night'"),
        ("", "deadline 72h --no", NOW, "say which deadline you propose"),
    ],
)  # fmt: skip
def test_absences_delays_and_deadlines_that_make_no_sense_are_refused_with_the_reason(
    table, new, typed, now, told
):
    begin_three(table, new)
    said = type_at(table.person("bo"), f"notice {typed}", now)
    assert (said.exit, told in said.err) == (2, True), said.text


# ---------------------------------------------------------------- delay
@pytest.mark.sample(0)
def test_a_delay_puts_the_deadline_off_for_all(table: Round) -> None:
    rhea = begin_three(table, "--delays '2 days'")
    before = deadline_in_text(turn_text(table, 1))
    answer_with_card(table, "a")
    said = type_at(table.person("bo"), "notice delay 30h", NOW + HOUR)
    assert said.exit == 0, said.text
    assert "by 30 hours; you can then put deadlines off by 18 hours more in all" in said.out
    assert advance_at(table, NOW + 2 * HOUR).exit == 0  # a turn for the notice alone
    text = turn_text(table, 2)
    assert deadline_in_text(text) == before + 30 * HOUR
    assert "[[log]]" not in text
    assert "Bo puts the deadline off by 30 hours" in rhea.pbem("log -C savannah").out
    answer_with_card(table, "c")
    assert advance_at(table, before + HOUR).exit == 5  # nobody is silent yet
    assert advance_at(table, before + 31 * HOUR).exit == 0
    assert 'silent = [\n  "b",\n]' in turn_text(table, 3)
    assert_audit_passes(table)


@pytest.mark.sample(0)
def test_a_delay_costs_the_budget(table: Round) -> None:
    begin_three(table, "--delays 1d")
    bo = table.person("bo")
    assert type_at(bo, "notice delay 20h").exit == 0
    said = type_at(bo, "notice delay 5h")
    assert (said.exit, "can put deadlines off by only 4 hours more" in said.err) == (2, True), (
        said.text
    )
    assert type_at(bo, "notice delay 4h").exit == 0
    before = deadline_in_text(turn_text(table, 1))
    assert advance_at(table).exit == 0
    assert deadline_in_text(turn_text(table, 2)) == before + 24 * HOUR
    assert_audit_passes(table)


@pytest.mark.sample(0)
def test_a_delay_that_comes_too_late_is_not_listed(table: Round) -> None:
    """It was signed in time, and reached the referee after the deadline: silence counts."""
    begin_three(table, "--delays 2d")
    assert type_at(table.person("bo"), "notice delay 24h").exit == 0
    assert advance_at(table, NOW + 26 * HOUR).exit == 0
    text = turn_text(table, 2)
    assert 'about = "delay"' not in text
    assert "silent = " in text
    said = table.person("bo").pbem("status -C savannah")
    assert (
        "has no effect: this notice was written for an earlier deadline, which is over" in said.out
    )
    assert_audit_passes(table)


def test_a_budget_that_makes_no_sense(table: Round) -> None:
    said = table.person("rhea").pbem("new other --players Ann,Bo --delays much")
    assert said.exit == 2
    assert "--delays: " in said.err
    said = table.person("rhea").pbem("new other --players Ann,Bo --delays 90m")
    assert said.exit == 2
    assert "policies.delays: 90 minutes is not a whole number of hours" in said.err


# ---------------------------------------------------------------- another deadline
@pytest.mark.sample(0)
def test_all_agree_on_another_deadline(table: Round) -> None:
    rhea = begin_three(table)
    for name in ("ann", "bo"):
        assert type_at(table.person(name), "notice deadline 72h").exit == 0
    early = type_at(rhea, "notice deadline 72h")
    assert early.exit == 2
    assert "these players have not agreed to the new deadline yet: Cy" in early.err
    assert type_at(table.person("cy"), "notice deadline 72h").exit == 0
    said = type_at(rhea, "notice deadline 72h")
    assert said.exit == 0, said.text
    assert advance_at(table, NOW + HOUR).exit == 0
    text = turn_text(table, 2)
    assert deadline_in_text(text) == NOW + HOUR + 72 * HOUR
    assert (
        "Ann, Bo, Cy and Rhea agreed to a new deadline: 3 days" in rhea.pbem("log -C savannah").out
    )
    for seat in "abc":
        answer_with_card(table, seat)
    assert advance_at(table, NOW + 2 * HOUR).exit == 0
    assert deadline_in_text(turn_text(table, 3)) == NOW + 74 * HOUR
    assert_audit_passes(table)


@pytest.mark.parametrize("whole", [*long([False]), *before_release([True])])
def test_proposals_are_taken_back_and_differ_by_phase(table: Round, whole: bool) -> None:
    rhea = begin_three(table)
    for name in ("ann", "bo"):
        assert type_at(table.person(name), "notice deadline 72h --phase feed").exit == 0
    assert type_at(table.person("cy"), "notice deadline 72h").exit == 0
    said = type_at(rhea, "notice deadline 72h --phase feed")
    assert "have not agreed to the new deadline yet: Cy" in said.err
    assert type_at(table.person("cy"), "notice deadline --no").exit == 0
    again = type_at(table.person("cy"), "notice deadline --no")
    assert (again.exit, "nothing new was signed" in again.out) == (0, True)
    assert type_at(table.person("cy"), "notice deadline 72h --phase feed").exit == 0
    assert type_at(rhea, "notice deadline 72h --phase feed").exit == 0
    assert advance_at(table).exit == 0
    turns = table.shared / "savannah/turns"
    while deadline_in_text(max(turns.iterdir()).read_text()) != NOW + 72 * HOUR:
        play_on(table, "abc", turns=1)
    play_on(table, "abc", turns=500 if whole else 2)  # with the rule in its phase
    said = rhea.pbem("audit savannah")
    assert (said.exit, "Proven" in said.out) == (0, whole), said.text


def iso(seconds: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S+00:00")


def test_the_last_day_of_an_absence_is_a_day_away(tmp_path: Path) -> None:
    """Absences are read in the machine's zone, whole days: the last day is the last day away."""
    from pbem.acts.read_typed_absences_and_delays import typed_absence

    away = typed_absence("2026-12-24..2027-01-02")
    assert away.ends - away.begins in (10 * DAY - HOUR, 10 * DAY, 10 * DAY + HOUR)


@pytest.mark.sample(0)
def test_status_tells_what_is_to_come(table: Round) -> None:
    begin_three(table, "--delays 2d")
    ann, bo = table.person("ann"), table.person("bo")
    assert "by up to 48 more hours; to do so: pbem notice delay 24h" in type_at(bo, "status").out
    assert type_at(bo, f"notice away {iso(NOW + DAY)}..{iso(NOW + 2 * DAY)}").exit == 0
    assert type_at(bo, "notice deadline 72h --phase feed").exit == 0
    assert type_at(bo, "notice delay 5h").exit == 0
    assert advance_at(table).exit == 0
    told = type_at(ann, "status").out
    assert "Bo is away from Wed 2023-11-15" in told
    assert 'Bo proposes a new deadline: 3 days (to agree: pbem notice deadline "3 days"' in told
    assert "--phase feed)" in told
    assert "by up to 43 more hours" in type_at(bo, "status").out
