"""What became of a seat's orders: audit, status, doctor, mail and host say the same, and nobody is
asked why orders that were replaced do not count."""

import json
from collections.abc import Callable
from pathlib import Path

from pbem.game.archive import open_folder
from pbem.mail.sending import MissingFiles
from tests.cli.games import session_of
from tests.cli.people import NOW, Person, Round

Start = Callable[[str], Round]
HOUR = 3600


def seal(person: Person, number: int = 1) -> str:
    """Seal the card with this number in the hand as food; return the first digits of the id."""
    shown = person.pbem("show -C savannah").out
    hand = next(row for row in shown.splitlines() if "hand:" in row)
    card = hand.split("hand: ")[1].split(" · ")[number]
    said = person.pbem("submit --no-advance -C savannah -", f'food = "{card.strip()}"\n')
    assert said.exit == 0, said.text
    return said.out.partition("SEALED here as ")[2][:6]


def hide(table: Round, pattern: str) -> dict[Path, bytes]:
    """Take away files of orders, as a drive does that holds them back; `bring` returns them."""
    found = {path: path.read_bytes() for path in orders(table).glob(pattern)}
    assert found, pattern
    for path in found:
        path.unlink()
    return found


def bring(files: dict[Path, bytes]) -> None:
    for path, data in files.items():
        path.write_bytes(data)


def orders(table: Round) -> Path:
    return table.shared / "savannah/orders"


def advance(table: Round, hours: int = 1) -> None:
    said = table.person("rhea").pbem(
        "advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + hours * HOUR)
    )
    assert said.exit == 0, said.text


def turn(table: Round, number: int) -> str:
    return (table.shared / f"savannah/turns/{number:04}.toml").read_text("ascii")


# ------------------------------------------------------------------ nobody is accused
def test_nobody_is_asked_why_replaced_orders_do_not_count(game: Start) -> None:
    table = game("begun")
    ann, bo = table.person("ann"), table.person("bo")
    first, _ = seal(bo, 1), seal(bo, 2)
    older = hide(table, f"0001-b-1-{first}.toml")  # by mail, only the newest are sent
    seal(ann)
    advance(table)
    bring(older)
    assert "ask Rhea why" not in bo.pbem("status -C savannah").text
    assert "ask Rhea why" not in bo.pbem("doctor -C savannah").text
    audit = bo.pbem("audit savannah --as b")
    assert (audit.exit, "ask Rhea why" in audit.out) == (0, False), audit.text


def test_nor_after_a_turn_that_only_lists_notices(game: Start) -> None:
    table = game("begun")
    ann, bo = table.person("ann"), table.person("bo")
    first, _ = seal(bo, 1), seal(bo, 2)
    away = hide(table, "0001-b-*")
    assert ann.pbem("notice key -C savannah").exit == 0
    advance(table)
    assert "\n[[log]]" not in turn(table, 2)
    (newest,) = (path for path in away if "-b-2-" in path.name)
    bring({newest: away.pop(newest)})
    seal(ann)
    advance(table, 2)
    assert "\n[[log]]" in turn(table, 3)
    bring(away)
    for line in ("status -C savannah", "doctor -C savannah", "audit savannah --as b"):
        said = bo.pbem(line)
        assert "ask Rhea why" not in said.text, said.text
    told = "no turn lists these orders, because later orders of the same seat replaced them"
    assert told in bo.pbem("audit savannah").out
    assert MissingFiles(open_folder(session_of(bo).folder)).late("b", 0) == []
    assert first in next(iter(away)).name


def test_late_orders_name_the_turn_that_settled_their_questions(game: Start) -> None:
    """Turn 2 only listed a notice: turn 3 was made without Bo's orders."""
    table = game("timed")
    ann, bo = table.person("ann"), table.person("bo")
    digits = seal(bo)
    away = hide(table, "0001-b-*")
    assert ann.pbem("notice key -C savannah").exit == 0
    advance(table)
    seal(ann)
    advance(table, 26)
    assert "\n[[log]]" not in turn(table, 2)
    assert "\n[[log]]" in turn(table, 3)
    bring(away)
    told = f"orders {digits}, which answer turn 1, came too late: turn 3 was made without them"
    assert MissingFiles(open_folder(session_of(bo).folder)).late("b", 0) == [told]
    assert f"orders {digits}" in json.dumps(json.loads(bo.pbem("status --json -C savannah").out))
