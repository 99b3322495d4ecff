"""Mode `dealers`: orders typed with cards are sealed with slots, and shown with cards again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.files.home import Home
from pbem.person.session import Session
from tests.kit.people import Person, Round, output_of

ASKING_TURN = 3


@pytest.fixture
def dealt_place(table: Round) -> Path:
    """The folder of a game of Ann and Bo, whose cards Rhea and Hal hide; turn 3 asks for food."""
    rhea, hal = table.person("rhea"), table.person("hal")
    line = re.search(r"co-dealer:\S+", output_of(hal, "keys co-dealer"))[0]
    made = output_of(rhea, f"new savannah --players Ann,Bo --game evolution --co-dealer Hal={line}")
    place = table.shared / "savannah"
    for name, invite in re.findall(r"(\w+):  pbem join .*--invite (\S+)", made):
        output_of(table.person(name.lower()), f"join -C {place} --invite {invite}")
    for _ in range(ASKING_TURN):
        output_of(hal, f"advance -C {place}")
        output_of(rhea, f"advance -C {place}")
    return place


def hand_of(person: Person, place: Path, seat: str) -> list[str]:
    session = Session(place, seat, home=Home(person.home))
    return list(session.readers.seat(seat).own_table.state.hands[seat])


def test_orders_are_changed_and_shown_by_the_names_of_cards(
    table: Round, dealt_place: Path
) -> None:
    ann, place = table.person("ann"), dealt_place
    first, second, *_ = hand_of(ann, place, "a")

    def orders(card: str) -> str:
        return f'food = ["[{card}]"]\nplay = ["done"]\n\n[always]\nfeed = ["plants first, then prey"]\n'

    said = ann.pbem(f"submit -C {place} -", stdin=orders(first))
    assert said.exit == 0, said.text
    again = ann.pbem(f"submit -C {place} -", stdin=orders(first))
    assert again.exit == 0, again.text
    assert len([*place.glob("orders/*")]) == 1, "the same orders are sealed once"
    changed = ann.pbem(f"submit -C {place} -", stdin=orders(second))
    assert changed.exit == 0, changed.text
    assert sorted(path.name[5:8] for path in place.glob("orders/*")) == ["a-1", "a-2"]
    for path in place.glob("orders/*"):
        assert first.encode() not in path.read_bytes()
    assert "[#" not in output_of(ann, f"status -C {place}")
