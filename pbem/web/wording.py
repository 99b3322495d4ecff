"""What a page says in a browser tab: there is no terminal and no folder, so no command and no path.

The sentences are those of the commands. A part that says what to type is left out.
"""

from __future__ import annotations

import re
from typing import Final

_COMMANDS: Final = (
    "advance|audit|calendar|check|demo|doctor|explain|games|host|join|keys|learn|list|log|new|"
    "notice|notify|orders|play|post|receive|replay|results|rules|run|send|show|sim|since|status|"
    "submit|table|tell"
)
COMMAND: Final = re.compile(rf"`?\bpbem (?:{_COMMANDS})\b|(?<![\w-])--[a-z]")
"""Where a sentence begins to say what to type."""
PATH: Final = re.compile(r"(?<![\w./:])/(?:home/web|tmp|app)\b[^\s;:,)]*")
"""A path in the memory of the tab."""
HERE: Final = "this browser"
_BREAK: Final = re.compile(r": |, | \(")
_TO_DO: Final = re.compile(r"^(?:and|or|to|type|see|try|then|if|without)\b")
"""How a clause begins that says what a command is for."""


def without_commands(text: str) -> str:
    """Leave out what a person could only type, and paths; empty if nothing else was said."""
    text = PATH.sub(HERE, text)
    if not COMMAND.search(text):
        return text
    said = ""
    for part in re.split(r"(?<=[;.]) ", text):
        if spoken := _spoken(part):
            end = part[-1] if part[-1] in ";." and spoken[-1] != part[-1] else ""
            said += f" {spoken}{end}" if said else f"{spoken}{end}"
    return re.sub(r"[;:,]$", "", said)


def _spoken(part: str) -> str:
    """Return a part of a sentence up to the break before its first command."""
    command = COMMAND.search(part)
    if not command:
        return part
    said = part[: command.start()]
    breaks = [*_BREAK.finditer(said)]
    for last in reversed(breaks):
        said = said[: last.start()]
        clause = said[max([0, *(one.end() for one in breaks if one.end() <= last.start())]) :]
        if not _TO_DO.search(clause):
            return said
    return ""
