"""Honest games pass, made twice they are the same bytes, and a key with the folder is enough."""

import pytest

from pbem.judge.audit import audit
from pbem.judge.evidence_from_own_machine import Witness
from pbem.judge.seat_turn_reader import SeatReader
from pbem.records.twelve_words import words_of
from pbem.wording.audit_certificate import report_as_json, statement
from tests.attacks.forging import Forged, turn_path
from tests.kit.played_games import Played, advance_in, played_key
from tests.kit.record_files import archive_of
from tests.kit.selection import long


@pytest.fixture(params=["finished", "held", "mixed", *long(["silent", "six"])])
def honest_game(request):
    return request.getfixturevalue(request.param)


def files(root):
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*.toml")}


def advance_as(root, now, name="the referee"):
    return advance_in(root, now, played_key(name)).run()


@pytest.mark.sample(0)
def test_the_audit_proves_an_honest_game(honest_game):
    report = audit(honest_game.folder)
    assert (report.exit, report.findings, report.proven) == (0, [], True)
    assert report.turns == len(honest_game.turns)
    assert report.orders == len(honest_game.listed)
    assert report.dice == 1
    assert report.words == words_of(honest_game.heads[-1])


@pytest.mark.sample(0)
def test_every_seats_own_audit_finds_an_honest_game_right(honest_game):
    for seat, player in honest_game.seats.items():
        assert audit(honest_game.folder, witness=Witness(seat, player.key.seed)).findings == []


@pytest.mark.long
def test_the_audit_report_as_data_says_whether_the_referee_played(held, finished):
    plain = report_as_json(audit(held.folder))
    assert plain["referee_played"] is True
    assert any("told anybody hidden information" in said for said in plain["statement"])
    assert any("could see every hand" in said for said in plain["statement"])
    assert report_as_json(audit(finished.folder))["referee_played"] is False


def test_the_audit_calls_an_unfinished_game_right_so_far_and_not_proven(finished, tmp_path):
    forged = Forged(finished, tmp_path)
    forged.cut(9)
    report = forged.audit()
    assert (report.exit, report.final, report.proven, report.turns) == (0, False, False, 9)
    verdict = "Up to turn 9, everything that pbem can check is right. The game is not proven"
    assert any(verdict in said for said in statement(report))


def test_orders_for_the_next_turn_are_counted_as_waiting_and_not_as_wrong(finished, tmp_path):
    forged = Forged(finished, tmp_path)
    forged.cut(9)
    for path in (forged.root / "orders").iterdir():
        if int(path.name[:4]) > 9:
            path.unlink()
    report = forged.audit()
    assert report.findings == []
    assert report.waiting == len(forged.turns[-1].content.awaited)


@pytest.mark.sample(0)
def test_advance_makes_turns_that_were_cut_off_again_with_the_same_bytes(honest_game, tmp_path):
    """Referee's lost machine: with nothing but key and folder, the same bytes come again."""
    forged = Forged(honest_game, tmp_path)
    whole = files(forged.root)
    last = len(honest_game.turns)
    forged.cut(last - 1)
    for path in (forged.root / "orders").iterdir():
        if int(path.name[:4]) > last - 1:
            path.unlink()
    before = files(forged.root)
    made = [advance_as(forged.root, honest_game.turns[-1].content.time) for _ in range(2)]
    assert files(forged.root) == before, "advance itself writes nothing"
    written = [{n.path: r.file for n, r in out.new_records} for out in made]
    assert written[0] == written[1]
    assert made[0].is_over
    assert written[0] == {p: whole[p] for p in (turn_path(last), "final.toml")}


@pytest.mark.sample(0)
def test_advance_has_nothing_to_do_in_a_complete_folder(finished):
    outcome = advance_as(finished.root, finished.now)
    assert outcome.is_over
    assert outcome.new_records == []


@pytest.mark.long
def test_a_player_with_only_key_and_folder_makes_the_same_orders_on_another_machine(finished):
    """Another machine: the same key, nothing remembered, makes the very same orders."""
    game_folder = archive_of(finished.root)
    player = finished.seats["b"]
    reader = SeatReader(game_folder.charter, "b", played_key("Bo").seed)
    find = game_folder.finder(reader.chain.may_sign_orders)
    for turn in game_folder.turns():
        reader.absorb(turn, find)
        again = type(player)("b", played_key("Bo"), reader, player.bot)
        if "b" in reader.chain.awaited:
            record = again.orders(again.lines())
            assert finished.orders[record.id].file == record.file
    assert reader.own_log == player.reader.own_log


def test_the_same_players_with_the_same_table_make_the_same_bytes(finished, tmp_path):
    assert (
        files(Played(tmp_path, table=finished.table).play(12).root).items()
        <= files(finished.root).items()
    )


@pytest.mark.long
def test_the_proven_mixed_game_settles_decisions_in_every_way_there_is(mixed):
    ways = {entry.by for turn in mixed.turns for entry in turn.content.log}
    assert ways == {"forced", "line [?]", "always [?]", "default", "chance", "fact"}


@pytest.mark.long
def test_the_audit_finds_again_whose_silence_counted(silent):
    assert any(turn.content.silent for turn in silent.turns)
    assert any(e.by == "default" for turn in silent.turns for e in turn.content.log)
    assert audit(silent.folder).exit == 0
