"""Write the receipt of `submit`: what the orders replace, and which questions they leave open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.drafts.read.read_draft import Draft
    from pbem.play.checking.seat_reader import SeatReader
    from pbem.play.view import View
    from pbem.records.charter_join_orders import Orders
    from pbem.records.read_record import Record

UNTIL = "until the next turn is made, you can submit again to replace them"


def receipt(
    view: View, record: Record[Orders], before: Record[Orders] | None, left: Sequence[str]
) -> list[str]:
    """Say that the orders are sealed, who can read them, what they replace and what they leave
    open."""
    ident = record.id.hex()[:6]
    if before is not None and before.id == record.id:
        said = [f"SEALED already as {ident}: these orders are the same as before"]
    else:
        said = _receipt(view, record, before)
    if left:
        said.append(f"these orders do not answer {', '.join(left)}, so you still have to answer")
    return said


def _receipt(view: View, record: Record[Orders], before: Record[Orders] | None) -> list[str]:
    ident = record.id.hex()[:6]
    sealed = f"SEALED here as {ident} (revision {record.content.revision})"
    said = [f"{sealed}; only {clean(view.referee)} can read these orders"]
    old = before.id.hex() if before else view.orders
    if old:
        said.append(f"they replace all of your orders {old[:6]}")
    return [*said, UNTIL]


def dropped(
    view: View, reader: SeatReader, before: Record[Orders] | None, draft: Draft
) -> list[str]:
    """Return the standing orders that the replaced orders contain but the new ones do not."""
    from pbem.records.sealed_orders import unseal_orders

    old = list(unseal_orders(before.content, reader.key).texts) if before else view.texts
    new = set(draft.texts)
    return [clean(text) for text in old if text.startswith("always ") and text not in new]
