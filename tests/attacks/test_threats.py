"""The list of attacks is kept true: every test that it names is there, and docs/trust.md says what
nobody catches."""

import re

from pbem.judge.security_threats import threats
from tests.kit.selection import ROOT

PAGE = (ROOT / "docs" / "trust.md").read_text("utf-8")


def test_the_page_about_trust_says_which_attacks_nobody_catches():
    lost = [row for rows in threats().values() for row in rows if row.when == "never caught"]
    assert len(lost) == 4
    assert "Four rows say *never caught*" in PAGE


def test_every_attack_in_the_list_names_a_test_that_exists():
    assert len(threats()) > 3
    for rows in threats().values():
        for row in rows:
            assert all(row), row
            is_script = row.file.endswith(".txt")
            path = ROOT / "tests" / (row.file if is_script else f"{row.file}.py")
            start = re.escape(f"# {row.test}\n") if is_script else rf"def {row.test}\("
            assert re.search(f"^{start}", path.read_text("utf-8"), re.MULTILINE), row


def test_no_attack_is_in_the_list_twice():
    told = [row.attack for rows in threats().values() for row in rows]
    assert len(set(told)) == len(told)
    assert len(told) >= 45
