"""A replay page opened from a file: with no network, no message, by mouse and by keyboard."""

import os
from itertools import product
from pathlib import Path

import pytest

from engine import ALL
from pbem.replay.page import replay_page
from tests.browser.looking import find_broken_rules
from tests.drawing.finished_views import longest_game, one_of, view_of_finished
from tests.kit.browser_players import slider_step
from tests.kit.selection import ROOT

STEP = "#log button[aria-current]"


@pytest.fixture
def open_replay(page, tmp_path):
    """A function that opens the replay of a view in the browser, with the network blocked."""
    asked: list[str] = []

    def only_files(route) -> None:
        asked.append(route.request.url)
        if route.request.url.startswith("file:"):
            route.continue_()
        else:
            route.abort()

    def open_(view, end=("Ann wins",)):
        file = Path(tmp_path) / "game.html"
        text = replay_page(view, range(1, view.turn + 1), "about", list(end))
        file.write_text(text, "utf-8")
        print(f"{view.ruleset}: {len(text.encode()):,} bytes")
        page.context.route("**/*", only_files)
        page.goto(file.as_uri())
        page.wait_for_selector(STEP)
        return page

    yield open_
    assert [url for url in asked if not url.startswith("file:")] == []


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", ["evolution", "digital", "climate", "origin", "classroom"])
def test_a_replay_opens_and_steps_to_its_end(game, open_replay) -> None:
    view = view_of_finished(one_of(game))
    page = open_replay(view)
    assert slider_step(page) == 0
    pieces = page.locator("#table li:not(.gone) [data-piece]").count()
    page.click("#last")
    assert slider_step(page) == len(view.entries)
    assert "Ann wins" in page.inner_text("#said")
    assert page.locator("#next").is_disabled()
    scene = view.play.ruleset.scene(view.table.state)
    shown = page.locator("#table li:not(.gone) [data-piece]").count()
    assert shown == sum(len(place.pieces) for place in scene.places)
    assert pieces != shown


def test_the_replay_of_the_longest_game_opens(open_replay) -> None:
    page = open_replay(view_of_finished(longest_game()))
    page.keyboard.press("End")
    assert slider_step(page) == len(view_of_finished(longest_game()).entries)


def test_keys_step_through_a_replay_and_changes_are_marked(open_replay) -> None:
    page = open_replay(view_of_finished(one_of("evolution")))
    for key, at in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0)):
        page.keyboard.press(key)
        assert slider_step(page) == at
    for _ in range(80):
        page.keyboard.press("ArrowRight")
        if page.locator("#table [data-changed]").count():
            break
    marked = page.locator("#table [data-changed]")
    assert marked.count()
    said = page.inner_text("#said .first")
    assert page.inner_text(STEP) == said
    page.keyboard.press("PageDown")
    assert page.input_value("#turn")


def test_in_a_replay_the_attacked_piece_is_scrolled_into_sight(open_replay, page) -> None:
    view = view_of_finished(one_of("climate"))
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(reduced_motion="reduce")
    open_replay(view)
    attacks = [n for n, entry in enumerate(view.entries, 1) if " attacks " in entry[2]]
    for at in attacks[:6]:
        page.locator("#slider").fill(str(at - 1))
        page.keyboard.press("ArrowRight")
        assert slider_step(page) == at
        whom = view.entries[at - 1][2].rpartition(" ")[2]
        box = page.locator(f"#table [data-key='piece:{whom}']").bounding_box()
        bar = page.locator("#now").bounding_box()
        assert bar["y"] + bar["height"] <= box["y"] + 1 <= 844


def test_list_button_slider_and_choice_of_a_turn_move_a_replay(open_replay) -> None:
    page = open_replay(view_of_finished(one_of("origin")))
    page.click("#log li:nth-child(9) button, #log li:nth-child(10) button")
    at = slider_step(page)
    assert at
    page.click("#next")
    assert slider_step(page) == at + 1
    page.locator("#slider").fill("30")
    assert slider_step(page) == 30
    page.select_option("#turn", index=2)
    assert page.inner_text("#words-turn") == "3"
    assert len(page.inner_text("#words").split()) == 12


def test_the_address_of_a_replay_names_the_step(open_replay) -> None:
    page = open_replay(view_of_finished(one_of("evolution")))
    page.locator("#slider").fill("12")
    assert page.url.endswith("#12")
    page.reload()
    page.wait_for_selector(STEP)
    assert slider_step(page) == 12


def test_a_replay_plays_by_itself_until_it_is_stopped(open_replay) -> None:
    page = open_replay(view_of_finished(one_of("classroom")))
    page.keyboard.press(" ")
    page.wait_for_selector("#log li:nth-child(n + 5) button[aria-current]")
    page.click("#play")
    assert page.get_attribute("#play", "aria-pressed") == "false"


def test_names_in_a_replay_are_never_markup(open_replay) -> None:
    view = view_of_finished(one_of("evolution"))
    view.title = "<script>alert(1)</script>"
    view.names["a"] = "<img src=x onerror=alert(1)>"
    page = open_replay(view)
    assert "<img src=x onerror=alert(1)>" in page.inner_text("#table")
    assert page.inner_text("h1") == view.title
    assert page.locator("#table img").count() == 0


def test_a_replay_needs_no_sideways_scrolling(open_replay, page) -> None:
    open_replay(view_of_finished(one_of("climate"), ALL))
    page.locator("#slider").fill("200")
    for width, scheme in product([360, 1024, 2560], ["light", "dark"]):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, (width, scheme)
        smallest = page.evaluate(
            "Math.min(...[...document.querySelectorAll('#table .hand .pb-one')]"
            ".map(one => one.getBoundingClientRect().width))"
        )
        assert smallest >= 80, (width, scheme)


def test_a_replay_shows_messages_as_text_beside_the_step_before(page, game) -> None:
    ann = game("middle").person("ann")
    for words in ("first words", "<b>bold</b>\nsecond line"):
        assert ann.pbem(["tell", "-C", "savannah", words]).exit == 0
    assert ann.pbem("replay savannah -o game.html").exit == 0
    page.goto((ann.place / "game.html").as_uri())
    page.wait_for_selector(STEP)
    page.click("#last")
    assert page.locator("#said .message").all_inner_texts()[-1] == "Ann: <b>bold</b>\nsecond line"
    assert page.locator("#log .message").count() == 2


def test_the_picture_of_a_replay_can_be_made_anew(page, game, tmp_path) -> None:
    """`PBEM_PICTURES=write make test-browser ARGS=-kpicture` renews it."""
    folder = ROOT / "docs/pictures" if os.environ.get("PBEM_PICTURES") == "write" else tmp_path
    page.set_viewport_size({"width": 1180, "height": 760})
    ann = game("over").person("ann")
    assert ann.pbem("replay savannah -o game.html").exit == 0
    page.goto((ann.place / "game.html").as_uri())
    page.wait_for_selector(STEP)
    page.locator("#slider").fill("130")
    page.evaluate("document.activeElement.blur()")
    page.screenshot(path=folder / "replay.png")
    assert (ROOT / "docs/pictures/replay.png").stat().st_size < 200_000
    assert "(pictures/replay.png)" in (ROOT / "docs/table.md").read_text("utf-8")


def test_a_replay_is_accessible(open_replay) -> None:
    page = open_replay(view_of_finished(one_of("climate"), "a"))
    for at in ("0", "100", "400"):
        page.locator("#slider").fill(at)
        assert not find_broken_rules(page)
