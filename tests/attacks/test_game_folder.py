"""A game's folder as it is read: what is no record of this game is named, and stops nobody."""

from dataclasses import replace

import pytest

from pbem.files.disk import FileError
from pbem.files.folder import Folder
from pbem.format.canonical import RecordError
from pbem.game.archive import MOST_JOINS, NoGameError, file_name, open_folder
from pbem.game.sign import make_join
from pbem.records.read_record import make
from tests.attacks.forging import Forged, turn_path
from tests.attacks.played import REFEREE, Played, key_of

EVE = key_of("Eve")


@pytest.fixture
def forged(finished, tmp_path):
    return Forged(finished, tmp_path)


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """Two turns, and orders for the next."""
    game = Played(tmp_path_factory.mktemp("short")).play(2)
    game.ask()
    return game


@pytest.fixture
def begun(short, tmp_path):
    return Forged(short, tmp_path)


def opened(forged):
    return open_folder(Folder(forged.root))


def faults(game_folder):
    return [(fault.reason, fault.path) for fault in game_folder.faults]


# ---------------------------------------------------------------- no game
def test_a_folder_without_a_game_says_what_to_type(tmp_path):
    def told():
        with pytest.raises(NoGameError) as refused:
            open_folder(Folder(root))
        assert refused.value.exit == 2
        return str(refused.value), refused.value.listing.state

    root = tmp_path / "games"
    said, state = told()
    assert (f"there is no folder {root}" in said, state) == (True, "missing")
    root.mkdir()
    said, state = told()
    assert (f"{root} is empty" in said, state) == (True, "empty")
    assert "pbem new NAME --players Ann,Bo" in said
    assert said.endswith("if your game is elsewhere, use -C FOLDER")
    (root / "notes.txt").write_text("")
    said, state = told()
    assert said.startswith(f"{root} is not a game folder: it has no game.toml; give the path of ")
    for name in ("d", "b", "a", "c"):
        (root / name).mkdir()
        (root / name / "game.toml").write_text("")
    assert told()[0].endswith("has no game.toml, but a folder inside it has: a, b, c; go there")
    (root / "turns").mkdir()
    (root / "turns/0001.toml").write_text("")
    said, state = told()
    assert (state, "let the folder finish syncing" in said) == ("waiting", True)


def test_a_charter_that_cannot_be_read_is_named(begun):
    begun.write("game.toml", b"junk\n")
    with pytest.raises(FileError) as refused:
        opened(begun)
    assert (refused.value.reason, refused.value.path) == ("trailer", "game.toml")


# ---------------------------------------------------------------- turns
def test_turns_are_read_in_order_until_one_is_missing(forged):
    (forged.root / turn_path(9)).unlink()
    game_folder = opened(forged)
    assert [t.content.turn for t in game_folder.turns()] == list(range(1, 9))
    assert [t.content.turn for t in game_folder.turns(after=6)] == [7, 8]
    assert list(game_folder.turns(after=8)) == []
    assert [t.content.turn for t in game_folder.turns(after=9)][:2] == [10, 11]
    assert game_folder.gaps == [9]


def test_only_a_turn_that_is_signed_and_in_its_place_makes_a_gap(begun):
    last = len(begun.turns)
    begun.write(turn_path(last + 2), b"junk\n")
    begun.write(turn_path(last + 3), begun.read(turn_path(last)))
    game_folder = opened(begun)
    assert game_folder.gaps == []
    assert faults(game_folder) == [("trailer", turn_path(last + 2)), ("place", turn_path(last + 3))]
    signed = replace(begun.turns[-1].content, turn=last + 4)
    begun.write(turn_path(last + 4), make(signed, key_of(REFEREE)).file)
    assert opened(begun).gaps == [last + 1]


def test_a_turn_under_the_name_of_another_is_no_turn_and_told_by_its_number(begun):
    begun.write(turn_path(2), begun.read(turn_path(1)))
    folder = opened(begun)
    assert [turn.content.turn for turn in folder.turns()] == [1]
    (stray,) = folder.strays
    assert stray.path == turn_path(2)
    assert "this is turn 1 under the wrong name" in folder.stray(stray).sentence


# ---------------------------------------------------------------- joins
def test_a_join_under_another_name_or_on_another_charter_is_no_join(begun):
    path = next((begun.root / "seats").glob("b-*"))
    right = path.read_bytes()
    joins = opened(begun).joins()
    assert sorted(one.content.seat for one in joins.values()) == ["a", "b"]
    digits = path.stem.partition("-")[2]
    content = begun.game.joins["b"].content
    other = make(replace(content, prev=b"\x05" * 32), begun.game.seats["b"].key)
    charter = make(replace(begun.game.charter.content, title="Other"), key_of(REFEREE))
    theirs = make_join(charter, "b", "Bo", key_of("Bo"), b"?" * 16)
    for name, data, reason in (
        (f"seats/a-{digits}.toml", right, "place"),
        ("seats/b-abcdef.toml", right, "place"),
        (f"seats/b-{other.id.hex()[:6]}.toml", other.file, "place"),
        (f"seats/b-{theirs.id.hex()[:6]}.toml", theirs.file, "place"),
        ("seats/b-123456.toml", b"junk\n", "trailer"),
    ):
        begun.write(name, data)
        game_folder = opened(begun)
        assert game_folder.joins().keys() == joins.keys()
        assert faults(game_folder) == [(reason, name)]
        game_folder.joins()
        assert len(game_folder.faults) == 1  # said once
        (begun.root / name).unlink()


@pytest.mark.parametrize(("more", "said"), [(0, False), (1, True)])
def test_two_hundred_joins_are_read(begun, more, said):
    for n in range(MOST_JOINS - 2 + more):
        begun.write(f"seats/p-{n:06x}.toml", b"junk\n")
    game_folder = opened(begun)
    assert len(game_folder.joins()) == 2
    told = [fault for fault in game_folder.faults if fault.reason == "size"]
    assert bool(told) is said
    if told:
        assert told[0].sentence.startswith("seats/ has 201 files, but only 200 were read")
        assert told[0].path == f"seats/p-{MOST_JOINS - 2:06x}.toml"


def test_a_join_that_turn_1_names_must_be_here(begun):
    first = begun.turns[0].content
    joins = opened(begun).joins_of(first)
    assert {seat: record.id for seat, record in joins.items()} == first.joins
    where = f"seats/b-{first.joins['b'].hex()[:6]}.toml"
    begun.write(where, b"junk\n")
    with pytest.raises(FileError) as refused:
        opened(begun).joins_of(first)
    assert (refused.value.reason, refused.value.path) == ("trailer", where)
    (begun.root / where).unlink()
    with pytest.raises(FileError, match="the join of seat b is missing") as refused:
        opened(begun).joins_of(first)
    assert (refused.value.reason, refused.value.path) == ("parent", where)


# ---------------------------------------------------------------- orders
def anybody(kind, key):
    return True


def test_orders_are_found_by_their_id(begun):
    record = next(r for r in begun.game.orders.values() if r.content.seat == "b")
    assert opened(begun).find_orders(anybody)(record.id) == record
    with pytest.raises(RecordError) as refused:
        opened(begun).find_orders(anybody)(b"\x01" * 32)
    assert refused.value.reason == "parent"
    assert refused.value.sentence.startswith("the orders 010101 are not here: let the folder sync")
    path = file_name(record).path
    begun.write(path, b"junk\n")
    with pytest.raises(FileError) as refused:
        opened(begun).find_orders(anybody)(record.id)
    assert (refused.value.reason, refused.value.path) == ("trailer", path)


@pytest.mark.parametrize("part", ["turn", "seat", "revision", "digits"])
def test_orders_under_another_name_are_said_to_be_misplaced(begun, part):
    record = next(r for r in begun.game.orders.values() if r.content.seat == "b")
    name = file_name(record)
    other = {"turn": name.turn + 1, "seat": "a", "revision": 9, "digits": "abcdef"}[part]
    path = name._replace(**{part: other}).path
    begun.write(path, record.file)
    game_folder = opened(begun)
    whole = {r.id for r in game_folder.all_orders(anybody)}
    assert whole == set(begun.game.orders)
    assert faults(game_folder) == [("place", path)]
    told = (
        f"these are orders of seat b for turn {name.turn} under the wrong name; get the file again"
    )
    assert game_folder.faults[0].sentence == told


def test_of_each_seat_the_newest_good_orders_are_read(begun):
    game = begun.game
    player = next(p for s, p in game.seats.items() if s in game.made_awaited())
    sent = [player.orders(player.lines(), n) for n in range(2, 7)]
    for record in sent:
        begun.write(file_name(record).path, record.file)
    strange = make(replace(sent[0].content, revision=50), EVE)
    begun.write(file_name(strange).path, strange.file)
    keys = {player.seat: player.key.public}
    game_folder = opened(begun)
    found = game_folder.newest_orders(keys, (), 3)
    assert [r.content.revision for r in found] == [6, 5, 4]
    told = [fault for fault in game_folder.faults if fault.reason == "size"]
    assert [fault.path for fault in told] == [file_name(sent[1]).path]
    assert told[0].sentence.startswith(f"seat {player.seat} has more than 3 new sets of orders")
    assert ("key", file_name(strange).path) in faults(game_folder)
    besides = {file_name(r).path for r in sent[1:]}
    game_folder = opened(begun)
    newest = game_folder.newest_orders(keys, besides, 3)
    assert sent[0] in newest
    assert not any(r in newest for r in sent[1:])
    assert not [fault for fault in game_folder.faults if fault.reason == "size"]
    assert opened(begun).newest_orders({}, (), 3) == []


def test_of_a_flood_of_misplaced_orders_the_first_are_told_apart(begun):
    """To say what such a file is, it must be read; so many are, the others are a stranger's."""
    record = next(r for r in begun.game.orders.values() if r.content.seat == "b")
    names = [file_name(record)._replace(seat="a", revision=n) for n in range(50, 55)]
    for name in names:
        begun.write(name.path, record.file)
    keys = {seat: player.key.public for seat, player in begun.game.seats.items()}
    chronicle = opened(begun)
    found = chronicle.newest_orders(keys, (), 3)
    assert record not in [one for one in found if one.content.seat == "a"]
    newest = [(fault.reason, fault.path) for fault in chronicle.faults if "-a-5" in fault.path]
    reasons = ["place"] * 3 + ["key"] * 2
    assert newest == list(zip(reasons, [name.path for name in reversed(names)], strict=True))


def test_orders_are_tried_with_one_key(begun):
    game_folder = opened(begun)
    for found in game_folder.listing.orders:
        record = game_folder.orders(found, anybody)
        assert opened(begun).orders_signed_by(found, record.signed.key) == [record]
        other = opened(begun)
        assert other.orders_signed_by(found, EVE.public) == []
        assert faults(other) == [("key", found.path)]


# ---------------------------------------------------------------- the end
def test_the_final_is_the_referees(forged):
    assert opened(forged).final().content.turn == len(forged.turns) + 1
    final = opened(forged).final().content
    forged.write("final.toml", make(final, EVE).file)
    with pytest.raises(FileError) as refused:
        opened(forged).final()
    assert (refused.value.reason, refused.value.path) == ("key", "final.toml")
    (forged.root / "final.toml").unlink()
    assert opened(forged).final() is None
