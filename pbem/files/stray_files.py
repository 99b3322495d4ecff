"""Files in a game folder that are no records, and what each may be."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from pbem.files.disk import TEMPORARY
from pbem.files.file_errors import LINK_CLAUSE
from pbem.files.record_file_names import parse_name
from pbem.text.terminal_and_page_wording import TerminalText

StrayKind = Literal[
    "temporary", "link", "system", "partial", "reserved", "case", "aside", "copy", "folder",
    "other",
]  # fmt: skip

_DESCRIPTIONS: Final[dict[StrayKind, str]] = {
    "temporary": "pbem is writing this file, or was stopped before it finished",
    "link": f"this {LINK_CLAUSE}",
    "system": "this file belongs to the system or the cloud drive",
    "partial": "another program is downloading or writing this file, or left it behind",
    "reserved": "Windows does not allow this name",
    "case": "the name of this file has capitals; rename it to lowercase",
    "aside": TerminalText(
        "[[pbem advance||pbem]] has set this file aside; remove the file if nobody needs it"
    ),
    "copy": (
        "this is a second copy, as cloud drives make them; pbem reads only the file without the "
        "addition in its name"
    ),
    "folder": "this is a folder, and pbem does not look inside",
    "other": "this file is not part of the game",
}

# sync programs add something after the name of a record (or before it) and keep the extension
_STEM = (
    r"(?:game|final|[0-9]{4}(?:-(?:[a-p]|referee)-[0-9]{1,2}-[0-9a-f]{6}|-[01]-[0-9a-f]{6})?"
    r"|[a-p]-[0-9a-f]{6})"
)
_SYSTEM = (
    r"\.(?:ds_store|st(?:folder|versions|ignore)|localized|(?:dropbox|nextcloud|owncloud).*"
    r"|sync.*|git.*|_.*)|desktop\.ini|thumbs\.db|icon\r?|~\$.*"
)
_FORMS: Final[dict[StrayKind, str]] = {
    "system": _SYSTEM,
    "partial": r".*\.(?:part(?:ial)?|crdownload|download|te?mp|swp|bak|icloud)|\..*\.sw[a-p]|.*~",
    "reserved": r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?|.*[. ]|.*[<>:\"|?*\\\x00-\x1f].*",
    "aside": rf"{_STEM}\.toml\.aside-[0-9]+",
    "copy": rf"{_STEM}[ ._(~-].*\.toml|{_STEM}\.toml[ ._(~-].*|.* {_STEM}\.toml|.*conflict.*",
}
"""The names of these kinds; the first that fits counts."""


class StrayFile(NamedTuple):
    """A file or folder that is not a record: its path from the game folder, and what it may be."""

    path: str
    kind: StrayKind

    @property
    def description(self) -> str:
        """The probable nature of the file, in words for people."""
        return _DESCRIPTIONS[self.kind]


def classify_stray(path: str, *, is_folder: bool = False, is_link: bool = False) -> StrayFile:
    """Guess the nature of a file, folder or link without a record's name.

    >>> classify_stray("turns/0002 (1).toml").kind, classify_stray("turns/Thumbs.db").kind
    ('copy', 'system')
    """
    name = path.rsplit("/", 1)[-1]
    if name.startswith(TEMPORARY):
        return StrayFile(path, "temporary")
    if is_link:
        return StrayFile(path, "link")
    if parse_name(path.lower()):
        return StrayFile(path, "case")
    for kind, form in _FORMS.items():  # compiled when needed, as most folders contain no strays
        if re.fullmatch(form, name, re.IGNORECASE | re.DOTALL):
            return StrayFile(path, kind)
    return StrayFile(path, "folder" if is_folder else "other")
