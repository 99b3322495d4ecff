"""The common envelope of all `--json` output: `{"pbem": 1, "command": …, "data": …}` on one line.

`log` and `since` add the key `messages`, which is beside `data` because messages are not part of
the game.
"""

from __future__ import annotations

import json
from typing import Any


def by_name(data: Any) -> Any:
    """Turn named tuples into dicts with the same names, at any depth in the data."""
    if hasattr(data, "_asdict"):
        return {name: by_name(value) for name, value in data._asdict().items()}
    return [by_name(one) for one in data] if isinstance(data, tuple) else data


def print_data(command: str, data: Any, **more: Any) -> None:
    """Print data for programs; `more` are further keys, which are printed after `data`."""
    print(json.dumps({"pbem": 1, "command": command, "data": data} | more, sort_keys=True))
