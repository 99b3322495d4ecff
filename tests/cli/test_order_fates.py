"""What became of a seat's orders: audit, status, doctor, mail and host say the same, and nobody is
asked why orders that were replaced do not count."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.mail.unsent_records import UnsentRecords
from pbem.records.read_and_sign_record import make
from tests.cli.game_folders import turn_file_text
from tests.kit.named_games import session_of
from tests.kit.people import NOW, Person, Round, key_of, unchanged
from tests.kit.record_files import archive_of, record_at

Start = Callable[[str], Round]
HOUR = 3600


def seal(person: Person, number: int = 1) -> str:
    """Seal the card with this number in the hand as food; return the first digits of the id."""
    shown = person.pbem("show -C savannah").out
    hand = next(row for row in shown.splitlines() if "hand:" in row)
    card = hand.split("hand: ")[1].split(" · ")[number]
    said = person.pbem("submit --no-advance -C savannah -", f'food = "{card.strip()}"\n').checked(0)
    return said.out.partition("SEALED here as ")[2][:6]


def hide(table: Round, pattern: str) -> dict[Path, bytes]:
    """Take away files of orders, as a drive does that holds them back; `bring` returns them."""
    found = {path: path.read_bytes() for path in orders_folder(table).glob(pattern)}
    assert found, pattern
    for path in found:
        path.unlink()
    return found


def bring(files: dict[Path, bytes]) -> None:
    for path, data in files.items():
        path.write_bytes(data)


def orders_folder(table: Round) -> Path:
    return table.shared / "savannah/orders"


def advance_after(table: Round, hours: int = 1) -> None:
    said = table.person("rhea").pbem(
        "advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + hours * HOUR)
    )
    assert said.exit == 0, said.text


@pytest.mark.sample(0)
def test_nobody_is_told_to_ask_why_replaced_orders_do_not_count(game: Start) -> None:
    table = game("begun")
    ann, bo = table.person("ann"), table.person("bo")
    first, _ = seal(bo, 1), seal(bo, 2)
    older = hide(table, f"0001-b-1-{first}.toml")  # by mail, only the newest are sent
    seal(ann)
    advance_after(table)
    bring(older)
    assert "ask Rhea why" not in bo.pbem("status -C savannah").text
    assert "ask Rhea why" not in bo.pbem("doctor -C savannah").text
    audit = bo.pbem("audit savannah --as b")
    assert (audit.exit, "ask Rhea why" in audit.out) == (0, False), audit.text


@pytest.mark.sample(0)
def test_nobody_is_told_to_ask_why_after_a_turn_that_only_lists_notices(game: Start) -> None:
    table = game("begun")
    ann, bo = table.person("ann"), table.person("bo")
    first, _ = seal(bo, 1), seal(bo, 2)
    away = hide(table, "0001-b-*")
    assert ann.pbem("notice key -C savannah").exit == 0
    advance_after(table)
    assert "\n[[log]]" not in turn_file_text(table, 2)
    (newest,) = (path for path in away if "-b-2-" in path.name)
    bring({newest: away.pop(newest)})
    seal(ann)
    advance_after(table, 2)
    assert "\n[[log]]" in turn_file_text(table, 3)
    bring(away)
    for line in ("status -C savannah", "doctor -C savannah", "audit savannah --as b"):
        said = bo.pbem(line)
        assert "ask Rhea why" not in said.text, said.text
    assert "stray: " not in bo.pbem("audit savannah").out, "he changed his mind"
    assert UnsentRecords(archive_of(session_of(bo).folder)).late_order_sentences("b", 0) == []
    assert first in next(iter(away)).name


@pytest.mark.sample(0)
def test_late_orders_name_the_turn_that_settled_their_questions(game: Start) -> None:
    """Turn 2 only listed a notice: turn 3 was made without Bo's orders."""
    table = game("timed")
    ann, bo = table.person("ann"), table.person("bo")
    digits = seal(bo)
    away = hide(table, "0001-b-*")
    assert ann.pbem("notice key -C savannah").exit == 0
    advance_after(table)
    seal(ann)
    advance_after(table, 26)
    assert "\n[[log]]" not in turn_file_text(table, 2)
    assert "\n[[log]]" in turn_file_text(table, 3)
    bring(away)
    told = f"orders {digits}, which answer turn 1, came too late: turn 3 was made without them"
    assert UnsentRecords(archive_of(session_of(bo).folder)).late_order_sentences("b", 0) == [told]
    assert f"orders {digits}" in json.dumps(json.loads(bo.pbem("status --json -C savannah").out))


@pytest.mark.sample(0)
def test_older_orders_that_a_cloud_drive_returns_late_never_replace_newer_ones(game: Start) -> None:
    table = game("begun")
    ann, bo = table.person("ann"), table.person("bo")
    seal(bo, 1), seal(bo, 2)
    away = hide(table, "0001-b-*")
    last = seal(bo, 3)
    assert (orders_folder(table) / f"0001-b-3-{last}.toml").exists(), "the third revision"
    bring(away)
    seal(ann)
    advance_after(table)
    said = bo.pbem("status -C savannah --json")
    assert json.loads(said.out)["data"]["notes"] == []
    listed = turn_file_text(table, 2)
    accepted = [row for row in listed.split("[[orders]]") if 'status = "accepted"' in row]
    assert [row for row in accepted if f'id = "{last}' in row], listed
    assert bo.pbem("audit savannah --as b").exit == 0


COMMANDS = ("status", "since", "show", "log", "orders", "check", "send", "doctor")


@pytest.mark.sample(3)
@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_puts_missing_last_orders_back_and_says_so(game: Start, line: str) -> None:
    table = game("begun")
    bo = table.person("bo")
    bo.pbem("orders -C savannah")
    older, last = seal(bo, 1), seal(bo, 2)
    away = hide(table, "0001-b-*")
    told = f"your orders {last} (revision 2) for turn 1 were missing from the folder"
    audit = bo.pbem("audit savannah --as b")
    assert (audit.exit, f"ask: orders/0001-b-2-{last}.toml: your orders" in audit.out) == (1, True)
    said = bo.pbem(f"{line} -C savannah")
    assert said.text.count(f"{told}; pbem has put the orders back") == 1, said.text
    path = orders_folder(table) / f"0001-b-2-{last}.toml"
    assert path.read_bytes() == away[path]
    assert not [*orders_folder(table).glob(f"*{older}*")], "never an older one"
    assert told not in bo.pbem(f"{line} -C savannah").text
    assert bo.pbem("audit savannah --as b").exit == 0


def test_a_note_that_orders_were_put_back_goes_when_the_folder_is_read_again(game: Start) -> None:
    """The page of a table keeps its session: an old note would stay there all evening."""
    table = game("begun")
    bo = table.person("bo")
    seal(bo)
    hide(table, "0001-b-*")
    session = session_of(bo)
    session.view()
    assert [note.event for note in session.order_notes] == ["put_back"]
    session.view()
    assert len(session.order_notes) == 1, "nothing was read again"
    session.refresh()
    session.view()
    assert session.order_notes == []


def test_damaged_last_orders_are_put_back_and_what_was_there_is_kept(game: Start) -> None:
    table = game("begun")
    bo = table.person("bo")
    path = orders_folder(table) / f"0001-b-1-{seal(bo)}.toml"
    right = path.read_bytes()
    path.write_bytes(right[:500])
    assert "pbem has put the orders back" in bo.pbem("status -C savannah").err
    assert path.read_bytes() == right
    assert [one for one in orders_folder(table).iterdir() if one.read_bytes() == right[:500]]


def test_status_goes_on_where_missing_orders_cannot_be_put_back(game: Start) -> None:
    table = game("begun")
    bo = table.person("bo")
    seal(bo)
    hide(table, "0001-b-*")
    orders_folder(table).rmdir()
    orders_folder(table).write_bytes(b"")  # no folder can be made here
    bo.pbem("status -C savannah").checked(0, err="and pbem cannot put the orders back now: ")


def test_orders_of_a_settled_turn_are_not_put_back(game: Start) -> None:
    table = game("timed")
    ann, bo = table.person("ann"), table.person("bo")
    seal(ann), seal(bo)
    hide(table, "0001-b-*")
    advance_after(table, 26)
    with unchanged(table.shared):
        assert "put the orders back" not in bo.pbem("status -C savannah").text


@pytest.mark.sample(0)
def test_a_player_is_told_when_the_orders_of_their_other_computer_count(game: Start) -> None:
    table = game("begun")
    bo = table.person("bo")
    other = replace(bo, home=table.root / "home/laptop")
    other.import_key()
    first = seal(bo, 1)
    away = hide(table, "0001-b-*")
    second = seal(other, 2)
    bring(away)
    counts, _last = sorted((first, second))
    loser, winner = (bo, other) if counts == second else (other, bo)
    told = f"do not count for turn 1: other orders of yours, {counts} (revision 1), do"
    for line in ("status", "since", "show"):
        said = loser.pbem(f"{line} -C savannah")
        assert said.err.count(told) == 1, said.text
        assert "other orders of yours" not in winner.pbem(f"{line} -C savannah").text
    notes = json.loads(loser.pbem("status --json -C savannah").out)["data"]["notes"]
    assert [note for note in notes if told in note]
    third = seal(loser, 3)
    assert (orders_folder(table) / f"0001-b-2-{third}.toml").exists()
    assert "other orders of yours" not in loser.pbem("status -C savannah").text
    told = f"do not count for turn 1: other orders of yours, {third} (revision 2), do"
    assert told in winner.pbem("show -C savannah").err
    winner.pbem("audit savannah --as b").checked(1, out=f"because your orders {third}")
    hide(table, f"0001-b-1-{counts}*")
    findings = " ".join(winner.pbem("audit savannah --as b").out.split())
    subject = f"your orders {counts} (revision 1) for turn 1"
    assert (
        f"{subject} are missing from this folder, but are the last orders that you sealed"
    ) in findings
    assert f"{subject} have no effect, because your orders {third}" in findings


def come_back(table: Round) -> tuple[Path, str]:
    """A turn that only lists a notice has accepted Bo's second orders; then the first come back."""
    ann, bo = table.person("ann"), table.person("bo")
    seal(bo, 1)
    last = seal(bo, 2)
    away = hide(table, "0001-b-1-*")
    assert ann.pbem("notice key -C savannah").exit == 0
    advance_after(table)
    assert "\n[[log]]" not in turn_file_text(table, 2)
    assert f'id = "{last}' in turn_file_text(table, 2)
    bring(away)
    seal(ann)
    advance_after(table, 2)
    (back,) = away
    return back, last


@pytest.mark.sample(0)
def test_orders_in_force_are_not_replaced_by_older_ones_that_come_back(game: Start) -> None:
    table = game("begun")
    back, _ = come_back(table)
    rows = turn_file_text(table, 3).split("[[orders]]")
    (row,) = (one for one in rows if f'id = "{back.stem[-6:]}' in one)
    assert 'status = "replaced"' in row, row
    for name, words in (("bo", "audit savannah --as b"), ("eve", "audit savannah")):
        assert table.person(name).pbem(words).exit == 0


@pytest.mark.sample(0)
def test_a_referee_who_takes_older_orders_instead_of_those_in_force_is_caught(game: Start) -> None:
    table = game("begun")
    back, _ = come_back(table)
    path = table.shared / "savannah/turns/0003.toml"
    honest = record_at(path).content
    lie = [
        replace(one, status="accepted") if one.id.hex().startswith(back.stem[-6:]) else one
        for one in honest.orders
    ]
    path.write_bytes(make(replace(honest, orders=tuple(lie)), key_of("rhea")).file)
    audit = table.person("eve").pbem("audit savannah").checked(4, out="accepts orders")
    assert "although the orders that the seat had before still count" in audit.out


@pytest.mark.sample(0)
def test_nobody_is_told_to_ask_why_if_a_turn_lists_replaced_orders_as_late(game: Start) -> None:
    """They come back after the turn that took newer ones: the next turn lists them as late."""
    table = game("begun")
    ann, bo = table.person("ann"), table.person("bo")
    first, _ = seal(bo, 1), seal(bo, 2)
    away = hide(table, f"0001-b-1-{first}.toml")
    seal(ann)
    advance_after(table)
    bring(away)
    bo.pbem("submit -C savannah -", 'play = ["done"]\n').checked(0)
    advance_after(table, 2)
    assert 'reason = "late"' in turn_file_text(table, 3)
    for line in ("status -C savannah", "doctor -C savannah", "audit savannah --as b"):
        said = bo.pbem(line)
        assert "ask Rhea why" not in said.text, said.text
        assert "too late" not in said.text, said.text
