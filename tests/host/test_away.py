"""A host that deals is away over a deadline: it names nobody as silent for this time."""

import time
from pathlib import Path

import pytest

from pbem.files.write_once_files import WriteOnceFiles
from pbem.host.times_host_was_full_or_stopped import MIN_PAUSE_SECONDS, Pause, Pauses
from tests.host.dealing import (
    FORM,
    POOL,
    count_turns,
    game_from_form,
    owners_page,
    response_of_host,
    wait_for_turn,
)
from tests.host.host_games import bot_answers
from tests.kit.people import NOW, Round, output_of
from tests.kit.processes import until
from tests.kit.running_host import HostProcess

pytestmark = pytest.mark.host
HOUR, DAY = 3600, 86_400


class Game:
    """A game of Ann and Bo, a day for each turn, in turn 1."""

    def __init__(self, host: HostProcess, table: Round) -> None:
        self.host, game = host, game_from_form(host, FORM | {"players": "Ann,Bo"})
        self.address, self.page = game["address"], game["page"]
        self.people = [table.person(seat["name"].lower()) for seat in game["seats"]]
        for who, seat in zip(self.people, game["seats"], strict=True):
            output_of(who, seat["command"].removeprefix("pbem "))
        wait_for_turn(self.address, 1)

    def at(self, later: int, *, was_up: bool = True) -> None:
        """Let it be so many seconds later for everybody; the host looks at its games again."""
        self.host.restart_at(NOW + later, was_up=was_up)
        for who in self.people:
            who.env["SOURCE_DATE_EPOCH"] = str(NOW + later)

    def stays_in_turn_1(self) -> bool:
        time.sleep(3)
        return count_turns(self.address) == 1

    def silent(self) -> str:
        """The line of turn 2 that names the silent."""
        wait_for_turn(self.address, 2)
        text = POOL.request("GET", f"{self.address}/turns/0002.toml").data.decode()
        return text.replace("\n  ", "").replace(",\n", "").partition("silent = ")[2].split("\n")[0]


def test_a_host_that_was_down_over_a_deadline_names_nobody_silent(dealing_host, table):
    game = Game(dealing_host, table)
    game.at(20 * HOUR)
    assert bot_answers(game.people[0], game.address, "a")
    game.at(26 * HOUR, was_up=False)
    told = "This host took no files for a while, so nobody counts as silent before"
    until(lambda: told in response_of_host(dealing_host, game.page).data.decode(), every=0.5)
    assert count_turns(game.address) == 1, "Bo could send nothing in the last six hours"
    words = "This host took no files from"
    assert words in owners_page(dealing_host)
    assert words.lower() in dealing_host.log.read_text()
    game.at(31 * HOUR)
    assert game.stays_in_turn_1(), "after six hours away, everybody has six hours"
    game.at(33 * HOUR)
    assert game.silent() == '["b"]'
    output_of(game.people[0], f"audit {game.address}")


def test_a_notice_after_a_pause_does_not_shorten_the_time_that_the_pause_gives(dealing_host, table):
    """The host makes a turn that only lists the notice, and the deadline stays as it was."""
    game = Game(dealing_host, table)
    game.at(20 * HOUR, was_up=False)
    output_of(game.people[0], f"notice key -C {game.address}")
    wait_for_turn(game.address, 2)
    game.at(25 * HOUR)
    time.sleep(3)
    assert count_turns(game.address) == 2
    game.at(20 * HOUR + DAY + 60)
    wait_for_turn(game.address, 3)


def test_a_host_that_starts_again_soon_keeps_its_deadlines(dealing_host: HostProcess, table: Round):
    game = Game(dealing_host, table)
    game.at(DAY - MIN_PAUSE_SECONDS + 10)
    game.at(DAY + 1, was_up=False)
    assert game.silent() == '["a","b"]'


def test_a_turn_that_everybody_answered_after_a_pause_is_made_at_once(dealing_host, table):
    game = Game(dealing_host, table)
    game.at(5 * DAY, was_up=False)
    for seat, who in zip("ab", game.people, strict=True):
        assert bot_answers(who, game.address, seat)
    wait_for_turn(game.address, 2)


def pauses(folder: Path) -> Pauses:
    return Pauses(WriteOnceFiles(folder))


def test_two_hosts_over_one_store_know_the_same_pauses(tmp_path: Path):
    one, two = pauses(tmp_path), pauses(tmp_path)
    assert one.note_files_taken(1_000) is None
    assert two.note_files_taken(1_010) is None
    assert one.note_files_taken(9_000) == Pause(1_010, 9_000)
    assert two.note_files_taken(9_005) is None
    assert one.pauses == two.pauses == [Pause(1_010, 9_000)]
    for now in range(9_010, 20_000, 30):
        assert one.note_files_taken(now) is None, "the other died, and this one took all files"
    assert two.note_files_taken(20_000) is None
    assert pauses(tmp_path).note_files_taken(30_000) == Pause(20_000, 30_000)


def test_a_pause_whose_end_two_hosts_noted_counts_once(tmp_path: Path):
    one, files = pauses(tmp_path), WriteOnceFiles(tmp_path)
    one.note_files_taken(1_000)
    files.make("away-000000001000-000000005000", b"")
    files.make("away-000000001000-000000005003", b"")
    files.make("up-000000005003", b"")
    one.note_files_taken(5_040)
    assert one.pauses == [Pause(1_000, 5_003)]
    assert one.end_of(900, 1_100) == 5_203


def test_the_time_in_which_a_host_was_full_counts_as_a_pause(tmp_path: Path):
    one = pauses(tmp_path)
    assert one.note_files_taken(1_000) is None
    one.note_full()
    assert one.note_files_taken(1_040) == Pause(1_000, 1_040), "however short"
    one.note_full()
    assert one.note_files_taken(1_080) == Pause(1_000, 1_080), "both are one"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_clock_that_was_ahead_leaves_no_pause_in_the_future(tmp_path: Path):
    one = pauses(tmp_path)
    one.note_files_taken(1_000)
    assert one.note_files_taken(1_000_000) == Pause(1_000, 1_000_000)
    assert one.note_files_taken(1_100) is None
    assert one.pauses == []
    assert one.end_of(0, 2_000) == 2_000


def test_a_wrong_clock_at_the_start_of_a_host_hides_no_pause(tmp_path: Path):
    """The computer starts with a date of next month, and learns the right one a minute later."""
    pauses(tmp_path).note_files_taken(1_000)
    pauses(tmp_path).note_files_taken(3_000_000)
    one = pauses(tmp_path)
    assert one.note_files_taken(9_000) == Pause(1_000, 9_000)
    assert one.end_of(0, 2_000) == 11_000


@pytest.mark.parametrize(
    ("begin", "end", "until"),
    [
        (0, 100, 100), (900, 1_000, 1_000), (2_000, 2_500, 2_500),  # no pause then
        (900, 1_100, 2_200),  # 100 seconds were left; after 1,000 away everybody has all 200
        (0, 1_100, 3_000),  # after 1,000 away, everybody has 1,000
        (0, 5_000, 6_000),  # 4,000 were left
        (1_500, 1_800, 2_300),
    ],
)  # fmt: skip
def test_after_a_pause_players_have_the_time_left_and_more_after_a_long_one(
    tmp_path: Path, begin: int, end: int, until: int
):
    one = pauses(tmp_path)
    one.note_files_taken(1_000)
    one.note_files_taken(2_000)
    assert one.end_of(begin, end) == until
