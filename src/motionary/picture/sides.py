"""Which joints are on the left and which on the right, by their names."""

import re
from typing import Literal

from motionary.motion import Skeleton

Side = Literal["left", "right", "middle"]

# How names of the left side become names of the right: words, single letters between other signs, and a
# letter before or after the word (lfemur, L_Thigh, LHipJoint, Hand_L, finger1-1.L, mWristLeft, b_l_arm).
RULES = (
    (re.compile(r"left"), "right"),
    (re.compile(r"Left"), "Right"),
    (re.compile(r"LEFT"), "RIGHT"),
    (re.compile(r"(?<![A-Za-z])l(?![a-z])"), "r"),
    (re.compile(r"(?<![A-Za-z])L(?![a-z])"), "R"),
    (re.compile(r"^l(?=[A-Za-z])"), "r"),
    (re.compile(r"(?<=[a-z0-9])L$"), "R"),
)


def sides(skeleton: Skeleton) -> list[Side]:
    """The side of every joint: a name is a left one if turning left into right in it gives another joint."""
    found: dict[str, Side] = {}
    names = set(skeleton.names)
    for name in skeleton.names:
        for pattern, word in RULES:
            other = pattern.sub(word, name, count=1)
            if other != name and other in names:
                found[name], found[other] = "left", "right"
                break
    return [found.get(name) or _side_word(name) for name in skeleton.names]


def _side_word(name: str) -> Side:
    """The side that a name without a counterpart says in full."""
    if "left" in name.lower():
        return "left"
    return "right" if "right" in name.lower() and "upright" not in name.lower() else "middle"
