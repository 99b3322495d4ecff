"""What an audit certifies when something is wrong: no more than what it could judge."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.files.record_file_names import turn_path
from pbem.records.read_and_sign_record import make
from tests.kit.named_games import session_of
from tests.kit.people import NOW, Person, Round, key_of
from tests.kit.record_files import record_at

Start = Callable[[str], Round]


@pytest.fixture
def finished_game(game: Start) -> Round:
    return game("over")


def game_folder(table: Round) -> Path:
    return table.shared / "savannah"


def onlooker(table: Round) -> Person:
    return table.person("eve")


def stack_the_deck(table: Round) -> None:
    """Exchange two cards of the deck that turn 1 commits to, under the referee's signature."""
    path = game_folder(table) / turn_path(1)
    turn = record_at(path).content
    (deck, *more) = turn.decks
    cards = (deck.cards[1], deck.cards[0], *deck.cards[2:])
    stacked = replace(turn, decks=(replace(deck, cards=cards), *more))
    path.write_bytes(make(stacked, key_of("rhea")).file)


@pytest.mark.long
def test_a_stacked_deck_leaves_no_turn_certain(finished_game: Round) -> None:
    stack_the_deck(finished_game)
    said = onlooker(finished_game).pbem("audit savannah")
    assert said.exit
    assert "2 of 129 cards are not where the seed of this game puts them" in said.out
    assert "No turn is certain to be right: " in said.out
    assert "nobody could swap" not in said.out
    assert "correct up to" not in said.out
    several = onlooker(finished_game).pbem("audit savannah savannah")
    assert "savannah: DAMAGED: no turn is certain to be right; " in several.out


@pytest.mark.sample(0)
def test_the_certificate_says_who_could_choose_the_deck(finished_game: Round) -> None:
    said = onlooker(finished_game).pbem("audit savannah")
    assert (
        "Nobody could choose the order, unless Rhea and the player who joined last worked together."
        in said.out
    )


def test_a_replaced_charter_is_named_and_nobody_is_accused(finished_game: Round) -> None:
    rhea = session_of(finished_game.person("rhea"))
    game = rhea.game_folder.game.hex()
    other = make(replace(rhea.charter, title="Steppe"), key_of("rhea"))
    (game_folder(finished_game) / "game.toml").write_bytes(other.file)
    said = onlooker(finished_game).pbem("audit savannah")
    assert said.exit
    told = "\n\nbroken: game.toml: this is the game.toml of another game: the other "
    assert said.out.startswith("DAMAGED: pbem cannot read the game.toml of this game; "), said.text
    assert told in said.out
    assert f" files in this folder belong to game {game[:6]}; ask a player" in said.out
    assert "final.toml" not in said.out
    assert "may not sign" not in said.out
    shutil.rmtree(game_folder(finished_game) / "turns")
    (game_folder(finished_game) / "final.toml").unlink()
    said = onlooker(finished_game).pbem("audit savannah")
    assert told in said.out
    assert said.exit


@pytest.mark.sample(0)
def test_a_game_that_has_not_begun_is_not_called_correct(game: Start) -> None:
    game_ = game("joined")
    said = onlooker(game_).pbem("audit savannah").checked(0)
    assert "The game has not begun: there is no turn yet that could be right or wrong." in said.out
    assert "correct" not in said.out
    assert (
        "savannah: RIGHT SO FAR: the game has not begun"
        in onlooker(game_).pbem("audit savannah savannah").out
    )


@pytest.mark.sample(0)
def test_a_turn_under_a_wrong_file_name_is_to_be_renamed(finished_game: Round) -> None:
    path = game_folder(finished_game) / turn_path(5)
    path.rename(path.with_name("0005 (1).toml"))
    said = onlooker(finished_game).pbem("audit savannah")
    told = "turns/0005 (1).toml: this file contains turn 5: rename the file to turns/0005.toml"
    assert f"stray: {told}" in said.out
    assert "second copy" not in said.out
    path.with_name("0005 (1).toml").rename(path)
    assert onlooker(finished_game).pbem("audit savannah").exit == 0


def test_changed_line_endings_are_named_as_the_cause(finished_game: Round) -> None:
    path = game_folder(finished_game) / turn_path(5)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    said = onlooker(finished_game).pbem("audit savannah")
    assert (
        "turns/0005.toml: git, Windows or a mail program has changed the line endings" in said.out
    )


def test_the_certificate_counts_the_questions_that_nobody_answered(game: Start) -> None:
    table = game("timed")
    rhea = table.person("rhea")
    later = str(NOW + 26 * 3600)
    assert rhea.pbem("advance -C savannah", SOURCE_DATE_EPOCH=later).exit == 0
    said = onlooker(table).pbem("audit savannah")
    assert (
        "4 questions got no answer, so the least harmful choice was made: twice for seat a "
        "and twice for seat b." in said.out
    )


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("ask", "a finding of `pbem audit --as` your seat"),
        ("certificate", "below its findings"),
        ("share", "each player's program adds"),
        ("final", "opens all that was hidden"),
        ("stray", "may have been dropped"),
        ("foreign", "was changed or has a wrong name"),
    ],
)
def test_each_word_of_an_audit_is_explained(finished_game: Round, word: str, told: str) -> None:
    said = onlooker(finished_game).pbem(f"explain {word}")
    assert (said.exit, told in " ".join(said.out.split())) == (0, True), said.text


@pytest.mark.sample(0)
def test_an_audit_begins_with_its_verdict(finished_game: Round) -> None:
    who = onlooker(finished_game)
    assert who.pbem("audit savannah").out.startswith("PROVEN: 71 turns\n")
    kept = (game_folder(finished_game) / "final.toml").read_bytes()
    (game_folder(finished_game) / "final.toml").unlink()
    so_far = "RIGHT SO FAR: everything that pbem can check up to turn 71; final.toml is missing\n"
    assert who.pbem("audit savannah").out.startswith(so_far)
    (game_folder(finished_game) / "final.toml").write_bytes(kept)
    stack_the_deck(finished_game)
    said = who.pbem("audit savannah").out.partition("\n")[0]
    assert said.startswith("DAMAGED: "), said
    assert said.endswith(
        "; to repair the game: ask Rhea, who signed what is wrong (nobody else can repair that)"
    ), said
