"""What people may want to know about a result, beside its matches."""

from collections.abc import Sequence

from motionary.search.exact import Query, SearchResult
from motionary.search.examples import MotionSegment
from motionary.search.expanding import n_expanded

LOOKING_AROUND = ("gist", "learned")  # descriptions of a frame that depend on the frames around it
FEW_FRAMES = 0.2  # a best match with fewer of the query's frames says that the tolerance was strict
WIDEST_SUGGESTED = 4.0  # deviations; beyond that nothing is told from anything


def advice(result: SearchResult, *, at_least: int | None = None, where: Sequence[str] = ()) -> list[str]:
    """Remarks on a result, in sentences: nothing found, what its numbers mean, a strict tolerance, where to cut."""
    query, matches = result.query, result.matches
    remarks = [query.reason] if query.reason else []
    n_best = n_expanded(result)
    if n_best:
        what = f"the mean of the query and its {n_best} best {'match' if n_best == 1 else 'matches'}"
        remarks.append(f"compared with the query, and with {what}: distances are to the nearer of both")
    if n_best and query.expand is None:
        remarks.append("--expand 0 compares the query alone")
    if not matches:
        like = f" that fulfils {' and '.join(where)}" if where else ""
        remarks.append(f"no match{like} in {result.n_windows:,} windows of {result.n_clips:,} clips")
        if result.n_windows == 0:
            remarks.append(f"all searched clips are shorter than {query.example.n_frames} frames at the search rate")
    seen = [name for name in LOOKING_AROUND if name in query.descriptions]
    if isinstance(query.example, MotionSegment) and query.example.is_whole and seen:
        remarks.append(
            f"{query.example.name} has no frames before and after it, so its description ({seen[0]}) near its ends is "
            "an estimate. Its original place may be found a few frames off; "
            f"use FILE:START-STOP of a longer file{', --expand 0' if n_best else ''}, or -d positions"
        )
    if query.distance == "lcss":
        remarks += _on_tolerance(result)
    elif any(match.mean < 0.0 for match in matches):
        remarks.append(_on_means_below_zero(query))
    if at_least is not None:
        remarks.append(_on_window(result, at_least))
    if result.suggested_cut is not None:
        remarks.append(f"largest gap after match {result.suggested_cut}; later matches may be unrelated")
    return remarks


def _on_means_below_zero(query: Query) -> str:
    if query.unlike:
        below = "matches are farther from the counterexamples (--unlike) than from the query, with the weights given"
    else:
        below = "the parts with negative weights differ more than all others"
    return f"negative means: {below}; lower is better"


def _on_tolerance(result: SearchResult) -> list[str]:
    """LCSS asks that all dimensions are near at once: with many of them, hardly anything is."""
    query, best = result.query, min((match.distance for match in result.matches), default=1.0)
    if best < 1.0 - FEW_FRAMES or (not result.matches and query.within is not None and query.within < 1.0 - FEW_FRAMES):
        return []
    share = f"the best match has {1.0 - best:.0%} of the query's frames" if result.matches else "no match has a frame"
    wider = min(max(2.0 * query.tolerance, 0.1), WIDEST_SUGGESTED)
    return [
        f"a tolerance of {query.tolerance:g} is strict here: {share} in common with it; "
        + (f"{wider:g}, or fewer joints, finds more" if wider > query.tolerance else "fewer joints find more")
    ]


def _on_window(result: SearchResult, at_least: int) -> str:
    window = result.query.window
    shares = window if isinstance(window, tuple) else (window,)
    width = " to ".join(f"{share:.0%}" for share in dict.fromkeys((min(shares), max(shares))))
    n_found = len(result.matches)
    if n_found >= at_least:
        return f"{n_found} found with a window of {width}"
    return f"only {n_found} of {at_least} matches found, even with a window of {width}; increase --within to find more"
