"""Every page and form of the table, asked for in a browser tab: none needs what a tab lacks."""

import pytest
from starlette.routing import Route

from pbem.files.home import Home
from pbem.table.app import make_app
from tests.site.conftest import Evening
from tests.site.test_mishaps import game_path

ASK = """([method, path, body]) => fetch(path, {method, headers: {"x-pbem-part": "1"}, body})
  .then(async (answer) => [answer.status, await answer.text()])"""
ONLY_IN_A_TAB = [("GET", "/back"), ("POST", "/back"), ("GET", "/return"), ("POST", "/return")]
QUERIES = {"/explain": "?word=horns", "/audit": "?words="}
FORMS = {
    "/learn": '{"game": "evolution"}',
    "/notices": '{"about": "back"}',
    "/messages": '{"text": "hello", "to": ""}',
    "/open": '{"folder": "/nowhere"}',
}
"""What a person would send, where an empty form is refused before anything happens."""


def all_pages(home: Home, games: list[str]) -> list[tuple[str, str]]:
    """The method and the path of each page and form, for each of these games."""
    found: list[tuple[str, str]] = []
    for route in make_app(home, None).routes:
        if not isinstance(route, Route) or route.path.startswith("/static"):
            continue
        for method in sorted((route.methods or {"GET"}) - {"HEAD"}):
            of_game = route.path.startswith("/game/{name}")
            paths = [game + route.path[len("/game/{name}") :] for game in games]
            found += [(method, path) for path in (paths if of_game else [route.path])]
    found += [(method, game + path) for game in games for method, path in ONLY_IN_A_TAB]
    return [(method, path.replace("{name}", "evolution")) for method, path in found]


def visit_all(phone, evening: Evening, games: list[str]) -> None:
    """Ask for each page and form in the tab, and see that none ends in a bug."""
    pages = all_pages(Home(evening.table.root / "nobody"), games)
    assert len(pages) >= 10 + 25 * len(games)
    for method, path in pages:
        last = f"/{path.rpartition('/')[2]}"
        body = FORMS.get(last, "{}") if method == "POST" else None
        address = path + (QUERIES.get(last, "") if method == "GET" else "")
        status, text = phone.page.evaluate(ASK, [method, address, body])
        assert status in (200, 303, 400, 404, 409, 422), (len(games), method, path, text[-600:])
        assert "Error" not in text, (len(games), method, path, text[-600:])


@pytest.mark.long
def test_every_page_and_form_works_with_no_game_one_two_and_three(evening: Evening):
    """The list of two games asked both hosts in threads, which a tab has not."""
    phone, games = evening.phone(), list[str]()
    phone.open(f"{evening.host.url}/")
    visit_all(phone, evening, games)
    for number in range(3):
        evening.new_game(f"--players Ann,Bo --game evolution --title pond{number}")
        evening.joins("Bo")
        phone.open(evening.link("Ann"))
        phone.press("button[type=submit]")
        phone.frame.wait_for_selector("p.good")
        phone.page.wait_for_selector("#line", state="hidden")
        if number != 1:  # one of the games has not begun
            assert "turns/0001.toml" in evening.advance()
            phone.page.wait_for_timeout(500)
        games.append(game_path(phone))
        visit_all(phone, evening, games)
        phone.open(f"{evening.host.url}/")
        assert phone.frame.locator("li.game-row").count() == len(games)
    phone.said.clear()  # the browser itself says what was refused
