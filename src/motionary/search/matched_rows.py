"""A match as its query sees it: on the query's side of a mirror, and in the query's time."""

import numpy as np

from motionary.alignment import Match
from motionary.features import descriptions
from motionary.library import LibraryFeatures


def matched_rows(features: LibraryFeatures, match: Match, n_frames: int) -> dict[str, np.ndarray]:
    """The features (n, D) of the match, by description: of each of the query's n frames, those of the frame that the
    alignment pairs with it.

    Of several it is the middle one, the earlier of two; gaps of LCSS are filled in straight lines.
    """
    clip = features.number(match.segment.clip_id)
    start, stop = features.rates[clip].search_segment(match.segment.start, match.segment.stop)
    pairs = match.alignment.pairs
    if len(np.unique(pairs[:, 0])) < n_frames:
        n_matched = max(stop - start, int(pairs[:, 1].max(initial=0)) + 1)
        pairs = match.alignment.completed(n_frames, n_matched).pairs
    # Where a clip has fewer frames a second than the search, its own frames may tell of one frame less
    partner = np.minimum(_partners(pairs, n_frames), stop - start - 1)
    first = int(features.starts[clip]) + start
    rows = {name: np.asarray(array[first + partner]) for name, array in features.arrays.items()}
    if match.mirrored:
        rows = {name: descriptions()[name].mirrored(array) for name, array in rows.items()}
    return rows


def query_frames(matches: tuple[Match, ...]) -> int:
    """How many frames the query has that these matches were found by, as far as their alignments tell."""
    return max((int(match.alignment.pairs[-1, 0]) + 1 for match in matches if match.alignment.n_pairs), default=1)


def _partners(pairs: np.ndarray, n_frames: int) -> np.ndarray:
    """The middle partner (n,) of every query frame; each has one."""
    frames = np.arange(n_frames)
    first = np.searchsorted(pairs[:, 0], frames, side="left")
    stop = np.searchsorted(pairs[:, 0], frames, side="right")
    return np.asarray(pairs[(first + stop - 1) // 2, 1])
