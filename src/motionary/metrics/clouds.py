"""Bodies as clouds of points: where the points are, and how much each counts."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from motionary.errors import UsageError
from motionary.features import descriptions

MIDDLE_POINTS = ("Hips", "Spine4", "Neck1", "HeadTop")
SIDE_POINTS = ("UpperArm", "Forearm", "Hand", "HandTip", "Thigh", "Shin", "Foot", "ToeTip")
POINTS = (*MIDDLE_POINTS, *(side + point for side in ("Left", "Right") for point in SIDE_POINTS))  # 20 of them
TO_LEFT = tuple(1.0 if point.startswith("Left") else -1.0 if point.startswith("Right") else 0.0 for point in POINTS)


def cloud_points(positions: np.ndarray, root: np.ndarray, *, rate_hz: float) -> np.ndarray:
    """World positions (F, 20, 3) of the points of a motion, from its pose descriptions `positions` and `root`.

    The way of the hips is put together again from their speed and turning. These are central differences, one-sided
    at the ends, so that every other frame follows from the one before; nothing is smoothed. The motion begins at the
    origin and faces +z there.
    """
    if len(positions) != len(root):
        raise UsageError(f"positions of {len(positions)} frames and a root of {len(root)} are not of one motion")
    columns = _columns()
    body = np.zeros((len(positions), len(POINTS), 3))
    known = np.flatnonzero(columns >= 0)
    body[:, known] = positions[:, columns[known, None] + np.arange(3)]
    body[:, POINTS.index("Hips"), 1] = root[:, 0]
    heading, way = root_ways(root, rate_hz=rate_hz)
    turned = np.exp(-1j * heading)  # x + i·z of the body's own axes, as the world sees them
    ground = (body[..., 0] + 1j * body[..., 2]) * turned[:, None] + way[:, None]
    return np.stack([ground.real, body[..., 1], ground.imag], axis=-1)


def root_ways(root: np.ndarray, *, rate_hz: float) -> tuple[np.ndarray, np.ndarray]:
    """Headings (F,) and places (F,) complex, x + i·z, of the hips, from the pose description `root`.

    The motion begins at the origin and faces +z there.
    """
    heading = _summed(root[:, 3].astype(np.float64) / rate_hz)
    return heading, _summed((root[:, 2] + 1j * root[:, 1]) * np.exp(-1j * heading) / rate_hz)


def point_weights(parts: Mapping[str, float] | None = None) -> np.ndarray:
    """Weights (20,) of the points, sum 1: all alike, times what `parts` says of points by the words in their names.

    `{"Arm": 2}` counts what has Arm in its name twice; of several words that fit, all factors count.
    """
    weights = np.ones(len(POINTS))
    for word, factor in (parts or {}).items():
        fits = [word.lower() in point.lower() for point in POINTS]
        if not any(fits):
            raise UsageError(f"no point has {word!r} in its name; choose from {', '.join(POINTS)}")
        if not (np.isfinite(factor) and factor >= 0):
            raise UsageError(f"the weight {factor} of {word!r} is not possible; it must be at least 0")
        weights[fits] *= factor
    if not weights.sum() > 0:
        raise UsageError("all points have the weight 0, so nothing would be compared")
    return weights / weights.sum()


@cache
def _columns() -> np.ndarray:
    """Where in `positions` the coordinates (20,) of every point begin; −1 for the hips, which are not among them."""
    names = [dimension.name for dimension in descriptions()["positions"].dimensions]
    return np.array([names.index(f"{point} left") if point != "Hips" else -1 for point in POINTS])


def _summed(steps: np.ndarray) -> np.ndarray:
    """The values (F,), 0 first, whose differences are `steps`: central ones, one-sided at the ends."""
    values = np.zeros(len(steps), dtype=steps.dtype)
    if len(steps) > 1:
        values[1] = steps[0]
        values[2::2] = 2.0 * np.cumsum(steps[1:-1:2])
        values[3::2] = steps[0] + 2.0 * np.cumsum(steps[2:-1:2])
    return values
