"""Segments by their properties alone, without an example: walks that turn left, jumps, sitting down."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from motionary.alignment import Alignment, Match, Result
from motionary.arguments import texts
from motionary.bank import Bank, check_is_bank, chosen_clips
from motionary.errors import UsageError
from motionary.library import LibraryFeatures, build_features, one_snapshot
from motionary.motion import Rates, Segment, empty_frames, mask_intervals, mask_of_intervals
from motionary.qualities import PROPERTIES, Condition, read_condition
from motionary.requests import ClipFilter
from motionary.search.per_group import one_per_group
from motionary.search.properties import PropertyCurves

METHOD = "property"
LENGTH_SECS = 2.0


@dataclass(frozen=True, eq=False, kw_only=True)
class PropertyQuery(ClipFilter):
    """What was asked for: conditions, and the length of the segments."""

    where: tuple[str, ...] = ()
    length_secs: float = LENGTH_SECS
    k: int | None = 10


@dataclass(frozen=True, eq=False, repr=False)
class PropertyResult(Result):
    """Segments that fulfil all conditions, those first that have most (or least) of the first one.

    Each is a match of no query: its `mean` is its value of the first condition's property.
    """

    query: PropertyQuery
    matches: tuple[Match, ...]
    values: dict[Segment, dict[str, float]] = field(default_factory=dict)  # of all conditions' properties

    def properties_of(self, match: Match) -> str:
        """In words: turn 82.14 °, speed 1.20 m/s."""
        return ", ".join(f"{name} {value:.2f} {PROPERTIES[name]}" for name, value in self.values[match.segment].items())

    @property
    def _mean_is(self) -> str:
        return next(iter(next(iter(self.values.values()), {})), "mean")


@one_snapshot
def find_segments(
    bank: Bank,
    where: str | Sequence[str],
    *,
    length_secs: float = LENGTH_SECS,
    k: int | None = 10,
    per: str = "match",
    features: LibraryFeatures | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
    **clips: Any,
) -> PropertyResult:
    """The segments of the bank that fulfil all conditions (`"turn > 60"`), without an example.

    Segments have `length_secs`, or that of their clip if it is shorter, and do not overlap. With `labels` they lie
    within frames that have all of these labels, and are as long as these if there are fewer. Artificial T-poses and
    all-zero frames are left out. Those come first that have most of the first condition's property, or least if it
    asks for less. `clips` choose the clips to look through: `text`, `labels`, `names`, `without_labels`,
    `without_names`. `per="clip"` lists the best of each clip, `per="performer"` that of each skeleton.
    """
    check_is_bank(bank)
    given = texts(where, "where")
    if not given:
        raise UsageError("give at least one condition, such as 'turn > 60'")
    conditions = [read_condition(text, PROPERTIES) for text in given]
    if not (np.isfinite(length_secs) and length_secs > 0):
        raise UsageError(f"the length of segments must be above 0 seconds, not {length_secs:g}")
    query = PropertyQuery(where=given, length_secs=length_secs, k=k, **clips)
    wanted = chosen_clips(bank, query)
    known = build_features(bank, message=message, progress=progress) if features is None else features
    found = _found(bank, known, query, conditions, wanted)
    result = one_per_group(bank, per, k, lambda most: PropertyResult(query, found.matches[:most], found.values))
    names = bank.clip_names(match.segment.clip_id for match in result.matches)
    matches = tuple(replace(match, clip=names[match.segment.clip_id]) for match in result.matches)
    return replace(result, matches=matches, values={match.segment: found.values[match.segment] for match in matches})


def _found(
    bank: Bank,
    features: LibraryFeatures,
    query: PropertyQuery,
    conditions: Sequence[Condition],
    wanted: set[int] | None,
) -> PropertyResult:
    """All segments that fulfil the conditions and do not overlap, best first."""
    names = tuple(dict.fromkeys(condition.quality for condition in conditions))
    first = conditions[0]
    sign = -1.0 if first.sign.startswith(">") else 1.0
    rows: list[tuple[float, int, int, int, dict[str, float]]] = []
    for clip_id, starts, length in _windows(bank, features, query, wanted):
        curves = PropertyCurves(features.of(clip_id).arrays, features.rate_hz)
        values = curves.measure(names, starts, starts + length)
        holds = np.ones(len(starts), dtype=bool)
        for condition in conditions:
            holds &= condition.holds_each(values[condition.quality])
        keys = sign * values[first.quality]
        for n in _apart(starts, np.flatnonzero(holds), keys, length):
            own = {name: float(values[name][n]) for name in names}
            rows.append((float(keys[n]), clip_id, int(starts[n]), length, own))
    rows.sort(key=lambda row: row[:3])
    matches, by_segment = [], {}
    for rank, (_, clip_id, start, length, own) in enumerate(rows, start=1):
        rates = features.rates[features.number(clip_id)]
        segment = Segment(clip_id, *rates.clip_segment(start, start + length))
        by_segment[segment] = own
        match = _match(segment, rank, own[first.quality], PROPERTIES[first.quality], length, features.rate_hz)
        matches.append(replace(match, properties=own))
    return PropertyResult(query, tuple(matches), by_segment)


def _windows(
    bank: Bank, features: LibraryFeatures, query: PropertyQuery, wanted: set[int] | None
) -> Iterator[tuple[int, np.ndarray, int]]:
    """Clips, and where windows of which length begin in them: in every stretch of labelled frames, or in all frames."""
    n_wanted = max(2, round(query.length_secs * features.rate_hz))
    noted = {clip.id for clip in bank.clips() if clip.notes}  # what nothing is noted of has no empty frames
    labelled = [bank.labelled(label) for label in query.labels]
    for number, clip_id in enumerate(features.clip_ids.tolist()):
        if wanted is not None and clip_id not in wanted:
            continue
        rates = features.rates[number]
        moving = np.ones(rates.n_search_frames, dtype=bool)
        if clip_id in noted:
            moving = _moving(empty_frames(bank.motion(clip_id)), rates)
        has_labels = np.ones(rates.n_frames, dtype=bool)
        for segments in labelled:
            own = [(one.start, one.stop) for one in segments if one.clip_id == clip_id]
            has_labels &= mask_of_intervals(np.array(own, dtype=np.int64), rates.n_frames)
        for stretch in mask_intervals(has_labels).tolist():
            start, stop = rates.search_segment_inside(*stretch)
            longest = int(np.max(np.diff(mask_intervals(moving[start:stop])), initial=0))
            if longest >= 2:
                length = min(n_wanted, longest)
                fits = sliding_window_view(moving[start:stop], length).all(axis=1)
                yield clip_id, start + np.flatnonzero(fits), length


def _moving(empty: np.ndarray, rates: Rates) -> np.ndarray:
    """Which search frames show movement: neither empty frames nor those beside them, whose speeds are of a jump."""
    moving = np.ones(rates.n_search_frames, dtype=bool)
    for interval in mask_intervals(empty).tolist():
        start, stop = rates.search_segment(*interval)
        moving[max(0, start - 1) : stop + 1] = False
    return moving


def _apart(starts: np.ndarray, chosen: np.ndarray, keys: np.ndarray, length: int) -> list[int]:
    """Which of the chosen segments do not overlap, best first."""
    taken: list[int] = []
    is_free = np.ones(len(keys), dtype=bool)
    for n in chosen[np.argsort(keys[chosen], kind="stable")].tolist():
        if is_free[n]:
            taken.append(n)
            is_free[np.abs(starts - starts[n]) < length] = False
    return taken


def _match(segment: Segment, rank: int, value: float, unit: str, n_frames: int, rate_hz: float) -> Match:
    """A segment as a match of no query: each stands for itself, and its distance is its place in the list."""
    alignment = Alignment(np.repeat(np.arange(n_frames)[:, None], 2, axis=1))
    return Match(segment, float(rank), value, unit, METHOD, alignment, n_query=n_frames, rate_hz=rate_hz)
