"""The vectors, the sample's files and the protocol's tables are what the code makes today."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.records.fields import schema
from tests.records.sample import sample
from tests.vectors import make, tables


def test_the_known_answers_are_still_the_answers() -> None:
    assert json.loads((make.HERE / "pbem-1.json").read_text("ascii")) == make.vectors()


def test_the_sample_folder_is_the_sample() -> None:
    folder = make.HERE / "sample"
    files = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file()}
    assert {n: p.read_bytes() for n, p in files.items()} == {
        n: r.file for n, r in sample().records.items()
    }


def test_the_tables_of_the_protocol_are_made_from_the_code() -> None:
    text = tables.DOCUMENT.read_text("utf-8")
    assert tables.filled(text) == text


def test_a_second_implementation_finds_the_sample_right() -> None:
    source = (make.HERE / "second.py").read_text("utf-8")
    assert not re.search(r"(?m)^\s*(import|from) (pbem|tests)", source)  # it would be no second one
    script = [sys.executable, make.HERE / "second.py", make.HERE / "sample"]
    done = subprocess.run(script, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (
        b"right: 12 files, 3 orders, 2 turns, 1 notices, 2 messages\n",
        b"",
    )


def test_a_second_implementation_opens_a_private_message_and_nobody_else_does() -> None:
    secrets = {"b": sample().secrets_b.box(sample().game, "b"), "a": sample().audit}
    said = {}
    for seat, secret in secrets.items():
        script = [sys.executable, make.HERE / "second.py", make.HERE / "sample", seat, secret.hex()]
        said[seat] = subprocess.run(script, capture_output=True, check=True, text=True).stdout
    assert said["b"].endswith("2 messages\nThank you for the game.\n")
    assert said["a"].endswith("2 messages\n\n")


@pytest.mark.parametrize("name", [n for n in sample().records if n != "final.toml"])
def test_the_second_implementation_finds_a_changed_record(tmp_path: Path, name: str) -> None:
    shutil.copytree(make.HERE / "sample", tmp_path / "sample")
    path = tmp_path / "sample" / name
    body = sample().records[name].signed.body
    changed = body.replace(b'"\n', b'x"\n', 1)
    path.write_bytes(path.read_bytes().replace(body, changed))
    script = [sys.executable, make.HERE / "second.py", tmp_path / "sample"]
    assert subprocess.run(script, capture_output=True, check=False).returncode == 1


def test_the_invisible_characters_are_those_of_the_protocol() -> None:
    text = tables.DOCUMENT.read_text("utf-8").split("none of U+")[1].split(". Look-alike")[0]
    ranges = [part.split("–") for part in re.sub(r"\s", "", text).split(",")]
    told = {c for r in ranges for c in range(int(r[0], 16), int(r[-1], 16) + 1)}
    shown = re.compile(f"[^{schema._UNSHOWN}]").fullmatch
    assert told == {c for c in range(0x110000) if not shown(chr(c))}
