"""A round of every ruleset in a browser tab, beside a player and a referee at terminals; the game
goes on in a terminal with the same seat, and is proven."""

import re

import pytest

from games.registry import names, ruleset
from tests.kit.browser_players import bot_plays_at
from tests.site.evening import Evening, answer_at, status_at, turn_shown

OTHERS = ("Bo", "Cy")


@pytest.mark.parametrize(
    "game",
    [pytest.param(one, marks=[] if one == "evolution" else pytest.mark.long) for one in names()],
)
def test_a_round_of_each_ruleset_is_played_in_a_tab(evening: Evening, game: str):
    others = OTHERS[: ruleset(game).players[0] - 1]
    address = evening.new_game(f"--players {','.join(('Ann', *others))} --game {game}")
    people = dict(zip("bc", [evening.joins(name) for name in others], strict=False))
    phone = evening.phone().open(evening.link("Ann"))
    phone.press("button[type=submit]")
    phone.press("p.buttons a.primary")
    phone.sent()
    phone.frame.wait_for_selector("h1:has-text('has not begun')")
    rounds, turn = set[str](), 0
    while len(rounds) < 2 and turn < 12:
        made = [int(one) for one in re.findall(r"turns/(\d+)\.toml", evening.advance())]
        turn = max([turn, *made])
        turn_shown(phone, turn)
        rounds.add(phone.frame.locator("h1").inner_text().partition("round ")[2].partition(" ")[0])
        seats = status_at(people["b"], address)["seats"]
        for seat, person in people.items():
            if seats[seat]["asked"]:
                bot_plays_at(address, person, seat)
        if seats["a"]["asked"] and len(rounds) < 2:
            answer_at(phone)
            phone.sent()
    assert len(rounds) == 2, turn
    said = people["b"].pbem(f"audit {address}").checked(0)
    assert f"Up to turn {turn}, everything that pbem can check is right" in said.out
