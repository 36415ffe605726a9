"""Matches by how they are done: only those whose Effort and Shape fulfil conditions."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from motionary.alignment import Result
from motionary.bank import Bank
from motionary.library import performance
from motionary.motion import Segment
from motionary.qualities import quality_measures, read_condition

R = TypeVar("R", bound=Result)
GROWTH = 4  # times as many matches are looked at if too few of those found fulfil the conditions


def with_qualities(bank: Bank, where: Sequence[str], k: int | None, search: Callable[[int | None], R]) -> R:
    """What `search(k)` finds, with the matches only that fulfil all conditions ("time>2"); the first `k` of these.

    More and more matches are looked at until there are enough, so that the answer is what sieving all matches gives.
    What is no person's fulfils none.
    """
    if not where:
        return search(k)
    conditions = [read_condition(text) for text in where]
    known: dict[Segment, bool] = {}

    def fulfils(segment: Segment) -> bool:
        if segment not in known:
            acted = performance(bank, segment)
            measures = quality_measures(acted.motion, acted.body) if acted.has_body else None
            known[segment] = measures is not None and all(one.holds(measures) for one in conditions)
        return known[segment]

    n_wanted = k
    while True:
        result: Any = search(n_wanted)
        kept = tuple(match for match in result.matches if fulfils(match.segment))
        if k is None or n_wanted is None or len(kept) >= k or len(result.matches) < n_wanted:
            found: R = replace(result, query=replace(result.query, k=k), matches=kept[:k])
            return found
        n_wanted *= GROWTH
