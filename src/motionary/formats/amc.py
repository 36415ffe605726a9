"""Acclaim motions (.amc): for every frame its number and a line of values for each bone that moves."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

import numpy as np

from motionary.errors import MotionFileError
from motionary.formats.asf_text import LARGEST

CUT_OFF = "The file may be cut off; --truncate imports the frames before it."
OTHER_SKELETON = "Does the motion belong to this skeleton? --asf names another."
NO_AMC = "Is this an Acclaim .amc file?"
LONGEST_FRAME_NUMBER = 9  # digits


@dataclass(frozen=True, eq=False)
class Amc:
    """An .amc file: for every bone its values (F, n), in the order of its dofs and as written."""

    values: dict[str, np.ndarray]
    n_frames: int
    degrees: bool | None  # None where the file does not say
    notes: list[str]


def parse_amc(data: bytes, path: Path, *, n_dofs: Mapping[str, int], truncate: bool = False) -> Amc:
    """The frames of an .amc file; `n_dofs` says how many values each bone has, as in the .asf file.

    `truncate` takes the frames before the first that is wrong, and notes the problem.
    """
    lines = data.splitlines()
    degrees, starts = _find_frames(lines, path)
    reader = _FrameReader(lines, path, n_dofs, underscores=b"_" in data)
    rows: list[float] = []
    n_values = sum(n_dofs.values())
    problem: MotionFileError | None = None
    n_frames = 0
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        try:
            rows += reader.read(start, stop)
        except MotionFileError as error:
            problem = error
            break
        n_frames += 1
    values = np.array(rows, dtype=float).reshape(n_frames, n_values)
    for frame in np.flatnonzero(~(np.abs(values) <= LARGEST).all(axis=1))[:1]:
        problem = reader.error(starts[frame], "this frame holds a value that no body has", CUT_OFF)
        values = values[:frame]
    if problem and not (truncate and len(values)):
        raise problem
    notes = reader.notes + [f"frames from here on are left out: {problem}"] * (problem is not None)
    return Amc(reader.by_bone(values), len(values), degrees, notes)


def _find_frames(lines: list[bytes], path: Path) -> tuple[bool | None, list[int]]:
    """Whether angles are in degrees, and where the frames start: the lines (0-based) of their numbers."""
    starts = [i for i, line in enumerate(lines) if line.strip().isdigit()]
    degrees = None
    for i, line in enumerate(lines[: starts[0]] if starts else lines):
        words = line.split()
        if not words or words[0][:1] in b"#":
            continue
        if words[0][:1] != b":":
            raise MotionFileError(path, i + 1, f"{_shown(line)} comes before the first frame", NO_AMC)
        if words[0].lower() in (b":degrees", b":radians"):
            degrees = words[0].lower() == b":degrees"
    if not starts:
        raise MotionFileError(path, len(lines) or None, "there are no frames", NO_AMC)
    return degrees, starts


@dataclass(frozen=True, eq=False)
class _Pattern:
    """The words of a frame: which are the bones' names and which their values."""

    n_words: int
    expected: object  # what `names` gives
    names: Callable[[list[bytes]], object]
    values: Callable[[list[bytes]], tuple[bytes, ...]]


class _FrameReader:
    """Reads the frames of one file, one after the other."""

    def __init__(self, lines: list[bytes], path: Path, n_dofs: Mapping[str, int], *, underscores: bool) -> None:
        self.notes: list[str] = []
        self._lines, self._path, self._n_dofs = lines, path, n_dofs
        self._names = {name.encode(code, "xmlcharrefreplace"): name for name in n_dofs for code in ("latin-1", "utf-8")}
        self._n_words = {word: n_dofs[name] + 1 for word, name in self._names.items()}
        self._names_in_lower_case = {word.lower(): name for word, name in self._names.items()}
        self._underscores = underscores  # Python would read 1_0 as 10
        self._order: list[str] = []  # of the bones in the first frame, and so in every row
        self._pattern: _Pattern | None = None  # how the first frame's words follow each other
        self._numbers: list[int] = []  # of the first frame, the second and the last one read

    def error(self, line: int, problem: str, remedy: str) -> MotionFileError:
        """An error at a line that is counted from 0."""
        return MotionFileError(self._path, line + 1, problem, remedy)

    def read(self, start: int, stop: int) -> list[float]:
        """The values of the frame whose number stands in line `start`, bones ordered as in the first frame."""
        self._check_number(start)
        if self._pattern is not None:
            words = b" ".join(self._lines[start + 1 : stop]).split()
            if len(words) == self._pattern.n_words and self._pattern.names(words) == self._pattern.expected:
                with suppress(ValueError):  # found again, with its line, below
                    return list(map(float, self._pattern.values(words)))
        return self._read_lines(start, stop)

    def by_bone(self, values: np.ndarray) -> dict[str, np.ndarray]:
        """The columns of every bone."""
        stops = np.cumsum([self._n_dofs[name] for name in self._order])
        return {
            name: values[:, stop - self._n_dofs[name] : stop] for name, stop in zip(self._order, stops, strict=True)
        }

    def _read_lines(self, start: int, stop: int) -> list[float]:
        """What `read` gives, line by line: comments, bones in another order, and whatever is wrong."""
        lines, n_words = self._lines, self._n_words
        row: list[float] = []
        bones: list[bytes] = []
        for i in range(start + 1, stop):
            words = lines[i].split()
            if not words or words[0].startswith(b"#"):
                continue
            if words[0] not in n_words:
                self._learn(words[0])
            if n_words.get(words[0]) != len(words):
                raise self._wrong_line(i, words)
            try:
                if self._underscores and b"_" in b"".join(words[1:]):
                    raise ValueError
                row.extend(map(float, words[1:]))
            except ValueError:
                raise self._wrong_line(i, words) from None
            bones.append(words[0])
        return self._in_order(bones, row, start)

    def _learn(self, word: bytes) -> None:
        """Remember a name that is a bone's but for upper and lower case, which do not count."""
        name = self._names_in_lower_case.get(word.lower())
        if name is not None:
            self._names[word] = name
            self._n_words[word] = self._n_dofs[name] + 1

    def _in_order(self, bones: list[bytes], row: list[float], start: int) -> list[float]:
        """The row with its bones in the first frame's order, which this frame sets if it is the first."""
        by_name: dict[str, list[float]] = {}
        at = 0
        for bone in bones:
            name = self._names[bone]
            if name in by_name:
                raise self.error(start, f"this frame has bone {name!r} twice", CUT_OFF)
            by_name[name] = row[at : at + self._n_dofs[name]]
            at += self._n_dofs[name]
        missing = [name for name, n in self._n_dofs.items() if n and name not in by_name]
        if missing:
            remedy = CUT_OFF if self._order else OTHER_SKELETON
            raise self.error(start, f"this frame has no line for {', '.join(missing[:5])}", remedy)
        if not self._order:
            self._order = list(by_name)
            self._pattern = None if self._underscores else _pattern(bones, self._n_words)
        return [value for name in self._order for value in by_name.get(name, ())]

    def _check_number(self, line: int) -> None:
        """Frames must be numbered evenly, or some are missing; where they start is their own affair."""
        word = self._lines[line].strip()
        if len(word) > LONGEST_FRAME_NUMBER:
            raise self.error(line, f"{_shown(word)} is not a frame number", CUT_OFF)
        number, known = int(word), self._numbers
        step = known[1] - known[0] if len(known) > 1 else max(1, number - known[0]) if known else 1
        if known and number != known[-1] + step:
            raise self.error(
                line,
                f"frame {number} follows frame {known[-1]}",
                "Frames may be missing or out of order; --truncate imports the frames before.",
            )
        if not known and number != 1:
            self.notes.append(f"{self._path}:{line + 1}: the first frame has number {number}")
        if len(known) == 1 and step != 1:
            self.notes.append(f"{self._path}:{line + 1}: frame numbers increase by {step}; each counts as one frame")
        self._numbers = [*known[:2], number]

    def _wrong_line(self, line: int, words: list[bytes]) -> MotionFileError:
        name = self._names.get(words[0])
        remedy = CUT_OFF if self._order else OTHER_SKELETON
        if name is None:
            return self.error(line, f"the skeleton has no bone {_shown(words[0])}", remedy)
        if len(words) - 1 != self._n_dofs[name]:
            problem = f"bone {name!r} has {len(words) - 1} values, expected {self._n_dofs[name]}"
            return self.error(line, problem, remedy)
        return self.error(line, f"{_shown(b' '.join(words[1:]))} should be numbers", CUT_OFF)


def _pattern(bones: list[bytes], n_words: Mapping[bytes, int]) -> _Pattern | None:
    at: list[int] = []
    values: list[int] = []
    n = 0
    for bone in bones:
        at.append(n)
        values += range(n + 1, n + n_words[bone])
        n += n_words[bone]
    if len(values) < 2:  # itemgetter gives tuples from two on
        return None
    return _Pattern(n, bones[0] if len(bones) == 1 else tuple(bones), itemgetter(*at), itemgetter(*values))


def _shown(text: bytes) -> str:
    return repr(text.strip()[:40].decode("utf-8", "replace"))
