"""From a link to a seat and through a turn, in a browser, with a referee at a terminal."""

import hashlib
import json
import urllib.request

from tests.browser.players import Mouse, Player, bot_plays_at
from tests.site.conftest import SITE, Evening


def test_a_link_a_name_a_button_and_a_turn(evening: Evening):
    address = evening.new_game("--players Ann,Bo --game evolution")
    bo = evening.joins("Bo")
    phone = evening.phone().open(evening.link("Ann"))
    assert "Rhea invites you to play" in phone.text()
    assert "With you: Bo" in phone.text()
    assert evening.host.url in phone.page.url
    assert evening.invites["Ann"] not in phone.page.url, "a screenshot must not give the seat away"
    assert "waiting for players to join: a Ann" in evening.advance(), "opening a link is no join"
    phone.frame.fill("[name=name]", "Anneliese")
    phone.press("button[type=submit]")
    phone.frame.wait_for_selector("p.good:has-text('You are Anneliese, in seat a')")
    phone.page.wait_for_selector("#line", state="hidden")
    assert "turns/0001.toml" in evening.advance()
    phone.frame.wait_for_selector("#banner button")
    phone.press("#banner button")
    player = Player(phone.frame, Mouse(phone.frame))
    player.answer()
    assert "SEALED here as" in player.seal()
    bot_plays_at(address, bo, "b")
    phone.page.wait_for_selector("#line", state="hidden")
    assert "turns/0002.toml" in evening.advance()
    phone.frame.wait_for_selector("#banner button")
    phone.press("#banner button")
    phone.frame.wait_for_selector("h1:has-text('Turn 2')")
    said = evening.person("rhea").pbem(f"audit {address}")
    assert "Everything that can be checked is correct" in said.out, said.text


def test_the_host_says_which_page_it_serves(evening: Evening):
    with urllib.request.urlopen(f"{evening.host.url}/site.json") as answer:
        files = json.load(answer)["files"]
    names = sorted({*files, "site.json"})
    served = {}
    for name in names:
        with urllib.request.urlopen(f"{evening.host.url}/{name}") as answer:
            served[name] = hashlib.sha256(answer.read()).hexdigest()
            assert "script-src 'self'" in answer.headers["content-security-policy"]
            assert "unsafe-inline" not in answer.headers["content-security-policy"]
    assert {name: served[name] for name in files} == files
    lines = "".join(f"{served[name]}  {name}\n" for name in names)
    assert evening.host.hash == hashlib.sha256(lines.encode()).hexdigest()
    built = {
        p.relative_to(SITE).as_posix() for p in SITE.rglob("*") if p.suffix not in (".br", ".gz")
    }
    assert {*names} == {name for name in built if (SITE / name).is_file()}
