"""Count the replies of `tests/post/seats/reply_shapes.py` that each reply parser understands.

    pip install mail-parser-reply email-reply-parser quotequail html2text
    python -m bench.compare_email_reply_parser_libraries

The parsers find the new text of an email; what it means is then decided by the same code for all.
Parsers that are not installed are left out. HTML without plain text is made into text by
`html2text` if it is installed, for all but our own code.
"""

import importlib
import tempfile
from collections.abc import Callable
from contextlib import suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from pbem.acts.emails_to_seat_by_mail import MailSeat
from pbem.mail.incoming_email import Mail
from pbem.plain_email.order_form import OrderForm
from pbem.plain_email.reply_email import read_reply
from pbem.plain_email.reply_meaning import interpret_reply
from pbem.plain_email.strip_quotes import OwnLine, OwnText, extract_own_text, normalize_line
from tests.kit.mail_seats import at_turn_two, turn_mail
from tests.kit.named_games import session_of
from tests.kit.people import Round
from tests.post.seats.reply_shapes import replies_to
from tests.post.seats.reply_table import MOVE, TABLE

LANGUAGES = ["en", "de", "fr", "es", "pl", "nl", "it", "sv", "ja", "cs", "da", "ko", "zh"]
EXPECTED_LINES = [("play", "cooperation 3: b1 body"), ("play", "long neck 3 on b1")]
Parser = Callable[[str], str]


def parsers() -> dict[str, Parser]:
    """Return the parsers that are installed, by name."""
    parsers_by_name: dict[str, Parser] = {}
    with suppress(ImportError):
        mailparser: Any = importlib.import_module("mailparser_reply")
        parsers_by_name["mail-parser-reply"] = lambda text: str(
            mailparser.EmailReplyParser(languages=LANGUAGES).parse_reply(text=text)
        )
    with suppress(ImportError):
        email_reply_parser: Any = importlib.import_module("email_reply_parser")
        parsers_by_name["email-reply-parser"] = lambda text: str(
            email_reply_parser.EmailReplyParser.parse_reply(text)
        )
    with suppress(ImportError):
        quotequail: Any = importlib.import_module("quotequail")
        parsers_by_name["quotequail"] = lambda text: str(
            "\n".join(part for is_new, part in quotequail.quote(text) if is_new)
        )
    return parsers_by_name


def read_text(data: bytes) -> str:
    """Return the text of an email, as the standard library and html2text read it."""
    message = message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain", "html"))
    text = str(body.get_content()) if body else ""
    if body is not None and body.get_content_type() == "text/html":
        with suppress(ImportError):
            maker: Any = importlib.import_module("html2text").HTML2Text(bodywidth=0)
            maker.ignore_links = maker.ignore_images = True
            return str(maker.handle(text))
    return text


def main() -> None:
    """Print a line for each parser: how many of the moves it finds, and which it misses."""
    with tempfile.TemporaryDirectory() as folder:
        rhea = at_turn_two(Round(Path(folder)))
        seat = MailSeat(session_of(rhea), "b")
        form, sent_email_text = OrderForm(seat.view), seat.noted_text(seat.write_turn_letter())
        replies = replies_to(turn_mail(rhea))
        moves = [name for name, meaning in TABLE.items() if meaning == MOVE]

        def read_with_pbem(name: str) -> list[str]:
            text = read_reply(Mail(replies[name]), name).text
            reply = extract_own_text(text, sent_email_text, ["Bo"], ["Rhea"])
            return [line.text for line in reply.lines]

        ways: dict[str, Callable[[str], list[str]]] = {"pbem": read_with_pbem}
        for parser, read in parsers().items():
            ways[parser] = lambda name, read=read: [  # type: ignore[misc]
                normalize_line(line)
                for line in read(read_text(replies[name])).split("\n")
                if line.strip()
            ]
        for way, lines in ways.items():
            missed_names = [name for name in moves if not _right(lines(name), form)]
            right_count, names = len(moves) - len(missed_names), ", ".join(missed_names)
            print(f"{way}: {right_count} of {len(moves)}; missed: {names}")


def _right(lines: list[str], form: OrderForm) -> bool:
    """Return whether these lines of a reply are understood as the expected move."""
    own_lines = [OwnLine(line, number) for number, line in enumerate(lines, start=1)]
    interpretation = interpret_reply(OwnText(own_lines), form)
    order_lines = [(row.kind, row.text) for row in interpretation.lines if row.text != "done"]
    order_lines = [(kind, text.lower().replace(" :", ":")) for kind, text in order_lines]
    return not interpretation.reason and order_lines == EXPECTED_LINES


if __name__ == "__main__":
    main()
