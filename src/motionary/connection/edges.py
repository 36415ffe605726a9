"""A motion graph's transitions as edges between frames of a pool, and what can be reached along them in time."""

from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

import numpy as np

from motionary.graph import MotionGraph
from motionary.transition import Pool

SHORTEST = 3  # frames of a blend


@dataclass(frozen=True, eq=False)
class Edges:
    """Blends from frame to frame of clips that lie one after the other, in the order of their departures."""

    starts: np.ndarray  # (C + 1,) int64: clip c has the frames [starts[c], starts[c + 1])
    departs: np.ndarray  # (N,) int64 ascending
    arrives: np.ndarray  # (N,) int64
    lengths: np.ndarray  # (N,) int64 frames from departure to arrival
    costs: np.ndarray  # (N,) distances, metres

    @classmethod
    def none(cls, pool: Pool) -> "Edges":
        nothing = np.zeros(0, dtype=np.int64)
        return cls(pool.starts, nothing, nothing, nothing, np.zeros(0))

    @classmethod
    def of(cls, graph: MotionGraph, pool: Pool) -> "Edges":
        """The transitions of a graph among the clips that the pool has, at the pool's rate."""
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
        order = np.lexsort((arrives, departs))
        order = order[kept[order]]
        costs = np.sqrt(np.maximum(graph.costs, 0.0))
        return cls(pool.starts, departs[order], arrives[order], lengths[order], costs[order])

    @property
    def n_frames(self) -> int:
        return int(self.starts[-1])

    def clip_stop(self, frame: int) -> int:
        """Where the clip of a frame ends."""
        return int(self.starts[np.searchsorted(self.starts, frame, side="right")])

    def first_departure(self, frame: int) -> int:
        """The first departure that is not before a frame, in its clip; −1 if there is none."""
        found = int(np.searchsorted(self.departs, frame))
        return found if found < len(self.departs) and self.departs[found] < self.clip_stop(frame) else -1

    def following(self, edge: int) -> int:
        """The next departure of the same clip; −1 if there is none."""
        after = edge + 1
        there = after < len(self.departs) and self.departs[after] < self.clip_stop(int(self.departs[edge]))
        return after if there else -1

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


@dataclass(frozen=True, eq=False)
class Reach:
    """What can be reached from some frames: of each edge that can be taken in time, when, and by which edges before."""

    edges: Edges
    taken_at: dict[int, int]  # edge: frames from the start to its departure
    came_from: dict[int, int]  # edge: the edge before it; −1: from the start
    started: dict[int, int]  # edge: the frame where it started

    def way(self, edge: int) -> tuple[int, ...]:
        """The edges from the start to this one, itself the last."""
        way = [edge]
        while self.came_from[way[-1]] >= 0:
            way.append(self.came_from[way[-1]])
        return tuple(reversed(way))


def reach(edges: Edges, starts: list[int], most_frames: int, *, frames_per_metre: float) -> Reach:
    """The edges that can be taken and left again within so many frames, from any of some frames.

    Each is reached the way that costs least: its frames, and `frames_per_metre` for the distance of every edge on it.
    The clip must be played for a frame at least between two edges.
    """
    found = Reach(edges, {}, {}, {})
    seen: set[int] = set()
    heap: list[tuple[float, int, int, int, int]] = []  # cost, frames, edge, edge before, frame where it started

    def push(cost: float, frames: int, at: int, edge: int, before: int, start: int) -> None:
        """Play on from a frame to an edge's departure."""
        if edge < 0 or edge in seen:
            return
        wait = int(edges.departs[edge]) - at
        if frames + wait <= most_frames:
            heappush(heap, (cost + wait, frames + wait, edge, before, start))

    for start in starts:
        push(0.0, 0, start, edges.first_departure(start), -1, start)
    while heap:
        cost, frames, edge, before, start = heappop(heap)
        if edge in seen:
            continue
        seen.add(edge)
        push(cost, frames, int(edges.departs[edge]), edges.following(edge), before, start)
        landed = frames + int(edges.lengths[edge])
        if landed <= most_frames:
            found.taken_at[edge], found.came_from[edge], found.started[edge] = frames, before, start
            price = cost + int(edges.lengths[edge]) + frames_per_metre * float(edges.costs[edge])
            at = int(edges.arrives[edge]) + 1
            if at < edges.clip_stop(at - 1):
                push(price + 1, landed + 1, at, edges.first_departure(at), edge, start)
    return found
