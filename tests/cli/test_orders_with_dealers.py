"""Mode `dealers`: orders typed with cards are sealed with slots, and shown with cards again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.drafts.write_draft import write_draft
from pbem.errors import NOT_YET
from pbem.files.home import Home
from pbem.person.session import Session
from tests.kit.browser_players import bot_plays_at
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
        make_dealt_turn(table, place)
    return place


def make_dealt_turn(table: Round, place: Path) -> None:
    """Hal deals if that is owed, and Rhea makes the next turn."""
    for name in ("hal", "rhea"):
        said = table.person(name).pbem(f"advance -C {place}")
        assert said.exit in (0, NOT_YET), said.text


def hand_of(person: Person, place: Path, seat: str) -> list[str]:
    session = Session(place, seat, home=Home(person.home))
    return list(session.readers.seat(seat).own_table.state.hands[seat])


@pytest.mark.sample(0)
def test_with_dealers_orders_are_typed_and_shown_by_the_names_of_cards(table, dealt_place):
    ann, place = table.person("ann"), dealt_place
    first, second, *_ = hand_of(ann, place, "a")

    def orders(card: str) -> str:
        standing = '[always]\nfeed = ["plants first, then prey"]\n'
        return f'food = ["[{card}]"]\nplay = ["done"]\n\n{standing}'

    ann.pbem(f"submit -C {place} -", stdin=orders(first)).checked(0)
    ann.pbem(f"submit -C {place} -", stdin=orders(first)).checked(0)
    assert len([*place.glob("orders/*")]) == 1, "the same orders are sealed once"
    ann.pbem(f"submit -C {place} -", stdin=orders(second)).checked(0)
    assert sorted(path.name[5:8] for path in place.glob("orders/*")) == ["a-1", "a-2"]
    for path in place.glob("orders/*"):
        assert first.encode() not in path.read_bytes()
    assert "[#" not in output_of(ann, f"status -C {place}")


@pytest.mark.sample(0)
def test_with_dealers_a_draft_can_be_written_after_each_turn(table, dealt_place):
    people = {"a": table.person("ann"), "b": table.person("bo")}
    asking_turns = 0
    for _ in range(12):
        for seat, person in people.items():
            view = Session(dealt_place, seat, home=Home(person.home)).view()
            assert write_draft(view)
            assert not (view.owed and view.awaited)
            if seat in view.awaited:
                bot_plays_at(dealt_place, person, seat)
                asking_turns += 1
        make_dealt_turn(table, dealt_place)
    assert asking_turns > 4
