"""The floor that the feet of a motion tell: its height, and how much it tilts."""

from dataclasses import dataclass, replace

import numpy as np

from motionary.plants.rests import Rests

BAND = 0.025  # metres within which rests are on one level
LEAST_SHARE = 0.15  # of the time at rest that makes a level the floor, if no lower one has it
LONGEST_SECS = 0.5  # after which a rest tells no more: one place, however long
N_ROUNDS = 6
# What is expected before anything is seen: the more rests, and the wider apart, the less it counts.
USUAL_SLOPE = np.tan(np.radians(1.0))
USUAL_OFFSET = 0.01  # metres, of heels and balls of the feet from where the rig has them when standing flat
REST_ERROR = 0.02  # metres, of the height of one rest: large, as neighbours in time err alike
STEEPEST = np.tan(np.radians(5.0))  # beyond, it is a ramp, or the feet climb


@dataclass(frozen=True, eq=False)
class Floor:
    """A plane: `height` metres at the origin, rising by `slope` metres per metre along x and z.

    `offsets` are what the heels and balls stand higher than the plane when they stand on it.
    """

    height: float
    slope: np.ndarray  # (2,)
    offsets: np.ndarray  # (2, 2) metres; [left, right] by [heel, toe]
    height_error: float  # metres, one standard deviation, below the middle of the rests
    tilt_error: float  # radians, one standard deviation
    secs: float  # how long feet rest on it, all four points together

    @property
    def tilt(self) -> float:
        """Radians between the floor and the level."""
        return float(np.arctan(np.hypot(*self.slope)))

    @property
    def normal(self) -> np.ndarray:
        """The direction (3,) straight up from the floor."""
        up = np.array([-self.slope[0], 1.0, -self.slope[1]])
        return up / np.linalg.norm(up)

    @property
    def mirrored(self) -> "Floor":
        """As a mirror (the plane x = 0) shows it."""
        return replace(self, slope=self.slope * np.array([-1.0, 1.0]), offsets=self.offsets[::-1])

    def heights(self, places: np.ndarray) -> np.ndarray:
        """The floor's height (...) below or above places (..., 3)."""
        return np.asarray(self.height + places[..., 0] * self.slope[0] + places[..., 2] * self.slope[1])


def fit_floor(rests: Rests, *, sole_heights: np.ndarray, frame_time: float, usual_height: float) -> Floor:
    """The lowest plane on which the feet rest for a good share of their time.

    Starts from the level with most rests, or a lower one with enough; then fits the plane and the offsets of the
    four points (2, 2) by least squares, each round counting rests far from the plane less (Geman and McClure's
    weights). `sole_heights` (2, 2) are those of the points above the sole; `usual_height` is taken where nothing rests.
    """
    secs = rests.n_frames * frame_time
    flat = sole_heights.ravel()
    if not len(rests):
        return Floor(usual_height, np.zeros(2), np.array(sole_heights), np.inf, np.inf, 0.0)
    weights = np.minimum(secs, LONGEST_SECS)
    levels = rests.place[:, 1] - flat[rests.point]
    start = lowest_level(levels, weights)
    centre = np.average(rests.place[:, [0, 2]], axis=0, weights=weights)
    solution, covariance, on_floor = _fit_plane(
        rests.place[:, 0] - centre[0], rests.place[:, 2] - centre[1], levels, rests.point, weights, start
    )
    slope = solution[1:3]
    steep = np.hypot(*slope)
    if steep > STEEPEST:
        slope = slope * (STEEPEST / steep)
    mean_offset = solution[3:].mean()
    return Floor(
        float(solution[0] + mean_offset - slope @ centre),
        slope,
        sole_heights + (solution[3:] - mean_offset).reshape(2, 2),
        float(np.sqrt(covariance[0, 0])),
        float(np.sqrt(0.5 * (covariance[1, 1] + covariance[2, 2]))),
        float(secs[on_floor].sum()),
    )


def lowest_level(levels: np.ndarray, weights: np.ndarray) -> float:
    """The height of the lowest cluster that holds enough of the weight, or of the heaviest one."""
    order = np.argsort(levels, kind="stable")
    levels, weights = levels[order], weights[order]
    upto = np.concatenate([[0.0], np.cumsum(weights)])
    within = upto[np.searchsorted(levels, levels + BAND, side="right")] - upto[: len(levels)]  # from each upwards
    enough = within >= min(LEAST_SHARE * upto[-1], within.max())
    first = int(np.argmax(enough))
    # From the first that has enough, up to the fullest band that still holds it.
    here = np.flatnonzero(levels <= levels[first] + BAND)
    here = here[here >= first]
    best = int(here[np.argmax(within[here])])
    inside = slice(best, int(np.searchsorted(levels, levels[best] + BAND, side="right")))
    return float(np.average(levels[inside], weights=weights[inside]))


def _fit_plane(
    x: np.ndarray, z: np.ndarray, levels: np.ndarray, points: np.ndarray, weights: np.ndarray, start: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(height, slope x, slope z, four offsets), their covariance, and which rests lie on the plane."""
    design = np.zeros((len(levels), 7))
    design[:, 0], design[:, 1], design[:, 2] = 1.0, x, z
    design[np.arange(len(levels)), 3 + points] = 1.0
    prior = np.array([0.0, *[(REST_ERROR / USUAL_SLOPE) ** 2] * 2, *[(REST_ERROR / USUAL_OFFSET) ** 2] * 4])
    solution = np.array([start, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    for step in range(N_ROUNDS):
        scale = BAND * (2.0 if step < N_ROUNDS // 2 else 1.0)
        away = levels - design @ solution
        trust = weights / LONGEST_SECS / (1.0 + (away / scale) ** 2) ** 2
        weighted = design * trust[:, None]
        inverse = np.linalg.inv(weighted.T @ design + np.diag(prior) + 1e-12 * np.eye(7))
        solution = inverse @ (weighted.T @ levels)
    return solution, REST_ERROR**2 * inverse, np.abs(levels - design @ solution) < BAND
