"""What a search through a match web found: the nodes of a match graph as matches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from motionary.alignment import Alignment
from motionary.motion import Segment
from motionary.search.examples import Example
from motionary.search.match import Match, suggested_cut
from motionary.search.match_web.match_graph import MatchGraph, Piece
from motionary.search.match_web.web import MatchWeb

METHOD = "web"


@dataclass(frozen=True, eq=False)
class WebSearchResult:
    """What a search through a match web found, nearest first along the match graph."""

    matches: tuple[Match, ...]
    graph: MatchGraph
    example: Example
    epsilon_cm: float
    nodes: tuple[int, ...]  # the graph's node of every match
    n_clips: int  # that the web knows

    @property
    def suggested_cut(self) -> int | None:
        """How many of the matches to keep: up to the largest gap between their distances."""
        return suggested_cut([match.distance for match in self.matches])


def matches_of(
    web: MatchWeb, graph: MatchGraph, *, name_of: Callable[[int], str]
) -> tuple[tuple[Match, ...], tuple[int, ...]]:
    """All but the query and what was rejected, nearest first, and their numbers; each copy of a clip has one."""
    distances, before = graph.distances()
    ways = graph.ways(distances, before)
    n_steps = _n_steps(distances, before)
    names: dict[int, str] = {}
    found = []
    query = graph.nodes[0]
    for node, piece in enumerate(graph.nodes):
        if node not in ways or node in graph.rejected:
            continue
        alignment = _alignment(ways[node], query, piece)
        for clip in web.clips[piece.motion]:
            clip_id = int(web.features.clip_ids[clip])
            if clip_id not in names:
                names[clip_id] = name_of(clip_id)
            segment = Segment(clip_id, *web.features.rates[clip].clip_segment(piece.start, piece.stop))
            match = Match(
                segment,
                100.0 * float(distances[node]),
                100.0 * float(distances[node]) / n_steps[node],
                "cm",
                METHOD,
                alignment,
                scale=(piece.stop - piece.start) / (query.stop - query.start),
                tier=graph.tiers[node],
                clip=names[clip_id],
            )
            found.append((match.distance, clip_id, segment.start, node, match))
    found.sort(key=lambda one: one[:4])
    return tuple(one[4] for one in found), tuple(one[3] for one in found)


def _n_steps(distances: np.ndarray, before: Sequence[int]) -> dict[int, int]:
    """How many steps lead to every node along the shortest path."""
    found = {0: 0}
    for node in np.argsort(distances, kind="stable").tolist():
        if before[node] >= 0:
            found[node] = found[before[node]] + 1
    return found


def _alignment(way: np.ndarray, query: Piece, piece: Piece) -> Alignment:
    """Frames counted from the starts of both; where averaging has moved an end, what is beyond is left out."""
    pairs = way - np.array([query.start, piece.start])
    n_query, n_piece = query.stop - query.start, piece.stop - piece.start
    inside = (pairs >= 0).all(axis=1) & (pairs[:, 0] < n_query) & (pairs[:, 1] < n_piece)
    return Alignment(pairs[inside]).completed(n_query, n_piece)
