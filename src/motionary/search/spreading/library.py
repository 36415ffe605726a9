"""Spreading over a library of features: from labelled examples and what is like them to claims on every clip."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from motionary.errors import UsageError
from motionary.library import LibraryFeatures
from motionary.motion import Segment
from motionary.search.spreading.candidates import Candidates, nearest_examples
from motionary.search.spreading.claims import Claim, exclusive_claims, shared_claims
from motionary.search.spreading.labelled import LabelledSegment, piece_frames
from motionary.search.spreading.strength import Curve, fit_curve

LEAST_SHARE = 1 / 3  # of the piece that was looked for: what is left of a match beside better ones may be a sliver
EXPECTED_PRECISION = 0.8  # of what is spread by default
LEAST_STRENGTH = 0.5  # weaker labels are more probably wrong than right
BACKGROUND = 15.0  # how many times as much as one label the rest of a library weighs
BACKGROUND_STEP = 5  # frames of which one is taken


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What becomes of strengths: from which on a label is spread, and who has a frame that several labels claim."""

    threshold: float | None = None  # None: the lowest from 0.5 on at which 0.8 of the frames are expected to be right
    margin: float = 0.1  # by which the stronger of two labels must be stronger
    both: bool = False  # labels may share frames

    def __post_init__(self) -> None:
        if self.threshold is not None and not 0.0 < self.threshold <= 1.0:
            raise UsageError(f"threshold must be above 0 and at most 1, not {self.threshold}")
        if not 0.0 <= self.margin <= 1.0:
            raise UsageError(f"margin must be between 0 and 1, not {self.margin}")


@dataclass(frozen=True, eq=False)
class Known:
    """What people have said: examples, and more segments that carry one of their labels, or must not."""

    examples: tuple[LabelledSegment, ...]
    others: tuple[LabelledSegment, ...] = ()  # labelled, too, and not looked for
    refused: Mapping[str, Sequence[Segment]] = field(default_factory=dict)

    @property
    def labels(self) -> list[str]:
        """All labels of examples, in order."""
        return sorted({example.label for example in self.examples})


@dataclass(frozen=True, eq=False)
class Spread:
    """Claims with their clips' ids, by clip and start; and how they were chosen."""

    claims: list[tuple[int, Claim]]
    curve: Curve  # of strength, fitted to the examples and the library
    threshold: float
    left_out: list[tuple[int, Claim]]  # claims below the threshold, from LEAST_STRENGTH on


def spread(
    features: LibraryFeatures,
    known: Known,
    candidates: Candidates,
    *,
    prior: Curve,
    rules: Rules,
    searched: Collection[int] | None = None,
) -> Spread:
    """The claims of all labels on the clips that were `searched` for candidates, by id; None: on all."""
    field_of = _Field(features, known, candidates)
    labelled = field_of.labelled_frames()
    background = field_of.background_frames(labelled, searched)
    curve = fit_curve(*(np.concatenate(parts) for parts in zip(labelled, background, strict=True)), prior=prior)
    threshold = rules.threshold
    if threshold is None:
        threshold = _precise_threshold(field_of.strengths(curve, both=rules.both))
    claims = field_of.claims(curve, rules, threshold)
    weaker = field_of.claims(curve, rules, LEAST_STRENGTH) if threshold > LEAST_STRENGTH else []
    return Spread(claims, curve, threshold, _without(weaker, claims))


def _precise_threshold(strengths: np.ndarray) -> float:
    """The lowest threshold from LEAST_STRENGTH on, in hundredths, at which EXPECTED_PRECISION is reached.

    The strength (N,) of a frame is the probability that its label is right: their mean is the expected precision.
    """
    falling = np.sort(strengths[strengths >= LEAST_STRENGTH])[::-1]
    means = np.cumsum(falling) / np.arange(1, len(falling) + 1)
    n_precise = int((means >= EXPECTED_PRECISION).sum())
    if n_precise == len(falling):
        return LEAST_STRENGTH
    return math.floor(100 * falling[n_precise - 1]) / 100 if n_precise else EXPECTED_PRECISION


def _without(weaker: list[tuple[int, Claim]], claims: list[tuple[int, Claim]]) -> list[tuple[int, Claim]]:
    """The weaker claims that have no frame of a claim of the same label."""
    by_place: dict[tuple[int, int], list[Claim]] = {}
    for clip_id, claim in claims:
        by_place.setdefault((clip_id, claim.label), []).append(claim)
    return [
        (clip_id, one)
        for clip_id, one in weaker
        if not any(one.start < two.stop and two.start < one.stop for two in by_place.get((clip_id, one.label), ()))
    ]


def leading_examples(
    features: LibraryFeatures,
    known: Known,
    candidates: Candidates,
    claims: Sequence[tuple[int, Claim]],
    *,
    curve: Curve,
    threshold: float,
) -> set[int]:
    """The numbers of the examples that lead to claims: to such of their label as hold a candidate of theirs that is
    strong enough alone, though another example may be nearer."""
    strong = candidates.only(curve.alone(candidates.distances) >= threshold)
    labels = np.array([known.labels.index(example.label) for example in known.examples], dtype=np.int64)[
        strong.examples
    ]
    leading: set[int] = set()
    for clip_id, claim in claims:
        meets = (strong.clips == features.number(clip_id)) & (strong.starts < claim.stop) & (claim.start < strong.stops)
        leading.update(strong.examples[meets & (labels == claim.label)].tolist())
    return leading


class _Field:
    """Distances of labels in all frames of the library, made clip by clip."""

    def __init__(self, features: LibraryFeatures, known: Known, candidates: Candidates) -> None:
        self.features, self.known = features, known
        self.names = known.labels
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.labels = np.array([self.numbers[example.label] for example in known.examples], dtype=np.int64)
        order = np.argsort(candidates.clips, kind="stable")
        self.candidates = candidates.only(order)
        self._taken: dict[int, list[tuple[int, int, int]]] = {}  # by clip: start, stop, label
        for one in (*known.examples, *known.others):
            clip, start, stop = self._frames(one.segment)
            self._taken.setdefault(clip, []).append((start, stop, self.numbers[one.label]))
        self._refused: dict[int, list[tuple[int, int, int]]] = {}
        for name, segments in known.refused.items():
            for segment in segments if name in self.numbers else ():
                clip, start, stop = self._frames(segment)
                self._refused.setdefault(clip, []).append((start, stop, self.numbers[name]))

    def distances(self, clip: int) -> tuple[np.ndarray, np.ndarray]:
        """The nearest examples of all frames of a clip; a label that was refused somewhere is not near there."""
        distances, nearest = self._nearest(self._of(clip), 0, int(self.features.n_frames[clip]))
        for start, stop, label in self._refused.get(clip, ()):
            distances[start:stop, label], nearest[start:stop, label] = np.inf, -1
        return distances, nearest

    def taken(self, clip: int) -> np.ndarray:
        """Which frames (F, L) of a clip carry which label already."""
        taken = np.zeros((int(self.features.n_frames[clip]), len(self.names)), dtype=bool)
        for start, stop, label in self._taken.get(clip, ()):
            taken[start:stop, label] = True
        return taken

    def least_frames(self) -> np.ndarray:
        """How long a claim must be (E,), by its example."""
        lengths = [self._frames(example.segment) for example in self.known.examples]
        pieces = np.minimum([stop - start for _, start, stop in lengths], piece_frames(self.features.rate_hz))
        return np.asarray(LEAST_SHARE * pieces)

    def strengths(self, curve: Curve, *, both: bool) -> np.ndarray:
        """The strengths (N,) of the labels that free frames would get; with `both`, of all."""
        found = [np.zeros(0)]
        for clip in np.unique(self.candidates.clips).tolist():
            distances, _ = self.distances(clip)
            taken = self.taken(clip)
            found.append(curve.alone(distances)[~taken] if both else _strongest(curve, distances[~taken.any(axis=1)]))
        return np.concatenate(found)

    def claims(self, curve: Curve, rules: Rules, threshold: float) -> list[tuple[int, Claim]]:
        """Claims with their clips' ids, by clip and start."""
        least_frames = self.least_frames()
        claims: list[tuple[int, Claim]] = []
        for clip in np.unique(self.candidates.clips).tolist():
            distances, nearest = self.distances(clip)
            alone = curve.alone(distances)
            taken = self.taken(clip)
            if rules.both:
                found = shared_claims(alone, nearest, free=~taken, threshold=threshold, least_frames=least_frames)
            else:
                found = exclusive_claims(
                    curve.shared(distances),
                    alone,
                    nearest,
                    free=np.asarray(~taken.any(axis=1)),
                    threshold=threshold,
                    margin=rules.margin,
                    least_frames=least_frames,
                )
            claims += [(int(self.features.clip_ids[clip]), claim) for claim in found]
        return claims

    def background_frames(
        self, labelled: tuple[np.ndarray, np.ndarray, np.ndarray], searched: Collection[int] | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Frames without a label, as `labelled_frames` gives those with one: none of the labels is right there.

        Some are right, but which is not known. All the library together weighs BACKGROUND times as much as the
        examples of one label on average; without it, a few examples would say that whatever is near is right.
        """
        step, rows = BACKGROUND_STEP, [np.zeros((0, len(self.names)))]
        for clip in np.unique(self.candidates.clips).tolist():
            distances = self.distances(clip)[0][~self.taken(clip).any(axis=1)][::step]
            rows.append(distances[np.isfinite(distances).any(axis=1)])
        distances = np.concatenate(rows)
        ids = set(self.features.clip_ids.tolist() if searched is None else searched)
        n_frames = self.features.n_frames[np.isin(self.features.clip_ids, list(ids))].sum()
        _, truths, weights = labelled
        total = BACKGROUND * weights[truths >= 0].sum() / max(len(self.names), 1)
        return distances, np.full(len(distances), -1), np.full(len(distances), total * step / max(n_frames, 1))

    def labelled_frames(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What the curve is fitted to: distances (N, L), right labels (N,) and weights (N,) of frames.

        They are those of every example, as seen by all others; each example counts once. One that is alone with its
        label has no others that could be right, and tells nothing. Where a label was refused, it alone is seen.
        """
        parts = list(self._parts())
        if not parts:
            return np.zeros((0, len(self.names))), np.zeros(0, dtype=np.int64), np.zeros(0)
        distances, truths, weights = zip(*parts, strict=True)
        return np.concatenate(distances), np.concatenate(truths), np.concatenate(weights)

    def _parts(self) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        counts = np.bincount(self.labels, minlength=len(self.names))
        for number, example in enumerate(self.known.examples):
            clip, start, stop = self._frames(example.segment)
            label = self.labels[number]
            if counts[label] < 2:
                continue
            here = self._of(clip)
            distances, _ = self._nearest(here.only(here.examples != number), start, stop)
            clear = self.taken(clip)[start:stop].sum(axis=1) == 1  # where two labels are right, neither is wrong
            yield distances[clear], np.full(int(clear.sum()), label), _evenly(int(clear.sum()))
        for clip, places in self._refused.items():
            for start, stop, label in places:
                distances, _ = self._nearest(self._of(clip), start, stop)
                only = np.where(np.arange(len(self.names)) == label, distances, np.inf)
                yield only, np.full(stop - start, -1), _evenly(stop - start)

    def _nearest(self, candidates: Candidates, start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        return nearest_examples(candidates, self.labels, n_labels=len(self.names), start=start, stop=stop)

    def _of(self, clip: int) -> Candidates:
        first, last = np.searchsorted(self.candidates.clips, [clip, clip + 1])
        return self.candidates.only(np.arange(first, last))

    def _frames(self, segment: Segment) -> tuple[int, int, int]:
        """The number of a segment's clip, and its frames at the search rate."""
        clip = self.features.number(segment.clip_id)
        start, stop = self.features.rates[clip].search_segment(segment.start, segment.stop)
        return clip, start, stop


def _strongest(curve: Curve, distances: np.ndarray) -> np.ndarray:
    return np.asarray(curve.shared(distances).max(axis=1, initial=0.0))


def _evenly(n_frames: int) -> np.ndarray:
    """Weights of frames that together count as one."""
    return np.full(n_frames, 1.0 / max(n_frames, 1))
