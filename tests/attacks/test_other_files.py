"""What lies beside the records that turns use: named and graded, and nobody is accused of more
than his key has signed."""

from dataclasses import replace

import pytest

from pbem.files.folder import Folder
from pbem.files.home import Sighting
from pbem.game.archive import file_name
from pbem.game.audit import Witness, audit
from pbem.game.sign import make_join, make_orders
from pbem.records.read_record import make
from pbem.records.words import words_of
from tests.attacks.forging import Forged, turn_path
from tests.attacks.played import HOUR, Played, key_of

EVE = key_of("Eve")


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """Four turns, of which the later ones list orders of both, and orders for the next."""
    game = Played(tmp_path_factory.mktemp("short")).play(4)
    game.ask()
    return game


@pytest.fixture
def begun(short, tmp_path):
    return Forged(short, tmp_path)


def put(begun, record):
    path = file_name(record).path
    begun.write(path, record.file)
    return path


def found(begun, **more):
    report = audit(Folder(begun.root), **more)
    return [(f.grade, f.reason, f.path, f.culprit) for f in report.findings], report


def sentence(report):
    return report.findings[-1].sentence


def test_nothing_is_said_of_a_game_that_goes_on(begun, short):
    findings, report = found(begun)
    assert (findings, report.exit) == ([], 0)
    assert report.waiting == len(short.made_awaited())
    assert (report.turns, report.over, report.final, report.proven) == (4, False, False, False)
    assert report.heads == short.heads
    assert report.names == {"a": "Ann", "b": "Bo"}
    listed = sum(len(turn.content.orders) for turn in short.turns)
    assert (report.orders, report.dice) == (listed, 1)
    assert report.cards == sum(len(d.cards) for t in short.turns for d in t.content.decks)
    assert report.words == words_of(short.heads[-1])


# ---------------------------------------------------------------- joins
def test_a_join_that_did_not_count_is_a_stray(begun, short):
    other = make_join(short.charter, "b", "Bo", EVE, b"?" * 16)
    path = f"seats/b-{other.id.hex()[:6]}.toml"
    begun.write(path, other.file)
    findings, report = found(begun)
    assert findings == [("stray", "state", path, "")]
    assert sentence(report) == "a join for seat b that did not count"
    sealed = short.turns[0].content.time - HOUR
    saw = Witness("b", EVE.seed, {other.id.hex(): sealed}, sits=False)
    findings, report = found(begun, witness=saw)
    assert findings == [("ask", "state", path, "")]
    assert report.exit == 1
    late = replace(saw, sealed={other.id.hex(): sealed + HOUR})
    assert found(begun, witness=late)[0] == [("stray", "state", path, "")]


def test_a_second_join_of_one_s_own_is_nothing_to_ask_about(begun, short):
    other = make_join(short.charter, "b", "Bob", short.seats["b"].key, b"?" * 16)
    path = f"seats/b-{other.id.hex()[:6]}.toml"
    begun.write(path, other.file)
    saw = Witness("b", short.seats["b"].key.seed, {other.id.hex(): 1})
    assert found(begun, witness=saw)[0] == [("stray", "state", path, "")]


# ---------------------------------------------------------------- orders
def test_orders_signed_by_another_seat_are_laid_to_that_seat(begun, short):
    honest = make_orders(short.reader_at("b", 2), key_of("Bo"), [], 9).content
    path = put(begun, make(honest, key_of("Ann")))
    findings, report = found(begun)
    assert findings == [("stray", "key", path, "seat a")]
    assert sentence(report) == "signed with the key of seat a, in the name of seat b"


def test_orders_on_another_turn_of_that_number_are_strays(begun, short):
    honest = make_orders(short.reader_at("b", 2), key_of("Bo"), [], 9).content
    path = put(begun, make(replace(honest, prev=b"\x05" * 32), key_of("Bo")))
    findings, report = found(begun)
    assert findings == [("stray", "fork", path, "")]
    assert (
        sentence(report)
        == "seat b signed these orders for a different version of turn 2 from the one here"
    )


def taken(short):
    """Orders that a turn took, and the number of the turn they answer."""
    record = next(
        r for t in short.turns for one in t.content.orders if one.status == "accepted"
        for r in [short.orders[one.id]]
    )  # fmt: skip
    return record, record.content.turn


def test_orders_that_no_turn_lists_are_asked_about_by_whom_they_are(begun, short):
    record, turn = taken(short)
    seat, key = record.content.seat, short.seats[record.content.seat].key
    number = record.content.revision + 1
    other = make_orders(short.reader_at(seat, turn), key, ["food: [x]"], number)
    path = put(begun, other)
    findings, report = found(begun)
    assert findings == [("stray", "state", path, "")]
    assert (
        sentence(report)
        == "no turn lists these orders; they came late, or the referee left them out"
    )
    saw = Witness(seat, key.seed, {other.id.hex(): short.turns[turn].content.time - HOUR})
    findings, report = found(begun, witness=saw)
    assert findings == [("ask", "state", path, "")]
    assert f"your orders answered turn {turn} in time" in sentence(report)
    soon = replace(saw, sealed={other.id.hex(): short.turns[turn].content.time})
    assert found(begun, witness=soon)[0] == [("stray", "state", path, "")]
    another = "a" if seat == "b" else "b"
    theirs = Witness(another, short.seats[another].key.seed)
    assert found(begun, witness=theirs)[0] == [("stray", "state", path, "")]


def test_orders_whose_place_later_ones_took_are_told_so(tmp_path):
    game = Played(tmp_path / "game").play(1)
    for player in game.seats.values():
        game.send(player.orders(player.lines(), 3))
    game.see(game.turn())
    early = make_orders(game.reader_at("b", 1), key_of("Bo"), ["food: [x]"], 2)
    begun = Forged(game, tmp_path)
    path = put(begun, early)
    saw = Witness("b", key_of("Bo").seed)
    for witness in (None, saw):
        findings, report = found(begun, witness=witness)
        assert findings == [("stray", "state", path, "")]
        told = "no turn lists these orders, because later orders of the same seat replaced them"
        assert sentence(report) == told


def test_orders_that_were_refused_take_nobodys_place(tmp_path):
    game = Played(tmp_path / "game").play(1)
    game.send(game.seats["b"].orders(["play: nonsense"], 5))
    game.see(game.turn())
    begun = Forged(game, tmp_path)
    path = put(begun, make_orders(game.reader_at("b", 1), key_of("Bo"), ["food: [x]"], 3))
    findings, report = found(begun)
    assert findings == [("stray", "state", path, "")]
    assert (
        sentence(report)
        == "no turn lists these orders; they came late, or the referee left them out"
    )


def test_orders_listed_as_late_are_asked_about_by_whom_they_are(tmp_path):
    game = Played(tmp_path / "game").play(3)
    late = game.send(make_orders(game.reader_at("b", 2), key_of("Bo"), ["food: [x]"], 9))
    game.ask()
    game.see(game.turn())
    begun, path = Forged(game, tmp_path), file_name(late).path
    assert found(begun)[0] == []
    made = game.turns[2].content.time
    saw = Witness("b", key_of("Bo").seed, {late.id.hex(): made - HOUR})
    findings, _ = found(begun, witness=saw)
    assert findings == [("ask", "state", path, "")]
    other = Witness("a", key_of("Ann").seed, saw.sealed)
    assert found(begun, witness=other)[0] == []


def test_orders_for_a_turn_that_is_not_here_wait(begun, short):
    record = make_orders(short.seats["b"].reader, key_of("Bo"), [], 30)
    before = found(begun)[1].waiting
    put(begun, make(replace(record.content, turn=9), key_of("Bo")))
    put(begun, record)
    findings, report = found(begun)
    assert (findings, report.waiting) == ([], before + 2)


# ---------------------------------------------------------------- all others
def test_files_that_are_no_records_are_foreign(begun, short):
    joins = sorted((begun.root / "seats").iterdir())
    copies = {
        "orders/0001-b-1-abcdef.toml": "trailer",
        "seats/c-abcdef.toml": "trailer",
        "turns/0009.toml": "trailer",
        "notes.txt": "name",
        "turns/0001 (1).toml": "seen",
        "an old turn.toml": "seen",
        "seats/b-1 (1).toml": "name",
    }
    for path, reason in copies.items():
        data = begun.read(turn_path(1)) if reason == "seen" else b"junk\n"
        begun.write(path, joins[1].read_bytes() if path.startswith("seats/b") else data)
    for quiet in (".DS_Store", "turns/.~pbem-ab"):
        begun.write(quiet, b"junk\n")
    (begun.root / "backup").mkdir()
    findings, report = found(begun)
    assert {path: reason for _, reason, path, _ in findings} == {**copies, "backup": "name"}
    assert {grade for grade, _, _, _ in findings} == {"foreign"}
    assert (report.exit, report.turns) == (0, 4)
    assert len(findings) == len(copies) + 1


def test_each_of_several_order_files_that_are_no_records_is_named(begun):
    paths = [f"orders/0001-{seat}-1-abcdef.toml" for seat in "ab"]
    for path in paths:
        begun.write(path, b"junk\n")
    assert found(begun)[0] == [("foreign", "trailer", path, "") for path in paths]


def test_of_two_bodies_for_one_place_both_files_are_named(begun, short):
    other = make(replace(short.made.final(), turn=4), short.referee)
    begun.write("final.toml", other.file)
    told = "the referee's key signed two different bodies for place 4 in the chain: "
    ids = f"{short.turns[3].id.hex()[:6]} in {turn_path(4)} and {other.id.hex()[:6]} here"
    assert sentence(found(begun)[1]) == told + ids


def test_a_turn_far_ahead_that_another_signed_is_foreign(begun, short):
    turn = replace(short.turns[3].content, turn=9)
    begun.write(turn_path(9), make(turn, EVE).file)
    assert found(begun)[0] == [("foreign", "key", turn_path(9), "")]
    begun.write(turn_path(9), make(turn, short.referee).file)
    findings, _ = found(begun)
    assert [f[:3] for f in findings] == [
        ("broken", "parent", turn_path(n)) for n in range(5, 9)
    ]  # what the referee signed builds on turns that are missing


def test_odd_dates_are_asked_about_only_where_something_hangs_on_them(begun, silent, tmp_path):
    odd = [Sighting(2, 7200, 1), Sighting(3, 7200, 1)]
    saw = Witness("b", key_of("Bo").seed, odd=odd)
    assert found(begun, witness=saw)[0] == []  # this game has no deadlines
    with_deadline = Forged(silent, tmp_path / "silent")
    with_deadline.cut(4)
    findings, report = found(with_deadline, witness=saw)
    assert [f for f in findings if f[0] == "ask"] == [
        ("ask", "state", turn_path(n), "") for n in (2, 3)
    ]
    assert report.exit == 1


# ---------------------------------------------------------------- a final in a wrong place
@pytest.mark.parametrize(
    ("turn", "prev", "findings"),
    [
        (5, b"\x05" * 32, [("broken", "place", "final.toml", "referee")]),
        (4, None, [("broken", "fork", "final.toml", "referee")]),
        (6, None, [("broken", "parent", turn_path(5), "")]),
        (5, None, [("broken", "state", "final.toml", "referee")]),
    ],
)
def test_the_end_builds_on_the_last_turn_of_a_game_that_is_over(begun, short, turn, prev, findings):
    final = replace(short.made.final(), turn=turn, prev=prev or short.heads[-1])
    begun.write("final.toml", make(final, short.referee).file)
    assert found(begun)[0] == findings


# ---------------------------------------------------------------- words that were told
def test_words_that_were_told_are_found_or_the_chain_is_another(begun, short):
    for number in (0, 2, 4):
        report = found(begun, head=short.heads[number][:16])[1]
        assert (report.told, report.exit) == (number, 0)
    findings, report = found(begun, head=b"\x01" * 16)
    assert findings == [("broken", "fork", turn_path(4), "")]
    assert (report.told, report.exit, report.findings[0].turn) == (None, 3, 4)
    assert report.findings[0].sentence.endswith(" ".join(words_of(short.heads[4])))
