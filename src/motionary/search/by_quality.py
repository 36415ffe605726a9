"""Matches by how they are done: only those whose properties, or Effort and Shape, fulfil conditions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from motionary.alignment import Match, Result
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
    known: dict[Segment, Mapping[str, float] | None] = {}
    whole = [one for one in conditions if one.quality in PROPERTIES]
    done = [one for one in conditions if one.quality in QUALITIES]
    features = build_features(bank) if whole else None

    def properties(match: Match) -> Mapping[str, float] | None:
        """The values that the conditions are about; None unless all conditions hold."""
        segment = match.segment
        if segment not in known:
            values = _properties(features, segment, whole)
            if values is not None:
                qualities = _qualities(bank, segment, done)
                values = None if qualities is None else values | qualities
            known[segment] = values
        return known[segment]

    n_wanted = k
    while True:
        result: Any = search(n_wanted)
        kept = tuple(
            replace(match, properties=values) for match in result.matches if (values := properties(match)) is not None
        )
        if k is None or n_wanted is None or len(kept) >= k or len(result.matches) < n_wanted:
            found: R = replace(result, query=replace(result.query, k=k), matches=kept[:k])
            return found
        n_wanted *= GROWTH


def _properties(
    features: LibraryFeatures | None, segment: Segment, conditions: Sequence[Condition]
) -> dict[str, float] | None:
    """What the features of its clip say; None unless the conditions hold."""
    if features is None:
        return {}
    rates = features.rates[features.number(segment.clip_id)]
    start, stop = rates.search_segment(segment.start, segment.stop)
    curves = PropertyCurves(features.of(segment.clip_id).arrays, features.rate_hz)
    names = tuple(dict.fromkeys(one.quality for one in conditions))
    measured = curves.measure(names, np.array([start]), np.array([stop]))
    values = {name: float(value[0]) for name, value in measured.items()}
    return values if all(one.holds(values) for one in conditions) else None


def _qualities(bank: Bank, segment: Segment, conditions: Sequence[Condition]) -> dict[str, float] | None:
    """How it is done; None unless the conditions hold."""
    if not conditions:
        return {}
    acted = performance(bank, segment)
    if not acted.has_body:
        return None
    measures = quality_measures(acted.motion, acted.body)
    values = {one.quality: measures[one.quality] for one in conditions}
    return values if all(one.holds(values) for one in conditions) else None
