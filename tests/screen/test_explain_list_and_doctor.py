"""`explain`, `list`, `since`, `doctor`, `status`: what is asked for is found and said."""

import json
import os
import shutil
from collections.abc import Callable

import pytest

from games.package_faults import foreign_packages
from games.registry import BUILT_IN_GAMES, ruleset
from pbem.format.record_error import EXIT
from pbem.terminal.command_failures import bug_sentence
from pbem.terminal.game_prose import spaced
from pbem.wording.find_explanation import (
    CITED_PATTERN,
    RULING_PATTERN,
    explanations,
    explanations_by_word,
    find_text,
)
from tests.kit.bot_orders import asked_person
from tests.kit.named_games import session_of
from tests.kit.people import Round, unchanged


# ---------------------------------------------------------------- explain
@pytest.mark.long
@pytest.mark.parametrize("game", BUILT_IN_GAMES)
def test_every_card_phase_and_kind_is_explained_in_any_spelling(game: str) -> None:
    rules = ruleset(game)
    cards = {card for deck in rules.decks.values() for card in deck}
    names = [*cards, *(phase.name for phase in rules.phases), *rules.kinds]
    for name in names:
        text = find_text(rules, name)
        assert text.body
        assert find_text(rules, spaced(name).upper()) == text
        if "/" not in name:
            assert find_text(rules, name.replace("_", "-")) == text


def test_a_name_that_a_phase_and_a_kind_of_order_share_explains_both() -> None:
    text = find_text(ruleset("evolution"), "feed")
    assert "each turn feeds one species" in text.body
    assert "feed = […]" in text.body


@pytest.mark.sample(0)
def test_every_code_reason_and_exit_code_is_explained(table: Round) -> None:
    known = explanations_by_word(ruleset("evolution"))
    for word in (*explanations()["problems"], *EXIT, *(f"exit {n}" for n in range(8))):
        said = table.person("ann").pbem(["explain", *word.split()])
        assert (said.exit, said.err) == (0, ""), word
    assert find_text(ruleset("evolution"), "021") == known["pbem ord 021"]
    assert find_text(ruleset("evolution"), "ORD-021") == known["pbem ord 021"]


def test_explain_marks_house_rules_and_gives_the_source(table: Round) -> None:
    rules = ruleset("origin")
    house = next(name for name, text in rules.texts().items() if text.house)
    said = table.person("ann").pbem(["explain", "--game", "origin", house])
    assert "  house rule: " in said.out
    assert "  source: " in said.out


def test_each_ruling_that_a_text_names_is_explained() -> None:
    """`(1.12, R5)` behind a house rule: both numbers lead somewhere, in each game."""
    for game in BUILT_IN_GAMES:
        texts = " ".join(f"{text.body} {text.house}" for text in ruleset(game).texts().values())
        cited = {n for group in CITED_PATTERN.findall(texts) for n in RULING_PATTERN.findall(group)}
        assert len(cited) > 3, game
        for number in cited:
            text = find_text(ruleset(game), number)
            assert (text.title, number in text.body) == (f"ruling {number}", True)


# ---------------------------------------------------------------- list, since, status
@pytest.mark.sample(0)
def test_the_list_marks_the_games_in_which_it_is_my_move(game: Callable[[str], Round]) -> None:
    table = game("middle")
    mover = asked_person(table)
    other = table.person("ann" if mover.name == "bo" else "bo")
    for person in (mover, other):
        person.pbem("status -C savannah")
    assert "YOUR MOVE" in mover.pbem("list").out
    assert "YOUR MOVE" not in other.pbem("list").out
    assert json.loads(mover.pbem("list --json").out)["data"][0]["asked"] is True


def test_the_list_says_in_words_why_a_game_cannot_be_read(game: Callable[[str], Round]) -> None:
    table = game("middle")
    ann = table.person("ann")
    ann.pbem("status -C savannah")
    turn = table.shared / "savannah" / "turns" / "0002.toml"
    turn.write_text("nothing\n", "utf-8")
    for snapshots in ann.home.glob("snapshots"):
        shutil.rmtree(snapshots)
    said = ann.pbem("list").out
    assert " savannah: cannot be read: turns/0002.toml: " in said
    assert "[" not in said.partition("\n")[0]
    for path in (table.shared / "savannah").glob("*.toml"):
        path.write_text("nothing\n", "utf-8")
    line = ann.pbem("list").out.partition("\n")[0]
    assert ": cannot be read: " in line
    assert "?" not in line


def test_a_warning_of_missing_orders_says_how_to_get_them(game: Callable[[str], Round]) -> None:
    table = game("middle")
    first = next((table.shared / "savannah" / "orders").rglob("*.toml"))
    first.rename(table.shared / "away.toml")
    said = table.person("eve").pbem("log -C savannah").err
    assert (
        "are missing from this folder: let the folder sync, or ask somebody in the game to run "
        "pbem send --all" in said
    )


def test_since_begins_where_my_orders_were_taken(game: Callable[[str], Round]) -> None:
    table = game("middle")
    ann = table.person("ann")
    view = session_of(ann).fresh_view("a")
    said = ann.pbem("since -C savannah").out.splitlines()
    taken = view.accepted["a"]
    assert taken == view.turn
    assert said[0] == f"what happened in turn {taken}, which used your orders:"
    assert said[1].startswith(f"turn {taken}: ")
    assert any(line.startswith(f"turn {view.turn}: ") for line in said)


def test_status_without_a_deadline_says_who_is_waited_for(game: Callable[[str], Round]) -> None:
    table = game("middle")
    name = {"ann": "Ann", "bo": "Bo"}[asked_person(table).name]
    said = table.person("eve").pbem("status -C savannah").out
    assert f"there is no deadline: the game is waiting for {name}" in said


# ---------------------------------------------------------------- doctor
def test_doctor_says_how_to_mend_each_fault_that_it_finds(game: Callable[[str], Round]) -> None:
    ann = game("middle").person("ann")
    ann.place = ann.place / "savannah"
    ann.home.chmod(0o700)
    (ann.home / "profiles" / "default" / "key").chmod(0o600)
    sound = ann.pbem("doctor").out
    assert "nothing is wrong here" in sound
    assert "warning:" not in sound
    ann.home.chmod(0o755)
    (ann.home / "profiles" / "default" / "key").chmod(0o644)
    (ann.place / "turns" / "0003 (1).toml").write_text("")
    (ann.place / "turns" / "0007.toml").unlink()
    with unchanged(ann.place):
        said = ann.pbem("doctor").out
    assert f"fix: chmod 700 {ann.home}" in said
    assert "fix: chmod 600 " in said
    assert (
        "turns/0003 (1).toml is not read: this is a second copy, as cloud drives make them" in said
    )
    assert "turns/0007.toml is missing; fix: let the folder sync" in said


def test_doctor_sees_a_clock_that_is_wrong(game: Callable[[str], Round]) -> None:
    ann = game("middle").person("ann")
    assert "warning: the clock is wrong" in ann.pbem("doctor", SOURCE_DATE_EPOCH="86400").out
    late = ann.pbem("doctor -C savannah", SOURCE_DATE_EPOCH="1600000000").out
    assert "later than the clock of this computer; fix: set the clock if it is wrong; if" in late


def test_doctor_drops_caches_and_nothing_is_lost(game: Callable[[str], Round]) -> None:
    ann = game("middle").person("ann")
    before = ann.pbem("show -C savannah").out
    caches = list(ann.home.glob("snapshots/*/*"))
    assert caches
    (game_home,) = ann.home.glob("games/*")
    for name in (".~pbem-killed", ".~pbem-running"):
        (game_home / name).write_text("half a file")
    os.utime(game_home / ".~pbem-killed", (0, 0))
    assert ann.pbem("doctor --drop-caches").exit == 0
    assert not any(path.exists() for path in caches)
    assert [path.name for path in game_home.glob(".~pbem-*")] == [".~pbem-running"]
    assert ann.pbem("show -C savannah").out == before


def test_how_many_cards_are_dealt_is_said_by_each_game_for_itself() -> None:
    assert "dealt 3 cards" in find_text(ruleset("evolution"), "deal").body
    assert "dealt 4 cards" in find_text(ruleset("climate"), "deal").body
    assert "3 cards" not in find_text(ruleset("climate"), "deal").body


def test_the_explanation_of_a_kind_of_order_shows_its_line_in_an_order_file() -> None:
    text = find_text(ruleset("evolution"), "leaf")
    assert "leaf = […]" in text.body
    assert "(1.2" in text.house


def test_the_report_of_a_bug_names_installed_packages_beside_pbem(monkeypatch: pytest.MonkeyPatch):
    for ruleset_name in list(foreign_packages):  # other tests may have registered theirs
        monkeypatch.delitem(foreign_packages, ruleset_name)
    monkeypatch.setitem(foreign_packages, "pond", "pond-rules")
    sentence = bug_sentence(KeyError("x"))
    culprits = "KeyError: 'x'; the package pond-rules or pbem itself has a fault"
    assert sentence.startswith(f"{culprits}; the details are in ")
