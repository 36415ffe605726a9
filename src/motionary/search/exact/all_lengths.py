"""Where a query that is played slower and faster may be found at all: one look for all its lengths.

The frames of a query at another length lie between frames of the query as it is, or nearly so. For a frame between two,
(1 − a) x + a y, the cost is (1 − a) |x − z|² + a |y − z|² − a (1 − a) |x − y|²: not below the lesser one, but for a
known bit. What a frame is beside that line goes off the root of the whole sum, as an error of the poses does.
"""

from dataclasses import dataclass, field

import numpy as np

from motionary.alignment import LARGEST, MOST_WIDE, LaneQuery, lengths_lanes, room_for_lengths, sampled_frames
from motionary.search.exact.asked import Asked
from motionary.search.exact.bounding import NEAR, Weighting
from motionary.search.exact.shadows import Shadow, blocks_of
from motionary.search.exact.versions import Version

MANY = 0.15  # of all windows: where more are likely, all are looked at
FAR = 0.25  # of the cost that a frame has where a window is just near enough
NOTHING_LEFT = 1e30  # off a cost, that there is nothing left of it
WORTH = 3  # lengths: for fewer, each is looked at on its own
ROUNDED_OFF = 1e-5  # relative: more than single precision can, over as many dimensions as there are


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
        if len(spans) == 0 or len(alike) < WORTH or self.near == np.inf or self.asked.is_signed:
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
    if room_for_lengths(lengths.reach, lengths.limits) > MOST_WIDE:
        return np.arange(shadow.poses.n_frames)
    out = np.zeros(shadow.poses.n_frames, dtype=bool)
    lengths_lanes(
        *(lengths.lane_query, shadow.poses, asked.spans(shortest, shadow)),
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
    def of(cls, asked: Asked, numbers: list[int], shadow: Shadow, near: float) -> "AllLengths":
        """For some versions of one side, which need not be of neighbouring lengths."""
        side = asked.versions[numbers[0]].mirrored
        own = next(n for n in asked.unscaled if asked.versions[n].mirrored == side)
        pattern, weighting = asked.versions[own], asked.weightings[own]
        form = shadow.form(blocks_of(pattern.columns, weighting.dimensions))
        query = shadow.query(blocks_of(pattern.columns, pattern.rows))
        root = np.diag(np.sqrt(form)) if form.ndim == 1 else form
        frames = query @ root.T
        played = [_Played.of(asked, number, weighting, shadow, frames, root, near) for number in numbers]
        lengths = [asked.versions[number].n_frames for number in numbers]
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
        lane_query = LaneQuery.of(query, form, weights, shadow.poses).less(off * (1.0 + ROUNDED_OFF))
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
        asked: Asked,
        number: int,
        weighting: Weighting,
        shadow: Shadow,
        frames: np.ndarray,
        root: np.ndarray,
        near: float,
    ) -> "_Played":
        """A version, in the numbers of the query as it is: `frames`, turned by the `root` of its form.

        Frames that lie too far beside the line, as where a body turns over, cost nothing: that says less of a few
        frames, but does not loosen the whole sum.
        """
        version, bounds = asked.versions[number], asked.bounds(number, shadow)
        times = sampled_frames(len(frames), version.n_frames)
        before = np.minimum(np.floor(times).astype(np.int64), len(frames) - 1)
        after = np.minimum(before + 1, len(frames) - 1)
        shares = times - before
        between = (1.0 - shares)[:, None] * frames[before] + shares[:, None] * frames[after]
        rows = shadow.query(blocks_of(version.columns, version.rows)) @ root.T
        strongest = int(weighting.dimensions.argmax())
        weights = version.weights[:, strongest] / (weighting.dimensions[strongest] * weighting.size)
        beside = weights * ((rows - between) ** 2).sum(axis=1)
        off = weights * shares * (1.0 - shares) * ((frames[after] - frames[before]) ** 2).sum(axis=1)
        longer = asked.longer(version) * weighting.size
        is_far = beside > FAR * near / (longer * version.n_frames)
        beside[is_far], off[is_far] = 0.0, NOTHING_LEFT
        lows, highs = _met(version, warped=asked.is_warped)
        farthest = sum(float(beside[low : high + 1].max()) for low, high in zip(lows, highs, strict=True))
        slack = bounds.slack * np.sqrt(bounds.longer / longer) + np.sqrt(farthest)
        return cls(before, after, weights, off, lows, highs, float(slack), longer)

    def largest_sum(self, distance: float) -> float:
        """Of a window that is no farther."""
        return float(np.sqrt(min(max(distance, 0.0) / self.longer, LARGEST)) + self.slack) ** 2


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
