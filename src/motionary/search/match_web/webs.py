"""The match webs of a bank: building, opening and removing them."""

from collections.abc import Callable, Sequence
from types import NoneType
from typing import Any

from motionary.arguments import check_is, integer, number, texts
from motionary.artefacts import ArtefactStore
from motionary.bank import Bank, check_is_bank, chosen_clips
from motionary.errors import NotInBankError, UsageError
from motionary.features import SEARCH_RATE_HZ
from motionary.library import LibraryFeatures, build_features, one_snapshot
from motionary.metrics import AnyMetric, PointCloudMetric, as_metric, undirected
from motionary.requests import ClipFilter
from motionary.search.match_web.building import in_words, kept_web, woven_web
from motionary.search.match_web.known_webs import WORDS, KnownWeb, known_webs, named_web
from motionary.search.match_web.settings import WebSettings
from motionary.search.match_web.store import KIND
from motionary.search.match_web.web import MatchWeb

RATES_HZ = (1, 1000)


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
    pairs with new and changed clips are computed; `progress` is told how many pairs are done, of how many, where a pair
    of long clips counts for more than a pair of short ones. When interrupted, what was computed is kept, and the next
    call goes on from there. Where nothing can be written, the web is made for this time only.
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
            f"`motionary web build {bank.path}` builds one, and searches keep it up to date; "
            "purging clips deletes all webs"
        )
    web = known[-1] if name is None else named_web(known, name, bank.path)
    options = web.options
    words = {key: options[key] for key in WORDS}
    if name is None and message is not None and any(words.values()):
        wider = next((one for one in reversed(known) if not any(one.options[key] for key in WORDS)), None)
        remedy = "the option web names another" + ("" if wider is None else f': "{wider.of}" is the one of all clips')
        message(f"searching the match web of {web.of}, as it was built last; {remedy}")
    try:
        return _built(
            bank, options["settings"], options["rate_hz"], options["metric"], words, None, progress, message,
            as_latest=False,
        )  # fmt: skip
    except NotInBankError as error:
        raise NotInBankError(
            f"{bank.path}: the match web {web.name} covers clips that no longer exist ({in_words(words)}). "
            f"`motionary web build {bank.path}` builds one of all clips"
        ) from error


@one_snapshot
def web_facts(bank: Bank, *, message: Callable[[str], None] | None = None) -> list[dict[str, Any]]:
    """What there is to say about every web beside the bank, as it was when it was last used.

    The one that was built last, which searches use, is at the end.
    """
    check_is_bank(bank)
    known = known_webs(ArtefactStore.of(bank), message)
    found = [kept.facts() for web in known if (kept := web_as_left(bank, web)) is not None]
    return [facts | {"in_use": n == len(found)} for n, facts in enumerate(found, start=1)]


def remove_webs(bank: Bank, names: str | Sequence[str], *, dry_run: bool = False) -> list[dict[str, Any]]:
    """Delete webs, by names as `opened_web` takes; what comes back are their facts. They can be built again."""
    check_is_bank(bank)
    known, facts = known_webs(ArtefactStore.of(bank)), {one["web"]: one for one in web_facts(bank)}
    chosen = {web.name: web for web in (named_web(known, name, bank.path) for name in texts(names, "names"))}
    if not dry_run:
        ArtefactStore.of(bank).remove([f"{KIND.name}/{web.folder.name}" for web in chosen.values()])
    return [facts[name] for name in chosen if name in facts]


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
        raise UsageError(f"threads must be at least 1, not {threads}")
    least, most = RATES_HZ
    if not least <= number(rate_hz, "rate_hz") <= most:
        raise UsageError(f"the rate must be between {least} and {most} Hz, not {rate_hz:g}")
    features = build_features(bank, rate_hz=float(rate_hz), message=message)
    try:
        chosen = _chosen(bank, features, words)
    except NotInBankError as error:
        raise NotInBankError(
            f"{bank.path}: no clip has {in_words(words)}, so there is no web to build. "
            f"`motionary ls {bank.path}` lists clips, `motionary label ls {bank.path}` lists labels"
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


def web_as_left(bank: Bank, web: KnownWeb) -> MatchWeb | None:
    """A web as it was left; None if it is damaged."""
    features = build_features(bank, rate_hz=web.options["rate_hz"])
    try:
        chosen = _chosen(bank, features, web.options)
    except NotInBankError:
        chosen = []  # no clip fits its words any more
    return kept_web(ArtefactStore.of(bank), features, chosen, web.made_by)


def _has_webs(bank: Bank) -> bool:
    return any(entry.kind == KIND.name for entry in ArtefactStore.of(bank).entries())


def _words(text: str, labels: str | Sequence[str], names: str | Sequence[str]) -> dict[str, Any]:
    """What says which clips a web is of; in whichever order it is said, that is the same web."""
    check_is(text, str, called="text", meant="words")
    lists = (sorted(set(texts(given, called))) for given, called in ((labels, "labels"), (names, "names")))
    return dict(zip(WORDS, (text.strip(), *lists), strict=True))


def _chosen(bank: Bank, features: LibraryFeatures, words: dict[str, Any]) -> list[int]:
    """Numbers of the clips that are woven in."""
    ids = chosen_clips(bank, ClipFilter.of(**{key: words[key] for key in WORDS}))
    return [c for c, clip_id in enumerate(features.clip_ids.tolist()) if ids is None or clip_id in ids]
