"""Links from anybody: opened in a browser, they give it no key and no other place for a game."""

import base64
import re
import urllib.request

import pytest

from pbem.format.openssh_key_files import read_key
from pbem.format.secret_and_public_keys import SigningKey
from pbem.records.join import Join
from pbem.records.read_and_sign_record import read
from tests.kit.browser_players import bot_plays_at
from tests.kit.people import Person, key_of
from tests.kit.phone import Phone
from tests.kit.processes import until
from tests.site.evening import Evening, answer_at, turn_shown

OPEN = "p.good:has-text('You are Bo, in seat b')"


def seat_link(evening: Evening, key: SigningKey, address: str = "") -> str:
    """A link to the game with a key in it, as anybody can write one."""
    secret = base64.urlsafe_b64encode(key.seed).decode().rstrip("=")
    return f"{evening.host.url}/#back={(address or evening.address)[-32:]}/{secret}"


def joins_at(evening: Evening, seat: str) -> list[bytes]:
    """The keys with which somebody joined this seat, as the host has them."""
    files = (evening.table.root / "data").rglob(f"seats/{seat}-*.toml")
    return [join_key(one.read_bytes()) for one in files]


def join_key(file: bytes) -> bytes:
    join = read(file).content
    assert isinstance(join, Join)
    return join.key


def in_this_browser(phone: Phone, link: str) -> None:
    """Open a link in a tab of the same browser."""
    phone.page.close()
    phone.open(link)


def bo_joins(phone: Phone, link: str) -> None:
    in_this_browser(phone, link)
    phone.press("button[type=submit]:has-text('Take my seat')")
    phone.frame.wait_for_selector(OPEN)
    phone.page.wait_for_selector("#line", state="hidden")


def test_a_key_that_somebody_sends_you_before_you_join_is_not_used(evening: Evening):
    """Ann sends Bo a link with a key of hers, and he opens it before he joins, or twice."""
    address = evening.new_game("--players Ann,Bo --game evolution")
    trap = key_of("ann's trap")
    phone = evening.phone().open(seat_link(evening, trap))
    assert "This link does not lead to a seat" in phone.text()
    assert "The key in this link has no seat in this game" in phone.text()
    assert not phone.frame.locator("button:has-text('Take seat')").count()
    bo_joins(phone, evening.link("Bo"))
    (key,) = joins_at(evening, "b")
    assert key != trap.public
    in_this_browser(phone, seat_link(evening, trap))
    assert "This browser plays seat b in this game already, as Bo" in phone.text()
    evening.joins("Ann")
    assert "turns/0001.toml" in evening.advance()
    phone.press("a:has-text('Look at the game')")
    phone.frame.wait_for_selector("body[data-page=table]")
    turn_shown(phone, 1)
    answer_at(phone)
    phone.page.wait_for_selector("#line", state="hidden")
    said = evening.person("rhea").pbem(f"audit {address}")
    assert "Up to turn 1, everything that pbem can check is right" in said.out, said.text


def test_the_link_to_another_seat_takes_it_only_if_you_press_a_button(evening: Evening):
    """Ann, who has joined, sends Bo the link to her seat: it names her seat, and an invite that he
    opens later makes a fresh key."""
    evening.new_game("--players Ann,Bo --game evolution")
    evening.joins("Ann")
    (key,) = joins_at(evening, "a")
    assert key == key_of_person(evening, "ann").public
    link = seat_link(evening, key_of_person(evening, "ann"))
    phone = evening.phone().open(link)
    assert "Take seat a, as Ann?" in phone.text()
    phone.press("a:has-text('Not now')")
    phone.frame.wait_for_selector("h1:has-text('The game has not begun')")
    assert "This browser has no seat in this game" in phone.frame.inner_text("body")
    bo_joins(phone, evening.link("Bo"))
    assert joins_at(evening, "b") != [key]
    assert len(joins_at(evening, "b")) == 1


def profile_keys(person: Person) -> dict[str, SigningKey]:
    """The keys of a person at a terminal, by profile."""
    files = (person.home / "profiles").glob("*/key")
    return {one.parent.name: read_key(one.read_bytes()) for one in files}


def key_of_person(evening: Evening, name: str) -> SigningKey:
    """The key with which a person at a terminal plays."""
    return profile_keys(evening.person(name))["default"]


def test_a_browser_that_took_a_seat_by_its_link_gets_no_second_seat(evening: Evening):
    evening.new_game("--players Ann,Bo --game evolution")
    evening.joins("Ann")
    phone = evening.phone().come_back(seat_link(evening, key_of_person(evening, "ann")))
    in_this_browser(phone, seat_link(evening, key_of_person(evening, "ann")))
    assert "Take seat" not in phone.text(), "once more, there is nothing to ask"
    in_this_browser(phone, evening.link("Bo"))
    assert "This browser plays seat a in this game already, as Ann" in phone.text()
    assert not phone.frame.locator("form[data-send*='/join']").count()
    path = re.search(r"#(/game/[0-9a-f]{12})", phone.page.url)[1]
    body = {"invite": evening.invites["Bo"], "name": "Bo"}
    assert post_to_page(phone, f"{path}/join", body) == 409
    assert joins_at(evening, "b") == []
    phone.said.clear()  # the browser itself notes the answer 409


def post_to_page(phone: Phone, path: str, body: dict[str, object]) -> int:
    """What a form of the page sends, with other values."""
    return phone.frame.evaluate(
        """async ([path, body]) => {
          const headers = { "x-pbem-part": "1" };
          const how = { method: "POST", body: JSON.stringify(body), headers };
          return (await fetch(document.body.dataset.root + path, how)).status;
        }""",
        [path, body],
    )


def test_the_button_to_take_a_seat_takes_no_other_than_its_page_names(evening: Evening):
    """Another link, opened while the page waits, does not change what the button does."""
    evening.new_game("--players Ann,Bo --game evolution")
    evening.joins("Ann")
    evening.joins("Bo")
    phone = evening.phone().open(seat_link(evening, key_of_person(evening, "bo")))
    assert "Take seat b, as Bo?" in phone.text()
    second = phone.context.new_page()
    second.goto(seat_link(evening, key_of_person(evening, "ann")))
    second.wait_for_selector("html[data-shown]", state="attached")
    phone.press("button:has-text('Take seat b')")
    phone.frame.wait_for_selector("[role=alert]:has-text('open your link again')")
    path = re.search(r"#(/game/[0-9a-f]{12})", phone.page.url)[1]
    assert post_to_page(phone, f"{path}/take", {}) == 409
    assert "409" in "".join(phone.said)
    phone.said.clear()
    in_this_browser(phone, f"{evening.host.url}/#{path}")
    assert "This browser has no seat in this game" in phone.frame.inner_text("body")


def test_a_link_with_a_replaced_key_brings_no_seat_back(evening: Evening):
    """Bo changed his keys: who has his old link gets nothing, and his new one still works."""
    address = evening.new_game("--players Ann,Bo --game evolution")
    evening.joins("Ann")
    bo = evening.joins("Bo")
    assert "turns/0001.toml" in evening.advance()
    old = profile_keys(bo)
    bo.pbem(f"notice key -C {address}").checked(0)
    bot_plays_at(address, evening.person("ann"), "a")
    bot_plays_at(address, bo, "b")
    assert "turns/0002.toml" in evening.advance()
    phone = evening.phone().open(seat_link(evening, old["default"]))
    assert "This link does not lead to a seat" in phone.text()
    (new,) = [key for profile, key in profile_keys(bo).items() if profile not in old]
    evening.phone().come_back(seat_link(evening, new)).frame.wait_for_selector("#send")


def file_list_text(address: str) -> str:
    """The host's list of the files of a game."""
    with urllib.request.urlopen(f"{address}/") as answer:
        return answer.read().decode()


def copy_to_other_address(address: str) -> str:
    """Put the files of a game at another address of its host, as anybody can who knows the game;
    the digits of that address."""
    digits = "c0ffee" + "0" * 26
    names = [line.split()[0] for line in file_list_text(address).splitlines()]
    for name in sorted(names, key=lambda one: (one != "game.toml", not one.startswith("seats/"))):
        with urllib.request.urlopen(f"{address}/{name}") as answer:
            data = answer.read()
        put = urllib.request.Request(f"{address[:-32]}{digits}/{name}", data, method="PUT")
        put.add_header("If-None-Match", "*")
        with urllib.request.urlopen(put) as answer:
            assert answer.status == 201
    return digits


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", ["game", "back", "join"])
def test_a_copy_of_your_game_replaces_it_only_if_you_press_a_button(evening: Evening, kind: str):
    """Ann puts a copy of the game on the host, and sends Bo a link to it: his orders would go
    there, where nobody waits for them."""
    address = evening.new_game("--players Ann,Bo --game evolution")
    evening.joins("Ann")
    phone = evening.phone().open(evening.link("Bo"))
    phone.press("button[type=submit]:has-text('Take my seat')")
    phone.frame.wait_for_selector(OPEN)
    phone.page.wait_for_selector("#line", state="hidden")
    assert "turns/0001.toml" in evening.advance()
    in_this_browser(phone, f"{evening.host.url}/#game={address[-32:]}")
    turn_shown(phone, 1)
    copy = copy_to_other_address(address)
    secret = {"game": "", "join": f"/{evening.invites['Bo']}"}
    link = f"{evening.host.url}/#{kind}={copy}{secret.get(kind, '')}"
    if kind == "back":
        link = seat_link(evening, key_of("nobody"), copy)
    in_this_browser(phone, link)
    assert "The same game at another address" in phone.text()
    assert copy in phone.text()
    phone.press("a:has-text('Stay where I am')")
    phone.frame.wait_for_selector("#send")
    answer_at(phone)
    until(lambda: "orders/0001-b-" in file_list_text(address))
    assert "orders/" not in file_list_text(f"{address[:-32]}{copy}")
    if kind == "game":
        in_this_browser(phone, link)
        phone.press("button:has-text('Use the new address')")
        phone.frame.wait_for_selector("body[data-page=table] main:not([inert])")
        in_this_browser(phone, link)
        assert "another address" not in phone.text()
