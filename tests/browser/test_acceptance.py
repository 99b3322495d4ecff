"""A round by taps on a phone: each row of the design's table is one measurement and its bar.

A round is played at 390 × 844 by taps alone, in every ruleset, and whatever the page shows is
measured at each moment: before anything is chosen, with the sheet open, chosen, sent, and after the
next turn has come by itself.
"""

import pytest

from games.registry import names
from tests.browser.looking import SHIFTS, find_broken_rules
from tests.kit.browser_players import (
    ASKED,
    CLOCK,
    KEEP_NOTES,
    LET_NOTES_GO,
    NAMED,
    Finger,
    Keys,
    Player,
    begin_game,
    make_turn,
    others_play,
    round_of,
    status_of_game,
)
from tests.kit.people import Person, Round

PHONE = {"width": 390, "height": 844}
WIDTHS = (360, 390, 820)

IN_SHEET = "taps of a choice in a sheet"
BARS: dict[str, float] = {
    "taps of a choice without a sheet": 2,
    IN_SHEET: 3,
    "taps of a choice in the lists": 2,
    "uses out of sight in the sheet": 0,
    "cards and own species out of sight": 0,
    "px missing to the smallest target": 0,
    "px missing to the smallest text": 0,
    "layout shift, in hundredths": 1,
    "px of overflow": 0,
    "px of overflow with text of 200 %": 0,
    "keys for a choice": 10,
    "times that Escape does not lead back": 0,
    "titles that do not say whose move it is": 0,
    "rules that axe finds broken": 0,
}
"""What each row may be at most. A target has 44 px, a text 14 px."""

TARGET, TEXT = 44, 14

SMALLEST = """([targetSize, textSize]) => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && one.getBoundingClientRect().width > 1 && !one.closest("[inert], .sr, .skip");
  const sheet = document.querySelector("dialog[open]");
  const selector = "button, a[href], summary, input, select, textarea";
  const things = [...(sheet || document).querySelectorAll(selector)];
  const pressed = things.filter((one) => seen(one) && !one.disabled).map((one) => {
    const { width, height } = one.getBoundingClientRect();
    const missing = targetSize - Math.min(width, height);
    return [Math.round(10 * missing) / 10, one.outerHTML.slice(0, 90)];
  });
  const written = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    const text = walker.currentNode.data.trim();
    if (!text || !seen(parent) || parent.closest("script, style")) continue;
    const matrix = parent.closest("svg") && parent.getScreenCTM?.();
    const size = parseFloat(getComputedStyle(parent).fontSize) * (matrix ? matrix.d : 1);
    written.push([Math.round(10 * (textSize - size)) / 10, text.slice(0, 40)]);
  }
  const worst = (rows) => rows.sort(([one], [other]) => other - one)[0] || [0, ""];
  return [worst(pressed), worst(written)];
}"""
"""How much the smallest thing to press and the smallest text lack, and which they are."""

OUT_OF_SIGHT = """() => {
  const top = document.getElementById("top").getBoundingClientRect();
  const foot = document.querySelector(".plan-in").getBoundingClientRect().top;
  const out = (one, from, to) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return top < from - 1 || bottom > to + 1 || left < 0 || right > innerWidth + 1;
  };
  const cards = [...document.querySelectorAll(".mine .hand > li")].slice(0, 8);
  const pieces = [...document.querySelectorAll(".mine .pieces > li")];
  const unseen = [...cards.filter((one) => out(one, 0, innerHeight)),
    ...pieces.filter((one) => out(one, top.bottom, foot))];
  return [unseen.length, unseen.map((one) => one.firstElementChild.dataset.thing)];
}"""
"""How many cards of a hand of up to eight, and own pieces, one must scroll to, and which."""

USES_OUT_OF_SIGHT = """() => {
  const box = document.getElementById("sheet").getBoundingClientRect();
  const targets = [...document.querySelectorAll("#sheet > .uses .target")];
  const unseen = targets.filter((one) => {
    const { top, bottom, left, right } = one.getBoundingClientRect();
    const isOutside = top < Math.max(0, box.top) || bottom > innerHeight + 1;
    return isOutside || left < 0 || right > innerWidth + 1;
  });
  return [unseen.length, `of ${targets.length}`];
}"""

ENLARGE = """() => {
  const size = () => parseFloat(getComputedStyle(document.querySelector("#main h1")).fontSize);
  const before = size();
  document.documentElement.style.fontSize = "200%";
  return [before, size()];
}"""

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class CountingFinger(Finger):
    """Taps, and counts them."""

    taps = 0

    def press(self, selector: str) -> None:
        super().press(selector)
        self.taps += 1


class CountingKeys(Keys):
    """Presses keys, and counts them."""

    count = 0

    def press(self, selector: str) -> None:
        super().press(selector)
        self.count += 1

    def step(self) -> None:
        super().step()
        self.count += 1


class PlayedRound:
    """A round that is played by taps, with the worst value of each row and where it was found."""

    def __init__(self, page, person: Person) -> None:
        self.page, self.person = page, person
        self.hand = CountingFinger(page)
        self.player = Player(page, self.hand)
        self.worst: dict[str, tuple[float, object]] = {}

    def note(self, row: str, value: float, where: object = "") -> None:
        """Keep the value of a row if it is the worst so far."""
        assert row in BARS
        if row not in self.worst or value > self.worst[row][0]:
            self.worst[row] = value, where

    def look(self, moment: str) -> None:
        """Measure what the page shows at a moment."""
        target, text = self.page.evaluate(SMALLEST, [TARGET, TEXT])
        self.note("px missing to the smallest target", target[0], (moment, target[1]))
        self.note("px missing to the smallest text", text[0], (moment, text[1]))
        self.note("px of overflow", self.page.evaluate(OVERFLOW), (moment, PHONE["width"]))

    def answer(self) -> None:
        """Answer each question that is asked with one choice, and send the answers."""
        title = self.page.title()
        self.note("titles that do not say whose move it is", not title.startswith("●"), title)
        self.note("cards and own species out of sight", *self.page.evaluate(OUT_OF_SIGHT))
        self.look("asked")
        while self.page.locator(ASKED).count():
            kind = self.page.locator(f"{ASKED} .lines").first.get_attribute("data-kind")
            self._choose(kind)
            if IN_SHEET not in self.worst and self._find_thing_with_sheet(kind):
                self._choose(kind)  # after the first card there may be a choice of uses
        self.look("chosen")
        self.page.evaluate(KEEP_NOTES)
        self.hand.press("#send")
        self.page.wait_for_selector("#toast .good")
        self.look("sent")
        self.hand.press("#toast .close")
        self.page.evaluate(LET_NOTES_GO)
        self.player.settle()

    def _find_thing_with_sheet(self, kind: str) -> str:
        """Return the first lit thing that several choices of this kind name, so that its sheet
        asks; empty if there is none."""
        lit_names = self.page.evaluate(NAMED, kind)
        return next((name for name in lit_names if lit_names.count(name) > 1), "")

    def _choose(self, kind: str) -> None:
        """Choose for a question with a card or a piece, if possible with one that opens a sheet;
        with the lists only if there is none."""
        self.hand.taps, row = 1, "taps of a choice without a sheet"  # the last tap is on Send
        with self.player.changed():
            if lit_names := self.page.evaluate(NAMED, kind):
                name = self._find_thing_with_sheet(kind) or lit_names[0]
                self.hand.press(f'#board button.thing.lit[data-thing="{name}"]')
                if self.page.locator("#sheet[open]").count():
                    row = IN_SHEET
                    self.look("sheet")
                    unseen_uses = self.page.evaluate(USES_OUT_OF_SIGHT)
                    self.note("uses out of sight in the sheet", *unseen_uses)
                    self.page.keyboard.press("Escape")
                    focus = self.page.evaluate("document.activeElement.dataset.thing")
                    self.note("times that Escape does not lead back", focus != name, focus)
                    self.page.keyboard.press("Enter")
                    self.hand.press(f'#sheet .target[data-kind="{kind}"]')
            else:
                row = "taps of a choice in the lists"
                self.hand.press(self.player.offer_in_list(kind))
        self.note(row, self.hand.taps, kind)

    def note_shifts(self) -> None:
        """Measure what has moved since the page was there."""
        shifts = self.page.evaluate("window.shifts")
        hundredths = round(100 * sum(value for value, _ in shifts), 1)
        self.note("layout shift, in hundredths", hundredths, sorted(shifts, reverse=True)[:4])

    def count_keys(self) -> None:
        """Choose once and send by the keyboard alone, beginning at the top of the page."""
        page = self.page
        page.reload()
        self.player.settle()
        keys = CountingKeys(page)
        lit = "#board button.thing.lit"
        if not page.locator(lit).count():
            lit = ".offers .offer"
            page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true })")
        keys.press("a.skip[href='#your-place']")
        with self.player.changed():
            keys.press(lit)
            if page.locator("#sheet[open]").count():
                keys.press("#sheet .target")
        keys.press("#send")
        page.wait_for_selector("#toast .good")
        self.note("keys for a choice", keys.count)

    def look_in_all_sizes(self, moment: str) -> None:
        """Measure the overflow in each width and with large text, and what axe finds."""
        page = self.page
        for width in WIDTHS:
            page.set_viewport_size({**PHONE, "width": width})
            self.note("px of overflow", page.evaluate(OVERFLOW), (moment, width))
            for scheme in ("light", "dark") if width > WIDTHS[0] else ():
                page.emulate_media(color_scheme=scheme)
                broken_rules = find_broken_rules(page)
                where = (moment, width, scheme, broken_rules)
                self.note("rules that axe finds broken", len(broken_rules), where)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(PHONE)
        sizes = page.evaluate(ENLARGE)
        assert sizes[1] == 2 * sizes[0], "the page follows the reader's size of text"
        self.note("px of overflow with text of 200 %", page.evaluate(OVERFLOW), moment)
        page.evaluate("document.documentElement.style.fontSize = ''")

    def compare(self, ruleset: str) -> list[str]:
        """Print each row; return those that miss their bars."""
        worse_rows = []
        for row, (value, where) in self.worst.items():
            print(f"{ruleset}: {row}: {value} ({BARS[row]}) {where}")
            if value > BARS[row]:
                worse_rows.append(f"{row}: {value}, at most {BARS[row]}: {where}")
        return worse_rows


def test_the_check_finds_a_button_whose_name_lacks_its_visible_label(page) -> None:
    page.set_content('<html lang="en"><main><button aria-label="Go away">Send</button></main>')
    assert "label-content-name-mismatch" in [rule for rule, *_ in find_broken_rules(page)]


@pytest.mark.parametrize("hand", ["taps"])
@pytest.mark.parametrize("ruleset", names())
def test_a_round_by_taps_on_a_phone_keeps_all_measured_limits(
    ruleset, hand, sit_down, page, tmp_path
):
    table = Round(tmp_path)
    page.set_viewport_size(PHONE)
    ann = begin_game(table, ruleset)
    sit_down(ann, "-C savannah", **CLOCK)
    page.click("a.game-title")
    played = PlayedRound(page, ann)
    played.player.settle()
    page.evaluate(SHIFTS)
    rounds = {round_of(page)}
    while len(rounds) == 1:
        if status_of_game(ann)["seats"]["a"]["asked"]:
            played.answer()
        others_play(table)
        turn = status_of_game(ann)["turn"]
        make_turn(table)
        if status_of_game(ann)["turn"] > turn:
            page.wait_for_selector(f"body[data-turn='{turn + 1}']")  # by itself
        played.player.settle()
        played.look("the next turn")
        rounds.add(round_of(page))
    played.note_shifts()
    if status_of_game(ann)["seats"]["a"]["asked"]:
        played.count_keys()
    played.look_in_all_sizes("a new round")
    worse_rows = played.compare(ruleset)
    assert IN_SHEET in played.worst
    assert not worse_rows, "\n".join(worse_rows)
