"""The libraries that are searched, parts of them, and queries by a fixed seed."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.library import LibraryFeatures
from motionary.motion import Segment
from motionary.search import Query
from motionary.search.examples import ExampleMaker

SAMPLE_MINUTES = 20.0
TEN_DIMENSIONS = ("LeftHand", "RightHand", "LeftFoot", "Head up")  # of `positions`: 3 + 3 + 3 + 1
PLAIN = {"descriptions": ("positions",), "mirrored": "no"}  # all joints alike, one side


@contextmanager
def opened(path: Path | None) -> Iterator[Bank]:
    """The bank at `path`, or a made one."""
    if path is not None:
        with Bank.open(path, read_only=True) as bank:
            yield bank
        return
    from motionary.sample import sample_into

    with TemporaryDirectory() as folder, Bank.open(Path(folder) / "made.bank", create=True) as bank:
        sample_into(bank, minutes=SAMPLE_MINUTES)
        yield bank


@dataclass(frozen=True, eq=False)
class Asker:
    """Makes queries by segments of a library."""

    bank: Bank
    features: LibraryFeatures

    def query(self, segment: Segment, **options: Any) -> Query:
        """A plain one, unless `options` say otherwise."""
        return Query(example=ExampleMaker(self.bank, self.features).example(segment), **PLAIN | options)

    def queries(self, segments: Sequence[Segment], **options: Any) -> list[Query]:
        return [self.query(segment, **options) for segment in segments]


def random_segments(
    features: LibraryFeatures, n: int, rng: np.random.Generator, *, n_frames: int = 60
) -> list[Segment]:
    """Segments of `n_frames` search frames, every place of the library equally likely."""
    room = np.maximum(features.n_frames - n_frames + 1, 0)
    edges = np.concatenate([[0], np.cumsum(room)])
    found = []
    for place in rng.integers(edges[-1], size=n):
        c = int(np.searchsorted(edges, place, side="right")) - 1
        start = int(place - edges[c])
        own = features.rates[c].clip_segment(start, start + n_frames)
        found.append(Segment(int(features.clip_ids[c]), *own))
    return found


def part_of(features: LibraryFeatures, n_rows: int, rng: np.random.Generator) -> LibraryFeatures:
    """Random clips of the library, about as many rows in all; the same generator gives nested parts."""
    order = rng.permutation(features.n_clips)
    n_clips = int(np.searchsorted(np.cumsum(features.n_frames[order]), n_rows)) + 1
    return library_of(features, np.sort(order[:n_clips]))


def library_of(features: LibraryFeatures, clips: np.ndarray) -> LibraryFeatures:
    """Some clips of the library, by their numbers, with rows of their own in memory."""
    spans = [(int(features.starts[c]), int(features.starts[c] + features.n_frames[c])) for c in clips]
    lengths = features.n_frames[clips]
    return replace(
        features,
        arrays={name: np.concatenate([array[i:j] for i, j in spans]) for name, array in features.arrays.items()},
        clip_ids=features.clip_ids[clips],
        starts=np.cumsum(lengths) - lengths,
        n_frames=lengths,
        rates=tuple(features.rates[c] for c in clips),
        digests=tuple(features.digests[c] for c in clips),
        left_out=(),
        folder=None,
    )
