"""These tests are about the disk: they wait for it, as pbem does."""

import os
import posix

import pytest


@pytest.fixture(autouse=True)
def disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere `os.fsync` does nothing (tests/conftest.py)."""
    monkeypatch.setattr(os, "fsync", posix.fsync)
