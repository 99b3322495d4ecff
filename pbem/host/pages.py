"""The host's own pages: how they are filled in, and who may see those with a password."""

from __future__ import annotations

import base64
import contextlib
import time
from collections.abc import Sequence
from hmac import compare_digest
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from pbem import __version__
from pbem.host.gate import MIB
from pbem.terminal.terminal import clean
from pbem.text.dates import utc_date

_TEMPLATES: Final = Environment(
    loader=PackageLoader("pbem.host", "templates"), autoescape=True, undefined=StrictUndefined,
    trim_blocks=True, lstrip_blocks=True,
)  # fmt: skip
_TEMPLATES.filters["moment"] = utc_date
_TEMPLATES.filters["date"] = lambda when: time.strftime("%Y-%m-%d", time.gmtime(when))
_TEMPLATES.filters["kb"] = lambda size: f"{size / 1000:,.0f} kB"
_TEMPLATES.filters["mib"] = lambda size: f"{size / MIB:,.0f} MiB"
_TEMPLATES.filters["clean"] = clean
_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page; nobody keeps a copy, because it may hold invites."""
    headers = {"content-security-policy": _POLICY, "cache-control": "no-store"}
    text = _TEMPLATES.get_template(template).render(version=__version__, base="/", **values)
    return HTMLResponse(text, status, headers=headers)


def known_word(headers: Headers, words: Sequence[str], typed: str = "") -> str:
    """Return which of these words a request has, or nothing: as it was `typed` into a form, as a
    token (RFC 6750), or as a browser's password with any name (RFC 7617)."""
    kind, _, said = headers.get("authorization", "").partition(" ")
    if kind.lower() == "basic":
        with contextlib.suppress(ValueError):
            said = base64.b64decode(said, validate=True).decode("utf-8", "replace")
        said = said.partition(":")[2]
    given = (typed or said).strip().encode()
    return next((word for word in words if word and compare_digest(given, word.encode())), "")


def ask_for_password(who: str) -> Response:
    """Let the browser ask for the password of a page; `who` says whose page it is."""
    headers = {"www-authenticate": f'Basic realm="{who}"'}
    return PlainTextResponse(f"this page is for {who}\n", 401, headers=headers)
