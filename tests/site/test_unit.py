"""The unit tests of what a browser has in another way, run by the Python of the page itself."""

import re

import pytest

from tests.kit.page_python import NOT_IN_A_TAB, packages_for_page, run_in_page_python

SLOW = (*NOT_IN_A_TAB, "each_bit")
"""With those that try each bit of a proof: the arithmetic of a tab takes ten times as long."""


@pytest.fixture(scope="module")
def packages() -> None:
    packages_for_page()


@pytest.mark.parametrize(
    ("paths", "least"),
    [
        (("tests/format", "tests/records", "tests/engine"), 950),
        pytest.param(("tests/play", "tests/vectors"), 500, marks=pytest.mark.long),
    ],
)
def test_the_unit_tests_pass_in_the_page_s_python(site, packages, paths, least):
    told = run_in_page_python(site, *paths)
    assert int(re.findall(r"(\d+) passed", told)[-1]) >= least, told[-500:]


def test_hidden_cards_are_the_same_bytes_in_a_tab_and_a_large_deck_is_mixed(site, packages):
    """With @noble/curves in place of libsodium. It prints the time, and asserts none."""
    proofs = ("tests/cards/test_large_deck.py", "tests/cards/test_proofs.py", "-rP")
    printed = run_in_page_python(site, "tests/vectors/test_hidden_cards.py", *proofs, deselect=SLOW)
    print(*re.findall(r"(?m)^.*: [0-9.]+ s$", printed), sep="\n")
    assert int(re.findall(r"(\d+) passed", printed)[-1]) >= 40, printed[-500:]
