"""The one envelope of `--json`: `{"pbem": 1, "command": …, "data": …}` on one line."""

from __future__ import annotations

import json
from typing import Any


def print_data(command: str, data: Any) -> None:
    """Print data for programs."""
    print(json.dumps({"pbem": 1, "command": command, "data": data}, sort_keys=True))
