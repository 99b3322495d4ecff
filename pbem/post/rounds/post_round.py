"""One pass over everything: new mail, all games, mail to send. It can be killed at any moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import CliError, sentence_of
from pbem.mail.sent_mail import SentMail
from pbem.post.account.account import boxes
from pbem.post.account.password import password_of
from pbem.post.letters.outbox import Outbox
from pbem.post.notify.notifier import Notifier
from pbem.post.rounds.collect import Collector
from pbem.post.rounds.deliver import Deliverer
from pbem.post.rounds.one_game import GameKeeper
from pbem.post.servers.mailbox import Mailbox
from pbem.post.servers.trouble import Trouble

if TYPE_CHECKING:
    from pbem.cli.session.keyring import Keyring
    from pbem.post.account.account import Account, PostBox
    from pbem.post.rounds.log import Log


class Post:
    """One mailbox during a run: its connection, and the reading and sending of its mail."""

    def __init__(self, box: PostBox, account: Account, keyring: Keyring, log: Log) -> None:
        self.account, self.log = account, log
        self.outbox = Outbox(box, account)
        self.collector = Collector(box, account, self.outbox, keyring, log)
        self._password = ""
        self._mailbox: Mailbox | None = None

    def collect(self) -> int:
        """Read new mail; return how many messages there were. A trouble is printed only once."""
        try:
            count = self.collector.collect(self.mailbox())
        except CliError as error:
            self._in_trouble("imap", error)
            return 0
        self.log.fine(f"imap {self.account.address}", "reading mail works again")
        return count

    def deliver(self) -> int:
        """Send the letters in the outbox; return how many were sent."""
        try:
            if next(self.outbox.waiting(), None) is None:
                return 0
            sender = Deliverer(self.account, self.password, self.outbox, self.log)
            count = sender.deliver(self._mailbox)
        except CliError as error:
            self._in_trouble("smtp", error)
            return 0
        self.log.fine(f"smtp {self.account.address}", "sending mail works again")
        return count

    @property
    def password(self) -> str:
        """The password; the command or the keyring is asked for it only once in a run."""
        self._password = self._password or password_of(self.account)
        return self._password

    def mailbox(self) -> Mailbox:
        """Return the open mailbox. Raises Trouble, CliError."""
        if self._mailbox is None:
            self._mailbox = Mailbox(self.account, self.password)
        return self._mailbox

    def wait(self, seconds: float) -> bool:
        """Wait for new mail for this long; return whether there is any. Raises Trouble."""
        return self.mailbox().wait(seconds)

    def close(self) -> None:
        """Close the connection."""
        if self._mailbox:
            self._mailbox.close()
            self._mailbox = None

    def _in_trouble(self, what: str, error: CliError) -> None:
        key = f"{what} {self.account.address}"
        self.log.trouble(key, str(error), hint=error.hint, server=True)
        self._password = ""  # perhaps somebody corrects it
        if isinstance(error, Trouble):
            self.close()


class PostRound:
    """Passes over all mailboxes and games of one home."""

    def __init__(self, keyring: Keyring, log: Log) -> None:
        self.keyring, self.home, self.log = keyring, keyring.home, log
        found = [(box, box.read()) for box in boxes(self.home)]
        self.posts = {box.profile: Post(box, account, keyring, log) for box, account in found}
        self.notifier = Notifier(self.home, log)
        self._bugs: dict[str, str] = {}
        self._settle()

    def close(self) -> None:
        """Close all connections."""
        for post in self.posts.values():
            post.close()

    def whole(self) -> int:
        """Read mail, look after all games, send mail; return how many things happened."""
        came = sum(post.collect() for post in self.posts.values())
        return came + self.games()

    def games(self) -> int:
        """Look after all games, and send mail; return how many things happened."""
        outboxes = {name: post.outbox for name, post in self.posts.items()}
        keeper = GameKeeper(self.keyring, outboxes, self.notifier, self.log)
        changed = sum(self._game(keeper, ident) for ident in self.home.games())
        sent = sum(post.deliver() for post in self.posts.values())
        self.notifier.send()
        return changed + sent

    def _game(self, keeper: GameKeeper, ident: str) -> bool:
        """Look after one game. An error in it is printed, and does not stop the other games."""
        try:
            changed = keeper.look_after(ident)
        except Exception as error:  # noqa: BLE001 - one broken game must not stop the others
            told = sentence_of(error) or self._bug(ident, error)
            self.log.trouble(ident, f"game {ident[:6]}: {told}", hint=getattr(error, "hint", ""))
            return False
        if changed:
            self.log.fine(ident, f"game {ident[:6]} can be read again")
        return changed

    def _bug(self, ident: str, error: Exception) -> str:
        """Write the sentence about a bug; its details are saved only once."""
        from pbem.cli.failure import bug_sentence

        name = f"{ident} {error!r}"
        if name not in self._bugs:
            self._bugs[name] = bug_sentence(error)
        return self._bugs[name]

    def _settle(self) -> None:
        """Note what letters in the outbox contain; a killed run may not have done so."""
        for post in self.posts.values():
            post.outbox.tidy()
            for queued in post.outbox.waiting():
                records = [bytes.fromhex(record) for record in queued.records]
                if queued.game and records:
                    book = SentMail(self.home.game(queued.game))
                    if not all(book.was_sent(queued.person, one) for one in records):
                        book.sent(queued.person, records)
