"""The second start goes on from the memory that the first one kept, unless something is wrong."""

import base64
import random

import pytest

from tests.kit.phone import Phone
from tests.kit.processes import until
from tests.site.evening import Evening

FIND = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("pbem-"));
  const cache = await caches.open(names.at(-1));
  const name = new URL("memory", document.querySelector("script[type=module]").src).href;
  return [cache, await cache.match(name), name];
}"""


def in_cache(phone: Phone, does: str):
    """Run JavaScript with `cache`, `kept`, the answer that is the kept memory,
    and `name`, its address."""
    return phone.page.evaluate(
        f"async () => {{ const [cache, kept, name] = await ({FIND})(); {does} }}",
    )


def is_kept(phone: Phone) -> None:
    """Wait until the memory is in the browser's storage."""
    until(lambda: in_cache(phone, "return Boolean(kept);"), every=0.2)


def starts_again(phone: Phone) -> bool:
    """Load the page again; whether it went on from a kept memory."""
    phone.page.reload()
    phone.shown()
    assert "You have no games in this browser yet" in phone.text()
    return phone.page.evaluate("times.kept")


@pytest.fixture
def phone(plain_address: str, chromium):
    one = Phone(chromium).open(plain_address)
    assert not one.page.evaluate("times.kept")
    is_kept(one)
    yield one
    one.close()
    assert not one.said


def test_the_second_start_of_the_page_uses_the_memory_kept_by_the_first(phone: Phone):
    assert starts_again(phone)
    assert starts_again(phone)


DAMAGES = {
    "cut off": "bytes.slice(0, bytes.length / 2 | 0)",
    "no bytes": "new Uint8Array()",
    "of another interpreter": "bytes.fill(7, 16, 48)",
    "of zeros": "bytes.fill(0, 4096)",
}


def test_a_damaged_memory_of_the_first_start_is_thrown_away(phone: Phone):
    for damage, code in DAMAGES.items():
        in_cache(
            phone,
            "const bytes = new Uint8Array(await kept.arrayBuffer());"
            f"await cache.put(name, new Response({code}, {{ headers: kept.headers }}));",
        )
        assert not starts_again(phone), damage
        is_kept(phone)
        assert starts_again(phone), damage


def test_the_memory_kept_by_another_version_of_the_page_is_not_used(phone: Phone):
    in_cache(
        phone,
        'await (await caches.open("pbem-0123456789abcdef")).put(name, kept);'
        "await cache.delete(name);",
    )
    assert not starts_again(phone)


def test_a_browser_without_room_for_the_memory_starts_without_it(phone: Phone):
    used = in_cache(
        phone,
        "const { usage } = await navigator.storage.estimate();"
        "const { byteLength } = await kept.arrayBuffer();"
        "await cache.delete(name);"
        "return usage - byteLength;",
    )
    session = phone.context.new_cdp_session(phone.page)
    origin = phone.page.evaluate("location.origin")
    room = {"origin": origin, "quotaSize": used + 5_000_000}
    session.send("Storage.overrideQuotaForOrigin", room)
    for _ in range(2):
        assert not starts_again(phone)
        phone.page.wait_for_timeout(1000)
    assert not in_cache(phone, "return Boolean(kept);")


def test_the_memory_kept_for_the_next_start_has_nothing_of_the_person(evening: Evening):
    """Also if it is made when there is a key already."""
    evening.new_game("--players Ann,Bo --game evolution")
    phone = evening.phone().open(evening.link("Ann"))
    phone.press("button[type=submit]")
    phone.press("a:has-text('Keep my seat')")
    secret = phone.frame.locator("#seat-link").inner_text().rpartition("=")[2]
    key = phone.frame.locator("#key-file").text_content().split("\n")[1]
    is_kept(phone)
    in_cache(phone, "await cache.delete(name);")
    phone.page.reload()
    phone.shown()
    is_kept(phone)
    seed = base64.urlsafe_b64decode(f"{secret}=").decode("latin-1")
    found = phone.page.evaluate(
        f"""async (words) => {{
          const [, kept] = await ({FIND})();
          const text = new TextDecoder("latin1").decode(await kept.arrayBuffer());
          return words.map((one) => text.includes(one));
        }}""",
        [seed, secret, key, evening.address[-32:], "pbem.web.program_in_tab"],
    )
    assert found == [False, False, False, False, True]


def test_two_starts_from_one_memory_draw_different_random_numbers():
    from pbem.web.program_in_tab import note_start  # needs what only the site needs

    random.seed(1)
    note_start("Asia/Tokyo")
    assert random.random() != random.Random(1).random()
