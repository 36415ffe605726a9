"""How the server asks the system for memory, so that it holds little more than it needs."""

import ctypes
import os
import sys

BLAS_THREADS = "OPENBLAS_NUM_THREADS"
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # of malloc.h
LARGE = 256 * 1024  # bytes: arrays of this size and more go back to the system when they are no longer used


def hold_little() -> None:
    """Have the C library give back what is free, and share one heap between all threads; before there are any.

    By default each thread that answers calls gets a heap of its own, and arrays of up to 32 MB stay in it after use.
    Other systems' C libraries are left as they are. NumPy, if it is not there yet, multiplies with one thread: for a
    second one it would keep 25 MB, and what calls multiply is small. Jobs are processes of their own, with all threads.
    """
    _load_numpy_with_one_thread()
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    for option, value in ((M_ARENA_MAX, 1), (M_MMAP_THRESHOLD, LARGE), (M_TRIM_THRESHOLD, LARGE)):
        mallopt(option, value)


def _load_numpy_with_one_thread() -> None:
    if "numpy" in sys.modules or BLAS_THREADS in os.environ:
        return
    os.environ[BLAS_THREADS] = "1"
    try:
        import numpy  # noqa: F401 – its library reads this once, when it is loaded
    finally:
        del os.environ[BLAS_THREADS]
