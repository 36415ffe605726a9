"""One function over many items, in several processes, results in order."""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
WAITING_PER_PROCESS = 4  # bounds the memory, whatever the number of items


def n_cores() -> int:
    """How many cores this process may use; not all systems tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_processes(
    function: Callable[[Item], Result], items: Iterable[Item], *, processes: int
) -> Generator[tuple[Item, Result]]:
    """Every item with its result, in order; in this process if `processes` is 1."""
    if processes <= 1:
        for item in items:
            yield item, function(item)
        return
    pool = ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"), initializer=_start_worker)
    waiting: deque[tuple[Item, Future[Result]]] = deque()
    try:
        for item in items:
            waiting.append((item, pool.submit(function, item)))
            if len(waiting) >= WAITING_PER_PROCESS * processes:
                first, future = waiting.popleft()
                yield first, future.result()
        while waiting:
            first, future = waiting.popleft()
            yield first, future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _start_worker() -> None:
    """Ctrl-C goes to every process of the terminal, and only the one that asked has to answer it; when that one is
    killed, the workers leave too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def leave_with_parent() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=leave_with_parent, daemon=True).start()
