"""Match graphs: segments that are alike, found in steps, and how far each is from the query along them."""

import heapq
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

MOSTLY = 0.5  # how much of a match lies within a rejected stretch, at least, if it is rejected


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """Frames [start, stop) of one motion of a web."""

    motion: int
    start: int
    stop: int

    def overlap(self, other: "Piece") -> float:
        """What two pieces have in common, as a share of what they have together."""
        if self.motion != other.motion:
            return 0.0
        common = min(self.stop, other.stop) - max(self.start, other.start)
        return max(0.0, common / (max(self.stop, other.stop) - min(self.start, other.start)))

    def share_within(self, other: "Piece") -> float:
        """How much of it lies within another."""
        if self.motion != other.motion:
            return 0.0
        return max(0.0, (min(self.stop, other.stop) - max(self.start, other.start)) / (self.stop - self.start))


@dataclass(frozen=True, eq=False)
class Link:
    """One piece that is like another, and the way from one to the other in time."""

    piece: Piece
    cost: float  # the root of the mean of the squared distances along the way, in metres
    way: Callable[[], np.ndarray]  # (N, 2) int32: frames of both


@dataclass(frozen=True)
class Merging:
    """When a match is a node that is there already, and when a new one; overlaps in between are dropped."""

    same_above: float = 0.8
    new_below: float = 0.2
    longest: float = 3.0  # how many times as long, or as short, as the query a match of any tier may be


@dataclass(frozen=True, eq=False)
class ShortestPaths:
    """From the query to every node of a match graph."""

    distances: np.ndarray  # (N,) float64: sums of costs; infinite for what only a rejected node leads to
    before: list[int]  # the node before each; −1 for the query and for what is not reached
    order: list[int]  # the nodes that are reached, each after the one before it, nearest first

    @property
    def n_steps(self) -> dict[int, int]:
        """How many steps lead to every node that is reached."""
        found = {0: 0}
        for node in self.order[1:]:
            found[node] = found[self.before[node]] + 1
        return found


@dataclass(eq=False)
class MatchGraph:
    """Node 0 is the query. An edge is an alignment; its cost is the least at which the two were found alike."""

    nodes: list[Piece]
    tiers: list[int]  # steps from the query
    edges: dict[tuple[int, int], tuple[float, Callable[[], np.ndarray]]] = field(default_factory=dict)
    rejected: set[int] = field(default_factory=set)  # nodes that are no matches and lead no further
    merged: list[tuple[int, int, int]] = field(
        default_factory=list
    )  # of every node: sums of starts and stops, how many

    def shortest_paths(self) -> ShortestPaths:
        """By Dijkstra's method; no path leads on from a rejected node."""
        beside: dict[int, list[tuple[int, float]]] = {}
        for (a, b), (cost, _) in self.edges.items():
            beside.setdefault(a, []).append((b, cost))
            beside.setdefault(b, []).append((a, cost))
        found, before = np.full(len(self.nodes), np.inf), [-1] * len(self.nodes)
        found[0] = 0.0
        order = []  # in which nodes are settled: by distances alone it is not known where an edge costs nothing
        waiting = [(0.0, 0)]
        while waiting:
            distance, node = heapq.heappop(waiting)
            if distance > found[node]:
                continue
            order.append(node)
            if node in self.rejected and node > 0:
                continue
            for other, cost in sorted(beside.get(node, ())):
                if distance + cost < found[other]:
                    found[other], before[other] = distance + cost, node
                    heapq.heappush(waiting, (distance + cost, other))
        return ShortestPaths(found, before, order)

    def ways(self, paths: ShortestPaths) -> dict[int, np.ndarray]:
        """Of every node that is reached but the query: pairs (N, 2) of the query's frames and its own, by the
        alignments along the shortest path."""
        found: dict[int, np.ndarray] = {}
        for node in paths.order[1:]:
            last = paths.before[node]
            way = self._edge_way(last, node)
            found[node] = way if last == 0 else _composed(found[last], way)
        return found

    def _edge_way(self, a: int, b: int) -> np.ndarray:
        if (a, b) in self.edges:
            return self.edges[a, b][1]()
        return self.edges[b, a][1]()[:, ::-1]


def match_graph(
    query: Piece,
    links: Callable[[Piece], Iterable[Link]],
    *,
    steps: int | None = None,
    allowed: Collection[int] | None = None,
    rejected: Collection[Piece] = (),
    merging: Merging | None = None,
    most: int | None = None,
) -> MatchGraph:
    """All that is like the query, and like what is like it, and so on, in so many steps or until nothing new is found.

    `links` gives what is like a piece, nearest first. Only motions that are `allowed` come in (all). Nodes that lie
    mostly within a rejected piece are no queries. Nodes are asked in the order in which they were found, so that two
    runs agree.
    """
    merging = merging or Merging()
    graph = MatchGraph([query], [0], merged=[(0, 0, 0)])
    length = query.stop - query.start
    in_motion: dict[int, list[int]] = {query.motion: [0]}
    asked = 0
    while asked < len(graph.nodes):
        node, asked = asked, asked + 1
        tier = graph.tiers[node]
        if node in graph.rejected or (steps is not None and tier >= steps):
            continue
        for link in links(graph.nodes[node]):
            if allowed is not None and link.piece.motion not in allowed:
                continue
            if not length <= merging.longest * (link.piece.stop - link.piece.start) <= merging.longest**2 * length:
                continue
            nodes = in_motion.setdefault(link.piece.motion, [])
            share, most_alike = _most_alike(link.piece, graph.nodes, nodes)
            if share < merging.new_below:
                if most is not None and len(graph.nodes) > most:
                    continue
                other = len(graph.nodes)
                graph.nodes.append(link.piece)
                graph.tiers.append(tier + 1)
                graph.merged.append((link.piece.start, link.piece.stop, 1))
                nodes.append(other)
                if is_rejected(link.piece, rejected):
                    graph.rejected.add(other)
            elif share > merging.same_above:
                other = most_alike
                if other > 0:  # the query stays as it was asked
                    _average(graph, other, link.piece, nodes, merging.new_below)
            else:
                continue
            _add_edge(graph, node, other, link)
    # Averaging may have moved what was asked before it lay there
    graph.rejected |= {node for node, piece in enumerate(graph.nodes) if is_rejected(piece, rejected)}
    return graph


def is_rejected(piece: Piece, rejected: Collection[Piece]) -> bool:
    """Whether a piece lies mostly within one that is rejected."""
    return any(piece.share_within(stretch) > MOSTLY for stretch in rejected)


def _most_alike(piece: Piece, pieces: Sequence[Piece], nodes: Sequence[int]) -> tuple[float, int]:
    """The largest overlap of a piece with one of the nodes, and which that is, of equals the first; or 0 and −1."""
    share, found = 0.0, -1
    start, stop = piece.start, piece.stop
    for node in nodes:
        other = pieces[node]
        if other.start < stop and start < other.stop:
            common = piece.overlap(other)
            if common > share:
                share, found = common, node
    return share, found


def _add_edge(graph: MatchGraph, a: int, b: int, link: Link) -> None:
    """The better of two ways between the same nodes; the graph has no direction."""
    if a == b:
        return
    known = graph.edges.get((a, b)) or graph.edges.get((b, a))
    if known is not None and known[0] <= link.cost:
        return
    graph.edges.pop((b, a), None)
    graph.edges[a, b] = link.cost, link.way


def _average(graph: MatchGraph, node: int, piece: Piece, beside: Sequence[int], new_below: float) -> None:
    """All matches that were the same node count alike: so it comes to rest, however many there are.

    It stays where it is if it would come to overlap one of the nodes beside it: no two are nearly the same.
    """
    starts, stops, n = graph.merged[node]
    starts, stops, n = graph.merged[node] = starts + piece.start, stops + piece.stop, n + 1
    moved = Piece(piece.motion, starts // n, -(-stops // n))
    if all(other == node or moved.overlap(graph.nodes[other]) < new_below for other in beside):
        graph.nodes[node] = moved


def _composed(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Pairs (a, c) where first has (a, b) and second (b, c), b taken to the nearest that second knows."""
    at = np.minimum(np.searchsorted(second[:, 0], first[:, 1]), len(second) - 1)
    pairs = np.stack([first[:, 0], second[at, 1]], axis=1)
    new = np.ones(len(pairs), dtype=bool)
    new[1:] = (pairs[1:] != pairs[:-1]).any(axis=1)  # both go forward, so that what is equal is side by side
    return pairs[new]
