"""The units and axes that a file uses, against ours: metres, y up, right-handed."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from motionary.errors import UsageError

Up = Literal["y", "z"]
Handedness = Literal["right", "left"]

LIMITS_METRES = (1e-6, 1e3)  # of a unit: a micrometre to a kilometre
UNITS_METRES = {
    "m": 1.0,
    "dm": 0.1,
    "cm": 0.01,
    "mm": 0.001,
    "in": 0.0254,
    "ft": 0.3048,
    "cmu": 0.0254 / 0.45,  # CMU's ASF and BVH files: 1 / 0.45 inch
}


@dataclass(frozen=True, slots=True)
class Space:
    """How long a file's unit is and where its axes point."""

    unit_metres: float = 1.0
    up: Up = "y"
    handedness: Handedness = "right"

    def __post_init__(self) -> None:
        shortest, longest = LIMITS_METRES
        if not shortest <= self.unit_metres <= longest:
            raise UsageError(
                f"a unit of {self.unit_metres:g} m is not possible; it must be between {shortest:g} and {longest:g} m"
            )
        if self.up not in ("y", "z"):
            raise UsageError(f"up must be y or z, not {self.up!r}")
        if self.handedness not in ("right", "left"):
            raise UsageError(f"handedness must be right or left, not {self.handedness!r}")

    @property
    def ours_from_file(self) -> np.ndarray:
        """The orthogonal matrix (3, 3) that turns the file's directions into ours."""
        matrix = np.eye(3)
        if self.up == "z":  # (x, y, z) becomes (x, z, −y)
            matrix = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
        if self.handedness == "left":  # reflected front to back, so that left stays left and up stays up
            matrix = np.diag([1.0, 1.0, -1.0]) @ matrix
        return matrix


def unit_metres(text: str) -> float:
    """The length in metres of a unit named or numbered by a user: "cm", "in", "cmu", "0.0254"."""
    if text in UNITS_METRES:
        return UNITS_METRES[text]
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    shortest, longest = LIMITS_METRES
    if not shortest <= value <= longest:
        raise UsageError(
            f"{text!r} is not a unit; use one of {', '.join(UNITS_METRES)} or its length in metres "
            f"({shortest:g} to {longest:g})"
        )
    return value


def unit_name(metres: float) -> str:
    """The name of a unit of that length, or the length itself."""
    for name, length in UNITS_METRES.items():
        if abs(length - metres) <= 1e-4 * length:
            return name
    return f"{metres:g} m"
