"""Transitions at run time: a blend with the source before and the target after, its feet cleaned up."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionary.formats import Savable
from motionary.motion import Motion, ease, rotations
from motionary.plants import FEET, PARTS, Cleaner, CleanOptions, Plant, build_cleaner
from motionary.transition.blended import Blended, TransitionScore
from motionary.transition.blender import Blender
from motionary.transition.joining import Poses, join_poses, onto, pool_poses
from motionary.transition.natural_scores import share_of
from motionary.transition.pool import Pool
from motionary.transition.requests import Frame, MakeOptions, Method, Way
from motionary.transition.table import TransitionTable

STILL = 0.005  # m/s: what clean-up guarantees of a foot that it holds
# Between motions of other paces a planted foot slides all the time, and not because it lifts off or lands
HELD_LONGER = CleanOptions(let_go=0.6)
SETTLED_SECS = 0.4  # over which what clean-up does to the motion before and after a blend comes in, and dies away


@dataclass(frozen=True, eq=False)
class Transition(Savable):
    """A motion from a source into a target: the source's before, the blend, the target's after."""

    motion: Motion  # feet cleaned up, unless that was not asked for
    raw: Motion  # before the clean-up
    start: int  # the blend is frames [start, stop) of the motion; start is the source's frame, stop − 1 the target's
    stop: int
    method: Method
    way: Way  # by a recipe with intermediaries, or as the method of this name has it
    source: Frame
    target: Frame
    intermediaries: tuple[Frame, ...]
    score: TransitionScore
    threshold: float  # up to which a score counts as natural
    plants: tuple[Plant, ...]  # of the whole motion
    blend: Poses  # where the pool has the source, above its floor
    rise: float  # metres by which the target stands higher than in its clip, the source's floor and its own at 0
    zmp_errors: np.ndarray  # (stop − start,) metres; NaN where there is no zero-moment point
    remarks: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether the score is that of natural motion."""
        return self.score.score <= self.threshold

    @property
    def secs(self) -> float:
        """How long the blend takes: its sources are aligned in time, so that it is not always as asked for."""
        return (self.stop - 1 - self.start) * self.motion.frame_time


@dataclass(frozen=True, eq=False)
class Maker:
    """Makes transitions of one duration from one pool; prepared once, used often."""

    pool: Pool
    table: TransitionTable
    judged: float | None = None  # the threshold that people's verdicts ask for, if there are enough

    @cached_property
    def blender(self) -> Blender:
        return Blender(self.pool, self.table)

    @cached_property
    def cleaner(self) -> Cleaner:
        return build_cleaner(self.pool.body)

    def cleaned(self, motion: Motion, plants: Sequence[Plant], made_up: np.ndarray | None = None) -> Motion:
        """The motion with its planted feet at their places; steps in frames that are made up (F,) lift the feet."""
        root, local = self.cleaner.clean_arrays(
            motion.root_positions,
            motion.rotations,
            plants,
            frame_time=motion.frame_time,
            options=HELD_LONGER,
            made_up=made_up,
        )
        return replace(motion, root_positions=root, rotations=local)

    def cleaned_between(
        self, motion: Motion, plants: Sequence[Plant], start: int, stop: int, blends: Sequence[tuple[int, int]]
    ) -> Motion:
        """The motion with its feet held in frames [start, stop), from its first frame to its last.

        In the frames [begin, end) of the `blends`, steps lift the feet as captured ones do.

        Of what comes before and after, only plants that reach into these frames are held; the first and the last frame
        stay as they are, unless they are among these.
        """
        made_up = np.zeros(motion.n_frames, dtype=np.bool_)
        for begin, end in blends:
            made_up[begin:end] = True
        within = [plant for plant in plants if plant.start < stop and plant.stop > start]
        cleaned = self.cleaned(motion, within, made_up)
        ramp = max(1, round(SETTLED_SECS / motion.frame_time))
        n_frames, n_after = motion.n_frames, motion.n_frames - stop
        frames = np.arange(n_frames)
        shares = np.ones(n_frames)
        shares[:start] = ease(frames[:start] / min(ramp, max(start, 1)))
        shares[stop:] = ease((n_frames - 1 - frames[stop:]) / min(ramp, max(n_after, 1)))
        part = np.flatnonzero(shares < 1.0)
        if not len(part):
            return cleaned
        root, local = cleaned.root_positions.copy(), cleaned.rotations.copy()
        share = shares[part, None]
        root[part] = (1.0 - share) * motion.root_positions[part] + share * root[part]
        local[part] = rotations.slerp(motion.rotations[part], local[part], share)
        return replace(cleaned, root_positions=root, rotations=local)

    @property
    def n_frames(self) -> int:
        return self.blender.n_frames

    def allowed(self, source: Frame, target: Frame) -> np.ndarray:
        """What a natural transition between frames has of each error (3,): what the library's motion has that is like
        the second after the source, or like the second before the target, whichever has more of it."""
        begin, end = self.blender.checked(source), self.blender.checked(target) - self.n_frames
        begin_of_target = int(self.pool.starts[target.clip])
        thresholds = self.table.thresholds[[begin, max(end, begin_of_target)]]
        return np.asarray(thresholds.max(axis=0), dtype=np.float64)

    def threshold(self, source: Frame, target: Frame, score: TransitionScore) -> float:
        """The score up to which a transition between frames is called good: by verdicts, else by what is allowed of
        each error, for a transition whose errors have the proportions of this one's."""
        if self.judged is not None:
            return self.judged
        allowed = self.allowed(source, target)
        share = float(share_of(np.array(score.errors), allowed))  # 1: as much as natural motion has
        return score.score / share if share > 0.0 else float(allowed.max())

    def make(self, source: Frame, target: Frame, *, options: MakeOptions | None = None) -> Transition:
        """A transition from a frame to another, in the table's time, more or less."""
        options = options or MakeOptions()
        return self.finish(self.blender.blend(source, target, options=options), options=options)

    def finish(self, blended: Blended, *, options: MakeOptions | None = None) -> Transition:
        """The transition that a blend makes: with the source before and the target after, its feet cleaned up."""
        options = options or MakeOptions()
        pool = self.pool
        whole, start = self._whole(blended, options.lead_secs)
        floor = float(pool.floors[blended.source.clip])
        raw = whole.motion(pool, floor=floor)
        plants = whole.plants(floor=floor)
        stop = start + blended.poses.n_frames
        cleaned = self.cleaned_between(raw, plants, start, stop, [(start, stop)]) if options.clean_feet else raw
        return Transition(
            cleaned,
            raw,
            start,
            stop,
            blended.method,
            blended.way,
            blended.source,
            blended.target,
            blended.intermediaries,
            blended.score,
            self.threshold(blended.source, blended.target, blended.score),
            plants,
            blended.poses,
            blended.rise,
            blended.zmp_errors,
            _remarks(pool, blended),
        )

    def held(self, motion: Motion, plants: Sequence[Plant], start: int, stop: int) -> float:
        """The share of the planted frames among [start, stop) in which the foot stands still; NaN if none is planted.

        What is left: a foot that is on its way while a plant begins or ends, or a plant that is out of reach.
        """
        points = self.pool.body.feet.world(motion).reshape(-1, len(FEET), len(PARTS), 3)
        speeds = np.linalg.norm(np.diff(points, axis=0), axis=-1) / motion.frame_time
        still = [np.zeros(0, dtype=np.bool_)]
        for plant in plants:
            frames = slice(max(plant.start, start), max(min(plant.stop, stop) - 1, 0))
            still.append(speeds[frames, FEET.index(plant.foot), PARTS.index(plant.part)] <= STILL)
        every = np.concatenate(still)
        return float(every.mean()) if len(every) else np.nan

    def _whole(self, blended: Blended, lead_secs: float) -> tuple[Poses, int]:
        """The blend with the source before and the target after, in the source's place; and where the blend starts.

        The target comes higher by its rise: it goes on on the source's ground.
        """
        pool, lead = self.pool, round(lead_secs / self.pool.frame_time)
        source, target = blended.source, blended.target
        from_frame, to_frame = self.blender.checked(source), self.blender.checked(target)
        begin = max(from_frame - lead, int(pool.starts[source.clip]))
        end = min(to_frame + 1 + lead, int(pool.starts[target.clip + 1]))
        parts = [blended.poses]
        if begin < from_frame:
            parts.insert(0, pool_poses(pool, source.clip, begin, from_frame))
        if to_frame + 1 < end:
            after = pool_poses(pool, target.clip, to_frame + 1, end)
            parts.append(onto(after, pool.placement(to_frame), blended.poses.end, rise=blended.rise))
        return join_poses(parts), from_frame - begin


def _remarks(pool: Pool, blended: Blended) -> tuple[str, ...]:
    source, target, higher = blended.source, blended.target, -blended.rise
    remarks = []
    if blended.carried[0]:
        remarks.append(
            f"{pool.names[source.clip]} ends, or breaks off, soon after {source.frame * pool.frame_time:.2f} s: "
            "it is carried on by its last velocities"
        )
    if blended.carried[1]:
        remarks.append(
            f"{pool.names[target.clip]} begins, or goes on, shortly before {target.frame * pool.frame_time:.2f} s: "
            "what comes before is made up from its first velocities"
        )
    if higher:
        remarks.append(
            f"{pool.names[target.clip]} stands {100 * abs(higher):.0f} cm {'above' if higher > 0 else 'below'} "
            f"the ground of {pool.names[source.clip]}: it goes on on the latter"
        )
    return tuple(remarks)
