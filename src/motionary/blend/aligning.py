"""Alignment of two motions from end to end: the cheapest path through the grid of their frame distances."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.alignment import Alignment
from motionary.errors import UsageError
from motionary.metrics import Window, WindowClouds, frame_distances, window_clouds
from motionary.motion import placements_between

WINDOW_SECS = 2.0 / 30.0  # before and after a frame
SPEED_SECS = 1.0 / 30.0  # before and after a frame, over which speeds are taken
MOVING = 0.1  # metres that a point at rest is from one that moves, whichever way
MOVES_AT = 0.3  # m/s: half-way between both
OUTWARD = 0.3  # metres that a point which leaves its first place is from one that comes back, by half
OUTWARD_AT = 0.1  # m/s: slower ones are between both
DIAGONAL = 1.5  # what a step of both motions costs, in steps of one: 1 favours few steps, 2 favours none
BEST_COUNTS = 0.8  # of what a frame has at best, taken off the costs of a path
INFINITE = 1e30
OUTSIDE = 10.0  # metres that a pair of frames costs where a path should not go


@dataclass(frozen=True, eq=False)
class AlignedPair:
    """Which frames of two motions go together, and how far apart they are."""

    alignment: Alignment
    distances: np.ndarray  # (K,) metres, root mean square over the body's points, of each pair

    @property
    def cost(self) -> float:
        """Metres per pair of frames."""
        return float(self.distances.mean())


@dataclass(frozen=True, eq=False)
class TimedClouds:
    """What frames are aligned by: windows of points, wherever they stand and face, and how fast the points move.

    Poses alone do not say when something happens: two reaches in opposite directions are unlike throughout, most of
    all at their apexes, and the cheapest path avoids to match those. Whether hands and feet move, and whether they
    leave the place that they had in the first pose or come back to it, tells when each reach arrives, whichever way it
    goes and however fast. As first frames go together, that means the same in all motions.
    """

    clouds: WindowClouds
    speeds: np.ndarray  # (F, 2 P) how much points move, and away from their first places, as metres that they count for

    @property
    def n_frames(self) -> int:
        return len(self.speeds)

    def thinned(self, every: int) -> "TimedClouds":
        return TimedClouds(self.clouds.thinned(every), self.speeds[::every])


def clouds_for(points: np.ndarray, *, frame_time: float) -> TimedClouds:
    """Points (F, P, 3) as they are aligned."""
    reach = max(1, round(WINDOW_SECS / frame_time))
    around = max(1, round(SPEED_SECS / frame_time))
    frames = np.arange(len(points))
    first, last = np.maximum(frames - around, 0), np.minimum(frames + around, len(points) - 1)
    secs = (np.maximum(last - first, 1) * frame_time)[:, None]
    speeds = np.linalg.norm(points[last] - points[first], axis=2) / secs
    away = _from_first_pose(points)
    outward = (away[last] - away[first]) / secs
    return TimedClouds(
        window_clouds(points, window=Window(reach, reach)),
        np.concatenate(
            [MOVING * speeds / (speeds + MOVES_AT), OUTWARD * outward / np.hypot(outward, OUTWARD_AT)], axis=1
        ),
    )


def _from_first_pose(points: np.ndarray) -> np.ndarray:
    """Distances (F, P) of the points from their places in the first pose, which is brought nearest to each frame."""
    first = np.broadcast_to(points[:1], points.shape)
    return np.asarray(np.linalg.norm(points - placements_between(first, points).apply(first), axis=2))


def grids_of(first: TimedClouds, second: TimedClouds) -> tuple[np.ndarray, np.ndarray]:
    """Distances (F1, F2) in metres: of the poses alone, and with the speeds."""
    poses = pose_distances(first, second)
    a, b = first.speeds, second.speeds
    speeds = (np.square(a).sum(axis=1)[:, None] + np.square(b).sum(axis=1) - 2.0 * a @ b.T) / a.shape[1]
    return poses, np.sqrt(np.square(poses) + np.maximum(speeds, 0.0))


def pose_distances(first: TimedClouds, second: TimedClouds) -> np.ndarray:
    """Distances (F1, F2) of the poses in metres, root mean square over points and windows."""
    squares = frame_distances(first.clouds, second.clouds).astype(np.float64)
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))


def align(first: TimedClouds, second: TimedClouds, *, slope_limit: int = 3) -> AlignedPair:
    """The cheapest path from the first frames to the last, in which neither motion waits for longer than
    `slope_limit` − 1 frames (Kovar & Gleicher 2003). Its distances are those of the poses."""
    poses, timed = grids_of(first, second)
    return align_grid(poses, slope_limit=slope_limit, path_costs=relative_grid(timed))


def align_near(
    first: TimedClouds, second: TimedClouds, frames: np.ndarray, *, within: float, slope_limit: int = 3
) -> AlignedPair:
    """The cheapest path by movement alone that stays near a curve: `frames` (F1,) of the second motion, give or take
    `within` frames.

    A curve that was composed from pair to pair is off by what each of them was off. Poses cannot mend that where both
    motions are unlike; when points move, leave and come back can, once it is known which time is meant.
    """
    poses, timed = grids_of(first, second)
    movement = np.sqrt(np.maximum(np.square(timed) - np.square(poses), 0.0))
    off = np.abs(np.arange(second.n_frames) - frames[:, None])
    costs = relative_grid(movement) + np.where(off > max(within, 1.0), OUTSIDE, 0.0)
    return align_grid(poses, slope_limit=slope_limit, path_costs=costs)


def relative_grid(grid: np.ndarray) -> np.ndarray:
    """Distances (F1, F2) above what a frame has at best: half the least of its row, half the least of its column.

    The path goes by these. Where two motions differ most, every pair is far apart, and a path by plain sums would leave
    that part as fast as it may; now it costs nothing to stay with the best that there is.
    """
    best = 0.5 * (grid.min(axis=1)[:, None] + grid.min(axis=0))
    return np.asarray(grid - BEST_COUNTS * best)


def align_grid(grid: np.ndarray, *, slope_limit: int = 3, path_costs: np.ndarray | None = None) -> AlignedPair:
    """`align` for a grid (F1, F2) of distances; the path is the cheapest by `path_costs`, if they are given."""
    n_rows, n_columns = grid.shape
    if slope_limit < 2:
        raise UsageError(f"a slope limit of {slope_limit} leaves no room to align; it must be at least 2")
    by = np.ascontiguousarray(grid if path_costs is None else path_costs, dtype=np.float64)
    back = np.empty((n_rows, n_columns), dtype=np.uint8)
    costs = np.empty((2, n_columns, 2 * slope_limit - 1))
    pairs = np.empty((n_rows + n_columns, 2), dtype=np.int32)
    n_pairs = _cheapest_path(by, slope_limit, costs, back, pairs)
    if n_pairs == 0:
        raise UsageError(
            f"{n_rows} and {n_columns} frames cannot be aligned: one would have to run over {slope_limit} times as fast"
        )
    kept = pairs[:n_pairs][::-1]
    return AlignedPair(Alignment(kept), grid[kept[:, 0], kept[:, 1]])


def can_align(n_first: int, n_second: int, *, slope_limit: int = 3) -> bool:
    """Whether motions of so many frames have a path within the limit."""
    few, many = min(n_first, n_second), max(n_first, n_second)
    return few >= 1 and many <= few * slope_limit


def align_reference(grid: np.ndarray, *, slope_limit: int = 3) -> float:
    """The cost of the path of `align_grid`, from the definition: every path is tried, by recursion."""
    from functools import cache

    last = (grid.shape[0] - 1, grid.shape[1] - 1)

    @cache
    def onwards(i: int, j: int, kind: str, run: int) -> float:
        """The least cost from a cell on, reached by a `run` of steps of one kind."""
        if (i, j) == last:
            return 0.0
        best = float("inf")
        if i < last[0] and j < last[1]:
            best = DIAGONAL * float(grid[i + 1, j + 1]) + onwards(i + 1, j + 1, "both", 0)
        for step, di, dj in (("row", 1, 0), ("column", 0, 1)):
            longer = run + 1 if step == kind else 1
            if kind in (step, "both") and longer < slope_limit and i + di <= last[0] and j + dj <= last[1]:
                best = min(best, float(grid[i + di, j + dj]) + onwards(i + di, j + dj, step, longer))
        return best

    return DIAGONAL * float(grid[0, 0]) + onwards(0, 0, "both", 0)


@njit(cache=True, nogil=True)
def _cheapest_path(grid, limit, costs, back, pairs):  # type: ignore[no-untyped-def]
    """The pairs of the path, last first; returns how many, 0 if there is no path.

    States of a cell: 0, reached by a step of both; 1 to L − 1, by so many steps along the columns alone; L to 2 L − 2,
    along the rows. A run ends with a step of both. `costs` (2, columns, states) are those of this row and the last.
    """
    n_rows, n_columns = grid.shape
    n_states = 2 * limit - 1
    for i in range(n_rows):
        now, before = costs[i % 2], costs[(i + 1) % 2]
        for j in range(n_columns):
            here = grid[i, j]
            best, from_state = INFINITE, 0
            if i == 0 and j == 0:
                best = DIAGONAL * here
            elif i > 0 and j > 0:
                for s in range(n_states):
                    if before[j - 1, s] < best:
                        best, from_state = before[j - 1, s], s
                if best < INFINITE:
                    best += DIAGONAL * here
            now[j, 0] = best
            back[i, j] = from_state
            for r in range(1, limit):
                now[j, r] = INFINITE
                if j > 0:
                    earlier = now[j - 1, r - 1]
                    if earlier < INFINITE:
                        now[j, r] = earlier + here
                s = limit - 1 + r
                now[j, s] = INFINITE
                if i > 0:
                    earlier = before[j, 0 if r == 1 else s - 1]
                    if earlier < INFINITE:
                        now[j, s] = earlier + here
    last = costs[(n_rows - 1) % 2, n_columns - 1]
    state = 0
    for s in range(n_states):
        if last[s] < last[state]:
            state = s
    if last[state] >= INFINITE:
        return 0
    i, j, n = n_rows - 1, n_columns - 1, 0
    while True:
        pairs[n, 0], pairs[n, 1] = i, j
        n += 1
        if i == 0 and j == 0:
            return n
        if state == 0:
            state = back[i, j]
            i, j = i - 1, j - 1
        elif state < limit:
            state -= 1
            j -= 1
        else:
            state = 0 if state == limit else state - 1
            i -= 1
