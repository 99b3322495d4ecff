"""The commands `post …`: your mailbox, and the addresses of the players."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer

from pbem.acts.press import person_called
from pbem.acts.send import MailSeat
from pbem.cli.options import FolderOption, JsonOption, PassphraseOption
from pbem.errors import CliError
from pbem.files.home import Home
from pbem.mail.letter import Letter, laid_out, letter_bytes
from pbem.person.books import MailBook, People, SentMail
from pbem.person.session import Session
from pbem.post.account import PostBox, SetupOptions, boxes, check_address, password_of, set_up
from pbem.post.connection import Trouble
from pbem.post.mailbox import Mailbox
from pbem.post.outbox import Outbox
from pbem.post.sender import Sender
from pbem.records.press import REFEREE
from pbem.terminal.output import print_data
from pbem.terminal.terminal import clean
from pbem.wording.mailboxes import (
    REFUSED_MAIL,
    RUN_STEP,
    TEST_MESSAGE,
    TEST_SUBJECT,
    WAITING_MAIL,
    arrived_test_line,
    folders_line,
    mail_goes_line,
    mailbox_step,
    no_address_line,
    reading_line,
    secret_line,
    sending_line,
)

post = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

SECURITY = (
    "The encryption: tls, starttls, or clear (only for a server on this computer). The "
    "default depends on the port."
)
ProfileOption = Annotated[
    str, typer.Option("--profile", metavar="NAME", help="The profile to which the mailbox belongs.")
]


@post.command("setup")
def post_setup(
    address: Annotated[str, typer.Option(help="Your email address.")] = "",
    imap: Annotated[
        str, typer.Option(metavar="HOST[:PORT]", help="The server from which pbem reads mail.")
    ] = "",
    smtp: Annotated[
        str, typer.Option(metavar="HOST[:PORT]", help="The server through which pbem sends mail.")
    ] = "",
    imap_security: Annotated[str, typer.Option(help=SECURITY)] = "",
    smtp_security: Annotated[str, typer.Option(help=SECURITY)] = "",
    user: Annotated[str, typer.Option(help="Your user name (default: your address).")] = "",
    password_command: Annotated[str, typer.Option(help="A command that prints the password.")] = "",
    password_file: Annotated[
        Path | None, typer.Option(help="A file with the password, which only you may read.")
    ] = None,
    token_command: Annotated[
        str,
        typer.Option(
            help="A command that prints an access token (OAuth 2), for providers that do not "
            "accept passwords from programs."
        ),
    ] = "",
    folder: Annotated[
        str,
        typer.Option(
            "--mail-folder", help="The folder of the mailbox that pbem reads (default: INBOX)."
        ),
    ] = "",
    games: Annotated[
        Path | None,
        typer.Option(help="The folder in which pbem puts new games (default: ~/pbem-games)."),
    ] = None,
    ca: Annotated[
        Path | None,
        typer.Option(help="The certificate of the mail server, if the server is your own."),
    ] = None,
    per_hour: Annotated[
        int | None,
        typer.Option(
            min=1, help="How many messages pbem may send to one address in an hour (default: 60)."
        ),
    ] = None,
    wait_for_copy: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="How long to wait before sending a message again if it is not known whether it "
            "was sent (default: 600 seconds).",
        ),
    ] = None,
    profile: ProfileOption = "default",
) -> None:
    """Set up your mailbox, or change it.

    What you leave out is asked, or known for well-known providers. If a mailbox is set up and you
    leave out --address, only what you type changes.
    """
    typed = locals()
    box = PostBox(Home.find(), typed.pop("profile"))
    set_up(box, SetupOptions(**typed))
    print(f"wrote {box.path}")
    print(mailbox_step("" if profile == "default" else profile))


PATIENCE: Final = 60.0
"""Seconds in which the test message must arrive."""
PAUSE: Final = 0.5


@post.command("test")
def post_test(profile: ProfileOption = "default") -> None:
    """Send yourself a message and find it again, or say what is wrong."""
    account = PostBox(Home.find(), profile).read()
    password = password_of(account)
    mailbox = Mailbox(account, password)
    try:
        is_encrypted = account.imap.security != "clear"
        print(reading_line(str(account.imap), account.folder, is_encrypted=is_encrypted))
        ident = f"<pbem.test.{os.urandom(8).hex()}@{account.address.rpartition('@')[2]}>"
        letter = Letter(account.address, TEST_SUBJECT, laid_out([TEST_MESSAGE]))
        data = letter_bytes(letter, account.address, ident, int(time.time()))
        with contextlib.closing(Sender(account, password)) as sender:
            sender.send(account.address, data, before_sending=lambda: None)
        is_encrypted = account.smtp.security != "clear"
        print(sending_line(str(account.smtp), account.address, is_encrypted=is_encrypted))
        took = _wait_for(mailbox, ident)
    finally:
        mailbox.close()
    print(arrived_test_line(took))
    print(RUN_STEP)


def _wait_for(mailbox: Mailbox, ident: str) -> float:
    begun = time.monotonic()
    while not mailbox.has(ident):
        if time.monotonic() - begun > PATIENCE:
            raise Trouble(
                "the server accepted the message, but the message did not arrive within "
                f"{PATIENCE:.0f} seconds",
                "look for the message in the spam folder, and check that the address is right and "
                "the mailbox is not full",
            )
        time.sleep(PAUSE)
    return time.monotonic() - begun


@post.command("show")
def post_show(profile: ProfileOption = "default", json: JsonOption = False) -> None:
    """Show the mailbox, and the messages that wait to be sent or were refused."""
    box = PostBox(Home.find(), profile)
    account = box.read()
    outbox = Outbox(box, account)
    waiting, refused = list(outbox.queued_letters()), outbox.refused_letters()
    if json:
        rows = {
            name: [{"to": q.to, "subject": q.subject, "message_id": q.message_id} for q in some]
            for name, some in (("waiting", waiting), ("refused", refused))
        }
        print_data("post show", {"account": asdict(account), **rows})
        return
    print(f"address: {account.address}")
    for name, server in (("reads", account.imap), ("sends", account.smtp)):
        print(f"{name}: {server} ({server.security}), as {clean(account.user)}")
    print(secret_line(account.secret_name, account.secret, account.where))
    print(folders_line(clean(account.folder), clean(account.games)))
    for title, letters in ((WAITING_MAIL, waiting), (REFUSED_MAIL, refused)):
        for queued in letters:
            print(f"{title}: to {queued.to}: {clean(queued.subject)}")


@post.command("address")
def post_address(
    who: Annotated[str, typer.Argument(help="A seat, a name or referee.")] = "",
    address: Annotated[
        str, typer.Argument(help="The new address. Use - to remove the old one.")
    ] = "",
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Say to which address mail for a person in the game here goes, or list all addresses."""
    session = Session(folder, None, passphrase_file)
    charter = session.charter
    names = {REFEREE: session.game_folder.maker().name}
    names |= {p.seat: session.name_of(p.seat) for p in charter.seats if not p.bot}
    if who and not address:
        raise CliError(f"the address of {who} is missing", f"pbem post address {who} ADDRESS")
    if who:
        _set_address(session, names, who, address)
        return
    addresses = {**People(session.game_home).addresses, **_by_email(session)}
    if json:
        print_data("post address", addresses)
        return
    for seat, name in names.items():
        print(f"{seat} {clean(name)}: {clean(addresses.get(seat, '-'))}")


def _by_email(session: Session) -> dict[str, str]:
    addresses = {}
    for seat in sorted(session.roles.mail_seats):
        with contextlib.suppress(CliError):
            addresses[seat] = MailSeat(session, seat).address
    return addresses


def _set_address(session: Session, names: dict[str, str], who: str, address: str) -> None:
    hint = ", ".join(f"{seat} ({clean(name)})" for seat, name in names.items())
    seat = person_called(who, names, hint)
    by_email, people = seat in session.roles.mail_seats, People(session.game_home)
    if address == "-" and by_email:
        told = f"{clean(names[seat])} plays by email and needs an address"
        raise CliError(told, f"pbem post address {seat} NAME@EXAMPLE.ORG")
    if address == "-":
        people.set(seat, "")
        print(no_address_line(seat))
        return
    new = check_address(address)
    if seat == REFEREE and session.roles.referee and session.roles.mail_seats:
        # the choices in emails to players without pbem are links that open an email to it
        MailBook(session.game_home).note_reply_to(new)
    before = _by_email(session).get(seat) if by_email else people.addresses.get(seat, new)
    if before != new:
        SentMail(session.game_home).forget(seat)  # the old address may never have received it
    if by_email:
        MailSeat(session, seat).book.move(seat, new)
    else:
        people.set(seat, new)
    for box in boxes(session.home):
        Outbox(box, box.read()).forget_refused(new)
    print(mail_goes_line(names[seat], new))
