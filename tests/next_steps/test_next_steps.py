"""All faces of pbem word the same next step: status, list, JSON, pages, calendar, notifications,
receive and advance.

The files of this folder have what each says, for each person of a scene. PBEM_SCRIPTS=write renews
them.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem.format.mail_block import encode
from pbem.post.notifications import news_of
from tests.attacks.waiting_acts import exit_of_advance, say_notice, vouch_for_thief
from tests.cli.drafted import offered_choices
from tests.kit.named_games import invite, made, session_of, sit
from tests.kit.people import NOW, Person, Round
from tests.kit.table_requests import enter_game
from tests.kit.timed_games import DAY, HOUR, answer_all, answer_with_card, begin_three, begin_two

FOLDER = Path(__file__).parent
IS_WRITING = os.environ.get("PBEM_SCRIPTS") == "write"
Scene = Callable[[Round], int | None]
"""Prepares a game; returns what the clock says then, if it does not say NOW."""


def scene_half_answered(table: Round) -> None:
    begin_two(table, "24h")
    answer_with_card(table, "b")


def scene_all_answered(table: Round) -> None:
    scene_half_answered(table)
    answer_with_card(table, "a")


def scene_drafted(table: Round) -> None:
    begin_two(table, "24h")
    assert table.person("ann").pbem("orders -C savannah").exit == 0


def scene_deadline_passed(table: Round) -> int:
    scene_half_answered(table)
    return NOW + DAY + HOUR


def scene_may_be_changed(table: Round) -> int:
    begin_two(table, "48h", "--change-of-mind 2h")
    for seat in "ab":
        answer_with_card(table, seat)
    return NOW + HOUR


def scene_left_open(table: Round) -> None:
    begin_two(table, "24h")
    assert table.person("bo").pbem("submit -C savannah -").exit == 0


def scene_whole_round(table: Round) -> None:
    made(table, "--game origin --players Ann,Bo --referee Rhea --wait-for-all")
    for seat in "ab":
        sit(table, seat)
    assert table.person("rhea").pbem("advance -C savannah").exit == 0


def scene_key_missing(table: Round) -> None:
    scene_half_answered(table)
    (table.person("bo").home / "profiles/default/key").unlink()
    (table.person("bo").home / "profiles/default").rmdir()


def scene_contested(table: Round) -> None:
    made(table)
    line = ["join", "-C", "savannah", "--invite", invite(table, "a")]
    for name in ("ann", "eve"):
        assert table.person(name).pbem([*line, "--name", name.title()]).exit == 0
    sit(table, "b")


def scene_turn_missing(table: Round) -> None:
    """A turn is missing in the middle, and these machines have not seen it."""
    begin_two(table, "24h")
    for _ in range(3):
        answer_all(table, "ab")
        assert table.person("rhea").pbem("advance -C savannah").exit == 0
    for name in ("ann", "bo", "rhea", "eve"):
        for memory in table.person(name).home.glob("games/*"):
            for path in memory.iterdir():
                if path.name not in ("place.toml",) and path.is_file():
                    path.unlink()
    (table.shared / "savannah/turns/0003.toml").unlink()


def scene_referee_plays(table: Round) -> None:
    made(table, "--players Rhea,Bo --referee-plays --deadline 24h")
    sit(table, "b")
    table.person("rhea").pbem("advance -C savannah")


def scene_referee_has_played(table: Round) -> None:
    scene_referee_plays(table)
    rhea = table.person("rhea")
    food = f'food = ["{offered_choices(rhea)[0]}"]\n'
    assert rhea.pbem("submit -C savannah --no-advance -", food).exit == 0


def scene_seat_taken_away(table: Round) -> None:
    """Others vouch for a new key for Bo's seat, which Bo can still cancel."""
    begin_three(table)
    vouch_for_thief(table, "a", "c")


def scene_key_disputed(table: Round) -> int:
    """Bo has cancelled new keys that others wanted for his seat, and they vouch for them again:
    now only his recovery key cancels that."""
    made(table, "--players Ann,Bo,Cy --referee Rhea --deadline 24h")
    bo = table.person("bo")
    assert bo.pbem("keys new --profile safe").exit == 0
    line = ["join", "-C", "savannah", "--invite", invite(table, "b"), "--recovery", "safe"]
    assert bo.pbem(line).exit == 0
    for seat in "ac":
        sit(table, seat)
    later = NOW + 2 * DAY
    assert exit_of_advance(table, NOW) == 0
    vouch_for_thief(table, "a", "c")
    say_notice(table, "b", "end --no")
    answer_all(table, "ac")
    assert exit_of_advance(table, later) == 0
    vouch_for_thief(table, "a", "c", now=later, after=3)
    return later


MADE: dict[str, Scene] = {
    name.removeprefix("scene_"): scene
    for name, scene in list(globals().items())
    if name.startswith("scene_")
}
NAMED = ("made", "joined", "begun", "middle", "over", "plays")
PEOPLE = ("ann", "bo", "eve", "rhea")


def texts_by_face(table: Round, person: Person) -> Iterator[tuple[str, str]]:
    """Yield what each way to ask tells a person about the next step."""
    said = person.pbem("status -C savannah")
    yield "status", said.out.splitlines()[-1] if said.exit == 0 else said.err
    said = person.pbem("status -C savannah --json")
    data = json.loads(said.out)["data"] if said.exit == 0 else {}
    yield "json", str(data.get("next", ""))
    listed = " ".join(person.pbem("list").out.split())
    yield "list", listed.partition(": ")[2].rpartition(" /")[0]
    said = person.pbem("calendar -C savannah")
    unfolded = said.text.replace("\r", "").replace("\n ", "")
    yield "calendar", " ".join(re.findall(r"(?:Next|waiting).*", unfolded))
    if person.pbem("show -C savannah").exit == 0:
        yield "notify", "; ".join(news.text for news in news_of(session_of(person))[0] if news.text)
    asking, path = enter_game(table, person.name)
    page = asking.get(path).text
    parts = re.findall(r'class="who-waits">(.*?)</span>\n<span class="where"', page)
    parts += re.findall(r"<p data-waits>([^.]*\.[^.]*\.)|class=\"state\">(.*?)</p>", page)
    texts = ["".join(part) for part in parts]
    yield "page", " | ".join(re.sub("<[^>]*>", "", text) for text in texts)
    if person.name == "rhea":
        page = asking.get(f"{path}/referee").text
        section = page.partition('<div id="next-turn"')[2].partition('<div id="made"')[0]
        words = re.sub(r"<[^>]*>", " ", section.partition(">")[2])
        yield "referee's page", " ".join(words.split())


def text_of_scene(table: Round) -> str:
    """Return what each face tells each person of the scene."""
    rows = [
        f"{person.name} {face}: {text}"
        for person in map(table.person, PEOPLE)
        for face, text in texts_by_face(table, person)
    ]
    charter = (table.shared / "savannah/game.toml").read_bytes()
    (table.root / "charter.pbem").write_text(encode([charter]))
    for person in map(table.person, PEOPLE):
        said = person.pbem(["receive", str(table.root / "charter.pbem")])
        rows.append(f"{person.name} receive: {said.text.splitlines()[-1]}")
    said = table.person("rhea").pbem("advance -C savannah")
    rows += [f"rhea advance: {line}" for line in said.text.splitlines()]
    return "".join(f"{table.plain(row).strip()}\n" for row in rows)


@pytest.mark.sample(len(NAMED) + len(MADE) if IS_WRITING else 3)
@pytest.mark.parametrize("name", [*MADE, *NAMED])
def test_terminal_page_and_email_word_the_next_step_alike(
    name: str, table: Round, game: Callable[[str], Round], monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = NOW
    if name in MADE:
        moment = MADE[name](table) or NOW
    else:
        table = game(name)
    for person in PEOPLE:
        table.person(person).env["SOURCE_DATE_EPOCH"] = str(moment)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(moment))
    monkeypatch.setenv("TZ", "UTC")
    text = text_of_scene(table)
    path = FOLDER / f"{name.replace('_', '-')}.txt"
    if IS_WRITING:
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")
