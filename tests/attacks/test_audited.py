"""What an audit finds in a damaged chain: which file, which reason, whose key, nothing besides."""

from dataclasses import replace

import pytest

from pbem.files.folder import Folder
from pbem.game.archive import NoGameError
from pbem.game.audit import Finding, Witness, audit
from pbem.records.read_record import make
from tests.attacks.forging import Forged, turn_path
from tests.attacks.played import REFEREE, Played, key_of

EVE = key_of("Eve")


@pytest.fixture
def over(held, tmp_path):
    """The referee played seat a."""
    return Forged(held, tmp_path)


def told(forged, **more) -> list[str]:
    return [finding.sentence for finding in forged.audit(**more).findings]


# ------------------------------------------------------------------ facts
def test_the_facts_of_a_game_that_goes_on(forged, short):
    report = forged.audit()
    turns = [record.content for record in short.turns]
    assert (report.title, report.ruleset, report.referee) == ("Savannah", "evolution", "Ref")
    assert report.game == short.game_folder.game
    assert (report.names, report.plays, report.bots) == ({"a": "Ann", "b": "Bo"}, (), {})
    assert (report.turns, report.heads) == (4, short.heads)
    assert (report.over, report.final, report.told, report.by_word) == (False, False, None, [])
    assert report.orders == sum(len(turn.orders) for turn in turns)
    assert report.cards == sum(len(new.cards) for turn in turns for new in turn.decks)
    assert report.dice == sum(".die." in one.key for turn in turns for one in turn.log)
    assert report.dice > 0
    assert report.waiting == len(short.made_awaited())
    assert (report.findings, report.exit, report.left_out) == ([], 0, [])


@pytest.mark.long
def test_the_facts_of_a_game_that_is_over(over, held):
    report = over.audit()
    assert (report.proven, report.final, report.over) == (True, True, True)
    assert (report.turns, report.plays) == (len(held.turns), ("a",))
    assert report.waiting == 0


def test_no_game_and_no_charter(tmp_path, forged):
    with pytest.raises(NoGameError):
        audit(Folder(tmp_path / "none"))
    forged.write("game.toml", b"junk\n")
    report = forged.audit()
    ((finding),) = report.findings
    assert (finding.grade, finding.path, finding.reason) == ("broken", "game.toml", "trailer")
    assert (report.heads, report.exit) == ([], 4)


# ------------------------------------------------------------------ turns
def test_turns_that_are_missing_are_named_ten_at_most(forged):
    forged.write("turns/0030.toml", make(
        replace(forged.turns[3].content, turn=30), forged.key
    ).file)  # fmt: skip
    said = forged.found()
    assert said == [
        ("broken", turn_path(n), "parent", "", n) for n in range(5, 15)
    ]  # fmt: skip
    assert told(forged)[0] == "turn 5 is missing, although turns/0030.toml is here"
    (forged.root / turn_path(2)).unlink()
    assert forged.found()[0] == ("broken", turn_path(2), "parent", "", 2)
    report = forged.audit()
    assert (report.turns, len(report.heads)) == (1, 2)


def test_a_stray_in_the_place_of_a_missing_turn_is_told_as_what_it_is(forged):
    forged.write(turn_path(5), b"junk\n")
    forged.open_early()
    report = forged.audit()
    assert ("broken", "final.toml", "state") in [
        (f.grade, f.path, f.reason) for f in report.findings
    ]
    final = make(replace(final_of(forged), turn=7), forged.key)
    forged.write("final.toml", final.file)
    said = [f for f in forged.audit().findings if f.grade == "broken"]
    assert [(f.path, f.reason, f.turn) for f in said] == [(turn_path(5), "trailer", 5)]
    (forged.root / turn_path(5)).unlink()
    assert told(forged)[0] == "turn 5 is missing, although final.toml builds on this turn"


def final_of(forged):
    from pbem.game.archive import open_folder

    return open_folder(Folder(forged.root)).final().content


def test_a_turn_by_somebody_else_is_broken_and_nobody_is_accused(forged):
    forged.write(turn_path(3), make(forged.turns[2].content, EVE).file)
    said = forged.found()
    assert said[0] == ("broken", turn_path(3), "key", "", 3)
    assert forged.audit().turns == 2


def test_two_bodies_for_one_place_are_proof(forged):
    right = forged.turns[2]
    other = make(replace(right.content, time=right.content.time + 1), forged.key)
    forged.write("turns/0003 (1).toml", other.file)
    (proof,) = [f for f in forged.audit().findings if f.proof]
    assert (proof.grade, proof.path, proof.reason) == ("broken", "turns/0003 (1).toml", "fork")
    assert (proof.culprit, proof.turn) == ("referee", 3)
    assert proof.sentence == (
        "the referee's key signed two different bodies for place 3 in the chain: "
        f"{right.id.hex()[:6]} in {turn_path(3)} and {other.id.hex()[:6]} here"
    )
    forged.write("turns/0003 (1).toml", right.file)
    assert forged.found() == [("foreign", "turns/0003 (1).toml", "seen", "", 0)]
    theirs = make(replace(right.content, game=bytes(32)), forged.key)
    forged.write("turns/0003 (1).toml", theirs.file)
    assert forged.found() == [("foreign", "turns/0003 (1).toml", "name", "", 0)]
    forged.write("turns/0003 (1).toml", make(other.content, EVE).file)
    assert forged.found() == [("foreign", "turns/0003 (1).toml", "name", "", 0)]


def test_a_join_that_turn_1_names_and_is_not_here(forged):
    first = forged.turns[0].content
    path = f"seats/b-{first.joins['b'].hex()[:6]}.toml"
    forged.write(path, b"junk\n")
    assert forged.found()[0] == ("broken", path, "trailer", "", 1)
    (forged.root / path).unlink()
    assert forged.found()[0] == ("broken", path, "parent", "", 1)
    assert told(forged)[0] == "the join of seat b is missing"
    assert forged.audit().turns == 0


def test_orders_that_a_turn_lists_and_are_not_here(forged):
    number = next(t.content.turn for t in forged.turns if t.content.orders)
    wanted = forged.turns[number - 1].content.orders[0].id
    (path,) = (forged.root / "orders").glob(f"*-{wanted.hex()[:6]}.toml")
    path.unlink()
    said = forged.found()[0]
    assert said == ("broken", f"orders/*-{wanted.hex()[:6]}.toml", "parent", "", number)
    assert told(forged)[0] == "is missing, although a turn lists these orders"
    path.write_bytes(b"junk\n")
    assert forged.found()[0] == ("broken", f"orders/{path.name}", "trailer", "", number)


def test_rules_that_are_not_here(short, tmp_path):
    forged = Forged(short, tmp_path)
    charter = make(replace(short.charter.content, version="99"), forged.key)
    for folder in ("turns", "orders", "seats"):
        for path in (forged.root / folder).iterdir():
            path.unlink()
    forged.write("game.toml", charter.file)
    assert forged.found() == [("broken", "game.toml", "version", "", 0)]
    assert forged.audit().exit == 6


def test_before_turn_1_only_held_seats_have_orders(tmp_path):
    game = Played(tmp_path / "g", plays=("a",))
    turn = game.turn()
    assert turn is not None
    forged = Forged(game, tmp_path)
    (forged.root / turn_path(1)).unlink()
    report = forged.audit()
    assert (report.findings, report.waiting, report.turns) == ([], 1, 0)
    bo = game.seats["b"]
    theirs = make(replace(next(iter(game.orders.values())).content, seat="b"), bo.key)
    forged.write(f"orders/0001-b-1-{theirs.id.hex()[:6]}.toml", theirs.file)
    ((grade, _, reason, *_),) = forged.found()
    assert (grade, reason) == ("foreign", "key")


# ------------------------------------------------------------------ the end
def test_a_final_that_is_none(forged):
    forged.open_early()
    final = final_of(forged)
    for record, reason, culprit in (
        (make(final, EVE), "key", ""),
        (make(replace(final, prev=bytes(32)), forged.key), "place", REFEREE),
        (make(replace(final, turn=4), forged.key), "fork", REFEREE),
        (make(replace(final, r_ref=bytes(32)), forged.key), "commitment", REFEREE),
        (make(replace(final, audit=bytes(32)), forged.key), "commitment", REFEREE),
    ):
        forged.write("final.toml", record.file)
        report = forged.audit()
        said = [(f.path, f.reason, f.culprit) for f in report.broken if f.path == "final.toml"]
        assert ("final.toml", reason, "referee" if culprit else "") in said, reason
        assert not report.proven
    forged.write("final.toml", make(replace(final, turn=6), forged.key).file)
    assert forged.found()[0] == ("broken", turn_path(5), "parent", "", 5)


def test_secrets_that_are_opened_too_early(forged):
    forged.open_early()
    (finding,) = forged.audit().broken
    assert (finding.path, finding.reason, finding.culprit) == ("final.toml", "state", "referee")
    assert finding.sentence == "the referee opened the secrets before the game was over"
    assert forged.audit().final, "what it opens is checked all the same"


def test_after_a_wrong_turn_nothing_is_proven(forged):
    wrong = replace(forged.turns[2].content, time=forged.turns[2].content.time + 1)
    forged.write(turn_path(3), make(wrong, forged.key).file)
    report = forged.audit()
    assert report.broken[0].turn == 4, "the next one builds on the right one"
    assert (report.turns, report.proven) == (3, False)


# ------------------------------------------------------------------ words, one seat
def test_words_that_somebody_was_told(forged, short):
    for number, head in enumerate(short.heads):
        assert forged.audit(head=head[:16]).told == number
    report = forged.audit(head=bytes(16))
    assert report.told is None
    (finding,) = report.findings
    assert finding == Finding(
        "broken", turn_path(4), "fork",
        "the words you were told do not match any turn of this game; the words of its last turn "
        f"are: {' '.join(report.words)}", turn=4,
    )  # fmt: skip


def test_a_seats_own_audit(forged, short):
    for seat in "ab":
        assert forged.found(witness=Witness(seat, short.seats[seat].key.seed)) == []
    stranger = forged.audit(witness=Witness("b", EVE.seed))
    assert [(f.path, f.reason) for f in stranger.broken] == [(turn_path(1), "key")]
    guest = Witness("b", EVE.seed, sits=False)
    assert forged.found(witness=guest) == []
