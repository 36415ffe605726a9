"""A clean-up that makes nothing worse: feet are held as far as balance, knees and pelvis bear it.

Captured feet slide by millimetres, and at places only a jerk of a knee or a pelvis that drops could hold them. So the
motion is cleaned, and measured as it was before. Where the zero-moment point got farther from the feet, a knee or the
pelvis jerks, or a foot is pushed into the floor, the feet around that frame are held half as firmly, which leaves half
of their slide, and all of it is tried again; then every stance that was loosened is tried firmly once more. In the end
a motion is better than before, or it is what it was.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from motionary.dynamics import body_masses
from motionary.motion import Motion, rotations
from motionary.naturalness.measures import CURVES, MEASURES
from motionary.naturalness.scorer import Scorer, build_scorer
from motionary.naturalness.standing import standing_by_plants
from motionary.plants import (
    FEET,
    PARTS,
    Cleaned,
    CleanOptions,
    HeldPlant,
    Holding,
    Plant,
    Reason,
    build_cleaner,
    clean,
    cut_plants,
)
from motionary.rig import SIDES, Body, body_of

BALANCE = 1.05  # times the ZMP error before, its worst and its mean, may be left
SCORE = 0.02  # of the score before by which it may grow
BALANCE_METRES = 0.0005  # or so much more, in either case
JERK = 1.2  # times the largest acceleration before, of knees and pelvis
KNEE_LEAST = 5.0  # rad/s²: that much is no jerk, however still the clip is
PELVIS_LEAST = 0.2  # m/s²
FLOOR = 0.01  # metres that a foot in the air may be pushed deeper below the lowest place where one stands
ROUNDS = 24
SLOW = 2.3  # times as slowly as usual the root sinks, if that is better
MOST_TRIALS = 60  # of stances of a foot to be held firmly again
LESS = 0.5  # of the hold is left after each round
NONE = 0.1  # less than that is none
AROUND_SECS = 0.3  # plants so near to a frame that got worse are held less
WIDER = 5  # rounds after which twice as many are
HELD_WITHIN = 0.002  # metres: plants held less than the others, but that well, are held
HELD_SPEED = 0.005  # m/s
HELD_SECS = 0.2  # a part of a plant that is held for less is not
EASE_SECS = 0.5  # over which the hold changes within a long stance
BALANCED: Reason = "would cost the balance"
PELVIS: Reason = "would jerk the pelvis"
KNEE: Reason = "would jerk a knee"
DEEPER: Reason = "would push a foot into the floor"


def clean_carefully(
    motion: Motion, plants: Iterable[Plant], body: Body | None = None, *, options: CleanOptions | None = None
) -> Cleaned:
    """As `clean`, but nothing gets worse: plants that could only be held at such a cost are held less, or not at all.

    Worse is: the largest or the mean ZMP error over 1.05 times what it was, or the score over 1.02 times; a knee or
    the pelvis that accelerates over 1.2 times as much as it ever did in the motion; a foot in the air deeper in the
    floor. Plants that are held less say so by their `reason`, and how far their feet are from their places by `left`.
    """
    options = options or CleanOptions()
    body = body_of(motion.skeleton, motion=motion) if body is None else body
    plants = list(plants)
    best = clean(motion, plants, body, options=options)
    if best.motion is motion:
        return best
    plants = cut_plants(plants, 0, motion.n_frames)
    judge = _Judge(motion, plants, body)
    most, best_way = -1, options
    best_hold: _Hold | None = None
    for way in _ways(options):
        cleaned, hold, was_worse = _loosened(judge, motion, plants, body, way)
        if _n_held(cleaned) > most:
            best, most, best_way, best_hold = cleaned, _n_held(cleaned), way, hold
        if not was_worse:
            return cleaned
    if best_hold is not None and best.motion is not motion:
        best = _tightened(best, best_hold, judge, plants, best_way)
    return best


def _ways(options: CleanOptions) -> Iterator[CleanOptions]:
    """What is tried, the usual first: a root that sinks slowly, feet that are held to their last frame."""
    yield options
    yield replace(options, follow_secs=SLOW * options.follow_secs)
    yield replace(options, let_go=np.inf)


def _n_held(cleaned: Cleaned) -> int:
    return sum(one.plant.stop - one.plant.start for one in cleaned.plants if one.held)


def _loosened(
    judge: "_Judge", motion: Motion, plants: list[Plant], body: Body, options: CleanOptions
) -> tuple[Cleaned, "_Hold", bool]:
    """(the motion cleaned as far as it gets no worse, how it is held, whether it would have been worse at first)."""
    cleaner = build_cleaner(body)
    holding = cleaner.choose(
        motion.positions_world, motion.rotations_world, plants, frame_time=motion.frame_time, options=options
    )
    hold, was_worse = _Hold(motion, holding, body), False
    cleaned = cleaner.hold(motion, holding, options=options)
    if cleaned.motion is not motion:
        cleaned = hold.report(cleaned, plants, body)
    for _ in range(ROUNDS if cleaned.motion is not motion else 0):
        worse = list(judge.worse(cleaned.motion, [_kept(one) for one in cleaned.plants]))
        if not worse:
            return cleaned, hold, was_worse
        was_worse = True
        if not hold.loosen(worse):
            break
        cleaned = hold.report(cleaner.hold(motion, hold.weighted(), options=options), plants, body)
    if cleaned.motion is motion:
        return cleaned, hold, was_worse
    left = [replace(_original(one, plants), reason=one.reason or BALANCED) for one in holding.plants]
    return Cleaned(motion, tuple(left), np.zeros((motion.n_frames, 3))), hold, was_worse


def _tightened(cleaned: Cleaned, hold: "_Hold", judge: "_Judge", plants: list[Plant], options: CleanOptions) -> Cleaned:
    """With those stances held firmly again, one after the other, that were loosened for the sake of others."""
    cleaner = build_cleaner(judge.body)
    for foot in range(2):
        for start, stop in _runs(hold.stands[:, foot] & (hold.share[:, foot] < 1.0))[:MOST_TRIALS]:
            before = hold.share[start:stop, foot].copy()
            hold.share[start:stop, foot] = 1.0
            trial = cleaner.hold(judge.motion, hold.weighted(), options=options)
            trial = hold.report(trial, plants, judge.body)
            gains = _n_held(trial) > _n_held(cleaned)
            if gains and next(judge.worse(trial.motion, [_kept(one) for one in trial.plants]), None) is None:
                cleaned = trial
            else:
                hold.share[start:stop, foot] = before
    return cleaned


@dataclass(frozen=True)
class _Worse:
    """A frame that got worse, by which foot (−1: either), and in what."""

    frame: int
    foot: int
    why: Reason


class _Judge:
    """What a motion was like before, and where another is worse."""

    def __init__(self, motion: Motion, plants: list[Plant], body: Body) -> None:
        self.motion, self.body = motion, body
        self.scorer: Scorer = build_scorer(
            body,
            body_masses(body),
            frame_time=motion.frame_time,
            n_frames=motion.n_frames,
            moving_joints=motion.moving_joints,
        )
        self.before, self.curve = self._measures(motion, plants)
        self.knees = [body.body_map.joints[side + "Shin"] for side in SIDES]
        self.most_knee = [max(JERK * a.max(initial=0.0), KNEE_LEAST) for a in _turning(motion, self.knees)]
        self.most_pelvis = max(JERK * _acceleration(motion).max(initial=0.0), PELVIS_LEAST)
        heights = body.feet.world(motion)[..., 1]
        floor = min((plant.place[1] for plant in plants), default=float(heights.min()))
        self.lowest = np.minimum(heights, floor) - FLOOR  # (F, 2, 2)

    def worse(self, motion: Motion, plants: list[Plant]) -> Iterator[_Worse]:
        """The frames in which a motion with these plants is worse than that before."""
        after, curve = self._measures(motion, plants)
        yield from (_Worse(f, -1, BALANCED) for f in self._out_of_balance(after, curve))
        for f in np.flatnonzero(_acceleration(motion) > self.most_pelvis).tolist():
            yield _Worse(f + 1, -1, PELVIS)
        for foot, (acceleration, most) in enumerate(zip(_turning(motion, self.knees), self.most_knee, strict=True)):
            for f in np.flatnonzero(acceleration > most).tolist():
                yield _Worse(f + 1, foot, KNEE)
        contacts = standing_by_plants(plants, motion.n_frames).contacts
        deeper = (self.body.feet.world(motion)[..., 1] < self.lowest) & ~contacts
        for f, foot in np.argwhere(deeper.any(axis=2)).tolist():
            yield _Worse(f, foot, DEEPER)

    def _out_of_balance(self, after: dict[str, float], curve: np.ndarray) -> set[int]:
        before, frames = self.before, set()
        if np.isnan(before["zmp_error"]):
            return set()
        gain = np.nan_to_num(before["plant_error"] - after["plant_error"])
        score = before["zmp_error"] + np.nan_to_num(before["plant_error"])
        most = min(BALANCE * before["zmp_error"], before["zmp_error"] + gain + SCORE * score) + BALANCE_METRES
        frames |= set(np.flatnonzero(curve > most).tolist())
        excess = after["zmp_mean"] - BALANCE * before["zmp_mean"] - BALANCE_METRES
        if excess > 0.0:  # those that add most to the mean
            added = curve - self.curve
            order = np.argsort(-added, kind="stable")
            n_needed = np.searchsorted(np.cumsum(added[order]), 2.0 * excess * len(curve)) + 1
            frames |= {f for f in order[:n_needed].tolist() if added[f] > 0.0}
        return frames

    def _measures(self, motion: Motion, plants: list[Plant]) -> tuple[dict[str, float], np.ndarray]:
        curves = np.empty((motion.n_frames, len(CURVES)))
        values = self.scorer.measure(
            motion.root_positions,
            motion.rotations,
            standing_by_plants(plants, motion.n_frames),
            translations=motion.joint_translations,
            curves=curves,
        )
        zmp = np.nan_to_num(curves[:, CURVES.index("zmp_error")], posinf=1e9)
        return dict(zip(MEASURES, values.tolist(), strict=True)), zmp


class _Hold:
    """How firmly feet are held, frame by frame: 1 is at their places, 0 as they were."""

    def __init__(self, motion: Motion, holding: Holding, body: Body) -> None:
        self.holding, self.points = holding, body.feet.world(motion)
        self.stands: np.ndarray = np.any(holding.planted, axis=2)  # (F, 2)
        self.share = np.ones(self.stands.shape)
        self.why = np.full(self.stands.shape, "", dtype=object)
        self.frame_time, self.n_rounds = motion.frame_time, 0
        self.ease = max(1, round(EASE_SECS / motion.frame_time))

    def loosen(self, worse: list[_Worse]) -> bool:
        """Hold feet less around these frames; False if none is held any more, however far around."""
        before = self.share.copy()
        while self.n_rounds < ROUNDS + 5 * WIDER:
            self._loosen(worse, 2 ** (self.n_rounds // WIDER))
            self.n_rounds += 1
            if np.any((before != self.share) & self.stands):
                return True
            self.n_rounds += WIDER - self.n_rounds % WIDER
        return False

    def _loosen(self, worse: list[_Worse], wider: int) -> None:
        n_frames, around = len(self.share), max(1, round(wider * AROUND_SECS / self.frame_time))
        less = np.zeros(self.share.shape)  # 1 where the hold is to be halved
        for one in worse:
            start, stop = max(one.frame - around, 0), min(one.frame + around + 1, n_frames)
            for foot in (one.foot,) if one.foot >= 0 and wider == 1 else (0, 1):
                if not self.stands[start:stop, foot].any():
                    continue
                first, last = self._stances(start, stop, foot)
                frames = np.arange(first, last)
                away = np.maximum(np.maximum(start - frames, frames - stop + 1), 0)
                if last - first <= 2 * (around + self.ease):
                    away[:] = 0  # a short stance is held less as a whole
                weight = np.clip(1.0 - away / self.ease, 0.0, 1.0)
                less[first:last, foot] = np.maximum(less[first:last, foot], weight * weight * (3.0 - 2.0 * weight))
                fresh = (self.why[first:last, foot] == "") & (weight > 0.0)
                self.why[first:last, foot][fresh] = one.why
        self.share *= 1.0 - (1.0 - LESS) * less
        self.share[(self.share < NONE) & (less == 1.0)] = 0.0

    def weighted(self) -> Holding:
        """Where feet are to be held now: between where they were and their places."""
        share = self.share[:, :, None, None]
        return replace(self.holding, places=self.points + share * (self.holding.places - self.points))

    def report(self, cleaned: Cleaned, plants: list[Plant], body: Body) -> Cleaned:
        """With the reasons of plants that are not held all the way; those held for a part of their time are cut."""
        points = body.feet.world(cleaned.motion)
        reported: list[HeldPlant] = []
        for chosen, one in zip(self.holding.plants, cleaned.plants, strict=True):
            reported.extend(self._pieces(one, points, plants) if chosen.held else [one])
        return replace(cleaned, plants=tuple(reported))

    def _pieces(self, one: HeldPlant, points: np.ndarray, plants: list[Plant]) -> Iterator[HeldPlant]:
        """A plant that is held less, cut into what is held well enough, and what is not."""
        foot, part = FEET.index(one.plant.foot), PARTS.index(one.plant.part)
        start, stop = one.plant.start, one.plant.stop
        whole = _original(one, plants).plant
        way = points[start:stop, foot, part]
        gaps = np.linalg.norm(way - one.place, axis=1)
        steps = np.linalg.norm(np.diff(way, axis=0), axis=1) > HELD_SPEED * self.frame_time
        loose = (gaps > HELD_WITHIN) | np.append(steps, False) | np.append(False, steps)
        if not loose.any():
            yield replace(one, reason="")
            return
        for first, last in _runs(~loose):
            if (last - first) * self.frame_time < HELD_SECS and last - first < len(loose):
                loose[first:last] = True
        recorded = np.linalg.norm(self.points[start:stop, foot, part] - one.place, axis=1)
        for is_loose, runs in ((False, _runs(~loose)), (True, _runs(loose))):
            for first, last in runs:
                reason: Reason = ""
                ends = start + first, start + last
                if is_loose:  # with the frames at its ends that were taken off
                    ends = whole.start if first == 0 else ends[0], whole.stop if last == len(loose) else ends[1]
                    reason = (
                        self.why[start + first : start + last, foot][np.argmax(gaps[first:last])] or "leg too short"
                    )
                yield HeldPlant(
                    replace(whole, start=ends[0], stop=ends[1]),
                    one.place,
                    float(recorded[first:last].max()),
                    float(gaps[first:last].max()),
                    reason,
                )

    def _stances(self, start: int, stop: int, foot: int) -> tuple[int, int]:
        """The frames from the start of the first to the end of the last stance within [start, stop)."""
        inside = np.flatnonzero(self.stands[start:stop, foot]) + start
        first, last = int(inside[0]), int(inside[-1])
        while first > 0 and self.stands[first - 1, foot]:
            first -= 1
        while last + 1 < len(self.stands) and self.stands[last + 1, foot]:
            last += 1
        return first, last + 1


def _runs(mask: np.ndarray) -> list[tuple[int, int]]:
    """The stretches [start, stop) in which a mask is true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _original(held: HeldPlant, plants: list[Plant]) -> HeldPlant:
    """The held plant with the frames that it had before it was shortened."""
    for plant in plants:
        same = (plant.foot, plant.part) == (held.plant.foot, held.plant.part)
        if same and plant.start < held.plant.stop and held.plant.start < plant.stop:
            return replace(held, plant=plant)
    return held


def _kept(held: HeldPlant) -> Plant:
    """The plant as a bank keeps it afterwards."""
    return replace(held.plant, place=held.place) if held.held else held.plant


def _acceleration(motion: Motion) -> np.ndarray:
    """m/s² (F − 2,) of the root."""
    return np.linalg.norm(np.diff(motion.root_positions, 2, axis=0), axis=1) / motion.frame_time**2


def _turning(motion: Motion, joints: list[int]) -> list[np.ndarray]:
    """rad/s² (F − 2,) of the joints' own rotations."""
    found = []
    for joint in joints:
        q = motion.rotations[:, joint]
        speeds = rotations.to_rotation_vector(rotations.multiply(rotations.inverse(q[:-1]), q[1:])) / motion.frame_time
        found.append(np.linalg.norm(np.diff(speeds, axis=0), axis=1) / motion.frame_time)
    return found
