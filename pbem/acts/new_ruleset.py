"""Write a package with a ruleset of somebody's own, made from one of ours."""

from __future__ import annotations

import re
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from engine.values import Value
from games.data import package_data
from games.registry import names
from pbem.errors import CliError, to_install
from pbem.files.disk import create

_SAMPLE_CARDS: Final = 'sharp_claws = "1 2 3 3 4 4 5"'


class _Origin(Value):
    """A ruleset that a package can start from."""

    constant: str
    rules: str
    """The module of the ruleset."""
    package: str
    """The package with its cards, table and traits."""


ORIGINS: Final = {
    "evolution": _Origin("EVOLUTION", "games.evolution.rules", "games.evolution"),
    "digital": _Origin("DIGITAL", "games.digital.rules", "games.evolution"),
}
"""The rulesets that a package can start from: the template fits their traits and cards."""


class NewRuleset(Value):
    """A package that was written."""

    folder: Path
    name: str
    origin: str
    install_command: str
    case_command: str
    study_command: str


def write_ruleset(name: str, origin_name: str, parent: Path) -> NewRuleset:
    """Write the package into a new folder of that name in `parent`. Raises CliError."""
    _check_name(name)
    origin = ORIGINS.get(origin_name)
    if origin is None:
        if origin_name == "climate":
            hint = "pbem explain --game climate --cards-template > my-cards.toml"
            raise CliError("for climate, write a card file instead of a package", hint)
        raise CliError(
            f"a package cannot start from {origin_name!r}", f"choose one of: {', '.join(ORIGINS)}"
        )
    folder = parent / name
    if folder.exists():
        raise CliError(f"{folder} is there already; nothing was overwritten", "choose another name")
    made = NewRuleset(
        folder,
        name,
        origin_name,
        to_install("--editable", shlex.quote(str(folder.absolute()))),
        f"pbem rules test {shlex.quote(str(folder / 'cases.toml'))}",
        f"pbem sim {name} --against {origin_name} --games 3000",
    )
    words = {
        "NAME": name,
        "CONSTANT": name.upper(),
        "BASE": origin_name,
        "MODULE": origin.package,
        "RULES": origin.rules,
        "ORIGINAL": origin.constant,
        "INSTALL": made.install_command,
        "CASES": "cases.toml",
    }
    cards = package_data(origin.package, "cards.toml").rstrip()
    texts = {
        "pyproject.toml": _filled("pyproject.toml", words),
        "README.md": _filled("README.md", words),
        "cases.toml": _filled("cases.toml", words),
        f"{name}/__init__.py": f'"""The ruleset {name}."""\n',
        f"{name}/rules.py": _filled("rules.py.txt", words),
        f"{name}/traits.py": _filled("traits.py.txt", words),
        f"{name}/cards.toml": f"{cards}\n{_SAMPLE_CARDS}\n",
    }
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        create(folder / path, text.encode(), private=False)
    return made


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,31}", name):
        problem = f"{name!r} cannot name a ruleset"
        raise CliError(problem, "use lower-case letters, digits and _, and begin with a letter")
    if name in names():
        raise CliError(f"a ruleset called {name} is installed already", "choose another name")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise CliError(f"Python has a module called {name} already", "choose another name")


def _filled(file: str, words: dict[str, str]) -> str:
    """Return a file of the template; each word in capitals stands for something else."""
    text = package_data("pbem.acts", f"package_template/{file}")
    return re.sub("|".join(words), lambda match: words[match[0]], text)
