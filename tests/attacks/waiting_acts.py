"""Acts that wait until whom they concern may object: a thief's key, a seat given away, an end."""

from pbem.judge.notice_kinds import Vouch
from tests.kit.named_games import SEATS
from tests.kit.people import NOW, Person, Round, key_of
from tests.kit.timed_games import DAY, begin_three, play_on, status_data
from tests.notices.forging import put_notice

THIEF = key_of("thief")
STOLEN = Vouch("b", THIEF.public, b"\x50" * 32)


def exit_of_advance(table: Round, now: int) -> int:
    """Run `advance` as Rhea; return its exit code."""
    return table.person("rhea").pbem(f"advance -C savannah --now {now}").exit


def say_notice(table: Round, seat: str, words: str) -> None:
    said = table.person(SEATS[seat]).pbem(f"notice {words} -C savannah")
    assert said.exit == 0, said.text


def name_of_seat(table: Round, seat: str) -> str:
    return str(status_data(table.person("rhea"))["seats"][seat]["name"])


def key_of_seat(table: Round, seat: str) -> bytes:
    """The key that counts for a seat now."""
    from tests.kit.named_games import session_of

    return session_of(table.person("rhea")).game_folder.standing.roster[seat].key


def vouch_for_thief(table: Round, *seats: str, now: int = NOW, after: int = -1) -> None:
    """These players and then Rhea vouch, after this turn, for a key of somebody who says that they
    are Bo."""
    for seat in seats:
        put_notice(table, seat, STOLEN, key_of(SEATS[seat]), after=after)
    put_notice(table, "referee", STOLEN, key_of("rhea"), after=after)
    assert exit_of_advance(table, now) == 0


def give_away_idle_seat(table: Round, more: str = "") -> Person:
    """Bo was silent for so long that the referee gives the seat to Flo; returns the referee."""
    rhea = begin_three(table, f"--idle-after 1 {more}")
    for day in range(1, 40):
        now = NOW + day * DAY
        play_on(table, "ac", turns=1, now=now)
        said = rhea.pbem("notice invite b -C savannah", SOURCE_DATE_EPOCH=str(now))
        if said.exit == 0:
            break
    line = said.out.split("--invite ")[1].split()[0]
    flo = table.person("flo")
    assert flo.pbem(["join", "-C", "savannah", "--name", "Flo", "--invite", line]).exit == 0
    assert exit_of_advance(table, now) == 0
    assert name_of_seat(table, "b") == "Bo", "not before Bo had time to come back"
    return rhea


def end_while_bo_is_idle(table: Round) -> int:
    """Ann and Cy end the game while Bo is idle; returns when that takes effect."""
    rhea = begin_three(table, "--idle-after 1")
    play_on(table, "ac", turns=1, now=NOW + DAY + 1)
    play_on(table, "ac", turns=1, now=NOW + 2 * DAY + 2)
    say_notice(table, "a", "end")
    say_notice(table, "c", "end")
    assert exit_of_advance(table, NOW + 2 * DAY + 60) == 0
    (wait,) = status_data(rhea)["waits"]
    assert (wait["about"], wait["cancels"]) == ("vote", ["b"])
    return int(wait["until"])


def end_of_wait(table: Round) -> int:
    (wait,) = status_data(table.person("rhea"))["waits"]
    return int(wait["until"])
