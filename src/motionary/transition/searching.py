"""The search for the best recipes of each pair of representatives: every 2-, 3- and 4-way blend, scored."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from numba import njit

from motionary.transition.blending import FALL_ERROR, PLANT_ERROR, SCORE, ZMP_ERROR, run_blends
from motionary.transition.body_lanes import BodyLanes
from motionary.transition.clock import align, smooth_times
from motionary.transition.sources import SourceWindows
from motionary.transition.workspace import make_workspace
from motionary.workers import n_cores

NONE = -1  # no intermediary


def search_row(
    lanes: BodyLanes,
    windows: SourceWindows,
    i: int,
    *,
    exhaustive: bool,
    n_best: int = 1,
    n_threads: int | None = None,
) -> tuple[np.ndarray, np.ndarray, int]:
    """The best recipes from representative i to all, best first: scores (R, K), intermediaries (R, K, 2), and how many
    blends were finished. Where there are fewer recipes, the direct blend fills up, its score infinite.

    `exhaustive` scores every blend to the end; otherwise a blend is given up once it is certain to be worse than the
    K best so far, and those that promise most come first. Both give the same answer to the bit: scores are computed by
    the same operations, errors are never below 0, and of equal blends the first in the order of their codes wins. Pairs
    are searched one by one in threads, so that their number changes nothing.
    """
    n_windows = len(windows.facing)
    search = partial(_search_pair, lanes, windows, align_all(windows, i), i, exhaustive, n_best)
    with ThreadPoolExecutor(n_threads or n_cores()) as threads:
        found = list(threads.map(search, range(n_windows)))
    best = np.array([best for best, _ in found])  # (R, K, 2)
    codes = np.where(np.isfinite(best[..., 1]), best[..., 1], 0.0)
    recipes = np.array([[decoded(code, n_windows) for code in row] for row in codes.tolist()], dtype=np.int16)
    return best[..., 0], recipes, sum(finished for _, finished in found)


def n_blends(n_representatives: int) -> int:
    """How many blends an exhaustive search scores."""
    r = n_representatives
    return r * len(all_recipes(r, 0, 0)[0]) + (r * (r - 1) * len(all_recipes(r, 0, 1)[0]) if r > 1 else 0)


def all_recipes(n_windows: int, i: int, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Every recipe (B, 4) from i to j, and their codes (B,): by the number of intermediaries, then by these."""
    others = [k for k in range(n_windows) if k not in (i, j)]
    rows = [(i, j, NONE, NONE)] + [(i, k, j, NONE) for k in others]
    rows += [(i, k, m, j) for k in others for m in others if m != k]
    codes = [0] + [1 + k for k in others]
    codes += [1 + n_windows + k * n_windows + m for k in others for m in others if m != k]
    return np.array(rows, dtype=np.int64), np.array(codes, dtype=np.float64)


def decoded(code: float, n_windows: int) -> tuple[int, int]:
    """The intermediaries of a recipe's code; −1: none."""
    if code == 0:
        return NONE, NONE
    number = int(code) - 1
    if number < n_windows:
        return number, NONE
    return divmod(number - n_windows, n_windows)


def _search_pair(
    lanes: BodyLanes,
    windows: SourceWindows,
    aligned: tuple[np.ndarray, np.ndarray],
    i: int,
    exhaustive: bool,
    n_best: int,
    j: int,
) -> tuple[np.ndarray, int]:
    """Scores and codes (K, 2) of the best recipes from i to j, and how many blends were finished."""
    n_windows, n_poses = windows.facing.shape
    recipes, codes = all_recipes(n_windows, i, j)
    work, best = make_workspace(n_poses, lanes), np.full((n_best, 2), np.inf)
    n_short = 1 + int(np.count_nonzero(codes[1:] <= n_windows))
    finished = 0
    promises: dict[int, float] = {}
    for part in (np.arange(n_short), np.arange(n_short, len(codes))):
        if not len(part):  # so few representatives have no recipe with two intermediaries
            continue
        if part[0] == n_short and not exhaustive:
            part = part[_by_promise(promises, recipes[part])]
        out = np.empty((len(part), 8))
        out[:, SCORE] = codes[part]
        run_blends(lanes, windows, *aligned, recipes[part], not exhaustive, best, out, work)
        finished += int(np.count_nonzero(np.isfinite(out[:, SCORE])))
        if len(part) > 1 and part[0] == 0:
            promises = dict(zip(recipes[part[1:], 1].tolist(), _promised(out[1:]), strict=True))
    return best, finished


def _promised(parts: np.ndarray) -> Sequence[float]:
    """What an intermediary promises, by the parts of its 3-way blend's score; of one given up, what is known."""
    whole = np.isfinite(parts[:, SCORE])
    known = parts[:, PLANT_ERROR] + np.where(whole, parts[:, ZMP_ERROR] + parts[:, FALL_ERROR], np.median(parts[:, 2]))
    return [float(x) for x in np.nan_to_num(known, nan=1e6, posinf=1e6)]


def _by_promise(promises: dict[int, float], recipes: np.ndarray) -> np.ndarray:
    """The order of 4-way recipes by what their intermediaries promise together."""
    together = [promises[k] + promises[m] for k, m in recipes[:, 1:3].tolist()]
    return np.argsort(together, kind="stable")


def align_all(windows: SourceWindows, i: int, *, n: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Times and paces (R, P) of all windows, or of the first n, aligned with window i."""
    times, paces = np.empty_like(windows.facing[:n]), np.empty_like(windows.facing[:n])
    _align_all(windows.shapes[:n], i, times, paces)
    return times, paces


def unaligned(n_windows: int, n_poses: int) -> tuple[np.ndarray, np.ndarray]:
    """Times and paces (R, P) of windows that run side by side, frame by frame."""
    return np.tile(np.arange(float(n_poses)), (n_windows, 1)), np.ones((n_windows, n_poses))


@njit(cache=True, nogil=True, error_model="numpy")
def _align_all(shapes, i, times, paces):  # type: ignore[no-untyped-def]
    n_poses = shapes.shape[1]
    costs, steps, work = np.empty((n_poses, n_poses)), np.empty((n_poses, n_poses)), np.empty(n_poses)
    for r in range(len(shapes)):
        if r == i:
            for k in range(n_poses):
                times[r, k], paces[r, k] = k, 1.0
        else:
            align(shapes[i], shapes[r], costs, steps, times[r])
            smooth_times(times[r], paces[r], work)
