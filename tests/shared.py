"""Where the course material lies beside the project, for the tests that read it."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


def needs_shared(path: str) -> pytest.MarkDecorator:
    """Skip the test where `../shared/<path>` is absent; the reason is counted in the summary."""
    missing = not (SHARED / path).exists()
    return pytest.mark.skipif(missing, reason=f"needs ../shared/{path}")
