"""Delay Ctrl-C while a command writes something that it has not reported yet."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def held_interrupt() -> Iterator[Callable[[], None]]:
    """Yield a function; once the block has called it, Ctrl-C waits for the end of the block.

    Before that call, Ctrl-C acts immediately; after it, a second Ctrl-C does. If the block raises
    an error, that error is raised and the delayed Ctrl-C is dropped: the command ends anyway. In a
    thread, and where Ctrl-C is ignored, nothing changes.
    """
    usual, came = signal.getsignal(signal.SIGINT), False
    able = threading.current_thread() is threading.main_thread()
    able = able and usual is signal.default_int_handler

    def wait(_number: int, _frame: object) -> None:
        nonlocal came
        came = True
        signal.signal(signal.SIGINT, usual)

    def hold() -> None:
        if able:
            signal.signal(signal.SIGINT, wait)

    try:
        yield hold
    finally:
        if able:
            signal.signal(signal.SIGINT, usual)
    if came:
        raise KeyboardInterrupt
