"""Going on from a checkpoint: everything a reader or the turn maker knew, and nothing false."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pbem.format.record_error import RecordError
from pbem.judge.game_view import view_from_data, view_of
from pbem.judge.next_turn import Advance
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.reader_and_maker_checkpoints import (
    checkpoint_of,
    checkpoint_of_maker,
    resume_progress,
    resume_reader,
)
from pbem.judge.referee_secrets import secrets_of
from pbem.judge.remake_turn import remake
from pbem.judge.signing import answered_turn_and_head
from pbem.judge.turn_inputs_and_outcome import AdvanceOptions
from pbem.judge.turn_maker import Progress
from pbem.records.packet import Refusal
from pbem.records.turn import ListedOrders
from tests.kit.played_games import Played, played_key
from tests.kit.record_files import archive_of
from tests.play.known_state import comparable, known_state, read_back

TURNS = 7


def _sometimes(player):
    """Seat b is silent now and then, and gives standing orders; both answer for long."""
    if player.seat == "b" and player.reader.chain.turn in (3, 4):
        return None
    return [*player.lines(), "always feed: * eats", "feed: pass"]


@pytest.fixture(scope="module")
def random_game(tmp_path_factory):
    root = tmp_path_factory.mktemp("going on") / "g"
    hour = {"deadline": "1h"}
    return Played(root, players=3, policies=hour, answer=_sometimes, bot="random").play(TURNS)


@pytest.fixture(scope="module")
def kept_seat_game(tmp_path_factory):
    return Played(tmp_path_factory.mktemp("held") / "g", plays=("a",)).play(3)


def new(game: Played, seat: str = "") -> PublicReader:
    if seat:
        return game.reader_at(seat, 0)
    return game.table_at(0)


@pytest.mark.parametrize("seat", ["", "a", "b"])
def test_a_resumed_reader_knows_everything(random_game, seat):
    for turns in (1, 4, TURNS):
        direct = random_game.read(new(random_game, seat), turns)
        state = read_back(checkpoint_of(direct))
        resumed = resume_reader(
            new(random_game, seat), state, random_game.turns[turns - 1].content, random_game.finder
        )
        assert known_state(resumed) == known_state(direct)
        assert resumed.public.state == direct.public.state
        if turns < TURNS:
            rest = random_game.turns[turns]
            resumed.absorb(rest, random_game.finder)
            direct.absorb(rest, random_game.finder)
            assert known_state(resumed) == known_state(direct)


def test_a_resumed_reader_of_a_referee_who_plays(kept_seat_game):
    turns = next(turn.content.turn for turn in kept_seat_game.turns if turn.content.own)
    direct, last = (
        kept_seat_game.read(new(kept_seat_game), turns),
        kept_seat_game.turns[turns - 1].content,
    )
    resumed = resume_reader(
        new(kept_seat_game), read_back(checkpoint_of(direct)), last, kept_seat_game.finder
    )
    assert known_state(resumed) == known_state(direct)
    assert resumed.own_order_ids


def test_what_the_last_turn_refused_is_kept(random_game):
    direct = random_game.read(new(random_game, "b"), TURNS)
    ident = random_game.turns[1].id
    refused = ListedOrders(ident, "b", "refused", "late"), ListedOrders(ident, "a", "refused", "x")
    last = replace(random_game.turns[TURNS - 1].content, orders=refused)
    direct.rule_refusals = (Refusal(ident, "feed: b1 eats", "is not an option"),)
    resumed = resume_reader(
        new(random_game, "b"), read_back(checkpoint_of(direct)), last, random_game.finder
    )
    assert resumed.rule_refusals == direct.rule_refusals
    view = view_of(resumed)
    assert view.excluded_orders == [(ident.hex(), "late")]
    assert view.rule_refusals == [(ident.hex(), "feed: b1 eats", "is not an option")]


def resume_error(
    game: Played, change: Callable[[dict[str, Any]], None], error: type[Exception]
) -> str:
    state = read_back(checkpoint_of(game.read(new(game), TURNS)))
    change(state)
    last = game.turns[TURNS - 1].content
    with pytest.raises(error) as caught:
        resume_reader(new(game), state, last, game.finder)
    return str(caught.value)


def test_orders_in_the_name_of_another_seat_are_not_taken_from_a_checkpoint(random_game):
    def swap(state):
        force = state["in_force"]
        force["a"], force["b"] = force["b"], force["a"]

    assert "must be from seat" in resume_error(random_game, swap, RecordError)
    state = read_back(checkpoint_of_maker(remade_progress(random_game).maker))
    swap(state)
    with pytest.raises(RecordError, match="must be from seat") as caught:
        going_on(random_game, state)
    assert caught.value.reason == "key"


@pytest.mark.parametrize("part", ["chain", "chance", "log", "spent", "opened"])
def test_a_checkpoint_that_lacks_a_part_is_refused(random_game, part):
    resume_error(random_game, lambda state: state.pop(part), KeyError)


# ------------------------------------------------------------------ the turn maker
def remade_progress(game: Played) -> Progress:
    """The turn maker after all turns, made again."""
    folder = archive_of(game.root)
    maker = game.turn_maker()
    progress = Progress(maker)
    for turn in game.turns:
        made = remake(maker, turn.content, game.finder)
        assert made == turn.content
        maker.add_turn(turn)
    progress.note_files(folder.listing)
    return progress


def going_on(game: Played, state: dict[str, Any]) -> Progress:
    folder = archive_of(game.root)
    return resume_progress(folder, secrets_of(folder, game.referee), state)


def test_the_turn_maker_goes_on_as_it_was(random_game):
    direct = remade_progress(random_game)
    resumed = going_on(random_game, read_back(checkpoint_of_maker(direct.maker)))
    assert resumed.files == direct.files
    one, two = resumed.maker, direct.maker
    assert comparable(vars(one.chain) | {"standing": ""}) == comparable(
        vars(two.chain) | {"standing": ""}
    )
    for name in ("absence_now", "secrets"):
        assert getattr(one, name) == getattr(two, name), name
    for name in ("used_handles", "placed_cards", "history", "buried"):
        assert getattr(one.cards, name) == getattr(two.cards, name), name
    assert one.table.log == two.table.log
    assert one.in_force.keys() == two.in_force.keys()
    counts = {held.record.id for held in two.in_force.values()}
    opened = {line for line in two.cards.opened_lines if line[0] in counts}
    assert one.cards.opened_lines == opened
    for seat, held in two.in_force.items():
        other = one.in_force[seat]
        assert (other.record, other.log_length, other.lines.round) == (
            held.record, held.log_length, held.lines.round,
        )  # fmt: skip


@pytest.mark.parametrize(
    "change", [lambda h: h[:-1], lambda h: [*h[1:], {"bytes": "00" * 32}], lambda h: h[1:]]
)
def test_heads_of_another_chain_are_refused(random_game, change):
    state = read_back(checkpoint_of_maker(remade_progress(random_game).maker))
    state["chain"]["heads"] = change(state["chain"]["heads"])
    with pytest.raises(ValueError, match="the heads are not those of this turn"):
        going_on(random_game, state)


# ------------------------------------------------------------------ what a run keeps
def test_the_files_that_a_run_used(random_game):
    progress = remade_progress(random_game)
    listing = archive_of(random_game.root).listing
    listed = {one.id.hex()[:6] for turn in random_game.turns for one in turn.content.orders}
    orders = [found.path for found in listing.orders if found.name.short_id in listed]
    others = [one.path for one in listing.records if not one.path.startswith("orders/")]
    assert set(progress.files) == {*others, *orders}
    assert progress.is_current(listing)
    for path in ("game.toml", orders[0]):
        right = progress.files[path]
        progress.files[path] = right._replace(size=right.size + 1)
        assert not progress.is_current(listing), path
        progress.files[path] = right
    progress.files["turns/9999.toml"] = progress.files["game.toml"]
    assert not progress.is_current(listing)


def test_a_run_takes_what_an_earlier_one_left_only_if_its_files_are_the_same(random_game):
    def run(progress):
        keep = []
        folder = archive_of(random_game.root)
        note = lambda kept: keep.append(kept.maker.chain.turn)  # noqa: E731
        Advance(
            folder, random_game.referee, random_game.now, AdvanceOptions(), progress, note
        ).run()
        return keep

    assert run(None) == [TURNS]
    assert run(remade_progress(random_game)) == []
    stale = remade_progress(random_game)
    stale.files["game.toml"] = stale.files["game.toml"]._replace(size=1)
    assert run(stale) == [TURNS]


def test_only_the_referees_own_secrets_make_turns(random_game):
    folder = archive_of(random_game.root)
    with pytest.raises(RecordError) as caught:
        secrets_of(folder, played_key("Eve"))
    told = "your key cannot make turns in this game; only the referee Ref can"
    assert (caught.value.reason, caught.value.sentence) == ("key", told)


def test_what_orders_answer(random_game, kept_seat_game):
    reader = random_game.read(new(random_game, "b"), TURNS)
    assert answered_turn_and_head(reader) == (TURNS, reader.chain.head)
    assert answered_turn_and_head(reader, is_early=True) == (TURNS + 1, reader.chain.head)
    mine = kept_seat_game.read(new(kept_seat_game, "a"), 3)
    assert answered_turn_and_head(mine) == (3, mine.chain.heads[2])
    assert answered_turn_and_head(mine, is_early=True) == (4, mine.chain.heads[3])


# ------------------------------------------------------------------ views
@pytest.mark.parametrize("seat", ["", "a", "b"])
def test_a_view_from_a_cache_is_the_same(random_game, seat):
    reader = random_game.read(new(random_game, seat), TURNS)
    view = view_of(reader)
    kept = view_from_data(read_back(view.to_data()))
    assert kept is not None
    assert [tuple(entry) for entry in kept.entries] == view.entries
    assert kept.log == view.log
    assert kept.table.state == view.table.state
    assert view.log_lengths == reader.chain.log_lengths
    assert view.times == reader.chain.times
    assert view.absence_reasons == dict(reader.chain.absence.absence_reasons(reader.public.pending))
    assert view.awaited == {s: list(kinds) for s, kinds in reader.chain.awaited.items()}
    assert view.asking_turn == reader.chain.asking_turn
    assert view.policies == {"deadline": "1h"}
    assert (view.deadline, view.silent, view.bots, view.plays) == (
        reader.chain.deadline, list(reader.chain.last_turn.silent), {}, [],
    )  # fmt: skip
    for turn, end in enumerate(view.log_lengths[:-1], start=1):
        assert view.table_at(turn).pending[0][0] == view.log[end].key
    assert view.table_at(TURNS).state == view.table.state
    assert view_from_data({"game": "x"}) is None
