"""The codes of problems in order files, and what each means (interface, *Errors*)."""

from __future__ import annotations

from typing import Final

PROBLEMS: Final = {
    "PBEM-ORD-001": "the file is no TOML; the place says where reading stopped",
    "PBEM-ORD-002": "a key that is no kind of order in this game",
    "PBEM-ORD-003": "a value that is neither a string nor a list of strings",
    "PBEM-ORD-010": "the orders are for another game",
    "PBEM-ORD-011": "the orders answer another turn than the one that is here",
    "PBEM-ORD-012": "the orders are of another seat than yours",
    "PBEM-ORD-020": "a sentence that this game does not have, or that can mean several things",
    "PBEM-ORD-021": "a step that is illegal at its point, after your own lines before it",
    "PBEM-ORD-022": "a name that nothing on the table has",
    "PBEM-ORD-023": "something that is not yours is told what to do",
    "PBEM-ORD-024": "a line longer than 200 bytes",
    "PBEM-ORD-025": "more than 256 lines",
    "PBEM-ORD-026": "a kind of order that this game never asks for",
    "PBEM-ORD-030": "warning: the line fits nothing now; it may fit later in the round",
    "PBEM-ORD-031": "warning: the line comes after `done` and is never reached",
    "PBEM-ORD-032": "warning: you are asked for something, and no line answers it",
    "PBEM-ORD-033": "warning: the steps do not end with `done`, so you will be asked to go on",
}
"""01x and below: the file; 02x: errors; 03x: warnings, which are sealed all the same."""
