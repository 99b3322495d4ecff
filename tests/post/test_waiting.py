"""What `pbem run` does between its passes: no server makes it go round and round."""

import pytest

from pbem.post import run_passes
from pbem.post.event_printer import Log
from pbem.post.mail_server_connection import Trouble
from pbem.post.run_passes import Runner

HOUR = 3600.0


class Clock:
    """A clock that runs only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Fake:
    """Both a round and its only mailbox; `wait` is what the server does."""

    def __init__(self, clock: Clock, waits: str) -> None:
        self.clock, self.waits = clock, waits
        self.passes = self.closed = 0
        self.posts = {"default": self}

    def run_pass(self) -> int:
        self.passes += 1
        if self.clock.now > HOUR:
            raise KeyboardInterrupt
        return 0

    def look_after_games(self, *, stores: bool) -> int:
        return 0

    def places(self) -> list[None]:
        return []

    def close(self) -> None:
        self.closed += 1

    def wait(self, seconds: float) -> bool:
        if self.waits == "hangs up":
            raise Trouble("hung up")
        if self.waits == "a bug":
            raise IndexError("not IMAP")
        if self.waits == "quiet":
            self.clock.sleep(seconds)
        return self.waits == "new mail"


@pytest.mark.parametrize(
    ("waits", "most"),
    [
        ("quiet", 62),
        ("hangs up", 62),
        ("a bug", 62),
        ("new mail", HOUR / run_passes.MIN_LOOK_SECONDS + 2),
    ],
)
def test_a_server_cannot_make_passes_follow_without_a_pause(monkeypatch, waits, most):
    clock = Clock()
    monkeypatch.setattr(run_passes, "time", clock)
    fake = Fake(clock, waits)
    with pytest.raises(KeyboardInterrupt):
        Runner(fake, Log(), 60.0).run()  # type: ignore[arg-type]
    assert 60 <= fake.passes <= most
    assert fake.closed == (fake.passes - 1 if waits in ("hangs up", "a bug") else 0)
