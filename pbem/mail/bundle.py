"""Write bundles: text files with mail blocks, to attach to an email or paste into it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import Final

from pbem.format.mail_block import encode
from pbem.records.charter_join_orders import Charter, FinalRecord, Join, Orders
from pbem.records.notices.notice_record import Notice
from pbem.records.press.message_record import Press
from pbem.records.read_record import Content, Record
from pbem.records.turn import Turn

ENDING: Final = ".pbem"

_KINDS: Final[tuple[tuple[type[Content], str], ...]] = (
    (Charter, "the charter"),
    (Join, "join"),
    (Turn, "turn"),
    (Orders, "set of orders"),
    (FinalRecord, "the final record"),
    (Notice, "notice"),
    (Press, "message"),
)


def bundle(records: Iterable[Record[Content]], about: str, notes: Iterable[str] = ()) -> str:
    """Write a bundle: first what it is and what to type, then a block for each record.

    It is ASCII with LF. `about` says what the bundle is; each of the `notes` is a paragraph. Both
    are ASCII.
    """
    told = "".join(f"{fill(note, 72)}\n" for note in notes)
    head = (
        f"A pbem bundle: {about}\n{told}"
        "Save this email, or the attached file, and type:  pbem receive FILE\n"
        "Or type  pbem receive -  and paste the whole email.\n\n"
    )
    return head + encode(record.file for record in records)


def what_is_in(records: Sequence[Record[Content]]) -> str:
    """Say what is in a bundle: `the charter, 2 joins, turns 1 to 3, 1 set of orders`."""
    return ", ".join(
        _some([r for r in records if isinstance(r.content, kind)], one)
        for kind, one in _KINDS
        if any(isinstance(r.content, kind) for r in records)
    )


def _some(records: list[Record[Content]], one: str) -> str:
    if one.startswith("the "):
        return one
    if one == "turn":
        numbers = sorted(record.content.turn for record in records)
        whole = numbers == list(range(numbers[0], numbers[-1] + 1))
        if len(numbers) == 1:
            return f"turn {numbers[0]}"
        span = f"{numbers[0]} to {numbers[-1]}" if whole else ", ".join(map(str, numbers))
        return f"turns {span}"
    first, space, rest = one.partition(" ")
    return f"1 {one}" if len(records) == 1 else f"{len(records)} {first}s{space}{rest}"
