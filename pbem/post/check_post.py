"""Do the work of `pbem post test`: send a message to yourself, and find it again."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

from pbem.post.account.password import password_of
from pbem.post.letters.letter import Letter, written
from pbem.post.servers.mailbox import Mailbox
from pbem.post.servers.sender import Sender
from pbem.post.servers.trouble import Trouble

if TYPE_CHECKING:
    from pbem.post.account.account import Account, Server

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
