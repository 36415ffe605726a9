"""Pose descriptions: named families of dimensions, and what a mirror does to them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionary.errors import UsageError
from motionary.features.poses import Poses


@dataclass(frozen=True, slots=True)
class Dimension:
    """One column of features: what it says, of which part of the body, in which unit.

    In a mirror it shows what the dimension `mirror` showed, times `mirror_sign`.
    """

    name: str
    unit: str
    part: str  # a joint of the reference skeleton; "" for what the whole body does
    mirror: str
    mirror_sign: float = 1.0


@dataclass(frozen=True)
class Description:
    """A family of dimensions and how they are computed from poses of the reference skeleton."""

    name: str
    dimensions: tuple[Dimension, ...]
    compute: Callable[[Poses], np.ndarray]  # (F, D)
    needs_network: bool = False  # whether poses alone do not tell it, but what was learned from a library

    @property
    def n_dimensions(self) -> int:
        return len(self.dimensions)

    @cached_property
    def mirror_columns(self) -> np.ndarray:
        """The column (D,) whose values each dimension takes in a mirror."""
        number = {dimension.name: column for column, dimension in enumerate(self.dimensions)}
        return np.array([number[dimension.mirror] for dimension in self.dimensions])

    @cached_property
    def mirror_signs(self) -> np.ndarray:
        """The sign (D,) that each dimension then has."""
        return np.array([dimension.mirror_sign for dimension in self.dimensions], dtype=np.float32)

    def mirrored(self, values: np.ndarray) -> np.ndarray:
        """The features (..., D) of the same poses seen in a mirror."""
        return np.asarray(values[..., self.mirror_columns] * self.mirror_signs)

    def columns(self, parts: Sequence[str]) -> np.ndarray:
        """The columns (N,) of these parts of the body, or of dimensions called so, in the order of the columns."""
        known = {dimension.part for dimension in self.dimensions} | {dimension.name for dimension in self.dimensions}
        for part in parts:
            if not part or part not in known:
                raise UsageError(
                    f"{self.name} has no dimension for {part!r}; choose from "
                    + ", ".join(dict.fromkeys(dimension.part or dimension.name for dimension in self.dimensions))
                )
        wanted = set(parts)
        return np.array([i for i, dimension in enumerate(self.dimensions) if {dimension.part, dimension.name} & wanted])
