"""Placements over time: where a body is on the ground and where it faces, frame by frame."""

from dataclasses import dataclass

import numpy as np

from motionary.errors import UsageError
from motionary.motion import rotations
from motionary.motion.heading import headings
from motionary.motion.motion import Motion
from motionary.motion.placement import Placement


@dataclass(frozen=True, eq=False)
class Placements:
    """One placement for every frame: turn about the vertical by theta, then move by (x, z)."""

    thetas: np.ndarray  # (F,) radians, right-handed about +y
    moves: np.ndarray  # (F, 2) metres along x and z

    def __post_init__(self) -> None:
        object.__setattr__(self, "thetas", np.asarray(self.thetas, dtype=float))
        object.__setattr__(self, "moves", np.asarray(self.moves, dtype=float))
        if self.thetas.ndim != 1 or self.moves.shape != (len(self.thetas), 2):
            raise UsageError(f"{self.thetas.shape} angles and {self.moves.shape} moves do not match")
        if not (np.isfinite(self.thetas).all() and np.isfinite(self.moves).all()):
            raise UsageError("a placement contains a number that is not finite")

    def __len__(self) -> int:
        return len(self.thetas)

    def __getitem__(self, frame: int) -> Placement:
        return Placement(float(self.thetas[frame]), float(self.moves[frame, 0]), float(self.moves[frame, 1]))

    def apply(self, points: np.ndarray) -> np.ndarray:
        """Points (F, ..., 3), placed."""
        points = np.asarray(points, dtype=float)
        shape = (-1,) + (1,) * (points.ndim - 2)
        moved = turn_about_up(points, self.thetas.reshape(shape))
        moved[..., 0] += self.moves[:, 0].reshape(shape)
        moved[..., 2] += self.moves[:, 1].reshape(shape)
        return moved

    def then(self, later: "Placements") -> "Placements":
        """These placements, followed by `later`."""
        return Placements(self.thetas + later.thetas, later.apply(_lifted(self.moves))[:, [0, 2]])

    def inverse(self) -> "Placements":
        """The placements that undo these."""
        return Placements(-self.thetas, turn_about_up(_lifted(-self.moves), -self.thetas)[:, [0, 2]])

    def steps(self) -> "Placements":
        """From each frame to the next (F − 1), as a body that stands at the earlier one and faces half-way sees it.

        Half-way between both headings, so that a step forward while turning is a step forward, and the steps of a
        motion played backwards are its own, undone.
        """
        turn = np.diff(self.thetas)
        middle = self.thetas[:-1] + 0.5 * turn
        return Placements(turn, turn_about_up(_lifted(np.diff(self.moves, axis=0)), -middle)[:, [0, 2]])

    @staticmethod
    def along(start: Placement, steps: "Placements") -> "Placements":
        """Placements (F + 1) from `start` by `steps` (F): the inverse of `steps`."""
        thetas = start.theta + np.concatenate([[0.0], np.cumsum(steps.thetas)])
        middle = thetas[:-1] + 0.5 * steps.thetas
        ways = turn_about_up(_lifted(steps.moves), middle)[:, [0, 2]]
        return Placements(
            thetas, np.array([start.x, start.z]) + np.concatenate([np.zeros((1, 2)), ways.cumsum(axis=0)])
        )


def root_placements(motion: Motion, pelvis_rest: np.ndarray = rotations.IDENTITY) -> Placements:
    """Where the root stands on the ground and where it faces, frame by frame."""
    return Placements(headings(motion.rotations[:, 0], pelvis_rest), motion.root_positions[:, [0, 2]])


def turn_about_up(points: np.ndarray, thetas: np.ndarray | float) -> np.ndarray:
    """Points (..., 3) turned about the vertical by angles (...), right-handed."""
    cosine, sine = np.cos(thetas), np.sin(thetas)
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    return np.stack([cosine * x + sine * z, y + 0.0 * cosine, cosine * z - sine * x], axis=-1)


def placements_between(points: np.ndarray, onto: np.ndarray, weights: np.ndarray | None = None) -> Placements:
    """The placements that bring points (F, P, 3) nearest to others, by least squares with weights (P,).

    The closed form of Kovar, Gleicher & Pighin (2002), in complex numbers u = x + i·z: the turn is −arg Σ w a ū.
    """
    points, onto = np.asarray(points, dtype=float), np.asarray(onto, dtype=float)
    weights = np.ones(points.shape[1]) if weights is None else np.asarray(weights, dtype=float)
    weights = weights / weights.sum()
    here, there = points[..., 0] + 1j * points[..., 2], onto[..., 0] + 1j * onto[..., 2]
    here_middle, there_middle = here @ weights, there @ weights
    product = ((there - there_middle[:, None]) * np.conj(here - here_middle[:, None])) @ weights
    thetas = np.unwrap(-np.angle(product))
    moves = there_middle - here_middle * np.exp(-1j * thetas)
    return Placements(thetas, np.stack([moves.real, moves.imag], axis=1))


def _lifted(moves: np.ndarray) -> np.ndarray:
    """Moves (F, 2) on the ground as vectors (F, 3)."""
    return np.stack([moves[:, 0], np.zeros(len(moves)), moves[:, 1]], axis=1)
