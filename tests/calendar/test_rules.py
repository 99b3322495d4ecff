"""Deadline rules in plain words, and the moments that they give, around changes of the clocks."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from pbem.format.record_error import RecordError
from pbem.records.deadline_rules import read_rule

HOUR, DAY = 3600, 86400


def epoch_seconds(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp())


def after(rule: str, time: str) -> str:
    """The deadline after a turn, in UTC."""
    return datetime.fromtimestamp(read_rule(rule).deadline(epoch_seconds(time)), UTC).isoformat()[
        :16
    ]


@pytest.mark.parametrize(
    ("said", "form"),
    [
        ("48H", "48h"),
        ("2 days", "48h"),
        ("2 weeks", "14 days"),
        ("90min", "90 minutes"),
        ("1m", "1 minute"),
        ("2m grace 1min", "2 minutes, grace 1 minute"),
        ("Never", "never"),
        ("48h grace 2 hours", "48h, grace 2h"),
        ("EVERY day 9:05 utc", "every day 09:05 UTC"),
        ("every day 20:00 Europe/Berlin except Sunday, sat",
         "every day 20:00 Europe/Berlin except sat sun"),
        ("fri mon wednesdays 18:00 UTC at least 12h, grace 30 minutes",
         "mon wed fri 18:00 UTC, at least 12h, grace 30 minutes"),
        ("mon tue wed thu fri 18:00 UTC", "every day 18:00 UTC except sat sun"),
        ("sun 08:00 America/Argentina/Buenos_Aires", "sun 08:00 America/Argentina/Buenos_Aires"),
    ],
)  # fmt: skip
def test_each_rule_has_one_form(said, form):
    assert read_rule(said).words == form
    assert read_rule(form) == read_rule(said)


@pytest.mark.parametrize(
    "said",
    [
        "", "48", "0h", "soon", "-3h", "every day", "every day 20:00", "every day 24:00 UTC",
        "every day 20:60 UTC", "20:00 UTC", "mon 20:00 UTC except mon", "mon 20:00 UTC except",
        "every day 20:00 CET", "every day 20:00 ../UTC", "every day 20:00 right/Europe/Berlin",
        "48h, at least 2h", "never, grace 2h", "48h, grace 0h", "48h grace 1h grace 2h",
        "401 days", "99999 weeks", "48h or so", "month 20:00 UTC",
    ],
)  # fmt: skip
def test_what_is_no_rule(said):
    with pytest.raises(ValueError, match=r"deadline|too long"):
        read_rule(said)


@pytest.mark.parametrize(
    ("rule", "time", "deadline"),
    [
        ("48h", "2026-01-05T10:00Z", "2026-01-07T10:00"),
        ("48h, grace 2h", "2026-01-05T10:00Z", "2026-01-07T12:00"),
        # Monday the 5th; Berlin is an hour ahead of UTC
        ("every day 20:00 Europe/Berlin", "2026-01-05T18:59:59Z", "2026-01-05T19:00"),
        ("every day 20:00 Europe/Berlin", "2026-01-05T19:00Z", "2026-01-06T19:00"),
        ("every day 20:00 Europe/Berlin, at least 12h", "2026-01-05T07:00Z", "2026-01-05T19:00"),
        ("every day 20:00 Europe/Berlin, at least 12h", "2026-01-05T07:01Z", "2026-01-06T19:00"),
        ("every day 20:00 Europe/Berlin except sat sun", "2026-01-09T20:00Z", "2026-01-12T19:00"),
        ("mon wed fri 18:00 UTC, grace 2h", "2026-01-05T18:00Z", "2026-01-07T20:00"),
        ("sun 00:30 Pacific/Kiritimati", "2026-01-05T00:00Z", "2026-01-10T10:30"),
        ("mon 18:00 UTC, at least 20 days", "2026-01-05T18:00Z", "2026-01-26T18:00"),
    ],
)
def test_the_next_moment(rule, time, deadline):
    assert after(rule, time) == deadline


@pytest.mark.parametrize(
    ("rule", "time", "deadline"),
    [
        # Berlin goes forward on 29 March 2026 at 02:00 and back on 25 October at 03:00
        ("every day 20:00 Europe/Berlin", "2026-03-28T20:00Z", "2026-03-29T18:00"),
        ("every day 20:00 Europe/Berlin", "2026-10-24T19:00Z", "2026-10-25T19:00"),
        ("every day 02:30 Europe/Berlin", "2026-03-28T12:00Z", "2026-03-29T01:30"),  # 03:30 there
        ("every day 02:30 Europe/Berlin", "2026-03-29T12:00Z", "2026-03-30T00:30"),
        ("every day 02:30 Europe/Berlin", "2026-10-24T12:00Z", "2026-10-25T00:30"),  # the first
        ("every day 02:30 Europe/Berlin", "2026-10-25T00:45Z", "2026-10-26T01:30"),  # not twice
        # New York goes forward on 8 March 2026 at 02:00 and back on 1 November at 02:00
        ("every day 20:00 America/New_York", "2026-03-07T12:00Z", "2026-03-08T01:00"),
        ("every day 20:00 America/New_York", "2026-03-08T12:00Z", "2026-03-09T00:00"),
        ("every day 02:30 America/New_York", "2026-03-08T00:00Z", "2026-03-08T07:30"),  # 03:30
        ("every day 01:30 America/New_York", "2026-11-01T00:00Z", "2026-11-01T05:30"),  # the first
        ("every day 01:30 America/New_York", "2026-11-01T05:45Z", "2026-11-02T06:30"),
        # a span is a span: 24 hours over the change
        ("24h", "2026-03-28T20:00Z", "2026-03-29T20:00"),
    ],
)
def test_around_a_change_of_the_clocks(rule, time, deadline):
    assert after(rule, time) == deadline


def test_over_a_year_every_deadline_is_at_eight_in_the_evening():
    rule, time = (
        read_rule("every day 20:00 Europe/Berlin except sat sun"),
        epoch_seconds("2026-01-01T00:00Z"),
    )
    while time < epoch_seconds("2027-01-01T00:00Z"):
        time, before = rule.deadline(time), time
        here = datetime.fromtimestamp(time, ZoneInfo("Europe/Berlin"))
        assert (here.hour, here.minute) == (20, 0)
        assert here.weekday() < 5
        assert 0 < time - before <= 3 * DAY + HOUR


@pytest.mark.parametrize("rule", ["48h, grace 1h", "every day 20:00 UTC, at least 2h", "never"])
def test_hours_and_utc_are_exact(rule):
    time = epoch_seconds("2026-01-05T10:00Z")
    right = read_rule(rule).deadline(time)
    assert read_rule(rule).may_give(right, time)
    assert not any(read_rule(rule).may_give(right + n, time) for n in (-60, -1, 1, 3600))


@pytest.mark.parametrize(
    ("time", "named", "good"),
    [
        ("2026-01-05T00:00Z", "2026-01-05T19:00Z", True),
        ("2026-01-05T00:00Z", "2026-01-05T22:00Z", True),  # three hours are the most
        ("2026-01-05T00:00Z", "2026-01-05T16:00Z", True),
        ("2026-01-05T00:00Z", "2026-01-05T22:01Z", False),
        ("2026-01-05T00:00Z", "2026-01-05T15:59Z", False),
        ("2026-01-05T00:00Z", "2026-01-06T19:00Z", False),  # nobody can have skipped today
        ("2026-01-05T06:30Z", "2026-01-06T19:00Z", True),  # elsewhere 12 hours are not left
        ("2026-01-05T07:30Z", "2026-01-05T19:30Z", True),  # elsewhere they are
        ("2026-01-05T07:30Z", "2026-01-05T19:00Z", False),  # nowhere less than 12 hours
        ("2026-01-05T07:30Z", "2026-01-07T19:00Z", False),
    ],
)
def test_zones_leave_room_for_other_data(time, named, good):
    rule = read_rule("every day 20:00 Europe/Berlin, at least 12h")
    assert rule.may_give(epoch_seconds(named), epoch_seconds(time)) is good


def test_a_zone_that_this_machine_does_not_know():
    rule = read_rule("every day 20:00 Mars/Olympus_Mons, at least 12h")
    with pytest.raises(RecordError, match="does not know the time zone Mars/Olympus_Mons"):
        rule.deadline(epoch_seconds("2026-01-05T00:00Z"))
    good = [rule.may_give(epoch_seconds(f"2026-01-0{d}T20:00Z"), epoch_seconds("2026-01-05T00:00Z"))
            for d in (5, 6, 7, 8)]  # fmt: skip
    assert good == [True, True, False, False]  # zones are up to 15 hours from UTC


@pytest.mark.parametrize("rule", ["every day 20:00 UTC", "every day 20:00 Europe/Berlin"])
def test_the_calendar_ends(rule):
    last = 253_402_300_799
    with pytest.raises(RecordError, match="after the end of the calendar"):
        read_rule(rule).deadline(last)
    assert not read_rule(rule).may_give(last, last)
