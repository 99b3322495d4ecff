"""What a mail's header says of its parts, and where the parts begin and end (RFC 2045, 2046, 2231).

Each part is read from the middle of other bytes, which must never leak into it.
"""

import pytest

from pbem.mail.incoming_email import MAX_FIELD, Part, part_at

BEFORE, BEHIND = b"Content-Type: image/x\n\nbefore\n", b"--b\nbehind\n--b\n\nmore"


def part(head: str, body: bytes = b"") -> Part:
    """A part with this header, between other bytes."""
    inner = head.encode("latin-1") + b"\n\n" + body
    return part_at(BEFORE + inner + BEHIND, len(BEFORE), len(BEFORE) + len(inner))


PLAIN = ("text/plain", "utf-8", b"", "")
TYPE, ENCODING = "Content-Type: ", "Content-Transfer-Encoding: "
HEADERS = {
    "no field": ("X: y", PLAIN),
    "a type alone": (f"{TYPE}text/html", ("text/html", "utf-8", b"", "")),
    "capitals": (
        'CONTENT-TYPE: Text/HTML; CHARSET="Latin-1"\nCONTENT-TRANSFER-ENCODING: BASE64',
        ("text/html", "Latin-1", b"", "base64"),
    ),
    "signs in a type": (f"{TYPE}a.b/c+d-e1;", ("a.b/c+d-e1", "utf-8", b"", "")),
    "no type at all": (f"{TYPE}nonsense; charset=x", ("text/plain", "x", b"", "")),
    "a type in the wrong place": (f"{TYPE}x text/html", PLAIN),
    "folded": (
        f'{TYPE}\n multipart/mixed;\n\tboundary="a\n b"\nX: y',
        ("multipart/mixed", "utf-8", b"a b", ""),
    ),
    "folded with CRLF": (f"{TYPE}a/b;\r\n charset=x\r\nX: y", ("a/b", "x", b"", "")),
    "the first field counts": (
        f"{TYPE}a/b; charset=x\n{TYPE}c/d; charset=y; boundary=z\n{ENCODING}p\n{ENCODING}q",
        ("a/b", "x", b"", "p"),
    ),
    "a longer name is another field": (f"X-{TYPE}a/b\n{TYPE[:-2]}s: c/d", PLAIN),
    "an encoding, a remark": (f"{ENCODING}base64 (or so)", ("text/plain", "utf-8", b"", "base64")),
    "the first parameter counts": (f"{TYPE}a/b; charset=x; charset=y", ("a/b", "x", b"", "")),
    "spaces around the equals sign": (f"{TYPE}a/b ; charset = x", ("a/b", "x", b"", "")),
    "a parameter without a value": (f"{TYPE}a/b; charset=; boundary=x", ("a/b", "utf-8", b"x", "")),
    "a second word after a value": (f"{TYPE}a/b; boundary*0=x y", ("a/b", "utf-8", b"x", "")),
    "a second word after a quoted one": (
        f'{TYPE}a/b; boundary*0="x" y',
        ("a/b", "utf-8", b"x", ""),
    ),
    "a word without a name": (f"{TYPE}a/b; x", ("a/b", "utf-8", b"", "")),
    "quoted": (f'{TYPE}a/b; boundary="x; charset=y"', ("a/b", "utf-8", b"x; charset=y", "")),
    "quoted signs": (rf'{TYPE}a/b; boundary="x\"y\\z"', ("a/b", "utf-8", rb'x"y\z', "")),
    "quoted without an end": (f'{TYPE}a/b; boundary="x y', ("a/b", "utf-8", b"x y", "")),
    "a remark is not a parameter": (f"{TYPE}a/b (c; charset=x); charset=y", ("a/b", "y", b"", "")),
    "a remark before a value": (f"{TYPE}a/b; charset=(c) x", ("a/b", "x", b"", "")),
    "a remark without an end": (f"{TYPE}a/b; charset=x (; boundary=y", ("a/b", "x", b"", "")),
    "numbered": (f"{TYPE}a/b; boundary*0=x; boundary*1=y", ("a/b", "utf-8", b"xy", "")),
    "numbered and percent-coded": (
        f"{TYPE}a/b; boundary*0*=us-ascii''x%20; boundary*1*=y%e9; boundary*2=%20",
        ("a/b", "utf-8", b"x y\xe9%20", ""),
    ),
    "percent-coded with a language": (
        f"{TYPE}a/b; BOUNDARY*=latin-1'en'%41'b",
        ("a/b", "utf-8", b"b", ""),
    ),
    "percent signs elsewhere": (f"{TYPE}a/b; boundary=%41'b", ("a/b", "utf-8", b"%41'b", "")),
    "a letter that is not ASCII": (f"{TYPE}a/b; boundary=\xe9", ("a/b", "utf-8", b"\xe9", "")),
    "forty words and values": (f"{TYPE}a/b{' x' * 37}; charset=y", ("a/b", "y", b"", "")),
    "forty-one": (f"{TYPE}a/b{' x' * 38}; charset=y", ("a/b", "utf-8", b"", "")),
}  # fmt: skip


@pytest.mark.parametrize(("head", "told"), HEADERS.values(), ids=HEADERS.keys())
def test_type_charset_boundary_and_encoding_are_read_from_a_header(head, told):
    got = part(head, b"body")
    assert (got.kind, got.charset, got.boundary, got.encoding) == told
    assert (got.data[got.start : got.end], got.size) == (b"body", 4)


@pytest.mark.parametrize(("size", "charset"), [(MAX_FIELD, "latin-1"), (MAX_FIELD + 1, "latin-")])
def test_four_thousand_bytes_of_a_field_are_read(size, charset):
    ending = "; charset=latin-1"
    field = " a/b; x=".ljust(size - len(ending), "y") + ending
    assert part(f"Content-Type:{field}").charset == charset


@pytest.mark.parametrize(("size", "body"), [(1 << 18, 4), ((1 << 18) + 1, 0)])
def test_a_quarter_of_a_megabyte_of_header_is_read(size, body):
    head = b"Content-Type: a/b\nX: ".ljust(size - 2, b"y") + b"\n\n"
    data = BEFORE + head + b"body"
    got = part_at(data, len(BEFORE), len(data))
    assert (got.kind, got.size) == ("a/b", body)


# ------------------------------------------------------------------ bodies
def coded(encoding: str, body: bytes) -> bytes:
    return part(f"{ENCODING}{encoding}", body).decoded()


@pytest.mark.parametrize(
    ("encoding", "body", "plain"),
    [
        ("quoted-printable", b"a=3Db=\nc=", b"a=bc"), ("base64", b"QUJD\nREVG", b"ABCDEF"),
        ("base64", b"*QU JD-RE==VG", b"ABCD"), ("base64", b"QUJDR", b"ABC"),
        ("base64", b"QUJDRE", b"ABCD"), ("base64", b"QUJDREU", b"ABCDE"),
        ("base64", b"/+8=", b"\xff\xef"), ("7bit", b"QUJD=3D", b"QUJD=3D"),
        ("x-uuencode", b"QUJD=3D", b"QUJD=3D"),
    ],
)  # fmt: skip
def test_a_body_is_decoded(encoding, body, plain):
    assert coded(encoding, body) == plain


MIXED = "Content-Type: multipart/mixed; boundary=b"
BODIES = {
    "two": (b"preface\n--b\n\none\n--b\nX: y\n\ntwo\n--b--\nbehind\n--b\n\nnot", [b"one", b"two"]),
    "from the first byte": (b"--b\n\none\n--b--", [b"one"]),
    "no end": (b"--b\n\none\n--b\n\ntwo", [b"one", b"two"]),
    "CRLF and spaces": (b"--b \t\r\n\r\none\r\n--b-- \r\n", [b"one\r"]),
    "a longer word": (b"--bb\n\nno\n--b\n\none\n--b-\ntwo\n--b--", [b"one\n--b-\ntwo"]),
    "in a line": (b"x--b\n\nno\n--b\n\none --b\n", [b"one --b\n"]),
    "letters where a mark would end": (b"abc\n--b\n\none\n--b--", [b"one"]),
    "empty": (b"", []),
    "none": (b"no\n--c\n\nno", []),
    "its end alone": (b"\n--b--\n\nno", []),
    "cut in a mark": (b"--b\n\none\n--b", [b"one", b""]),
    "eighty spaces": (b"--b" + b" " * 80 + b"x\n\none", [b"one"]),
    "seventy-nine spaces": (b"--b" + b" " * 79 + b"x\n\nno", []),
}


@pytest.mark.parametrize(("body", "parts"), BODIES.values(), ids=BODIES.keys())
def test_the_parts_of_a_body(body, parts):
    got = list(part(MIXED, body).parts())
    assert [one.data[one.start : one.end] for one in got] == parts
    assert all(one.kind == "text/plain" for one in got)


def test_without_a_boundary_there_are_no_parts():
    for head in ("Content-Type: multipart/mixed", 'Content-Type: multipart/mixed; boundary=""'):
        assert list(part(head, b"--\n\none\n--\n\ntwo").parts()) == []
