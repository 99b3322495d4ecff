"""Learn by playing: each lesson is played as its texts advise, and in other ways."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import Lesson, LessonStep
from games import registry
from games.rule_case_differences import differences
from pbem.acts.advance import bot_texts
from pbem.files.home import Home
from pbem.judge.game_view import View
from pbem.person.session import Session
from pbem.terminal.game_prose import spaced
from pbem.wording.find_explanation import find_text
from pbem.wording.how_to_play import split_code
from pbem.wording.lesson_and_demo import OWN_WAY_SENTENCE, facts_of, lesson_text
from tests.kit.named_games import session_at
from tests.kit.people import Person, Round, snapshot
from tests.kit.selection import before_release, long
from tests.kit.table_requests import Asking, send_form

NAMES = [name for name in registry.BUILT_IN_GAMES if registry.ruleset(name).lesson()]
FRIENDS = "Now play with friends"


def lesson_of(name: str) -> Lesson:
    lesson = registry.ruleset(name).lesson()
    assert lesson is not None
    return lesson


def lesson_folder(person: Person, name: str) -> Path:
    return Home(person.home).lesson(name).place


def session_and_view(person: Person, name: str) -> tuple[Session, View]:
    session = session_at(lesson_folder(person, name), person)
    return session, session.view(skip_cache=True)


def lesson_problems(person: Person, name: str, lesson: Lesson) -> Iterator[str]:
    """What is wrong in a lesson, when it is played as it advises, by the commands."""
    last = len(lesson.steps) + 1
    for at, step in enumerate(lesson.steps, start=1):
        _, view = session_and_view(person, name)
        yield from (f"{at}: {one}" for one in differences(step.sees, facts_of(view)))
        if step.ask not in view.awaited[view.seat]:
            yield f"{at}: {step.ask} is not asked"
            return
        yield from (f"{at}: {one}" for one in not_possible(view, step))
        status = person.pbem(f"status -C {lesson_folder(person, name)}").out
        if f"Lesson {at} of {last}: {step.title}\n" not in status:
            yield f"{at}: its title is not shown: {status}"
        advised = {step.ask: step.orders, **step.ahead}
        lines = "".join(f"{kind} = {json.dumps(texts)}\n" for kind, texts in advised.items())
        said = person.pbem(f"check - -C {lesson_folder(person, name)}", lines)
        if said.exit or "warning" in said.err:
            yield f"{at}: its orders are not right: {said.text}"
            return
        said = person.pbem(f"learn --game {name} --do")
        if said.exit:
            yield f"{at}: its orders are refused: {said.text}"
            return
        _, view = session_and_view(person, name)
        found = {**facts_of(view), "next": next_of(view)}
        yield from (f"after {at}: {one}" for one in differences(step.then, found))
    shown = person.pbem(f"show -C {lesson_folder(person, name)}").out
    if f"Lesson {last} of {last}: {FRIENDS}\n" not in shown:
        yield f"the lesson does not end: {shown}"


def not_possible(view: View, step: LessonStep) -> Iterator[str]:
    """What a step says about lines that are possible, or are not, and what is so."""
    decision = next(
        d for d in view.table.open_decisions if (d.seat, d.kind) == (view.seat, step.ask)
    )
    reasons = {line: view.table.why_not(decision, line) for line in (*step.offers, *step.refuses)}
    yield from (f"{line!r} is refused: {reasons[line]}" for line in step.offers if reasons[line])
    for line, why in step.refuses.items():
        if not reasons[line] or why not in reasons[line]:
            yield f"{line!r} is not refused because of {why!r}, but of {reasons[line]!r}"


def next_of(view: View) -> str:
    asked = [f"{seat} {kind}" for seat, kinds in view.awaited.items() for kind in kinds]
    return ", ".join(asked) or "over"


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_played_as_it_advises_goes_as_its_texts_say(name: str, tmp_path: Path) -> None:
    ann = Round(tmp_path).person("ann")
    ann.pbem(f"learn --game {name} --terminal").checked(0)
    assert list(lesson_problems(ann, name, lesson_of(name))) == []
    assert ann.pbem(f"learn --game {name} --do").exit == 5, "nothing is advised any more"


@pytest.mark.sample(0)
@pytest.mark.parametrize(
    "wrong",
    [
        {"sees": {"round": 2}},
        {"then": {"a1": {"population": 7}}},
        {"refuses": {"pass": "the moon is full"}},
        {"orders": ("[moon 3]",)},
        {"ask": "feed"},
    ],
)
def test_the_check_of_lessons_notices_a_wrong_one(wrong: dict[str, Any], tmp_path: Path) -> None:
    name = NAMES[0]
    ann = Round(tmp_path).person("ann")
    assert ann.pbem(f"learn --game {name} --terminal").exit == 0
    first = replace(lesson_of(name).steps[0], **wrong)
    assert list(lesson_problems(ann, name, replace(lesson_of(name), steps=(first,))))


@pytest.mark.parametrize("name", NAMES)
def test_a_lessons_text_names_only_cards_and_numbers_that_are_played(name: str) -> None:
    ruleset, known = registry.ruleset(name), ""
    cards = {card for deck in ruleset.decks.values() for card in deck}
    traits = {re.sub(r" -?\d.*", "", part) for card in cards for part in card.split("/")}
    for step in lesson_of(name).steps:
        said_and_done = (step.sees, step.orders, step.ahead, step.offers, step.refuses, step.then)
        known += spaced(repr(said_and_done))
        assert set(re.findall(r"\b[a-h]\d\b", step.text)) <= set(re.findall(r"\b[a-h]\d\b", known))
        numbers = re.findall(r"\d+", re.sub(r"\b[a-h]\d\b", "", step.text))
        assert set(numbers) <= set(re.findall(r"\d+", re.sub(r"\b[a-h]\d\b", "", known)))
        for trait in traits:
            title = spaced(trait).title()
            assert not re.search(rf"\b{title}\b", step.text) or spaced(trait) in known, title
        for kind, code in split_code(step.text):
            word = code.removeprefix("pbem explain ")
            assert (
                kind == "text"
                or spaced(code) in known
                or (word != code and find_text(ruleset, word))
            )


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_has_a_text_for_every_kind_of_question(name: str) -> None:
    ruleset, lesson = registry.ruleset(name), lesson_of(name)
    assert lesson.kinds.keys() >= ruleset.kinds.keys()
    assert {step.ask for step in lesson.steps} <= ruleset.kinds.keys()


@pytest.mark.sample(0)
@pytest.mark.parametrize("name", ["origin", *long(n for n in NAMES if n != "origin")])
def test_a_learner_who_ignores_the_advice_is_told_nothing_wrong_until_the_end(name, tmp_path):
    ann = Round(tmp_path).person("ann")
    assert ann.pbem(f"learn --game {name} --terminal").exit == 0
    own = False
    while True:
        session, view = session_and_view(ann, name)
        told = lesson_text(session, view)
        assert told is not None
        if view.is_over or view.table.state.round > lesson_of(name).rounds:
            assert told.heading.endswith(FRIENDS)
            break
        own |= OWN_WAY_SENTENCE in told.paragraphs
        facts, steps = facts_of(view), lesson_of(name).steps
        number = re.match(r"Lesson (\d+) of", told.heading)
        if number:
            assert not list(differences(steps[int(number[1]) - 1].sees, facts))
        lines = bot_texts(session.readers.seat_now(view.seat), "random")
        ann.pbem(f"submit - -C {lesson_folder(ann, name)}", by_kind(lines)).checked(0)
    assert own


def by_kind(lines: list[str]) -> str:
    """The lines of a bot as an order file."""
    found: dict[str, list[str]] = {}
    for line in lines:
        kind, _, text = line.partition(": ")
        found.setdefault(kind, []).append(text)
    return "".join(f"{kind} = {json.dumps(texts)}\n" for kind, texts in found.items())


@pytest.mark.sample(0)
def test_every_learner_is_dealt_the_same_cards_and_may_begin_anew(tmp_path: Path) -> None:
    table = Round(tmp_path)
    ann, bo = table.person("ann"), table.person("bo")
    for person in (ann, bo):
        assert person.pbem("learn --terminal").exit == 0
    first = snapshot(lesson_folder(ann, NAMES[0]))
    assert first == snapshot(lesson_folder(bo, NAMES[0])) != {}
    said = ann.pbem("learn --do")
    assert "Lesson 2 of" in said.out
    assert "Lesson 2 of" in ann.pbem("learn --terminal").out, "it goes on"
    assert "Lesson 2 of" in ann.pbem(f"status -C {lesson_folder(ann, NAMES[0])}").out
    assert "Lesson" not in ann.pbem(f"status --as b -C {lesson_folder(ann, NAMES[0])}").out, (
        "a bot's"
    )
    assert "Lesson 1 of" in ann.pbem("learn --again --terminal").out
    assert snapshot(lesson_folder(ann, NAMES[0])) == first


def test_a_lesson_is_not_listed_as_a_game_and_has_a_key_of_its_own(tmp_path: Path) -> None:
    ann = Round(tmp_path).person("ann")
    before = ann.pbem("keys show")
    assert ann.pbem("learn --terminal").exit == before.exit == 0
    assert ann.pbem("keys show").out == before.out
    assert str(lesson_folder(ann, NAMES[0])) not in ann.pbem("list").text
    elsewhere = ann.shared / "copied"
    for path, data in snapshot(lesson_folder(ann, NAMES[0])).items():
        if isinstance(data, bytes):
            (elsewhere / path).parent.mkdir(parents=True, exist_ok=True)
            (elsewhere / path).write_bytes(data)
    said = ann.pbem("submit --edit -C copied")
    assert said.exit != 0, "the key of lessons opens nothing outside them"
    assert "you have no seat" in said.text or "not begun" in said.text


@pytest.mark.sample(0)
def test_a_half_made_lesson_goes_on_and_one_of_another_version_begins_again(tmp_path, monkeypatch):
    ann = Round(tmp_path).person("ann")
    assert ann.pbem("learn --terminal").exit == 0
    folder = lesson_folder(ann, NAMES[0])
    before = snapshot(folder)
    for seat in (folder / "seats").iterdir():  # as if the command had been killed
        seat.unlink()
    assert "Lesson 2 of" in ann.pbem("learn --do").out
    with monkeypatch.context() as older:
        older.setattr("pbem.acts.begin_lesson.TITLE", "An older lesson")
        assert ann.pbem("learn --again --terminal").exit == 0
    said = ann.pbem("learn --terminal").checked(2, err="another version of pbem")
    assert f"pbem learn --game {NAMES[0]} --again" in said.err
    assert "Lesson 1 of" in ann.pbem("learn --again --terminal").out
    assert snapshot(folder) == before


@pytest.mark.parametrize("name", [*long(NAMES[:2]), *before_release(NAMES[2:])])
def test_the_game_of_each_lesson_can_be_played_to_its_proven_end(name: str, tmp_path: Path) -> None:
    ann = Round(tmp_path).person("ann")
    assert ann.pbem(f"learn --game {name} --terminal").exit == 0
    session, view = session_and_view(ann, name)
    while not view.is_over:
        lines = bot_texts(session.readers.seat_now(view.seat), "greedy")
        ann.pbem(f"submit - -C {lesson_folder(ann, name)}", by_kind(lines)).checked(0)
        session, view = session_and_view(ann, name)
    assert FRIENDS in ann.pbem(f"learn --game {name} --terminal").out
    assert "Proven" in ann.pbem(f"audit {lesson_folder(ann, name)}").out


@pytest.mark.sample(0)
def test_the_page_of_a_lesson_shows_its_step_and_does_it_if_asked(tmp_path: Path) -> None:
    name = NAMES[0]
    step = lesson_of(name).steps[0]
    ann = Round(tmp_path).person("ann")
    asking = Asking(ann.home)
    assert asking.enter().status == 200
    assert "Learn by playing" in asking.get("/").text
    begun = send_form(asking, "/learn", game=name, again=False)
    (path,) = re.findall(r'href="[^"]*(/game/\w+)" data-go', begun.text)
    page = asking.get(path).text
    assert f"of {len(lesson_of(name).steps) + 1}: {step.title}</h2>" in page
    assert "Do it for me" in page
    (mark,) = re.findall(r'data-mark="(\w+)"', page)
    planned = send_form(
        asking, f"{path}/plan", mark=mark, do="write", kind=step.ask, lines=step.orders
    )
    assert planned.status == 200
    assert 'id="undo"' in planned.text
    (mark,) = re.findall(r'data-mark="(\w+)"', planned.text)
    sealed = send_form(asking, f"{path}/seal", mark=mark)
    assert (sealed.status, "this ends the turn" in sealed.text) == (200, True)
    assert f": {step.title}</h2>" in asking.get(f"{path}/plan").text, "it can still be undone"
    sent = send_form(asking, f"{path}/deliver", turn=1)
    assert (sent.status, "pbem made the next turn" in sent.text) == (200, True)
    assert f": {lesson_of(name).steps[1].title}</h2>" in asking.get(path).text
    assert "Begin or go on" in asking.get("/").text
    assert send_form(asking, "/learn", game=name, again=True).status == 200
    assert f": {step.title}</h2>" in asking.get(path).text
    assert send_form(asking, "/learn", game="chess").status == 409


def test_what_the_page_sends_as_lines_must_be_a_list(tmp_path: Path) -> None:
    ann = Round(tmp_path).person("ann")
    asking = Asking(ann.home)
    assert asking.enter().status == 200
    begun = send_form(asking, "/learn", game=NAMES[0])
    (path,) = re.findall(r'href="[^"]*(/game/\w+)" data-go', begun.text)
    (mark,) = re.findall(r'data-mark="(\w+)"', asking.get(path).text)
    kind = lesson_of(NAMES[0]).steps[0].ask
    assert (
        send_form(asking, f"{path}/plan", mark=mark, do="write", kind=kind, lines="x").status == 409
    )
