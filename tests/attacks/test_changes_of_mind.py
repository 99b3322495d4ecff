"""Attacks on the time in which players may change their orders: nobody can stretch it for ever."""

from pathlib import Path

import pytest

from pbem.errors import NOT_YET
from pbem.files.home import Home
from pbem.mailseats.letters import MailBook
from tests.calendar.test_commands import HOUR, answer, begin
from tests.cli.conftest import game, kept, table
from tests.cli.people import NOW, Person, Round, Said
from tests.post.seats.mail_game import answer as answer_to_bo
from tests.post.seats.mail_game import at_turn_two, ok, reply, submit, text_of, turn_mail

__all__ = ["game", "kept", "table"]


def advance(table: Round, now: int) -> int:
    return table.person("rhea").pbem(f"advance -C savannah --now {now}").exit


@pytest.mark.long
@pytest.mark.parametrize("when", ["before", "after"])
def test_junk_orders_do_not_stretch_the_time_for_a_change_of_mind(table: Round, when: str) -> None:
    """The machine notes when it first saw the orders that count, whatever else is in the folder."""
    begin(table, "10 days", "--change-of-mind 2h")

    def flood() -> None:
        folder = table.shared / "savannah" / "orders"
        folder.mkdir(exist_ok=True)
        for number in range(600):
            (folder / f"0001-a-1-{number:06x}.toml").write_bytes(b"junk\n")

    if when == "before":
        flood()
    for seat in "ab":
        answer(table, seat)
    assert advance(table, NOW + HOUR) == NOT_YET
    if when == "after":
        flood()
        assert advance(table, NOW + 2 * HOUR) == NOT_YET
    assert advance(table, NOW + 3 * HOUR) == 0


def test_a_player_cannot_change_their_mind_for_ever(table: Round) -> None:
    """Each change begins the time anew, but all of it is at most twice as long."""
    begin(table, "10 days", "--change-of-mind 2h")
    for seat in "ab":
        answer(table, seat)
    first = NOW + HOUR
    assert advance(table, first) == NOT_YET
    for number in (1, 2):
        answer(table, "b", first + number * 5400, card=number % 2)
        assert advance(table, first + number * 5400) == NOT_YET
    assert advance(table, first + 4 * HOUR - 1) == NOT_YET
    assert advance(table, first + 4 * HOUR) == 0


def write(rhea: Person, choice: int, now: int) -> Said:
    """Bo answers in his own words, so that the turn waits for a correction."""
    again = reply(turn_mail(rhea), f"my choice is {choice}", Message_ID=f"<{now}@example.org>")
    (rhea.place / "reply.eml").write_bytes(again)
    said = rhea.pbem("receive reply.eml -C savannah", SOURCE_DATE_EPOCH=str(now))
    return ok(said)


@pytest.mark.long
def test_free_words_again_and_again_do_not_stretch_the_ten_minutes_for_ever(tmp_path: Path) -> None:
    """Bo writes by email, in free words, every nine minutes: after an hour nobody waits for him."""
    table = Round(tmp_path)
    rhea = at_turn_two(table)
    submit(table.person("ann"), 'play = ["done"]')
    for number in range(1, 9):
        write(rhea, 3 + number % 2, NOW + number * 540)
    last = " ".join(text_of(answer_to_bo(rhea)).split())
    assert "The turn waits for this until" in last
    assert advance(table, NOW + 540 + 600 + 3600 - 1) == NOT_YET
    assert advance(table, NOW + 540 + 600 + 3600) == 0


def test_free_words_of_one_player_do_not_take_the_ten_minutes_from_another(tmp_path: Path) -> None:
    """The home remembers until when it waits for each seat, however many orders another sends."""
    book = MailBook(Home(tmp_path / "home").game("01" * 32))
    book.hold("orders/0002-c-1-aaaaaa.toml", 2000)
    for number in range(99):
        book.hold(f"orders/0002-b-{number + 1}-bbbbbb.toml", 2000 + number)
    assert book.held["orders/0002-c-1-aaaaaa.toml"] == 2000
    assert len(book.held) == 3
