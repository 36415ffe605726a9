"""Which joints an edit is for: names of the skeleton, parts of the body, and words for several of them."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionary.edit.subject import Subject
from motionary.errors import SkeletonError
from motionary.motion import mirror
from motionary.plants import Foot
from motionary.rig import ARM, JOINT_WORDS, LEG, NECK, SIDES, SPINE, mirror_partners

WORDS: dict[str, tuple[str, ...]] = {
    "spine": SPINE,
    "neck": NECK,
    "head": ("Head",),
    "hips": ("Hips",),
    "trunk": ("Hips", *SPINE),
    **{f"{side.lower()} arm": tuple(side + part for part in ARM) for side in SIDES},
    **{f"{side.lower()} leg": tuple(side + part for part in LEG) for side in SIDES},
    "arms": tuple(side + part for side in SIDES for part in ARM),
    "legs": tuple(side + part for side in SIDES for part in LEG),
    "hands": tuple(side + "Hand" for side in SIDES),
    "feet": tuple(side + part for side in SIDES for part in ("Foot", "Toe")),
    **{f"{side.lower()} {word}": (side + part,) for word, part in JOINT_WORDS.items() for side in SIDES},
    **{
        called: tuple(side + part for side in SIDES)
        for word, part in JOINT_WORDS.items()
        for called in (word, f"{word}s")
    },
}
WORDS["upper body"] = (*WORDS["spine"], *WORDS["neck"], "Head", *WORDS["arms"])
WORDS["lower body"] = ("Hips", *WORDS["legs"])
OTHER_WORDS = {"shoulder": "UpperArm", "hip": "Thigh", "calf": "Shin", "palm": "Hand"}  # suggested, but not taken


def joint_mask(subject: Subject, names: Sequence[str]) -> np.ndarray:
    """The joints (J,) that are meant; all if no name is given. What hangs below a hand or foot belongs to it."""
    n_joints = subject.motion.skeleton.n_joints
    if not names:
        return np.ones(n_joints, dtype=bool)
    mask = np.zeros(n_joints, dtype=bool)
    for name in names:
        mask[joints_called(subject, name)] = True
    _add_fingers(subject, mask)
    return mask


def joints_called(subject: Subject, name: str) -> list[int]:
    """The joints of one name or word, from the trunk outwards."""
    skeleton = subject.motion.skeleton
    if name in skeleton.names:
        return [skeleton.index(name)]
    if name.lower() in ("root", "all", "whole body"):
        return [0] if name.lower() == "root" else list(range(skeleton.n_joints))
    body = subject.body
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])|[_\s-]+", " ", name).lower()
    if body is not None:
        slots = body.body_map.slots
        if slots.get(name):
            return list(slots[name])
        if plain in WORDS:
            found = [joint for part in WORDS[plain] for joint in slots[part]]
            if found:
                return found
    known = [*skeleton.names, *(body.body_map.slots if body is not None else ()), *WORDS]
    near = _meant_by(plain, subject) or difflib.get_close_matches(name, list(dict.fromkeys(known)), n=3, cutoff=0.5)
    meant = f"did you mean {' or '.join(near)}?" if near else f"it has {', '.join(skeleton.names[:12])} …"
    raise SkeletonError(f"the skeleton has no joint {name!r}; {meant}")


def _meant_by(plain: str, subject: Subject) -> list[str]:
    """The joints that are called otherwise: of "left shoulder" the left upper arm."""
    if subject.body is None:
        return []
    side = next((one for one in SIDES if one.lower() in plain), None)
    parts = [part for word, part in OTHER_WORDS.items() if word in plain]
    slots = subject.body.body_map.slots
    found = [joint for part in parts for one in SIDES if side in (one, None) for joint in slots[one + part]]
    return [subject.motion.skeleton.names[joint] for joint in dict.fromkeys(found)]


def joint_called(subject: Subject, name: str) -> int:
    """The one joint of that name; of several the outermost."""
    return joints_called(subject, name)[-1]


def mirrored_name(name: str) -> str:
    """The name of the same part on the other side."""
    for one, other in (("Left", "Right"), ("left", "right")):
        if one in name:
            return name.replace(one, other)
        if other in name:
            return name.replace(other, one)
    return name


def partners_of(subject: Subject) -> np.ndarray:
    """The counterpart (J,) of every joint on the other side."""
    body_map = None if subject.body is None else subject.body.body_map
    return mirror_partners(subject.motion.skeleton, body_map=body_map)


def mirrored_subject(subject: Subject) -> Subject:
    """The subject left for right."""
    motion = mirror(subject.motion, partners_of(subject), rest_world=subject.rest)
    other: dict[Foot, Foot] = {"left": "right", "right": "left"}
    plants = tuple(
        replace(plant, foot=other[plant.foot], place=(-plant.place[0], plant.place[1], plant.place[2]))
        for plant in subject.plants
    )
    return Subject(motion, subject.body, tuple(sorted(plants, key=lambda plant: (plant.start, plant.foot, plant.part))))


def _add_fingers(subject: Subject, mask: np.ndarray) -> None:
    """Let joints below a chosen one that are no part of the body go with it."""
    if subject.body is None:
        return
    body_map = subject.body.body_map
    parts = {*body_map.joints.values(), *body_map.spine, *body_map.neck}
    for joint, parent in enumerate(subject.motion.skeleton.parents):
        if parent > 0 and joint not in parts and mask[parent]:
            mask[joint] = True
