"""A whole round of each ruleset at the page, wide and on a phone, by each way to point at it."""

import pytest

from games.registry import names
from tests.kit.browser import in_both_at_length
from tests.kit.browser_players import (
    CLOCK,
    HANDS,
    Player,
    begin_game,
    make_turn,
    others_play,
    round_of,
    status_of_game,
)
from tests.kit.people import Round

WIDE = [pytest.param("clicks", 1280, marks=pytest.mark.long), ("drags", 1280), ("keys", 1280)]
DRAGGED = ("evolution", "digital", "climate")
"""In the first round of the others nothing is put on a piece that is there already."""
PHONE = [pytest.param(hand, 390, marks=pytest.mark.long) for hand in ("taps", "drags", "keys")]
"""In the long run: `test_acceptance.py` plays a round of each ruleset on a phone."""


@pytest.mark.sample(4)
@in_both_at_length
@pytest.mark.parametrize(("hand", "width"), [*WIDE, *PHONE])
@pytest.mark.parametrize("ruleset", names())
def test_a_round_is_played_at_the_page_by_clicks_drags_taps_or_keys(
    ruleset, hand, width, sit_down, page, tmp_path
):
    table = Round(tmp_path)
    page.set_viewport_size({"width": width, "height": 844 if width == 390 else 900})
    ann = begin_game(table, ruleset)
    sit_down(ann, "-C savannah", **CLOCK)
    player = Player(page, HANDS[hand](page))
    player.hand.press("a.game-title")
    rounds, told = set(), ""
    while True:
        seats = status_of_game(ann)["seats"]
        rounds.add(round_of(page))
        if len(rounds) > 1:
            break
        others_play(table)
        if seats["a"]["asked"]:
            player.answer()
            assert "Sent." in player.seal(), told
        told = make_turn(table)
        page.reload()
    if (hand, width) == ("drags", 1280) and ruleset in DRAGGED:
        assert player.hand.drags
    seen = status_of_game(table.person("bo"))["seats"]["a"]["ready"]
    assert seen in ("MISSING", "ASKED", "-", "ACCEPTED"), "never what Ann has sealed"
