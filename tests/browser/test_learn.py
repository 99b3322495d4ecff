"""A lesson on the page: it is found, shows its step, and does it if asked."""

from games import registry
from tests.kit.browser import in_both_at_length
from tests.kit.browser_players import begin_game
from tests.kit.people import Round

NAME = "classroom"
"""Its steps advise lines for two questions."""


@in_both_at_length
def test_a_lesson_is_begun_advises_its_steps_and_is_continued(looking, tmp_path):
    at = looking(begin_game(Round(tmp_path), "evolution"), title=False)
    page, steps = at.page, registry.ruleset(NAME).lesson().steps
    at.look("offered")
    page.select_option("select[name=game]", NAME)
    page.click("section[aria-labelledby=learn-title] button")
    page.wait_for_selector(f"#lesson-title:text-is('Lesson 1 of 4: {steps[0].title}')")
    at.look("step")
    lines = page.locator("#plan .lines > li")
    usual = lines.count()
    planned = usual + len(steps[0].orders) + len(steps[0].ahead["feed"])
    page.click("#advised")
    lines.nth(planned - 1).wait_for(state="attached")
    assert lines.count() == planned
    page.click("#undo")
    lines.nth(planned - 1).wait_for(state="detached")
    page.click("#undo")
    lines.nth(usual).wait_for(state="detached")
    page.click("#advised")
    lines.nth(planned - 1).wait_for(state="attached")
    page.click("#send")
    page.wait_for_selector(f"#lesson-title:text-is('Lesson 2 of 4: {steps[1].title}')")
    page.click("a.home")
    page.click("button:text-is('Begin or go on')")
    page.wait_for_selector("#lesson-title:has-text('Lesson 2 of 4')")


@in_both_at_length
def test_on_a_phone_a_lesson_leaves_the_hand_in_sight(looking, tmp_path):
    at = looking(begin_game(Round(tmp_path), "evolution"), title=False)
    page = at.page
    page.select_option("select[name=game]", "evolution")
    page.click("section[aria-labelledby=learn-title] button")
    page.wait_for_selector("#lesson-title:has-text('Lesson 1 of 9')")
    page.wait_for_selector("button.thing.lit")
    page.set_viewport_size({"width": 360, "height": 740})
    seen = """() => {
      const { top, bottom } = document.querySelector("button.thing.lit").getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    }"""
    assert page.evaluate(seen), "the hand is at the foot of the screen"
    page.click("#show-lit")
    page.wait_for_selector(".lesson:not([open])", state="attached")
    assert page.locator("#send").is_visible()
    page.locator(".lesson > summary").click()
    assert "Give Symbiosis" in page.locator(".lesson").inner_text()
