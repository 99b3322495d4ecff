"""Your newest orders: which questions they leave open, and what standing orders did."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.desk.session import Session
from pbem.files.disk import StorageError, read_if_there
from pbem.files.home import Notebook
from pbem.game.view import View, standing_report
from pbem.records.charter import Orders
from pbem.records.read_record import Record
from pbem.screen.tell import spaced


def newest(session: Session, view: View) -> Record[Orders] | None:
    """Return the newest orders of your seat in the folder, signed by its key; no secret key is
    needed."""
    key = session.public_of(view.seat)
    since = view.turn if view.seat in view.plays else view.asked_by
    mine = [
        order
        for order in session.listing.orders
        if order.name.seat == view.seat and order.name.turn >= since
    ]
    mine.sort(key=lambda f: (f.name.turn, f.name.revision, f.name.digits), reverse=True)
    signed = session.game_folder.orders_signed_by
    return next((record for order in mine for record in signed(order, key)), None)


def note_open(session: Session, view: View, order: bytes, kinds: Sequence[str]) -> None:
    """Write down which kinds of decision these orders leave open, and what the draft said when they
    were sealed. Raises StorageError."""
    path, book = session.mine.draft(view.turn, view.seat), _notebook(session)
    if (mark := _mark_of(path)) or kinds or book.path.exists():
        said = {"kinds": list(kinds), "orders": order.hex()}
        book.write({**said, "draft": path.name, "mark": mark})


def _notebook(session: Session) -> Notebook:
    return Notebook(session.mine.root / "unanswered.toml")


def _mark_of(draft: Path) -> str:
    """Return a mark of the lines of a draft, without its comments; empty if there is none."""
    try:
        text = read_if_there(draft) or b""
    except StorageError:
        return ""
    lines = [line.strip() for line in text.splitlines()]
    text = b"\n".join(line for line in lines if line and not line.startswith(b"#"))
    return sha256(text).hexdigest()[:16] if text else ""


def changed_draft(session: Session, orders: str) -> str:
    """Return the name of the draft if it was changed after these orders were sealed from it;
    else empty.

    This works only for orders that were sealed on this computer; `orders` is their id, in hex.
    """
    noted = _notebook(session).notes()
    name, mark = str(noted.get("draft", "")), noted.get("mark")
    if noted.get("orders") != orders or not mark or "/" in name:
        return ""
    now = _mark_of(session.mine.root / "drafts" / name)
    return f"drafts/{name}" if now not in ("", mark) else ""


def open_now(session: Session, view: View) -> list[str]:
    """Return the kinds of decision that you must make now and that your newest orders leave open.

    This works only for orders that were sealed on this computer.
    """
    noted = _notebook(session).notes()
    record = newest(session, view) if noted else None
    if record is None or noted.get("orders") != record.id.hex():
        return []
    return [kind for kind in view.awaited.get(view.seat, []) if kind in noted.get("kinds", [])]


def answered_for_good(session: Session, view: View) -> str:
    """Say that a seat that the referee plays can no longer change its answer; empty if it can.

    The next turn already contains such orders. Any other seat may answer again until that turn.
    """
    held = view.seat in session.roles.held and view.seat in view.awaited
    if view.preview or view.over or not held:
        return ""
    record = newest(session, view)
    ident = f" {record.id.hex()[:6]}" if record else ""
    told = f"you have already answered turn {view.turn}: your orders{ident} are part of it"
    return f"{told}, and you cannot change them now"


# ------------------------------------------------------------------ standing orders
_FATES = {
    "followed": "followed {times}",
    "not possible": "passed over {times}, because it was not possible then",
    "not reached": "not reached {times}, because a line above it answered",
    "applies to the other lines in the same list": "limited the other lines",
}


def standing_lines(view: View) -> list[str]:
    """Return the lines on your standing orders that `status` prints."""
    report = standing_report(view)
    if report is None:
        return []
    lines = []
    for line in report.lines:
        fates = [_FATES[fate].format(times=times(n)) for fate, n in line.fates.items() if n]
        if line.fates:
            did = "; ".join(fates) or "had no question to answer"
            lines.append(f'  {line.kind}: "{spaced(line.text)}" {did}')
    if lines:
        head = f"what your standing orders did in round {report.round} (each one was checked):"
        lines.insert(0, head)
    if report.stopped:
        when = " and ".join(report.stopped)
        lines.append(f"your standing orders have stopped in this round: {when}")
    return lines


def times(number: int) -> str:
    """Return a number of times in words: `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def standing_data(view: View) -> dict[str, Any] | None:
    """Return the data on your standing orders that `status --json` prints."""
    report = standing_report(view)
    if report is None:
        return None
    lines = [{"kind": one.kind, "line": one.text, "fates": one.fates} for one in report.lines]
    return {"round": report.round, "lines": lines, "stopped": report.stopped}
