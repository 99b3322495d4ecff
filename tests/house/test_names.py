"""The engine and the commands contain no ruleset's name, not even in a comment."""

import re

import pytest

from tests.house.source import ROOT

RULESETS = sorted(p.parent.name for p in (ROOT / "games").glob("*/__init__.py"))


@pytest.mark.skipif(not RULESETS, reason="no rulesets yet")
@pytest.mark.parametrize("room", ["engine", "pbem"])
def test_engine_and_pbem_name_no_ruleset_of_ours(room):
    name = re.compile(rf"(?<![a-z])(?:{'|'.join(RULESETS)})(?![a-z])", re.IGNORECASE)
    texts = [f for f in (ROOT / room).rglob("*") if f.suffix in {".py", ".toml", ".md", ".txt"}]
    # English words are free to be names: one is "digital", and a header of HTTP is "Origin"
    exempt_names = ("bip39_words.txt", "access_guard.py", "request_guard.py", "request_limits.py")
    texts = [f for f in texts if f.name not in exempt_names]
    wrong = [
        f"{f.relative_to(ROOT)}:{n}: {line.strip()}"
        for f in texts
        for n, line in enumerate(f.read_text("utf-8").splitlines(), 1)
        if name.search(line)
    ]
    assert not wrong
