"""The audit of a game that is over, for its page. Its result is kept in the home.

An audit takes seconds, so the result counts until a file of the game changes. Messages are not part
of the game.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress

from pbem.files.file_errors import StorageError
from pbem.files.toml_notebook import Notebook, Notes
from pbem.judge.audit import audit
from pbem.person.session import Session


class AuditNotes(Notes):
    """The result of the last audit of a game."""

    file = "audit.toml"
    files_digest: str = ""
    """A hash of the marks of all files that were audited."""
    is_proven: bool = False
    is_damaged: bool = False
    turns: int = 0
    playing_referee: str = ""
    """The name of a referee who played too, and so knew all cards while they played."""


def remembered_audit(session: Session) -> AuditNotes | None:
    """Return the result of the last audit; None if there was none since a file changed."""
    notes = _notebook(session).read()
    return notes if notes.files_digest == _files_digest(session) else None


def audit_once(session: Session) -> AuditNotes:
    """Audit the game, unless that was done since its files changed, and keep the result. Raises
    NoGameError, StorageError."""
    if notes := remembered_audit(session):
        return notes
    files_digest, report = _files_digest(session), audit(session.folder)
    notes = AuditNotes(
        files_digest=files_digest,
        is_proven=report.proven,
        is_damaged=bool(report.broken),
        turns=report.turns,
        playing_referee=report.referee if report.referee_played else "",
    )
    with suppress(StorageError):  # the home is read-only: the next page audits again
        _notebook(session).change(lambda _: notes)
    return notes


def _notebook(session: Session) -> Notebook[AuditNotes]:
    return Notebook(session.game_home.root, AuditNotes)


def _files_digest(session: Session) -> str:
    marks = sorted(session.listing.marks.items())
    return hashlib.sha256(repr(marks).encode()).hexdigest()
