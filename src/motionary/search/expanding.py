"""A second look: what is near to the mean of a query and its best matches is found as well."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from motionary.alignment import Match
from motionary.errors import ArgumentError
from motionary.features import LEARNED_LENGTH
from motionary.library import LibraryFeatures
from motionary.motion import Segment
from motionary.search.exact import LEARNED, Query, SearchResult
from motionary.search.examples import Averaged, Example, MirrorImage, Place, Rows
from motionary.search.several_queries import taken_together

BY_DEFAULT = 5  # best matches in the mean, where the description is chosen and was learned
OWN_SHARE = 2.0  # the query counts as much in the mean as so many of them


@dataclass(frozen=True, eq=False)
class Expanded(Averaged):
    """The mean of a query, which counts twice, and its best matches. Rows that were learned are as long as others."""

    first_counts: float = OWN_SHARE

    @property
    def n_best(self) -> int:
        return len(self.examples) - 1

    def _mean(self, length: int) -> Rows:
        rows = super()._mean(length)
        if LEARNED not in rows:
            return rows
        lengths = np.linalg.norm(rows[LEARNED].astype(np.float64), axis=1, keepdims=True)
        scales = np.divide(LEARNED_LENGTH, lengths, out=np.ones_like(lengths), where=lengths > 0.0)
        return {**rows, LEARNED: (rows[LEARNED] * scales).astype(np.float32)}


def n_expanding(query: Query, *, can_expand: bool) -> int:
    """How many of its best matches join a query; unless it says so, none if it is combined with something else."""
    if query.expand is None:
        return BY_DEFAULT if can_expand and query.reason and query.descriptions == (LEARNED,) else 0
    if query.expand and not can_expand:
        raise ArgumentError(
            "expand",
            "needs one query: it cannot be combined with steps or a profile, and several examples must be averaged "
            "(combine all)",
        )
    if query.expand and query.example.n_frames < 2:
        raise ArgumentError("expand", f"needs at least two frames, and {query.example.name} has one")
    return query.expand


def search_expanded(
    features: LibraryFeatures,
    query: Query,
    n_best: int,
    *,
    search: Callable[[Query], SearchResult],
    example: Callable[[Segment], Example],
) -> SearchResult:
    """The matches of the query, and those of the mean of it and its `n_best` best matches, as one list.

    In the mean, the query counts twice. A window is as near as it is to the nearer of both. Which matches are best does
    not depend on the largest distance, nor on whether the query itself is a match.
    """
    alone = replace(query, expand=0)
    k = None if query.k is None else max(query.k, n_best)
    is_plain = query.within is None and not query.with_itself
    without = query.without if is_plain else (*query.without, *_shown_at(query.example))
    first = search(replace(alone, k=k if is_plain else n_best, within=None, with_itself=False, without=without))
    matches = [match for match in first.matches if match.n_frames > 1][:n_best]  # one frame cannot be played in more
    if not matches:
        return replace(search(alone), query=query)
    best = [_as_the_query_sees(match, example) for match in matches]
    wider = replace(alone, example=Expanded((query.example, *best)), without=query.left_out)

    def found(k: int | None) -> list[SearchResult]:
        own = first if is_plain and k == query.k else search(replace(alone, k=k))
        return [own, search(replace(wider, k=k))]

    return taken_together(features, query, (alone, wider), found=found)


def n_expanded(result: SearchResult) -> int:
    """How many of the best matches joined the query of a result."""
    last = result.asked[-1].example if result.asked else None
    return last.n_best if isinstance(last, Expanded) else 0


def _shown_at(example: Example) -> tuple[Place, ...]:
    """The places of the examples in a mean."""
    shown = example.examples if isinstance(example, Averaged) else ()
    return tuple(one.place for one in shown if one.place is not None)


def _as_the_query_sees(match: Match, example: Callable[[Segment], Example]) -> Example:
    """The match as an example, mirrored if it matches so."""
    own = example(match.segment)
    return MirrorImage(own) if match.mirrored else own
