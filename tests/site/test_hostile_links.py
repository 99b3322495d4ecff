"""Links and pages of strangers: none becomes a key, and none acts for somebody."""

import base64
import hashlib

from pbem.format.keys import SigningKey
from pbem.format.signed_file import split
from tests.browser.test_other_ports import other_port
from tests.site.conftest import Evening, until
from tests.site.test_mishaps import game_path, seated

OWN_KEY = hashlib.sha256(b"a key of Ann's").digest()


def planted(evening: Evening, seed: bytes = OWN_KEY) -> str:
    """A way back to the game with a key that somebody else has."""
    secret = base64.urlsafe_b64encode(seed).decode().rstrip("=")
    return f"{evening.host.url}/#back={evening.address[-32:]}/{secret}"


def keys_in_joins(evening: Evening) -> set[bytes]:
    """The keys that people have joined with, as their files say it."""
    files = (evening.table.root / "data").rglob("seats/*.toml")
    return {split(file.read_bytes()).key for file in files}


def test_a_key_in_a_link_that_nobody_joined_with_is_not_kept(evening: Evening):
    """Ann makes Bo open a link with a key of hers before he joins: his seat gets a fresh key."""
    evening.new_game("--players Ann,Bo --game evolution")
    evening.joins("Ann")
    phone = evening.phone().open(planted(evening))
    assert "nobody has joined this game with the key in this link" in phone.text()
    phone.open(evening.link("Bo"))
    phone.press("button[type=submit]")
    phone.frame.wait_for_selector("p.good")
    until(lambda: len(keys_in_joins(evening)) == 2)
    assert SigningKey(OWN_KEY).public not in keys_in_joins(evening)
    phone.open(planted(evening))
    assert "nobody has joined this game with the key in this link" in phone.text()
    assert "turns/0001.toml" in evening.advance()
    phone.open(planted(evening))
    assert "opens no seat" in phone.text()
    phone.said.clear()  # the browser itself says what was refused


def test_a_link_opens_a_seat_only_after_a_button(evening: Evening):
    """Also a link with a key that has a seat: whoever opens it reads whose seat it is first."""
    evening.new_game("--players Ann,Bo --game evolution")
    evening.joins("Bo")
    ann = evening.phone().open(evening.link("Ann"))
    ann.press("button[type=submit]")
    ann.press("a:has-text('Keep my way back')")
    link = ann.frame.locator("#way-back-link").inner_text()
    ann.page.wait_for_selector("#line", state="hidden")
    until(lambda: len(keys_in_joins(evening)) == 2)
    bo = evening.phone().open(link)
    assert "Take seat a, as Ann?" in bo.text()
    bo.press("a:has-text('No, only watch')")
    bo.frame.wait_for_selector("body:has-text('This browser has no seat in this game')")
    bo.page.reload()
    bo.shown()
    assert "This browser has no seat in this game" in bo.frame.inner_text("body")
    bo.come_back(link)
    assert "This browser has no seat in this game" not in bo.frame.inner_text("body")
    bo.open(link)  # once more: there is nothing to ask
    assert "Take seat" not in bo.text()


FORM = """<!doctype html><title>other</title><p id="told">waiting</p>
<form method="post" enctype="text/plain" target="%(target)s" action="%(act)s">
<input name='{"about":"concede","sure":true,"x":"' value='"}'></form>
<iframe name="inside"></iframe>
<script>
document.forms[0].submit();
setTimeout(() => { document.getElementById("told").textContent = "done"; }, 4000);
</script>"""


def test_a_page_of_another_port_of_this_host_name_does_not_act_for_the_player(evening: Evening):
    """It sends the form of a notice from a frame and from a tab of its own; nothing is signed."""
    phone = seated(evening)
    act = f"{evening.host.url}{game_path(phone)}/notices"
    for target in ("inside", "_blank"):
        with other_port(FORM % {"target": target, "act": act}) as (address, _):
            other = phone.context.new_page()
            other.goto(address)
            other.wait_for_selector("#told:has-text('done')")
            other.close()
    phone.page.wait_for_timeout(1000)
    assert not [*(evening.table.root / "data").rglob("notices/*.toml")]
    phone.said.clear()
