"""The reference skeleton: the body that all others are compared through.

It stands in a T-pose, facing +z, its left side towards +x, palms down, soles on y = 0 when the root stands at
`root_height`. Proportions are human averages as shares of the body height (Drillis & Contini 1966, as tabled by
Winter). Four spine and two neck joints, so that the finest common rigs map onto it without loss.
"""

from functools import cache

import numpy as np

from motionary.motion import Skeleton

SIDES = ("Left", "Right")
SPINE = ("Spine1", "Spine2", "Spine3", "Spine4")
NECK = ("Neck1", "Neck2")
ARM = ("Clavicle", "UpperArm", "Forearm", "Hand")  # each with a side before it
LEG = ("Thigh", "Shin", "Foot", "Toe")
JOINT_WORDS = {  # what people call joints that are named by the bone that begins there
    "elbow": "Forearm", "wrist": "Hand", "knee": "Shin", "ankle": "Foot",
}  # fmt: skip
HEIGHT = 1.75

# Joint, parent, offset as a share of the body height; the right side is the left one mirrored.
_MIDDLE = (
    ("Hips", None, (0.0, 0.560, 0.0)),
    ("Spine1", "Hips", (0.0, 0.045, -0.010)),
    ("Spine2", "Spine1", (0.0, 0.060, 0.0)),
    ("Spine3", "Spine2", (0.0, 0.060, 0.0)),
    ("Spine4", "Spine3", (0.0, 0.060, 0.0)),
    ("Neck1", "Spine4", (0.0, 0.055, 0.0)),
    ("Neck2", "Neck1", (0.0, 0.025, 0.005)),
    ("Head", "Neck2", (0.0, 0.025, 0.005)),
)
_LEFT = (
    ("Clavicle", "Spine4", (0.015, 0.033, 0.010)),
    ("UpperArm", "Clavicle", (0.097, 0.0, -0.010)),
    ("Forearm", "UpperArm", (0.172, 0.0, 0.0)),
    ("Hand", "Forearm", (0.146, 0.0, 0.0)),
    ("Thigh", "Hips", (0.050, -0.035, 0.0)),
    ("Shin", "Thigh", (0.0, -0.240, 0.0)),
    ("Foot", "Shin", (0.0, -0.243, 0.0)),
    ("Toe", "Foot", (0.0, -0.030, 0.082)),
)
_ENDS = (
    ("Head", (0.0, 0.110, 0.0)),
    ("Hand", (0.105, 0.0, 0.0)),
    ("Toe", (0.0, -0.005, 0.040)),
    ("Foot", (0.0, -0.037, -0.030)),
)


@cache
def reference_skeleton(height: float = HEIGHT) -> Skeleton:
    """The reference skeleton of a body of `height` metres; end sites: head top, hand tips, toe tips, heels."""
    names: list[str] = []
    parents: list[int] = []
    offsets: list[tuple[float, float, float]] = []

    def add(name: str, parent: str | None, offset: tuple[float, float, float]) -> None:
        parents.append(names.index(parent) if parent else -1)
        names.append(name)
        offsets.append(offset)

    for name, parent, offset in _MIDDLE:
        add(name, parent, offset)
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        for part, parent, (x, y, z) in _LEFT:
            on_middle = parent in ("Hips", "Spine4")
            add(side + part, parent if on_middle else side + parent, (sign * x, y, z))
    end_joints: list[int] = []
    end_offsets: list[tuple[float, float, float]] = []
    for part, (x, y, z) in _ENDS:
        for name, sign in ((part, 1.0),) if part == "Head" else ((f"Left{part}", 1.0), (f"Right{part}", -1.0)):
            end_joints.append(names.index(name))
            end_offsets.append((sign * x, y, z))
    return Skeleton(
        tuple(names),
        np.array(parents),
        height * np.array(offsets),
        np.array(end_joints),
        height * np.array(end_offsets),
    )


def root_height(skeleton: Skeleton) -> float:
    """How high the root stands when the skeleton stands in its rest pose with its lowest point on y = 0."""
    rest = skeleton.rest_positions()
    tips = rest[skeleton.end_site_joints] + skeleton.end_site_offsets
    return -float(min(rest[:, 1].min(), tips[:, 1].min(initial=0.0)))
