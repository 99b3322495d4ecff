"""The one envelope of `--json`: `{"pbem": 1, "command": …, "data": …}` on one line.

In `log` and `since`, `messages` has a key beside `data`: messages are not part of the game.
"""

from __future__ import annotations

import json
from typing import Any


def print_data(command: str, data: Any, **more: Any) -> None:
    """Print data for programs; `more` has keys that are printed beside `data`."""
    print(json.dumps({"pbem": 1, "command": command, "data": data} | more, sort_keys=True))
