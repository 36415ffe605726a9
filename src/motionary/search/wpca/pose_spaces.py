"""Pose spaces of a bank: training and keeping them."""

import hashlib
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from motionary.artefacts import ArtefactStore, Content, Job, Kind
from motionary.bank import Bank, check_is_bank, chosen_clips
from motionary.errors import UsageError
from motionary.library import LibraryFeatures, build_features, undamaged
from motionary.requests import ClipFilter
from motionary.search.wpca.index import LEAST_COMPONENTS, PoseIndex, build_pose_index, library_digest, library_poses
from motionary.search.wpca.space import ARRAYS, PoseSpace, train_space
from motionary.search.wpca.stored_space import KeptSpace
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
        raise UsageError(f"{bank.path}: a pose space named {name!r} already exists; --overwrite replaces it")
    labels, names = ([given] if isinstance(given, str) else list(given) for given in (labels, names))
    chosen = chosen_clips(bank, ClipFilter.of(text, labels, names))
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
            message(f"training a pose space on all {features.n_clips} clips; it is stored until the library changes")
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
