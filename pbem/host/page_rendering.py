"""Render the host's own pages from their templates."""

from __future__ import annotations

import time
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from pbem import __version__
from pbem.host.record_gate import MIB
from pbem.terminal.clean_text import clean
from pbem.text.dates import utc_date
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.wording.how_to_play import split_code

_TEMPLATES: Final = Environment(
    loader=ChoiceLoader([PackageLoader("pbem.host"), PackageLoader("pbem.web")]),
    autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
)  # fmt: skip
_TEMPLATES.filters["moment"] = utc_date
_TEMPLATES.filters["date"] = lambda when: time.strftime("%Y-%m-%d", time.gmtime(when))
_TEMPLATES.filters["kb"] = lambda size: f"{size / 1000:,.0f} kB"
_TEMPLATES.filters["mib"] = lambda size: f"{size / MIB:,.0f} MiB"
_TEMPLATES.filters["clean"] = clean
_TEMPLATES.filters["split_code"] = split_code
_TEMPLATES.filters["off_terminal"] = off_terminal
_CONTENT_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def render_page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page rendered from a template and its values. Nobody keeps a copy, because it may
    hold invites."""
    headers = {"content-security-policy": _CONTENT_POLICY, "cache-control": "no-store"}
    text = render_text(template, version=__version__, base="/", **values)
    return HTMLResponse(text, status, headers=headers)


def render_text(template: str, **values: Any) -> str:
    """Return the HTML of a template filled in with its values."""
    return _TEMPLATES.get_template(template).render(**values)
