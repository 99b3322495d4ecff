"""The files of a package with a new ruleset, which begins as a copy of one of ours."""

from __future__ import annotations

import re
from typing import Final

from engine.value_classes import Value
from games.data_and_icon_files import package_data

_SAMPLE_CARDS: Final = 'sharp_claws = "1 2 3 3 4 4 5"'


class StartingPoint(Value):
    """A ruleset that a package can start from."""

    constant: str
    rules_module: str
    package: str
    """The package with its cards, table and traits."""


STARTING_POINTS: Final = {
    "evolution": StartingPoint("EVOLUTION", "games.evolution.rules", "games.evolution"),
    "digital": StartingPoint("DIGITAL", "games.digital.rules", "games.evolution"),
}
"""The rulesets that a package can start from: the template fits their traits and cards."""


def package_files(name: str, base: str, install_command: str) -> dict[str, str]:
    """Return the texts of the files of a package called `name`, by their paths in its folder."""
    start = STARTING_POINTS[base]
    words = {
        "NAME": name,
        "CONSTANT": name.upper(),
        "BASE": base,
        "MODULE": start.package,
        "RULES": start.rules_module,
        "ORIGINAL": start.constant,
        "INSTALL": install_command,
    }
    pages = ("pyproject.toml", "README.md", "cases.toml")
    cards = package_data(start.package, "cards.toml").rstrip()
    return {
        **{page: _filled(page, words) for page in pages},
        f"{name}/__init__.py": f'"""The ruleset {name}."""\n',
        f"{name}/rules.py": _filled("rules.py.txt", words),
        f"{name}/traits.py": _filled("traits.py.txt", words),
        f"{name}/cards.toml": f"{cards}\n{_SAMPLE_CARDS}\n",
    }


def _filled(file: str, words: dict[str, str]) -> str:
    """Return a file of the template; each word in capitals stands for something else."""
    template = package_data("games", f"package_template/{file}")
    return re.sub("|".join(words), lambda match: words[match[0]], template)
