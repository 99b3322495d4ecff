"""Replies as Outlook writes them."""

from email.message import EmailMessage

from tests.kit.mail_seats import opened_bytes, reply
from tests.kit.mail_seats import text_of as plain_text


def reply_in_plain_text(mail: EmailMessage, said: str) -> bytes:
    """A reply in plain text as Outlook writes it: nothing marks what is quoted."""
    made = opened_bytes(reply(mail, said))
    told = f"{said}\n\n________________________________\nFrom: Rhea <rhea@example.org>\n"
    told += f"Sent: Sunday, November 22, 2026 11:10\nTo: Bo\nSubject: {mail['Subject']}\n\n"
    made.set_content(told + plain_text(mail))
    return made.as_bytes()


def reply_in_html(mail: EmailMessage, said: str) -> bytes:
    """A reply in HTML alone as Outlook writes it."""
    made = opened_bytes(reply(mail, said))
    page = mail.get_body(("html",))
    assert page is not None
    quoted = str(page.get_content()).partition("<body>")[2]
    head = '<div id="divRplyFwdMsg"><b>From:</b> Rhea<br><b>Subject:</b> x</div>'
    made.set_content(f"<html><body><p>{said}</p>{head}{quoted}", subtype="html")
    return made.as_bytes()
