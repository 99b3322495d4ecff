"""Attacks on the time in which players may change their orders: nobody can stretch it for ever."""

import pytest

from pbem.errors import NOT_YET
from tests.attacks.waiting_acts import exit_of_advance
from tests.kit.people import NOW, Round
from tests.kit.timed_games import HOUR, answer_with_card, begin_two


@pytest.mark.long
@pytest.mark.parametrize("when", ["before", "after"])
def test_junk_orders_do_not_stretch_the_time_for_a_change_of_mind(table: Round, when: str) -> None:
    """The machine notes when it first saw the orders that count, whatever else is in the folder."""
    begin_two(table, "10 days", "--change-of-mind 2h")

    def flood() -> None:
        folder = table.shared / "savannah" / "orders"
        folder.mkdir(exist_ok=True)
        for number in range(600):
            (folder / f"0001-a-1-{number:06x}.toml").write_bytes(b"junk\n")

    if when == "before":
        flood()
    for seat in "ab":
        answer_with_card(table, seat)
    assert exit_of_advance(table, NOW + HOUR) == NOT_YET
    if when == "after":
        flood()
        assert exit_of_advance(table, NOW + 2 * HOUR) == NOT_YET
    assert exit_of_advance(table, NOW + 3 * HOUR) == 0


def test_a_player_who_changes_orders_again_and_again_cannot_hold_up_a_turn(table: Round) -> None:
    """Each change begins the time anew, but all of it is at most twice as long."""
    begin_two(table, "10 days", "--change-of-mind 2h")
    for seat in "ab":
        answer_with_card(table, seat)
    first = NOW + HOUR
    assert exit_of_advance(table, first) == NOT_YET
    for number in (1, 2):
        answer_with_card(table, "b", first + number * 5400, card=number % 2)
        assert exit_of_advance(table, first + number * 5400) == NOT_YET
    assert exit_of_advance(table, first + 4 * HOUR - 1) == NOT_YET
    assert exit_of_advance(table, first + 4 * HOUR) == 0
