"""Which questions your sealed orders leave open: noted when they are sealed, for `status`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pbem.cli.session.session import Session
    from pbem.play.view import View


def note_open(session: Session, order: bytes, kinds: Sequence[str]) -> None:
    """Note the kinds of decision that these orders do not answer. Raises StorageError."""
    from pbem.format.canonical import emit
    from pbem.storage.atomic_write import replace

    path = _path(session)
    if kinds or path.exists():
        replace(path, emit({"kinds": list(kinds), "orders": order.hex()}))


def open_now(session: Session, view: View) -> list[str]:
    """The kinds that are asked now and that the newest orders, sealed here, do not answer."""
    from pbem.cli.orders.receipt import newest

    if not (kinds := _noted(session)) or (record := newest(session, view)) is None:
        return []
    if kinds.get("orders") != record.id.hex():
        return []
    return [kind for kind in view.awaited.get(view.seat, []) if kind in kinds.get("kinds", [])]


def answered_inside(session: Session, view: View) -> str:
    """What to say if a seat that the referee holds has answered this turn for good; else empty.

    Its orders are inside the turn. Every other seat may answer again until the next turn.
    """
    from pbem.cli.orders.receipt import newest

    held = view.seat in session.roles.held and view.seat in view.awaited
    if view.preview or view.over or not held:
        return ""
    record = newest(session, view)
    ident = f" {record.id.hex()[:6]}" if record else ""
    told = f"you have already answered turn {view.turn}: your orders{ident} are part of it"
    return f"{told}, and you cannot change them now"


def _noted(session: Session) -> dict[str, Any]:
    from pbem.format.errors import RecordError
    from pbem.storage.errors import StorageError
    from pbem.storage.read_file import read_file
    from pbem.text.handwritten_toml import decoded

    try:
        return decoded(read_file(_path(session)))
    except (RecordError, StorageError, ValueError):
        return {}  # then nothing is known about them


def _path(session: Session) -> Path:
    return session.mine.root / "unanswered.toml"
