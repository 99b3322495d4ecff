"""Whole games in a browser: by taps alone on a phone, and at two tables by clicks and commands."""

import pytest

from games.registry import names
from tests.kit.browser_players import (
    CLOCK,
    Finger,
    Mouse,
    Player,
    begin_game,
    bot_plays,
    make_turn,
    others_play,
    status_of_game,
)
from tests.kit.people import Round
from tests.kit.processes import PATIENCE


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


SEATS = {"a": "ann", "b": "bo"}


def test_a_game_at_two_pbem_tables_by_clicks_and_commands_is_proven(chromium, open_table, tmp_path):
    table = Round(tmp_path)
    begin_game(table, "evolution")
    players = {seat: _seated(chromium, open_table, table, seat) for seat in SEATS}
    referee = _open(chromium, open_table(table.person("rhea"), "-C savannah", **CLOCK))
    referee.click("a.game-title")
    referee.click("text=Referee")
    moves = {"clicks": 0, "commands": 0}
    while not status_of_game(table.person("ann"))["over"]:
        for seat, said in status_of_game(table.person("ann"))["seats"].items():
            if said["asked"]:
                how = min(moves, key=lambda one: moves[one])
                moves[how] += 1
                if how == "clicks":
                    players[seat].page.reload()
                    players[seat].answer()
                    players[seat].seal()
                else:
                    bot_plays(table.person(SEATS[seat]), seat)
        referee.reload()
        referee.click("button[data-advance]")
        referee.wait_for_selector("#made > *")
    assert min(moves.values()) > 4
    assert abs(moves["clicks"] - moves["commands"]) <= 1
    said = table.person("ann").pbem("audit savannah")
    assert (said.exit, "broken" in said.text) == (0, False), said.text
    page = players["a"].page
    page.goto(page.url.partition("?")[0] + "/audit")
    assert "PROVEN" in page.locator(".verdict").inner_text()


def _open(chromium, table):
    context = chromium.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.goto(table.address)
    page.wait_for_selector("a.game-title")
    return page


def _seated(chromium, open_table, table: Round, seat: str) -> Player:
    person = table.person(SEATS[seat])
    page = _open(chromium, open_table(person, "-C savannah", **CLOCK))
    page.click("a.game-title")
    return Player(page, Mouse(page))
