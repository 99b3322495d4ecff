"""`pbem run` and a host that deals look at a game again when the clock alone lets it go on, and
when something came while they were looking."""

import pytest

from pbem.files.home import Home
from pbem.person.keyring import Keyring
from pbem.post.event_printer import Log
from pbem.post.run_passes import MailPasses
from tests.attacks.waiting_acts import (
    THIEF,
    end_of_wait,
    exit_of_advance,
    key_of_seat,
    vouch_for_thief,
)
from tests.kit.named_games import game_id
from tests.kit.people import NOW, Round, key_of
from tests.kit.timed_games import answer_all, begin_three
from tests.notices.forging import put_notice, turn_records

DAY = 86_400


class Clock:
    """The clock of this computer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self.set(NOW)

    def set(self, now: int) -> None:
        self._monkeypatch.setenv("SOURCE_DATE_EPOCH", str(now))


@pytest.fixture
def wake_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def passes(table: Round) -> MailPasses:
    """The passes of Rhea's `pbem run`, over a game of Ann, Bo and Cy."""
    rhea = begin_three(table)
    return MailPasses(Keyring(Home(rhea.home)), Log())


def look_until_quiet(passes: MailPasses, table: Round) -> None:
    """Look at the game until nothing happens in it any more: that takes two looks."""
    looks = 0
    while passes.look_after_game(game_id(table)):
        looks += 1
        assert looks < 4, "the game is looked at without end"


@pytest.mark.sample(0)
def test_a_pass_comes_when_a_waiting_time_ends(passes, table, wake_clock):
    wake_clock.set(NOW + 3600)
    vouch_for_thief(table, "a", "c", now=NOW + 3600)
    answer_all(table, "abc"[::2])
    look_until_quiet(passes, table)
    until = end_of_wait(table)
    moments = list[int]()
    while (moment := passes.next_moment(game_id(table))) is not None and moment < until:
        wake_clock.set(moment)
        look_until_quiet(passes, table)
        moments.append(moment)
        assert len(moments) < 20
    assert moment == until
    assert key_of_seat(table, "b") != THIEF.public
    wake_clock.set(until)
    assert passes.look_after_game(game_id(table))
    assert key_of_seat(table, "b") == THIEF.public, "nobody sent anything"


@pytest.mark.sample(0)
@pytest.mark.parametrize("heard", ["abc", "ac"])
def test_a_pass_comes_when_an_absence_begins_and_when_it_ends(passes, table, wake_clock, heard):
    """Also if no turn lists the notice yet, because the game waits for the absent player."""
    from pbem.judge.notice_kinds import Away

    begins, ends = NOW + 3 * 3600, NOW + 20 * 3600
    put_notice(table, "b", Away(begins, ends), key_of("bo"))
    answer_all(table, heard)
    look_until_quiet(passes, table)
    moments, moment = list[int](), passes.next_moment(game_id(table))
    while moment is not None and moment <= ends:
        moments.append(moment)
        wake_clock.set(moment)
        look_until_quiet(passes, table)
        moment = passes.next_moment(game_id(table))
    assert begins in moments
    assert ends in moments or heard == "ac", "then the game has gone on without Bo"
    assert len(turn_records(table)) > 1


def test_orders_that_come_while_a_pass_looks_at_the_game_are_not_overlooked(
    passes, table, wake_clock, monkeypatch
):
    """They came after the folder was read, and before it was noted what had been read."""
    look_until_quiet(passes, table)
    answer_all(table, "ac")
    write = MailPasses._write_letters

    def late(self: MailPasses, *args: object) -> None:
        monkeypatch.setattr(MailPasses, "_write_letters", write)
        write(self, *args)  # type: ignore[arg-type]
        answer_all(table, "b")

    monkeypatch.setattr(MailPasses, "_write_letters", late)
    assert passes.look_after_game(game_id(table))
    assert len(turn_records(table)) == 1
    look_until_quiet(passes, table)
    assert len(turn_records(table)) == 2


def test_a_pass_that_finds_nothing_new_does_no_work(passes, table, wake_clock):
    assert exit_of_advance(table, NOW) in (0, 5)
    look_until_quiet(passes, table)
    assert not passes.look_after_game(game_id(table))
