"""Seal a draft that has no errors, for the command `submit` and for the page of `pbem table`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.cli.session.session import Session
    from pbem.drafts.read.read_draft import Draft
    from pbem.play.view import View


@frozen
class SealedDraft:
    """The sealed orders of a draft, and the questions that they leave open."""

    id: str
    """The id of the sealed orders, in hex."""
    receipt: Sequence[str]
    """Sentences to tell the player who gave the orders."""
    left: Sequence[str]
    """The kinds of decision that must be made now but that the orders do not answer."""

    def told(self, *, final: bool) -> list[str]:
        """Return the sentences of the receipt; `final` if the next turn is made at once."""
        from pbem.cli.orders.receipt import UNTIL

        return [line for line in self.receipt if not (final and line == UNTIL)]


def seal_draft(session: Session, view: View, draft: Draft) -> SealedDraft:
    """Seal the lines of a draft that has no errors, and note which questions they leave open."""
    from pbem.cli.orders.receipt import dropped, receipt
    from pbem.cli.orders.seal_orders import send
    from pbem.cli.session.seen_on_this_machine import note_sealed
    from pbem.cli.status.my_orders import newest, note_open
    from pbem.drafts.read.problem_texts import left_open

    reader = session.reader_now(view.seat)
    before = newest(session, view)
    gone = dropped(view, reader, before, draft)
    record = send(session, reader, view.seat, draft.texts)
    left = left_open(view, draft.lines)
    note_open(session, view, record.id, left)
    note_sealed(session.mine, record.id)
    said = receipt(view, record, before, left)
    said += [f"the new orders drop your standing order: {line}" for line in gone]
    return SealedDraft(record.id.hex(), said, left)
