"""Emails that are made to cost time or to crash: they are read, and mean nothing."""

import pytest

from pbem.mail.incoming_email import Mail
from pbem.plain_email.reply_email import read_reply
from pbem.plain_email.strip_quotes import extract_own_text

HEAD = b"From: a\nSubject: pbem-c2a959-b2-adyjxpzfk3pxcq3j\nContent-Type: text/%s\n\n"
PAGE, TEXT = HEAD % b"html", HEAD % b"plain"
MANY = 500_000
BOMBS = {
    "less-than signs": PAGE + b"<" * MANY,
    "open scripts": PAGE + b"<script>" * (MANY // 8),
    "open comments": PAGE + b"<!--" * (MANY // 4),
    "open quotes": PAGE + b"<blockquote>" * (MANY // 12),
    "a long number": PAGE + b"&#" + b"1" * MANY,
    "attributes": PAGE + b"<a " + b"id=" * MANY,
    "headers of quotes": TEXT + b"From:\n" * (MANY // 6),
    "introductions": TEXT + b"2026 schrieb schrieb schrieb a@b\n" * (MANY // 30),
    "spaces": TEXT + b" " * MANY,
    "rules": TEXT + b"-- original " + b"x-" * MANY,
    "codes": TEXT + b"pbem-c2a959-b2-adyjxpzfk3pxcq3j\n" * (MANY // 32),
    "letters that grow": TEXT + "\ufdfa".encode() * (MANY // 3),
    "control characters": TEXT + bytes(range(9)) * 1000 + b"\n3\n",
    "parts in parts": b"Subject: x\nContent-Type: multipart/mixed; boundary=x\n\n"
    + b"--x\nContent-Type: multipart/mixed; boundary=x\n\n" * 10_000,
    "a million parts": b"Subject: x\nContent-Type: multipart/mixed; boundary=x\n\n"
    + b"\n--x\n\n3\n" * 1_000_000,
    "encoded words": b"Subject: " + b"=?utf-8?q?a?= " * 30_000 + b"\n\nhi",
    "an unknown charset": b"Subject: =?x-none?b?////?=\nContent-Type: text/plain; charset=rot13"
    b"\n\n3",
    "broken base64": HEAD % b"plain" + b"Content-Transfer-Encoding: base64\n\n=====",
}


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", sorted(BOMBS))
def test_a_hostile_reply_is_read_within_its_limits(name: str):
    reply = read_reply(Mail(BOMBS[name]), "bomb.eml")  # as it comes from a mailbox
    assert len(reply.text) <= 1 << 16
    found = extract_own_text(reply.text, "what was sent " * 300, ["Bo", "b@x.org"], ["Rhea"])
    lines = [one.text for one in found.lines]
    assert len(lines) <= 400
    assert all(len(line) <= 500 * 18 and "\n" not in line for line in lines)
    assert not any(ord(sign) < 32 for line in lines for sign in line)
