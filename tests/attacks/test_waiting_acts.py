"""Attacks on what waits so that somebody can cancel it: by old orders, by keys of thieves, and by
players whom the referee invented."""

import pytest

from tests.attacks.waiting_acts import (
    STOLEN,
    THIEF,
    end_of_wait,
    end_while_bo_is_idle,
    exit_of_advance,
    give_away_idle_seat,
    key_of_seat,
    name_of_seat,
    say_notice,
    vouch_for_thief,
)
from tests.kit.named_games import SEATS, invite, made, seal_lines, session_of, sit
from tests.kit.people import NOW, Round, key_of
from tests.kit.timed_games import DAY, answer_all, begin_three, play_on, status_data
from tests.notices.forging import new_key_of, put_notice, turn_records


def send_empty_orders(table: Round) -> None:
    """Bo is back, and sends orders, although nothing asks him at the moment."""
    bo = session_of(table.person("bo"))
    seal_lines(bo, "b", [])


# ------------------------------------------------------------------ orders, in the last moment
@pytest.mark.long
def test_an_idle_players_orders_stop_an_agreed_end_at_the_last_moment(table: Round) -> None:
    until = end_while_bo_is_idle(table)
    send_empty_orders(table)
    assert exit_of_advance(table, until + 1) == 0
    data = status_data(table.person("rhea"))
    assert (data["over"], data["waits"]) == (False, [])
    assert table.person("ann").pbem("audit savannah").exit == 0


@pytest.mark.long
def test_a_referee_who_ends_the_game_despite_an_idle_players_orders_is_named(table: Round) -> None:
    """The turn that lists Bo's orders cannot be the end; the one that leaves them out is named."""
    until = end_while_bo_is_idle(table)
    send_empty_orders(table)
    sent = max((table.shared / "savannah" / "orders").glob("*-b-*"))
    bytes_ = sent.read_bytes()
    sent.unlink()
    assert exit_of_advance(table, until) == 0
    assert status_data(table.person("rhea"))["over"]
    sent.write_bytes(bytes_)
    said = table.person("bo").pbem("audit savannah --as b")
    assert sent.stem.rsplit("-", 1)[1] in said.out


@pytest.mark.sample(0)
def test_orders_from_before_an_announcement_do_not_cancel_it(table: Round) -> None:
    """Bo's orders answer a turn before the announcement; the referee kept them back."""
    begin_three(table)
    answer_all(table, "b")
    (sent,) = (table.shared / "savannah" / "orders").glob("*-b-*")
    bytes_ = sent.read_bytes()
    sent.unlink()
    vouch_for_thief(table, "a", "c")
    sent.write_bytes(bytes_)
    assert exit_of_advance(table, NOW + 2 * DAY) == 0
    assert key_of_seat(table, "b") == THIEF.public
    assert table.person("ann").pbem("audit savannah").exit == 0


@pytest.mark.long
def test_orders_of_a_due_seat_count_even_in_a_turn_that_only_lists_notices(table: Round) -> None:
    """The game waits for the whole round; a new key needs a turn, and Bo's seat is due."""
    rhea = give_away_idle_seat(table, "--wait-for-all")
    until = status_data(rhea)["waits"][0]["until"]
    play_on(table, "ac", turns=1, now=until - 60)
    before = len(turn_records(table))
    send_empty_orders(table)
    assert table.person("cy").pbem("notice key -C savannah --profile new").exit == 0
    assert exit_of_advance(table, until) == 0
    last = turn_records(table)[-1].content
    assert len(turn_records(table)) == before + 1
    assert [one.seat for one in last.orders] == ["b"]
    assert [(one.about, one.seat) for one in last.notices] == [("key", "c")]
    assert status_data(rhea)["waits"] == []
    assert name_of_seat(table, "b") == "Bo"
    assert table.person("ann").pbem("audit savannah").exit == 0


# ------------------------------------------------------------------ thieves
@pytest.mark.long
def test_a_thief_cannot_cancel_a_second_takeover_by_changing_the_key(table: Round) -> None:
    """What the others vouch for again, only the recovery key cancels: not new keys, either."""
    begin_three(table)
    vouch_for_thief(table, "a", "c")
    say_notice(table, "b", "end --no")
    answer_all(table, "ac")
    assert exit_of_advance(table, NOW + 2 * DAY) == 0
    for seat in "ac":
        put_notice(table, seat, STOLEN, key_of(SEATS[seat]), after=3)
    put_notice(table, "referee", STOLEN, key_of("rhea"), after=3)
    assert exit_of_advance(table, NOW + 2 * DAY) == 0
    put_notice(table, "b", new_key_of(table, "dodge"), key_of("bo"), after=4)
    assert exit_of_advance(table, NOW + 4 * DAY) == 0
    assert key_of_seat(table, "b") == THIEF.public


@pytest.mark.long
def test_a_stolen_keys_vouching_lapses_when_its_owner_is_back(table: Round) -> None:
    """A thief with Ann's key vouches for their own key in Bo's seat; Ann has a recovery key."""
    made(table, "--players Ann,Bo,Cy --referee Rhea --deadline 24h")
    ann = table.person("ann")
    assert ann.pbem("keys new --profile safe").exit == 0
    line = ["join", "-C", "savannah", "--name", "Ann", "--recovery", "safe"]
    assert ann.pbem([*line, "--invite", invite(table, "a")]).exit == 0
    sit(table, "b")
    sit(table, "c")
    assert exit_of_advance(table, NOW) == 0
    old = key_of_seat(table, "b")
    vouch_for_thief(table, "a", "c")
    assert ann.pbem("notice key --recovery safe --profile back -C savannah").exit == 0
    assert exit_of_advance(table, NOW + 60) == 0
    assert status_data(table.person("rhea"))["waits"] == []
    exit_of_advance(table, NOW + 3 * DAY)
    assert key_of_seat(table, "b") == old


# ------------------------------------------------------------------ players whom nobody knows
@pytest.mark.long
def test_a_player_seated_by_the_referee_cannot_help_to_vouch_for_a_thief(table: Round) -> None:
    """Cy leaves, and Rhea gives the seat to herself under the name of Flo. Ann is away."""
    rhea = begin_three(table, "--idle-after 1")
    say_notice(table, "c", "leave --yes")
    play_on(table, "ab", turns=1)
    line = rhea.pbem("notice invite c -C savannah").out.split("--invite ")[1].split()[0]
    flo = table.person("flo")
    assert flo.pbem(["join", "-C", "savannah", "--name", "Flo", "--invite", line]).exit == 0
    assert exit_of_advance(table, NOW) == 0
    assert name_of_seat(table, "c") == "Flo"
    play_on(table, "b", turns=1, now=NOW + DAY + 1, others={"c": "flo"})
    play_on(table, "b", turns=1, now=NOW + 3 * DAY, others={"c": "flo"})
    put_notice(table, "c", STOLEN, key_of("flo"), after=len(turn_records(table)))
    put_notice(table, "referee", STOLEN, key_of("rhea"), after=len(turn_records(table)))
    answer_all(table, "b")
    exit_of_advance(table, NOW + 3 * DAY + 60)
    assert status_data(rhea)["waits"] == []
    told = rhea.pbem("audit savannah").out
    assert "got their key or their seat from the referee" in told


# ------------------------------------------------------------------ when it is time
@pytest.mark.sample(0)
def test_the_referee_is_told_when_an_announced_act_is_due(table: Round) -> None:
    """There is no deadline, and everybody is silent: only the time itself says that it is due."""
    made(table, "--players Ann,Bo,Cy --referee Rhea --deadline never")
    for seat in "abc":
        sit(table, seat)
    rhea = table.person("rhea")
    assert exit_of_advance(table, NOW) == 0
    line = table.person("bo").pbem("notice key --lost --as b --profile lost -C savannah").out
    line = next(part for part in line.split() if part.startswith("b:"))
    for who in ("ann", "cy", "rhea"):
        assert table.person(who).pbem(f"notice vouch --yes {line} -C savannah").exit == 0
    told = rhea.pbem("status -C savannah").out
    assert (
        "Bo gets a new key, which Ann, Cy and Rhea (the referee) have confirmed, unless" in told
    ), told
    assert exit_of_advance(table, NOW) == 0
    (wait,) = status_data(rhea)["waits"]
    for when, due in ((NOW + 60, False), (int(wait["until"]), True)):
        clock = {"SOURCE_DATE_EPOCH": str(when)}
        assert ("ADVANCE NOW" in rhea.pbem("list", **clock).out) is due
        told = rhea.pbem("status -C savannah", **clock).out
        assert ("next: pbem advance" in told) is due, told
    assert exit_of_advance(table, int(wait["until"])) == 0
    assert status_data(rhea)["waits"] == []


# ------------------------------------------------------------------ away as announced
def away_until(table: Round, now: int, days: int) -> int:
    """Bo announces an absence from now on; returns when it ends."""
    from pbem.judge.notice_kinds import Away

    put_notice(table, "b", Away(now, now + days * DAY), key_of("bo"))
    return now + days * DAY


@pytest.mark.sample(0)
def test_a_player_back_from_an_announced_absence_has_the_whole_waiting_time(table: Round) -> None:
    """Bo's seat was gone one second after he was back."""
    begin_three(table)
    back = away_until(table, NOW, 9)
    old = key_of_seat(table, "b")
    play_on(table, "ac", turns=1)
    vouch_for_thief(table, "a", "c")
    assert end_of_wait(table) == back + 2 * DAY
    play_on(table, "ac", turns=1, now=back + 1)
    assert key_of_seat(table, "b") == old
    say_notice(table, "b", "end --no")
    exit_of_advance(table, back + 2 * DAY)
    play_on(table, "ac", turns=1, now=back + 4 * DAY)
    assert (key_of_seat(table, "b"), status_data(table.person("rhea"))["waits"]) == (old, [])


@pytest.mark.sample(0)
def test_a_waiting_time_ends_two_days_after_an_announced_absence(table: Round) -> None:
    begin_three(table)
    back = away_until(table, NOW, 9)
    vouch_for_thief(table, "a", "c")
    play_on(table, "ac", turns=1, now=back + 2 * DAY - 1)
    assert key_of_seat(table, "b") != THIEF.public
    assert exit_of_advance(table, back + 2 * DAY) == 0
    assert key_of_seat(table, "b") == THIEF.public
    assert table.person("ann").pbem("audit savannah").exit == 0


@pytest.mark.sample(0)
def test_an_absence_announced_for_a_far_year_does_not_prolong_a_waiting_time(table: Round) -> None:
    from pbem.judge.notice_kinds import Away

    begin_three(table)
    later = NOW + 3650 * DAY
    put_notice(table, "b", Away(later, later + 9 * DAY), key_of("bo"))
    play_on(table, "ac", turns=1, now=NOW + DAY)
    vouch_for_thief(table, "a", "c", now=NOW + DAY)
    assert end_of_wait(table) == NOW + 3 * DAY


@pytest.mark.sample(0)
def test_a_later_delay_does_not_change_a_waiting_time(table: Round) -> None:
    """Another player puts the deadline off."""
    made(table, "--players Ann,Bo,Cy --referee Rhea --deadline 24h --delays '3 days'")
    for seat in "abc":
        sit(table, seat)
    assert exit_of_advance(table, NOW) == 0
    vouch_for_thief(table, "a", "c")
    until = end_of_wait(table)
    say_notice(table, "a", "delay 24h")
    assert exit_of_advance(table, NOW + 60) == 0
    assert end_of_wait(table) == until
    assert exit_of_advance(table, until) == 0
    assert key_of_seat(table, "b") == THIEF.public, "although the deadline was put off"


def test_in_a_slow_game_the_waiting_time_is_as_long_as_the_deadline(table: Round) -> None:
    """A deadline of five days: the waiting time is as long, after the absence too."""
    made(table, "--players Ann,Bo,Cy --referee Rhea --deadline '5 days'")
    for seat in "abc":
        sit(table, seat)
    assert exit_of_advance(table, NOW) == 0
    back = away_until(table, NOW, 9)
    vouch_for_thief(table, "a", "c")
    assert end_of_wait(table) == back + 5 * DAY


@pytest.mark.sample(0)
def test_a_delay_does_not_spoil_a_turn_whose_next_questions_have_no_deadline(table: Round) -> None:
    """Only the phase in which cards are played has a deadline: a delay that is listed in its last
    turn puts nothing off, and everybody refused such a turn."""
    rules = "--deadline never --deadline-for play=30h --delays '3 days'"
    made(table, f"--players Ann,Bo --referee Rhea {rules}")
    for seat in "ab":
        sit(table, seat)
    assert exit_of_advance(table, NOW) == 0
    play_on(table, "ab", turns=1)
    (asked,) = turn_records(table)[-1].content.awaited
    while turn_records(table)[-1].content.deadline:
        say_notice(table, asked.seat, "delay 1h")
        answer_all(table, "ab")
        assert exit_of_advance(table, NOW) == 0
    assert [one.about for one in turn_records(table)[-1].content.notices] == ["delay"]
    assert table.person("ann").pbem("audit savannah").exit == 0
