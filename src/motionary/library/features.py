"""The features of all clips of a bank, in files beside it that follow every change of the bank."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, cast, overload

import numpy as np

from motionary.artefacts import Artefact, ArtefactStore, Draft, Kind
from motionary.bank import Bank, Clip, check_is_bank
from motionary.errors import BankError, NotInBankError, UserError
from motionary.features import SEARCH_RATE_HZ, Network, PoseFeatures, Rates, computed_descriptions, features_of
from motionary.motion import Recording
from motionary.rig import BodyMap, body_of
from motionary.workers import WorkerDiedError, held_back_interrupts, map_in_order, n_cores

INLINE_FRAMES = 150_000  # fewer are computed here: starting processes would take longer
MOST_UNUSED = 0.25  # share of the rows
FEW_UNUSED = 50_000  # rows: so many may stay, for an edit that is undone finds its features there
ROW_TYPE = np.dtype("<f4")
KIND = Kind("features", version=4, title="the features")  # raised whenever any number in them changes
COMMIT_SECS = 5.0  # after an interruption, no more than this is computed again


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A clip without features, and why."""

    clip_id: int
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class LibraryFeatures:
    """The features of a library: clip c has the rows [starts[c], starts[c] + n_frames[c]) of every array.

    Rows come in the order in which clips were added, and some may belong to no clip; copies share theirs.
    """

    arrays: Mapping[str, np.ndarray]  # (rows, D) float32, by description; from the store: verified where they are read
    clip_ids: np.ndarray  # (C,) ascending
    starts: np.ndarray  # (C,)
    n_frames: np.ndarray  # (C,) at the search rate
    rates: tuple[Rates, ...]  # of every clip
    digests: tuple[str, ...]  # of every clip: what its rows were built from
    left_out: tuple[LeftOut, ...]
    rate_hz: float
    artefact: Artefact | None = None  # None: they are not kept
    network: Network | None = None  # of the description `learned`, if that is among the arrays
    agreed: set[object] = field(default_factory=set)  # the last state of a bank that they were found to be of

    def __repr__(self) -> str:
        clips = f"{self.n_clips} {'clip' if self.n_clips == 1 else 'clips'}"
        frames = f"{int(self.n_frames.sum())} frames at {self.rate_hz:g} Hz"
        return f"LibraryFeatures({clips}, {frames}, {', '.join(self.arrays)})"

    @property
    def n_clips(self) -> int:
        return len(self.clip_ids)

    @property
    def n_rows(self) -> int:
        """Of every array, those that belong to no clip too."""
        return len(next(iter(self.arrays.values())))

    @property
    def id(self) -> str:
        """Of this generation of rows; no other has it. While it is the same, rows only come to those that are there."""
        return "" if self.artefact is None else self.artefact.id

    @property
    def is_kept(self) -> bool:
        return self.artefact is not None and self.artefact.folder is not None

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

    They are kept beside the bank, in a folder that can be deleted at any time. Damaged rows, and those of another
    version, are computed again, and `message` is told so. `progress` is told how many clips are done, of how many. When
    interrupted, what was computed is kept. Where nothing can be written, they are computed for this time only.
    """
    check_is_bank(bank)
    clips = _sources(bank)
    store, key = ArtefactStore.of(bank, message=message), f"{rate_hz:g}hz"
    found = store.find(KIND, key, inputs=_inputs(rate_hz))
    if found is not None:
        ledger = _Ledger.of(found)
        if not ledger.missing(clips) and not ledger.is_wasteful(clips):
            return _library(clips, ledger, found, rate_hz)
    try:
        with store.writing(KIND, key) as draft:
            return _updated(bank, draft, clips, rate_hz, processes, progress)
    except OSError as error:
        raise BankError(f"{store.folder}: features cannot be written ({error.strerror})") from error


def frames_without_features(bank: Bank, *, rate_hz: float = SEARCH_RATE_HZ) -> int:
    """Of how many frames `build_features` would compute features now."""
    check_is_bank(bank)
    clips = _sources(bank)
    found = ArtefactStore.of(bank).find(KIND, f"{rate_hz:g}hz", inputs=_inputs(rate_hz))
    ledger = _Ledger() if found is None else _Ledger.of(found)
    return sum(source.clip.n_frames for source in ledger.missing(clips))


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


@dataclass(eq=False)
class _Ledger:
    """Which rows of the tables are whose; motions are named by the digest of all that features are computed from."""

    n_rows: int = 0
    rows: dict[str, tuple[int, int]] = field(default_factory=dict)  # digest -> first row, number of rows
    left_out: dict[str, str] = field(default_factory=dict)  # digest -> why there are none

    @classmethod
    def of(cls, artefact: Artefact) -> "_Ledger":
        facts = artefact.facts
        rows = {digest: (start, n_rows) for digest, (start, n_rows) in facts["rows"].items()}
        return cls(len(next(iter(artefact.tables.values()))), rows, dict(facts["left_out"]))

    def as_json(self) -> dict[str, Any]:
        return {"rows": self.rows, "left_out": self.left_out}

    def missing(self, clips: Sequence[_Source]) -> list[_Source]:
        """Clips of which nothing is known; of copies, one."""
        unknown = {source.digest: source for source in reversed(clips)}
        return [
            source
            for source in reversed(unknown.values())
            if source.digest not in self.rows and source.digest not in self.left_out
        ]

    def is_wasteful(self, clips: Sequence[_Source]) -> bool:
        needed = {source.digest for source in clips}
        n_used = sum(n_rows for digest, (_, n_rows) in self.rows.items() if digest in needed)
        n_unused = self.n_rows - n_used
        return n_unused > FEW_UNUSED and n_unused > MOST_UNUSED * self.n_rows

    def append(self, draft: Draft, digest: str, arrays: Mapping[str, np.ndarray]) -> None:
        """Write the rows (F, D) of one motion."""
        for name in computed_descriptions():
            draft.append(name, np.asarray(arrays[name], dtype=ROW_TYPE))
        n_rows = len(next(iter(arrays.values())))
        self.rows[digest] = (self.n_rows, n_rows)
        self.n_rows += n_rows


def _sources(bank: Bank) -> list[_Source]:
    """All clips, by id; a user's map of a skeleton is part of what features are computed from."""
    digests = bank.source_digests()
    return [_Source(clip, *digests[clip.id]) for clip in bank.clips()]


def _inputs(rate_hz: float) -> dict[str, Any]:
    """What all rows depend on, besides the motions that the ledger names."""
    return {
        "rate_hz": rate_hz,
        "dimensions": {
            name: [[d.name, d.unit, d.part, d.mirror, d.mirror_sign] for d in description.dimensions]
            for name, description in computed_descriptions().items()
        },
    }


def _updated(
    bank: Bank,
    draft: Draft,
    clips: Sequence[_Source],
    rate_hz: float,
    processes: int | None,
    progress: Callable[[int, int], None] | None,
) -> LibraryFeatures:
    """The features, once all clips have their rows."""
    inputs = _inputs(rate_hz)
    ledger = _continued(draft, clips, inputs)
    missing = ledger.missing(clips)
    n_frames = sum(source.clip.n_frames for source in missing)
    if processes is None:
        processes = 1 if n_frames < INLINE_FRAMES else min(n_cores(), len(missing))

    def commit() -> Artefact:
        return draft.commit(inputs=inputs, facts=ledger.as_json())

    try:
        _compute(bank, missing, ledger, draft, rate_hz, processes, progress, commit=commit)
    except OSError:
        raise  # rows may be written in part: what was committed before stays
    except WorkerDiedError as error:
        commit()
        raise BankError(
            "a process that computes features died, perhaps because memory ran out; its results so far are stored. "
            "Run the same call again to continue"
        ) from error
    except BaseException:
        commit()
        raise
    return _library(clips, ledger, commit(), rate_hz)


def _continued(draft: Draft, clips: Sequence[_Source], inputs: dict[str, Any]) -> _Ledger:
    """What is there, to be appended to; begun anew where that is of other inputs, damaged or mostly not needed.

    Whole rows that are needed are copied.
    """
    known = draft.before or draft.damaged
    before = known if known is not None and known.manifest.inputs == inputs else None
    ledger = _Ledger() if before is None else _Ledger.of(before)
    if before is not None and before is draft.before and not ledger.is_wasteful(clips):
        draft.resume()
        return ledger
    draft.begin()
    for name, description in computed_descriptions().items():
        draft.append(name, np.zeros((0, description.n_dimensions), dtype=ROW_TYPE))
    needed, fresh = {source.digest for source in clips}, _Ledger()
    if before is not None:
        bad = [block for name in computed_descriptions() for block in before.tables[name].damaged_blocks()]
        fresh.left_out = {digest: why for digest, why in ledger.left_out.items() if digest in needed}
        for digest, (start, n_rows) in sorted(ledger.rows.items(), key=lambda item: item[1]):
            is_whole = not any(first < start + n_rows and stop > start for first, stop in bad)
            if digest in needed and is_whole:
                rows = {name: before.tables[name].rows(start, start + n_rows) for name in computed_descriptions()}
                fresh.append(draft, digest, rows)
    draft.commit(inputs=inputs, facts=fresh.as_json())
    return fresh


def _compute(
    bank: Bank,
    missing: Sequence[_Source],
    ledger: _Ledger,
    draft: Draft,
    rate_hz: float,
    processes: int,
    progress: Callable[[int, int], None] | None,
    *,
    commit: Callable[[], Artefact],
) -> None:
    """Append the rows of all `missing` clips, and commit now and then."""
    tasks = _Tasks(bank, missing, ledger, rate_hz)
    results = map_in_order(_features, tasks, n_processes=processes)
    committed = time.monotonic()
    with held_back_interrupts() as check_interrupt, closing(results):
        for n_done, (source, result) in enumerate(zip(tasks.sources, results, strict=True), start=1):
            if isinstance(result, str):
                ledger.left_out[source.digest] = result
            else:
                ledger.append(draft, source.digest, result)
            if progress:
                progress(n_done, len(tasks))
            if time.monotonic() - committed > COMMIT_SECS:
                commit()
                committed = time.monotonic()
            check_interrupt()


class _Tasks(Sequence[_Task]):
    """The motions of clips whose skeletons can be mapped, each read when it is asked for.

    The others are noted in the ledger.
    """

    def __init__(self, bank: Bank, missing: Sequence[_Source], ledger: _Ledger, rate_hz: float) -> None:
        self.sources: list[_Source] = []
        self._bank, self._rate_hz = bank, rate_hz
        self._maps: dict[int, BodyMap | str] = {}
        for source in missing:
            skeleton_id = source.clip.skeleton_id
            if skeleton_id not in self._maps:
                self._maps[skeleton_id] = _body_map(bank, source.clip)
            body_map = self._maps[skeleton_id]
            if isinstance(body_map, str):
                ledger.left_out[source.digest] = body_map
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


def _library(clips: Sequence[_Source], ledger: _Ledger, artefact: Artefact, rate_hz: float) -> LibraryFeatures:
    known = [source for source in clips if source.digest in ledger.rows]
    spans = np.array([ledger.rows[source.digest] for source in known], dtype=np.int64).reshape(-1, 2)
    return LibraryFeatures(
        # Tables give rows as arrays do, after verifying them
        cast(Mapping[str, np.ndarray], {name: artefact.tables[name] for name in computed_descriptions()}),
        np.array([source.clip.id for source in known], dtype=np.int64),
        spans[:, 0],
        spans[:, 1],
        tuple(Rates.of(source.clip.n_frames, frame_time=source.clip.frame_time, rate_hz=rate_hz) for source in known),
        tuple(source.digest for source in known),
        tuple(
            LeftOut(source.clip.id, ledger.left_out[source.digest])
            for source in clips
            if source.digest in ledger.left_out
        ),
        rate_hz,
        artefact,
    )
