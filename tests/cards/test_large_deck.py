"""The largest deck of our rulesets: it prints the processor time of a mix, and asserts none."""

import sys
import time

from pbem.cards.card_keys_and_shares import SharePlace, check_card_share, make_card_share
from pbem.cards.card_points_and_pairs import known_pairs
from pbem.cards.mixing import MixPlace, check_mix, make_mix
from pbem.records.seeded_decks_and_dice import Position
from tests.cards.dealers import GAME, Dealers


def processor_seconds() -> float:
    """The processor time of this process until now; in a tab's Python, that of Node around it."""
    if sys.platform != "emscripten":
        return time.process_time()
    from js import process

    used = process.cpuUsage()
    return float(used.user + used.system) / 1e6


CARDS = [f"card {number}" for number in range(129)]


def test_a_deck_of_129_cards_is_mixed_and_checked():
    dealers = Dealers()
    place, pairs = MixPlace(GAME, "deck", 0, 0), known_pairs(GAME, CARDS)
    make_mix(dealers.secrets[0], place, dealers.joint_key, pairs)  # the generators, once
    started_at = processor_seconds()
    mix = make_mix(dealers.secrets[0], place, dealers.joint_key, pairs)
    mixed_at = processor_seconds()
    mixed_pairs = check_mix(mix, place, dealers.joint_key, pairs)
    checked_at = processor_seconds()
    for k, pair in enumerate(mixed_pairs[:10]):
        share_place = SharePlace(GAME, Position("deck", 0, k), 0)
        share = make_card_share(dealers.secrets[0], share_place, pair)
        check_card_share(share, share_place, dealers.keys[0], pair)
    shared_at = processor_seconds()
    print(f"mix of 129 cards: {mixed_at - started_at:.3f} s")
    print(f"check of it: {checked_at - mixed_at:.3f} s")
    print(f"10 shares, made and checked: {shared_at - checked_at:.3f} s")
    assert len(mix.pairs) + len(mix.proof) == 24_928
    assert len(mixed_pairs) == 129
