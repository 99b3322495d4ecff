"""A game that a host deals, in browsers only: started on its page, played by links to the end."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.browser.looking import find_broken_rules
from tests.kit.browser_players import Mouse, Player
from tests.kit.phone import Phone
from tests.kit.processes import until
from tests.site.evening import SELDOM, Evening, status_at, turn_shown

STANDING = "plants first, then prey"


@pytest.fixture
def street(site: Path, tmp_path: Path, chromium) -> Iterator[Evening]:
    """A host that deals, and phones; nobody has a terminal but Eve, who audits."""
    one = Evening(tmp_path, chromium, "--deal")
    yield one
    one.end()


def axe(page) -> None:
    """Fail if a page has something that not everybody can use."""
    assert not find_broken_rules(page)


def is_accessible(phone: Phone) -> bool:
    """Whether axe finds nothing in the page of a game; False if the page is just coming anew, for
    the sake of news, while axe looks at it."""
    from playwright.sync_api import Error

    with suppress(Error):
        return not find_broken_rules(phone.frame)
    return False


def started(street: Evening, phone: Phone, **fields: str) -> dict[str, str]:
    """Start a game from the page of the host, as somebody who comes there for the first time;
    return the link of each player."""
    phone.open(street.host.url)
    phone.frame.wait_for_selector("h1:has-text('All my games')")
    phone.press("a:has-text('A new game…')")
    page = phone.page
    page.wait_for_selector("h1:has-text('Start a game')")
    axe(page)
    assert page.locator("a:text-is('Learn by playing')").get_attribute("href") == "/"
    if fields.keys() - {"you", "players", "game"}:
        page.click("summary:has-text('More')")
        axe(page)
    for name, value in fields.items():
        if name in ("game", "pace", "dealer"):
            page.check(f"input[name={name}][value={value}]")
        elif name == "bots":
            page.select_option("[name=bots]", value)
        else:
            page.fill(f"[name={name}]", value)
    page.click("button[type=submit]")
    page.wait_for_selector(".seats")
    axe(page)
    names = page.locator(".seats .who").all_inner_texts()
    links = [one.get_attribute("value") for one in page.locator(".seats input").all()]
    return dict(zip(names, links, strict=True))


def phone_with_seat(phone: Phone, link: str, name: str) -> Phone:
    phone.open(link)
    assert "Whoever runs this host can see every hand." in phone.text()
    phone.press("button[type=submit]")
    phone.frame.wait_for_selector(f"p.good:has-text('You are {name}')")
    phone.press("p.buttons a.primary")
    return phone


@pytest.mark.parametrize("most", [2, pytest.param(100, marks=pytest.mark.long)])
def test_a_game_started_on_a_hosts_page_is_played_by_phones_to_the_end(street: Evening, most: int):
    first = street.phone()
    links = started(street, first, players="Ann\nBo\nCy")
    phones = {}
    for seat, (name, link) in zip("abc", links.items(), strict=True):
        phone = first if seat == "a" else street.phone()
        phones[seat] = phone_with_seat(phone, link, name)
    digits = re.search(r"/g/([0-9a-f]{32})/play#join=", links["Ann"])[1]
    address = f"{street.host.url}/g/{digits}"
    for _ in range(most):
        until(lambda: status_at(street.person("eve"), address)["turn"], every=SELDOM)
        now = status_at(street.person("eve"), address)
        turn = now["turn"]
        if now["over"]:
            break
        for seat in sorted(seat for seat, one in now["seats"].items() if one["asked"]):
            turn_shown(phones[seat], turn)
            player = Player(phones[seat].frame, Mouse(phones[seat].frame))
            if turn == 1:
                player.always("feed", STANDING)
            player.answer()
            assert "Sent." in player.seal()
        until(
            lambda turn=turn: status_at(street.person("eve"), address)["turn"] > turn, every=SELDOM
        )
    else:
        assert turn >= most
        return
    said = street.person("eve").pbem(f"audit {address}")
    assert "Proven: " in said.out, said.text
    assert street.host.url.removeprefix("http://") in said.out, "the certificate names the dealer"
    for phone in phones.values():
        turn_shown(phone, turn)
        phone.frame.wait_for_selector(".scores")
    phones["b"].press("[data-rematch]")
    phones["b"].frame.wait_for_selector("h1:has-text('Evolution with Ann 2')")
    phones["b"].press("button:has-text('Take my seat')")
    phones["b"].frame.wait_for_selector("p.good:has-text('in seat a')")
    page = phones["c"].page
    page.goto(f"{street.host.url}/new?again={address[-32:]}")
    assert page.input_value("[name=players]") == "Bo\nCy\nAnn"
    page.click("button[type=submit]")
    page.wait_for_selector("h1:text('Evolution with Ann 2')")
    phone_with_seat(phones["c"], page.locator(".seats input").nth(1).get_attribute("value"), "Cy")


def test_the_form_for_a_new_game_names_mistakes_and_keeps_what_was_typed(street: Evening):
    phone = street.phone()
    phone.open(street.host.url)
    page = phone.page
    page.goto(f"{street.host.url}/new")
    page.fill("[name=players]", "Ann\nann")
    page.click("button[type=submit]")
    page.wait_for_selector("[role=alert]:has-text('names that look the same')")
    assert "400" in phone.said.pop(), "the browser itself says that the form was refused"
    axe(page)
    assert page.input_value("[name=players]") == "Ann\nann"
    page.fill("[name=players]", "Ann\nBo")
    page.click("summary:has-text('More')")
    page.check("input[value=me]")
    page.click("button[type=submit]")
    page.wait_for_selector("h1:has-text('You deal, on your own computer')")
    assert "--players Ann,Bo" in page.input_value("input[readonly]")
    axe(page)


def test_what_the_host_answers_itself_passes_the_service_worker(street: Evening):
    guess = {"username": "me", "password": "a guess"}
    phone = street.phone(http_credentials=guess).open(street.host.url)
    page = phone.page
    page.wait_for_function("() => navigator.serviceWorker.controller")
    assert page.goto(f"{street.host.url}/").from_service_worker
    wanted = {"new": 200, "games": 401, "games.csv": 401, "owner": 401, "new/1/2": 404}
    for path, status_code in wanted.items():
        said = page.goto(f"{street.host.url}/{path}")
        assert (said.from_service_worker, said.status) == (False, status_code), path
    phone.said.clear()  # the browser itself says what was refused


def test_whoever_plays_alone_types_a_name_and_opens_the_marked_link(street: Evening):
    phone = street.phone()
    links = started(street, phone, you="Ann")
    assert [*links] == ["Ann you"]
    with phone.context.expect_page() as opened:
        phone.page.click("a:text-is('Open your own link')")
    opened.value.wait_for_selector("html[data-shown]", state="attached")
    phone.page = opened.value
    phone.shown()
    phone.press("button[type=submit]")
    phone.frame.wait_for_selector("p.good:has-text('You are Ann')")
    phone.press("p.buttons a.primary")
    turn_shown(phone, 1)


def test_a_spectator_watches_by_the_link_to_watch(street: Evening):
    starter = street.phone()
    links = started(street, starter, you="Ann", players="Bo")
    assert [*links] == ["Ann you", "Bo"]
    starter.page.click("summary:has-text('For somebody who only watches')")
    axe(starter.page)
    link = starter.page.get_by_label("The link to watch").input_value()
    for name in ("Ann", "Bo"):
        phone_with_seat(street.phone(), links["Ann you" if name == "Ann" else name], name)
    watcher = street.phone().open(link)
    turn_shown(watcher, 1)
    assert watcher.frame.locator(".hand .thing").count() == 0


def test_a_button_copies_the_link_of_a_player(street: Evening):
    from playwright.sync_api import TimeoutError as Timeout

    phone = street.phone(permissions=["clipboard-read", "clipboard-write"])
    links = started(street, phone, players="Ann", bots="1", game="origin", pace="live")
    button = phone.page.locator("[data-copy]").first

    def is_copied() -> bool:
        button.click()  # once more, if the page was just loaded again because somebody had joined
        with suppress(Timeout):
            phone.page.wait_for_selector("button:has-text('Copied')", timeout=2000)
            return True
        return False

    until(is_copied, why=lambda: button.inner_text())
    assert phone.page.evaluate("navigator.clipboard.readText()") == links["Ann"]


def test_a_used_link_says_so_and_the_page_of_links_shows_who_has_joined(street: Evening):
    first = street.phone()
    links = started(street, first, players="Ann\nBo\nCy", pace="live")
    starter = first.page
    phone_with_seat(street.phone(), links["Ann"], "Ann")
    late = street.phone().open(links["Ann"])
    assert "Somebody has taken this seat already. Did you take it yourself?" in late.text()
    assert "Deadline: 15 minutes" in late.text()
    assert not late.frame.locator("button:has-text('Take my seat')").is_visible()
    bo = phone_with_seat(street.phone(), links["Bo"], "Bo")
    bo.frame.wait_for_selector("li:has-text('Ann has joined')")
    assert "Bo you\nCy has not joined yet" in bo.text()
    until(lambda: is_accessible(bo), why=lambda: find_broken_rules(bo.frame))
    starter.wait_for_selector(".who:has-text('Bo has joined')")  # it looks by itself
    starter.click("summary:has-text('Is somebody missing?')")
    axe(starter)
    starter.click("button[name=begin]")
    turn_shown(bo, 1)
    late = street.phone().open(links["Cy"])
    assert "The game has begun; seats can no longer be taken." in late.text()
    assert not late.frame.locator("button:has-text('Take my seat')").count()


def test_whoever_takes_over_a_seat_is_told_from_which_turn_it_is_theirs(street: Evening):
    starter = street.phone()
    links = started(street, starter, players="Ann\nBo", pace="live")
    ann, bo = (phone_with_seat(street.phone(), links[name], name) for name in ("Ann", "Bo"))
    turn_shown(bo, 1)
    bo.press("nav a:has-text('Notices')")
    leave = bo.frame.locator("form[aria-label='Give up my seat']")
    leave.locator("input[type=checkbox]").check()
    leave.locator("button").click()
    leave.locator(".good").wait_for()
    turn_shown(ann, 1)
    player = Player(ann.frame, Mouse(ann.frame))
    player.answer()
    player.seal()
    starter.page.wait_for_selector("button:has-text('Make a link for somebody new')")
    axe(starter.page)
    starter.page.click("button[name=seat]")
    dee = street.phone().open(starter.page.locator(".seats input").get_attribute("value"))
    dee.frame.fill("input[name=name]", "Dee")
    dee.press("button[type=submit]")
    dee.press("p.buttons a.primary")
    pending = ".note:has-text('yours from the next turn on')"  # unless that turn is here already
    dee.frame.wait_for_selector(f"{pending}, .place:has-text('Dee')")
    assert "not accepted" not in dee.text()
    assert not dee.frame.locator("text=This browser has no seat").count()
