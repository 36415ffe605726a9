"""Ctrl-C at a moment of our choice."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def held_back_interrupts() -> Iterator[Callable[[], None]]:
    """Hold Ctrl-C back; what is given raises KeyboardInterrupt if one has come, and must be called now and then.

    An interrupt inside a pool of processes or a commit may leave either half-way: locks taken, workers that are
    never told to leave. A second Ctrl-C is not held back. Outside the main thread, which alone is interrupted, and
    in a process that was told to ignore Ctrl-C (a shell does that in the background), nothing is changed.
    """
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if ignored or threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return
    pending = False

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pending
        if pending and callable(before):
            before(number, frame)
        pending = True

    def check() -> None:
        if pending:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)
