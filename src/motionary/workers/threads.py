"""Kernels side by side: they let go of the interpreter's lock, so plain threads are enough."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import Any

from motionary.workers.mapping import n_cores


def in_threads(kernel: Callable[..., Any], *arguments: Any, n_parts: int) -> None:
    """Call kernel(thread, n_threads, *arguments) for every thread below n_threads, all at once; returns when all have.

    There are as many threads as cores, or as NUMBA_NUM_THREADS in the environment says, but no more than parts of the
    work: the kernel does the parts thread, thread + n_threads and so on. Kernels of Numba's own, with `parallel=True`,
    do the same, but take three times as long to compile, and must not be called from several threads.
    """
    n_threads = max(min(int(os.environ.get("NUMBA_NUM_THREADS") or n_cores()), n_parts), 1)
    if n_threads == 1:
        kernel(0, 1, *arguments)
        return
    pool = _pool(n_threads - 1)
    others = [pool.submit(kernel, thread, n_threads, *arguments) for thread in range(1, n_threads)]
    try:
        kernel(0, n_threads, *arguments)
    finally:
        wait(others)  # they write into the arguments
    for other in others:
        other.result()


@cache
def _pool(n_threads: int) -> ThreadPoolExecutor:
    """Threads that wait between calls: starting them for each would take longer than many calls."""
    return ThreadPoolExecutor(n_threads, thread_name_prefix="kernels")


os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked process has none of these threads
