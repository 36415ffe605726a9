"""Best first, and apart: the neighbours of a match are not matches."""

import numpy as np
from numba import njit


def ranked(clips: np.ndarray, starts: np.ndarray, *keys: np.ndarray) -> np.ndarray:
    """The order (N,) of windows by `keys`, the first key first; ties by clip and start."""
    return np.lexsort((starts, clips, *reversed(keys)))


def separated(
    order: np.ndarray, clips: np.ndarray, starts: np.ndarray, *, least: int, most: int | None = None
) -> np.ndarray:
    """Which windows (K,) are taken, one after the other in `order`: each whose start is at least `least` frames away
    from that of all taken before in its clip; at most `most`.

    Windows (N,) come by clip and start; of several that begin together, at most one is taken.
    """
    taken = np.empty(len(order) if most is None else min(most, len(order)), dtype=np.int64)
    too_near = np.zeros(len(clips), dtype=bool)
    return taken[: _separate(order, _narrow(clips), _narrow(starts), least, too_near, taken)]


def beside(windows: np.ndarray, clips: np.ndarray, starts: np.ndarray, *, least: int) -> np.ndarray:
    """Which of all windows (N,) begin less than `least` frames away from one of `windows`; they do so themselves."""
    too_near = np.zeros(len(clips), dtype=bool)
    clips, starts = _narrow(clips), _narrow(starts)
    for window in windows.tolist():
        _mark(window, clips, starts, least, too_near)
    return too_near


def separated_reference(
    order: list[int], clips: np.ndarray, starts: np.ndarray, *, least: int, most: int | None = None
) -> list[int]:
    """What `separated` gives, from the definition."""
    taken: list[int] = []
    for window in order:
        apart = all(clips[window] != clips[one] or abs(starts[window] - starts[one]) >= least for one in taken)
        if apart and (most is None or len(taken) < most):
            taken.append(window)
    return taken


def _narrow(numbers: np.ndarray) -> np.ndarray:
    """The same in 32 bits: kernels are compiled for these alone."""
    return np.ascontiguousarray(numbers, dtype=np.int32)


@njit(cache=True, nogil=True)
def _mark(window, clips, starts, least, too_near):  # type: ignore[no-untyped-def]
    other = window
    while other >= 0 and clips[other] == clips[window] and starts[window] - starts[other] < least:
        too_near[other] = True
        other -= 1
    other = window + 1
    while other < len(clips) and clips[other] == clips[window] and starts[other] - starts[window] < least:
        too_near[other] = True
        other += 1


@njit(cache=True, nogil=True)
def _separate(order, clips, starts, least, too_near, taken):  # type: ignore[no-untyped-def]
    """Stops when `taken` is full."""
    n_taken = 0
    for window in order:
        if n_taken == len(taken):
            break
        if not too_near[window]:
            taken[n_taken] = window
            n_taken += 1
            _mark(window, clips, starts, least, too_near)
    return n_taken
