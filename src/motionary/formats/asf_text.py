"""The text of Acclaim skeleton files: sections that start with a colon, lines of words, comments."""

import math
from dataclasses import dataclass
from pathlib import Path

from motionary.errors import MotionFileError

LARGEST = 1e9  # no length or angle of a body; sums and products of such numbers stay finite
WHITESPACE = str.maketrans("(),", "   ")  # the format's definition counts these as blanks
NO_ASF = "Is this an Acclaim .asf file?"


@dataclass(frozen=True, slots=True)
class Line:
    """The words of one line, and where it stands."""

    path: Path
    number: int
    words: tuple[str, ...]

    @property
    def keyword(self) -> str:
        """The first word, in lower case; "" in a line without words."""
        return self.words[0].lower() if self.words else ""

    def error(self, problem: str, remedy: str = "Correct it or export the skeleton again.") -> MotionFileError:
        return MotionFileError(self.path, self.number, problem, remedy)

    def numbers(self, n: int, what: str) -> tuple[float, ...]:
        """The n numbers after the keyword; words after them are left alone."""
        words = self.words[1 : n + 1]
        if len(words) < n:
            raise self.error(f"{what} needs {n} number{'s' * (n > 1)}, not {' '.join(words)!r}")
        return tuple(self.number_in(word, what) for word in words)

    def number_in(self, word: str, what: str) -> float:
        """The number that a word is."""
        value = finite_number(word)
        if value is None or abs(value) > LARGEST:
            raise self.error(f"{what} is {shown(word)}, not a valid number")
        return value


def read_sections(data: bytes, path: Path) -> dict[str, list[Line]]:
    """The lines of every section by its name; the first is the section's own line, without the name.

    Of sections with the same name the last is kept, but those that make the skeleton may not come twice.
    """
    sections: dict[str, list[Line]] = {}
    lines: list[Line] | None = None
    for number, text in enumerate(_decode(data).replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        words = tuple(text.partition("#")[0].translate(WHITESPACE).split())
        if words and words[0].startswith(":"):
            name = words[0][1:].lower()
            if name in sections and name in ("units", "root", "bonedata", "hierarchy"):
                problem = f"a second :{name} section; the first is in line {sections[name][0].number}"
                raise MotionFileError(path, number, problem, "Remove one of them.")
            lines = sections[name] = [Line(path, number, words[1:])]
        elif words and lines is None:
            raise MotionFileError(path, number, f"{shown(words[0])} comes before the first section", NO_ASF)
        elif words and lines is not None:
            lines.append(Line(path, number, words))
    return sections


def finite_number(word: str) -> float | None:
    """The number that a word is, or None; Python would also take 1_0, nan and inf."""
    try:
        value = float(word) if "_" not in word else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def shown(word: str) -> str:
    """A word from a file, quoted and not too long for a message."""
    return repr(word[:40])


def _decode(data: bytes) -> str:
    """Text in UTF-8, or else Latin-1, which every byte string is."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")
