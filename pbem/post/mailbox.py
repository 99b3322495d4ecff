"""Read a mailbox with IMAP, with a limit on every answer."""

from __future__ import annotations

import contextlib
import ssl
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from pbem.errors import CliError, extra
from pbem.mail.opening import MAX_POST
from pbem.post.account import Account, Server
from pbem.post.connection import (
    LimitedTls,
    Trouble,
    check_password,
    connection_trouble,
    login_trouble,
    one_line,
    opened,
    within_limits,
)

# ---- Read a mailbox with IMAP, through the library `imapclient`
#
# Only the copies of sent mail are marked as read and moved; other mail is not changed.

SECONDS: Final = 30
"""How many seconds a server may take for one read."""
FAREWELL: Final = 5.0
"""How many seconds a server may take to end the connection."""
ASKED_TOGETHER: Final = 500
"""The most messages that one command names; servers refuse commands that are too long."""
LARGEST: Final = 0xFFFFFFFF
"""The largest number (UID, UIDVALIDITY) that a server may use (RFC 9051)."""
FIRST_LOOK: Final = 30
"""How many days back the first look at a mailbox goes."""


class Mailbox:
    """One connection to a mailbox. `close` ends it."""

    def __init__(self, account: Account, password: str) -> None:
        """Connect, log in and open the folder. Raises Trouble, CliError."""
        self.account = account
        self._works = True
        self._highest, self._looked = 0, False
        self._client = _connected(account)
        try:
            self._log_in(password)
            self.validity = self._open(account.folder)
            self._can_idle: bool = self._client.has_capability("IDLE")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        try:
            if self._works:
                with self._errors(seconds=FAREWELL):
                    self._client.logout()
        except Trouble:
            pass
        if not self._works:
            with contextlib.suppress(OSError):
                self._client.shutdown()  # without a goodbye, which a silent server does not answer

    def new_mails(self, after: int) -> list[tuple[int, int]]:
        """Return the number (UID) and size of each message after this number, oldest first.

        If `after` is 0, only messages of the last thirty days are returned. Raises Trouble.
        """
        if self._can_idle:
            self._highest, self._looked = self.last(), False
        with self._errors():
            wanted: list[Any] = ["UID", f"{after + 1}:*"]
            if not after:
                since = datetime.now(UTC) - timedelta(days=FIRST_LOOK)
                wanted = ["SINCE", since.date()]
            self._client.noop()  # some servers report new mail only after this
            uids = {uid for uid in self._client.search(wanted) if after < uid <= LARGEST}
        ordered, mails = sorted(uids), list[tuple[int, int]]()
        for start in range(0, len(ordered), ASKED_TOGETHER):
            some = ordered[start : start + ASKED_TOGETHER]
            with self._errors():
                rows = self._client.fetch(some, ["RFC822.SIZE"])
                # the rows may also say which flags of other messages changed meanwhile
                mails += [(uid, int(rows.get(uid, {}).get(b"RFC822.SIZE", 0))) for uid in some]
        return mails

    def last(self) -> int:
        """Return the highest number that a message can have now. Raises Trouble."""
        with self._errors():
            status = self._client.folder_status(self.account.folder, ["UIDNEXT"])
            return int(status[b"UIDNEXT"]) - 1

    def fetch(self, uid: int) -> bytes:
        """Return the bytes of a message, which stays unread; empty if the message is gone.

        For a message that is too long, this returns one byte more than a message may have, no
        matter which size the server announced. Raises Trouble.
        """
        with self._errors():
            row = self._client.fetch([uid], [f"BODY.PEEK[]<0.{MAX_POST + 1}>"]).get(uid, {})
            return bytes(row.get(b"BODY[]<0>") or row.get(b"BODY[]") or b"")

    def has(self, message_id: str) -> bool:
        """Return whether a message with this Message-ID is in the mailbox, or among sent mail."""
        self._looked = False
        with self._errors():
            names = [self.account.folder, "INBOX", self.account.sent_folder]
            find = self._client.find_special_folder
            names += [find(kind) or "" for kind in (b"\\Sent", b"\\All")]
            try:
                for name in dict.fromkeys(names):
                    if name and self._client.folder_exists(name):
                        self._client.select_folder(name, readonly=True)
                        if self._client.search(["HEADER", "Message-ID", message_id]):
                            return True
                return False
            finally:
                self._open(self.account.folder)

    def file_copy(self, uids: Sequence[int]) -> None:
        """Mark copies of sent mail as read, and move them to the folder for sent mail. Raises
        Trouble."""
        folder = self.account.sent_folder
        if not uids or folder == self.account.folder:
            return
        with self._errors():
            if not self._client.folder_exists(folder):
                self._client.create_folder(folder)
            self._client.add_flags(uids, [b"\\Seen"], silent=True)
            if self._client.has_capability("MOVE"):
                self._client.move(uids, folder)
                return
            self._client.copy(uids, folder)
            self._client.delete_messages(uids)
            if self._client.has_capability("UIDPLUS"):
                self._client.uid_expunge(uids)  # not all: other programs may have marked mail too

    def wait(self, seconds: float) -> bool:
        """Wait until something changes in the folder, or for this long; return whether it changed.

        If the server lacks IDLE, wait for the whole time. Raises Trouble.
        """
        if not self._can_idle:
            time.sleep(seconds)
            return False
        if not self._looked:  # what came since the search may have been announced meanwhile
            self._looked = True
            if self.last() > self._highest:
                return True
        with self._errors():
            self._client.idle()
            try:
                said = self._client.idle_check(timeout=seconds)
            finally:
                said_last = self._client.idle_done()[1]
            said = [*said, *said_last]
        return any(isinstance(row, tuple) and b"EXISTS" in row for row in said)

    def _log_in(self, password: str) -> None:
        from imapclient.exceptions import LoginError

        account, server = self.account, self.account.imap
        check_password(password, account, server, "IMAP")
        log_in = self._client.oauth2_login if account.by_token else self._client.login
        try:
            with self._errors(passing=LoginError):
                log_in(account.user, password)
        except LoginError as error:
            raise login_trouble(account, server, one_line(error), "IMAP") from None

    def _open(self, folder: str) -> int:
        from imapclient.exceptions import IMAPClientError

        with self._errors(passing=IMAPClientError):
            try:
                return int(self._client.select_folder(folder)[b"UIDVALIDITY"]) & LARGEST
            except IMAPClientError as error:
                if isinstance(error, self._client.AbortError):
                    server = self.account.imap
                    raise connection_trouble(error, server, "IMAP", began=True) from None
                told = f"IMAP: the mailbox has no folder {folder!r} ({one_line(error)})"
                names = [str(name) for _, _, name in self._client.list_folders()]
                has = ", ".join(names[:20]) or "none"
                hint = f"it has: {has}; pbem post setup --mail-folder NAME"
                raise Trouble(told, hint) from None

    @contextlib.contextmanager
    def _errors(
        self, passing: type[Exception] | tuple[()] = (), seconds: float | None = None
    ) -> Iterator[None]:
        """A server can send an answer for which the library raises any error: IndexError,
        RecursionError… `seconds` says how long it may take for its whole answer."""
        try:
            with within_limits(seconds):
                yield
        except CliError:
            self._works = False
            raise
        except Exception as error:
            if isinstance(error, passing):
                raise
            self._works = False
            raise connection_trouble(error, self.account.imap, "IMAP", began=True) from error


def _connected(account: Account) -> Any:
    problem = "automatic mail needs libraries that are not installed"
    with extra(["imapclient"], problem, "imapclient", "keyring"):
        from imapclient.exceptions import IMAPClientError

        from pbem.post.imap_client import ImapClient
    server, context = account.imap, trusted(account, account.imap)
    return opened(
        server,
        "IMAP",
        lambda: ImapClient(
            server.host, server.port, ssl=server.security == "tls", ssl_context=context,
            timeout=SECONDS,
        ),
        lambda client: client.starttls(context),
        ImapClient.shutdown,
        (IMAPClientError, EOFError),
    )  # fmt: skip


def trusted(account: Account, server: Server) -> ssl.SSLContext | None:
    """Return the certificates to trust, or None for a server without encryption.

    Raises CliError for a file that contains no certificates.
    """
    if server.security == "clear":  # reading all that the system trusts takes time
        return None
    try:
        context = ssl.create_default_context(cafile=account.ca or None)
        context.sslsocket_class = LimitedTls
        return context
    except (OSError, ssl.SSLError):
        hint = "it must be a file in PEM format, which begins with -----BEGIN CERTIFICATE-----"
        raise CliError(f"{account.ca} cannot be read as a certificate", hint) from None
