"""Answer a request with the page of an error: its status, its sentence, and how to mend it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from pbem.errors import KEY
from pbem.terminal.command_failures import bug_sentence, sentence_of
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.web.open_games import LockedError
from pbem.web.page_rendering import in_tab, page

REFUSED_STATUS, LOCKED_STATUS, BUG_STATUS = 409, 423, 500


def sentence_and_hint(error: Exception) -> tuple[str, str]:
    """Return an error's sentence and how to mend it; for a bug, the path of its traceback and
    nothing."""
    sentence = sentence_of(error)
    if sentence is None:
        return bug_sentence(error), ""
    return off_terminal(sentence), off_terminal(getattr(error, "hint", ""))


async def answer_error(request: Request, error: Exception) -> Response:
    """Answer with a page that shows an error, or with a part of one if the script asked for a
    part."""
    part = "_part" if request.headers.get("x-pbem-part") == "1" else ""
    if isinstance(error, LockedError):
        return page(request, f"locked{part}.html", LOCKED_STATUS, profile=error.profile)
    sentence, hint = sentence_and_hint(error)
    status = BUG_STATUS if sentence_of(error) is None else REFUSED_STATUS
    is_lost = in_tab(request) and getattr(error, "exit", None) == KEY
    values = {"sentence": sentence, "hint": hint, "is_lost": is_lost}
    return page(request, f"error{part}.html", status, **values)
