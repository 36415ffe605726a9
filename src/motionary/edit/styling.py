"""Style from an example (emotional transform; Amaya, Bruderlin & Calvert 1996).

A neutral and a styled version of the same motion are registered. Learnt are the timing, and for each part of the body
the change of its mean turn and the ratio of its deviations from the mean, in total or by frequency band.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from motionary.blend import BlendSource, find_cycles
from motionary.edit.borders import border_weights, eased_in
from motionary.edit.curves import Curves, curves_of, mean_turns
from motionary.edit.cutting import turns_without_heading
from motionary.edit.filtering import spread_smoothed
from motionary.edit.fitting import Outline, aligned_times, outline_of
from motionary.edit.operation import Operation, parameter
from motionary.edit.retiming import retimed
from motionary.edit.subject import Edited, Place, Subject
from motionary.errors import SkeletonError, UsageError
from motionary.motion import Motion, poses_at, rotations
from motionary.rig import PARTS

PHASES = 24  # of a cycle that are tried
RATIO = 3.0  # deviations are scaled by no more, and no less than its inverse
# part, change of the mean as a rotation vector in degrees, ratio of deviations of each band (one: in total)
Learnt = tuple[str, tuple[float, float, float], tuple[float, ...]]


@dataclass(frozen=True)
class Style(Operation):
    """Puts what was learnt of a style on a motion: mean poses, how far joints go, how fast, and the pelvis's height.

    `learn_style` makes it from a neutral and a styled motion. Identity: an amount of 0.
    """

    name: ClassVar[str] = "style"
    ease_secs: ClassVar[float] = 0.4
    title: ClassVar[str] = "style from an example"
    changes_length: ClassVar[bool] = True
    identity: ClassVar[Any] = {"amount": 0.0}
    example: ClassVar[Any] = {
        "parts": (
            ("Spine2", (18.0, 0.0, 0.0), (1.0,)),
            ("Neck1", (14.0, 0.0, 0.0), (0.5,)),
            ("LeftUpperArm", (0.0, 0.0, -8.0), (0.4,)),
            ("RightUpperArm", (0.0, 0.0, 8.0), (0.4,)),
        ),
        "pace": 0.8,
    }

    parts: tuple[Learnt, ...] = parameter((), "(part, change of its mean in degrees, ratios of its deviations)")
    pace: float = parameter(1.0, "how many times as fast", low=0.05, high=20.0)
    height: float = parameter(0.0, "change of the pelvis's mean height, in leg lengths", low=-1.0, high=1.0)
    amount: float = parameter(1.0, "how much of it; above 1 exaggerates", low=-2.0, high=3.0, varies=True)
    timing: bool = parameter(True, "take the timing, too")

    def apply(self, subject: Subject, place: Place) -> Edited:
        if self.amount == 0.0 or place.strength == 0.0:
            return Edited(subject.motion, subject.plants)
        posed = self._posed(subject, place)
        motion = eased_in(subject.motion, posed, place)
        pace = self.pace ** (self.amount * place.strength)
        if not self.timing or pace == 1.0:
            return Edited(motion, subject.plants)
        weights = border_weights(place, motion.n_frames) / place.strength
        new = np.concatenate([[0.0], np.cumsum(pace**-weights)])
        n_frames = max(round(float(new[-1])), 1)
        new *= n_frames / new[-1]
        shown = place.start + np.interp(np.arange(n_frames), new, np.arange(place.n_frames + 1))
        return retimed(Subject(motion, subject.body, subject.plants), place, shown)

    def _posed(self, subject: Subject, place: Place) -> Motion:
        if subject.body is None:
            raise SkeletonError("style: the skeleton is no person's, so that no style can be put on it")
        segment = subject.motion.slice(place.start, place.stop)
        curves = curves_of(segment, subject.rest)
        vectors, means = np.array(curves.vectors), np.array(curves.means)
        slots = subject.body.body_map.slots
        for part, change, ratios in self.parts:
            mirrored = _other_side(part) if place.mirrored else part
            vector = np.radians(change) * ([1.0, -1.0, -1.0] if place.mirrored else [1.0, 1.0, 1.0])
            for joint in slots[mirrored]:
                share = 1.0 / len(slots[mirrored])
                turn = rotations.from_rotation_vector(self.amount * share * vector)
                means[joint] = rotations.multiply(turn, means[joint])
                vectors[:, joint] = _scaled(vectors[:, joint], np.array(ratios) ** self.amount, place)
        places = np.array(curves.places)
        places[:, 1] += self.amount * self.height * subject.body.leg_length
        return Curves(places, curves.headings, vectors, means, curves.rest).motion(segment)


def learn_style(neutral: Subject, styled: Subject, *, bands: int = 4, warp: np.ndarray | None = None) -> Style:
    """The style by which `styled` differs from `neutral`, both the same action.

    Both are registered: walks and the like by their cycles, whole ones from the same phase, other motions by their
    alignment. `warp` (F of neutral) are frames of the styled motion that go with the neutral one's, if they are known.
    Ratios are learnt by frequency band, the finest first, or (`bands` 1) in total.
    """
    if neutral.body is None or styled.body is None:
        raise SkeletonError("a style can be learnt from people only")
    if bands < 1 or bands > 8:
        raise UsageError(f"a style has 1 to 8 bands, not {bands}")
    if warp is None:
        own, frames = registered_frames(neutral, styled)
        neutral = neutral.slice(own[0], own[-1] + 1)
    else:
        frames = np.asarray(warp, dtype=float)
    n_frames = neutral.motion.n_frames
    if frames.shape != (n_frames,):
        raise UsageError(f"a warp of {frames.shape} does not fit the neutral motion's {n_frames} frames")
    fitted = Subject(poses_at(styled.motion, frames), styled.body)
    sides = []
    for subject in (neutral, fitted):
        by_part = _by_part(subject)
        sides.append(by_part)
    frame_time = neutral.motion.frame_time
    learnt: list[Learnt] = []
    for part in PARTS:
        if part not in sides[0] or part not in sides[1]:
            continue
        (mean, vectors), (other_mean, other_vectors) = sides[0][part], sides[1][part]
        change = rotations.to_rotation_vector(rotations.multiply(other_mean, rotations.inverse(mean)))
        ratios = [
            float(np.clip((b + 1e-3) / (a + 1e-3), 1.0 / RATIO, RATIO))
            for a, b in zip(
                _deviations(vectors, bands, frame_time), _deviations(other_vectors, bands, frame_time), strict=True
            )
        ]
        x, y, z = (round(float(value), 4) for value in np.degrees(change))
        learnt.append((part, (x, y, z), tuple(round(ratio, 5) for ratio in ratios)))
    first = (frames[-1] - frames[0]) * styled.motion.frame_time
    pace = (n_frames - 1) * frame_time / first if first > 0 else 1.0
    heights = [np.mean(one.motion.root_positions[:, 1]) / one.body.leg_length for one in (neutral, fitted) if one.body]
    return Style(
        parts=tuple(learnt),
        pace=round(float(np.clip(pace, 0.2, 5.0)), 5),
        height=round(float(heights[1] - heights[0]), 5),
    )


def registered_frames(neutral: Subject, styled: Subject) -> tuple[np.ndarray, np.ndarray]:
    """Frames of the neutral motion, one after the other (N,), and the frames of the styled one (N,) that go with them.

    Where both have cycles: as many whole ones of each as both have, the styled ones from the phase in which the poses
    are most alike. Else all frames, by the smooth warp of their alignment.
    """
    sources = []
    for subject in (neutral, styled):
        assert subject.body is not None
        sources.append(BlendSource("", subject.motion, subject.body, subject.plants))
    first, second = (find_cycles(source) for source in sources)
    n_rounds = min(len(first), len(second) - 1)  # one more of the styled: it may have to begin in another phase
    outlines = [outline_of(subject) for subject in (neutral, styled)]
    if n_rounds < 1:
        n_frames = neutral.motion.n_frames
        last = (styled.motion.n_frames - 1) * styled.motion.frame_time
        times = aligned_times(outlines[1], outlines[0], n_frames, last)
        return np.arange(n_frames), np.clip(times / styled.motion.frame_time, 0.0, styled.motion.n_frames - 1.0)
    own = np.arange(first[0].start, first[n_rounds - 1].stop)
    marks = np.array([*(cycle.start for cycle in first[:n_rounds]), first[n_rounds - 1].stop], dtype=float)
    phases = np.interp(own, marks, np.arange(n_rounds + 1))
    others = np.array([*(cycle.start for cycle in second[: n_rounds + 1]), second[n_rounds].stop], dtype=float)
    shifts = np.arange(PHASES) / PHASES
    tried = [np.interp(phases + shift, np.arange(n_rounds + 2), others) for shift in shifts]
    costs = [_distance(neutral, own, outlines[0], styled, frames, outlines[1]) for frames in tried]
    return own, tried[int(np.argmin(costs))]


def _distance(
    neutral: Subject, own: np.ndarray, outline: Outline, styled: Subject, frames: np.ndarray, other: Outline
) -> float:
    """How unlike frames of two motions are: by the parts of the body about their mean places."""
    shared = [part for part in outline.parts if part in other.parts]
    places = []
    for subject, which, its in ((neutral, own, outline), (styled, frames, other)):
        at = np.asarray(which) / max(subject.motion.n_frames - 1, 1) * (its.n_frames - 1)
        rows = its.places[np.clip(np.round(at).astype(int), 0, its.n_frames - 1)]
        rows = rows[:, [its.parts.index(part) for part in shared]]
        places.append(rows - rows.mean(axis=0))
    return float(np.mean((places[0] - places[1]) ** 2))


def _by_part(subject: Subject) -> Mapping[str, tuple[np.ndarray, np.ndarray]]:
    """Of every part its mean turn and its deviations (F, 3); joints that share a part are taken together."""
    assert subject.body is not None
    turns = turns_without_heading(subject.motion, subject.rest)
    found = {}
    for part, joints in subject.body.body_map.slots.items():
        if not joints:
            continue
        turned = turns[:, joints[0]]
        for joint in joints[1:]:
            turned = rotations.multiply(turned, turns[:, joint])
        mean = mean_turns(turned[:, None])[0]
        away = rotations.to_rotation_vector(rotations.multiply(rotations.inverse(mean), turned))
        found[part] = (mean, away)
    return found


def _bands(vectors: np.ndarray, n: int, frame_time: float) -> list[np.ndarray]:
    """Vectors (F, 3) as so many bands, the finest first, that add up to them."""
    finest = max(1.0 / 15.0 / frame_time, 1.0)
    levels = [vectors]
    for level in range(n - 1):
        levels.append(spread_smoothed(levels[-1], finest * 2.0**level))
    return [fine - coarse for fine, coarse in pairwise(levels)] + [levels[-1]]


def _deviations(vectors: np.ndarray, n: int, frame_time: float) -> list[float]:
    return [float(np.sqrt(np.mean(band**2))) for band in _bands(vectors, n, frame_time)]


def _scaled(vectors: np.ndarray, ratios: np.ndarray, place: Place) -> np.ndarray:
    bands = _bands(vectors, len(ratios), place.frame_time * place.tempo)
    return np.asarray(sum(ratio * band for ratio, band in zip(ratios, bands, strict=True)))


def _other_side(part: str) -> str:
    for one, other in (("Left", "Right"), ("Right", "Left")):
        if part.startswith(one):
            return other + part.removeprefix(one)
    return part
