"""What the referee's run makes of a folder: the next turn, or whom it waits for, and for what."""

from dataclasses import replace

import pytest

from pbem.files.file_errors import FileError
from pbem.judge.make_signed_records import make_orders
from pbem.judge.next_turn import Advance
from pbem.judge.turn_inputs_and_outcome import AdvanceOptions, RefereeMemory
from pbem.records.read_and_sign_record import make
from pbem.records.record_count_and_size_limits import MAX_READ_ORDER_SETS
from tests.attacks.forging import Forged, turn_path, with_flipped_bit
from tests.kit.played_games import HOUR, REFEREE, Played, played_key
from tests.kit.record_files import archive_of, record_path, resigned
from tests.kit.refusals import refused_for


def advance_over(root, now, progress=None, made_last_turn=False, **wishes):
    game_folder = archive_of(root)
    remembered = RefereeMemory(made_last_turn)
    return Advance(
        game_folder, played_key(REFEREE), now, AdvanceOptions(**wishes), progress, None, remembered
    )


def advance_with_options(game, **wishes):
    return advance_over(game.root, game.now, **wishes).run()


@pytest.fixture
def game_before_answers(tmp_path):
    """Turn 1 is made; both are asked for food."""
    return Played(tmp_path / "game").play(1)


# ---------------------------------------------------------------- who is waited for
def test_advance_says_who_has_answered_wholly_or_in_part_and_who_has_not(game_before_answers):
    game = game_before_answers
    for path in (game.root / "orders").iterdir():
        path.unlink()
    found = advance_with_options(game)
    assert found.awaited_kinds == {"a": ("food",), "b": ("food",)}
    assert (found.new_records, found.answered_seats, found.incomplete_seats) == ([], (), ())
    game.send(game.seats["a"].orders(game.seats["a"].lines(), 2))
    found = advance_with_options(game)
    assert (found.new_records, found.answered_seats, found.incomplete_seats) == ([], ("a",), ())
    game.send(game.seats["b"].orders(["feed: * eats"], 2))
    found = advance_with_options(game)
    assert (found.new_records, found.answered_seats, found.incomplete_seats) == ([], ("a",), ("b",))
    game.send(game.seats["b"].orders(game.seats["b"].lines(), 3))
    ((name, record),) = advance_with_options(game).new_records
    assert (name.path, record.content.turn) == (turn_path(2), 2)


def test_advance_waits_only_for_the_seat_that_the_turn_asks(tmp_path):
    game = Played(tmp_path / "game").play(2)
    for path in (game.root / "orders").glob("0002-*"):
        path.unlink()
    (asked,) = game.made_awaited()
    other = next(seat for seat in game.seats if seat != asked)
    game.send(game.seats[other].orders(["feed: * eats"], 2))
    found = advance_with_options(game)
    assert (found.new_records, found.answered_seats, found.incomplete_seats) == ([], (), ())
    assert list(found.awaited_kinds) == [asked]


def test_a_turn_is_never_dated_before_the_turn_before_it(game_before_answers):
    last = game_before_answers.turns[-1].content.time
    for now, made in ((last - HOUR, last), (last + 5, last + 5)):
        ((_, record),) = advance_over(game_before_answers.root, now).run().new_records
        assert record.content.time == made


# ---------------------------------------------------------------- orders on a head that is not here
def test_orders_on_an_unknown_head_stop_advance_until_the_referee_says_go_on(game_before_answers):
    game = game_before_answers
    honest = make_orders(game.seats["b"].reader, played_key("Bo"), [], 9).content
    lie = make(replace(honest, prev=b"\x05" * 32), played_key("Bo"))
    strange, game.orders[lie.id] = written_path(game, lie), lie
    with pytest.raises(FileError, match="makes the next turn without these orders") as refused:
        advance_with_options(game)
    path = strange.relative_to(game.root).as_posix()
    assert (refused.value.reason, refused.value.path) == ("fork", path)
    for wishes in ({"go_on": True}, {"made_last_turn": True}):
        ((_, record),) = advance_with_options(game, **wishes).new_records
        assert [one.reason for one in record.content.orders if one.reason] == ["forked"]
    game.see(record)  # their owner finds that right


def test_of_orders_on_unknown_heads_advance_names_those_for_the_earliest_turn(game_before_answers):
    honest = make_orders(game_before_answers.seats["b"].reader, played_key("Bo"), [], 9).content
    lies = [replace(honest, turn=turn, prev=bytes(32)) for turn in (1, 2)]
    first, _ = (written_path(game_before_answers, make(lie, played_key("Bo"))) for lie in lies)
    missing = "answer a turn that is missing from this folder"
    with pytest.raises(FileError, match=missing) as refused:
        advance_with_options(game_before_answers)
    assert refused.value.path == f"orders/{first.name}"


def test_silence_counts_from_the_second_of_the_deadline_on(tmp_path):
    game = Played(tmp_path / "game", policies={"deadline": "1h"}, answer=lambda player: None)
    deadline = game.play(1).turns[0].content.deadline
    assert advance_over(game.root, deadline - 1).run().new_records == []
    ((_, record),) = advance_over(game.root, deadline).run().new_records
    assert record.content.silent == ("a", "b")


def test_the_last_turns_maker_stops_only_for_orders_that_answer_a_later_turn(game_before_answers):
    game = game_before_answers
    honest = make_orders(game.seats["b"].reader, played_key("Bo"), [], 9).content
    written_path(game, make(replace(honest, turn=2, prev=b"\x05" * 32), played_key("Bo")))
    for wishes in ({}, {"made_last_turn": True}):
        with pytest.raises(FileError, match="answer a turn that is missing from this folder"):
            advance_with_options(game, **wishes)
    assert len(advance_with_options(game, go_on=True).new_records) == 1


def test_a_damaged_next_turn_stops_only_a_machine_that_made_no_last_turn(game_before_answers):
    ((name, record),) = advance_with_options(game_before_answers).new_records
    damaged = record.file.replace(b"over = false", b"over = true ")
    assert damaged != record.file
    (game_before_answers.root / name.path).write_bytes(damaged)
    with pytest.raises(FileError, match="the signature of this turn does not match") as refused:
        advance_with_options(game_before_answers)
    assert (refused.value.reason, refused.value.path) == ("parent", turn_path(2))
    for wishes in ({"go_on": True}, {"made_last_turn": True}):
        assert len(advance_with_options(game_before_answers, **wishes).new_records) == 1


# ---------------------------------------------------------------- seats of the referee
@pytest.fixture
def holds(tmp_path):
    """The referee plays a; turn 1 waits for its answer."""
    return Played(tmp_path / "game", plays=("a",))


def answer_preview(game, found, revision=1):
    player = game.seats["a"]
    reader = game.reader_at("a", 0, key=player.key)
    reader.absorb(found.preview, game.finder)
    lines = replace(player, reader=reader).lines()
    return make_orders(reader, player.key, lines, revision)


def written_path(game, record):
    path = game.root / record_path(record)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(record.file)
    return path


def test_a_seat_of_the_referee_answers_turn_1_before_anybody_else_sees_it(holds):
    found = advance_with_options(holds)
    assert (found.new_records, found.preview_seats) == ([], ("a",))
    assert found.preview.content.own == ()
    right = answer_preview(holds, found)
    written_path(holds, right)
    ((name, record),) = advance_with_options(holds).new_records
    assert (name.path, record.content.own) == (turn_path(1), (right.id,))


def test_before_turn_1_only_a_held_seats_own_answer_to_it_counts(holds):
    found = advance_with_options(holds)
    right = answer_preview(holds, found)
    wrong = [
        resigned(right, played_key("Bo")),
        resigned(right, holds.seats["a"].key, turn=2),
        resigned(right, holds.seats["a"].key, prev=b"\x05" * 32),
        make(with_flipped_bit(right.content), holds.seats["a"].key),
    ]
    for record in wrong:
        path = written_path(holds, record)
        again = advance_with_options(holds)
        assert (again.new_records, again.preview_seats) == ([], ("a",)), record.content
        path.unlink()
    theirs = resigned(right, played_key("Bo"), seat="b")
    written_path(holds, theirs), written_path(holds, right)
    ((_, record),) = advance_with_options(holds).new_records
    assert record.content.own == (right.id,)


def test_advance_stops_if_the_referees_orders_that_a_turn_names_are_missing(holds):
    holds.play(2)
    named = holds.turns[-1].content.own
    path = next((holds.root / "orders").glob(f"*-{named[0].hex()[:6]}.toml"))
    path.unlink()
    with refused_for("parent", error=FileError) as refused:
        advance_with_options(holds)
    assert refused.value.path == f"orders/0002-*-{named[0].hex()[:6]}.toml"
    assert "this file with your own orders for turn 2 is missing" in refused.value.sentence


# ---------------------------------------------------------------- one process, many turns
@pytest.mark.sample(0)
def test_an_advance_that_goes_on_makes_the_same_bytes_as_one_that_starts_anew(tmp_path):
    """Also where more orders lie there than one turn can list."""
    game = Played(tmp_path / "game").play(1)
    progress, turns = None, []
    for number in range(2, 5):
        for player in game.seats.values():
            if player.seat in player.reader.chain.awaited:
                count = MAX_READ_ORDER_SETS + 4 if (number, player.seat) == (2, "b") else 1
                for revision in range(1, count + 1):
                    game.send(player.orders(player.lines(), revision + 1))
        on = advance_over(game.root, game.now, progress)
        made, anew = on.run(), advance_with_options(game)
        progress = on.progress
        files = [[(name, record.file) for name, record in one.new_records] for one in (made, anew)]
        assert files[0] == files[1]
        ((name, record),) = made.new_records
        assert name.turn == number
        game.publish(record)
        game.see(record)
        turns.append(record.content)
    assert len(turns[0].orders) >= MAX_READ_ORDER_SETS
    late = [one for turn in turns[1:] for one in turn.orders if one.reason == "late"]
    assert late, "what one turn cannot list is listed by a later one"


def test_advance_does_not_go_on_in_a_folder_that_lost_a_turn(game_before_answers):
    on = advance_over(game_before_answers.root, game_before_answers.now)
    ((_, record),) = on.run().new_records
    assert on.progress is not None
    game_before_answers.publish(record)
    (game_before_answers.root / turn_path(1)).unlink()
    with pytest.raises(FileError, match="is missing: let the folder sync"):
        advance_over(game_before_answers.root, game_before_answers.now, on.progress).run()


# ---------------------------------------------------------------- wrong turns, wrong ends
def test_advance_refuses_a_last_turn_that_these_orders_do_not_make(game_before_answers, tmp_path):
    forged = Forged(game_before_answers, tmp_path)
    forged.resign(1, time=game_before_answers.turns[0].content.time + 1, table=("all is well",))
    with pytest.raises(FileError) as refused:
        advance_over(forged.root, game_before_answers.now).run()
    assert (refused.value.reason, refused.value.path) == ("fork", turn_path(1))


@pytest.mark.long
def test_advance_writes_the_final_once_and_only_the_right_one(finished, tmp_path):
    forged = Forged(finished, tmp_path)
    done = advance_over(forged.root, finished.now).run()
    assert (done.new_records, done.is_over) == ([], True)
    right = forged.read("final.toml")
    final = archive_of(forged.root).final().content
    for wrong, reason in (
        (make(replace(final, r_ref=b"\x01" * 32), forged.key).file, "fork"),
        (make(final, played_key("Eve")).file, ""),
        (b"junk\n", ""),
    ):
        forged.write("final.toml", wrong)
        if reason:  # signed by the referee
            with pytest.raises(
                FileError, match="pbem advance will then write the right one"
            ) as refused:
                advance_over(forged.root, finished.now).run()
            assert (refused.value.reason, refused.value.path) == (reason, "final.toml")
            continue
        ((name, record),) = advance_over(forged.root, finished.now).run().new_records
        assert (name.path, record.file) == ("final.toml", right)


@pytest.mark.long
def test_the_advance_that_ends_a_game_also_writes_the_final(finished, tmp_path):
    forged, last = Forged(finished, tmp_path), finished.turns[-1]
    final = forged.read("final.toml")
    forged.cut(last.content.turn - 1)
    made = advance_over(forged.root, last.content.time).run()
    files = [(name.path, record.file) for name, record in made.new_records]
    assert files == [(turn_path(last.content.turn), last.file), ("final.toml", final)]
    assert (made.is_over, made.awaited_kinds, made.answered_seats, made.preview) == (
        True,
        {},
        (),
        None,
    )
