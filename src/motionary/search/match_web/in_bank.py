"""Searching a bank through its match web: from words to matches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from motionary.alignment import Alignment
from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError
from motionary.motion import Segment
from motionary.search.examples import Example, ExampleMaker, Shown
from motionary.search.match import Match, suggested_cut
from motionary.search.match_web.building import latest_web
from motionary.search.match_web.match_graph import MatchGraph, Merging, Piece
from motionary.search.match_web.searcher import Searcher
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


def search_web(
    bank: Bank,
    query: Shown,
    *,
    epsilon_cm: float | None = None,
    steps: int | None = None,
    k: int | None = None,
    rejected: Sequence[Match | Segment | str] = (),
    merging: Merging | None = None,
    text: str = "",
    labels: str | Sequence[str] = (),
    names: str | Sequence[str] = (),
    searcher: Searcher | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> WebSearchResult:
    """The segments of the bank that are like the query, or like what is like it, nearest along the match graph first.

    A query is whatever `search_bank` takes. Two segments are alike if the mean distance of their frames, along the
    best alignment that the web knows, is at most `epsilon_cm`; without it, one is suggested. Matches become queries in
    turn, in so many `steps` (1: only what is like the query itself) or until nothing new is found, but not those where
    one of `rejected` lies. Only clips that `bank.clips(text, labels=labels, names=names)` gives are matches.

    A `searcher` of an earlier search (`Searcher(web)`) knows the web already, and what was asked before. Without it,
    the web that was built last is brought up to date.
    """
    if steps is not None and steps < 1:
        raise UsageError(f"{steps} steps lead nowhere; 1 is the least")
    if searcher is None:
        searcher = Searcher(latest_web(bank, progress=progress, message=message))
    web = searcher.web
    example = ExampleMaker(bank, web.features, message=message).example(query)
    asked = _piece(searcher, example)
    epsilon = None if epsilon_cm is None else epsilon_cm / 100.0
    if epsilon is None:
        epsilon = searcher.suggested_epsilon(asked) or web.settings.ceiling
    graph = searcher.graph(
        asked,
        epsilon=epsilon,
        steps=steps,
        allowed=_allowed(bank, web, text, labels, names),
        rejected=[
            _library_piece(web, bank.segment_of(one.segment if isinstance(one, Match) else one)) for one in rejected
        ],
        merging=merging,
    )
    matches, nodes = _matches(bank, web, graph)
    n = len(matches) if k is None else k
    return WebSearchResult(matches[:n], graph, example, 100.0 * epsilon, nodes[:n], len(web.motions))


def _piece(searcher: Searcher, example: Example) -> Piece:
    """The query as the web sees it."""
    place = example.place
    web = searcher.web
    if place is not None:
        clip = web.features.number(place.clip_id)
        if clip in web.motions:
            return Piece(web.motions[clip], place.start, place.start + example.n_frames)
    return searcher.outside(dict(example.rows(example.n_frames)))


def _library_piece(web: MatchWeb, segment: Segment) -> Piece:
    clip = web.features.number(segment.clip_id)
    if clip not in web.motions:
        raise NotInBankError(f"clip #{segment.clip_id} is not in the match web, so nothing in it can be rejected")
    return Piece(web.motions[clip], *web.features.rates[clip].search_segment(segment.start, segment.stop))


def _allowed(
    bank: Bank, web: MatchWeb, text: str, labels: str | Sequence[str], names: str | Sequence[str]
) -> set[int] | None:
    """The motions that may be matches; None for all."""
    if not (text.strip() or labels or names):
        return None
    ids = {clip.id for clip in bank.clips(text, labels=labels, names=names)}
    found = {motion for clip, motion in web.motions.items() if int(web.features.clip_ids[clip]) in ids}
    if not found:
        raise NotInBankError(
            f"{bank.path}: no clip of the match web has all these words, labels and names. "
            f"`motionary ls {bank.path}` lists clips in the same words"
        )
    return found


def _matches(bank: Bank, web: MatchWeb, graph: MatchGraph) -> tuple[tuple[Match, ...], tuple[int, ...]]:
    """All nodes but the query and what was rejected, nearest first; one match for every clip that is a copy."""
    distances, before = graph.distances()
    found = []
    query = graph.nodes[0]
    for node, piece in enumerate(graph.nodes):
        if node == 0 or node in graph.rejected or not np.isfinite(distances[node]):
            continue
        alignment = _alignment(graph.way(before, node), query, piece)
        n_steps, at = 0, node
        while before[at] >= 0:
            n_steps, at = n_steps + 1, before[at]
        for clip in web.clips[piece.motion]:
            clip_id = int(web.features.clip_ids[clip])
            segment = Segment(clip_id, *web.features.rates[clip].clip_segment(piece.start, piece.stop))
            match = Match(
                segment,
                100.0 * float(distances[node]),
                100.0 * float(distances[node]) / n_steps,
                "cm",
                METHOD,
                alignment,
                scale=(piece.stop - piece.start) / (query.stop - query.start),
                tier=graph.tiers[node],
                clip=bank.clip(clip_id).name,
            )
            found.append((match.distance, clip_id, segment.start, node, match))
    found.sort(key=lambda one: one[:4])
    return tuple(one[4] for one in found), tuple(one[3] for one in found)


def _alignment(way: np.ndarray, query: Piece, piece: Piece) -> Alignment:
    """Frames counted from the starts of both; where averaging has moved an end, what is beyond is left out."""
    pairs = way - np.array([query.start, piece.start])
    n_query, n_piece = query.stop - query.start, piece.stop - piece.start
    inside = (pairs >= 0).all(axis=1) & (pairs[:, 0] < n_query) & (pairs[:, 1] < n_piece)
    return Alignment(pairs[inside]).completed(n_query, n_piece)
