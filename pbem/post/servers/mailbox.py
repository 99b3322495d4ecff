"""Read a mailbox with IMAP, through the library `imapclient`.

Only the copies of sent mail are marked as read and moved; other mail is not changed.
"""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from pbem.cli.failure import CliError
from pbem.post.account.password import INSTALL
from pbem.post.servers.trouble import (
    Trouble,
    connection_trouble,
    login_trouble,
    one_line,
    starttls_trouble,
)

if TYPE_CHECKING:
    from pbem.post.account.account import Account

SECONDS: Final = 30
"""How many seconds a server may take to answer."""
FIRST_LOOK: Final = 30
"""How many days back the first look at a mailbox goes."""


class Mailbox:
    """One connection to a mailbox. `close` ends it."""

    def __init__(self, account: Account, password: str) -> None:
        """Connect, log in and open the folder. Raises Trouble, CliError."""
        self.account = account
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
            with self._errors():
                self._client.logout()
        except Trouble:
            with contextlib.suppress(OSError):
                self._client.shutdown()  # a server that is silent is not told

    # -------------------------------------------------------------- reading
    def new_mails(self, after: int) -> list[tuple[int, int]]:
        """Return the number (UID) and size of each message after this number, oldest first.

        If `after` is 0, only messages of the last thirty days are returned. Raises Trouble.
        """
        with self._errors():
            wanted: list[Any] = ["UID", f"{after + 1}:*"]
            if not after:
                since = datetime.now(UTC) - timedelta(days=FIRST_LOOK)
                wanted = ["SINCE", since.date()]
            self._client.noop()  # some servers report new mail only after this
            uids = [uid for uid in self._client.search(wanted) if uid > after]
            found = self._client.fetch(uids, ["RFC822.SIZE"]) if uids else {}
            # `found` may also say which flags of other messages changed meanwhile
            return [(uid, int(found.get(uid, {}).get(b"RFC822.SIZE", 0))) for uid in sorted(uids)]

    def last(self) -> int:
        """Return the highest number that a message can have now. Raises Trouble."""
        with self._errors():
            status = self._client.folder_status(self.account.folder, ["UIDNEXT"])
            return int(status[b"UIDNEXT"]) - 1

    def fetch(self, uid: int) -> bytes:
        """Return the bytes of a message, which stays unread; empty if it is gone.

        Raises Trouble.
        """
        with self._errors():
            row = self._client.fetch([uid], ["BODY.PEEK[]"]).get(uid, {})
            return bytes(row.get(b"BODY[]") or b"")

    def has(self, message_id: str) -> bool:
        """Return whether a message with this Message-ID is in the mailbox, or among sent mail."""
        with self._errors():
            try:
                return any(self._find(folder, message_id) for folder in self._places())
            finally:
                self._open(self.account.folder)

    def _find(self, folder: str, message_id: str) -> list[int]:
        if not self._client.folder_exists(folder):
            return []
        self._client.select_folder(folder, readonly=True)
        return list(self._client.search(["HEADER", "Message-ID", message_id]))

    def _places(self) -> list[str]:
        """Return the folders where the copy of a sent message can be; some are for sent mail."""
        names = [self.account.folder, "INBOX", self.account.sent_folder]
        find = self._client.find_special_folder
        names += [find(kind) or "" for kind in (b"\\Sent", b"\\All")]
        return [name for name in dict.fromkeys(names) if name]

    def file_copy(self, uids: Sequence[int]) -> None:
        """Mark copies of sent mail as read, and move them out of the way. Raises Trouble."""
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
                self._client.uid_expunge(uids)  # only these: others may have deleted mail too

    # -------------------------------------------------------------- waiting
    def wait(self, seconds: float) -> bool:
        """Wait until something changes in the folder, or for this long; return whether it changed.

        If the server lacks IDLE, wait for the whole time. Raises Trouble.
        """
        import time

        if not self._can_idle:
            time.sleep(seconds)
            return False
        with self._errors():
            self._client.idle()
            try:
                said = self._client.idle_check(timeout=seconds)
            finally:
                self._client.idle_done()
        return any(isinstance(row, tuple) and b"EXISTS" in row for row in said)

    # -------------------------------------------------------------- inside
    def _log_in(self, password: str) -> None:
        from imapclient.exceptions import LoginError

        try:
            with self._errors(passing=LoginError):
                self._client.login(self.account.user, password)
        except LoginError as error:
            said = one_line(error)
            raise login_trouble(self.account.imap, self.account.user, said, "IMAP") from None

    def _open(self, folder: str) -> int:
        from imapclient.exceptions import IMAPClientError

        with self._errors(passing=IMAPClientError):
            try:
                return int(self._client.select_folder(folder)[b"UIDVALIDITY"])
            except IMAPClientError as error:
                if isinstance(error, self._client.AbortError):
                    server = self.account.imap
                    raise connection_trouble(error, server, "IMAP", began=True) from None
                told = f"IMAP: the mailbox has no folder {folder!r} ({one_line(error)})"
                raise Trouble(
                    told, f"it has: {self._folders()}; pbem post setup --mail-folder NAME"
                ) from None

    def _folders(self) -> str:
        names = [str(name) for _, _, name in self._client.list_folders()]
        return ", ".join(names[:20]) or "none"

    @contextlib.contextmanager
    def _errors(self, passing: type[Exception] | tuple[()] = ()) -> Iterator[None]:
        """Turn the library's errors into Trouble, except those of the types in `passing`."""
        from imapclient.exceptions import IMAPClientError

        try:
            yield
        except (IMAPClientError, OSError, EOFError, ValueError) as error:
            if isinstance(error, passing):
                raise
            raise connection_trouble(error, self.account.imap, "IMAP", began=True) from error


def _connected(account: Account) -> Any:
    """Open a connection that is encrypted, or to this computer. Raises Trouble, CliError."""
    try:
        from imapclient import IMAPClient
        from imapclient.exceptions import IMAPClientError
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] != "imapclient":
            raise
        raise CliError("the post needs libraries that are not installed", INSTALL) from None
    server, context = account.imap, trusted(account)
    try:
        client = IMAPClient(
            server.host, server.port, ssl=server.security == "tls", ssl_context=context,
            timeout=SECONDS,
        )  # fmt: skip
    except (OSError, IMAPClientError, EOFError) as error:
        raise connection_trouble(error, server, "IMAP") from None
    if server.security == "starttls":
        try:
            client.starttls(context)
        except OSError as error:
            client.shutdown()
            raise connection_trouble(error, server, "IMAP") from None
        except (IMAPClientError, EOFError):
            client.shutdown()
            raise starttls_trouble(server, "IMAP") from None
    return client


def trusted(account: Account) -> ssl.SSLContext:
    """Return the certificates to trust. Raises CliError for a file that contains none."""
    try:
        return ssl.create_default_context(cafile=account.ca or None)
    except (OSError, ssl.SSLError):
        hint = "it must be a file in PEM format: -----BEGIN CERTIFICATE-----"
        raise CliError(f"{account.ca} cannot be read as a certificate", hint) from None
