"""The text of a bundle: records as mail blocks, to attach to an email or paste into it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import Final

from pbem.format.mail_block import encode
from pbem.records.charter import Charter
from pbem.records.deal_record import Deal
from pbem.records.final_record import FinalRecord
from pbem.records.join import Join
from pbem.records.notice import Notice
from pbem.records.orders import Orders
from pbem.records.press_message import Press
from pbem.records.read_and_sign_record import Content, Record
from pbem.records.turn import Turn

ENDING: Final = ".pbem"

_KINDS: Final[tuple[tuple[type[Content], str, str], ...]] = (
    (Charter, "game.toml", ""),
    (Join, "join", "joins"),
    (Turn, "turn", "turns"),
    (Orders, "set of orders", "sets of orders"),
    (FinalRecord, "final.toml", ""),
    (Deal, "set of dealt cards", "sets of dealt cards"),
    (Notice, "notice", "notices"),
    (Press, "message", "messages"),
)


def format_bundle(
    records: Iterable[Record[Content]], description: str, notes: Iterable[str] = ()
) -> str:
    """Write a bundle: first what it is and what to type, then a block for each record.

    It is ASCII with LF. `description` says what the bundle is; each of the `notes` is a paragraph.
    Both are ASCII.
    """
    note_lines = "".join(f"{fill(note, 72)}\n" for note in notes)
    head = (
        f"A pbem bundle: {description}\n{note_lines}"
        "Save this email, or the attached file, and type:  pbem receive FILE\n"
        "Or type  pbem receive -  and paste the whole email.\n\n"
    )
    return head + encode(record.file for record in records)


def describe_records(records: Sequence[Record[Content]]) -> str:
    """Say what is in a bundle: `game.toml, 2 joins, turns 1 to 3, 1 set of orders`."""
    parts = list[str]()
    for kind, singular, plural in _KINDS:
        turns = sorted(r.content.turn for r in records if isinstance(r.content, kind))
        name = singular if len(turns) == 1 or not plural else plural
        if kind is Turn and turns:
            is_span = len(turns) > 1 and turns == list(range(turns[0], turns[-1] + 1))
            span = f"{turns[0]} to {turns[-1]}" if is_span else ", ".join(map(str, turns))
            parts.append(f"{name} {span}")
        elif turns:
            parts.append(f"{len(turns)} {name}" if plural else name)
    return ", ".join(parts)
