"""What is kept about notices is facts: sentences are made anew each time, from what was kept."""

import json
import shutil
import zlib

import pytest

from pbem.person.cached_views_and_readers import CHECKPOINT_PURPOSE, VIEW_PURPOSE
from tests.kit.people import NOW, Person, Round
from tests.kit.timed_games import DAY, answer_all, begin_three
from tests.notices.commands import advance_at, type_at

SILENT = NOW + DAY + 1


@pytest.fixture
def announced_end(table: Round) -> Round:
    """Turn 2 finds Bo silent, turn 3 lists that Ann and Cy agreed on the end, and turn 4 that Ann
    is away; everybody looked at turn 3."""
    begin_three(table, "--idle-after 1")
    answer_all(table, "ac")
    assert advance_at(table, SILENT).exit == 0
    for seat in ("ann", "cy"):
        assert type_at(table.person(seat), "notice end --draw", SILENT).exit == 0
    assert advance_at(table, SILENT).exit == 0
    look(table)
    assert type_at(table.person("ann"), "notice away 2027-02-01..2027-02-02", SILENT).exit == 0
    answer_all(table, "ac")
    assert advance_at(table, SILENT).exit == 0
    return table


def look(table: Round) -> list[str]:
    """What everybody reads about the notices."""
    people = [table.person(name) for name in ("ann", "bo", "rhea")]
    return [type_at(who, words, SILENT).text for who in people for words in ("status", "log")]


def caches(person: Person) -> list[str]:
    """The text of each cache in a person's home."""
    return [path.read_text("utf-8") for path in person.home.glob("snapshots/*/*")]


@pytest.mark.sample(0)
def test_no_cache_holds_a_sentence_about_a_notice(announced_end: Round) -> None:
    shown = "\n".join(look(announced_end))
    for sentence in ("votes to end the game as a draw", "the game ends as a draw, as ", "is away"):
        assert sentence in shown
    for name in ("ann", "bo", "rhea"):
        kept = caches(announced_end.person(name))
        assert any('"draw"' in text for text in kept)
        assert not any(
            words in text for text in kept for words in ("votes to", "agreed", "is away")
        )


def rewrite(text: str, old: str, new: str) -> str:
    """A cache with this purpose instead, and with a sentence in the place of each set of fields."""

    def said(value: object) -> object:
        if isinstance(value, list):
            return [said(one) for one in value]
        if isinstance(value, dict):
            return {k: said(v) for k, v in value.items()} if "writer" not in value else "Bo left"
        return value

    body = json.dumps(said(json.loads(text.partition("\n")[2].replace(old, new, 1))))
    return f"{zlib.crc32(body.encode()):08x}\n{body}"


@pytest.mark.sample(0)
def test_a_cache_of_the_form_before_is_made_anew(announced_end: Round) -> None:
    right = look(announced_end)
    for name in ("ann", "bo", "rhea"):
        for path in [*announced_end.person(name).home.glob("snapshots/*/*")]:
            for purpose in (VIEW_PURPOSE, CHECKPOINT_PURPOSE):
                stem, _, number = purpose.rpartition("-")
                before = f"{stem}-{int(number) - 1}"
                if path.name.startswith(purpose):
                    text = rewrite(path.read_text("utf-8"), purpose, before)
                    path.with_name(path.name.replace(purpose, before)).write_text(text, "utf-8")
                    path.unlink()
    assert look(announced_end) == right


def test_who_goes_on_from_a_checkpoint_tells_what_was_told(table: Round) -> None:
    """Ann's vote has lapsed when she says that she wants to play on: she takes nothing back."""
    begin_three(table, "--idle-after 1")
    ann = table.person("ann")
    assert type_at(ann, "notice end --draw").exit == 0
    answer_all(table, "ac")
    assert advance_at(table, SILENT).exit == 0
    assert type_at(ann, "notice end --no", SILENT).exit == 0
    for _ in range(2):
        answer_all(table, "ac")
        assert advance_at(table, SILENT).exit == 0
        told = type_at(ann, "log", SILENT).out
    assert "  Ann wants to play on\n" in told
    for snapshots in ann.home.glob("snapshots"):
        shutil.rmtree(snapshots)
    assert type_at(ann, "log", SILENT).out == told
