"""How strongly a label is spread: the probability that it is right, by how near its examples are."""

from dataclasses import dataclass

import numpy as np

NEAREST = 0.01  # of relative distances: what is nearer is as good as equal


@dataclass(frozen=True, slots=True)
class Curve:
    """Strength by distance: at the relative distance r, a label has the odds exp(level) / r^slope against none.

    Where several labels are near, each has its odds against the sum of all and 1: P = odds / (1 + Σ odds).
    """

    level: float
    slope: float

    @property
    def half(self) -> float:
        """The relative distance at which a label that has no rival has the strength 1/2."""
        return float(np.exp(self.level / self.slope))

    def alone(self, distances: np.ndarray) -> np.ndarray:
        """The strengths (…) of labels that have no rivals; 0 where a distance is infinite."""
        return np.asarray(1.0 / (1.0 + np.exp(np.minimum(-self._log_odds(distances), 700.0))))

    def shared(self, distances: np.ndarray) -> np.ndarray:
        """The strengths (F, L) of L labels that exclude each other, by their distances (F, L)."""
        return _shares(self._log_odds(distances))

    def _log_odds(self, distances: np.ndarray) -> np.ndarray:
        return self.level - self.slope * np.log(np.maximum(distances, NEAREST))


PRIOR_DEVIATIONS = (0.8, 0.8)  # how far level and slope may be off before anything is seen
LEAST_SLOPE = 0.5  # strength falls with distance, whatever a few examples say
STEPS = 50
LONGEST_STEP = 2.0
CLOSE_ENOUGH = 1e-10


def fit_curve(distances: np.ndarray, truths: np.ndarray, weights: np.ndarray, *, prior: Curve) -> Curve:
    """The most probable curve; before anything is seen, level and slope are normally distributed about the prior's.

    Of every frame (N) are known the distances (N, L) of labels, infinite where no example is near; which label is
    right, −1 for none of these; and how much it counts. A right label that has no distance is none. The posterior is
    concave, so Newton's method finds its only top.
    """
    finite = np.isfinite(distances)
    nearness = np.where(finite, -np.log(np.maximum(distances, NEAREST)), 0.0)
    rows = np.arange(len(truths))
    there = (truths >= 0) & finite[rows, np.maximum(truths, 0)]
    right = np.where(there, nearness[rows, np.maximum(truths, 0)], 0.0)
    middle, precision = np.array([prior.level, prior.slope]), 1.0 / np.array(PRIOR_DEVIATIONS) ** 2
    at = middle.copy()
    for _ in range(STEPS):
        shares = _shares(np.where(finite, at[0] + at[1] * nearness, -np.inf))
        sums = [(shares * nearness**power).sum(axis=1) for power in range(3)]
        gradient = np.array([weights @ (there - sums[0]), weights @ (right - sums[1])]) - precision * (at - middle)
        cross = weights @ (sums[1] - sums[0] * sums[1])
        curvature = np.array(
            [[weights @ (sums[0] - sums[0] ** 2), cross], [cross, weights @ (sums[2] - sums[1] ** 2)]]
        ) + np.diag(precision)
        step = np.linalg.solve(curvature, gradient)
        at += step * min(1.0, LONGEST_STEP / max(np.abs(step).max(), CLOSE_ENOUGH))
        if np.abs(step).max() < CLOSE_ENOUGH:
            break
    return Curve(float(at[0]), max(float(at[1]), LEAST_SLOPE))


def log_posterior_reference(
    curve: Curve, distances: np.ndarray, truths: np.ndarray, weights: np.ndarray, *, prior: Curve
) -> float:
    """What `fit_curve` maximises, from the definition, less a constant."""
    total = 0.0
    for offset, deviation in zip((curve.level - prior.level, curve.slope - prior.slope), PRIOR_DEVIATIONS, strict=True):
        total -= 0.5 * (offset / deviation) ** 2
    for near, truth, weight in zip(distances, truths, weights, strict=True):
        odds = [float(np.exp(curve.level) / max(r, NEAREST) ** curve.slope) if np.isfinite(r) else 0.0 for r in near]
        right = odds[truth] if truth >= 0 and odds[truth] > 0 else 1.0
        total += float(weight) * float(np.log(right / (1.0 + sum(odds))))
    return total


def _shares(log_odds: np.ndarray) -> np.ndarray:
    """odds / (1 + Σ odds) in every row, without overflow."""
    top = np.maximum(log_odds.max(axis=1, initial=0.0), 0.0)[:, None]
    odds = np.exp(log_odds - top)
    return np.asarray(odds / (np.exp(-top) + odds.sum(axis=1, keepdims=True)))
