"""One run of the referee, at its edges: half a turn, lost files, empty seats, second thoughts."""

import pytest

from pbem.files.file_errors import FileError
from pbem.judge.next_turn import Advance
from pbem.judge.turn_inputs_and_outcome import AdvanceOptions, RefereeMemory
from tests.attacks.forging import turn_path
from tests.kit.played_games import HOUR, MINUTE, REFEREE, Played, played_key
from tests.kit.record_files import archive_of, record_path

GET_BACK = (
    "let the folder sync. If the file does not come, look among your drive's old files, or ask a "
    "player who plays by mail for the file (the player types pbem send --all). "
    "Or run pbem advance on the computer that made the file"
)


def run_advance(game, now=None, made_last_turn=False, arrivals=None, **wishes):
    folder = archive_of(game.root)
    remembered = RefereeMemory(made_last_turn, arrivals or {})
    advance = Advance(
        folder,
        played_key(REFEREE),
        now or game.now,
        AdvanceOptions(**wishes),
        remembered=remembered,
    )
    return advance.run()


def refused_run(game, **wishes) -> tuple[str, str, str]:
    with pytest.raises(FileError) as caught:
        run_advance(game, **wishes)
    return caught.value.reason, caught.value.path, caught.value.sentence


@pytest.fixture
def answered_game(tmp_path):
    """Turn 1 is made, and both have answered."""
    return Played(tmp_path / "g").play(1)


# ------------------------------------------------------------------ the next turn is half here
def test_a_half_synced_next_turn_stops_advance_on_every_machine(answered_game):
    ((name, record),) = run_advance(answered_game).new_records
    told = "this file is empty, or has only a part of a turn. Let the folder sync. If the file "
    told += "stays as it is, pbem advance --go-on sets it aside and makes the turn"
    for part in (record.file[:99], b""):
        (answered_game.root / name.path).write_bytes(part)
        for wishes in ({}, {"made_last_turn": True}):
            assert refused_run(answered_game, **wishes) == ("parent", turn_path(2), told)
        ((_, again),) = run_advance(answered_game, go_on=True).new_records
        assert again == record
    (answered_game.root / name.path).write_bytes(b"junk\n")
    assert run_advance(answered_game).new_records == [(name, record)]
    (answered_game.root / name.path).rename(answered_game.root / turn_path(3))
    (answered_game.root / turn_path(3)).write_bytes(record.file[:99])
    assert run_advance(answered_game).new_records == [(name, record)], "not the next one"


def test_advance_says_how_to_mend_a_damaged_next_turn(answered_game):
    ((name, record),) = run_advance(answered_game).new_records
    (answered_game.root / name.path).write_bytes(
        record.file.replace(b"over = false", b"over = true ")
    )
    told = "the signature of this turn does not match. If you made the turn on another computer, "
    told += "copy the file from there. If not, pbem advance --go-on sets the file aside "
    told += "and makes the turn"
    assert refused_run(answered_game) == ("parent", turn_path(2), told)


# ------------------------------------------------------------------ files that are missing
def test_advance_names_missing_turns_and_orders(answered_game):
    answered_game.play(2)
    listed = next(t.content.orders[0] for t in answered_game.turns if t.content.orders)
    (path,) = (answered_game.root / "orders").glob(f"*-{listed.id.hex()[:6]}.toml")
    kept = path.read_bytes()
    path.unlink()
    assert refused_run(answered_game) == (
        "parent", f"orders/*-{listed.id.hex()[:6]}.toml",
        f"this file of orders is missing, although a turn lists the orders: {GET_BACK}",
    )  # fmt: skip
    path.write_bytes(b"junk\n")
    assert refused_run(answered_game)[:2] == ("trailer", f"orders/{path.name}")
    path.write_bytes(kept)
    (answered_game.root / turn_path(2)).unlink()
    assert refused_run(answered_game) == (
        "parent",
        turn_path(2),
        f"this turn is missing: {GET_BACK}",
    )


# ------------------------------------------------------------------ who plays
def test_advance_waits_for_empty_seats_until_the_referee_starts(tmp_path):
    game = Played(tmp_path / "g", players=3)
    paths = {path.name[0]: path for path in (game.root / "seats").iterdir()}
    paths["c"].unlink()
    found = run_advance(game)
    assert (found.new_records, found.awaited_kinds, found.contested) == ([], {"c": ("join",)}, {})
    ((_, record),) = run_advance(game, start=True).new_records
    assert sorted(record.content.joins) == ["a", "b"]
    paths["b"].unlink()
    found = run_advance(game, start=True)
    assert (found.new_records, found.awaited_kinds) == ([], {"b": ("join",), "c": ("join",)}), (
        "too few"
    )


# ------------------------------------------------------------------ what a run tells
def test_advance_reports_who_is_asked_before_and_after_it_makes_a_turn(answered_game):
    made = run_advance(answered_game)
    ((_, record),) = made.new_records
    assert (made.turn, made.is_over, made.preview) == (record.content, False, None)
    assert made.awaited_kinds == {one.seat: one.kinds for one in record.content.awaited}
    assert made.phase in ("play", "leaf", "feed")
    for path in (answered_game.root / "orders").iterdir():
        path.unlink()
    waits = run_advance(answered_game)
    assert (waits.new_records, waits.turn, waits.phase) == (
        [],
        answered_game.turns[0].content,
        "food",
    )
    assert (waits.preview_seats, waits.unheard_seats, waits.revisable_until, waits.doubtful) == (
        (),
        (),
        0,
        [],
    )


# ------------------------------------------------------------------ second thoughts
@pytest.fixture
def thinking(tmp_path):
    """The charter gives two hours for a change of mind; the deadline is six hours off."""
    policies = {"change_of_mind": "2h", "deadline": "6h"}
    game = Played(tmp_path / "g", policies=policies)
    turn = game.turn()
    game.see(turn)
    return game


def answer_paths(game) -> list[str]:
    return [record_path(game.send(player.orders(player.lines()))) for player in game.seats.values()]


def test_the_next_turn_waits_two_hours_after_the_last_orders_arrived(thinking):
    made = thinking.turns[0].content.time
    one, two = answer_paths(thinking)
    seen = {one: made + HOUR, two: made + MINUTE}
    until = made + 3 * HOUR
    for now in (made + HOUR, until - 1):
        found = run_advance(thinking, now, arrivals=seen)
        assert (found.new_records, found.revisable_until) == ([], until), now
        assert sorted(found.answered_seats) == sorted(found.awaited_kinds) == ["a", "b"]
        assert (found.turn, found.phase) == (thinking.turns[0].content, "food")
    assert run_advance(thinking, until, arrivals=seen).new_records
    assert run_advance(thinking, made + HOUR, arrivals={}).revisable_until == made + 3 * HOUR, (
        "seen just now"
    )
    later = {one: made + 9 * HOUR, two: made}
    assert run_advance(thinking, made + HOUR, arrivals=later).revisable_until == made + 3 * HOUR, (
        "a wrong clock"
    )


def test_the_time_for_a_change_of_mind_ends_at_the_deadline(thinking):
    made = thinking.turns[0].content.time
    one, two = answer_paths(thinking)
    seen = {one: made + 5 * HOUR, two: made}
    assert run_advance(thinking, made + 5 * HOUR, arrivals=seen).revisable_until == made + 6 * HOUR
    assert run_advance(thinking, made + 6 * HOUR, arrivals=seen).new_records


def test_without_new_orders_there_is_no_time_for_a_change_of_mind(thinking):
    made = thinking.turns[0].content.time
    found = run_advance(thinking, made + HOUR)
    assert (found.new_records, found.revisable_until) == ([], 0)
    assert run_advance(thinking, made + 6 * HOUR).new_records, "silence counts at the deadline"


def test_without_a_deadline_the_time_for_a_change_of_mind_ends_by_itself(tmp_path):
    game = Played(tmp_path / "g", policies={"change_of_mind": "2h"})
    game.see(game.turn())
    made = game.turns[0].content.time
    answer_paths(game)
    assert run_advance(game, made + 1, arrivals={}).revisable_until == made + 1 + 2 * HOUR
    paths = {record_path(record): made for record in game.orders.values()}
    assert run_advance(game, made + 2 * HOUR, arrivals=paths).new_records


# ------------------------------------------------------------------ what a run leaves
def test_advance_leaves_its_progress_only_if_it_made_a_turn(answered_game):
    folder = archive_of(answered_game.root)
    one = Advance(folder, played_key(REFEREE), answered_game.now, AdvanceOptions())
    ((_, record),) = one.run().new_records
    left = one.progress
    assert left.files.keys() >= {
        found.path for found in folder.listing.records if not found.path.startswith("orders/")
    }
    chain = left.maker.chain
    assert (chain.last_turn, chain.turn) == (record.content, 2)
    assert chain.heads == [*answered_game.heads, chain.head]
    assert {*chain.listed_orders} == {listed.id for listed in record.content.orders}
    digits = {ident.hex()[:6] for ident in chain.listed_orders}
    orders = {path for path in left.files if path.startswith("orders/")}
    assert {path[-11:-5] for path in orders} == digits
    answered_game.publish(record)
    waits = Advance(
        archive_of(answered_game.root),
        played_key(REFEREE),
        answered_game.now,
        AdvanceOptions(),
        left,
    )
    waits.run()
    assert waits.progress is None, "a run that makes no turn leaves nothing"
