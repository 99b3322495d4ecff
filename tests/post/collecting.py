"""A mailbox that holds given messages, and whoever collects them."""

from pbem.files.home import Home
from pbem.mail.letter import Letter, letter_bytes
from pbem.person.keyring import Keyring
from pbem.post.collect_mail import Collector
from pbem.post.event_printer import Log
from pbem.post.mail_account import Account, PostBox, Server
from pbem.post.outbox import Outbox
from pbem.records.join import Join
from pbem.records.read_and_sign_record import Record
from tests.kit.named_games import invite
from tests.kit.people import NOW, Person, Round, output_of
from tests.kit.record_files import record_at

SERVER = Server("localhost", 1, "clear")


class Letters:
    """A mailbox with these messages."""

    validity = 1

    def __init__(self, *mails: bytes) -> None:
        self.mails = mails
        self.fetched: list[int] = []

    def new_mails(self, after: int) -> list[tuple[int, int]]:
        return [(n, len(m)) for n, m in enumerate(self.mails, start=1) if n > after]

    def fetch(self, uid: int) -> bytes:
        self.fetched.append(uid)
        return self.mails[uid - 1]

    def file_copy(self, uids: list[int]) -> None:
        """Leave them where they are."""


def collector(person: Person) -> Collector:
    home = Home(person.home)
    account = Account("rhea@example.org", "rhea", SERVER, SERVER, "command", "true",
                      games=str(person.place))  # fmt: skip
    box = PostBox(home)
    return Collector(box, account, Outbox(box, account), Keyring(home), Log())


def join_from_afar(table: Round) -> Record[Join]:
    """Bo's join, made in a folder of his own with the charter alone."""
    far = table.root / "far"
    far.mkdir()
    (far / "game.toml").write_bytes((table.shared / "savannah/game.toml").read_bytes())
    output_of(table.person("bo"), ["join", "-C", str(far), "--invite", invite(table, "b")])
    (path,) = (far / "seats").iterdir()
    return record_at(path)


def mail_with_text(sender: str, text: str, ident: str = "<1@example.org>") -> bytes:
    return letter_bytes(Letter("rhea@example.org", "x", "x\n", text, "x.pbem"), sender, ident, NOW)
