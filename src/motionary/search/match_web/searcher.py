"""Searching a match web: what is like a piece of motion, at any threshold, and in steps."""

import hashlib
import math
from collections.abc import Callable, Collection, Mapping
from functools import partial

import numpy as np
from numba import njit

from motionary.alignment import suggested_cut
from motionary.arguments import check_is
from motionary.errors import UsageError
from motionary.search.match_web.dense import dense_pair
from motionary.search.match_web.match_graph import MatchGraph, match_graph
from motionary.search.match_web.merging import Merging
from motionary.search.match_web.pair_paths import LEVELS
from motionary.search.match_web.pieces import Links, Piece
from motionary.search.match_web.sequences import Sequences, sequences, way_along
from motionary.search.match_web.views import View, ViewMemory, view_of
from motionary.search.match_web.web import MatchWeb
from motionary.search.match_web.web_motion import WebMotion, web_motion

KNOWN = np.dtype([("motion", "<i4"), ("start", "<i4"), ("stop", "<i4"), ("sequence", "<i4"), ("cost", "<f8")])
MOST_LABELS = 2_000_000  # of sequences that are remembered, 64 bytes each; others are found again when asked for
MOST_COMMON = 0.5  # of two matches of one query; what overlaps a better one by more is dropped
MOST_OUTSIDE = 8_000_000  # cells of views of queries from outside, 16 bytes each; others are aligned again
BEYOND_GAP = 1.05  # a threshold's place above the last cost before a gap, if there is no cost behind it


class Searcher:
    """Answers queries of one web, and remembers: a search at another ε asks nothing again that was asked before."""

    def __init__(self, web: MatchWeb) -> None:
        check_is(web, MatchWeb, called="web", meant="what build_web gives")
        self.web = web
        self._known: dict[Piece, np.ndarray] = {}  # of KNOWN, by cost: all that is like a piece
        self._sequences: dict[Piece, Sequences] = {}
        self._n_labels = 0
        self._outside: dict[str, tuple[int, WebMotion]] = {}  # by digest: numbers −1, −2, … of queries from outside
        self._outside_views = ViewMemory(MOST_OUTSIDE)

    def links(self, piece: Piece, *, epsilon: float = math.inf) -> Links:
        """All that the web knows to be like a piece, up to a cost of ε, nearest first.

        Of matches that overlap by more than half, only the best is there: as they are taken in the order of their
        means, those below any ε are the first of the list.
        """
        if piece not in self._known:
            self._known[piece] = _best(self._found(piece), piece, ceiling=self.web.settings.ceiling)
        known = self._known[piece]
        known = known[: np.searchsorted(known["cost"], epsilon, "right")]
        places = np.stack([known[name] for name in ("motion", "start", "stop")], axis=1).astype(np.int64)
        return Links(places, known["cost"], partial(self._way, piece, known["sequence"]))

    def _found(self, piece: Piece) -> Sequences:
        found = self._sequences.pop(piece, None)
        if found is None:
            found = sequences(self._view(piece.motion), piece.start, piece.stop - 1)
            self._n_labels += found.ways.n_labels
        self._sequences[piece] = found
        while len(self._sequences) > 1 and self._n_labels > MOST_LABELS:
            self._n_labels -= self._sequences.pop(next(iter(self._sequences))).ways.n_labels
        return found

    def _way(self, piece: Piece, sequences: np.ndarray, link: int) -> np.ndarray:
        """The frames along one of the sequences of a piece."""
        return way_along(self._view(piece.motion), self._found(piece).ways.spans(int(sequences[link])))

    def graph(
        self,
        query: Piece,
        *,
        epsilon: float,
        steps: int | None = None,
        allowed: Collection[int] | None = None,
        rejected: Collection[Piece] = (),
        merging: Merging | None = None,
        most: int | None = None,
        within: float | None = None,
    ) -> MatchGraph:
        """The match graph of a query, of all matches whose means are not above ε (metres), and whose distances along
        the graph are not above `within`."""
        ceiling = self.web.settings.ceiling
        if not epsilon > 0.0:
            raise UsageError(f"a threshold of {100 * epsilon:g} cm is not possible; it must be above 0")
        if epsilon > ceiling * (1 + 1e-9):
            raise UsageError(
                f"a threshold of {100 * epsilon:g} cm is not possible: this web contains only pairs within "
                f"{100 * ceiling:g} cm; `motionary web build --ceiling {math.ceil(100 * epsilon)}` builds one that "
                "contains more"
            )

        def near(piece: Piece) -> Links:
            return self.links(piece, epsilon=epsilon)

        return match_graph(
            query, near, steps=steps, allowed=allowed, rejected=rejected, merging=merging, most=most, within=within
        )

    def suggested_epsilon(self, query: Piece) -> float | None:
        """Where the costs of the query's own matches have their largest gap; None if the web knows of none.

        Without a gap all of them are within. Costs that are nothing count as what is told from nothing at the least.
        """
        least = self.web.settings.ceiling / (2 * LEVELS)
        costs = np.maximum(self.links(query).costs, least).tolist()
        if not costs:
            return None
        cut = suggested_cut(costs)
        if cut is None:
            return min(self.web.settings.ceiling, costs[-1] * BEYOND_GAP)
        return float(np.sqrt(costs[cut - 1] * costs[cut]))

    def outside(self, arrays: Mapping[str, np.ndarray], *, progress: Callable[[int, int], None] | None = None) -> Piece:
        """A query that is not in the library, from its pose descriptions (F, D): aligned with every motion, once."""
        digest = hashlib.blake2b(digest_size=16)
        for name in sorted(arrays):
            digest.update(f"{name} {arrays[name].shape} {arrays[name].dtype}".encode())
            digest.update(np.ascontiguousarray(arrays[name]).tobytes())
        known = self._outside.get(digest.hexdigest())
        if known is None:
            known = self._outside[digest.hexdigest()] = -1 - len(self._outside), self._as_motion(arrays)
        number, query = known
        self._view(number, progress)
        return Piece(number, 0, query.n_frames)

    def _view(self, motion: int, progress: Callable[[int, int], None] | None = None) -> View:
        if motion >= 0:
            return self.web.view(motion)
        return self._outside_views.view(motion, partial(self._aligned, motion, progress))

    def _aligned(self, number: int, progress: Callable[[int, int], None] | None) -> View:
        """A query from outside, by its number, with every motion of the web."""
        query = next(query for known, query in self._outside.values() if known == number)
        parts = []
        for n, (motion, clips) in enumerate(sorted(self.web.clips.items()), start=1):
            features = self.web.features.of(int(self.web.features.clip_ids[clips[0]]))
            pair = dense_pair(query, self._as_motion(features.arrays))
            if not pair.is_empty:
                parts.append((motion, pair, False))
            if progress:
                progress(n, len(self.web.clips))
        return view_of(parts)

    def _as_motion(self, arrays: Mapping[str, np.ndarray]) -> WebMotion:
        return web_motion(arrays, metric=self.web.metric, settings=self.web.settings, rate_hz=self.web.rate_hz)


def _best(found: Sequences, query: Piece, *, ceiling: float) -> np.ndarray:
    """Those sequences (of KNOWN), least mean first, that overlap none before them, nor the query, by more than half."""
    chosen = np.zeros(len(found.means), dtype=np.bool_)
    n_motions = max(int(found.others.max(initial=0)), query.motion) + 2  # one more for queries from outside
    _choose(found.others, found.starts, found.stops, query.motion, query.start, query.stop, n_motions, chosen)
    known = np.zeros(int(chosen.sum()), dtype=KNOWN)
    known["motion"], known["start"], known["stop"] = (
        column[chosen] for column in (found.others, found.starts, found.stops)
    )
    known["sequence"], known["cost"] = np.flatnonzero(chosen), ceiling * np.sqrt(found.means[chosen])
    return known


@njit(cache=True, nogil=True)
def _choose(motions, starts, stops, query_motion, query_start, query_stop, n_motions, chosen):  # type: ignore[no-untyped-def]
    last = np.full(n_motions, -1)  # of every motion, the last that was chosen, and so on back from there
    before = np.empty(len(motions), dtype=np.int64)
    for k in range(len(motions)):
        start, stop = starts[k], stops[k]
        common = min(stop, query_stop) - max(start, query_start)
        is_new = motions[k] != query_motion or common <= MOST_COMMON * (max(stop, query_stop) - min(start, query_start))
        other = last[motions[k]]
        while is_new and other >= 0:
            common = min(stop, stops[other]) - max(start, starts[other])
            is_new = common <= MOST_COMMON * (max(stop, stops[other]) - min(start, starts[other]))
            other = before[other]
        if is_new:
            chosen[k] = True
            before[k], last[motions[k]] = last[motions[k]], k
