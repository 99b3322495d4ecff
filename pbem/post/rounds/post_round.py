"""One pass over everything: new mail, all games, mail to send. It can be killed at any moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.failure import CliError, bug_sentence, sentence_of
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


class _Bugs:
    """The bugs of this run; the details of each are written only once."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def sentence(self, about: str, error: Exception) -> str:
        """Return the sentence about a bug."""
        name = f"{about} {error!r}"
        if name not in self._told:
            self._told[name] = bug_sentence(error)
        return self._told[name]


class Post:
    """One mailbox during a run: its connection, and the reading and sending of its mail."""

    def __init__(self, box: PostBox, account: Account, keyring: Keyring, log: Log) -> None:
        self.account, self.log = account, log
        self.outbox = Outbox(box, account)
        self.collector = Collector(box, account, self.outbox, keyring, log)
        self._password = ""
        self._bugs = _Bugs()
        self._mailbox: Mailbox | None = None

    def collect(self) -> int:
        """Read new mail; return how many messages there were. A problem is printed only once."""
        try:
            count = self.collector.collect(self.mailbox())
        except Exception as error:  # noqa: BLE001 - one mailbox must not stop the others
            self._in_trouble("imap", error)
            return 0
        self.log.fine(f"imap {self.account.address}", "reading mail works again")
        return count

    def deliver(self) -> int:
        """Send the letters in the outbox; return how many were sent."""
        try:
            none_waits = next(self.outbox.waiting(), None) is None
            self._say_damaged()
            if none_waits:
                return 0
            sender = Deliverer(self.account, self.password, self.outbox, self.log)
            count = sender.deliver(self._mailbox)
        except Exception as error:  # noqa: BLE001 - as above
            self._in_trouble("smtp", error)
            return 0
        self.log.fine(f"smtp {self.account.address}", "sending mail works again")
        return count

    @property
    def password(self) -> str:
        """The password, which is asked for only once in a run, or a new access token."""
        if self.account.by_token:  # a token is valid for about an hour
            return password_of(self.account)
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

    def _say_damaged(self) -> None:
        for path in sorted(self.outbox.damaged):
            told = f"{path} is damaged, so it is not sent"
            hint = "remove it; pbem send --all writes everything for a player again"
            self.log.trouble(f"outbox {path}", told, "a message to be sent is damaged", hint)

    def _in_trouble(self, what: str, error: Exception) -> None:
        key = f"{what} {self.account.address}"
        told = sentence_of(error) or self._bugs.sentence(key, error)
        in_short = "mail cannot be read" if what == "imap" else "mail cannot be sent"
        self.log.trouble(key, told, in_short, getattr(error, "hint", ""), server=True)
        self._password = ""  # perhaps somebody corrects it
        if isinstance(error, Trouble) or not isinstance(error, CliError):
            self.close()


class PostRound:
    """Passes over all mailboxes and games of one home."""

    def __init__(self, keyring: Keyring, log: Log) -> None:
        self.keyring, self.home, self.log = keyring, keyring.home, log
        found = [(box, box.read()) for box in boxes(self.home)]
        self.posts = {box.profile: Post(box, account, keyring, log) for box, account in found}
        self.notifier = Notifier(self.home, log)
        self._bugs = _Bugs()
        self._settle()

    def close(self) -> None:
        """Close all connections."""
        for post in self.posts.values():
            post.close()

    def whole(self) -> int:
        """Read mail, look after all games, send mail; return how many things happened."""
        came = sum(post.collect() for post in self.posts.values())
        return came + self.games()

    def games(self, *, stores: bool = True) -> int:
        """Look after all games, and send mail; return how many things happened.

        `stores` says whether to look at stores on the network too; each look costs a request.
        """
        outboxes = {name: post.outbox for name, post in self.posts.items()}
        keeper = GameKeeper(self.keyring, outboxes, self.notifier, self.log)
        changed = sum(self._game(keeper, ident, stores) for ident in self.home.games())
        sent = sum(post.deliver() for post in self.posts.values())
        self._notify()
        return changed + sent

    def _notify(self) -> None:
        try:
            self.notifier.send()
        except Exception as error:  # noqa: BLE001 - games and mail do not need notifications
            told = sentence_of(error) or self._bugs.sentence("notify", error)
            self.log.trouble("notify", f"notifications: {told}", "notifications do not work")

    def _game(self, keeper: GameKeeper, ident: str, stores: bool) -> bool:
        """Look after one game. An error in it is printed, and does not stop the other games."""
        try:
            changed = keeper.look_after(ident, stores=stores)
        except Exception as error:  # noqa: BLE001 - one broken game must not stop the others
            told = sentence_of(error) or self._bugs.sentence(ident, error)
            in_short = f"game {ident[:6]} cannot go on"
            hint = getattr(error, "hint", "")
            self.log.trouble(ident, f"game {ident[:6]}: {told}", in_short, hint)
            return False
        if changed:
            self.log.fine(ident, f"game {ident[:6]} can be read again")
        return changed

    def _settle(self) -> None:
        """Note which records the letters in the outbox contain; a killed run may not have noted
        this."""
        for post in self.posts.values():
            post.outbox.tidy()
            for queued in post.outbox.waiting():
                records = [bytes.fromhex(record) for record in queued.records]
                if queued.game and records:
                    book = SentMail(self.home.game(queued.game))
                    if not all(book.was_sent(queued.person, one) for one in records):
                        book.sent(queued.person, records)
