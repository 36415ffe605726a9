"""The match webs of a bank: building them, choosing one, and searching through it, in words."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from types import NoneType
from typing import Any

from motionary.arguments import check_is, integer, number, some, texts
from motionary.artefacts import ArtefactStore
from motionary.bank import Bank, check_is_bank
from motionary.errors import NotInBankError, UsageError
from motionary.features import SEARCH_RATE_HZ
from motionary.library import LibraryFeatures, build_features, one_snapshot
from motionary.metrics import AnyMetric, PointCloudMetric, as_metric, undirected
from motionary.motion import Segment
from motionary.search.chosen_clips import clips_to_search
from motionary.search.examples import Example, ExampleMaker, Shown
from motionary.search.match import Match
from motionary.search.match_web.answers import WebQuery, WebSearchResult, matches_of
from motionary.search.match_web.beside import WORDS, KnownWeb, known_webs, named_web
from motionary.search.match_web.building import in_words, kept_web, woven_web
from motionary.search.match_web.merging import Merging
from motionary.search.match_web.pieces import Piece
from motionary.search.match_web.remarks import in_vain, not_in_web, why_nothing
from motionary.search.match_web.searcher import Searcher
from motionary.search.match_web.settings import WebSettings
from motionary.search.match_web.store import KIND
from motionary.search.match_web.web import MatchWeb

RATES_HZ = (1, 1000)
LARGEST_EPSILON = 100.0  # metres


@one_snapshot
def build_web(
    bank: Bank,
    *,
    settings: WebSettings | None = None,
    rate_hz: float = SEARCH_RATE_HZ,
    metric: AnyMetric | str | None = None,
    text: str = "",
    labels: str | Sequence[str] = (),
    names: str | Sequence[str] = (),
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> MatchWeb:
    """The match web of the bank, or of the clips with all words of `text`, all `labels` and one of `names`.

    `metric` is one of METRICS by name, or a FrameMetric; of a directed one the mean of both ways counts.

    It is kept beside the bank, in a folder that can be deleted at any time, and is what searches use from now on. Only
    pairs with new and changed clips are computed; `progress` is told how many pairs are done, of how many. When
    interrupted, what was computed is kept, and the next call goes on from there. Where nothing can be written, the web
    is made for this time only.
    """
    return _built(bank, settings, rate_hz, metric, _words(text, labels, names), threads, progress, message)


@one_snapshot
def opened_web(
    bank: Bank,
    name: str | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> MatchWeb:
    """The web of that name, or else the one that was built last, brought up to date.

    A name is one that `web_facts` tells, or how it begins; or the words that say which clips a web is of, as in
    `label kick`, if there is one such web.
    """
    check_is_bank(bank)
    check_is(name, str, NoneType, called="web", meant="the name of a match web")
    known = known_webs(ArtefactStore.of(bank), message)
    if not known:
        raise NotInBankError(
            f"{bank.path} has no match web{' that is known here' if _has_webs(bank) else ''}. "
            f"`motionary web build {bank.path}` makes one, and searches keep it up to date; "
            "only when clips are purged it is deleted, with all that was computed"
        )
    web = known[-1] if name is None else named_web(known, name, bank.path)
    options = web.options
    words = {key: options[key] for key in WORDS}
    try:
        return _built(
            bank, options["settings"], options["rate_hz"], options["metric"], words, None, progress, message,
            as_latest=False,
        )  # fmt: skip
    except NotInBankError as error:
        raise NotInBankError(
            f"{bank.path}: the match web {web.name} is of clips that are no longer there ({in_words(words)}). "
            f"`motionary web build {bank.path}` makes one of all clips"
        ) from error


@one_snapshot
def web_facts(bank: Bank, *, message: Callable[[str], None] | None = None) -> list[dict[str, Any]]:
    """What there is to say about every web beside the bank, as it was when it was last used.

    The one that was built last, which searches use, is at the end.
    """
    check_is_bank(bank)
    found = [
        kept.facts() for web in known_webs(ArtefactStore.of(bank), message) if (kept := _kept(bank, web)) is not None
    ]
    return [facts | {"in_use": n == len(found)} for n, facts in enumerate(found, start=1)]


def remove_webs(bank: Bank, names: str | Sequence[str], *, dry_run: bool = False) -> list[dict[str, Any]]:
    """Delete webs, by names as `opened_web` takes; what comes back are their facts. They can be built again."""
    check_is_bank(bank)
    known, facts = known_webs(ArtefactStore.of(bank)), {one["web"]: one for one in web_facts(bank)}
    chosen = {web.name: web for web in (named_web(known, name, bank.path) for name in texts(names, "names"))}
    if not dry_run:
        ArtefactStore.of(bank).remove([f"{KIND.name}/{web.folder.name}" for web in chosen.values()])
    return [facts[name] for name in chosen if name in facts]


@one_snapshot
def search_web(
    bank: Bank,
    query: Shown | WebQuery,
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
    web: str | None = None,
    searcher: Searcher | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> WebSearchResult:
    """The segments of the bank that are like the query, or like what is like it, nearest along the match graph first.

    A query is whatever `search_bank` takes, or that of an earlier result. Two segments are alike if the mean distance
    of their frames, along the best alignment that the web knows, is at most `epsilon_cm`; without it, one is suggested.
    Matches become queries in turn, in so many `steps` (1: only what is like the query itself) or until nothing new is
    found, but not those that lie mostly within one of `rejected`. Only clips with the words, labels and names that are
    asked for are matches. The first `k` come back, or all.

    The web is that of the name `web`, as `opened_web` takes it, or the one that was built last, brought up to date. A
    `searcher` of an earlier search (`Searcher(build_web(bank))`) knows its web already, and what was asked before.
    """
    check_is_bank(bank)
    if steps is not None and integer(steps, "steps") < 1:
        raise UsageError(f"{steps} steps lead nowhere; 1 is the least")
    if k is not None and integer(k, "k") < 1:
        raise UsageError(f"{k} matches cannot be listed; 1 is the least")
    epsilon = None if epsilon_cm is None else number(epsilon_cm, "epsilon_cm") / 100.0
    if epsilon is not None and not 0.0 <= epsilon <= LARGEST_EPSILON:
        raise UsageError(f"epsilon is a mean distance from 0 to {100.0 * LARGEST_EPSILON:g} cm, not {epsilon_cm:g}")
    check_is(merging, Merging, NoneType, called="merging", meant="a Merging")
    check_is(searcher, Searcher, NoneType, called="searcher", meant="a Searcher, as Searcher(build_web(bank))")
    if web is not None and searcher is not None:
        raise UsageError("a searcher has its own web: give the one or the other")
    given = some(rejected, Match, Segment, str, called="rejected", meant="a match or a segment")
    wrong = bank.segments_of([one.segment if isinstance(one, Match) else one for one in given])
    ids = clips_to_search(bank, text, labels, names, without_labels=without_labels, without_names=without_names)
    shown = query.example if isinstance(query, WebQuery) else query
    maker = ExampleMaker(bank, message=message)
    if searcher is None:
        maker.example(shown)  # whatever is wrong with it is told before anybody waits for a web
        searcher = Searcher(opened_web(bank, web, progress=progress, message=message))
        maker.features = searcher.web.features
    else:
        maker.features = _checked(searcher.web, bank)
    known = searcher.web
    example = maker.example(shown)
    asked = _piece(searcher, example, progress)
    if epsilon is None:
        suggested = searcher.suggested_epsilon(asked)
        epsilon = known.settings.ceiling if suggested is None else suggested
    rejected_pieces = {bank.segment_name(one): _library_piece(known, one) for one in wrong}
    allowed = _allowed(known, ids)
    graph = searcher.graph(
        asked,
        epsilon=epsilon,
        steps=steps,
        allowed=allowed,
        rejected=[piece for piece in rejected_pieces.values() if piece is not None],
        merging=merging,
    )
    found, places, n_found = matches_of(
        known,
        graph,
        query_clip=example.place.clip_id if example.place else None,
        ids=ids,
        names_of=bank.clip_names,
        k=k,
    )
    words = WebQuery(example, 100.0 * epsilon, steps, tuple(rejected_pieces), known.name, known.of, known.rate_hz)
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


def _built(
    bank: Bank,
    settings: WebSettings | None,
    rate_hz: float,
    metric: AnyMetric | str | None,
    words: dict[str, Any],
    threads: int | None,
    progress: Callable[[int, int], None] | None,
    message: Callable[[str], None] | None,
    *,
    as_latest: bool = True,
) -> MatchWeb:
    check_is_bank(bank)
    check_is(settings, WebSettings, NoneType, called="settings", meant="WebSettings")
    metric = PointCloudMetric() if metric is None else as_metric(metric)
    if not hasattr(metric, "describe"):
        check_is(metric, PointCloudMetric, called="metric", meant="a FrameMetric, or the name of one")
    if threads is not None and integer(threads, "threads") < 1:
        raise UsageError(f"{threads} threads build nothing; 1 is the least")
    least, most = RATES_HZ
    if not least <= number(rate_hz, "rate_hz") <= most:
        raise UsageError(f"{rate_hz:g} frames a second cannot be compared; a rate is between {least} and {most} Hz")
    features = build_features(bank, rate_hz=float(rate_hz), message=message)
    try:
        chosen = _chosen(bank, features, words)
    except NotInBankError as error:
        raise NotInBankError(
            f"{bank.path}: no clip has {in_words(words)}, so there is no web to build. "
            f"`motionary ls {bank.path}` lists clips in the same words, `motionary label ls {bank.path}` labels"
        ) from error
    return woven_web(
        features,
        chosen,
        beside=bank.derived_path,
        settings=settings or WebSettings(),
        metric=undirected(metric),
        words=words,
        threads=threads,
        as_latest=as_latest,
        progress=progress,
        message=message,
    )


def _kept(bank: Bank, web: KnownWeb) -> MatchWeb | None:
    """A web as it was left; None if it is damaged."""
    features = build_features(bank, rate_hz=web.options["rate_hz"])
    try:
        chosen = _chosen(bank, features, web.options)
    except NotInBankError:
        chosen = []  # no clip fits its words any more
    return kept_web(ArtefactStore.of(bank), features, chosen, web.made_by)


def _has_webs(bank: Bank) -> bool:
    return any(entry.kind == KIND.name for entry in ArtefactStore.of(bank).entries())


def _others(bank: Bank, web: MatchWeb, ids: Collection[int]) -> list[str]:
    """How to ask the other webs that are of all the clips with these ids."""
    found = []
    for other in known_webs(ArtefactStore.of(bank)):
        with suppress(NotInBankError):  # no clip fits its words any more
            of = clips_to_search(bank, *(other.options[key] for key in WORDS))
            if other.folder != web.folder and (of is None or of.issuperset(ids)):
                found.append(f"--web {other.name} ({other.of})")
    return found


def _words(text: str, labels: str | Sequence[str], names: str | Sequence[str]) -> dict[str, Any]:
    """What says which clips a web is of; in whichever order it is said, that is the same web."""
    check_is(text, str, called="text", meant="words")
    lists = (sorted(set(texts(given, called))) for given, called in ((labels, "labels"), (names, "names")))
    return dict(zip(WORDS, (text.strip(), *lists), strict=True))


def _chosen(bank: Bank, features: LibraryFeatures, words: dict[str, Any]) -> list[int]:
    """Numbers of the clips that are woven in."""
    ids = clips_to_search(bank, *(words[key] for key in WORDS))
    return [c for c, clip_id in enumerate(features.clip_ids.tolist()) if ids is None or clip_id in ids]


def _checked(web: MatchWeb, bank: Bank) -> LibraryFeatures:
    """The features of the bank; raises if clips that a searcher's web knows are not as they are there."""
    if bank.state not in web.seen:
        features = build_features(bank, rate_hz=web.rate_hz)
        there = dict(zip(features.clip_ids.tolist(), features.digests, strict=True))
        if any(there.get(int(web.features.clip_ids[clip])) != web.features.digests[clip] for clip in web.motions):
            raise UsageError(
                f"the searcher's web is not of {bank.path} as it is now: it is of another bank, or clips were removed "
                "or changed since it was opened; make another with Searcher(build_web(bank))"
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


def _library_piece(web: MatchWeb, segment: Segment) -> Piece | None:
    """Where the web has a segment; None if it does not know its clip."""
    motion = web.motion_of(segment.clip_id)
    if motion is None:
        return None
    rates = web.features.rates[web.features.number(segment.clip_id)]
    return Piece(motion, *rates.search_segment(segment.start, segment.stop))


def _allowed(web: MatchWeb, ids: set[int] | None) -> set[int] | None:
    """The motions that may be matches; None for all."""
    if ids is None:
        return None
    return {motion for clip, motion in web.motions.items() if int(web.features.clip_ids[clip]) in ids}
