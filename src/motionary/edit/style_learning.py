"""Learning a style (emotional transform; Amaya, Bruderlin & Calvert 1996): a neutral and a styled version of the same
motion are registered, and what they differ by is a `Style`.

Beyond the paper, walks and the like are compared phase by phase: means and deviations alone make nobody limp.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from motionary.edit.curves import facing_of, mean_turns
from motionary.edit.cutting import turns_without_heading
from motionary.edit.fitting import Outline, aligned_times, outline_of
from motionary.edit.floor_roots import with_hips_as_root
from motionary.edit.phases import cycle_marks, phases_of
from motionary.edit.styling import PHASES, Learnt, Style, bands_of, even_way
from motionary.edit.subject import Subject
from motionary.errors import SkeletonError, UsageError
from motionary.motion import UP, poses_at, rotations
from motionary.plants import part_contacts_of_plants
from motionary.rig import PARTS

RATIO = 3.0  # deviations are scaled by no more, and no less than its inverse


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
    neutral, styled = with_hips_as_root(neutral), with_hips_as_root(styled)
    cycle: dict[str, Any] = {}
    if warp is None:
        own, frames, by_cycles = registered_frames(neutral, styled)
        cycle = _learnt_cycle(neutral, own, styled, frames) if by_cycles else {}
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
        **cycle,
    )


def registered_frames(neutral: Subject, styled: Subject) -> tuple[np.ndarray, np.ndarray, bool]:
    """Frames of the neutral motion, one after the other (N,), the frames of the styled one (N,) that go with them, and
    whether they are whole cycles.

    Where both have cycles: as many of each as both have, from phases in which the poses are most alike. Else all
    frames, by the smooth warp of their alignment.
    """
    outlines = [outline_of(subject) for subject in (neutral, styled)]
    own_marks, other_marks = cycle_marks(neutral), cycle_marks(styled)
    if own_marks is None or other_marks is None:
        n_frames = neutral.motion.n_frames
        last = (styled.motion.n_frames - 1) * styled.motion.frame_time
        times = aligned_times(outlines[1], outlines[0], n_frames, last)
        return np.arange(n_frames), np.clip(times / styled.motion.frame_time, 0.0, styled.motion.n_frames - 1.0), False
    ways = [_CycleWay(own_marks, neutral), _CycleWay(other_marks, styled)]
    n_rounds = max(min(ways[0].n_rounds, ways[1].n_rounds), 1)
    if max(ways[0].n_rounds, ways[1].n_rounds) == n_rounds > 1:
        n_rounds -= 1  # one of them may have to begin in another phase
    tried = [
        (first, second)
        for first, second in [(k / PHASES, 0.0) for k in range(PHASES)] + [(0.0, k / PHASES) for k in range(1, PHASES)]
        if ways[0].has(first, n_rounds) and ways[1].has(second, n_rounds)
    ]
    pairs = []
    for first, second in tried:
        own = ways[0].frames(first, n_rounds)
        phases = ways[0].phases(own) - ways[0].first - first
        pairs.append((own, ways[1].at(phases + ways[1].first + second)))
    costs = [_distance(neutral, own, outlines[0], styled, frames, outlines[1]) for own, frames in pairs]
    return (*pairs[int(np.argmin(costs))], True)


class _CycleWay:
    """A motion by the phases of its cycles: within its marks, and half a cycle beyond if it has so few."""

    def __init__(self, marks: np.ndarray, subject: Subject) -> None:
        period = float(np.mean(np.diff(marks)))
        numbers = np.arange(len(marks), dtype=float)
        if len(marks) <= 3:
            last = subject.motion.n_frames - 1.0
            before, after = max(marks[0] - 0.5 * period, 0.0), min(marks[-1] + 0.5 * period, last)
            numbers = np.concatenate(
                [[(before - marks[0]) / period], numbers, [numbers[-1] + (after - marks[-1]) / period]]
            )
            marks = np.concatenate([[before], marks, [after]])
        keep = np.concatenate([[True], np.diff(marks) > 1e-9])
        self.marks, self.numbers = marks[keep], numbers[keep]

    @property
    def first(self) -> float:
        return float(self.numbers[0])

    @property
    def n_rounds(self) -> int:
        return int(self.numbers[-1] - self.numbers[0] + 1e-9)

    def has(self, start: float, n_rounds: int) -> bool:
        return bool(self.first + start + n_rounds <= self.numbers[-1] + 1e-9)

    def at(self, phases: np.ndarray) -> np.ndarray:
        """The frames, not whole ones, at phases."""
        return np.interp(phases, self.numbers, self.marks)

    def phases(self, frames: np.ndarray) -> np.ndarray:
        return np.interp(frames, self.marks, self.numbers)

    def frames(self, start: float, n_rounds: int) -> np.ndarray:
        """The whole frames of so many cycles from a phase after the first on."""
        ends = self.at(np.array([self.first + start, self.first + start + n_rounds]))
        return np.arange(int(np.ceil(ends[0] - 1e-6)), int(np.floor(ends[1] - 1e-6)) + 1)


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


def _learnt_cycle(neutral: Subject, own: np.ndarray, styled: Subject, frames: np.ndarray) -> dict[str, Any]:
    """What a style changes through a cycle: parameters of `Style`; none where the neutral motion has no cycles."""
    assert neutral.body is not None
    assert styled.body is not None
    phases = phases_of(neutral)
    if phases is None:
        return {}
    n_rounds = float(phases[own[-1]] - phases[own[0]])
    fine = np.linspace(0.0, len(own) - 1.0, max(len(own), round(4 * PHASES * n_rounds)))  # several to every phase
    at = [np.interp(fine, np.arange(len(own)), frames_) for frames_ in (own, frames)]
    secs = (len(own) - 1) * neutral.motion.frame_time
    first, second = (
        Subject(replace(poses_at(one.motion, its), frame_time=secs / (len(fine) - 1)), one.body)
        for one, its in ((neutral, at[0]), (styled, at[1]))
    )
    rows = _rows_of_phases(np.interp(at[0], own, phases[own]))
    sides = [_by_phase(subject, rows) for subject in (first, second)]
    cycle = []
    for part in PARTS:
        if part in sides[0] and part in sides[1]:
            change = rotations.multiply(sides[1][part], rotations.inverse(sides[0][part]))
            vectors = np.degrees(rotations.to_rotation_vector(change))
            cycle.append((part, tuple(np.round(vectors, 3).ravel().tolist())))
    period = (len(fine) - 1) / n_rounds
    roots = [_root_by_phase(subject, rows, period) for subject in (first, second)]
    contacts = part_contacts_of_plants(styled.plants, styled.motion.n_frames)[np.round(at[1]).astype(int)]
    stands = [contacts[chosen].mean(axis=0).ravel() for chosen in rows]
    outline = outline_of(first)
    places = outline.places[np.round(np.linspace(0, outline.n_frames - 1, len(fine))).astype(int)]
    means = np.stack([places[chosen].mean(axis=0) for chosen in rows])
    reference = tuple((part, tuple(np.round(means[:, i], 4).ravel().tolist())) for i, part in enumerate(outline.parts))
    return {
        "cycle": tuple(cycle),
        "root": tuple(np.round(roots[1][0] - roots[0][0], 4).ravel().tolist()),
        "reference": reference,
        "stride": round(float(np.clip(roots[1][1] / max(roots[0][1], 1e-6), 0.2, 5.0)), 4),
        "cycle_length": round(roots[1][1], 4),
        "cycle_secs": round(float((frames[-1] - frames[0]) * styled.motion.frame_time / n_rounds), 4),
        "stands": tuple(np.round(np.concatenate(stands), 3).tolist()) if styled.plants else (),
    }


def _rows_of_phases(phases: np.ndarray) -> list[np.ndarray]:
    """The rows that lie in each phase of the cycle; where none does, the nearest one."""
    rows = []
    for phase in range(PHASES):
        away = np.abs((phases - (phase + 0.5) / PHASES + 0.5) % 1.0 - 0.5)
        inside = np.flatnonzero(away <= 0.5 / PHASES)
        rows.append(inside if len(inside) else np.array([int(np.argmin(away))]))
    return rows


def _by_phase(subject: Subject, rows: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """The mean turn (PHASES, 4) of every part in each phase."""
    assert subject.body is not None
    turns = turns_without_heading(subject.motion, subject.rest)
    found = {}
    for part, joints in subject.body.body_map.slots.items():
        if joints:
            turned = turns[:, joints[0]]
            for joint in joints[1:]:
                turned = rotations.multiply(turned, turns[:, joint])
            means = [mean_turns(turned[chosen][:, None])[0] for chosen in rows]
            found[part] = rotations.continuous(np.array(means))
    return found


def _root_by_phase(subject: Subject, rows: Sequence[np.ndarray], period: float) -> tuple[np.ndarray, float]:
    """Where the root is in each phase (PHASES, 3), off its even way and above the ground, and how far it goes in a
    cycle; both in leg lengths."""
    assert subject.body is not None
    places = subject.motion.root_positions / subject.body.leg_length
    even = even_way(places, period)
    away = places - even * [1.0, 0.0, 1.0]
    facing = rotations.from_axis_angle(UP, -facing_of(subject.motion, subject.rest))
    away = rotations.rotate(facing, away)
    means = np.stack([away[chosen].mean(axis=0) for chosen in rows])
    means[:, [0, 2]] -= means[:, [0, 2]].mean(axis=0)
    length = float(np.linalg.norm(np.diff(even[:, [0, 2]], axis=0), axis=1).sum())
    return means, length / max((len(places) - 1) / period, 1e-9)


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


def _deviations(vectors: np.ndarray, n: int, frame_time: float) -> list[float]:
    return [float(np.sqrt(np.mean(band**2))) for band in bands_of(vectors, n, frame_time)]
