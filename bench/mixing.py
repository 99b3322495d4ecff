"""Time the hidden cards of several dealers: a mix of the largest deck, and a round of shares.

Once here, with libsodium, and once with the Python and the cryptography of a browser tab, in Node.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import time
from collections.abc import Iterator

from bench.timed_tasks_and_result_rows import Figure, take_turns
from pbem.cards.card_keys_and_shares import (
    SharePlace,
    check_card_share,
    make_card_secret,
    make_card_share,
)
from pbem.cards.card_points_and_pairs import known_pairs
from pbem.cards.mixing import MixPlace, check_mix, make_mix
from pbem.format.curve_group import multiply_base
from pbem.records.seeded_decks_and_dice import Position
from tests.kit.page_python import packages_for_page, run_in_page_python
from tests.kit.selection import ROOT

CARDS = 129
SHARES = 44
"""A round of evolution with four players: 22 cards, of two dealers."""


def rows() -> Iterator[Figure]:
    """Yield the processor times of this machine, then those of a tab."""
    yield from rows_here()
    yield from rows_in_tab()


def rows_in_tab() -> Iterator[Figure]:
    """Build the page, and yield the processor time of a mix and of its check in a tab's Python."""
    site = ROOT / "build" / "site"
    command = [sys.executable, "-m", "tools.browser_site", "--quick", str(site)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=2)
    packages_for_page()
    printed = run_in_page_python(site, "tests/cards/test_large_deck.py", "-rP")
    for name, seconds in re.findall(r"(?m)^(mix of .*|check of it): ([0-9.]+) s$", printed):
        yield Figure(f"in a tab: {name}", float(seconds), "s", 3.0)


def rows_here(cards: int = CARDS, shares: int = SHARES, rounds: int = 5) -> Iterator[Figure]:
    """Yield the processor time of a dealer's mix, of the check, and of the shares of a round."""
    game = hashlib.sha256(b"bench").digest()
    secret = make_card_secret(bytes(32), game)
    key = multiply_base(secret)
    place = MixPlace(game, "deck", 0, 0)
    pairs = known_pairs(game, [f"card {number}" for number in range(cards)])
    mix = make_mix(secret, place, key, pairs)
    mixed_pairs = check_mix(mix, place, key, pairs)
    share_places = [SharePlace(game, Position("deck", 0, k % cards), 0) for k in range(shares)]
    given_shares = [
        make_card_share(secret, share_place, mixed_pairs[share_place.position.k])
        for share_place in share_places
    ]

    def make_mix_once(number: int) -> int:
        make_mix(secret, place, key, pairs)
        return 1

    def check_mix_once(number: int) -> int:
        check_mix(mix, place, key, pairs)
        return 1

    def make_shares(number: int) -> int:
        for share_place in share_places:
            make_card_share(secret, share_place, mixed_pairs[share_place.position.k])
        return 1

    def check_shares(number: int) -> int:
        for share_place, share in zip(share_places, given_shares, strict=True):
            check_card_share(share, share_place, key, mixed_pairs[share_place.position.k])
        return 1

    tasks = {
        f"mix of {cards} cards": (make_mix_once, 200.0),
        f"check of a mix of {cards} cards": (check_mix_once, 250.0),
        f"{shares} shares of cards": (make_shares, None),
        f"check of {shares} shares": (check_shares, None),
    }
    functions = {name: function for name, (function, _) in tasks.items()}
    seconds = take_turns(functions, rounds, clock=time.process_time)
    for name, (_, aim) in tasks.items():
        yield Figure(name, seconds[name] * 1000, "ms", aim)
