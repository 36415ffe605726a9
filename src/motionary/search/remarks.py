"""What people may want to know about a result, beside its matches."""

from collections.abc import Sequence
from dataclasses import dataclass

from motionary.features import SEARCH_RATE_HZ
from motionary.search.exact import Query, SearchResult
from motionary.search.examples import Averaged, LibrarySegment, MotionSegment
from motionary.search.expanding import n_expanded
from motionary.search.short_clips import on_short_clips

LOOKING_AROUND = ("gist", "learned")  # descriptions of a frame that depend on the frames around it
FEW_FRAMES = 0.2  # a best match with fewer of the query's frames says that the tolerance was strict
LARGEST_SCALE = 0.99  # the command line's whole percents below 100
WHOLE_SECS = 4.0  # a clip that is longer shows more than one action, as a rule
WIDEST_SUGGESTED = 4.0  # deviations; beyond that nothing is told from anything


@dataclass(frozen=True)
class _Remark:
    text: str
    remedy: str = ""  # what to do, in words of the command line


def advice(
    result: SearchResult, *, at_least: int | None = None, where: Sequence[str] = (), with_options: bool = True
) -> list[str]:
    """Remarks on a result, in sentences: nothing found, what its numbers mean, a strict tolerance, where to cut.

    Without `with_options`, they do not say what to do by the options of the command line.
    """
    remarks = _remarks(result, at_least, where)
    parts = [(one.text, one.remedy if with_options else "") for one in remarks]
    return ["; ".join(part for part in both if part) for both in parts if any(both)]


def _remarks(result: SearchResult, at_least: int | None, where: Sequence[str]) -> list[_Remark]:
    query, matches = result.query, result.matches
    remarks = [_Remark(query.reason)] if query.reason else []
    n_best = n_expanded(result)
    if n_best:
        what = f"the mean of the query and its {n_best} best {'match' if n_best == 1 else 'matches'}"
        remarks.append(_Remark(f"compared with the query, and with {what}: distances are to the nearer of both"))
    if n_best and query.expand is None:
        remarks.append(_Remark("", "--expand 0 compares the query alone"))
    if not matches:
        like = f" that fulfils {' and '.join(where)}" if where else ""
        remarks.append(_Remark(f"no match{like} in {result.n_windows:,} windows of {result.n_clips:,} clips"))
        if result.n_windows == 0:
            remarks.append(_Remark(f"all searched clips are shorter than {_shortest(result)}"))
    else:
        remarks += _on_short_clips(result)
    remarks += _on_whole_clips(result)
    seen = [name for name in LOOKING_AROUND if name in query.descriptions]
    if isinstance(query.example, MotionSegment) and query.example.is_whole and seen:
        remarks.append(
            _Remark(
                f"{query.example.name} has no frames before and after it, so its description ({seen[0]}) near its ends "
                "is an estimate. Its original place may be found a few frames off",
                f"use FILE:START-STOP of a longer file{', --expand 0' if n_best else ''}, or -d positions",
            )
        )
    if query.distance == "lcss":
        remarks += _on_tolerance(result)
    elif any(match.mean < 0.0 for match in matches):
        remarks.append(_on_means_below_zero(query))
    if at_least is not None:
        remarks.append(_on_window(result, at_least))
    if result.suggested_cut is not None:
        remarks.append(_Remark(f"largest gap after match {result.suggested_cut}; later matches may be unrelated"))
    return remarks


def _original_queries(result: SearchResult) -> tuple[Query, ...]:
    """The queries as users gave them: without the mean that a query was expanded to."""
    return result.asked if result.asked and not n_expanded(result) else (result.query,)


def _shortest(result: SearchResult) -> str:
    """What a clip must not be shorter than, in words."""
    queries = _original_queries(result)
    secs = min(query.example.n_frames for query in queries) / _rate_hz(result)
    return f"{'every example' if len(queries) > 1 else 'the query'} ({secs:.2f} s)"


def _on_short_clips(result: SearchResult) -> list[_Remark]:
    remark = on_short_clips(result.n_too_short, result.n_clips + result.n_too_short, _shortest(result))
    if not remark:
        return []
    scale = result.query.scale
    wider = "" if scale >= LARGEST_SCALE else " or a larger --scale" if scale else " or --scale"
    return [_Remark(f"{remark} and cannot match", f"use a shorter query{wider}")]


def _on_whole_clips(result: SearchResult) -> list[_Remark]:
    """Matches are as long as their example, so whole clips find no single actions."""
    examples = [query.example for query in _original_queries(result)]
    if isinstance(examples[0], Averaged):
        examples = list(examples[0].examples)
    n_most = WHOLE_SECS * _rate_hz(result)
    long = [one for one in examples if isinstance(one, LibrarySegment) and one.is_whole and one.n_frames > n_most]
    if not long:
        return []
    secs = max(one.n_frames for one in long) / _rate_hz(result)
    if len(examples) == 1:
        return [
            _Remark(
                f"the query is a whole clip of {secs:.1f} s, and matches are about as long",
                "to find a part of it, name its frames: CLIP:START-STOP",
            )
        ]
    everyone = "both" if len(long) == 2 else f"all {len(long)}"
    which = everyone if len(long) == len(examples) else f"{len(long)} of the {len(examples)}"
    what = "is a whole clip" if len(long) == 1 else "are whole clips"
    return [
        _Remark(
            f"{which} examples {what} of up to {secs:.1f} s, and matches are about as long as their example",
            "to find single actions, label or name only their frames: CLIP:START-STOP",
        )
    ]


def _rate_hz(result: SearchResult) -> float:
    return result.matches[0].rate_hz if result.matches else SEARCH_RATE_HZ


def _on_means_below_zero(query: Query) -> _Remark:
    if query.unlike:
        below = "matches are farther from the counterexamples than from the query, with the weights given"
    else:
        below = "the parts with negative weights differ more than all others"
    return _Remark(f"negative means: {below}; lower is better")


def _on_tolerance(result: SearchResult) -> list[_Remark]:
    """LCSS asks that all dimensions are near at once: with many of them, hardly anything is."""
    query, best = result.query, min((match.distance for match in result.matches), default=1.0)
    if best < 1.0 - FEW_FRAMES or (not result.matches and query.within is not None and query.within < 1.0 - FEW_FRAMES):
        return []
    share = f"the best match has {1.0 - best:.0%} of the query's frames" if result.matches else "no match has a frame"
    wider = min(max(2.0 * query.tolerance, 0.1), WIDEST_SUGGESTED)
    return [
        _Remark(
            f"a tolerance of {query.tolerance:g} is strict here: {share} in common with it; "
            + (f"{wider:g}, or fewer joints, finds more" if wider > query.tolerance else "fewer joints find more")
        )
    ]


def _on_window(result: SearchResult, at_least: int) -> _Remark:
    window = result.query.window
    shares = window if isinstance(window, tuple) else (window,)
    width = " to ".join(f"{share:.0%}" for share in dict.fromkeys((min(shares), max(shares))))
    n_found = len(result.matches)
    if n_found >= at_least:
        return _Remark(f"{n_found} found with a window of {width}")
    return _Remark(
        f"only {n_found} of {at_least} matches found, even with a window of {width}", "increase --within to find more"
    )
