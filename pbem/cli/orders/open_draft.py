"""Find the draft of your orders for the last turn, or write a new one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.orders.order_file import older_draft

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.play.view import View


def open_draft(session: Session, view: View, *, again: bool = False) -> tuple[Path, list[str]]:
    """Return the path of this turn's draft, written now if there was none, and notes on old drafts.

    A draft that answers a different turn is renamed; with `again`, so is any other.
    """
    from pbem.drafts.write.write_draft import write_draft

    path = session.home.game(view.game).draft(view.turn, view.seat)
    notes = _make_way(session, view, path, again=again)
    if not path.exists():
        session.mine.write_draft(view.turn, view.seat, write_draft(view))
        notes += _name_unsealed(session, view)
    return path, notes


def _make_way(session: Session, view: View, path: Path, *, again: bool) -> list[str]:
    """Rename an old draft that has the name of the new one, so that both are kept."""
    from pbem.drafts.read.read_draft import answered
    from pbem.storage.read_file import read_file as bytes_of

    if not path.exists() or (answered(bytes_of(path), view) and not again):
        return []
    kept = session.mine.keep_draft(path)
    why = "" if again else " was for a different turn; it"
    return [f"your old draft{why} is kept as {kept}"]


def _name_unsealed(session: Session, view: View) -> list[str]:
    """Say where the last draft is, if no orders were sealed for its turn."""
    if (older := older_draft(session, view)) is None:
        return []
    turn = int(older.name[:4])
    told = {turn, turn + 1} if view.seat in session.roles.held else {turn}
    # a referee who is not asked seals orders for the next turn
    if told & {f.name.turn for f in session.listing.orders if f.name.seat == view.seat}:
        return []
    return [f"your draft of turn {turn} was never sealed; you can copy from it: {older}"]
