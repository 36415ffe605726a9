"""Made motions whose feet are made to slide, and what is measured of them.

from plants.sliding import made_to_slide, angular_accelerations
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from motionary.motion import Motion, rotations
from motionary.plants import FEET, PARTS, HeldPlant, Plant, cut_plants
from motionary.rig import Body, body_of
from motionary.sample import make_library

LEGS = tuple(side + part for side in ("Left", "Right") for part in ("Thigh", "Shin", "Foot"))
ON_FOOT = ("walk", "run", "skip", "sneak", "limp")


@dataclass(frozen=True, eq=False)
class Sliding:
    """A motion whose feet stood, the same made to slide, and the true plants."""

    still: Motion
    motion: Motion
    plants: list[Plant]
    body: Body


@cache
def walks(n_walks: int = 6, n_frames: int = 150) -> tuple[tuple[Motion, tuple[Plant, ...]], ...]:
    """Stretches of the sample library on foot, and their plants."""
    found = []
    for take in make_library(minutes=20.0, seed=11):
        for label in take.labels:
            if label.name in ON_FOOT and label.stop - label.start >= n_frames:
                stop = label.start + n_frames
                plants = [Plant(p.foot, p.part, p.start, p.stop, tuple(map(float, p.place))) for p in take.plants]
                found.append((take.motion.slice(label.start, stop), tuple(cut_plants(plants, label.start, stop))))
                break
        if len(found) == n_walks:
            break
    return tuple(found)


def made_to_slide(which: int, *, scale: float = 1.0, root: float = 0.02, legs: float = 0.03, seed: int = 0) -> Sliding:
    """A walk with its path scaled, its root swaying by so many metres, and its legs by so many radians."""
    still, plants = walks()[which]
    rng = np.random.default_rng([seed, which])
    start = still.root_positions[0]
    path = start + (still.root_positions - start) * np.array([scale, 1.0, scale])
    path = path + sway(rng, still, root) * np.array([1.0, 0.3, 1.0])
    turned = np.array(still.rotations)
    for name in LEGS:
        joint = still.skeleton.index(name)
        turned[:, joint] = rotations.multiply(turned[:, joint], rotations.from_rotation_vector(sway(rng, still, legs)))
    return Sliding(still, replace(still, root_positions=path, rotations=turned), list(plants), body_of(still.skeleton))


def sway(rng: np.random.Generator, motion: Motion, size: float) -> np.ndarray:
    """Smooth ways (F, 3) to and fro, in a second or two."""
    secs = np.arange(motion.n_frames)[:, None] * motion.frame_time
    waves = [rng.normal(size=3) * np.sin(2 * np.pi * (hz * secs + rng.uniform(size=3))) for hz in (0.4, 0.7, 1.1)]
    return size * np.sum(waves, axis=0) / np.sqrt(1.5)


def drifts_and_speeds(motion: Motion, body: Body, plants: tuple[HeldPlant, ...]) -> tuple[float, float]:
    """The farthest that any held point gets from where its plant began, in metres, and its largest speed."""
    points = body.feet.world(motion)
    drift, speed = 0.0, 0.0
    for held in plants:
        if held.held:
            plant = held.plant
            path = points[plant.start : plant.stop, FEET.index(plant.foot), PARTS.index(plant.part)]
            drift = max(drift, float(np.linalg.norm(path - path[0], axis=1).max()))
            steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
            speed = max(speed, float(steps.max(initial=0.0)) / motion.frame_time)
    return drift, speed


def angular_accelerations(motion: Motion) -> np.ndarray:
    """rad/s² (F − 2, J) of the joints' local rotations."""
    turns = rotations.multiply(rotations.inverse(motion.rotations[:-1]), motion.rotations[1:])
    speeds = rotations.to_rotation_vector(turns) / motion.frame_time
    return np.linalg.norm(np.diff(speeds, axis=0), axis=-1) / motion.frame_time
