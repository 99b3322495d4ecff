"""A whole game of each ruleset on a phone, by taps alone; the page is never loaded again."""

import pytest

from games.registry import names
from tests.kit.browser_players import (
    CLOCK,
    Finger,
    Player,
    begin_game,
    make_turn,
    others_play,
    status_of_game,
)
from tests.kit.people import Round


@pytest.mark.long
@pytest.mark.parametrize("hand", ["taps"])
@pytest.mark.parametrize("ruleset", names())
def test_a_whole_game_of_each_ruleset_is_played_by_taps(ruleset, hand, sit_down, page, tmp_path):
    table = Round(tmp_path)
    page.set_viewport_size({"width": 390, "height": 844})
    ann = begin_game(table, ruleset)
    sit_down(ann, "-C savannah", **CLOCK)
    player = Player(page, Finger(page))
    player.hand.press("a.game-title")
    loads: list[str] = []
    page.on("load", lambda _: loads.append(page.url))
    player.settle()
    loads.clear()
    asked_turns = 0
    while not (status := status_of_game(ann))["over"]:
        page.wait_for_selector(f"body[data-turn='{status['turn']}']")  # by itself
        if status["seats"]["a"]["asked"]:
            asked_turns += 1
            player.answer()
            assert "Sent." in player.seal()
        others_play(table)
        make_turn(table)
    page.wait_for_selector(".scores .own-result")
    assert asked_turns > 3
    assert not loads
    assert "broken" not in ann.pbem("audit savannah").text
