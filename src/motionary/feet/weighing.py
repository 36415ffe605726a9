"""Masses and weight of clips in a bank."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionary.bank import Bank, Clip
from motionary.dynamics import (
    FittedMasses,
    Masses,
    PartMass,
    body_masses,
    centre_acceleration,
    centre_of_mass,
    centre_velocity,
    displaced_mass,
    evidence,
    fit_masses,
    kinetic_energy,
    touching,
)
from motionary.library import performance
from motionary.motion import Motion

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, eq=False, repr=False)
class Weighed:
    """A clip's body: its masses, and its weight over time."""

    clip: Clip
    motion: Motion
    masses: Masses
    centre: np.ndarray  # (F, 3) metres
    speed: np.ndarray  # (F,) of the centre of mass, m/s
    acceleration: np.ndarray  # (F, 3) m/s²
    energy: np.ndarray  # (F,) J
    displaced: np.ndarray  # (J,) share of the mass that each joint moves

    def __repr__(self) -> str:
        return f"Weighed({self.clip.name}, {self.masses.body_mass:.1f} kg, {len(self.speed)} frames)"

    def as_json(self) -> dict[str, Any]:
        names = self.masses.skeleton.names
        return {
            "clip": self.clip.name,
            "height_m": round(self.masses.height, 4),
            "mass_kg": round(self.masses.body_mass, 3),
            "shares": {part: round(share, 5) for part, share in self.masses.part_shares.items()},
            "displaced_mass": {name: round(float(mass), 5) for name, mass in zip(names, self.displaced, strict=True)},
            "centre_mean_m": [round(float(x), 4) for x in self.centre.mean(axis=0)],
            "speed_mean": round(float(self.speed.mean()), 4),
            "speed_max": round(float(self.speed.max()), 4),
            "acceleration_max": round(float(np.linalg.norm(self.acceleration, axis=1).max()), 3),
            "energy_mean_j": round(float(self.energy.mean()), 3),
            "energy_max_j": round(float(self.energy.max()), 3),
        }


def weigh(
    bank: Bank, clip: str | int, *, parts: Mapping[str, PartMass] | None = None, body_mass: float | None = None
) -> Weighed:
    """The masses of a clip's body, its centre of mass and its energy."""
    acted = performance(bank, clip)
    motion, masses = acted.motion, body_masses(acted.body, parts=parts, body_mass=body_mass)
    return Weighed(
        acted.clip,
        motion,
        masses,
        centre_of_mass(motion, masses),
        np.linalg.norm(centre_velocity(motion, masses), axis=1),
        centre_acceleration(motion, masses),
        kinetic_energy(motion, masses),
        displaced_mass(masses),
    )


def fit_library(bank: Bank, clips: Iterable[Clip], *, progress: Progress | None = None) -> FittedMasses:
    """Shares of the body's mass that make the clips' own motion plausible; clips without a body are passed over."""
    clips = list(clips)
    collected = []
    for done, clip in enumerate(clips, start=1):
        acted = performance(bank, clip)
        if not acted.has_body:
            continue
        masses = body_masses(acted.body)
        touches = touching(acted.motion, acted.body, acted.contacts)
        collected.append(evidence(acted.motion, masses, acted.body, touches))
        if progress:
            progress(done, len(clips), clip.name)
    return fit_masses(collected)
