"""The time of the referee's machine."""

from __future__ import annotations

import os
import time


def now() -> int:
    """Seconds since 1970 UTC; SOURCE_DATE_EPOCH in place of the clock, for builds and tests that
    must give the same bytes again (reproducible-builds.org)."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(fixed) if fixed.isdecimal() else int(time.time())
