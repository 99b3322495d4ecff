"""The bytes of a reply to the mail of a turn, in the ways in which mail programs write one.

The shapes in `reply_shapes.py` copy their headers, quotes, encodings and HTML.
"""

import base64
import quopri
from dataclasses import dataclass
from email.message import EmailMessage

from tests.kit.mail_seats import text_of

DISCLAIMER = (
    "This e-mail and any attachments are confidential and may be legally privileged. If you are "
    "not the intended recipient, please delete it and attack nobody. 3 copies are 3 too many."
)


@dataclass
class Shape:
    """The parts of one reply."""

    plain: str = ""
    html: str = ""
    cte: str = "7bit"
    charset: str = "utf-8"
    more: str = ""
    """Further parameters of the type of the text."""
    fields: str = ""
    """Further header fields."""
    crlf: bool = False
    subject: str = ""
    attachment: str = ""


class Quoting:
    """The mail that the replies answer, in the ways in which programs quote it."""

    def __init__(self, mail: EmailMessage) -> None:
        self.subject = str(mail["Subject"])
        self.id = str(mail["Message-ID"])
        self.text = text_of(mail).rstrip("\n")
        page = mail.get_body(("html",))
        assert page is not None
        whole = str(page.get_content())
        self.html = whole[whole.index("<body>") + 6 : whole.index("</body>")]

    def marked(self, mark: str = "> ", skip: str = "") -> str:
        lines = [line for line in self.text.splitlines() if not skip or skip not in line]
        return "\n".join(f"{mark}{line}".rstrip(" ") for line in lines)

    def inline(self, after: str, said: str, mark: str = "> ") -> str:
        """The quoted mail with an answer below the line that begins so."""
        lines = []
        for line in self.text.splitlines():
            lines.append(f"{mark}{line}".rstrip(" "))
            if line.strip().startswith(after):
                lines += ["", said, ""]
        return "\n".join(lines)


def encoded(text: str, cte: str, charset: str, width: int = 0) -> bytes:
    data = text.encode(charset)
    if cte == "base64":
        return base64.encodebytes(data)
    if cte == "quoted-printable":
        packed = quopri.encodestring(data)
        return _narrow(packed, width) if width else packed
    return data


def _narrow(packed: bytes, width: int) -> bytes:
    """Quoted-printable with soft breaks after every few characters, in the middle of words."""
    rows = []
    for row in packed.split(b"\n"):
        while len(row) > width and b"=" not in row[width - 3 : width + 1]:
            rows.append(row[:width] + b"=")
            row = row[width:]
        rows.append(row)
    return b"\n".join(rows)


def eml(shape: Shape, mail: Quoting, width: int = 0) -> bytes:
    head = "From: Bo <bo@example.org>\nTo: Rhea <rhea@example.org>\n"
    head += f"Subject: {shape.subject or 'Re: ' + mail.subject}\n"
    head += "Date: Sun, 22 Nov 2026 12:10:03 +0100\nMessage-ID: <reply@mail.example.org>\n"
    head += f"In-Reply-To: {mail.id}\nReferences: {mail.id}\n{shape.fields}MIME-Version: 1.0\n"
    parts = [(k, t) for k, t in (("plain", shape.plain), ("html", shape.html)) if t]
    made = [_part(shape, kind, text, width) for kind, text in parts]
    if len(made) == 1 and not shape.attachment:
        data = head.encode() + made[0]
    else:
        kind = "mixed" if shape.attachment else "alternative"
        made += [shape.attachment.encode()] if shape.attachment else []
        head += f'Content-Type: multipart/{kind}; boundary="b0undary_x"\n\n'
        body = b"".join(b"--b0undary_x\n" + one.rstrip(b"\n") + b"\n\n" for one in made)
        data = head.encode() + body + b"--b0undary_x--\n"
    return data.replace(b"\n", b"\r\n") if shape.crlf else data


def _part(shape: Shape, kind: str, text: str, width: int) -> bytes:
    more = shape.more if kind == "plain" else ""
    head = f"Content-Type: text/{kind}; charset={shape.charset}{more}\n"
    head += f"Content-Transfer-Encoding: {shape.cte}\n\n"
    return head.encode() + encoded(text, shape.cte, shape.charset, width) + b"\n"


Shapes = dict[str, Shape | tuple[Shape, int]]
"""Shapes by name, some with the width of their lines."""
