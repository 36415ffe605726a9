"""Best first, and apart: the neighbours of a match are not matches."""

import numpy as np


def ranked(clips: np.ndarray, starts: np.ndarray, *keys: np.ndarray) -> np.ndarray:
    """The order (N,) of windows by `keys`, the first key first; ties by clip and start."""
    return np.lexsort((starts, clips, *reversed(keys)))


def separated(
    order: np.ndarray, clips: np.ndarray, starts: np.ndarray, *, least: int, most: int | None = None
) -> np.ndarray:
    """Which windows (K,) are taken, one after the other in `order`: each whose start is at least `least` frames away
    from that of all taken before in its clip; at most `most`.

    Windows (N,) come by clip and start, without one twice.
    """
    if len(order) == 0 or most == 0:
        return np.zeros(0, dtype=np.int64)
    stride = int(starts.max()) + least + 1
    places = clips.astype(np.int64) * stride + starts  # ascending; windows of two clips are never near
    too_near = np.zeros(len(places), dtype=bool)
    taken: list[int] = []
    for window in order.tolist():
        if too_near[window]:
            continue
        taken.append(window)
        if len(taken) == most:
            break
        first, stop = np.searchsorted(places, [places[window] - least + 1, places[window] + least])
        too_near[first:stop] = True
    return np.array(taken, dtype=np.int64)
