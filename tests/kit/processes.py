"""Tests that start processes and threads: how long to wait for a condition, and free ports.

For example:

    one = bound_socket()
    port = one.getsockname()[1]
    until(lambda: port in PORTS, why="a system may give the port away")
    one.close()
"""

import random
import socket
import time
from collections.abc import Callable

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


_TAKEN: list[socket.socket] = []
"""A socket of UDP at each port that this process has chosen, until the process ends: no other
process that runs tests chooses the port before its server has started, or while it starts again."""


def bound_socket(port: int = 0) -> socket.socket:
    """A socket at this port of the loopback, or at any that is free; nobody listens there yet."""
    for _ in range(1000):
        found = socket.socket()
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind(("127.0.0.1", port or _chosen_port()))
            return found
        except OSError:  # somebody has it
            found.close()
            if port:
                time.sleep(0.1)  # the server that had it may not have ended quite yet
    raise AssertionError(f"no port is free: {port or PORTS}")


def _chosen_port() -> int:
    """A port that no process which runs tests has chosen. Raises OSError if one has."""
    chosen = socket.socket(type=socket.SOCK_DGRAM)
    try:
        chosen.bind(("127.0.0.1", random.SystemRandom().choice(PORTS)))
    except OSError:
        chosen.close()
        raise
    _TAKEN.append(chosen)
    return int(chosen.getsockname()[1])


def free_port() -> int:
    """A port at which nobody listens, for a server that is started by its command line."""
    with bound_socket() as found:
        return int(found.getsockname()[1])
