"""What to say of a search through a match web that found nothing, or was told something in vain."""

from collections.abc import Callable, Collection, Mapping

from motionary.rounding import rounded_up
from motionary.search.match_web.answers import WebQuery
from motionary.search.match_web.match_graph import MatchGraph
from motionary.search.match_web.pieces import Piece, is_rejected
from motionary.search.match_web.searcher import Searcher


def in_vain(graph: MatchGraph, rejected: Mapping[str, Piece | None]) -> tuple[str, ...]:
    """A remark for every segment, by its name, that was rejected where nothing is; None for what is not in the web."""
    found = [graph.nodes[node] for node in graph.rejected]
    return tuple(
        f"{name} rejects nothing: no match lies mostly within it"
        if piece is not None
        else f"{name} rejects nothing: its clip is not in the web"
        for name, piece in rejected.items()
        if piece is None or not any(is_rejected(match, [piece]) for match in found)
    )


def why_nothing(
    searcher: Searcher,
    query: WebQuery,
    asked: Piece,
    *,
    allowed: Collection[int] | None,
    ids: Collection[int] | None,
    others: Callable[[Collection[int]], list[str]],
) -> tuple[str, ...]:
    """Why a query has no matches, and what to do; `allowed` motions of the web are those of the clips that were asked
    for by their `ids` (None: all); `others` tells how to ask other webs that are of these clips."""
    web = searcher.web
    here = f"the web {web.name} of {web.of} ({len(web.motions):,} clips)" if web.name else f"the web of {web.of}"
    if ids is not None and not allowed:
        return (f"none of the clips that are asked for is in {here}{_instead(others(ids))}",)
    said = []
    place = query.example.place
    if place is not None and asked.motion < 0:
        said.append(f"the query's clip is not in {here}{_instead(others([place.clip_id]))}")
    known = searcher.links(asked)  # nearest first
    costs = [known.costs[n] for n, motion in enumerate(known.places[:, 0]) if allowed is None or motion in allowed]
    shortest, secs = web.settings.shortest_secs, query.example.n_frames / web.rate_hz
    if costs and 100.0 * costs[0] > query.epsilon_cm:
        nearest = rounded_up(100.0 * costs[0], 2)
        said.append(f"nothing is like it within {query.epsilon_cm:.3g} cm; --epsilon {nearest} finds the nearest")
    elif costs:
        said.append("all that is like it is rejected, or much longer or shorter than it")
    elif asked.motion < 0 and secs < shortest:
        said.append(
            f"a query of {secs:.2f} s is too short: what is not in a web is like nothing unless it lasts {shortest:g} s"
        )
    else:
        ceiling = web.settings.ceiling_cm
        said.append(
            f"{here} knows of nothing like it: what is further apart than {ceiling:g} cm at any moment is not in it, "
            f"nor what is mirrored; `motionary web build --ceiling {2 * ceiling:g}` makes one that holds more"
        )
    return tuple(said)


def _instead(others: list[str]) -> str:
    return f"; {' or '.join(others)} has what is asked for" if others else ""
