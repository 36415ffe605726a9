"""Labels from a table, from folder names and from file names."""

import csv
import io
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from motionary.bank.addresses import Bound, parse_bound
from motionary.bank.bank import Bank
from motionary.bank.clips import Label
from motionary.errors import UsageError
from motionary.files import read_ordinary
from motionary.formats import format_of

MAX_BYTES = 1 << 30
WHO = ("clip", "file")
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs"}  # of the fields of a line


@dataclass(frozen=True, slots=True)
class LabelRow:
    """One line of a table: which clip, which interval (None: all of it), which label, and what else it says."""

    place: str  # file and line, for messages
    line: int
    who: str
    label: str
    start: Bound | None
    stop: Bound | None
    description: str

    def at(self, frame_time: float, n_frames: int) -> Label:
        """The label on a clip of that rate and length."""
        if self.start is None and self.stop is None:
            return Label(self.label, origin="import")
        start = self.start.frame(frame_time) if self.start else 0
        stop = self.stop.frame(frame_time) if self.stop else n_frames
        if not 0 <= start < stop <= n_frames:
            raise UsageError(f"{self.place}: {self.who} has no frames {start}-{stop}, only 0-{n_frames}")
        return Label(self.label, start, stop, origin="import")


@dataclass(frozen=True, slots=True)
class LabelReport:
    """What became of a table of labels."""

    n_new: int
    unused: tuple[LabelRow, ...]  # rows that mean no clip
    warnings: tuple[str, ...]  # rows whose frames the clip does not have, with file and line
    n_described: int = 0  # clips that have got another description


class LabelTable:
    """The rows of a label file, by clip."""

    def __init__(self, path: Path, rows: Sequence[LabelRow]) -> None:
        self.path = path
        self.rows = tuple(rows)
        self._by_who: dict[str, list[LabelRow]] = defaultdict(list)
        for row in rows:
            self._by_who[_plain(row.who)].append(row)

    def of_source(self, name: str, shown: str) -> list[LabelRow]:
        """The rows that mean a clip called `name` that comes from the file `shown`.

        They may name the clip, or the file: with as many of the folders above it as they like, with or without its
        ending. Whether the file is gzipped, and whether its ending is in capital letters, makes no difference.
        """
        path = _plain(shown)
        parts = PurePosixPath(path).parts
        files = ["/".join(parts[i:]) for i in range(len(parts) - 1, -1, -1)] if shown else []
        names = [_plain(name), path, *(text for file in files for text in (file, _without_ending(file)))]
        return [row for who in dict.fromkeys(names) for row in self._by_who.get(who, ())]


def read_labels(path: Path | str, *, label_column: str = "label") -> LabelTable:
    """The labels of a CSV file with a header line: `clip` or `file`, `label`, and maybe `start`, `stop`
    (frames, or seconds with an s) and `description`. Fields are separated by commas, semicolons or tabs. Rows without
    a label are passed over."""
    path = Path(path)
    try:
        data = read_ordinary(path, max_bytes=MAX_BYTES)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read as a CSV file of labels ({error})") from error
    text = _decoded(data, path)
    header = next(iter(text.splitlines()), "")
    separator = next((mark for mark in SEPARATORS if _names_columns(header, mark, label_column)), ",")
    reader = csv.DictReader(io.StringIO(text, newline=""), skipinitialspace=True, delimiter=separator)
    try:
        reader.fieldnames = [column.strip() for column in reader.fieldnames or ()]
        return LabelTable(path, _rows(reader, path, label_column, separator))
    except csv.Error as error:
        raise UsageError(f"{path}:{reader.line_num}: is not a CSV file ({error})") from error


def _decoded(data: bytes, path: Path) -> str:
    """The text of a UTF-8 file, or of a UTF-16 file with a byte order mark, as Excel writes it."""
    try:
        return data.decode("utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{path}:{line}: has letters that are not UTF-8. Save the file as UTF-8 (in Excel: CSV UTF-8)"
        ) from error


def _names_columns(header: str, separator: str, label_column: str) -> bool:
    """Whether a header line, split so, names a clip and a label."""
    columns = [column.strip().strip('"') for column in header.split(separator)]
    return label_column in columns and any(column in columns for column in WHO)


def _rows(reader: "csv.DictReader[str]", path: Path, label_column: str, separator: str) -> list[LabelRow]:
    columns = reader.fieldnames or []
    who = next((column for column in WHO if column in columns), None)
    if who is None or label_column not in columns:
        raise UsageError(
            f"{path}:1: the header must name a column {' or '.join(WHO)} and a column {label_column}, separated by "
            f"commas, semicolons or tabs; it names {', '.join(columns) or 'nothing'}. "
            "Another label column can be given with --label-column"
        )
    rows = []
    for row in reader:
        place = f"{path}:{reader.line_num}"
        if None in row.values() or None in row:
            n_fields = sum(value is not None for name, value in row.items() if name) + len(row.get(None) or ())
            raise UsageError(
                f"{place}: has {n_fields} fields, but the header names {len(columns)}. Separate fields by "
                f"{SEPARATORS[separator]}, as the header does, and put texts that contain one in double quotes"
            )
        label = row[label_column].strip()
        try:
            start, stop = (_bound(row.get(column) or "") for column in ("start", "stop"))
            if label:
                Label(label)  # raises what is wrong with it
        except UsageError as error:
            raise UsageError(f"{place}: {error}") from error
        if not row[who].strip():
            raise UsageError(f"{place}: has no {who}")
        rows.append(
            LabelRow(place, reader.line_num, row[who].strip(), label, start, stop, row.get("description") or "")
        )
    return rows


def label_from_table(bank: Bank, table: LabelTable) -> LabelReport:
    """Put the table's labels and descriptions on clips of the bank, as one change.

    A row that fits no clip or frames is reported.
    """
    used: set[LabelRow] = set()
    warnings: list[str] = []
    n_new = n_described = 0
    with bank.change(f"label import {table.path.name}"):
        for clip in bank.clips():
            rows = table.of_source(clip.name, clip.source)
            used.update(rows)
            labels, wrong = labels_of_rows(rows, clip.frame_time, clip.n_frames)
            n_new += bank.add_labels(clip, labels)
            if description := description_of_rows(rows):
                n_described += bank.describe(clip, description)
            warnings += wrong
    return LabelReport(n_new, tuple(row for row in table.rows if row not in used), tuple(warnings), n_described)


def labels_of_rows(rows: Iterable[LabelRow], frame_time: float, n_frames: int) -> tuple[list[Label], list[str]]:
    """The labels of rows on a clip of that rate and length, and what is wrong with the other rows."""
    labels, warnings = [], []
    for row in rows:
        try:
            if row.label:
                labels.append(row.at(frame_time, n_frames))
        except UsageError as error:
            warnings.append(str(error))
    return labels, warnings


def description_of_rows(rows: Iterable[LabelRow]) -> str:
    """What the rows of one clip say of it, each thing once."""
    return " | ".join(dict.fromkeys(row.description for row in rows if row.description))


def labels_in_name(name: str, pattern: str | None) -> list[str]:
    """The labels that a regular expression finds in a clip's name: its group `label`, else its first group."""
    if pattern is None:
        return []
    try:
        match = re.search(pattern, name)
    except re.error as error:
        raise UsageError(f"{pattern!r} is not a regular expression: {error}") from error
    if match is None:
        return []
    found = match.groupdict().get("label") if "label" in match.groupdict() else (match.groups() or (match[0],))[0]
    return [found.strip()] if found and found.strip() else []


def _plain(who: str) -> str:
    """A file's or clip's name as it is compared: not gzipped, its ending in small letters, not starting with ./"""
    if who.lower().endswith(".gz") and format_of(who):
        who = who[: -len(".gz")]
    stem = _without_ending(who)
    return stem.replace("\\", "/").removeprefix("./") + who[len(stem) :].lower()


def _without_ending(name: str) -> str:
    return name[: -len(PurePosixPath(name).suffix)] if format_of(name) else name


def _bound(text: str) -> Bound | None:
    return parse_bound(text.strip()) if text.strip() else None
