"""The match web of a bank: building it, and searching through it, in words."""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import NoneType
from typing import Any

from motionary.bank import Bank, check_is_bank
from motionary.errors import NotInBankError, UsageError
from motionary.features import SEARCH_RATE_HZ, LibraryFeatures, build_features
from motionary.given import check_is, number, texts, whole_number
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

RATES_HZ = (1, 1000)


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
    check_is(settings, WebSettings, NoneType, called="settings", meant="WebSettings")
    if threads is not None and whole_number(threads, "threads") < 1:
        raise UsageError(f"{threads} threads build nothing; 1 is the least")
    least, most = RATES_HZ
    if not least <= number(rate_hz, "rate_hz") <= most:
        raise UsageError(f"{rate_hz:g} frames a second cannot be compared; a rate is between {least} and {most} Hz")
    words = _words(text, labels, names)
    features = build_features(bank, rate_hz=float(rate_hz), message=message)
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
    found = _known_webs(bank, message)
    if not found:
        raise NotInBankError(
            f"{bank.path} has no match web{' that is known here' if folders(bank.derived_path) else ''}. "
            f"`motionary web build {bank.path}` makes one, and searches keep it up to date; "
            "only when clips are purged it is deleted, with all that was computed"
        )
    try:
        return build_web(bank, message=message, **found[-1][1], **options)
    except NotInBankError as error:
        raise NotInBankError(
            f"{bank.path}: the match web that was built last is of clips that are no longer there. "
            f"`motionary web build {bank.path}` makes one of all clips"
        ) from error


def web_facts(bank: Bank, *, message: Callable[[str], None] | None = None) -> list[dict[str, Any]]:
    """What there is to say about every web beside the bank, as it was when it was last used; the latest comes last."""
    facts = []
    for folder, options in _known_webs(bank, message):
        features = build_features(bank, rate_hz=options["rate_hz"])
        try:
            chosen = _chosen(bank, features, options)
        except NotInBankError:
            chosen = []  # no clip fits its words any more
        web = kept_web(features, chosen, folder)
        if web is not None:
            facts.append(web.facts())
    return facts


def _known_webs(bank: Bank, message: Callable[[str], None] | None) -> list[tuple[Path, dict[str, Any]]]:
    """The folders of webs whose metric is known by its name, and what they were built with; the latest comes last."""
    found = []
    for folder in folders(bank.derived_path):
        made_by = made_by_of(folder)
        if PointCloudMetric.is_named(made_by["metric"]):
            found.append((folder, options_of(made_by)))
        elif message:
            message(
                f"the match web {folder.name} is left out: its metric {made_by['metric']!r} is known only to whoever "
                "built it; `build_web(bank, metric=…)` opens it"
            )
    return found


def search_web(
    bank: Bank,
    query: Shown,
    *,
    epsilon_cm: float | None = None,
    steps: int | None = None,
    k: int | None = None,
    rejected: Match | Segment | str | Sequence[Match | Segment | str] = (),
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
    check_is_bank(bank)
    if steps is not None and whole_number(steps, "steps") < 1:
        raise UsageError(f"{steps} steps lead nowhere; 1 is the least")
    if k is not None and whole_number(k, "k") < 1:
        raise UsageError(f"{k} matches cannot be listed; 1 is the least")
    epsilon = None if epsilon_cm is None else number(epsilon_cm, "epsilon_cm") / 100.0
    check_is(merging, Merging, NoneType, called="merging", meant="a Merging")
    check_is(searcher, Searcher, NoneType, called="searcher", meant="a Searcher")
    given = [rejected] if isinstance(rejected, Match | Segment | str) else list(rejected)
    for one in given:
        check_is(one, Match, Segment, str, called="what is in rejected", meant="a match or a segment")
    ids = clips_to_search(bank, text, labels, names, without_labels=without_labels, without_names=without_names)
    if searcher is None:
        searcher = Searcher(latest_web(bank, progress=progress, message=message))
    web = searcher.web
    example = ExampleMaker(bank, web.features, message=message).example(query)
    asked = _piece(searcher, example, progress)
    if epsilon is None:
        suggested = searcher.suggested_epsilon(asked)
        epsilon = web.settings.ceiling if suggested is None else suggested
    graph = searcher.graph(
        asked,
        epsilon=epsilon,
        steps=steps,
        allowed=_allowed(web, ids),
        rejected=[
            _library_piece(web, bank.segment_of(one.segment if isinstance(one, Match) else one)) for one in given
        ],
        merging=merging,
    )
    found = matches_of(
        web,
        graph,
        query_clip=example.place.clip_id if example.place else None,
        ids=ids,
        name_of=lambda clip_id: bank.clip(clip_id).name,
    )
    return WebSearchResult(
        tuple(match for _, match in found[:k]),
        graph,
        example,
        100.0 * epsilon,
        tuple(node for node, _ in found[:k]),
        {node: match.segment for node, match in reversed(found)},
        len(web.motions),
    )


def _piece(searcher: Searcher, example: Example, progress: Callable[[int, int], None] | None) -> Piece:
    """The query as the web sees it."""
    place = example.place
    web = searcher.web
    if place is not None:
        clip = web.features.number(place.clip_id)
        if clip in web.motions:
            return Piece(web.motions[clip], place.start, place.start + example.n_frames)
    return searcher.outside(dict(example.rows(example.n_frames)), progress=progress)


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
    """What says which clips a web is of; in whichever order it is said, that is the same web."""
    check_is(text, str, called="text", meant="words")
    lists = (sorted(set(texts(given, called))) for given, called in ((labels, "labels"), (names, "names")))
    return dict(zip(("text", "labels", "names"), (text.strip(), *lists), strict=True))


def _chosen(bank: Bank, features: LibraryFeatures, words: dict[str, Any]) -> list[int]:
    """Numbers of the clips that are woven in."""
    ids = clips_to_search(bank, words["text"], words["labels"], words["names"])
    return [c for c, clip_id in enumerate(features.clip_ids.tolist()) if ids is None or clip_id in ids]
