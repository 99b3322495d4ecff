"""Write a package with a ruleset of somebody's own, made from one of ours."""

from __future__ import annotations

import re
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

from engine.value_classes import Value
from games.new_ruleset_files import STARTING_POINTS, package_files
from games.registry import names, ruleset
from pbem.errors import CliError
from pbem.files.disk import create
from pbem.missing_libraries import install_command_for
from pbem.text.terminal_and_page_wording import to_type


class NewRuleset(Value):
    """A package that was written, and the commands that install, test and study its ruleset."""

    folder: Path
    name: str
    base: str
    """The name of the ruleset that it was made from."""
    commands: tuple[str, str, str]


def write_ruleset(name: str, base: str, parent: Path) -> NewRuleset:
    """Write the package into a new folder of that name in `parent`. Raises CliError."""
    _check_name(name)
    if base not in STARTING_POINTS:
        if base in names() and ruleset(base).card_file:
            hint = to_type(f"pbem explain --game {base} --cards-template > my-cards.toml")
            problem = f"a package cannot start from {base!r}; write a card file instead"
            raise CliError(problem, hint)
        names_hint = f"choose one of: {', '.join(STARTING_POINTS)}"
        raise CliError(f"a package cannot start from {base!r}", names_hint)
    folder = parent / name
    if folder.exists():
        problem = f"there is a folder called {name} already; nothing was overwritten"
        raise CliError(problem, "choose another name")
    install_command = install_command_for("--editable", shlex.quote(str(folder.absolute())))
    for path, text in package_files(name, base, install_command).items():
        create(folder / path, text.encode())
    commands = (
        install_command,
        f"pbem rules test {shlex.quote(str(folder / 'cases.toml'))}",
        f"pbem sim {name} --against {base} --games 3000",
    )
    return NewRuleset(folder, name, base, commands)


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,31}", name):
        problem = f"{name!r} cannot name a ruleset"
        raise CliError(problem, "use lowercase letters, digits and _, and begin with a letter")
    if name in names():
        raise CliError(f"a ruleset called {name} is installed already", "choose another name")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise CliError(f"Python has a module called {name} already", "choose another name")
