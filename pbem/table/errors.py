"""Write the errors that the pages show, in the same sentences as the commands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pbem.cli.failure import bug_sentence, sentence_of
from pbem.table.open_games import LockedError
from pbem.table.render import page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

REFUSED, LOCKED, BUG = 409, 423, 500
_MEMORY = re.compile(r"(?<!\S)/\S*/heads\.toml: ")
_OPTION = re.compile(r"^(--[a-z-]+|notice [a-z]+): ")
"""The option or command at the start of a sentence; a page has a field instead of it."""


def said(error: Exception) -> tuple[str, str]:
    """Return the error's sentence and how to fix it; for a bug, the path of its traceback."""
    sentence = sentence_of(error)
    if sentence is None:
        return bug_sentence(error), ""
    return shortened(sentence), _plain(str(getattr(error, "hint", "")))


def shortened(sentence: str) -> str:
    """Return the sentence without the name of an option, and without the path of pbem's private
    notes."""
    return _MEMORY.sub("", _OPTION.sub("", sentence))


def _plain(hint: str) -> str:
    """Return the hint without commands for a terminal."""
    plain = re.split(r"(?:^|[:;,] |, or )(?=pbem |--)", hint)[0]
    return "" if "pbem " in plain or "--" in plain else plain


async def answer_error(request: Request, error: Exception) -> Response:
    """Answer with a page that shows the error, or with a part of a page if only a part was asked
    for."""
    part = request.headers.get("x-pbem-part") == "1"
    if isinstance(error, LockedError):
        values = {"profile": error.profile}
        if part:
            return page(request, "locked_part.html", LOCKED, **values)
        return page(request, "locked.html", LOCKED, **values)
    sentence, hint = said(error)
    status = BUG if sentence_of(error) is None else REFUSED
    values = {"sentence": sentence, "hint": hint}
    if part:
        return page(request, "error_part.html", status, **values)
    return page(request, "error.html", status, **values)
