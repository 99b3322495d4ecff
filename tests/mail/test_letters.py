"""What was sent is found again, whatever mail programs, people and drives did to it."""

import mailbox
import quopri
from base64 import encodebytes

import pytest

from pbem.format.mail_block import encode
from pbem.mail.unpack import open_post
from tests.format.mangled_blocks import MANGLED
from tests.mail.post import CLIENTS, attached, letter, pasted, web_page
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


@pytest.mark.parametrize("client", CLIENTS, ids=lambda c: c.__name__)
def test_an_mbox_of_one_client_among_other_mails(client, tmp_path):
    box = mailbox.mbox(tmp_path / "box")
    box.add(letter("From here on,\nnothing of ours.\n"))
    box.add(client(BUNDLE).as_bytes().replace(b"\r\n", b"\n"))
    box.add(letter("Nothing."))
    box.close()
    assert undamaged_files((tmp_path / "box").read_bytes()) == FILES


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


@pytest.mark.parametrize("text", MANGLED.values(), ids=MANGLED.keys())
def test_what_a_block_survives_a_mail_survives(text):
    (finding,) = open_post(text.encode(), "x")
    assert finding.data


# ------------------------------------------------------------------ parts
def of_type(kind: str, body: bytes) -> bytes:
    return letter().as_bytes().rstrip() + f"\r\nContent-Type: {kind}\r\n".encode() + body


def test_a_mail_that_lost_its_boundary_is_read_as_text():
    body = b"\r\n--x\r\n\r\n" + BUNDLE.encode()
    assert undamaged_files(of_type("multipart/mixed; boundary=x", body)) == FILES
    assert undamaged_files(of_type("multipart/mixed", body)) == FILES


def test_a_part_needs_no_header():
    other = f"\r\n--x\r\nContent-Type: text/plain\r\n\r\n{encode(FILES[1:])}".encode()
    body = b"\r\n--x\r\n\r\n" + encode(FILES[:1]).encode() + other
    assert undamaged_files(of_type("multipart/mixed; boundary=x", body)) == FILES


@pytest.mark.parametrize("main", ["image", "audio", "video"])
def test_pictures_and_sounds_are_not_looked_into(main):
    mail = pasted(encode(FILES[:1]))
    mail.add_attachment(encode(FILES[1:]).encode(), maintype=main, subtype="x")
    assert undamaged_files(mail.as_bytes()) == FILES[:1]


def test_hundreds_of_small_parts_are_not_too_much():
    """Each part counts with its own length only, wherever it lies."""
    small = b"\r\n--x\r\nContent-Type: application/x\r\n\r\n" + b"." * 80
    body = small * 600 + b"\r\n--x\r\n\r\n" + BUNDLE.encode()
    assert undamaged_files(of_type("multipart/mixed; boundary=x", body)) == FILES


def test_base64_that_was_cut_anywhere_harms_nobody():
    for cut in range(1, 9):
        body = b"Content-Transfer-Encoding: base64\r\n\r\n" + b"QUJDREVG"[:cut]
        assert open_post(of_type("text/plain", body), "x") == []


# ------------------------------------------------------------------ archives


def test_a_zip_of_anything_of_ours():
    names = ["../../../etc/passwd", "/savannah/turns/0001.toml", "CON", "a\\b", "x" * 300]
    members = dict(zip(names, FILES, strict=False))
    members |= {"rest.eml": attached(BUNDLE).as_bytes(), "picture.jpg": b"\xff\xd8" + bytes(999)}
    assert set(undamaged_files(zip_file(members))) == set(FILES)
    mail = letter("zip")
    mail.add_attachment(zip_file(members), maintype="application", subtype="zip", filename="z.zip")
    assert set(undamaged_files(mail.as_bytes())) == set(FILES)


def test_a_bomb_ends():
    found = open_post(zip_file({"a": FILES[0], "bomb": bytes(1 << 24)}), "x")
    assert [finding.data for finding in found] == [FILES[0], None]
    assert "packed to less than 1/100" in found[-1].damage


@pytest.mark.parametrize(("size", "ends"), [(65_536, False), (65_537, True)])
def test_a_short_file_may_be_compressed_to_almost_nothing(size, ends):
    assert bool(open_post(zip_file({"x": bytes(size)}), "x")) is ends


@pytest.mark.parametrize("cut", [4, 30, 200, -30])
def test_a_damaged_zip_is_said(cut):
    found = open_post(zip_file({"a": FILES[0]})[:cut], "x")
    assert "archive" in found[-1].damage


def test_an_encrypted_zip_is_said():
    data = bytearray(zip_file({"a": FILES[0]}))
    data[6] |= 1  # the flag in the local header, and that in the directory
    data[data.index(b"PK\x01\x02") + 8] |= 1
    (finding,) = open_post(bytes(data), "x")
    assert "that pbem cannot open" in finding.damage


# ------------------------------------------------------------------ what is none
@pytest.mark.parametrize("data", [b"", b"Hello", letter("Hello").as_bytes(), b"PK", b"From x\n"])
def test_nothing_of_ours(data):
    assert open_post(data, "x") == []


def test_charsets_that_are_no_text_harm_nobody():
    for charset in ("idna", "unicode_escape", "zlib", "none-such", "undefined", "utf-7"):
        data = pasted(BUNDLE).as_bytes().replace(b"utf-8", charset.encode())
        assert undamaged_files(data) == FILES


def test_half_a_letter_of_utf_16_in_utf_7_harms_nobody():
    body = b"\r\n-----BEGIN PBEM-----\r\n+2AE- =41\r\n"
    assert [f.data for f in open_post(of_type("text/plain; charset=utf-7", body), "x")] == [None]


def test_damage_is_told_of_the_block_that_has_it():
    rows = BUNDLE.splitlines(keepends=True)
    data = pasted("".join(rows[:6] + rows[7:])).as_bytes()
    found = open_post(data, "x")
    assert "damaged on the way" in found[0].damage
    assert [finding.data for finding in found[1:]] == FILES[1:]
