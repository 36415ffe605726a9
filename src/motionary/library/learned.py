"""The description that is learned from a library, in files beside the bank."""

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from motionary.artefacts import Artefact, ArtefactStore, Draft, Kind
from motionary.bank import Bank
from motionary.errors import BankError, UsageError
from motionary.features import Network, surroundings
from motionary.library.features import LibraryFeatures, build_features

if TYPE_CHECKING:
    from motionary.features import Lessons

NAME = "learned"
KIND = Kind(NAME, version=3, title="the learned description")
LEAST_STEP = 6  # frames from one that is learned from to the next: neighbours in time teach little
MOST_ROWS = 100_000  # that are learned from
MOST_CHANGED = 0.25  # share of the frames: if more of them are new, or gone, the description is learned anew
FEW_SECS = 600.0  # from less, little can be learned
LEAST_CLIPS = 2
SEED = 0
ROW_TYPE = np.dtype("<f4")


def with_learned(
    bank: Bank,
    features: LibraryFeatures | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> LibraryFeatures:
    """The features of a library, and with them the description `learned` of all clips, and its network.

    It is learned the first time, and kept beside the bank. New and changed clips are described by the same network,
    until more than a quarter of the library was not learned from, or of what was learned from is gone: then it is
    learned anew. `progress` is told of the frames done, `message` of learning.
    """
    if features is None:
        features = build_features(bank, progress=progress, message=message)
    if features.network is not None:
        return features
    store, key, tell = ArtefactStore.of(bank, message=message), f"{features.rate_hz:g}hz", message or (lambda _: None)
    found = store.find(KIND, key)
    if found is None or _is_stale(found, features) or not _is_complete(found, features):
        if features.artefact is not None and features.is_kept and not store.is_current(features.artefact):
            # Others have later features, and descriptions of their rows: ours would only be in the way
            network = None if found is None or _is_stale(found, features) else _network(found)
            network = network or _learned(bank, features, progress, tell)
            return _with(features, np.concatenate([*_rows(features, network, 0, None)]), network)
        try:
            with store.writing(KIND, key) as draft:
                found = _updated(draft, bank, features, progress, tell)
        except OSError as error:
            raise BankError(f"{store.folder}: {KIND.title} cannot be written ({error.strerror})") from error
    return _with(features, cast(np.ndarray, found.tables[NAME]), _network(found))


def can_be_learned(bank: Bank, features: LibraryFeatures) -> bool:
    """Whether the description is there, or can be learned and kept beside the bank."""
    if len(set(features.digests)) < LEAST_CLIPS:
        return False
    store = ArtefactStore.of(bank)
    found = store.find(KIND, f"{features.rate_hz:g}hz")
    return (found is not None and not _is_stale(found, features)) or (features.is_kept and store.is_writable)


def frames_unlearned(bank: Bank, features: LibraryFeatures) -> int:
    """Of how many frames `with_learned` would learn now; 0 if it has learned from this library before."""
    found = ArtefactStore.of(bank).find(KIND, f"{features.rate_hz:g}hz")
    return sum(_frames_of(features).values()) if found is None or _is_stale(found, features) else 0


def minutes_of(features: LibraryFeatures) -> float:
    """How long all clips are together; of copies, one counts."""
    return sum(_frames_of(features).values()) / features.rate_hz / 60.0


def performers_of(bank: Bank, features: LibraryFeatures) -> int:
    """How many performers a library has: clips of one skeleton count as one performer's."""
    skeletons = bank.skeleton_ids()
    return len({skeletons[clip_id] for clip_id in features.clip_ids.tolist() if clip_id in skeletons})


def _with(features: LibraryFeatures, rows: np.ndarray, network: Network) -> LibraryFeatures:
    return replace(features, arrays={**features.arrays, NAME: rows}, network=network)


def _network(artefact: Artefact) -> Network:
    return Network(**{one.name: artefact.array(one.name) for one in fields(Network)})


def _is_complete(artefact: Artefact, features: LibraryFeatures) -> bool:
    """Whether all rows of these features are described."""
    return artefact.facts["features"] == features.id and len(artefact.tables[NAME]) >= features.n_rows


def _is_stale(artefact: Artefact, features: LibraryFeatures) -> bool:
    """Whether the library has changed too much since it was learned from."""
    before: dict[str, int] = artefact.facts["learned_from"]
    now = _frames_of(features)
    new = sum(n_frames for digest, n_frames in now.items() if digest not in before)
    gone = sum(n_frames for digest, n_frames in before.items() if digest not in now)
    return new > MOST_CHANGED * sum(now.values()) or gone > MOST_CHANGED * sum(before.values())


def _frames_of(features: LibraryFeatures) -> dict[str, int]:
    """The frames of each clip, by its digest; of copies, one."""
    return dict(zip(features.digests, features.n_frames.tolist(), strict=True))


def _updated(
    draft: Draft,
    bank: Bank,
    features: LibraryFeatures,
    progress: Callable[[int, int], None] | None,
    tell: Callable[[str], None],
) -> Artefact:
    """The artefact, once all rows are described; the network is kept where it can be."""
    before = draft.before or draft.damaged
    if before is not None and _is_stale(before, features):
        before = None
    if before is not None and before is draft.before and before.facts["features"] == features.id:
        if _is_complete(before, features):  # by another process, meanwhile
            return before
        network, first, facts = _network(before), len(before.tables[NAME]), before.facts
        draft.resume()
    else:
        first = 0
        if before is not None and not any(before.tables[one.name].damaged_blocks() for one in fields(Network)):
            network, facts = _network(before), before.facts
        else:
            network, facts = _learned(bank, features, progress, tell), {"learned_from": _frames_of(features)}
        draft.begin()
        for one in fields(Network):
            draft.append(one.name, getattr(network, one.name))
        draft.append(NAME, np.zeros((0, network.n_dimensions), dtype=ROW_TYPE))
    for rows in _rows(features, network, first, progress):
        draft.append(NAME, np.asarray(rows, dtype=ROW_TYPE))
    return draft.commit(inputs=None, facts={**facts, "features": features.id})


def _rows(
    features: LibraryFeatures, network: Network, first: int, progress: Callable[[int, int], None] | None
) -> Iterator[np.ndarray]:
    """The learned description of all rows from `first` on, clip after clip; also of clips that are gone by now."""
    if features.artefact is not None:
        spans = sorted((start, start + n_rows) for start, n_rows in features.artefact.facts["rows"].values())
    else:
        spans = sorted(set(zip(features.starts.tolist(), (features.starts + features.n_frames).tolist(), strict=True)))
    for start, stop in spans:
        if start >= first:
            yield network.rows(_arrays(features, start, stop), rate_hz=features.rate_hz)
            if progress:
                progress(features.n_rows + stop, 2 * features.n_rows)


def _arrays(features: LibraryFeatures, start: int, stop: int) -> dict[str, np.ndarray]:
    return {name: features.arrays[name][start:stop] for name in Network.SOURCES}


def _learned(
    bank: Bank,
    features: LibraryFeatures,
    progress: Callable[[int, int], None] | None,
    tell: Callable[[str], None],
) -> Network:
    """The network that this library teaches: the same, whatever the order and the ids of its clips."""
    n_frames = sum(_frames_of(features).values())
    secs = n_frames / features.rate_hz
    if len(set(features.digests)) < LEAST_CLIPS:
        raise UsageError(f"{bank.path}: a description can only be learned from two clips or more; leave out -d {NAME}")
    small = f"; it has only {secs / 60.0:.1f} min, so this may tell little" if secs < FEW_SECS else ""
    tell(f"learning a description from the library, once{small}")

    def told(n_done: int, n_in_all: int) -> None:
        # About as long as it will take to describe all rows
        if progress:
            progress(n_done * features.n_rows // n_in_all, 2 * features.n_rows)

    from motionary.features import learn  # SciPy's linear algebra takes a fifth of a second to load

    return learn(lessons_of(bank, features), rng=np.random.default_rng(SEED), progress=told)


def lessons_of(bank: Bank, features: LibraryFeatures) -> "Lessons":
    """What a library teaches: surroundings of frames at even distances, clips in the order of their digests.

    Clips of one skeleton count as one performer's.
    """
    skeletons = {clip.id: clip.skeleton_id for clip in bank.clips()}
    clips = [int(c) for c in np.unique(np.array(features.digests), return_index=True)[1]]
    step = max(LEAST_STEP, -(-int(features.n_frames[clips].sum()) // MOST_ROWS))
    seen = []
    for c in clips:
        start = int(features.starts[c])
        arrays = _arrays(features, start, start + int(features.n_frames[c]))
        seen.append(surroundings(arrays, rate_hz=features.rate_hz)[::step])
    performers: dict[int, int] = {}
    for c in clips:
        performers.setdefault(skeletons[int(features.clip_ids[c])], len(performers))
    from motionary.features import PIECE_SECS, Lessons  # as above

    return Lessons(
        np.concatenate(seen),
        np.array([len(rows) for rows in seen]),
        np.array([performers[skeletons[int(features.clip_ids[c])]] for c in clips]),
        max(1, round(PIECE_SECS * features.rate_hz / step)),
    )
