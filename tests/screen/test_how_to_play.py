"""The page of rules, where people find it: `explain rules`, the table, mails to newcomers."""

from collections.abc import Callable

import pytest

from games import registry
from pbem.wording.how_to_play import parts_of
from tests.kit.mail_seats import (
    answer_mail,
    at_turn_two,
    receive,
    reply,
    successful,
    text_of,
    turn_mail,
)
from tests.kit.people import Round
from tests.kit.table_requests import enter_game

Game = Callable[[str], Round]
NAMES = [name for name in registry.BUILT_IN_GAMES if registry.ruleset(name).how_to_play()]


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", NAMES)
def test_the_terminal_and_the_browser_show_the_same_page_of_rules(name: str, game: Game) -> None:
    asking, _ = enter_game(game("middle"), "ann")
    said = game("middle").person("ann").pbem(f"explain rules --game {name}")
    page = asking.get(f"/rules/{name}")
    assert (said.exit, page.status) == (0, 200)
    flat = " ".join(said.out.split())
    for part in parts_of(registry.ruleset(name)):
        assert part.title.upper() in flat
        assert f">{part.title}</h2>" in page.text
        for example in part.examples:
            assert f"Example: {example.title}. " in flat
            assert f"<h3>Example: {example.title}</h3>" in page.text
    assert page.text.count('"pb pb-one ') > 20


@pytest.mark.sample(0)
def test_each_page_of_a_game_leads_to_its_rules(game: Game) -> None:
    asking, path = enter_game(game("middle"), "ann")
    assert f'{path}/rules">How to play</a>' in asking.get(path).text
    page = asking.get(f"{path}/rules")
    assert (page.status, "<h1>How to play" in page.text) == (200, True)
    assert f'{path}">Table</a>' in page.text, "and back"
    assert f'/rules/{registry.default_name()}"' in asking.get("/new").text


def test_a_game_that_is_not_installed_has_no_page_of_rules(game: Game) -> None:
    asking, _ = enter_game(game("middle"), "ann")
    page = asking.get("/rules/chess")
    assert (page.status, "no game is called" in page.text.lower()) == (409, True)


@pytest.mark.sample(0)
def test_a_player_by_mail_who_asks_gets_the_rules(table: Round) -> None:
    rhea = at_turn_two(table)
    mail = turn_mail(rhea)
    successful(receive(rhea, reply(mail, "explain rules"), "ask.eml"))
    said = " ".join(text_of(answer_mail(rhea)).split())
    assert "WHAT THE GAME IS ABOUT" in said
    assert "`a1 eats` is not possible: a1 is a carnivore and never takes plant food." in said
