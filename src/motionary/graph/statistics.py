"""What there is to say about a graph: its size, how it branches, how far any frame is from any other."""

from typing import Any

import numpy as np

from motionary.graph.bank_graph import BuiltGraph
from motionary.graph.motion_graph import MotionGraph
from motionary.graph.searching import times_to

SPEEDS = (("still", 0.1), ("slow", 0.5), ("moderate", 1.5), ("fast", np.inf))  # m/s, mean of the body's points
N_GOALS = 48  # frames to which reach is measured
N_STARTS = 1000  # and from which
MOST_LABELS = 12


def graph_facts(built: BuiltGraph, *, reach: bool = True) -> dict[str, Any]:
    """Numbers about a graph; `reach` takes a moment for large ones."""
    graph, whole = built.graph, built.whole
    components = whole.components()
    found = {
        "graph": built.name,
        "of": built.of,
        "metric": built.settings.metric,
        "method": built.made_by["method"],
        "rate_hz": built.settings.rate_hz,
        "clips": graph.ways.n_clips,
        "secs": round(graph.duration_secs, 2),
        "candidates": len(built.candidates),
        "within_threshold": int((built.candidates <= built.limit).sum()),
        "threshold": built.threshold.text,
        "threshold_cm": round(100.0 * float(np.sqrt(max(built.limit, 0.0))), 2),
        "dwell_secs": round(graph.dwell / graph.rate_hz, 3),
        "transitions": graph.n_transitions,
        "pruned": whole.n_transitions - graph.n_transitions,
        "components": len(components),
        "clips_connected": len(np.unique(graph.ways.clip_of(graph.departs))),
        "choices_per_sec": round(graph.n_transitions / max(covered_secs(graph), 1e-9), 2),
        "by_speed": transitions_by_speed(built),
        "bytes": sum(table.entry.n_bytes for table in built.artefact.tables.values()),
    }
    if reach and graph.n_transitions:
        found |= {"reach_secs": reach_secs(graph), "reach_label_secs": reach_labels(graph)}
        found["unreachable_labels"] = unreachable_labels(graph)
    return found


def covered_secs(graph: MotionGraph) -> float:
    """Seconds of the library that a walk comes through."""
    return int(walked_frames(graph).sum()) / graph.rate_hz


def transitions_by_speed(built: BuiltGraph) -> dict[str, int]:
    """How many transitions lie where the body is still, slow, moderate or fast."""
    bands = np.searchsorted([limit for _, limit in SPEEDS], built.speeds, side="right")
    return {name: int((bands == n).sum()) for n, (name, _) in enumerate(SPEEDS)}


def reach_secs(graph: MotionGraph, *, n_goals: int = N_GOALS) -> dict[str, float]:
    """How long it takes from any frame of the graph to any other: median, 90 % and longest of a fixed sample.

    The frames are those that a walk comes to and leaves again, as likely deep in a clip as beside a transition.
    """
    walked = np.flatnonzero(walked_frames(graph))
    goals = np.sort(np.random.default_rng(0).choice(walked, size=min(n_goals, len(walked)), replace=False))
    starts = _evenly(walked)
    times = []
    for goal in goals.tolist():
        mask = np.zeros(graph.ways.n_frames, dtype=bool)
        mask[goal] = True
        times.append(times_to(graph, mask)[starts])
    every = np.concatenate(times) / graph.rate_hz
    every = every[np.isfinite(every)]
    median, most, longest = np.quantile(every, [0.5, 0.9, 1.0]).tolist() if len(every) else (0.0, 0.0, 0.0)
    return {"median": round(median, 2), "90%": round(most, 2), "longest": round(longest, 2)}


def walked_frames(graph: MotionGraph) -> np.ndarray:
    """Which frames (F,) a walk comes to as they are, and can leave again by a transition."""
    return _reached(graph) & (graph.first_departures >= 0)


def _reached(graph: MotionGraph) -> np.ndarray:
    """Which frames (F,) are played after some transition, before anything else is taken."""
    ends = np.zeros(graph.ways.n_frames + 1, dtype=np.int64)
    np.add.at(ends, graph.arrives, 1)
    np.add.at(ends, graph.clip_stops[graph.arrives], -1)
    return np.asarray(np.cumsum(ends[:-1]) > 0)


def _evenly(frames: np.ndarray) -> np.ndarray:
    return np.asarray(frames[:: max(1, len(frames) // N_STARTS)])


def unreachable_labels(graph: MotionGraph) -> list[str]:
    """Labels of the graph's clips that no walk comes to."""
    reached = _reached(graph)
    return sorted(label for label in graph.labels if not reached[graph.labelled(label)].any())


def reach_labels(graph: MotionGraph) -> dict[str, float]:
    """How long it takes from any frame to each label, in the median; only labels that can be reached."""
    starts = _evenly(np.flatnonzero(walked_frames(graph)))
    found = {}
    for label in sorted(graph.labels, key=lambda name: -int(np.diff(graph.labels[name]).sum()))[:MOST_LABELS]:
        times = times_to(graph, graph.labelled(label))[starts] / graph.rate_hz
        if np.isfinite(times).any():
            found[label] = round(float(np.median(times[np.isfinite(times)])), 2)
    return found
