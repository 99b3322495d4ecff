"""Crowds of files: whoever fills a folder with them stops no command and pushes out no record that
a turn names, and thrice as many cost no more than thrice the time."""

import shutil
import time

import pytest

from pbem.files.folder import Name
from pbem.files.home import Home
from pbem.format.keys import write_key
from pbem.format.mail_block import encode
from pbem.game.archive import MOST_JOINS, make_notice, notice_name
from pbem.records.notice import Delay
from tests.attacks.played import REFEREE, key_of
from tests.cli.people import Person
from tools import bomb_shapes

KEYS = {"Ann": "Ann", "Bo": "Bo's new key", "Gil": "Gil", REFEREE: REFEREE}


def at(game, root, name):
    """This person at a machine that has seen nothing of the game yet."""
    home = root.parent / f"home of {name} for {root.name}"
    if not home.exists():
        Home(home).write_key("default", write_key(key_of(KEYS[name])))
    return Person(name, home, root, root, {"SOURCE_DATE_EPOCH": str(game.now)})


@pytest.fixture
def copy(changed, tmp_path):
    """The game in which seat c has a new player and seat b a new key, to be filled up."""
    return shutil.copytree(changed.root, tmp_path / "game")


def empty_joins(root, game=None):
    for number in range(MOST_JOINS):
        (root / "seats" / f"a-{number:06x}.toml").touch()


def joins_of_strangers(root, game):
    for name, record in bomb_shapes.strange_joins(game, MOST_JOINS):
        (root / name.path).write_bytes(record.file)


# ------------------------------------------------------------------ what turns name
def exits(game, root):
    """How each person's commands end."""
    return {
        (name, line): at(game, root, name).pbem(line).exit
        for name in KEYS
        for line in ("status", "show", "check", "log", "audit", "advance")
    }


@pytest.mark.parametrize("crowd", [empty_joins, joins_of_strangers])
def test_two_hundred_joins_after_a_takeover_stop_no_command(changed, copy, tmp_path, crowd):
    crowded = shutil.copytree(copy, tmp_path / "crowded")
    crowd(crowded, changed)
    assert exits(changed, crowded) == exits(changed, copy)
    assert "let the folder sync" not in at(changed, crowded, "Gil").pbem("doctor").text


def test_mail_brings_a_join_that_a_turn_names_into_a_crowd(changed, copy, tmp_path):
    (later,) = changed.later
    path = f"seats/c-{later.hex()[:6]}.toml"
    file = (copy / path).read_bytes()
    (copy / path).unlink()
    empty_joins(copy)
    me = at(changed, copy, "Ann")
    assert "is missing" in me.pbem("status").text or "not here" in me.pbem("status").text
    (tmp_path / "mail").write_text(encode([file]))
    said = me.pbem(["receive", str(tmp_path / "mail"), "-C", str(copy)])
    assert said.exit == 0, said
    assert (copy / path).read_bytes() == file
    assert me.pbem("status").exit == 0


def test_mail_brings_a_notice_that_a_turn_names_into_a_crowd(changed, copy, tmp_path):
    """Whoever has an old key of a seat can sign any number of notices dated back."""
    listed = next(record for record in changed.notices.values() if record.content.about == "leave")
    place = (changed.game_folder.game, listed.content.turn, changed.heads[listed.content.turn])
    path = copy / notice_name(listed).path
    path.unlink()
    for hours in range(1, 100):
        number = (hours - 1) % 8 + 1
        one = make_notice(place, "c", number, Delay(hours), key_of("Cy"))
        (copy / notice_name(one).path).write_bytes(one.file)
    me = at(changed, copy, "Ann")
    assert me.pbem("status").exit == 5
    (tmp_path / "mail").write_text(encode([listed.file]))
    said = me.pbem(["receive", str(tmp_path / "mail"), "-C", str(copy)])
    assert path.read_bytes() == listed.file, said
    assert me.pbem("status").exit == 0


def test_notices_and_orders_with_the_same_digits_hide_nothing(changed, copy):
    """Names are taken from files that turns list; what is in them is junk."""
    for folder in ("orders", "notices"):
        for path in list((copy / folder).iterdir()):
            digits = path.name[-11:-5]
            for number in range(1, 9):
                junk = path.with_name(f"0001-a-{number}-{digits}.toml")
                if not junk.exists():
                    junk.write_bytes(b"junk\n")
    for name in KEYS:
        assert at(changed, copy, name).pbem("status").exit == 0
        assert at(changed, copy, name).pbem("audit").exit == 0


# ------------------------------------------------------------------ what a crowd costs
JUNK = {
    "orders": lambda n: Name("orders", n % 50 + 1, "b", n % 99 + 1, f"{n:06x}"),
    "notices": lambda n: Name("notice", n % 9_999 + 1, "b", n % 8 + 1, f"{n:06x}"),
}


def seconds(game, root, line, who):
    """What a command costs on a machine that has not seen the folder before."""
    me = at(game, root, who)
    start = time.process_time()
    said = me.pbem(line)
    cost = time.process_time() - start
    shutil.rmtree(me.home)
    assert said.exit in (0, 4, 5), said.exit
    return cost


@pytest.mark.parametrize(
    ("folder", "line", "who"),
    [
        ("orders", "advance", REFEREE),
        ("orders", "doctor", "Ann"),
        ("notices", "status", "Ann"),
        ("notices", "audit", "Ann"),
    ],
)
def test_thrice_the_junk_costs_no_more_than_thrice_the_time(short, tmp_path, folder, line, who):
    """Of three measurements the best counts, as the machine may be busy."""
    roots = []
    for count in (3_000, 9_000):
        roots.append(shutil.copytree(short.root, tmp_path / str(count)))
        for number in range(count):
            path = roots[-1] / JUNK[folder](number).path
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(b"junk\n")
    found = []
    for _ in range(3):
        few, many = (seconds(short, root, line, who) for root in roots)
        found.append(many / few)
        if found[-1] <= 3.3:
            return
    pytest.fail(f"{folder}: {line} on 9,000 files costs {found} times as much as on 3,000")
