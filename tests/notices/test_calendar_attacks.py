"""Referees and players who cheat with the calendar: everybody sees it at once."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from pbem.judge.make_signed_records import make_notice
from pbem.judge.notice_kinds import Away, Delay, SetDeadline
from pbem.judge.which_notices_count import row_of
from pbem.records.notice import REFEREE, Saying
from pbem.records.read_and_sign_record import make
from pbem.records.turn import Turn
from tests.kit.named_games import SEATS, session_of
from tests.kit.people import NOW, Round
from tests.kit.record_files import put_record
from tests.kit.timed_games import answer_with_card, begin_three

HOUR, DAY = 3600, 86400


def audit_of_changed_turn(table: Round, change: Callable[[Turn], Turn]) -> str:
    """The referee signs the last turn again with a change; what a stranger's audit says then."""
    rhea = session_of(table.person("rhea"))
    *_, last = rhea.game_folder.turns()
    path = table.shared / f"savannah/turns/{last.content.turn:04}.toml"
    path.write_bytes(make(change(last.content), rhea.refereeing.key()).file)
    said = table.person("eve").pbem("audit savannah")
    assert said.exit == 1, said.text
    return said.out


def signed_in_folder(table: Round, saying: Saying, writer: str, by: str = ""):
    """A notice after turn 1 in the folder, signed with the key of `by`, its writer's if empty."""
    rhea = session_of(table.person("rhea"))
    head = rhea.readers.table().chain.heads[1]
    seat = by or writer
    who = session_of(table.person(SEATS[seat])) if seat != REFEREE else rhea
    key = who.seat_key(seat) if seat != REFEREE else rhea.refereeing.key()
    record = make_notice((rhea.game_folder.game, 1, head), writer, 1, saying, key)
    put_record(rhea.folder, record)
    return record


def with_notice(record) -> Callable[[Turn], Turn]:
    return lambda turn: replace(
        turn, notices=tuple(sorted((*turn.notices, row_of(record)), key=lambda row: row.id))
    )


def next_turn(table: Round, now: int = NOW + HOUR) -> None:
    for seat in "abc":
        answer_with_card(table, seat)
    said = table.person("rhea").pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(now))
    assert said.exit == 0, said.text


def put_off(table: Round) -> None:
    """Turn 2 lists that Bo puts the deadline off by 30 hours."""
    begin_three(table, "--delays 2d")
    signed_in_folder(table, Delay(30), "b")
    said = table.person("rhea").pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR))
    assert said.exit == 0, said.text


@pytest.mark.sample(1)
@pytest.mark.parametrize("hours", [-30, 1, -1])
def test_a_deadline_is_put_off_by_what_the_delays_say(table: Round, hours: int) -> None:
    put_off(table)
    told = audit_of_changed_turn(
        table, lambda turn: replace(turn, deadline=turn.deadline + hours * HOUR)
    )
    assert "the turn changes the deadline, although it only lists notices" in told


def test_a_delay_cannot_be_listed_after_the_deadline(table: Round) -> None:
    put_off(table)
    told = audit_of_changed_turn(table, lambda turn: replace(turn, time=turn.time + 24 * HOUR))
    assert "(delay) breaks a rule: the deadline has passed" in told


@pytest.mark.sample(0)
def test_who_is_away_as_announced_cannot_be_called_silent(table: Round) -> None:
    begin_three(table)
    signed_in_folder(table, Away(NOW, NOW + 9 * DAY), "b")
    answer_with_card(table, "a")
    answer_with_card(table, "c")
    late = str(NOW + 25 * HOUR)
    assert table.person("rhea").pbem("advance -C savannah", SOURCE_DATE_EPOCH=late).exit == 0
    told = audit_of_changed_turn(table, lambda turn: replace(turn, silent=("b",)))
    sentence = (
        "the turn calls seat b silent, although its player was away and the game did not wait "
        "for them"
    )
    assert sentence in told


@pytest.mark.sample(0)
def test_an_absence_that_is_over_settles_nothing(table: Round) -> None:
    """The turn is dated after the absence: then Bo must be asked."""
    begin_three(table)
    signed_in_folder(table, Away(NOW, NOW + 2 * HOUR), "b")
    answer_with_card(table, "a")
    answer_with_card(table, "c")
    soon = str(NOW + HOUR)
    assert table.person("rhea").pbem("advance -C savannah", SOURCE_DATE_EPOCH=soon).exit == 0
    told = audit_of_changed_turn(table, lambda turn: replace(turn, time=NOW + 3 * HOUR))
    assert "(away) breaks a rule: the absence is already over" in told


def test_a_rule_that_all_agreed_on_counts(table: Round) -> None:
    begin_three(table)
    for writer in ("a", "b", "c", REFEREE):
        signed_in_folder(table, SetDeadline("3 days"), writer)
    next_turn(table)
    told = audit_of_changed_turn(table, lambda turn: replace(turn, deadline=turn.time + 24 * HOUR))
    assert "the deadline does not follow from the deadline rule of this game" in told


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("rule", "told"),
    [("whenever", "'whenever' is not a deadline"), ("72h", "standard form, which is '3 days'")],
)
def test_a_turn_cannot_list_a_deadline_rule_that_nobody_can_read_or_that_has_another_form(
    table, rule, told
):
    begin_three(table)
    record = signed_in_folder(table, SetDeadline(rule), "a")
    next_turn(table)
    assert told in audit_of_changed_turn(table, with_notice(record))


@pytest.mark.sample(0)
def test_an_absence_that_somebody_else_signed_does_not_count(table: Round) -> None:
    begin_three(table)
    record = signed_in_folder(table, Away(NOW, NOW + 9 * DAY), "b", by="c")
    next_turn(table)
    told = audit_of_changed_turn(table, with_notice(record))
    assert "(away) breaks a rule: the notice is not signed with the writer's present key" in told


@pytest.mark.sample(0)
def test_the_referee_alone_changes_no_deadline(table: Round) -> None:
    begin_three(table)
    for seat in "ab":
        signed_in_folder(table, SetDeadline("3 days"), seat)
    record = signed_in_folder(table, SetDeadline("3 days"), REFEREE)
    next_turn(table)
    told = audit_of_changed_turn(table, with_notice(record))
    sentence = "the referee must agree last, but these players have not agreed to the new deadline"
    assert f"(deadline) breaks a rule: {sentence} yet: Cy" in told
