"""What commands say next where `pbem run` takes the mail: nobody has to type `pbem send`."""

import re
from collections.abc import Callable

from tests.kit.mail_seats import begin_mail_game, successful
from tests.kit.people import Person, Round
from tests.kit.table_requests import enter_game

ACCOUNT = "post setup --address me@gmail.com --password-command 'echo secret'"
FOOD = '[always]\nfood = ["the card with the least food"]'


def submit_output(bo: Person) -> str:
    return successful(bo.pbem("submit - -C savannah", stdin=FOOD)).out


def test_a_player_with_a_mailbox_is_told_that_pbem_run_sends_the_orders(game):
    bo = game("begun").person("bo")
    assert "next:" not in submit_output(bo)
    successful(bo.pbem("post address -C savannah referee rhea@example.org"))
    assert "pbem run" not in submit_output(bo)  # without a mailbox
    successful(bo.pbem(ACCOUNT))
    assert "next: pbem run --once, which sends your file to the referee" in submit_output(bo)
    assert (
        "next: pbem run --once, which sends your file"
        in successful(bo.pbem("status -C savannah")).out
    )


def test_the_page_of_games_says_nothing_about_a_command(game: Callable[[str], Round]) -> None:
    table = game("begun")
    bo = table.person("bo")
    successful(bo.pbem("post address -C savannah referee rhea@example.org"))
    successful(bo.pbem(ACCOUNT))
    submit_output(bo)
    step = "next: pbem run --once, which sends your file to the referee; if pbem run is already "
    step += "running"
    assert step in " ".join(successful(bo.pbem("list")).out.split())
    asking, _ = enter_game(table, "bo")
    (words,) = re.findall(r'<p class="words">(.*?)</p>', asking.get("/").text)
    assert words == "evolution, turn 1"


def test_a_referee_with_a_mailbox_is_told_that_pbem_run_sends_the_turn_mail(table: Round) -> None:
    rhea = begin_mail_game(table)
    assert (
        "to Bo about turn 1 is not written yet; to write it: pbem send"
        in rhea.pbem("status -C savannah").text
    )
    successful(rhea.pbem(ACCOUNT))
    assert (
        "to Bo about turn 1 is not sent yet; pbem run sends it"
        in rhea.pbem("status -C savannah").text
    )
