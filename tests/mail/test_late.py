"""Orders that came too late: the player is told by the mail that shows it."""

from pathlib import Path

from tests.kit.people import Person
from tests.mail.meeting import Meeting, bot_answers_standing


def newest_orders_digits(person: Person, seat: str) -> str:
    """Of the last orders that lie in this person's folder."""
    names = sorted(path.name for path in (person.place / "orders").iterdir())
    return next(name for name in reversed(names) if name[5] == seat).split("-")[-1][:6]


def late_game(root: Path) -> tuple[Meeting, str]:
    """Cy's orders for turn 1 come when his deadline is over and turn 2 is made."""
    meeting = Meeting(root)
    line = "new savannah --players Bo,Cy --referee Rhea --deadline 1h"
    made = meeting.rhea.pbem(line)
    invites = [row.split("pbem ")[1] for row in made.out.splitlines() if "--invite" in row]
    meeting.rhea.place = meeting.folder(meeting.rhea)
    meeting.mail(meeting.rhea, "send --to Cy", meeting.cy)
    for person, invite in zip((meeting.bo, meeting.cy), invites, strict=True):
        meeting.sync()
        person.place = meeting.folder(person)
        assert person.pbem(invite).exit == 0
    meeting.mail(meeting.cy, "send", meeting.rhea)
    meeting.sync()
    assert meeting.rhea.pbem("advance").exit == 0
    meeting.mail(meeting.rhea, "send", meeting.cy)
    bot_answers_standing(meeting.cy, "b")
    for person in (meeting.rhea, meeting.bo, meeting.cy):
        person.env["SOURCE_DATE_EPOCH"] = str(1_700_000_000 + 2 * 3600)
    assert meeting.rhea.pbem("advance").exit == 0
    return meeting, newest_orders_digits(meeting.cy, "b")


def test_who_was_late_is_told_by_the_mail_and_by_receive(tmp_path: Path) -> None:
    meeting, late = late_game(tmp_path)
    rhea, cy = meeting.rhea, meeting.cy
    sent = cy.pbem("send --paste").out
    (rhea.shared / "late.eml").write_text(sent)
    got = rhea.pbem(["receive", str(rhea.shared / "late.eml")])
    assert got.exit == 3
    assert "came too late: they answer turn 1" in got.err
    told = f"your orders {late}, which answer turn 1, came too late: turn 2 was made without them"
    said = rhea.pbem("send --to Cy")
    assert f"the bundle tells Cy: “{told}”" in said.err
    bundle = next(rhea.shared.glob("savannah-0002-b.pbem"))
    head = " ".join(bundle.read_text().partition("-----BEGIN")[0].split())
    assert f"Note: {told}." in head
    got = cy.pbem(["receive", str(bundle)])
    assert (got.exit, told in got.out.splitlines()) == (0, True), got.text
    assert "too late" not in cy.pbem(["receive", str(bundle)]).text  # told once
