"""An example put together from several: arms of one motion, legs of another."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.motion import Motion, rotations
from motionary.search.body_parts import parts_holding, plain
from motionary.search.dimensions import Dimensions
from motionary.search.examples.example import Example, Place, Rows


@dataclass(frozen=True, eq=False)
class Mixed:
    """An example in which some dimensions are those of others, played to its length; later ones count."""

    main: Example
    sources: tuple[tuple[tuple[str, ...], Example], ...]  # what is taken (parts, dimensions, descriptions), from whom

    def __post_init__(self) -> None:
        for words, source in self.sources:
            if not words:
                raise UsageError(f"name the body parts to take from {source.name}, as in arms={source.name}")
            _chosen(words)  # so that an unknown part is told at once
            check_playable(source)

    @property
    def name(self) -> str:
        return " with ".join([self.main.name, *(f"{', '.join(words)} of {one.name}" for words, one in self.sources)])

    @property
    def n_frames(self) -> int:
        return self.main.n_frames

    @property
    def place(self) -> Place | None:
        return self.main.place

    def rows(self, length: int) -> Rows:
        """Every dimension as its own source has it: nothing is moved onto anything."""
        rows = {name: np.array(array) for name, array in self.main.rows(length).items()}
        for words, source in self.sources:
            taken = source.rows(length)
            for name, columns in _chosen(words):
                if name in rows:
                    rows[name][:, columns] = taken[name][:, columns]
        return rows

    def poses(self, length: int) -> Motion:
        """One body whose joints turn against their parents as they do in their own sources."""
        shown = self.main.poses(length)
        turns = np.array(shown.rotations)
        for words, source in self.sources:
            wanted = {plain(word) for word in words}
            joints = [j for j, name in enumerate(shown.skeleton.names) if j and _is_called(name, wanted)]
            turns[:, joints] = source.poses(length).rotations[:, joints]
        return replace(shown, rotations=rotations.continuous(turns))


def check_playable(example: Example) -> None:
    """Raise if an example has not enough frames to be played in the time of another."""
    if example.n_frames < 2:
        raise UsageError(f"{example.name} has only one frame; an additional example needs at least two")


def _chosen(words: Sequence[str]) -> list[tuple[str, np.ndarray]]:
    """The columns that are called by the words, by description."""
    dimensions = Dimensions.of(tuple(descriptions()))
    return dimensions.blocks(dimensions.chosen(words))


def _is_called(joint: str, words: set[str]) -> bool:
    return not words.isdisjoint({"angles", plain(joint), *(plain(part) for part in parts_holding(joint))})
