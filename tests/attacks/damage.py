"""What people, disks and cheats do to a game's folder, and what an audit must find: a table.

A row says what is done and every finding that follows, each of them whole, as `told` writes it:
`grade path: sentence [reason] culprit turn N proof`. In a finding, `…` stands for any text, and
{0}, {1} for the first and second file that was written. `test_damage.py` does it and looks.

The scenes are fixtures: `short` has four turns, of which seat a answers the last; `ended` has five
and its final; in `playing` the referee plays seat a; in `changed` seat c is taken over with turn
5, and seat b gets a new key with turn 6; in `silent` there are deadlines.
"""

import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from pbem.files.signed_and_seen import Sighting
from pbem.format.signed_file import sign
from pbem.judge.audit_report import Finding
from pbem.judge.evidence_from_own_machine import Witness
from pbem.judge.make_signed_records import make_join, make_notice
from pbem.judge.notice_kinds import Leave, Vote
from pbem.judge.read_and_make_messages import Reader, make_message, seating_with
from pbem.records.notice import SCORE
from pbem.records.read_and_sign_record import Record, make
from pbem.wording.audit_certificate import sentence_of_finding
from tests.attacks.forging import Forged, turn_path
from tests.kit.played_games import HOUR, REFEREE, START, played_key
from tests.kit.record_files import record_path

JUNK = b"junk\n"


class Damaged(Forged):
    """A copy of a scene's folder, and the files that were written into it."""

    def __init__(self, game: Any, to: Path) -> None:
        super().__init__(game, to)
        self.new: list[str] = []
        self.made: list[Record[Any]] = []

    def path(self, pattern: str) -> str:
        """The one file of the scene whose name fits."""
        if "*" not in pattern:
            return pattern
        (found,) = self.root.glob(pattern)
        return found.relative_to(self.root).as_posix()

    def signer(self, name: str) -> Any:
        """The key of a seat's player now, or of the person with this name."""
        return self.game.seats[name].key if name in self.game.seats else played_key(name)

    def add(self, path: str, data: bytes) -> None:
        path = self.path(path)
        (self.root / path).parent.mkdir(exist_ok=True)
        self.write(path, data)
        self.new.append(path)

    def put(self, content: Any, by: str, to: str = "") -> None:
        """Sign a record, and write it into its own place or another."""
        record = make(content, self.signer(by))
        self.made.append(record)
        self.add(to or record_path(record), record.file)


Deed = Callable[[Damaged], object]


def of(what: Any, changes: dict[str, Any]) -> dict[str, Any]:
    """The changes to a record; those that are functions are asked about this."""
    return {name: one(what) if callable(one) else one for name, one in changes.items()}


# ------------------------------------------------------------------ what is done to files
def remove(*patterns: str) -> Deed:
    def do(f: Damaged) -> None:
        for pattern in patterns:
            for path in list(f.root.glob(pattern)):
                path.unlink()

    return do


def write(data: bytes, *paths: str) -> Deed:
    def do(f: Damaged) -> None:
        for path in paths:
            f.add(path, data)

    return do


def copy(path: str, to: str) -> Deed:
    """A copy under another name; `#` there stands for the six digits in the first."""
    return lambda f: f.add(to.replace("#", f.path(path)[-11:-5]), f.read(f.path(path)))


def swap(one: str, other: str) -> Deed:
    def do(f: Damaged) -> None:
        first, second = f.read(f.path(one)), f.read(f.path(other))
        f.add(one, second)
        f.add(other, first)

    return do


def cut(path: str, to: str, size: int) -> Deed:
    return lambda f: f.add(to, f.read(f.path(path))[:size])


def link(path: str) -> Deed:
    """The file lies elsewhere, and a link leads to it."""

    def do(f: Damaged) -> None:
        moved = f.root.parent / "elsewhere.toml"
        shutil.move(f.root / path, moved)
        (f.root / path).symlink_to(moved)

    return do


def sign_as(kind: str, path: str, by: str) -> Deed:
    """The file's text with a signature of another kind."""

    def do(f: Damaged) -> None:
        body = f.read(f.path(path)).partition(b"# -----BEGIN")[0]
        f.add(path, sign(kind, body, f.signer(by)).file)

    return do


def folder(path: str) -> Deed:
    def do(f: Damaged) -> None:
        (f.root / path).unlink(missing_ok=True)
        (f.root / path).mkdir()

    return do


# ------------------------------------------------------------------ what is signed
def later(content: Any) -> int:
    """A second later: other bytes, and nothing else is wrong."""
    return int(content.time) + 1


def turn(number: int, to: str = "", by: str = REFEREE, **changes: Any) -> Deed:
    """The turn, signed again, in its place or another; with what it says changed."""

    def do(f: Damaged) -> None:
        content = f.game.turns[number - 1].content
        f.put(replace(content, **of(content, changes)), by, to or turn_path(number))

    return do


def alone(number: int, **changes: Any) -> Deed:
    """The turn with other contents is the last one."""
    return lambda f: f.resign(number, **of(f, changes))


def final(to: str = "final.toml", by: str = REFEREE, **changes: Any) -> Deed:
    """The secrets, opened after the last turn of the scene unless changed."""
    return lambda f: f.put(replace(f.game.made.final(), **changes), by, to)


def charter(**changes: Any) -> Deed:
    return lambda f: f.put(replace(f.game.charter.content, **changes), REFEREE, "game.toml")


def join(by: str = "Eve", name: str = "Bo", **changes: Any) -> Deed:
    """A join for seat b without the code of its invite."""

    def do(f: Damaged) -> None:
        like = make_join(f.game.charter, "b", name, f.signer(by), b"?" * 16)
        f.put(replace(like.content, **of(f, changes)), by)

    return do


def orders(seat: str, turn: int, revision: int = 9, by: str = "", **changes: Any) -> Deed:
    """Orders that answer this turn; no audit opens what no turn lists."""

    def do(f: Damaged) -> None:
        like = next(iter(f.game.orders.values())).content
        head = [*f.game.heads, *[bytes(32)] * 9][turn]
        content = replace(like, seat=seat, turn=turn, prev=head, revision=revision)
        f.put(replace(content, **of(f, changes)), by or seat)

    return do


def later_orders(seat: str, turn: int, revision: int) -> Deed:
    """Orders with this number, and an id that is greater than that of the seat's others."""

    def do(f: Damaged) -> None:
        mine = [r for r in f.game.orders.values() if r.content.seat == seat]
        like = next(r for r in mine if r.content.turn == turn)
        for last in range(256):
            box = like.content.box[:-1] + bytes([last])
            content = replace(like.content, revision=revision, box=box)
            if make(content, f.signer(seat)).id > max(r.id for r in mine):
                f.put(content, seat)
                return
        raise AssertionError("no such id")

    return do


def notice(
    writer: str, turn: int, number: int = 1, by: str = "", saying: Any = None, **changes: Any
) -> Deed:
    def do(f: Damaged) -> None:
        signer, place = by or writer, (f.game.game_folder.game, turn, f.game.heads[turn])
        like = make_notice(place, writer, number, saying or Vote(SCORE), f.signer(signer))
        f.put(replace(like.content, **changes), signer)

    return do


def message(number: int, by: str = "b", **changes: Any) -> Deed:
    """Bo writes to all after turn 2."""

    def do(f: Damaged) -> None:
        game, key = f.game.game_folder.game, f.game.seats["b"].key
        bo, seating = Reader("b", b""), seating_with(f.game.made.chain.standing)
        place, text = (game, 2, f.game.heads[2]), ("hello",)
        like = make_message(place, number, START, text, bo, key, "", seating)
        f.put(replace(like.content, **changes), by)

    return do


# ------------------------------------------------------------------ whose machine looks
Machine = Callable[[Damaged], Witness]


def machine(seat: str, *odd: Sighting, by: str = "", sits: bool = True) -> Machine:
    """It has the key of the seat, and has sealed nothing."""
    return lambda f: Witness(seat, f.signer(by or seat).seed, sits=sits, implausible_dates=odd)


def sealed(seat: str, seconds: int, before: int, by: str = "", sits: bool = True) -> Machine:
    """It sealed what was written so many seconds before the date of this turn."""

    def look(f: Damaged) -> Witness:
        when = f.game.turns[before - 1].content.time - seconds
        ids = {record.id.hex(): when for record in f.made}
        return Witness(seat, f.signer(by or seat).seed, ids, sits=sits)

    return look


class Row(NamedTuple):
    """Something that is done to a folder, and what follows."""

    what: str
    do: Iterable[Deed]
    finds: list[str]
    exit: int = 0
    scene: str = "short"
    looks: Machine | None = None
    facts: dict[str, Any] | None = None
    """Of the report."""

    def __str__(self) -> str:
        return self.what


def finding_line(finding: Finding) -> str:
    """The finding in one line, with all that it says."""
    line = f"{finding.grade} {finding.path}: {sentence_of_finding(finding)} [{finding.reason}]"
    line += f" {finding.culprit}" if finding.culprit else ""
    line += f" turn {finding.turn}" if finding.turn else ""
    return line + " proof" * finding.proof


# ------------------------------------------------------------------ the table
# fmt: off
MISSING = "broken turns/{0:04}.toml: turn {0} is missing, although {1} [parent] turn {0}"
IGNORED = "this file is not a turn that Ref signed{}; pbem advance will set the file aside"
AS_TURN = "this file has the wrong name: it contains turn {}; get the file again"
AS_OTHER_TURN = IGNORED.format(f" ({AS_TURN})")
NOT_READ = (
    "foreign turns/0505.toml: pbem did not read 1 more file with the name of a turn: remove the "
    "file [name]"
)
STRAY = "foreign turns/{:04}.toml: " + IGNORED.format("") + " [{}]"
TWO = (
    "the referee's key signed two different versions of turn {0}: … in {1}, and … in this file "
    "[fork] referee turn {0} proof"
)
COPY = (
    "foreign {0}: this is a second copy, as cloud drives make them; pbem reads only the file "
    "without the addition in its name [name]"
)
LINK = (
    "foreign link: this is a link, which pbem does not follow; put the file or folder itself in "
    "its place [name]"
)
AGAIN = (
    "foreign {0}: this file is a copy of a file that the game has; you may remove the copy [seen]"
)
NO_GAME = "foreign {0}: this file is not part of the game [name]"
NO_RECORD = (
    "this file does not end with a signature; perhaps it was cut off, or is not a file "
    "of a game [trailer]"
)
OTHER_GAME = "this file belongs to another game"


def missing(first: int, last: int, because: str) -> list[str]:
    return [MISSING.format(n, because) for n in range(first, last + 1)]


def in_places(first: int, last: int) -> list[str]:
    return [turn_path(n) for n in range(first, last + 1)]


TURNS = [
    Row("nothing", [], [], facts={"waiting": 1, "turns": 4, "told": None}),
    Row("a turn in the middle is missing", [remove(turn_path(3))],
        missing(3, 3, "turns/0004.toml is here"), 5, facts={"turns": 2}),
    Row("the first two turns are missing", [remove(*in_places(1, 2))],
        missing(1, 2, "turns/0003.toml is here"), 5, facts={"turns": 0}),
    Row("the last turn is missing, and the final builds on it", [remove(turn_path(5))],
        missing(5, 5, "final.toml builds on this turn"), 5, "ended", facts={"over": False}),
    Row("a turn far ahead: ten of the missing are named", [turn(4, turn_path(30), turn=30)],
        missing(5, 14, "turns/0030.toml is here"), 5),
    Row("one turn missing and one far ahead",
        [remove(turn_path(2)), turn(4, turn_path(9), turn=9)],
        missing(2, 2, "turns/0003.toml is here") + missing(5, 8, "turns/0009.toml is here"), 5,
        facts={"turns": 1}),
    Row("two turns exchanged", [swap(turn_path(2), turn_path(3))],
        [f"broken {{0}}: {AS_TURN.format(3)} [place] turn 2",
         f"broken {{1}}: {AS_TURN.format(2)} [place] turn 3"], 3),
    Row("a turn signed by a stranger", [turn(3, by="Eve")],
        [("broken {0}: the key that signed this file may not sign a turn "
          "in this game [key] turn 3")], 4,
        facts={"turns": 2}),
    Row("a turn signed by a player", [turn(3, by="b")],
        [("broken {0}: the key that signed this file may not sign a turn "
          "in this game [key] turn 3")], 4),
    Row("a turn of another game of the same referee", [turn(3, game=bytes(32))],
        [f"broken {{0}}: {OTHER_GAME} [place] turn 3"], 3),
    Row("a turn on which the next one does not build", [turn(3, time=later)],
        [("broken turns/0004.toml: turn 4 follows a version of turn 3 that differs from the one "
        "in this folder [place] referee turn 4"),
         ("stray orders/0003-b-1-….toml: seat b signed these orders for a version of turn 3 "
         "that differs from the one in this folder [fork]")],
         3, facts={"turns": 3, "proven": False}),
    Row("a link in the place of a turn", [link(turn_path(3))],
        ["broken turns/0003.toml: is a link, … [file] turn 3"], 4),
    Row("a folder in the place of a turn", [folder(turn_path(3))],
        ["broken turns/0003.toml: is a folder [file] turn 3"], 4),
    Row("a charter of rules that are not here",
        [remove("turns/*", "orders/*", "seats/*"), charter(version="99")],
        ["broken {0}: this game uses version 99 … [version]"], 6),
    Row("junk in the place of the charter", [write(JUNK, "game.toml")],
        [f"broken {{0}}: {NO_RECORD}"], 4, facts={"heads": []}),
    Row("the charter of another game", [charter(title="Other")],
        [("broken game.toml: this is the game.toml of another game: the other … files in this "
        "folder belong to game …; ask a player for their game.toml [place]")], 3),
    # copies, and second bodies for one place
    Row("a copy of a turn", [copy(turn_path(3), "turns/0003 (1).toml")], [AGAIN]),
    Row("a copy of a turn outside", [copy(turn_path(3), "an old turn.toml")], [AGAIN]),
    Row("another turn 3 of the referee's", [turn(3, "turns/0003 (1).toml", time=later)],
        ["broken {0}: " + TWO.format(3, turn_path(3))], 3),
    Row("another turn 3 of the referee's, outside", [turn(3, "an old one.toml", time=later)],
        ["broken {0}: " + TWO.format(3, turn_path(3))], 3),
    Row("another turn 3 of the referee's, far ahead", [turn(3, turn_path(9), time=later)],
        ["broken {0}: " + TWO.format(3, turn_path(3))], 3),
    Row("the same turn 3 far ahead", [copy(turn_path(3), turn_path(9))],
        [f"foreign {{0}}: {AS_OTHER_TURN.format(3)} [place]"]),
    Row("another turn 1 in the place of turn 2", [turn(1, turn_path(2), time=later)],
        [f"broken {{0}}: {AS_TURN.format(1)} [place] turn 2",
         "broken {0}: " + TWO.format(1, turn_path(1))], 3),
    Row("a copy of a turn of another game", [turn(3, "turns/0003 (1).toml", game=bytes(32))],
        [COPY]),
    Row("another turn 3 of a stranger's", [turn(3, "turns/0003 (1).toml", "Eve", time=later)],
        [COPY]),
    Row("a turn far ahead by a stranger", [turn(4, turn_path(9), "Eve", turn=9)],
        [STRAY.format(9, "key")]),
    Row("a turn far ahead by the referee", [turn(4, turn_path(9), turn=9)],
        missing(5, 8, "turns/0009.toml is here"), 5),
    Row("junk and half a turn in the places of twelve turns to come",
        [write(JUNK, *in_places(5, 15)), cut(turn_path(3), turn_path(16), 99)],
        [*(STRAY.format(n, "trailer") for n in range(5, 16)),
         ("foreign turns/0016.toml: this file is empty, or has only a part of a turn; let the "
         "folder sync "
         "[trailer]")]),
    Row("junk in the places of 501 turns to come", [write(JUNK, *in_places(5, 505))],
        [*(STRAY.format(n, "trailer") for n in range(5, 505)),
         NOT_READ]),
    Row("501 copies of a turn in the places of turns to come",
        [copy(turn_path(2), path) for path in in_places(5, 505)],
        [NOT_READ,
         *(f"foreign {path}: {AS_OTHER_TURN.format(2)} [place]"
           for path in in_places(5, 12)),
         "foreign turns/0013.toml: 493 more files have the name of a later turn. … [name]"]),
    Row("another turn 2 of the deputy's", [turn(2, "turns/0002 (1).toml", "Dee", time=later)],
        [("stray {0}: the deputy signed this turn 2 (…), but the turn 2 that counts is … in "
        "turns/0002.toml [fork] deputy")],
        scene="deputised", facts={"deputy": "Dee"}),
    Row("two turns to come of the deputy's",
        [turn(2, f"turns/0009 ({n}).toml", "Dee", turn=9, time=n) for n in (1, 2)],
        [("stray {0}: the deputy signed this turn 9, which has no effect: only Ref, the referee, "
        "may make turn 9 [fork] deputy"),
         ("broken {1}: the deputy's key signed two different versions of turn 9: … in {0}, and … "
         "in this file [fork] deputy turn 9 proof")], 3, "deputised"),
    Row("a turn to come of the deputy's, and one of a stranger's",
        [turn(2, "turns/0009 (1).toml", "Eve"), turn(2, "turns/0009 (2).toml", "Dee", turn=9)],
        [COPY,
         ("stray {1}: the deputy signed this turn 9, which has no effect: only Ref, the referee, "
         "may make turn 9 [fork] deputy")], scene="deputised"),
]

def shut(f: Damaged) -> dict[str, bytes]:
    """The packets of turn 4; that of seat a does not open."""
    packets = f.turns[3].content.packets
    return {**packets, "a": bytes(len(packets["a"]))}


OPENED = Damaged.open_early
EARLY = "broken final.toml: the referee opened the secrets before the game was over [state] referee"
AS_FINAL = "broken final.toml: this is a record of kind turn, not final [place]"
LAST = (
    "broken final.toml: final.toml follows a different turn, not the last turn in this folder "
    "[place]"
)

FINAL = [
    Row("nothing, when the game is over", [], [], scene="ended",
        facts={"proven": True, "final": True, "waiting": 0}),
    Row("no final", [remove("final.toml")], [], scene="ended",
        facts={"over": True, "proven": False}),
    Row("no final and no last turn", [remove("final.toml", turn_path(5))], [], scene="ended",
        facts={"over": False, "turns": 4}),
    Row("secrets that are open too early", [OPENED], [EARLY], 3, facts={"final": True}),
    Row("secrets that are open too early, where seats changed hands", [OPENED],
        [EARLY,
         "stray orders/0005-b-1-….toml: these orders are signed with an old key of seat b [key]"],
        3, "changed", facts={"final": True, "left_out": []}),
    Row("a final by a stranger", [final(by="Eve")],
        [("broken {0}: the key that signed this file may not sign "
          "final.toml in this game [key]")], 4, "ended",
        facts={"proven": False}),
    Row("a final on another turn 5", [final(prev=bytes(32))], [f"{LAST} referee"], 3, "ended",
        facts={"proven": False}),
    Row("a final in the place of turn 4", [final(turn=4)],
        ["broken {0}: " + TWO.format(4, turn_path(4))], 3, facts={"proven": False}),
    Row("a final of another game", [final(game=bytes(32))],
        [f"broken {{0}}: {OTHER_GAME} [place]"], 3, "ended"),
    Row("a final in the place of turn 2, on no turn", [final(turn=2, prev=bytes(32))],
        ["broken {0}: " + TWO.format(2, turn_path(2))], 3),
    Row("a final after a turn that is missing", [final(turn=6)],
        missing(5, 5, "final.toml builds on this turn"), 5),
    Row("a final with another share of the deck", [final(r_ref=bytes(32))],
        [("broken {0}: the secret that the referee publishes (field r_ref) is not the secret "
          "that the referee committed to in game.toml [commitment] referee")], 4,
        "ended", facts={"proven": False}),
    Row("a final with another secret for audits", [final(audit=bytes(32))],
        [("broken {0}: the key that the referee publishes (field audit) is not the key "
          "that the referee committed to in game.toml [commitment] referee")], 4,
        "ended", facts={"proven": False}),
    Row("turn 2 in the place of the final", [copy(turn_path(2), "final.toml")], [AS_FINAL], 3),
    Row("another turn 2 in the place of the final", [turn(2, "final.toml", time=later)],
        [AS_FINAL, "broken {0}: " + TWO.format(2, turn_path(2))], 3),
    Row("a final in the place of turn 5, beside the right one", [final("final (1).toml", turn=5)],
        ["broken {0}: " + TWO.format(5, turn_path(5))], 3, "ended"),
    Row("a final in the place of turn 5", [final(turn=5)],
        ["broken {0}: " + TWO.format(5, turn_path(5))], 3, "ended"),
    Row("junk in the place of turn 5, and secrets that are open too early",
        [write(JUNK, turn_path(5)), OPENED], [EARLY, STRAY.format(5, "trailer")], 3),
    Row("junk in the place of turn 5, turn 4 in that of turn 6, and a final after it",
        [write(JUNK, turn_path(5)), copy(turn_path(4), turn_path(6)), final(turn=7)],
        [STRAY.format(5, "trailer").replace("foreign", "broken") + " turn 5",
         f"foreign {{1}}: {AS_OTHER_TURN.format(4)} [place]"], 4),
    Row("the packets of a turn changed: nobody can say so", [alone(4, packets=shut)],
        [("stray orders/0004-a-1-….toml: seat a signed these orders for a version of turn 4 "
        "that differs from the one in this folder [fork]")]),
    Row("the packets of a turn changed, and the secrets open",
        [alone(4, packets=shut), OPENED],
        [EARLY,
         ("broken turns/0004.toml: the secret part for seat a "
         "(its packet): the box of seat a (field packet) does not open: … [box] referee turn 4"),
         ("stray orders/0004-a-1-….toml: seat a signed these orders for a version of turn 4 "
         "that differs from the one in this folder [fork]")], 4, facts={"final": False, "log": []}),
]


UNUSED = "stray {0}: this join for seat b did not get the seat [state]"
ASK = (
    "ask {{0}}: you joined {} before the date of turn 1, but turn 1 does not name your join: ask "
    "Ref why [state]"
)
SHARED = (
    "stray {{0}}: this join for seat b has a key of {}, so it cannot count [key]"
)
OTHER_ONE = [
    f"stray orders/0001-{seat}-1-….toml: seat {seat} signed these orders for a version of turn 1 "
    f"that differs from the one in this folder [fork]"
    for seat in "ab"
]

JOINS = [
    Row("no join of seat b", [remove("seats/b-*")],
        [("broken seats/b-….toml: this file is missing, although turn 1 lists it: a join of Bo "
        "[parent] turn 1")], 5,
        facts={"turns": 0}),
    Row("junk in the place of the join of seat b", [write(JUNK, "seats/b-*")],
        [f"broken {{0}}: {NO_RECORD} turn 1"], 4),
    Row("a second join", [join()], [UNUSED]),
    Row("a second join, signed an hour before turn 1", [join()], [ASK.format("60 minutes")], 1,
        looks=sealed("b", HOUR, 1, "Eve", sits=False)),
    Row("a second join, signed ten minutes before turn 1", [join()], [ASK.format("10 minutes")], 1,
        looks=sealed("b", 600, 1, "Eve", sits=False)),
    Row("a second join, signed less than ten minutes before turn 1", [join()], [UNUSED],
        looks=sealed("b", 599, 1, "Eve", sits=False)),
    Row("a second join, signed on another machine", [join()], [UNUSED],
        looks=machine("b", by="Eve", sits=False)),
    Row("a second join of the same person", [join("b", "Bob")], [UNUSED],
        looks=sealed("b", HOUR, 1)),
    Row("a join that the referee left out by word",
        [join(), alone(1, by_word=lambda f: (f.made[0].id,))], OTHER_ONE,
        looks=sealed("b", HOUR, 1, "Eve", sits=False)),
    Row("a word about a join that is not here", [alone(1, by_word=(bytes([10]) * 32,))], OTHER_ONE,
        facts={"by_word": [("", "", "0a0a0a", False, "")]}),
    Row("a word about a join with its invite",
        [alone(1, by_word=lambda f: (f.game.joins["b"].id,)), OPENED],
        [("broken turns/0001.toml: the turn says that seat b joined without the invite, but the "
        "join … was made with the invite [rule] referee turn 1")], 1,
        facts={"turns": 0, "final": False, "log": []}),
    Row("a second join before turn 1", [join()], [], scene="unbegun"),
    Row("a join by a key of the referee's seat", [join("a")], [SHARED.format("seat a")],
        scene="playing"),
    Row("a join with the box of seat a", [join(x25519=lambda f: f.game.joins["a"].content.x25519)],
        [SHARED.format("seat a")]),
    Row("a join with the referee's key for recovery", [join(recovery=lambda f: f.key.public)],
        [SHARED.format("the referee")]),
    Row("such a join, signed an hour before turn 1", [join(recovery=lambda f: f.key.public)],
        [SHARED.format("the referee")], looks=sealed("b", HOUR, 1, "Eve", sits=False)),
]

LATE = (
    "stray {0}: no turn lists these orders: they came too late, or the referee left them out "
    "[state]"
)
ELSEWHERE = (
    "stray {{0}}: seat {} signed these orders for a version of turn {} that differs from "
    "the one in this folder [fork]"
)
MISPLACED = (
    "this file has the wrong name: it contains orders of seat {} for turn {}; "
    "get the file again [place]"
)
NAMED = (
    "stray {{0}}: these orders are in the name of seat {1}, but are signed with the key of seat "
    "{0} [key] seat {0}"
)
FOREIGN = "foreign {0}: the key that signed this file may not sign orders in this game [key]"
FORMER = "stray {}: these orders are signed with an old key of seat b [key]"
THEN = FORMER.format("orders/0005-b-1-….toml")
IN_TIME = (
    "ask {{0}}: as far as this computer can tell, your orders … for turn 1 were in time: you "
    "sealed them at 2027-01-15 {} UTC, {} minutes before the date of turn 2. But turn 2 does not "
    "list them. If you sent them before that date, ask Ref why [state]"
)
UNKNOWN = (
    "ask {0}: your orders … answer turn 1, but turn 2 does not list them. If you sent the orders "
    "in time, ask Ref why [state]"
)
OWN_LATE = (
    "stray {0}: turn 2 does not list your orders … for turn 1. You sealed them 9 minutes before "
    "the date of turn 2, so they came too late, or clocks differ [state]"
)

ORDERS = [
    Row("no used orders", [remove("orders/0002-a-*")],
        [("broken orders/*-….toml: this file is missing, although turn 3 lists it: orders of Ann "
        "[parent] turn 3")],
        5),
    Row("no used orders of two people",
        [remove("orders/0001-a-*", "orders/0002-a-*", "orders/0003-b-*")],
        [("broken orders: 2 sets of orders of Ann are missing, although turns list them: … "
         "(turn 2), … (turn 3) [parent] turn 2"),
         ("broken orders/*-….toml: this file is missing, although turn 4 lists it: orders of Bo "
         "[parent] turn 4")],
        5),
    Row("junk in the place of used orders", [write(JUNK, "orders/0002-a-*")],
        [f"broken {{0}}: {NO_RECORD} turn 3"], 4),
    Row("used orders signed as a join", [sign_as("join", "orders/0003-b-*", "b")],
        ["broken {0}: … [field] turn 4"], 4),
    Row("used orders of two turns exchanged", [swap("orders/0001-a-*", "orders/0002-a-*")],
        [f"broken {{0}}: {MISPLACED.format('a', 2)} turn 2",
         f"foreign {{1}}: {MISPLACED.format('a', 1)}"], 3),
    Row("used orders of two seats exchanged", [swap("orders/0001-b-*", "orders/0001-a-*")],
        [f"broken {{0}}: {MISPLACED.format('a', 1)} turn 2",
         f"foreign {{1}}: {MISPLACED.format('b', 1)}"], 3),
    Row("used orders under the name of another seat too",
        [copy("orders/0003-b-*", "orders/0003-a-1-#.toml")],
        [f"foreign {{0}}: {MISPLACED.format('b', 3)}"]),
    Row("junk with the digits of used orders",
        [copy("orders/0003-b-*", "orders/0001-a-99-#.toml"), lambda f: f.write(f.new[0], JUNK)],
        [f"foreign {{0}}: {NO_RECORD}"]),
    Row("junk before, in and behind the place of used orders",
        [write(JUNK, "orders/0001-a-1-abcdef.toml", "orders/0002-a-*",
               "orders/0004-b-1-abcdef.toml"), orders("b", 1)],
        [f"broken {{1}}: {NO_RECORD} turn 3", f"foreign {{0}}: {NO_RECORD}", LATE.replace("0", "3"),
         f"foreign {{2}}: {NO_RECORD}"], 4),
    Row("orders of seat b by seat a", [orders("b", 2, by="a")], [NAMED.format("a", "b")]),
    Row("orders of seat a by seat b", [orders("a", 2, by="b")], [NAMED.format("b", "a")]),
    Row("orders by a stranger", [orders("b", 2, by="Eve")], [FOREIGN]),
    Row("orders of a seat that there is not", [orders("c", 2, by="Eve")], [FOREIGN]),
    Row("orders on another turn 2", [orders("b", 2, prev=bytes(32))], [ELSEWHERE.format("b", 2)]),
    Row("orders on another last turn", [orders("b", 4, prev=bytes(32))],
        [ELSEWHERE.format("b", 4)], facts={"waiting": 1}),
    Row("orders that answer the last turn or later ones",
        [orders("b", 4), orders("a", 4), orders("b", 5), orders("b", 9)], [], facts={"waiting": 5}),
    Row("orders that no turn lists", [orders("b", 1)], [LATE]),
    Row("orders that no turn lists, sealed an hour before it", [orders("b", 1)],
        [IN_TIME.format("07:02", 60)], 1, looks=sealed("b", HOUR, 2)),
    Row("orders that no turn lists, sealed ten minutes before it", [orders("b", 1)],
        [IN_TIME.format("07:52", 10)], 1, looks=sealed("b", 600, 2)),
    Row("orders that no turn lists, sealed less than ten minutes before it", [orders("b", 1)],
        [OWN_LATE], looks=sealed("b", 599, 2)),
    Row("orders that no turn lists, sealed on another machine", [orders("b", 1)], [UNKNOWN], 1,
        looks=machine("b")),
    Row("orders that no turn lists, on another seat's machine", [orders("b", 1)], [LATE],
        looks=sealed("a", HOUR, 2)),
    Row("orders on another turn 2, sealed in time", [orders("b", 2, prev=bytes(32))],
        [ELSEWHERE.format("b", 2)], looks=sealed("b", HOUR, 3)),
    Row("orders of the referee's seat, sealed in time", [orders("a", 2)], [LATE], scene="playing",
        looks=sealed("a", HOUR, 3)),
    Row("orders of the referee's seat before the turn was published",
        [orders("a", 1, prev=lambda f: f.game.heads[0])], [LATE], scene="playing"),
    Row("orders of the referee's seat before the last turn was published",
        [orders("a", 4, prev=lambda f: f.game.heads[3])], [LATE], scene="playing"),
    Row("orders of a player before the turn was published",
        [orders("b", 1, prev=lambda f: f.game.heads[0])], [ELSEWHERE.format("b", 1)],
        scene="playing"),
    Row("orders whose place later ones took", [orders("b", 1, 2)], [], scene="replaced"),
    Row("orders whose place later ones took, on their owner's machine", [orders("b", 1, 2)],
        [], scene="replaced", looks=machine("b")),
    Row("orders with the number of those that counted, and a greater id", [later_orders("b", 1, 3)],
        [], scene="replaced"),
    Row("orders with a number below those of another seat", [orders("b", 1, 2)], [LATE],
        scene="refused"),
    Row("orders before others that were refused", [orders("b", 1, 3)], [LATE], scene="refused"),
    Row("refused orders, on their owner's machine", [], [], scene="refused", looks=machine("b")),
    Row("orders that a turn lists as late", [], [], scene="late"),
    Row("orders that a turn lists as late, on their owner's machine", [],
        [("ask orders/0002-b-9-….toml: your orders … answer turn 2, but turn 3 does not list them. "
         "If you sent the orders in time, ask Ref why [state]")], 1, "late", machine("b")),
    Row("orders that a turn lists as late, on another seat's machine", [], [], scene="late",
        looks=machine("a")),
    Row("orders by the key before, since it does not count",
        [orders("b", 5, by="Bo"), orders("b", 6, by="Bo"), orders("b", 9, by="Bo")],
        [THEN, *map(FORMER.format, ("{0}", "{1}", "{2}"))], scene="changed", facts={"waiting": 1}),
    Row("orders by the key before, while it counted", [orders("b", 4, by="Bo")], [LATE, THEN],
        scene="changed"),
    Row("orders of another seat by the key before", [orders("a", 3, by="Bo")],
        [NAMED.format("b", "a"), THEN], scene="changed"),
    Row("orders by the new key", [orders("b", 9)], [THEN], scene="changed", facts={"waiting": 2}),
    Row("orders of the referee's seat before turn 1", [], [], scene="unbegun",
        facts={"waiting": 1, "turns": 0}),
    Row("orders of a player before turn 1", [orders("b", 1)],
        ["broken turns/0001.toml: turn 1 is missing, although {0} answers turn 1 [parent] turn 1"],
        5, scene="unbegun", facts={"waiting": 2}),
]

UNLISTED = (
    "stray {0}: no turn lists this notice: the notice came too late, or the referee left it out "
    "[state]"
)
STRANGER = "foreign {0}: this notice is signed with a key that nobody in this game has [key]"
SIGNED = (
    "ask {{0}}: you signed a notice (vote) {} minutes before the date of turn {}, but no turn "
    "lists the notice. If you sent the notice before that date, ask Ref why [state]"
)

NOTICES = [
    Row("a notice that no turn lists", [notice("b", 2)], [UNLISTED]),
    Row("notices after the last turn", [notice("b", 4), notice("a", 4)], [], facts={"waiting": 3}),
    Row("a notice on another last turn", [notice("b", 4, prev=bytes(32))],
        [("stray {0}: this notice of seat b has no effect: this notice was written after a "
        "turn that is not in this game [state]")]),
    Row("a notice by a stranger", [notice("b", 2, by="Eve")], [STRANGER]),
    Row("a notice in another's name", [notice("b", 2, 2, "a")],
        [("stray {0}: this notice of seat b has no effect: the notice is not signed with the "
         "writer's present key [state]")]),
    Row("five notices, of which one waits",
        [notice("referee", 1, by="Eve", seat="b"), notice("a", 2, 2), notice("b", 2, by="Eve"),
         notice("b", 2, 2), notice("a", 4)],
        [STRANGER, UNLISTED.replace("0", "1"), STRANGER.replace("0", "2"),
         UNLISTED.replace("0", "3")]),
    Row("a notice signed ten minutes before turn 3", [notice("b", 2)], [SIGNED.format(10, 3)], 1,
        looks=sealed("b", 600, 3)),
    Row("a notice signed ten minutes before turn 4", [notice("b", 2)], [SIGNED.format(10, 4)], 1,
        looks=sealed("b", 600, 4)),
    Row("a notice signed later", [notice("b", 2)], [UNLISTED], looks=sealed("b", 599, 4)),
    Row("a notice signed in time, on another seat's machine", [notice("b", 2)], [UNLISTED],
        looks=sealed("a", 7200, 3)),
    Row("a notice on turn 3, signed before turn 3", [notice("b", 3)], [SIGNED.format(11, 4)], 1,
        looks=sealed("b", 600, 3)),
    Row("a notice after the last turn, signed long ago", [notice("b", 4, saying=Leave())], [],
        looks=sealed("b", 7200, 1)),
]

MESSAGES = [
    Row("two messages", [message(1), message(2)], [], facts={"messages": 2}),
    Row("a message on another turn 2", [message(1), message(2, prev=bytes(32))],
        ["stray {1}: … [fork]"], facts={"messages": 1}),
    Row("a message by a stranger", [message(1, by="Eve")], ["foreign {0}: … [key]"],
        facts={"messages": 0}),
    Row("a message, and no joins", [message(1), remove("seats/*")],
        [("broken seats/a-….toml: this file is missing, although turn 1 lists it: a join of Ann "
        "[parent] turn 1"),
         ("broken seats/b-….toml: this file is missing, although turn 1 lists it: a join of Bo "
         "[parent] turn 1")],
        5,
        facts={"messages": 0}),
]

STRAYS = [
    *(Row(f"a file called {name}", [write(b"whatever\n", name)], [finds], scene="ended",
          facts={"proven": True})
      for name, finds in {
          "turns/0002 (1).toml": COPY, "turns/0002-DESKTOP-7.toml": COPY,
          "game (Bo's conflicted copy).toml": COPY,
          "orders/0003-q-1-abcdef.toml": COPY, "orders/0003-b-100-abcdef.toml": COPY,
          "notes.txt": NO_GAME, "turns/12.toml": NO_GAME, "seats/notes.txt": NO_GAME,
          "orders/CON": "foreign {0}: Windows does not allow this name [name]",
          "turns/0002.toml.part":
              "foreign {0}: another program is downloading or writing this file, … [name]",
          "orders/0003-b-1-ABCDEF.toml":
              "foreign {0}: the name of this file has capitals; rename it to lowercase [name]",
          "seats/c-abcdef.toml": f"foreign {{0}}: {NO_RECORD}",
      }.items()),
    Row("files of the system", [write(JUNK, ".DS_Store", "turns/.~pbem-ab")], []),
    Row("folders", [folder("backup"), folder("turns/0009 (1)")],
        ["foreign backup: this is a folder, and pbem does not look inside [name]",
         "foreign turns/0009 (1): this is a folder, and pbem does not look inside [name]"]),
    Row("a link to a turn", [lambda f: (f.root / "link").symlink_to(turn_path(3))],
        [LINK]),
    Row("a copy of a join", [copy("seats/b-*", "seats/b-1 (1).toml")], [NO_GAME]),
    Row("a turn among the joins", [copy(turn_path(1), "seats/notes.txt")], [NO_GAME]),
    Row("a copy of the charter", [copy("game.toml", "game (1).toml")], [COPY]),
    Row("a copy of a turn with the charter's name", [copy(turn_path(1), "game (1).toml")], [AGAIN]),
]

DATED = "ask turns/{:04}.toml: turn {} was {}, ask Ref why [state]"
ODD = [Sighting(2, 7200, 1), Sighting(3, -7200, 1)]

MACHINES = [
    Row("odd dates, and no deadlines", [], [], looks=machine("b", *ODD)),
    Row("the odd date of a turn that is not here", [],
        [DATED.format(9, 9, "not in this folder at …")], 1,
        looks=machine("b", *ODD, Sighting(9, 7200, 1))),
    Row("odd dates, and deadlines", [alone(4)],
        [DATED.format(2, 2, "not in this folder at …"),
         DATED.format(3, 3, "in this folder at …")], 1, "silent",
        machine("b", *ODD)),
    Row("the machine of seat a", [], [], looks=machine("a")),
    Row("the machine of seat b", [], [], looks=machine("b")),
    Row("a stranger's machine, with a seat", [],
        [("broken turns/0001.toml: seat b has a different key from yours "
         "[key] referee turn 1")], 4, looks=machine("b", by="Eve")),
    Row("a stranger's machine, with a join", [], [], looks=machine("b", by="Eve", sits=False)),
]
# fmt: on

ROWS = [*TURNS, *FINAL, *JOINS, *ORDERS, *NOTICES, *MESSAGES, *STRAYS, *MACHINES]
