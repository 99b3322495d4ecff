"""Two turns for one place: whoever saw one is not shown the other, and the key that signed both is
convicted by its own hand."""

from collections.abc import Callable
from pathlib import Path
from shutil import copy, copytree, rmtree

import pytest

from tests.kit.people import NOW, Round, snapshot

Start = Callable[[str], Round]


@pytest.fixture
def forked(game: Start) -> Round:
    """Rhea made turn 1 twice, on two machines: one in `savannah`, another in `other`."""
    table = game("joined")
    copytree(table.shared / "savannah", table.shared / "other")
    rhea = table.person("rhea")
    copytree(rhea.home, rhea.home.with_name("laptop"))
    for folder, clock in (("savannah", NOW), ("other", NOW + 60)):
        home = {} if folder == "savannah" else {"PBEM_HOME": str(rhea.home.with_name("laptop"))}
        rhea.pbem(f"advance -C {folder}", SOURCE_DATE_EPOCH=str(clock), **home).checked(0)
    first, second = (table.shared / f / "turns/0001.toml" for f in ("savannah", "other"))
    assert first.read_bytes() != second.read_bytes()
    return table


def test_a_player_is_told_when_a_turn_differs_from_the_one_they_saw(forked: Round) -> None:
    ann = forked.person("ann")
    assert ann.pbem("status -C savannah").exit == 0
    for line in ("status", "show", "log", "check -", "submit -", "orders"):
        said = ann.pbem([*line.split(), "-C", "other"])
        assert (said.exit, "turn 1 has changed: this computer saw it with" in said.err) == (3, 1)
    assert not (forked.shared / "other/orders").exists()


def test_orders_that_answer_a_missing_turn_stop_the_referee(forked: Round) -> None:
    bo = forked.person("bo")
    assert bo.pbem("submit -C other -").exit == 0
    (orders,) = (forked.shared / "other/orders").iterdir()
    here = forked.shared / "savannah/orders"
    here.mkdir()
    copy(orders, here)
    before = snapshot(forked.shared)
    rhea = forked.person("rhea")
    rmtree(rhea.home / "games")  # a machine that does not know whether turns are missing
    said = rhea.pbem("advance -C savannah")
    assert (
        said.exit,
        f"orders/{orders.name}: these orders answer a turn that is missing from "
        f"this folder" in said.err,
    ) == (
        3,
        True,
    )
    assert "--go-on" in said.err
    # nothing else is new, so --go-on finds nothing to make yet
    assert rhea.pbem("advance -C savannah --go-on").exit == 5
    assert snapshot(forked.shared) == before


@pytest.mark.sample(0)
def test_orders_that_answer_another_turn_1_are_listed_as_forked(forked: Round) -> None:
    bo = forked.person("bo")
    assert bo.pbem("submit -C other -").exit == 0
    (orders,) = (forked.shared / "other/orders").iterdir()
    rmtree(bo.home / "games")
    for who in ("ann", "bo"):
        person = forked.person(who)
        draft = Path(person.pbem("orders -C savannah").out.strip())
        typed = draft.read_text("utf-8").replace("    # ", "    ", 1)
        assert person.pbem("submit -C savannah -", typed).exit == 0
    copy(orders, forked.shared / "savannah/orders")
    rhea = forked.person("rhea")
    assert rhea.pbem("advance -C savannah").exit == 0  # the machine knows that it made no other
    assert "forked" in (forked.shared / "savannah/turns/0002.toml").read_text("ascii")
    assert forked.person("eve").pbem("audit savannah").exit == 0


def test_two_versions_of_a_turn_by_one_key_are_proof_against_its_owner(forked: Round) -> None:
    copy(forked.shared / "other/turns/0001.toml", forked.shared / "savannah/turns/0001 (1).toml")
    said = forked.person("eve").pbem("audit savannah").checked(3)
    assert "signed two different versions of turn 1" in said.out
    assert "turns/0001 (1).toml" in said.out
