"""Where a query that is played slower and faster may be found at all: one look for all its lengths.

The frames of a query at another length lie between frames of the query as it is, or nearly so. For a frame between two,
(1 − a) x + a y, the cost is (1 − a) |x − z|² + a |y − z|² − a (1 − a) |x − y|²: not below the lesser one, but for a
known bit. What a frame is beside that line goes off the root of the whole sum, as an error of the poses does.
"""

from dataclasses import dataclass, field

import numpy as np

from motionary.alignment import LARGEST, MOST_WIDE, LaneQuery, lengths_lanes, room_for_lengths, sampled_frames
from motionary.search.exact.bounding import NEAR, Weighting
from motionary.search.exact.plan import SearchPlan
from motionary.search.exact.projections import Projection, blocks_of
from motionary.search.exact.variants import Variant

MANY = 0.15  # of all windows: where more are likely, all are looked at
FAR = 0.25  # of the cost that a frame has where a window is just near enough
NOTHING_LEFT = 1e30  # off a cost, that there is nothing left of it
WORTH = 3  # lengths: for fewer, each is looked at on its own
ROUNDED_OFF = 1e-5  # relative: more than single precision can, over as many dimensions as there are


@dataclass(eq=False)
class LikelyRows:
    """Where in a projection windows of some variants can be no farther than `near`."""

    plan: SearchPlan
    numbers: list[int]
    near: float
    _projection: Projection | None = None
    _rows: dict[bool, np.ndarray] = field(default_factory=dict)  # of the last projection, by side

    def spans(self, number: int, projection: Projection) -> tuple[np.ndarray, bool]:
        """Intervals (N, 2) of rows, and whether they are short."""
        variant = self.plan.variants[number]
        spans = self.plan.spans(variant, projection)
        alike = [other for other in self.numbers if self.plan.variants[other].mirrored == variant.mirrored]
        if len(spans) == 0 or len(alike) < WORTH or self.near == np.inf or self.plan.is_signed:
            return spans, False
        if projection is not self._projection:
            self._projection, self._rows = projection, {}
        if variant.mirrored not in self._rows:
            self._rows[variant.mirrored] = may_be_near(self.plan, alike, projection, self.near)
        rows = self._rows[variant.mirrored]
        if len(rows) > MANY * (spans[:, 1] - spans[:, 0]).sum():
            return spans, False
        return _joined(rows[rows < spans[-1, 1]]), True


def may_be_near(plan: SearchPlan, numbers: list[int], projection: Projection, near: float) -> np.ndarray:
    """Rows of a projection where windows of these variants, of one side, begin that may be no farther than `near`."""
    lengths = AllLengths.of(plan, numbers, projection, near)
    shortest = min((plan.variants[number] for number in numbers), key=lambda variant: variant.n_frames)
    if room_for_lengths(lengths.reach, lengths.limits) > MOST_WIDE:
        return np.arange(projection.poses.n_frames)
    out = np.zeros(projection.poses.n_frames, dtype=bool)
    lengths_lanes(
        *(lengths.lane_query, projection.poses, plan.spans(shortest, projection)),
        reach=lengths.reach,
        limits=lengths.limits,
        out=out,
    )
    return np.flatnonzero(out)


@dataclass(frozen=True, eq=False)
class AllLengths:
    """A query with all that it meets at any of some lengths."""

    lane_query: LaneQuery  # what every frame costs at least
    reach: np.ndarray  # (P, 2): which frames [first, stop) frame j of a window meets
    limits: np.ndarray  # (L,) the largest sum of a window at every length from the shortest on; −1: not asked for

    @classmethod
    def of(cls, plan: SearchPlan, numbers: list[int], projection: Projection, near: float) -> "AllLengths":
        """For some variants of one side, which need not be of neighbouring lengths."""
        side = plan.variants[numbers[0]].mirrored
        own = next(n for n in plan.unscaled if plan.variants[n].mirrored == side)
        pattern, weighting = plan.variants[own], plan.weightings[own]
        form = projection.form(blocks_of(pattern.columns, weighting.dimensions))
        query = projection.query(blocks_of(pattern.columns, pattern.rows))
        root = np.diag(np.sqrt(form)) if form.ndim == 1 else form
        frames = query @ root.T
        played = [_Played.of(plan, number, weighting, projection, frames, root, near) for number in numbers]
        lengths = [plan.variants[number].n_frames for number in numbers]
        reach = np.stack([np.full(max(lengths), len(frames)), np.zeros(max(lengths), dtype=np.int64)], axis=1)
        weights, off = np.full(len(frames), np.inf), np.zeros(len(frames))
        for length, one in zip(lengths, played, strict=True):
            for frame in (one.before, one.after):
                np.minimum.at(weights, frame, one.weights)
                np.maximum.at(off, frame, one.off)
            reach[:length, 0] = np.minimum(reach[:length, 0], one.before[one.lows])
            reach[:length, 1] = np.maximum(reach[:length, 1], one.after[one.highs] + 1)
        reach[:, 0] = np.minimum.accumulate(reach[::-1, 0])[::-1]
        reach[:, 1] = np.maximum.accumulate(reach[:, 1])
        weights = np.where(np.isinf(weights), 0.0, weights)
        lane_query = LaneQuery.of(query, form, weights, projection.poses).less(off * (1.0 + ROUNDED_OFF))
        limits = np.full(max(lengths) - min(lengths) + 1, -1.0)
        for length, one in zip(lengths, played, strict=True):
            limits[length - min(lengths)] = lane_query.raised(one.largest_sum(near) * (1.0 + ROUNDED_OFF))
        return cls(lane_query, reach, limits)


@dataclass(frozen=True, eq=False)
class _Played:
    """A query at one length, beside the frames of the query as it is: before and after each frame there is one."""

    before: np.ndarray  # (p,)
    after: np.ndarray  # (p,)
    weights: np.ndarray  # (p,)
    off: np.ndarray  # (p,) what its cost may be below the lesser one of theirs
    lows: np.ndarray  # (p,) the first frame that frame j of a window may meet
    highs: np.ndarray  # (p,) the last
    slack: float  # of the root of a sum
    longer: float  # what a sum is multiplied with to become a distance

    @classmethod
    def of(
        cls,
        plan: SearchPlan,
        number: int,
        weighting: Weighting,
        projection: Projection,
        frames: np.ndarray,
        root: np.ndarray,
        near: float,
    ) -> "_Played":
        """A variant, in the numbers of the query as it is: `frames`, turned by the `root` of its form.

        Frames that lie too far beside the line, as where a body turns over, cost nothing: that says less of a few
        frames, but does not loosen the whole sum.
        """
        variant, bounds = plan.variants[number], plan.bounds(number, projection)
        times = sampled_frames(len(frames), variant.n_frames)
        before = np.minimum(np.floor(times).astype(np.int64), len(frames) - 1)
        after = np.minimum(before + 1, len(frames) - 1)
        shares = times - before
        between = (1.0 - shares)[:, None] * frames[before] + shares[:, None] * frames[after]
        rows = projection.query(blocks_of(variant.columns, variant.rows)) @ root.T
        strongest = int(weighting.dimensions.argmax())
        weights = variant.weights[:, strongest] / (weighting.dimensions[strongest] * weighting.size)
        beside = weights * ((rows - between) ** 2).sum(axis=1)
        off = weights * shares * (1.0 - shares) * ((frames[after] - frames[before]) ** 2).sum(axis=1)
        longer = plan.longer(variant) * weighting.size
        is_far = beside > FAR * near / (longer * variant.n_frames)
        beside[is_far], off[is_far] = 0.0, NOTHING_LEFT
        lows, highs = _met(variant, warped=plan.is_warped)
        farthest = sum(float(beside[low : high + 1].max()) for low, high in zip(lows, highs, strict=True))
        slack = bounds.slack * np.sqrt(bounds.longer / longer) + np.sqrt(farthest)
        return cls(before, after, weights, off, lows, highs, float(slack), longer)

    def largest_sum(self, distance: float) -> float:
        """Of a window that is no farther."""
        return float(np.sqrt(min(max(distance, 0.0) / self.longer, LARGEST)) + self.slack) ** 2


def _met(variant: Variant, *, warped: bool) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last frame of a variant that each frame of a window may meet."""
    n_frames = variant.n_frames
    frames = np.arange(n_frames)
    if not warped:
        return frames, frames
    lows, highs = np.full(n_frames, n_frames - 1), np.zeros(n_frames, dtype=np.int64)
    firsts = np.maximum(frames - variant.radii, 0)
    lasts = np.minimum(frames + variant.radii, n_frames - 1)
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
