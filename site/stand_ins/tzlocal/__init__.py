"""The browser's time zone, which the page writes into TZ when the program starts. The library also
knows the registry of Windows, and every zone's name there."""

import os
from zoneinfo import ZoneInfo


def reload_localzone() -> ZoneInfo:
    """Return the browser's time zone. Raises LookupError or ValueError for one without data."""
    return ZoneInfo(os.environ["TZ"])
