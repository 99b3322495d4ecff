"""What a page gives to save: a download of the browser's own does not ask the program in a tab."""

import re

import pytest

from tests.kit.selection import ROOT
from tests.site.evening import NO_SERVICE_WORKER, Evening, ann_at_phone

TEMPLATES = ROOT / "pbem/web/templates"
TRIED = {
    "game_heading.html": "tests/browser/test_end", "history.html": "here",
    "keep_seat.html": "test_first", "mail.html": "test_by_mail",
}  # fmt: skip
"""The templates that give files, and where each is tried in a tab."""


def test_each_page_that_offers_a_download_has_a_test():
    found = {
        one.name
        for one in TEMPLATES.glob("*.html")
        if re.search(r"<a[^>]* download|data-save=|data-file=", one.read_text("utf-8"))
    }
    assert found == {*TRIED}


@pytest.mark.sample(1)
@pytest.mark.parametrize("service_worker", [False, True])
def test_the_whole_game_is_saved_as_one_page_from_a_tab(evening: Evening, service_worker: bool):
    phone = ann_at_phone(evening, "" if service_worker else NO_SERVICE_WORKER)
    phone.press("nav a >> text=History")
    phone.frame.wait_for_selector("#step")
    with phone.page.expect_download() as download:
        phone.press("a:has-text('Save the game as one page')")
    assert download.value.suggested_filename == "savannah.html"
    assert download.value.path().read_text("utf-8").startswith("<!doctype html>")
