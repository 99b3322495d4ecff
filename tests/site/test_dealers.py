"""Mode `dealers` on a host: a phone plays beside a terminal; two machines deal, and no tab does."""

import re
import time
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.kit.browser_players import Mouse, Player, bot_plays_at
from tests.kit.mail_seats import first_choices, opened_bytes, reply, text_of
from tests.kit.people import Person, output_of
from tests.kit.phone import Phone
from tests.kit.processes import until
from tests.kit.running_host import RunProcess, has_seen_turn
from tests.kit.small_mail_servers import BO, RHEA, MailHost, mail_server, use_small_servers
from tests.site.evening import SELDOM, Evening, answer_at, look_until, status_at, turn_shown

__all__ = ["mail_server"]

STANDING = "plants first, then prey"
MOST_LEGS = 60
DAYS = 24 * 3600
NOTE_LINES = """() => {
  const line = document.getElementById("line");
  window.lines = [];
  const note = () => window.lines.push(line.textContent);
  new MutationObserver(note).observe(line, { childList: true });
}"""


def dealt_game(evening: Evening, game: str) -> tuple[str, Person]:
    """A game of Ann and Bo whose cards Rhea and Hal hide together; its address, and Hal."""
    hal = evening.person("hal")
    line = re.search(r"co-dealer:\S+", output_of(hal, "keys co-dealer"))[0]
    address = evening.new_game(f"--players Ann,Bo --game {game} --co-dealer Hal={line}")
    return address, hal


def sit_at_phone(phone: Phone, link: str) -> None:
    """Take a seat in a game that has not begun."""
    phone.open(link)
    phone.press("button[type=submit]")
    phone.press("p.buttons a.primary")
    phone.sent()
    phone.frame.wait_for_selector("h1:has-text('has not begun')")


@pytest.mark.parametrize("rounds", [2, pytest.param(100, marks=pytest.mark.long)])
def test_a_phone_plays_in_a_game_that_two_dealers_deal(evening: Evening, rounds: int):
    address, hal = dealt_game(evening, "evolution")
    bo = evening.joins("Bo")
    phone = evening.phone()
    sit_at_phone(phone, evening.link("Ann"))
    phone.page.evaluate(NOTE_LINES)
    rounds_shown, is_over = set[str](), False
    for _ in range(MOST_LEGS):
        hal.pbem(f"advance -C {address}")
        evening.advance()
        now = status_at(bo, address)
        asked = {seat for seat, one in now["seats"].items() if one["asked"]}
        is_over = now["over"]
        if is_over or asked:
            turn_shown(phone, now["turn"])
            heading = phone.frame.locator("h1").inner_text()
            rounds_shown.add(heading.partition("round ")[2].partition(" ")[0])
        if is_over or len(rounds_shown) > rounds:
            break
        if "b" in asked:
            bot_plays_at(address, bo, "b")
        if "a" in asked:
            player = Player(phone.frame, Mouse(phone.frame))
            if rounds_shown == {"1"}:
                player.always("feed", STANDING)
            player.answer()
            assert "Sent." in player.seal()
            phone.sent()
    assert len(rounds_shown) > rounds or is_over, now
    lines = phone.page.evaluate("window.lines")
    assert any(re.fullmatch(r"Checking the shuffle of the cards: \d+ %", one) for one in lines)
    until(lambda: "Checking" not in phone.page.evaluate("window.lines")[-1], why=lambda: lines)
    bo.pbem(f"audit {address}").checked(0)


@pytest.fixture
def pond(site: Path, tmp_path: Path, chromium) -> Iterator[Evening]:
    """A host that deals as a co-dealer, and people with phones and terminals."""
    one = Evening(tmp_path, chromium, "--co-deal")
    yield one
    one.end()


def status_when(
    who: Person, address: str, before: dict, is_so: Callable[[dict], object], why: Callable[[], str]
) -> dict:
    """Wait for a later turn of which something is so, or for the end; the status then."""
    now = before

    def has_come() -> object:
        nonlocal now
        now = status_at(who, address)
        return now.get("over") or (now["turn"] > before["turn"] and is_so(now))

    until(has_come, every=SELDOM, why=why)
    return now


def people_asked(now: dict) -> set[str]:
    """The seats that a turn asks, but for the bot's: that one answers before anybody looks."""
    return {seat for seat in "abc" if now["seats"][seat]["asked"]}


def reply_by_mail(mail: MailHost, turn: int) -> None:
    """Bo answers the email about a turn, by the numbers of the first choices."""

    def letters() -> list[EmailMessage]:
        subject = f"turn {turn}: it is your move"
        return [one for one in map(opened_bytes, mail.mails(BO)) if subject in one["Subject"]]

    until(letters, why=lambda: mail.boxes)
    letter = letters()[0]
    mail.put(RHEA, reply(letter, first_choices(text_of(letter))))


def test_phone_terminal_mail_and_bot_end_a_game_although_each_dealer_is_killed(pond, mail_server):
    options = '--players "Ann,Cy,Bo <bo@example.org>" --mail-seats Bo --bots greedy:1'
    address = pond.new_game(f"--game classroom {options} --co-dealer {pond.host.url}")
    use_small_servers(pond.person("rhea"), mail_server)
    cy = pond.joins("Cy")
    phone = pond.phone()
    sit_at_phone(phone, pond.link("Ann"))
    rhea = RunProcess(pond.person("rhea"))
    kills = [pond.kill_host, lambda: (rhea.kill(), rhea.start())]
    now = status_at(cy, address)
    try:
        while True:
            now = status_when(cy, address, now, people_asked, why=rhea.log.read_text)
            if now["over"]:
                break
            asked = people_asked(now)
            if "c" in asked:
                reply_by_mail(mail_server, now["turn"])
            if "b" in asked:
                bot_plays_at(address, cy, "b")
            if "a" in asked:
                turn_shown(phone, now["turn"])
                answer_at(phone)
            status_when(cy, address, now, lambda later: True, why=rhea.log.read_text)
            if kills:  # in the middle of dealing
                kills.pop(0)()
        assert not kills
        until(lambda: has_seen_turn(pond.person("owner").home, now["turn"]), every=SELDOM)
        pond.host.stop()  # it opens its secret two days later
        pond.host_again(SOURCE_DATE_EPOCH=str(int(time.time()) + 3 * DAYS))
        look_until(phone, "#proof:has-text('✓ Proven fair.')")
    finally:
        rhea.kill()
    said = output_of(cy, f"audit {address}")
    assert "Proven: every signature, card, die, move and standing order is right" in said, said
    assert "Rhea together could see every hand; neither can alone" in said, said
    assert "Rhea has the keys of Bo" in said, said
    phone.said.clear()  # the browser's own words about the host that was away
