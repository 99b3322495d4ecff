"""What `written` makes of a letter, as Python's own reader of emails sees it."""

from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

from pbem import __version__
from pbem.mail.letter import PICTURE, Letter, laid_out, letter_bytes
from pbem.mail.paragraphs_for_newcomers import how_to_get_pbem

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h40v40"/></svg>'


def parts_of(letter: Letter, **how) -> tuple[EmailMessage, list[str]]:
    """The email, and the types of its parts from outside to inside."""
    mail = message_from_bytes(letter_bytes(letter, **how), policy=default)
    return mail, [part.get_content_type() for part in mail.walk()]


def test_a_letter_of_text_alone_has_one_part_and_no_empty_fields():
    mail, kinds = parts_of(Letter("bo@example.org", "Your move", "Hello Bo,\n"))
    assert kinds == ["text/plain"]
    assert mail.get_content().rstrip() == "Hello Bo,"
    assert {name: mail[name] for name in ("To", "Subject", "X-Unsent")} == {
        "To": "bo@example.org", "Subject": "Your move", "X-Unsent": "1",
    }  # fmt: skip
    assert not {"From", "Date", "Message-ID", "In-Reply-To", "References"} & set(mail.keys())


def test_a_letter_that_is_sent_names_its_sender_date_and_thread():
    letter = Letter("bo@example.org", "Your move", "Hello\n", thread="<t@x>", answers="<a@x>")
    mail, _ = parts_of(letter, sender="ann@example.org", message_id="<m@x>", seconds=86_400)
    assert mail["From"] == "ann@example.org"
    assert mail["Date"] == "Fri, 02 Jan 1970 00:00:00 -0000"
    assert (mail["Message-ID"], mail["In-Reply-To"]) == ("<m@x>", "<a@x>")
    assert mail["References"] == "<t@x> <a@x>"
    assert "X-Unsent" not in mail


def test_a_bundle_is_attached_under_its_name():
    letter = Letter("bo@example.org", "Turn 3", "Hello\n", "the bundle\n", "pond-0003-b.pbem")
    mail, kinds = parts_of(letter)
    assert kinds == ["multipart/mixed", "text/plain", "application/octet-stream"]
    (file,) = mail.iter_attachments()
    assert (file.get_filename(), file.get_content()) == ("pond-0003-b.pbem", b"the bundle\n")


def test_a_page_shows_its_picture_as_png():
    page = f"<p>Hello</p><img {PICTURE}>"
    mail, kinds = parts_of(Letter("bo@example.org", "Turn 3", "Hello\n", page=page, picture=SVG))
    assert kinds == [
        "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png",
    ]  # fmt: skip
    shown, picture = list(mail.walk())[3:]
    assert picture.get_content().startswith(b"\x89PNG")
    assert picture["Content-ID"].strip("<>") in shown.get_content()
    assert picture.get_content_disposition() == "inline"


def test_empty_paragraphs_leave_no_gap():
    long = "word " * 30
    assert laid_out(["One.", "", "  pbem join"]) == "One.\n\n  pbem join\n"
    assert max(map(len, laid_out([long]).splitlines())) <= 72


def test_who_is_invited_reads_whole_sentences_on_how_to_get_pbem():
    said, line = how_to_get_pbem("Rhea")
    assert said.startswith("You need pbem, a free program")
    assert f"Rhea can send you the file pbem-{__version__}-py3-none-any.whl." in said
    assert line.strip() == f'pipx install "./pbem-{__version__}-py3-none-any.whl[table]"'
