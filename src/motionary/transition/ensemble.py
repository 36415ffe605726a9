"""An ensemble of hidden Markov models: of body, limbs and pairs of limbs; the least likely one counts."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from motionary.dynamics import smoothed_derivative
from motionary.motion import Motion, rotations
from motionary.rig import SIDES, Body, body_headings
from motionary.transition.hmm import Hmm, train_hmm

N_STATES = 8
KEPT = 12  # principal components that each model sees


@dataclass(frozen=True, eq=False)
class _Part:
    joints: list[int]
    mean: np.ndarray  # (D,)
    scale: np.ndarray  # (D,)
    basis: np.ndarray  # (D, E)
    model: Hmm
    usual: float  # log-likelihood of the training motion, and its spread
    spread: float


@dataclass(frozen=True, eq=False)
class HmmEnsemble:
    """Models of natural motion, trained on windows of one length and rate."""

    body: Body
    parts: tuple[_Part, ...]

    def unlikeliness(self, motions: list[Motion]) -> np.ndarray:
        """How unlike natural motion windows are (N,): the largest, over the parts, of how far below the usual their
        log-likelihood is, in standard deviations of natural motion."""
        worst = np.full(len(motions), -np.inf)
        for part in self.parts:
            seen = np.stack([_features(motion, self.body, part.joints) for motion in motions])
            likely = part.model.log_likelihood((seen - part.mean) / part.scale @ part.basis)
            worst = np.maximum(worst, (part.usual - likely) / part.spread)
        return worst


def train_ensemble(
    motions: list[Motion], body: Body, *, rng: np.random.Generator, n_states: int = N_STATES
) -> HmmEnsemble:
    """The ensemble of natural windows, all of the same number of frames."""
    parts = []
    for joints in _groups(body):
        seen = np.stack([_features(motion, body, joints) for motion in motions])
        flat = seen.reshape(-1, seen.shape[2])
        mean, scale = flat.mean(axis=0), flat.std(axis=0) + 1e-6
        _, _, rows = np.linalg.svd((flat - mean)[:: max(1, len(flat) // 4000)] / scale, full_matrices=False)
        basis = rows[:KEPT].T
        inside = (seen - mean) / scale @ basis
        model = train_hmm(inside, n_states=n_states, rng=rng)
        likely = model.log_likelihood(inside)
        parts.append(_Part(joints, mean, scale, basis, model, float(np.median(likely)), float(likely.std() + 1e-6)))
    return HmmEnsemble(body, tuple(parts))


def _groups(body: Body) -> list[list[int]]:
    """The joints of the whole body, of each limb, and of each pair of limbs."""
    joints = body.body_map.joints
    limbs = [
        [joints[side + part] for part in chain if side + part in joints]
        for side in SIDES
        for chain in (("UpperArm", "Forearm", "Hand"), ("Thigh", "Shin", "Foot", "Toe"))
    ]
    return [list(range(body.skeleton.n_joints)), *limbs, *(a + b for a, b in combinations(limbs, 2))]


def _features(motion: Motion, body: Body, joints: list[int]) -> np.ndarray:
    """Places, velocities and accelerations (F, 9 J) of joints; places as seen from the pelvis's place and heading."""
    away = motion.positions_world[:, joints] - motion.root_positions[:, None] * (1.0, 0.0, 1.0)
    facing = body_headings(motion, body.body_map, rest_world=body.rest_world)
    back = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), -facing)
    world = motion.positions_world[:, joints]
    moves = [smoothed_derivative(world, order=order, frame_time=motion.frame_time) for order in (1, 2)]
    seen = [rotations.rotate(back[:, None], values) for values in (away, *moves)]
    return np.concatenate(seen, axis=2).reshape(motion.n_frames, -1)
