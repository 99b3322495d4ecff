"""People who play on with bots' answers, so that a test can get to the moment it is about."""

import json
from typing import Any

from pbem.cli.orders.seal_orders import send
from pbem.cli.turns.bot_players import bot_texts
from tests.cli.games import SEATS, session_of
from tests.cli.people import NOW, Person, Round


def answer_all(table: Round, seats: str) -> None:
    """Each of these seats answers whatever it is asked."""
    for seat in seats:
        person = session_of(table.person(SEATS[seat]))
        person.refresh()
        reader = person.reader(seat)
        if seat in reader.awaited and not reader.over:
            send(person, reader, seat, bot_texts(reader, "greedy"))


def play_on(table: Round, seats: str, turns: int = 500, now: int = NOW) -> None:
    """Make so many turns, or play to the end; these seats answer, nobody else does."""
    rhea = table.person("rhea")
    for _ in range(turns):
        answer_all(table, seats)
        said = rhea.pbem(f"advance -C savannah --json --now {now}")
        assert said.exit == 0, said.text
        if json.loads(said.out)["data"]["over"]:
            return
    assert turns < 500


def status_data(person: Person) -> dict[str, Any]:
    """What `status --json` says."""
    said = person.pbem("status -C savannah --json")
    assert said.exit == 0, said.text
    data: dict[str, Any] = json.loads(said.out)["data"]
    return data
