"""Writing what the referee signed: one body for each place in the chain, ever (protocol §6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.screen.style import clean

if TYPE_CHECKING:
    from pbem.cli.session import Session
    from pbem.storage.memory import Signed
    from pbem.storage.names import Name


def publish(session: Session, name: Name, record: Any) -> list[str]:
    """Put a turn or the final into the folder, after this machine has noted that it signed it;
    notes on what had to make room.

    Raises FileError `fork` if it signed another body for that place before.
    """
    from pbem.storage.memory import Signed

    place = record.content.turn
    room = _make_room(session, name.path)
    session.mine.signed.sign(Signed(place, name.path, record.id.hex(), record.file))
    session.folder.create(name, record.file)
    return room


def _make_room(session: Session, path: str) -> list[str]:
    """Set aside what lies in the place of a turn and is none; a note."""
    for found in session.chronicle.strays:
        if found.path == path:
            aside = session.folder.set_aside(found)
            referee = clean(session.chronicle.charter.content.referee)
            told = f"was no turn signed by {referee}; it is {aside} now, and nothing of it is lost"
            return [f"note: {path} {told}"]
    return []


def restore(session: Session) -> list[str]:
    """Write the last record that was signed here again, byte for byte, if it is missing; a note.

    It is missing after a crash, or in a folder that is half synced: to make another one in its
    place would look like cheating. Raises FileError `parent` if turns before it are missing too.
    """
    from pbem.storage.errors import FileError

    last = session.mine.signed.last()
    here = {found.path for found in session.listing.records}
    if last is None:
        return []
    missing = [n for n in range(1, last.place) if f"turns/{n:04}.toml" not in here]
    if missing:
        first, more = f"turns/{missing[0]:04}.toml", f" to {missing[-1]:04}" * (len(missing) > 1)
        told = f"{more} is missing, and this machine signed {last.path} after it; let the folder "
        told += "sync, or ask a player for it (pbem send --all)"
        raise FileError("parent", first, told.strip())
    if last.path in here:
        return _another(session, last)
    room = _make_room(session, last.path)
    session.folder.create(last.path, last.file)
    session.refresh()
    told = "was made here and was missing; it is there again, byte for byte"
    return [*room, f"note: {last.path} {told}"]


def _another(session: Session, last: Signed) -> list[str]:
    """A note if another body lies in the place that this machine signed: of a second machine of the
    referee's, most likely. Two of them in players' hands convict the referee, so he must know."""
    from pbem.format.errors import RecordError
    from pbem.records.reading import read

    try:
        found = read(session.folder.read(last.path))
    except RecordError:
        return []  # whoever reads the game says what is wrong with it
    if found.id.hex() == last.id or found.signed.key != session.chronicle.charter.content.key:
        return []
    ids = f"{found.id.hex()[:6]} there, {last.id[:6]} signed here"
    told = "if that one was ever sent to anybody, tell all players; use one machine for a game"
    return [f"note: {last.path} is another than this machine made ({ids}): {told}"]
