"""What a host takes of dealers: each part that is owed, once, and nothing that nobody needs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.host import record_gate
from pbem.records.deal_record import Deal
from pbem.records.read_and_sign_record import Record, make
from pbem.records.record_count_and_size_limits import MAX_DEALS
from tests.host.keeper import Keeper
from tests.host.written_records import in_time, path_of
from tests.kit.dealers_games import DealersGame
from tests.kit.played_games import HOUR, played_key

STRANGER = played_key("a stranger")


@pytest.fixture(scope="module")
def whole_game(tmp_path_factory: pytest.TempPathFactory) -> DealersGame:
    """A finished game with two co-dealers."""
    root = tmp_path_factory.mktemp("dealers") / "game"
    game = DealersGame(root, options={"together": "yes"}, co_dealers=2)
    game.play()
    assert game.over
    return game


def first_deals(whole_game: DealersGame, keeper: Keeper, turn: int) -> list[Record[Deal]]:
    """Put all records up to a turn that owes parts; return these parts."""
    for record in in_time(whole_game.root):
        if record.content.kind == "deal" and record.content.turn == turn:
            break
        assert keeper.put(record.file, path_of(record))
    deals = [deal for deal in whole_game.deals.values() if deal.content.turn == turn]
    return sorted(deals, key=lambda deal: deal.content.dealer)


@pytest.mark.sample(0)
def test_the_gate_takes_every_record_of_a_game_with_dealers_once(whole_game, record_keeper):
    records = in_time(whole_game.root)
    assert sum(record.content.kind == "deal" for record in records) > 10
    assert [*record_keeper.play(records)] == records
    for record in records:
        assert record_keeper.put(record.file, path_of(record)) is False
    _, text = record_keeper.game.tagged_list() or ("", b"")
    paths = [line.split()[0].decode() for line in text.splitlines()]
    assert paths == sorted(map(path_of, records))


@pytest.mark.sample(0)
def test_a_dealers_part_that_the_host_has_lost_is_taken_again(whole_game, record_keeper):
    deal = next(deal for deal in whole_game.deals.values() if deal.content.turn == 2)
    for record in in_time(whole_game.root):
        if record.id != deal.id:
            assert record_keeper.put(record.file, path_of(record))
    assert record_keeper.put(deal.file, path_of(deal))


@pytest.mark.sample(0)
def test_a_forged_part_of_a_dealer_is_refused(whole_game, record_keeper):
    deal, others = first_deals(whole_game, record_keeper, 0)
    wrong_keys = (STRANGER, whole_game.referee, played_key("Ann"), whole_game.dealer_keys[1])
    for key in wrong_keys:
        forged = make(deal.content, key)
        assert record_keeper.refuses(forged.file, path_of(forged), "the present key of dealer 0")
    elsewhere = make(replace(deal.content, prev=bytes(32)), whole_game.dealer_keys[0])
    assert record_keeper.refuses(elsewhere.file, path_of(elsewhere), "differs from the version")
    assert record_keeper.refuses(deal.file, path_of(others), "does not fit its contents")
    early = next(deal for deal in whole_game.deals.values() if deal.content.turn == 1)
    assert record_keeper.refuses(early.file, path_of(early), "the host's last turn is 0")


@pytest.mark.sample(0)
def test_a_dealers_part_that_nobody_needs_is_refused(whole_game, record_keeper):
    (deal,) = first_deals(whole_game, record_keeper, 1)
    assert deal.content.dealer == 0, "dealers mix one after the other"
    key = whole_game.dealer_keys[0]
    secret = replace(deal.content, mix=None, shares=None, opened=(), secret=bytes(31) + b"\1")
    opened = make(secret, key)
    assert record_keeper.refuses(opened.file, path_of(opened), "nobody needs this dealer's file")
    unasked = make(replace(deal.content, dealer=1), whole_game.dealer_keys[1])
    assert record_keeper.refuses(unasked.file, path_of(unasked), "nobody needs this dealer's file")
    assert record_keeper.put(deal.file, path_of(deal))
    turn = whole_game.turns[1]
    assert record_keeper.put(turn.file, path_of(turn))
    late = make(replace(deal.content, mix=whole_game.deals[turn.content.deals[0]].content.mix), key)
    assert late.id == deal.id, "the same is no other part"
    other = make(other_mix(deal), key)
    assert record_keeper.refuses(
        other.file, path_of(other), "turn 2 was made without this dealer's file"
    )


def other_mix(deal: Record[Deal], number: int = 1) -> Deal:
    """The part with another mix, which proves nothing."""
    mix = deal.content.mix
    assert mix is not None
    proof = number.to_bytes(32, "big") + mix.proof[32:]
    return replace(deal.content, mix=replace(mix, proof=proof))


@pytest.mark.sample(0)
def test_the_gate_takes_only_a_few_parts_of_a_dealer_for_one_turn(whole_game, record_keeper):
    (deal,) = first_deals(whole_game, record_keeper, 1)
    key = whole_game.dealer_keys[0]
    for number in range(MAX_DEALS):
        bad = make(other_mix(deal, number), key)
        assert record_keeper.put(bad.file, path_of(bad))
    words = f"already has {MAX_DEALS} different versions of this file from you"
    assert record_keeper.refuses(deal.file, path_of(deal), words)


@pytest.mark.sample(0)
def test_a_dealer_can_fill_only_their_own_share_of_a_game(whole_game, record_keeper, monkeypatch):
    """Also with parts that prove nothing; the referee and the other dealer have their room."""
    (deal,) = first_deals(whole_game, record_keeper, 1)
    monkeypatch.setattr(record_gate, "MAX_GAME_BYTES", 8 * len(deal.file))
    monkeypatch.setattr(record_gate, "RESERVED_BYTES", 3 * len(deal.file))
    bad = [make(other_mix(deal, number), whole_game.dealer_keys[0]) for number in range(3)]
    assert [record_keeper.put(part.file, path_of(part)) for part in bad[:2]] == [True, True]
    words = "dealer 0 have used up their share"
    assert record_keeper.refuses(bad[2].file, path_of(bad[2]), words)
    monkeypatch.undo()
    turn = whole_game.turns[1]  # it lists a part that is not here: a reader will say so
    assert record_keeper.put(turn.file, path_of(turn))


@pytest.mark.sample(0)
def test_the_gate_takes_the_parts_of_a_dealers_deputy_after_the_takeover(tmp_path, record_keeper):
    game = DealersGame(tmp_path / "game", dealer_deputies=True)
    game.play(1)
    for record in in_time(game.root):
        assert record_keeper.put(record.file, path_of(record))
    game.is_paused = True
    game.now += 72 * HOUR
    part = game.deputy_of(0)._sign(secret=bytes(31) + b"\1")
    assert record_keeper.refuses(part.file, path_of(part))
    notice = game.replace_dealer(0)
    forged = make(notice.content, STRANGER)
    assert record_keeper.refuses(forged.file, path_of(forged), "the present key of the referee")
    assert record_keeper.put(notice.file, path_of(notice))
    turn = game.turn_for_all()
    assert record_keeper.put(turn.file, path_of(turn))
    game.is_paused = False
    (deal,) = game.deal()
    former = make(deal.content, game.dealer_keys[0])
    assert record_keeper.refuses(former.file, path_of(former), "the present key of dealer 0")
    assert deal.signed.key == game.deputy_keys[0].public
    assert record_keeper.put(deal.file, path_of(deal))
