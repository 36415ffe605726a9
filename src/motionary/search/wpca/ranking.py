"""Which paths are matches, best first: none that is bent as far as it can be, none that lies on a better one."""

import numpy as np

from motionary.search.wpca.paths import Paths

MOST_BENT = 0.495  # of a part's steps; 1/2 is all that the slope limit lets through
SHORTEST_PART = 6  # steps: fewer say nothing about how a warp is bent
BENT_PENALTY = 1.0  # a warp bent in half of its steps counts half as much again as its mean


def scores(paths: Paths, ranking: str) -> np.ndarray:
    """The score (N,) of each way in the space, lower is better.

    "mean" (and "gist" where that tells nothing): the mean distance along the path. "even": times 1 + the share of
    steps at which only one of the two motions goes on. "robust": the mean of the nearest 4/5 of the pairs.
    """
    if ranking == "robust":
        return paths.robust_means
    if ranking == "even":
        return np.asarray(paths.means * (1.0 + BENT_PENALTY * paths.bent_share))
    return paths.means


def degenerate(paths: Paths) -> np.ndarray:
    """Which paths (N,) have a part that runs at the slope limit all the way."""
    return np.asarray(((paths.bent > MOST_BENT) & (paths.n_steps >= SHORTEST_PART)).any(axis=1))


def apart(
    order: np.ndarray, clips: np.ndarray, starts: np.ndarray, stops: np.ndarray, *, overlap: float, most: int | None
) -> list[int]:
    """Which of the segments are taken, one after the other in `order`; at most `most`.

    One is dropped if it has more than that share of the shorter of the two in common with one taken before.
    """
    taken: list[int] = []
    by_clip: dict[int, list[int]] = {}
    for number in order.tolist():
        others = by_clip.setdefault(int(clips[number]), [])
        length = stops[number] - starts[number]
        for other in others:
            common = min(stops[number], stops[other]) - max(starts[number], starts[other])
            if common > overlap * min(length, stops[other] - starts[other]):
                break
        else:
            taken.append(number)
            others.append(number)
            if len(taken) == most:
                break
    return taken
