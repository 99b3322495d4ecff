"""How many of the replies in tests/post/replies each reply parser understands.

    pip install mail-parser-reply email-reply-parser quotequail html2text
    python -m bench.reply_parsers

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

from pbem.acts.send import MailSeat
from pbem.mail.message import Mail
from pbem.plain_email.around import OwnLine, OwnText, own_text, plain
from pbem.plain_email.order_form import OrderForm
from pbem.plain_email.read import read_reply
from pbem.plain_email.understand import understand
from tests.kit.mail_seats import at_turn_two
from tests.kit.named_games import session_of
from tests.kit.people import Round
from tests.post.seats.make_replies import FOLDER
from tests.post.seats.reply_table import MOVE, TABLE

LANGUAGES = ["en", "de", "fr", "es", "pl", "nl", "it", "sv", "ja", "cs", "da", "ko", "zh"]
WANTED = [("play", "cooperation 3: b1 body"), ("play", "long neck 3 on b1")]
Parser = Callable[[str], str]


def parsers() -> dict[str, Parser]:
    """The parsers that are installed."""
    found: dict[str, Parser] = {}
    with suppress(ImportError):
        one: Any = importlib.import_module("mailparser_reply")
        found["mail-parser-reply"] = lambda text: str(
            one.EmailReplyParser(languages=LANGUAGES).parse_reply(text=text)
        )
    with suppress(ImportError):
        two: Any = importlib.import_module("email_reply_parser")
        found["email-reply-parser"] = lambda text: str(two.EmailReplyParser.parse_reply(text))
    with suppress(ImportError):
        three: Any = importlib.import_module("quotequail")
        found["quotequail"] = lambda text: str(
            "\n".join(part for new, part in three.quote(text) if new)
        )
    return found


def text_of(data: bytes) -> str:
    """The text of an email, as the standard library and html2text read it."""
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
        form, sent = OrderForm(seat.view), seat.noted_text(seat.turn_letter())
        files = {name: (FOLDER / f"{name}.eml").read_bytes() for name in TABLE}
        moves = [name for name, meant in TABLE.items() if meant == MOVE]

        def ours(name: str) -> list[str]:
            text = read_reply(Mail(files[name]), name).text
            return [one.text for one in own_text(text, sent, ["Bo"], ["Rhea"]).lines]

        ways: dict[str, Callable[[str], list[str]]] = {"pbem": ours}
        for parser, read in parsers().items():
            ways[parser] = lambda name, read=read: [  # type: ignore[misc]
                plain(line) for line in read(text_of(files[name])).split("\n") if line.strip()
            ]
        for way, lines in ways.items():
            missed = [name for name in moves if not _right(lines(name), form)]
            print(f"{way}: {len(moves) - len(missed)} of {len(moves)}; missed: {', '.join(missed)}")


def _right(lines: list[str], form: OrderForm) -> bool:
    found = understand(OwnText([OwnLine(line, 1 + at) for at, line in enumerate(lines)]), form)
    said = [(row.kind, row.text) for row in found.lines if row.text != "done"]
    return not found.reason and [(k, t.lower().replace(" :", ":")) for k, t in said] == WANTED


if __name__ == "__main__":
    main()
