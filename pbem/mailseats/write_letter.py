"""Write an email to a player without `pbem` as MIME: text, HTML, and the picture of the table.

The same text and picture always give the same bytes, so an email is never written twice. The
picture is PNG, because Gmail, Outlook and others do not show SVG. The text says all that it shows.
"""

from __future__ import annotations

import hashlib
import html
from email.message import EmailMessage
from email.policy import SMTP

from pbem.drawing.png import png
from pbem.drawing.table import draw, icons_of
from pbem.mailseats.letter_text import LetterText, Section, where
from pbem.play.view import View

PICTURE_WIDTH = 480
"""The picture's width in CSS pixels: little more than a phone's, so that words are legible."""
_POLICY = SMTP.clone(cte_type="7bit")
_UNFOLDED = _POLICY.clone(max_line_length=300)
"""To write the header: a subject that begins on a second line is shown with a space before it."""
_STYLE = "font-family:sans-serif;font-size:15px;line-height:1.45;max-width:42em"


def mime(letter: LetterText, address: str, name: str, view: View) -> bytes:
    """Write the email as bytes, ready to send; the sender adds `From` and `Date`."""
    text = letter.text
    picture = _picture(view) if letter.picture else ""
    mark = hashlib.sha256(f"{text}\0{picture}\0{letter.subject}".encode()).hexdigest()[:24]
    message = EmailMessage(policy=_POLICY)
    message["To"] = _to(name, address)
    message["Subject"] = letter.subject
    message["Message-ID"] = f"<{letter.token}.{mark}@pbem.invalid>"
    message["Auto-Submitted"] = "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message["X-Unsent"] = "1"
    message.set_content(text, cte="quoted-printable")
    page = _page(letter, bool(picture))
    message.add_alternative(page, subtype="html", cte="quoted-printable")
    if picture:
        _add_picture(message, picture, mark)
    _name_boundaries(message, mark)
    return message.as_bytes(policy=_UNFOLDED)


def _to(name: str, address: str) -> str:
    plain = "".join(c for c in name if c.isalnum() or c in " -")
    return f'"{plain}" <{address}>' if plain.isascii() and plain.strip() else address


def _picture(view: View) -> str:
    ruleset = view.play.ruleset
    scene = ruleset.scene(view.table.state)
    return draw(
        scene, icons_of(ruleset), view.names, view.seat, width=PICTURE_WIDTH,
        title=where(view), alone=True,
    )  # fmt: skip


def _add_picture(message: EmailMessage, picture: str, mark: str) -> None:
    """Attach the picture to the HTML part, which shows it."""
    page = message.get_payload()[1]  # type: ignore[index]
    assert isinstance(page, EmailMessage)
    page.add_related(
        png(picture), "image", "png", cid=f"<table.{mark}@pbem.invalid>",
        filename="table.png", disposition="inline",
    )  # fmt: skip
    shown = page.get_payload()[0]  # type: ignore[index]
    assert isinstance(shown, EmailMessage)
    text = shown.get_content().replace("cid:table", f"cid:table.{mark}@pbem.invalid")
    shown.set_content(text, subtype="html", cte="quoted-printable")


def _name_boundaries(message: EmailMessage, mark: str) -> None:
    """Give the parts boundaries that follow from the contents, instead of random ones."""
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            part.set_boundary(f"=_pbem_{mark}_{number}")


# ------------------------------------------------------------------ HTML
def _page(letter: LetterText, picture: bool) -> str:
    parts = ["<!DOCTYPE html>", '<html><head><meta charset="utf-8">']
    parts += ['<meta name="viewport" content="width=device-width">']
    parts += [f"<title>{_safe(letter.subject)}</title></head>", f'<body><div style="{_STYLE}">']
    for section in letter.sections:
        parts += _section(section)
        if picture and section.title == "The table":
            parts.append(
                '<p><img src="cid:table" alt="the table as a picture" '
                f'width="{PICTURE_WIDTH}" style="max-width:100%;height:auto"></p>'
            )
    return "\n".join([*parts, "</div></body></html>", ""])


def _section(section: Section) -> list[str]:
    parts = [f"<h3>{_safe(section.title)}</h3>"] if section.title else []
    return [*parts, *map(_line, section.lines)]


def _line(line: str) -> str:
    """Write one line as HTML, with a choice's number in bold and further rows indented beside
    it."""
    said = line.strip()
    deep = (len(line) - len(line.lstrip())) // 2
    style = f"margin-left:{deep}em"
    number, colon, rest = said.partition(": ")
    if not (number.isdecimal() and colon):
        return f'<div style="{style}">{_safe(said) or "&nbsp;"}</div>'
    style = f"margin:.2em 0 .2em {deep + 1.5:g}em;text-indent:-1.5em"
    return f'<div style="{style}"><b>{number}:</b> {_safe(rest)}</div>'


def _safe(text: str) -> str:
    return html.escape(text, quote=True)
