"""The field tables of docs/protocol.md, made from the code."""

import ast
import inspect
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

import pbem.judge.notice_kinds  # noqa: F401  (every kind is known once this is loaded)
from pbem.records import (
    charter,
    deal_record,
    final_record,
    join,
    orders,
    packet,
    record_header,
    turn,
)
from pbem.records.notice import SAYINGS, Notice
from pbem.records.press_message import Press
from tests.kit.selection import ROOT

DOCUMENT = ROOT / "docs" / "protocol.md"
SHORT = {
    "; left out when empty": "",  # a `?` after the field says so
    "an X25519 public key, 64 hex digits": "`x25519`",
    "`ssh-ed25519 AAAA…`": "`key`",
    "64 hex digits": "`hash`",
    "an integer from 0 to 253402300799": "`time`",
    "a-z, then a-z 0-9 _ -; 1 to 32 characters": "`word` that begins with a letter",
    "a-z 0-9 _ -; 1 to 32 characters": "`word`",
    "1 to 40 characters, none of them invisible, without spaces at either end": "`name`",
    " characters, none of them invisible, without spaces at either end": " characters as in `name`",
    " characters, none of them invisible": " visible characters",
    'printable ASCII without [ ] ; " \\ and without spaces at either end; 1 to 80 characters': (
        "`card`"
    ),
    "a seat's letter, a to p": "`seat`",
    "a seat's letter": "`seat`",
    "base64 of a box of": "box,",
    "base64 of ": "base64, ",
    "printable ASCII; ": "ASCII, ",
    "an integer from ": "",
    "a table of at most 16 entries; each a text, an integer, or true or false": (
        "a table of at most 16 fields"
    ),
    "a table of at most 16 entries; each ": "by seat: ",
    "a table of at most 64 entries; each a text, an integer, or true or false": (
        "at most 64 scalars"
    ),
    "a list of ": "",
    " entries; each": " ×",
    "a card file: 0 to 65536 characters, each printable ASCII or a newline": (
        "ASCII and newlines, up to 65536 characters"
    ),
    "one of: ": "",
}
"""How the tables write what `Codec.hint` says; the list of words above the first table explains
them."""


def tables_by_name() -> dict[str, str]:
    """Each table by its name in the document."""
    records = {
        "header": record_header.Header, "charter": charter.Charter,
        "charter.seats": charter.SeatPlan, "join": join.Join, "orders": orders.Orders,
        "turn": turn.Turn, "turn.log": turn.LogEntry, "turn.lines": turn.OpenLine,
        "turn.cards": turn.OpenCard, "turn.dealt": turn.OpenPosition,
        "turn.decks": turn.NewCards, "turn.orders": turn.ListedOrders,
        "turn.notices": turn.ListedNotice, "charter.dealers": charter.CoDealer,
        "deal": deal_record.Deal, "deal.opened": deal_record.OpenedShare,
        "turn.mix": deal_record.CardMix, "turn.opened": deal_record.OpenedSlot,
        "turn.said": turn.SaidAnswer, "turn.need": deal_record.NeededSlot,
        "turn.awaited": turn.Awaited, "packet": packet.Packet,
        "packet.refused": packet.RefusedLine, "final": final_record.FinalRecord,
        "notice": Notice, "press": Press,
    }  # fmt: skip
    made = {name: _table("| field | what | value |", rows(kind)) for name, kind in records.items()}
    says = [f"| `{about}` {row}" for about, kind in SAYINGS.items() for row in rows(kind)]
    return made | {"notice.says": _table("| about | field | what | value |", says)}


def _table(head: str, lines: list[str]) -> str:
    return "\n".join([head, "|" + "---|" * (head.count("|") - 1), *lines])


def rows(kind: type[Any]) -> list[str]:
    """The row of each field of a record that its class adds."""
    told = _docstrings(kind)
    above = filter(is_dataclass, kind.__mro__[1:])
    inherited = {f.name for base in above for f in fields(base)}
    made = []
    for f in fields(kind):
        if f.name in inherited or "codec" not in f.metadata:
            continue
        hint = f.metadata["codec"].hint
        for long, short in SHORT.items():
            hint = hint.replace(long, short)
        name = f"`{f.name}`" + ("" if f.default is MISSING else "?")
        made.append(f"| {name} | {told[f.name]} | {hint} |")
    return made


def _docstrings(kind: type[Any]) -> dict[str, str]:
    """The string below each field, which Python itself forgets."""
    (body,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(body, ast.ClassDef)
    told, name = {}, ""
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and name:
            told[name] = " ".join(str(node.value.value).split()).replace("|", "\\|")
    return told


def filled(document: str) -> str:
    """The document with every `<!-- table NAME -->` followed by that table as it is now."""
    made = tables_by_name()
    parts = document.split("<!-- table ")
    out = [parts[0]]
    for part in parts[1:]:
        name, rest = part.split(" -->", 1)
        old = rest.split("<!-- end -->", 1)
        out.append(f"{name} -->\n{made.pop(name)}\n<!-- end -->{old[1]}")
    assert not made, f"tables that stand nowhere: {sorted(made)}"
    return "<!-- table ".join(out)


def write_document(path: Path = DOCUMENT) -> None:
    path.write_text(filled(path.read_text("utf-8")), "utf-8")
