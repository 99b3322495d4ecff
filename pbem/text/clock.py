"""The current time: from this computer's clock, or typed."""

from __future__ import annotations

import os
import time

from pbem.errors import CliError
from pbem.text.dates import read_time
from pbem.text.terminal_and_page_wording import TerminalText


def now() -> int:
    """Return the time now in seconds since 1970 UTC: SOURCE_DATE_EPOCH if it is set, else the
    clock.

    Builds and tests set SOURCE_DATE_EPOCH to get the same bytes each time
    (reproducible-builds.org).
    """
    typed_seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(typed_seconds) if typed_seconds.isdecimal() else int(time.time())


def is_typed() -> bool:
    """Return whether the time is typed, with `--now` or SOURCE_DATE_EPOCH, and not the clock's."""
    return os.environ.get("SOURCE_DATE_EPOCH", "").isdecimal()


def set_now(time_text: str) -> str:
    """Use the time typed as `--now` instead of the clock, for this run of pbem.

    Raises CliError if the text is not a time.
    """
    try:
        if time_text:
            os.environ["SOURCE_DATE_EPOCH"] = str(read_time(time_text))
    except (ValueError, OverflowError):
        hint = "write a time such as 2026-11-25T20:00Z, or a number of seconds since 1970"
        raise CliError(
            TerminalText("[[--now: ]]{time_text!r} is not a time").format(time_text=time_text), hint
        ) from None
    return time_text
