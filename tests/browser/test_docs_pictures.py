"""The pictures of docs/table.md.

`PBEM_PICTURES=write make test-browser ARGS=-kpictures` renews them.
"""

import os
import re

from tests.browser.players import (
    CLOCK,
    Mouse,
    Player,
    advance,
    begin,
    bot_plays,
    others_play,
    status,
)
from tests.cli.people import Round
from tests.shared import ROOT

PICTURES = ROOT / "docs" / "pictures"
PAGE = ROOT / "docs" / "table.md"
NAMES = {"table-begin.png", "table-choose.png", "table-seal.png", "table-history.png"}
MOST = 200_000
"""Bytes of a picture: a page with four of them loads at once."""


def test_the_page_names_its_pictures_and_they_are_small():
    named = set(re.findall(r"\(pictures/([\w-]+\.png)\)", PAGE.read_text("utf-8")))
    there = {path.name: path.stat().st_size for path in PICTURES.glob("table-*.png")}
    assert named == there.keys() == NAMES
    assert max(there.values()) < MOST


def test_pictures_can_be_made_anew(sit_down, page, tmp_path):
    folder = PICTURES if os.environ.get("PBEM_PICTURES") == "write" else tmp_path
    table = Round(tmp_path)
    ann = begin(table, "evolution")
    while True:
        others_play(table)
        data = status(ann)
        if data["seats"]["a"]["asked"] == ["food"] and data["turn"] > 4:
            break
        if data["seats"]["a"]["asked"]:
            bot_plays(ann, "a")
        advance(table)
    sit_down(table.person("fay"), HOME="/home/fay", **CLOCK)
    page.set_viewport_size({"width": 1180, "height": 520})
    page.screenshot(path=folder / "table-begin.png")
    sit_down(ann, "-C savannah", **CLOCK)
    page.set_viewport_size({"width": 1180, "height": 800})
    page.click("a.game-title")
    player = Player(page, Mouse(page))
    player.settle()
    page.locator(".hand button.thing.lit").nth(1).click()
    page.screenshot(path=folder / "table-choose.png")
    page.keyboard.press("Escape")
    player.answer()
    page.click("#seal")
    page.wait_for_selector("#seal-now")
    page.screenshot(path=folder / "table-seal.png")
    page.click("#dialog [data-close]")
    page.emulate_media(color_scheme="dark")
    page.goto(page.url + "/history?turn=3")
    page.wait_for_selector("#moment .place")
    page.screenshot(path=folder / "table-history.png")
    assert {path.name for path in folder.glob("table-*.png")} == NAMES
