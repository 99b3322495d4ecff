"""The pages of rules: each example is played, and each line that they tell to type can be typed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from engine import Chapter, Example, Ruleset, Scene
from games import registry
from pbem.rulecases.read_cases import parse
from pbem.rulecases.run_cases import _Run
from pbem.wording.find_explanation import find_text
from pbem.wording.how_to_play import ShownExample, parts_of, split_code, text_lines

RULESETS = [name for name in registry.BUILT_IN_GAMES if registry.ruleset(name).how_to_play()]
FREE = re.compile(r"[a-h]\d|pbem explain")
"""What stands in a text as code and is no line of orders: a name, a command."""


def chapters() -> Iterator[tuple[Ruleset, Chapter]]:
    for name in RULESETS:
        ruleset = registry.ruleset(name)
        yield from ((ruleset, chapter) for chapter in ruleset.how_to_play())


def examples() -> list[object]:
    return [
        pytest.param(ruleset, at, one, shown, id=f"{ruleset.name}-{one.case['id']}")
        for ruleset in map(registry.ruleset, RULESETS)
        for at, (chapter, part) in enumerate(
            zip(ruleset.how_to_play(), parts_of(ruleset), strict=True)
        )
        for one, shown in zip(chapter.examples, part.examples, strict=True)
    ]


@pytest.mark.parametrize(("ruleset", "at", "example", "shown"), examples())
def test_an_example_goes_as_the_page_says(
    ruleset: Ruleset, at: int, example: Example, shown: ShownExample
) -> None:
    (case,) = parse({"game": ruleset.name, "case": [dict(example.case)]}, "how_to_play.toml")
    run = _Run(case, ruleset, with_seats=True)
    assert list(run.differences()) == []
    played = ruleset.scene(run.tables.tables[case.seats[0]].state)
    assert _seen(played, shown) == _seen(shown.end_scene, shown)


def _seen(scene: Scene, shown: ShownExample) -> object:
    facts = [(name, value) for name, value in scene.facts if name in shown.facts]
    return facts, [(place.seat, place.pieces) for place in scene.places]


@pytest.mark.parametrize(("ruleset", "at", "example", "shown"), examples())
def test_each_number_and_line_in_an_example_is_the_cases(
    ruleset: Ruleset, at: int, example: Example, shown: ShownExample
) -> None:
    earlier = ruleset.how_to_play()[:at]
    known = repr((example.case, example.end_position)) + repr(shown.changes)
    known += "".join(text for chapter in earlier for text in (chapter.text,))
    words = re.sub(r"\b[a-h]\d\b", "", example.text)  # names of pieces
    assert set(re.findall(r"\d+", words)) <= set(re.findall(r"\d+", known))
    for kind, code in split_code(example.text):
        assert kind == "text" or code in repr(example.case)


def _typed(ruleset: Ruleset, code: str) -> bool:
    if word := code.removeprefix("pbem explain ") if code.startswith("pbem explain ") else "":
        return bool(FREE.fullmatch(word) or find_text(ruleset, word))
    known = FREE.fullmatch(code) or code in ruleset.vocabulary
    if known or ruleset.forms.matching(code):
        return True
    return any(ruleset.ready_lines.read(kind, code) for kind in ruleset.kinds)


def test_what_the_pages_tell_to_type_can_be_typed() -> None:
    wrong = [
        (ruleset.name, code)
        for ruleset, chapter in chapters()
        for kind, code in split_code(f"{chapter.text} {chapter.orders}")
        if kind == "code" and not _typed(ruleset, code)
    ]
    assert not wrong


@pytest.mark.parametrize("name", RULESETS)
def test_the_page_has_every_trait_phase_and_option(name: str) -> None:
    ruleset = registry.ruleset(name)
    texts, page = ruleset.texts(), "\n".join(text_lines(ruleset))
    assert ruleset.kits is not None
    for trait in ruleset.kits.traits:
        assert f"* {texts[trait].title}: {texts[trait].body}" in page
    for option in ruleset.options:
        assert f"({option.name}, " in page
    assert page.count("How to say it:") >= 4
    assert page.count("Example:") >= 4


def test_the_page_draws_only_cards_that_exist() -> None:
    for ruleset, chapter in chapters():
        assert {*chapter.cards} <= {card for deck in ruleset.decks.values() for card in deck}
