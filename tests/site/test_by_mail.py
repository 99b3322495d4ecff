"""A game on no host, in a tab: bundles are opened as files or pasted, and shared or saved."""

import re
from pathlib import Path

from tests.kit.people import Person
from tests.kit.phone import Phone
from tests.site.evening import Evening, answer_at

SHARE = """{
  window.shared = "";
  navigator.canShare = (what) => what.files?.length === 1;
  navigator.share = async (what) => { window.shared = await what.files[0].text(); };
}"""
"""A share sheet, which hands a file to some other program."""


def must(person: Person, line: str) -> str:
    said = person.pbem(line).checked(0)
    return said.out


def answer_of_page(phone: Phone, *, text: str = "", file: Path | None = None) -> str:
    """Paste an email, or choose a file; what the page says of it."""
    if file:
        phone.frame.set_input_files("#file", file)
    else:
        phone.press("summary:has-text('Paste an email instead')")
        phone.frame.fill("#pasted", text)
        phone.press("#take")
    phone.frame.wait_for_selector("#came p")
    return phone.frame.locator("#came").inner_text()


def test_a_game_by_mail_is_played_in_a_browser_tab(evening: Evening, tmp_path: Path):
    rhea = evening.person("rhea")
    said = must(rhea, "new savannah --players Ann,Bo --referee Rhea --game evolution")
    invites = dict(re.findall(r"  (\w+):  pbem join .*--invite (\S+)", said))
    must(evening.person("bo"), f"join -C savannah --invite {invites['Bo']}")
    phone = evening.phone().open(evening.host.url)
    assert "new" in answer_of_page(phone, text=must(rhea, "send -C savannah --to Ann --paste"))
    phone.press("#came a:has-text('Open the game')")
    phone.frame.fill("[name=invite]", f"Ann:  pbem join --invite {invites['Ann']}")
    phone.press("button:has-text('Join')")
    phone.frame.wait_for_selector("p.good:has-text('You are Ann, in seat a')")
    phone.press("a:has-text('send your join')")
    with phone.page.expect_download() as saved:
        phone.press("[data-save]")
    must(rhea, f"receive {saved.value.path()} -C savannah")
    assert "turns/0001.toml" in must(rhea, "advance -C savannah")

    mail = tmp_path / "from-rhea.pbem"
    must(rhea, f"send -C savannah --to Ann -o {mail}")
    assert "new" in answer_of_page(phone, file=mail)
    phone.page.reload()  # kept in this browser
    phone.shown()
    phone.press("nav a >> text=Table")
    answer_at(phone)
    phone.press("nav a >> text=Mail")
    phone.frame.wait_for_selector("h1:has-text('Mail')")
    assert not phone.frame.is_visible("[data-share]"), "this browser has no share sheet"
    phone.context.add_init_script(SHARE)
    phone.page.wait_for_url("**/mail")  # so that it comes again
    phone.page.reload()
    phone.shown()
    phone.press("[data-share]")
    phone.frame.wait_for_selector(".parcel [role=status]:has-text('Shared')")
    mail.write_text(phone.frame.evaluate("window.shared"), "utf-8")
    must(rhea, f"receive {mail} -C savannah")
    assert any((evening.table.shared / "savannah/orders").glob("0001-a-*"))

    phone.press("nav a >> text=Table")  # the way back to a game that is on no host: its key
    phone.press(".keep-seat a")
    key = phone.frame.locator("#key-file").text_content()
    assert "on no host" in phone.text()
    ann = evening.person("ann-at-home")
    (ann.place / "key").write_text(key)
    must(ann, "keys import key --profile from-the-tab")
    assert "SEALED" in must(ann, "status -C savannah")
    phone.press("nav a >> text=Mail")
    phone.frame.wait_for_selector("h1:has-text('Mail')")
    assert "nothing from pbem" in answer_of_page(phone, text="Dear Ann, how are you?")
