"""Every page: axe finds nothing, and nothing is wider than the screen.

With LONG=1 there are pictures in `build/pages`, to be looked at: narrow, middle and wide; light and
dark.
"""

from urllib.parse import urlsplit

import pytest

from pbem.format.openssh_key_files import write_key
from tests.browser.looking import AT_LENGTH, CHECKED, Looking
from tests.kit.browser import in_both, in_both_at_length
from tests.kit.browser_players import CLOCK, Mouse, Player, begin_game, bot_plays
from tests.kit.named_games import made, sit
from tests.kit.people import Round, key_of
from tests.kit.processes import PATIENCE, until

RULESETS = ["evolution", "digital", "climate", "origin", "classroom"]


def test_the_page_to_enter_by_is_accessible_and_stores_no_secret(page, open_table, tmp_path):
    table = open_table(Round(tmp_path).person("ann"), **CLOCK)
    page.goto(table.root)
    page.wait_for_selector("#enter-told:has-text('Open the whole address')")
    Looking(page, "entering").look("without-token")
    page.goto("about:blank")
    page.goto(table.address)
    page.wait_for_selector("h1:has-text('All my games')")
    Looking(page, "entering").look("no-games")
    assert "#" not in page.url
    kept = page.evaluate("[{...localStorage}, {...sessionStorage}]")
    assert kept == [{"pbem-table": urlsplit(page.url).path}, {}], "neither the token nor the pass"


@in_both_at_length
def test_the_page_of_a_game_is_accessible_and_fits_every_screen(looking, tmp_path):
    at = looking(begin_game(Round(tmp_path), "climate"))
    page, player = at.page, Player(at.page, Mouse(at.page))
    player.settle()
    at.look("asked")
    page.locator("button.thing.card.lit").first.click()
    at.look("card-chosen")
    page.keyboard.press("Escape")
    player.answer()
    page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true })")
    at.look("all-open")
    form = "form.own[data-kind=play][data-always='']"
    page.fill(f"{form} input", "burn the savannah")
    with player.changed():
        page.press(f"{form} input", "Enter")
    at.look("mistake")
    with player.changed():
        page.click("li.bad [data-do=remove]")
    page.click("#send")
    page.wait_for_selector("#toast .good")
    at.look("sent")
    player.settle()
    page.locator(".why").first.click()
    page.wait_for_selector("dialog[open] h2")
    at.look("explained")


@pytest.mark.sample(2)
@in_both_at_length
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_board_of_each_ruleset_is_accessible_and_fits_every_screen(ruleset, looking, tmp_path):
    table = Round(tmp_path)
    begin_game(table, ruleset)
    _some_turns(table)
    at = looking(table.person("ann"))
    Player(at.page, Mouse(at.page)).settle()
    at.look(ruleset)


@in_both_at_length
def test_the_pages_of_rules_are_accessible_and_fit_every_screen(looking, tmp_path):
    at = looking(begin_game(Round(tmp_path), "evolution"))
    with at.page.expect_navigation():
        at.page.click("nav a >> text=How to play")
    at.look("of-the-game")
    here = at.page.url.partition("/game/")[0]
    if at.name.endswith("[tab]"):
        return  # a tab opens only games
    for number, ruleset in enumerate(RULESETS):
        at.page.goto(f"{here}/rules/{ruleset}")
        at.page.wait_for_selector("h1:has-text('How to play')")
        # axe needs seconds for so long a page: each layout and each scheme for some rulesets
        at.look(ruleset, checked=CHECKED if AT_LENGTH else [CHECKED[number % 2]])


def _some_turns(table: Round) -> None:
    """Turns until the first cards lie on the table, as far as one round."""
    from tests.kit.browser_players import make_turn, others_play, status_of_game

    for _ in range(12):
        others_play(table)
        data = status_of_game(table.person("ann"))
        if data["seats"]["a"]["asked"] and data["turn"] > 5:
            return
        if data["seats"]["a"]["asked"]:
            bot_plays(table.person("ann"), "a", whole=False)
        make_turn(table)


@in_both_at_length
def test_the_page_of_the_history_is_accessible_and_fits_every_screen(looking, game):
    at = looking(game("middle").person("ann"))
    at.page.click("text=History")
    at.page.wait_for_selector("#step")
    at.look("last")
    at.page.keyboard.press("PageUp")
    at.page.wait_for_selector(".moment[data-turn='13']")
    at.look("a-turn-before")
    at.page.click("text=Since my last orders")
    at.page.wait_for_selector(".story")
    at.look("since")


@in_both_at_length
def test_a_spectators_page_has_nothing_to_seal_and_fits_every_screen(looking, game):
    table = game("middle")
    at = looking(table.person("eve"))
    at.page.wait_for_selector(".board .place")
    assert not at.page.locator("#plan").is_visible()
    assert "Seal" not in at.page.locator("main").inner_text()
    at.look("table")
    at.page.click("text=History")
    at.page.wait_for_selector("#step")
    at.look("history")


@in_both_at_length
def test_the_page_of_the_end_shows_scores_and_the_audit_and_fits_every_screen(looking, game):
    at = looking(game("over").person("ann"))
    at.page.wait_for_selector(".scores")
    said = at.page.locator(".scores .winner").inner_text()
    assert said == "Ann wins, 50 points ahead of Bo"
    rows = [row.split() for row in at.page.locator(".scores tbody tr").all_inner_texts()]
    assert rows == [
        ["1", "a", "Ann", "94", "70", "18", "6"],
        ["2", "b", "Bo", "44", "44", "0", "0"],
    ]
    assert at.page.locator(".scores a:text-is('Rematch')").count() == 1
    at.look("table")
    at.page.click("text=Audit")
    at.page.wait_for_selector(".verdict.right")
    at.look("audit")


def test_the_audit_page_of_a_broken_game_is_accessible_and_fits_every_screen(looking, game):
    table = game("middle")
    turn = table.shared / "savannah/turns/0007.toml"
    at = looking(table.person("ann"))
    turn.write_text(turn.read_text("utf-8").replace("eats", "eat"), "utf-8")
    at.page.click("text=Audit")
    at.page.wait_for_selector(".verdict.broken")
    at.look("audit")


@in_both
def test_the_page_of_mail_is_accessible_and_fits_every_screen(looking, tmp_path):
    ann = begin_game(Round(tmp_path), "evolution")
    bot_plays(ann, "a")
    at = looking(ann)

    def is_there() -> bool:  # a tab may not have heard yet of what was sealed elsewhere
        at.page.click("nav a >> text=Mail")
        at.page.wait_for_selector("#drop")
        return bool(at.page.locator(".parcel").count())

    until(is_there, every=0.5)
    at.page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true })")
    at.page.fill("#pasted", "no mail of ours")
    at.page.click("#take")
    at.page.wait_for_selector("#came .error")
    at.look("to-send")


def test_the_referees_pages_are_accessible_and_fit_every_screen(looking, tmp_path):
    table = Round(tmp_path)
    made(table)
    sit(table, "a")
    at = looking(table.person("rhea"), title=False)
    at.look("list")
    at.page.click("a.game-title")
    at.page.wait_for_selector("h1:has-text('has not begun')")
    at.look("not-begun")
    at.page.click("text=Referee")
    at.page.wait_for_selector(".invite")
    at.look("invites")
    sit(table, "b")
    at.page.reload()
    at.page.click("button[data-advance]")
    at.page.wait_for_selector("#made .good")
    at.look("made")


def test_the_form_for_a_new_game_is_accessible_and_fits_every_screen(looking, tmp_path):
    at = looking(Round(tmp_path).person("rhea"), options="", title=False)
    at.page.click("text=A new game…")
    at.page.wait_for_selector("h1:has-text('A new game')")
    at.look("empty")
    at.page.fill("[name=players][placeholder]", "Ann, Ann")
    at.page.click("text=Make the game")
    at.page.wait_for_selector("form .error")
    at.page.fill("[name=players][placeholder]", "Ann, Bo")
    at.page.fill("[name=folder]", str(tmp_path / "shared/savannah"))
    at.page.click("text=Make the game")
    at.page.wait_for_selector("form .good")
    at.look("made")
    at.page.click("text=Invite the players")
    at.page.wait_for_selector(".invite")
    assert (tmp_path / "shared/savannah/game.toml").exists()


@pytest.mark.parametrize(
    ("zone", "said"),
    [("Asia/Tokyo", "Thu, 16 Nov 2023, 04:00 GMT+9"), ("Europe/Berlin", "20:00 CET")],
)
def test_the_deadline_is_in_the_readers_own_time(chromium, open_table, tmp_path, zone, said):
    ann = begin_game(Round(tmp_path), "origin", "--deadline 'every day 20:00 Europe/Berlin'")
    context = chromium.new_context(timezone_id=zone, viewport={"width": 390, "height": 844})
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    page.goto(open_table(ann, "-C savannah", **CLOCK).address)
    page.click("a.game-title")
    deadline = page.wait_for_selector("#plan time[title]")
    assert said in deadline.inner_text()
    assert deadline.get_attribute("title") == "Wed 15 Nov 2023, 20:00 CET", "as the game says it"
    state = page.locator("#plan .state:has(time)").inner_text()
    assert state.startswith("Deadline: ")
    assert ", in 20 hours; if nothing changes" in state
    Player(page, Mouse(page)).settle()
    with page.expect_response("**/plan*"):
        page.locator(".offers .offer").first.evaluate("one => one.click()")
    page.wait_for_selector(f"#plan time:has-text('{said}')")
    context.close()


def test_the_links_of_a_game_fold_on_a_narrow_screen(looking, game):
    table = game("middle")
    assert table.person("bo").pbem(["tell", "-C", "savannah", "--to", "a", "Truce?"]).exit == 0
    at = looking(table.person("ann"))
    page, menu = at.page, at.page.locator(".menu > summary")
    page.wait_for_selector("main:not([inert])")  # the page's script has opened the menu by then
    assert page.locator("nav a:visible").count() == 7
    assert not menu.is_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    page.wait_for_selector(".menu:not([open])")
    assert page.locator("nav a:visible").count() == 0
    assert menu.inner_text().split() == ["Menu:", "Table", "1", "new", "in", "messages"]
    menu.focus()
    page.keyboard.press("Enter")
    assert page.locator("nav a:visible").count() == 7
    at.axe("the menu")
    page.keyboard.press("Escape")
    assert page.locator("nav a:visible").count() == 0
    menu.click()
    page.click("nav a >> text=Messages (1)")
    page.wait_for_selector(".menu > summary:has-text('Messages')")
    at.look("messages")


SMALL = """() => {
  const pressed = "button, summary, select, input:not([type=radio], [type=checkbox])";
  return [...document.querySelectorAll(pressed)].filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return one.checkVisibility() && width > 1 && Math.min(width, height) < 44;
  }).map((one) => one.outerHTML);
}"""
"""What a finger presses and is smaller than 44 pixels."""
FAINT = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { data, parentElement: around } = walker.currentNode;
    const isSeen = data.trim() && around.checkVisibility() && !around.closest("script, .sr");
    if (isSeen && parseFloat(getComputedStyle(around).fontSize) < 14) found.push(data);
  }
  return found;
}"""
"""Texts of less than 14 pixels."""


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", RULESETS)
def test_on_a_phone_every_page_has_a_head_of_one_line_and_nothing_small(looking, tmp_path, game):
    page = looking(begin_game(Round(tmp_path), game)).page
    Player(page, Mouse(page)).settle()
    table = page.url
    for path in ("", "/history", "/messages", "/notices", "/mail", "/audit", "/rules"):
        page.goto(f"{table}{path}")
        page.wait_for_selector("main:not([inert])")
        for width in (360, 390, 820):
            page.set_viewport_size({"width": width, "height": 844})
            where = (path, width)
            assert page.locator(".top").bounding_box()["height"] == 48, where
            assert page.locator(".game-name").inner_text().startswith("savannah\n"), where
            assert page.evaluate(SMALL) == [], where
            assert page.evaluate(FAINT) == [], where
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, where
    assert page.locator(".game-name").inner_text() == "savannah\nHow to play"


def test_on_a_phone_the_panel_of_orders_has_nothing_small(looking, tmp_path):
    page = looking(begin_game(Round(tmp_path), "origin")).page
    Player(page, Mouse(page)).settle()
    page.set_viewport_size({"width": 360, "height": 844})
    page.wait_for_selector(".orders:not([open])", state="attached")
    page.click(".orders > summary")
    page.wait_for_selector(".orders .offer:visible")
    assert page.evaluate(SMALL) == []
    assert page.evaluate(FAINT) == []


def test_the_pages_of_messages_and_notices_are_accessible_and_fit_every_screen(looking, game):
    table = game("timed")
    assert table.person("bo").pbem(["tell", "-C", "savannah", "--to", "a", "Truce?"]).exit == 0
    assert table.person("bo").pbem("notice deadline 72h -C savannah").exit == 0
    at = looking(table.person("ann"))
    at.page.click("nav a >> text=Messages (1)")
    at.page.fill("textarea", "Hello all,\ngood luck & <b>have fun</b>")
    at.page.click("text=Write it")
    at.page.wait_for_selector(".message.by-me")
    at.look("messages")
    assert at.page.locator(".message").count() == 2
    assert "<b>have fun</b>" in at.page.locator(".message.by-me .text").inner_text()
    at.page.click("nav a >> text=Notices")
    at.page.fill("form[aria-label='I am away'] [name=from]", "2024-01-05")
    at.page.fill("form[aria-label='I am away'] [name=to]", "2024-01-02")
    at.page.click("text=Announce it")
    at.page.wait_for_selector("form .error")
    at.page.fill("form[aria-label='I am away'] [name=from]", "2024-01-01")
    at.page.fill("form[aria-label='I am away'] [name=to]", "2024-01-02")
    at.page.click("text=Announce it")
    at.page.wait_for_selector("form .good")
    at.page.wait_for_selector("#notices-now li:has-text('Ann is away')")
    at.look("notices")


def test_the_page_to_unlock_a_key_is_accessible_and_fits_every_screen(looking, game):
    table = game("begun")
    key = table.person("ann").home / "profiles/default/key"
    key.write_bytes(write_key(key_of("ann"), b"a passphrase"))
    at = looking(table.person("ann"))
    at.page.wait_for_selector("form.unlock")
    at.look("locked")
    at.page.fill("input[type=password]", "wrong")
    at.page.click("form.unlock button")
    at.page.wait_for_selector("form.unlock [role=alert]:not([hidden])")
    at.look("wrong")
    at.page.fill("input[type=password]", "a passphrase")
    at.page.click("form.unlock button")
    at.page.wait_for_selector(".board .place")
    at.page.goto(at.page.url + "?as=b")
    at.page.wait_for_selector("h1")
    at.look("not-yours")
