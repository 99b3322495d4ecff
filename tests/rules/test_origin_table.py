"""Origin beside its rule cases: what is explained, sent ahead, hidden for ever, and played well."""

import json
from random import Random

import pytest

from engine import ALL, PUBLIC, UNKNOWN, Referee, SeedDealer, Table
from engine.make_and_ask_bots import ask_bot, make_bot
from engine.play_bot_game import play_out
from engine.random_bot import RandomBot
from games.origin.card_and_dice_data import COPIES, DICE, ONE_SET, TWO_SETS
from games.origin.rule_case_table import positions
from games.origin.rules import ORIGIN
from games.origin.traits import TRAITS
from tests.bots.own_eyes import played_with_own_eyes
from tests.kit.selection import SHARED, needs_shared

SEATS = "abcdefgh"


@needs_shared("cards/origin.json")
def test_the_deck_of_origin_is_the_printed_one() -> None:
    data = json.loads((SHARED / "cards" / "origin.json").read_text("utf-8"))
    printed = {"/".join(filter(None, (t["trait"], t["or"]))): t["copies"] for t in data["types"]}
    assert printed == COPIES
    assert len(ONE_SET) == data["cards"] == len(TWO_SETS) // 2
    dice = {int(n): (d["dice"], d["plus"]) for n, d in data["food_dice"].items()}
    assert dice == {n: tuple(d) for n, d in DICE.items()}


def test_every_card_and_trait_of_origin_is_explained() -> None:
    assert set(ORIGIN.texts()) >= set(TRAITS) | set(COPIES)


def test_the_house_rules_of_origin_are_marked_in_its_texts() -> None:
    marked = {name for name, text in ORIGIN.texts().items() if text.house}
    assert {"burrowing", "scavenger", "silence", "last round", "first player"} <= marked
    assert "swimming" not in marked


# ---------------------------------------------------------------- sent ahead
def development(hand: list[str]) -> Table:
    game = ORIGIN.game("ab")
    state = game.start()
    positions().read(state, {"a": ["a1"], "b": ["b1"], "hands": {"a": hand, "b": ["piracy"]}})
    return Table(game, "a", position=(state.clone("a"), "development"))


def test_lines_for_the_whole_phase_are_checked_one_after_the_other() -> None:
    table = development(["running", "swimming", "symbiosis"])
    script = ORIGIN.early_decision(table.state, "a", "develop", {})
    assert script is not None
    assert script.script
    assert "symbiosis: a1 protects a2" not in script.option_list([])
    assert "symbiosis: a1 protects a2" in script.option_list(["[swimming] as an animal"])
    assert script.why is not None
    assert "no a2" in (script.why("symbiosis: a1 protects a2", []) or "")
    assert "not in your hand" in (script.why("running on a1", ["running on a1"]) or "")
    assert script.option_list(["pass"]) == []
    assert "cannot play any more" in (script.why("running on a1", ["pass"]) or "")
    assert table.state.rows["a"][0].traits == []


def test_feedings_can_be_sent_ahead_and_nothing_after_a_pass() -> None:
    table = development(["running"])
    ahead = ORIGIN.early_decision(table.state, "a", "feed", {})
    assert ahead is not None
    assert "a1 eats" in ahead.option_list()
    table.state.passed_seats = ["a"]
    assert ORIGIN.early_decision(table.state, "a", "develop", {}) is None


# ---------------------------------------------------------------- hidden for ever
@pytest.mark.parametrize("players", [2, 5])
def test_only_its_owner_ever_sees_the_card_under_an_animal_of_origin(players: int) -> None:
    game = ORIGIN.game(SEATS[:players])
    bots = {seat: RandomBot(Random(f"{players}{seat}")) for seat in game.seats}

    class Bots:
        def answer(self, key, decision):
            return ask_bot(bots[decision.seat], None, decision), "line [1]"

        def entered(self, entry) -> None: ...

    referee = Referee(game, SeedDealer(b"hidden"), viewpoints=game.seats, checks_entries=False)
    referee.advance(Bots())
    animals = [e for e in referee.log if e.text.endswith("as an animal")]
    assert len(animals) > 5
    assert all(e.to == e.seat and e.masked_for(PUBLIC).text == "[?] as an animal" for e in animals)
    full = referee.tables[ALL].state
    for viewpoint in (PUBLIC, *game.seats):
        state = referee.tables[viewpoint].state
        for seat in game.seats:
            dead = state.buried[seat]
            own = [animal.card for animal in state.rows[seat]]
            if viewpoint == seat:
                assert dead == full.buried[seat]
            else:
                assert set(dead) | set(own) <= {UNKNOWN}
            assert state.piles[seat] == full.piles[seat]
        assert game.ruleset.result(state) == game.ruleset.result(full)


def test_origin_is_played_with_one_set_of_cards_up_to_four_players_and_else_with_two() -> None:
    for players in ORIGIN.players:
        bots = {seat: RandomBot(Random(f"{players}{seat}")) for seat in SEATS[:players]}
        state = play_out(ORIGIN.game(SEATS[:players]), bots, SeedDealer(b"sets")).table.state
        printed = ONE_SET if players <= 4 else TWO_SETS
        assert state.deck == 0
        assert sorted(state.cards()) == list(printed)
        assert state.boxed_card_count == len(TWO_SETS) - len(printed)
        assert state.final_round == state.round - 1


# ---------------------------------------------------------------- bots
@pytest.mark.long
def test_in_origin_the_greedy_bot_beats_the_random_one() -> None:
    won = 0
    for seed in range(40):
        seat = "ab"[seed % 2]
        bots = {s: make_bot(ORIGIN, "random", Random(f"{seed}{s}")) for s in "ab"}
        bots[seat] = make_bot(ORIGIN, "greedy", Random(seed))
        state = play_out(ORIGIN.game("ab"), bots, SeedDealer(bytes([seed]))).table.state
        won += ORIGIN.result(state).winners == (seat,)
    assert won >= 32


@pytest.mark.sample(1)
@pytest.mark.parametrize("players", [2, 4, 8])
def test_the_greedy_bot_of_origin_uses_only_what_its_seat_sees(players: int) -> None:
    own = played_with_own_eyes(ORIGIN, players, "greedy", 2)
    assert own.peeked == []
    assert {"animal", "trait", "use", "eats", "attacks"} <= set(own.said)
