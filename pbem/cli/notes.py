"""Notes on files in the folder that do not count: said in passing, no command stops for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.screen.style import clean

if TYPE_CHECKING:
    from pbem.cli.session import Session

TELLING = ("copy", "case", "link")
"""Kinds of litter that may be a record which somebody misses."""


def say_notes(session: Session) -> None:
    """Each damaged or misplaced file that was met, and second copies, on standard error."""
    from pbem.cli.failure import say

    for fault in session.chronicle.faults:
        say(f"note: {clean(fault.path)} does not count: {clean(fault.sentence)}")
    for litter in session.listing.litter:
        if litter.kind in TELLING:
            say(f"note: {clean(litter.path)} is not read: {litter.why}")
