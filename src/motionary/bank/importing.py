"""Import: files into clips, in the order of their paths, as one change that is committed about once a second."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from sys import intern
from typing import Any

from motionary.bank.bank import Bank
from motionary.bank.clips import Clip, Label, possible_clip_name
from motionary.bank.connection import close_change, reopen_change, transaction
from motionary.bank.import_reading import ImportOptions, ReadClip, ReadResult, n_dropped_frames, read_all
from motionary.bank.label_files import LabelRow, description_of_rows, labels_in_name, labels_of_rows
from motionary.bank.replacing import NewVersion, replace_clip
from motionary.bank.sources import SourceFile, source_files
from motionary.bank.sqlite_errors import partly_done
from motionary.bank.storage import PackedRecording
from motionary.errors import BankError
from motionary.formats import format_of
from motionary.motion import unit_name
from motionary.workers import WorkerDiedError, held_back_interrupts

COMMIT_SECS = 1.0
COMMIT_BYTES = 64 << 20
Progress = Callable[[int, int, str], None]  # (files done, files in all, what was last)


@dataclass(slots=True)
class ImportReport:
    """What an import did."""

    added: list[tuple[int, str]] = field(default_factory=list)  # clip id, name
    copies: list[tuple[str, str]] = field(default_factory=list)  # file, the clip it is a copy of
    replaced: list[tuple[str, str]] = field(default_factory=list)  # file, the clip that it gave a new version
    known: list[tuple[str, str]] = field(default_factory=list)  # file, the clip it became in an earlier import
    labelled: list[tuple[str, int]] = field(default_factory=list)  # known clip, how many labels it has got now
    without_row: list[str] = field(default_factory=list)  # clips that the table of labels says nothing of
    failed: list[tuple[str, str]] = field(default_factory=list)  # file, why
    warnings: list[tuple[str, str]] = field(default_factory=list)  # clip or file, what is odd
    passed_over: list[tuple[str, int]] = field(default_factory=list)  # endings that are not read: number of files
    spaces: dict[str, int] = field(default_factory=dict)  # unit and axes, as understood: number of files
    interrupted: bool = False

    def as_json(self) -> dict[str, Any]:
        return {
            "added": [{"id": clip_id, "clip": name} for clip_id, name in self.added],
            "copies": [{"file": file, "clip": clip} for file, clip in self.copies],
            "replaced": [{"file": file, "clip": clip} for file, clip in self.replaced],
            "known": [{"file": file, "clip": clip} for file, clip in self.known],
            "labelled": [{"clip": clip, "labels": n_new} for clip, n_new in self.labelled],
            "without_row": self.without_row,
            "failed": [{"file": file, "error": error} for file, error in self.failed],
            "warnings": [{"clip": clip, "warning": warning} for clip, warning in self.warnings],
            "passed_over": dict(self.passed_over),
            "spaces": self.spaces,
            "interrupted": self.interrupted,
        }


def import_motions(
    bank: Bank | Path | str,
    paths: Sequence[Path | str],
    *,
    options: ImportOptions | None = None,
    processes: int | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> ImportReport:
    """Put all motion files under `paths` into the bank, ids in the order of their paths.

    A bank that is given by its path is made if it is not there, once there are files for it. A bad file or path is
    reported and the rest goes on. Files that are in the bank already get the labels that they
    lack, or, if asked for, give their clips a new version. What is
    committed stays: interrupted (or killed), the same call goes on where it stopped. The whole import is one change
    that `undo` takes back. A dry run reports the same and leaves the bank as it was, or unmade.
    """
    options = options or ImportOptions()
    labels_in_name("", options.label_pattern)  # raises before anything is read if it is no pattern
    report = ImportReport()
    with (
        source_files(paths) as found,
        _opened(bank, dry_run=dry_run) as opened,
        held_back_interrupts() as check_interrupt,
    ):
        sources = found.files
        report.failed += found.failed
        report.passed_over += found.passed_over
        results = read_all(sources, options, processes)
        writer = _Writer(opened, options, report, command=f"import {_some_paths(paths)}", dry_run=dry_run)
        died: WorkerDiedError | None = None
        try:
            for done, (source, result) in enumerate(zip(sources, results, strict=True), start=1):
                writer.take(source, result)
                if progress:
                    progress(done, len(sources), source.shown)
                check_interrupt()
        except KeyboardInterrupt:
            report.interrupted = True
        except WorkerDiedError as error:
            died = error
        except BankError as error:
            raise writer.told(error) from error
        finally:
            results.close()
        with opened.rehearse() if dry_run else nullcontext():
            try:
                writer.commit()
            except BankError as error:
                raise writer.told(error) from error
        if died:
            raise BankError(
                f"{opened.path}: a process that reads files died, perhaps because memory ran out (--processes 1 needs "
                "less). The files read so far are in the bank; run the same import again to continue"
            ) from died
    writer.report_unused_labels(sources)
    return report


@contextmanager
def _opened(bank: Bank | Path | str, *, dry_run: bool) -> Iterator[Bank]:
    """The bank; one that is given by its path is closed afterwards, and made for a dry run in memory only."""
    if isinstance(bank, Bank):
        yield bank
        return
    with Bank.open(bank, create="in memory" if dry_run else True) as opened:
        yield opened


class _Writer:
    """Puts results into the bank, committing about once a second, all as one change.

    A dry run keeps what it needs of them, which is little, so that it holds up other writers only at its end.
    """

    def __init__(
        self, bank: Bank, options: ImportOptions, report: ImportReport, *, command: str, dry_run: bool
    ) -> None:
        self.bank, self.options, self.report, self.command, self.dry_run = bank, options, report, command, dry_run
        self.change_id: int | None = None
        self.pending: list[tuple[SourceFile, ReadClip]] = []
        self.pending_bytes = 0
        self.last_commit = time.monotonic()
        self.used_rows: set[LabelRow] = set()
        self.ids_by_file: dict[tuple[str, str], list[int]] | None = None  # of clips that were there before
        self.taken: set[int] = set()  # by motions of this commit: two bodies of a file may have roots of one name

    def take(self, source: SourceFile, result: ReadResult) -> None:
        if result.error:
            self.report.failed.append((source.shown, result.error))
        for clip in result.clips:
            name = source.name if len(result.clips) == 1 else possible_clip_name(f"{source.name}.{clip.root_name}")
            if self.dry_run:
                clip = replace(clip, packed=replace(clip.packed, frames=b"", skeleton=intern(clip.packed.skeleton)))
            self.pending.append((replace(source, name=name), clip))
            self.pending_bytes += len(clip.packed.frames)
            key = f"{unit_name(clip.space.unit_metres)}, {clip.space.up} up, {clip.space.handedness}-handed"
            self.report.spaces[key] = self.report.spaces.get(key, 0) + 1
        due = time.monotonic() - self.last_commit > COMMIT_SECS or self.pending_bytes > COMMIT_BYTES
        if due and not self.dry_run:
            self.commit()

    def commit(self) -> None:
        """Write what is waiting: all of it or, if this process dies, none."""
        if self.pending:
            part = ImportReport()
            self.taken = set()
            with transaction(self.bank.connection):
                reopen_change(self.bank.connection, self.change_id, self.command)
                for source, clip in self.pending:
                    rows = self.options.labels.of_source(source.name, source.shown) if self.options.labels else []
                    name = self._add(source, clip, rows, part)
                    if self.options.labels and name and not rows:
                        part.without_row.append(name)
                change_id = close_change(self.bank.connection)
            self.change_id = change_id
            self.report.added += part.added
            self.report.copies += part.copies
            self.report.replaced += part.replaced
            self.report.known += part.known
            self.report.labelled += part.labelled
            self.report.without_row += part.without_row
            self.report.warnings += part.warnings
        self.pending, self.pending_bytes = [], 0
        self.last_commit = time.monotonic()

    def told(self, error: BankError) -> BankError:
        """The error that ended the import, with what is in the bank already."""
        report = self.report
        n_done = len(report.added) + len(report.replaced) + len(report.labelled)
        if not n_done or self.dry_run:
            return error
        clips = "clip" if n_done == 1 else "clips"
        return partly_done(error, f"{n_done} {clips} of this import are in the bank, and the same import goes on")

    def _add(self, source: SourceFile, clip: ReadClip, rows: Sequence[LabelRow], report: ImportReport) -> str | None:
        """Put one motion in; returns the name of the clip that it is now, None if it is a copy of another."""
        bank, packed = self.bank, clip.packed
        self.used_rows.update(rows)
        labels, warnings = self._labels(source, rows, packed)
        same = bank.same_frames(packed.frames_digest)
        earlier = self._earlier(source, clip, same)
        if earlier is not None and self.options.replace:
            self._replace(earlier, source, clip, rows, (labels, warnings), report)
            return earlier.name
        known = next((other for other in same if other.source == source.shown), None)
        if known is not None:
            report.known.append((source.shown, known.name))
            if description := description_of_rows(rows):
                bank.describe(known, description)
            if n_new := bank.add_labels(known, labels):
                report.labelled.append((known.name, n_new))
            report.warnings += [(known.name, warning) for warning in warnings]
            return known.name
        if same and not self.options.keep_copies:
            report.copies.append((source.shown, same[0].name))
            lost = ", ".join(label.name for label in labels if label.name not in same[0].labels)
            if lost:
                report.warnings.append(
                    (source.shown, f"is a copy of {same[0].name}, which does not get the label {lost}")
                )
            return None
        name = bank.free_name(source.name)
        clip_id = bank.add(
            name,
            packed,
            labels=labels,
            description=description_of_rows(rows),
            source=source.shown,
            format=format_of(source.shown) or "",
            licence=self.options.licence,
            credit=self.options.credit,
            notes=clip.notes,
        )
        report.added.append((clip_id, name))
        if earlier is not None:
            warnings = [*warnings, f"comes from the same file as {earlier.name}; --replace changes that one instead"]
        report.warnings += [(name, warning) for warning in (*warnings, *clip.notes)]
        return name

    def _earlier(self, source: SourceFile, clip: ReadClip, same: Sequence[Clip]) -> Clip | None:
        """The clip that this motion of this file has become before: by its file, else by its name and frames."""
        if self.ids_by_file is None:
            self.ids_by_file = self.bank.ids_by_file()
        ids = [i for i in self.ids_by_file.get((source.shown, clip.root_name), ()) if i not in self.taken]
        clips = [*self.bank.with_ids(ids), *(other for other in same if other.name == source.name)]
        found = next((other for other in clips if other.name == source.name), clips[0] if clips else None)
        if found is not None:
            self.taken.add(found.id)
        return found

    def _replace(
        self,
        earlier: Clip,
        source: SourceFile,
        clip: ReadClip,
        rows: Sequence[LabelRow],
        labels_and_warnings: tuple[list[Label], list[str]],
        report: ImportReport,
    ) -> None:
        labels, warnings = labels_and_warnings
        new = NewVersion(
            clip.packed,
            clip.notes,
            shift=n_dropped_frames(clip.notes) - n_dropped_frames(earlier.notes),
            description=description_of_rows(rows),
            licence=self.options.licence,
            credit=self.options.credit,
        )
        lost = replace_clip(self.bank, earlier, new)
        n_new = self.bank.add_labels(self.bank.clip(earlier.id), labels)
        if lost is None:
            report.known.append((source.shown, earlier.name))
        else:
            report.replaced.append((source.shown, earlier.name))
            warnings = [*lost, *warnings, *clip.notes]
        if n_new:
            report.labelled.append((earlier.name, n_new))
        report.warnings += [(earlier.name, warning) for warning in warnings]

    def _labels(
        self, source: SourceFile, rows: Sequence[LabelRow], packed: PackedRecording
    ) -> tuple[list[Label], list[str]]:
        """The clip's labels from the table, the folders and the name; and what is wrong with some of them."""
        labels, warnings = labels_of_rows(rows, packed.frame_time, packed.n_frames)
        words = [*(source.folders if self.options.label_folders else ())]
        words += labels_in_name(source.name, self.options.label_pattern)
        return labels + [Label(word, origin="import") for word in words], warnings

    def report_unused_labels(self, sources: Sequence[SourceFile]) -> None:
        """Rows of the label file that mean no file of this import are a warning: a typing error hides there."""
        table = self.options.labels
        if table is None:
            return
        used = self.used_rows.union(row for source in sources for row in table.of_source(source.name, source.shown))
        unused = [row for row in table.rows if row not in used]
        if unused:
            lines = ", ".join(str(row.line) for row in unused[:5]) + (" …" if len(unused) > 5 else "")
            self.report.warnings.append((str(table.path), f"{len(unused)} rows match no file (lines {lines})"))


def _some_paths(paths: Sequence[Path | str]) -> str:
    named = ", ".join(str(path) for path in paths[:3])
    return named if len(paths) <= 3 else f"{named} and {len(paths) - 3} more"
