"""The time of the referee's machine."""

from __future__ import annotations

import os
import time


def now() -> int:
    """Seconds since 1970 UTC: from SOURCE_DATE_EPOCH if it is set, else from the clock.

    Builds and tests set the variable to get the same bytes each time (reproducible-builds.org).
    """
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(fixed) if fixed.isdecimal() else int(time.time())
