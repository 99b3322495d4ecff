"""A game of Ann, who has `pbem`, and Bo, who has plain email; Rhea deals. All keys are fixed.

For example:

    rhea = at_turn_two(table)  # Bo is asked by email which cards to play
    mail = turn_mail(rhea)
    said = receive(rhea, reply(mail, first_choices(text_of(mail))))
    assert said.exit == 0
"""

import base64
import html
import re
import shutil
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import unquote

from pbem.judge.make_signed_records import invite_to
from pbem.records.sealed_orders import unseal_orders
from tests.kit.named_games import session_of
from tests.kit.people import Person, Round, Said

TABLE = "000000000000000000000000000d2296"
"""It deals Bo cooperation 3, long neck 3, long neck 7, and climbing 1 for the watering hole."""
FOOD = '[always]\nfood = ["the card with the least food"]'
NEW = '--players "Ann,Bo <bo@example.org>" --mail-seats Bo --referee Rhea --deadline never'


def begin_mail_game(table: Round, options: str = NEW) -> Person:
    """The game at turn 1; the referee."""
    rhea, ann = table.person("rhea"), table.person("ann")
    successful(rhea.pbem(f"new savannah {options} --table {TABLE}"))
    session = session_of(rhea)
    line = invite_to(session.game_folder.charter, session.refereeing.key(), "a").line()
    successful(ann.pbem(["join", "-C", "savannah", "--invite", line]))
    successful(rhea.pbem("advance -C savannah"))
    return rhea


def at_turn_two(table: Round) -> Person:
    """The game when Bo is asked which cards to play; the referee."""
    rhea = begin_mail_game(table)
    submit(table.person("ann"), FOOD)
    submit(rhea, 'food = "climbing 1"', "--as b")
    successful(rhea.pbem("advance -C savannah"))
    return rhea


def submit(person: Person, orders: str, seat: str = "") -> None:
    successful(person.pbem(f"submit - -C savannah {seat}", stdin=orders))


def successful(said: Said) -> Said:
    assert said.exit == 0, said.text
    return said


# ---------------------------------------------------------------- mail
def letters(rhea: Person) -> list[Path]:
    """The emails that were written to Bo, oldest first."""
    found = rhea.home.glob("games/*/letters/*.eml")
    return sorted(found, key=lambda path: path.stat().st_mtime_ns)


def turn_mail(rhea: Person, to: str = "Bo") -> EmailMessage:
    """The mail about the last turn, as `send` writes it."""
    successful(rhea.pbem(f"send --again --to {to} -C savannah"))
    return mail_in_file([one for one in letters(rhea) if "answer" not in one.name][-1])


def answer_mail(rhea: Person) -> EmailMessage:
    """The last answer to Bo."""
    return mail_in_file([one for one in letters(rhea) if "answer" in one.name][-1])


def mail_in_file(path: Path) -> EmailMessage:
    return opened_bytes(path.read_bytes())


def opened_bytes(data: bytes) -> EmailMessage:
    message = message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not message.defects
    return message


def text_of(message: EmailMessage) -> str:
    """The plain text of an email, with line breaks as in the file."""
    body = message.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def page_with_picture(message: EmailMessage) -> str:
    """The HTML part of an email with the picture in it, as a mail program shows both."""
    parts = {part.get_content_type(): part.get_payload(decode=True) for part in message.walk()}
    page, picture = parts["text/html"], parts.get("image/png", b"")
    assert isinstance(page, bytes)
    assert isinstance(picture, bytes)
    data = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    return re.sub('cid:[^"]+', data, page.decode())


ASKED = re.compile(r"^(?:[^\n]*IT IS YOUR MOVE|ALSO): ([^\n]*)\n(.*?)^Reply with", re.M | re.S)


def asked_in(text: str) -> dict[str, list[str]]:
    """The questions that an email asks, each with the numbers of its choices."""
    found = {title: re.findall(r"^ *(\d+): ", rows, re.M) for title, rows in ASKED.findall(text)}
    return {title.replace("\n", " "): numbers for title, numbers in found.items() if numbers}


def first_choices(text: str) -> str:
    """The first choice of each question that an email asks."""
    return ", ".join(numbers[0] for numbers in asked_in(text).values())


def links_in(mail: EmailMessage) -> list[EmailMessage]:
    """The emails that the links of an email open, as RFC 6068 says, in their order."""
    page = mail.get_body(("html",))
    assert page is not None
    found = list[EmailMessage]()
    for link in re.findall(r'href="mailto:([^"]*)"', str(page.get_content())):
        to, _, query = html.unescape(link).partition("?")
        fields = dict(field.split("=", 1) for field in query.split("&"))
        made = EmailMessage()
        made["From"] = "Bo <bo@example.org>"
        made["To"] = unquote(to) or "rhea@example.org"
        made["Subject"] = unquote(fields["subject"])
        made["Message-ID"] = f"<tap{len(found)}.{abs(hash(link))}@mail.example.org>"
        made.set_content(unquote(fields["body"]).replace("\r\n", "\n"))
        found.append(made)
    return found


def reply(mail: EmailMessage, said: str, **fields: str) -> bytes:
    """A reply as Gmail writes it in plain text: above the quoted mail."""
    made = EmailMessage()
    made["From"] = "Bo <bo@example.org>"
    made["To"] = "rhea@example.org"
    made["Subject"] = f"Re: {mail['Subject']}"
    made["Message-ID"] = f"<{abs(hash((said, str(mail['Subject']))))}@mail.example.org>"
    for name, value in fields.items():
        name = name.replace("_", "-")
        del made[name]
        made[name] = value
    quoted = "".join(f"> {line}\n" for line in text_of(mail).splitlines())
    made.set_content(f"{said}\n\nOn Sun, 22 Nov 2026 at 11:10, Rhea <r@x.org> wrote:\n{quoted}")
    return made.as_bytes()


def receive(rhea: Person, data: bytes, name: str = "reply.eml") -> Said:
    """Rhea saves an email and receives it."""
    (rhea.place / name).write_bytes(data)
    return rhea.pbem(f"receive {name} -C savannah")


def sealed_lines(rhea: Person, seat: str = "b") -> list[str]:
    """The lines of Bo's newest sealed orders for the last turn; empty if there are none."""
    session = session_of(rhea, seat)
    reader = session.readers.seat(seat)
    found = [f for f in session.listing.orders if f.name.seat == seat]
    found = [f for f in found if f.name.turn == reader.chain.turn]
    if not found:
        return []
    newest = max(found, key=lambda f: f.name.revision)
    record = next(
        iter(session.game_folder.orders_signed_by(newest, reader.chain.standing.roster[seat].key))
    )
    return list(unseal_orders(record.content, reader.key).texts)


def copied_round(source: Path, target: Path) -> Round:
    """A fresh copy of a game."""
    shutil.copytree(source, target, dirs_exist_ok=True)
    return Round(target)


STANDING = """[always]
food = ["the card with the least food"]
play = ["done"]
leaf = ["done"]
feed = ["scarce plants first, then prey, then plants"]
think = ["done"]
pay = ["the card with the least food"]
"""


def invite_of_bo(rhea: Person) -> str:
    said = successful(rhea.pbem("notice invite b -C savannah"))
    return re.findall(r"savannah:b:\S+", said.out)[0]
