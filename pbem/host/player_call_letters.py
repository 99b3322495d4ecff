"""Letters of a host to people who want to be called by email: one to confirm the address, then one
for each call, each with a link to stop.

The addresses are in call requests only: no letter is kept, and none goes to the host's own mailbox.
"""

from __future__ import annotations

import hmac
import re
import secrets
from typing import Final

from pbem.errors import CliError
from pbem.files.home import Home
from pbem.host.taken_call_requests import TakenRequest
from pbem.mail.letter import Letter, laid_out, letter_bytes
from pbem.post.mail_account import Account, boxes
from pbem.post.mail_password import password_of
from pbem.post.mail_server_connection import Trouble
from pbem.post.smtp_sender import Refused, Sender
from pbem.text.clock import now
from pbem.wording.host_reports import (
    CALL_SUBJECT,
    CONFIRMATION_SUBJECT,
    call_paragraphs,
    confirmation_paragraphs,
)

_PLAIN_ADDRESS_PATTERN: Final = re.compile(
    r"(?=.{6,254}$)(?=[^@]{1,64}@)[A-Za-z0-9_'+=~-]+(\.[A-Za-z0-9_'+=~-]+)*"
    r"@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]"
)
"""An address that mail servers read in one way only: nothing quoted or encoded, no relay, no
network address."""


class CallLetters:
    """Writes the letters, from the mailbox of the host."""

    def __init__(self, account: Account, key: bytes, host_address: str) -> None:
        """`key` has 32 secret bytes; the links in letters begin with `host_address`."""
        self._account, self._host_address = account, host_address.rstrip("/")
        self._key = hmac.digest(key, b"pbem call letters", "sha256")

    def check(self, address: str) -> None:
        """Check that this is an email address in its plain form. Raises CliError."""
        if not _PLAIN_ADDRESS_PATTERN.fullmatch(address):
            sentence = "this host writes only to plain email addresses, such as bo@example.org"
            raise CliError(f"{sentence}: letters, digits and . _ - + ' = ~ before the @")

    def code_of(self, address_name: str) -> str:
        """Return the code, a secret, in the links of letters to an address."""
        return hmac.new(self._key, address_name.encode(), "sha256").hexdigest()[:32]

    def is_code(self, address_name: str, code: str) -> bool:
        """Return whether this is the code of an address."""
        return hmac.compare_digest(self.code_of(address_name).encode(), code.encode())

    def ask_to_confirm(self, request: TakenRequest) -> None:
        """Send the letter that asks the owner of an address to confirm it. It has no word that
        somebody else has chosen. Raises Trouble, CliError."""
        paragraphs = confirmation_paragraphs(self._link(request))
        self._send(request, CONFIRMATION_SUBJECT, laid_out(paragraphs))

    def call(self, request: TakenRequest) -> bool:
        """Send the letter that it is the person's move; return False if the server of the address
        will never take one. Raises Trouble, CliError."""
        paragraphs = call_paragraphs(f"{self._host_address}/", self._link(request))
        try:
            self._send(request, CALL_SUBJECT, laid_out(paragraphs))
        except Refused as error:
            # a refusal of the sender or of the message is about the host's own mailbox
            if error.lasting and error.of_address:
                return False
            raise
        return True

    def _link(self, request: TakenRequest) -> str:
        """Return the address of the page on which the owner of an address decides."""
        name = request.address_name
        return f"{self._host_address}/call/{name}/{self.code_of(name)}"

    def _send(self, request: TakenRequest, subject: str, text: str) -> None:
        account, address = self._account, request.content.address
        domain = account.address.rpartition("@")[2]
        message_id = f"<pbem.call.{secrets.token_hex(16)}@{domain}>"
        letter = Letter(address, subject, text, stop_link=self._link(request))
        data = letter_bytes(letter, account.address, message_id, now())
        sender = Sender(account, password_of(account))
        try:
            sender.send(address, data, lambda: None, has_copy=False)
        finally:
            sender.close()


def mailbox_of(address: str) -> str:
    """Return the mailbox under which letters to an address are counted: most mail servers bring
    Ann+games@example.org and ann@example.org to the same person."""
    local_part, _, domain = address.lower().rpartition("@")
    return f"{local_part.partition('+')[0]}@{domain}"


def call_letters(home: Home, key: bytes, host_address: str) -> CallLetters | None:
    """Return the letters from the first mailbox in a home; None if it has no mailbox."""
    accounts = [box.read() for box in boxes(home)]
    return CallLetters(accounts[0], key, host_address) if accounts else None


LETTER_ERRORS: Final = (Trouble, CliError)
"""The errors for a letter that could not be sent now."""
