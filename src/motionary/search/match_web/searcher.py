"""Searching a match web: what is like a piece of motion, at any threshold, and in steps."""

import math
from collections.abc import Callable, Collection, Mapping
from functools import partial

import numpy as np

from motionary.errors import UsageError
from motionary.search.match import suggested_cut
from motionary.search.match_web.dense import dense_pair
from motionary.search.match_web.match_graph import OUTSIDE, Link, MatchGraph, Merging, Piece, match_graph
from motionary.search.match_web.sequences import Sequences, sequences
from motionary.search.match_web.views import View, view_of
from motionary.search.match_web.web import MatchWeb
from motionary.search.match_web.web_motion import WebMotion, web_motion

MOST_COMMON = 0.5  # of two matches of one query; what overlaps a better one by more is dropped
BEYOND_GAP = 1.05  # a threshold's place above the last cost before a gap, if there is no cost behind it


class Searcher:
    """Answers queries of one web, and remembers: a search at another ε asks nothing again that was asked before."""

    def __init__(self, web: MatchWeb) -> None:
        self.web = web
        self._links: dict[Piece, list[Link]] = {}
        self._outside: View | None = None

    def links(self, piece: Piece) -> list[Link]:
        """All that the web knows to be like a piece, nearest first.

        Of matches that overlap by more than half, only the best is there: as they are taken in the order of their
        means, those below any ε are the first of the list.
        """
        if piece not in self._links:
            found = sequences(self._view(piece.motion), piece.start, piece.stop - 1)
            self._links[piece] = _best(found, piece, ceiling=self.web.settings.ceiling)
        return self._links[piece]

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
    ) -> MatchGraph:
        """The match graph of a query, of all matches whose means are not above ε (metres)."""
        if not 0.0 < epsilon <= self.web.settings.ceiling * (1 + 1e-9):
            raise UsageError(
                f"a threshold of {100 * epsilon:g} cm is not possible: this web holds what is nearer than "
                f"{100 * self.web.settings.ceiling:g} cm"
            )

        def near(piece: Piece) -> list[Link]:
            return [link for link in self.links(piece) if link.cost <= epsilon]

        return match_graph(query, near, steps=steps, allowed=allowed, rejected=rejected, merging=merging, most=most)

    def suggested_epsilon(self, query: Piece) -> float | None:
        """Where the costs of the query's own matches have their largest gap; None if the web knows of none.

        Without a gap all of them are within.
        """
        costs = [link.cost for link in self.links(query)]
        if not costs:
            return None
        cut = suggested_cut(costs)
        if cut is None:
            return min(self.web.settings.ceiling, costs[-1] * BEYOND_GAP)
        return float(np.sqrt(costs[cut - 1] * costs[cut]))

    def outside(self, arrays: Mapping[str, np.ndarray], *, progress: Callable[[int, int], None] | None = None) -> Piece:
        """A query that is not in the library, from its pose descriptions (F, D): aligned with every motion, once."""

        def as_motion(given: Mapping[str, np.ndarray]) -> WebMotion:
            return web_motion(given, metric=self.web.metric, settings=self.web.settings, rate_hz=self.web.rate_hz)

        query = as_motion(arrays)
        parts = []
        for n, (motion, clips) in enumerate(sorted(self.web.clips.items()), start=1):
            features = self.web.features.of(int(self.web.features.clip_ids[clips[0]]))
            pair = dense_pair(query, as_motion(features.arrays))
            if not pair.is_empty:
                parts.append((motion, pair, False))
            if progress:
                progress(n, len(self.web.clips))
        self._outside = view_of(parts)
        self._links = {piece: links for piece, links in self._links.items() if piece.motion != OUTSIDE}
        return Piece(OUTSIDE, 0, query.n_frames)

    def _view(self, motion: int) -> View:
        if motion != OUTSIDE:
            return self.web.view(motion)
        if self._outside is None:
            raise UsageError("a query from outside the library has to be aligned with it first")
        return self._outside


def _best(found: Sequences, query: Piece, *, ceiling: float) -> list[Link]:
    """The sequences, least mean first, that overlap none before them, nor the query, by more than half."""
    kept: dict[int, list[tuple[int, int]]] = {query.motion: [(query.start, query.stop)]}
    links = []
    pieces = zip(found.others.tolist(), found.starts.tolist(), found.stops.tolist(), found.means.tolist(), strict=True)
    for k, (motion, start, stop, mean) in enumerate(pieces):
        before = kept.setdefault(motion, [])
        for a, b in before:
            common = min(stop, b) - max(start, a)
            if common > MOST_COMMON * (max(stop, b) - min(start, a)):
                break
        else:
            before.append((start, stop))
            links.append(
                Link(Piece(motion, start, stop), ceiling * math.sqrt(mean), partial(found.ways.__getitem__, k))
            )
    return links
