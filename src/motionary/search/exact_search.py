"""Exact search of a bank: from a request to matches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from motionary.alignment import Match
from motionary.arguments import check_is, some
from motionary.bank import LABEL_SIGN, SELECTION_SIGN, Bank, check_is_bank, chosen_clips
from motionary.errors import ArgumentError, UsageError
from motionary.features import SEARCH_RATE_HZ
from motionary.library import check_features
from motionary.motion import Segment
from motionary.requests import Progress, settings_of
from motionary.search.by_quality import with_qualities
from motionary.search.default_description import default_description, with_choice
from motionary.search.exact import Index, Query, SearchResult, Unlike, build_index, index_for, scan, search
from motionary.search.examples import Averaged, ExampleMaker, Shown, words_of
from motionary.search.expanding import n_expanding, search_expanded
from motionary.search.feedback import search_profiled
from motionary.search.per_group import one_per_group
from motionary.search.profiles import Profile
from motionary.search.requests import ExactOptions, ExactRequest
from motionary.search.several_queries import naming_example, search_together
from motionary.search.stepping import check_has_steps, search_in_steps
from motionary.search.widening import check_can_widen, widened

MOST_EXAMPLES = 100  # of one query
Parts = Mapping[str, Shown] | Sequence[tuple[str, Shown]]  # words for parts of the body, and what shows them


def search_exact(
    bank: Bank, request: ExactRequest, *, index: Index | None = None, progress: Progress | None = None
) -> SearchResult:
    """The nearest segments, through the index, which is built or brought up to date if it is not given."""
    return _search(bank, request, index, progress or Progress(), every_window=False)


def search_by_scan(
    bank: Bank, request: ExactRequest, *, index: Index | None = None, progress: Progress | None = None
) -> SearchResult:
    """The same answer, from comparing every window."""
    return _search(bank, request, index, progress or Progress(), every_window=True)


def _search(
    bank: Bank, request: ExactRequest, index: Index | None, progress: Progress, *, every_window: bool
) -> SearchResult:
    check_is_bank(bank)
    check_is(index, Index, type(None), called="index", meant="what build_index gives")
    if index is not None:
        check_features(bank, index.features, called="the index", remedy="build_index(bank)")
    clip_ids = chosen_clips(bank, request)
    profile = _profile(bank, request.profile)

    @cache
    def plain() -> Index:
        return index if index is not None else build_index(bank, progress=progress.step, message=progress.message)

    @cache
    def built() -> Index:
        return index_for(bank, plain(), queries[0].descriptions, progress=progress.step, message=progress.message)

    # Whatever is wrong with the query is told here, before an index is built
    rate_hz = SEARCH_RATE_HZ if index is None else index.features.rate_hz
    maker = ExampleMaker(bank, lambda: built().features, rate_hz=rate_hz, message=progress.message)
    queries = _queries(bank, maker, request)
    if len(queries) > 1 and profile is not None:
        raise UsageError(
            "use either several examples or a profile (accepted and rejected matches make one): a profile brings "
            "examples of its own"
        )
    if request.steps > 1:
        check_has_steps(queries[0])
        if profile is not None:
            raise ArgumentError("steps", "cannot be combined with a profile, which brings examples of its own")
    can_expand = len(queries) == 1 and profile is None and request.steps == 1
    n_expanding(queries[0], can_expand=can_expand)
    if not request.descriptions:
        choice = default_description(bank, queries, plain().features)
        queries = tuple(with_choice(one, choice) for one in queries)
    query, ready = queries[0], built()
    n_best = n_expanding(query, can_expand=can_expand)
    searching: Callable[[Query], SearchResult] = partial(search, ready, clip_ids=clip_ids)
    if every_window:
        searching = partial(scan, ready.features, clip_ids=clip_ids, progress=progress.step)

    counts_matches = request.steps > 1 and query.k is not None  # these are the progress of a search in steps

    def found(query: Query, k: int | None) -> SearchResult:
        if request.steps == 1:
            return nearest(query, k)
        return search_in_steps(
            ready.features,
            replace(query, k=k),
            request.steps,
            first=partial(nearest, query),
            search=searching,
            example=maker.example,
            least_onset=min(each.least_onset(each.example.n_frames) for each in queries),
            progress=None if every_window else progress.step,
        )

    def nearest(query: Query, k: int | None) -> SearchResult:
        limited = query if k == query.k else replace(query, k=k)
        if profile is not None:
            return search_profiled(ready.features, limited, profile, search=searching)
        if len(queries) > 1:
            every = [replace(limited, example=one.example, without=one.without) for one in queries]
            return search_together(
                ready.features,
                limited,
                every,
                search=partial(naming_example, search=searching),
                progress=None if every_window or counts_matches else progress.step,
            )
        if n_best:
            return search_expanded(ready.features, limited, n_best, search=searching, example=maker.example)
        return searching(limited)

    for wider in widened(query):
        sieved = partial(with_qualities, bank, request.where, search=partial(found, wider))
        result = one_per_group(bank, request.per, query.k, sieved)
        if request.at_least is None or len(result.matches) >= request.at_least:
            break
    known = ready.features.clip_ids  # not of props
    n_searched = len(known) if clip_ids is None else int(np.isin(known, list(clip_ids)).sum())
    names = bank.clip_names(found.segment.clip_id for found in result.matches)
    return replace(
        result,
        matches=tuple(replace(one, clip=names[one.segment.clip_id]) for one in result.matches),
        n_too_short=n_searched - result.n_clips,
    )


def _queries(bank: Bank, maker: ExampleMaker, request: ExactRequest) -> tuple[Query, ...]:
    """The queries of a request, one for each example that is ranked by itself: examples made, places found."""
    earlier = request.query if isinstance(request.query, Query) else None
    shown = getattr(request.query, "example", request.query)  # of an earlier query, of whichever method
    unlike = tuple(
        Unlike(maker.example(one), words_of(words), request.unlike_weight) for words, one in _pairs(request.unlike)
    )
    places = tuple(maker.place(segment) for segment in _segments(bank, request.without))
    first, *others = (one for given in (shown, *_several(request.also)) for one in _each(bank, given))
    examples = [maker.example(first, _pairs(request.sources)), *(maker.example(one) for one in others)]
    if len(examples) > 1 and not request.with_itself:  # no example is a match of another
        places = (*places, *(one.place for one in examples if one.place is not None))
    if len(examples) > 1 and request.combine == "all":
        examples = [Averaged(tuple(examples))]
    query = Query(
        example=examples[0],
        unlike=unlike or (earlier.unlike if earlier else ()),
        without=(*(earlier.without if earlier else ()), *places),
        **{one.name: getattr(request, one.name) for one in settings_of(ExactOptions)},
    )
    if request.at_least is not None:
        check_can_widen(query, request.at_least)
    return tuple(replace(query, example=example) for example in examples)


def _several(given: Any) -> Sequence[Any]:
    return given if isinstance(given, list | tuple) else (given,)


def _each(bank: Bank, shown: Any) -> Sequence[Any]:
    """The examples that are meant: `@kicks` means each match of that selection, `label:kick` all that has the label."""
    if not isinstance(shown, str) or not shown.startswith((SELECTION_SIGN, LABEL_SIGN)):
        return (shown,)
    found = bank.segments_of([shown])
    if not found:
        raise UsageError(f"{shown} holds no match, so there is no example to search for")
    if len(found) > MOST_EXAMPLES:
        few = f"{shown}:1-{MOST_EXAMPLES}" if shown.startswith(SELECTION_SIGN) else bank.segment_name(found[0])
        raise UsageError(
            f"{shown} names {len(found)} segments, and a search takes {MOST_EXAMPLES} examples at most; name some of "
            f"them, as in {few}"
        )
    return found


def _segments(bank: Bank, given: Any) -> list[Segment]:
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


def _pairs(given: Shown | Parts) -> list[tuple[str, Any]]:
    """Body parts with the example for each; "" for the whole body. (Key poses are a list too, but not of pairs.)"""
    if isinstance(given, Mapping):
        return list(given.items())
    if isinstance(given, list | tuple) and all(isinstance(one, tuple) for one in given):
        return [(words, shown) for words, shown in given]
    return [("", given)]
