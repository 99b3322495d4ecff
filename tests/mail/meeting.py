"""People who meet by a synced folder and by mail."""

import shutil
from pathlib import Path

from pbem.person.session import Session
from tests.kit.named_games import answer_as_bot, session_at
from tests.kit.people import TABLE, Person, Said, output_of, stdout_of
from tests.mail.post import CLIENTS


class Meeting:
    """Rhea deals in her own folder, Bo has a synced copy of it, Cy gets nothing but mail."""

    def __init__(self, root: Path) -> None:
        self.rhea, self.bo, self.cy = (self._person(root, name) for name in ("rhea", "bo", "cy"))
        self.mails = 0

    def _person(self, root: Path, name: str) -> Person:
        place = root / name
        place.mkdir()
        person = Person(name, root / "home" / name, place, place)
        person.import_key()
        return person

    def folder(self, person: Person) -> Path:
        return person.shared / "savannah"

    # -------------------------------------------------------------- the two ways
    def sync(self) -> None:
        """What a cloud drive does between Rhea and Bo: every file, both ways, whole."""
        ends = [self.folder(self.rhea), self.folder(self.bo)]
        for one, other in (ends, ends[::-1]):
            shutil.copytree(one, other, dirs_exist_ok=True)

    def mail(self, sender: Person, line: str, to: Person) -> Said:
        """Send what is due by the mail program whose turn it is; it may come twice."""
        self.mails += 1
        said = stdout_of(sender, line + " --paste")
        client = CLIENTS[self.mails % len(CLIENTS)]
        file = to.shared / f"mail({self.mails}).eml"
        file.write_bytes(client(said).as_bytes())
        for _ in range(1 + (self.mails % 5 == 0)):
            got = to.pbem(["receive", str(file)])
            assert got.exit == 0, got.text
        return got

    # -------------------------------------------------------------- the game
    def begin(self) -> None:
        line = f"new savannah --players Bo,Cy --referee Rhea --option together=yes --table {TABLE}"
        made = stdout_of(self.rhea, line)
        invites = [row.split("pbem ")[1] for row in made.splitlines() if "--invite" in row]
        self.rhea.place = self.folder(self.rhea)
        self.mail(self.rhea, "send --to Cy", self.cy)
        for person, invite in zip((self.bo, self.cy), invites, strict=True):
            self.sync()
            person.place = self.folder(person)
            assert person.pbem(invite).exit == 0
        self.mail(self.cy, "send", self.rhea)
        self.sync()

    def step(self, last: bool = False) -> bool:
        """A turn, and the answers to it unless it is the last one; False when the game is over."""
        output_of(self.rhea, "advance")
        self.sync()
        over = (self.folder(self.rhea) / "final.toml").exists()
        asked = session(self.rhea).readers.table().chain.awaited
        assert over == (not asked)
        if last:
            self.mail(self.rhea, "send", self.cy)
            return True
        if "a" in asked:
            bot_answers_standing(self.bo, "a")
            self.sync()
        if over or "b" in asked:
            self.mail(self.rhea, "send", self.cy)
        if "b" in asked:
            bot_answers_standing(self.cy, "b")
            self.mail(self.cy, "send", self.rhea)
        return not over


def session(person: Person) -> Session:
    return session_at(person.place, person)


STANDING = ["always feed: * eats", "always think: done", "always leaf: done", "always pay: done"]
"""So that a round takes two or three turns, as when people play by mail."""


def bot_answers_standing(person: Person, seat: str) -> None:
    """A bot's lines and standing orders, sealed the way people do it."""
    answer_as_bot(session(person), seat, STANDING)
