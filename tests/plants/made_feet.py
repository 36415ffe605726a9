"""Heels and balls that the tests move by hand.

from plants.made_feet import Feet
"""

import numpy as np

from motionary.plants import FootPlants, plants_of_points

PELVIS = 0.9


class Feet:
    """Two flat feet, 16 cm long and 20 cm apart, that stand at the origin until they are moved; 60 Hz."""

    def __init__(self, n_frames: int = 180, *, rate_hz: float = 60.0) -> None:
        self.rate_hz = rate_hz
        self.points = np.zeros((n_frames, 2, 2, 3))
        self.points[:, 0, :, 0], self.points[:, 1, :, 0] = 0.1, -0.1
        self.points[:, :, 1, 2] = 0.16
        self.pelvis = np.tile([0.0, PELVIS, 0.0], (n_frames, 1))

    def move(self, foot: int, part: int | slice, start: float, stop: float, by: tuple[float, float, float]) -> None:
        """Bring a part by a way from `start` to `stop` (seconds), without a jolt; it stays there."""
        times = np.arange(len(self.points)) / self.rate_hz
        u = np.clip((times - start) / (stop - start), 0.0, 1.0)
        path = (u**3 * (10 - 15 * u + 6 * u * u))[:, None] * np.array(by)
        self.points[:, foot, part] += path if isinstance(part, int) else path[:, None]

    def detect(self, noise: float = 0.0) -> FootPlants:
        """What is found."""
        shaken = noise * np.random.default_rng(0).normal(size=self.points.shape)
        return plants_of_points(self.points + shaken, self.pelvis, frame_time=1.0 / self.rate_hz)
