"""Writing what the referee signed: one body for each place in the chain, ever (protocol §6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.cli.session.session import Session
    from pbem.storage.file_names import Name
    from pbem.storage.private.machine_memory import Signed


def publish(session: Session, name: Name, record: Any) -> None:
    """Put a turn or the final into the folder, after this machine has noted that it signed it.

    Raises FileError `fork` if it signed another body for that place before.
    """
    from pbem.storage.private.machine_memory import Signed

    place = record.content.turn
    session.mine.signed.sign(Signed(place, name.path, record.id.hex(), record.file))
    session.folder.create(name, record.file)


def restore(session: Session) -> list[str]:
    """Write the last record that was signed here again, byte for byte, if it is missing; a note.

    It is missing after a crash, or in a folder that is half synced: to make another one in its
    place would look like cheating. Raises FileError `parent` if turns before it are missing too.
    """
    from pbem.cli.session.missing_turns import is_gone

    last = session.mine.signed.last()
    if last is None:
        return []
    if not is_gone(session.listing, last):
        return _another(session, last)
    session.folder.create(last.path, last.file)
    session.refresh()
    return [f"note: {last.path} was made here and was missing; it is there again, byte for byte"]


def _another(session: Session, last: Signed) -> list[str]:
    """A note if another body lies in the place that this machine signed: of a second machine of the
    referee's, most likely. Two of them in players' hands convict the referee, so he must know."""
    from pbem.format.errors import RecordError
    from pbem.records.read_record import read

    try:
        found = read(session.folder.read(last.path))
    except RecordError:
        return []  # whoever reads the game says what is wrong with it
    if found.id.hex() == last.id or found.signed.key != session.game_folder.charter.content.key:
        return []
    ids = f"{found.id.hex()[:6]} there, {last.id[:6]} signed here"
    told = "if that one was ever sent to anybody, tell all players; use one machine for a game"
    return [f"note: {last.path} is another than this machine made ({ids}): {told}"]
