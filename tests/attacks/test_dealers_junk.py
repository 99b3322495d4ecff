"""Mode `dealers`: deals that a co-dealer should not have signed hold up nobody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from pbem.records.deal_record import Deal, OpenedShare
from pbem.records.read_and_sign_record import Record, make
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import advance_in
from tests.kit.record_files import put_record


@pytest.fixture
def shared_game(tmp_path: Path) -> DealersGame:
    """A game after whose last turn both co-dealers owe shares."""
    game = DealersGame(tmp_path / "game", co_dealers=2)
    while not game.turns or game.turns[-1].content.owed != (0, 1):
        game.play(1)
    return game


def listed_first(right: Record[Deal], junk: Callable[[int], Record[Deal]]) -> Record[Deal]:
    """The first junk of this kind whose file comes before the right one."""
    return next(record for record in map(junk, count()) if record.id < right.id)


def next_turn_lists(game: DealersGame) -> tuple[bytes, ...]:
    ((_, record),) = advance_in(game.root, game.now + 100).run().new_records
    return record.content.deals


@pytest.mark.sample(0)
def test_a_deal_signed_in_another_dealers_name_does_not_count(shared_game: DealersGame) -> None:
    right = shared_game.deal()

    def junk(number: int) -> Record[Deal]:
        opened = (OpenedShare("a", number, b"\1" * 96),)
        deal = replace(right[1].content, shares=None, opened=opened)
        return make(deal, shared_game.dealer_keys[0])

    put_record(shared_game.folder, listed_first(right[1], junk))
    assert next_turn_lists(shared_game) == tuple(sorted(record.id for record in right))


@pytest.mark.sample(0)
def test_of_several_deals_by_a_dealer_the_first_right_one_counts(shared_game: DealersGame) -> None:
    right = shared_game.deal()

    def junk(number: int) -> Record[Deal]:
        opened = (OpenedShare("a", number, b"\1" * 96),)
        return make(replace(right[0].content, opened=opened), shared_game.dealer_keys[0])

    put_record(shared_game.folder, listed_first(right[0], junk))
    assert next_turn_lists(shared_game) == tuple(sorted(record.id for record in right))


def test_of_several_first_deals_the_first_with_a_proven_key_counts(tmp_path: Path) -> None:
    game = DealersGame(tmp_path / "game")
    (right,) = game.deal()

    def junk(number: int) -> Record[Deal]:
        deal = replace(right.content, card_proof=number.to_bytes(64, "little"))
        return make(deal, game.dealer_keys[0])

    put_record(game.folder, listed_first(right, junk))
    assert next_turn_lists(game) == (right.id,)


@pytest.mark.sample(0)
def test_a_deal_with_a_wrong_proof_beside_the_right_deal_does_not_count(tmp_path: Path) -> None:
    """Also of a mix and of opened cards, as long as the right part is here."""
    game = DealersGame(tmp_path / "game", options={"together": "yes"})
    kinds = set()
    while kinds != {"mix", "opened"}:
        game.play(1)
        if not game.turns[-1].content.owed:
            continue
        (right,) = game.deal()
        deal = right.content
        kind = "mix" if deal.mix else "opened" if deal.opened else ""
        if not kind or kind in kinds:
            continue
        kinds.add(kind)

        def junk(number: int, deal: Deal = deal) -> Record[Deal]:
            if deal.mix:
                proof = number.to_bytes(32, "little") + deal.mix.proof[32:]
                changed = replace(deal, mix=replace(deal.mix, proof=proof))
            else:
                first, *others = deal.opened
                share = number.to_bytes(32, "little") + first.share[32:]
                changed = replace(deal, opened=(replace(first, share=share), *others))
            return make(changed, game.dealer_keys[0])

        put_record(game.folder, listed_first(right, junk))
        assert next_turn_lists(game) == (right.id,)
