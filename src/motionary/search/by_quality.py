"""Matches by how they are done: only those whose properties, or Effort and Shape, fulfil conditions."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from motionary.alignment import Result
from motionary.bank import Bank
from motionary.library import LibraryFeatures, build_features, performance
from motionary.motion import Segment
from motionary.qualities import PROPERTIES, QUALITIES, Condition, quality_measures, read_condition
from motionary.search.properties import PropertyCurves

R = TypeVar("R", bound=Result)
GROWTH = 4  # times as many matches are looked at if too few of those found fulfil the conditions


def with_qualities(bank: Bank, where: Sequence[str], k: int | None, search: Callable[[int | None], R]) -> R:
    """What `search(k)` finds, with the matches only that fulfil all conditions ("time>2"); the first `k` of these.

    More and more matches are looked at until there are enough, so that the answer is what sieving all matches gives.
    What is no person's fulfils none.
    """
    if not where:
        return search(k)
    conditions = [read_condition(text, (*PROPERTIES, *QUALITIES)) for text in where]
    known: dict[Segment, bool] = {}
    whole = [one for one in conditions if one.quality in PROPERTIES]
    done = [one for one in conditions if one.quality in QUALITIES]
    features = build_features(bank) if whole else None

    def fulfils(segment: Segment) -> bool:
        if segment not in known:
            known[segment] = _has_properties(features, segment, whole) and _has_qualities(bank, segment, done)
        return known[segment]

    n_wanted = k
    while True:
        result: Any = search(n_wanted)
        kept = tuple(match for match in result.matches if fulfils(match.segment))
        if k is None or n_wanted is None or len(kept) >= k or len(result.matches) < n_wanted:
            found: R = replace(result, query=replace(result.query, k=k), matches=kept[:k])
            return found
        n_wanted *= GROWTH


def _has_properties(features: LibraryFeatures | None, segment: Segment, conditions: Sequence[Condition]) -> bool:
    """Whether the features of its clip say so."""
    if features is None:
        return True
    rates = features.rates[features.number(segment.clip_id)]
    start, stop = rates.search_segment(segment.start, segment.stop)
    curves = PropertyCurves(features.of(segment.clip_id).arrays, features.rate_hz)
    names = tuple(one.quality for one in conditions)
    values = curves.measure(names, np.array([start]), np.array([stop]))
    return all(one.holds({name: float(value[0]) for name, value in values.items()}) for one in conditions)


def _has_qualities(bank: Bank, segment: Segment, conditions: Sequence[Condition]) -> bool:
    if not conditions:
        return True
    acted = performance(bank, segment)
    if not acted.has_body:
        return False
    measures = quality_measures(acted.motion, acted.body)
    return all(one.holds(measures) for one in conditions)
