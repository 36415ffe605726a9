"""Where windows may begin: the clips that are searched, in rows of the library's features."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from motionary.library import LibraryFeatures


@dataclass(frozen=True, eq=False)
class Places:
    """The rows of the clips that are searched. Copies share their rows, and so a window of rows may be several."""

    firsts: np.ndarray  # (S,) ascending: the first row of every span that a clip, or copies of one, have
    stops: np.ndarray  # (S,)
    owners: np.ndarray  # (C,) the numbers of the clips, by span
    owner_firsts: np.ndarray  # (S + 1,) where in `owners` those of each span begin

    @classmethod
    def of(cls, features: LibraryFeatures, clip_ids: Collection[int] | None, shortest: int) -> "Places":
        """All clips of at least `shortest` frames (or those with `clip_ids`)."""
        clips = np.arange(features.n_clips)
        if clip_ids is not None:
            clips = np.flatnonzero(np.isin(features.clip_ids, np.array(sorted(clip_ids), dtype=np.int64)))
        clips = clips[features.n_frames[clips] >= max(1, shortest)]
        clips = clips[np.argsort(features.starts[clips], kind="stable")]
        firsts, owner_firsts = np.unique(features.starts[clips], return_index=True)
        stops = firsts + features.n_frames[clips][owner_firsts]
        return cls(firsts, stops, clips, np.append(owner_firsts, len(clips)))

    @property
    def n_clips(self) -> int:
        return len(self.owners)

    def n_windows(self, n_frames: int) -> int:
        """How many windows of that many frames there are."""
        return int((np.maximum(self.stops - self.firsts - n_frames + 1, 0) * np.diff(self.owner_firsts)).sum())

    def any_in(self, first: int, stop: int) -> bool:
        """Whether any of the clips has rows in [first, stop)."""
        return bool(((self.firsts < stop) & (self.stops > first)).any())

    def spans(self, n_frames: int, first: int, stop: int) -> np.ndarray:
        """Intervals (N, 2) of rows within [first, stop) in which windows begin; neighbouring clips are joined.

        So some windows reach from one clip into the next. `windows` leaves them out.
        """
        starts = np.maximum(self.firsts, first)
        stops = np.minimum(self.stops - n_frames + 1, stop)
        some = starts < stops
        starts, stops = starts[some], stops[some]
        if len(starts) == 0:
            return np.zeros((0, 2), dtype=np.int64)
        # To go on for as many frames as a window has costs less than to begin anew
        apart = np.flatnonzero(starts[1:] > stops[:-1] + n_frames)
        return np.stack([starts[np.append(0, apart + 1)], stops[np.append(apart, len(stops) - 1)]], axis=1)

    def windows(self, rows: np.ndarray, n_frames: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of windows that begin at `rows`: which lie within a clip (as indices of `rows`), whose, and where in it."""
        span = np.searchsorted(self.firsts, rows, side="right") - 1
        fits = np.flatnonzero((span >= 0) & (rows + n_frames <= self.stops[np.maximum(span, 0)]))
        span = span[fits]
        counts = np.diff(self.owner_firsts)[span]
        nth = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        clips = self.owners[np.repeat(self.owner_firsts[span], counts) + nth]
        return np.repeat(fits, counts), clips, np.repeat(rows[fits] - self.firsts[span], counts)
