"""The demonstration: a whole game of bots through a real folder, proven at the end, and found out
wherever somebody touches it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from games.registry import names, ruleset
from pbem.format.keys import SigningKey
from tests.kit.named_games import start
from tests.kit.people import Person, Round, Said, snapshot
from tests.kit.record_files import record_at, resigned
from tests.kit.selection import long, pairs

SPAN = [
    (name, n) for name in names() for n in (ruleset(name).players[0], ruleset(name).players[-1])
]
QUICK = [("evolution", 2)]


def demo_output(table: Round, game: str, players: int, where: str, *more: str) -> Said:
    line = ["demo", "--game", game, "--players", str(players), "--folder", where, *more]
    return table.person("ann").pbem(line)


@pytest.fixture(scope="module")
def finished_demo(tmp_path_factory: pytest.TempPathFactory, kept: Path) -> Path:
    """Where `pbem demo --seed 1 --ask` for two was played."""
    return start("demo", tmp_path_factory.mktemp("demo"), kept).shared / "one"


@pytest.mark.long
def test_the_same_seed_makes_every_byte_again(finished_demo: Path, tmp_path: Path) -> None:
    said = demo_output(Round(tmp_path), "evolution", 2, "two", "--seed", "1", "--ask")
    assert (said.exit, "Proven" in said.out) == (0, True), said
    folder = tmp_path / "shared/two/savannah"
    assert said.out.splitlines()[:2] == [
        "Ann and Bo are bots and play evolution. Each seals order files;",
        f"Rhea publishes signed turn files in {folder}",
    ]
    assert said.out.splitlines()[-1].endswith(f": {folder}")
    assert snapshot(folder) == snapshot(finished_demo / "savannah")
    homes = [path.name for path in (folder.parent / "homes").iterdir()]
    assert sorted(homes) == ["a", "b", "referee"]


@pytest.mark.long
@pytest.mark.parametrize("game", ["classroom", *long(sorted({*names()} - {"classroom"}))])
def test_bots_say_whole_rounds_at_once(tmp_path: Path, game: str) -> None:
    table = Round(tmp_path)
    said = demo_output(table, game, 4, "here", "--seed", "2")
    assert (said.exit, "Proven" in said.out) == (0, True), said.text
    rounds = re.findall(r"(?:round|turn) (\d+)", said.out)[0]
    turns = len(list((tmp_path / "shared/here/savannah/turns").iterdir()))
    assert turns - 1 <= 1.2 * int(rounds)  # turn 1 asks the first round


@pytest.mark.long
@pytest.mark.parametrize(("game", "players"), SPAN)
def test_every_ruleset_for_few_and_many(tmp_path: Path, game: str, players: int) -> None:
    table = Round(tmp_path)
    said = demo_output(table, game, players, "here")
    assert (said.exit, "Proven" in said.out) == (0, True), said.text
    assert table.person("eve").really("audit here/savannah").exit == 0


# ---------------------------------------------------------------- tampering
class Crime:
    """A copy of a finished game that somebody has touched."""

    def __init__(self, table: Round) -> None:
        self.folder = table.shared / "savannah"
        self.eve = Person("eve", table.root / "eve", table.shared, table.shared)

    def file(self, pattern: str) -> Path:
        return sorted(self.folder.glob(pattern))[0]

    def found_in(self, *paths: Path | str, head: str = "") -> Said:
        """The audit fails, and names each of these files."""
        said = self.eve.pbem(["audit", "savannah", *(["--head", head] if head else [])])
        assert said.exit not in (0, 2, 70), said
        broken = [line for line in said.out.splitlines() if line.startswith("broken")]
        for path in paths:
            name = path if isinstance(path, str) else path.relative_to(self.folder).as_posix()
            assert any(name in line for line in broken), said.out
        assert "Proven" not in said.out
        return said


@pytest.fixture
def crime(game: Callable[[str], Round]) -> Crime:
    return Crime(game("over"))


USED = ["game.toml", "seats/a-*", "orders/0005-*", "turns/0009.toml", "final.toml"]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("pattern", "where"), pairs(USED, [0, 100, -300, -2]))
def test_a_byte_changed(crime: Crime, pattern: str, where: int) -> None:
    path = crime.file(pattern)
    data = bytearray(path.read_bytes())
    data[where] ^= 1
    path.write_bytes(data)
    crime.found_in(path)


@pytest.mark.sample(1)
@pytest.mark.parametrize("number", [1, 2, 30])
def test_a_turn_removed(crime: Crime, number: int) -> None:
    path = crime.folder / f"turns/{number:04}.toml"
    path.unlink()
    crime.found_in(path)


def last_turn_path(crime: Crime) -> Path:
    return sorted(crime.folder.glob("turns/*"))[-1]


@pytest.mark.sample(0)
def test_the_last_turn_removed(crime: Crime) -> None:
    path = last_turn_path(crime)
    path.unlink()
    assert "final.toml builds on this turn" in crime.found_in(path).out


@pytest.mark.sample(1)
@pytest.mark.parametrize(("one", "two"), [(3, 4), (1, 20)])
def test_two_turns_swapped(crime: Crime, one: int, two: int) -> None:
    first, second = (crime.folder / f"turns/{n:04}.toml" for n in (one, two))
    kept = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(kept)
    crime.found_in(first, second)


def test_orders_of_another_seat_in_place_of_these(crime: Crime) -> None:
    mine, other = crime.file("orders/*-a-*"), crime.file("orders/*-b-*")
    mine.write_bytes(other.read_bytes())
    crime.found_in(mine)


def test_orders_of_another_turn_in_place_of_these(crime: Crime) -> None:
    early, late = crime.file("orders/*-a-*"), sorted(crime.folder.glob("orders/*-a-*"))[-1]
    early.write_bytes(late.read_bytes())
    crime.found_in(early)


def test_orders_removed(crime: Crime) -> None:
    path = crime.file("orders/*-a-*")
    path.unlink()
    digits = path.stem.rpartition("-")[2]
    assert digits in crime.found_in().out


def test_a_join_removed(crime: Crime) -> None:
    path = crime.file("seats/b-*")
    path.unlink()
    crime.found_in(path)


@pytest.mark.sample(1)
@pytest.mark.parametrize("pattern", ["turns/0001.toml", "turns/0012.toml", "final.toml"])
def test_signed_again_by_another_key(crime: Crime, pattern: str) -> None:
    path = crime.file(pattern)
    path.write_bytes(resigned(record_at(path), SigningKey(b"\x66" * 32)).file)
    crime.found_in(path)


def test_final_removed(crime: Crime) -> None:
    (crime.folder / "final.toml").unlink()
    number = int(last_turn_path(crime).stem)
    said = crime.eve.pbem("audit savannah")
    verdict = (
        f"Up to turn {number}, everything that pbem can check is right. The game is not proven"
    )
    assert (said.exit, verdict in said.out) == (0, True), said.out


@pytest.mark.long
def test_final_and_the_last_turn_removed(crime: Crime) -> None:
    words = crime.eve.pbem("audit savannah").out.splitlines()[-1].strip()
    (crime.folder / "final.toml").unlink()
    path = last_turn_path(crime)
    path.unlink()
    said = crime.eve.pbem("audit savannah")
    verdict = f"Up to turn {int(path.stem) - 1}, everything that pbem can check is right"
    assert (said.exit, verdict in said.out) == (0, True), said.out
    # who was told the head is not taken in
    assert "no turn in this folder has the words that you gave" in crime.found_in(head=words).out


@pytest.mark.long
def test_the_head_that_was_told_is_confirmed(crime: Crime) -> None:
    words = crime.eve.pbem("audit savannah").out.splitlines()[-1].strip()
    said = crime.eve.pbem(["audit", "savannah", "--head", words])
    assert (said.exit, len(words.split())) == (0, 12)


@pytest.mark.long
def test_a_host_and_the_referee_deal_together(tmp_path: Path) -> None:
    table = Round(tmp_path)
    said = demo_output(table, "classroom", 3, "here", "--seed", "2", "--dealers")
    assert said.exit == 0, said.text
    assert "The host and Rhea together could see every hand; neither can alone." in said.out
    folder = tmp_path / "shared/here/savannah"
    homes = sorted(path.name for path in (folder.parent / "homes").iterdir())
    assert homes == ["a", "b", "c", "host", "referee"]
    deal = sorted((folder / "deals").iterdir())[2]
    deal.write_bytes(deal.read_bytes().replace(b"share", b"shore", 1))
    audited = table.person("ann").pbem(["audit", "-C", str(folder)])
    assert audited.exit == 4, audited.text
