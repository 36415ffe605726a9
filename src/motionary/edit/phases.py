"""Where a walk or the like is in its cycle, frame by frame."""

from itertools import pairwise

import numpy as np

from motionary.blend import BlendSource, find_cycles
from motionary.edit.subject import Subject

SLOWEST_SECS, FASTEST_SECS = 5.0, 0.4  # of a cycle between two steps of one foot
UNEVEN = 1.7  # times the shortest: cycles are no longer than that


def cycle_marks(subject: Subject) -> np.ndarray | None:
    """The frames (N + 1,) at which N cycles begin and the last one ends; None where nothing comes back.

    By the poses that come back; where those do not, as in a slow sneak, by the steps of one foot.
    """
    assert subject.body is not None
    cycles = find_cycles(BlendSource("", subject.motion, subject.body, subject.plants))
    if cycles:
        return np.array([*(cycle.start for cycle in cycles), cycles[-1].stop], dtype=float)
    return _marks_of_steps(subject)


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
