"""Going on from a checkpoint of a game in which notices changed who plays."""

from dataclasses import replace

import pytest

from pbem.judge.reader_and_maker_checkpoints import (
    checkpoint_of,
    checkpoint_of_maker,
    resume_progress,
    resume_reader,
)
from pbem.judge.referee_secrets import secrets_of
from pbem.judge.remake_turn import remake
from pbem.judge.seat_turn_reader import SeatReader
from pbem.judge.turn_maker import Progress
from tests.attacks.changed_seats import newcomers_reader
from tests.kit.record_files import archive_of
from tests.play.known_state import known_state, read_back


def resumed(game, direct, new):
    """A new reader that goes on from what another one knows."""
    state = read_back(checkpoint_of(direct))
    last = game.turns[direct.chain.turn - 1].content
    return resume_reader(new, state, last, game.finder)


def lasting(standing):
    """The standing without what each turn works out again before it reads the notices."""
    return replace(
        standing,
        idle=frozenset(),
        silent_long=frozenset(),
        turn_due_at=0,
        dated=0,
        deadline=0,
        asking_turn=0,
    )


def same(game, new, turns):
    """Whether a reader that goes on from this turn knows what one knows that read every turn."""
    direct = game.read(new(), turns)
    other = resumed(game, direct, new())
    assert known_state(other) == known_state(direct)
    assert lasting(other.chain.standing) == lasting(direct.chain.standing)
    assert other.chain.standing.now == direct.chain.standing.now
    assert checkpoint_of(other) == checkpoint_of(direct)
    assert other.public.state == direct.public.state
    for record in game.turns[turns : turns + 2]:
        for reader in (direct, other):
            reader.absorb(record, game.finder)
        assert known_state(other) == known_state(direct)


@pytest.mark.sample(1)
@pytest.mark.parametrize("turns", [4, 5, 6, 7])
def test_a_reader_resumed_after_notices_knows_what_one_that_read_all_knows(changed, turns):
    same(changed, lambda: changed.table_at(0), turns)


@pytest.mark.parametrize(("seat", "turns"), [("c", 5), ("c", 7), ("b", 6), ("b", 7)])
def test_a_new_players_reader_resumed_from_a_checkpoint_knows_the_same(changed, seat, turns):
    same(changed, lambda: newcomers_reader(changed, seat), turns)


@pytest.mark.parametrize("turns", [3, 5])
def test_a_reader_resumed_where_some_seats_are_not_waited_for_knows_the_same(left, turns):
    ann = left.seats["a"].key.seed
    same(left, lambda: left.table_at(0), turns)
    same(left, lambda: SeatReader(left.charter, "a", ann), turns)


def listed_in(state):
    """The ids of the listed orders in a checkpoint, as they stand there."""
    return [ident["bytes"] for ident, _ in state["chain"]["listed_orders"]["table"]]


def test_a_checkpoint_is_written_as_the_same_text_each_time(changed):
    """Sets have no order: what was written once must be written again."""
    reader = changed.table_at()
    state = checkpoint_of(reader)
    listed = [row.id.hex() for turn in changed.turns for row in turn.content.orders]
    assert len(listed) > 5
    assert listed_in(state) == listed, "in the order of the turns"
    some = next(iter(reader.in_force.values())).record.id
    reader.cards.spent_lines = {(some, slot) for slot in range(40)}
    reader.cards.spent_lines.add((bytes(32), 3))
    rows = [[{"bytes": some.hex()}, slot] for slot in range(40)]
    assert checkpoint_of(reader)["spent"] == {"set": rows}


def progress_after(game, number):
    """The turn maker after so many turns, made again."""
    maker = game.turn_maker()
    progress = Progress(maker)
    for turn in game.turns[:number]:
        assert remake(maker, turn.content, game.finder) == turn.content
        maker.add_turn(turn)
    return progress


@pytest.mark.parametrize(
    ("name", "turns"), [("changed", 4), ("changed", 5), ("changed", 6), ("changed", 7), ("left", 4)]
)
def test_a_turn_maker_resumed_after_notices_makes_the_same_turn(request, name, turns):
    game = request.getfixturevalue(name)
    direct = progress_after(game, turns)
    state = read_back(checkpoint_of_maker(direct.maker))
    rows = (row for turn in game.turns[:turns] for row in turn.content.orders)
    assert listed_in(state) == [row.id.hex() for row in rows]
    assert state["opened"] == sorted(state["opened"])
    folder = archive_of(game.root)
    other = resume_progress(folder, secrets_of(folder, game.referee), state)
    assert checkpoint_of_maker(other.maker) == checkpoint_of_maker(direct.maker)
    one, two = other.maker, direct.maker
    assert lasting(one.chain.standing) == lasting(two.chain.standing)
    assert (one.keys, one.absence_now) == (two.keys, two.absence_now)
    for field in ("absence", "asking_turn", "head", "turn"):
        assert getattr(one.chain, field) == getattr(two.chain, field), field
    assert one.chain.standing.now == two.chain.standing.now == game.turns[turns - 1].content.time
    record = game.turns[turns]
    for progress in (direct, other):
        assert remake(progress.maker, record.content, game.finder) == record.content


def test_a_checkpoint_keeps_opened_lines_in_sorted_order(changed):
    progress = progress_after(changed, 4)
    force = next(iter(progress.maker.in_force.values())).record.id
    progress.maker.cards.opened_lines |= {(force, slot) for slot in range(40)}
    state = checkpoint_of_maker(progress.maker)
    ours = [slot for order, slot in state["opened"] if order == force.hex()]
    assert ours == sorted(ours)
    assert len(ours) >= 40
