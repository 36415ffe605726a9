"""Searching a bank through a match web."""

from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from types import NoneType
from typing import Any

from motionary.alignment import Match
from motionary.arguments import check_is, some
from motionary.artefacts import ArtefactStore
from motionary.bank import Bank, check_is_bank, chosen_clips
from motionary.errors import NotInBankError, UsageError, UserError
from motionary.features import SEARCH_RATE_HZ
from motionary.library import LibraryFeatures, build_features, one_snapshot
from motionary.motion import Segment
from motionary.requests import ClipFilter, Progress, keywords_of
from motionary.search.examples import Example, ExampleMaker, Shown
from motionary.search.match_web.answers import WebQuery, WebSearchResult, matches_of
from motionary.search.match_web.known_webs import WORDS, known_webs, named_web
from motionary.search.match_web.merging import Merging
from motionary.search.match_web.pieces import Piece
from motionary.search.match_web.remarks import in_vain, not_in_web, why_nothing
from motionary.search.match_web.searcher import Searcher
from motionary.search.match_web.web import MatchWeb
from motionary.search.match_web.webs import opened_web
from motionary.search.requests.search_request import merged
from motionary.search.requests.web import WebRequest


@keywords_of(WebRequest)
@one_snapshot
def search_web(
    bank: Bank,
    query: Shown | WebQuery | WebRequest,
    *,
    searcher: Searcher | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
    **keywords: Any,
) -> WebSearchResult:
    """The segments of the bank that are like the query, or like its matches, nearest along the match graph first.

    A query is whatever `search_bank` takes, or that of an earlier result; the other keywords are the fields of
    `WebRequest`. Two segments are alike if the mean distance of their frames, along the best alignment that the web
    knows, is at most `epsilon_cm`; without it, a threshold is suggested. With `within`, the steps that lead to a match
    sum up to no more cm, and each may be as large. Matches become queries in turn, in so many
    `steps` (1: only what is like the query itself) or until nothing new is found, but not those that lie mostly within
    one of `rejected`. Only clips with the given words, labels and names are matches. The first `k` come back, or all.

    The web is the one called `web`, as `opened_web` takes it, or the one built last, brought up to date. The
    `searcher` of an earlier search (`Searcher(build_web(bank))`) has its web already, and remembers earlier queries.
    """
    check_is_bank(bank)
    request = merged(WebRequest, query, keywords, called="search_web", also=("searcher",))
    return search_through_web(bank, request, searcher=searcher, progress=Progress(progress, message))


def search_through_web(
    bank: Bank, request: WebRequest, *, searcher: Searcher | None = None, progress: Progress | None = None
) -> WebSearchResult:
    """What a match web finds for a request."""
    told = progress or Progress()
    epsilon = None if request.epsilon_cm is None else request.epsilon_cm / 100.0
    within = None if request.within is None else request.within / 100.0
    check_is(request.merging, Merging, NoneType, called="merging", meant="a Merging")
    check_is(searcher, Searcher, NoneType, called="searcher", meant="a Searcher, as Searcher(build_web(bank))")
    if request.web is not None and searcher is not None:
        raise UsageError("use either web or searcher: a searcher has its own web")
    given = some(request.rejected, Match, Segment, str, called="rejected", meant="a match or a segment")
    wrong = bank.segments_of([one.segment if isinstance(one, Match) else one for one in given])
    ids = chosen_clips(bank, request)
    shown = request.query.example if isinstance(request.query, WebQuery) else request.query
    if searcher is None:
        # Whatever is wrong with the query is told here, before the web is brought up to date
        opened: list[MatchWeb] = []
        maker = ExampleMaker(
            bank, lambda: opened[0].features, rate_hz=_rate_of_web(bank, request.web), message=told.message
        )
        example = maker.example(shown)
        opened.append(opened_web(bank, request.web, progress=told.step, message=told.message))
        searcher = Searcher(opened[0])
    else:
        example = ExampleMaker(bank, _checked(searcher.web, bank), message=told.message).example(shown)
    known = searcher.web
    asked = _piece(searcher, example, told.step)
    if epsilon is None and within is not None:
        epsilon = min(within, known.settings.ceiling)
    elif epsilon is None:
        suggested = searcher.suggested_epsilon(asked)
        epsilon = known.settings.ceiling if suggested is None else suggested
    rejected_pieces = {bank.segment_name(one): known.piece_of(one) for one in wrong}
    allowed = _allowed(known, ids)
    graph = searcher.graph(
        asked,
        epsilon=epsilon,
        steps=request.steps,
        allowed=allowed,
        rejected=[piece for piece in rejected_pieces.values() if piece is not None],
        merging=request.merging,
        within=within,
    )
    found, places, n_found = matches_of(
        known,
        graph,
        query_clip=example.place.clip_id if example.place else None,
        ids=ids,
        names_of=bank.clip_names,
        k=request.k,
    )
    words = WebQuery(
        example,
        100.0 * epsilon,
        request.steps,
        tuple(rejected_pieces),
        known.name,
        known.of,
        known.rate_hz,
        request.within,
    )
    others = partial(_others, bank, known)
    remarks = (*in_vain(graph, rejected_pieces), *not_in_web(known, words, asked, others))
    if not found:
        remarks += (why_nothing(searcher, words, asked, allowed=allowed, ids=ids, others=others),)
    return WebSearchResult(
        words,
        tuple(match for _, match in found),
        graph,
        tuple(node for node, _ in found),
        places,
        n_found,
        len(known.motions),
        remarks,
    )


def _others(bank: Bank, web: MatchWeb, ids: Collection[int]) -> list[str]:
    """How to ask the other webs that are of all the clips with these ids."""
    found = []
    for other in known_webs(ArtefactStore.of(bank)):
        with suppress(NotInBankError):  # no clip fits its words any more
            of = chosen_clips(bank, ClipFilter.of(**{key: other.options[key] for key in WORDS}))
            if other.folder != web.folder and (of is None or of.issuperset(ids)):
                found.append(f"the web {other.name} ({other.of})")
    return found


def _checked(web: MatchWeb, bank: Bank) -> LibraryFeatures:
    """The features of the bank; raises if clips that a searcher's web knows are not as they are there."""
    if bank.state not in web.seen:
        features = build_features(bank, rate_hz=web.rate_hz)
        there = dict(zip(features.clip_ids.tolist(), features.digests, strict=True))
        if any(there.get(int(web.features.clip_ids[clip])) != web.features.digests[clip] for clip in web.motions):
            raise UsageError(
                f"the searcher's web does not match the current state of {bank.path}: it belongs to another bank, "
                "or clips were removed "
                "or changed. Make a new one: Searcher(build_web(bank))"
            )
        web.seen.clear()
        web.seen[bank.state] = features
    return web.seen[bank.state]


def _piece(searcher: Searcher, example: Example, progress: Callable[[int, int], None] | None) -> Piece:
    """The query as the web sees it."""
    place, web = example.place, searcher.web
    motion = None if place is None else web.motion_of(place.clip_id)
    if place is None or motion is None:
        return searcher.outside(dict(example.rows(example.n_frames)), progress=progress)
    return Piece(motion, place.start, place.start + example.n_frames)


def _allowed(web: MatchWeb, ids: set[int] | None) -> set[int] | None:
    """The motions that may be matches; None for all."""
    if ids is None:
        return None
    return {motion for clip, motion in web.motions.items() if int(web.features.clip_ids[clip]) in ids}


def _rate_of_web(bank: Bank, name: str | None) -> float:
    """The frame rate of a web before it is opened; any, if there is none to open."""
    with suppress(UserError, IndexError):
        known = known_webs(ArtefactStore.of(bank))
        return float((known[-1] if name is None else named_web(known, name, bank.path)).options["rate_hz"])
    return SEARCH_RATE_HZ
