"""Another local server, on a port of its own: the browser gives it no pass, and it cannot enter."""

from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests.browser.other_server import other_port
from tests.kit.browser_players import CLOCK, begin_game
from tests.kit.people import Round
from tests.kit.processes import PATIENCE

PAGE = """<!doctype html><title>other</title><p id="told">waiting</p><script>
const told = document.getElementById("told");
const table = "%s";
const asked = [];
async function ask(path, how) {
  try {
    const answer = await fetch(table + path, { credentials: "include", ...how });
    asked.push(answer.type === "opaque" ? "unread" : `${answer.status} ${await answer.text()}`);
  } catch { asked.push("unread"); }
}
(async () => {
  document.cookie = "pbem=mine; path=/";
  for (const path of ["/", "%s", "/enter"]) {
    await ask(path, {});
    await ask(path, { mode: "no-cors" });
    await ask(path, { method: "POST", body: "guess" });
    const frame = document.createElement("iframe");
    frame.src = table + path;
    document.body.append(frame);
    document.body.append(Object.assign(document.createElement("img"), { src: table + path }));
  }
  told.textContent = `asked: ${asked.join(", ")}; cookies: ${document.cookie}`;
})();
</script>"""


def table_response(address: str, path: str, **headers: str) -> tuple[int, str]:
    """What a program of this computer gets from the table."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    found = answer.status, answer.read().decode()
    connection.close()
    return found


@pytest.fixture
def ann_at_table(sit_down, page, tmp_path):
    """Ann, who is looking at her game."""
    table = sit_down(begin_game(Round(tmp_path), "evolution"), "-C savannah", **CLOCK)
    page.click("a.game-title")
    page.wait_for_selector("#plan")
    page.table = table
    return page


def test_a_page_of_another_port_gets_no_cookie_and_cannot_enter_the_table(ann_at_table):
    page, root = ann_at_table, ann_at_table.table.root
    inside = urlsplit(page.url).path
    secret, game = inside[: inside.index("/game/")], inside[inside.index("/game/") :]
    (cookie,) = page.context.cookies()
    assert page.evaluate("document.cookie") == "", "no script reads the pass"
    with other_port(PAGE % (root, game)) as (address, heard):
        other = page.context.new_page()
        for path in ("/", game, "/enter", "/static/main.js"):
            other.goto(address + path)
            other.wait_for_selector("#told:has-text('asked')")
            heard.append(other.locator("#told").inner_text())
            assert "asked: unread, unread, unread" in heard[-1]
        page.evaluate("to => { location.href = to }", f"{address}/from-the-table")
        page.wait_for_selector("#told:has-text('asked')")
    said = "\n".join(heard)
    assert "/from-the-table" in said
    assert "planted" in said or "mine" in said, "the other port has cookies of its own"
    assert cookie["value"] not in said
    assert secret
    assert secret not in said, "the path is in no header"
    assert "referer: " + root not in said.lower()
    for path in ("/", game, f"{secret}{game}"):
        for line in ("", "pbem=planted", f"pbem={secret[1:]}"):
            status, text = table_response(root, path, Cookie=line)
            assert (status, "savannah" in text) == (200 if path == "/" else 401, False)
    page.go_back()  # the cookies that the other port planted do not lock Ann out
    page.wait_for_selector("#plan")
    page.reload()
    page.wait_for_selector("#plan")
    assert table_response(root, f"{secret}{game}", Cookie=f"pbem={cookie['value']}")[0] == 200
    page.said.clear()


def test_a_page_of_another_port_cannot_send_the_browser_into_the_table(ann_at_table):
    page, inside = ann_at_table, ann_at_table.url
    link = (
        f'<a href="{inside}">in</a><form method="post" action="{inside}/seal"><button>seal</button>'
    )
    with other_port(link) as (address, _):
        for wanted in ("a", "button"):
            page.goto(address)
            page.click(wanted)
            page.wait_for_selector("text=refused")
    page.said.clear()


def test_everything_works_below_the_secret_path_of_the_table(ann_at_table):
    page = ann_at_table
    asked_for: list[tuple[str, int]] = []
    page.context.on("response", lambda one: asked_for.append((one.url, one.status)))
    for name in ("History", "Messages", "Notices", "Mail", "Audit", "Table"):
        page.click(f"nav a >> text={name}")
        page.wait_for_selector(f"nav a[aria-current=page]:has-text('{name}')")
        page.wait_for_selector("main:not([inert])")
        page.reload()
        page.wait_for_function("() => !document.getElementById('main').inert")
        assert page.locator("h1, h2").count()
    page.click("nav a >> text=History")
    with page.expect_download() as one:
        page.click("text=Save the game as one page")
    assert one.value.path().read_text("utf-8").startswith("<!doctype html>")
    tab = page.context.new_page()
    tab.goto(page.url)
    tab.wait_for_selector("#step")
    tab.click("a.home")
    tab.wait_for_selector("h1:has-text('All my games')")
    assert tab.url.startswith(page.url.partition("/game/")[0])
    assert len(asked_for) > 40
    assert [one for one in asked_for if one[1] >= 400] == []


def test_the_used_address_leads_back_to_the_table_only_in_the_same_browser(ann_at_table, chromium):
    page, address = ann_at_table, ann_at_table.table.address
    for again in (address, ann_at_table.table.root):
        tab = page.context.new_page()
        tab.goto(again)
        tab.wait_for_selector("h1:has-text('All my games')")
        tab.close()
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    stranger = context.new_page()
    stranger.goto(address)
    stranger.wait_for_selector("#enter-told:has-text('already been used')")
    stranger.goto(page.url)
    assert "refused" in stranger.inner_text("body")
    context.close()


def test_without_cookies_the_page_says_so_and_does_not_use_up_the_address(
    page, open_table, tmp_path
):
    table = open_table(begin_game(Round(tmp_path), "evolution"), "-C savannah", **CLOCK)
    page.add_init_script("Object.defineProperty(navigator, 'cookieEnabled', { value: false })")
    page.goto(table.address)
    page.wait_for_selector("#enter-told:has-text('Allow cookies')")
    fresh = page.context.new_page()
    fresh.goto(page.url)
    fresh.wait_for_selector("h1:has-text('All my games')")
