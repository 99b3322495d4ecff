"""Looks at a page in all sizes and colours, also for what axe finds."""

import json
import os
from collections.abc import Callable, Collection

import pytest

from tests.kit.browser_players import CLOCK
from tests.kit.people import Person
from tests.kit.selection import ROOT

FOLDER = ROOT / "build" / "pages"
AT_LENGTH = bool(os.environ.get("PBEM_AT_LENGTH"))
"""Whether `make test-browser LONG=1` runs: it makes pictures, which take half of the time."""
WIDTHS = (360, 1024, 2560)
SCHEMES = ("light", "dark")
CHECKED = ((360, "light"), (1024, "dark"))
"""Where axe looks: once in each layout of a column or more, and once in each scheme."""
OPTIONS = {
    "rules": {"label-content-name-mismatch": {"enabled": True}},
    "resultTypes": ["violations"],
}
"""What axe checks only if it is asked to: a name contains the label that one sees. It writes no
list of what is right, which took more time than to look."""
NOISE = "Failed to load resource"
"""What the browser itself says of a page that is an error."""

SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      window.shifts.push([value, sources.map(({ node, previousRect, currentRect }) =>
        [node?.outerHTML?.slice(0, 60), previousRect.y, currentRect.y])]);
    }
  }).observe({ type: "layout-shift", buffered: false });
}"""
"""Collect every layout shift from now on, also those that follow a tap."""


class Looking:
    """Looks at one page in all sizes and both colour schemes."""

    def __init__(self, page, name: str) -> None:
        self.page, self.name = page, name

    def look(self, what: str, checked: Collection[tuple[int, str]] = CHECKED) -> None:
        """`checked`: the widths and schemes at which axe looks."""
        self.page.wait_for_load_state()
        for scheme in SCHEMES:
            self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for width in WIDTHS:
                self.page.set_viewport_size({"width": width, "height": 900})
                if AT_LENGTH:
                    self._make_picture(f"{self.name}-{what}-{width}-{scheme}.png")
                wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert wide <= 0, (what, width)
                if (width, scheme) in checked:
                    self.axe(f"{what} at {width}, {scheme}")
        self.page.set_viewport_size({"width": 1024, "height": 900})

    def _make_picture(self, file_name: str) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        is_dialog_open = self.page.locator("dialog[open]").count()
        self.page.screenshot(path=FOLDER / file_name, full_page=not is_dialog_open)

    def axe(self, where: str) -> None:
        broken_rules = find_broken_rules(self.page)
        assert not broken_rules, f"{where}: {json.dumps(broken_rules, indent=1)}"


def find_broken_rules(page) -> list[tuple[str, str, list[str]]]:
    """Return what axe finds on a page: the rule, its help, and the first elements that break it."""
    from axe_playwright_python.sync_playwright import Axe  # only make test-browser has it

    return [
        (one["id"], one["help"], [node["html"][:200] for node in one["nodes"][:3]])
        for one in Axe().run(page, options=OPTIONS).response["violations"]
    ]


@pytest.fixture
def looking(page, sit_down, request) -> Callable[..., Looking]:
    """A function that opens a person's table; then one looks at its pages."""

    def opened(person: Person, options: str = "-C savannah", title: bool = True) -> Looking:
        name = request.node.name.removeprefix("test_")
        sit_down(person, options, **CLOCK)
        if title:
            page.click("a.game-title")
        return Looking(page, name)

    yield opened
    page.said[:] = [said for said in page.said if NOISE not in said]
