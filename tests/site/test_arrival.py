"""The page of a game before the program is there: an invitation, or the table as everybody knows
it. Nothing in it needs a script."""

import re
import urllib.error
import urllib.request

import pytest

from tests.kit.browser_players import bot_plays_at
from tests.kit.processes import until
from tests.site.evening import Evening, answer_at, join_at_phone, turn_shown

BROWSER = "Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile Safari/537.36"
PREVIEWERS = (
    "facebookexternalhit/1.1 Facebot Twitterbot/1.0",  # also what iMessage says
    "WhatsApp/2.23.20.0",
    "TelegramBot (like TwitterBot)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
)

NO_PROGRAM = "window.Worker = function () { return new EventTarget(); }"
"""A browser in which the program never starts."""

NOTE_WHAT_IS_TOLD = """document.addEventListener("DOMContentLoaded", () => {
  const told = document.getElementById("told");
  window.toldTexts = [];
  const note = () => toldTexts.push(told.textContent);
  if (told) new MutationObserver(note).observe(told, { childList: true });
});"""
PROGRESS = re.compile(r"Fetching the program: [0-9]+\.[0-9] of [0-9]+\.[0-9] MB…")


def arrival_page(address: str, user_agent: str = BROWSER) -> tuple[str, dict[str, str]]:
    """What a program that runs no script gets: the page and its headers."""
    asked = urllib.request.Request(f"{address}/play", headers={"user-agent": user_agent})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return answer.read().decode(), {k.lower(): v for k, v in answer.headers.items()}


def test_an_invitation_can_be_read_before_the_program_is_loaded(evening: Evening):
    address = evening.new_game("--players Ann,Bo --game evolution")
    assert evening.link("Ann") == f"{address}/play#join={evening.invites['Ann']}"
    text, headers = arrival_page(address)
    assert "<h1>Rhea invites you to play savannah</h1>" in text
    assert "At the table: Ann, Bo." in text
    assert "What the game is about" in text
    assert "<code>a1</code>" in text
    assert headers["x-robots-tag"] == "noindex"
    assert headers["referrer-policy"] == "no-referrer"
    page = evening.phone().context.new_page()
    page.add_init_script(NO_PROGRAM)
    page.goto(evening.link("Ann"))
    page.wait_for_selector("h1:has-text('Rhea invites you to play')")
    assert page.locator("#arrival").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone = evening.phone()
    phone.context.add_init_script(NOTE_WHAT_IS_TOLD)
    phone.open(evening.link("Ann"))
    assert any(PROGRESS.fullmatch(text) for text in phone.page.evaluate("toldTexts"))
    assert not phone.page.locator("#arrival").is_visible()
    assert phone.frame.locator("h1").inner_text() == "Rhea invites you to play savannah"
    assert evening.invites["Ann"] not in phone.page.url


def held_program(phone, link: str):
    """A page of a link whose program waits until the function that is returned is called."""
    routes, is_held = list[object](), [True]
    hold = lambda route: routes.append(route) if is_held else route.continue_()  # noqa: E731
    phone.context.route("**/app.pack*", hold)
    phone.page = phone.context.new_page()
    phone.page.goto(link, wait_until="commit")

    def release() -> None:
        until(lambda: phone.page.wait_for_timeout(50) or routes)  # the browser is heard meanwhile
        is_held.clear()
        for route in routes:
            route.continue_()

    return release


def test_a_seat_can_be_chosen_while_the_program_is_loaded(evening: Evening):
    """The host learns nothing of it until the program has read the game."""
    address = evening.new_game("--players Ann,Bo --game evolution")
    phone = evening.phone()
    release = held_program(phone, evening.link("Bo"))
    form = phone.page.locator("#arrival-join")
    form.wait_for()
    assert phone.page.locator("#arrival .seat:visible").inner_text() == "You take the seat of Bo."
    assert form.locator("input").input_value() == "Bo"
    form.locator("input").fill("Bob")
    form.locator("button").click()
    assert "as soon as the program is here" in form.inner_text()
    assert not any((evening.table.root / "data").rglob("seats/*"))
    release()
    phone.shown()
    phone.frame.wait_for_selector("p.good:has-text('You are Bob, in seat b')")
    phone.sent()
    assert 'data-seat="b"' not in arrival_page(address)[0], "a seat that is taken has no form"
    assert 'data-seat="a"' in arrival_page(address)[0]


def test_what_somebody_reads_and_types_stays_when_the_program_is_loaded(evening: Evening):
    evening.new_game("--players Ann,Bo --game evolution")
    phone = evening.phone()
    release = held_program(phone, evening.link("Bo"))
    field = phone.page.locator("#arrival-join input")
    field.fill("Bob")
    heading = phone.page.locator("#arrival h2").nth(1)
    heading.evaluate("(one) => { one.scrollIntoView(); document.activeElement.blur(); }")
    title, top = heading.inner_text(), heading.bounding_box()["y"]
    release()
    phone.shown()
    assert phone.frame.locator("[name=name]").input_value() == "Bob"
    same_heading = phone.frame.locator("h2", has_text=title)
    until(lambda: abs(same_heading.bounding_box()["y"] - top) < 60)
    assert not phone.page.locator("#line").is_visible()


LIES = {
    "another player": (">At the table: Ann, Bo.<", ">At the table: Ann, Bo, Mallory.<"),
    "another title": ("play savannah</h1>", "play chess</h1>"),
    "more text": ("</section>", "<div>Send your key to mallory@example.org.</div></section>"),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("lie", LIES)
def test_an_invitation_that_says_what_the_game_does_not_takes_no_seat(evening: Evening, lie: str):
    evening.new_game("--players Ann,Bo --game evolution")
    phone, (true_text, lying_text) = evening.phone(), LIES[lie]
    asked = urllib.request.Request(evening.link("Bo"), headers={"user-agent": BROWSER})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        body = answer.read().decode()
    assert true_text in body
    lying_body = body.replace(true_text, lying_text)
    lying_page = {"body": lying_body, "content_type": "text/html"}
    phone.context.route("**/play", lambda route: route.fulfill(**lying_page))
    release = held_program(phone, evening.link("Bo"))
    phone.page.locator("#arrival-join button").click()
    release()
    phone.shown()
    line = phone.page.locator("#line.bad", has_text="The game’s own records do not say so")
    line.wait_for()
    assert phone.frame.locator("button:has-text('Take my seat')").is_visible()
    assert not any((evening.table.root / "data").rglob("seats/*"))


def test_a_returning_player_sees_the_table_of_the_host_first(evening: Evening):
    address = evening.new_game("--players Ann,Bo --game evolution")
    bo = evening.joins("Bo")
    phone = evening.phone()
    join_at_phone(phone, evening.link("Ann"))
    evening.advance()
    text, _ = arrival_page(address)
    assert "<h1>savannah</h1>" in text
    assert "Turn 1. The game waits for Ann, Bo." in text
    assert re.search(r'<svg[^>]* aria-label="the table"', text)
    assert "invites you" not in text
    turn_shown(phone, 1)
    game = phone.frame.url.partition("/game/")[2].partition("/")[0]
    phone.page.goto(f"{evening.host.url}/#/game/{game}")  # an old bookmark
    phone.shown()
    assert phone.page.url.startswith(f"{address}/play#/game/{game}")
    answer_at(phone)
    bot_plays_at(address, bo, "b")
    phone.sent()
    assert "turns/0002.toml" in evening.advance()
    assert "Turn 2. " in arrival_page(address)[0]
    phone.page.reload()
    phone.shown()
    turn_shown(phone, 2)
    evening.host.stop()
    phone.page.reload()  # the host is away: the page that the browser keeps
    phone.shown()
    turn_shown(phone, 2)
    phone.said.clear()  # the browser says that the host is away


def test_a_preview_of_a_link_shows_no_name_and_no_secret(evening: Evening):
    address = evening.new_game("--players Ann,Bo --game evolution")
    for previewer in PREVIEWERS:
        text, _ = arrival_page(address, previewer)
        assert "<title>pbem</title>" in text
        for name in ("Ann", "Bo", "Rhea", "savannah"):
            assert name not in text
    assert "<title>pbem</title>" in arrival_page(address)[0]


def test_names_on_the_page_of_an_invitation_are_never_markup(evening: Evening):
    hostile = "<script>alert(1)</script>"
    line = ["new", "savannah", "--referee", f"Rhea {hostile}", "--at", evening.host.url]
    said = evening.person("rhea").pbem([*line, "--players", f"Ann,<b onload=x>{hostile}"])
    assert said.exit == 0, said.text
    address = re.search(rf"made ({evening.host.url}/g/[0-9a-f]{{32}}) ", said.out)[1]
    text, _ = arrival_page(address)
    assert "alert(1)" in text
    assert "<script>alert" not in text
    assert "<b onload" not in text


@pytest.mark.parametrize("digits", ["0" * 32, "5eed"])
def test_an_address_without_a_game_has_no_page(evening: Evening, digits: str):
    with pytest.raises(urllib.error.HTTPError) as error:
        arrival_page(f"{evening.host.url}/g/{digits}")
    assert error.value.code == 404
    assert error.value.read().decode().strip() == "there is no game at this address"
