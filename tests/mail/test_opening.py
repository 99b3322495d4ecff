"""What is found in a letter, exactly: which bytes, where, and what that cost of its budget."""

import io
import random
import zipfile
from base64 import encodebytes
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from pbem.format.mail_block import encode
from pbem.mail import unpack_mail
from pbem.mail.unpack_mail import Budget, Finding, TooMuch, mails_in, open_post
from tests.mail.post import attached, pasted
from tests.mail.sample import FILES, zip_file

A, B = FILES[:2]
DAMAGED = encode([B])[:-60]
"""A block without its end."""
HUNDREDFOLD = 87200
MAIL = b"Subject: x\n"


def finding_rows(data: bytes, budget: Budget | None = None) -> list[tuple[str, bytes | None, bool]]:
    """Where each file was found, what it is, whether it was repaired."""
    with patch.object(unpack_mail, "Budget", lambda: budget or Budget()):
        return [(f.source, f.data, f.repaired) for f in open_post(data, "x")]


def multipart(kind: str, *parts: str) -> bytes:
    inner = "".join(f"\n--b\n{part}\n" for part in parts)
    return MAIL + f"Content-Type: multipart/{kind}; boundary=b\n{inner}\n--b--\n".encode()


def mail_of_type(kind: str, body: str | bytes, encoding: str = "") -> bytes:
    """A mail of this type."""
    head = f"Content-Type: {kind}\n"
    head += f"Content-Transfer-Encoding: {encoding}\n" if encoding else ""
    return MAIL + head.encode() + b"\n" + (body.encode() if isinstance(body, str) else body)


# ------------------------------------------------------------------ what it is
def test_a_record_is_found_as_a_file_or_in_a_block_and_is_said_to_be_repaired_or_damaged():
    text = encode([A])
    assert open_post(A, "x") == [Finding("x", A, "", False)]
    assert open_post(A.replace(b"\n", b"\r\n"), "x") == [Finding("x", A, "", True)]
    assert open_post(text.encode(), "x") == [Finding("x", A, "", False)]
    assert open_post(text.replace("\n", "\r\n").encode(), "x") == [Finding("x", A, "", True)]
    (cut,) = open_post(DAMAGED.encode(), "x")
    assert (cut.source, cut.data, cut.repaired) == ("x", None, False)
    assert "the end of this block was cut off" in cut.damage


@pytest.mark.parametrize(
    ("data", "source"),
    [
        (pasted(encode([A])).as_bytes(), "x"),
        (attached(encode([A])).as_bytes(), "x, attachment"),
        (zip_file({"dir/f.toml": A}), "x, dir/f.toml"),
        (zip_file({"y" * 99: A}), f"x, {'y' * 80}"),
        (zip_file({"z.zip": zip_file({"f": A})}), "x, z.zip, f"),
        (mail_of_type("application/x", A), "x, attachment"),
        (mail_of_type("text/plain", A), "x, attachment"),
        (mail_of_type("text/plain", MAIL + b"\n" + encode([A]).encode()), "x, attachment"),
        (mail_of_type("message/rfc822", MAIL + b"\n" + encode([A]).encode()), "x"),
        (mail_of_type("message/rfc822", attached(encode([A])).as_bytes()), "x, attachment"),
    ],
)
def test_people_are_told_in_which_attachment_or_file_a_record_was_found(data, source):
    ((where, file, _),) = finding_rows(data)
    assert (where, file) == (source, A)


NAMES = ["From", "To", "Subject", "Date", "MIME-Version", "Content-Type", "Received"]
NAMES += ["Return-Path", "Message-ID", "Delivered-To", "SUBJECT", "X: y\nsubject"]
CODED = "Content-Transfer-Encoding: base64\n\n" + encodebytes(encode([A]).encode()).decode()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("start", ["", "\ufeff", "\r\n\n"], ids=["", "BOM", "lines"])
def test_a_mail_is_known_by_any_of_its_fields(name, start):
    assert finding_rows(f"{start}{name}: text/plain\n{CODED}".encode()) == [("x", A, False)]


@pytest.mark.parametrize("start", ["x: y\n", "xTo: y\n", "Hello\nTo: y\n", " To: y\n"])
def test_other_text_is_not_a_mail(start):
    """So its transfer encoding is no more than a line of it."""
    assert finding_rows(f"{start}{CODED}".encode()) == []


@pytest.mark.parametrize("encoding", ["", "7bit", "8bit", "binary", "BASE64", "quoted-printable"])
def test_a_forwarded_mail_however_it_is_coded(encoding):
    inner = mail_of_type("text/plain", encode([A]), "8bit")
    coded = encodebytes(inner) if encoding == "BASE64" else inner.replace(b"=", b"=3D")
    plain = encoding in ("", "7bit", "8bit", "binary")
    data = mail_of_type("message/rfc822", inner if plain else coded, encoding)
    assert finding_rows(data) == [("x" if plain else "x, attachment", A, False)]


def test_the_parts_of_a_mail_in_order_and_only_those():
    text = {name: f"\n{encode([file])}" for name, file in (("a", A), ("b", B))}
    assert [f for _, f, _ in finding_rows(multipart("mixed", text["b"], text["a"]))] == [B, A]
    assert finding_rows(
        multipart("mixed", f"Content-Type: application/x\n{text['a']}", text["b"])
    ) == [("x, attachment", A, False), ("x", B, False)]
    assert finding_rows(multipart("mixed")) == []


ALTERNATIVES = {
    "both whole": ([[A], [B]], [A]),
    "more files": ([[A], [B, A]], [B, A]),
    "the same twice is not more": ([[A, A], [B]], [A, A]),
    "less damage": ([[A, None], [A]], [A]),
    "damage counts once a block": ([[None, None], [None]], [None]),
    "nothing in the first": ([[], [A]], [A]),
}


@pytest.mark.parametrize(("parts", "best"), ALTERNATIVES.values(), ids=ALTERNATIVES.keys())
def test_of_alternatives_the_better_is_read(parts, best):
    texts = [
        "\n" + "\n".join(encode([file]) if file else DAMAGED for file in files) for files in parts
    ]
    assert [file for _, file, _ in finding_rows(multipart("alternative", *texts))] == best
    everything = [file for _, file, _ in finding_rows(multipart("mixed", *texts))]
    assert everything == [file for files in parts for file in files]


# ------------------------------------------------------------------ a mailbox
def test_the_mails_of_a_mailbox_are_numbered():
    mails = [b"From me\nTo: you\n\n" + encode([file]).encode() + b"\n" for file in (A, B)]
    told = [("x, message 1", A, False), ("x, message 2", B, False)]
    assert finding_rows(b"".join(mails)) == told
    assert finding_rows(b"".join(mails).replace(b"\n", b"\r\n")) == [
        (w, f, True) for w, f, _ in told
    ]
    assert finding_rows(b"From me\nX:\n\n" + encode([A]).encode()) == told[:1]
    assert finding_rows(b"".join(mails) + b"From") == told
    assert finding_rows(b"".join(mails) + b"From nobody") == told
    assert finding_rows(mails[0].rstrip() + b"\n" + mails[1]) == [
        ("x, message 1", A, False),
        ("x, message 1", B, False),
    ], "a From that no empty line precedes begins no mail"


def mail_bytes(data: bytes) -> list[bytes]:
    return [mail.data for mail in mails_in(data)]


def test_a_file_is_split_into_the_emails_it_holds():
    """One, those of a mailbox, or none; without the lines that separate them."""
    one, two = MAIL + b"\none\n", MAIL + b"\ntwo\nFrom here on:\n"
    assert mail_bytes(one) == [one]
    assert mail_bytes(b"From me\n" + one) == [one]
    assert mail_bytes(b"From me\n" + one + b"\nFrom you\n" + two) == [one, two]
    for text in (b"", b"Hello", b"From here on:\nhello", b"From me\n\n" + one):
        assert mail_bytes(text) == []
    assert mail_bytes(b"Fr: me\n" + one) == [b"Fr: me\n" + one], "a mail that begins so"
    assert mail_bytes(b"From me") == []


def test_two_thousand_emails_of_a_mailbox_are_read():
    box = b"\n".join([b"From me\n" + MAIL] * 2001)
    assert len(mails_in(box)) == 2000


def test_a_letter_that_begins_like_a_mailbox_is_text():
    assert finding_rows(b"From here on:\n" + encode([A]).encode()) == [("x", A, False)]


# ------------------------------------------------------------------ how deep
def boxed(data: bytes) -> bytes:
    """In the only mail of a mailbox, as an attachment: two steps deeper."""
    coded = encodebytes(data)
    return b"From me\n" + mail_of_type("application/x", coded, "base64")


def enclosed(data: bytes) -> bytes:
    return mail_of_type("application/x", encodebytes(data), "base64")


def zip_of(data: bytes) -> bytes:
    return zip_file({"f": data})


@pytest.mark.parametrize(
    ("wraps", "whole"),
    [
        ([zip_of] * 6, True), ([zip_of] * 7, False), ([enclosed] * 6, True),
        ([enclosed] * 7, False), ([boxed] * 3, True), ([boxed] * 3 + [zip_of], False),
        ([zip_of, enclosed] * 3, True),
    ],
)  # fmt: skip
def test_six_wrappings_are_opened(wraps, whole):
    data = A
    for wrap in wraps:
        data = wrap(data)
    (got,) = open_post(data, "x")
    assert (got.data, "too many archives inside each other" in got.damage) == (
        A if whole else None,
        not whole,
    )
    assert got.source.startswith("x, ")
    assert not got.repaired


@pytest.mark.parametrize(("deep", "whole"), [(30, True), (31, False)])
def test_thirty_parts_inside_each_other_are_opened(deep, whole):
    forwarded = encode([A]).encode()
    for _ in range(deep - 1):
        forwarded = mail_of_type("message/rfc822", forwarded)
    mixed = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(deep)
    )
    for data in (
        mail_of_type("message/rfc822", forwarded),
        f"To: x\n{mixed}\n{encode([A])}".encode(),
    ):
        (got,) = open_post(data, "x")
        assert (got.source, got.data) == ("x", A if whole else None)
        assert ("too many parts inside each other" in got.damage) is not whole


# ------------------------------------------------------------------ archives
@pytest.mark.parametrize(
    ("way", "damage"), [(zipfile.ZIP_STORED, ""), (zipfile.ZIP_BZIP2, "that pbem cannot open")]
)
def test_a_file_packed_in_a_way_that_pbem_cannot_open_is_named(way, damage):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", way) as archive:
        archive.writestr("f", A)
    (got,) = open_post(out.getvalue(), "x")
    assert (got.data, damage in got.damage) == (None if damage else A, True)


@pytest.mark.parametrize("extra", [0, 1])
def test_a_hundredth_of_its_length_is_the_shortest(extra):
    """A file whose packed form is exactly 1/100 of it, and one a byte longer."""
    data = random.Random(1).randbytes(642) + bytes(HUNDREDFOLD - 642 + extra)
    archive = zip_file({"f": data})
    with zipfile.ZipFile(io.BytesIO(archive)) as made:
        assert 100 * made.infolist()[0].compress_size == HUNDREDFOLD
    assert [got.damage[:23] for got in open_post(archive, "x")] == [
        "contains a file that is"
    ] * extra


@pytest.mark.parametrize(("listed", "damage"), [(2000, "is a damaged a"), (2001, "has more than ")])
def test_an_archive_of_more_than_two_thousand_files_is_not_opened(listed, damage):
    (got,) = open_post(b"PK\x03\x04" + b"PK\x01\x02" * listed, "x")
    assert (got.source, got.data, got.damage[:14]) == ("x", None, damage)


@pytest.mark.parametrize(("size", "whole"), [(1 << 21, True), ((1 << 21) + 1, False)])
def test_a_file_of_more_than_two_megabytes_is_no_record(size, whole):
    assert finding_rows(A.ljust(size, b"\n")) == ([("x", A, True)] if whole else [])


# ------------------------------------------------------------------ what it costs


TEXT = encode([A])
UMLAUT = "\u00e4" + TEXT
LONG, FILE = len(TEXT), len(A)
EMPTY = b"From me\n" + MAIL + b"Content-Type: image/x\n\n"
COSTS = {
    "a record": (A, (1, 0, 0, 0, 0)),
    "text": (TEXT.encode(), (2, FILE, LONG, FILE, 0)),
    "text that is not ASCII": (UMLAUT.encode(), (2, FILE, 2 * LONG + 2, FILE, 0)),
    "damaged text": (DAMAGED.encode(), (2, 0, len(DAMAGED), 0, len(DAMAGED))),
    "one block twice, unpacked once": ((TEXT * 2).encode(), (3, FILE, 2 * LONG, 2 * FILE, 0)),
    "a mail": (mail_of_type("text/plain", TEXT), (3, LONG + FILE, LONG, FILE, 0)),
    "an attachment": (mail_of_type("application/x", TEXT), (4, LONG + FILE, LONG, FILE, 0)),
    "two parts": (
        multipart("mixed", f"\n{TEXT}", f"\n{TEXT}"),
        (6, 2 * LONG + 2 + FILE, 2 * LONG + 2, 2 * FILE, 0),
    ),
    "a zip": (zip_file({"f": A, "g": B}), (5, FILE + len(B), 0, 0, 0)),
    "a mailbox": (EMPTY + b"\n" + EMPTY, (5, 0, 2 * len(EMPTY) - 16, 0, 2 * len(EMPTY) - 16)),
}


@pytest.mark.parametrize(("data", "cost"), COSTS.values(), ids=COSTS.keys())
def test_everything_in_a_letter_costs(data, cost):
    whole, budget = Budget(), Budget()
    finding_rows(data, budget)
    parts = ("pieces", "unpacked", "texts", "files", "repairs")
    assert tuple(getattr(whole, part) - getattr(budget, part) for part in parts) == cost


@contextmanager
def too_much(words: str):
    with pytest.raises(TooMuch, match=words):
        yield


def test_a_budget_is_what_it_says_and_not_a_byte_more():
    budget = Budget()
    assert (budget.pieces, budget.repairs, budget.texts) == (2_000, 2_097_152, 12_582_912)
    assert (budget.unpacked, budget.files) == (25_165_824, 25_165_824)
    budget = Budget(pieces=2, unpacked=5, texts=5, files=5, repairs=5)
    for count, words in (
        (budget.unpack, "unpacks to more than 24 MB"),
        (budget.file, "has more than 24 MB of files"),
        (budget.text, "has more than 12 MB of text"),
    ):
        count(3)
        count(2)
        with too_much(words):
            count(1)
    budget.piece()
    budget.piece()
    with too_much("has more than 2000 parts or files"):
        budget.piece()
    assert [budget.repair(6), budget.repair(3), budget.repair(3), budget.repair(2)] == [
        False, True, False, True,
    ]  # fmt: skip


@pytest.mark.parametrize("part", ["pieces", "unpacked", "texts", "files"])
def test_what_costs_too_much_is_told_last_and_the_rest_is_kept(part):
    data = multipart("mixed", *(f"\n{encode([file])}" for file in (A, B)))
    whole, spent_ = Budget(), Budget()
    assert len(finding_rows(data, spent_)) == 2
    cost = getattr(whole, part) - getattr(spent_, part)
    assert len(finding_rows(data, Budget(**{part: cost}))) == 2
    with patch.object(unpack_mail, "Budget", lambda: Budget(**{part: cost - 1})):
        *rest, last = open_post(data, "x")
    assert [one.data for one in rest] in ([], [A])
    assert (last.source, last.data) == ("x", None)
    assert "which is more than a whole game has" in last.damage
