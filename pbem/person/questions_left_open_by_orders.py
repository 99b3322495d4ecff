"""A person's newest sealed orders: which questions they leave open, and whether they are final."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from pbem.files.disk import read_if_there
from pbem.files.file_errors import StorageError
from pbem.files.toml_notes_in_home import Notebook, Notes
from pbem.judge.game_view import View
from pbem.person.session import Session
from pbem.records.orders import Orders
from pbem.records.read_and_sign_record import Record


class UnansweredNotes(Notes):
    """The questions that the last sealed orders leave open, and the draft at that time."""

    file = "unanswered.toml"
    kinds: tuple[str, ...] = ()
    orders: str = ""
    """The id of the orders."""
    draft: str = ""
    """The name of the draft's file."""
    mark: str = ""
    """The fingerprint of the draft; empty if there was none."""


def find_latest_orders(session: Session, view: View) -> Record[Orders] | None:
    """Return the newest orders of your seat in the folder, signed by its key; no secret key is
    needed."""
    key = session.public_of(view.seat)
    first_turn = view.turn if view.seat in view.plays else view.asking_turn
    return next(session.game_folder.orders_of(view.seat, key, first_turn), None)


def note_unanswered_kinds(
    session: Session, view: View, order_id: bytes, kinds: Sequence[str]
) -> None:
    """Note the kinds of decision that these orders leave open, and the fingerprint of the draft.
    Raises StorageError."""
    path, book = session.draft_of(view), _book(session)
    if (fingerprint := _fingerprint_of(path)) or kinds or book.path.exists():
        notes = UnansweredNotes(tuple(kinds), order_id.hex(), path.name, fingerprint)
        book.change(lambda _: notes)


def _book(session: Session) -> Notebook[UnansweredNotes]:
    return Notebook(session.game_home.root, UnansweredNotes)


def _fingerprint_of(draft_path: Path) -> str:
    """Return what changes with each line of a draft that is not a remark; empty without a draft."""
    try:
        data = read_if_there(draft_path) or b""
    except StorageError:
        return ""
    lines = [line.strip() for line in data.splitlines()]
    body = b"\n".join(line for line in lines if line and not line.startswith(b"#"))
    return sha256(body).hexdigest()[:16] if body else ""


def changed_draft(session: Session, order_id: str) -> str:
    """Return the name of a draft that was changed after the seal of these orders; else empty.

    This works only for orders that were sealed on this computer; `order_id` is in hex.
    """
    notes = _book(session).read()
    if notes.orders != order_id or not notes.mark or "/" in notes.draft:
        return ""
    fingerprint = _fingerprint_of(session.game_home.root / "drafts" / notes.draft)
    return f"drafts/{notes.draft}" if fingerprint not in ("", notes.mark) else ""


def find_unanswered_kinds(session: Session, view: View) -> list[str]:
    """Return the kinds of decision that you must make now and that your newest orders leave open.

    This works only for orders that were sealed on this computer: for others nothing is returned.
    """
    notes = _book(session).read()
    record = find_latest_orders(session, view) if notes.orders else None
    if record is None or notes.orders != record.id.hex():
        return []
    asked_kinds = view.awaited.get(view.seat, [])
    return [kind for kind in asked_kinds if kind in notes.kinds]


def final_answer_sentence(session: Session, view: View) -> str:
    """Return the sentence on an answer that the view's seat can no longer change; empty if it can.

    A published turn that asks a seat of the referee's already names that seat's orders, so they are
    final. Any other seat may answer again until the turn that settles the questions.
    """
    is_asked_referee_seat = view.seat in session.roles.referee_seats and view.seat in view.awaited
    if view.preview or view.is_over or not is_asked_referee_seat:
        return ""
    record = find_latest_orders(session, view)
    short_id = f" {record.id.hex()[:6]}" if record else ""
    return (
        f"you have already answered turn {view.turn}: your orders{short_id} are part of the turn, "
        "and you cannot change them now"
    )
