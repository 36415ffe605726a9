"""Several examples as one: their mean."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionary.motion import Motion
from motionary.search.examples.example import Example, Place, Rows
from motionary.search.examples.mixed import check_playable


@dataclass(frozen=True, eq=False)
class Averaged:
    """The mean of several examples, each played in as many frames as the first has, which may count more.

    What is near to it is near to all of them: the sum of squared distances to the examples, frame by frame, and the
    squared distance to their mean differ by the same number everywhere.
    """

    examples: tuple[Example, ...]
    first_counts: float = 1.0

    def __post_init__(self) -> None:
        for example in self.examples:
            check_playable(example)

    @property
    def name(self) -> str:
        return f"the mean of {self.examples[0].name} and {len(self.examples) - 1} more"

    @property
    def n_frames(self) -> int:
        return self.examples[0].n_frames

    @property
    def place(self) -> Place | None:
        return None

    def rows(self, length: int) -> Rows:
        if length not in self._known:
            self._known[length] = self._mean(length)
        return self._known[length]

    @cached_property
    def _known(self) -> dict[int, Rows]:
        """The rows by length: they are asked for with every match."""
        return {}

    def _mean(self, length: int) -> Rows:
        every = [example.rows(length) for example in self.examples]
        counts = [self.first_counts, *[1.0] * (len(every) - 1)]
        return {
            name: np.average([rows[name] for rows in every], axis=0, weights=counts).astype(np.float32)
            for name in every[0]
        }

    def poses(self, length: int) -> Motion:
        """Those of the first: a mean of bodies that face elsewhere shows nothing."""
        return self.examples[0].poses(length)
