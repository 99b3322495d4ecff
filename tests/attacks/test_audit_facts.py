"""What an audit takes over from the chain, and how far it goes on after something wrong."""

from dataclasses import replace

import pytest

from pbem.files.folder import Folder
from pbem.game.archive import open_folder
from pbem.game.audit import Finding, audit
from pbem.game.sign import invite_to
from pbem.game.turn_maker import Advance, Wishes
from pbem.records.charter import door_key, door_message
from pbem.records.read_record import make
from pbem.records.words import first_head, game_id
from tests.attacks.forging import Forged, turn_path
from tests.attacks.played import Played, key_of

DEE = key_of("Dee")


# ------------------------------------------------------------------ facts
def test_nothing_is_certified_that_did_not_happen(forged, short):
    report = forged.audit()
    assert (report.over, report.deputy, report.turns) == (False, "", 4)
    assert (report.bots, report.by_mail, report.for_open_seats) == ({}, {}, {})
    assert (report.notices, report.removed, report.by_word) == ([], [], [])
    assert (report.log, report.other_zones, report.left_out) == ([], [], [])
    assert list(report.names.items()) == [("a", "Ann"), ("b", "Bo")]
    assert list(report.first_names.items()) == [("a", "Ann"), ("b", "Bo")]
    assert report.orders == 4
    assert (report.waiting, report.messages) == (len(short.made_awaited()), 0)


def test_seats_of_bots_and_by_mail_are_named_from_the_charter(tmp_path):
    game = Played(tmp_path / "g", players=4, plays=("c",), bots={"c": "greedy"}, by_mail=("b", "d"))
    before = Forged(game, tmp_path / "before").audit()
    assert (before.bots, before.plays, before.by_mail) == ({"c": "greedy"}, ("c",), {})
    game.turn()
    report = Forged(game, tmp_path).audit()
    assert (report.exit, report.bots, report.plays) == (0, {"c": "greedy"}, ("c",))
    assert report.by_mail == {"b": 0, "d": 0}


def test_a_seat_by_mail_that_nobody_took_is_not_named(tmp_path):
    game = Played(tmp_path / "g", players=3, by_mail=("b", "c"))
    (path,) = (game.root / "seats").glob("c-*")
    path.unlink()
    begin = Advance(open_folder(game.folder), game.referee, game.now, Wishes(start=True)).run()
    for name, record in begin.write:
        game.put(name, record)
    report = audit(game.folder)
    assert (report.turns, report.names, report.by_mail) == (1, {"a": "Ann", "b": "Bo"}, {"b": 0})


# ------------------------------------------------------------------ what is wrong, and where
def test_a_turn_in_the_place_of_another_is_proof_if_it_is_a_second_one(forged):
    """The wrong file cannot be read as turn 2, but the referee signed it, for place 1."""
    first = forged.turns[0].content
    other = make(replace(first, time=first.time + 1), forged.key)
    forged.write(turn_path(2), other.file)
    assert forged.found() == [
        ("broken", turn_path(2), "place", "", 2),
        ("broken", turn_path(2), "fork", "referee", 1),
    ]


def test_a_final_in_a_place_that_has_a_turn_is_proof_even_if_it_cannot_be_the_final(forged):
    forged.open_early()
    final = open_folder(Folder(forged.root)).final().content
    forged.write("final.toml", make(replace(final, turn=2, prev=bytes(32)), forged.key).file)
    said = forged.found()
    assert ("broken", "final.toml", "fork", "referee", 2) in said
    forged.write("final.toml", make(forged.turns[1].content, forged.key).file)
    assert forged.found() == [("broken", "final.toml", "place", "", 0)]
    other = replace(forged.turns[1].content, time=forged.turns[1].content.time + 1)
    forged.write("final.toml", make(other, forged.key).file)
    assert [one[1:3] for one in forged.found()] == [
        ("final.toml", "place"), ("final.toml", "fork"),
    ]  # fmt: skip


@pytest.fixture
def with_deputy(tmp_path):
    """Two turns of a game that Dee may take over; nobody has done so."""
    return Forged(Played(tmp_path / "g", deputy=DEE).play(2), tmp_path)


def test_a_deputy_who_signs_another_turn_is_named_and_proves_nothing(with_deputy):
    """Two keys may each sign one body for a place: only one of them counts."""
    assert with_deputy.audit().deputy == "Dee"
    right = with_deputy.turns[1]
    other = make(replace(right.content, time=right.content.time + 1), DEE)
    with_deputy.write("turns/0002 (1).toml", other.file)
    (finding,) = with_deputy.audit().findings
    assert finding == Finding(
        "stray", "turns/0002 (1).toml", "fork",
        "the deputy signed a different turn 2 from the one that counts "
        f"({right.id.hex()[:6]} in turns/0002.toml and {other.id.hex()[:6]} here)", "deputy",
    )  # fmt: skip
    assert with_deputy.audit().exit == 0


def test_a_second_body_by_the_deputy_is_proof_against_the_deputy(with_deputy):
    """The place is in the future: nothing of the referee's is there."""
    last = with_deputy.turns[1].content
    for number, name in ((0, "0009 (1)"), (1, "0009 (2)")):
        turn = make(replace(last, turn=9, time=last.time + number), DEE)
        with_deputy.write(f"turns/{name}.toml", turn.file)
    (finding,) = with_deputy.audit().broken
    assert (finding.reason, finding.culprit, finding.turn) == ("fork", "deputy", 9)
    assert finding.proof
    assert finding.sentence.startswith("the deputy's key signed two different bodies for place 9")
    stranger = make(last, key_of("Eve"))
    with_deputy.write("turns/0009 (1).toml", stranger.file)
    assert with_deputy.audit().broken == []


def of_other_rules(short):
    """The records of a game that began with rules which are not here."""
    charter = make(replace(short.charter.content, version="99"), short.referee)
    game = game_id(charter.signed.body)
    place = {"game": game, "prev": first_head(game)}
    joins = {}
    for seat, join in short.joins.items():
        door = door_key(invite_to(short.charter, short.referee, seat).code, seat)
        content = replace(join.content, **place)
        signed = replace(content, door=door.sign(door_message(content)))
        joins[seat] = make(signed, short.seats[seat].key)
    ids = {seat: join.id for seat, join in joins.items()}
    turn = make(replace(short.turns[0].content, **place, joins=ids), short.referee)
    return charter, joins, turn


def test_rules_that_are_not_here_are_no_fault_of_the_turn_or_its_signer(short, forged):
    charter, joins, turn = of_other_rules(short)
    for folder in ("turns", "orders", "seats"):
        for path in (forged.root / folder).iterdir():
            path.unlink()
    forged.write("game.toml", charter.file)
    forged.write(turn_path(1), turn.file)
    for seat, join in joins.items():
        forged.write(f"seats/{seat}-{join.id.hex()[:6]}.toml", join.file)
    assert forged.found() == [("broken", "game.toml", "version", "", 1)]
    assert forged.audit().exit == 6


def test_without_the_first_turn_nothing_is_certain(forged):
    (forged.root / turn_path(1)).unlink()
    report = forged.audit()
    assert [(f.path, f.reason, f.turn) for f in report.broken] == [(turn_path(1), "parent", 1)]
    assert report.broken[0].sentence == f"turn 1 is missing, although {turn_path(2)} is here"
    assert (report.turns, len(report.heads)) == (0, 1)


def test_of_two_strays_the_one_in_the_place_of_the_missing_turn_is_told(forged):
    forged.open_early()
    final = open_folder(Folder(forged.root)).final().content
    forged.write("final.toml", make(replace(final, turn=7), forged.key).file)
    forged.write(turn_path(5), b"junk\n")
    forged.write(turn_path(6), forged.read(turn_path(4)))
    assert forged.found()[0] == ("broken", turn_path(5), "trailer", "", 5)


# ------------------------------------------------------------------ what is not made again
def test_a_wrong_word_about_a_join_ends_the_proof(forged, short):
    """The join of seat b has its code: turn 1 must not say that the referee's word decided."""
    forged.resign(1, by_word=(short.joins["b"].id,))
    forged.open_early()
    report = forged.audit()
    assert ("broken", turn_path(1), "rule", "referee", 1) in forged.found()
    assert (report.final, report.log, report.proven) == (False, [], False)


def test_a_turn_that_cannot_be_made_again_ends_the_proof(forged):
    """Everybody takes the turn: only its size shows. Seat a cannot open its packet."""
    packets = forged.turns[3].content.packets
    forged.resign(4, packets={**packets, "a": bytes(len(packets["a"]))})
    assert forged.audit().exit == 0
    forged.open_early()
    report = forged.audit()
    assert ("broken", turn_path(4), "box", "referee", 4) in forged.found()
    assert (report.final, report.log) == (False, [])


def test_a_word_about_a_join_that_is_not_here_is_certified(forged, short):
    forged.resign(1, by_word=(b"\x0a" * 32,))
    said = [tuple(one) for one in forged.audit().by_word]
    assert said == [("", "", "0a0a0a", False, "")]
