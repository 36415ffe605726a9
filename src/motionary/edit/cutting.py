"""Operations that take frames out or put others in: delete, replace, bridge, mend; and how seams are stitched."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from motionary.edit.curves import Curves, curves_of, even_headings, facing_of, mean_turns, turns_of
from motionary.edit.floor_roots import with_hips_as_root
from motionary.edit.joints import mirrored_subject
from motionary.edit.operation import Operation, PoseOperation, parameter
from motionary.edit.subject import Edited, Place, Subject
from motionary.errors import SkeletonError, UsageError
from motionary.motion import UP, Motion, Placement, join, oddities, placement_onto, poses_at, rotations
from motionary.plants import Plant, detect_plants
from motionary.rig import transfer_between

GENTLE_SECS = 0.5  # of a bridge that goes on at the speed it was entered at
FLOOR_SECS = 2.0  # beside a segment: plants there tell on which floor it is


@dataclass(frozen=True)
class Delete(Operation):
    """Removes the segment and closes the gap: what follows is placed where the body was, and the seam is spread.

    Labels, plants and matches inside the segment are removed with it; those after it move along.
    """

    name: ClassVar[str] = "delete"
    title: ClassVar[str] = "delete and close the gap"
    changes_length: ClassVar[bool] = True
    identity: ClassVar[Any] = None
    example: ClassVar[Any] = {}

    stitch_secs: float = parameter(
        0.4, "duration on each side over which the seam is spread", low=0.0, high=10.0, unit="s"
    )

    def apply(self, subject: Subject, place: Place) -> Edited:
        motion, start, stop = subject.motion, place.start, place.stop
        if stop - start >= motion.n_frames:
            raise UsageError("delete: nothing would be left of the clip; `rm` takes a clip out of the bank")
        shown = np.concatenate([np.arange(start), np.arange(stop, motion.n_frames)]).astype(float)
        lost = ((start, stop),)
        left = subject.slice(0, start) if start > 0 else None
        right = subject.slice(stop, motion.n_frames) if stop < motion.n_frames else None
        if left is None or right is None:
            only = left or right
            assert only is not None
            return Edited(only.motion, only.plants, shown, lost)
        seamless, plants = stitched([left, right], round(self.stitch_secs / motion.frame_time))
        return Edited(seamless, plants, shown, lost)


@dataclass(frozen=True)
class Replace(Operation):
    """Replaces the segment by another motion and smooths both seams; what follows is placed at its end.

    The other motion comes from a clip, with the same or another skeleton, and keeps its length or is stretched to the
    segment's. It is placed on the floor of the clip.
    """

    name: ClassVar[str] = "replace"
    title: ClassVar[str] = "replace by another motion"
    changes_length: ClassVar[bool] = True
    identity: ClassVar[Any] = None
    example: ClassVar[Any] = {"source": "source"}

    source: str = parameter("", "the other motion: CLIP:START-STOP")
    length: str = parameter("source", "keep the length of the source, or of the segment", choices=("source", "segment"))
    stitch_secs: float = parameter(
        0.4, "duration on each side over which a seam is spread", low=0.0, high=10.0, unit="s"
    )

    @property
    def source_names(self) -> tuple[str, ...]:
        return (self.source,)

    def apply(self, subject: Subject, place: Place) -> Edited:
        motion, start, stop = subject.motion, place.start, place.stop
        other = fitted_source(subject, place.source(self.source), mirrored=place.mirrored)
        if self.length == "segment":
            other = resampled_subject(other, place.n_frames)
        other = _raised(other, _floors_apart(subject, other, place))
        parts = [other]
        if start > 0:
            parts.insert(0, subject.slice(0, start))
        else:
            parts[0] = placed_subject(other, _onto(other, 0, subject, start))
        if stop < motion.n_frames:
            parts.append(subject.slice(stop, motion.n_frames))
        n_new = other.motion.n_frames
        shown = np.concatenate(
            [np.arange(start), start + (stop - start) * np.arange(n_new) / n_new, np.arange(stop, motion.n_frames)]
        )
        seamless, plants = stitched(parts, round(self.stitch_secs / motion.frame_time))
        return Edited(seamless, plants, shown.astype(float))


@dataclass(frozen=True)
class Bridge(PoseOperation):
    """Replaces the movement of the chosen joints by a smooth one from the pose before the segment to the pose after it.

    Use it to remove a gesture while the body goes on, or for frames in which nothing was captured.
    """

    name: ClassVar[str] = "bridge"
    title: ClassVar[str] = "bridge the segment"
    identity: ClassVar[Any] = {"amount": 0.0}
    example: ClassVar[Any] = {}

    amount: float = parameter(1.0, "0: no change; 1: the full effect", low=0.0, high=1.0, varies=True)

    def apply(self, subject: Subject, place: Place) -> Edited:
        edited = super().apply(subject, place)
        if self.amount == 0.0 or not place.joints[0]:
            return edited
        return replace(edited, plants=tuple(plants_outside(subject.plants, place)))  # the feet go with the rest

    def posed(self, subject: Subject, place: Place) -> tuple[Motion, tuple[str, ...]]:
        motion = subject.motion
        segment = motion.slice(place.start, place.stop)
        if self.amount == 0.0:
            return segment, ()
        if place.start == 0 and place.stop == motion.n_frames:
            raise UsageError("bridge: there is nothing before or after the segment; name one inside the clip")
        first, last = max(place.start - 2, 0), min(place.stop + 2, motion.n_frames)
        around = motion.slice(first, last)
        low, high = place.start - 1 - first, place.stop - first
        known = np.r_[: low + 1, high : around.n_frames]  # without the rest, joints and body go the shortest way
        beside = replace(
            around,
            root_positions=around.root_positions[known],
            rotations=rotations.continuous(around.rotations[known]),
            translations=around.joint_translations[known],
        )
        curves = curves_of(beside, subject.rest)
        columns = np.zeros((around.n_frames, curves.columns.shape[1]))
        columns[known] = curves.columns
        columns[low + 1 : high] = _hermite(columns, low, high, motion.frame_time)
        bridged = curves.with_columns(columns).motion(around).slice(low + 1, high)
        return replace(
            segment,
            root_positions=segment.root_positions + self.amount * (bridged.root_positions - segment.root_positions),
            rotations=rotations.continuous(rotations.slerp(segment.rotations, bridged.rotations, self.amount)),
        ), ()


@dataclass(frozen=True)
class Mend(Operation):
    """Repairs what an import reports as odd: closes jumps of the root, and bridges missing and frozen frames.

    After a jump, the rest of the clip moves back to where the body was. A clip without oddities does not change at all.
    """

    name: ClassVar[str] = "mend"
    title: ClassVar[str] = "repair oddities"
    identity: ClassVar[Any] = {"root_jumps": False, "gaps": False, "frozen": False}
    example: ClassVar[Any] = {}

    root_jumps: bool = parameter(True, "close jumps of the root")
    gaps: bool = parameter(True, "bridge frames that are all zero")
    frozen: bool = parameter(False, "bridge frozen frames")

    def apply(self, subject: Subject, place: Place) -> Edited:
        motion, notes = subject.motion, []
        for oddity in oddities(motion):
            if oddity.stop <= place.start or oddity.start >= place.stop:
                continue
            inside = oddity.start > 0 and oddity.stop < motion.n_frames
            wanted = (oddity.kind == "zero frames" and self.gaps) or (oddity.kind == "frozen" and self.frozen)
            if wanted and inside:
                motion = _bridged(motion, subject, oddity.start, oddity.stop)
                notes.append(f"bridged frames {oddity.start}-{oddity.stop}")
        plants = subject.plants
        for oddity in oddities(motion) if self.root_jumps else ():
            if oddity.kind == "root jump" and oddity.start < place.stop and oddity.stop > place.start:
                motion, plants = _jump_closed(motion, plants, oddity.start, oddity.stop)
                notes.append(oddity.text)
        return Edited(motion, plants, notes=tuple(notes))


def stitched(parts: list[Subject], n_blend: int) -> tuple[Motion, tuple[Plant, ...]]:
    """The parts one after the other, each placed where the one before ends; poses and velocities meet at the seams.

    What two sides differ by is spread over `n_blend` frames of each.
    """
    done = parts[0]
    for part in parts[1:]:
        part = placed_subject(part, _onto(part, 0, done, done.motion.n_frames - 1))
        part = _step_on(done, part)
        seam = done.motion.n_frames
        motion = join([done.motion, part.motion])
        motion = _seam_closed(motion, seam, min(n_blend, seam), min(n_blend, part.motion.n_frames), done.rest)
        moved = tuple(replace(plant, start=plant.start + seam, stop=plant.stop + seam) for plant in part.plants)
        done = Subject(motion, done.body, (*done.plants, *moved))
    return done.motion, done.plants


def plants_outside(plants: tuple[Plant, ...], place: Place) -> list[Plant]:
    """The plants, cut where they lie in the segment."""
    kept = []
    for plant in plants:
        if plant.start < place.start:
            kept.append(replace(plant, stop=min(plant.stop, place.start)))
        if plant.stop > place.stop:
            kept.append(replace(plant, start=max(plant.start, place.stop)))
    return kept


def placed_subject(subject: Subject, placement: Placement) -> Subject:
    """The subject turned and moved on the ground, plants and all."""
    plants = []
    for plant in subject.plants:
        x, y, z = placement.apply(np.array(plant.place)).tolist()
        plants.append(replace(plant, place=(x, y, z)))
    return Subject(placement.place(subject.motion), subject.body, tuple(plants))


def fitted_source(subject: Subject, source: Subject, *, mirrored: bool = False) -> Subject:
    """Another motion on the subject's skeleton, at its rate."""
    if mirrored:
        source = mirrored_subject(source)
    motion, target = source.motion, subject.motion
    if not motion.skeleton.same_as(target.skeleton):
        if source.body is None or subject.body is None:
            raise SkeletonError("motions of creatures can be put onto the same skeleton only")
        motion = transfer_between(motion, source.body, subject.body)
        source = with_hips_as_root(Subject(motion, subject.body, detect_plants(motion, subject.body).plants))
        motion = source.motion
    if len(target.moving_joints) and not np.array_equal(motion.moving_joints, target.moving_joints):
        offsets = np.median(target.joint_translations, axis=0)
        motion = replace(
            motion,
            moving_joints=target.moving_joints,
            translations=np.tile(offsets, (motion.n_frames, 1, 1)),
        )
    elif len(motion.moving_joints) and not len(target.moving_joints):
        motion = Motion(motion.skeleton, motion.frame_time, motion.root_positions, motion.rotations)
    source = replace(source, motion=motion)
    n_frames = max(round((motion.n_frames - 1) * motion.frame_time / target.frame_time) + 1, 1)
    if n_frames != motion.n_frames:
        source = resampled_subject(source, n_frames)
    return replace(source, motion=replace(source.motion, frame_time=target.frame_time), body=subject.body)


def resampled_subject(subject: Subject, n_frames: int) -> Subject:
    """The subject from its first to its last pose in so many frames."""
    old = subject.motion.n_frames
    motion = poses_at(subject.motion, np.linspace(0.0, old - 1.0, n_frames))
    scale = (n_frames - 1) / max(old - 1, 1)
    plants = []
    for plant in subject.plants:
        start = min(round(plant.start * scale), n_frames - 1)
        plants.append(replace(plant, start=start, stop=min(max(round(plant.stop * scale), start + 1), n_frames)))
    return Subject(motion, subject.body, tuple(plants))


def _floors_apart(subject: Subject, other: Subject, place: Place) -> float:
    """By how much the feet stand higher around the segment than in the other motion, in metres; 0 where none stands."""
    near = round(FLOOR_SECS / place.frame_time)
    around = [one for one in subject.plants if one.stop > place.start - near and one.start < place.stop + near]
    apart = []
    for foot, part in {(one.foot, one.part) for one in around}:
        both = [
            [(one.place[1], one.stop - one.start) for one in plants if (one.foot, one.part) == (foot, part)]
            for plants in (around, other.plants)
        ]
        if both[1]:
            apart.append(_middle_height(both[0]) - _middle_height(both[1]))
    return float(np.median(apart)) if apart else 0.0


def _middle_height(plants: list[tuple[float, int]]) -> float:
    """The median of heights, each as often as it has frames."""
    return float(np.median(np.repeat([height for height, _ in plants], [frames for _, frames in plants])))


def _raised(subject: Subject, height: float) -> Subject:
    """The subject on a floor that is so much higher, plants and all."""
    up = np.array([0.0, height, 0.0])
    plants = []
    for plant in subject.plants:
        x, y, z = (np.array(plant.place) + up).tolist()
        plants.append(replace(plant, place=(x, y, z)))
    motion = replace(subject.motion, root_positions=subject.motion.root_positions + up)
    return Subject(motion, subject.body, tuple(plants))


def _onto(subject: Subject, frame: int, target: Subject, target_frame: int) -> Placement:
    """The placement that brings one frame of the subject onto one of the target."""
    facing = [facing_of(one.motion, one.rest) for one in (subject, target)]
    return placement_onto(
        subject.motion.root_positions[frame],
        facing[0][frame],
        target.motion.root_positions[target_frame],
        facing[1][target_frame],
    )


def _step_on(before: Subject, after: Subject) -> Subject:
    """`after`, one step further: as long a step as the mean of both sides at the seam."""
    steps = [
        motion.root_positions[at + 1] - motion.root_positions[at]
        for motion, at in ((before.motion, before.motion.n_frames - 2), (after.motion, 0))
        if motion.n_frames > 1
    ]
    if not steps:
        return after
    step = np.mean(steps, axis=0)
    return placed_subject(after, Placement(0.0, float(step[0]), float(step[2])))


def _seam_closed(motion: Motion, seam: int, n_left: int, n_right: int, rest: np.ndarray) -> Motion:
    """Poses and velocities made to meet between frames `seam` − 1 and `seam`; half of the gap goes to each side."""
    if n_left + n_right < 2:
        return motion
    first, last = seam - n_left, seam + n_right
    around = motion.slice(first, last)
    means = mean_turns(turns_without_heading(around, rest))
    curves = curves_of(around, rest, means=means)
    columns = curves.columns
    # Of each side what it is, and how fast it changes, at the seam half-way between both frames
    ends = []
    for at, inwards in ((n_left - 1, -1), (n_left, 1)):
        next_to = min(max(at + inwards, 0), len(columns) - 1)
        slope = (columns[at] - columns[next_to]) * -inwards if next_to != at else np.zeros(columns.shape[1])
        ends.append((columns[at] - 0.5 * inwards * slope, slope))
    gap, slope_gap = ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]
    gap[[0, 2]] = 0.0  # the placement has seen to that
    for n, side, start in ((n_left, 1.0, n_left), (n_right, -1.0, n_left)):
        away = np.arange(n) + 0.5  # frames from the seam
        t = away / n
        level = 0.5 * (1.0 - t) ** 3 * (1.0 + 3.0 * t + 6.0 * t * t)  # 1/2 at the seam, flat there and at the far end
        slope = 0.5 * n * t * (1.0 - t) ** 3 * (1.0 + 3.0 * t) * (-side)
        change = side * level[:, None] * gap + side * slope[:, None] * slope_gap
        rows = start - 1 - np.arange(n) if side > 0 else start + np.arange(n)
        columns[rows] += change
    closed = curves.with_columns(columns).motion(around)
    return _with_frames(motion, first, closed)


def turns_without_heading(motion: Motion, rest: np.ndarray) -> np.ndarray:
    """Turns between T-poses (F, J, 4), the root's without its heading."""
    turns = turns_of(motion, rest)
    turns[:, 0] = rotations.multiply(rotations.from_axis_angle(UP, -even_headings(turns[:, 0])), turns[:, 0])
    return turns


def _with_frames(motion: Motion, first: int, part: Motion) -> Motion:
    turned, places = np.array(motion.rotations), np.array(motion.root_positions)
    turned[first : first + part.n_frames] = part.rotations
    places[first : first + part.n_frames] = part.root_positions
    return replace(motion, rotations=rotations.continuous(turned), root_positions=places)


def _hermite(columns: np.ndarray, low: int, high: int, frame_time: float) -> np.ndarray:
    """Rows between `low` and `high` on cubic curves that go on as the rows outside do; `high` may be the end."""
    n = len(columns)
    if low < 0:
        return np.repeat(columns[high : high + 1], high, axis=0)
    if high >= n:
        return np.repeat(columns[low : low + 1], n - 1 - low, axis=0)
    before = columns[low] - columns[low - 1] if low > 0 else np.zeros(columns.shape[1])
    after = columns[high + 1] - columns[high] if high + 1 < n else np.zeros(columns.shape[1])
    span = high - low
    gentle = min(
        GENTLE_SECS / frame_time / span, 1.0
    )  # a long bridge does not fly off with the speed it was entered at
    t = (np.arange(low + 1, high)[:, None] - low) / span
    return np.asarray(
        (2 * t**3 - 3 * t**2 + 1) * columns[low]
        + (t**3 - 2 * t**2 + t) * span * gentle * before
        + (-2 * t**3 + 3 * t**2) * columns[high]
        + (t**3 - t**2) * span * gentle * after
    )


def _bridged(motion: Motion, subject: Subject, start: int, stop: int) -> Motion:
    """The motion with frames [start, stop) bridged, all joints."""
    first, last = max(start - 2, 0), min(stop + 2, motion.n_frames)
    known = np.r_[first:start, stop:last]
    around = motion.slice(first, last)
    means = mean_turns(turns_without_heading(around, subject.rest)[known - first])
    curves: Curves = curves_of(around, subject.rest, means=means)
    columns = curves.columns
    jump = columns[stop - first, 3] - columns[start - 1 - first, 3]
    columns[stop - first :, 3] -= 2 * np.pi * np.round(jump / (2 * np.pi))
    columns[start - first : stop - first] = _hermite(columns, start - 1 - first, stop - first, motion.frame_time)
    return _with_frames(motion, first, curves.with_columns(columns).motion(around))


def _jump_closed(motion: Motion, plants: tuple[Plant, ...], start: int, stop: int) -> tuple[Motion, tuple[Plant, ...]]:
    """The root's jump within frames [start, stop) taken out, and the rest of the clip moved back by it."""
    places = np.array(motion.root_positions)
    beside = [places[start] - places[start - 1]] if start > 0 else []
    beside += [places[stop] - places[stop - 1]] if stop < motion.n_frames else []
    step = np.mean(beside, axis=0) if beside else np.zeros(3)
    last = stop - 1
    wanted = places[start] + step * (last - start)
    shift = wanted - places[last]
    for frame in range(start + 1, last):
        places[frame] = places[start] + step * (frame - start)
    places[last:] += shift
    moved = []
    for plant in plants:
        if plant.start >= last:
            x, y, z = (np.array(plant.place) + shift).tolist()
            plant = replace(plant, place=(x, y, z))
        moved.append(plant)
    return replace(motion, root_positions=places), tuple(moved)
