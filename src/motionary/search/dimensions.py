"""The dimensions of several descriptions, side by side, and what people call them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property

import numpy as np

from motionary.errors import UsageError
from motionary.features import Dimension, descriptions
from motionary.search.body_parts import body_parts, parts_holding, plain

# Dimensions that make one length or turn
VECTORS = {"gist": 3, "positions": 3, "angles": 3, "learned": 64}


@dataclass(frozen=True)
class Dimensions:
    """All D dimensions of some descriptions, in order.

    Each is called by its description, its joint, the parts of the body that this belongs to, and its own name;
    capitals, blanks and hyphens do not count.
    """

    names: tuple[str, ...]

    @staticmethod
    @cache
    def of(names: tuple[str, ...]) -> "Dimensions":
        return Dimensions(names)

    def side_by_side(self, rows: Mapping[str, np.ndarray]) -> np.ndarray:
        """The features (F, D) in double precision."""
        return np.concatenate([rows[name] for name in self.names], axis=1).astype(np.float64)

    def mirrored(self, values: np.ndarray) -> np.ndarray:
        """The features (F, D) of the same poses seen in a mirror."""
        return np.asarray(values[:, self.mirror_columns] * self.mirror_signs)

    @cached_property
    def mirror_signs(self) -> np.ndarray:
        """The sign (D,) that each dimension then has."""
        return np.concatenate([descriptions()[name].mirror_signs for name in self.names])

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

    def chosen(self, words: Iterable[str]) -> np.ndarray:
        """1 (D,) for dimensions that are called by one of the words, else 0; all, if there are no words."""
        wanted = self._known(words)
        if not wanted:
            return np.ones(len(self._words))
        return np.array([float(not wanted.isdisjoint(words)) for words in self._words])

    def factors(self, given: Mapping[str, float]) -> np.ndarray:
        """The product (D,) of what is given for all words that a dimension is called by; 0 times ∞ is ∞."""
        self._known(given)
        factors = np.ones(len(self._words))
        for word, factor in given.items():
            called = plain(word)
            with np.errstate(invalid="ignore"):
                factors[[called in words for words in self._words]] *= factor
        return np.where(np.isnan(factors), np.inf, factors)

    @cached_property
    def _words(self) -> tuple[frozenset[str], ...]:
        return tuple(
            frozenset(plain(word) for word in _words(name, dimension))
            for name in self.names
            for dimension in descriptions()[name].dimensions
        )

    def _known(self, words: Iterable[str]) -> set[str]:
        """The words as they are compared; each must belong to some dimension."""
        known = frozenset[str]().union(*self._words)
        for word in words:
            if plain(word) not in known:
                raise UsageError(f"no compared dimension belongs to {word!r}{_instead(word, self.names)}")
        return {plain(word) for word in words}


def compared_joints(names: Sequence[str], words: Sequence[str]) -> tuple[str, ...]:
    """The joints of the reference skeleton that words choose among descriptions; none where there are no words.

    A part of the body stands for all of its joints, though a description may tell where it is by some of them.
    """
    if not words:
        return ()
    chosen = Dimensions.of(tuple(names)).chosen(words)
    dimensions = [dimension for name in names for dimension in descriptions()[name].dimensions]
    found = {one.part for one, is_chosen in zip(dimensions, chosen, strict=True) if is_chosen}
    meant = {plain(word) for word in words}
    found |= {joint for part, joints in body_parts().items() if plain(part) in meant for joint in joints}
    return tuple(sorted(found - {""}))


def _words(description: str, dimension: Dimension) -> list[str]:
    """What a dimension is called by."""
    words = (description, dimension.part, dimension.name, *parts_holding(dimension.part))
    return [word for word in words if word]


def _instead(word: str, names: tuple[str, ...]) -> str:
    """What there is, or what may have been meant; or where it would be compared."""
    here = [found for name in names for found in descriptions()[name].dimensions]
    everywhere = [(name, d) for name, found in descriptions().items() for d in found.dimensions]
    elsewhere = [name for name, found in everywhere if plain(word) in {plain(each) for each in _words(name, found)}]
    if plain(word) in elsewhere:
        return "; it is not among the descriptions that are compared"
    if elsewhere:
        return f"; the description {elsewhere[0]!r} contains it"
    joints = list(dict.fromkeys(found.part or found.name for found in here))
    parts = [name for name, joints_of in body_parts().items() if not joints_of.isdisjoint(joints)]
    close = get_close_matches(plain(word), [plain(each) for each in (*joints, *parts)], n=1)
    meant = next((each for each in (*joints, *parts) if close and plain(each) == close[0]), None)
    return f"; did you mean {meant!r}?" if meant else f"; there are {', '.join((*joints, *parts))}"
