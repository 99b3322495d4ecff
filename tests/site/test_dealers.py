"""Mode `dealers` on a host: a phone plays beside a terminal; two machines deal, and no tab does."""

import re

import pytest

from tests.kit.browser_players import Mouse, Player, bot_plays_at
from tests.kit.people import Person, output_of
from tests.site.evening import Evening, status_at, turn_shown

STANDING = "plants first, then prey"
MOST_LEGS = 60


def dealt_game(evening: Evening, game: str) -> tuple[str, Person]:
    """A game of Ann and Bo whose cards Rhea and Hal hide together; its address, and Hal."""
    hal = evening.person("hal")
    line = re.search(r"co-dealer:\S+", output_of(hal, "keys co-dealer"))[0]
    address = evening.new_game(f"--players Ann,Bo --game {game} --co-dealer Hal={line}")
    return address, hal


@pytest.mark.parametrize("rounds", [2, pytest.param(100, marks=pytest.mark.long)])
def test_a_phone_plays_where_nobody_alone_sees_a_hand(evening: Evening, rounds: int):
    address, hal = dealt_game(evening, "evolution")
    bo = evening.joins("Bo")
    phone = evening.phone()
    phone.open(evening.link("Ann"))
    phone.press("button[type=submit]")
    phone.press("p.buttons a.primary")
    phone.sent()
    phone.frame.wait_for_selector("h1:has-text('has not begun')")
    rounds_shown, is_over = set[str](), False
    for _ in range(MOST_LEGS):
        hal.pbem(f"advance -C {address}")
        evening.advance()
        now = status_at(bo, address)
        asked = {seat for seat, one in now["seats"].items() if one["asked"]}
        is_over = now["over"]
        if is_over or asked:
            turn_shown(phone, now["turn"])
            heading = phone.frame.locator("h1").inner_text()
            rounds_shown.add(heading.partition("round ")[2].partition(" ")[0])
        if is_over or len(rounds_shown) > rounds:
            break
        if "b" in asked:
            bot_plays_at(address, bo, "b")
        if "a" in asked:
            player = Player(phone.frame, Mouse(phone.frame))
            if rounds_shown == {"1"}:
                player.always("feed", STANDING)
            player.answer()
            assert "Sent." in player.seal()
            phone.sent()
    assert len(rounds_shown) > rounds or is_over, now
    said = bo.pbem(f"audit {address}")
    assert said.exit == 0, said.text
