"""Endless walks: seeded, and drawn to labels if wanted."""

from collections.abc import Mapping

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.graph.motion_graph import MotionGraph
from motionary.graph.route import Route
from motionary.graph.searching import times_to

HORIZON_SECS = 3.0  # how far ahead departures are considered
DRAWN_SECS = 1.0  # a way to a preferred label that is longer by this is an e-th as likely, for a preference of 1


def random_walk(
    graph: MotionGraph,
    *,
    rng: np.random.Generator,
    secs: float | None = None,
    n_transitions: int | None = None,
    start: int | None = None,
    prefer: Mapping[str, float] | None = None,
) -> Route:
    """A walk of so many seconds, or so many transitions; it could go on forever.

    From every arrival it leaves by one of the departures of the next seconds, cheaper ones more likely. `prefer` draws
    it to labels, the more the larger the number; a label is not enforced.
    """
    if not graph.n_transitions:
        raise UsageError("a graph without transitions cannot be walked")
    if (secs is None) == (n_transitions is None):
        raise UsageError("say either how many seconds or how many transitions a walk has")
    weights = _weights(graph, prefer or {})
    horizon = max(1, round(HORIZON_SECS * graph.rate_hz))
    n_frames = 2**62 if secs is None else round(secs * graph.rate_hz)
    if start is None:
        start = int(graph.arrives[int(rng.integers(graph.n_transitions))])
    if graph.first_departures[start] < 0:
        raise UsageError(f"frame {start} of the graph leads nowhere; start before the last departure of its clip")
    taken: list[np.ndarray] = []
    frame, left, known = start, n_frames, 0
    while left > 0 and (n_transitions is None or known < n_transitions):
        n = min(1 << 16, (n_transitions - known) if n_transitions is not None else max(16, left // 4))
        part, frame, left = _walk(
            graph.departs, graph.arrives, graph.lengths, graph.first_departures, graph.clip_stops,
            np.cumsum(weights), rng.random(n), frame, left, horizon, graph.dwell if known or taken else 0, graph.dwell,
        )  # fmt: skip
        if not len(part):
            raise UsageError(f"the walk came to a dead end after {known} transitions; walk a pruned graph")
        taken.append(part)
        known += len(part)
    every = np.concatenate([*taken, np.zeros(0, dtype=np.int64)])
    return _ended(graph, start, every, n_frames if secs is not None else None)


def _ended(graph: MotionGraph, start: int, taken: np.ndarray, n_frames: int | None) -> Route:
    """The route, cut where it has been long enough; never within a blend, of which the source then plays on."""
    if n_frames is None:
        return Route(graph, start, taken, int(graph.arrives[taken[-1]]) if len(taken) else start)
    frame, left = start, n_frames
    for n, number in enumerate(taken.tolist()):
        run, length = int(graph.departs[number]) - frame, int(graph.lengths[number])
        if run + length >= left:
            return Route(graph, start, taken[:n], min(frame + left, int(graph.clip_stops[frame]) - 1))
        frame, left = int(graph.arrives[number]), left - run - length
    return Route(graph, start, taken, min(frame + left, int(graph.clip_stops[frame]) - 1))


def _weights(graph: MotionGraph, prefer: Mapping[str, float]) -> np.ndarray:
    """How likely every transition is to be taken, compared with others."""
    scale = max(float(np.median(graph.costs)), 1e-12)
    logarithms = -graph.costs / scale
    for label, strength in prefer.items():
        if not (np.isfinite(strength) and strength > 0.0):
            raise UsageError(f"a preference must be above 0; {label}={strength:g} is not")
        ahead = times_to(graph, graph.labelled(label))[graph.arrives] / graph.rate_hz
        if not np.isfinite(ahead).any():
            raise UsageError(f"the label {label!r} cannot be reached in this graph")
        logarithms -= strength * np.minimum(np.where(np.isfinite(ahead), ahead, 60.0), 60.0) / DRAWN_SECS
    return np.exp(logarithms - logarithms.max()) + 1e-12


@njit(cache=True, nogil=True)
def _walk(departs, arrives, lengths, firsts, stops, sums, draws, frame, left, horizon, wait, dwell):  # type: ignore[no-untyped-def]
    """Take a transition for every draw, while frames are left; returns them, the frame arrived at, and frames left."""
    taken = np.empty(len(draws), dtype=np.int64)
    n = 0
    while n < len(draws) and left > 0:
        ready = min(frame + wait, stops[frame] - 1)
        first = firsts[ready]
        if first < 0:
            break
        last = np.searchsorted(departs, min(max(ready, departs[first]) + horizon, stops[frame]))
        below = sums[first - 1] if first > 0 else 0.0
        drawn = below + draws[n] * (sums[last - 1] - below)
        k = min(max(np.searchsorted(sums, drawn, side="right"), first), last - 1)
        taken[n] = k
        left -= departs[k] - frame + lengths[k]
        frame = arrives[k]
        wait = dwell
        n += 1
    return taken[:n].copy(), frame, left
