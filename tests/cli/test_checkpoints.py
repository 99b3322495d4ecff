"""A turn that has just arrived is read on top of what is known; what does not fit is read anew."""

import os
import shutil
from pathlib import Path

import pytest

from pbem.files.home import Home
from tests.kit.named_games import MIDDLE, play
from tests.kit.selection import pairs


@pytest.fixture
def reads(monkeypatch):
    """The paths of the files that were opened, in order."""
    paths = []
    opened = os.open

    def noted(path, *args, **kwargs):
        paths.append(Path(path))
        return opened(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", noted)
    return paths


@pytest.fixture
def game_with_old_checkpoints(game):
    """Bo and Rhea looked at the turn before the last one of `middle`; then the last one came."""
    table = game("middle")
    table.person("bo").pbem("status -C savannah")
    table.person("rhea").pbem("status -C savannah")
    play(table, MIDDLE + 1)
    return table


def turns_in(paths):
    return sorted({int(path.stem) for path in paths if path.parent.name == "turns"})


def forget(person):
    for snapshots in person.home.glob("snapshots"):
        shutil.rmtree(snapshots)


def turn_file(table, number):
    return table.shared / f"savannah/turns/{number:04}.toml"


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("who", "command"), pairs(["bo", "rhea"], ["status", "show", "log", "since", "check"])
)
def test_with_a_checkpoint_only_the_new_turn_is_read_and_the_output_is_the_same(
    game_with_old_checkpoints, reads, who, command
):
    person = game_with_old_checkpoints.person(who)
    said = person.pbem(f"{command} -C savannah")
    assert turns_in(reads) in ([1, MIDDLE, MIDDLE + 1], [1, MIDDLE + 1])
    forget(person)
    reads.clear()
    assert person.pbem(f"{command} -C savannah") == said
    assert turns_in(reads) == list(range(1, MIDDLE + 2))


@pytest.mark.sample(0)
def test_submit_and_advance_go_on_from_a_checkpoint(game_with_old_checkpoints, reads):
    for person, command in (
        (game_with_old_checkpoints.person("bo"), "submit"),
        (game_with_old_checkpoints.person("rhea"), "advance"),
    ):
        reads.clear()
        person.pbem(f"{command} -C savannah")
        assert turns_in(reads) in ([1, MIDDLE, MIDDLE + 1], [1, MIDDLE + 1])


@pytest.mark.sample(1)
@pytest.mark.parametrize("command", ["audit savannah", "doctor -C savannah"])
def test_audit_and_doctor_hash_every_file_again(game_with_old_checkpoints, reads, command):
    game_with_old_checkpoints.person("bo").pbem("status -C savannah")
    reads.clear()
    assert game_with_old_checkpoints.person("bo").pbem(command).exit == 0
    assert turns_in(reads) == list(range(1, MIDDLE + 2))


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    ("who", "harm"),
    pairs(["bo", "rhea"], ["touched", "changed", "replaced", "gone", "orders gone"]),
)
def test_a_file_that_changed_since_the_checkpoint_is_read_again(
    game_with_old_checkpoints, reads, who, harm
):
    old = turn_file(game_with_old_checkpoints, 3)
    if harm == "touched":
        data = old.read_bytes()
        old.unlink()
        old.write_bytes(data)
    elif harm == "changed":
        old.write_bytes(old.read_bytes().replace(b"turn = 3", b"turn = 4", 1))
    elif harm == "replaced":
        old.write_bytes(turn_file(game_with_old_checkpoints, 4).read_bytes())
    elif harm == "gone":
        old.unlink()
    else:
        next(game_with_old_checkpoints.shared.glob("savannah/orders/0002-*")).unlink()
    person = game_with_old_checkpoints.person(who)
    said = person.pbem("status -C savannah")
    forget(person)
    assert person.pbem("status -C savannah") == said
    if harm == "touched":
        assert turns_in(reads) == list(range(1, MIDDLE + 2))


@pytest.mark.long
def test_another_folder_and_another_key_have_checkpoints_of_their_own(
    game_with_old_checkpoints, reads
):
    shutil.copytree(
        game_with_old_checkpoints.shared / "savannah", game_with_old_checkpoints.shared / "copy"
    )
    game_with_old_checkpoints.person("bo").pbem("show -C copy")
    assert turns_in(reads) == list(range(1, MIDDLE + 2))
    bo, ann = game_with_old_checkpoints.person("bo"), game_with_old_checkpoints.person("ann")
    snapshots = [Home(x.home).snapshots(x.shared / "savannah") for x in (bo, ann)]
    assert all(folder.is_dir() for folder in snapshots)
    for seat in "ab":
        shutil.copy(snapshots[0] / "checkpoint-6-b", snapshots[1] / f"checkpoint-6-{seat}")
    said = ann.pbem("show -C savannah")
    forget(ann)
    assert ann.pbem("show -C savannah") == said


@pytest.mark.long
def test_a_damaged_checkpoint_is_thrown_away(game_with_old_checkpoints):
    bo = game_with_old_checkpoints.person("bo")
    right = bo.pbem("show -C savannah")
    kept = Home(bo.home).snapshots(bo.shared / "savannah") / "checkpoint-6-b"
    whole = kept.read_bytes()
    for data in (
        b"",
        whole[:100],
        whole[:-1],
        whole.replace(b'"turn":', b'"turn": ', 1),
        b"\0" * 99,
    ):
        forget(bo)
        kept.parent.mkdir(parents=True)
        kept.write_bytes(data)
        assert bo.pbem("show -C savannah") == right
