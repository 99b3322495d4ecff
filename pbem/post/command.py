"""The command `post`, for the mailbox with which `pbem run` sends and receives mail."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pbem.cli.command_line.declarations import Argument, Group, Option
from pbem.cli.failure import CliError
from pbem.cli.options import FolderOption, JsonOption, PassphraseOption

post = Group(help="Your mailbox: set it up, test it, and say who has which address.")

SECURITY = (
    "The encryption: tls, starttls, or clear (only for a server on this computer). The "
    "default depends on the port."
)
AddressOption = Annotated[str, Option("--address", help="Your email address.")]
ImapOption = Annotated[
    str,
    Option("--imap", metavar="HOST[:PORT]", help="The server from which pbem reads mail."),
]
SmtpOption = Annotated[
    str,
    Option("--smtp", metavar="HOST[:PORT]", help="The server through which pbem sends mail."),
]
ImapSecurityOption = Annotated[str, Option("--imap-security", help=SECURITY)]
SmtpSecurityOption = Annotated[str, Option("--smtp-security", help=SECURITY)]
UserOption = Annotated[str, Option("--user", help="Your user name (default: your address).")]
CommandOption = Annotated[
    str, Option("--password-command", help="A command that prints the password.")
]
FileOption = Annotated[
    Path | None,
    Option("--password-file", help="A file with the password, which only you may read."),
]
TokenOption = Annotated[
    str,
    Option(
        "--token-command",
        help="A command that prints an access token (OAuth 2), for providers that do not accept "
        "passwords from programs.",
    ),
]
MailFolderOption = Annotated[
    str,
    Option("--mail-folder", help="The folder of the mailbox that pbem reads (default: INBOX)."),
]
GamesOption = Annotated[
    Path | None,
    Option("--games", help="The folder in which pbem puts new games (default: ~/pbem-games)."),
]
CaOption = Annotated[
    Path | None,
    Option("--ca", help="The certificate of the mail server, if the server is your own."),
]
PerHourOption = Annotated[
    int | None,
    Option(
        "--per-hour",
        min=1,
        help="How many messages pbem may send to one address in an hour (default: 60).",
    ),
]
CopyOption = Annotated[
    int | None,
    Option(
        "--wait-for-copy",
        min=0,
        help="How long to wait before sending a message again if it is not known whether it was "
        "sent (default: 600 seconds).",
    ),
]
ProfileOption = Annotated[
    str, Option("--profile", metavar="NAME", help="The profile to which the mailbox belongs.")
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
    from pbem.post.account.account import PostBox
    from pbem.post.account.make_account import Typed, set_up
    from pbem.storage.private.home import Home

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
    from pbem.post.account.account import PostBox
    from pbem.post.check_post import check_post
    from pbem.storage.private.home import Home

    check_post(PostBox(Home.find(), profile).read())
    print("next: pbem run")


@post.command("show")
def post_show(profile: ProfileOption = "default", json: JsonOption = False) -> None:
    """Show the mailbox, and the messages that wait to be sent or were refused."""
    from pbem.post.account.account import PostBox
    from pbem.post.show_post import print_post
    from pbem.storage.private.home import Home

    print_post(PostBox(Home.find(), profile), json)


@post.command("address")
def post_address(
    who: Annotated[str, Argument(help="A seat, a name or referee.")] = "",
    address: Annotated[str, Argument(help="The new address. Use - to remove the old one.")] = "",
    folder: FolderOption = None,
    json: JsonOption = False,
    passphrase_file: PassphraseOption = None,
) -> None:
    """Say to which address mail for a person in the game here goes, or list all addresses."""
    from pbem.cli.session.session import Session
    from pbem.post.addresses import list_addresses, set_address

    session = Session(folder, None, passphrase_file)
    if not who:
        list_addresses(session, json)
        return
    if not address:
        raise CliError(f"the address of {who} is missing", f"pbem post address {who} ADDRESS")
    set_address(session, who, address)
