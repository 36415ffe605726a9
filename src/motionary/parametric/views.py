"""What measures look at: a blend along its clock, of which only what is asked for is computed.

All views start at the origin and face +z: x is to the left, y up, z ahead.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numba import njit

from motionary.alignment import write_warped
from motionary.blend import Blend, Registration, blend, write_times
from motionary.dynamics import Masses, body_masses, centre_of_mass
from motionary.errors import ExtrapolationError
from motionary.motion import Motion, Placement, mean_rotation, rotations, turns, write_poses
from motionary.rig import Body

FAR = float(np.cos(np.radians(145.0) / 2.0))  # |q · p|: a little under the 150° that blends refuse


class BlendView(Protocol):
    """A blend as measures see it."""

    body: Body

    @property
    def clock(self) -> np.ndarray:
        """(S,) u of the moments that it is known at."""
        ...

    @property
    def secs(self) -> np.ndarray:
        """(S,) their times."""
        ...

    @property
    def root(self) -> np.ndarray:
        """(S, 3) places of the root."""
        ...

    @property
    def headings(self) -> np.ndarray:
        """(S,) which way it faces."""
        ...

    def joint(self, joint: int) -> np.ndarray:
        """(S, 3) places of a joint."""
        ...

    def joint_at(self, joint: int, clock: float) -> np.ndarray:
        """(3,) the place of a joint at one moment."""
        ...

    def orientation(self, joint: int) -> np.ndarray:
        """(S, 4) orientations of a joint in the world."""
        ...

    def last_orientation(self, joint: int) -> np.ndarray:
        """(4,) the last of them."""
        ...

    def centre_at(self, clock: float) -> np.ndarray:
        """(3,) the centre of mass at one moment."""
        ...

    def motion(self) -> Motion:
        """All of it."""
        ...


@dataclass(frozen=True, eq=False)
class ClockArrays:
    """The sources of a registration at every frame of the clock, place and heading taken out."""

    registration: Registration
    steps: np.ndarray  # (N, U, 3) from the moment before: turn, aside, ahead
    heights: np.ndarray  # (N, U)
    tilts: np.ndarray  # (N, U, J, 4) local rotations, the root's without heading
    translations: np.ndarray  # (N, U, M, 3) of the joints that move against their parents

    @cached_property
    def far(self) -> np.ndarray:
        """(N, N) whether two sources turn a joint over 150° apart at some moment: they cannot be extrapolated."""
        far = np.zeros((len(self.tilts), len(self.tilts)), dtype=np.bool_)
        _far_pairs(self.tilts, far)
        return far

    @cached_property
    def columns(self) -> np.ndarray:
        """(J,) which of the moving joints each joint is; −1 for those that keep their offsets."""
        motion = self.registration.sources[0].motion
        columns = np.full(motion.skeleton.n_joints, -1)
        columns[motion.moving_joints] = np.arange(len(motion.moving_joints))
        return columns

    @cached_property
    def masses(self) -> Masses:
        """The masses of the sources' body."""
        return body_masses(self.registration.body)

    def allowed(self, weights: np.ndarray) -> np.ndarray:
        """The weights (N,); none below 0 where sources are too far apart to be extrapolated."""
        if weights.min() >= 0.0:
            return weights
        used = np.flatnonzero(weights)
        if not self.far[np.ix_(used, used)].any():
            return weights
        return inside(weights)

    @classmethod
    def of(cls, registration: Registration) -> "ClockArrays":
        clock = np.arange(registration.n_clock, dtype=float)
        n_sources, n_clock = registration.n_sources, registration.n_clock
        n_joints = registration.sources[0].motion.skeleton.n_joints
        steps, heights = np.zeros((n_sources, n_clock, 3)), np.empty((n_sources, n_clock))
        tilts = np.empty((n_sources, n_clock, n_joints, 4))
        n_moving = len(registration.sources[0].motion.moving_joints)
        translations = np.empty((n_sources, n_clock, n_moving, 3))
        frames, slopes, root = np.empty(n_clock), np.empty(n_clock), np.empty((n_clock, 3))
        for i, source in enumerate(registration.sources):
            motion = source.motion
            write_warped(clock, registration.curves[i], registration.slopes[i], clock, frames, slopes)
            write_poses(
                motion.root_positions,
                motion.rotations,
                motion.joint_translations,
                frames,
                root,
                tilts[i],
                translations[i],
            )
            _take_out(root, registration.headings[i], tilts[i], steps[i])
            heights[i] = root[:, 1]
        return cls(registration, steps, heights, tilts, translations)


def blended(registration: Registration, weights: np.ndarray, *, start: Placement, clean_up: bool) -> Blend:
    """The blend by weights (N,); those below 0 count as 0 where sources are too unlike to be extrapolated, if only for
    one frame."""
    try:
        return blend(registration, weights, start=start, clean_up=clean_up)
    except ExtrapolationError:
        return blend(registration, inside(weights), start=start, clean_up=clean_up)


def inside(weights: np.ndarray) -> np.ndarray:
    """Weights (…, N) without those below 0."""
    positive = np.maximum(weights, 0.0)
    return np.asarray(positive / positive.sum(axis=-1, keepdims=True))


class WeightedView:
    """The blend by constant weights (N,), without its feet being held."""

    def __init__(self, arrays: ClockArrays, weights: np.ndarray) -> None:
        registration = arrays.registration
        self._arrays, self.body = arrays, registration.body
        self._used = np.flatnonzero(weights)
        self._weights = np.ascontiguousarray(weights[self._used])
        self._path = np.empty((registration.n_clock, 4))
        write_path(arrays.steps, arrays.heights, self._used, self._weights, self._path)

    @property
    def clock(self) -> np.ndarray:
        return np.arange(len(self._path), dtype=float)

    @cached_property
    def secs(self) -> np.ndarray:
        registration = self._arrays.registration
        times, paces = np.empty(len(self._path)), np.empty(len(self._path))
        weights = np.tile(self._weights, (len(self._path), 1))
        write_times(registration.curves[self._used], registration.slopes[self._used], weights, times, paces)
        return np.asarray(times * registration.frame_time)

    @property
    def root(self) -> np.ndarray:
        return self._path[:, :3]

    @property
    def headings(self) -> np.ndarray:
        return self._path[:, 3]

    def joint(self, joint: int) -> np.ndarray:
        return self._chain(joint, np.arange(len(self._path)))[0]

    def joint_at(self, joint: int, clock: float) -> np.ndarray:
        moments, shares = self._around(clock)
        return np.asarray(shares @ self._chain(joint, moments)[0])

    def centre_at(self, clock: float) -> np.ndarray:
        masses, (moments, shares) = self._arrays.masses, self._around(clock)
        chains = {joint: self._chain(joint, moments) for joint in set(masses.joints.tolist())}
        places = np.array([chains[joint][0] for joint in masses.joints.tolist()])  # (P, 2, 3)
        turned = np.array([chains[joint][1] for joint in masses.joints.tolist()])  # (P, 2, 4)
        pieces = places + rotations.rotate(turned, masses.offsets[:, None])
        return np.asarray(np.einsum("p,m,pmi->i", masses.shares, shares, pieces))

    def _around(self, clock: float) -> tuple[np.ndarray, np.ndarray]:
        """The two moments (2,) around a place on the clock, and their shares (2,) of it."""
        low = min(int(clock), len(self._path) - 2)
        share = min(clock - low, 1.0)
        return np.array([low, low + 1]), np.array([1.0 - share, share])

    def orientation(self, joint: int) -> np.ndarray:
        return self._chain(joint, np.arange(len(self._path)))[1]

    def last_orientation(self, joint: int) -> np.ndarray:
        return np.asarray(self._chain(joint, np.array([len(self._path) - 1]))[1][0])

    def motion(self) -> Motion:
        weights = np.zeros(self._arrays.registration.n_sources)
        weights[self._used] = self._weights
        return blended(self._arrays.registration, weights, start=Placement(), clean_up=False).motion

    def _chain(self, joint: int, moments: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        skeleton = self._arrays.registration.sources[0].motion.skeleton
        chain = np.array(skeleton.chain(joint))
        places, orientations = np.empty((len(moments), 3)), np.empty((len(moments), 4))
        write_chain(
            self._arrays.tilts,
            self._arrays.translations,
            self._arrays.columns,
            skeleton.offsets,
            chain,
            self._used,
            self._weights,
            self._path,
            moments,
            np.empty((len(self._used), 4)),
            places,
            orientations,
        )
        return places, orientations


class FinishedView:
    """A blend as it came out, feet held, that starts at the origin and faces +z."""

    def __init__(self, blend: Blend) -> None:
        self._blend, self.body = blend, blend.registration.body

    @property
    def clock(self) -> np.ndarray:
        return self._blend.clock

    @property
    def secs(self) -> np.ndarray:
        return np.arange(self._blend.motion.n_frames) * self._blend.motion.frame_time

    @property
    def root(self) -> np.ndarray:
        return self._blend.motion.root_positions

    @property
    def headings(self) -> np.ndarray:
        return self._blend.headings

    def joint(self, joint: int) -> np.ndarray:
        return self._blend.motion.positions_world[:, joint]

    def joint_at(self, joint: int, clock: float) -> np.ndarray:
        path = self.joint(joint)
        return np.array([np.interp(clock, self.clock, path[:, i]) for i in range(3)])

    def orientation(self, joint: int) -> np.ndarray:
        return self._blend.motion.rotations_world[:, joint]

    def last_orientation(self, joint: int) -> np.ndarray:
        return self._blend.motion.rotations_world[-1, joint]

    def centre_at(self, clock: float) -> np.ndarray:
        path = centre_of_mass(self._blend.motion, body_masses(self.body))
        return np.array([np.interp(clock, self.clock, path[:, i]) for i in range(3)])

    def motion(self) -> Motion:
        return self._blend.motion


@njit(cache=True, nogil=True)
def _take_out(root, facing, local, steps):  # type: ignore[no-untyped-def]
    """The root's steps (U, 3) in heading frames; its heading is taken out of `local` (U, J, 4)."""
    for u in range(len(root)):
        half = -0.5 * facing[u]
        own = (local[u, 0, 0], local[u, 0, 1], local[u, 0, 2], local[u, 0, 3])
        tilt = turns.multiply((np.cos(half), 0.0, np.sin(half), 0.0), own)
        for c in range(4):
            local[u, 0, c] = tilt[c]
        if u > 0:
            by = facing[u] - facing[u - 1]
            middle = facing[u - 1] + 0.5 * by
            cosine, sine = np.cos(middle), np.sin(middle)
            dx, dz = root[u, 0] - root[u - 1, 0], root[u, 2] - root[u - 1, 2]
            steps[u, 0], steps[u, 1], steps[u, 2] = by, cosine * dx - sine * dz, sine * dx + cosine * dz


@njit(cache=True, nogil=True)
def _far_pairs(tilts, far):  # type: ignore[no-untyped-def]
    for a in range(tilts.shape[0]):
        for b in range(a):
            apart = False
            for u in range(tilts.shape[1]):
                for j in range(tilts.shape[2]):
                    p, q = tilts[a, u, j], tilts[b, u, j]
                    if abs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]) < FAR:
                        apart = True
                        break
                if apart:
                    break
            far[a, b] = far[b, a] = apart


@njit(cache=True, nogil=True)
def write_path(steps, heights, used, weights, out):  # type: ignore[no-untyped-def]
    """x, y, z and heading (U, 4) of the blend's root, from the origin."""
    x, z, theta = 0.0, 0.0, 0.0
    for u in range(len(out)):
        turn, aside, ahead, height = 0.0, 0.0, 0.0, 0.0
        for k in range(len(used)):
            i, w = used[k], weights[k]
            turn += w * steps[i, u, 0]
            aside += w * steps[i, u, 1]
            ahead += w * steps[i, u, 2]
            height += w * heights[i, u]
        middle = theta + 0.5 * turn
        cosine, sine = np.cos(middle), np.sin(middle)
        theta += turn
        x += cosine * aside + sine * ahead
        z += cosine * ahead - sine * aside
        out[u, 0], out[u, 1], out[u, 2], out[u, 3] = x, height, z, theta


@njit(cache=True, nogil=True)
def write_chain(  # type: ignore[no-untyped-def]
    tilts, translations, columns, offsets, chain, used, weights, path, moments, room, places, orientations
):
    """Places (S, 3) and orientations (S, 4) of the last joint of a chain (C,), root first, at moments (S,)."""
    for s in range(len(moments)):
        u = moments[s]
        x, y, z = path[u, 0], path[u, 1], path[u, 2]
        q = (1.0, 0.0, 0.0, 0.0)
        for c in range(len(chain)):
            j = chain[c]
            for k in range(len(used)):
                for i in range(4):
                    room[k, i] = tilts[used[k], u, j, i]
            mean = mean_rotation(room, weights)
            if c == 0:
                half = 0.5 * path[u, 3]
                q = turns.multiply((np.cos(half), 0.0, np.sin(half), 0.0), mean)
                continue
            ox, oy, oz = offsets[j, 0], offsets[j, 1], offsets[j, 2]
            if columns[j] >= 0:
                ox = oy = oz = 0.0
                for k in range(len(used)):
                    moved = translations[used[k], u, columns[j]]
                    ox += weights[k] * moved[0]
                    oy += weights[k] * moved[1]
                    oz += weights[k] * moved[2]
            v = turns.rotate(q, (ox, oy, oz))
            x, y, z = x + v[0], y + v[1], z + v[2]
            q = turns.multiply(q, mean)
        places[s, 0], places[s, 1], places[s, 2] = x, y, z
        for i in range(4):
            orientations[s, i] = q[i]
