"""The vectors, the sample's files and the protocol's tables are what the code makes today."""

import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine import Decision
from pbem.judge.absent_seats import absence_of, check_unasked, round_of
from pbem.judge.seat_holders_keys_and_agreements import Standing
from pbem.judge.turn_end_checks import check_deadline, check_silence
from pbem.judge.which_notices_count import after_turn
from pbem.records import record_field_codecs
from tests.kit.sample_records import sample
from tests.records.calendar_sample import CalendarSample, calendar_sample
from tests.vectors import make, tables


def test_the_stored_protocol_vectors_are_those_that_the_code_makes() -> None:
    assert json.loads((make.HERE / "pbem-1.json").read_text("ascii")) == make.vectors()


@pytest.mark.parametrize("name", make.FOLDERS)
def test_the_stored_sample_folders_are_those_that_the_code_makes(name: str) -> None:
    folder, game = make.HERE / name, make.FOLDERS[name]()
    files = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
    assert {n: p.read_bytes() for n, p in files.items()} == {
        n: r.file for n, r in game.records.items()
    }


@pytest.mark.sample(0)
def test_the_tables_of_the_protocol_page_are_made_from_the_code() -> None:
    text = tables.DOCUMENT.read_text("utf-8")
    assert tables.filled(text) == text


def test_a_second_implementation_finds_the_sample_game_right() -> None:
    source = (make.HERE / "second.py").read_text("utf-8")
    assert not re.search(r"(?m)^\s*(import|from) (pbem|tests)", source)  # it would be no second one
    script = [sys.executable, make.HERE / "second.py", make.HERE / "sample"]
    done = subprocess.run(script, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (
        b"right: 12 files, 3 orders, 2 turns, 1 notices, 2 messages\n",
        b"",
    )


def test_a_second_implementation_finds_the_sample_with_calendar_deadlines_right() -> None:
    script = [sys.executable, make.HERE / "second.py", make.HERE / "calendar"]
    done = subprocess.run(script, capture_output=True, check=False, text=True)
    said = "right: 15 files, 1 orders, 6 turns, 4 notices, 0 messages\n"
    assert (done.stdout, done.stderr) == (said, "")


def test_a_second_implementation_agrees_on_consent_waiting_acts_and_new_keys() -> None:
    script = [sys.executable, make.HERE / "second.py", make.HERE / "pbem-1.json"]
    done = subprocess.run(script, capture_output=True, check=False, text=True)
    said = "right: who must agree, how long acts wait, and who has a new key\n"
    assert (done.stdout, done.stderr) == (said, "")


def asking(seat: str) -> Decision:
    return Decision(seat, "feed", lambda: (), default=lambda: "pass")


def test_pbem_finds_the_sample_with_calendar_deadlines_right() -> None:
    """The rules of this game are nobody's, so no reader plays it; but its seats can be followed."""
    game = calendar_sample()
    charter = game.charter.content
    joins = {"a": game.join_a.content, "b": game.join_b.content}
    standing, absence = Standing(charter, joins), absence_of(charter, "ab")
    notices = {record.id: record for record in game.declared}
    last, asked_by, asked = game.turn1.content, 1, "1.feeding.feed.b.0"
    for record in game.turns[1:]:
        turn = record.content
        seen = standing.seeing(absence, 1, turn.time, (last.time, last.deadline), asked_by)
        standing = after_turn(seen, turn, notices.__getitem__, game.heads[: turn.turn])
        accepted = {one.seat for one in turn.orders} | standing.seats_shown(turn.turn)
        absence = replace(
            absence.after_turn(accepted, (), 1), declared_reasons=standing.absence_reasons
        )
        check_silence(
            turn, {one.seat for one in last.awaited}, last.deadline, absence.absence_reasons([])
        )
        absence = absence.after_turn((), turn.silent, round_of(turn.log[0].key) if turn.log else 0)
        for entry in turn.log:
            seat = entry.key.split(".")[3]
            if entry.by in ("default", "bot"):
                check_unasked(absence, entry.key, asking(seat), entry.by)
        pending = [(asked, asking("b"))] if turn.awaited else []
        check_deadline(turn, SimpleNamespace(pending=pending), standing, last.deadline)
        last, asked_by = turn, turn.turn if turn.log else asked_by
    assert absence.absence_reason("b", 4) == "open"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "wrong",
    [
        {"hours": 49}, {"seconds": 3600}, {"seconds": -24 * 3600}, {"away": (20, 121)},
        {"away": (30, 20)}, {"away": (-9, -8)}, {"away": (20, 21)}, {"agreed": "3 days"},
        {"open_by": "default"}, {"silent": ()}, {"silent": ("a", "b")},
    ],
)  # fmt: skip
def test_the_second_implementation_notices_what_the_calendar_forbids(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    make.write_game(type("Wrong", (CalendarSample,), wrong)(), tmp_path / "calendar")
    script = [sys.executable, make.HERE / "second.py", tmp_path / "calendar"]
    done = subprocess.run(script, capture_output=True, check=False, text=True)
    assert done.returncode == 1
    assert "AssertionError" in done.stderr


@pytest.mark.sample(0)
def test_a_second_implementation_opens_a_private_message_for_its_two_people_alone() -> None:
    secrets = {"b": sample().secrets_b.box(sample().game, "b"), "a": sample().audit}
    said = {}
    for seat, secret in secrets.items():
        script = [sys.executable, make.HERE / "second.py", make.HERE / "sample", seat, secret.hex()]
        said[seat] = subprocess.run(script, capture_output=True, check=True, text=True).stdout
    assert said["b"].endswith("2 messages\nThank you for the game.\n")
    assert said["a"].endswith("2 messages\n\n")


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", [n for n in sample().records if n != "final.toml"])
def test_the_second_implementation_notices_a_changed_record(tmp_path: Path, name: str) -> None:
    shutil.copytree(make.HERE / "sample", tmp_path / "sample")
    path = tmp_path / "sample" / name
    body = sample().records[name].signed.body
    changed = body.replace(b'"\n', b'x"\n', 1)
    path.write_bytes(path.read_bytes().replace(body, changed))
    script = [sys.executable, make.HERE / "second.py", tmp_path / "sample"]
    assert subprocess.run(script, capture_output=True, check=False).returncode == 1


@pytest.mark.long
def test_the_invisible_characters_in_the_code_are_those_of_the_protocol() -> None:
    text = tables.DOCUMENT.read_text("utf-8").split("none of U+")[1].split(". Look-alike")[0]
    ranges = [part.split("–") for part in re.sub(r"\s", "", text).split(",")]
    told = {c for r in ranges for c in range(int(r[0], 16), int(r[-1], 16) + 1)}
    shown = re.compile(f"[^{record_field_codecs._INVISIBLE}]").fullmatch
    assert told == {c for c in range(0x110000) if not shown(chr(c))}
