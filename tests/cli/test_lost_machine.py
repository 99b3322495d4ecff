"""A key and the folder are everything: all else that a person kept may be lost at any time."""

from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

import pytest

from tests.kit.named_games import MIDDLE, advance, play, start
from tests.kit.people import Person, Round, snapshot

Start = Callable[[str], Round]


def lose_everything(person: Person) -> None:
    """The machine is gone; a copy of the key file was elsewhere."""
    copy = (person.home / "profiles/default/key").read_bytes()
    rmtree(person.home)
    saved = person.home.with_name(f"{person.name}-copy-of-the-key")
    saved.write_bytes(copy)
    person.pbem(f"keys import {saved}").checked(0)
    assert not (person.home / "games").exists()


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["begun", "middle"])
def test_with_only_their_keys_left_everybody_sees_the_same_as_before(game, name):
    table = game(name)
    asked = ("status", "show", "log", "show --turn 1", "log --turn 1")
    people = [table.person(who) for who in ("rhea", "ann", "bo")]
    before = [[p.pbem(f"{line} -C savannah") for line in asked] for p in people]
    for person in people:
        lose_everything(person)
    after = [[p.pbem(f"{line} -C savannah") for line in asked] for p in people]
    assert after == before


@pytest.mark.sample(0)
def test_with_only_their_keys_left_people_write_the_same_bytes_as_otherwise(
    game: Start, tmp_path_factory: pytest.TempPathFactory, kept: Path
) -> None:
    table = game("middle")
    other = start("middle", tmp_path_factory.mktemp("other"), kept)
    for who in ("rhea", "ann", "bo"):
        lose_everything(other.person(who))
    for one in (table, other):
        for who in ("ann", "bo"):
            assert one.person(who).pbem("submit -C savannah -").exit == 0
        play(one, MIDDLE + 2)
    assert snapshot(table.shared) == snapshot(other.shared)


@pytest.mark.long
def test_with_only_their_keys_left_people_end_a_game_that_is_proven(game: Start) -> None:
    table = game("last_turn")
    for who in ("rhea", "ann", "bo"):
        lose_everything(table.person(who))
    advance(table)
    table.person("eve").pbem("audit savannah").checked(0, out="Proven")


@pytest.mark.long
def test_a_referee_with_only_a_key_makes_the_same_final_record_again(game: Start) -> None:
    table = game("over")
    final = table.shared / "savannah/final.toml"
    whole = final.read_bytes()
    final.unlink()
    rhea = table.person("rhea")
    lose_everything(rhea)
    assert "final.toml" in rhea.pbem("status -C savannah").out
    assert rhea.pbem("advance -C savannah").exit == 0
    assert final.read_bytes() == whole


def test_a_player_who_lost_a_draft_is_told_that_there_is_none(game: Start) -> None:
    table = game("begun")
    ann = table.person("ann")
    assert ann.pbem("orders -C savannah").exit == 0
    assert "a Ann (you): DRAFT" in ann.pbem("status -C savannah").out
    lose_everything(ann)
    assert "a Ann (you): MISSING" in ann.pbem("status -C savannah").out
    said = ann.pbem("submit -C savannah").checked(2, err="you have no draft for turn 1 yet")
    assert "pbem orders --edit" in said.err


def test_after_losing_a_machine_sealed_orders_still_count_and_can_be_replaced(game: Start) -> None:
    table = game("begun")
    ann = table.person("ann")
    assert "SEALED here" in ann.pbem("submit -C savannah -").out
    lose_everything(ann)
    assert "a Ann (you): SEALED" in ann.pbem("status -C savannah").out
    assert "SEALED already" in ann.pbem("submit -C savannah -").out
    said = ann.pbem("submit -C savannah -", 'always = {feed = "* eats"}')
    assert "revision 2" in said.out, said


def test_after_losing_a_machine_the_referee_is_shown_the_invites_again(game: Start) -> None:
    table = game("made")
    rhea = table.person("rhea")
    lose_everything(rhea)
    said = rhea.pbem("advance -C savannah")
    assert (said.exit, said.err.count("pbem join --invite savannah:")) == (5, 2)


def test_after_losing_a_machine_a_referee_who_plays_goes_on(game: Start) -> None:
    table = game("plays")
    rhea = table.person("rhea")
    assert rhea.pbem("advance -C savannah").exit == 5
    lose_everything(rhea)
    assert "has questions for you" in rhea.pbem("status -C savannah").out
    draft = Path(rhea.pbem("orders -C savannah").out.strip())
    typed = draft.read_text("utf-8").replace("    # ", "    ", 1)
    assert rhea.pbem("submit --no-advance -C savannah -", typed).exit == 0
    lose_everything(rhea)
    assert rhea.pbem("advance -C savannah").exit == 0
