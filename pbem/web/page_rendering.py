"""Render the pages of the table from their templates, everything escaped."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from engine.counts_and_lists_in_prose import join_words
from pbem.drawing.table import die_svg
from pbem.terminal.clean_text import clean
from pbem.terminal.game_prose import spaced
from pbem.text.dates import LATEST, date_in, utc_time
from pbem.text.terminal_and_page_wording import off_terminal
from pbem.text.time_zones import zone_of
from pbem.wording.find_explanation import CITED_PATTERN, RULING_PATTERN
from pbem.wording.how_to_play import split_code


@lru_cache(1)
def templates() -> Environment:
    """Return the templates of all pages. They escape every value."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "clean": clean,
        "spaced": spaced,
        "join_words": join_words,
        "split_code": split_code,
        "off_terminal": off_terminal,
        "cited": _link_rulings,
        "die": lambda number: Markup(die_svg(number)),
    }
    return environment


def _link_rulings(text: str) -> Markup:
    """Return a text in which the number of each cited ruling is a button that shows the ruling."""
    button = r'<button type="button" class="link cite" data-word="\g<0>">\g<0></button>'
    return Markup(
        CITED_PATTERN.sub(lambda match: RULING_PATTERN.sub(button, match[0]), str(escape(text)))
    )


def page(request: Request, template: str, status: int = 200, /, **values: Any) -> HTMLResponse:
    """Return a page, or a part of one, made from a template.

    In templates, `root` is the path below which this table serves its pages, and `tab` says whether
    this is a browser tab, which has no folders and no terminal.
    """
    return HTMLResponse(part_of_page(request, template, **values), status)


def part_of_page(request: Request, template: str, /, **values: Any) -> str:
    """Return the HTML of a template with these values and the values of every page."""
    values |= {"root": request.scope["root_path"], "tab": in_tab(request)}
    return templates().get_template(template).render(values)


def in_tab(request: Request) -> bool:
    """Return whether the program itself runs in a browser tab (`program_in_tab`)."""
    return bool(request.scope.get("pbem_tab"))


def time_tag(seconds: int, zone: str = "") -> Markup:
    """Return a moment (seconds since 1970) as an HTML element in a time zone. A script of the page
    shows it in the reader's zone."""
    if not 0 <= seconds <= LATEST:
        return escape(utc_time(seconds))
    utc_text = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Markup('<time datetime="{}">{}</time>').format(
        utc_text, date_in(zone_of(zone) if zone else None, seconds)
    )
