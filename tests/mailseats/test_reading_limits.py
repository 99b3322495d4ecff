"""Where small print ends in a reply, what is automatic, and how many codes are looked at."""

import pytest

from pbem.mailseats.new_lines import ABOVE, new_lines
from pbem.mailseats.read_reply import read_reply
from pbem.mailseats.token import tokens_in

SMALL = "This email is confidential and only for its intended recipient."
SENT = f"{ABOVE}\nWhat do you play?\n3: play a card"
WROTE = "On 3 January 2026 at 10:15, Rhea wrote:"


@pytest.mark.parametrize("small", ["-- ", SMALL])
@pytest.mark.parametrize(
    "quoted",
    [
        ["> What do you play?"],
        [WROTE, "> What do you play?"],
        [WROTE, "What do you play?"],
        [ABOVE, "What do you play?"],
    ],
    ids=["marks", "introduced with marks", "introduced without marks", "our line"],
)
def test_small_print_ends_where_a_quote_begins(small: str, quoted: list[str]):
    text = "\n".join(["7", small, "Bo Jensen", *quoted, "3"])
    assert new_lines(text, SENT) == ["7", "3"]


@pytest.mark.parametrize(
    ("field", "automatic"),
    [
        ("Auto-Submitted: auto-generated", True),
        ("Auto-Submitted: auto-replied; owner-email=bo", True),
        ("Auto-Submitted: no", False),
        ("Content-Type: multipart/report; report-type=delivery-status; boundary=x", True),
        ("Content-Type: multipart/mixed; boundary=x", False),
    ],
)
def test_the_header_says_whether_a_program_wrote_it(field: str, automatic: bool):
    body = "--x\nContent-Type: text/plain\n\n3\n--x--\n"
    reply = read_reply(f"Subject: hello\n{field}\n\n{body}".encode(), "reply.eml")
    assert bool(reply.automatic) is automatic


def test_twenty_codes_of_an_email_are_looked_at():
    codes = [f"pbem-c2a959-b{turn}-adyjxpzfk3pxcq3j" for turn in range(1, 31)]
    assert [token.turn for token in tokens_in("\n".join(codes))] == list(range(1, 21))


def test_small_print_ends_with_the_words_that_introduce_a_quote():
    text = "\n".join(["7", SMALL, WROTE, "4", "> What do you play?", "3"])
    assert new_lines(text, SENT) == ["7", "4", "3"]
