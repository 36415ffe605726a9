"""Acclaim skeletons (.asf): bones that start where their parents end, each turning in axes of its own."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from motionary.errors import MotionFileError
from motionary.motion import UNITS_METRES, Skeleton, Space, euler

DOFS = ("tx", "ty", "tz", "rx", "ry", "rz")
LARGEST = 1e9  # no length or angle of a body; sums and products of such numbers stay finite
BONE_KEYWORDS = ("id", "name", "direction", "length", "axis", "dof", "limits", "bodymass", "cofmass")


@dataclass(eq=False)
class AsfBone:
    """One bone as its file describes it; the root is one of length 0."""

    line: int
    name: str = ""
    direction: tuple[float, ...] = (0.0, 0.0, 0.0)  # in the world's axes, with all rotations zero
    length: float = 0.0
    axis: tuple[float, ...] = (0.0, 0.0, 0.0)  # angles about x, y and z, in the file's unit of angles
    axis_order: str = "XYZ"  # the first is turned first
    dofs: tuple[str, ...] = ()  # in the order of the numbers in the .amc file
    limits: tuple[tuple[float, float], ...] = ()  # one pair for each dof, as the file gives them

    @property
    def vector(self) -> tuple[float, ...]:
        """From the bone's start to its end, in the world's axes at rest."""
        return tuple(self.length * part for part in self.direction)


@dataclass(eq=False)
class Asf:
    """An .asf file: its bones, the root first and parents before children."""

    bones: list[AsfBone] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)  # −1 for the root
    root_position: tuple[float, ...] = (0.0, 0.0, 0.0)
    length_scale: float | None = None
    degrees: bool = True
    notes: list[str] = field(default_factory=list)

    def skeleton(self) -> Skeleton:
        """The joints: each is the start of its bone, so that a knee is called after the shin below it."""
        offsets = [self.root_position]
        offsets += [self.bones[parent].vector for parent in self.parents[1:]]
        leaves = [joint for joint in range(len(self.bones)) if joint not in self.parents]
        return Skeleton(
            tuple(bone.name for bone in self.bones),
            np.array(self.parents),
            np.array(offsets),
            np.array(leaves, dtype=np.int32),
            np.array([self.bones[leaf].vector for leaf in leaves]),
        )

    def axes(self) -> np.ndarray:
        """Orientations (J, 4) of the frames in which the bones turn."""
        axes = np.empty((len(self.bones), 4))
        for joint, bone in enumerate(self.bones):
            angles = [bone.axis["XYZ".index(letter)] for letter in reversed(bone.axis_order)]
            radians = np.radians(angles) if self.degrees else np.array(angles)
            axes[joint] = euler.from_euler(radians, bone.axis_order[::-1])
        return axes

    def space(self) -> Space:
        """The unit is 1 / `length` inch where the file says a scale; a scale of 1 says nothing (Space())."""
        if self.length_scale is None or self.length_scale == 1.0:
            return Space()
        return Space(UNITS_METRES["in"] / self.length_scale)


def parse_asf(data: bytes, path: Path) -> Asf:
    """The bones of an .asf file."""
    asf = Asf()
    bones: dict[str, AsfBone] = {}
    children: dict[str, list[tuple[str, int]]] = {}
    sections = {
        "units": lambda lines: _read_units(asf, lines),
        "root": lambda lines: _read_root(asf, lines),
        "bonedata": lambda lines: _read_bones(asf, bones, lines),
        "hierarchy": lambda lines: _read_hierarchy(children, lines),
    }
    seen: dict[str, int] = {}
    for name, lines in _sections(data, path):
        if name in sections and name in seen:
            raise lines.error(f"a second :{name} section; the first is in line {seen[name]}", "Remove one of them")
        seen[name] = lines.first
        if name in sections:
            sections[name](lines)
    for name in ("root", "bonedata", "hierarchy"):
        if name not in seen:
            raise MotionFileError(path, None, f"there is no :{name} section", "Is this an Acclaim .asf file?")
    _join(asf, bones, children, path)
    return asf


@dataclass
class _Lines:
    """The lines of one section, as words, and where they stand."""

    path: Path
    first: int
    words: list[tuple[int, list[str]]]
    line: int = 0  # the line last handed out

    def __iter__(self) -> Iterator[list[str]]:
        for line, words in self.words:
            self.line = line
            yield words

    def error(self, problem: str, remedy: str = "Correct the line or export the skeleton again") -> MotionFileError:
        return MotionFileError(self.path, self.line or self.first, problem, f"{remedy}.")

    def numbers(self, words: list[str], n: int, what: str) -> tuple[float, ...]:
        """Exactly n numbers that a body can have."""
        if len(words) != n:
            raise self.error(f"{what} needs {n} number{'s' * (n > 1)}, not {' '.join(words)[:60]!r}")
        return tuple(self.number(word, what) for word in words)

    def number(self, word: str, what: str) -> float:
        try:
            value = float(word) if "_" not in word else math.nan
        except ValueError:
            value = math.nan
        if not abs(value) <= LARGEST:
            raise self.error(f"{what} is {word!r}, not a usable number")
        return value


def decode(data: bytes) -> str:
    """Text in UTF-8, or else Latin-1, which every byte string is."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _sections(data: bytes, path: Path) -> Iterator[tuple[str, _Lines]]:
    section: _Lines | None = None
    name = ""
    for line, text in enumerate(decode(data).replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        words = text.split()
        comment = next((i for i, word in enumerate(words) if word.startswith("#")), len(words))
        words = words[:comment]
        if not words:
            continue
        if words[0].startswith(":"):
            if section is not None:
                yield name, section
            name, section = words[0][1:].lower(), _Lines(path, line, [])
            words = words[1:]
        if section is None:
            raise MotionFileError(
                path, line, f"{words[0][:40]!r} stands before the first section", "Is this an Acclaim .asf file?"
            )
        if words:
            section.words.append((line, words))
    if section is not None:
        yield name, section


def _read_units(asf: Asf, lines: _Lines) -> None:
    for words in lines:
        if len(words) % 2:
            raise lines.error(f":units come in pairs, such as 'length 0.45', not {' '.join(words)!r}")
        for key, value in zip(words[::2], words[1::2], strict=True):
            if key.lower() == "length":
                asf.length_scale = lines.number(value, "the length scale")
                if not 1e-6 <= asf.length_scale <= 1e6:
                    raise lines.error(f"a length scale of {value} is not possible", "CMU's files say 0.45")
            elif key.lower() == "angle":
                if value.lower() not in ("deg", "degrees", "rad", "radians"):
                    raise lines.error(f"angles are in deg or rad, not {value!r}")
                asf.degrees = value.lower().startswith("deg")


def _read_root(asf: Asf, lines: _Lines) -> None:
    root = AsfBone(lines.first, "root", dofs=DOFS)
    for key, *words in lines:
        if key.lower() == "order":
            root.dofs = _dofs(lines, words, "root")
        elif key.lower() == "axis":
            root.axis_order = _axis_order(lines, words)
        elif key.lower() == "position":
            asf.root_position = lines.numbers(words, 3, "the root's position")
        elif key.lower() == "orientation":
            root.axis = lines.numbers(words, 3, "the root's orientation")
        else:
            asf.notes.append(f"{lines.path}:{lines.line}: unknown word {key!r} in :root, not used")
    asf.bones.append(root)
    asf.parents.append(-1)


def _read_bones(asf: Asf, bones: dict[str, AsfBone], lines: _Lines) -> None:
    bone: AsfBone | None = None
    limit_words: list[str] = []
    key = ""
    for first, *words in lines:
        word = first.lower()
        if word == "begin":
            if bone is not None:
                raise lines.error("'begin' inside a bone", "An 'end' is missing above")
            bone, limit_words, key = AsfBone(lines.line), [], ""
        elif bone is None:
            raise lines.error(f"{first[:40]!r} outside begin … end")
        elif word == "end":
            _finish_bone(asf, bone, limit_words, lines)
            if bone.name in bones or bone.name == "root":
                raise lines.error(f"a second bone called {bone.name!r}", "Give every bone a name of its own")
            bones[bone.name] = bone
            bone = None
        elif word in BONE_KEYWORDS:
            key = word
            if key == "limits":
                limit_words += words
            else:
                _read_bone_line(asf, bone, key, words, lines)
        elif key == "limits" and first[0] in "(-+.0123456789":
            limit_words += [first, *words]
        else:
            asf.notes.append(f"{lines.path}:{lines.line}: unknown word {first[:40]!r} in a bone, not used")
    if bone is not None:
        raise lines.error(f"bone {bone.name!r} has no 'end'", "The file may be cut off; export it again")


def _read_bone_line(asf: Asf, bone: AsfBone, key: str, words: list[str], lines: _Lines) -> None:
    if key == "name":
        if len(words) != 1:
            raise lines.error("a bone's name is one word")
        bone.name = words[0]
    elif key == "direction":
        bone.direction = lines.numbers(words, 3, "a direction")
    elif key == "length":
        (bone.length,) = lines.numbers(words, 1, "a length")
    elif key == "axis":
        bone.axis = lines.numbers(words[:3], 3, "an axis")
        bone.axis_order = _axis_order(lines, words[3:]) if len(words) > 3 else "XYZ"
    elif key == "dof":
        bone.dofs = _dofs(lines, words, bone.name)
        if bone.dofs != tuple(sorted(bone.dofs, key=DOFS.index)):
            asf.notes.append(f"{lines.path}:{lines.line}: dof {' '.join(bone.dofs)} are turned in this order")


def _finish_bone(asf: Asf, bone: AsfBone, limit_words: list[str], lines: _Lines) -> None:
    if not bone.name:
        raise lines.error(f"the bone of line {bone.line} has no name")
    size = math.sqrt(sum(part * part for part in bone.direction))
    if bone.length and size < 1e-6:
        raise lines.error(f"bone {bone.name!r} has a length but no direction")
    if bone.length and abs(size - 1.0) > 1e-3:
        asf.notes.append(f"{lines.path}:{bone.line}: direction of {bone.name!r} has length {size:g}, taken as 1")
        bone.direction = tuple(part / size for part in bone.direction)
    words = " ".join(limit_words).replace("(", " ").replace(")", " ").replace(",", " ").split()
    ends = [
        math.copysign(math.inf, -1 if word[0] == "-" else 1)
        if word.lower().lstrip("+-").startswith("inf")
        else lines.number(word, f"a limit of {bone.name!r}")
        for word in words
    ]
    if len(ends) != 2 * len(bone.dofs) and ends:
        asf.notes.append(f"{lines.path}:{bone.line}: {bone.name!r} has {len(bone.dofs)} dof, not as many limits")
    bone.limits = tuple(zip(ends[::2], ends[1::2], strict=False))


def _read_hierarchy(children: dict[str, list[tuple[str, int]]], lines: _Lines) -> None:
    state = ""
    for words in lines:
        if words[0].lower() in ("begin", "end") and len(words) == 1:
            state = words[0].lower()
        elif state != "begin":
            raise lines.error(f"{words[0][:40]!r} outside begin … end")
        elif len(words) == 1:
            raise lines.error(f"{words[0][:40]!r} has no children here", "Write a parent and its children")
        else:
            children.setdefault(words[0], []).extend((child, lines.line) for child in words[1:])
    if state != "end":
        raise lines.error("the hierarchy has no 'end'", "The file may be cut off; export it again")


def _join(asf: Asf, bones: dict[str, AsfBone], children: dict[str, list[tuple[str, int]]], path: Path) -> None:
    """Append the bones to the root's, parents first and branches in file order."""
    remedy = "Correct the :hierarchy section or export the skeleton again."
    joints = {"root": 0}
    waiting = [("root", child, line) for child, line in reversed(children.get("root", []))]
    while waiting:
        parent, name, line = waiting.pop()
        if name not in bones:
            raise MotionFileError(path, line, f"no bone is called {name!r}", remedy)
        if name in joints:
            raise MotionFileError(path, line, f"bone {name!r} hangs on two parents", remedy)
        joints[name] = len(asf.bones)
        asf.bones.append(bones[name])
        asf.parents.append(joints[parent])
        waiting += [(name, child, line) for child, line in reversed(children.get(name, []))]
    for name, bone in bones.items():
        if name not in joints:
            raise MotionFileError(path, bone.line, f"bone {name!r} does not hang on the root", remedy)
    for name in children:
        if name not in joints:
            raise MotionFileError(path, children[name][0][1], f"no bone is called {name!r}", remedy)


def _axis_order(lines: _Lines, words: list[str]) -> str:
    order = "".join(words).upper()
    if sorted(order) != ["X", "Y", "Z"]:
        raise lines.error(f"an axis order is X, Y and Z in some order, not {' '.join(words)!r}")
    return order


def _dofs(lines: _Lines, words: list[str], name: str) -> tuple[str, ...]:
    dofs = tuple(word.lower() for word in words)
    for dof in dofs:
        if dof == "l":
            raise lines.error(
                f"bone {name!r} changes its length (dof l), which cannot be read",
                "Export the motion with bones of fixed length",
            )
        if dof not in DOFS:
            raise lines.error(f"{dof!r} is no degree of freedom; there are {' '.join(DOFS)}")
    if len(set(dofs)) != len(dofs):
        raise lines.error(f"a degree of freedom stands twice in {' '.join(words)!r}")
    return dofs
