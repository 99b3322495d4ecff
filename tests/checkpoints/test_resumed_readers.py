"""Whoever goes on from a checkpoint knows what they would know who read every turn."""

import json

import pytest

from engine import Table
from pbem.judge.game_view import view_of
from pbem.judge.next_turn import Advance, secrets_of
from pbem.judge.order_sorting import remake
from pbem.judge.reader_and_maker_checkpoints import (
    checkpoint_of,
    checkpoint_of_maker,
    resume,
    resume_progress,
)
from pbem.judge.turn_maker import Progress
from tests.kit.played_games import HOUR, Played
from tests.kit.record_files import archive_of
from tests.kit.selection import long

TURNS = 24
EVERY = 3
GAMES = {
    "evolution": {"players": 2, "bot": "random"},
    "digital": {"players": 2},
    "climate": {"players": 3, "bot": "random"},
    "origin": {"players": 2, "bot": "random"},
    "classroom": {"players": 3},
    "held": {"players": 3, "plays": ("a",), "ruleset": "classroom"},
    "silent": {"players": 2, "policies": {"deadline": "1h"}},
}


FEW = ["silent"]


@pytest.fixture(scope="module", params=[*FEW, *long(name for name in GAMES if name not in FEW)])
def short_game(request, tmp_path_factory):
    """The first turns of a game. In the last one, seat b answers every third turn only."""
    wishes = dict(GAMES[request.param])
    if request.param == "silent":
        wishes["answer"] = lambda p: (
            None if p.seat == "b" and p.reader.chain.turn % 3 else p.lines()
        )
    elif "ruleset" not in wishes:
        wishes["ruleset"] = request.param
    return Played(tmp_path_factory.mktemp(request.param) / "g", **wishes).play(TURNS)


def again(state):
    """The checkpoint as another process gets it."""
    return json.loads(json.dumps(state))


@pytest.mark.long
def test_a_reader_that_is_resumed_again_and_again_knows_the_same(short_game):
    makers = [lambda: short_game.table_at(0)]
    for seat, player in short_game.seats.items():
        makers.append(lambda s=seat, p=player: short_game.reader_at(s, 0, key=p.key))
    for number, new in enumerate(makers):
        direct, resumed, last = new(), new(), None
        for turn in short_game.turns:
            direct.absorb(turn, short_game.finder)
            if resumed.chain.turn and (resumed.chain.turn + number) % EVERY == 0:
                resumed = resume(new(), again(checkpoint_of(resumed)), last, short_game.finder)
            resumed.absorb(turn, short_game.finder)
            last = turn.content
            assert checkpoint_of(resumed) == checkpoint_of(direct)
            assert view_of(resumed) == view_of(direct)


@pytest.mark.sample(0)
def test_a_view_keeps_its_table_while_the_reader_goes_on(short_game):
    for seat, player in short_game.seats.items():
        reader, views = short_game.reader_at(seat, 0, key=player.key), []
        for turn in short_game.turns:
            reader.absorb(turn, short_game.finder)
            views.append(view_of(reader))
            assert views[-1].table is reader.own_table
        for view in views:
            again = Table(view.play, seat, view.log)
            assert view.table.state == again.state
            assert [key for key, _ in view.table.pending] == [key for key, _ in again.pending]


def test_a_turn_maker_that_is_resumed_again_and_again_makes_the_same(short_game):
    game_folder = archive_of(short_game.root)
    secrets = secrets_of(game_folder, short_game.referee)
    maker = short_game.turn_maker()
    progress = Progress(maker)
    for turn in short_game.turns:
        if progress.maker.chain.turn and progress.maker.chain.turn % EVERY == 0:
            state = again(checkpoint_of_maker(progress.maker))
            progress = resume_progress(game_folder, secrets, state)
        maker = progress.maker
        made = remake(maker, turn.content, short_game.finder)
        assert made == turn.content
        maker.add_turn(turn)
    assert maker.final() == short_game.made.final()


def test_advance_hands_out_what_it_made_again_and_goes_on_from_it(short_game):
    kept = []

    def advance(progress=None):
        folder = archive_of(short_game.root)
        keep = lambda made: kept.append(again(checkpoint_of_maker(made.maker)))  # noqa: E731
        return Advance(
            folder, short_game.referee, short_game.now + HOUR, None, progress, keep
        ).run()

    first = advance()
    assert [len(state["chain"]["times"]) for state in kept] == [len(short_game.turns)]
    game_folder = archive_of(short_game.root)
    secrets = secrets_of(game_folder, short_game.referee)
    assert advance(resume_progress(game_folder, secrets, kept[0])) == first
    assert len(kept) == 1
