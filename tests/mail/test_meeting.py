"""One player who only ever uses mail and one who only ever uses a synced folder play one game."""

import mailbox
import shutil
from pathlib import Path

import pytest

from pbem.desk.advance import bot_texts
from pbem.desk.orders import send
from pbem.desk.session import Session
from pbem.files.home import Home
from tests.kit.people import TABLE, Person, Said, snapshot
from tests.kit.selection import long
from tests.mail.post import CLIENTS

ROUNDS = 500
"""More than any game has."""
SOME = 10
"""As many turns as the short run plays."""


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
        said = sender.pbem(line + " --paste")
        assert said.exit == 0, said.text
        client = CLIENTS[self.mails % len(CLIENTS)]
        file = to.shared / f"mail({self.mails}).eml"
        file.write_bytes(client(said.out).as_bytes())
        for _ in range(1 + (self.mails % 5 == 0)):
            got = to.pbem(["receive", str(file)])
            assert got.exit == 0, got.text
        return got

    # -------------------------------------------------------------- the game
    def begin(self) -> None:
        line = f"new savannah --players Bo,Cy --referee Rhea --option together=yes --table {TABLE}"
        made = self.rhea.pbem(line)
        assert made.exit == 0, made.text
        invites = [row.split("pbem ")[1] for row in made.out.splitlines() if "--invite" in row]
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
        made = self.rhea.pbem("advance")
        assert made.exit == 0, made.text
        self.sync()
        over = (self.folder(self.rhea) / "final.toml").exists()
        asked = session(self.rhea).table_reader().chain.awaited
        assert over == (not asked)
        if last:
            self.mail(self.rhea, "send", self.cy)
            return True
        if "a" in asked:
            answer(self.bo, "a")
            self.sync()
        if over or "b" in asked:
            self.mail(self.rhea, "send", self.cy)
        if "b" in asked:
            answer(self.cy, "b")
            self.mail(self.cy, "send", self.rhea)
        return not over


def session(person: Person) -> Session:
    return Session(person.place, home=Home(person.home))


STANDING = ["always feed: * eats", "always think: done", "always leaf: done", "always pay: done"]
"""So that a round takes two or three turns, as when people play by mail."""


def answer(person: Person, seat: str) -> None:
    """A bot's lines and standing orders, sealed the way people do it."""
    mine = session(person)
    reader = mine.reader(seat)
    send(mine, reader, seat, [*bot_texts(reader, "greedy"), *STANDING])


@pytest.fixture(scope="module", params=["some turns", *long(["to the end"])])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Meeting:
    meeting = Meeting(tmp_path_factory.mktemp("meeting"))
    meeting.begin()
    whole = request.param == "to the end"
    ended = any(not meeting.step() for _ in range(ROUNDS if whole else SOME))
    assert ended == whole
    assert whole or meeting.step(last=True)
    return meeting


@pytest.mark.long
def test_they_play_and_each_can_audit(played):
    over = (played.folder(played.rhea) / "final.toml").exists()
    for person in (played.bo, played.cy):
        done = person.pbem("audit")
        assert (done.exit, "Proven" in done.out) == (0, over), done.text
    assert played.mails > len(CLIENTS)


def test_all_have_the_same_game(played):
    assert snapshot(played.folder(played.cy)) == snapshot(played.folder(played.rhea))
    assert snapshot(played.folder(played.bo)) == snapshot(played.folder(played.rhea))


def test_a_stranger_gets_the_whole_from_one_mailbox(played, tmp_path):
    """All mails that Cy ever got or sent, in one mbox, newest first."""
    box = mailbox.mbox(tmp_path / "box")
    ours = [*played.cy.shared.glob("*.eml"), *played.rhea.shared.glob("*.eml")]
    for file in sorted(ours, key=lambda f: -int(f.stem[5:-1])):
        box.add(file.read_bytes().replace(b"\r\n", b"\n"))
    box.close()
    eve = Person("eve", tmp_path / "home", tmp_path, tmp_path)
    got = eve.pbem("receive box")
    assert got.exit == 0, got.text
    assert snapshot(tmp_path / "savannah") == snapshot(played.folder(played.rhea))
    assert eve.pbem("audit savannah").exit == 0
