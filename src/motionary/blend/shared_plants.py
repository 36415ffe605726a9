"""Foot plants that correspond: one interval for all sources on their common clock."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionary.alignment import Warp
from motionary.motion import mask_intervals
from motionary.plants import FEET, PARTS, Foot, FootPart, Plant

MOST = 0.5  # of the sources must plant a foot for all to share the plant
MOST_WEIGHT = 2.0 / 3.0  # must be on sources that plant a foot for a blend to do so: what others move cannot be held
PER_FRAME = 4  # places on the clock, for each of its frames, at which sources are asked
GAP_SECS = 0.1  # a foot that stands again sooner was not lifted
EDGE_SECS = 0.1  # that the average of plants may begin before most of the weight stands, or end after
INSIDE = 0.25  # of an interval that a plant must cover to be one of those that correspond
FLOOR_SHARE = 25.0  # per cent of a source's plants that are lower than its floor: steps go up more than down

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SharedPlant:
    """A heel or toe that stands in most sources, from `start` to `stop` on their common clock."""

    foot: Foot
    part: FootPart
    start: float
    stop: float
    n_sources: int  # that plant it


def plant_spans(plants: Sequence[Plant], warp: Warp) -> tuple[Span, ...]:
    """Where on the clock the plants of a source begin and end; `warp` leads from the clock to its frames."""
    spans = warp.inverse()(np.array([(p.start, p.stop) for p in plants], dtype=float).reshape(-1, 2))
    return tuple((float(start), float(stop)) for start, stop in spans)


def shared_plants(
    plants: Sequence[Sequence[Plant]],
    spans: Sequence[Sequence[Span]],
    n_frames: int,
    weights: Sequence[np.ndarray] | None = None,
    *,
    frame_time: float,
) -> tuple[SharedPlant, ...]:
    """The plants of a blend of N sources, whose own have `spans` on the clock, 0 to `n_frames` − 1.

    A foot stands where two thirds of the weight are on sources in which it does. Such a plant begins and ends where
    those of its sources do, on the average by weights; one that begins (or ends) with the motion in most sources does
    so in the blend. `weights` are the left and the right foot's, each (N,) or (n_frames, N) over time; those below 0
    count as 0. Without them all sources count alike, and more than half of them make a plant.
    """
    n_sources, most = len(plants), MOST if weights is None else MOST_WEIGHT
    found = []
    for number, foot in enumerate(FEET):
        shares = np.full((1, n_sources), 1.0 / n_sources) if weights is None else _shares(weights[number], n_frames)
        for part in PARTS:
            own = [
                [
                    span
                    for plant, span in zip(of_source, on_clock, strict=True)
                    if (plant.foot, plant.part) == (foot, part)
                ]
                for of_source, on_clock in zip(plants, spans, strict=True)
            ]
            intervals = _voted(own, shares, n_frames, most, gap=GAP_SECS / frame_time)
            for k in range(len(intervals)):
                plant = _averaged(own, shares, intervals, k, n_frames, EDGE_SECS / frame_time)
                if plant is not None:
                    found.append(SharedPlant(foot, part, *plant))
    return tuple(_apart(found))


def lone_plants(
    plants: Sequence[Sequence[Plant]], spans: Sequence[Sequence[Span]], shared: Sequence[SharedPlant]
) -> tuple[tuple[Plant, ...], ...]:
    """For each source its plants that correspond to none of the shared ones.

    A foot that creeps has one plant after the other; each goes with the next one, or the one before, that corresponds.
    """
    found = []
    for own, on_clock in zip(plants, spans, strict=True):
        lone = []
        for foot in FEET:
            for part in PARTS:
                intervals = [(p.start, p.stop) for p in shared if (p.foot, p.part) == (foot, part)]
                chain: list[Plant] = []
                alone = True
                for plant, span in sorted(
                    (both for both in zip(own, on_clock, strict=True) if (both[0].foot, both[0].part) == (foot, part)),
                    key=lambda both: both[0].start,
                ):
                    if chain and plant.start > chain[-1].stop:
                        lone += chain if alone else []
                        chain, alone = [], True
                    chain.append(plant)
                    alone = alone and not any(_is_inside(span, interval) for interval in intervals)
                lone += chain if alone else []
        found.append(tuple(sorted(lone, key=lambda p: (p.start, p.foot, p.part))))
    return tuple(found)


def missing_share(
    plants: Sequence[Plant], spans: Sequence[Span], shared: Sequence[SharedPlant], n_frames: int
) -> tuple[float, float]:
    """For how long a source's feet do not stand though the shared plants do: as a share of those, and in frames."""
    places = np.arange((n_frames - 1) * PER_FRAME + 1) / PER_FRAME
    missing = planted = 0
    for foot in FEET:
        own, common = np.zeros(len(places), dtype=bool), np.zeros(len(places), dtype=bool)
        for plant, (start, stop) in zip(plants, spans, strict=True):
            if plant.foot == foot:
                own |= (places >= start) & (places < stop)
        for other in shared:
            if other.foot == foot:
                common |= (places >= other.start) & (places < other.stop)
        missing += int((common & ~own).sum())
        planted += int(common.sum())
    return missing / max(planted, 1), missing / PER_FRAME


def floor_of(plants: Sequence[Plant]) -> float:
    """How high the ground is that most plants of a source stand on; NaN if it has none."""
    return float(np.percentile([plant.place[1] for plant in plants], FLOOR_SHARE)) if plants else float("nan")


def plant_height(
    plants: Sequence[Sequence[Plant]],
    spans: Sequence[Sequence[Span]],
    floors: np.ndarray,
    shared: SharedPlant,
    weights: np.ndarray,
    foot_weights: np.ndarray,
) -> float:
    """How high a plant of a blend is: as in its sources, each above its own floor; NaN if they do not say.

    The mean of rotations puts feet through the floor, or above it, where poses are unlike. The floor of the blend is
    the mean of the sources' by `weights` (N,), like its pelvis; the plants above it go by the foot's own, those below 0
    included. Sources that do not plant the foot there say nothing.
    """
    total = heights = floor = 0.0
    for i in np.flatnonzero((weights != 0.0) | (foot_weights != 0.0)).tolist():
        if np.isnan(floors[i]):
            return float("nan")
        floor += weights[i] * floors[i]
        for plant, span in zip(plants[i], spans[i], strict=True):
            if (plant.foot, plant.part) == (shared.foot, shared.part):
                covered = min(span[1], shared.stop) - max(span[0], shared.start)
                if covered > 0.0:
                    share = foot_weights[i] * covered / (shared.stop - shared.start)
                    total, heights = total + share, heights + share * (plant.place[1] - floors[i])
    return float(floor + heights / total) if total > MOST_WEIGHT * MOST else float("nan")


def _shares(weights: np.ndarray, n_frames: int) -> np.ndarray:
    """Weights (1, N), or (U, N) at the places on the clock, without those below 0."""
    shares = np.maximum(np.atleast_2d(weights), 0.0)
    if len(shares) > 1:
        if (shares == shares[0]).all():
            shares = shares[:1]
        else:
            places = np.arange((n_frames - 1) * PER_FRAME + 1) / PER_FRAME
            shares = np.stack([np.interp(places, np.arange(n_frames), column) for column in shares.T], axis=1)
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _voted(own: Sequence[Sequence[Span]], shares: np.ndarray, n_frames: int, most: float, *, gap: float) -> list[Span]:
    """The intervals in which more than `most` of the weight is on sources that stand, across gaps of so many frames."""
    votes = np.zeros((n_frames - 1) * PER_FRAME + 1)
    for i, spans in enumerate(own):
        share = shares[:, i]
        for start, stop in spans:
            places = slice(max(int(np.ceil(start * PER_FRAME)), 0), int(np.ceil(stop * PER_FRAME)))
            votes[places] += share[0] if len(share) == 1 else share[places]
    last = n_frames - 1.0
    found: list[Span] = []
    for low, high in mask_intervals(votes > most + 1e-9).tolist():
        start, stop = low / PER_FRAME, min(high / PER_FRAME, last)
        if found and start - found[-1][1] < gap:
            start = found.pop()[0]
        found.append((start, stop))
    return found


def _averaged(
    own: Sequence[Sequence[Span]],
    shares: np.ndarray,
    intervals: Sequence[Span],
    number: int,
    n_frames: int,
    most_off: float,
) -> tuple[float, float, int] | None:
    """Start, stop and sources of the shared plant of an interval, one of those of its heel or toe in order of time.

    A plant of a source that goes on from one interval into the next says nothing of where the foot is lifted between.
    Where plants are so unlike that their average begins more than `most_off` frames before most of the weight stands,
    or ends so long after, it is brought as near as that.
    """
    first, last = intervals[number]
    before = intervals[number - 1][1] if number else -np.inf
    after = intervals[number + 1][0] if number + 1 < len(intervals) else np.inf
    at = slice(round(first * PER_FRAME), round(last * PER_FRAME) + 1)
    weights = shares[0] if len(shares) == 1 else shares[at].mean(axis=0)
    starts, stops, n = [], [], 0
    for spans, weight in zip(own, weights.tolist(), strict=True):
        inside = [span for span in spans if _is_inside(span, (first, last))]
        if not inside or weight <= 0.0:
            continue
        n += 1
        start, stop = min(span[0] for span in inside), max(span[1] for span in inside)
        if start > before:
            starts.append((start, weight))
        if stop < after:
            stops.append((stop, weight))
    if not n:
        return None
    start, stop = max(_mean(starts, first), first - most_off), min(_mean(stops, last), last + most_off)
    if starts and sum(w for u, w in starts if u <= 0.0) > MOST * sum(w for _, w in starts):
        start = 0.0
    if stops and sum(w for u, w in stops if u >= n_frames - 1) > MOST * sum(w for _, w in stops):
        stop = float(n_frames)
    start, stop = max(start, 0.0), min(stop, float(n_frames))
    return (start, stop, n) if stop > start else None


def _is_inside(span: Span, interval: Span) -> bool:
    """Whether a plant covers enough of an interval to belong to it."""
    return min(span[1], interval[1]) - max(span[0], interval[0]) > INSIDE * (interval[1] - interval[0])


def _mean(weighted: Sequence[Span], otherwise: float) -> float:
    total = sum(weight for _, weight in weighted)
    return sum(u * weight for u, weight in weighted) / total if total > 0.0 else otherwise


def _apart(plants: list[SharedPlant]) -> list[SharedPlant]:
    """Plants of one foot's part that overlap after averaging are cut where they meet."""
    kept: list[SharedPlant] = []
    for plant in sorted(plants, key=lambda p: (p.foot, p.part, p.start, p.stop)):
        last = kept[-1] if kept else None
        if last and (last.foot, last.part) == (plant.foot, plant.part) and plant.start < last.stop:
            middle = 0.5 * (plant.start + last.stop)
            kept[-1] = SharedPlant(last.foot, last.part, last.start, middle, last.n_sources)
            plant = SharedPlant(plant.foot, plant.part, middle, max(plant.stop, middle), plant.n_sources)
        if plant.stop > plant.start:
            kept.append(plant)
    return sorted(kept, key=lambda p: (p.start, p.foot, p.part))
