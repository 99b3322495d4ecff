"""Whoever missed a deadline is told once, before the question, what was chosen for them."""

from tests.browser.looking import NOISE, Looking
from tests.kit import people
from tests.kit.browser import in_both_at_length
from tests.kit.browser_players import CLOCK, Mouse, Player, begin_game, bot_plays, status_of_game
from tests.kit.people import Round


@in_both_at_length
def test_a_missed_deadline_is_told_once(sit_down, page, tmp_path):
    table = Round(tmp_path)
    ann = begin_game(table, "evolution", "--deadline 24h")
    sit_down(ann, "-C savannah", **CLOCK)
    page.click("a.game-title")
    player = Player(page, Mouse(page))
    player.settle()
    assert page.locator("#missed").count() == 0
    page.click("a.home")
    page.wait_for_selector("h1:has-text('All my games')")
    bot_plays(table.person("bo"), "b")
    after_the_deadline = people.NOW + 25 * 3600
    rhea = table.person("rhea")
    assert rhea.pbem(f"advance -C savannah --now {after_the_deadline}").exit == 0
    assert status_of_game(ann)["turn"] == 2
    page.click("a.game-title")
    page.wait_for_selector("#missed[open]")
    told = page.locator("#missed").inner_text()
    assert told.startswith("While you were away")
    assert "You missed the deadline for" in told
    assert "by default" in told
    assert page.evaluate("document.activeElement.textContent") == "Go on"
    Looking(page, "missed").axe("the sheet")
    page.click("#missed .close")
    page.wait_for_selector("#missed", state="detached")
    page.wait_for_load_state("networkidle")
    page.reload()
    player.settle()
    assert page.locator("#missed").count() == 0, "once"
    page.said[:] = [said for said in page.said if NOISE not in said]  # a reload cuts requests off
