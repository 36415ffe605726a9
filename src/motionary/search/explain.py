"""Why a match is as far away as it is: what every part of the body added to its distance, and when."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motionary.alignment import Alignment, Match, dtw_alignment, lcss_alignment
from motionary.errors import UsageError
from motionary.features import Dimension, Rates, descriptions
from motionary.library import LibraryFeatures
from motionary.search.dimensions import VECTORS
from motionary.search.exact import LEARNED, Comparison, Query, Variant
from motionary.search.gist_rows import GIST

TIMING = "timing"  # of LCSS: poses that are there, but not in time or order
N_PHASES = 4


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Where the distance of a match comes from, in the words of the query.

    A part is a joint, or a dimension of the whole body, such as its speed. `added` holds what each part added to the
    distance in each of the p frames in which the query was played, over all pairs of that frame; it sums to the
    distance. Parts are those of the query: in a mirrored match, what the query's left hand did is compared with a
    right hand. Where weights are negative, so is what they add.

    What was learned from a library has no parts. A match that was found by it alone is explained by the gist, along
    its alignment: `added` sums to how far the gist is off, which is not the match's distance.
    """

    match: Match
    parts: tuple[str, ...]
    added: np.ndarray  # (p, J)
    sizes: np.ndarray  # (p, J) how far a part is off in a frame, in `unit`; of LCSS, shares of a frame
    unit: str

    def __repr__(self) -> str:
        return f"Explanation({self.match.place}, {len(self.parts)} parts, {len(self.added)} frames)"

    @property
    def by_part(self) -> np.ndarray:
        """What each part added (J,)."""
        return np.asarray(self.added.sum(axis=0))

    def by_phase(self, n_phases: int = N_PHASES) -> np.ndarray:
        """What was added in each of `n_phases` equal phases of the query."""
        n_frames = len(self.added)
        phase = np.arange(n_frames) * n_phases // n_frames
        return np.bincount(phase, weights=self.added.sum(axis=1), minlength=n_phases)

    def shares(self, added: np.ndarray) -> np.ndarray:
        """What was added as a share of all that was, the negative counted by its size; 0 where the distance is."""
        size = np.abs(added).sum()
        return added / size if size > 0 else np.zeros_like(added)

    def as_json(self) -> dict[str, Any]:
        """What parts and phases added, both of which sum to the distance."""
        return {
            "parts": dict(zip(self.parts, self.by_part.tolist(), strict=True)),
            "phases": self.by_phase().tolist(),
        }


def explained(
    features: LibraryFeatures, queries: Query | Sequence[Query], matches: Sequence[Match]
) -> tuple[Explanation, ...]:
    """What parts and frames of the query added to the distance of each of its matches.

    Where several queries were asked together, each match is explained by the first that has its distance.
    """
    comparisons = [Comparison.of(query) for query in ((queries,) if isinstance(queries, Query) else queries)]
    variants: dict[tuple[int, int, bool], Variant] = {}
    found = []
    for match in matches:
        if match.tier > 1:
            raise UsageError(
                f"{match.place} was found in {match.tier} steps; only matches of the first step can be explained"
            )
        for number, comparison in enumerate(comparisons):
            length = round(match.scale * comparison.n_frames)
            key = (number, length, match.mirrored)
            if key not in variants:
                variants[key] = comparison.variant(length, mirrored=match.mirrored)
            compared = _compared(features, comparison, variants[key], match)
            if compared is not None:
                if comparison.query.descriptions == (LEARNED,) and comparison.query.distance != "lcss":
                    found.append(_by_gist(features, comparison, match, compared))
                else:
                    found.append(_explanation(comparison, variants[key], match, compared))
                break
        else:
            raise UsageError(
                f"{match.clip or '#' + str(match.segment.clip_id)}:{match.segment.start}-{match.segment.stop} is no "
                "match of this query in the library as it is now, so its distance cannot be explained"
            )
    return tuple(found)


@dataclass(frozen=True, eq=False)
class _Compared:
    """The frames of a match as they were compared, with the pairs behind its distance."""

    candidate: np.ndarray  # (p, D)
    alignment: Alignment  # frames of the variant and of the candidate
    distance: float
    row: int  # of the library, at which the match begins


def _compared(features: LibraryFeatures, comparison: Comparison, variant: Variant, match: Match) -> _Compared | None:
    """The window of the match; None if it has another distance.

    Where a clip has fewer frames a second than the search, several windows are the same frames of the clip; then it
    is the one with the match's distance.
    """
    clip = features.number(match.segment.clip_id)
    row = int(features.starts[clip])
    for start in _starts(features.rates[clip], match, variant.n_frames):
        span = np.array([[row + start, row + start + variant.n_frames]])
        found = _pairs(comparison, variant, variant.table(features.arrays, span), row + start)
        if found.distance == match.distance:
            return found
    return None


def _starts(rates: Rates, match: Match, n_frames: int) -> list[int]:
    """Search frames at which a window of n frames may begin that the match's frames stand for, the likeliest first."""
    likely, _ = rates.search_segment(match.segment.start, match.segment.stop)
    around = sorted(range(likely - 2, likely + 3), key=lambda start: (abs(start - likely), start))
    wanted = (match.segment.start, match.segment.stop)
    inside = [start for start in around if 0 <= start <= rates.n_search_frames - n_frames]
    return [start for start in inside if rates.clip_segment(start, start + n_frames) == wanted]


def _pairs(comparison: Comparison, variant: Variant, candidate: np.ndarray, row: int) -> _Compared:
    method, longer = comparison.query.distance, comparison.n_frames / variant.n_frames
    if method == "lcss":
        likeness, alignment = lcss_alignment(
            variant.rows, candidate, thresholds=variant.thresholds, radius=variant.radii
        )
        return _Compared(candidate, alignment, likeness.distance, row)
    radii = variant.radii if method == "dtw" else np.zeros_like(variant.radii)
    warped = dtw_alignment(variant.rows, candidate, weights=variant.weights, radius=radii)
    return _Compared(candidate, warped.alignment, warped.distance * longer, row)


def _by_gist(features: LibraryFeatures, comparison: Comparison, match: Match, compared: _Compared) -> Explanation:
    """What the joints of the gist add, along the alignment that was found."""
    query = replace(comparison.query, descriptions=(GIST,), weights={}, unlike=())
    by_gist = Comparison.of(query)
    variant = by_gist.variant(len(compared.candidate), mirrored=match.mirrored)
    span = np.array([[compared.row, compared.row + variant.n_frames]])
    seen = replace(compared, candidate=variant.table(features.arrays, span))
    return _explanation(by_gist, variant, match, seen)


def _explanation(comparison: Comparison, variant: Variant, match: Match, compared: _Compared) -> Explanation:
    parts, in_part = _parts(variant)
    if comparison.query.distance == "lcss":
        added = lcss_added(variant, compared.candidate, compared.alignment)
        by_part = np.column_stack([added[:, :-1] @ in_part, added[:, -1]])
        return Explanation(match, (*parts, TIMING), by_part, by_part * _counted(variant).sum(), comparison.unit)
    by_part = sum_added(variant, compared.candidate, compared.alignment) @ in_part
    n_pairs = np.bincount(compared.alignment.pairs[:, 0], minlength=variant.n_frames)
    weight = (np.abs(variant.weights) * _shares(variant)) @ in_part * n_pairs[:, None]
    squares = np.divide(by_part, weight, out=np.zeros_like(by_part), where=weight > 0)
    sizes = np.copysign(np.sqrt(np.abs(squares)), squares) * comparison.unit_size
    return Explanation(match, parts, by_part * (comparison.n_frames / variant.n_frames), sizes, comparison.unit)


def sum_added(variant: Variant, candidate: np.ndarray, alignment: Alignment) -> np.ndarray:
    """What each query frame and dimension (p, D) adds to the sum of Euclid or DTW, over all pairs of that frame."""
    frames, others = alignment.pairs.T
    gaps = variant.rows[frames] - candidate[others]
    added = np.zeros_like(variant.rows)
    np.add.at(added, frames, variant.weights[frames] * (gaps * gaps))
    return added


def lcss_added(variant: Variant, candidate: np.ndarray, alignment: Alignment) -> np.ndarray:
    """What each query frame and dimension (p, D + 1) adds to 1 − similarity; the last column is that of timing.

    A frame that counts and was not found adds 1 / (frames that count). It is shared by the dimensions that are out of
    tolerance at the frame of the candidate where fewest are, of those that it may go with (of equal ones the nearest
    in time, then the earlier). If there all are within, only the order of frames stood in the way: it goes to timing.
    """
    counted = _counted(variant)
    missing = counted.copy()
    missing[alignment.pairs[:, 0]] = False
    added = np.zeros((variant.n_frames, variant.rows.shape[1] + 1))
    for i in np.flatnonzero(missing):
        low, high = max(0, i - variant.radii[i]), min(len(candidate), i + variant.radii[i] + 1)
        gaps, limits = np.abs(variant.rows[i] - candidate[low:high]), variant.thresholds[i]
        out = np.where(limits >= 0, gaps > limits, gaps <= -limits)  # (frames, D)
        best = min(range(high - low), key=lambda j: (out[j].sum(), abs(low + j - i), j))
        hinder = np.append(out[best], not out[best].any())
        added[i] = hinder / hinder.sum() / counted.sum()
    return added


def _parts(variant: Variant) -> tuple[tuple[str, ...], np.ndarray]:
    """The parts of the body that are compared, as the query calls them, and 1 (D, J) for the dimensions of each."""
    names = []
    for name, columns in variant.columns:
        description = descriptions()[name]
        for column in description.mirror_columns[columns] if variant.mirrored else columns:
            names.append(_part(name, description.dimensions[column]))
    order = [_part(name, dimension) for name, each in descriptions().items() for dimension in each.dimensions]
    parts = tuple(sorted(set(names), key=order.index))
    return parts, np.array([[float(name == part) for part in parts] for name in names])


def _part(description: str, dimension: Dimension) -> str:
    """The joint, where dimensions are those of a place or turn of it; else each stands for itself."""
    return dimension.part or description if description in VECTORS else dimension.name


def _shares(variant: Variant) -> np.ndarray:
    """The share (D,) that each compared dimension has in one length or turn."""
    return np.concatenate([np.full(len(columns), 1.0 / VECTORS.get(name, 1)) for name, columns in variant.columns])


def _counted(variant: Variant) -> np.ndarray:
    """The query frames (p,) that LCSS counts: those with a dimension that matters."""
    return np.asarray(~np.isinf(variant.thresholds).all(axis=1))
