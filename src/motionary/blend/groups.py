"""Parts of the body by name, as lists of joints."""

import numpy as np

from motionary.errors import UsageError
from motionary.rig import Body

_TOPS = {
    "left arm": ("LeftShoulder", "LeftUpperArm"),
    "right arm": ("RightShoulder", "RightUpperArm"),
    "left leg": ("LeftThigh",),
    "right leg": ("RightThigh",),
    "head": ("Head",),
}
_TOGETHER = {
    "arms": ("left arm", "right arm"),
    "legs": ("left leg", "right leg"),
}
GROUPS = (*_TOPS, *_TOGETHER, "trunk", "upper body", "lower body")


def joint_groups(body: Body, name: str) -> np.ndarray:
    """The joints (n,) of a part of the body: "arms", "left leg", "upper body"…, or a joint and all below it."""
    below = _below(body.skeleton.parents)
    if name in _TOPS:
        top = next((body.body_map.joints[part] for part in _TOPS[name] if part in body.body_map.joints), None)
        if top is None:
            raise UsageError(f"this body has no {name}")
        return np.flatnonzero(below[top])
    if name in _TOGETHER:
        return np.concatenate([joint_groups(body, part) for part in _TOGETHER[name]])
    if name == "lower body":
        return np.concatenate([[0], joint_groups(body, "legs")])
    if name == "upper body":
        return np.setdiff1d(np.arange(body.skeleton.n_joints), joint_groups(body, "lower body"))
    if name == "trunk":
        return np.setdiff1d(joint_groups(body, "upper body"), joint_groups(body, "arms"))
    if name in body.skeleton.names:
        return np.flatnonzero(below[body.skeleton.index(name)])
    raise UsageError(f"{name!r} is not a part of this body; choose from {', '.join(GROUPS)}, or name a joint")


def loose_joints(body: Body) -> np.ndarray:
    """Whether joints (J,) are no part of the body that is known by name, nor does one hang on them: fingers, say, which
    many captures leave to chance."""
    body_map = body.body_map
    named = [body_map.hips, *body_map.spine, *body_map.neck, *body_map.joints.values()]
    return np.asarray(~_below(body.skeleton.parents)[:, named].any(axis=1))


def _below(parents: np.ndarray) -> np.ndarray:
    """Whether joint j hangs on joint i, or is it (J, J)."""
    below = np.eye(len(parents), dtype=bool)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            below[:, joint] |= below[:, parent]
    return below
