"""Deadline rules in plain words, and the moments that they give, around changes of the clocks."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

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
def test_deadlines_keep_their_local_time_when_the_clocks_change(rule, time, deadline):
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
