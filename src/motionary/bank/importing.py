"""Import: files into clips, in several processes, in the order of their paths."""

import multiprocessing
import os
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from motionary.bank.bank import Bank
from motionary.bank.clips import Label
from motionary.bank.connection import close_change, open_change, reopen_change, rolled_back, transaction
from motionary.bank.label_files import LabelTable, labels_in_name
from motionary.bank.sources import SourceFile, source_files
from motionary.bank.storage import PackedRecording, pack
from motionary.errors import UserError
from motionary.formats import format_of, read_motion_file
from motionary.motion import Handedness, Recording, Space, Up, oddities, unit_name
from motionary.rig import guess_space

INLINE_BYTES = 4 << 20  # less than this is read here: starting processes would take longer
COMMIT_SECS = 1.0
COMMIT_BYTES = 64 << 20
Progress = Callable[[int, int, str], None]  # (files done, files in all, what was last)


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How files are understood; what is None is read from the file or guessed."""

    unit_metres: float | None = None
    up: Up | None = None
    handedness: Handedness | None = None
    frame_time: float | None = None
    asf_path: Path | None = None
    truncate: bool = False
    drop_t_pose: bool = False
    keep_copies: bool = False
    labels: LabelTable | None = None
    label_folders: bool = False
    label_pattern: str | None = None
    licence: str = ""
    credit: str = ""


@dataclass(slots=True)
class ImportReport:
    """What an import did."""

    added: list[tuple[int, str]] = field(default_factory=list)  # clip id, name
    copies: list[tuple[str, str]] = field(default_factory=list)  # file, the clip it is a copy of
    known: list[tuple[str, str]] = field(default_factory=list)  # file, the clip it became in an earlier import
    failed: list[tuple[str, str]] = field(default_factory=list)  # file, why
    warnings: list[tuple[str, str]] = field(default_factory=list)  # clip or file, what is odd
    spaces: dict[str, int] = field(default_factory=dict)  # unit and axes, as understood: number of files
    interrupted: bool = False

    def as_json(self) -> dict[str, Any]:
        return {
            "added": [{"id": clip_id, "clip": name} for clip_id, name in self.added],
            "copies": [{"file": file, "clip": clip} for file, clip in self.copies],
            "known": [{"file": file, "clip": clip} for file, clip in self.known],
            "failed": [{"file": file, "error": error} for file, error in self.failed],
            "warnings": [{"clip": clip, "warning": warning} for clip, warning in self.warnings],
            "spaces": self.spaces,
            "interrupted": self.interrupted,
        }


def import_motions(
    bank: Bank,
    paths: Sequence[Path | str],
    *,
    options: ImportOptions | None = None,
    processes: int | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Put all motion files under `paths` into the bank, ids in the order of their paths.

    A bad file is reported and the rest goes on. What is committed stays: interrupted (or killed), the same call
    goes on where it stopped. The whole import is one change that `undo` takes back. A dry run reports the same
    and leaves the bank as it was.
    """
    options = options or ImportOptions()
    report = ImportReport()
    with source_files(paths) as sources, rolled_back(bank.connection, bank.path) if dry_run else nullcontext():
        results = _read_all(sources, options, processes)
        writer = _Writer(bank, options, report, dry_run=dry_run)
        try:
            for done, (source, result) in enumerate(zip(sources, results, strict=True), start=1):
                writer.take(source, result)
                if progress:
                    progress(done, len(sources), source.shown)
        except KeyboardInterrupt:
            report.interrupted = True
        finally:
            results.close()
        writer.commit()
    _report_unused_labels(options, sources, report)
    return report


@dataclass(frozen=True, slots=True)
class ReadClip:
    """One motion of a file, ready for the bank."""

    packed: PackedRecording
    root_name: str
    space: Space
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The motions of one file, or why there are none."""

    clips: tuple[ReadClip, ...] = ()
    error: str = ""


def read_clips(source: SourceFile, options: ImportOptions) -> ReadResult:
    """The motions of one file, with units and axes settled and oddities noted."""
    try:
        file = read_motion_file(
            source.path,
            shown=source.shown,
            truncate=options.truncate,
            asf_path=options.asf_path,
            frame_time=options.frame_time,
        )
        return ReadResult(tuple(_read_clip(recording, file.notes, options) for recording in file.recordings))
    except UserError as error:
        return ReadResult(error=str(error))


def _read_clip(recording: Recording, notes: tuple[str, ...], options: ImportOptions) -> ReadClip:
    if options.frame_time is not None:
        recording = replace(recording, frame_time=options.frame_time)
    space, doubts = _settled_space(recording, options)
    recording, notes = replace(recording, space=space), (*notes, *doubts)
    found = oddities(recording.motion())
    if options.drop_t_pose and recording.n_frames > 1 and any(oddity.kind == "t-pose" for oddity in found):
        recording = recording.slice(1, recording.n_frames)
        found = oddities(recording.motion())
        notes = (*notes, "the artificial T-pose in frame 0 was dropped")
    texts = tuple(oddity.text for oddity in found)
    return ReadClip(pack(recording), recording.skeleton.names[0], space, (*notes, *texts))


def _settled_space(recording: Recording, options: ImportOptions) -> tuple[Space, tuple[str, ...]]:
    """Unit and axes: the user's, else the file's own, else guessed; and what is doubtful about a guess."""
    space, doubts = recording.space, ()
    if space == Space():
        guess = guess_space(recording)
        space, doubts = guess.space, () if guess.confident else guess.reasons
    if options.unit_metres is not None and options.up is not None:
        doubts = ()
    return Space(
        options.unit_metres or space.unit_metres, options.up or space.up, options.handedness or space.handedness
    ), doubts


def _read_all(sources: Sequence[SourceFile], options: ImportOptions, processes: int | None) -> Generator[ReadResult]:
    """The results in the order of `sources`, read in as many processes as there are cores."""
    n_processes = processes or multiprocessing.cpu_count()
    n_bytes = sum(source.path.stat().st_size for source in sources)
    if n_processes == 1 or (processes is None and n_bytes < INLINE_BYTES):
        for source in sources:
            yield read_clips(source, options)
        return
    options = replace(options, labels=None)  # not needed there, and may be large
    pool = ProcessPoolExecutor(
        n_processes, mp_context=multiprocessing.get_context("spawn"), initializer=_ignore_interrupts
    )
    waiting: deque[Future[ReadResult]] = deque()
    try:
        for source in sources:
            waiting.append(pool.submit(read_clips, source, options))
            if len(waiting) >= 8 * n_processes:  # bounds the memory, whatever the number of files
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ctrl-C goes to every process of the terminal; only the one that writes has to answer it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


class _Writer:
    """Puts results into the bank, committing about once a second, all as one change."""

    def __init__(self, bank: Bank, options: ImportOptions, report: ImportReport, *, dry_run: bool) -> None:
        self.bank, self.options, self.report, self.dry_run = bank, options, report, dry_run
        self.change_id: int | None = None
        self.pending: list[tuple[SourceFile, ReadClip]] = []
        self.pending_bytes = 0
        self.last_commit = time.monotonic()

    def take(self, source: SourceFile, result: ReadResult) -> None:
        if result.error:
            self.report.failed.append((source.shown, result.error))
        for clip in result.clips:
            name = source.name if len(result.clips) == 1 else f"{source.name}.{clip.root_name}"
            self.pending.append((replace(source, name=name), clip))
            self.pending_bytes += len(clip.packed.frames)
            key = f"{unit_name(clip.space.unit_metres)}, {clip.space.up} up, {clip.space.handedness}-handed"
            self.report.spaces[key] = self.report.spaces.get(key, 0) + 1
        if time.monotonic() - self.last_commit > COMMIT_SECS or self.pending_bytes > COMMIT_BYTES:
            self.commit()

    def commit(self) -> None:
        """Write what is waiting: all of it or, if this process dies, none."""
        waiting, self.pending, self.pending_bytes = self.pending, [], 0
        if waiting:
            with nullcontext() if self.dry_run else transaction(self.bank.connection, self.bank.path):
                if self.change_id is None:
                    self.change_id = open_change(self.bank.connection, f"import {_common_folder(waiting)}")
                else:
                    reopen_change(self.bank.connection, self.change_id)
                for source, clip in waiting:
                    self._add(source, clip)
                close_change(self.bank.connection)
                if not self.report.added:  # nothing but copies so far: no entry in the log
                    self.bank.connection.execute("DELETE FROM changes WHERE id = ?", (self.change_id,))
                    self.change_id = None
        self.last_commit = time.monotonic()

    def _add(self, source: SourceFile, clip: ReadClip) -> None:
        bank, packed = self.bank, replace(clip.packed, frames=b"") if self.dry_run else clip.packed
        same = bank.same_frames(packed.frames_digest)
        if same is not None and same.source == source.shown:
            self.report.known.append((source.shown, same.name))
            return
        if same is not None and not self.options.keep_copies:
            self.report.copies.append((source.shown, same.name))
            return
        rows = self.options.labels.of_source(source.name, source.shown) if self.options.labels else []
        name = bank.free_name(source.name)
        labels = []
        try:
            labels = [row.at(packed.frame_time, packed.n_frames) for row in rows if row.label]
        except UserError as error:
            self.report.warnings.append((name, str(error)))
        words = [*(source.folders if self.options.label_folders else ())]
        words += labels_in_name(source.name, self.options.label_pattern)
        labels += [Label(word, origin="import") for word in words]
        clip_id = bank.add(
            name,
            packed,
            labels=labels,
            description=" | ".join(dict.fromkeys(row.description for row in rows if row.description)),
            source=source.shown,
            format=format_of(source.shown) or "",
            licence=self.options.licence,
            credit=self.options.credit,
            notes=clip.notes,
        )
        self.report.added.append((clip_id, name))
        self.report.warnings += [(name, note) for note in clip.notes]


def _common_folder(waiting: Sequence[tuple[SourceFile, ReadClip]]) -> str:
    """What the first files have in common: enough for the log."""
    folders = {str(Path(source.shown).parent) for source, _ in waiting}
    return waiting[0][0].shown if len(waiting) == 1 else os.path.commonpath(folders) or "."


def _report_unused_labels(options: ImportOptions, sources: Sequence[SourceFile], report: ImportReport) -> None:
    """Rows of the label file that mean no file of this import are a warning: a typing error hides there."""
    if options.labels is None:
        return
    used = {row for source in sources for row in options.labels.of_source(source.name, source.shown)}
    unused = [row for row in options.labels.rows if row not in used]
    if unused:
        lines = ", ".join(str(row.line) for row in unused[:5]) + (" …" if len(unused) > 5 else "")
        report.warnings.append((str(options.labels.path), f"{len(unused)} rows mean no file here (lines {lines})"))
