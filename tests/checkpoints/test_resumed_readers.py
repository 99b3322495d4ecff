"""Whoever goes on from a checkpoint knows what they would know who read every turn."""

import pytest

from engine import Table
from games.registry import BUILT_IN_GAMES
from pbem.judge.game_view import view_of
from pbem.judge.next_turn import Advance
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
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import HOUR, Played, played_key
from tests.kit.record_files import archive_of
from tests.kit.selection import long
from tests.play.known_state import read_back

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
    "dealers": {"players": 2, "options": {"together": "yes"}, "co_dealers": 2},
    "dealers-silent": {"players": 2, "policies": {"deadline": "1h"}, "ruleset": "climate"},
}


FEW = ["silent", "dealers"]


@pytest.fixture(scope="module", params=[*FEW, *long(name for name in GAMES if name not in FEW)])
def short_game(request, tmp_path_factory):
    """The first turns of a game. In the last one, seat b answers every third turn only."""
    wishes = dict(GAMES[request.param])
    if request.param.endswith("silent"):
        wishes["answer"] = lambda p: (
            None if p.seat == "b" and p.reader.chain.turn % 3 else p.lines()
        )
    elif request.param in BUILT_IN_GAMES:
        wishes["ruleset"] = request.param
    root = tmp_path_factory.mktemp(request.param) / "g"
    if not request.param.startswith("dealers"):
        return Played(root, **wishes).play(TURNS)
    game = DealersGame(root, **wishes)
    while not any(record.content.need for record in game.turns):
        game.play(1)
    game.rekey("b", "Bo's new computer")  # its orders lapse while the wave waits for names
    game.is_paused = True
    game.sits("b", played_key("Bo's new computer"))
    game.turn_for_all()
    game.is_paused = False
    return game.play(TURNS)


@pytest.mark.long
def test_a_reader_resumed_again_and_again_knows_what_one_that_read_all_knows(short_game):
    makers = [lambda: short_game.table_at(0)]
    for seat, player in short_game.seats.items():
        since = player.reader.valid_from
        makers.append(
            lambda s=seat, p=player, n=since: SeatReader(short_game.charter, s, p.key.seed, n)
        )
    for number, new in enumerate(makers):
        direct, resumed, last = new(), new(), None
        for turn in short_game.turns:
            direct.absorb(turn, short_game.finder)
            since = getattr(resumed, "valid_from", 1)
            may_resume = resumed.chain.turn >= since and not resumed.lapsed_orders.seats
            if may_resume and (resumed.chain.turn + number) % EVERY == 0:
                resumed = resume_reader(
                    new(), read_back(checkpoint_of(resumed)), last, short_game.finder
                )
            resumed.absorb(turn, short_game.finder)
            last = turn.content
            assert checkpoint_of(resumed) == checkpoint_of(direct)
            if turn.content.turn >= since:
                assert view_of(resumed) == view_of(direct)


@pytest.mark.sample(0)
def test_a_view_keeps_its_table_while_its_reader_goes_on(short_game):
    for seat, player in short_game.seats.items():
        if player.reader.valid_from > 1:
            continue  # another key read the first turns
        reader, views = short_game.reader_at(seat, 0, key=player.key), []
        for turn in short_game.turns:
            reader.absorb(turn, short_game.finder)
            views.append(view_of(reader))
            assert views[-1].table is reader.own_table
        for view in views:
            again = Table(view.play, seat, view.log)
            assert view.table.state == again.state
            assert [key for key, _ in view.table.pending] == [key for key, _ in again.pending]


@pytest.mark.sample(0)
def test_a_turn_maker_resumed_again_and_again_makes_the_same_turns(short_game):
    game_folder = archive_of(short_game.root)
    secrets = secrets_of(game_folder, short_game.referee)
    maker = short_game.turn_maker()
    progress = Progress(maker)
    for turn in short_game.turns:
        may_resume = progress.maker.chain.turn and not progress.maker.lapsed_orders.seats
        if may_resume and progress.maker.chain.turn % EVERY == 0:
            state = read_back(checkpoint_of_maker(progress.maker))
            progress = resume_progress(game_folder, secrets, state)
        maker = progress.maker
        made = remake(maker, turn.content, short_game.finder)
        assert made == turn.content
        maker.add_turn(turn)
    assert maker.final() == short_game.made.final()


@pytest.mark.sample(0)
def test_advance_that_resumes_from_the_checkpoint_it_kept_has_the_same_outcome(short_game):
    kept = []

    def advance(progress=None):
        folder = archive_of(short_game.root)
        keep = lambda made: kept.append(read_back(checkpoint_of_maker(made.maker)))  # noqa: E731
        return Advance(
            folder, short_game.referee, short_game.now + HOUR, None, progress, keep
        ).run()

    first = advance()
    assert [len(state["chain"]["times"]) for state in kept] == [len(short_game.turns)]
    game_folder = archive_of(short_game.root)
    secrets = secrets_of(game_folder, short_game.referee)
    assert advance(resume_progress(game_folder, secrets, kept[0])) == first
    assert len(kept) == 1
