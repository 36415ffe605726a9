"""What to say of a search through a match web that found nothing, or was told something in vain."""

from collections.abc import Callable, Collection, Mapping

from motionary.rounding import rounded_up
from motionary.search.match_web.answers import WebQuery
from motionary.search.match_web.match_graph import MatchGraph
from motionary.search.match_web.pieces import Piece, is_rejected
from motionary.search.match_web.searcher import Searcher
from motionary.search.match_web.web import MatchWeb

Others = Callable[[Collection[int]], list[str]]  # other webs, in words, that are of the clips with these ids


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


def not_in_web(web: MatchWeb, query: WebQuery, asked: Piece, others: Others) -> tuple[str, ...]:
    """A remark if the query is of a clip that the web does not know, and is compared with all of it therefore."""
    place = query.example.place
    if place is None or asked.motion >= 0:
        return ()
    return (f"the query's clip is not in {_called(web)}{_instead(others([place.clip_id]))}",)


def why_nothing(
    searcher: Searcher,
    query: WebQuery,
    asked: Piece,
    *,
    allowed: Collection[int] | None,
    ids: Collection[int] | None,
    others: Others,
) -> str:
    """Why a query has no matches, and what to do; `allowed` motions of the web are those of the clips that were asked
    for by their `ids` (None: all)."""
    web = searcher.web
    if ids is not None and not allowed:
        return f"none of the selected clips is in {_called(web)}{_instead(others(ids))}"
    known = searcher.links(asked)  # nearest first
    costs = [known.costs[n] for n, motion in enumerate(known.places[:, 0]) if allowed is None or motion in allowed]
    if costs and 100.0 * costs[0] > query.epsilon_cm:
        nearest = rounded_up(100.0 * costs[0], 2)
        return f"no match within {query.epsilon_cm:.3g} cm; an epsilon of {nearest} cm finds the nearest"
    if costs:
        return "no match: everything similar was rejected, or is much longer or shorter"
    if len(known):
        nearest = rounded_up(100.0 * float(known.costs[0]), 2)
        return f"no match in the selected clips; in other clips, the nearest is {nearest} cm away"
    shortest, secs = web.settings.shortest_secs, query.example.n_frames / web.rate_hz
    if asked.motion < 0 and secs < shortest:
        return f"the query is too short ({secs:.2f} s): a query from outside the web must last at least {shortest:g} s"
    ceiling = web.settings.ceiling_cm
    return (
        f"no match: {_called(web)} holds only unmirrored pairs within {ceiling:g} cm throughout; "
        f"one built with a ceiling of {2 * ceiling:g} cm holds more"
    )


def _called(web: MatchWeb) -> str:
    return f"the web {web.name} of {web.of} ({len(web.motions):,} clips)" if web.name else f"the web of {web.of}"


def _instead(others: list[str]) -> str:
    return f"; {' or '.join(others)} covers these clips" if others else ""
