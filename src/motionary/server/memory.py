"""How the server asks the system for memory, so that it holds little more than it needs."""

import ctypes

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8  # of malloc.h
LARGE = 256 * 1024  # bytes: arrays of this size and more go back to the system when they are no longer used


def hold_little() -> None:
    """Have the C library give back what is free, and share one heap between all threads; before there are any.

    By default each thread that answers calls gets a heap of its own, and arrays of up to 32 MB stay in it after use.
    Other systems' C libraries are left as they are.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    for option, value in ((M_ARENA_MAX, 1), (M_MMAP_THRESHOLD, LARGE), (M_TRIM_THRESHOLD, LARGE)):
        mallopt(option, value)
