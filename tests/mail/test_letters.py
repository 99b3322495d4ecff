"""What was sent is found again, whatever mail programs, people and drives did to it."""

import quopri
from base64 import encodebytes

import pytest

from pbem.mail.unpack_mail import open_post
from tests.mail.post import CLIENTS, attached, letter, web_page
from tests.mail.sample import BUNDLE, FILES, zip_file


def undamaged_files(data: bytes) -> list[bytes]:
    """The files found, each once, and nothing damaged beside them."""
    found = open_post(data, "x")
    assert not [finding.damage for finding in found if finding.data is None]
    return list(dict.fromkeys(finding.data for finding in found if finding.data))


@pytest.mark.parametrize("client", CLIENTS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("ends", ["\r\n", "\n"], ids=["as sent", "as saved"])
def test_records_are_found_in_the_mails_of_each_program(client, ends):
    data = client(BUNDLE).as_bytes()
    assert b"\r\n" in data
    assert undamaged_files(data.replace(b"\r\n", ends.encode())) == FILES


SOURCES = {
    "a record": FILES[0],
    "a record that Windows took for a text": b"\xef\xbb\xbf" + FILES[0].replace(b"\n", b"\r\n"),
    "a record without its last line end": FILES[0].rstrip(),
    "UTF-16": BUNDLE.encode("utf-16"),
    "UTF-16 with the other byte first": f"\ufeff{BUNDLE}".encode("utf-16-be"),
    "source in quoted-printable": quopri.encodestring(BUNDLE.encode()).replace(b"k", b"=6B"),
    "source in base64": encodebytes(f"Hi\n{BUNDLE}".encode()),
    "source in base64, with a letter that is not UTF-8": encodebytes(b"Gr\xfc\n" + BUNDLE.encode()),
    "a web page": web_page(BUNDLE).encode(),
    "a web page of divs": "".join(f"<div>{row}</div>" for row in BUNDLE.splitlines()).encode(),
    "a narrow column": "\n".join(
        row[i : i + 17] for row in BUNDLE.splitlines() for i in range(0, len(row), 17)
    ).encode(),
}


@pytest.mark.parametrize("data", SOURCES.values(), ids=SOURCES.keys())
def test_records_are_found_in_other_files_too(data):
    found = undamaged_files(data)
    assert found == FILES[: len(found)]
    assert len(found) == (1 if data.strip().startswith((b"\xef", b"audit")) else len(FILES))


# ------------------------------------------------------------------ parts


def test_hundreds_of_small_parts_are_not_too_much():
    """Each part counts with its own length only, wherever it lies."""
    small = b"\r\n--x\r\nContent-Type: application/x\r\n\r\n" + b"." * 80
    body = small * 600 + b"\r\n--x\r\n\r\n" + BUNDLE.encode()
    head = letter().as_bytes().rstrip() + b"\r\nContent-Type: multipart/mixed; boundary=x\r\n"
    assert undamaged_files(head + body) == FILES


# ------------------------------------------------------------------ archives


def test_records_are_found_in_a_zip_whatever_its_files_are_called():
    names = ["../../../etc/passwd", "/savannah/turns/0001.toml", "CON", "a\\b", "x" * 300]
    members = dict(zip(names, FILES, strict=False))
    members |= {"rest.eml": attached(BUNDLE).as_bytes(), "picture.jpg": b"\xff\xd8" + bytes(999)}
    assert set(undamaged_files(zip_file(members))) == set(FILES)
    mail = letter("zip")
    mail.add_attachment(zip_file(members), maintype="application", subtype="zip", filename="z.zip")
    assert set(undamaged_files(mail.as_bytes())) == set(FILES)


def test_unpacking_a_zip_bomb_ends():
    found = open_post(zip_file({"a": FILES[0], "bomb": bytes(1 << 24)}), "x")
    assert [finding.data for finding in found] == [FILES[0], None]
    assert "packed to less than 1/100" in found[-1].damage


def test_an_encrypted_zip_is_said():
    data = bytearray(zip_file({"a": FILES[0]}))
    data[6] |= 1  # the flag in the local header, and that in the directory
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (finding,) = open_post(bytes(data), "x")
    assert "that pbem cannot open" in finding.damage
