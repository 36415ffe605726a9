"""A motion as straight curves: every joint's turn away from its mean, in the axes of the T-pose, and the root's path.

A joint's turn against its parent is taken between T-poses, so that it means the same for every skeleton: x is the
body's left, y up, z ahead. Filters, noise and the like work on these curves; never on Euler angles.
"""

from dataclasses import dataclass, replace

import numpy as np

from motionary.motion import UP, Motion, headings, is_upright, rotations


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves of a motion, and what leads back to it."""

    places: np.ndarray  # (F, 3) of the root
    headings: np.ndarray  # (F,) radians, without jumps
    vectors: np.ndarray  # (F, J, 3) rotation vectors about the means; the root's are its tilt
    means: np.ndarray  # (J, 4), or (F, J, 4) if one moves slowly along
    rest: np.ndarray  # (J, 4) world rotations of the T-pose

    @property
    def columns(self) -> np.ndarray:
        """All of them side by side (F, 4 + 3 J): place, heading, joints."""
        n_frames = len(self.places)
        return np.concatenate([self.places, self.headings[:, None], self.vectors.reshape(n_frames, -1)], axis=1)

    def with_columns(self, columns: np.ndarray) -> "Curves":
        """Curves with these columns in their place; there may be another number of frames."""
        return replace(
            self,
            places=columns[:, :3],
            headings=columns[:, 3],
            vectors=columns[:, 4:].reshape(len(columns), -1, 3),
        )

    def motion(self, like: Motion) -> Motion:
        """The motion of these curves, of the skeleton and rate of `like`."""
        turns = rotations.multiply(self.means, rotations.from_rotation_vector(self.vectors))
        turns[:, 0] = rotations.multiply(rotations.from_axis_angle(UP, self.headings), turns[:, 0])
        translations = like.joint_translations if len(self.places) == like.n_frames else None
        if translations is None and len(like.moving_joints):
            translations = np.tile(np.median(like.joint_translations, axis=0), (len(self.places), 1, 1))
        return replace(
            like,
            root_positions=np.array(self.places),
            rotations=rotations.continuous(locals_of_turns(turns, like.skeleton.parents, self.rest)),
            translations=translations,
        )


def curves_of(motion: Motion, rest: np.ndarray, *, means: np.ndarray | None = None) -> Curves:
    """The curves of a motion; `means` (J, 4) or (F, J, 4) to turn away from, else the motion's own."""
    turns = turns_of(motion, rest)
    facing = even_headings(turns[:, 0])
    turns[:, 0] = rotations.multiply(rotations.from_axis_angle(UP, -facing), turns[:, 0])
    if means is None:
        means = mean_turns(turns)
    away = rotations.continuous(rotations.multiply(rotations.inverse(means), turns))
    return Curves(np.array(motion.root_positions), facing, rotations.unfolded_vectors(away), means, rest)


def turns_of(motion: Motion, rest: np.ndarray) -> np.ndarray:
    """How each joint is turned against its parent (F, J, 4), between their T-poses; the root against the world."""
    over = over_joints(motion.skeleton.parents, rest)
    return rotations.multiply(over, rotations.multiply(motion.rotations, rotations.inverse(rest)))


def facing_of(motion: Motion, rest: np.ndarray) -> np.ndarray:
    """The heading (F,) of the body in radians, without jumps: that of its root, against its T-pose."""
    return even_headings(rotations.multiply(motion.rotations[:, 0], rotations.inverse(rest[0])))


def even_headings(turns: np.ndarray) -> np.ndarray:
    """The headings (F,) of a root that is turned so (F, 4) from its T-pose, without jumps.

    Where the body is not upright, it has none: they lead on a curve from the last one to the next.
    """
    from scipy.interpolate import PchipInterpolator

    facing, upright = headings(turns), is_upright(turns)
    known = np.flatnonzero(upright)
    if len(known) < 2 or upright[known[0] : known[-1] + 1].all():
        return facing
    between = known[0] + np.flatnonzero(~upright[known[0] : known[-1] + 1])
    facing[between] = PchipInterpolator(known, facing[known])(between)
    return facing


def locals_of_turns(turns: np.ndarray, parents: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Local rotations (F, J, 4) of such turns: the inverse of `turns_of`."""
    return rotations.multiply(rotations.inverse(over_joints(parents, rest)), rotations.multiply(turns, rest))


def mean_turns(turns: np.ndarray) -> np.ndarray:
    """The mean (J, 4) of turns (F, J, 4): the least sum of squared chords to all (Markley 2007)."""
    products = np.einsum("fja,fjb->jab", turns, turns)
    middles = np.linalg.eigh(products)[1][:, :, -1]
    sides = np.sum(middles * turns[0], axis=-1, keepdims=True)
    return np.where(sides < 0, -middles, middles)


def over_joints(parents: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """The T-pose (J, 4) of what each joint hangs on: of its parent, of the root the world."""
    over = rest[np.maximum(parents, 0)].copy()
    over[parents < 0] = rotations.IDENTITY
    return over
