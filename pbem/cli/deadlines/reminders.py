"""Write reminders for the referee to send: at half and at a quarter of the time, and after the
deadline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.cli.deadlines.due import Due


def reminder(
    due: Due, title: str, turn: int, late: Mapping[str, Sequence[str]], names: Mapping[str, str]
) -> list[str]:
    """Return lines that say who to remind, and a text to send them; empty if it is too early.

    `late` gives, for each seat that the game waits for, the kinds of decision it must make.
    """
    from pbem.screen.tell_entries import listed

    stage = stage_of(due)
    if not stage or not late:
        return []
    who = listed(clean(names[seat]) for seat in sorted(late))
    kinds = dict.fromkeys(kind for asked in late.values() for kind in asked)
    text = f"{clean(title)}, turn {turn} is waiting for {who} ({', '.join(kinds)})."
    text += f" Deadline: {due.for_others}; after that, the least harmful choice is made."
    return [f"remind {who}: {stage}. You can send this text:", f"  {text}"]


def stage_of(due: Due) -> str:
    """Return how much time is left, in words; empty if it is too early for a reminder."""
    if not due or due.left > 0.5:
        return ""
    if due.left <= 0:
        return "the deadline has passed"
    part = "a quarter" if due.left <= 0.25 else "half"
    return f"less than {part} of the time is left"
