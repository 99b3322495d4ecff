"""From a link to a seat and through a turn, in a browser, with a referee at a terminal."""

import hashlib
import json
import urllib.request

import pytest

from tests.kit.browser_players import bot_plays_at
from tests.kit.phone import SITE
from tests.kit.processes import until
from tests.site.evening import NO_SERVICE_WORKER, Evening, answer_at, join_at_phone, turn_shown


@pytest.mark.sample(1)
@pytest.mark.parametrize("service_worker", [True, False])
def test_a_link_a_name_and_a_button_lead_to_a_seat_and_a_turn(evening, service_worker):
    address = evening.new_game("--players Ann,Bo --game evolution")
    bo = evening.joins("Bo")
    phone = evening.phone()
    if not service_worker:
        phone.context.add_init_script(NO_SERVICE_WORKER)
    phone.open(evening.link("Ann"))
    assert phone.page.evaluate("'serviceWorker' in navigator") == service_worker
    assert "Rhea invites you to play" in phone.text()
    assert "At the table: Ann, Bo" in phone.text()
    assert evening.host.url in phone.page.url
    assert evening.invites["Ann"] not in phone.page.url, "a screenshot must not give the seat away"
    assert "waiting for players to join: a Ann" in evening.advance(), "opening a link is no join"
    assert not phone.frame.is_visible("form[data-follow]"), "whoever has an invite joins"
    phone.frame.fill("[name=name]", "Anneliese")
    phone.press("button[type=submit]")
    phone.frame.wait_for_selector("p.good:has-text('You are Anneliese, in seat a')")
    assert not phone.frame.is_visible("[name=name]"), "the seat is taken"
    phone.sent()
    assert "turns/0001.toml" in evening.advance()
    turn_shown(phone, 1)
    answer_at(phone)
    bot_plays_at(address, bo, "b")
    phone.sent()
    assert "turns/0002.toml" in evening.advance()
    turn_shown(phone, 2)
    said = evening.person("rhea").pbem(f"audit {address}")
    assert "Up to turn 2, everything that pbem can check is right" in said.out, said.text


def test_a_deadline_without_a_time_zone_is_in_the_browsers(evening: Evening):
    evening.new_game("--players Ann,Bo --game evolution")
    evening.joins("Bo")
    phone = evening.phone(timezone_id="Asia/Tokyo")
    join_at_phone(phone, evening.link("Ann"))
    assert "turns/0001.toml" in evening.advance()
    turn_shown(phone, 1)
    phone.press("nav a >> text=Notices")
    form = "form[aria-label='A new deadline']"
    phone.frame.fill(f"{form} [name=rule]", "daily 20:00")
    phone.press(f"{form} button[type=submit]")
    phone.frame.wait_for_selector("main:has-text('every day 20:00 Asia/Tokyo')")


def test_without_a_service_worker_back_reload_and_the_policy_work(evening: Evening):
    evening.new_game("--players Ann,Bo --game evolution")
    phone = evening.phone()
    phone.context.add_init_script(NO_SERVICE_WORKER)
    phone.open(evening.link("Ann"))
    phone.page.wait_for_selector("#line:has-text('Before you join, open the link')")
    phone.press("button[type=submit]")
    phone.press("a:has-text('Keep my seat')")
    phone.page.wait_for_selector("html[data-shown$='/back']", state="attached")
    kept = phone.page.url
    phone.press("a:has-text('Back to the game')")
    phone.frame.wait_for_selector("h1:has-text('has not begun')")
    # shown, and noted in the address, to which Back then leads
    phone.page.wait_for_selector("html:not([data-shown$='/back'])", state="attached")
    assert "by mail" not in phone.text(), "a seat on a host needs no mail"
    phone.page.go_back()
    phone.frame.wait_for_selector("[data-keep-seat]")
    assert phone.page.url == kept
    with phone.page.expect_download() as download:
        phone.press("[data-back=save]")
    assert download.value.suggested_filename == "savannah-seat.txt"
    phone.frame.evaluate("window.isOld = true; location.reload()")
    is_anew = "() => !window.isOld && document.querySelector('main:not([inert]) [data-keep-seat]')"
    phone.frame.wait_for_function(is_anew)
    assert "lose your seat" not in phone.text()
    phone.frame.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: 'ran = 1'}))"
    )
    assert not phone.frame.evaluate("'ran' in window"), "no script that stands in a page runs"
    phone.said = [line for line in phone.said if "Content Security Policy" not in line]


def test_the_host_prints_the_hash_of_the_page_that_it_serves(evening: Evening):
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


def test_a_seat_moves_from_a_browser_to_another_to_a_terminal_and_back(evening: Evening):
    address = evening.new_game("--players Ann,Bo --game evolution")
    bo = evening.joins("Bo")
    phone = evening.phone().open(evening.link("Ann"))
    phone.press("button[type=submit]")
    phone.press("a:has-text('Keep my seat')")
    phone.frame.wait_for_selector("[data-keep-seat]")
    link = phone.frame.locator("#seat-link").inner_text()
    assert link.startswith(f"{evening.host.url}/g/{evening.address[-32:]}/play#back=")
    assert phone.frame.locator(".keep-seat").count() == 0
    phone.press("a:has-text('Back to the game')")
    phone.frame.wait_for_selector(".keep-seat:has-text('you lose your seat')")
    phone.press(".keep-seat a")
    with phone.page.expect_download() as download:
        phone.press("[data-back=save]")
    assert download.value.suggested_filename == "savannah-seat.txt"
    assert download.value.path().read_text().strip() == link
    phone.frame.wait_for_selector("[role=status]:has-text('Saved')")
    key = phone.frame.locator("#key-file").text_content()
    phone.press("a:has-text('Back to the game')")
    phone.frame.wait_for_selector("h1:has-text('has not begun')")
    assert phone.frame.locator(".keep-seat").count() == 0
    phone.sent()
    assert "turns/0001.toml" in evening.advance()

    other = evening.phone().come_back(link)
    other.frame.wait_for_selector("#send")
    assert link.rpartition("=")[2] not in other.page.url

    ann = evening.person("ann-at-home")
    (ann.place / "key").write_text(key)
    profile = "anns-phone"
    assert ann.pbem(f"keys import key --profile {profile}").exit == 0
    bot_plays_at(address, ann, "a")

    # and back: the next turn is played in the tab that knew nothing of the terminal
    bot_plays_at(address, bo, "b")
    assert "turns/0002.toml" in evening.advance()
    turn_shown(phone, 2)
    answer_at(phone)
    phone.sent()
    until(lambda: any((evening.table.root / "data").rglob("orders/0002-a-*")))


def test_a_damaged_link_ends_in_a_sentence(evening: Evening):
    evening.new_game("--players Ann,Bo --game evolution")
    phone = evening.phone()
    for hash_, words in {
        "join=nothing": "a part of this link is missing",
        f"back={evening.address[-32:]}/short": "a part of this link is missing",
        f"game={'0' * 32}": "There is no game at this address",
    }.items():
        phone.page = phone.context.new_page()
        phone.page.goto(f"{evening.host.url}/#{hash_}")
        phone.page.wait_for_selector("html[data-failed]", state="attached")
        assert words in phone.page.locator("#told").inner_text()
        phone.page.close()
