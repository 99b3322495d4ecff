"""One replay in progress: what it takes, what it refuses, and that refusing changes nothing."""

from __future__ import annotations

import random

import pytest

from engine import (
    ALL,
    PUBLIC,
    Entry,
    Illegal,
    Kits,
    Misfit,
    Referee,
    SeedDealer,
    Table,
    hooks_of,
)
from engine.bots import RandomBot, answer
from games.evolution.rules import EVOLUTION
from games.evolution.table import Kit

GAME = EVOLUTION.game("abc")


class Bots:
    """Answers everything at random."""

    def __init__(self, seed: int) -> None:
        self.bot = RandomBot(random.Random(seed))

    def answer(self, key: str, decision) -> tuple[str, str]:
        return answer(self.bot, None, decision), "line [1]"

    def entered(self, entry: Entry) -> None:
        """Nothing to follow."""


def log_of_game(seed: int = 1) -> list[Entry]:
    referee = Referee(GAME, SeedDealer(str(seed).encode()))
    assert referee.advance(Bots(seed)) == []
    return referee.log


LOG = log_of_game()


def test_a_whole_game_is_replayed_and_is_over() -> None:
    table = Table(GAME, ALL, LOG, checks_entries=True)
    assert table.over
    assert table.pending == []
    assert table.entries == len(LOG)


def test_nothing_comes_after_the_end() -> None:
    table = Table(GAME, ALL, LOG)
    with pytest.raises(Misfit, match="after the end of the game"):
        table.push(LOG[-1])


@pytest.mark.parametrize(
    "changed", [{"key": "9.feed.feed.a.9"}, {"seat": "b"}, {"to": "c"}], ids=["key", "seat", "to"]
)
def test_an_answer_to_another_question_is_refused(changed: dict[str, str]) -> None:
    at = next(n for n, e in enumerate(LOG) if e.seat == "a")
    table = Table(GAME, ALL, LOG[:at], checks_entries=True)
    before = table.state.clone(ALL)
    with pytest.raises(Misfit):
        table.push(LOG[at]._replace(**changed))
    assert table.state == before
    table.push(LOG[at])


def test_an_illegal_answer_is_refused_and_the_right_one_taken_after() -> None:
    at = next(n for n, e in enumerate(LOG) if e.by.startswith("line") and ".food." in e.key)
    table = Table(GAME, ALL, LOG[:at], checks_entries=True)
    for text in ("[horns 99]", "horns 4", "[?]", ""):
        with pytest.raises(Illegal):
            table.push(LOG[at]._replace(text=text))
    table.push(LOG[at])


@pytest.mark.parametrize("by", ["forced", "chance", "fact", "line", "line [x]", "whim"])
def test_an_answer_is_settled_by_what_it_says(by: str) -> None:
    at = next(n for n, e in enumerate(LOG) if ".food." in e.key and e.by != "forced")
    masked = [entry.masked_for(PUBLIC) for entry in LOG]
    table = Table(GAME, PUBLIC, masked[:at], checks_entries=True)
    with pytest.raises(Illegal, match=r"settle (this|a) question"):
        table.push(masked[at]._replace(by=by))


def test_a_wave_has_no_effect_before_it_is_whole() -> None:
    at = next(n for n, e in enumerate(LOG) if ".food.food." in e.key)
    table = Table(GAME, ALL, LOG[:at])
    before = table.state.clone(ALL)
    table.push(LOG[at])
    assert table.state == before
    assert [key for key, _ in table.pending] == [LOG[at + 1].key, LOG[at + 2].key]


def test_a_misspelt_hook_fails_at_import() -> None:
    class Hasty:
        def defence_sise(self) -> None:
            """Meant: defence_size."""

    with pytest.raises(TypeError, match="defence_sise"):
        Kits(Kit, {"hasty": Hasty()})


def test_a_kit_is_compiled_once_and_ignores_words_that_are_no_trait() -> None:
    kits = EVOLUTION.kits
    assert kits is not None
    assert kits(["horns", "?"]) is kits(["horns", "?"])
    assert kits(["horns", "?"]).names == {"horns"}
    assert len(kits(["horns"]).struck) == 1


def test_every_trait_does_something() -> None:
    assert EVOLUTION.kits is not None
    assert all(hooks_of(trait) for trait in EVOLUTION.kits.traits.values())


def test_traits_on_one_hook_commute_or_stand_in_the_declared_order() -> None:
    """`took` is the only hook whose traits may touch the same food: it lists all of its traits."""
    kits = EVOLUTION.kits
    assert kits is not None
    users = {
        hook: sorted(name for name, trait in kits.traits.items() if hook in hooks_of(trait))
        for hook in kits.hooks
    }
    assert sorted(kits.order["took"]) == users["took"]
    folds = {"attack_size", "defence_size", "fat_room"}
    asked = {"defends", "shelters", "overcomes", "no_plants", "meals", "extras"}
    alone = {hook for hook, names in users.items() if len(names) <= 1}
    listed = set(kits.order)
    chosen = {"leaf"}  # their owner chooses the order, and the default is in ORDER
    assert set(users) <= folds | asked | alone | listed | chosen
