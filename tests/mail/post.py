"""Mails as mail programs make them, built with the standard library."""

from email.message import EmailMessage
from email.policy import SMTP
from html import escape

SUBJECT = "savannah – turn 3 \u2603"


def letter(body: str = "", sender: str = "ann@example.org") -> EmailMessage:
    """A mail with the headers that every mail has."""
    mail = EmailMessage(policy=SMTP)
    mail["From"] = f"Ann \u00c4 <{sender}>"
    mail["To"] = "Cy <cy@example.org>"
    mail["Subject"] = SUBJECT
    mail["Date"] = "Fri, 03 Jan 2025 10:00:00 +0100"
    mail["Message-ID"] = "<1@example.org>"
    if body:
        mail.set_content(body)
    return mail


def pasted(bundle: str) -> EmailMessage:
    """In the text, with a greeting above and a signature below."""
    return letter(f"Hi Cy,\n\n{bundle}\nBest\nAnn\n\n-- \nAnn \u00c4hn, Savannah Ltd\n")


def attached(bundle: str, name: str = "savannah-0003-c.pbem") -> EmailMessage:
    """As a file, the way Apple Mail and Outlook attach what they do not know."""
    mail = letter("See the attachment.")
    mail.add_attachment(
        bundle.encode(), maintype="application", subtype="octet-stream", filename=name
    )
    return mail


def attached_as_text(bundle: str) -> EmailMessage:
    """As a file that the mail program took for text."""
    mail = letter("See the attachment.")
    mail.add_attachment(bundle, filename="savannah(1).pbem.txt", disposition="inline")
    return mail


def quoted_printable(bundle: str) -> EmailMessage:
    mail = letter()
    mail.set_content(f"Gr\u00fc\u00dfe\n\n{bundle}", cte="quoted-printable")
    return mail


def base64_body(bundle: str) -> EmailMessage:
    mail = letter()
    mail.set_content(f"Hi\n{bundle}", cte="base64", charset="utf-8")
    return mail


def latin(bundle: str) -> EmailMessage:
    mail = letter()
    fits = all(ord(sign) < 256 for sign in bundle)
    charset = "iso-8859-1" if fits else "utf-8"
    mail.set_content(f"Gr\u00fc\u00dfe\n\n{bundle}", charset=charset, cte="8bit")
    return mail


def web_page(bundle: str) -> str:
    """A mail program's HTML of a text: a paragraph per line, no-break spaces, a style sheet."""
    rows = "".join(
        f'<p class="MsoNormal"><span style="font:x">{escape(row).replace(" ", "&nbsp;")}</span></p>'
        for row in bundle.splitlines()
    )
    return f"<html><head><style>p{{margin:0}}</style></head><body><div>{rows}</div></body></html>"


def html_only(bundle: str) -> EmailMessage:
    mail = letter()
    mail.set_content(web_page(bundle), subtype="html", cte="quoted-printable")
    return mail


def html_in_one_line(bundle: str) -> EmailMessage:
    mail = letter()
    text = escape(bundle).replace("-", "&#8209;").replace("+", "&#43;").replace("\n", "<br>")
    mail.set_content(f"<div dir=ltr>{text}</div>", subtype="html")
    return mail


def alternatives(bundle: str) -> EmailMessage:
    """Plain and HTML, the same twice."""
    mail = pasted(bundle)
    mail.add_alternative(web_page(bundle), subtype="html")
    return mail


def alternatives_with_a_stub(bundle: str) -> EmailMessage:
    """Only the HTML has it; the text begins as if it had."""
    mail = letter("This mail is HTML.\n-----BEGIN PBEM-----\n[cut]\n")
    mail.add_alternative(web_page(bundle), subtype="html")
    return mail


def flowed(bundle: str) -> EmailMessage:
    """format=flowed: quoted, lines broken softly, space-stuffed."""
    rows = [
        f"> {row[i : i + 50]} " for row in bundle.splitlines() for i in range(0, len(row) or 1, 50)
    ]
    mail = letter()
    mail.set_content("On Friday Ann wrote:\n" + "\n".join(rows) + "\n", cte="8bit")
    mail.set_param("format", "flowed")
    return mail


def wrapped_answer(bundle: str) -> EmailMessage:
    """Quoted with initials below an answer, wrapped by the answering program."""
    rows = "".join(f"AB> {row}\n" for row in bundle.splitlines())
    return letter(f"Got it!\n\n-----Original Message-----\n{rows}")


def forwarded(bundle: str) -> EmailMessage:
    """As an attached mail."""
    mail = letter("FYI")
    mail.add_attachment(attached(bundle))
    return mail


def mailing_list_post(bundle: str) -> EmailMessage:
    """Through a mailing list: a footer part, everything signed."""
    mail = pasted(bundle)
    mail.make_mixed()
    mail.add_attachment("____\nsavannah mailing list\n", subtype="plain", disposition="inline")
    mail.set_type("multipart/signed")
    return mail


CLIENTS = [
    pasted, attached, attached_as_text, quoted_printable, base64_body, latin, html_only,
    html_in_one_line, alternatives, alternatives_with_a_stub, flowed, wrapped_answer, forwarded,
    mailing_list_post,
]  # fmt: skip
