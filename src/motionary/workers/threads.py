"""Kernels side by side: they let go of the interpreter's lock, so plain threads are enough."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from typing import Any

from motionary.workers.mapping import n_cores

MOST_THREADS = 256


def in_threads(kernel: Callable[..., Any], *arguments: Any, n_parts: int) -> None:
    """Call kernel(thread, n_threads, *arguments) for every thread below n_threads, all at once; returns when all have.

    There are as many threads as cores, or as NUMBA_NUM_THREADS in the environment says, but no more than parts of the
    work: the kernel does the parts thread, thread + n_threads and so on, and does not call this itself. Kernels of
    Numba's own, with `parallel=True`, do the same, but take more than twice as long to compile, and must not be called
    from several threads.
    """
    most = _most_threads()
    n_threads = max(min(most, n_parts), 1)
    if n_threads == 1:
        kernel(0, 1, *arguments)
        return
    others: list[Future[Any]] = []
    try:
        for thread in range(1, n_threads):
            others.append(_pool(most - 1).submit(kernel, thread, n_threads, *arguments))
        kernel(0, n_threads, *arguments)
    finally:
        _wait(others)  # they write into the arguments
    for other in others:
        other.result()


def _most_threads() -> int:
    """What is no number, or none from 1 on, says nothing; Numba warns of it."""
    text = os.environ.get("NUMBA_NUM_THREADS", "")
    asked = int(text) if text.isdecimal() else 0
    return min(asked, MOST_THREADS) or n_cores()


def _wait(others: Sequence[Future[Any]]) -> None:
    """Until all are done, even if somebody interrupts; then the interrupt goes on."""
    interrupt = None
    while not all(other.done() for other in others):
        try:
            wait(others)
        except KeyboardInterrupt as error:
            interrupt = error
    if interrupt is not None:
        raise interrupt


@cache
def _pool(n_threads: int) -> ThreadPoolExecutor:
    """Threads that wait between calls: starting them for each would take longer than many calls."""
    return ThreadPoolExecutor(n_threads, thread_name_prefix="kernels")


if hasattr(os, "register_at_fork"):  # a forked process has none of these threads
    os.register_at_fork(after_in_child=_pool.cache_clear)
