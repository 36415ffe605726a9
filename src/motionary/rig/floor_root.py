"""Skeletons whose hips hang on a floor point, as in game engines: taken as if their root were the hips, and back.

Whatever reads from the root where a body is, how it is tilted and where it faces would find a point that stands still,
or one that moves along below the body.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from motionary.motion import UP, Motion, Skeleton, ease, headings, rotations
from motionary.rig.whole_body import Body

STILL = 1e-6  # metres and radians: a root that moves or turns by less stands still
SEAM_SECS = 0.4  # over which a root gets to another place below the body


@dataclass(frozen=True, eq=False)
class FloorRoot:
    """A body whose hips hang on its root, and the same body with its root at the hips: same joints, same poses."""

    own: Body
    rooted: Body
    chain: tuple[int, ...]  # the joints from the root to the hips

    def with_hips_as_root(self, motion: Motion) -> Motion:
        """The motion with all that its hips do done by its root, which stands where they are."""
        rest, chain = self.own.rest_world, list(self.chain)
        turned = np.array(motion.rotations)
        away = rotations.multiply(rotations.inverse(rest[chain[-1]]), rest[0])
        turned[:, 0] = rotations.multiply(motion.rotations_world[:, chain[-1]], away)
        for above, joint in pairwise(chain):
            turned[:, joint] = rotations.multiply(rotations.inverse(rest[above]), rest[joint])
        others = ~np.isin(motion.moving_joints, chain)
        return Motion(
            _hips_at_root(motion.skeleton, chain),
            motion.frame_time,
            motion.positions_world[:, chain[-1]],
            rotations.continuous(turned),
            moving_joints=motion.moving_joints[others],
            translations=motion.joint_translations[:, others],
        )

    def with_own_root(
        self, motion: Motion, *, like: Motion, shown: Motion | None = None, seams: Sequence[int] = ()
    ) -> Motion:
        """A motion of the rooted body as one of the body itself.

        The root does as in `like`, a motion of the body itself: it stands still, or keeps the place below the body that
        it has in `shown`, at its own height, and turns with the body if it turns in `like`. The hips make up for it; if
        they cannot move against what they hang on, the root moves.

        `shown` is `like` at the frame that each frame of the motion shows; if it is None, at its first frame. From
        frames `seams`, where it jumps, the root gets to its new place below the body within `SEAM_SECS`.
        """
        n_frames, chain = motion.n_frames, list(self.chain)
        hips, above = chain[-1], chain[-2]
        shown = like.slice(0, 1) if shown is None else shown
        turned = np.array(motion.rotations)
        turned[:, chain[:-1]] = shown.rotations[:, chain[:-1]]
        places = np.array(np.broadcast_to(shown.root_positions, (n_frames, 3)))
        hips_world = motion.rotations_world[:, hips]
        moves, turns_too = _moves(like)
        if moves or turns_too:
            facing, faced = np.zeros(n_frames), np.zeros(shown.n_frames)
            if turns_too:
                facing = headings(hips_world, self.own.rest_world[hips])
                faced = headings(shown.rotations_world[:, hips], self.own.rest_world[hips])
            forth, back = rotations.from_axis_angle(UP, facing), rotations.from_axis_angle(UP, -faced)
            away = rotations.rotate(back, shown.root_positions - shown.positions_world[:, hips])
            turns = rotations.multiply(back, shown.rotations[:, 0])
            for seam in seams:
                frames = np.arange(seam, min(seam + round(SEAM_SECS / motion.frame_time), n_frames))
                share = ease((frames - seam) * motion.frame_time / SEAM_SECS)
                away[frames] = away[seam - 1] + share[:, None] * (away[frames] - away[seam - 1])
                turns[frames] = rotations.slerp(turns[seam - 1], turns[frames], share)
            places[:, [0, 2]] = (motion.root_positions + rotations.rotate(forth, away))[:, [0, 2]]
            if turns_too:
                turned[:, 0] = rotations.multiply(forth, turns)
        moving = np.union1d(like.moving_joints, motion.moving_joints).astype(np.int32)
        translations = np.tile(like.skeleton.offsets[moving], (n_frames, 1, 1))
        for column, joint in enumerate(moving.tolist()):
            if joint in motion.moving_joints and joint not in chain:
                translations[:, column] = motion.joint_translations[:, motion.moving_joints == joint][:, 0]
            elif joint in like.moving_joints and joint in chain:
                translations[:, column] = shown.joint_translations[:, like.moving_joints == joint][:, 0]
        found = Motion(like.skeleton, motion.frame_time, places, turned, moving, translations)
        turned[:, hips] = rotations.multiply(rotations.inverse(found.rotations_world[:, above]), hips_world)
        if hips in moving:
            away = motion.root_positions - found.positions_world[:, above]
            translations[:, moving == hips] = rotations.rotate(
                rotations.inverse(found.rotations_world[:, above]), away
            )[:, None]
        else:
            places = places + motion.root_positions - found.positions_world[:, hips]
        return Motion(like.skeleton, motion.frame_time, places, rotations.continuous(turned), moving, translations)


@dataclass(frozen=True, eq=False)
class OwnRoot:
    """How motions whose root was taken to the hips get the root of their skeleton back."""

    floor_root: FloorRoot
    like: Motion  # with the root that the skeleton had

    def given_back(self, motion: Motion) -> Motion:
        return self.floor_root.with_own_root(motion, like=self.like)


def floor_root_of(body: Body) -> FloorRoot | None:
    """The floor root of a body; None if its root is its hips, or if other parts than the hips hang on it."""
    skeleton, body_map = body.skeleton, body.body_map
    parts = {*body_map.joints.values(), *body_map.spine, *body_map.neck}
    if body_map.hips == 0 or not all(body_map.hips in skeleton.chain(joint) for joint in parts):
        return None
    chain = tuple(int(joint) for joint in skeleton.chain(body_map.hips))
    return FloorRoot(body, replace(body, skeleton=_hips_at_root(skeleton, chain)), chain)


def _hips_at_root(skeleton: Skeleton, chain: Sequence[int]) -> Skeleton:
    offsets = np.array(skeleton.offsets)
    offsets[list(chain[1:])] = 0.0
    return replace(skeleton, offsets=offsets)


def _moves(motion: Motion) -> tuple[bool, bool]:
    """Whether the root moves, and whether it turns."""
    away = np.abs(motion.root_positions - motion.root_positions[0]).max()
    turned = rotations.angle_between(motion.rotations[:, 0], motion.rotations[0, 0]).max()
    return bool(away > STILL), bool(turned > STILL)
