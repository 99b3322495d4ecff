"""The list of all texts that people may read, for whoever edits them."""

import ast
import subprocess
import sys

import pytest

from tests.house.source import modules
from tests.kit.selection import ROOT
from tools import list_texts
from tools.texts_as_shown import EXAMPLES_IN_ROOMS, Screens, in_room, with_examples

SCRIPT = """\
# One script.

! [bo] pbem check
2> error: your draft is /home/bo/draft.txt now
2>   try: pbem orders
[exit 2]
"""


@pytest.fixture
def screens(tmp_path):
    (tmp_path / "tests/scripts").mkdir(parents=True)
    (tmp_path / "tests/scripts/check.txt").write_text(SCRIPT)
    return Screens(tmp_path)


def printed(*words: str) -> list[str]:
    run = [sys.executable, "-m", "tools.list_texts", *words]
    return subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )


@pytest.fixture(scope="module")
def all_templates():
    """The templates of all messages, from the files that the other tests have parsed already."""
    with pytest.MonkeyPatch.context() as patch:
        read = [(m.path, m.tree) for m in modules() if m.path not in list_texts.NO_TEXT]
        patch.setattr(list_texts, "modules", lambda: read)
        return list(list_texts.templates())


@pytest.mark.sample(0)
def test_the_list_of_texts_has_messages_of_all_rooms_with_their_places(all_templates):
    assert any(
        row.place.startswith("pbem/wording/sealed_orders.py") and "nothing was sealed" in row.text
        for row in all_templates
    )
    assert any(row.place.startswith("games/evolution/phases/") for row in all_templates)
    assert not any("abandon ability" in row.text for row in all_templates)  # the word list


def test_the_list_of_texts_says_where_people_meet_each_message(screens):
    tree = ast.parse('''"""A draft in words: where it is. More."""
def check(view):
    """Check it all again."""
    hint = "write a new draft"
    if not view:
        raise CliError("there is no draft here", hint)
    if view.over:
        raise CliError(f"the game of {name} is over", "make a new game")
    print(f"your draft is {path} now")
    sentence = "the turn is here"
    sentence += " already"
    print(f"{sentence}; look at it")
name: Annotated[str, Option(help="the name of the game")]
''')
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(list_texts, "modules", lambda: [("pbem/cli/check.py", tree)])
        rows = list(list_texts.messages(screens))
    subject = "pbem check: A draft in words: where it is"
    error = "error; below it, what to do: make a new game"
    remedy = "what to do, below the error: the game of Ann is over"
    now = "your draft is /home/bo/draft.txt now"
    screen = f"bo types: pbem check ⏎ error: «{now}» ⏎ try: pbem orders"
    assert rows == [
        f"pbem/cli/check.py:4 | {subject} (what to do) | write a new draft",
        f"pbem/cli/check.py:6 | {subject} (error) | there is no draft here",
        f"pbem/cli/check.py:8 | {subject} ({error}) | the game of Ann is over",
        f"pbem/cli/check.py:8 | {subject} ({remedy}) | make a new game",
        f"pbem/cli/check.py:9 | {subject} | {now} | {screen}",
        f"pbem/cli/check.py:11 | {subject} | the turn is here already",
        f"pbem/cli/check.py:12 | {subject} | the turn is here already; look at it",
        f"pbem/cli/check.py:13 | {subject} (help) | the name of the game",
    ]


def test_the_list_of_texts_shows_examples_in_place_of_fields():
    template = "{seat:name} attacks {rival_name} of {name} {time/times} {with_nothing_known}"
    assert with_examples(template) == "Ann attacks Bo of Cy time {with_nothing_known}"
    assert with_examples("{piece_name} and {name}, {hours:hour}", "games/") == "b2 and a1, 3 hours"
    assert with_examples("{orders_seat} of {seat}, {orders_seat}") == "b of a, b"


@pytest.mark.sample(0)
def test_examples_of_a_room_name_modules_that_there_are(all_templates):
    paths = {row.place for row in all_templates}
    assert not [x for x in EXAMPLES_IN_ROOMS if not any(in_room(path, x) for path in paths)]


@pytest.mark.sample(0)
def test_the_list_of_texts_leaves_out_types_in_quotes(all_templates):
    rows = {row.text for row in all_templates}
    assert not rows & {"str | None", "str | list[str]", "Hook | None", "tuple[int, ...] | int"}
    assert list_texts.is_type("dict[str, list[int] | None]")
    assert not list_texts.is_type("{name} already has {limit} traits")
    assert not list_texts.is_type("add --as [SEAT]")


@pytest.mark.long
def test_a_sample_of_docstrings_has_some_of_each_room():
    rows = [row for row in printed("--docstrings", "40") if row]
    assert len(rows) == 40
    assert {row.split("/")[0] for row in rows} == {"engine", "games", "pbem"}
