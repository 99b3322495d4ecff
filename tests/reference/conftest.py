"""Assertions outside test files also say what they compared."""

import pytest

pytest.register_assert_rewrite(
    "tests.reference.tables", "tests.reference.origin.tables", "tests.reference.classroom.tables"
)
