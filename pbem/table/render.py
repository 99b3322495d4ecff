"""Fill the templates; everything is escaped except the pictures that pbem draws."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from pbem.screen.tell_entries import listed, spaced
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from starlette.requests import Request


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


def page(request: Request, template: str, status: int = 200, /, **values: Any) -> HTMLResponse:
    """Answer with a page, or a part of one, made from a template.

    Links in templates begin with `root`, the secret path below which this table serves its pages.
    """
    text = _templates().get_template(template).render(root=request.scope["root_path"], **values)
    return HTMLResponse(text, status)
