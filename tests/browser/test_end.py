"""The end of a game in a browser: whether it was fair comes by itself, the replay goes out as a
file."""

import re
from pathlib import Path

import pytest

from tests.kit.browser import in_both
from tests.kit.browser_players import CLOCK

SHARES = """
  window.sharedFiles = [];
  navigator.canShare = (data) => data.files?.[0].name.endsWith(".html");
  navigator.share = async ({ files }) => {
    const [file] = files;
    sharedFiles.push([file.name, file.type, await file.text()]);
  };
"""
"""A phone that can share files; a headless browser cannot."""


def open_end(page, sit_down, table) -> None:
    sit_down(table.person("ann"), "-C savannah", **CLOCK)
    page.click("a.game-title")
    page.wait_for_selector(".own-result")


@in_both
def test_the_end_page_shows_the_proof_by_itself_and_saves_the_replay(
    game, sit_down, page, tmp_path: Path
):
    open_end(page, sit_down, game("over"))
    page.wait_for_selector("#proof:has-text('✓ Proven fair.')")
    assert page.locator("[data-share-file]").is_hidden(), "this browser shares no files"
    with page.expect_download() as download:
        page.click("a:has-text('Save the replay')")
    assert download.value.suggested_filename == "savannah.html"
    download.value.save_as(tmp_path / "replay.html")
    text = (tmp_path / "replay.html").read_text("utf-8")
    assert text.startswith("<!doctype html>")
    assert "with all hands" in text


@in_both
def test_a_phone_shares_the_replay_as_a_file(game, sit_down, page):
    sit_down(game("over").person("ann"), "-C savannah", **CLOCK)
    page.context.add_init_script(SHARES)
    page.click("a.game-title")
    page.wait_for_selector(".own-result")
    page.click("button:has-text('Share the replay')")
    page.wait_for_selector("#share [role=status]:has-text('Shared.')")
    ((name, kind, text),) = page.evaluate("sharedFiles")
    assert (name, kind) == ("savannah.html", "text/html")
    assert re.match("<!doctype html>.*with all hands", text, re.DOTALL)


@pytest.mark.parametrize("backend", ["table"], indirect=True)
def test_the_table_of_scores_fits_a_phone(game, sit_down, page):
    page.set_viewport_size({"width": 390, "height": 844})
    open_end(page, sit_down, game("over"))
    shown_width, whole_width = page.evaluate(
        "(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])"
        "(document.querySelector('.scores .strip'))"
    )
    assert whole_width <= shown_width
