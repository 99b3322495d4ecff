"""Pages that a test asks for in this process have the clock of commands."""

import pytest

from tests.kit.people import NOW


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(NOW))
    monkeypatch.setenv("TZ", "UTC")
