"""Strong components under minimum dwell: what can be walked forever, leaving a transition only after it has ended."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Departures:
    """Transitions in the order of their departures, and where a walk may go from each.

    At a departure there are two ways: stay in the clip until its next departure, or take the transition and arrive, to
    leave again at the first departure that is not before arrival and dwell.
    """

    departs: np.ndarray  # (N,) frames of the library, ascending
    arrives: np.ndarray  # (N,)
    stays_at: np.ndarray  # (N,) the next departure of the same clip; −1 if there is none
    leads_to: np.ndarray  # (N,) the first departure after arrival and dwell; −1 if there is none

    @property
    def n_transitions(self) -> int:
        return len(self.departs)


def departures(departs: np.ndarray, arrives: np.ndarray, clip_stops: np.ndarray, *, dwell: int) -> Departures:
    """From frames of the library (N,), departures ascending; `clip_stops` (F,) says where the clip of a frame ends."""
    n = len(departs)
    following = np.arange(1, n + 1)
    stays = np.where(
        (following < n) & (departs[np.minimum(following, n - 1)] < clip_stops[departs]) if n else np.zeros(0, bool),
        following,
        -1,
    )
    return Departures(departs, arrives, stays, next_departures(departs, arrives + dwell, clip_stops[arrives]))


def next_departures(departs: np.ndarray, frames: np.ndarray, stops: np.ndarray) -> np.ndarray:
    """The first departure not before each frame, in the clip that ends at `stops`; −1 if there is none."""
    if not len(departs):
        return np.full(len(frames), -1)
    found = np.searchsorted(departs, frames)
    there = (found < len(departs)) & (departs[np.minimum(found, len(departs) - 1)] < stops)
    return np.where(there, found, -1)


def strong_components(ways: Departures) -> np.ndarray:
    """The strong component (N,) of every departure."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    n = ways.n_transitions
    numbers = np.arange(n)
    edges = [(numbers[to >= 0], to[to >= 0]) for to in (ways.stays_at, ways.leads_to)]
    rows, columns = (np.concatenate([edge[side] for edge in edges]) for side in range(2))
    matrix = coo_matrix((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(n, n)).tocsr()
    return np.asarray(connected_components(matrix, directed=True, connection="strong")[1])


def within_components(ways: Departures) -> tuple[np.ndarray, np.ndarray]:
    """Which transitions (N,) lead back to where they left, and the strong component of each."""
    component = strong_components(ways)
    inside = (ways.leads_to >= 0) & (component == component[np.maximum(ways.leads_to, 0)])
    return inside, component


def largest_component(ways: Departures) -> np.ndarray:
    """Which transitions (N,) are in the largest strong component: that with the most transitions, the first of equals.

    None are if no walk can go on forever.
    """
    if not ways.n_transitions:
        return np.zeros(0, dtype=bool)
    inside, component = within_components(ways)
    if not inside.any():
        return inside
    counts = np.bincount(component[inside])
    firsts = np.full(len(counts), ways.n_transitions)
    np.minimum.at(firsts, component[inside], np.flatnonzero(inside))
    best = min(range(len(counts)), key=lambda c: (-counts[c], firsts[c]))
    return np.asarray(inside & (component == best))


def strong_transitions_reference(
    n_frames: int, clip_stops: np.ndarray, departs: np.ndarray, arrives: np.ndarray, *, dwell: int
) -> list[frozenset[int]]:
    """Sets of transitions that reach one another, frame by frame: whoever has arrived stays for `dwell` frames.

    From the definition: which frames can be reached from which, by playing on and by transitions.
    """
    reached = np.eye(n_frames, dtype=bool)
    for frame in range(n_frames - 1):
        if frame + 1 < clip_stops[frame]:
            reached[frame, frame + 1] = True
    landings = arrives + dwell
    for depart, arrive, landing in zip(departs.tolist(), arrives.tolist(), landings.tolist(), strict=True):
        if landing < clip_stops[arrive]:
            reached[depart, landing] = True
    for middle in range(n_frames):
        reached |= np.outer(reached[:, middle], reached[middle])
    groups: dict[frozenset[int], set[int]] = {}
    for number, (depart, arrive, landing) in enumerate(zip(departs, arrives, landings, strict=True)):
        if landing < clip_stops[arrive] and reached[landing, depart]:
            together = frozenset(np.flatnonzero(reached[depart] & reached[:, depart]).tolist())
            groups.setdefault(together, set()).add(number)
    return [frozenset(group) for group in groups.values()]
