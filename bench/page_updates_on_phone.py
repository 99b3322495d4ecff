"""The page of a game on a phone: how long it takes until it shows what another player did.

A processor a quarter as fast (the browser's own setting), 390 x 844. Nobody taps: Ann looks at her
table while Bo submits and Rhea makes the turn by commands. Once at `pbem table`, once in a tab that
plays on a host.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from bench.timed_tasks_and_result_rows import Figure
from tests.kit import people
from tests.kit.browser import CHROMIUM, Table
from tests.kit.browser_players import (
    CLOCK,
    Finger,
    Player,
    begin_game,
    make_turn,
    others_play,
    status_of_game,
)
from tests.kit.people import Person, Round
from tests.kit.phone import SITE, OneGame, TabPage
from tests.kit.running_host import RunningHost
from tests.kit.selection import ROOT

TIMES_SLOWER, TURNS = 4, 5
RULESETS = ("evolution", "climate")
MAX_REDRAW_MILLISECONDS, MAX_TABLE_SECONDS, MAX_TAB_SECONDS = 200, 1, 2

WATCH_SCRIPT = """() => {
  window.redraws = [];
  let asked = 0;
  performance.setResourceTimingBufferSize(10000);
  new MutationObserver(() => {
    const { responseEnd } = performance.getEntriesByType("resource")
      .filter((one) => one.name.includes("/live")).at(-1) || { responseEnd: 0 };
    if (!responseEnd || responseEnd === asked) return;
    asked = responseEnd;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      const now = performance.now();
      window.redraws.push([now - responseEnd, (performance.timeOrigin + now) / 1000]);
    }));
  }).observe(document.getElementById("main"), { subtree: true, childList: true,
    characterData: true, attributes: true });
}"""
"""Notes, for each answer that changed the page: milliseconds from the answer until it was painted,
and the time of day then."""


def rows() -> Iterator[Figure]:
    """Play some turns of each ruleset, and yield the measures of a table and of a tab."""
    from playwright.sync_api import sync_playwright

    people.NOW = int(time.time())  # the program in a tab has this computer's clock
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"]
        )
        for place, seat_ann, most in (
            ("table", _at_table, MAX_TABLE_SECONDS),
            ("tab", _in_tab, MAX_TAB_SECONDS),
        ):
            for ruleset in RULESETS:
                with tempfile.TemporaryDirectory() as folder:
                    redraws, waits = _turns(browser, seat_ann, ruleset, Path(folder))
                name = f"{place}, {ruleset}: "
                yield Figure(f"{name}redraw", median(redraws), "ms", MAX_REDRAW_MILLISECONDS)
                yield Figure(f"{name}longest redraw", max(redraws), "ms")
                yield Figure(f"{name}from the record to the page", max(waits), "s", most)
        browser.close()


Seating = Callable[[Any, Person], tuple[Any, Any, Callable[[], None]]]
"""Gives a browser's page to a person: what takes the taps, the browser's page, and how it ends."""


def _at_table(browser: Any, person: Person) -> tuple[Any, Any, Callable[[], None]]:
    """Seat a person at `pbem table`; return the page, the browser's page and a function that ends
    both."""
    table = Table(person, "-C savannah", **CLOCK)
    view = {"width": 390, "height": 844}
    page = browser.new_context(viewport=view, has_touch=True, reduced_motion="reduce").new_page()
    page.goto(table.address)

    def end() -> None:
        page.context.close()
        table.kill()

    return page, page, end


def _in_tab(browser: Any, person: Person) -> tuple[Any, Any, Callable[[], None]]:
    """Seat a person in a tab of a host's page; return the page, the browser's page and a function
    that ends both."""
    subprocess.run(
        [sys.executable, "-m", "tools.browser_site", "--quick", str(SITE)],
        cwd=ROOT,
        check=True,
        stdout=2,
    )
    host = RunningHost(person.shared / "savannah", games=OneGame, site=SITE)
    page = TabPage(browser, True, width=390, height=844)
    page.sit_down(host, person)

    def end() -> None:
        page.context.close()
        host.stop()

    return page, page.phone.page, end


def _turns(
    browser: Any, seat_ann: Seating, ruleset: str, folder: Path
) -> tuple[list[float], list[float]]:
    """Play turns; return the milliseconds of each redraw and the seconds from each of the others'
    records until the page showed it."""
    table = Round(folder)
    ann = begin_game(table, ruleset)
    page, browser_page, end = seat_ann(browser, ann)
    redraws, waits = list[float](), list[float]()
    try:
        page.click("a.game-title")
        player = Player(page, Finger(page))
        player.settle()
        session = browser_page.context.new_cdp_session(browser_page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": TIMES_SLOWER})
        page.evaluate(WATCH_SCRIPT)
        for _ in range(TURNS):
            if status_of_game(ann)["seats"]["a"]["asked"]:
                player.answer()
                player.seal()
            for act in (others_play, make_turn):
                page.wait_for_timeout(1500)  # what came before is shown
                count = page.evaluate("redraws.length")
                began_at = time.time()
                act(table)
                paths = (ann.shared / "savannah").rglob("*")
                written_at = max(path.stat().st_mtime for path in paths)
                page.wait_for_timeout(3000)
                news = page.evaluate("redraws")[count:]
                redraws += [milliseconds for milliseconds, _ in news]
                waits += [shown_at - written_at for _, shown_at in news[-1:]]
                assert all(shown_at > began_at for _, shown_at in news)
    finally:
        end()
    return redraws, waits
