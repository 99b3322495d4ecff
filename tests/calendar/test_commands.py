"""Deadlines at the front door: `new`, `status`, `list`, `advance`, `send`, `calendar`, `--now`."""

import json
from pathlib import Path

import pytest
from icalendar import Calendar

from tests.kit.named_games import made, sit
from tests.kit.people import NOW, Round
from tests.kit.timed_games import DAY, HOUR, answer_with_card, begin_two

BERLIN = "every day 20:00 Europe/Berlin except sat sun"
"""NOW is Tuesday, 14 November 2023, 22:13:20 UTC."""


# ---------------------------------------------------------------- status, list, advance, send
def test_everybody_reads_the_deadline_in_their_own_zone(table: Round) -> None:
    begin_two(table, BERLIN)
    ann = table.person("ann")
    zones = {
        "UTC": "Wed 2023-11-15 19:00 UTC, in 20 hours",
        "Europe/Berlin": "Wed 2023-11-15 20:00 CET (19:00 UTC), in 20 hours",
        "Asia/Tokyo": "Thu 2023-11-16 04:00 JST (Wed 2023-11-15 19:00 UTC), in 20 hours",
        "Asia/Kathmandu": "Thu 2023-11-16 00:45 +0545 (Wed 2023-11-15 19:00 UTC), in 20 hours",
    }
    for zone, told in zones.items():
        assert (
            f"deadline: {told}; if nothing changes" in ann.pbem("status -C savannah", TZ=zone).out
        )
        assert f", turn 1, deadline {told}; " in " ".join(ann.pbem("list", TZ=zone).out.split())
    said = table.person("rhea").pbem("advance -C savannah", TZ="Europe/Berlin")
    assert f"deadline: {zones['Europe/Berlin']}\n" in said.err
    mail = table.person("rhea").pbem("send -C savannah --to a --paste").out
    told = "Turn 1 asks you for food. Send your orders before Wed 2023-11-15 19:00 UTC"
    assert told in " ".join(mail.split())


def test_a_weekend_is_skipped_by_the_rule(table: Round) -> None:
    made(table, f"--players Ann,Bo --referee Rhea --deadline '{BERLIN}'")
    for seat in "ab":
        sit(table, seat)
    rhea = table.person("rhea")
    assert rhea.pbem("advance -C savannah --now 2023-11-17T18:00Z").exit == 0  # a Friday
    data = json.loads(rhea.pbem("status -C savannah --json").out)["data"]
    assert data["deadline"] == 1_700_506_800  # Monday at 20:00 in Berlin


def test_a_phase_can_have_its_own_deadline(table: Round) -> None:
    rhea = begin_two(table, "48h", "--deadline-for food=24h --deadline-for play='5h, grace 1h'")
    data = json.loads(rhea.pbem("status -C savannah --json").out)["data"]
    assert (data["deadline"], data["grace"]) == (NOW + DAY, 0)
    answer_with_card(table, "a")
    assert rhea.pbem(f"advance -C savannah --now {NOW + DAY}").exit == 0
    data = json.loads(rhea.pbem("status -C savannah --json").out)["data"]
    assert data["seats"]["a"]["asked"] + data["seats"]["b"]["asked"] == ["play"]
    assert (data["deadline"], data["grace"]) == (NOW + DAY + 6 * HOUR, HOUR)


@pytest.mark.sample(0)
def test_in_the_grace_orders_count_and_silence_does_not(table: Round) -> None:
    rhea = begin_two(table, "24h, grace 2h")
    late = NOW + DAY + HOUR
    told = "Wed 2023-11-15 22:13 UTC, 60 minutes ago (orders still count until"
    said = rhea.pbem(f"status -C savannah --now {late}").out
    assert f"deadline: {told} Thu 2023-11-16 00:13 UTC, in 60 minutes); if nothing" in said
    assert rhea.pbem(f"advance -C savannah --now {late}").exit == 5
    answer_with_card(table, "a", late)
    answer_with_card(table, "b", late)
    assert rhea.pbem(f"advance -C savannah --now {late}").exit == 0
    assert "by default" not in rhea.pbem("log -C savannah --turn 2").out


def test_after_deadline_and_grace_silence_counts(table: Round) -> None:
    rhea = begin_two(table, "24h, grace 2h")
    assert rhea.pbem(f"advance -C savannah --now {NOW + DAY + 2 * HOUR - 1}").exit == 5
    said = rhea.pbem(f"status -C savannah --now {NOW + DAY + 2 * HOUR}").out
    assert "the deadline has passed: Wed 2023-11-15 22:13 UTC, 2 hours ago; " in said
    assert rhea.pbem(f"advance -C savannah --now {NOW + DAY + 2 * HOUR}").exit == 0
    assert rhea.pbem("log -C savannah --turn 2").out.count("(by default)") == 4  # the whole round
    assert rhea.pbem("audit savannah").exit == 0


# ---------------------------------------------------------------- change of mind
@pytest.mark.sample(0)
def test_players_may_change_their_minds_for_a_while(table: Round) -> None:
    rhea = begin_two(table, "48h", "--change-of-mind 2h")
    answer_with_card(table, "a")
    assert rhea.pbem(f"advance -C savannah --now {NOW + HOUR}").exit == 5
    answer_with_card(table, "b", NOW + 2 * HOUR)
    first = NOW + 3 * HOUR  # the first time that the referee's machine sees Bo's orders
    said = rhea.pbem(f"advance -C savannah --now {first}")
    assert said.exit == 5
    assert (
        "all players have answered; until Wed 2023-11-15 03:13 UTC, in 2 hours, they may"
        in said.err
    )
    said = rhea.pbem(f"status -C savannah --now {first}").out
    assert "all orders are here, and may be changed until Wed 2023-11-15 03:13 UTC" in said
    assert "next: pbem advance, after Wed 2023-11-15 03:13 UTC" in said
    assert "ADVANCE NOW" not in rhea.pbem(f"list --now {first}").out
    said = table.person("ann").pbem(f"status -C savannah --now {first}").out
    assert "Rhea waits 2h after the last orders, and until then you may change your orders" in said
    answer_with_card(table, "a", first + HOUR, card=1)  # new orders: the time begins again
    assert rhea.pbem(f"advance -C savannah --now {first + HOUR}").exit == 5
    assert rhea.pbem(f"advance -C savannah --now {first + 3 * HOUR - 1}").exit == 5
    assert "ADVANCE NOW" in rhea.pbem(f"list --now {first + 3 * HOUR}").out
    assert rhea.pbem(f"advance -C savannah --now {first + 3 * HOUR}").exit == 0


def test_nobody_gains_time_beyond_the_deadline(table: Round) -> None:
    rhea = begin_two(table, "24h", "--change-of-mind 2h")
    for seat in "ab":
        answer_with_card(table, seat, NOW + 23 * HOUR)
    said = rhea.pbem(f"advance -C savannah --now {NOW + 23 * HOUR}").err
    assert "until Wed 2023-11-15 22:13 UTC" in said
    assert rhea.pbem(f"advance -C savannah --now {NOW + DAY}").exit == 0


# ---------------------------------------------------------------- --now
@pytest.mark.parametrize(
    ("typed", "seconds"),
    [
        ("1700003600", 1_700_003_600),
        ("2023-11-14T23:13:20Z", 1_700_003_600),
        ("2023-11-14T23:13:20", 1_700_003_600),
        ("2023-11-15T00:13:20+01:00", 1_700_003_600),
        ("2023-11-15", 1_700_006_400),
    ],
)
def test_now_takes_seconds_dates_and_times_of_any_zone(table, typed, seconds):
    made(table)
    for seat in "ab":
        sit(table, seat)
    assert (
        table.person("rhea").pbem(f"advance -C savannah --now {typed}", TZ="Asia/Tokyo").exit == 0
    )
    turn = (table.shared / "savannah" / "turns" / "0001.toml").read_text()
    assert f"\ntime = {seconds}\n" in turn


# ---------------------------------------------------------------- calendar
def events(data: str) -> list[tuple[str, str, int]]:
    found = Calendar.from_ical(data).walk("VEVENT")
    return [(str(e["UID"]), str(e["SUMMARY"]), int(e["DTSTART"].dt.timestamp())) for e in found]


def test_the_calendar_has_what_is_due(table: Round) -> None:
    rhea = begin_two(table, "24h, grace 2h")
    ann = table.person("ann")
    (event,) = events(ann.pbem("calendar").out)
    assert event[1:] == ("savannah: your orders for turn 1 (food)", NOW + DAY)
    later = ann.pbem(f"calendar -C savannah --now {NOW + HOUR}").out
    assert events(later) == [event]  # the same event, with the same name
    answer_with_card(table, "a")
    assert events(ann.pbem("calendar").out) == []
    said = rhea.pbem("calendar").out
    assert [e[1:] for e in events(said)] == [("savannah: turn 1 is over", NOW + DAY + 2 * HOUR)]
    assert "the game is waiting for Bo" in said
    assert not any(str(table.root) in text for text in (later, said))  # no folder of yours


def test_calendar_events_have_reminders_before_the_deadline(table: Round) -> None:
    begin_two(table, "24h")
    ann = table.person("ann")
    assert ann.pbem("calendar").out.split("TRIGGER:")[1:][0].startswith("-PT720M")
    assert ann.pbem("calendar").out.count("TRIGGER") == 2
    assert ann.pbem(f"calendar --now {NOW + 13 * HOUR}").out.count("TRIGGER") == 1


def test_a_game_without_a_deadline_is_only_noted(table: Round) -> None:
    begin_two(table, "never")
    said = table.person("ann").pbem("calendar")
    assert events(said.out) == []
    assert "note: savannah is waiting for you, and there is no deadline" in said.err


def test_a_calendar_file_is_renewed_and_nothing_else_is_replaced(table: Round) -> None:
    begin_two(table, "24h")
    ann, file = table.person("ann"), Path("games.ics")
    ann.place = table.shared
    assert ann.pbem("calendar -o games.ics").out == "wrote games.ics (1 deadline)\n"
    answer_with_card(table, "a")
    assert ann.pbem("calendar -o games.ics").out == "wrote games.ics (0 deadlines)\n"
    assert events((ann.place / file).read_bytes().decode()) == []
    (ann.place / "letter.txt").write_text("Dear Bo")
    said = ann.pbem("calendar -o letter.txt")
    assert said.exit == 2
    assert "exists and is not a calendar file" in said.err
    assert (ann.place / "letter.txt").read_text() == "Dear Bo"


def test_a_game_that_cannot_be_read_spoils_no_calendar(table: Round) -> None:
    begin_two(table, "24h")
    ann = table.person("ann")
    assert len(events(ann.pbem("calendar").out)) == 1
    (table.shared / "savannah" / "game.toml").write_text("junk")
    said = ann.pbem("calendar")
    assert (said.exit, events(said.out)) == (0, [])
    assert "cannot be read" in said.err


@pytest.mark.long
def test_a_delay_does_not_wait_until_nobody_changes_their_mind(table: Round) -> None:
    """It counts only before the deadline, and the answers that are here can still be changed."""
    rhea = begin_two(table, "24h", "--delays 2d --change-of-mind 2h")
    answer_with_card(table, "a")
    assert table.person("bo").pbem("notice delay 12h -C savannah").exit == 0
    said = rhea.pbem(f"advance -C savannah --now {NOW + 60}")
    assert "made turns/0002.toml" in said.out, said.text
    answer_with_card(table, "b")
    said = rhea.pbem(f"advance -C savannah --now {NOW + HOUR}")
    assert "all players have answered; until" in said.text
    assert rhea.pbem(f"advance -C savannah --now {NOW + 4 * HOUR}").exit == 0
    assert (table.shared / "savannah/turns/0003.toml").exists()
