"""What tests of several folders share: the course material, what is left to the long run, how long
to wait, and free ports."""

import random
import socket
import time
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

PATIENCE = 180.0
"""Seconds after which something counts as stuck. A busy machine may need a minute for what takes a
second, so tests wait long for a condition, and nothing else depends on how long it took."""
PORTS = range(10_240, 32_768)
"""Ports that no system gives to a connection or to whoever asks for any port, so that a server can
start at one again after it has stopped. A program that wants a port of its choice gets one here."""


def until(
    is_so: Callable[[], object], seconds: float = PATIENCE, every: float = 0.05, why: object = ""
) -> None:
    """Wait until this is so, and look every so many seconds. `why` is told if it never is; a
    function is called then."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"stuck: {why() if callable(why) else why}")
        time.sleep(every)


def bound_socket(port: int = 0) -> socket.socket:
    """A socket at this port of the loopback, or at any that is free; nobody listens there yet."""
    for _ in range(1000):
        found = socket.socket()
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind(("127.0.0.1", port or random.SystemRandom().choice(PORTS)))
            return found
        except OSError:  # somebody has it
            found.close()
            if port:
                time.sleep(0.1)  # the server that had it may not have ended quite yet
    raise AssertionError(f"no port is free: {port or PORTS}")


def free_port() -> int:
    """A port at which nobody listens, for a server that is started by its command line."""
    with bound_socket() as found:
        return int(found.getsockname()[1])


def needs_shared(path: str) -> pytest.MarkDecorator:
    """Skip the test where `../shared/<path>` is absent; the reason is counted in the summary."""
    missing = not (SHARED / path).exists()
    return pytest.mark.skipif(missing, reason=f"needs ../shared/{path}")


def long(parameters: Iterable[Any]) -> list[Any]:
    """The parameters that `make test-all` tests, and `make test` does not."""
    each = (one if isinstance(one, tuple) else (one,) for one in parameters)
    return [pytest.param(*one, marks=pytest.mark.long) for one in each]


def pairs(ones: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """Each of these with each of those: every second pair, and the rest for the long run."""
    found = list(product(enumerate(ones), enumerate(others)))
    short = [(one, other) for (i, one), (j, other) in found if (i + j) % 2 == 0]
    rest = [(one, other) for (i, one), (j, other) in found if (i + j) % 2]
    return [*short, *long(rest)]
