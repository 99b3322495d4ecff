"""Whole games, from links to "Proven": three phones, a player at a terminal, and one who has only a
mail program, and a bot; the referee types `pbem run`, and has a mailbox."""

import pytest

from tests.kit.browser_players import Mouse, Player, bot_plays_at
from tests.kit.mail_seats import opened_bytes, text_of
from tests.kit.phone import Phone
from tests.kit.processes import until
from tests.kit.real_mail_servers import MailServer, give_mailbox, server
from tests.post.games_by_mail import cy_answers
from tests.site.evening import Evening, status_at, turn_shown

__all__ = ["server"]

PHONES = {"a": "Ann", "b": "Bo", "c": "Di"}
STANDING = {"evolution": "plants first, then prey"}
"""The standing order for feeding, without which each species is asked for in a turn of its own."""
SEEDED = """(seed) => {
  let state = seed;
  crypto.getRandomValues = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let at = 0; at < bytes.length; at++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      bytes[at] = state >>> 24;
    }
    return array;
  };
}"""
"""The keys of the phones are the same each time, and so are the cards."""


class Company:
    """The people of one game; Rhea deals."""

    def __init__(self, evening: Evening, server: MailServer, game: str) -> None:
        self.evening, self.server = evening, server
        self.rhea = evening.person("rhea")
        give_mailbox(self.rhea, server)
        server.empty("cy")
        self.address = evening.new_game(
            f"--game {game} --players 'Ann,Bo,Di,Ed,Cy <{server.address('cy')}>' --mail-seats Cy "
            f"--bots greedy:1 --deadline never --table {'5eed' * 8}"
        )
        self.phones: dict[str, Phone] = {}
        for number, (seat, name) in enumerate(PHONES.items()):
            phone = self.phones[seat] = evening.phone().open(evening.link(name))
            phone.page.workers[0].evaluate(SEEDED, number)
            phone.press("button[type=submit]")
            phone.frame.wait_for_selector(f"p.good:has-text('You are {name}')")
            phone.press("p.buttons a.primary")
            phone.sent()
        self.ed = evening.joins("Ed")
        self.read_by_cy: set[str] = set()
        self.standing = STANDING.get(game, "")
        self.first_mail = f"\nalways feed: {self.standing}" if self.standing else ""

    def run(self) -> None:
        said = self.rhea.pbem("run --once").checked(0)
        assert "error" not in said.text, said.text

    def answers(self, seat: str, turn: int) -> None:
        """Somebody answers at a phone; their first orders stand for feeding too."""
        phone = self.phones[seat]
        turn_shown(phone, turn)
        player = Player(phone.frame, Mouse(phone.frame))
        if turn == 1 and self.standing:
            player.always("feed", self.standing)
        player.answer()
        assert "Sent." in player.seal()

    def has_orders(self, turn: int, seat: str) -> bool:
        """Whether the host has orders of a seat for this turn."""
        data = self.evening.table.root / "data"
        return any(data.rglob(f"orders/{turn:04}-{seat}-*"))

    def arrive(self, turn: int, seats: list[str]) -> None:
        """Wait until the host has the orders of these seats."""
        until(lambda: all(self.has_orders(turn, seat) for seat in seats))

    def play(self) -> int:
        """Everybody answers until the game is over; returns the number of turns."""
        for _ in range(100):
            self.run()
            now = status_at(self.ed, self.address)
            turn, seats = now["turn"], now["seats"]
            if now["over"]:
                return turn
            # whoever answered is not asked again while Cy's email is on its way
            asked = (seat for seat, one in seats.items() if one["asked"])
            waits = {seat for seat in asked if not self.has_orders(turn, seat)}
            phones = sorted(waits & {*self.phones})
            for seat in phones:
                self.answers(seat, turn)
            if "d" in waits:
                bot_plays_at(self.address, self.ed, "d")
            if "e" in waits:
                cy_answers(self.server, self.read_by_cy, self.first_mail)
            self.arrive(turn, phones)
        status_text = self.rhea.pbem(f"status -C {self.address}").text
        raise AssertionError(f"the game does not end: {status_text}")


@pytest.mark.parametrize("game", [pytest.param("evolution", marks=pytest.mark.long), "classroom"])
def test_phones_a_terminal_a_mail_program_and_a_bot_play_a_whole_game(evening, server, game):
    company = Company(evening, server, game)
    turns = company.play()
    evening.person("eve").pbem(f"audit {company.address}").checked(0, out="Proven: ")
    for phone in company.phones.values():
        turn_shown(phone, turns)
        phone.frame.wait_for_selector(".scores")
        phone.press("nav a >> text=Audit")
        phone.frame.wait_for_selector(".verdict:has-text('Proven')")
    server.settle()
    mails = [opened_bytes(data) for data in server.letters("cy", "rhea")]
    assert sum("the game is over" in str(mail["Subject"]) for mail in mails) == 1
    link = f"{evening.host.url}/g/{company.address[-32:]}/play"
    with_table = [mail for mail in mails if "THE TABLE" in text_of(mail)]
    assert all(link in text_of(mail) for mail in with_table)
    assert len(company.read_by_cy) > 2
