"""The line with which a charter names a co-dealer, with a deputy or without."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.format.record_error import RecordError
from pbem.judge.deputy_and_co_dealer_keys_in_charter import (
    make_co_dealer_line,
    parse_co_dealer_line,
)
from tests.kit.dealers_games import deputy_line
from tests.kit.played_games import played_key
from tests.kit.record_files import refusal_by

KEY, DEE = played_key("Host"), deputy_line(played_key("Dee of the host"))
LINES = [make_co_dealer_line(KEY), make_co_dealer_line(KEY, DEE)]


@pytest.mark.parametrize("line", LINES, ids=["alone", "with-deputy"])
def test_a_line_is_read_as_it_was_written(line):
    text = line.line()
    assert parse_co_dealer_line(f" {text[:90]}\n{text[90:]} ") == line
    for place in range(len("co-dealer:"), len(text), 7):
        changed = text[:place] + ("0" if text[place] != "0" else "1") + text[place + 1 :]
        with pytest.raises(RecordError):
            parse_co_dealer_line(changed)
    assert len(line.words().split()) == 12


def test_nobody_else_names_a_co_dealers_deputy():
    line = replace(
        make_co_dealer_line(KEY, DEE), deputy_x25519=deputy_line(played_key("Eve")).x25519
    )
    reason, sentence = refusal_by(parse_co_dealer_line, line.line())
    assert (reason, "has not signed the keys of this deputy" in sentence) == ("key", True)
