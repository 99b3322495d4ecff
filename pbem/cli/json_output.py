"""The one envelope of `--json`: `{"pbem": 1, "command": …, "data": …}` on one line.

`log` and `since` add the key `messages`; it is not in `data`, as messages are not part of the game.
"""

from __future__ import annotations

import json
from typing import Any


def print_data(command: str, data: Any, **more: Any) -> None:
    """Print data for programs; `more`: further keys, printed after `data`."""
    print(json.dumps({"pbem": 1, "command": command, "data": data} | more, sort_keys=True))
