"""The unit tests of what a browser has in another way, run by the Python of the page itself.

`make test` runs all of them by Python; here are those whose answer may be another one in a tab. Of
the rest, `make test-long` runs what the page's Python can run.
"""

import re

import pytest

from tests.kit.page_python import packages_for_page, run_in_page_python

MAY_DIFFER = {
    "tests/format": "ciphers and signatures are those of @noble; another Python reads bytes",
    "tests/records/test_codecs.py": "characters: the page's Python has its own table of them",
    "tests/records/test_reading.py": "each kind of record is signed and read back",
    "tests/records/test_sealing.py": "sealed orders: boxes, hashes and paddings together",
    "tests/records/test_packets.py": "packets: boxes, hashes and paddings together",
    "tests/records/test_chances.py": "decks and dice: large numbers, where words have 32 bits",
    "tests/engine/test_dealer.py": "random numbers from one seed",
    "tests/engine/test_round.py": "a whole game: generators within generators, on a small stack",
    "tests/engine/test_text_and_log.py": "patterns that mask cards",
    "tests/engine/test_values.py": "classes that are made while the program runs",
    "tests/vectors/test_hidden_cards.py": "the bytes of mixes and proofs, by @noble/curves",
    "tests/cards/test_proofs.py": "whether those proofs are refused if a bit is wrong",
    "tests/cards/test_large_deck.py": "a large deck; it prints the time, and asserts none",
}
"""Files and folders of tests, each with what may differ in a tab."""


@pytest.fixture(scope="module")
def packages() -> None:
    packages_for_page()


@pytest.mark.parametrize(
    ("paths", "least"),
    [
        pytest.param(MAY_DIFFER, 800, id="what may differ"),
        pytest.param(
            ("tests/format", "tests/records", "tests/engine", "tests/play", "tests/vectors"),
            1450,
            marks=pytest.mark.long,
            id="all",
        ),
    ],
)
def test_the_unit_tests_pass_in_the_page_s_python(site, packages, paths, least):
    printed = run_in_page_python(site, *paths, "-rP")
    print(*re.findall(r"(?m)^.*: [0-9.]+ s$", printed), sep="\n")
    assert int(re.findall(r"(\d+) passed", printed)[-1]) >= least, printed[-500:]
