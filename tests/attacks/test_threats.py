"""The list of attacks is kept true: docs/threats.md is made from it, and every test it names is
there. `python -m tests.attacks.test_threats` renews the page."""

import re
from pathlib import Path

from pbem.game.audit import threats
from tests.shared import ROOT

PAGE = ROOT / "docs" / "threats.md"
_TABLES = re.compile(r"(<!-- attacks -->\n).*(<!-- end -->\n)", re.DOTALL)


def tables() -> str:
    lines = []
    for group, rows in threats().items():
        lines += [
            f"\n## {group[0].upper()}{group[1:]}\n",
            "| attack | who can | caught by | when | test |",
        ]
        lines.append("|---|---|---|---|---|")
        for row in rows:
            test = f"`{row.file}.py::{row.test}`"
            lines.append(f"| {row.attack} | {row.who} | {row.caught} | {row.when} | {test} |")
    return "\n".join(lines) + "\n\n"


def page(text: str) -> str:
    return _TABLES.sub(lambda found: found[1] + tables() + found[2], text)


def test_the_page_shows_the_list():
    assert PAGE.read_text("utf-8") == page(PAGE.read_text("utf-8"))


def test_every_attack_has_its_test():
    for rows in threats().values():
        for row in rows:
            text = Path(ROOT / "tests" / f"{row.file}.py").read_text("utf-8")
            assert re.search(rf"^def {row.test}\(", text, re.MULTILINE), row


def test_no_attack_is_listed_twice():
    told = [row.attack for rows in threats().values() for row in rows]
    assert len(set(told)) == len(told)
    assert len(told) >= 45


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
