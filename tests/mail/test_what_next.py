"""Somebody with mail alone asks at each step what to do now: `pbem status` says it."""

from pathlib import Path

import pytest

from tests.kit.people import Person, Round
from tests.mail.meeting import Meeting

FIRST_CARD = '[always]\nfood = ["the card with the least food"]'
SEND = "next: pbem send, then mail the referee the file that it wrote"


def last_line(person: Person) -> str:
    return person.pbem("status").out.splitlines()[-1]


def test_status_says_to_send_a_join_that_was_not_sent_yet(tmp_path: Path) -> None:
    meeting = Meeting(tmp_path)
    made = meeting.rhea.pbem("new savannah --players Bo,Cy --referee Rhea")
    invite = next(row for row in made.out.splitlines() if "savannah:b:" in row).split("pbem ")[1]
    meeting.rhea.place = meeting.folder(meeting.rhea)
    meeting.mail(meeting.rhea, "send --to Cy", meeting.cy)
    meeting.cy.place = meeting.folder(meeting.cy)
    assert SEND in meeting.cy.pbem(invite).out
    assert last_line(meeting.cy) == SEND
    meeting.mail(meeting.cy, "send", meeting.rhea)
    assert last_line(meeting.cy) == "next: wait for the referee to begin"


@pytest.mark.sample(0)
def test_who_typed_send_in_a_shared_folder_is_reminded_only_until_a_turn_took_orders(tmp_path):
    table = Round(tmp_path)
    made = table.person("rhea").pbem("new savannah --players Bo,Cy --referee Rhea")
    people = [table.person("bo"), table.person("cy")]
    for person, seat in zip(people, "ab", strict=True):
        line = next(row for row in made.out.splitlines() if f"savannah:{seat}:" in row)
        person.place = table.shared / "savannah"
        person.pbem(line.split("pbem ")[1])
    rhea, (bo, cy) = table.person("rhea"), people
    rhea.place = table.shared / "savannah"
    rhea.pbem("advance")
    for one in (bo, cy):
        one.pbem("submit -", FIRST_CARD)
    assert "wrote" in bo.pbem("send").out
    rhea.pbem("advance")
    for one in (bo, cy):
        one.pbem("submit -", f'play = ["done"]\n{FIRST_CARD}')
    assert SEND in bo.pbem("status").out
    rhea.pbem("advance")
    assert "turn 3" in bo.pbem("status").out
    sealed = bo.pbem("submit -", FIRST_CARD)
    assert "SEALED here" in sealed.out
    assert SEND not in sealed.out + bo.pbem("status").out


def test_status_says_to_mend_orders_that_answer_nothing_and_then_to_send_them(tmp_path):
    meeting = Meeting(tmp_path)
    meeting.begin()
    assert meeting.rhea.pbem("advance").exit == 0
    meeting.mail(meeting.rhea, "send", meeting.cy)
    cy = meeting.cy
    said = cy.pbem("submit -")
    assert "these orders do not answer food, so you still have to answer" in said.out
    assert last_line(cy) == "next: pbem submit --edit, or pbem play"
    card = next(row for row in cy.pbem("show").out.splitlines() if "hand:" in row)
    answer = f'food = "{card.split("hand: ")[1].split(" · ")[0]}"'
    assert "still asked" not in cy.pbem("submit -", answer).out
    assert last_line(cy) == SEND
    meeting.mail(cy, "send", meeting.rhea)
    assert last_line(cy) == "next: wait for Bo"


@pytest.mark.sample(0)
def test_sealed_orders_are_still_to_be_sent_after_a_turn_that_only_lists_a_notice(tmp_path):
    meeting = Meeting(tmp_path)
    meeting.begin()
    assert meeting.rhea.pbem("advance").exit == 0
    meeting.sync()
    meeting.mail(meeting.rhea, "send", meeting.cy)
    assert meeting.cy.pbem("submit -", FIRST_CARD).exit == 0
    assert meeting.bo.pbem("notice key").exit == 0
    meeting.sync()
    assert "turns/0002.toml" in meeting.rhea.pbem("advance").out
    meeting.mail(meeting.rhea, "send", meeting.cy)
    assert "turn 2" in meeting.cy.pbem("status").out
    assert last_line(meeting.cy) == SEND
    got = meeting.mail(meeting.cy, "send", meeting.rhea)
    assert "too late" not in got.text
    assert "b Cy: SEALED" in meeting.rhea.pbem("status").out
    assert last_line(meeting.cy) == "next: wait for Bo"
