"""Read a mailbox with IMAP, with a limit on every answer."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from pbem.errors import CliError
from pbem.mail.unpack_mail import MAX_POST
from pbem.missing_libraries import needing_libraries
from pbem.post.mail_account import SETUP_COMMAND, Account
from pbem.post.mail_server_connection import (
    Trouble,
    check_password,
    connection_trouble,
    login_trouble,
    one_line,
    open_client,
    tls_context,
    within_limits,
)

# ---- Read a mailbox with IMAP, through the library `imapclient`
#
# Only the copies of sent mail are marked as read and moved; other mail is not changed.

READ_TIMEOUT_SECONDS: Final = 30
"""The longest time of a server for one read."""
FAREWELL_SECONDS: Final = 5.0
"""The longest time of a server to end the connection."""
MAX_UIDS_PER_COMMAND: Final = 500
"""The most messages that one command names; servers refuse commands that are too long."""
MAX_SERVER_NUMBER: Final = 0xFFFFFFFF
"""The largest number (UID, UIDVALIDITY) that a server may use (RFC 9051)."""
FIRST_LOOK_DAYS: Final = 30
"""The number of days that the first look at a mailbox goes back."""


class Mailbox:
    """One connection to a mailbox. `close` ends it."""

    def __init__(self, account: Account, password: str) -> None:
        """Connect, log in and open the folder. Raises Trouble, CliError."""
        self.account = account
        self._works = True
        """Whether the connection can still be used: no error has come."""
        # the highest number before the last search, and whether `wait` has asked for a higher one
        self._highest_uid, self._has_checked_news = 0, False
        self._client = _connect(account)
        try:
            self._log_in(password)
            self.validity = self._open(account.folder)
            self._can_idle: bool = self._client.has_capability("IDLE")
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection to the mail server."""
        try:
            if self._works:
                with self._errors(seconds=FAREWELL_SECONDS):
                    self._client.logout()
        except Trouble:
            pass
        if not self._works:
            with contextlib.suppress(OSError):
                self._client.shutdown()  # without a goodbye, which a silent server does not answer

    def new_mails(self, last_uid: int) -> list[tuple[int, int]]:
        """Return the number (UID) and size of each message after `last_uid`, oldest first.

        If `last_uid` is 0, only messages of the last thirty days are returned. Raises Trouble.
        """
        if self._can_idle:
            self._highest_uid, self._has_checked_news = self.last_uid(), False
        with self._errors():
            criteria: list[Any] = ["UID", f"{last_uid + 1}:*"]
            if not last_uid:
                first_moment = datetime.now(UTC) - timedelta(days=FIRST_LOOK_DAYS)
                criteria = ["SINCE", first_moment.date()]
            self._client.noop()  # some servers report new mail only after this
            uids = {
                uid for uid in self._client.search(criteria) if last_uid < uid <= MAX_SERVER_NUMBER
            }
        sorted_uids, mails = sorted(uids), list[tuple[int, int]]()
        for start in range(0, len(sorted_uids), MAX_UIDS_PER_COMMAND):
            uid_group = sorted_uids[start : start + MAX_UIDS_PER_COMMAND]
            with self._errors():
                rows = self._client.fetch(uid_group, ["RFC822.SIZE"])
                # the rows may also say which flags of other messages changed meanwhile
                mails += [(uid, int(rows.get(uid, {}).get(b"RFC822.SIZE", 0))) for uid in uid_group]
        return mails

    def last_uid(self) -> int:
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
        """Return whether a message with this Message-ID is in the mailbox, or among sent mail. The
        account's folder stays open. Raises Trouble."""
        self._has_checked_news = False
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
        if not self._has_checked_news:
            # mail that came since the search may have been announced meanwhile
            self._has_checked_news = True
            if self.last_uid() > self._highest_uid:
                return True
        with self._errors():
            self._client.idle()
            try:
                responses = self._client.idle_check(timeout=seconds)
            finally:
                last_responses = self._client.idle_done()[1]
            responses = [*responses, *last_responses]
        return any(isinstance(row, tuple) and b"EXISTS" in row for row in responses)

    def _log_in(self, password: str) -> None:
        """Log in with a password or an access token. Raises Trouble."""
        from imapclient.exceptions import LoginError

        account, server = self.account, self.account.imap
        check_password(password, account, server, "IMAP")
        log_in = self._client.oauth2_login if account.by_token else self._client.login
        try:
            with self._errors(passed_errors=LoginError):
                log_in(account.user, password)
        except LoginError as error:
            raise login_trouble(account, server, one_line(error), "IMAP") from None

    def _open(self, folder: str) -> int:
        """Open a folder of the mailbox; return its UIDVALIDITY, which changes if the server numbers
        its messages anew. Raises Trouble."""
        from imapclient.exceptions import IMAPClientError

        with self._errors(passed_errors=IMAPClientError):
            try:
                return int(self._client.select_folder(folder)[b"UIDVALIDITY"]) & MAX_SERVER_NUMBER
            except IMAPClientError as error:
                if isinstance(error, self._client.AbortError):
                    server = self.account.imap
                    raise connection_trouble(error, server, "IMAP", has_answered=True) from None
                sentence = f"IMAP: the mailbox has no folder {folder!r} ({one_line(error)})"
                names = [str(name) for _, _, name in self._client.list_folders()]
                folder_names = ", ".join(names[:20]) or "none"
                choice = f"choose one of its folders ({folder_names})"
                hint = f"{choice}: {SETUP_COMMAND} --mail-folder NAME"
                raise Trouble(sentence, hint) from None

    @contextlib.contextmanager
    def _errors(
        self, passed_errors: type[Exception] | tuple[()] = (), seconds: float | None = None
    ) -> Iterator[None]:
        """In the block, turn errors into Trouble, except `passed_errors`; after it, the connection
        is not used again. `seconds` is the longest time for the whole answer.

        A server can send an answer for which the library raises any error: IndexError,
        RecursionError…
        """
        try:
            with within_limits(seconds):
                yield
        except CliError:
            self._works = False
            raise
        except Exception as error:
            if isinstance(error, passed_errors):
                raise
            self._works = False
            raise connection_trouble(error, self.account.imap, "IMAP", has_answered=True) from error


def _connect(account: Account) -> Any:
    """Return an encrypted ImapClient that has not logged in. Raises Trouble, CliError."""
    problem = "automatic mail needs libraries that are not installed"
    with needing_libraries(["imapclient"], problem, "imapclient", "keyring"):
        from imapclient.exceptions import IMAPClientError

        from pbem.post.imap_client_with_limits import ImapClient
    server, context = account.imap, tls_context(account, account.imap)
    return open_client(
        server,
        "IMAP",
        lambda: ImapClient(
            server.host, server.port, ssl=server.security == "tls", ssl_context=context,
            timeout=READ_TIMEOUT_SECONDS,
        ),
        lambda client: client.starttls(context),
        ImapClient.shutdown,
        (IMAPClientError, EOFError),
    )  # fmt: skip
