"""Where a query that is played slower and faster may be found at all: one look for all its lengths.

The frames of a query at another length lie between frames of the query as it is, or nearly so. For a frame between two,
(1 − a) x + a y, the cost is (1 − a) |x − z|² + a |y − z|² − a (1 − a) |x − y|²: not below the lesser one, but for a
known bit. What a frame is beside that line goes off the root of the whole sum, as an error of the poses does.
"""

from dataclasses import dataclass, field

import numpy as np

from motionary.alignment import LARGEST, LaneQuery, lengths_lanes, sampled_frames
from motionary.search.exact.asked import Asked
from motionary.search.exact.bounding import NEAR
from motionary.search.exact.shadows import Shadow, blocks_of
from motionary.search.exact.versions import Version

MANY = 0.15  # of all windows: where more are likely, all are looked at
FAR = 0.25  # of the cost that a frame has where a window is just near enough
NOTHING_LEFT = 1e30  # off a cost, that there is nothing left of it
WORTH = 3  # lengths: for fewer, each is looked at on its own
ROUNDING = 1e-6  # relative: more than single precision rounds off


@dataclass(eq=False)
class LikelyRows:
    """Where in a shadow windows of some versions can be no farther than `near`."""

    asked: Asked
    numbers: list[int]
    near: float
    _shadow: Shadow | None = None
    _rows: dict[bool, np.ndarray] = field(default_factory=dict)  # of the last shadow, by side

    def spans(self, number: int, shadow: Shadow) -> tuple[np.ndarray, bool]:
        """Intervals (N, 2) of rows, and whether they are short."""
        version = self.asked.versions[number]
        spans = self.asked.spans(version, shadow)
        alike = [other for other in self.numbers if self.asked.versions[other].mirrored == version.mirrored]
        if len(alike) < WORTH or self.near == np.inf or self.asked.is_signed:
            return spans, False
        if shadow is not self._shadow:
            self._shadow, self._rows = shadow, {}
        if version.mirrored not in self._rows:
            self._rows[version.mirrored] = may_be_near(self.asked, alike, shadow, self.near)
        rows = self._rows[version.mirrored]
        if len(rows) > MANY * (spans[:, 1] - spans[:, 0]).sum():
            return spans, False
        return _joined(rows[rows < spans[-1, 1]]), True


def may_be_near(asked: Asked, numbers: list[int], shadow: Shadow, near: float) -> np.ndarray:
    """Rows of a shadow where windows of these versions, of one side, begin that may be no farther than `near`."""
    lengths = AllLengths.of(asked, numbers, shadow, near)
    shortest = min((asked.versions[number] for number in numbers), key=lambda version: version.n_frames)
    limits = np.array([lengths.at_most(near, number) for number in range(len(lengths.longer))])
    out = np.zeros(shadow.poses.n_frames, dtype=bool)
    lengths_lanes(
        lengths.lane_query, shadow.poses, asked.spans(shortest, shadow), reach=lengths.reach, limits=limits, out=out
    )
    return np.flatnonzero(out)


@dataclass(frozen=True, eq=False)
class AllLengths:
    """A query with all that it meets at any of some lengths, one after the other from the shortest on."""

    lane_query: LaneQuery  # what every frame costs at least
    reach: np.ndarray  # (P, 2): which frames [first, stop) frame j of a window meets
    slacks: np.ndarray  # (L,) of the root of a sum
    longer: np.ndarray  # (L,) what a sum is multiplied with to become a distance

    @classmethod
    def of(cls, asked: Asked, numbers: list[int], shadow: Shadow, near: float) -> "AllLengths":
        """For neighbouring lengths of one side; the query's own is the pattern, whether it is among them or not.

        Frames that lie too far beside the line, as where a body turns over, cost nothing: that says less of a few
        frames, but does not loosen the whole sum.
        """
        side = asked.versions[numbers[0]].mirrored
        own = next(n for n in asked.unscaled if asked.versions[n].mirrored == side)
        numbers = sorted(numbers, key=lambda number: asked.versions[number].n_frames)
        pattern, weighting = asked.versions[own], asked.weightings[own]
        form = shadow.form(blocks_of(pattern.columns, weighting.dimensions))
        query = shadow.query(blocks_of(pattern.columns, pattern.rows))
        root = np.diag(np.sqrt(form)) if form.ndim == 1 else form
        frames = query @ root.T
        steps = (np.diff(frames, axis=0) ** 2).sum(axis=1)
        strongest = int(weighting.dimensions.argmax())
        longest = asked.versions[numbers[-1]].n_frames
        reach = np.stack([np.full(longest, len(frames)), np.zeros(longest, dtype=np.int64)], axis=1)
        weights, taken_off = np.full(len(frames), np.inf), np.zeros(len(frames))
        slacks, longer = [], []
        for number in numbers:
            version, bounds = asked.versions[number], asked.bounds(number, shadow)
            times = sampled_frames(len(frames), version.n_frames)
            before = np.minimum(np.floor(times).astype(np.int64), len(frames) - 1)
            after = np.minimum(before + 1, len(frames) - 1)
            shares = times - before
            between = (1.0 - shares)[:, None] * frames[before] + shares[:, None] * frames[after]
            rows = shadow.query(blocks_of(version.columns, version.rows)) @ root.T
            row_weights = version.weights[:, strongest] / (weighting.dimensions[strongest] * weighting.size)
            beside = row_weights * ((rows - between) ** 2).sum(axis=1)
            off = row_weights * shares * (1.0 - shares) * np.append(steps, 0.0)[before]
            longer.append(asked.longer(version) * weighting.size)
            is_far = beside > FAR * near / (longer[-1] * version.n_frames)
            beside[is_far], off[is_far] = 0.0, NOTHING_LEFT
            for frame in (before, after):
                np.minimum.at(weights, frame, row_weights)
                np.maximum.at(taken_off, frame, off)
            lows, highs = _met(version, warped=asked.is_warped)
            n_frames = version.n_frames
            reach[:n_frames, 0] = np.minimum(reach[:n_frames, 0], before[lows])
            reach[:n_frames, 1] = np.maximum(reach[:n_frames, 1], after[highs] + 1)
            farthest = sum(float(beside[low : high + 1].max()) for low, high in zip(lows, highs, strict=True))
            slacks.append(bounds.slack * np.sqrt(bounds.longer / longer[-1]) + np.sqrt(farthest))
        weights = np.where(np.isinf(weights), 0.0, weights)
        lane_query = LaneQuery.of(query, form, weights, shadow.poses)
        reach[:, 0] = np.minimum.accumulate(reach[::-1, 0])[::-1]
        reach[:, 1] = np.maximum.accumulate(reach[:, 1])
        lowered = lane_query.less(taken_off * (1.0 + ROUNDING))
        return cls(lowered, reach, np.array(slacks), np.array(longer))

    def at_most(self, distance: float, number: int) -> float:
        """The largest sum of a window that is no farther at a length."""
        root = np.sqrt(min(max(distance, 0.0) / self.longer[number], LARGEST)) + self.slacks[number]
        return self.lane_query.raised(float(root) ** 2 * (1.0 + ROUNDING))


def _met(version: Version, *, warped: bool) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last frame of a version that each frame of a window may meet."""
    n_frames = version.n_frames
    frames = np.arange(n_frames)
    if not warped:
        return frames, frames
    lows, highs = np.full(n_frames, n_frames - 1), np.zeros(n_frames, dtype=np.int64)
    firsts = np.maximum(frames - version.radii, 0)
    lasts = np.minimum(frames + version.radii, n_frames - 1)
    for frame in range(n_frames):
        lows[firsts[frame] : lasts[frame] + 1] = np.minimum(lows[firsts[frame] : lasts[frame] + 1], frame)
        highs[firsts[frame] : lasts[frame] + 1] = np.maximum(highs[firsts[frame] : lasts[frame] + 1], frame)
    return lows, highs


def _joined(rows: np.ndarray) -> np.ndarray:
    """Intervals (N, 2) that hold ascending rows, with small gaps between them closed."""
    if len(rows) == 0:
        return np.zeros((0, 2), dtype=np.int64)
    apart = np.flatnonzero(np.diff(rows) > NEAR) + 1
    return np.stack([rows[np.append(0, apart)], rows[np.append(apart, len(rows)) - 1] + 1], axis=1)
