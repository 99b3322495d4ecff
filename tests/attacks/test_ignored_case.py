"""Names that differ from a record's only in case, on a disk that ignores case or does not."""

import pytest

from tests.attacks.ignoring_case import ignoring_case
from tests.cli.game_folders import HOUR, answer_middle
from tests.kit.named_games import MIDDLE
from tests.kit.people import NOW

NEXT = f"{MIDDLE + 1:04}"


def advance_after_deadline(table):
    return table.person("rhea").pbem("advance -C savannah", SOURCE_DATE_EPOCH=str(NOW + HOUR))


@pytest.mark.long
@pytest.mark.parametrize("junk", [b"junk\n", b"\xff" * 100, "link", "folder"])
def test_junk_named_in_capitals_is_set_aside_where_the_disk_ignores_case(game, junk):
    table = game("middle")
    path = answer_middle(table).with_suffix(".TOML")
    if junk == "link":
        path.symlink_to(table.root)
    elif junk == "folder":
        path.mkdir()
    else:
        path.write_bytes(junk)
    with ignoring_case(table.root):
        assert table.person("bo").pbem("status -C savannah").exit == 0
        said = advance_after_deadline(table)
        assert (said.exit, f"made turns/{NEXT}.toml" in said.out) == (0, True), said
        assert f"it is now called turns/{NEXT}.toml.aside-1" in said.err
        assert table.person("bo").pbem("audit savannah").exit == 0
    assert NEXT in {p.stem for p in path.parent.iterdir() if p.suffix == ".toml"}


@pytest.mark.long
def test_a_turn_file_named_in_capitals_counts_where_the_disk_ignores_case(game):
    """Nobody makes a second one in its place, which would be proof against an honest referee."""
    table = game("middle")
    path = answer_middle(table)
    assert advance_after_deadline(table).exit == 0
    data = path.read_bytes()
    path.rename(path.with_suffix(".TOML"))
    with ignoring_case(table.root):
        for name in ("ann", "bo", "eve"):
            said = table.person(name).pbem("status -C savannah")
            assert (said.exit, f"turn {MIDDLE + 1}" in said.out) == (0, True), said
        assert table.person("eve").pbem("audit savannah").exit == 0
        advance_after_deadline(table)
    assert path.with_suffix(".TOML").read_bytes() == data
    assert not path.exists()


def test_a_file_named_in_capitals_changes_nothing_where_the_disk_respects_case(game):
    table = game("middle")
    path = answer_middle(table)
    path.with_suffix(".TOML").write_bytes(b"junk\n")
    said = advance_after_deadline(table)
    assert (said.exit, f"made turns/{NEXT}.toml" in said.out) == (0, True), said
    assert path.with_suffix(".TOML").read_bytes() == b"junk\n"
    assert (
        "the name of this file has capitals" in table.person("bo").pbem("doctor -C savannah").text
    )
