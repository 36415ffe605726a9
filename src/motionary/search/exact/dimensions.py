"""The dimensions of several descriptions, side by side, and what people call them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from motionary.errors import UsageError
from motionary.features import Dimension, descriptions
from motionary.search.examples import Rows

VECTORS = {"positions": 3, "angles": 3}  # dimensions that make one length or turn


@dataclass(frozen=True)
class Dimensions:
    """All D dimensions of some descriptions, in order."""

    names: tuple[str, ...]

    @staticmethod
    @cache
    def of(names: tuple[str, ...]) -> "Dimensions":
        return Dimensions(names)

    def side_by_side(self, rows: Rows) -> np.ndarray:
        """The features (F, D) in double precision."""
        return np.concatenate([rows[name] for name in self.names], axis=1).astype(np.float64)

    def mirrored(self, values: np.ndarray) -> np.ndarray:
        """The features (F, D) of the same poses seen in a mirror."""
        signs = np.concatenate([descriptions()[name].mirror_signs for name in self.names])
        return np.asarray(values[:, self.mirror_columns] * signs)

    @cached_property
    def mirror_columns(self) -> np.ndarray:
        """The column (D,) whose values each dimension takes in a mirror."""
        columns = [descriptions()[name].mirror_columns for name in self.names]
        firsts = np.cumsum([0, *(len(found) for found in columns)])
        return np.concatenate([first + found for first, found in zip(firsts, columns, strict=False)])

    @cached_property
    def shares(self) -> np.ndarray:
        """The share (D,) that each dimension has in one length or turn."""
        each = [np.full(descriptions()[name].n_dimensions, 1.0 / VECTORS.get(name, 1)) for name in self.names]
        return np.concatenate(each)

    def blocks(self, counts: np.ndarray) -> list[tuple[str, np.ndarray]]:
        """The columns of each description that `counts` (D,) is true for; descriptions without any are left out."""
        found, first = [], 0
        for name in self.names:
            stop = first + descriptions()[name].n_dimensions
            if counts[first:stop].any():
                found.append((name, np.flatnonzero(counts[first:stop])))
            first = stop
        return found

    def chosen(self, joints: tuple[str, ...]) -> np.ndarray:
        """1 (D,) for dimensions of the chosen joints, else 0; all, if none is named."""
        if not joints:
            return np.ones(len(self._all))
        self._check_known(joints)
        return np.array([float(bool(set(_words(name, found)) & set(joints))) for name, found in self._all])

    def factors(self, given: Mapping[str, float]) -> np.ndarray:
        """The product (D,) of what is given for the description, the part and the dimension."""
        self._check_known(given)
        factors = np.ones(len(self._all))
        for d, (name, found) in enumerate(self._all):
            for word in _words(name, found):
                factors[d] *= given.get(word, 1.0)
        return factors

    @cached_property
    def _all(self) -> tuple[tuple[str, Dimension], ...]:
        return tuple((name, dimension) for name in self.names for dimension in descriptions()[name].dimensions)

    def _check_known(self, words: Iterable[str]) -> None:
        parts = dict.fromkeys(found.part or found.name for _, found in self._all)
        known = {word for name, found in self._all for word in _words(name, found)}
        for word in words:
            if word not in known:
                raise UsageError(f"nothing that is compared belongs to {word!r}; there are {', '.join(parts)}")


def _words(description: str, dimension: Dimension) -> list[str]:
    """What a dimension is called by, each word once."""
    return list(dict.fromkeys(word for word in (description, dimension.part, dimension.name) if word))
