"""Searching a bank: from words to matches."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError
from motionary.features import LibraryFeatures, build_features
from motionary.motion import Motion, Segment
from motionary.rig import Body, body_of
from motionary.search.exact import Query, SearchResult, scan
from motionary.search.examples import LibrarySegment, Rows
from motionary.search.played import played

WAYS = ("scan",)


def search_bank(
    bank: Bank,
    query: Query | Segment | str | int,
    *,
    by: str = "scan",
    text: str = "",
    labels: str | Sequence[str] = (),
    names: str | Sequence[str] = (),
    features: LibraryFeatures | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
    **options: Any,
) -> SearchResult:
    """The segments of the bank most like the query, nearest first.

    A segment becomes a query with `options`, the fields of `Query`: k, within, distance, window, joints and so on.
    Only clips that `bank.clips(text, labels=labels, names=names)` gives are searched. Features are built if they are
    not given; `progress` and `message` are told of that.
    """
    if by not in WAYS:
        raise UsageError(f"no way to search is called {by!r}; there are {', '.join(WAYS)}")
    clip_ids = None
    if text or labels or names:
        clip_ids = {clip.id for clip in bank.clips(text, labels=labels, names=names)}
        if not clip_ids:
            raise NotInBankError(
                f"{bank.path}: no clip has all these words, labels and names, so there is nothing to search. "
                f"`motionary ls {bank.path}` lists clips in the same words"
            )
    if features is None:
        features = build_features(bank, progress=progress, message=message)
    if isinstance(query, Query):
        asked = replace(query, **options)
    else:
        asked = Query(example=_example(bank, features, bank.segment_of(query)), **options)
    result = scan(features, asked, clip_ids=clip_ids)
    names_of = {clip_id: bank.clip(clip_id).name for clip_id in {found.segment.clip_id for found in result.matches}}
    return replace(
        result, matches=tuple(replace(found, clip=names_of[found.segment.clip_id]) for found in result.matches)
    )


def _example(bank: Bank, features: LibraryFeatures, segment: Segment) -> LibrarySegment:
    """A segment that can be played in any number of frames; its motion is read when that is asked for."""
    example = LibrarySegment(features, segment)

    @cache
    def read() -> tuple[Motion, Body]:
        clip = bank.clip(segment.clip_id)
        motion = bank.motion(clip.segment)
        return motion, body_of(motion.skeleton, body_map=bank.body_map(clip), motion=motion)

    def played_in(length: int) -> Rows:
        motion, body = read()
        start, stop = example.search_frames
        rates = features.rates[features.number(segment.clip_id)]
        return played(motion, body, rates=rates, start=start, stop=stop, length=length, rate_hz=features.rate_hz)

    return replace(example, played=played_in)
