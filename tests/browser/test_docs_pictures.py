"""The pictures of docs/table.md, and the one of docs/mail.md.

`PBEM_PICTURES=write make test-browser ARGS=-kpictures` renews them.
"""

import os
import re

from tests.kit.browser_players import (
    CLOCK,
    Mouse,
    Player,
    begin_game,
    bot_plays,
    make_turn,
    others_play,
    status_of_game,
)
from tests.kit.mail_seats import at_turn_two, page_with_picture, turn_mail
from tests.kit.people import Round
from tests.kit.selection import ROOT

PICTURES = ROOT / "docs" / "pictures"
PAGE = ROOT / "docs" / "table.md"
NAMES = {"table-begin.png", "table-choose.png", "table-sent.png", "table-history.png"}
MOST = 200_000
"""Bytes of a picture: a page with four of them loads at once."""
MAIL, MAIL_PAGE, MOST_MAIL = "mail-turn.png", ROOT / "docs" / "mail.md", 150_000
PHONE = 390
"""CSS pixels: the width of a usual phone."""


def test_the_page_on_pbem_table_shows_its_pictures_and_they_are_small():
    named = set(re.findall(r"\(pictures/(table-[\w-]+\.png)\)", PAGE.read_text("utf-8")))
    there = {path.name: path.stat().st_size for path in PICTURES.glob("table-*.png")}
    assert named == there.keys() == NAMES
    assert max(there.values()) < MOST


def test_the_page_on_mail_shows_the_picture_of_a_mail():
    assert "(pictures/mail-turn.png)" in MAIL_PAGE.read_text("utf-8")
    assert (PICTURES / MAIL).stat().st_size < MOST_MAIL


def test_the_picture_of_a_mail_can_be_made_anew(page, tmp_path):
    """The HTML part of a turn mail, as wide as a phone, from its top to the first choices."""
    folder = PICTURES if os.environ.get("PBEM_PICTURES") == "write" else tmp_path
    mail = turn_mail(at_turn_two(Round(tmp_path / "game")))
    (tmp_path / "mail.html").write_text(page_with_picture(mail), "utf-8")
    page.set_viewport_size({"width": PHONE, "height": 1300})
    page.goto((tmp_path / "mail.html").as_uri())
    assert page.evaluate("document.querySelector('img').naturalWidth") > 0
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE
    page.screenshot(path=folder / MAIL)


def test_the_pictures_of_pbem_table_can_be_made_anew(sit_down, page, tmp_path):
    folder = PICTURES if os.environ.get("PBEM_PICTURES") == "write" else tmp_path
    table = Round(tmp_path)
    ann = begin_game(table, "evolution")
    while True:
        others_play(table)
        data = status_of_game(ann)
        if data["seats"]["a"]["asked"] == ["food"] and data["turn"] > 4:
            break
        if data["seats"]["a"]["asked"]:
            bot_plays(ann, "a")
        make_turn(table)
    sit_down(table.person("fay"), HOME="/home/fay", **CLOCK)
    page.set_viewport_size({"width": 1180, "height": 520})
    page.screenshot(path=folder / "table-begin.png", animations="disabled")
    sit_down(ann, "-C savannah", **CLOCK)
    page.set_viewport_size({"width": 1180, "height": 740})
    page.click("a.game-title")
    player = Player(page, Mouse(page))
    player.settle()
    with player.changed():
        page.locator(".hand button.thing.lit").nth(1).click()  # the Watering Hole waits for it
    page.locator(".hand button.thing.ahead").first.click()
    page.wait_for_selector("#sheet .sheet-text .uses")
    page.screenshot(path=folder / "table-choose.png", animations="disabled")
    page.keyboard.press("Escape")
    player.answer()
    page.click("#send")
    page.wait_for_selector("#toast .good")
    page.set_viewport_size({"width": 1180, "height": 620})
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=folder / "table-sent.png", animations="disabled")
    page.set_viewport_size({"width": 1180, "height": 740})
    page.emulate_media(color_scheme="dark")
    page.goto(page.url + "/history?turn=3")
    page.wait_for_selector("#moment .place")
    page.screenshot(path=folder / "table-history.png", animations="disabled")
    assert {path.name for path in folder.glob("table-*.png")} == NAMES
