"""A person in front of the page, who plays with a mouse, a finger, or the keyboard alone.

For example:

    begin_game(table, "evolution")
    ann = Player(page, Mouse)
    ann.answer()
    others_play(table)
    make_turn(table)
"""

from games.registry import ruleset
from tests.kit.people import NOW, TABLE, Person, Round

PEOPLE = ("ann", "bo", "cy")
CLOCK = {"SOURCE_DATE_EPOCH": str(NOW)}


class Mouse:
    """Points and clicks."""

    def __init__(self, page) -> None:
        self.page = page

    def press(self, selector: str) -> None:
        self.page.locator(selector).first.click()


class Finger(Mouse):
    """Taps."""

    def press(self, selector: str) -> None:
        self.page.locator(selector).first.tap()


class Dragger(Mouse):
    """Drags cards onto pieces where that says something; clicks elsewhere."""

    drags = 0
    """How often."""

    def put(self, card: str, piece: str) -> None:
        """Drag one thing onto another."""
        thing = '#board button.thing[data-thing="{}"]'
        drag(self.page, thing.format(card), thing.format(piece))
        self.drags += 1


CENTERS = """selectors => {
  const [card, target] = selectors.map((one) => document.querySelector(one));
  card.scrollIntoView({ block: "nearest" });
  return [card, target].map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  });
}"""
"""The centers of two elements, once the first one is in view. The page may draw the table anew at
any moment, so both are looked up at once."""


def drag(page, card: str, target: str) -> None:
    """Move the first element with one selector onto that with the other, with the mouse."""
    (x, y), (to_x, to_y) = page.evaluate(CENTERS, [card, target])
    page.mouse.move(x, y)
    page.mouse.down()
    for part in (0.3, 0.6, 1):
        page.mouse.move(x + (to_x - x) * part, y + (to_y - y) * part)
    page.mouse.up()


class Keys:
    """Tab, Shift-Tab and Enter, until the thing that is meant has the focus."""

    MOST = 400

    def __init__(self, page) -> None:
        self.page = page

    def press(self, selector: str) -> None:
        self.reach(selector)
        self.page.keyboard.press("Enter")

    def reach(self, selector: str) -> None:
        wanted = self.page.locator(selector).first
        wanted.wait_for(state="visible")
        for _ in range(self.MOST):
            if wanted.evaluate("one => one === document.activeElement"):
                return
            self.step()
        raise AssertionError(f"no number of Tabs reaches {selector}")

    def step(self) -> None:
        """Go to the next thing that takes the focus."""
        self.page.keyboard.press("Tab")


HANDS = {"clicks": Mouse, "taps": Finger, "drags": Dragger, "keys": Keys}
ASKED = ".kind.asked:has(> .open)"


class Player:
    """Answers what the page asks, with the first legal choice that can be found on it."""

    def __init__(self, page, hand) -> None:
        self.page, self.hand = page, hand

    def settle(self) -> None:
        """Wait until the plan is shown as the table keeps it, also on the board."""
        self.page.wait_for_selector(".plan-in")
        forecast = "#forecast:not([aria-busy])"
        said = f"{forecast} li, {forecast} p:not(:text-is('…'))"
        self.page.wait_for_selector(said, state="attached")  # on a phone it may be folded

    def answer(self) -> None:
        """Choose until no question is open."""
        self.settle()
        while self.page.locator(ASKED).count():
            kind = self.page.locator(f"{ASKED} .lines").first.get_attribute("data-kind")
            self._choose(kind)
            self._end(kind)

    def _choose(self, kind: str) -> None:
        with self.changed():
            if not self._on_the_table(kind):
                self.hand.press(self.offer_in_list(kind))

    def _on_the_table(self, kind: str) -> bool:
        """Pick a lit thing that has a choice of this kind, and the choice if there are several;
        return whether there was one."""
        self._close_orders()
        if isinstance(self.hand, Dragger) and (pair := self.page.evaluate(PAIR, kind)):
            self.hand.put(*pair)
        elif names := self.page.evaluate(NAMED, kind):
            self.hand.press(f'#board button.thing.lit[data-thing="{names[0]}"]')
        else:
            return False
        if self.page.locator("#sheet[open]").count():
            target = f'#sheet .target[data-kind="{kind}"]'
            if not self.page.locator(target).first.is_visible():
                self.hand.press("#sheet details:not([open]) > summary")
            self.hand.press(target)
        return True

    def offer_in_list(self, kind: str) -> str:
        """Unfold the list of choices for a question; return the selector of its first choice."""
        offer = f'.offers .offer[data-kind="{kind}"]'
        self._unfold(offer, kind)
        return offer

    def _unfold(self, offer: str, kind: str) -> None:
        """Open what the list of choices is folded in."""
        for fold in ("orders", f"offers-{kind}"):
            summary = f'details[data-keep="{fold}"] > summary'
            inside = self.page.locator(f'details[data-keep="{fold}"]:not([open])')
            if not self.page.locator(offer).first.is_visible() and inside.count():
                self.hand.press(summary)

    def _close_orders(self) -> None:
        """On a phone, close the panel of your orders, which lies over the table."""
        panel = self.page.locator('details[data-keep="orders"][open] > .orders-in')
        if panel.count() and panel.evaluate("e => getComputedStyle(e).position") == "fixed":
            self.hand.press('details[data-keep="orders"] > summary')

    def _end(self, kind: str) -> None:
        """End a list of steps, so that there is no next step to be asked for."""
        word = ':is([data-text="done"], [data-text="pass"])'
        end = f'.offers .offer[data-kind="{kind}"]{word}'
        if self.page.locator(end).count():
            self._unfold(end, kind)
            with self.changed():
                self.hand.press(end)

    def always(self, kind: str, text: str) -> None:
        """Choose a ready line as a standing order."""
        self.settle()
        for name in ("orders", "standing", f"words-{kind}True"):
            fold = f'details[data-keep="{name}"]'
            if self.page.locator(f"{fold}:not([open])").count():
                self.hand.press(f"{fold} > summary")
        with self.changed():
            self.hand.press(f'.offer[data-kind="{kind}"][data-always="1"][data-text="{text}"]')

    def changed(self):
        """Wait for the answer to a click that changes the draft, and for what follows."""
        return Changed(self)

    def seal(self) -> str:
        """Press Send; what the page says once the orders are delivered."""
        self.page.evaluate(CLOSE_TOAST)  # it may say what was done before
        self.hand.press("#send")
        told = self.page.wait_for_function(CLOSE_NOTES_UNTIL_SENT).json_value()
        self.settle()
        return told


CLOSE_TOAST = "() => document.querySelector('#toast .close')?.click()"
CLOSE_NOTES_UNTIL_SENT = """() => {
  const note = document.querySelector("#toast :is(.good, .pending)");
  if (!note) return "";
  const said = document.getElementById("toast").innerText;
  document.querySelector("#toast .close").click();
  return note.matches("[data-deliver]") ? "" : said;
}"""
"""Close the note about orders, which delivers them at once if they wait; what it said if they are
delivered. A note goes by itself, so this happens in one step."""


KEEP_NOTES = """() => {
  const { setTimeout, clearTimeout } = window;
  const held = new Map();
  window.setTimeout = (act, milliseconds) => {
    const timer = setTimeout(act, milliseconds > 500 ? 1e6 : milliseconds);
    if (milliseconds > 500) held.set(timer, [act, milliseconds]);
    return timer;
  };
  window.clearTimeout = (timer) => {
    held.delete(timer);
    clearTimeout(timer);
  };
  window.letNotesGo = () => {
    Object.assign(window, { setTimeout, clearTimeout });
    for (const [act, milliseconds] of held.values()) setTimeout(act, milliseconds);
  };
}"""
"""From now on notes do not go by themselves, orders wait until somebody presses a button, and a
press lasts as long as it takes: a busy machine may need longer for a test's next step. Until a
reload, or `LET_NOTES_GO`."""
LET_NOTES_GO = "() => letNotesGo()"


def stop_clock(page) -> None:
    """From now on the timers of the page wait for `page.clock.run_for`, or `resume`."""
    page.clock.install(time=0)
    page.clock.pause_at(1000)


NAMED = """kind => {
  const lit = [...document.querySelectorAll("#board button.thing.lit")];
  const names = lit.map((one) => one.dataset.thing);
  const offers = [...document.querySelectorAll(`.offers .offer[data-kind="${kind}"]`)];
  const things = offers.flatMap((one) => JSON.parse(one.dataset.things));
  return things.filter((one) => names.includes(one));
}"""


PAIR = """kind => {
  const seen = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
  };
  const named = (where) => [...document.querySelectorAll(`#board ${where}`)]
    .filter(seen).map((one) => one.dataset.thing);
  const [cards, pieces] = [named(".hand button.thing.lit"), named(".pieces button.thing")];
  for (const one of document.querySelectorAll(`.offers .offer[data-kind="${kind}"]`)) {
    const things = JSON.parse(one.dataset.things);
    const card = things.find((name) => cards.includes(name));
    const piece = things.find((name) => pieces.includes(name));
    if (card && piece) return [card, piece];
  }
  return null;
}"""
"""A card and a piece in sight of which a choice of this kind speaks."""


class Changed:
    def __init__(self, player: Player) -> None:
        self.player = player

    def __enter__(self) -> None:
        self.before = self.player.page.locator(".plan-in").get_attribute("data-mark")

    def __exit__(self, *error: object) -> None:
        if error[0]:
            return
        from playwright.sync_api import Error

        page = self.player.page
        try:
            page.wait_for_selector(f'.plan-in:not([data-mark="{self.before}"])')
        except Error as late:
            said = page.evaluate(WHAT_IS_SAID), getattr(page, "said", "")
            raise AssertionError(f"the plan did not change: {said}") from late
        self.player.settle()


WHAT_IS_SAID = """() => {
  const places = ["#banner", "h1", "#plan > :not(.plan-in)", ".plan-top", ".problems",
    ".lines", "#toast", "dialog[open]"];
  const said = places.map((one) => [one, document.querySelector(one)?.innerText || ""]);
  const { activeElement: focus } = document;
  const busy = document.querySelector(".plan")?.getAttribute("aria-busy");
  const ghost = document.querySelector(".ghost") !== null;
  return { ...Object.fromEntries(said), busy, ghost, focus: focus.outerHTML.slice(0, 200) };
}"""
"""What the page shows where it would say why a click changed nothing."""


# ---------------------------------------------------------------- who else is there
def begin_game(table: Round, game: str, options: str = "") -> Person:
    """A game of Ann, Bo and whoever else it needs, dealt by Rhea; turn 1 is made."""
    rhea, people = table.person("rhea"), PEOPLE[: ruleset(game).players[0]]
    players = ",".join(name.title() for name in people)
    line = f"new savannah --game {game} --players {players} --referee Rhea --table {'5eed' * 8}"
    said = rhea.pbem(f"{line} {options}")
    assert said.exit == 0, said.text
    invites = [line.split("--invite ")[1] for line in said.out.splitlines() if "--invite" in line]
    for name, invite in zip(people, invites, strict=True):
        said = table.person(name).pbem(["join", "-C", "savannah", "--invite", invite])
        assert said.exit == 0, said.text
    make_turn(table)
    return table.person("ann")


def against_bots(table: Round, game: str, players: int, kind: str, least: int = 1) -> Person:
    """Ann in seat a, who makes the turns herself, is asked for this kind in this turn or later."""
    ann = table.person("ann")
    line = f"new savannah --game {game} --players Ann --referee-plays --bots greedy:{players - 1}"
    assert ann.pbem(f"{line} --table {TABLE}").exit == 0
    for _ in range(200):
        ann.pbem("advance -C savannah")
        said = status_of_game(ann)
        if kind in said["seats"]["a"]["asked"] and said["turn"] >= least:
            return ann
        if said["seats"]["a"]["asked"]:
            bot_plays(ann, "a", whole=False)
    raise AssertionError(f"nobody asked for {kind}")


def at_the_board(sit_down, page, person: Person) -> Player:
    sit_down(person, "-C savannah", **CLOCK)
    page.goto(page.locator("a.game-title").evaluate("one => one.href").replace("/referee", ""))
    player = Player(page, Mouse(page))
    player.settle()
    return player


def round_of(page) -> str:
    page.wait_for_selector(".board .place")
    return page.locator("h1").inner_text().partition(" · ")[0].partition("round ")[2]


def make_turn(table: Round) -> str:
    said = table.person("rhea").pbem("advance -C savannah")
    assert said.exit in (0, 5), said.text
    return said.text


def status_of_game(person: Person) -> dict:
    import json

    said = person.pbem("status -C savannah --json")
    assert said.exit == 0, said.text
    return json.loads(said.out)["data"]


def others_play(table: Round, me: str = "a") -> None:
    """Everybody else who is asked submits what a bot would play."""
    for seat, said in status_of_game(table.person("ann"))["seats"].items():
        if seat != me and said["asked"]:
            bot_plays(table.person(PEOPLE["abc".index(seat)]), seat)


def bot_plays(person: Person, seat: str, *, whole: bool = True) -> None:
    """The person lets a bot say what it would play, and submits these lines by the command."""
    bot_plays_at(person.shared / "savannah", person, seat, whole=whole)


def bot_plays_at(place, person: Person, seat: str, *, whole: bool = True) -> None:
    """The same in a game folder anywhere."""
    from pbem.acts.advance import bot_texts
    from pbem.files.home import Home
    from pbem.person.session import Session

    session = Session(place, seat, home=Home(person.home))
    texts = bot_texts(session.readers.seat_now(seat), "greedy", whole)
    said = person.pbem(["submit", "-C", str(place), "-"], stdin=order_file_with(texts))
    assert said.exit == 0, said.text


def order_file_with(texts: list[str]) -> str:
    """Lines as they are sealed, as an order file."""
    import json

    kinds: dict[tuple[bool, str], list[str]] = {}
    for text in texts:
        head, _, line = text.partition(": ")
        always, kind = head.startswith("always "), head.removeprefix("always ")
        kinds.setdefault((always, kind), []).append(line)
    said = [
        (always, f"{kind} = {json.dumps(lines, ensure_ascii=False)}")
        for (always, kind), lines in kinds.items()
    ]
    now = [line for always, line in said if not always]
    return "\n".join([*now, "[always]", *(line for always, line in said if always), ""])


def slider_step(page) -> int:
    return int(page.input_value("#slider"))
