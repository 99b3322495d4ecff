"""Status, list, calendar and the page of the table say the same about whose move it is; and nobody
but the referee can see whether somebody's earlier orders answer."""

import json
import re
from pathlib import Path

import pytest

from pbem.format.openssh_key_files import write_key
from tests.kit.named_games import game_id, invite
from tests.kit.people import NOW, TABLE, Person, Round, key_of, stdout_of
from tests.kit.table_requests import Asking

ROUND = """play = "done"
leaf = "done"
think = "done"
feed = "plants first, then prey"
"""
ALWAYS = f"""[always]
food = "the card with the least food"
pay = "the card with the least food"
{ROUND}"""
UNLESS = "unless their earlier orders are enough"


def begin_four(root: Path) -> Round:
    """Rhea deals to Ann, Bobby, Cy and Di, who are all asked for a food card."""
    table = Round(root)
    line = "new savannah --players Ann,Bobby,Cy,Di --referee Rhea --deadline 24h --as-printed"
    stdout_of(table.person("rhea"), f"{line} --table {TABLE}")
    for seat, name in zip("abcd", ("ann", "bobby", "cy", "di"), strict=True):
        stdout_of(table.person(name), ["join", "-C", "savannah", "--invite", invite(table, seat)])
    stdout_of(table.person("rhea"), "advance -C savannah")
    return table


def food(person: Person) -> str:
    """An answer to the question for the food card."""
    draft = Path(stdout_of(person, "orders -C savannah").splitlines()[0])
    lines = re.findall(r'^    # "([^"]*)"', draft.read_text("utf-8"), re.M)
    draft.unlink()
    return f"food = {json.dumps(lines[:1])}\n"


def second_round(root: Path, standing: str = "ac") -> Round:
    """Everybody is asked for a food card again; earlier orders of the seats `standing` answer."""
    table = begin_four(root)
    for seat, name in zip("abcd", ("ann", "bobby", "cy", "di"), strict=True):
        person = table.person(name)
        more = ALWAYS if seat in standing else ""
        stdout_of(person, "submit -C savannah -", food(person) + ROUND + more)
    stdout_of(table.person("rhea"), "advance -C savannah")
    assert all(
        one["asked"] == ["food"] for one in status_json(table.person("rhea"))["seats"].values()
    )
    return table


def status_json(person: Person) -> dict[str, object]:
    return json.loads(stdout_of(person, "status -C savannah --json"))["data"]


def entered_table(table: Round, name: str) -> Asking:
    """The table of a person, entered."""
    asking = Asking(table.person(name).home, table.shared / "savannah")
    assert asking.enter().status == asking.get("/").status == 200
    return asking


def heading_and_box(table: Round, name: str) -> tuple[str, str]:
    """What the page of the game says above the table, and beside the plan."""
    text = entered_table(table, name).get(f"/game/{game_id(table)[:12]}").text
    (heading,) = re.findall(r'class="who-waits">(.*?)</span>\n<span class="where"', text)
    heading = re.sub("<[^>]*>", "", heading)
    return heading, " ".join(re.findall(r'class="state">(.*?)</p>', text))


@pytest.mark.long
def test_nobody_is_called_missing_whose_earlier_orders_may_answer(tmp_path: Path) -> None:
    table = second_round(tmp_path)
    rhea, bobby, cy = (table.person(name) for name in ("rhea", "bobby", "cy"))
    told = stdout_of(bobby, "status -C savannah")
    assert "  c Cy: ASKED for food\n" in told
    assert "  b Bobby (you): MISSING, asked for food\n" in told
    people = "Bobby, and also for Ann, Cy and Di, unless the earlier orders of Ann, Cy and Di"
    then = f"then made for {people} are enough (for you: "
    assert f"if nothing changes, the least harmful choice is {then}" in told
    assert status_json(bobby)["seats"]["c"]["ready"] == "ASKED"
    told = stdout_of(rhea, "status -C savannah")
    assert "  c Cy: STANDING, asked for food\n" in told
    assert "  d Di: MISSING, asked for food\n" in told
    assert "then made for Bobby and Di\nnext: wait for Bobby and Di, then pbem advance\n" in told
    assert "the game is waiting for Bobby and Di" in " ".join(stdout_of(rhea, "list").split())
    told = stdout_of(cy, "status -C savannah")
    assert "  c Cy (you): STANDING, asked for food\n" in told
    assert told.endswith(f"next: wait for Ann, Bobby and Di, {UNLESS}\n")
    assert "YOUR MOVE" in stdout_of(bobby, "list")
    assert "YOUR MOVE" not in stdout_of(cy, "list")


def test_a_player_who_alone_is_asked_and_has_not_answered_is_called_missing(tmp_path: Path) -> None:
    """A turn ends only when somebody who is asked has not answered: that is no secret."""
    table = begin_four(tmp_path)
    for name in ("ann", "bobby", "cy"):
        stdout_of(table.person(name), "submit -C savannah -", ALWAYS)
    stdout_of(table.person("di"), "submit -C savannah -", food(table.person("di")))
    stdout_of(table.person("rhea"), "advance -C savannah")
    told = stdout_of(table.person("ann"), "status -C savannah")
    assert "  d Di: MISSING, asked for play\n" in told
    assert told.endswith("then made for Di\nnext: wait for Di\n")


@pytest.mark.long
def test_others_cannot_see_whether_earlier_orders_answer(tmp_path: Path) -> None:
    said = []
    for root, standing in ((tmp_path / "always", "ac"), (tmp_path / "once", "a")):
        table = second_round(root, standing)
        words = {
            seat: one["ready"] for seat, one in status_json(table.person("rhea"))["seats"].items()
        }
        assert words["c"] == ("STANDING" if "c" in standing else "MISSING")
        for name in ("bobby", "di"):
            person = table.person(name)
            printed = [
                stdout_of(person, line) for line in ("status -C savannah", "list", "calendar")
            ]
            printed += [*heading_and_box(table, name), stdout_of(table.person("rhea"), "calendar")]
            text = "\n".join(line for line in printed if line).replace(str(root), "")
            said.append(re.sub(r"(?m)^head .*$|\b[0-9a-f]{6,}\b", "", text))
    assert said[:2] == said[2:]


@pytest.mark.sample(0)
def test_the_heading_of_a_page_agrees_with_the_box_beside_the_plan(tmp_path: Path) -> None:
    table = second_round(tmp_path)
    bobby, di = table.person("bobby"), table.person("di")
    stdout_of(bobby, "submit -C savannah -", food(bobby))
    heading, box = heading_and_box(table, "cy")
    assert heading == "Perhaps waiting for Ann and Di"
    assert f"then made for Ann and Di, {UNLESS}" in box
    assert heading_and_box(table, "rhea")[0] == "Waiting for Di"
    stdout_of(di, "submit -C savannah -", 'play = "done"\n')  # no answer
    heading, box = heading_and_box(table, "di")
    assert heading == "Your move; perhaps the game is also waiting for Ann and Cy"
    assert "You still have to answer: the card for the Watering Hole." in box
    assert "Your orders are sealed." not in box
    assert heading_and_box(table, "rhea")[0] == "Waiting for Di"
    stdout_of(di, "submit -C savannah -", food(di))
    assert heading_and_box(table, "rhea")[0] == "All orders are here: Rhea makes the next turn"


@pytest.mark.sample(0)
def test_the_heading_of_a_page_says_whose_move_it_is(tmp_path: Path) -> None:
    table = begin_four(tmp_path)
    waits = "Your move; the game is also waiting for Ann, Cy and Di"
    assert heading_and_box(table, "bobby")[0] == waits
    for name in ("ann", "cy", "di"):
        stdout_of(table.person(name), "submit -C savannah -", ALWAYS)
    assert heading_and_box(table, "bobby")[0] == "Your move"
    assert heading_and_box(table, "ann")[0] == "Waiting for Bobby"


@pytest.mark.sample(0)
def test_an_open_page_notices_that_the_deadline_has_passed(tmp_path, monkeypatch):
    table = begin_four(tmp_path)
    asking, address = entered_table(table, "ann"), f"/game/{game_id(table)[:12]}"
    asking.get(address)
    before = asking.get(f"{address}/live").text
    assert asking.get(f"{address}/live").text == before
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOW + 25 * 3600))
    after = asking.get(f"{address}/live").text
    assert after != before
    assert asking.get(f"{address}/live").text == after
    assert "The deadline has passed" in asking.get(address).text
    told = "Your move; the game is also waiting for Bobby, Cy and Di"
    assert heading_and_box(table, "ann")[0] == told
    stdout_of(table.person("ann"), "submit -C savannah -", food(table.person("ann")))
    told = "The deadline has passed: Rhea can make the next turn now"
    assert heading_and_box(table, "ann")[0] == told


@pytest.mark.long
def test_a_message_that_since_has_shown_is_not_called_new(tmp_path: Path) -> None:
    table = begin_four(tmp_path)
    ann, bobby = table.person("ann"), table.person("bobby")
    stdout_of(ann, "since -C savannah")  # so that a view is kept that needs no key
    stdout_of(bobby, ["tell", "-C", "savannah", "one"])
    stdout_of(bobby, ["tell", "-C", "savannah", "two"])
    assert "note: 2 new messages" in stdout_of(ann, "status -C savannah")
    assert "Bobby (b) says: one\n  Bobby (b) says: two" in stdout_of(ann, "since -C savannah")
    assert "new message" not in stdout_of(ann, "status -C savannah")
    stdout_of(bobby, ["tell", "-C", "savannah", "three"])
    stdout_of(bobby, ["tell", "-C", "savannah", "--to", "ann", "four"])
    (ann.home / "profiles/default/key").write_bytes(write_key(key_of("ann"), b"secret"))
    assert "Bobby (b) says: three" in stdout_of(ann, "since -C savannah")
    assert "new message" not in stdout_of(ann, "status -C savannah")
    (tmp_path / "word").write_text("secret")
    word = f"--passphrase-file {tmp_path / 'word'}"
    assert "note: 1 new message;" in stdout_of(ann, f"status -C savannah {word}")
    assert "Bobby (b) to you: four" in stdout_of(ann, f"since -C savannah {word}")
    assert "new message" not in stdout_of(ann, f"status -C savannah {word}")
