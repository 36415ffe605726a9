"""Pose spaces of a bank: training, keeping and searching in them."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from motionary.arguments import check_options
from motionary.artefacts import ArtefactStore, Content, Job, Kind
from motionary.bank import Bank, check_is_bank
from motionary.errors import UsageError
from motionary.library import LibraryFeatures, build_features, check_features, one_snapshot, undamaged
from motionary.search.chosen_clips import clips_to_search
from motionary.search.examples import ExampleMaker, Shown
from motionary.search.wpca.index import LEAST_COMPONENTS, PoseIndex, build_pose_index, library_digest, library_poses
from motionary.search.wpca.kept import KeptSpace
from motionary.search.wpca.moments import character_of
from motionary.search.wpca.query import PoseQuery
from motionary.search.wpca.search import PoseSearchResult, search_poses
from motionary.search.wpca.space import ARRAYS, PoseSpace, train_space
from motionary.search.wpca.weights import WHOLE_BODY, column_weights

SPACE = Kind("pose-space", version=1, title="the pose space of the library")


@undamaged
def train_pose_space(
    bank: Bank,
    name: str,
    *,
    preset: str = WHOLE_BODY,
    by_mass: bool = True,
    parts: Mapping[str, float] | None = None,
    text: str = "",
    labels: str | Sequence[str] = (),
    names: str | Sequence[str] = (),
    overwrite: bool = False,
    features: LibraryFeatures | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> KeptSpace:
    """A space trained on the clips that `bank.clips(text, labels=labels, names=names)` gives, kept under a name.

    `preset`, `by_mass` and `parts` say how much each part of the body counts; see `column_weights`.
    """
    if features is None:
        features = build_features(bank, progress=progress, message=message)
    weights = column_weights(preset, by_mass=by_mass, parts=parts)
    if name in bank.spaces() and not overwrite:
        raise UsageError(f"{bank.path}: a pose space called {name!r} exists already; --overwrite replaces it")
    labels, names = ([given] if isinstance(given, str) else list(given) for given in (labels, names))
    chosen = clips_to_search(bank, text, labels, names)
    numbers = None if chosen is None else np.flatnonzero(np.isin(features.clip_ids, list(chosen))).tolist()
    kept = KeptSpace(
        name,
        train_space(library_poses(features, numbers), weights),
        preset,
        by_mass,
        dict(parts or {}),
        ", ".join([*filter(None, [text.strip()]), *(f"label {one}" for one in labels), *(f"name {n}" for n in names)]),
        features.n_clips if numbers is None else len(numbers),
        tuple(features.clip_ids.tolist() if numbers is None else features.clip_ids[numbers].tolist()),
    )
    bank.keep_space(name, kept.as_json(), overwrite=overwrite)
    return kept


def pose_space(bank: Bank, name: str) -> KeptSpace:
    """The space that the bank keeps under a name."""
    check_is_bank(bank)
    return KeptSpace.of_json(name, bank.space(name), where=str(bank.path))


def library_space(bank: Bank, features: LibraryFeatures, *, message: Callable[[str], None] | None = None) -> KeptSpace:
    """The space without a name: the whole body by mass, trained on the library as it is now.

    It is kept beside the bank until the library changes, and then made anew, with the points in it.
    """

    def build() -> Content:
        if message is not None:
            message(
                f"training a pose space on all {features.n_clips} clips, once: it is kept until the library changes"
            )
        space = train_space(library_poses(features), column_weights())
        arrays = {name: getattr(space, name) for name in ARRAYS}
        return Content(arrays, {"n_frames": space.n_frames, "n_clips": features.n_clips})

    job = Job(SPACE, "library", library_digest(features), build)
    found = ArtefactStore.of(bank, message=message).get(job)
    arrays = {name: found.array(name) for name in ARRAYS}
    return KeptSpace("", PoseSpace(**arrays, n_frames=found.facts["n_frames"]), n_clips=found.facts["n_clips"])


def pose_index(
    bank: Bank,
    features: LibraryFeatures,
    space: KeptSpace | str | None = None,
    *,
    n_components: int = LEAST_COMPONENTS,
    message: Callable[[str], None] | None = None,
) -> PoseIndex:
    """The library in a space; points and tree are kept beside the bank."""
    if not isinstance(space, KeptSpace):
        space = library_space(bank, features, message=message) if space is None else pose_space(bank, space)
    n = LEAST_COMPONENTS if n_components <= LEAST_COMPONENTS else space.space.n_components
    key = hashlib.blake2b(space.name.encode(), digest_size=8).hexdigest() if space.name else "library"
    return build_pose_index(
        features,
        space.space,
        n_components=n,
        shares=space.shares,
        store=ArtefactStore.of(bank, message=message),
        key=key,
    )


@one_snapshot
def search_pose_space(
    bank: Bank,
    query: PoseQuery | Shown,
    *,
    space: KeptSpace | str | None = None,
    character: str | None = None,
    index: PoseIndex | None = None,
    features: LibraryFeatures | None = None,
    text: str = "",
    labels: str | Sequence[str] = (),
    names: str | Sequence[str] = (),
    without_labels: str | Sequence[str] = (),
    without_names: str | Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
    **options: Any,
) -> PoseSearchResult:
    """The segments of the bank most like the query, found in a pose space, nearest first.

    A query is whatever `search_bank` takes; `options` are the fields of `PoseQuery`. `space` is the name of one that
    was trained; without it, one of the whole body is trained on the library as it is. `character` says in words which
    pose is characteristic: frames of the clip ("45", "0.5s,2s"), or what it is far from ("ends"). An `index` from
    `pose_index` saves making it again for every query. Which clips are searched is said as for `search_bank`.
    """
    check_is_bank(bank)
    check_options(options, [one.name for one in fields(PoseQuery) if one.name != "example"], called="search_pose_space")
    clip_ids = clips_to_search(bank, text, labels, names, without_labels=without_labels, without_names=without_names)
    maker = ExampleMaker(bank, message=message)
    if not isinstance(query, PoseQuery):
        maker.example(query)  # whatever is wrong with it is told before anybody waits for features
    if isinstance(space, str):
        space = pose_space(bank, space)
    if features is None:
        features = build_features(bank, progress=progress, message=message)
    else:
        check_features(bank, features, called="the table of features", remedy="build_features(bank)")
    maker.features = features
    example = query.example if isinstance(query, PoseQuery) else maker.example(query)
    if character is not None:
        options |= character_of(example, character)
    asked = replace(query, **options) if isinstance(query, PoseQuery) else PoseQuery(example=example, **options)
    n_components = max(asked.dimensions, asked.warp_dimensions)
    if index is not None and (index.digests, index.clip_ids.tolist()) != (features.digests, features.clip_ids.tolist()):
        raise UsageError(
            f"the index does not fit {bank.path} as it is now: it was built from another bank, or clips were added, "
            "changed or removed since. Build it again: pose_index(bank, features)"
        )
    if index is None:
        index = pose_index(bank, features, space, n_components=n_components, message=message)
    result = search_poses(index, asked, clip_ids=clip_ids)
    called = bank.clip_names(found.segment.clip_id for found in result.matches)
    return replace(
        result, matches=tuple(replace(found, clip=called[found.segment.clip_id]) for found in result.matches)
    )
