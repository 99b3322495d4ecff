"""What a message that came says of itself: whether a program sent it, whether it is a bounce."""

import pytest

from pbem.post.letters import Incoming

BOUNCE = b"""Return-Path: <>
From: MAILER-DAEMON@mail.example.org (Mail Delivery System)
Content-Type: multipart/report; report-type=delivery-status; boundary="x"
Auto-Submitted: auto-replied

--x
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.org
Final-Recipient: rfc822; bo@example.org
Action: %s
Status: 5.2.2
Diagnostic-Code: smtp; 552 mailbox full

--x
Content-Type: text/rfc822-headers

Message-ID: <pbem.00000000000000000000000000000001@example.org>
--x--
"""


def mail(*lines: str) -> Incoming:
    return Incoming("\r\n".join([*lines, "", "hello", ""]).encode())


@pytest.mark.parametrize(
    "line",
    [
        "Auto-Submitted: auto-replied",
        "auto-submitted: auto-generated; owner=x",
        "Precedence: bulk",
        "Precedence: LIST",
        "List-Id: games <games.example.org>",
        "X-Autoreply: yes",
        "X-Auto-Response-Suppress: OOF, AutoReply",
        "From: Mailer-Daemon <MAILER-DAEMON@example.org>",
        "From: no-reply@example.org",
        "Return-Path: <>",
    ],
)
def test_programs_are_recognised(line: str) -> None:
    assert mail("From: bo@example.org" if "From" not in line else line, line).is_automatic


@pytest.mark.parametrize("line", ["Auto-Submitted: no", "Precedence: first-class", "X-Loop: no"])
def test_people_are_not_programs(line: str) -> None:
    found = mail("From: Bo <bo@example.org>", line, "Return-Path: <bo@example.org>")
    assert not found.is_automatic
    assert not found.is_bounce


@pytest.mark.parametrize(
    ("field", "address"),
    [
        ("Bo <bo@example.org>", "bo@example.org"),
        ("bo@example.org", "bo@example.org"),
        ('"ann@example.org" <bo@example.org>', "bo@example.org"),
        ("undisclosed", ""),
        ("=?utf-8?q?B=C3=B6?= <bo@example.org>", "bo@example.org"),
    ],
)
def test_the_sender_is_the_address_in_brackets(field: str, address: str) -> None:
    assert mail(f"From: {field}").sender == address


def test_a_bounce_names_the_message_and_the_reason() -> None:
    found = Incoming(BOUNCE % b"failed")
    assert found.is_bounce
    assert found.is_automatic
    assert found.failure == "failed; 5.2.2; smtp; 552 mailbox full"
    assert found.bounced_ids == ["<pbem.00000000000000000000000000000001@example.org>"]


def test_a_delay_is_not_a_failure() -> None:
    assert Incoming(BOUNCE % b"delayed").failure == ""


def test_folded_and_repeated_fields() -> None:
    found = mail("In-Reply-To:\r\n <a@b>", "References: <c@d>\r\n\t<e@f>", "In-Reply-To: <x@y>")
    assert found.answers == ["<a@b>", "<c@d>", "<e@f>"]


@pytest.mark.parametrize("ident", ["<a\0b@x>", "<ä@x>", "<a b@x>", "<a<b@x>", "<\x85@x>"])
def test_an_id_that_no_header_can_repeat_is_left_out(ident: str) -> None:
    """Our answers name the message that they answer."""
    found = mail(f"Message-ID: {ident}", f"References: {ident} <c@d>")
    assert found.message_id in ("", "<b@x>")
    assert found.answers in (["<c@d>"], ["<b@x>", "<c@d>"])


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"From", b"From: " + b"<" * 300_000, b"Subject: x\n " * 100_000, b"\xff" * 1000,
     b"References: " + b"<a@b>" * 100_000],
)  # fmt: skip
def test_hostile_headers_cost_nothing_and_raise_nothing(data: bytes) -> None:
    found = Incoming(data)
    assert len(found.fields.get("references", "")) <= 2048
    assert found.is_bounce is False
    assert isinstance(found.sender + found.message_id + found.failure, str)
