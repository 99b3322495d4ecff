"""Calendar files: what our writer writes, read back by the library icalendar."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from pbem.cli.icalendar_file import Event, calendar_file, fold

NOW = 1_700_000_000
TEXT = "Friday; Club, \\ the «long» night: öäü " + "very " * 30 + "\nsecond line\nthird"


def parsed(data: bytes) -> Calendar:
    return Calendar.from_ical(data)


def lines_are_right(data: bytes) -> None:
    assert data.endswith(b"\r\n")
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert b"\r" not in data.replace(b"\r\n", b"")
    for line in data.split(b"\r\n"):
        assert len(line) <= 75
        line.decode()  # no character is cut in two


def test_an_event_comes_back_as_it_was():
    event = Event("abc-3@pbem", NOW + 86400, "Club, turn 3; now", TEXT, (43200, 21600))
    data = calendar_file([event], NOW)
    lines_are_right(data)
    (found,) = parsed(data).walk("VEVENT")
    assert str(found["UID"]) == "abc-3@pbem"
    assert found["DTSTART"].dt == datetime.fromtimestamp(NOW + 86400, UTC)
    assert found["DTSTAMP"].dt == datetime.fromtimestamp(NOW, UTC)
    assert (str(found["SUMMARY"]), str(found["DESCRIPTION"])) == (event.title, TEXT)
    alarms = found.walk("VALARM")
    assert [alarm["TRIGGER"].dt for alarm in alarms] == [timedelta(hours=-12), timedelta(hours=-6)]
    assert {str(alarm["ACTION"]) for alarm in alarms} == {"DISPLAY"}


@pytest.mark.sample(0)
@given(st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" ,;\\\n")))
def test_any_text_comes_back(text):
    data = calendar_file([Event("a@pbem", NOW, text, text)], NOW)
    lines_are_right(data)
    (found,) = parsed(data).walk("VEVENT")
    assert str(found["DESCRIPTION"]) == text


def test_nobody_can_put_a_line_of_their_own_into_a_calendar_file():
    data = calendar_file([Event("a@pbem", NOW, "x\r\nATTACH:file\x00\x1b[2J", "y\rz")], NOW)
    assert b"\r\nATTACH" not in data
    assert b"\x00" not in data
    assert b"\x1b" not in data


def test_a_calendar_file_without_events_is_still_valid():
    data = calendar_file([], NOW)
    assert parsed(data).walk("VEVENT") == []
    assert len(parsed(data).subcomponents) == 1  # RFC 5545 wants one component


@pytest.mark.parametrize("length", [74, 75, 76, 149, 150, 151])
def test_long_lines_are_folded_and_keep_their_characters(length):
    assert fold("x" * length).replace(b"\r\n ", b"") == b"x" * length + b"\r\n"
    lines_are_right(fold("é" * length))
