"""Ctrl-C: delay it while a command writes something that it has not reported yet."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def delayed_interrupt() -> Iterator[Callable[[], None]]:
    """Yield a function; once the block has called it, Ctrl-C waits for the end of the block.

    Before that call, Ctrl-C acts immediately; after it, a second Ctrl-C does. If the block raises
    an error, that error is raised and the delayed Ctrl-C is dropped: the command ends anyway. In a
    thread, and where Ctrl-C is ignored, nothing changes.
    """
    usual_handler, was_interrupted = signal.getsignal(signal.SIGINT), False
    may_delay = threading.current_thread() is threading.main_thread()
    may_delay = may_delay and usual_handler is signal.default_int_handler

    def note_interrupt(_number: int, _frame: object) -> None:
        nonlocal was_interrupted
        was_interrupted = True
        signal.signal(signal.SIGINT, usual_handler)

    def delay_interrupts() -> None:
        if may_delay:
            signal.signal(signal.SIGINT, note_interrupt)

    try:
        yield delay_interrupts
    finally:
        if may_delay:
            signal.signal(signal.SIGINT, usual_handler)
    if was_interrupted:
        raise KeyboardInterrupt
