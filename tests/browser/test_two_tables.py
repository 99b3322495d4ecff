"""A whole game: two seats at two tables, and a referee; the moves by clicks and by commands."""

from tests.kit.browser_players import CLOCK, Mouse, Player, begin_game, bot_plays, status_of_game
from tests.kit.people import Round

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
        _advance(referee)
    assert min(moves.values()) > 4
    assert abs(moves["clicks"] - moves["commands"]) <= 1
    said = table.person("ann").pbem("audit savannah")
    assert (said.exit, "broken" in said.text) == (0, False), said.text
    page = players["a"].page
    page.goto(page.url.partition("?")[0] + "/audit")
    assert "PROVEN" in page.locator(".verdict").inner_text()


def _advance(page) -> None:
    page.reload()
    page.click("button[data-advance]")
    page.wait_for_selector("#made > *")


def _open(chromium, table):
    page = chromium.new_context(reduced_motion="reduce").new_page()
    page.goto(table.address)
    page.wait_for_selector("a.game-title")
    return page


def _seated(chromium, open_table, table: Round, seat: str) -> Player:
    person = table.person(SEATS[seat])
    page = _open(chromium, open_table(person, "-C savannah", **CLOCK))
    page.click("a.game-title")
    return Player(page, Mouse(page))
