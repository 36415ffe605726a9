"""Relevance feedback: accepted and rejected matches say what a search is really after.

Three things are learned. Accepted matches become further examples: a window is as near as the nearest of all. All
examples, the query among them, are moved away from the mean of the rejected, as far again as they were from it
(Rocchio 1971). And a dimension counts more the less the accepted differ in it, and the more the rejected do.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionary.alignment import Match
from motionary.errors import UsageError
from motionary.features import Network, descriptions
from motionary.library import LibraryFeatures
from motionary.motion import Motion
from motionary.search.dimensions import Dimensions
from motionary.search.exact import Query, SearchResult
from motionary.search.examples import Example, LibrarySegment, MotionSegment, Place, Rows
from motionary.search.matched_rows import matched_rows
from motionary.search.profiles import Judged, Profile
from motionary.search.several_queries import search_together

PUSH = 1.0  # how far examples are moved from the mean of the rejected, in their distance from it
PRIOR = 3.0  # judgements that the library's own spread counts for
SHARPNESS = 0.5  # the exponent that ratios of spread are raised to
MOST_WEIGHT = 4.0  # and at least 1 / 4: a few judgements are no reason to leave a dimension out
LEAST_SPREAD = 1e-4  # 1 cm, half a degree, squared
UNJUDGED = "learned"  # a description that another library, or this one later, has with another meaning
WEIGHED = ("gist",)  # what weights are learned for where nothing else was compared
SAMPLED_ROWS = 10_000  # of the library: enough to know how far its dimensions spread


@dataclass(frozen=True, eq=False)
class Moved:
    """An example that is moved away from others: from their mean, frame by frame."""

    example: Example
    away_from: tuple[Example, ...]

    @property
    def name(self) -> str:
        return self.example.name

    @property
    def n_frames(self) -> int:
        return self.example.n_frames

    @property
    def place(self) -> Place | None:
        return self.example.place

    def rows(self, length: int) -> Rows:
        own = self.example.rows(length)
        others = [other.rows(length) for other in self.away_from]
        moved = {}
        for name, array in own.items():
            known = [other[name] for other in others if name in other]
            moved[name] = array + PUSH * (array - np.mean(known, axis=0)) if known else array
        return {name: np.asarray(array, dtype=np.float32) for name, array in moved.items()}

    def poses(self, length: int) -> Motion:
        """Those of the example as it was."""
        return self.example.poses(length)


def learned(
    features: LibraryFeatures,
    query: Query,
    accepted: Sequence[Match],
    rejected: Sequence[Match],
    *,
    before: Profile | None = None,
) -> Profile:
    """What these judgements of matches of the query teach, together with those of an earlier profile.

    Dimensions that were learned from the library are given no weights.
    """
    weighed = tuple(name for name in query.descriptions if name != UNJUDGED) or WEIGHED
    factors = {word: factor for word, factor in query.weights.items() if word != UNJUDGED}
    query = replace(query, descriptions=weighed, weights=factors)
    n_frames = query.example.n_frames
    before = before or Profile()
    judged = [*before.accepted, *(_judged(features, match, n_frames) for match in accepted)]
    refused = [*before.rejected, *(_judged(features, match, n_frames) for match in rejected)]
    if not judged and not refused:
        raise UsageError("no match was accepted or rejected, so there is nothing to learn")
    dimensions = Dimensions.of(query.descriptions)
    wanted, unwanted = (
        [dimensions.side_by_side(example.rows(n_frames)) for example in examples]
        for examples in ([query.example, *_known(judged, query)], _known(refused, query))
    )
    if len(wanted) + len(unwanted) == 1:
        raise UsageError(
            f"no rated match has the features {', '.join(query.descriptions)}, so there is nothing to learn"
        )
    weights = learned_weights(
        np.array(wanted),
        np.array(unwanted),
        spread=_spread(features, query.descriptions),
        counts=dimensions.factors(query.weights) * dimensions.chosen(query.joints),
    )
    names = [dimension.name for name in query.descriptions for dimension in descriptions()[name].dimensions]
    by_name: dict[str, list[float]] = {}  # two descriptions may have the same dimension
    for name, weight in zip(names, weights, strict=True):
        by_name.setdefault(name, []).append(float(weight))
    learned_now = {name: float(np.mean(found)) for name, found in by_name.items()}
    return Profile(
        tuple(judged),
        tuple(refused),
        {**before.weights, **learned_now},
        query.example.name,
        _clips_behind(query.example, before, [match.segment.clip_id for match in (*accepted, *rejected)]),
    )


def learned_weights(wanted: np.ndarray, refused: np.ndarray, *, spread: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """How much each dimension counts (D,), about 1, by the examples that are `wanted` (A + 1, n, D), the query first,
    and those `refused` (R, n, D).

    It is the root of the mean square between wanted and refused, over that among the wanted. Both lean on what the
    library would make them: its `spread` (D,) of every dimension, brought to the size of all that was judged, counts
    as three judgements. `counts` (D,) are the weights that dimensions have in the query: their sum stays.
    """
    size = np.abs(counts)
    among = np.array([((one - other) ** 2).sum(axis=0) for i, one in enumerate(wanted) for other in wanted[:i]])
    between = np.array([((one - other) ** 2).sum(axis=0) for one in wanted for other in refused])
    costs = np.concatenate([part for part in (among, between) if len(part)])
    expected = spread * ((costs @ size).mean() / max(spread @ size, 1e-300))
    near = _leaning(among, len(wanted) - 1, expected)
    far = _leaning(between, len(refused), expected)
    least = LEAST_SPREAD * wanted.shape[1]
    weights = ((far + least) / (near + least)) ** SHARPNESS
    weights = np.clip(weights * (size.sum() / (weights @ size)), 1.0 / MOST_WEIGHT, MOST_WEIGHT)
    return np.asarray(np.where(size > 0, weights, 1.0))


def profiled(query: Query, profile: Profile) -> tuple[Query, ...]:
    """The queries that the profile makes of one: each has one example, and all are asked together.

    LCSS asks for poses as they are, and so moves none.
    """
    names = {dimension.name for name in query.descriptions for dimension in descriptions()[name].dimensions}
    weights = _times(query.weights, profile.weights, names)
    tolerances = _times(query.tolerances, profile.tolerances, names)
    known, away_from = _known(profile.accepted, query), _known(profile.rejected, query)
    examples: list[Example] = [query.example, *(_played(judged, query.example.n_frames) for judged in known)]
    if away_from and query.distance != "lcss":
        examples = [Moved(example, away_from) for example in examples]
    return tuple(
        replace(query, example=example, weights=weights, tolerances=tolerances, without=query.left_out)
        for example in examples
    )


def search_profiled(
    features: LibraryFeatures,
    query: Query,
    profile: Profile,
    *,
    search: Callable[[Query], SearchResult],
) -> SearchResult:
    """The matches of all queries that the profile makes of this one, as one list.

    What the query leaves out, its own place too, all of them leave out. What was learned from the library is said of
    examples as they are in the profile, with nothing before and after them.
    """
    if UNJUDGED in query.descriptions and features.network is not None:
        profile = _described(profile, features.network, rate_hz=features.rate_hz)
    return search_together(features, query, profiled(query, profile), search=search)


def _clips_behind(example: Example, before: Profile, clip_ids: Sequence[int]) -> tuple[int, ...] | None:
    """The clips that something is learned from; None where the query or an earlier profile does not tell."""
    is_new = not (before.accepted or before.rejected or before.weights)
    if not isinstance(example, LibrarySegment | MotionSegment) or (before.clip_ids is None and not is_new):
        return None
    own = {example.segment.clip_id} if isinstance(example, LibrarySegment) else set()
    return tuple(sorted({*own, *clip_ids, *(before.clip_ids or ())}))


def _described(profile: Profile, network: Network, *, rate_hz: float) -> Profile:
    """The profile, with what the network says of its examples, where they have what it needs."""

    def described(judged: Judged) -> Judged:
        if not set(Network.SOURCES) <= set(judged.arrays):
            return judged
        return replace(judged, arrays={**judged.arrays, UNJUDGED: network.rows(judged.arrays, rate_hz=rate_hz)})

    return replace(
        profile, accepted=tuple(map(described, profile.accepted)), rejected=tuple(map(described, profile.rejected))
    )


def _judged(features: LibraryFeatures, match: Match, n_frames: int) -> Judged:
    name = f"{match.clip or '#' + str(match.segment.clip_id)}:{match.segment.start}-{match.segment.stop}"
    rows = matched_rows(features, match, n_frames)
    return Judged(name, {name: array for name, array in rows.items() if name != UNJUDGED})


def _known(judged: Sequence[Judged], query: Query) -> tuple[Judged, ...]:
    """Those with all that the query compares: an earlier profile may have been learned from other descriptions."""
    return tuple(one for one in judged if set(query.descriptions) <= set(one.arrays))


def _played(judged: Judged, n_frames: int) -> Judged:
    """The judged match in as many frames as the query has, so that it is a query of that length."""
    return judged if judged.n_frames == n_frames else Judged(judged.name, judged.rows(n_frames))


def _leaning(costs: np.ndarray, n_judged: int, expected: np.ndarray) -> np.ndarray:
    """The mean of costs (N, D) of `n_judged` judgements, drawn towards what is expected."""
    if not n_judged:
        return expected
    return np.asarray((PRIOR * expected + n_judged * costs.mean(axis=0)) / (PRIOR + n_judged))


def _spread(features: LibraryFeatures, names: tuple[str, ...]) -> np.ndarray:
    """The variance (D,) of every dimension over the library."""
    spreads = []
    for name in names:
        array = features.arrays[name]
        spreads.append(np.asarray(array[:: max(1, len(array) // SAMPLED_ROWS)], dtype=np.float64).var(axis=0))
    return np.concatenate(spreads)


def _times(given: Mapping[str, float], learned_now: Mapping[str, float], names: set[str]) -> dict[str, float]:
    """What was given times what was learned of the dimensions called so."""
    factors = dict(given)
    for name, factor in learned_now.items():
        if name in names:
            factors[name] = factors.get(name, 1.0) * factor
    return factors
