"""Fitting an edit to a match: which time of the recipe each of its frames stands for, how strong, with what numbers."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionary.alignment import Alignment, dtw_alignment, smooth_warp
from motionary.edit.floor_roots import with_hips_as_root
from motionary.edit.joints import joint_mask, mirrored_name, partners_of
from motionary.edit.operation import Operation
from motionary.edit.subject import Subject
from motionary.errors import UsageError
from motionary.motion import UP, headings, rotations
from motionary.rig import PARTS

RATE_HZ = 60.0  # of what is aligned
RADIUS = 0.3  # of the length, by which an alignment may stray
VELOCITY_SECS = 0.2  # by which velocities are weighed against places
SMOOTHING, STEEPEST = 3.0, 8.0  # frames, and how steep a warp may be
LAG_SECS = 0.15  # an alignment is late or early by less
LEAST_LAG, LAG_RAMP = 0.25, 4.0  # frames that count as none; how many times its size it comes and goes over
WAITING = 1e-4  # pace of time where a match has more than the example
PRECISION = 1e-4  # leg lengths: an outline that was written and read again aligns to the same bytes
ROOM = 1.25  # times the largest distance: there the likeness is 0


@dataclass(frozen=True, eq=False)
class Outline:
    """What of a motion is aligned: where the parts of the body are, as it faces, at 60 Hz."""

    places: np.ndarray  # (F, P, 3) leg lengths from the root, to four digits, as recipes write them
    parts: tuple[str, ...]

    @property
    def n_frames(self) -> int:
        return len(self.places)

    @property
    def hash(self) -> str:
        """Names the outline: 12 signs, the same for the same outline."""
        content = hashlib.blake2b("/".join(self.parts).encode(), digest_size=6)
        content.update(np.round(self.places / PRECISION).astype("<i4").tobytes())
        return content.hexdigest()


def outline_of(subject: Subject, *, joints: Sequence[str] = (), mirrored: bool = False) -> Outline:
    """The outline of a subject, of all parts of the body or of some joints."""
    subject = with_hips_as_root(subject)
    motion, body = subject.motion, subject.body
    wanted = joint_mask(subject, joints)
    if body is None:
        chosen = np.flatnonzero(wanted)
        parts = tuple(motion.skeleton.names[joint] for joint in chosen)
        taken = partners_of(subject)[chosen] if mirrored else chosen
        size = 1.0
    else:
        slots = body.body_map.slots
        parts = tuple(part for part in PARTS if part != "Hips" and slots[part] and wanted[slots[part][-1]])
        taken = np.array([slots[mirrored_name(part) if mirrored else part][-1] for part in parts], dtype=int)
        size = body.leg_length
    facing = headings(motion.rotations[:, 0], subject.rest[0])  # not `facing_of`: recipes keep hashes of outlines
    back = rotations.from_axis_angle(UP, -facing)[:, None]
    places = rotations.rotate(back, motion.positions_world[:, taken] - motion.root_positions[:, None]) / size
    if mirrored:
        places[..., 0] = -places[..., 0]
    n_frames = max(round((motion.n_frames - 1) * motion.frame_time * RATE_HZ) + 1, 2)
    return Outline(np.round(_resampled(places, n_frames), 4), parts)


def aligned_times(example: Outline, match: Outline, n_frames: int, duration_secs: float) -> np.ndarray:
    """The time of the example (N,) in seconds that each of a match's frames goes with, by a smooth warp between them.

    `n_frames` are the match's own; `duration_secs` is the example's, first to last frame.
    """
    shared = [part for part in example.parts if part in match.parts]
    if not shared:
        raise UsageError("the example and the match have no part of the body in common to align them by")
    n = example.n_frames
    rows = [_rows(outline, shared, n) for outline in (example, match)]  # first both at one length, then by DTW
    found = dtw_alignment(rows[0], rows[1], radius=max(round(RADIUS * n), 1))
    common = _without_waits_at_ends(found.alignment.pairs)
    (first, first_of_match), (last, last_of_match) = common[0], common[-1]
    if last == first or last_of_match == first_of_match:  # one of them stands still: nothing to align
        return strictly(even_times(n_frames, duration_secs))
    pace = float(last_of_match - first_of_match) / float(last - first)
    limit = max(STEEPEST, 1.5 * pace, 1.5 / pace)
    warp = smooth_warp(Alignment(common), smoothing=SMOOTHING, slope_limit=limit).inverse()
    at = np.linspace(0.0, n - 1.0, n_frames)
    inside = warp(np.clip(at, first_of_match, last_of_match))
    outside = np.minimum(at - first_of_match, 0.0) + np.maximum(at - last_of_match, 0.0)
    times = inside + WAITING * outside
    times = (times - times[0]) / (times[-1] - times[0])
    return strictly(in_step(times, example, match, shared) * duration_secs)


def in_step(times: np.ndarray, example: Outline, match: Outline, parts: Sequence[str]) -> np.ndarray:
    """Times (N,) from 0 to 1, moved by what the example is ahead of the match, or behind it, on the average.

    An alignment goes by where the parts are. Where example and match go unequally far, it comes early on one side and
    late on the other; their paths taken as a whole tell by how much. Both ends stay.
    """
    n, most = match.n_frames, round(LAG_SECS * RATE_HZ)
    wanted = _paths(match, parts, n)
    fine = np.interp(np.linspace(0.0, len(times) - 1.0, n), np.arange(len(times)), times)
    frames, own = np.arange(n), _paths(example, parts, example.n_frames)
    known: dict[int, float] = {}

    def alike(shift: int) -> float:
        if shift not in known:
            known[shift] = _correlation(_rows_at(own, np.interp(frames + shift, frames, fine)), wanted)
        return known[shift]

    best = 0
    while abs(best) < most:
        better = max((best - 1, best + 1), key=alike)
        if alike(better) <= alike(best):
            break
        best = better
    else:
        return times  # no lag, but something else
    before, peak, after = alike(best - 1), alike(best), alike(best + 1)
    bend = before - 2.0 * peak + after
    shift = best + (0.5 * (before - after) / bend if bend < 0.0 else 0.0)
    ramp = LAG_RAMP * abs(shift)
    if abs(shift) < LEAST_LAG or n < 4 * ramp:
        return times
    at, last = np.arange(len(times)), len(times) - 1
    scale = last / (n - 1.0)  # frames of the match to one of its outline
    gently = scale * shift * np.clip(np.minimum(at, last - at) / (scale * ramp), 0.0, 1.0)
    return np.interp(at + gently, at, times)


def _paths(outline: Outline, parts: Sequence[str], n: int) -> np.ndarray:
    """Where these parts are (n, D)."""
    return _resampled(outline.places[:, [outline.parts.index(part) for part in parts]], n).reshape(n, -1)


def _rows_at(rows: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Rows (F, D) at shares (N,) of their length, along straight lines between them."""
    at = shares * (len(rows) - 1)
    low = np.minimum(at.astype(int), len(rows) - 2)
    return np.asarray(rows[low] + (at - low)[:, None] * (rows[low + 1] - rows[low]))


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    """How alike two sets of paths (N, D) run about their means: 1 at most."""
    one, other = one - one.mean(axis=0), other - other.mean(axis=0)
    return float(np.sum(one * other)) / max(float(np.linalg.norm(one) * np.linalg.norm(other)), 1e-12)


def _without_waits_at_ends(pairs: np.ndarray) -> np.ndarray:
    """The pairs (K, 2) of an alignment without those in which the match waits for the example to begin, or goes on
    after it.

    Matches often have more at their ends than the example. In a smooth warp all that lies between would have to make up
    for it.
    """
    first = int(np.argmax(pairs[:, 0] > pairs[0, 0])) - 1
    last = len(pairs) - int(np.argmax(pairs[::-1, 0] < pairs[-1, 0]))
    return pairs[first : last + 1] if 0 <= first < last else pairs


def even_times(n_frames: int, duration_secs: float) -> np.ndarray:
    """The times (N,) from 0 to the example's end, evenly."""
    return np.linspace(0.0, duration_secs, n_frames) if n_frames > 1 else np.zeros(n_frames)


def strictly(times: np.ndarray) -> np.ndarray:
    """Times to the microsecond, each at least one later than the last."""
    whole = np.round(np.asarray(times) * 1e6).astype(np.int64)
    steps = np.arange(len(whole))
    return np.asarray((np.maximum.accumulate(whole - steps) + steps) / 1e6)


def likeness(distance: float, largest: float) -> float:
    """1 for the query itself, 0 beyond 1.25 × the largest distance."""
    return float(np.clip(1.0 - distance / (ROOM * largest), 0.0, 1.0)) if largest > 0 else 1.0


def strength_at(like: float | None, by: str | Sequence[Sequence[float]]) -> float:
    """The strength of an edit on a match that is so like: constant, proportional, or by (likeness, strength)."""
    if isinstance(by, str) and by == "constant":
        return 1.0
    if like is None:
        raise UsageError("a strength by likeness needs the likeness of every match")
    if isinstance(by, str):
        if by == "proportional":
            return like
        raise UsageError(f"a strength is constant, proportional or a curve of (likeness, strength), not {by!r}")
    points = sorted((float(x), float(y)) for x, y in by)
    if not points:
        raise UsageError("a curve of strengths needs at least one point (likeness, strength)")
    if not np.isfinite(points).all():
        raise UsageError("a curve of strengths has numbers (likeness, strength) only")
    return float(np.interp(like, [x for x, _ in points], [y for _, y in points]))


def seed_of(seed: int, *facts: object) -> int:
    """A seed of a match's own: the same for the same facts, on any machine."""
    text = "/".join(map(str, (seed, *facts)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest())


def varied(operation: Operation, ranges: Mapping[str, Sequence[float]], seed: int) -> Operation:
    """The operation with some parameters drawn at random from their ranges."""
    if not ranges:
        return operation
    known = {one["parameter"]: one for one in operation.parameters()}
    rng = np.random.default_rng([seed, 3])
    values: dict[str, object] = {}
    for name in sorted(ranges):
        if name not in known or not known[name]["varies"]:
            may = ", ".join(sorted(one for one, facts in known.items() if facts["varies"])) or "none"
            raise UsageError(f"{operation.name} {name} cannot vary; those that can: {may}")
        low, high = float(ranges[name][0]), float(ranges[name][1])
        if low > high:
            raise UsageError(f"{operation.name} {name}: the range {low:g} to {high:g} is reversed")
        value = getattr(operation, name)
        if isinstance(value, tuple):
            values[name] = tuple(float(one * rng.uniform(low, high)) for one in value)
        else:
            for bound in (low, high):  # raises, whatever the seed draws
                replace(operation, **{name: bound})
            values[name] = float(np.round(rng.uniform(low, high), 6))
    return replace(operation, **values)


def _rows(outline: Outline, parts: Sequence[str], n: int) -> np.ndarray:
    """Places and velocities (n, D) of these parts, in so many frames."""
    chosen = [outline.parts.index(part) for part in parts]
    places = _resampled(outline.places[:, chosen], n).reshape(n, -1)
    velocities = np.gradient(places, 1.0 / RATE_HZ, axis=0) * VELOCITY_SECS
    return np.ascontiguousarray(np.concatenate([places, velocities], axis=1))


def _resampled(places: np.ndarray, n: int) -> np.ndarray:
    """Places (F, P, 3) from first to last in n frames, along straight lines between them."""
    if len(places) == n:
        return places
    if len(places) == 1:
        return np.repeat(places, n, axis=0)
    at = np.linspace(0.0, len(places) - 1.0, n)
    low = np.minimum(at.astype(int), len(places) - 2)
    return np.asarray(places[low] + (at - low)[:, None, None] * (places[low + 1] - places[low]))
