"""Acclaim skeletons and motions, and the files that describe them."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from motionary.formats import MotionFile
from motionary.formats.asf_amc import parse_asf_amc
from motionary.motion import Motion, Space

ASF_PATH, AMC_PATH = Path("01.asf"), Path("01_01.amc")


@dataclass
class Bone:
    name: str
    parent: str
    direction: tuple[float, ...] = (0.0, 0.0, 0.0)
    length: float = 0.0
    axis: tuple[float, ...] = (0.0, 0.0, 0.0)
    order: str = "XYZ"
    dofs: tuple[str, ...] = ()


@dataclass
class Case:
    """A skeleton and its frames, the root first; angles in degrees."""

    bones: list[Bone]
    frames: list[dict[str, list[float]]]
    angle: str = "deg"
    scale: float = 0.45
    position: tuple[float, ...] = (0.0, 0.0, 0.0)
    newline: str = "\n"

    def _angle(self, degrees: float) -> float:
        return degrees if self.angle == "deg" else float(np.radians(degrees))

    def asf(self) -> bytes:
        root, *bones = self.bones
        lines = ["# written by a test", ":version 1.10", ":name VICON", ":units", "  mass 1.0"]
        lines += [f"  length {self.scale!r}", f"  angle {self.angle}", ":documentation", "   begin of nothing"]
        lines += [":root", f"   order {' '.join(root.dofs).upper()}", f"   axis {root.order}"]
        lines += [f"   position {' '.join(map(repr, self.position))}"]
        lines += [f"   orientation {' '.join(repr(self._angle(a)) for a in root.axis)}", ":bonedata"]
        for i, bone in enumerate(bones):
            lines += ["  begin", f"     id {i + 1}", f"     name {bone.name}"]
            lines += [f"     direction {' '.join(map(repr, bone.direction))}", f"     length {bone.length!r}  "]
            lines += [f"     axis {' '.join(repr(self._angle(a)) for a in bone.axis)}   {bone.order}"]
            if bone.dofs:
                lines += [f"    dof {' '.join(bone.dofs)}"]
                lines += ["    limits (-160.0 20.0)", *["           (-70.0 70.0)"] * (len(bone.dofs) - 1)]
            lines += ["  end"]
        lines += [":hierarchy", "  begin"]
        for parent in [bone.name for bone in self.bones]:
            if children := [bone.name for bone in bones if bone.parent == parent]:
                lines += [f"    {parent} {' '.join(children)}"]
        return self.newline.join([*lines, "  end", ""]).encode()

    def amc(self) -> bytes:
        lines = ["#!OML:ASF F:\\V\xfcon", ":FULLY-SPECIFIED", ":DEGREES" if self.angle == "deg" else ":RADIANS"]
        dofs = {bone.name: bone.dofs for bone in self.bones}
        for number, frame in enumerate(self.frames, 1):
            lines.append(str(number))
            for name, values in frame.items():
                written = [
                    self._angle(value) if dof[0] == "r" else value
                    for dof, value in zip(dofs[name], values, strict=True)
                ]
                lines.append(f"{name} {' '.join(map(repr, written))}")
        return self.newline.join([*lines, ""]).encode("latin-1")

    def read(self, **options) -> Motion:
        """The motion in the files' own unit."""
        (recording,) = read(self.asf(), self.amc(), **options).recordings
        return replace(recording, space=Space()).motion()


def leg(**options) -> Case:
    """Thigh and shin straight down, 2 and 1 long; the shin turns about an axis tilted by 90° about z."""
    bones = [
        Bone("root", "", dofs=("tx", "ty", "tz", "rx", "ry", "rz")),
        Bone("lhipjoint", "root", (1.0, 0.0, 0.0), 0.5),
        Bone("lfemur", "lhipjoint", (0.0, -1.0, 0.0), 2.0, dofs=("rx", "ry", "rz")),
        Bone("ltibia", "lfemur", (0.0, -1.0, 0.0), 1.0, axis=(0.0, 0.0, 90.0), dofs=("rx",)),
    ]
    frames = [
        {"root": [1.0, 3.0, 0.0, 0.0, 0.0, 0.0], "lfemur": [0.0, 0.0, 0.0], "ltibia": [0.0]},
        {"root": [1.0, 3.0, 0.0, 0.0, 0.0, 0.0], "lfemur": [90.0, 0.0, 90.0], "ltibia": [0.0]},
        {"root": [1.0, 3.0, 0.0, 0.0, 0.0, 0.0], "lfemur": [0.0, 0.0, 0.0], "ltibia": [90.0]},
    ]
    return Case(bones, frames, **options)


def read(asf: bytes, amc: bytes, **options) -> MotionFile:
    """What the reader makes of two files."""
    return parse_asf_amc(asf, amc, asf_path=ASF_PATH, amc_path=AMC_PATH, **options)
