"""Write a calendar file (iCalendar, RFC 5545) with reminders, for any calendar program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from engine.value_classes import Value

MAX_LINE_OCTETS: Final = 75
"""The longest line, in octets, without its CRLF (RFC 5545, 3.1)."""
_PRODUCT_ID: Final = "-//pbem//pbem//EN"
_NO_EVENTS: Final = (  # a calendar needs at least one component (RFC 5545, 3.6)
    "BEGIN:VTIMEZONE", "TZID:Etc/UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE",
)  # fmt: skip


class Event(Value):
    """One event in a calendar."""

    uid: str
    """The event's unique id (ASCII), which is the same in every file."""
    start: int
    """The time of the event, in seconds since 1970 UTC."""
    title: str
    text: str
    """A longer text about the event; may have several lines."""
    reminders: tuple[int, ...] = ()
    """For each reminder, how many seconds before the event it comes."""


def calendar_file(events: Iterable[Event], now: int) -> bytes:
    """Return the bytes of a calendar file made at `now` (seconds since 1970 UTC)."""
    lines = [line for event in events for line in _event_lines(event, now)] or list(_NO_EVENTS)
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{_PRODUCT_ID}", "CALSCALE:GREGORIAN"]
    return b"".join(fold(line) for line in [*head, *lines, "END:VCALENDAR"])


def _event_lines(event: Event, now: int) -> Iterator[str]:
    """Yield the content lines of an event and its reminders, not yet folded."""
    yield from ("BEGIN:VEVENT", f"UID:{event.uid}", f"DTSTAMP:{_time(now)}")
    yield from (f"DTSTART:{_time(event.start)}", f"SUMMARY:{escaped(event.title)}")
    yield from (f"DESCRIPTION:{escaped(event.text)}", "TRANSP:TRANSPARENT")
    for seconds in event.reminders:
        yield from ("BEGIN:VALARM", "ACTION:DISPLAY", f"TRIGGER:-PT{seconds // 60}M")
        yield from (f"DESCRIPTION:{escaped(event.title)}", "END:VALARM")
    yield "END:VEVENT"


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%dT%H%M%SZ")


def escaped(text: str) -> str:
    """Escape a text as the value of a property (RFC 5545, 3.3.11), without control characters."""
    text = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    text = text.replace("\r\n", "\n").replace("\n", "\\n")
    return "".join(c for c in text if c.isprintable())


def fold(line: str) -> bytes:
    """Return a content line with CRLF, folded at `MAX_LINE_OCTETS`, but never inside a
    character."""
    parts, part = list[bytes](), b""
    for char in line:
        octets = char.encode()
        if len(part) + len(octets) > MAX_LINE_OCTETS:
            parts.append(part)
            part = b" "
        part += octets
    return b"\r\n".join([*parts, part]) + b"\r\n"
