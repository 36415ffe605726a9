"""The match web of a bank: building it, and searching through it, in words."""

from collections.abc import Callable, Sequence
from typing import Any

from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError
from motionary.features import SEARCH_RATE_HZ, LibraryFeatures, build_features
from motionary.metrics import AnyMetric, PointCloudMetric
from motionary.motion import Segment
from motionary.search.chosen_clips import clips_to_search
from motionary.search.examples import Example, ExampleMaker, Shown
from motionary.search.match import Match
from motionary.search.match_web.answers import WebSearchResult, matches_of
from motionary.search.match_web.building import folders, kept_web, made_by_of, options_of, woven_web
from motionary.search.match_web.match_graph import Merging, Piece
from motionary.search.match_web.searcher import Searcher
from motionary.search.match_web.settings import WebSettings
from motionary.search.match_web.web import MatchWeb


def build_web(
    bank: Bank,
    *,
    settings: WebSettings | None = None,
    rate_hz: float = SEARCH_RATE_HZ,
    metric: AnyMetric | None = None,
    text: str = "",
    labels: str | Sequence[str] = (),
    names: str | Sequence[str] = (),
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> MatchWeb:
    """The match web of the bank, or of the clips with all words of `text`, all `labels` and one of `names`.

    It is kept beside the bank, in a folder that can be deleted at any time. Only pairs with new and changed clips are
    computed; `progress` is told how many pairs are done, of how many. When interrupted, what was computed is kept, and
    the next call goes on from there. Where nothing can be written, the web is made for this time only.
    """
    features = build_features(bank, rate_hz=rate_hz, message=message)
    words = _words(text, labels, names)
    return woven_web(
        features,
        _chosen(bank, features, words),
        beside=bank.derived_path,
        settings=settings or WebSettings(),
        metric=metric or PointCloudMetric(),
        words=words,
        threads=threads,
        progress=progress,
        message=message,
    )


def latest_web(bank: Bank, *, message: Callable[[str], None] | None = None, **options: Any) -> MatchWeb:
    """The web that was built last, brought up to date; `options` are those of `build_web` that are not kept with it."""
    found = folders(bank.derived_path)
    if not found:
        raise NotInBankError(
            f"{bank.path} has no match web. `motionary web build {bank.path}` makes one; searches keep it up to date"
        )
    return build_web(bank, message=message, **options_of(made_by_of(found[-1])), **options)


def web_facts(bank: Bank) -> list[dict[str, Any]]:
    """What there is to say about every web beside the bank, as it was when it was last used; the latest comes last."""
    facts = []
    for folder in folders(bank.derived_path):
        features = build_features(bank, rate_hz=options_of(made_by_of(folder))["rate_hz"])
        web = kept_web(features, folder)
        if web is not None:
            facts.append(web.facts())
    return facts


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
    without_labels: str | Sequence[str] = (),
    without_names: str | Sequence[str] = (),
    searcher: Searcher | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> WebSearchResult:
    """The segments of the bank that are like the query, or like what is like it, nearest along the match graph first.

    A query is whatever `search_bank` takes. Two segments are alike if the mean distance of their frames, along the
    best alignment that the web knows, is at most `epsilon_cm`; without it, one is suggested. Matches become queries in
    turn, in so many `steps` (1: only what is like the query itself) or until nothing new is found, but not those where
    one of `rejected` lies. Only clips with the words, labels and names that are asked for are matches.

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
        allowed=_allowed(
            web,
            clips_to_search(bank, text, labels, names, without_labels=without_labels, without_names=without_names),
        ),
        rejected=[
            _library_piece(web, bank.segment_of(one.segment if isinstance(one, Match) else one)) for one in rejected
        ],
        merging=merging,
    )
    matches, nodes = matches_of(web, graph, name_of=lambda clip_id: bank.clip(clip_id).name)
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


def _allowed(web: MatchWeb, ids: set[int] | None) -> set[int] | None:
    """The motions that may be matches; None for all."""
    if ids is None:
        return None
    return {motion for clip, motion in web.motions.items() if int(web.features.clip_ids[clip]) in ids}


def _words(text: str, labels: str | Sequence[str], names: str | Sequence[str]) -> dict[str, Any]:
    lists = ([given] if isinstance(given, str) else list(given) for given in (labels, names))
    return dict(zip(("text", "labels", "names"), (text.strip(), *lists), strict=True))


def _chosen(bank: Bank, features: LibraryFeatures, words: dict[str, Any]) -> list[int]:
    """Numbers of the clips that are woven in."""
    ids = clips_to_search(bank, words["text"], words["labels"], words["names"])
    return [c for c, clip_id in enumerate(features.clip_ids.tolist()) if ids is None or clip_id in ids]
