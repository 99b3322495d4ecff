"""The notes of a browser tab about a game: how the host calls its person, and whether the person
has kept the link to their seat."""

from __future__ import annotations

from pbem.files.toml_notes_in_home import Notebook, Notes
from pbem.person.session import Session


class CallNotes(Notes):
    """The file that says how the host calls the person of a browser tab in a game."""

    file = "calls.toml"
    push: str = ""
    """The address at a push service at which this browser is called; empty for none."""
    mail: str = ""
    """The email address to which the host writes; empty for none."""
    wished_mail: str = ""
    """The email address that the person gave when they joined, and the host does not have yet."""
    is_answered: bool = False
    """Whether the person has said yes or no, so that the pages ask no more."""
    time: int = 0
    """The time of the last request."""


def call_notebook(session: Session) -> Notebook[CallNotes]:
    """Return the notebook with the `CallNotes` of a game."""
    return Notebook(session.game_home.root, CallNotes)


class SeatLinkNotes(Notes):
    """The file that says whether the person of a browser tab has kept the link to their seat."""

    file = "seat-link.toml"
    kept: bool = False


def seat_link_notebook(session: Session) -> Notebook[SeatLinkNotes]:
    """Return the notebook with the `SeatLinkNotes` of a game."""
    return Notebook(session.game_home.root, SeatLinkNotes)


def note_seat_link_kept(session: Session) -> None:
    """Note that the person has kept the link to their seat. Raises StorageError."""
    seat_link_notebook(session).change(lambda _: SeatLinkNotes(kept=True))
