"""A segment of the library as an example: its features are known already."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from motionary.errors import UsageError
from motionary.features import Network, Rates
from motionary.library import LibraryFeatures
from motionary.motion import Motion, Segment
from motionary.search.examples.example import Place, Rows, no_network


@dataclass(frozen=True, eq=False)
class LibrarySegment:
    """Frames of a clip of the library.

    Features alone do not tell its poses between frames: `played(length)` are the features and `posed(length)` the
    poses of the segment played slower or faster, from whoever has the clip's motion. Features may come later: whoever
    gives a function in their place says at which rates they will be.
    """

    source: LibraryFeatures | Callable[[], LibraryFeatures]
    segment: Segment  # in the clip's own frames
    played: Callable[[int], Rows] | None = None  # without it, it can only be played as it is
    posed: Callable[[int], Motion] | None = None
    name: str = ""
    expected: tuple[Rates, float] | None = None  # the rates of its clip, and the search rate
    network: Callable[[], Network | None] = no_network  # that describes it, if its features know of another or none

    @cached_property
    def features(self) -> LibraryFeatures:
        return self.source() if callable(self.source) else self.source

    @cached_property
    def rates(self) -> Rates:
        """How frames of its clip go with those at the search rate."""
        return self.expected[0] if self.expected else self.features.rates[self.features.number(self.segment.clip_id)]

    @property
    def rate_hz(self) -> float:
        """The search rate."""
        return self.expected[1] if self.expected else self.features.rate_hz

    @property
    def n_frames(self) -> int:
        start, stop = self.search_frames
        return stop - start

    @property
    def place(self) -> Place:
        return Place(self.segment.clip_id, self.search_frames[0])

    @cached_property
    def search_frames(self) -> tuple[int, int]:
        """Its frames [start, stop) at the search rate."""
        return self.rates.search_segment(self.segment.start, self.segment.stop)

    @property
    def is_whole(self) -> bool:
        """Whether it is all of its clip."""
        return (self.segment.start, self.segment.stop) == (0, self.rates.n_frames)

    def rows(self, length: int) -> Rows:
        """Its features as they are kept, or those of its poses where it is to be played in another time."""
        start, stop = self.search_frames
        if length == stop - start:
            own = self._described(self.features.of(self.segment.clip_id).arrays)
            return {name: array[start:stop] for name, array in own.items()}
        if self.played is None:
            raise UsageError("a scaled query needs poses between frames; search the bank, not only its features")
        return self._described(self.played(length))

    def _described(self, arrays: Rows) -> Rows:
        """The features, with what the network says of them."""
        network = self.network()
        if network is None or network.is_same(self.features.network):
            return arrays
        return {**arrays, network.name: network.rows(arrays, rate_hz=self.rate_hz)}

    def poses(self, length: int) -> Motion:
        if self.posed is None:
            raise UsageError("features contain no poses; search the bank")
        return self.posed(length)
