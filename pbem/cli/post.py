"""The commands `post`, `run` and `notify`."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pbem.cli.options import FolderOption, JsonOption, PassphraseOption
from pbem.desk.base import print_data
from pbem.desk.game_here import Keyring
from pbem.desk.session import Session
from pbem.errors import NOT_YET, CliError
from pbem.files.home import Home, lock
from pbem.post.account import password_of
from pbem.post.letters import Letter, Outbox, written
from pbem.post.mailbox import Mailbox
from pbem.post.sender import Sender
from pbem.post.trouble import Trouble
from pbem.screen.terminal import clean

if TYPE_CHECKING:
    from pbem.post.account import Account, PostBox, Server
    from pbem.post.letters import Queued
    from pbem.post.notify import Log


# ---- The command `post`, for the mailbox with which `pbem run` sends and receives mail

post = typer.Typer(no_args_is_help=True, rich_markup_mode=None)

SECURITY = (
    "The encryption: tls, starttls, or clear (only for a server on this computer). The "
    "default depends on the port."
)
AddressOption = Annotated[str, typer.Option("--address", help="Your email address.")]
ImapOption = Annotated[
    str,
    typer.Option("--imap", metavar="HOST[:PORT]", help="The server from which pbem reads mail."),
]
SmtpOption = Annotated[
    str,
    typer.Option("--smtp", metavar="HOST[:PORT]", help="The server through which pbem sends mail."),
]
ImapSecurityOption = Annotated[str, typer.Option("--imap-security", help=SECURITY)]
SmtpSecurityOption = Annotated[str, typer.Option("--smtp-security", help=SECURITY)]
UserOption = Annotated[str, typer.Option("--user", help="Your user name (default: your address).")]
CommandOption = Annotated[
    str, typer.Option("--password-command", help="A command that prints the password.")
]
FileOption = Annotated[
    Path | None,
    typer.Option("--password-file", help="A file with the password, which only you may read."),
]
TokenOption = Annotated[
    str,
    typer.Option(
        "--token-command",
        help="A command that prints an access token (OAuth 2), for providers that do not accept "
        "passwords from programs.",
    ),
]
MailFolderOption = Annotated[
    str,
    typer.Option(
        "--mail-folder", help="The folder of the mailbox that pbem reads (default: INBOX)."
    ),
]
GamesOption = Annotated[
    Path | None,
    typer.Option(
        "--games", help="The folder in which pbem puts new games (default: ~/pbem-games)."
    ),
]
CaOption = Annotated[
    Path | None,
    typer.Option("--ca", help="The certificate of the mail server, if the server is your own."),
]
PerHourOption = Annotated[
    int | None,
    typer.Option(
        "--per-hour",
        min=1,
        help="How many messages pbem may send to one address in an hour (default: 60).",
    ),
]
CopyOption = Annotated[
    int | None,
    typer.Option(
        "--wait-for-copy",
        min=0,
        help="How long to wait before sending a message again if it is not known whether it was "
        "sent (default: 600 seconds).",
    ),
]
ProfileOption = Annotated[
    str, typer.Option("--profile", metavar="NAME", help="The profile to which the mailbox belongs.")
]


@post.command("setup")
def post_setup(
    address: AddressOption = "",
    imap: ImapOption = "",
    smtp: SmtpOption = "",
    imap_security: ImapSecurityOption = "",
    smtp_security: SmtpSecurityOption = "",
    user: UserOption = "",
    password_command: CommandOption = "",
    password_file: FileOption = None,
    token_command: TokenOption = "",
    folder: MailFolderOption = "",
    games: GamesOption = None,
    ca: CaOption = None,
    per_hour: PerHourOption = None,
    wait_for_copy: CopyOption = None,
    profile: ProfileOption = "default",
) -> None:
    """Set up your mailbox, or change it.

    What you leave out is asked, or known for well-known providers. If a mailbox is set up and you
    leave out --address, only what you type changes.
    """
    from pbem.post.account import PostBox, Typed, set_up

    box = PostBox(Home.find(), profile)
    typed = Typed(
        address, imap, smtp, imap_security, smtp_security, user, password_command, password_file,
        token_command, folder, games, ca, per_hour, wait_for_copy,
    )  # fmt: skip
    set_up(box, typed)
    print(f"wrote {box.path}")
    print("next: pbem post test" + ("" if profile == "default" else f" --profile {profile}"))


@post.command("test")
def post_test(profile: ProfileOption = "default") -> None:
    """Send yourself a message and find it again, or say what is wrong."""
    from pbem.post.account import PostBox

    check_post(PostBox(Home.find(), profile).read())
    print("next: pbem run")


@post.command("show")
def post_show(profile: ProfileOption = "default", json: JsonOption = False) -> None:
    """Show the mailbox, and the messages that wait to be sent or were refused."""
    from pbem.post.account import PostBox

    print_post(PostBox(Home.find(), profile), json)


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
    from pbem.post.letters import list_addresses, set_address

    session = Session(folder, None, passphrase_file)
    if not who:
        list_addresses(session, json)
        return
    if not address:
        raise CliError(f"the address of {who} is missing", f"pbem post address {who} ADDRESS")
    set_address(session, who, address)


# ---- The command `run`: look after all your games, and send and receive mail


def run(
    once: Annotated[
        bool, typer.Option("--once", help="Do everything once and stop, for cron or a timer.")
    ] = False,
    every: Annotated[
        int,
        typer.Option("--every", min=5, metavar="SECONDS", help="How often to check for new mail."),
    ] = 60,
    json: Annotated[
        bool, typer.Option("--json", help="Print each event as a line of JSON.")
    ] = False,
    print_unit: Annotated[
        bool, typer.Option("--print-unit", help="Print a systemd unit that runs this command.")
    ] = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Look after all your games: receive mail, make turns, send what each person lacks."""
    if print_unit:
        print(unit(passphrase_file), end="")
        return
    from pbem.post.notify import Log

    home, log = Home.find(), Log(json)
    with lock(home.root / "run.lock") as alone:
        if not alone:
            raise CliError("another `pbem run` is looking after your games", "", NOT_YET)
        _run(Keyring(home, passphrase_file), log, 0 if once else every)
    if log.failed and once:
        raise SystemExit(NOT_YET)


def _run(keyring: Keyring, log: Log, every: float) -> None:
    """Do one pass if `every` is 0, else passes until Ctrl-C."""
    from pbem.post.rounds import PostRound, Runner

    post_round = PostRound(keyring, log)
    if not post_round.posts:
        log.say(
            "note",
            "no mailbox is set up, so pbem handles only the game folders; to set up a mailbox: "
            "pbem post setup",
        )
    try:
        if every:
            Runner(post_round, log, every).run()
        else:
            post_round.whole()
    except KeyboardInterrupt:
        log.say("stopped", "pbem run has stopped; nothing is lost")
    finally:
        post_round.close()


# ---- The command `notify`: where `pbem run` sends notifications, such as that it is your move

notify = typer.Typer(no_args_is_help=True, rich_markup_mode=None)


@notify.command("add")
def notify_add(
    url: Annotated[str, typer.Argument(help="The address, in the form that apprise expects.")],
) -> None:
    """Add an address: your move, a deadline that is near, the end, and troubles are told there."""
    from pbem.post.notify import NotifyBook, shown

    NotifyBook(Home.find()).add(url)
    print(f"added {shown(url)}")
    print("next: pbem notify test")


@notify.command("list")
def notify_list(json: JsonOption = False) -> None:
    """List the addresses, without their secrets."""
    from pbem.post.notify import NotifyBook, shown

    found = [shown(url) for url in NotifyBook(Home.find()).urls]
    if json:
        print_data("notify list", found)
        return
    for number, url in enumerate(found, start=1):
        print(f"{number}: {url}")
    if not found:
        print("there are no addresses yet; next: pbem notify add URL")


@notify.command("remove")
def notify_remove(
    number: Annotated[int, typer.Argument(help="The number of the address in `pbem notify list`.")],
) -> None:
    """Remove an address."""
    from pbem.post.notify import NotifyBook, shown

    print(f"removed {shown(NotifyBook(Home.find()).remove(number))}")


@notify.command("test")
def notify_test() -> None:
    """Send a notification to all addresses."""
    from pbem.post.notify import EXAMPLE, NotifyBook, send, shown

    urls = NotifyBook(Home.find()).urls
    if not urls:
        raise CliError("there are no addresses yet", EXAMPLE)
    if failed := send(urls, "pbem", "This is a test. pbem run will tell you when it is your move."):
        told = f"the test was not accepted by {', '.join(map(shown, failed))}"
        raise CliError(told, "check the address, and that this computer is online", NOT_YET)
    print(f"sent the test to {len(urls)} address{'es' if len(urls) > 1 else ''}")


# ---- Do the work of `pbem post test`: send a message to yourself, and find it again

PATIENCE: Final = 60.0
"""Seconds in which the message must arrive."""
PAUSE: Final = 0.5
SAYS: Final = "`pbem post test` sent this message. You can delete it."
CLEAR: Final = (
    "; the connection is NOT encrypted, which is acceptable only for a server on this computer"
)


def check_post(account: Account, patience: float = PATIENCE) -> None:
    """Print each step as it succeeds. Raises CliError or Trouble for the first step that fails."""
    password = password_of(account)
    mailbox = Mailbox(account, password)
    try:
        print(f"reading: {account.imap}, folder {account.folder}{_clear(account.imap)}")
        ident = f"<pbem.test.{os.urandom(8).hex()}@{account.address.rpartition('@')[2]}>"
        _send(account, password, ident)
        print(f"sending: {account.smtp}, from {account.address}{_clear(account.smtp)}")
        took = _find(mailbox, ident, patience)
    finally:
        mailbox.close()
    print(f"the message arrived after {took:.0f} s; everything works")


def _clear(server: Server) -> str:
    return CLEAR if server.security == "clear" else ""


def _send(account: Account, password: str, ident: str) -> None:
    letter = Letter(account.address, "pbem post test", [SAYS])
    sender = Sender(account, password)
    try:
        sender.send(account.address, written(letter, account.address, ident, int(time.time())), _no)
    finally:
        sender.close()


def _no() -> None:
    """Do nothing before a test message is sent: it does not matter if a test message gets lost."""


def _find(mailbox: Mailbox, ident: str, patience: float) -> float:
    begun = time.monotonic()
    while not mailbox.has(ident):
        if time.monotonic() - begun > patience:
            told = "the server accepted the message, but the message did not arrive within"
            told = f"{told} {patience:.0f} seconds"
            hint = (
                "look for the message in the spam folder, and check that the address is "
                "right and the mailbox is not full"
            )
            raise Trouble(told, hint)
        time.sleep(PAUSE)
    return time.monotonic() - begun


# ---- Do the work of `pbem post show`: print the mailbox, and letters that wait or were refused

WHERE = {
    "keyring": "in the system's keyring",
    "command": "printed by the command {}",
    "file": "in the file {}",
    "token": "printed by the command {}",
}


def print_post(box: PostBox, as_json: bool) -> None:
    """Print the account, never the password. Raises CliError if there is none."""
    account = box.read()
    outbox = Outbox(box, account)
    waiting, refused = list(outbox.waiting()), outbox.refused()
    if as_json:
        told: dict[str, Any] = {"account": asdict(account)}
        told |= {"waiting": [_row(q) for q in waiting], "refused": [_row(q) for q in refused]}
        print_data("post show", told)
        return
    print(f"address: {account.address}")
    for name, server in (("reads", account.imap), ("sends", account.smtp)):
        print(f"{name}: {server} ({server.security}), as {clean(account.user)}")
    print(f"{account.secret_name}: {WHERE.get(account.secret, '').format(clean(account.where))}")
    print(f"folder: {clean(account.folder)}; new games go to {clean(account.games)}")
    for title, letters in (("waiting", waiting), ("refused by the server", refused)):
        for queued in letters:
            print(f"{title}: to {queued.to}: {clean(queued.subject)}")


def _row(queued: Queued) -> dict[str, str]:
    return {"to": queued.to, "subject": queued.subject, "message_id": queued.message_id}


# ---- The systemd unit that `pbem run --print-unit` prints

UNIT = """\
# Save this as ~/.config/systemd/user/pbem.service, and type:
#   systemctl --user enable --now pbem
#   loginctl enable-linger        (so that it runs while you are not logged in)
# To see what it does:  journalctl --user -u pbem -f
[Unit]
Description=pbem looks after games by mail
Wants=network-online.target
After=network-online.target

[Service]
ExecStart={command}
{environment}Restart=on-failure
RestartSec=60
RestartPreventExitStatus=2 4

[Install]
WantedBy=default.target
"""


def unit(passphrase_file: Path | None = None) -> str:
    """Write a unit for the user who runs this, with this home and this installation of pbem."""
    words = [sys.executable, "-m", "pbem", "run"]
    if passphrase_file:
        words += ["--passphrase-file", str(passphrase_file.absolute())]
    home = os.environ.get("PBEM_HOME", "")
    environment = f"Environment={_quoted(f'PBEM_HOME={home}')}\n" if home else ""
    return UNIT.format(command=" ".join(map(_quoted, words)), environment=environment)


def _quoted(word: str) -> str:
    """Write a word of a unit file, with percent signs and spaces escaped."""
    word = word.replace("%", "%%")
    if not any(c in word for c in " \t\"'\\$"):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$") + '"'
