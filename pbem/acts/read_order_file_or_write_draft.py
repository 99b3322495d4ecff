"""The order files of a person: find and read one, or write the draft for the last turn."""

from __future__ import annotations

import os
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import Final

from pbem.drafts.checked_rows import Draft
from pbem.drafts.read_order_file import answers_this_turn, read_draft
from pbem.drafts.write_draft import write_draft
from pbem.errors import FINDINGS, KEY, USAGE, CliError
from pbem.files.disk import read_file as bytes_of
from pbem.files.file_errors import FileError
from pbem.judge.game_view import View
from pbem.person.session import Session
from pbem.text.encodings_and_unusual_characters import as_utf8
from pbem.text.terminal_and_page_wording import to_type
from pbem.wording.draft_notes_and_next_commands import old_draft_note, unsealed_draft_note

MAX_ORDER_BYTES: Final = 1 << 17
"""The most bytes that an order file may have."""
TYPED_NAME: Final = "standard input"
"""The name of typed orders in messages."""
TOO_LONG_CLAUSE = f"is longer than {MAX_ORDER_BYTES >> 10} kB, which is too long for an order file"
NAME_FILE_HINT = "give the path of your order file; to use your draft, give no path"


def read_file(session: Session, view: View, file: str | None) -> tuple[Draft, str]:
    """Read the order file that was named, else the draft; return it with its name for messages."""
    path = Path(file) if file else session.draft_of(view)
    if not file and not path.exists():
        earlier_draft = older_draft(session, view)
        problem = f"you have no draft for turn {view.turn} yet"
        if earlier_draft:
            earlier_turn = int(earlier_draft.name[:4])
            problem += f"; your last draft, for turn {earlier_turn}, is {earlier_draft}"
        raise CliError(problem, to_type("pbem orders --edit"))
    return read(path, view), file or f"drafts/{path.name}"


def read_typed(data: bytes, view: View) -> Draft:
    """Read and check orders that were typed or piped in. Raises CliError for too many bytes, or if
    they are not text."""
    if len(data) > MAX_ORDER_BYTES:
        raise CliError(f"what you typed {TOO_LONG_CLAUSE}", "", KEY)
    return read_draft(decode_orders(data, TYPED_NAME), view)


def older_draft(session: Session, view: View) -> Path | None:
    """Return the newest draft of the seat for an earlier turn, if there is one."""
    draft_path = session.draft_of(view)
    try:
        file_names = os.listdir(
            draft_path.parent
        )  # this looks into the folder once, however long the game is
    except FileNotFoundError:
        return None
    ending = f"-{view.seat}.toml"
    turns = [name.removesuffix(ending) for name in file_names if name.endswith(ending)]
    earlier_turns = [turn for turn in turns if turn.isdecimal() and int(turn) < view.turn]
    return draft_path.with_name(f"{max(earlier_turns, key=int)}{ending}") if earlier_turns else None


def read(path: Path, view: View) -> Draft:
    """Read and check an order file. Raises CliError if it is not text."""
    if not os.path.lexists(path):
        raise CliError(f"there is no file {path}", NAME_FILE_HINT, USAGE)
    try:
        data = bytes_of(path.absolute(), MAX_ORDER_BYTES)
    except FileError as error:
        if error.reason == "size":
            raise CliError(f"{path} {TOO_LONG_CLAUSE}", NAME_FILE_HINT, KEY) from None
        raise CliError(f"{path} {error.sentence}", NAME_FILE_HINT, USAGE) from None
    return read_draft(decode_orders(data, str(path)), view)


def decode_orders(data: bytes, name: str) -> str:
    """Return the bytes as text. Raises CliError with the first line that is not UTF-8."""
    data = as_utf8(data)
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        problem = f"{name} is UTF-16 text, and a part of it is missing or damaged"
        raise CliError(problem, SAVE_AS_UTF8_HINT, FINDINGS)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"{name}:{line}: a character here is not UTF-8"
        raise CliError(problem, SAVE_AS_UTF8_HINT, FINDINGS) from None


def open_draft(
    session: Session, view: View, *, starts_anew: bool = False
) -> tuple[Path, list[str]]:
    """Return the path of this turn's draft, written now if there was none, and notes on old drafts.

    A draft that answers a different turn is renamed; with `starts_anew`, so is any other.
    """
    path = session.draft_of(view)
    notes = []
    if path.exists() and (starts_anew or not answers_this_turn(bytes_of(path), view)):
        backup_path = session.game_home.back_up_draft(path)
        notes.append(old_draft_note(backup_path, is_for_this_turn=starts_anew))
    if not path.exists():
        session.game_home.write_draft(view.turn, view.seat, write_draft(view))
        if earlier_draft := unsealed_draft(session, view):
            notes.append(unsealed_draft_note(int(earlier_draft.name[:4]), earlier_draft))
    return path, notes


def is_as_written(view: View, path: Path) -> bool:
    """Return whether the draft has only the lines that pbem writes into a new draft."""
    try:
        draft = read(path, view)
    except CliError:
        return False
    return not draft.errors and draft.texts == read_draft(write_draft(view), view).texts


def unsealed_draft(session: Session, view: View) -> Path | None:
    """Return the newest draft of an earlier turn, if it was never sealed."""
    if (older := older_draft(session, view)) is None:
        return None
    turn = int(older.name[:4])
    # a referee who is not asked seals orders for the next turn
    turns = {turn, turn + 1} if view.seat in session.roles.referee_seats else {turn}
    sealed = {f.name.turn for f in session.listing.orders if f.name.seat == view.seat}
    return None if turns & sealed else older


SAVE_AS_UTF8_HINT = "in your editor, save it with the encoding UTF-8"
