"""The field tables of docs/protocol.md, made from the code and the sample game."""

import ast
import inspect
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from typing import Any

import pbem.game.notice_kinds  # noqa: F401  (every kind is known once this is loaded)
from pbem.format.canonical import parse
from pbem.records import charter, schema, turn
from pbem.records.notice import SAYINGS, Notice
from pbem.records.press import Press
from tests.records.sample import sample
from tests.shared import ROOT

DOCUMENT = ROOT / "docs" / "protocol.md"
_LONGEST = 24


def tables() -> dict[str, str]:
    """Each table by its name in the document."""
    game = sample()
    made = {
        "header": _table(schema.Header, parse(game.orders2.signed.body)),
        "charter": _table(charter.Charter, parse(game.charter.signed.body)),
        "join": _table(charter.Join, parse(game.join_b.signed.body)),
        "orders": _table(charter.Orders, parse(game.orders2.signed.body)),
        "final": _table(charter.FinalRecord, parse(game.final.signed.body)),
        "press": _table(Press, parse(game.private.signed.body) | parse(game.public.signed.body)),
    }
    made["notice"] = _table(Notice, parse(game.notice.signed.body))
    for about, kind in SAYINGS.items():
        if fields(kind):
            made[f"notice.{about}"] = _table(kind, dict(kind.example))
    first, second = parse(game.turn1.signed.body), parse(game.turn2.signed.body)
    made["turn"] = _table(turn.Turn, first | second)
    seat = {"seat": "b", "name": "Bö", "bot": "greedy", "mail": True}
    made["charter.seats"] = _table(charter.SeatPlan, seat)
    for name, kind in (
        ("log", turn.LogEntry),
        ("lines", turn.OpenLine),
        ("cards", turn.OpenCard),
        ("dealt", turn.OpenPosition),
        ("shown", turn.OpenPosition),
        ("decks", turn.NewCards),
    ):
        made[f"turn.{name}"] = _table(kind, second[name][0])
    refused = second["orders"][0] | {"status": "refused", "reason": "late"}
    made["turn.orders"] = _table(turn.Listed, refused)
    made["turn.notices"] = _table(turn.ListedNotice, second["notices"][0])
    made["turn.awaited"] = _table(turn.Awaited, first["awaited"][0])
    made["packet"] = _table(turn.Packet, {})
    line = {"line": "play: [horns 4] on c1", "why": "c1 is not yours"}
    made["packet.refused"] = _table(turn.Refusal, line | {"order": game.orders1.id.hex()})
    return made


def _table(kind: type[Any], doc: dict[str, Any]) -> str:
    rows = ["| field | what | bytes | example |", "|---|---|---|---|"]
    told = _docstrings(kind)
    above = filter(is_dataclass, kind.__mro__[1:])
    inherited = {f.name for base in above for f in fields(base)}
    for f in fields(kind):
        if f.name in inherited or "codec" not in f.metadata:
            continue
        hint = f.metadata["codec"].hint
        if f.default is not MISSING:
            hint += "; left out when empty"
        rows.append(f"| `{f.name}` | {told[f.name]} | {hint} | {_example(doc.get(f.name))} |")
    return "\n".join(rows)


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


def _example(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return f"`{str(value).lower()}`"
        case int():
            return f"`{value}`"
        case str():
            return f'`"{_short(value)}"`'
        case [dict(), *_]:
            return f"`[[…]]` × {len(value)}"
        case list():
            return f"`[{_inner(value[0])}{', …' if len(value) > 1 else ''}]`" if value else "`[]`"
        case _:
            return "`" + ", ".join(f"{k} = {_inner(v)}" for k, v in value.items()) + "`"


def _inner(value: Any) -> str:
    return f'"{_short(value)}"' if isinstance(value, str) else str(value).lower()


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:8] + "…"


def filled(document: str) -> str:
    """The document with every `<!-- table NAME -->` followed by that table as it is now."""
    made = tables()
    parts = document.split("<!-- table ")
    out = [parts[0]]
    for part in parts[1:]:
        name, rest = part.split(" -->", 1)
        old = rest.split("<!-- end -->", 1)
        out.append(f"{name} -->\n{made.pop(name)}\n<!-- end -->{old[1]}")
    assert not made, f"tables that stand nowhere: {sorted(made)}"
    return "<!-- table ".join(out)


def write(path: Path = DOCUMENT) -> None:
    path.write_text(filled(path.read_text("utf-8")), "utf-8")
