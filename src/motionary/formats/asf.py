"""Acclaim skeletons (.asf): bones that start where their parents end, each turning in axes of its own.

As defined by Acclaim (M. Schafer, version 1.10, 1995).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from motionary.errors import MotionFileError
from motionary.formats.asf_text import NO_ASF, Line, finite_number, read_sections, shown
from motionary.motion import UNITS_METRES, Skeleton, Space, euler

DOFS = ("tx", "ty", "tz", "rx", "ry", "rz")
ORIGIN: tuple[float, ...] = (0.0, 0.0, 0.0)
NOT_NEEDED = ("id", "bodymass", "cofmass")
HIERARCHY_REMEDY = "Correct the :hierarchy section or export the skeleton again."


@dataclass(frozen=True, slots=True)
class AsfBone:
    """One bone as its file describes it; the root is one of length 0."""

    line: Line
    name: str
    direction: tuple[float, ...] = ORIGIN  # in the world's axes, with all rotations zero
    length: float = 0.0
    axis: tuple[float, ...] = ORIGIN  # angles about x, y and z, in the file's unit of angles
    axis_order: str = "XYZ"  # the first is turned first
    dofs: tuple[str, ...] = ()  # in the order of the .amc file's numbers, which is that of the turns
    limits: tuple[tuple[float, float], ...] = ()  # lowest and highest value of each dof, as the file gives them

    @property
    def vector(self) -> tuple[float, ...]:
        """From the bone's start to its end, in the world's axes at rest."""
        return tuple(self.length * part for part in self.direction)


@dataclass(frozen=True, eq=False)
class Asf:
    """An .asf file: its bones, the root first and parents before children."""

    bones: tuple[AsfBone, ...]
    parents: tuple[int, ...]  # −1 for the root
    root_position: tuple[float, ...]
    length_scale: float
    degrees: bool
    notes: tuple[str, ...]

    def skeleton(self) -> Skeleton:
        """The joints: each is the start of its bone, so that a knee is called after the shin below it."""
        offsets = [self.root_position, *(self.bones[parent].vector for parent in self.parents[1:])]
        leaves = sorted(set(range(len(self.bones))) - set(self.parents))
        return Skeleton(
            tuple(bone.name for bone in self.bones),
            np.array(self.parents),
            np.array(offsets),
            np.array(leaves),
            np.array([self.bones[leaf].vector for leaf in leaves]),
        )

    def axes(self) -> np.ndarray:
        """Orientations (J, 4) of the axes that the bones turn about."""
        axes = np.empty((len(self.bones), 4))
        for joint, bone in enumerate(self.bones):
            order = bone.axis_order[::-1]  # product order
            angles = np.array([bone.axis["XYZ".index(letter)] for letter in order])
            axes[joint] = euler.from_euler(np.radians(angles) if self.degrees else angles, order)
        return axes

    def space(self) -> Space:
        """The unit is 1 / scale inch; a scale of 1, which is also the default, says nothing: Space()."""
        return Space() if self.length_scale == 1.0 else Space(UNITS_METRES["in"] / self.length_scale)


def parse_asf(data: bytes, path: Path) -> Asf:
    """The skeleton that an .asf file describes."""
    sections = read_sections(data, path)
    for name in ("root", "bonedata", "hierarchy"):
        if name not in sections:
            raise MotionFileError(path, None, f"there is no :{name} section", NO_ASF)
    scale, degrees = _read_units(sections.get("units", []))
    root, root_position = _read_root(sections["root"])
    notes: list[str] = []
    bones = {root.name: root}
    for block in _blocks(sections["bonedata"]):
        bone = _read_bone(block, notes)
        if bone.name.lower() in bones:
            raise bone.line.error(f"a second bone named {shown(bone.name)}", "Give every bone a unique name.")
        bones[bone.name.lower()] = bone
    names, parents = _order(bones, sections["hierarchy"])
    if any(root_position):
        notes.append(f"{path}: the root's position in the skeleton is added to its positions in the motion")
    if any(root.axis):
        notes.append(f"{path}: the root's orientation is read as its rotation axes; programs differ here")
    return Asf(tuple(bones[name] for name in names), tuple(parents), root_position, scale, degrees, tuple(notes))


def _read_units(lines: list[Line]) -> tuple[float, bool]:
    """The length scale, and whether angles are in degrees."""
    scale, degrees = 1.0, True
    for line in lines:
        for key, value in zip(line.words[::2], line.words[1::2], strict=False):
            if key.lower() == "length":
                scale = line.number_in(value, "the length scale")
                if not 1e-6 <= scale <= 1e6:
                    raise line.error(f"a length scale of {value} is not possible", "CMU's files use 0.45.")
            elif key.lower() == "angle":
                if value.lower()[:3] not in ("deg", "rad"):
                    raise line.error(f"angles must be in deg or rad, not {shown(value)}")
                degrees = value.lower().startswith("deg")
    return scale, degrees


def _read_root(lines: list[Line]) -> tuple[AsfBone, tuple[float, ...]]:
    """The root as a bone, and its position."""
    dofs: tuple[str, ...] = DOFS
    axis_order = "XYZ"
    position = orientation = ORIGIN
    for line in lines:
        match line.keyword:
            case "order":
                dofs = _dofs(line, "root")
            case "axis":
                axis_order = _axis_order(line, line.words[1:])
            case "position":
                position = line.numbers(3, "the root's position")
            case "orientation":
                orientation = line.numbers(3, "the root's orientation")
    return AsfBone(lines[0], "root", axis=orientation, axis_order=axis_order, dofs=dofs), position


def _blocks(lines: list[Line]) -> Iterator[list[Line]]:
    """The lines of each bone, from its `begin` to the line before its `end`."""
    block: list[Line] = []
    for line in lines:
        if line.keyword == "begin":
            if block:
                raise line.error("'begin' inside a bone", "An 'end' is missing above.")
            block = [line]
        elif line.keyword == "end" and block:
            yield block
            block = []
        elif block:
            block.append(line)
        elif line.words:
            raise line.error(f"{shown(line.words[0])} is outside begin … end")
    if block:
        raise lines[-1].error("the last bone has no 'end'", "The file may be truncated; export it again.")


def _read_bone(block: list[Line], notes: list[str]) -> AsfBone:
    name, length, axis_order = "", 0.0, "XYZ"
    direction = axis = ORIGIN
    dofs: tuple[str, ...] = ()
    limits: list[str] = []
    key = ""
    for line in block[1:]:
        if key == "limits" and (line.keyword[0] in "+-.0123456789" or line.keyword.startswith("inf")):
            limits += line.words  # their pairs go on over several lines
            continue
        key = line.keyword
        match key:
            case "name":
                name = line.words[-1] if len(line.words) == 2 else ""
            case "direction":
                direction = line.numbers(3, "a direction")
            case "length":
                (length,) = line.numbers(1, "a length")
            case "axis":
                axis = line.numbers(3, "an axis")
                axis_order = _axis_order(line, line.words[4:] or ("XYZ",))
            case "dof":
                dofs = _dofs(line, name)
            case "limits":
                limits += line.words[1:]
            case _ if key not in NOT_NEEDED:
                notes.append(f"{line.path}:{line.number}: {shown(key)} is unknown and ignored")
    if not name:
        raise block[0].error("this bone has no name, or a name with spaces")
    bone = AsfBone(block[0], name, direction, length, axis, axis_order, dofs, _limits(limits))
    if limits and len(limits) != 2 * len(dofs):
        notes.append(
            f"{bone.line.path}:{bone.line.number}: {shown(name)} has a different number of limits than degrees of "
            "freedom"
        )
    return _of_unit_direction(bone, notes)


def _of_unit_direction(bone: AsfBone, notes: list[str]) -> AsfBone:
    """The bone with a direction of length 1, so that its length is what the file says."""
    size = math.hypot(*bone.direction)
    if bone.length == 0.0 or abs(size - 1.0) < 1e-3:
        return bone
    if size < 1e-6:
        raise bone.line.error(f"bone {shown(bone.name)} has a length but no direction")
    place = f"{bone.line.path}:{bone.line.number}"
    notes.append(f"{place}: the direction of {shown(bone.name)} has length {size:g}, taken as 1")
    return replace(bone, direction=tuple(part / size for part in bone.direction))


def _order(bones: dict[str, AsfBone], lines: list[Line]) -> tuple[list[str], list[int]]:
    """The bones' keys and parents: parents first, branches in file order."""
    children: dict[str, list[tuple[str, Line]]] = {}
    for line in lines:
        if len(line.words) == 1 and line.keyword not in ("begin", "end"):
            raise line.error(f"{shown(line.words[0])} has no children here", HIERARCHY_REMEDY)
        for word in line.words if len(line.words) > 1 else ():
            if word.lower() not in bones:
                raise line.error(f"no bone is named {shown(word)}", HIERARCHY_REMEDY)
        for word in line.words[1:]:
            children.setdefault(line.keyword, []).append((word.lower(), line))
    joints: dict[str, int] = {}
    parents: list[int] = []
    waiting = [("root", -1, lines[0])]
    while waiting:
        name, parent, line = waiting.pop()
        if name in joints:
            raise line.error(f"bone {shown(bones[name].name)} has two parents", HIERARCHY_REMEDY)
        joints[name] = len(parents)
        parents.append(parent)
        waiting += [(child, joints[name], line) for child, line in reversed(children.get(name, []))]
    for name, bone in bones.items():
        if name not in joints:
            raise bone.line.error(f"bone {shown(bone.name)} is not connected to the root", HIERARCHY_REMEDY)
    return list(joints), parents


def _axis_order(line: Line, words: tuple[str, ...]) -> str:
    order = "".join(words).upper()
    if sorted(order) != ["X", "Y", "Z"]:
        raise line.error(f"an axis order must be a permutation of X, Y and Z, not {shown(' '.join(words))}")
    return order


def _dofs(line: Line, name: str) -> tuple[str, ...]:
    dofs = tuple(word.lower() for word in line.words[1:])
    for dof in dofs:
        if dof == "l":
            problem = f"bone {shown(name)} changes its length (dof l), which cannot be read"
            raise line.error(problem, "Export the motion with bones of fixed length.")
        if dof not in DOFS:
            raise line.error(f"{shown(dof)} is not a degree of freedom; choose from {' '.join(DOFS)}")
    if len(set(dofs)) != len(dofs):
        raise line.error(f"a degree of freedom occurs twice in {shown(' '.join(dofs))}")
    return dofs


def _limits(words: list[str]) -> tuple[tuple[float, float], ...]:
    """Pairs of limits; nothing here depends on them, so one that cannot be read is no limit."""
    lows = [-math.inf if (value := finite_number(word)) is None else value for word in words[::2]]
    highs = [math.inf if (value := finite_number(word)) is None else value for word in words[1::2]]
    return tuple(zip(lows, highs, strict=False))
