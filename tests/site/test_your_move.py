"""The page says that it is your move, also while you do not look at it: in its title, and as a
number on the icon of an installed page."""

import json

import pytest

from tests.kit.browser_players import bot_plays_at
from tests.kit.processes import until
from tests.site.evening import Evening, ann_at_phone, answer_at, turn_shown

NOTE_BADGES = """window.badges = [];
const setAppBadge = Navigator.prototype.setAppBadge;
Navigator.prototype.setAppBadge = function (count) {
  badges.push(count);
  return setAppBadge?.call(this, count) ?? Promise.resolve();
};
Object.defineProperty(Document.prototype, "hidden", { get: () => top.isHidden ?? false });"""
"""Notes each number that the page puts on its icon, and lets a test say that nobody looks at it."""


def test_the_title_and_the_icon_of_the_page_say_whose_move_it_is(evening: Evening):
    phone = ann_at_phone(evening, NOTE_BADGES)
    page = phone.page
    until(lambda: page.evaluate("badges.at(-1)") == 1)
    assert page.title() == "● Your move · savannah · pbem"
    answer_at(phone)
    until(lambda: page.title() == "savannah · pbem")
    until(lambda: page.evaluate("badges.at(-1)") == 0)
    phone.sent()
    heading = phone.frame.locator("h1").inner_text()
    page.evaluate("window.isHidden = true")
    bot_plays_at(evening.address, evening.person("bo"), "b")
    assert "turns/0002.toml" in evening.advance()
    until(lambda: page.title() == "● Your move · savannah · pbem")
    until(lambda: page.evaluate("badges.at(-1)") == 1)
    # what nobody sees does not count as seen, so the page stays as it was
    assert phone.frame.locator("h1").inner_text() == heading
    page.evaluate("window.isHidden = false")
    turn_shown(phone, 2)


def test_the_page_can_be_installed_as_an_app(evening: Evening):
    phone = evening.phone().open(f"{evening.host.url}/")
    browser = phone.context.new_cdp_session(phone.page)
    manifest = browser.send("Page.getAppManifest")
    assert not manifest["errors"]
    icons = {icon["src"]: icon for icon in json.loads(manifest["data"])["icons"]}
    for source, icon in icons.items():
        size = phone.page.evaluate(
            "async (source) => { const image = new Image(); image.src = source;"
            "await image.decode(); return `${image.naturalWidth}x${image.naturalHeight}`; }",
            source,
        )
        assert size == icon["sizes"]
    assert not browser.send("Page.getInstallabilityErrors")["installabilityErrors"]
    apple_icon = phone.page.locator("link[rel=apple-touch-icon]").get_attribute("href")
    assert phone.page.request.get(f"{evening.host.url}/{apple_icon}").ok


@pytest.mark.parametrize("script", ["", "Navigator.prototype.standalone = false"])
def test_on_an_iphone_the_link_to_the_seat_leads_to_the_home_screen(evening: Evening, script: str):
    phone = ann_at_phone(evening, script)
    phone.press("aside.keep-seat a")
    phone.frame.wait_for_selector("[data-back=copy]")
    phone.frame.wait_for_selector("main:not([inert])")
    assert phone.frame.locator("[data-home-screen]").is_visible() == bool(script)
