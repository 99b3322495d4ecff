"""What an open page asks for again and again: has anything changed, and which regions."""

import json
import re

import pytest

from tests.kit.browser_players import bot_plays, status_of_game
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
    """No region has more than the page of the same person."""
    table = game("middle")
    for name in ("ann", "bo", "eve"):
        asking, path = enter_game(table, name)
        text = asking.get(path).text
        found = changes_since(asking, path, "none", "none")
        assert all(html in text for html in found["regions"].values())


def test_a_page_that_shows_no_table_is_told_only_that_something_changed(game) -> None:
    ann, path = enter_game(game("begun"), "ann")
    assert {*json.loads(ann.get(f"{path}/live").text)} == {"stamp", "turn", "sending"}
