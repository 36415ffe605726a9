"""Searching a bank: from words to matches."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from motionary.arguments import check_is, check_options, some
from motionary.bank import Bank, check_is_bank
from motionary.errors import UsageError
from motionary.library import check_features, one_snapshot
from motionary.motion import Segment
from motionary.search.chosen_clips import clips_to_search
from motionary.search.exact import Index, Query, SearchResult, Unlike, build_index, scan, search
from motionary.search.examples import Example, ExampleMaker, Shown, words_of
from motionary.search.feedback import place_of, search_profiled
from motionary.search.match import Match
from motionary.search.profiles import Profile
from motionary.search.widening import check_can_widen, widened

if TYPE_CHECKING:
    from motionary.search.match_web import WebSearchResult
    from motionary.search.wpca import PoseIndex, PoseQuery, PoseSearchResult

WAYS = ("exact", "scan")
NOTHING_SAID: tuple[Any, ...] = (None, "", (), [])
OTHER_WAYS = {"wpca": "search_pose_space", "web": "search_web"}  # imported when asked for: most searches are exact
Parts = Mapping[str, Shown] | Sequence[tuple[str, Shown]]  # words for parts of the body, and what shows them


@overload
def search_bank(
    bank: Bank, query: Query | Shown, *, by: Literal["exact", "scan"] = "exact", **words: Any
) -> SearchResult: ...


@overload
def search_bank(bank: Bank, query: "PoseQuery | Shown", *, by: Literal["wpca"], **words: Any) -> "PoseSearchResult": ...


@overload
def search_bank(bank: Bank, query: Shown, *, by: Literal["web"], **words: Any) -> "WebSearchResult": ...


@one_snapshot
def search_bank(
    bank: Bank,
    query: "Query | PoseQuery | Shown",
    *,
    sources: Parts = (),
    unlike: Shown | Parts = (),
    unlike_weight: float = 0.5,
    at_least: int | None = None,
    profile: Profile | Path | str | None = None,
    without: Match | Segment | str | int | Sequence[Match | Segment | str | int] = (),
    by: str = "exact",
    text: str = "",
    labels: str | Sequence[str] = (),
    names: str | Sequence[str] = (),
    without_labels: str | Sequence[str] = (),
    without_names: str | Sequence[str] = (),
    index: "Index | PoseIndex | None" = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
    **options: Any,
) -> "SearchResult | PoseSearchResult | WebSearchResult":
    """The segments of the bank most like the query, nearest first.

    A query is a segment, a motion file (by its path, and an interval behind a colon), a motion, a list of key poses
    (`"walk:30@0.5"`, or `KeyPose`), or the `Query` of an earlier result. `sources` takes parts of it from elsewhere:
    `{"arms": "wave:0-60"}`; `unlike` is what matches must not be like, in whole or in parts. `options` are the fields
    of `Query`: k, within, distance, window, joints and so on.

    A `profile` that was learned from judgements (or its name in the bank, or its file) makes several queries of one.
    What begins where matches or segments of `without` begin, or too near to that, is left out.

    Only clips that `bank.clips(text, labels=labels, names=names)` gives are searched, less those that carry one of
    `without_labels` or fit one of `without_names`. With `at_least`, the window is widened until there are as many
    matches; the window of the result's query tells how far. The index is built, or brought up to date, if it is not
    given; `progress` and `message` are told of that. Who asks often keeps one (`build_index`). `by="scan"` compares
    every window, for the same answer, and tells `progress` of it.

    `by="wpca"` and `by="web"` are `search_pose_space` and `search_web`, with their options and results.
    """
    if by in OTHER_WAYS:
        words = {
            "sources": sources, "unlike": unlike, "at_least": at_least, "profile": profile, "without": without,
            "text": text, "labels": labels, "names": names, "without_labels": without_labels,
            "without_names": without_names, "index": index, "progress": progress, "message": message,
        }  # fmt: skip
        given = {word: value for word, value in words.items() if value not in NOTHING_SAID}
        return _otherwise(by, bank, query, given | options)
    if by not in WAYS:
        raise UsageError(f"no way to search is called {by!r}; there are {', '.join((*WAYS, *OTHER_WAYS))}")
    check_is_bank(bank)
    check_options(options, [one.name for one in fields(Query) if one.name != "example"], called="search_bank")
    clip_ids = clips_to_search(bank, text, labels, names, without_labels=without_labels, without_names=without_names)
    if index is not None:
        check_is(index, Index, called="index", meant="what build_index gives")
    if isinstance(index, Index):
        check_features(bank, index.features, called="the index", remedy="build_index(bank)")
    if not isinstance(query, Query) and hasattr(query, "example"):  # of an earlier search in a pose space
        query = query.example
    if at_least is not None and "k" not in options and not isinstance(query, Query):
        options["k"] = at_least if options.get("within") is None else None
    # They are read twice below, and an iterator would be empty then
    options = {name: tuple(given) if isinstance(given, Iterator) else given for name, given in options.items()}
    known = _profile(bank, profile)
    left_out = _segments(bank, without)
    maker = ExampleMaker(bank, message=message)

    def asked_of(maker: ExampleMaker) -> Query:
        asked = _asked(maker, query, _pairs(sources), _unlike(maker, unlike, unlike_weight), options)
        if at_least is not None:
            check_can_widen(asked, at_least)
        return asked

    asked_of(maker)  # whatever is wrong with it is told before anybody waits for an index
    if not isinstance(index, Index):
        index = build_index(bank, progress=progress, message=message)
    features = maker.features = index.features
    asked = asked_of(maker)
    asked = replace(asked, without=(*asked.without, *(place_of(features, segment) for segment in left_out)))
    searching = partial(search, index, clip_ids=clip_ids)
    if by == "scan":
        searching = partial(scan, features, clip_ids=clip_ids, progress=progress)
    for wider in widened(asked):
        result = searching(wider) if known is None else search_profiled(features, wider, known, search=searching)
        if at_least is None or len(result.matches) >= at_least:
            break
    names_of = bank.clip_names(found.segment.clip_id for found in result.matches)
    return replace(
        result, matches=tuple(replace(found, clip=names_of[found.segment.clip_id]) for found in result.matches)
    )


def _segments(bank: Bank, given: Match | Segment | str | int | Sequence[Match | Segment | str | int]) -> list[Segment]:
    listed = some(given, Match, Segment, str, int, called="without", meant="a match, a segment or a clip's id")
    return [bank.segment_of(one.segment if isinstance(one, Match) else one) for one in listed]


def _profile(bank: Bank, profile: Profile | Path | str | None) -> Profile | None:
    if isinstance(profile, Path):
        return Profile.read(profile)
    if isinstance(profile, str):
        return Profile.of_json(bank.profile(profile), where=f"{bank.path}: profile {profile!r}")
    if profile is not None:
        check_is(profile, Profile, called="profile", meant="a Profile, the name of one, or its file")
    return profile


def _otherwise(by: str, bank: Bank, query: Any, words: dict[str, Any]) -> "PoseSearchResult | WebSearchResult":
    """Searched in another way, which tells by its name what it does not know."""
    way: Callable[..., PoseSearchResult | WebSearchResult]
    way = getattr(import_module("motionary.search"), OTHER_WAYS[by])
    parameters = signature(way).parameters.values()
    if all(one.kind is not Parameter.VAR_KEYWORD for one in parameters):
        known = [one.name for one in parameters if one.kind is Parameter.KEYWORD_ONLY]
        check_options(words, known, called=OTHER_WAYS[by])
    return way(bank, query, **words)


def _asked(
    maker: ExampleMaker,
    query: Query | Shown,
    sources: Sequence[tuple[str, Shown]],
    unlike: tuple[Unlike, ...],
    options: dict[str, Any],
) -> Query:
    if not isinstance(query, Query):
        return Query(example=maker.example(query, sources), unlike=unlike, **options)
    example: Example = maker.example(query.example, sources)
    return replace(query, example=example, unlike=unlike or query.unlike, **options)


def _unlike(maker: ExampleMaker, unlike: Shown | Parts, weight: float) -> tuple[Unlike, ...]:
    return tuple(Unlike(maker.example(shown), words_of(words), weight) for words, shown in _pairs(unlike))


def _pairs(given: Shown | Parts) -> list[tuple[str, Any]]:
    """Words with what shows them; none for what is meant as a whole. (Key poses are a list too, but not of pairs.)"""
    if isinstance(given, Mapping):
        return list(given.items())
    if isinstance(given, list | tuple) and all(isinstance(one, tuple) for one in given):
        return [(words, shown) for words, shown in given]
    return [("", given)]
