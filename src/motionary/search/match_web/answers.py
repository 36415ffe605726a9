"""What a search through a match web found: the nodes of a match graph as matches."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionary.alignment import Alignment, Match, Result, completed, suggested_cut
from motionary.motion import Segment
from motionary.search.examples import Example
from motionary.search.match_web.match_graph import MatchGraph, ShortestPaths
from motionary.search.match_web.pieces import Piece
from motionary.search.match_web.web import MatchWeb

METHOD = "web"


@dataclass(frozen=True, eq=False)
class WebQuery:
    """What was asked of a match web."""

    example: Example
    epsilon_cm: float
    steps: int | None  # None: until nothing new was found
    rejected: tuple[str, ...]  # segments, as people call them
    web: str  # its name
    of: str  # which clips it is of
    rate_hz: float  # of the frames that alignments pair
    within: float | None = None  # cm along the match graph

    def __repr__(self) -> str:
        return f"WebQuery({self.example.name!r}, {self.epsilon_cm:.3g} cm, the web {self.web!r} of {self.of})"


@dataclass(frozen=True, eq=False, repr=False)
class WebSearchResult(Result):
    """What a search through a match web found, nearest first along the match graph."""

    query: WebQuery
    matches: tuple[Match, ...]  # the first k of `n_found`
    graph: MatchGraph
    nodes: tuple[int, ...]  # the graph's node of every match; 0, the query, of its copies
    places: Mapping[int, Segment]  # where every node lies that is a match, among the first of its copies
    n_found: int
    n_clips: int  # that the web knows
    remarks: tuple[str, ...] = ()  # why there is nothing, and what was asked in vain

    @property
    def example(self) -> Example:
        return self.query.example

    @property
    def epsilon_cm(self) -> float:
        return self.query.epsilon_cm

    def __repr__(self) -> str:
        return f"WebSearchResult({self.query!r}: {len(self.matches)} of {self.n_found} matches)"

    @property
    def suggested_cut(self) -> int | None:
        """How many of the matches to keep: up to the largest gap between their distances."""
        return suggested_cut([match.distance for match in self.matches])


def matches_of(
    web: MatchWeb,
    graph: MatchGraph,
    *,
    query_clip: int | None,
    ids: Collection[int] | None,
    names_of: Callable[[Iterable[int]], Mapping[int, str]],
    k: int | None = None,
) -> tuple[list[tuple[int, Match]], dict[int, Segment], int]:
    """Nodes and matches, nearest first: one for each clip that has the motion, and is among `ids` (None: all of them).

    Copies of the clip that the query is from, `query_clip`, are matches, too; it is not. What was rejected is left out.
    The first `k` come back (all); and of all of them, where the nodes lie, and how many matches there are.
    """
    paths = graph.shortest_paths()
    found = []
    for node in paths.order:
        piece, distance = graph.nodes[node], 100.0 * float(paths.distances[node])
        if node in graph.rejected:
            continue
        for clip in web.clips.get(piece.motion, ()):
            clip_id = int(web.features.clip_ids[clip])
            if (node > 0 or clip_id != query_clip) and (ids is None or clip_id in ids):
                segment = Segment(clip_id, *web.features.rates[clip].clip_segment(piece.start, piece.stop))
                found.append((distance, segment, node))
    found.sort()
    places = {node: segment for _, segment, node in reversed(found)}
    return _as_matches(graph, paths, found[:k], names_of, web.rate_hz), places, len(found)


def _as_matches(
    graph: MatchGraph,
    paths: ShortestPaths,
    found: Sequence[tuple[float, Segment, int]],
    names_of: Callable[[Iterable[int]], Mapping[int, str]],
    rate_hz: float,
) -> list[tuple[int, Match]]:
    """Distances, segments and nodes with all that is to be known of a match."""
    ways, n_steps = graph.ways(paths, [node for _, _, node in found]), paths.n_steps
    names = names_of(segment.clip_id for _, segment, _ in found)
    query = graph.nodes[0]
    n_query = query.stop - query.start
    matches = []
    for distance, segment, node in found:
        piece = graph.nodes[node]
        match = Match(
            segment,
            distance,
            distance / max(1, n_steps[node]),
            "cm",
            METHOD,
            _alignment(ways[node], query, piece) if node else Alignment(np.indices((n_query, 2))[0]),
            n_query,
            rate_hz,
            scale=(piece.stop - piece.start) / n_query,
            tier=max(1, graph.tiers[node]),
            clip=names[segment.clip_id],
        )
        matches.append((node, match))
    return matches


def _alignment(way: np.ndarray, query: Piece, piece: Piece) -> Alignment:
    """Frames counted from the starts of both; where averaging has moved an end, what is beyond is left out."""
    pairs = way - np.array([query.start, piece.start])
    n_query, n_piece = query.stop - query.start, piece.stop - piece.start
    inside = (pairs >= 0).all(axis=1) & (pairs[:, 0] < n_query) & (pairs[:, 1] < n_piece)
    return completed(pairs[inside], n_query, n_piece)
