"""What people call parts of the body: arms, left leg, upper body; each stands for joints of the reference skeleton."""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from motionary.rig import ARM, JOINT_WORDS, LEG, NECK, SIDES, SPINE


@cache
def body_parts() -> Mapping[str, frozenset[str]]:
    """The joints of every part that has a name of its own beside its joints' names."""
    parts = {"neck": frozenset(NECK), "spine": frozenset(SPINE), "trunk": frozenset(("Hips", *SPINE))}
    for side in SIDES:
        arm, leg = (frozenset(side + joint for joint in limb) for limb in (ARM, LEG))
        parts |= {f"{side.lower()} {name}": found for name, found in (("arm", arm), ("leg", leg), ("side", arm | leg))}
    parts["arms"] = parts["left arm"] | parts["right arm"]
    parts["legs"] = parts["left leg"] | parts["right leg"]
    parts["hands"] = frozenset(side + "Hand" for side in SIDES)
    parts["feet"] = frozenset(side + joint for side in SIDES for joint in ("Foot", "Toe"))
    for name, joint in JOINT_WORDS.items():
        parts |= {f"{side.lower()} {name}": frozenset({side + joint}) for side in SIDES}
        parts |= dict.fromkeys((name, f"{name}s"), frozenset(side + joint for side in SIDES))
    parts["upper body"] = parts["spine"] | parts["neck"] | {"Head"} | parts["arms"]
    parts["lower body"] = parts["legs"] | {"Hips"}
    return MappingProxyType(parts)


@cache
def parts_holding(joint: str) -> tuple[str, ...]:
    """The named parts that the joint belongs to."""
    return tuple(name for name, joints in body_parts().items() if joint in joints)


def plain(word: str) -> str:
    """A word as it is compared: capitals, blanks, hyphens and underlines do not count."""
    return re.sub(r"[\s_-]+", "", word).lower()
