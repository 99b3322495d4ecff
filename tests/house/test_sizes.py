"""Widths: a line fits a screen. Files, functions and folders are as long as their subject."""

from tests.house.source import ROOT, modules

COLUMNS = 100


def test_no_line_of_the_product_is_wider_than_100_columns():
    files = [f for room in ("engine", "games", "pbem") for f in (ROOT / room).rglob("*.toml")]
    texts = {m.path: m.text for m in modules()} | {str(f): f.read_text("utf-8") for f in files}
    wide = [
        f"{path}:{n}: {len(line)} columns"
        for path, text in texts.items()
        for n, line in enumerate(text.splitlines(), 1)
        if len(line) > COLUMNS
    ]
    assert not wide
