"""Names that strangers choose, on the pages that everybody sees first and last: they are text, they
can be seen, and a page stays as wide as a phone."""

import json
import re

import pytest

from pbem.format.record_error import RecordError
from pbem.host.first_page_of_game import PLACE_FOR_SUMMARY, ArrivalPages
from pbem.judge.make_signed_records import Plan, make_charter
from tests.kit.people import Round, key_of
from tests.kit.phone import DIGITS, OneGame
from tests.kit.table_requests import enter_game

MARKUP = "<img src=x onerror=alert(1)>"
SHOWN_MARKUP = "&lt;img src=x onerror=alert(1)&gt;"
BLANK = "B\u2800"
"""With a letter of braille without a dot: it is no space, and shows nothing."""
REFUSED_NAMES = {
    "turned round": "Ann\u202eoB",
    "an isolate": "A\u2066nn",
    "no width": "\u200b",
    "a filler": "\u3164",
    "200 characters": "x" * 200,
    "two lines": "Ann\nBo",
    "a space": " ",
}


@pytest.mark.parametrize("kind", REFUSED_NAMES)
def test_no_charter_can_have_a_player_name_that_deceives(kind: str) -> None:
    plan = Plan("pond", "Rhea", "evolution", [REFUSED_NAMES[kind], "Bo"])
    with pytest.raises(RecordError, match=r"must be 1 to 40 characters"):
        make_charter(plan, key_of("rhea"), bytes(16))


def first_page(table: Round) -> str:
    games = OneGame(table.shared / "savannah")
    return ArrivalPages(games, PLACE_FOR_SUMMARY).page(games.peek(DIGITS))


def test_hostile_names_are_harmless_from_the_invitation_to_the_end(table: Round) -> None:
    rhea, people = table.person("rhea"), [table.person("ann"), table.person("bo")]
    line = ["new", "savannah", "--referee", "<b>Rhea</b>", "--players", f"{'x' * 40},{BLANK}"]
    made = rhea.pbem([*line, "--title", MARKUP * 2]).checked(0)
    invitation = first_page(table)
    assert f"<h1>&lt;b&gt;Rhea&lt;/b&gt; invites you to play {SHOWN_MARKUP * 2}</h1>" in invitation
    assert f"At the table: {'x' * 40}, B\\u2800." in invitation
    invites = re.findall(r"--invite (\S+)", made.out)
    for person, invite, name in zip(people, invites, (MARKUP, BLANK), strict=True):
        said = person.pbem(["join", "-C", "savannah", "--invite", invite, "--name", name])
        assert said.exit == 0, said.text
    assert rhea.pbem("advance -C savannah").exit == 0
    public_table = first_page(table)
    assert f"<h1>{SHOWN_MARKUP * 2}</h1>" in public_table
    assert "The game waits for &lt;img" in public_table
    for person in people:
        assert person.pbem("notice end -C savannah").exit == 0
    assert rhea.pbem("advance -C savannah").exit == 0
    data = json.loads(people[0].pbem("status -C savannah --json").out)["data"]
    asking, path = enter_game(table, "bo")
    end = asking.get(path).text
    assert data["over"], data
    assert f"{SHOWN_MARKUP}</th>" in end
    for page in (invitation, public_table, end):
        assert not re.search("<img|<b>Rhea", page)
        assert BLANK not in page
