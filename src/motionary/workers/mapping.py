"""One function over many items, in several processes, results in order."""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from types import ModuleType
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
AHEAD = 8  # items a process under way or done but not yet taken: bounds the memory, whatever their number


class WorkerDiedError(Exception):
    """A process that works for us has died, perhaps for lack of memory."""


def map_in_order(function: Callable[[Item], Result], items: Sequence[Item], *, n_processes: int) -> Generator[Result]:
    """The function's results in the order of the items; with one process or item, computed here.

    Function, items and results must be picklable. Closing the generator ends the work. The processes do not answer
    Ctrl-C, which goes to all processes of a terminal, and leave when this one is killed. They do not run the script
    that called for them, unless the function is from there.
    """
    n_processes = min(n_processes, len(items))
    if n_processes <= 1:
        yield from map(function, items)
        return
    pool = ProcessPoolExecutor(n_processes, mp_context=multiprocessing.get_context("spawn"), initializer=_start)
    waiting: deque[Future[Result]] = deque()
    try:
        for item in items:
            with _children_ignore_interrupts(), _script_left_alone(function):
                waiting.append(pool.submit(function, item))
            if len(waiting) >= AHEAD * n_processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise WorkerDiedError(str(error)) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def n_cores() -> int:
    """How many cores this process may use; not all systems tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _children_ignore_interrupts() -> Iterator[None]:
    """Processes started inside have Ctrl-C blocked from their first moment, before they can ignore it themselves."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _script_left_alone(function: Callable[[Item], Result]) -> Iterator[None]:
    """Processes started inside do not import the main script: without its `if __name__ == "__main__":` they would do
    again what it does, and wait for locks that this process holds."""
    script = sys.modules["__main__"]
    if getattr(getattr(function, "func", function), "__module__", None) == "__main__":
        yield
        return
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def _start() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def leave_with_parent() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=leave_with_parent, daemon=True).start()
