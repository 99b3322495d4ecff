"""Orders that end the turn wait, so that Undo is honest; a page that is closed loses nothing."""

import pytest

from pbem.files.home import Home
from pbem.person.delivery_wait_of_sealed_orders import delivery_book
from tests.kit.browser import TAB, in_both
from tests.kit.browser_players import (
    CLOCK,
    KEEP_NOTES,
    LET_NOTES_GO,
    Mouse,
    Player,
    against_bots,
    at_the_board,
    begin_game,
    others_play,
    status_of_game,
)
from tests.kit.people import Person, Round
from tests.kit.phone import DIGITS, OneGame
from tests.kit.processes import until
from tests.kit.running_host import RunningHost

WAITING = "#toast .pending[data-deliver]:has-text('Sending…')"
CLOSED = "You closed the page before your orders were sent."
STILL_COUNTS = "What you sent counts until you send again."


def orders_of_ann(table: Round) -> list[str]:
    return sorted(file.name for file in (table.shared / "savannah/orders").glob("*-a-*"))


def is_due(person: Person) -> bool:
    """Whether the wait is over that the person's home has noted."""
    home = Home(person.home)
    return any(delivery_book(home.game(ident)).read().is_due for ident in home.games())


@pytest.fixture
def ann_alone(sit_down, page, tmp_path) -> Player:
    """Ann, the referee, has answered all; nobody else is awaited."""
    player = at_the_board(sit_down, page, against_bots(Round(tmp_path), "evolution", 2, "food"))
    player.answer()
    player.ann = Round(tmp_path).person("ann")
    return player


def test_after_send_the_turn_is_made_when_the_time_for_undo_is_over(ann_alone):
    page, turn = ann_alone.page, status_of_game(ann_alone.ann)["turn"]
    page.click("#send")
    page.wait_for_selector(WAITING)
    page.wait_for_selector("#toast .good:has-text('pbem made the next turn')")
    page.wait_for_selector(f"h1:has-text('Turn {turn + 1}')")


def test_undo_after_send_holds_the_turn_back(ann_alone):
    page, turn = ann_alone.page, status_of_game(ann_alone.ann)["turn"]
    page.evaluate(KEEP_NOTES)
    page.click("#send")
    page.click("#toast .take-back")
    page.wait_for_selector("#toast .good:has-text('Taken back.')")
    page.wait_for_selector(f"#plan .state:has-text('{STILL_COUNTS}')")
    assert status_of_game(ann_alone.ann)["turn"] == turn
    assert ann_alone.page.locator("#send").is_enabled()
    ann_alone.seal()
    page.wait_for_selector(f"h1:has-text('Turn {turn + 1}')")


def test_during_the_time_for_undo_both_undo_buttons_take_back_the_sending(ann_alone):
    page, turn = ann_alone.page, status_of_game(ann_alone.ann)["turn"]
    choices = page.locator(".lines > li").count()
    page.evaluate(KEEP_NOTES)
    page.click("#send")
    page.wait_for_selector(WAITING)
    place = page.locator("#toast .take-back").bounding_box()
    page.evaluate(
        "() => document.querySelector('#toast > p').after(document.createElement('p'), 'More. ')"
    )
    assert page.locator("#toast .take-back").bounding_box() == place
    page.click("#undo")
    page.wait_for_selector("#toast .good:has-text('Taken back.')")
    assert status_of_game(ann_alone.ann)["turn"] == turn
    assert page.locator(".lines > li").count() == choices, "no choice is gone"
    page.evaluate(LET_NOTES_GO)
    page.wait_for_selector("#toast:empty", state="attached")  # the note goes by itself


def test_a_note_with_a_button_to_keep_the_seat_goes_by_itself(ann_alone):
    page = ann_alone.page
    page.evaluate(
        """async () => (await import(document.querySelector("script[type=module]").src
          .replace("main.js", "toast.js")))
          .toast('<p class="good">Sent.</p><a class="button" href="#">Keep my seat</a>')"""
    )
    page.wait_for_selector("#toast .good")
    page.wait_for_selector("#toast:empty", state="attached")


def test_a_turn_left_by_a_closed_page_is_made_when_the_game_is_opened(ann_alone):
    page, turn = ann_alone.page, status_of_game(ann_alone.ann)["turn"]
    address = page.url
    page.evaluate(KEEP_NOTES)
    page.click("#send")
    page.wait_for_selector(WAITING)
    page.goto("about:blank")
    until(lambda: is_due(ann_alone.ann))
    assert status_of_game(ann_alone.ann)["turn"] == turn
    page.goto(address)
    page.wait_for_selector(f"#notes:has-text('{CLOSED}'):has-text('pbem made the next turn')")
    page.wait_for_selector(f"h1:has-text('Turn {turn + 1}')")
    page.reload()
    page.wait_for_selector("main:not([inert])")
    assert CLOSED not in page.inner_text("#notes")


def test_a_page_loaded_again_in_the_time_for_undo_still_makes_the_turn(ann_alone):
    page, turn = ann_alone.page, status_of_game(ann_alone.ann)["turn"]
    page.click("#send")
    page.wait_for_selector(WAITING)
    page.reload()
    page.wait_for_selector(f"{WAITING}, h1:has-text('Turn {turn + 1}')")
    page.wait_for_selector(f"h1:has-text('Turn {turn + 1}')")


@pytest.fixture
def ann_on_host(open_table, page, tmp_path):
    """Ann at a table of her own, in a game on a host, where Bo has answered."""
    table = Round(tmp_path)
    ann = begin_game(table, "evolution")
    others_play(table)
    host = RunningHost(table.shared / "savannah", games=OneGame)
    address = open_table(ann, f"-C {host.url}/g/{DIGITS}", **CLOCK).address
    page.goto(address)
    page.click("a.game-title")
    player = Player(page, Mouse(page))
    player.answer()
    player.table, player.ann = table, ann
    yield player
    page.context.close()
    host.stop()


def test_on_a_host_undo_after_send_keeps_the_orders_unsent(ann_on_host):
    page, table = ann_on_host.page, ann_on_host.table
    page.evaluate(KEEP_NOTES)
    page.click("#send")
    page.click("#toast .take-back")
    page.wait_for_selector("#toast .good:has-text('Nothing was sent.')")
    page.wait_for_selector("#plan .state:has-text('You took your orders back')")
    page.wait_for_selector("h1:has-text('Your move')")
    page.reload()
    ann_on_host.settle()
    assert ann_on_host.ann.pbem(f"status -C {address_of(ann_on_host)}").exit in (0, 5)
    assert orders_of_ann(table) == []
    ann_on_host.seal()
    assert len(orders_of_ann(table)) == 1


def address_of(player: Player) -> str:
    home = Home(player.ann.home)
    return next(str(place) for i in home.games() if (place := home.game(i).place))


def test_on_a_host_orders_left_by_a_closed_page_are_sent_when_opened(ann_on_host):
    page, table, address = ann_on_host.page, ann_on_host.table, ann_on_host.page.url
    page.evaluate(KEEP_NOTES)
    page.click("#send")
    page.wait_for_selector(WAITING)
    page.goto("about:blank")
    until(lambda: is_due(ann_on_host.ann))
    assert orders_of_ann(table) == []
    page.goto(address)
    page.wait_for_selector(f"#notes:has-text('{CLOSED}')")
    assert len(orders_of_ann(table)) == 1


@pytest.fixture
def last_in_tab(sit_down, page, tmp_path) -> Player:
    """Ann in a tab, the last who is awaited, with her answers ready."""
    table = Round(tmp_path)
    ann = begin_game(table, "evolution")
    others_play(table)
    page.server = sit_down(ann)
    page.click("a.game-title")
    player = Player(page, Mouse(page))
    player.answer()
    player.table = table
    return player


@pytest.mark.parametrize("backend", [TAB], indirect=True)
def test_in_a_tab_undo_after_send_keeps_the_orders_unsent(last_in_tab):
    page, table = last_in_tab.page, last_in_tab.table
    page.evaluate(KEEP_NOTES)
    page.click("#send")
    page.click("#toast .take-back")
    page.wait_for_selector("#toast .good:has-text('Nothing was sent.')")
    page.evaluate(LET_NOTES_GO)
    page.wait_for_timeout(6000)  # longer than the wait
    assert orders_of_ann(table) == []
    last_in_tab.seal()
    until(lambda: len(orders_of_ann(table)) == 1)


@pytest.mark.parametrize("backend", [TAB], indirect=True)
def test_in_a_tab_orders_left_by_a_closed_page_are_sent_when_opened(last_in_tab):
    page, table = last_in_tab.page, last_in_tab.table
    page.evaluate(KEEP_NOTES)
    page.click("#send")
    page.wait_for_selector(WAITING)
    page.wait_for_timeout(1000)
    page.phone.page.close()
    assert orders_of_ann(table) == []
    page.phone.open(f"{page.server.url}/")
    until(lambda: len(orders_of_ann(table)) == 1)
    page.phone.press("a.game-title")
    page.phone.frame.wait_for_selector(f"#notes:has-text('{CLOSED}')")


@in_both
def test_undo_opens_sealed_orders_again_while_others_are_missing(sit_down, page, tmp_path):
    table = Round(tmp_path)
    sit_down(begin_game(table, "evolution"), "-C savannah", **CLOCK)
    page.click("a.game-title")
    player = Player(page, Mouse(page))
    player.answer()
    page.evaluate(KEEP_NOTES)
    page.click("#send")
    page.wait_for_selector("#toast :is(.good, .pending):has-text('Sent.')")
    assert page.locator("#toast [data-deliver]").count() == 0, "nothing waits"
    page.click("#toast .take-back")
    page.wait_for_selector("#toast .good:has-text('What you sent counts until then.')")
    page.wait_for_selector(f"#plan .state:has-text('{STILL_COUNTS}')")
    until(lambda: len(orders_of_ann(table)) == 1, why="what was sent is there, and counts")
    page.reload()
    player.settle()
    page.wait_for_selector(f"#plan .state:has-text('{STILL_COUNTS}')")
    player.seal()
    page.wait_for_selector("#plan .state:has-text('Your orders are sealed.')")
    assert page.locator(f"#plan .state:has-text('{STILL_COUNTS}')").count() == 0


def test_a_tap_that_would_only_lose_a_trait_asks_first(sit_down, page, tmp_path):
    player = at_the_board(sit_down, page, against_bots(Round(tmp_path), "evolution", 2, "play"))
    with player.changed():
        page.evaluate(
            "() => document.querySelector('.offers .offer[data-text$=\" on a1\"]').click()"
        )
    lines = page.locator(".lines > li").count()
    page.evaluate(  # as with the last card of the hand placed
        """() => {
          const others = document.querySelectorAll(".offer:not([data-loss])");
          for (const one of others) one.remove();
        }"""
    )
    page.click('#board button.thing[data-thing="a1"]')
    page.wait_for_selector("#sheet[open]:has-text('Take a trait off')")
    assert page.locator(".lines > li").count() == lines, "nothing is chosen yet"


OLD_PAGE_LAST = """async () => {
  const main = document.querySelector("script[type=module][src]").src;
  const { renewPage } = await import(new URL("page_renewal.js", main).href);
  const { fetch } = window;
  let changed;
  const change = new Promise((resolve) => { changed = resolve; });
  let oldPage;
  window.fetch = async (path, options) => {
    if (String(path).endsWith("stamp=")) { // not when the page looks for news by itself
      oldPage = fetch(path, options);
      const answer = await oldPage;
      await change;
      window.isOldPageHere = true;
      return answer;
    }
    if (!String(path).includes("/plan")) return fetch(path, options);
    renewPage();
    while (!oldPage) await new Promise((resolve) => setTimeout(resolve, 10));
    await oldPage;
    const answer = await fetch(path, options);
    setTimeout(changed, 300);
    return answer;
  };
}"""
"""The next change asks for the page before it is made, and shows that page after it was made."""


def test_a_page_fetched_before_a_change_does_not_hide_the_change(sit_down, page, tmp_path):
    player = at_the_board(sit_down, page, begin_game(Round(tmp_path), "evolution"))
    with player.changed():
        page.click(player.offer_in_list("food"))
    page.evaluate(OLD_PAGE_LAST)
    with player.changed():
        page.locator(player.offer_in_list("food")).last.click()
    mark = page.locator(".plan-in").get_attribute("data-mark")
    page.wait_for_function("() => window.isOldPageHere")
    page.wait_for_timeout(300)
    assert page.locator(".plan-in").get_attribute("data-mark") == mark
