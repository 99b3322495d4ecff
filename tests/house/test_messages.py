"""The list of all texts that people may read, for whoever edits them."""

import ast
import subprocess
import sys

import pytest

from tests.house.source import modules
from tests.kit.selection import ROOT
from tools import messages


def printed(*words: str) -> list[str]:
    run = [sys.executable, "-m", "tools.messages", *words]
    return subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )


@pytest.fixture(scope="module")
def all_messages():
    """All messages, from the files that the other tests of the house have parsed already."""
    with pytest.MonkeyPatch.context() as patch:
        read = [(m.path, m.tree) for m in modules() if m.path not in messages.NO_TEXT]
        patch.setattr(messages, "modules", lambda: read)
        return list(messages.messages())


def test_all_messages_are_listed_with_their_places(all_messages):
    assert any(
        row.startswith("pbem/wording/order_receipts.py") and "nothing was sealed" in row
        for row in all_messages
    )
    assert any(row.startswith("games/evolution/phases/") for row in all_messages)
    assert not any("abandon ability" in row for row in all_messages)  # the word list


def test_each_message_says_where_people_meet_it():
    tree = ast.parse('''"""A draft in words: where it is. More."""
def check(view):
    """Check it all again."""
    hint = "write a new draft"
    if not view:
        raise CliError("there is no draft here", hint)
    print(f"your draft is {path} now")
    sentence = "the turn is here"
    sentence += " already"
    print(f"{sentence}; look at it")
name: Annotated[str, Option(help="the name of the game")]
''')
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(messages, "modules", lambda: [("pbem/cli/check.py", tree)])
        rows = list(messages.messages())
    subject = "pbem check: A draft in words: where it is"
    assert rows == [
        f"pbem/cli/check.py:4 | {subject} (what to do) | write a new draft",
        f"pbem/cli/check.py:6 | {subject} (error) | there is no draft here",
        f"pbem/cli/check.py:7 | {subject} | your draft is {{path}} now",
        f"pbem/cli/check.py:9 | {subject} | the turn is here already",
        f"pbem/cli/check.py:10 | {subject} | the turn is here already; look at it",
        f"pbem/cli/check.py:11 | {subject} (help) | the name of the game",
    ]


def test_types_in_quotes_are_not_messages(all_messages):
    rows = {row.split(" | ")[-1] for row in all_messages}
    assert not rows & {"str | None", "str | list[str]", "Hook | None", "tuple[int, ...] | int"}
    assert messages.is_type("dict[str, list[int] | None]")
    assert not messages.is_type("{name} already has {limit} traits")
    assert not messages.is_type("add --as [SEAT]")


@pytest.mark.long
def test_docstrings_are_spread_over_the_house():
    rows = [row for row in printed("--docstrings", "40") if row]
    assert len(rows) == 40
    assert {row.split("/")[0] for row in rows} == {"engine", "games", "pbem"}
    assert printed() == [*messages.messages(), ""]
