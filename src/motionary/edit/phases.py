"""Where a walk or the like is in its cycle, frame by frame."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from motionary.blend import BlendSource, find_cycles
from motionary.edit.curves import facing_of
from motionary.edit.subject import Subject
from motionary.rig import SIDES

SLOWEST_SECS, FASTEST_SECS = 5.0, 0.4  # of a cycle between two steps of one foot
UNEVEN = 1.7  # times the shortest: cycles are no longer than that
LIMPING = 2.5  # times the shortest: nor are steps
LEAST_SWING = 0.2  # leg lengths between both ends of the way that feet swing past each other
MARKED = 0.4  # of the whole swing: turns of the feet that stand out less are no steps


def cycle_marks(subject: Subject) -> np.ndarray | None:
    """The frames (N + 1,) at which N cycles begin and the last one ends; None where nothing comes back.

    By the poses that come back; where those do not, as in a slow sneak, by the steps of one foot, or by how the feet
    pass each other.
    """
    assert subject.body is not None
    cycles = find_cycles(BlendSource("", subject.motion, subject.body, subject.plants))
    if cycles:
        return np.array([*(cycle.start for cycle in cycles), cycles[-1].stop], dtype=float)
    marks = _marks_of_steps(subject)
    return _marks_of_feet(subject) if marks is None else marks


def phases_of(subject: Subject) -> np.ndarray | None:
    """How many cycles have gone by at each frame (F,), from the first cycle on; None where nothing comes back."""
    marks = cycle_marks(subject)
    if marks is None:
        return None
    period = float(np.mean(np.diff(marks)))
    frames = np.arange(subject.motion.n_frames)
    phases = np.interp(frames, marks, np.arange(len(marks)))
    phases += np.minimum(frames - marks[0], 0.0) / period + np.maximum(frames - marks[-1], 0.0) / period
    return np.asarray(phases)


def _marks_of_steps(subject: Subject) -> np.ndarray | None:
    """When one heel or toe is set down, or lifted, again and again; of the one with most such moments."""
    n_frames, frame_time = subject.motion.n_frames, subject.motion.frame_time
    best: list[int] = []
    for foot in ("left", "right"):
        for part in ("heel", "toe"):
            plants = [one for one in subject.plants if (one.foot, one.part) == (foot, part)]
            for moments in ([one.start for one in plants], [one.stop for one in plants]):
                inside = sorted(moment for moment in moments if 0 < moment < n_frames)
                lengths = [frame_time * (after - before) for before, after in pairwise(inside)]
                if (
                    len(inside) > len(best)
                    and lengths
                    and min(lengths) >= FASTEST_SECS
                    and max(lengths) <= min(SLOWEST_SECS, UNEVEN * min(lengths))
                ):
                    best = inside
    return np.array(best, dtype=float) if best else None


def _marks_of_feet(subject: Subject) -> np.ndarray | None:
    """When one foot is farthest ahead of, or above, the other, again and again: the longest even stretch of the motion.

    A march that turns around in its midst has whole cycles on one side of the turn only.
    """
    from scipy.signal import find_peaks

    swing = _swing(subject)
    size = float(np.ptp(swing))
    if size < LEAST_SWING:
        return None
    moments = sorted(
        (int(frame), way)
        for way in (1, -1)
        for frame in find_peaks(way * swing, prominence=MARKED * size)[0]  # the left or the right foot is ahead
    )
    best = max(_even_stretches(moments, subject.motion.frame_time), key=len, default=[])
    return np.array(best[::2], dtype=float) if len(best) > 2 else None


def _swing(subject: Subject) -> np.ndarray:
    """Where the left foot is against the right one (F,), in leg lengths: ahead and above, by what varies most."""
    body, motion = subject.body, subject.motion
    assert body is not None
    left, right = (motion.positions_world[:, body.body_map.joints[side + "Foot"]] for side in SIDES)
    facing = facing_of(motion, subject.rest)
    apart = (left - right) / body.leg_length
    places = np.stack([apart[:, 2] * np.cos(facing) + apart[:, 0] * np.sin(facing), apart[:, 1]], axis=1)
    axis = np.linalg.eigh(np.cov(places, rowvar=False))[1][:, -1]
    return np.asarray(places @ (axis if axis[0] > 0 else -axis))


def _even_stretches(moments: list[tuple[int, int]], frame_time: float) -> Iterator[list[int]]:
    """Moments at which one foot is ahead, then the other, as long as no step lasts much longer than another."""
    stretch: list[int] = []
    last = 0
    for moment, way in moments:
        if stretch:
            steps = [frame_time * (after - before) for before, after in pairwise([*stretch, moment])]
            even = min(steps) >= 0.5 * FASTEST_SECS and max(steps) <= min(SLOWEST_SECS, LIMPING * min(steps))
            if not even or way == last:
                yield stretch
                stretch = stretch[-1:] if way != last else []
        stretch.append(moment)
        last = way
    yield stretch
