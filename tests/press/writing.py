"""People around a game in its middle who write to each other; files forged beside theirs."""

from dataclasses import replace as changed
from pathlib import Path

from pbem.format.secret_and_public_keys import SigningKey
from pbem.person.session import Session
from pbem.records.press_message import Press
from pbem.records.read_and_sign_record import Record, make
from tests.kit.named_games import session_of
from tests.kit.people import Person, Round, Said, key_of
from tests.kit.record_files import record_at, record_path

PEOPLE = ("ann", "bo", "rhea", "eve")


class Table:
    """A game with Ann in a, Bo in b, Rhea as referee, and Eve, who watches."""

    def __init__(self, table: Round) -> None:
        self.round, self.root = table, table.shared / "savannah"
        self.ann, self.bo, self.rhea, self.eve = (self._stand(name) for name in PEOPLE)

    def _stand(self, name: str) -> Person:
        return changed(self.round.person(name), place=self.root)

    @property
    def files(self) -> list[Path]:
        """The messages, in the order of their names."""
        folder = self.root / "press"
        return sorted(folder.iterdir()) if folder.exists() else []

    def tell(self, person: Person, *words: str, stdin: str = "") -> Record[Press]:
        """Write a message; the record."""
        before = set(self.files)
        said = person.pbem(["tell", *words], stdin)
        assert (said.exit, said.err) == (0, ""), said.text
        (new,) = set(self.files) - before
        return record_at(new)

    def put(self, press: Press, key: SigningKey) -> str:
        """Put a message into the folder, signed with this key; its path."""
        record = make(press, key)
        path = self.root / record_path(record)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(record.file)
        return record_path(record)

    def heard(self, person: Person, *options: str) -> list[str]:
        """What `since` shows of messages, without the game's own sentences."""
        said = person.pbem(["since", *options])
        assert said.exit == 0, said.text
        return messages_in(said)

    def session(self, person: Person) -> Session:
        """A session of this person in the game's folder."""
        return session_of(person)


def messages_in(said: Said) -> list[str]:
    """The lines below each heading of messages."""
    lines, inside = list[str](), False
    for line in said.out.splitlines():
        heading = not line.startswith(" ")
        inside = line.startswith("messages after turn") if heading else inside
        lines += [line.strip()] if inside and not heading else []
    return lines


__all__ = ["Table", "key_of", "messages_in"]
