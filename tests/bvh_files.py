"""Small BVH files for tests, as programs out there write them."""

from pathlib import Path

import numpy as np

from motionary.formats.bvh import parse_bvh
from motionary.formats.motion_file import MotionFile
from motionary.motion import Recording

PATH = Path("take.bvh")
HIERARCHY = """\
HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 3.5 0
    }
  }
}
"""
FRAMES = ("1 2 3 0 0 0 0 0 0", "1 2 3 90 0 0 0 0 0", "1.5 2.25 -3 -90.125 1e1 0 0 0 .5")
VALUES = np.array([[float(word) for word in line.split()] for line in FRAMES])


def bvh(
    frames: tuple[str, ...] = FRAMES,
    *,
    hierarchy: str = HIERARCHY,
    count: object = None,
    frame_time: str = "0.0333333",
    end: str = "\n",
) -> str:
    """The text of a file; `count` is what it announces, by default the truth."""
    announced = len(frames) if count is None else count
    return f"{hierarchy}MOTION\nFrames: {announced}\nFrame Time: {frame_time}\n" + "\n".join(frames) + end


def nested(channels: str, *joints: tuple[str, str, str], offset: str = "0 0 0", root: str = "Hips") -> str:
    """A hierarchy in one chain: the root's channels, then (name, OFFSET, channels) of each joint below."""
    lines = ["HIERARCHY"]
    for keyword, (name, place, own) in zip(
        ["ROOT"] + ["JOINT"] * len(joints), [(root, offset, channels), *joints], strict=True
    ):
        lines += [f"{keyword} {name}", "{", f"OFFSET {place}", f"CHANNELS {len(own.split())} {own}"]
    return "\n".join(lines + ["}"] * (1 + len(joints))) + "\n"


TWO_ROOTS = (
    nested("Xposition Yposition Zposition Zrotation", ("Arm", "0 1 0", "Zrotation Yrotation Xrotation"), root="Anna")
    + nested("Xposition", ("Bone", "0 2 0", ""), ("Tip", "0 3 0", "Yrotation"), root="Ben").partition("\n")[2]
)


def parse(text: str | bytes, *, truncate: bool = False) -> MotionFile:
    return parse_bvh(text.encode() if isinstance(text, str) else text, PATH, truncate=truncate)


def one(text: str | bytes, *, truncate: bool = False) -> Recording:
    """The only recording of a file."""
    (recording,) = parse(text, truncate=truncate).recordings
    return recording
