"""Only the modules that make and open places ask for their kinds; all others for capabilities."""

import re
import tomllib

import pytest

from tests.house.source import ROOT, Module, modules

FACTORY = ("pbem/files/game_folder_places.py", "pbem/files/open_game_folder.py")
KIND_PATTERN = re.compile(
    r"\.scheme\b|isinstance\([^()]*\bPath\b|\bis_on_host\b"
    r"|\b(?:isinstance\([^()]*|case )\b(?:Disk|Store|Host)Place\b"
)


def lines_that_ask_for_a_kind(module: Module) -> list[str]:
    return [
        f"{module.path}:{number}: {line.strip()}"
        for number, line in enumerate(module.text.splitlines(), 1)
        if KIND_PATTERN.search(line)
    ]


@pytest.mark.sample(0)
def test_only_the_factory_asks_of_which_kind_a_place_is():
    asking = [m for m in modules() if m.path not in FACTORY]
    assert not [line for m in asking for line in lines_that_ask_for_a_kind(m)]


@pytest.mark.parametrize(
    ("line", "is_seen"),
    [
        ("if isinstance(session.place, Path):", True),
        ('if place.scheme == "s3":', True),
        ("    if is_on_host(place):", True),
        ("isinstance(place, HostPlace)", True),
        ("case StorePlace():", True),
        ("if place.is_remote:", False),
        ("if isinstance(folder, HostFolder):", False),
        ("DiskPlace(Path(path))", False),
    ],
)
def test_code_that_asks_of_which_kind_a_place_is_is_seen(line: str, is_seen: bool):
    assert bool(lines_that_ask_for_a_kind(Module("pbem/x.py", line))) is is_seen


def test_stores_beyond_s3_are_reached_only_by_entry_points():
    importing = [
        f"{m.path}:{line}"
        for m in modules()
        for line, name in m.imports()
        if name.startswith("pbem.stores")
    ]
    assert not importing
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    targets = {target.split(":")[0] for target in project["entry-points"]["pbem.stores"].values()}
    assert targets == {m.name for m in modules("pbem") if m.path.startswith("pbem/stores/")} - {
        "pbem.stores"
    }
