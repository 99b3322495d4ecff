"""Text as people paste it: which charset it is in, and what of its damage is undone."""

import codecs
import quopri
import re
from base64 import b64encode, encodebytes

import pytest

from pbem.format.mail_block import Unpacked, encode, unpacked
from pbem.mail.unpack_mail import blocks_in, decode_text, html_text
from tests.mail.post import web_page
from tests.mail.sample import FILES

A, B = FILES[:2]
BOTH = encode([A, B])
E_ACUTE = "\u00e9"

TEXTS = {
    "UTF-8, if nothing else is said": (b"\xc3\xa9", None, E_ACUTE),
    "UTF-8, damaged": (b"a\xffb", "utf-8", "a\ufffdb"),
    "latin-1": (b"\xe9", "latin-1", E_ACUTE),
    "capitals and underscores": (b"\xe9", "ISO_8859_1", E_ACUTE),
    "a mark of UTF-8": (codecs.BOM_UTF8 + b"\xc3\xa9", "latin-1", "\ufeff" + E_ACUTE),
    "a mark of UTF-16": (b"\xff\xfe\xe9\0", "latin-1", E_ACUTE),
    "a mark of UTF-16, the other byte first": (b"\xfe\xff\0\xe9", "latin-1", E_ACUTE),
    "half a letter of UTF-16": (b"\xff\xfea\0b", "utf-8", "a\ufffd"),
    "unknown": (b"\xc3\xa9", "none-such", "\u00c3\u00a9"),
    "not a name": (b"\xc3\xa9", "utf 8", "\u00c3\u00a9"),
    "no name": (b"\xc3\xa9", "", "\u00c3\u00a9"),
    "a name of forty characters": (b"\xc3\xa9", "utf" + "-" * 36 + "8", E_ACUTE),
    "a name of forty-one": (b"\xc3\xa9", "utf" + "-" * 37 + "8", "\u00c3\u00a9"),
    "a zero in the name": (b"\xc3\xa9", "utf\08", "\u00c3\u00a9"),
    "not for text": (b"\xc3\xa9", "zlib", "\u00c3\u00a9"),
}  # fmt: skip
ODD = ["idna", "punycode", "raw-unicode-escape", "raw_unicode_escape", "undefined"]
ODD += ["unicode-escape", "UNICODE_ESCAPE", "utf-7", "UTF7"]


@pytest.mark.parametrize(("data", "charset", "text"), TEXTS.values(), ids=TEXTS.keys())
def test_bytes_become_text_by_their_own_mark_or_the_charset_that_the_mail_names(
    data, charset, text
):
    assert (decode_text(data) if charset is None else decode_text(data, charset)) == text


@pytest.mark.parametrize("charset", ODD)
def test_charsets_that_would_change_plain_text_are_not_used(charset):
    data = b"+AOk- \\u00e9-\\x41.ab-\xe9"
    assert decode_text(data, charset) == data.decode("latin-1")


# ------------------------------------------------------------------ damage undone
def with_coded_letters(text: str) -> str:
    """Quoted-printable, with more signs coded than has to be."""
    return quopri.encodestring(text.encode()).replace(b"k", b"=6B").decode()


def narrow(text: str) -> str:
    return "\n".join(row[i : i + 17] for row in text.splitlines() for i in range(0, len(row), 17))


def quoted_lines(text: str, mark: str = "AB> ") -> str:
    return "".join(f"{mark}{row}\n" for row in text.splitlines())


def with_character_codes(text: str) -> str:
    return "".join(f"&#{ord(sign)};" if sign in "-+:" else sign for sign in text)


REPAIRS = {
    "a narrow column": narrow(BOTH),
    "a narrow column, quoted": "".join(f"> {row}\n" for row in narrow(BOTH).splitlines()),
    "small letters in a narrow column": narrow(BOTH.replace("BEGIN PBEM", "begin pbem")),
    "a check in capitals in a narrow column": narrow(BOTH).replace("check", "CHECK"),
    "small letters broken between the words": re.sub(
        "(BEGIN|END) PBEM", lambda mark: f"{mark[1].lower()}\npbem", BOTH
    ),
    "initials": quoted_lines(BOTH),
    "six letters and digits, quoted again": quoted_lines(BOTH, "> > Ann123> "),
    "a web page": web_page(BOTH),
    "signs as numbers": with_character_codes(BOTH),
    "signs as numbers in capitals": BOTH.replace("-", "&#X2D;").replace("\n", "<BR>"),
    "quoted-printable": with_coded_letters(BOTH),
    "quoted-printable with a letter that is not UTF-8": f"Gr=FC\n{with_coded_letters(BOTH)}",
    "quoted-printable with half a letter": f"\ud800{with_coded_letters(BOTH)}",
    "quoted-printable in a narrow column": with_coded_letters(narrow(BOTH)),
    "quoted-printable of a page": with_coded_letters(web_page(BOTH)),
    "quoted-printable, answered": with_coded_letters(quoted_lines(BOTH)),
    "quoted-printable of signs as numbers": with_coded_letters(BOTH.replace("-", "&#X2D;")),
    "a narrow column between angle brackets": f"<here it is:\n{narrow(BOTH)}\n(a>b)",
    "base64": encodebytes(BOTH.encode()).decode(),
    "base64 in one line": b64encode(BOTH.encode()).decode(),
    "base64 of a page": encodebytes(web_page(BOTH).encode()).decode(),
    "base64 of answered text": encodebytes(quoted_lines(BOTH).encode()).decode(),
    "base64 behind other base64": f"{'QUJD' * 20}-{'A' * 65}-{encodebytes(BOTH.encode()).decode()}",
}


EASY = ("a web page", "signs as numbers")
"""Read without another reading: `decode` undoes it in any text."""


@pytest.mark.parametrize("name", REPAIRS)
def test_damage_is_undone_and_said(name):
    found = blocks_in(REPAIRS[name])
    assert [block.data for block in found] == [A, B]
    assert all(block.repaired for block in found)
    if name not in EASY:
        assert not [b for b in blocks_in(REPAIRS[name], lambda _: False) if b.data]


def test_what_is_whole_is_not_read_again():
    asked = []
    assert [(b.data, b.repaired) for b in blocks_in(BOTH, asked.append)] == [(A, False), (B, False)]
    assert asked == []
    assert blocks_in("", lambda size: asked.append(size) or False) == []
    assert blocks_in(narrow(BOTH), lambda size: asked.append(size) or False) != []
    assert asked == [0, len(narrow(BOTH))]


def test_the_reading_that_saves_most_is_taken():
    """One block is quoted with initials, one has signs as numbers: no reading saves both."""
    mixed = f"{with_hex_code(encode([A]))}\n{quoted_lines(encode([B]))}"
    found = blocks_in(mixed)
    assert [block.data for block in found if block.data] in ([A], [B])
    whole = f"{BOTH}\n{encode([FILES[0]])[:-60]}"
    assert [(b.data, b.repaired) for b in blocks_in(whole)] == [
        (A, False), (B, False), (None, False),
    ], "where nothing can be repaired, nothing is called repaired"  # fmt: skip
    less = blocks_in(f"{encode([A])}\n{quoted_lines(encode([B]))}")
    assert [(b.data, b.repaired) for b in less] == [(A, True), (B, True)]


def with_hex_code(text: str) -> str:
    """A body that only a page's reading saves; its marks are whole."""
    assert "+" in text
    return text.replace("+", "&#x2B;")


def test_no_reading_is_tried_twice_and_none_after_all_is_whole():
    seen = []

    def count(packed: bytes) -> Unpacked | None:
        seen.append(packed)
        return unpacked(packed)

    cut = encode([B])[:-60]
    for text, times in (
        (f"{encode([A])}\n{cut}", 2),
        (f"{with_coded_letters(encode([A]))}{cut}", 2),
    ):
        seen.clear()
        blocks_in(text, unpack=count)
        assert len(seen) <= times, "the text, and the same decoded"
    seen.clear()
    found = blocks_in(f"{quoted_lines(encode([A]))}\n<br>=41 &lt;", unpack=count)
    assert [block.data for block in found] == [A]
    assert len(seen) <= 3, "as it is, and without the initials"


# ------------------------------------------------------------------ pages
ROWS = ["blockquote", "br", "dd", "div", "dl", "dt", "hr", "li", "ol", "p", "pre", "table"]
ROWS += ["td", "tr"]
PAGES = {
    "a<b>c</b>d": "acd",
    "a<!-- x -->b<!doctype x>c": "abc",
    "a<SPAN CLASS=x>b": "ab",
    "1 < 2 > 0": "1  0",
    "a<br": "a<br",
    "a <": "a <",
    "&lt;b&gt; &amp;amp;": "<b> &amp;",
    "&#65;&#x42;&#X43;&EACUTE;&eacute;": f"ABC&EACUTE;{E_ACUTE}",
    "&#1114112;&#x110000;&none;": "\ufffd\ufffd&none;",
    "&#12345678;&#x1234567;&a;&65;& b;": "&#12345678;&#x1234567;&a;&65;& b;",
}


@pytest.mark.parametrize("tag", [*ROWS, *(tag.upper() for tag in ROWS)])
def test_each_row_of_a_page_is_a_line(tag):
    assert html_text(f"a<{tag}>b</{tag}><{tag} style=x>c<{tag}/>") == "a\nb\n\nc\n"


@pytest.mark.parametrize(("source", "text"), PAGES.items())
def test_the_text_of_a_web_page_has_no_tags_and_its_codes_are_decoded(source, text):
    assert html_text(source) == text
