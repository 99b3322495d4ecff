"""What an open page asks for again and again: has anything changed, and which regions."""

import json
import re

import pytest

from tests.kit.browser_players import bot_plays, status_of_game
from tests.kit.people import Round
from tests.kit.table_requests import Asking, enter_game


def shown_page(asking: Asking, path: str) -> tuple[str, str, str]:
    """The page, the mark of its files, and the marks of its regions."""
    text = asking.get(path).text
    stamp, have = (re.search(rf'data-{name}="([^"]+)"', text)[1] for name in ("stamp", "have"))
    return text, stamp, have


def changes_since(asking: Asking, path: str, stamp: str, have: str) -> dict:
    return json.loads(asking.get(f"{path}/live?stamp={stamp}&have={have}").text)


@pytest.mark.sample(0)
def test_an_open_page_is_sent_only_the_regions_that_changed(game) -> None:
    table = game("begun")
    ann, path = enter_game(table, "ann")
    asked = [
        seat for seat, said in status_of_game(table.person("ann"))["seats"].items() if said["asked"]
    ]
    assert asked == ["a", "b"]
    text, stamp, have = shown_page(ann, path)
    regions = {name.partition(":")[0] for name in have.split(",")}
    assert regions == {"head", "notes", "heading", "news", "plan", "board", "away"}
    assert "<title>● Your move · savannah · pbem</title>" in text
    same = changes_since(ann, path, stamp, have)
    assert (same["stamp"], set(same)) == (stamp, {"stamp", "turn", "sending"}), "nothing is drawn"

    bot_plays(table.person("bo"), "b")
    now = changes_since(ann, path, stamp, have)
    assert {*now["regions"]} == {"heading", "plan", "board"}, "who is waited for"
    assert now["regions"]["board"] in ann.get(path).text
    assert changes_since(ann, path, now["stamp"], now["have"]) == {
        name: now[name] for name in ("stamp", "turn", "sending")
    }
    unknown = changes_since(ann, path, stamp, "none")
    assert {*unknown["regions"]} == regions

    bot_plays(table.person("ann"), "a")
    table.person("rhea").pbem("advance -C savannah")
    later = changes_since(ann, path, now["stamp"], now["have"])
    assert later["turn"] == now["turn"] + 1
    assert {"head", "news", "plan", "board"} <= {*later["regions"]}


@pytest.mark.sample(0)
def test_a_live_update_shows_a_person_only_what_their_own_page_shows(game) -> None:
    table = game("middle")
    for name in ("ann", "bo", "eve"):
        asking, path = enter_game(table, name)
        text = asking.get(path).text
        found = changes_since(asking, path, "none", "none")
        assert all(html in text for html in found["regions"].values())


def test_a_page_that_shows_no_table_is_told_only_that_something_changed(game) -> None:
    ann, path = enter_game(game("begun"), "ann")
    assert {*json.loads(ann.get(f"{path}/live").text)} == {"stamp", "turn", "sending"}


SEEDS = ("5eed" * 8, "abcd" * 8)
PEOPLE = ("ann", "bo")
SECRET_PATH = re.compile(r"/[\w-]{43}/")
"""What begins the address of each page of one table."""


def began(table: Round, seed: str) -> None:
    """A game of Ann and Bo, dealt by Rhea from a seed; turn 1 is made."""
    rhea = table.person("rhea")
    said = rhea.pbem(
        f"new savannah --game evolution --players Ann,Bo --referee Rhea --table {seed}"
    )
    assert said.exit == 0, said.text
    invites = [line.split("--invite ")[1] for line in said.out.splitlines() if "--invite" in line]
    for name, invite in zip(PEOPLE, invites, strict=True):
        table.person(name).pbem(["join", "-C", "savannah", "--invite", invite]).checked(0)
    made = rhea.pbem("advance -C savannah")
    assert made.exit in (0, 5), made.text


def live_page(table: Round, name: str) -> dict[str, object]:
    """What the page of a person gets, without the digits of the game and of its files."""
    asking, path = enter_game(table, name)
    answer = json.loads(asking.get(f"{path}/live?have=none").text)
    game = path.rpartition("/")[2]
    regions = {
        region: re.sub(
            r"\b[0-9a-f]{6,64}\b", "#", SECRET_PATH.sub("/#/", html.replace(game, "GAME"))
        )
        for region, html in answer["regions"].items()
    }
    return {"turn": answer["turn"], "title": answer["title"], "regions": regions}


def test_two_games_that_differ_in_hidden_cards_are_the_same_to_the_public(tmp_path) -> None:
    tables = [Round(tmp_path / str(number)) for number, _ in enumerate(SEEDS)]
    for table, seed in zip(tables, SEEDS, strict=True):
        began(table, seed)
    seen_by_eve = [live_page(table, "eve") for table in tables]  # she has no seat
    for region, html in seen_by_eve[0]["regions"].items():
        assert html == seen_by_eve[1]["regions"][region], region
    assert seen_by_eve[0] == seen_by_eve[1]
    seen_by_ann = [live_page(table, "ann") for table in tables]
    assert seen_by_ann[0] != seen_by_ann[1], "she sees her own cards"
