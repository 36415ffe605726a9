"""The features of all clips of a bank, in files beside it that follow every change of the bank."""

import errno
import hashlib
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import overload

import numpy as np

from motionary.bank import Bank, Clip, check_is_bank
from motionary.errors import BankError, NotInBankError, UserError
from motionary.features.pose_features import PoseFeatures, features_of
from motionary.features.rates import SEARCH_RATE_HZ, Rates
from motionary.features.store import VERSION, Appender, FeatureStore, Manifest
from motionary.motion import Recording
from motionary.rig import BodyMap, body_of
from motionary.workers import WorkerDiedError, held_back_interrupts, map_in_order, n_cores

INLINE_FRAMES = 20_000  # fewer are computed here: starting processes would take longer
MOST_UNUSED = 0.25  # share of the rows
NOT_TO_BE_WRITTEN = {errno.EACCES, errno.EPERM, errno.EROFS, errno.EEXIST, errno.ENOTDIR}
COMMIT_SECS = 5.0  # after an interruption, no more than this is computed again


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A clip without features, and why."""

    clip_id: int
    reason: str


@dataclass(frozen=True, eq=False)
class LibraryFeatures:
    """The features of a library: clip c has the rows [starts[c], starts[c] + n_frames[c]) of every array.

    Rows come in the order in which clips were added, and some may belong to no clip; copies share theirs.
    """

    arrays: Mapping[str, np.ndarray]  # (rows, D) float32, memory-mapped, by description
    clip_ids: np.ndarray  # (C,) ascending
    starts: np.ndarray  # (C,)
    n_frames: np.ndarray  # (C,) at the search rate
    rates: tuple[Rates, ...]  # of every clip
    digests: tuple[str, ...]  # of every clip: what its rows were built from
    left_out: tuple[LeftOut, ...]
    rate_hz: float
    folder: Path | None = None  # where they are kept; None if they are not
    generation: int = 0  # of the files: while it is the same, rows only come to those that are there
    id: str = ""  # of the generation; no other has it

    @property
    def n_clips(self) -> int:
        return len(self.clip_ids)

    @property
    def n_rows(self) -> int:
        """Of every array, those that belong to no clip too."""
        return len(next(iter(self.arrays.values())))

    def are_latest(self) -> bool:
        """Whether the files beside the bank still begin with these rows, be there more by now or not."""
        if self.folder is None:
            return False
        manifest, _ = FeatureStore(self.folder, self.rate_hz).read()
        return manifest is not None and (manifest.generation, manifest.id) == (self.generation, self.id)

    def number(self, clip_id: int) -> int:
        """Which of the clips has that id."""
        c = int(np.searchsorted(self.clip_ids, clip_id))
        if c < self.n_clips and self.clip_ids[c] == clip_id:
            return c
        reason = next((left.reason for left in self.left_out if left.clip_id == clip_id), "it is not in the library")
        raise NotInBankError(f"clip #{clip_id} has no features: {reason}")

    def of(self, clip_id: int) -> PoseFeatures:
        """The features of one clip; its arrays are views."""
        c = self.number(clip_id)
        rows = slice(int(self.starts[c]), int(self.starts[c] + self.n_frames[c]))
        return PoseFeatures({name: array[rows] for name, array in self.arrays.items()}, self.rates[c])


def build_features(
    bank: Bank,
    *,
    rate_hz: float = SEARCH_RATE_HZ,
    processes: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> LibraryFeatures:
    """The features of all clips of the bank; only those of new and changed clips are computed.

    They are kept beside the bank, in a folder that can be deleted at any time. Damaged files, and those of another
    version, are made anew, and `message` is told so. `progress` is told how many clips are done, of how many. When
    interrupted, what was computed is kept. Where the folder cannot be written, a temporary one is used.
    """
    check_is_bank(bank)
    tell = message or (lambda _: None)
    clips = _sources(bank)
    folder = bank.derived_path / f"features-v{VERSION}-{rate_hz:g}hz"
    store = FeatureStore(folder, rate_hz)
    manifest, _ = store.read()
    if manifest is not None and not _missing(clips, manifest) and not _is_wasteful(clips, manifest):
        with suppress(FileNotFoundError):  # another process has begun a new generation just now
            return _library(clips, manifest, store)
    try:
        return _updated(bank, store, clips, processes, progress, tell)
    except OSError as error:
        if error.errno not in NOT_TO_BE_WRITTEN:
            raise BankError(f"{folder}: features cannot be written ({error.strerror})") from error
        tell(f"features cannot be kept in {folder} ({error.strerror}); they are computed for this time only")
    with tempfile.TemporaryDirectory(prefix="motionary-features-") as passing:
        # What is mapped outlives its file's name
        passing_store = FeatureStore(Path(passing), rate_hz)
        return replace(_updated(bank, passing_store, clips, processes, progress, tell), folder=None)


@dataclass(frozen=True, slots=True)
class _Source:
    """A clip, and the digest of all that its features are computed from."""

    clip: Clip
    digest: str
    has_user_map: bool


@dataclass(frozen=True, eq=False)
class _Task:
    """What a worker needs to compute the features of one motion."""

    recording: Recording
    body_map: BodyMap | None  # the user's
    rate_hz: float


def _sources(bank: Bank) -> list[_Source]:
    """All clips, by id; a user's map of a skeleton is part of what features are computed from."""
    mapped = {row[0]: row[1] for row in bank.connection.execute("SELECT skeleton_id, content FROM body_maps")}
    found = []
    for clip in bank.clips():
        digest = bank.frames_digest(clip)
        user_map = mapped.get(clip.skeleton_id)
        if user_map is not None:
            digest = hashlib.blake2b(digest + user_map.encode(), digest_size=len(digest)).digest()
        found.append(_Source(clip, digest.hex(), user_map is not None))
    return found


def _missing(clips: Sequence[_Source], manifest: Manifest) -> list[_Source]:
    """Clips of which the manifest knows nothing; of copies, one."""
    unknown = {source.digest: source for source in reversed(clips)}
    return [
        source
        for source in reversed(unknown.values())
        if source.digest not in manifest.rows and source.digest not in manifest.left_out
    ]


def _is_wasteful(clips: Sequence[_Source], manifest: Manifest) -> bool:
    needed = {source.digest for source in clips}
    n_used = sum(n_rows for digest, (_, n_rows) in manifest.rows.items() if digest in needed)
    return n_used < (1.0 - MOST_UNUSED) * manifest.n_rows


def _updated(
    bank: Bank,
    store: FeatureStore,
    clips: Sequence[_Source],
    processes: int | None,
    progress: Callable[[int, int], None] | None,
    tell: Callable[[str], None],
) -> LibraryFeatures:
    """The features, once all clips have their rows."""
    with store.locked():
        manifest, wrong = store.read()  # which another process may have written meanwhile
        if manifest is None:
            manifest = store.begin()
            if wrong:
                tell(f"the features beside {bank.path} are built anew: {wrong}")
        if _is_wasteful(clips, manifest):
            needed = {source.digest for source in clips}
            manifest.rows = {digest: span for digest, span in manifest.rows.items() if digest in needed}
            manifest.left_out = {digest: why for digest, why in manifest.left_out.items() if digest in needed}
            manifest = store.compacted(manifest)
            store.commit(manifest)
        missing = _missing(clips, manifest)
        n_frames = sum(source.clip.n_frames for source in missing)
        if processes is None:
            processes = 1 if n_frames < INLINE_FRAMES else min(n_cores(), len(missing))
        with Appender(store, manifest) as appender:
            try:
                _compute(bank, missing, appender, processes, progress, commit=lambda: store.commit(manifest))
            except WorkerDiedError as error:
                raise BankError(
                    "a process that computes features has died, perhaps for lack of memory; what it had is kept, "
                    "and the same call goes on from there"
                ) from error
            finally:
                appender.flush()
                store.commit(manifest)
        return _library(clips, manifest, store)  # as long as nobody else can begin a new generation


def _compute(
    bank: Bank,
    missing: Sequence[_Source],
    appender: Appender,
    processes: int,
    progress: Callable[[int, int], None] | None,
    *,
    commit: Callable[[], None],
) -> None:
    """Append the rows of all `missing` clips, and commit now and then."""
    tasks = _Tasks(bank, missing, appender.manifest)
    results = map_in_order(_features, tasks, n_processes=processes)
    committed = time.monotonic()
    with held_back_interrupts() as check_interrupt, closing(results):
        for n_done, (source, result) in enumerate(zip(tasks.sources, results, strict=True), start=1):
            if isinstance(result, str):
                appender.manifest.left_out[source.digest] = result
            else:
                appender.append(source.digest, result)
            if progress:
                progress(n_done, len(tasks))
            if time.monotonic() - committed > COMMIT_SECS:
                appender.flush()
                commit()
                committed = time.monotonic()
            check_interrupt()


class _Tasks(Sequence[_Task]):
    """The motions of clips whose skeletons can be mapped, each read when it is asked for.

    The others are noted in the manifest.
    """

    def __init__(self, bank: Bank, missing: Sequence[_Source], manifest: Manifest) -> None:
        self.sources: list[_Source] = []
        self._bank, self._rate_hz = bank, manifest.rate_hz
        self._maps: dict[int, BodyMap | str] = {}
        for source in missing:
            skeleton_id = source.clip.skeleton_id
            if skeleton_id not in self._maps:
                self._maps[skeleton_id] = _body_map(bank, source.clip)
            body_map = self._maps[skeleton_id]
            if isinstance(body_map, str):
                manifest.left_out[source.digest] = body_map
            else:
                self.sources.append(source)

    def __len__(self) -> int:
        return len(self.sources)

    @overload
    def __getitem__(self, index: int) -> _Task: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[_Task]: ...

    def __getitem__(self, index: int | slice) -> _Task | Sequence[_Task]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        source = self.sources[index]
        body_map = self._maps[source.clip.skeleton_id]
        assert not isinstance(body_map, str)
        # Without a user's map, bodies are known by their skeletons: each is measured once
        own_map = body_map if source.has_user_map else None
        return _Task(self._bank.recording(source.clip.segment), own_map, self._rate_hz)


def _body_map(bank: Bank, clip: Clip) -> BodyMap | str:
    try:
        return bank.body_map(clip)
    except UserError as error:
        return str(error)


def _features(task: _Task) -> dict[str, np.ndarray] | str:
    """The feature arrays of one motion, or why there are none."""
    try:
        motion = task.recording.motion()
        body = body_of(motion.skeleton, body_map=task.body_map, motion=motion)
        return dict(features_of(motion, body, rate_hz=task.rate_hz).arrays)
    except UserError as error:
        return str(error)


def _library(clips: Sequence[_Source], manifest: Manifest, store: FeatureStore) -> LibraryFeatures:
    known = [source for source in clips if source.digest in manifest.rows]
    spans = np.array([manifest.rows[source.digest] for source in known], dtype=np.int64).reshape(-1, 2)
    return LibraryFeatures(
        store.arrays(manifest),
        np.array([source.clip.id for source in known], dtype=np.int64),
        spans[:, 0],
        spans[:, 1],
        tuple(
            Rates.of(source.clip.n_frames, frame_time=source.clip.frame_time, rate_hz=manifest.rate_hz)
            for source in known
        ),
        tuple(source.digest for source in known),
        tuple(
            LeftOut(source.clip.id, manifest.left_out[source.digest])
            for source in clips
            if source.digest in manifest.left_out
        ),
        manifest.rate_hz,
        store.folder,
        manifest.generation,
        manifest.id,
    )
