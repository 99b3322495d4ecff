"""Mail that was read, in words: what it brought, what was repaired, and where the rest is kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from engine.counts_and_lists_in_prose import counted
from pbem.mail.write_and_describe_bundle import describe_records
from pbem.terminal.clean_text import clean
from pbem.terminal.commands_and_paths_to_type import END_TYPING, way_to

if TYPE_CHECKING:
    from pbem.mail.record_filing import RecordFiler

PASTED_SOURCE: Final = "what you pasted"
"""How a refusal calls text that was pasted in place of a file."""
_NEWS: Final = "{title}: {news}"
_NEW_RECORDS: Final = "new: {contents}"
_NO_NEW_RECORDS: Final = "nothing new"
_KNOWN_RECORDS: Final = "{count} here already"
_MADE_FOLDER: Final = "{news}; made the folder {folder}"
_IN_FOLDER: Final = "{news}, in {folder}"
_LATE_ORDERS: Final = "your {sentence}"
_WROTE_EMAIL: Final = "wrote {path} (an email to {name})"
_SEND_EMAIL: Final = "send the email to {address}, so that the player knows what pbem understood"
PASTE_EMAIL_SENTENCE: Final = f"paste the email here, then {END_TYPING}"
_REPAIRED: Final = (
    "mail programs changed {files} ({names}) on the way, and pbem has repaired what they changed"
)
_KEPT_FILE: Final = "pbem has kept this file, unchanged: {path}"
_KEPT_FILES: Final = "pbem has kept {count} files, unchanged, in the folder {folder}"
MAX_PATHS: Final = 3
"""The number of files in one folder that are named one by one."""


def delivery_lines(filer: RecordFiler, late_sentences: Iterable[str]) -> list[str]:
    """Return a line on the records that a game received, and on its place; then lines on the user's
    own orders that came late."""
    late_lines = [_LATE_ORDERS.format(sentence=sentence) for sentence in late_sentences]
    return [_news_line(filer), *late_lines]


def _news_line(filer: RecordFiler) -> str:
    """Return a line on a game that got files: how many are new, how many were there already, and in
    which folder they are, if that is not the current one."""
    contents, folder = (
        describe_records(filer.new_records) if filer.new_records else "",
        way_to(filer.root).location,
    )
    parts = [_NEW_RECORDS.format(contents=contents) if contents else _NO_NEW_RECORDS]
    if filer.present_count:
        parts.append(_KNOWN_RECORDS.format(count=filer.present_count))
    news = "; ".join(parts)
    if filer.is_new_folder:
        news = _MADE_FOLDER.format(news=news, folder=folder)
    elif folder != ".":
        news = _IN_FOLDER.format(news=news, folder=folder)
    return _NEWS.format(title=clean(filer.title), news=news)


def wrote_answer_line(path: str, name: str) -> str:
    """Return the line that says that an email to a player is written."""
    return _WROTE_EMAIL.format(path=path, name=clean(name))


def send_answer_line(address: str) -> str:
    """Return what to do with an email to a player."""
    return _SEND_EMAIL.format(address=address)


def repaired_line(file_names: Iterable[str]) -> str:
    """Say which files mail programs had changed."""
    names = [clean(name) for name in file_names]
    files = counted(len(names), "file")
    return _REPAIRED.format(files=files, names=", ".join(sorted({*names})))


def kept_file_lines(folder: object, paths: list[str]) -> list[str]:
    """Say which files of one folder are kept unchanged."""
    if len(paths) > MAX_PATHS:
        return [_KEPT_FILES.format(count=len(paths), folder=folder)]
    return [_KEPT_FILE.format(path=path) for path in paths]
