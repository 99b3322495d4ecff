"""Fill the templates; everything is escaped except the pictures that pbem draws."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from pbem.screen.tell_entries import listed, spaced
from pbem.screen.terminal import clean


@lru_cache(1)
def _templates() -> Environment:
    found = Environment(
        loader=PackageLoader("pbem.table", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"clean": clean, "spaced": spaced, "listed": listed}
    return found


def filled(template: str, **values: Any) -> str:
    """Return the text of a template, filled with these values."""
    return _templates().get_template(template).render(**values)


def page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """Answer with a page made from a template."""
    return HTMLResponse(filled(template, **values), status)
