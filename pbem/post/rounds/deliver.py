"""Send the letters in the outbox, each only once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbem.post.servers.sender import Refused, Sender

if TYPE_CHECKING:
    from pbem.post.account.account import Account
    from pbem.post.letters.outbox import Outbox, Queued
    from pbem.post.rounds.log import Log
    from pbem.post.servers.mailbox import Mailbox

HOUR: Final = 3600


class Deliverer:
    """Sends the letters of one account."""

    def __init__(self, account: Account, password: str, outbox: Outbox, log: Log) -> None:
        self.account, self.password = account, password
        self.outbox, self.log = outbox, log
        self._sender: Sender | None = None

    def deliver(self, mailbox: Mailbox | None) -> int:
        """Send the letters that can be sent; return how many were.

        Raises Trouble, even if the connection breaks during a message: a silent server uses up the
        whole time limit for each letter, so the other letters wait for the next pass. `mailbox` is
        needed for letters that may already have been sent; without it, they wait.
        """
        count = 0
        try:
            for queued in self.outbox.waiting():
                if self.outbox.was_sent(queued.key, queued.to):
                    self.outbox.mark_sent(queued)
                elif self._may_go(queued, mailbox):
                    count += self._send(queued)
        finally:
            if self._sender:
                self._sender.close()
                self._sender = None
        return count

    def _may_go(self, queued: Queued, mailbox: Mailbox | None) -> bool:
        """Return whether a letter may be sent: the limit allows it, and it was not sent before."""
        if self.outbox.sent_since(queued.to, HOUR) >= self.account.per_hour:
            told = (
                f"{queued.to} got {self.account.per_hour} messages in an hour, so pbem will send "
                "the others later"
            )
            self.log.note(f"limit {queued.to}", told)
            return False
        tried = self.outbox.tried(queued.key)
        if tried is None:
            return True
        if mailbox is None:
            return False
        if mailbox.has(queued.message_id):
            self.outbox.mark_sent(queued)
            self.log.say("sent", f"sent to {queued.to}: {queued.subject}", to=queued.to)
            return False
        if tried < self.account.wait_for_copy:
            told = (
                f"perhaps sent to {queued.to}: {queued.subject}; pbem is waiting for a copy of "
                "it in the mailbox"
            )
            self.log.note(f"unsure {queued.key}", told)
            return False
        return True

    def _send(self, queued: Queued) -> int:
        if self._sender is None:
            self._sender = Sender(self.account, self.password)
        try:
            self._sender.send(queued.to, queued.data, lambda: self.outbox.try_now(queued.key))
        except Refused as error:
            self._refused(queued, error)
            return 0
        self.outbox.mark_sent(queued)
        told = f"sent to {queued.to}: {queued.subject}"
        self.log.say("sent", told, to=queued.to, message_id=queued.message_id)
        return 1

    def _refused(self, queued: Queued, error: Refused) -> None:
        self.log.trouble(f"smtp {queued.to}", str(error), "a server refuses a message")
        if error.lasting:
            self.outbox.mark_refused(queued)
        else:
            self.outbox.not_sent(queued.key)
