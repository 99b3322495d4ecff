"""The sections of an email with their choices to tap, as plain text and as a page of HTML, which
so say the same."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Sequence
from dataclasses import field
from typing import Final, Literal
from urllib.parse import quote

from engine.value_classes import Mutable, Value
from pbem.mail.letter import PICTURE, WIDTH
from pbem.text.terminal_and_page_wording import off_terminal

MAX_LINKS = 80
"""The most choices of an email that are links; Gmail hides the end of an email over 100 kB."""


class Tap(Value):
    """A choice that opens an email which is ready to send."""

    label: str
    body: str = ""
    """The text of the email that opens; address and subject come from `mailto_link`."""
    number: str = ""
    """The number of the choice on the order form; empty for requests."""
    fact: str = ""
    """The fact that decides about the choice, such as how much food a species lacks."""
    is_written: bool = False
    """Whether the player must write the line, because it lacks a number."""


class Section(Mutable):
    """A part of an email: a heading, and lines of any length; spaces before a line indent it."""

    title: str
    lines: list[str] = field(default_factory=list)
    link: str = ""
    """A link below the lines, on a row of its own."""
    taps: list[Tap] = field(default_factory=list)
    """The choices below these lines."""
    look: Literal["", "main", "buttons", "chips", "links", "small"] = ""
    """The style on the page, of the lines (large, small) or the choices (buttons, chips, links)."""
    has_picture: bool = False
    """Whether the page shows the table as a picture below these lines."""


class ReplyAddress(Value):
    """The address and the subject of a player's answers: the referee's address, which may be
    unknown, the code in square brackets, and the game with its turn."""

    address: str
    code: str
    turn_title: str

    def mailto_link(self, body: str) -> str:
        """Return the link that opens a new email with a text (RFC 6068).

        Gmail shows `+` as it is and calendars `&` as `&amp;`, so the subject has neither.
        """
        first_words = body.split("\n")[0][:40].rstrip(": ")
        subject = " ".join(re.sub(r"[&+#]", " ", f"{self.turn_title}: {first_words}").split())
        encoded_body = quote(body, safe="").replace("%0A", "%0D%0A")
        encoded_address = quote(self.address, safe="@")
        encoded_subject = quote(f"{subject} [{self.code}]", safe="")
        return f"mailto:{encoded_address}?subject={encoded_subject}&body={encoded_body}"


def text_of_sections(sections: Sequence[Section]) -> str:
    """Return the sections as plain text, with rows of at most `WIDTH` columns."""
    rows = list[str]()
    for section in sections:
        rows += [section.title.upper(), ""] if section.title else []
        rows += [row for line in section.lines for row in _wrap_line(line)]
        if section.look == "links":
            labels = [tap.label for tap in section.taps]
            rows += _wrap_line("Also: " + " · ".join(labels))
        elif section.look != "small":
            rows += [""] if section.lines and section.taps else []
            rows += [row for tap in section.taps for row in _wrap_line(_tap_row(tap))]
        rows += [f"  {section.link}", ""] if section.link else [""]
    text = "\n".join(row.rstrip() for row in rows).strip() + "\n"
    return re.sub(r"\n{3,}", "\n\n", text)


def _tap_row(tap: Tap) -> str:
    """Return the row for a choice in the plain text: `3: long neck 5 on b1   (b1: food 2)`."""
    number = "" if tap.is_written else tap.number or tap.body
    words = f"{number}: {tap.label}" if number else tap.label
    return f"  {words}" + (f"   ({tap.fact})" if tap.fact else "")


def _wrap_line(text: str) -> list[str]:
    """Return the rows of a line; all of them keep its indent."""
    indent = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(
        text.strip(), WIDTH, initial_indent=indent, break_on_hyphens=False,
        subsequent_indent=f"{indent}  " if indent else "",
    ) or [""]  # fmt: skip


PICTURE_WIDTH: Final = 480
"""The picture's width in CSS pixels: little more than a phone's, so that words are legible."""
_EDGE_STYLE, _BACK_STYLE = "border:1px solid #2f8f5f", "background:#2f8f5f22"
_PAGE_STYLE = (
    "font-family:-apple-system,Segoe UI,Roboto,sans-serif;font-size:15px;line-height:1.4;"
    "max-width:36em;padding:4px 12px"
)


_BUTTON_STYLE = (
    f"display:block;padding:9px 13px;margin:6px 0;{_EDGE_STYLE};border-radius:10px;{_BACK_STYLE};"
    "color:inherit;text-decoration:none;font-size:17px;line-height:1.25"
)
_CHIP_STYLE = (
    f"display:inline-block;padding:4px 8px;margin:2px 1px;{_EDGE_STYLE};border-radius:8px;"
    "color:inherit;text-decoration:none"
)
_SMALL_STYLE = "font-size:12.5px;opacity:.75"


def page_of_sections(
    subject: str, sections: Sequence[Section], reply_address: ReplyAddress, has_picture: bool
) -> str:
    """Return the sections as an HTML page that loads nothing from the network.

    `has_picture`: the letter has the table as a picture, which the page shows below its lines.
    """
    parts = ["<!DOCTYPE html>", '<html><head><meta charset="utf-8">']
    parts += ['<meta name="viewport" content="width=device-width">']
    parts += ['<meta name="color-scheme" content="light dark">']
    parts += ["<style>:root{color-scheme:light dark}</style>"]
    parts += [f"<title>{html.escape(subject)}</title></head>", f'<body><div style="{_PAGE_STYLE}">']
    link_budget = MAX_LINKS
    for section in sections:
        is_main = section.look in ("main", "buttons", "chips")
        tag = ("h2", "font-size:20px;margin:8px 0 2px") if is_main else ("h3", "margin:14px 0 4px")
        title = html.escape(section.title)
        parts += [f'<{tag[0]} style="{tag[1]}">{title}</{tag[0]}>'] if title else []
        style_attribute = f' style="{_SMALL_STYLE}"' if section.look == "small" else ""
        lines = [_line_of_page(line) for line in section.lines]
        parts += [f"<div{style_attribute}>", *lines, "</div>"] if lines else []
        if address := html.escape(section.link):
            parts.append(f'<p><a href="{address}">{address}</a></p>')
        if has_picture and section.has_picture:
            parts.append(
                f'<p><img {PICTURE} alt="the table as a picture" '
                f'width="{PICTURE_WIDTH}" style="max-width:100%;height:auto"></p>'
            )
        parts += _taps_of_page(section, reply_address, link_budget)
        link_budget -= len(section.taps)
    return "\n".join([*parts, "</div></body></html>", ""])


def _taps_of_page(section: Section, reply_address: ReplyAddress, link_budget: int) -> list[str]:
    """Return the HTML elements for a section's choices. Only the first `link_budget` are links."""
    elements, group = list[str](), ""
    for index, tap in enumerate(section.taps):
        href = ""
        if tap.body and index < link_budget:
            href = f' href="{html.escape(reply_address.mailto_link(tap.body))}"'
        if section.look in ("links", "small"):
            elements.append(f"<a{href}>{html.escape(tap.label)}</a> · ")
            continue
        label, style = tap.label, _BUTTON_STYLE
        if section.look == "chips":
            # chips stand in groups below the card or piece with which their labels begin
            style, match = _CHIP_STYLE, re.match(r"[^\d:]+ -?\d+|[a-p]\d+\b", label)
            if match and match[0] != group:
                group = match[0]
                heading = f"<b>{html.escape(group)}</b>"
                elements.append(f'<div style="margin-top:5px">{heading}</div>')
            label = label.removeprefix(group).lstrip(": ")
            label = re.sub(r"^(?:for )?(?:an? |the )?", "", label) or tap.label
        number = f"<b>{html.escape(tap.number)}</b> " if tap.number else ""
        fact = ""
        if tap.fact:
            fact = f'<br><span style="{_SMALL_STYLE}">{html.escape(tap.fact)}</span>'
        elements.append(f'<a{href} style="{style}">{number}{html.escape(label)}{fact}</a>')
    if section.look in ("links", "small") and elements:
        elements[-1] = elements[-1].removesuffix(" · ")
        return ['<p style="margin:8px 0">', *elements, "</p>"]
    return elements


def _line_of_page(line: str) -> str:
    """Return a line as an HTML element, indented as the line is."""
    line = off_terminal(line)
    text = line.strip()
    depth = (len(line) - len(line.lstrip())) // 2
    return f'<div style="margin-left:{depth}em">{html.escape(text) or "&nbsp;"}</div>'
