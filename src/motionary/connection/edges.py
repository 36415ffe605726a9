"""A motion graph's transitions as edges between frames of a pool, and what can be reached along them in time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

import numpy as np
from numba import njit

from motionary.graph import MotionGraph
from motionary.transition import Pool

SHORTEST = 3  # frames of a blend


@dataclass(frozen=True, eq=False)
class Edges:
    """Blends from frame to frame of clips that lie one after the other, in the order of their departures.

    Clips of which not all can be played on come in pieces; `starts` says where these begin.
    """

    starts: np.ndarray  # (C + 1,) int64: piece c has the frames [starts[c], starts[c + 1])
    departs: np.ndarray  # (N,) int64 ascending
    arrives: np.ndarray  # (N,) int64
    lengths: np.ndarray  # (N,) int64 frames from departure to arrival
    costs: np.ndarray  # (N,) distances, metres

    @classmethod
    def none(cls, pool: Pool, *, breaks: Sequence[int] = ()) -> "Edges":
        """No blends, and clips that may be played, but not across `breaks`."""
        nothing = np.zeros(0, dtype=np.int64)
        return cls(_pieces(pool, breaks), nothing, nothing, nothing, np.zeros(0))

    @classmethod
    def of(cls, graph: MotionGraph, pool: Pool, *, breaks: Sequence[int] = ()) -> "Edges":
        """The transitions of a graph among the clips that the pool has, at the pool's rate. Before a frame of `breaks`
        nothing is played on."""
        numbers = {int(clip_id): n for n, clip_id in enumerate(pool.clip_ids)}
        in_pool = np.array([numbers.get(int(clip_id), -1) for clip_id in graph.clip_ids], dtype=np.int64)
        ratio = 1.0 / (graph.rate_hz * pool.frame_time)

        def at_rate(frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            clips = graph.ways.clip_of(frames)
            own = np.rint((frames - graph.ways.starts[clips]) * ratio).astype(np.int64)
            return pool.starts[np.maximum(in_pool[clips], 0)] + own, in_pool[clips]

        departs, sources = at_rate(graph.departs)
        arrives, targets = at_rate(graph.arrives)
        lengths = np.maximum(np.rint(graph.lengths * ratio).astype(np.int64), SHORTEST)
        kept = (sources >= 0) & (targets >= 0)
        kept &= (departs + lengths < pool.starts[sources + 1]) & (arrives - lengths >= pool.starts[targets])
        kept &= arrives < pool.starts[targets + 1]
        order = np.lexsort((arrives, departs))
        order = order[kept[order]]
        costs = np.sqrt(np.maximum(graph.costs, 0.0))
        return cls(_pieces(pool, breaks), departs[order], arrives[order], lengths[order], costs[order])

    @property
    def n_frames(self) -> int:
        return int(self.starts[-1])

    def clip_start(self, frame: int) -> int:
        """Where the clip of a frame, or the piece of it, begins."""
        return int(self.starts[np.searchsorted(self.starts, frame, side="right") - 1])

    def clip_stop(self, frame: int) -> int:
        """Where the clip of a frame, or the piece of it, ends."""
        return int(self.starts[np.searchsorted(self.starts, frame, side="right")])

    def first_departures(self, frames: np.ndarray) -> np.ndarray:
        """The first departures (N,) that are not before frames, in their clips; −1 where there is none."""
        found = np.searchsorted(self.departs, frames)
        stops = self.starts[np.searchsorted(self.starts, frames, side="right")]
        there = (found < len(self.departs)) & (np.append(self.departs, 0)[found] < stops)
        return np.where(there, found, -1)

    @cached_property
    def following(self) -> np.ndarray:
        """The next departure of the same clip after each; −1: none."""
        clips = np.searchsorted(self.starts, self.departs, side="right")
        after = np.arange(1, len(self.departs) + 1)
        return np.where(np.append(clips[1:], -1) == clips, after, -1)

    @cached_property
    def onwards(self) -> np.ndarray:
        """The first departure after each arrival, when a frame of the clip has been played; −1: none."""
        found = self.first_departures(np.minimum(self.arrives + 1, self.n_frames - 1))
        return np.where(self.onwards_play, found, -1)

    @cached_property
    def onwards_play(self) -> np.ndarray:
        """Whether a frame of the clip is left to be played after each arrival."""
        return np.asarray(self.arrives + 1 < self.starts[np.searchsorted(self.starts, self.arrives, side="right")])

    @cached_property
    def backwards(self) -> "Edges":
        """The same with time reversed: edge n is the last but n there is in the order of arrivals."""
        last = self.n_frames - 1
        order = self.by_arrival[::-1]
        return Edges(
            self.n_frames - self.starts[::-1],
            last - self.arrives[order],
            last - self.departs[order],
            self.lengths[order],
            self.costs[order],
        )

    @cached_property
    def by_arrival(self) -> np.ndarray:
        """The numbers (N,) of the edges in the order of their arrivals."""
        return np.lexsort((self.departs, self.arrives))


def _pieces(pool: Pool, breaks: Sequence[int]) -> np.ndarray:
    """Where clips and their pieces begin, and where the last one ends."""
    return np.union1d(pool.starts, np.asarray(breaks, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Reach:
    """What can be reached from some frames: the edges that can be taken in time, and by which edges before them."""

    edges: Edges
    taken: np.ndarray  # (K,) int64 the edges, ascending
    taken_at: np.ndarray  # (N,) int64 of every edge: frames from the start to its departure; −1: not taken
    came_from: np.ndarray  # (N,) int64 the edge before it; −1: from the start
    started: np.ndarray  # (N,) int64 the frame where it started

    def way(self, edge: int) -> tuple[int, ...]:
        """The edges from the start to this one, itself the last."""
        way = [edge]
        while self.came_from[way[-1]] >= 0:
            way.append(int(self.came_from[way[-1]]))
        return tuple(reversed(way))


def reach(edges: Edges, starts: Sequence[int], most_frames: int, *, frames_per_metre: float) -> Reach:
    """The edges that can be taken and left again within so many frames, from any of some frames.

    Each is reached the way that costs least: its frames, and `frames_per_metre` for the distance of every edge on it.
    The clip must be played for a frame at least between two edges.
    """
    begins = np.array(starts, dtype=np.int64)
    taken_at, came_from, started = (np.full(len(edges.departs), -1, dtype=np.int64) for _ in range(3))
    if len(edges.departs):
        _reach(
            edges.departs, edges.arrives, edges.lengths, edges.costs, edges.following, edges.onwards, begins,
            edges.first_departures(begins), most_frames, frames_per_metre, taken_at, came_from, started,
        )  # fmt: skip
    return Reach(edges, np.flatnonzero(taken_at >= 0), taken_at, came_from, started)


@njit(cache=True, nogil=True)
def _reach(  # type: ignore[no-untyped-def]
    departs, arrives, lengths, costs, following, onwards, starts, firsts, most_frames, frames_per_metre, taken_at,
    came_from, started,
):  # fmt: skip
    """Dijkstra's search; an edge is a node at its departure: it may be taken, or the clip played on to the next."""
    seen = np.zeros(len(departs), dtype=np.bool_)
    # cost, frames, edge, the edge before it, the frame where it all started
    heap = [(np.float64(0.0), np.int64(0), np.int64(-1), np.int64(-1), np.int64(-1))]
    heap.pop()
    for n in range(len(starts)):
        if firsts[n] >= 0:
            wait = departs[firsts[n]] - starts[n]
            heappush(heap, (np.float64(wait), wait, firsts[n], np.int64(-1), starts[n]))
    while len(heap):
        cost, frames, edge, before, start = heappop(heap)
        if frames > most_frames or seen[edge]:
            continue
        seen[edge] = True
        after = following[edge]
        if after >= 0 and not seen[after]:
            wait = departs[after] - departs[edge]
            heappush(heap, (cost + wait, frames + wait, after, before, start))
        landed = frames + lengths[edge]
        if landed > most_frames:
            continue
        taken_at[edge], came_from[edge], started[edge] = frames, before, start
        after = onwards[edge]
        if after >= 0 and not seen[after]:
            wait = departs[after] - arrives[edge]
            price = cost + lengths[edge] + frames_per_metre * costs[edge]
            heappush(heap, (price + wait, landed + wait, after, edge, start))
