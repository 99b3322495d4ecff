"""What a run of the referee keeps for the next one, and what orders answer."""

import pytest

from pbem.format.record_error import RecordError
from pbem.judge.make_signed_records import answered_turn_and_head
from pbem.judge.next_turn import Advance
from pbem.judge.public_turn_reader import PublicReader
from pbem.judge.referee_secrets import secrets_of
from pbem.judge.remake_turn import remake
from pbem.judge.turn_inputs_and_outcome import AdvanceOptions
from pbem.judge.turn_maker import Progress
from tests.kit.played_games import Played, played_key
from tests.kit.record_files import archive_of

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


def test_orders_answer_the_last_turn_and_early_orders_the_next_one(random_game, kept_seat_game):
    reader = random_game.read(new(random_game, "b"), TURNS)
    assert answered_turn_and_head(reader) == (TURNS, reader.chain.head)
    mine = kept_seat_game.read(new(kept_seat_game, "a"), 3)
    assert answered_turn_and_head(mine) == (3, mine.chain.heads[2])
    assert answered_turn_and_head(mine, is_early=True) == (4, mine.chain.heads[3])
