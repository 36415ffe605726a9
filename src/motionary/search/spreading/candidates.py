"""Everything in the library that is like an example: what may get its label."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from motionary.motion import Segment
from motionary.search.examples import LibrarySegment
from motionary.search.spreading.finders import Finder
from motionary.search.spreading.labelled import LabelledSegment, pieces

FARTHEST = 0.8  # of relative distances: what is farther from an example has nothing of it
MIRRORED = 1.35  # a match in the mirror counts as so much farther: what is like the left hand may be called so
LEAST_TYPICAL = 1e-6  # where all the library is one pose, nothing is far


@dataclass(frozen=True, eq=False)
class Candidates:
    """Intervals of clips that are like examples, with their distances relative to what is typical for the example.

    0 is the same motion, 1 as far as any pose of the library. Frames are at the search rate.
    """

    clips: np.ndarray  # (N,) the clips' numbers in the features
    starts: np.ndarray  # (N,)
    stops: np.ndarray  # (N,)
    examples: np.ndarray  # (N,) the examples' numbers
    distances: np.ndarray  # (N,) float64

    def only(self, chosen: np.ndarray) -> "Candidates":
        """Those that are chosen, by a mask or by numbers."""
        return Candidates(
            self.clips[chosen], self.starts[chosen], self.stops[chosen], self.examples[chosen], self.distances[chosen]
        )

    def of_examples(self, numbers: Sequence[int]) -> "Candidates":
        """Those of some examples, which are numbered anew, in this order."""
        new = np.full(max([*numbers, int(self.examples.max(initial=-1))]) + 1, -1)
        new[list(numbers)] = np.arange(len(numbers))
        chosen = self.only(new[self.examples] >= 0)
        return Candidates(chosen.clips, chosen.starts, chosen.stops, new[chosen.examples], chosen.distances)


def find_candidates(
    finder: Finder,
    examples: Sequence[LabelledSegment],
    *,
    mirrored: bool = True,
    clip_ids: Collection[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Candidates:
    """What is like the examples, in all clips or in those with `clip_ids`; with `mirrored`, on the other side too."""
    features, rows = finder.features, []
    for number, example in enumerate(examples):
        clip = features.number(example.segment.clip_id)
        rates = features.rates[clip]
        whole = rates.search_segment(example.segment.start, example.segment.stop)
        for start, stop in pieces(*whole, rate_hz=features.rate_hz):
            piece = LibrarySegment(features, Segment(example.segment.clip_id, *rates.clip_segment(start, stop)))
            typical = max(finder.typical(piece), LEAST_TYPICAL)
            for side, factor in ((False, 1.0), (True, MIRRORED))[: 1 + mirrored]:
                found = finder.matches(piece, within=FARTHEST / factor * typical, mirrored=side, clip_ids=clip_ids)
                for match in found:
                    place = features.number(match.segment.clip_id)
                    frames = features.rates[place].search_segment(match.segment.start, match.segment.stop)
                    rows.append((place, *frames, number, factor * match.mean / typical))
        if progress is not None:
            progress(number + 1, len(examples))
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    clips, starts, stops, numbers = table[:, :4].T.astype(np.int64)
    return Candidates(clips, starts, stops, numbers, table[:, 4])


def nearest_examples(
    candidates: Candidates, labels: np.ndarray, *, n_labels: int, start: int, stop: int
) -> tuple[np.ndarray, np.ndarray]:
    """For frames [start, stop) of one clip, by label: the relative distance (F, L) of the nearest candidate that
    covers the frame, infinite if none does, and the number (F, L) of its example, else −1.

    All `candidates` are of that clip; `labels` are the numbers of the examples' labels. Of equally near ones, the
    first example counts.
    """
    distances = np.full((stop - start, n_labels), np.inf)
    nearest = np.full((stop - start, n_labels), -1, dtype=np.int64)
    for n in np.lexsort((candidates.examples, candidates.distances))[::-1]:  # the nearest is written last
        example = candidates.examples[n]
        frames = slice(max(int(candidates.starts[n]) - start, 0), max(int(candidates.stops[n]) - start, 0))
        distances[frames, labels[example]] = candidates.distances[n]
        nearest[frames, labels[example]] = example
    return distances, nearest


def nearest_examples_reference(
    candidates: Candidates, labels: np.ndarray, *, n_labels: int, start: int, stop: int
) -> tuple[np.ndarray, np.ndarray]:
    """What `nearest_examples` gives, from the definition."""
    distances = np.full((stop - start, n_labels), np.inf)
    nearest = np.full((stop - start, n_labels), -1, dtype=np.int64)
    for frame in range(start, stop):
        for label in range(n_labels):
            covering = [
                (float(candidates.distances[n]), int(candidates.examples[n]))
                for n in range(len(candidates.starts))
                if candidates.starts[n] <= frame < candidates.stops[n] and labels[candidates.examples[n]] == label
            ]
            if covering:
                distances[frame - start, label], nearest[frame - start, label] = min(covering)
    return distances, nearest
