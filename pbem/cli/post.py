"""The commands `post …`: your mailbox, and the addresses of the players."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer

from pbem.acts.emails_to_seat_by_mail import MailSeat
from pbem.acts.send_message import person_called
from pbem.cli.shared_options import FolderOption, JsonOption, PassphraseOption
from pbem.errors import CliError
from pbem.files.home import Home
from pbem.mail.letter import Letter, laid_out, letter_bytes
from pbem.person.mail_notebooks import MailBook, MailHistory, People
from pbem.person.session import Session
from pbem.post.imap_mailbox import Mailbox
from pbem.post.mail_account import PostBox, boxes, check_address
from pbem.post.mail_password import password_of
from pbem.post.mail_server_connection import Trouble
from pbem.post.outbox import Outbox
from pbem.post.set_up_mailbox import SetupOptions, set_up
from pbem.post.smtp_sender import Sender
from pbem.records.press_message import REFEREE
from pbem.terminal.clean_text import clean
from pbem.terminal.json_and_progress import print_data
from pbem.wording.mailbox_setup_test_and_addresses import (
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
            help="How long pbem waits before it sends a message again, if it does not know "
            "whether the message was sent (default: 600 seconds).",
        ),
    ] = None,
    profile: ProfileOption = "default",
) -> None:
    """Set up your mailbox, or change it.

    What you leave out is asked, or known for well-known providers. If a mailbox is set up and you
    leave out --address, only what you type changes.
    """
    arguments = locals()
    box = PostBox(Home.find(), arguments.pop("profile"))
    set_up(box, SetupOptions(**arguments))
    print(f"wrote {box.path}")
    print(mailbox_step("" if profile == "default" else profile))


ARRIVAL_SECONDS: Final = 60.0
"""The longest time that the test message may take to arrive."""
POLL_SECONDS: Final = 0.5
"""Seconds between two looks into the mailbox."""


@post.command("test")
def post_test(profile: ProfileOption = "default") -> None:
    """Send yourself a message and find it again, or say what is wrong."""
    account = PostBox(Home.find(), profile).read()
    password = password_of(account)
    mailbox = Mailbox(account, password)
    try:
        is_encrypted = account.imap.security != "clear"
        print(reading_line(str(account.imap), account.folder, is_encrypted=is_encrypted))
        message_id = f"<pbem.test.{os.urandom(8).hex()}@{account.address.rpartition('@')[2]}>"
        letter = Letter(account.address, TEST_SUBJECT, laid_out([TEST_MESSAGE]))
        message = letter_bytes(letter, account.address, message_id, int(time.time()))
        with contextlib.closing(Sender(account, password)) as sender:
            sender.send(account.address, message, before_sending=lambda: None)
        is_encrypted = account.smtp.security != "clear"
        print(sending_line(str(account.smtp), account.address, is_encrypted=is_encrypted))
        seconds_taken = _wait_until_arrived(mailbox, message_id)
    finally:
        mailbox.close()
    print(arrived_test_line(seconds_taken))
    print(RUN_STEP)


def _wait_until_arrived(mailbox: Mailbox, message_id: str) -> float:
    """Wait until the message is in the mailbox, and return how many seconds that took. Raises
    Trouble if it has not arrived in time."""
    started_at = time.monotonic()
    while not mailbox.has(message_id):
        if time.monotonic() - started_at > ARRIVAL_SECONDS:
            raise Trouble(
                "the server accepted the message, but the message did not arrive within "
                f"{ARRIVAL_SECONDS:.0f} seconds",
                "look for the message in the spam folder, and check that the address is right and "
                "the mailbox is not full",
            )
        time.sleep(POLL_SECONDS)
    return time.monotonic() - started_at


@post.command("show")
def post_show(profile: ProfileOption = "default", json: JsonOption = False) -> None:
    """Show the mailbox, and the messages that wait to be sent or were refused."""
    box = PostBox(Home.find(), profile)
    account = box.read()
    outbox = Outbox(box, account)
    queued_letters, refused_letters = list(outbox.queued_letters()), outbox.refused_letters()
    if json:
        rows = {
            state: [{"to": x.to, "subject": x.subject, "message_id": x.message_id} for x in letters]
            for state, letters in (("waiting", queued_letters), ("refused", refused_letters))
        }
        print_data("post show", {"account": asdict(account), **rows})
        return
    print(f"address: {account.address}")
    for name, server in (("reads", account.imap), ("sends", account.smtp)):
        print(f"{name}: {server} ({server.security}), as {clean(account.user)}")
    print(secret_line(account.secret_name, account.secret, account.where))
    print(folders_line(clean(account.folder), clean(account.games)))
    for title, letters in ((WAITING_MAIL, queued_letters), (REFUSED_MAIL, refused_letters)):
        for letter in letters:
            print(f"{title}: to {letter.to}: {clean(letter.subject)}")


@post.command("address")
def post_address(
    who: Annotated[
        str,
        typer.Argument(
            help="Whose address it is: a seat, a name, or the word referee for the referee."
        ),
    ] = "",
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
    names_by_seat = {REFEREE: session.game_folder.maker().name}
    names_by_seat |= charter.co_dealer_names_by_id
    names_by_seat |= {p.seat: session.name_of(p.seat) for p in charter.seats if not p.bot}
    if who and not address:
        raise CliError(f"the address of {who} is missing", f"pbem post address {who} ADDRESS")
    if who:
        _set_address(session, names_by_seat, who, address)
        return
    addresses = {**People(session.game_home).addresses, **_plain_email_addresses(session)}
    if json:
        print_data("post address", addresses)
        return
    for seat, name in names_by_seat.items():
        print(f"{seat} {clean(name)}: {clean(addresses.get(seat, '-'))}")


def _plain_email_addresses(session: Session) -> dict[str, str]:
    """Return, by seat, the address of each player who answers by plain email, if it is known."""
    addresses = {}
    for seat in sorted(session.roles.mail_seats):
        with contextlib.suppress(CliError):
            addresses[seat] = MailSeat(session, seat).address
    return addresses


def _set_address(
    session: Session, names_by_seat: dict[str, str], player: str, address: str
) -> None:
    """Note the address to which mail for a player goes; `-` removes it. `player` is a seat, a name
    or `referee`, as typed. Raises CliError for an unknown player and for what is no address.

    Letters to a new address begin from the start: everything is sent again.
    """
    hint = ", ".join(f"{seat} ({clean(name)})" for seat, name in names_by_seat.items())
    seat = person_called(player, names_by_seat, hint)
    name, people = names_by_seat[seat], People(session.game_home)
    plays_by_email = seat in session.roles.mail_seats
    if address == "-" and plays_by_email:
        problem = f"{clean(name)} plays by email and needs an address"
        raise CliError(problem, f"pbem post address {seat} NAME@EXAMPLE.ORG")
    if address == "-":
        people.set(seat, "")
        print(no_address_line(name))
        return
    new_address = check_address(address)
    if seat == REFEREE and session.roles.referee and session.roles.mail_seats:
        # the choices in emails to players without pbem are links that open an email to it
        MailBook(session.game_home).note_reply_to(new_address)
    if plays_by_email:
        has_moved = _plain_email_addresses(session).get(seat) != new_address
    else:
        has_moved = people.addresses.get(seat, new_address) != new_address
    if has_moved:
        MailHistory(session.game_home).forget(seat)  # the old address may never have received it
    if plays_by_email:
        MailSeat(session, seat).book.move(seat, new_address)
    else:
        people.set(seat, new_address)
    for box in boxes(session.home):
        Outbox(box, box.read()).forget_refused(new_address)
    print(mail_goes_line(name, new_address))
