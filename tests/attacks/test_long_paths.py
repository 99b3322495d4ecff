"""Paths that no disk can have, for every option and argument of every command: a sentence, and no
traceback. Whoever writes scripts, or a page that starts commands, passes on what others typed."""

import pytest

from tools.man_page import commands

COMMANDS = dict(commands())
LONG = {"a name of 5,000 letters": "x" * 5000, "2,500 folders": "a/" * 2500 + "a"}
ENDLESS = {"table", "run"}
"""Commands that go on until they are stopped, unless their path is refused."""


def command_lines(name, value):
    """The lines that give this value to each option and argument that takes one."""
    parameters = [p for p in COMMANDS[name].params if not getattr(p, "is_flag", False)]
    for one in parameters:
        words = name.split()
        for other in parameters:
            given = value if other is one else "x"
            if other is one or other.required:
                option = other.param_type_name == "option"
                words += [other.opts[0], given] if option else [given]
        if name not in ENDLESS or one.opts[0] in ("-C", "folder", "folders"):
            yield words


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_crashes_on_a_path_that_is_too_long(game, name):
    ann = game("middle").person("ann")
    ann.place = ann.place / "savannah"
    for value in LONG.values():
        for words in command_lines(name, value):
            said = ann.pbem(words)
            told = words[: len(words) - 1], said.exit, said.text[-300:]
            assert said.exit != 70, told
            assert "Traceback" not in said.text, told


@pytest.mark.long
@pytest.mark.parametrize("name", ["PBEM_HOME", "PBEM_FOLDER"])
def test_no_command_crashes_on_a_setting_with_a_path_that_is_too_long(game, name):
    ann = game("middle").person("ann")
    for value in LONG.values():
        for line in ("status", "list", "audit", "doctor", "keys show", "keys new --profile new"):
            said = ann.pbem(line, **{name: value})
            assert said.exit != 70, (line, said)


@pytest.mark.parametrize(
    ("line", "code"),
    [("audit {}", 7), ("rules test {}", 2), ("keys import {} --profile n", 2), ("show -C {}", 7)],
)
def test_commands_with_a_path_that_is_too_long_end_with_a_short_error(game, line, code):
    said = game("middle").person("ann").pbem(line.format("x" * 5000))
    assert said.exit == code, said
    assert said.err.startswith("error: ")
    assert len(said.err) < 6000
