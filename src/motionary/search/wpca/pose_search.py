"""Searching a bank in a pose space."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

from motionary.bank import Bank, check_is_bank, chosen_clips
from motionary.errors import UsageError
from motionary.features import SEARCH_RATE_HZ
from motionary.library import LibraryFeatures, build_features, check_features, one_snapshot
from motionary.requests import Progress, keywords_of, settings_of
from motionary.search.by_quality import with_qualities
from motionary.search.examples import ExampleMaker, Shown
from motionary.search.per_group import one_per_group
from motionary.search.requests.search_request import merged
from motionary.search.requests.wpca import PoseOptions, PoseRequest
from motionary.search.wpca.index import PoseIndex
from motionary.search.wpca.moments import character_of
from motionary.search.wpca.pose_spaces import pose_index, pose_space
from motionary.search.wpca.query import PoseQuery
from motionary.search.wpca.search import PoseSearchResult, search_poses


@keywords_of(PoseRequest)
@one_snapshot
def search_pose_space(
    bank: Bank,
    query: PoseQuery | Shown | PoseRequest,
    *,
    index: PoseIndex | None = None,
    features: LibraryFeatures | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
    **keywords: Any,
) -> PoseSearchResult:
    """The segments of the bank most like the query, found in a pose space, nearest first.

    A query is whatever `search_bank` takes; the other keywords are the fields of `PoseRequest`. `space` is the name of
    a trained one; without it, one of the whole body is trained on the library as it is. `character` says which pose is
    characteristic: frames of the clip ("45", "0.5s,2s"), or what it is far from ("ends"). An `index` from `pose_index`
    saves making it again for every query. Clips to search are chosen as for `search_bank`.
    """
    check_is_bank(bank)
    request = merged(PoseRequest, query, keywords, called="search_pose_space", also=("index", "features"))
    return search_in_space(bank, request, index=index, features=features, progress=Progress(progress, message))


def search_in_space(
    bank: Bank,
    request: PoseRequest,
    *,
    index: PoseIndex | None = None,
    features: LibraryFeatures | None = None,
    progress: Progress | None = None,
) -> PoseSearchResult:
    """What a pose space finds for a request."""
    told = progress or Progress()
    if features is not None:
        check_features(bank, features, called="the table of features", remedy="build_features(bank)")
    clip_ids = chosen_clips(bank, request)

    @cache
    def built() -> LibraryFeatures:
        if features is not None:
            return features
        return build_features(bank, progress=told.step, message=told.message)

    # Whatever is wrong with the query is told here, before features are built
    rate_hz = SEARCH_RATE_HZ if features is None else features.rate_hz
    maker = ExampleMaker(bank, built if features is None else features, rate_hz=rate_hz, message=told.message)
    query = _query(maker, request)
    space = pose_space(bank, request.space) if isinstance(request.space, str) else request.space
    known = built()
    if index is not None and (index.digests, index.clip_ids.tolist()) != (known.digests, known.clip_ids.tolist()):
        raise UsageError(
            f"the index does not match the current state of {bank.path}: it was built from another bank, or clips "
            "were added, "
            "changed or removed since. Build it again: pose_index(bank, features)"
        )
    if index is None:
        n_components = max(query.dimensions, query.warp_dimensions)
        index = pose_index(bank, known, space, n_components=n_components, message=told.message)
    ready = index

    def found(k: int | None) -> PoseSearchResult:
        return search_poses(ready, query if k == query.k else replace(query, k=k), clip_ids=clip_ids)

    sieved = partial(with_qualities, bank, request.where, search=found)
    result = one_per_group(bank, request.per, query.k, sieved)
    names = bank.clip_names(found.segment.clip_id for found in result.matches)
    return replace(result, matches=tuple(replace(one, clip=names[one.segment.clip_id]) for one in result.matches))


def _query(maker: ExampleMaker, request: PoseRequest) -> PoseQuery:
    """The query of a request, its example made."""
    options = {one.name: getattr(request, one.name) for one in settings_of(PoseOptions)}
    shown = getattr(request.query, "example", request.query)  # of an earlier query, of whichever method
    example = shown if isinstance(request.query, PoseQuery) else maker.example(shown)
    if request.character is not None:
        options |= character_of(example, request.character)
    return PoseQuery(example=example, **options)
