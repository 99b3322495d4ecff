"""Every house rule is shown as one: it stands, with its number, in a text of `explain`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from games import registry
from tests.kit.selection import SHARED, needs_shared

RULINGS = "rulings.md"
OWN = Path(__file__).resolve().parents[2] / "docs" / "rulings.md"
CHAPTERS = {1: "evolution", 2: "digital", 3: "climate", 4: "origin", 5: "classroom"}
MARK = re.compile(r"\[[^]\[]*\bH\b[^]\[]*\]")
"""``[H]``, ``[R/H]``, ``[R; order H]`` and the like."""
ELSEWHERE: dict[str, str] = {}
"""House rules that touch no card, phase or term, with the reason. There are none."""


def house_rulings() -> Iterator[tuple[str, str]]:
    """The game and the number of every given ruling that has a part of our own.

    A line of a table that has no number is ``4 Burrowing``, by its trait.
    """
    if not (SHARED / RULINGS).exists():
        return
    chapter, name = 0, ""
    for line in (SHARED / RULINGS).read_text("utf-8").splitlines():
        if head := re.match(r"## (\d)\.", line):
            chapter, name = int(head[1]), ""
        elif point := re.match(r"(\d+)\. ", line):
            name = f"{chapter}.{point[1]}"
        elif row := re.match(r"\| ([A-Z][\w /()]+?) \|", line):
            name = f"{chapter} {row[1]}"
        if chapter and name and MARK.search(line):
            yield CHAPTERS[chapter], name


def own_rulings() -> Iterator[tuple[str, str]]:
    """The game and the number of every ruling of docs/rulings.md."""
    game = ""
    for line in OWN.read_text("utf-8").splitlines():
        if head := re.match(r"## (\w+)$", line):
            game = head[1]
        elif row := re.match(r"\| ([A-Z]\d+) \|", line):
            yield game, row[1]


def cited(game: str, name: str) -> bool:
    """Whether some text of that game gives the number of the house rule."""
    number = re.compile(rf"(?<![\w.]){re.escape(name).replace(' ', ', | ')}(?![\w.]*\d)")
    if " " in name:  # a line of the table of traits: the text of that trait, and its chapter
        chapter, trait = name.split(" ", 1)
        text = registry.ruleset(game).texts()[trait.lower().replace(" ", "_")]
        return f"ruling {chapter}" in text.house
    return any(number.search(text.house) for text in registry.ruleset(game).texts().values())


@needs_shared(RULINGS)
def test_the_given_rulings_are_read_and_hold_house_rules() -> None:
    found = set(house_rulings())
    assert {("evolution", "1.2"), ("origin", "4 Burrowing"), ("classroom", "5.10")} <= found
    assert len(found) > 30


@needs_shared(RULINGS)
@pytest.mark.parametrize(("game", "name"), sorted(set(house_rulings())))
def test_explain_cites_every_house_rule_in_the_given_rulings(game: str, name: str) -> None:
    assert cited(game, name) != (name in ELSEWHERE)


@pytest.mark.parametrize(("game", "name"), list(own_rulings()))
def test_some_text_of_explain_cites_each_ruling_of_our_own(game: str, name: str) -> None:
    assert cited(game, name)


@pytest.mark.parametrize("game", ["digital", "climate"])
def test_a_ruleset_made_from_evolution_keeps_its_house_rules(game: str) -> None:
    kept = [name for of, name in house_rulings() if of == "evolution"]
    assert all(cited(game, name) for name in kept if name not in LEFT[game])


LEFT = {"digital": {"1.2"}, "climate": set[str]()}
"""Rulings that do not hold there: the app's leaf traits act by themselves."""


@pytest.mark.parametrize("game", registry.BUILT_IN_GAMES)
def test_every_text_has_a_title_and_a_source_and_ends_as_a_sentence(game: str) -> None:
    for name, text in registry.ruleset(game).texts().items():
        assert text.title, name
        assert text.source, name
        assert text.body.endswith("."), name
        assert not text.house or text.house.endswith("."), name


@pytest.mark.parametrize("game", ["evolution", "digital", "climate"])
@pytest.mark.parametrize("term", ["starvation", "end", "silence", "number"])
def test_explain_has_the_terms_that_players_look_for(game: str, term: str) -> None:
    assert term in registry.ruleset(game).texts()
