"""Where a movement is looked at from: parallel projection, slightly from above."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from motionary.errors import UsageError

View = Literal["auto", "side", "three-quarter", "front", "back", "other-side"]

ELEVATION = np.radians(14.0)
N_AZIMUTHS = 24  # that `best_azimuth` tries: every 15°
AZIMUTH_FROM_FACING = {
    "front": 0.0,
    "three-quarter": -np.radians(45.0),
    "side": -np.radians(90.0),  # the body faces to the right
    "back": np.pi,
    "other-side": np.radians(90.0),
}


@dataclass(frozen=True, slots=True)
class Camera:
    """Looks from the compass direction `azimuth` (about +y from +z), `elevation` above level.

    `scale` is in pixels per metre; the world's origin is at pixel (0, 0).
    """

    azimuth: float
    elevation: float = ELEVATION
    scale: float = 1.0

    @property
    def axes(self) -> np.ndarray:
        """The directions (3, 3) of the picture in the world, as rows: right, up, towards the camera."""
        sin_a, cos_a = np.sin(self.azimuth), np.cos(self.azimuth)
        sin_e, cos_e = np.sin(self.elevation), np.cos(self.elevation)
        return np.array(
            [
                [cos_a, 0.0, -sin_a],
                [-sin_a * sin_e, cos_e, -cos_a * sin_e],
                [sin_a * cos_e, sin_e, cos_a * cos_e],
            ]
        )

    def project(self, points: np.ndarray) -> np.ndarray:
        """Pixels right and down, and nearness (..., 3), of points (..., 3) in the world."""
        return (points @ self.axes.T) * (self.scale * np.array([1.0, -1.0, 1.0]))


@dataclass(frozen=True, eq=False)
class Movement:
    """What the choice of a view needs to know of one motion, turned so that the body faces +z."""

    points: np.ndarray  # (F, N, 3) places of joints and tips, the first the root
    limbs: np.ndarray  # (N,) which limb each belongs to
    size: float


def check_view(view: str) -> None:
    """Raise unless `view` is one of the known ones."""
    if view not in get_args(View):
        raise UsageError(f"{view!r} is not a view; choose {', '.join(get_args(View))}")


def view_azimuth(view: View, movements: list[Movement]) -> float:
    """The azimuth relative to the direction that the bodies face."""
    check_view(view)
    return best_azimuth(movements) if view == "auto" else AZIMUTH_FROM_FACING[view]


def best_azimuth(movements: list[Movement]) -> float:
    """The azimuth, relative to the facing direction, from which the movements are seen best.

    A good view shows what the limbs do across the line of sight, shows the path from left to right, keeps
    different limbs apart in the picture, and looks at the body's front rather than its back.
    """
    azimuths = 2.0 * np.pi / N_AZIMUTHS * np.arange(N_AZIMUTHS)
    azimuths = (azimuths + np.pi) % (2.0 * np.pi) - np.pi
    order = np.argsort(np.abs(azimuths + np.radians(60.0)), kind="stable")  # ties: nearest to the habitual view
    merits = sum(np.array([_merit(movement, Camera(float(azimuth))) for azimuth in azimuths]) for movement in movements)
    return float(azimuths[order[np.argmax(np.round(merits, 9)[order])]])


def _merit(movement: Movement, camera: Camera) -> float:
    right, _, towards = camera.axes
    points = movement.points
    root = points[:, :1] * np.array([1.0, 0.0, 1.0])
    relative = points - root
    shown = _share_across(relative - relative.mean(axis=0), towards)
    posture = _share_across(relative - relative.mean(axis=1, keepdims=True), towards)
    path = points[-1, 0] - points[0, 0]
    length = np.hypot(path[0], path[2])
    travel = float(path @ right) / max(length, movement.size)
    facing_us, facing_right = np.cos(camera.azimuth), -np.sin(camera.azimuth)
    return (
        1.5 * shown
        + 0.5 * posture
        + 0.8 * travel
        + 0.25 * facing_us
        + 0.1 * facing_right
        - 0.8 * _hidden(movement, relative, camera)
    )


def _share_across(points: np.ndarray, towards: np.ndarray) -> float:
    """How much of the points' spread is seen across the line of sight, 0 to 1."""
    total = float(np.sum(points**2))
    return 1.0 - float(np.sum((points @ towards) ** 2)) / total if total > 1e-12 else 1.0


def _hidden(movement: Movement, relative: np.ndarray, camera: Camera) -> float:
    """How much limbs cover each other, 0 to 1: nearness in the picture of points of different limbs."""
    flat = camera.project(relative)[..., :2]  # (F, N, 2)
    gaps = np.linalg.norm(flat[:, :, None] - flat[:, None], axis=-1)
    different = movement.limbs[:, None] != movement.limbs
    if not different.any():
        return 0.0
    return float(np.mean(np.maximum(0.0, 1.0 - gaps[:, different] / (0.06 * movement.size))))
