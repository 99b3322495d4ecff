"""Games of released versions: every later version reads them, and finds the same (protocol §11)."""

from pathlib import Path

import pytest

from tests.kit.people import Round

HERE = Path(__file__).parent
GAMES = sorted(HERE.glob("v*/*.pbem"))


def test_there_is_a_kept_game_of_each_version_of_every_ruleset() -> None:
    names = {path.parent.name: set[str]() for path in GAMES}
    for path in GAMES:
        names[path.parent.name].add(path.stem)
    assert names["v0.2"] == {"classroom", "climate", "digital", "evolution", "origin"}


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_stranger_receives_shows_and_proves_each_kept_game(path: Path, tmp_path: Path) -> None:
    eve = Round(tmp_path).person("eve")
    said = eve.pbem(["receive", str(path)])
    assert said.exit == 0, said.text
    (folder,) = eve.place.iterdir()
    audit = eve.pbem(["audit", str(folder)])
    assert audit.exit == 0, audit.text
    assert "Proven: " in audit.out
    shown = eve.pbem(["show", "-C", str(folder)])
    assert shown.exit == 0, shown.text
    assert "Shall we stop here?" in eve.pbem(["log", "-C", str(folder)]).text
