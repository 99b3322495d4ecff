"""Crowds of files: whoever fills a folder with them stops no command and pushes out no record that
a turn names, and thrice as many cost no more than thrice the time."""

import json
import re
import shutil
import time

import pytest

from pbem.files.home import Home
from pbem.files.record_file_names import Name
from pbem.format.mail_block import encode
from pbem.format.openssh_key_files import write_key
from pbem.format.secret_and_public_keys import SigningKey
from pbem.judge.make_signed_records import make_join, make_notice
from pbem.judge.notice_kinds import Delay
from pbem.mail.write_and_describe_bundle import format_bundle
from pbem.records.record_count_and_size_limits import MAX_OTHER_JOINS
from tests.kit.named_games import invite, made, session_of, sit
from tests.kit.people import Person
from tests.kit.played_games import REFEREE, played_key
from tests.kit.record_files import record_at, record_path
from tests.kit.timed_games import begin_three, play_on, status_data, take_over
from tools import hostile_input_samples

KEYS = {"Ann": "Ann", "Bo": "Bo's new key", "Gil": "Gil", REFEREE: REFEREE}


def person_at_new_machine(game, root, name):
    """This person at a machine that has seen nothing of the game yet."""
    home = root.parent / f"home of {name} for {root.name}"
    if not home.exists():
        Home(home).write_key("default", write_key(played_key(KEYS[name])))
    return Person(name, home, root, root, {"SOURCE_DATE_EPOCH": str(game.now)})


@pytest.fixture
def copied_changed_game(changed, tmp_path):
    """The game in which seat c has a new player and seat b a new key, to be filled up."""
    return shutil.copytree(changed.root, tmp_path / "game")


def empty_joins(root, game=None):
    for number in range(MAX_OTHER_JOINS):
        (root / "seats" / f"a-{number:06x}.toml").touch()


def joins_of_strangers(root, game):
    for name, record in hostile_input_samples.strange_joins(game, MAX_OTHER_JOINS):
        (root / name.path).write_bytes(record.file)


# ------------------------------------------------------------------ what turns name
def exits(game, root):
    """How each person's commands end."""
    return {
        (name, line): person_at_new_machine(game, root, name).pbem(line).exit
        for name in KEYS
        for line in ("status", "show", "check", "log", "audit", "advance")
    }


@pytest.mark.long
@pytest.mark.parametrize("crowd", [empty_joins, joins_of_strangers])
def test_junk_joins_after_a_takeover_make_no_command_fail(
    changed, copied_changed_game, tmp_path, crowd
):
    crowded = shutil.copytree(copied_changed_game, tmp_path / "crowded")
    crowd(crowded, changed)
    assert exits(changed, crowded) == exits(changed, copied_changed_game)
    assert (
        "let the folder sync"
        not in person_at_new_machine(changed, crowded, "Gil").pbem("doctor").text
    )


@pytest.mark.sample(0)
def test_mail_brings_a_listed_join_into_a_folder_crowded_with_joins(
    changed, copied_changed_game, tmp_path
):
    (later,) = changed.later
    path = f"seats/c-{later.hex()[:6]}.toml"
    file = (copied_changed_game / path).read_bytes()
    (copied_changed_game / path).unlink()
    empty_joins(copied_changed_game)
    me = person_at_new_machine(changed, copied_changed_game, "Ann")
    assert "is missing" in me.pbem("status").text or "not here" in me.pbem("status").text
    (tmp_path / "mail").write_text(encode([file]))
    said = me.pbem(["receive", str(tmp_path / "mail"), "-C", str(copied_changed_game)])
    assert said.exit == 0, said
    assert (copied_changed_game / path).read_bytes() == file
    assert me.pbem("status").exit == 0


def test_mail_brings_a_listed_notice_into_a_folder_crowded_with_notices(
    changed, copied_changed_game, tmp_path
):
    """Whoever has an old key of a seat can sign any number of notices dated back."""
    listed = next(record for record in changed.notices.values() if record.content.about == "leave")
    place = (changed.game_folder.game, listed.content.turn, changed.heads[listed.content.turn])
    path = copied_changed_game / record_path(listed)
    path.unlink()
    for hours in range(1, 100):
        number = (hours - 1) % 8 + 1
        one = make_notice(place, "c", number, Delay(hours), played_key("Cy"))
        (copied_changed_game / record_path(one)).write_bytes(one.file)
    me = person_at_new_machine(changed, copied_changed_game, "Ann")
    assert me.pbem("status").exit == 5
    (tmp_path / "mail").write_text(encode([listed.file]))
    said = me.pbem(["receive", str(tmp_path / "mail"), "-C", str(copied_changed_game)])
    assert path.read_bytes() == listed.file, said
    assert me.pbem("status").exit == 0


@pytest.mark.long
def test_junk_files_with_the_digits_of_listed_records_hide_none_of_them(
    changed, copied_changed_game
):
    """Names are taken from files that turns list; what is in them is junk."""
    for folder in ("orders", "notices"):
        for path in list((copied_changed_game / folder).iterdir()):
            digits = path.name[-11:-5]
            for number in range(1, 9):
                junk = path.with_name(f"0001-a-{number}-{digits}.toml")
                if not junk.exists():
                    junk.write_bytes(b"junk\n")
    for name in KEYS:
        assert person_at_new_machine(changed, copied_changed_game, name).pbem("status").exit == 0
        assert person_at_new_machine(changed, copied_changed_game, name).pbem("audit").exit == 0


# ------------------------------------------------------------------ what no turn names yet
def crowd_of_joins(table, how):
    """Two hundred and fifty files in `seats/`: empty ones, or joins that strangers signed."""
    seats = table.shared / "savannah/seats"
    seats.mkdir(exist_ok=True)
    for join in strange_joins(table) if how == "joins" else ():
        (seats / f"{join.content.seat}-{join.id.hex()[:6]}.toml").write_bytes(join.file)
    for number in range(250) if how == "empty" else ():
        (seats / f"a-{number:06x}.toml").touch()


def strange_joins(table):
    charter = session_of(table.person("rhea")).game_folder.charter
    keys = [SigningKey(number.to_bytes(2, "big") * 16) for number in range(250)]
    return [make_join(charter, "ab"[n % 2], f"E{n}", key, bytes(16)) for n, key in enumerate(keys)]


@pytest.mark.long
@pytest.mark.parametrize("how", ["empty", "joins"])
def test_two_hundred_junk_joins_keep_nobody_from_joining_before_turn_1(table, how):
    made(table)
    crowd_of_joins(table, how)
    rhea, bo = table.person("rhea"), table.person("bo")
    sit(table, "a")
    assert bo.pbem("keys new --profile recovery").exit == 0  # the door signs that key too
    line = ["join", "-C", "savannah", "--recovery", "recovery", "--invite", invite(table, "b")]
    assert bo.pbem(line).exit == 0
    told = table.person("bo").pbem("status -C savannah").text
    assert "b Bo: joined by Bo" in told
    said = rhea.pbem("advance -C savannah")
    assert said.exit == 0, said.text
    for person in (rhea, table.person("ann"), table.person("bo"), table.person("eve")):
        assert person.pbem("audit savannah").exit == 0
    for person in (rhea, table.person("bo")):
        assert status_data(person)["turn"] == 1


@pytest.mark.long
def test_two_hundred_junk_joins_by_mail_keep_nobody_from_joining(table):
    made(table)
    rhea, bo = table.person("rhea"), table.person("bo")
    letter, far = table.root / "letter", table.root / "far"
    for at_once in range(0, 250, 50):
        letter.write_text(format_bundle(strange_joins(table)[at_once : at_once + 50], "x"))
        rhea.pbem(["receive", str(letter), "-C", "savannah"])
    assert len(list((table.shared / "savannah/seats").iterdir())) == MAX_OTHER_JOINS
    far.mkdir()
    (far / "game.toml").write_bytes((table.shared / "savannah/game.toml").read_bytes())
    assert bo.pbem(["join", "-C", str(far), "--invite", invite(table, "b")]).exit == 0
    (join,) = (far / "seats").iterdir()
    letter.write_text(format_bundle([record_at(join)], "x"))
    said = rhea.pbem(["receive", str(letter), "-C", "savannah"])
    assert (said.exit, "new: 1 join" in said.text) == (0, True), said.text
    assert "b Bo: joined by Bo" in rhea.pbem("status -C savannah").text


@pytest.mark.long
@pytest.mark.parametrize("how", ["empty", "joins"])
def test_two_hundred_junk_joins_keep_nobody_from_taking_over_a_free_seat(table, how):
    rhea, cy = begin_three(table), table.person("cy")
    assert cy.pbem("notice leave -C savannah --yes").exit == 0
    play_on(table, "ab", turns=1)
    crowd_of_joins(table, how)
    flo = take_over(table, "flo", "c")
    assert rhea.pbem("advance -C savannah").exit == 0
    assert status_data(flo)["seats"]["c"]["name"] == "Flo"
    assert flo.pbem("audit savannah --as c").exit == 0


@pytest.mark.long
def test_junk_messages_hide_no_new_message(game):
    """Their names come before those of the messages that are written from now on."""
    table = game("begun")
    ann, bo = table.person("ann"), table.person("bo")
    assert bo.pbem("tell -C savannah --to all 'first'").exit == 0
    assert "first" in ann.pbem("log -C savannah").text
    for number in range(1_500):
        (table.shared / f"savannah/press/0001-b-1-{number:06x}.toml").write_bytes(b"junk\n")
    for words in ("second", "third"):
        assert bo.pbem(f"tell -C savannah --to all '{words}'").exit == 0
    for person in (ann, table.person("eve")):
        told = person.pbem("log -C savannah").text
        assert all(words in told for words in ("first", "second", "third"))


# ------------------------------------------------------------------ what is said of a crowd
JUNK = {
    "orders": lambda n: Name("orders", n % 50 + 1, "b", n % 99 + 1, f"{n:06x}"),
    "notices": lambda n: Name("notice", n % 9_999 + 1, "b", n % 8 + 1, f"{n:06x}"),
    "press": lambda n: Name("press", n % 4 + 1, "b", n % 64 + 1, f"{n:06x}"),
    "seats": lambda n: Name("join", seat="b", short_id=f"{n:06x}"),
    "turns": lambda n: Name("turn", n + 50),
}


def fill(root, folder, count, data=b"junk\n"):
    for number in range(count):
        path = root / JUNK[folder](number).path
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)


@pytest.mark.long
@pytest.mark.parametrize("folder", JUNK)
def test_of_a_thousand_junk_files_commands_name_only_a_few(short, tmp_path, folder):
    """Before, a player saw three thousand notes, and not the one line that matters."""
    root = shutil.copytree(short.root, tmp_path / "game")
    fill(root, folder, 1_000)
    (root / "seats/a-zebra.toml").write_bytes(b"junk\n")
    for who in ("Ann", REFEREE):
        me = person_at_new_machine(short, root, who)
        for line in ("status", "doctor", "advance", "audit", "list"):
            said = me.pbem(line)
            about = [row for row in said.text.splitlines() if f"{folder}/" in row]
            assert len(about) <= 14, (who, line)
            if len(about) > 3:
                assert re.search(r"\b[0-9]+ more files", said.text), (who, line)
        assert "a-zebra.toml" in me.pbem("doctor").text
        for line, name in (("doctor", "text"), ("audit", "path")):
            rows = json.loads(me.pbem(f"{line} --json").out)["data"]["findings"]
            assert sum(f"{folder}/" in row[name] for row in rows) >= 9


# ------------------------------------------------------------------ what a crowd costs


def command_seconds(game, root, line, who):
    """What a command costs on a machine that has not seen the folder before."""
    me = person_at_new_machine(game, root, who)
    start = time.process_time()
    said = me.pbem(line)
    cost = time.process_time() - start
    shutil.rmtree(me.home)
    assert said.exit in (0, 4, 5), said.exit
    return cost


@pytest.mark.long
@pytest.mark.parametrize(
    ("folder", "line", "who"),
    [
        ("orders", "advance", REFEREE), ("orders", "doctor", "Ann"),
        ("notices", "status", "Ann"), ("notices", "audit", "Ann"), ("press", "status", "Ann"),
        ("press", "log", "Ann"), ("seats", "advance", REFEREE),
    ],
)  # fmt: skip
def test_three_times_the_junk_costs_about_three_times_the_time(short, tmp_path, folder, line, who):
    """The machine may be busy, so of five measurements of each the best counts. What looks at each
    file for each other file would cost nine times as much; five is halfway between."""
    roots = []
    for count in (3_000, 9_000):
        roots.append(shutil.copytree(short.root, tmp_path / str(count)))
        fill(roots[-1], folder, count)
    few, many = [], []
    for _ in range(5):
        few.append(command_seconds(short, roots[0], line, who))
        many.append(command_seconds(short, roots[1], line, who))
        if min(many) <= 5 * min(few):
            return
    pytest.fail(f"{folder}: {line} on 3,000 files: {few} s, on 9,000: {many} s")
