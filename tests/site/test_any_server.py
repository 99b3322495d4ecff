"""The folder on a plain web server, below a path: the page needs nothing else to start."""

import pytest

from tests.kit.phone import Phone
from tests.site.plain_server import Server

REFUSED = """() => new Promise((go) => {
  addEventListener("securitypolicyviolation", (event) => go(event.effectiveDirective));
  fetch("http://127.0.0.1:9/").catch(() => setTimeout(() => go("nothing refused it"), 20000));
})"""
INLINE = """() => {
  document.head.append(Object.assign(document.createElement("script"), { textContent: "ran = 1" }));
  return window.ran;
}"""


def test_the_page_is_bound_by_its_security_policy_from_the_first_load(plain_address: str, chromium):
    """A plain server sends no policy: that of the page is in the page, and the service worker gives
    the others theirs."""
    phone = Phone(chromium).open(plain_address)
    for place in (phone.page, phone.frame):
        assert place.evaluate(INLINE) is None
        assert place.evaluate(REFUSED) == "connect-src"
    assert phone.page.workers[0].evaluate(REFUSED) == "connect-src"
    assert any("inline script" in one for one in phone.said)
    phone.close()


def test_the_page_works_below_a_path_of_any_web_server(plain_address: str, chromium):
    phone = Phone(chromium).open(plain_address)
    assert "You have no games in this browser yet" in phone.text()
    assert "pbem is for card games of the Evolution family" in phone.text()
    assert phone.page.url == f"{plain_address}#/"
    color = "getComputedStyle(document.querySelector('.panel')).borderTopWidth"
    assert phone.frame.evaluate(color) != "0px", "the style sheets are there"
    phone.page.reload()
    phone.shown()
    assert "Join a game" in phone.text()
    # an address of a page, opened in a tab of its own, leads into the frame
    phone.page.goto(f"{plain_address}game/000000000000")
    phone.shown()
    assert "#/game/000000000000" in phone.page.url
    phone.close()


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "name",
    ["worker.js", "memory-snapshot.mjs", "noble/ciphers/aes.js", "pyodide.asm.wasm", "app.pack"],
)
def test_a_file_of_another_version_of_the_page_does_not_run(
    plain_address: str, chromium, monkeypatch, name: str
):
    """Each is compared with its hash before all of it is there, also one that runs as it comes."""
    phone = Phone(chromium)
    monkeypatch.setattr(Server, "changed", f"/{name}")
    page = phone.context.new_page()
    page.goto(plain_address)
    page.wait_for_selector("#told:has-text('This page has just changed on its server')")
    assert page.get_attribute("html", "data-shown") is None
    monkeypatch.setattr(Server, "changed", "")
    page.reload()
    page.wait_for_selector("html[data-shown]", state="attached")
    phone.close()
