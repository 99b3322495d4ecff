"""Games that are played once for all tests of this folder; whoever damages one copies it first."""

import random

import pytest

from pbem.format.encrypted_box import public_of
from pbem.format.secret_and_public_keys import Secrets
from pbem.judge.notice_kinds import Away, Concede, Delay, Leave, NewKey, TakeIn
from tests.attacks.forging import Forged
from tests.kit.played_games import HOUR, Played, played_key


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    return Played(tmp_path_factory.mktemp("finished"), table=bytes([110]) * 16).play()


@pytest.fixture(scope="session")
def short(tmp_path_factory):
    """Four turns, and orders for the fifth. In turns 2 and 3 lines of both players count."""
    game = Played(tmp_path_factory.mktemp("short") / "g").play(4)
    game.ask()
    return game


@pytest.fixture
def forged_game(short, tmp_path):
    """A copy of the short game, to be damaged."""
    return Forged(short, tmp_path)


@pytest.fixture
def forged_finished_game(finished, tmp_path):
    """A copy of the game that is over, to be damaged."""
    return Forged(finished, tmp_path)


@pytest.fixture
def unstarted_game(tmp_path):
    return Played(tmp_path / "game")


@pytest.fixture(scope="session")
def held(tmp_path_factory):
    """The referee plays seat a."""
    return Played(tmp_path_factory.mktemp("held"), plays=("a",)).play()


@pytest.fixture(scope="session")
def silent(tmp_path_factory):
    """There is a deadline, and seat b lets it pass now and then."""
    root = tmp_path_factory.mktemp("silent")

    def answer(player):
        return None if player.seat == "b" and player.reader.chain.turn % 5 == 0 else player.lines()

    return Played(root, policies={"deadline": "1h"}, answer=answer).play()


@pytest.fixture(scope="session")
def six(tmp_path_factory):
    """Six players, who play their cards at the same time: whole scripts."""
    return Played(tmp_path_factory.mktemp("six"), players=6, bot="random").play()


def _all_sorts(player):
    luck = random.Random(f"{player.seat} {player.reader.chain.turn} of all sorts")
    if luck.random() < 0.1:
        return None
    lines = player.lines()
    if luck.random() < 0.5:
        lines += ["always feed: * attacks *", "always feed: * eats", "always food: [climbing 2]"]
    if luck.random() < 0.3:
        lines += ["feed: * attacks *", "feed: * eats", "feed: pass"]
    return lines


@pytest.fixture(scope="session")
def mixed(tmp_path_factory):
    """Lines of all sorts, standing ones, stars, silence: every way to settle a decision."""
    root = tmp_path_factory.mktemp("mixed")
    hours = {"deadline": "1h"}
    return Played(root, players=3, bot="random", policies=hours, answer=_all_sorts).play()


@pytest.fixture(scope="session")
def left(tmp_path_factory):
    """Seat c concedes with turn 3, seat b says then that they are away; nobody waits for them."""
    policies = {"deadline": "1h"}
    never = lambda player: None if player.seat != "a" else player.lines()  # noqa: E731
    root = tmp_path_factory.mktemp("left") / "g"
    game = Played(root, players=3, policies=policies, answer=never).play(2)
    game.say("c", Concede())
    game.say("b", Away(game.now, game.now + 30 * 24 * HOUR))
    return game.play(6)


@pytest.fixture(scope="session")
def changed(tmp_path_factory):
    """Seat c gets a new player with turn 5, seat b a new key with turn 6; turn 7 is put off."""
    policies = {"deadline": "1h", "delays": "1 day"}
    game = Played(tmp_path_factory.mktemp("changed") / "g", players=3, policies=policies).play(3)
    game.say("c", Leave())
    game.play(1)
    game.say("referee", TakeIn("c", game.joins_later("c", "Gil").id))
    game.sits("c", played_key("Gil"))
    game.play(1)
    new = played_key("Bo's new key")
    ident = game.game_folder.game
    game.say("b", NewKey.make(new, public_of(Secrets(new.seed).box(ident, "b")), ident, "b"))
    game.sits("b", new)
    game.play(1)
    game.say("a", Delay(2))
    game.say("b", Delay(3))
    return game.play(3)
