"""How a player without `pbem` announces an absence: `away until 2 January`."""

from collections.abc import Callable
from datetime import date

import pytest

from pbem.text.typed_absences import Day, DaysAway, days_of, read_absence
from tests.kit.mail_seats import (
    answer_mail,
    receive,
    reply,
    sealed_lines,
    successful,
    text_of,
    turn_mail,
)
from tests.kit.people import Person, Round
from tests.post.seats.answering import answer_line, said_to

Game = Callable[[str], Round]
TODAY = date(2026, 11, 22)


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("away 2026-12-24 to 2027-01-02", "2026-12-24..2027-01-02"),
        ("away: 2026-12-24..2027-1-2", "2026-12-24..2027-01-02"),
        ("i'm away from 24 december until 2 january", "2026-12-24..2027-01-02"),
        ("i am away 24th of dec. - 2nd of jan.", "2026-12-24..2027-01-02"),
        ("i will be away december 24, 2026 through january 2, 2027", "2026-12-24..2027-01-02"),
        ("away until 2 jan", "..2027-01-02"),
        ("away till nov 30th", "..2026-11-30"),
        ("hi! i'm away until 3. december 2026", "..2026-12-03"),
        ("going away from 20 nov to 3 dec", "2026-11-20..2026-12-03"),
        ("away 1 feb to 29 feb", "2027-02-01..2028-02-29"),
    ],
)
def test_the_days_of_an_absence_in_an_email_are_read_in_many_forms(said: str, days: str) -> None:
    absence = read_absence(said)
    assert absence is not None
    first, last = days_of(absence, TODAY)
    assert f"{first or ''}..{last}" == days


@pytest.mark.parametrize(
    "said",
    ["away", "i'm away from my desk", "away until next friday", "away 12/24 to 1/2",
     "away 2 marsh to 3 may", "away until 2 january, so please wait", "i was away until 2 january",
     "backwards", "away for 99999 weeks", "away for 2 hours", "away for " + "9h" * 5000],
)  # fmt: skip
def test_other_lines_are_not_guessed(said: str) -> None:
    assert read_absence(said) is None


@pytest.mark.parametrize("day", [Day(0, 2, 30), Day(2026, 2, 29), Day(2026, 13, 1), Day(0, 5, 0)])
def test_days_that_no_calendar_has_are_refused(day: Day) -> None:
    with pytest.raises(ValueError, match=r"month|day"):
        days_of(DaysAway(None, day), TODAY)


@pytest.mark.sample(0)
def test_an_absence_announced_by_email_counts_for_the_whole_table(mail_game: Game) -> None:
    table = mail_game("second")
    rhea, ann = table.person("rhea"), table.person("ann")
    mail = turn_mail(rhea)
    said = successful(
        receive(rhea, reply(mail, "Hi, I am away from 24 December 2098 to 2 January 2099.\n3, 10"))
    )
    assert "orders in the reply are sealed" in said.out
    assert "play: cooperation 3: b1 body" in sealed_lines(rhea)
    told = answer_line(rhea)
    assert "You are away from Wed 2098-12-24" in told
    assert "On these days the game does not wait for you" in told
    successful(ann.pbem("status -C savannah"))
    shown = successful(rhea.pbem("status -C savannah")).out
    assert "Bo is away from Wed 2098-12-24" in shown


@pytest.mark.sample(0)
def test_days_of_the_week_in_a_mail(rhea: Person) -> None:
    """The clock of the tests shows Tuesday, 14 November 2023."""
    told = said_to(rhea, "I'm away until Friday\n3, 10")
    assert "to Sat 2023-11-18 00:00 UTC" in told, "all of Friday"
    assert "play: cooperation 3: b1 body" in sealed_lines(rhea)


@pytest.mark.sample(0)
def test_an_absence_is_announced_once_and_the_word_back_ends_it(rhea: Person) -> None:
    """The clock of the tests shows 14 November 2023."""
    mail = turn_mail(rhea)
    for number in range(2):  # as after a kill: nobody has noted the first
        successful(
            receive(rhea, reply(mail, "away until 2 December 2023", Message_ID=f"<{number}@x>"))
        )
    assert "You have already announced this absence." in text_of(answer_mail(rhea))
    assert len(list((rhea.shared / "savannah" / "notices").iterdir())) == 1
    assert "You are not away after all." in said_to(rhea, "I'm back!", mail)
    assert len(list((rhea.shared / "savannah" / "notices").iterdir())) == 2
    assert "UNDERSTOOD" in said_to(rhea, "back\n3", mail)
    assert len(list((rhea.shared / "savannah" / "notices").iterdir())) == 2


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("away over Christmas", "write the days like “away until friday”"),
        ("away until 30 February", "month 2 has no day 30"),
        ("away until 2 January 2020", "the absence ends before it begins"),
        ("away from 1 January 2098 to 1 December 2098", "the absence is too long"),
        ("away until 31 December 9999", "must end before the last day of the year 9999"),
        ("away from 30 December 9999 until friday", "must end before the last day of the year"),
    ],
)
def test_an_absence_in_an_email_that_cannot_count_changes_nothing(rhea, typed, told):
    text = said_to(rhea, f"{typed}\n3")
    assert "PLEASE WRITE AGAIN" in text
    assert told in text
    assert not sealed_lines(rhea)
    assert not list((rhea.shared / "savannah").glob("notices/*"))


def test_small_talk_about_being_away_announces_no_absence(rhea: Person) -> None:
    assert "UNDERSTOOD" in said_to(rhea, "I was away from my desk yesterday!\n3")
    assert not list((rhea.shared / "savannah").glob("notices/*"))


@pytest.mark.sample(0)
def test_an_absence_beside_orders_goes_to_the_referee_with_a_word_on_how_to_announce_it(rhea):
    mail = turn_mail(rhea)
    told = said_to(rhea, "3, 10. By the way, I'm on holiday until December 4.", mail)
    assert "I'm on holiday until December 4." in told
    assert "write the days on a line of their own, for example: away until 2 January." in told
    assert "on a line of their own, for example" not in said_to(
        rhea, "3, 10. When is the deadline?", mail
    )
