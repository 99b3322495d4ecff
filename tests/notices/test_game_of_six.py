"""The long game of six: whoever is away, late, gone or lost, the game ends and is proven.

Ann always answers. Bo never does. Cy is always a day late. Di loses her key, and the others vouch
for a new one. Ed leaves, and Flo takes his seat over. Gil always answers. Rhea deals, with a
deadline at eight in the evening of Berlin, across the end of summer time; then her machine is gone,
and Max, her deputy, deals on. Everything goes through commands, with `--now`.
"""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.kit.named_games import answer_as_bot, invite, made, session_of
from tests.kit.people import Person, Round

START = int(datetime(2023, 10, 27, 10, tzinfo=UTC).timestamp())
"""A Friday; on Sunday, 29 October 2023, the clocks of Berlin go back."""
HOUR, DAY = 3600, 86400
SITS = {"a": "ann", "b": "bo", "c": "cy", "d": "di", "e": "ed", "f": "gil"}


class Six:
    """The game and its people; `now` is what all clocks say."""

    def __init__(self, table: Round) -> None:
        self.table, self.now, self.sits, self.referee = table, START, dict(SITS), "rhea"
        line = self.who("max").pbem("keys deputy").out.strip()
        rule = "--deadline 'every day 20:00 Europe/Berlin, at least 12h'"
        made(
            table,
            f"--players Ann,Bo,Cy,Di,Ed,Gil --referee Rhea --game classroom {rule} "
            f"--deputy Max={line} --deputy-after 3d",
        )
        for seat, name in SITS.items():
            said = self.who(name).pbem(["join", "-C", "savannah", "--invite", invite(table, seat)])
            assert said.exit == 0, said.text
        self.deadlines: list[int] = []
        self.held_back: list[tuple[Path, bytes]] = []

    def who(self, name: str) -> Person:
        return self.table.person(name)

    def type(self, name: str, line: str | list[str], exit_: int = 0) -> str:
        """Somebody types a command in the game; returns what it printed."""
        words = line.split() if isinstance(line, str) else line
        said = self.who(name).pbem([*words, "-C", "savannah"], SOURCE_DATE_EPOCH=str(self.now))
        assert said.exit == exit_, said.text
        return said.out

    def advance(self, more: str = "") -> bool:
        """The referee makes a turn if that is possible; whether the game is over."""
        line = ["advance", "-C", "savannah", "--json", "--now", str(self.now), *more.split()]
        said = self.who(self.referee).pbem(line)
        assert said.exit in (0, 5), said.text
        data = json.loads(said.out)["data"]
        turn = self.status()
        self.deadlines.append(turn["deadline"])
        if said.exit == 5:
            self.now = max(self.now + HOUR, turn["deadline"])
        return bool(data["over"])

    def status(self) -> dict[str, object]:
        data: dict[str, object] = json.loads(self.type("ann", "status --json"))["data"]
        return data

    def answer(self, *seats: str) -> None:
        """These seats answer what they are asked."""
        for seat in seats:
            session = session_of(self.who(self.sits[seat]))
            answer_as_bot(session, seat)

    def answer_late(self, seat: str) -> None:
        """The seat answers, but its orders come only once the next turn is made."""
        for path, file in self.held_back:
            path.write_bytes(file)
        before = set((self.table.shared / "savannah" / "orders").glob("*"))
        self.answer(seat)
        new = set((self.table.shared / "savannah" / "orders").glob("*")) - before
        self.held_back = [(path, path.read_bytes()) for path in new]
        for path in new:
            path.unlink()

    def turns(self, number: int, *seats: str) -> bool:
        """So many attempts to make a turn; these seats answer in time, and Cy too late."""
        for _ in range(number):
            self.answer(*seats)
            self.answer_late("c")
            self.now += HOUR
            if self.advance():
                return True
        return False

    def ready(self, seat: str) -> str:
        """What `status` says about a seat."""
        seats = self.status()["seats"]
        assert isinstance(seats, dict)
        return str(seats[seat]["ready"])


@pytest.mark.long
def test_a_game_of_six_ends_and_is_proven(table: Round) -> None:
    six = Six(table)
    six.advance()
    while six.ready("b") != "IDLE":
        six.turns(1, "a", "d", "e", "f")
    di_loses_her_key(six)
    six.turns(2, "a", "d", "e", "f")
    ed_is_replaced(six)
    six.turns(1, "a", "d", "e", "f")
    clocks = {datetime.fromtimestamp(at, UTC).hour for at in six.deadlines if at}
    assert clocks == {18, 19}  # eight in Berlin, before and after the clocks went back
    max_takes_over(six)
    assert six.turns(200, "a", "d", "e", "f")
    log = six.type("ann", "log")
    for told in ("gives up seat e", "Di has a new key", "the deputy takes over"):
        assert told in log
    turns = (six.table.shared / "savannah" / "turns").glob("*")
    assert any('reason = "late"' in turn.read_text() for turn in turns)
    said = six.who("ann").pbem("audit savannah --as a")
    assert (said.exit, "Proven" in said.out) == (0, True), said.text
    assert "broken:" not in said.out


def di_loses_her_key(six: Six) -> None:
    said = json.loads(six.type("dilost", "notice key --lost --as d --json"))
    line = said["data"]["line"]
    for name in ("ann", "cy", "ed", "gil"):  # nobody needs Bo, who is idle
        six.type(name, ["notice", "vouch", "--yes", line])
    six.type("rhea", ["notice", "vouch", "--yes", line])
    six.advance()
    six.now += 3 * DAY  # whoever has the old key could cancel the change until then
    six.turns(1, "a", "e", "f")
    assert session_of(six.who("dilost")).seat == "d"
    six.sits["d"] = "dilost"


def ed_is_replaced(six: Six) -> None:
    six.type("ed", "notice leave --yes")
    six.turns(3, "a", "d", "f")
    line = json.loads(six.type("rhea", "notice invite e --json"))["data"]["invite"]
    six.type("flo", ["join", "--name", "Flo", "--invite", line])
    six.sits["e"] = "flo"
    six.advance()
    assert "e Flo" in six.type("ann", "status")


def max_takes_over(six: Six) -> None:
    six.now += 6 * DAY
    six.referee = "max"
    six.advance("--take-over")
