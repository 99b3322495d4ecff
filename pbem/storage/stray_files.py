"""Guess from their names what the other files in a game folder are; these files are never read."""

import re
from typing import Final, Literal, NamedTuple

from pbem.storage.atomic_write import TEMPORARY
from pbem.storage.file_names import parse_name

Kind = Literal[
    "temporary",
    "link",
    "system",
    "partial",
    "reserved",
    "case",
    "aside",
    "copy",
    "folder",
    "other",
]

_WHY: Final[dict[Kind, str]] = {
    "temporary": "pbem is writing this file, or was stopped before it finished",
    "link": "a link; links are not followed",
    "system": "belongs to the system or the cloud drive",
    "partial": "another program is downloading or writing this file, or left it behind",
    "reserved": "a name that Windows does not allow",
    "case": "a record's name in capitals; rename it to lowercase",
    "aside": "not a record; pbem advance set the file aside; remove it if nobody needs it",
    "copy": "a conflict copy; only the file with the plain name counts",
    "folder": "a folder; pbem does not look inside",
    "other": "not part of this game",
}

# sync programs add something after the name of a record (or before it) and keep the extension
_STEM = r"(?:game|final|[0-9]{4}(?:-(?:[a-p]|referee)-[0-9]{1,2}-[0-9a-f]{6})?|[a-p]-[0-9a-f]{6})"
_SYSTEM = (
    r"\.(?:ds_store|st(?:folder|versions|ignore)|localized|(?:dropbox|nextcloud|owncloud).*"
    r"|sync.*|git.*|_.*)|desktop\.ini|thumbs\.db|icon\r?|~\$.*"
)
_FORMS: Final[tuple[tuple[Kind, str], ...]] = (
    (
        "system",
        _SYSTEM,
    ),
    (
        "partial",
        r".*\.(?:part|partial|crdownload|download|tmp|temp|swp|bak|icloud)|\..*\.sw[a-p]|.*~",
    ),
    (
        "reserved",
        r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?|.*[. ]|.*[<>:\"|?*\\\x00-\x1f].*",
    ),
    (
        "aside",
        rf"{_STEM}\.toml\.aside-[0-9]+",
    ),
    (
        "copy",
        rf"{_STEM}[ ._(~-].*\.toml|{_STEM}\.toml[ ._(~-].*|.* {_STEM}\.toml|.*conflict.*",
    ),
)


class Litter(NamedTuple):
    """A file or folder that is not a record: its path from the game folder, and what it may be."""

    path: str
    kind: Kind

    @property
    def why(self) -> str:
        """What the file may be, in words for people."""
        return _WHY[self.kind]


def litter(path: str, *, folder: bool = False, link: bool = False) -> Litter:
    """Guess what a file, folder or link without a record's name may be."""
    name = path.rsplit("/", 1)[-1]
    if name.startswith(TEMPORARY):
        return Litter(path, "temporary")
    if link:
        return Litter(path, "link")
    if parse_name(path.lower()):
        return Litter(path, "case")
    for kind, form in _FORMS:  # compiled when needed, as most folders contain no litter
        if re.fullmatch(form, name, re.IGNORECASE | re.DOTALL):
            return Litter(path, kind)
    return Litter(path, "folder" if folder else "other")
