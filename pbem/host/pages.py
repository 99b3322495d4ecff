"""The host's own pages: how they are filled in, and who may see those with a password."""

from __future__ import annotations

import base64
import contextlib
import time
from hmac import compare_digest
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse

from pbem import __version__
from pbem.screen.terminal import clean

_TEMPLATES: Final = Environment(
    loader=PackageLoader("pbem.host", "templates"), autoescape=True, undefined=StrictUndefined,
    trim_blocks=True, lstrip_blocks=True,
)  # fmt: skip
_TEMPLATES.filters["date"] = lambda when: time.strftime("%Y-%m-%d", time.gmtime(when))
_TEMPLATES.filters["kb"] = lambda size: f"{size / 1000:,.0f} kB"
_TEMPLATES.filters["clean"] = clean
_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page; nobody keeps a copy, because it may hold invites."""
    headers = {"content-security-policy": _POLICY, "cache-control": "no-store"}
    text = _TEMPLATES.get_template(template).render(version=__version__, base="/", **values)
    return HTMLResponse(text, status, headers=headers)


def has_password(headers: Headers, password: str) -> bool:
    """Return whether a browser sends this password, with any name (RFC 7617)."""
    kind, _, said = headers.get("authorization", "").partition(" ")
    with contextlib.suppress(ValueError):
        said = base64.b64decode(said, validate=True).decode("utf-8", "replace")
    given = said.partition(":")[2]
    right = bool(password) and compare_digest(given.encode(), password.encode())
    return kind.lower() == "basic" and right
