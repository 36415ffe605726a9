"""Match graphs: segments that are alike, found in steps, and how far each is from the query along them."""

import heapq
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from numba import njit

from motionary.alignment import composed
from motionary.search.match_web.merging import Merging, Nodes
from motionary.search.match_web.pieces import Link, Links, Piece, is_rejected

EDGE = np.dtype([("a", "<i4"), ("b", "<i4"), ("number", "<i4"), ("cost", "<f8")])  # the number is that of a's link


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


@dataclass(frozen=True, eq=False)
class MatchGraph:
    """Node 0 is the query. An edge is an alignment; its cost is the least at which the two were found alike."""

    nodes: list[Piece]
    tiers: list[int]  # steps from the query
    table: np.ndarray  # (E,) of EDGE, one for every two nodes that are alike
    links: dict[int, Links] = field(repr=False)  # what was found to be like each node
    rejected: set[int] = field(default_factory=set)  # nodes that are no matches and lead no further

    def __repr__(self) -> str:
        return f"MatchGraph({len(self.nodes)} nodes, {len(self.table)} edges, {max(self.tiers)} steps)"

    @cached_property
    def edges(self) -> dict[tuple[int, int], tuple[float, Callable[[], np.ndarray]]]:
        """Costs and alignments, by the node that was asked and the one that it found."""
        return {(a, b): (cost, partial(self.links[a].way, number)) for a, b, number, cost in self.table.tolist()}

    @cached_property
    def _places(self) -> dict[tuple[int, int], int]:
        """Where in the table an edge is."""
        return {(a, b): n for n, (a, b) in enumerate(self.table[["a", "b"]].tolist())}

    def shortest_paths(self) -> ShortestPaths:
        """By Dijkstra's method; no path leads on from a rejected node."""
        ends = np.concatenate([self.table["a"], self.table["b"]])
        others = np.concatenate([self.table["b"], self.table["a"]]).astype(np.int64)
        order = np.argsort(ends, kind="stable")
        firsts = np.searchsorted(ends[order], np.arange(len(self.nodes) + 1)).astype(np.int64)
        costs = np.tile(self.table["cost"], 2)[order]
        leads_on = np.ones(len(self.nodes), dtype=np.bool_)
        leads_on[[node for node in self.rejected if node > 0]] = False
        distances, before, settled = _shortest(firsts, others[order], costs, leads_on)
        return ShortestPaths(distances, before.tolist(), settled.tolist())

    def ways(self, paths: ShortestPaths, nodes: Iterable[int] | None = None) -> dict[int, np.ndarray]:
        """Of every node that is reached but the query, or of these and those on the way to them: pairs (N, 2) of the
        query's frames and its own, by the alignments along the shortest path."""
        needed = set(paths.order)
        if nodes is not None:
            needed = set()
            for node in nodes:
                while node >= 0 and node not in needed:
                    needed.add(node)
                    node = paths.before[node]
        asked = [node for node in paths.order[1:] if node in needed]
        edges = {node: self._edge(paths.before[node], node) for node in asked}
        steps: dict[int, np.ndarray] = {}
        # What begins at one node, or in one motion, comes together, as all of it is known from the same tables
        for node in sorted(asked, key=lambda node: (self.nodes[edges[node][0]].motion, edges[node][0])):
            a, _, number = edges[node]
            way = self.links[a].way(number)
            steps[node] = way[:, ::-1] if a == node else way
        found: dict[int, np.ndarray] = {}
        for node in asked:
            last = paths.before[node]
            found[node] = steps[node] if last == 0 else composed(found[last], steps[node])
        return found

    def _edge(self, a: int, b: int) -> tuple[int, int, int]:
        """The node that was asked, what it found, and the number of its link."""
        if (a, b) not in self._places:
            a, b = b, a
        return a, b, int(self.table["number"][self._places[a, b]])


def match_graph(
    query: Piece,
    links: Callable[[Piece], Links | Iterable[Link]],
    *,
    steps: int | None = None,
    allowed: Collection[int] | None = None,
    rejected: Collection[Piece] = (),
    merging: Merging | None = None,
    most: int | None = None,
    within: float | None = None,
) -> MatchGraph:
    """All that is like the query, and like what is like it, and so on, in so many steps or until nothing new is found.

    With `within`, only what a path of no larger distance leads to: see `_near_graph`.

    `links` gives what is like a piece, nearest first. Only motions that are `allowed` come in (all). Nodes that lie
    mostly within a rejected piece are no queries. In each step nodes are asked motion by motion, and in a motion in the
    order in which they were found: two runs agree, and what is known of a motion is looked up once in a step.
    """
    if within is not None:
        return _near_graph(Nodes(query, merging or Merging(), allowed), links, within, steps, rejected, most)
    nodes, tiers = Nodes(query, merging or Merging(), allowed), [0]
    wrong: set[int] = set()
    found: dict[int, Links] = {}
    edges = [np.zeros(0, dtype=EDGE)]
    n_asked, step = 0, 0
    while n_asked < nodes.n and (steps is None or step < steps):
        newest = range(n_asked, nodes.n)
        n_asked, step = nodes.n, step + 1
        for node in sorted(newest, key=lambda node: nodes[node].motion):
            if node in wrong:
                continue
            found[node] = Links.of(links(nodes[node]))
            others = nodes.merge(found[node], most)
            wrong |= {new for new in range(len(tiers), nodes.n) if is_rejected(nodes[new], rejected)}
            tiers += [step] * (nodes.n - len(tiers))
            edges.append(_edges(node, others, found[node].costs))
    return _finished(nodes, tiers, edges, found, wrong, rejected)


def _near_graph(
    nodes: Nodes,
    links: Callable[[Piece], Links | Iterable[Link]],
    within: float,
    steps: int | None,
    rejected: Collection[Piece],
    most: int | None,
) -> MatchGraph:
    """The match graph of all that is within a distance of the query, along the graph.

    Nodes are asked in the order of their distances, so that each has its final one then (Dijkstra's method), and only
    for what is near enough to be reached through it.
    """
    distances, tiers = [0.0], [0]
    wrong: set[int] = set()
    found: dict[int, Links] = {}
    edges = [np.zeros(0, dtype=EDGE)]
    waiting = [(0.0, 0)]
    while waiting:
        distance, node = heapq.heappop(waiting)
        if node in found or node in wrong or (steps is not None and tiers[node] >= steps):
            continue
        found[node] = Links.of(links(nodes[node])).up_to(within - distance)
        others = nodes.merge(found[node], most)
        n_new = nodes.n - len(tiers)
        wrong |= {new for new in range(len(tiers), nodes.n) if is_rejected(nodes[new], rejected)}
        tiers += [tiers[node] + 1] * n_new
        distances += [np.inf] * n_new
        edges.append(_edges(node, others, found[node].costs))
        for other, cost in edges[-1][["b", "cost"]].tolist():
            if distance + cost < distances[other]:
                distances[other], tiers[other] = distance + cost, min(tiers[other], tiers[node] + 1)
                heapq.heappush(waiting, (distance + cost, other))
    return _finished(nodes, tiers, edges, found, wrong, rejected)


def _edges(node: int, others: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """Edges from a node to those (K,) that its links lead to, but for NEITHER and itself."""
    kept = np.flatnonzero((others >= 0) & (others != node))
    edges = np.zeros(len(kept), dtype=EDGE)
    edges["a"], edges["b"], edges["number"], edges["cost"] = node, others[kept], kept, costs[kept]
    return edges


def _finished(
    nodes: Nodes,
    tiers: list[int],
    edges: list[np.ndarray],
    found: dict[int, Links],
    wrong: set[int],
    rejected: Collection[Piece],
) -> MatchGraph:
    pieces = [nodes[node] for node in range(nodes.n)]
    # Averaging may have moved what was asked before it lay there
    wrong |= {node for node, piece in enumerate(pieces) if is_rejected(piece, rejected)}
    return MatchGraph(pieces, tiers, _best_edges(np.concatenate(edges)), found, wrong)


def _best_edges(edges: np.ndarray) -> np.ndarray:
    """Of those between the same two nodes the one of least cost, of equals the first; a graph has no direction."""
    low, high = np.minimum(edges["a"], edges["b"]), np.maximum(edges["a"], edges["b"])
    order = np.lexsort((edges["cost"], high, low))  # which leaves equals as they came
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = (np.diff(low[order]) != 0) | (np.diff(high[order]) != 0)
    return edges[order[is_first]]


@njit(cache=True, nogil=True)
def _shortest(firsts, others, costs, leads_on):  # type: ignore[no-untyped-def]
    n_nodes = len(leads_on)
    found, before = np.full(n_nodes, np.inf), np.full(n_nodes, -1)
    order, n_settled = np.empty(n_nodes, dtype=np.int64), 0
    is_settled = np.zeros(n_nodes, dtype=np.bool_)
    found[0] = 0.0
    waiting = [(0.0, 0)]
    while len(waiting) > 0:
        distance, node = heapq.heappop(waiting)
        if is_settled[node]:
            continue
        # In the order in which nodes are settled: distances alone do not tell it where an edge costs nothing
        order[n_settled], is_settled[node] = node, True
        n_settled += 1
        if not leads_on[node]:
            continue
        for n in range(firsts[node], firsts[node + 1]):
            other, farther = others[n], distance + costs[n]
            if farther < found[other]:
                found[other], before[other] = farther, node
                heapq.heappush(waiting, (farther, other))
    return found, before, order[:n_settled]
