"""Exact search in steps: matches become queries in turn, and a match is as far away as the path that leads to it."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from motionary.alignment import Match, completed, composed
from motionary.errors import ArgumentError
from motionary.library import LibraryFeatures
from motionary.motion import Segment
from motionary.search.exact import Query, SearchResult
from motionary.search.exact.result import summed_stages
from motionary.search.examples import Example, MirrorImage
from motionary.search.several_queries import place_of

NEIGHBOURS = 20  # matches of a match that a path goes on to
POWER = 3.0  # of a path's length: (Σ stepᵖ)^(1/p). A detour by small steps may be shorter than one large step


@dataclass(frozen=True, eq=False)
class _Path:
    """From the query to a match: its last step, and the sums of powers of all steps."""

    match: Match  # as the last step found it
    n_query: int  # frames of the example that the path begins with
    n_steps: int
    means: float  # Σ meanᵖ
    distances: float  # Σ distance^(p/2): a distance is a mean's square, times a number that is the query's
    before: np.ndarray | None  # pairs of the query's frames and those of the match that the last step left from

    @property
    def mean(self) -> float:
        return float(self.means ** (1.0 / POWER))

    @property
    def order(self) -> tuple[float, int, int, bool, int]:
        segment = self.match.segment
        return self.means, segment.clip_id, segment.start, self.match.mirrored, self.n_steps

    def pairs(self) -> np.ndarray:
        """Of the query's frames and those of the match."""
        last = self.match.alignment.pairs
        return last if self.before is None else composed(self.before, last)

    def as_match(self) -> Match:
        if self.n_steps == 1:
            return self.match
        return replace(
            self.match,
            mean=self.mean,
            distance=float(self.distances ** (2.0 / POWER)),
            alignment=completed(self.pairs(), self.n_query, self.match.n_frames),
            n_query=self.n_query,
            tier=self.n_steps,
        )


def search_in_steps(
    features: LibraryFeatures,
    query: Query,
    steps: int,
    *,
    first: Callable[[int | None], SearchResult],
    search: Callable[[Query], SearchResult],
    example: Callable[[Segment], Example],
    least_onset: int,
    progress: Callable[[int, int], None] | None = None,
) -> SearchResult:
    """The matches of the query, of its matches, and so on, in so many steps; those with the shortest paths come first.

    `first(k)` lists the query's own matches. From every match that is taken, paths lead on to its 20 nearest matches,
    by `search`. The length of a path is the cube root of the sum of its steps' cubes; a step is the mean of its match.
    Paths are taken shortest first, ties by clip, start and side, and one whose match begins too near to one taken
    already is dropped, as in every search.
    """
    enough = None if query.k is None else 2 * query.k  # each match that is taken is too near to two of these at most
    own = first(enough)
    results, places = [own], _Places(features, least_onset)
    taken: list[Match] = []
    waiting = [_step(match, None) for match in own.matches]
    queue = [(path.order, n) for n, path in enumerate(waiting)]
    heapq.heapify(queue)
    while queue and (query.k is None or len(taken) < query.k):
        path = waiting[heapq.heappop(queue)[1]]
        if not places.take(path.match):
            continue
        taken.append(path.as_match())
        if progress is not None and query.k is not None:
            progress(len(taken), query.k)
        if path.n_steps == steps or len(taken) == query.k:
            continue
        results.append(search(_next_query(query, path.match, example)))
        for match in results[-1].matches:
            further = _step(match, path)
            if query.within is None or further.mean <= query.within:
                heapq.heappush(queue, (further.order, len(waiting)))
                waiting.append(further)
    return replace(
        own,
        query=query,
        matches=tuple(taken),
        n_compared=sum(result.n_compared for result in results),
        stages=summed_stages(results),
        asked=own.asked or (query,),
    )


def check_has_steps(query: Query) -> None:
    """Raise if paths of several steps have no length for this query."""
    signed = query.unlike or min((*query.weights.values(), *query.over_time), default=0.0) < 0
    wrong = (
        (query.distance == "lcss", "lcss, which has no lengths to add up; use dtw or euclid"),
        (query.scale > 0, "scale: all matches must be as long as the query"),
        (bool(signed), "negative weights or counterexamples (unlike)"),
    )
    for is_wrong, what in wrong:
        if is_wrong:
            raise ArgumentError("steps", f"cannot be combined with {what}")


class _Places:
    """Where matches begin; no two of them too near to each other."""

    def __init__(self, features: LibraryFeatures, least_onset: int) -> None:
        self._features, self._least = features, least_onset
        self._starts: dict[int, list[int]] = {}

    def take(self, match: Match) -> bool:
        """Whether it is far enough from all that were taken; then it is taken, too."""
        place = place_of(self._features, match)
        starts = self._starts.setdefault(place.clip_id, [])
        if any(abs(place.start - start) < self._least for start in starts):
            return False
        starts.append(place.start)
        return True


def _step(match: Match, path: _Path | None) -> _Path:
    """The path that goes one step further, to a match of the match that `path` led to."""
    mean, distance = match.mean**POWER, match.distance ** (POWER / 2.0)
    if path is None:
        return _Path(match, match.n_query, 1, mean, distance, None)
    match = replace(match, nearest_to=path.match.nearest_to)
    means, distances = path.means + mean, path.distances + distance
    return _Path(match, path.n_query, path.n_steps + 1, means, distances, path.pairs())


def _next_query(query: Query, match: Match, example: Callable[[Segment], Example]) -> Query:
    """The query that looks for what is like a match, seen from the query's side."""
    own = example(match.segment)
    return replace(
        query,
        example=MirrorImage(own) if match.mirrored else own,
        k=NEIGHBOURS,
        without=query.left_out,
    )
