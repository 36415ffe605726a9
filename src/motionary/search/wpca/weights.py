"""How much each part of the body counts in a pose space."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from motionary.dynamics import body_masses, displaced_mass
from motionary.errors import UsageError
from motionary.rig import SIDES, body_of, reference_skeleton
from motionary.search.body_parts import body_parts, plain
from motionary.search.wpca.linear import ROOT_COLUMNS, joints

LEAST = 1e-3  # of the largest weight: what counts nothing could not be mapped back to a pose
ELSEWHERE = 0.05  # how much all parts together count that a preset does not name, of those that it names
WHOLE_BODY = "whole body"
TILT, HEIGHT = "tilt", "height"  # of the hips


@cache
def space_presets() -> Mapping[str, frozenset[str]]:
    """The joints that count in full, by the name of the preset; "Hips" stands for tilt and height."""
    hands = {
        f"{side.lower()} hand": frozenset(side + joint for joint in ("UpperArm", "Forearm", "Hand")) for side in SIDES
    }  # all that puts a hand where it is
    return {WHOLE_BODY: frozenset(("Hips", *joints())), **body_parts(), **hands}


def column_weights(
    preset: str = WHOLE_BODY, *, by_mass: bool = True, parts: Mapping[str, float] | None = None
) -> np.ndarray:
    """The weight (D,) of every column of a pose; three columns of a joint have the same, and joints sum to 1.

    By mass, a joint counts as much as the share of the body that it moves; else all count alike. A preset keeps some
    parts, and lets all others together count a twentieth of these. `parts` multiply what joints, named parts of the
    body, `tilt` or `height` have then. None is less than a thousandth of the largest.
    """
    kept = _meant(preset, space_presets(), "preset")
    weights = dict(_displaced_mass()) if by_mass else dict.fromkeys(_displaced_mass(), 1.0)
    inside = {name for name in weights if name in kept or (name in (TILT, HEIGHT) and "Hips" in kept)}
    for group, total in ((inside, 1.0), (set(weights) - inside, ELSEWHERE)):
        weight = sum(weights[name] for name in group)
        weights |= {name: weights[name] * total / weight for name in group}
    known = {**body_parts(), **{name: frozenset((name,)) for name in ("Hips", *weights)}}
    for part, factor in (parts or {}).items():
        if not (np.isfinite(factor) and factor >= 0):
            raise UsageError(f"the weight of {part} must be a number of at least 0, not {factor}")
        for name in _meant(part, known, "part of the body"):
            for column in (TILT, HEIGHT) if name == "Hips" else (name,):
                weights[column] *= factor
    found = np.array([weights[name] for name in column_names()])
    if not found.any():
        raise UsageError("all weights are 0, so nothing would be compared")
    found = np.maximum(found, LEAST * found.max())
    return np.asarray(found / found[::3].sum())  # the first of each three: every joint, tilt, height


def joint_shares(preset: str = WHOLE_BODY, *, parts: Mapping[str, float] | None = None) -> dict[str, float]:
    """How much every joint, tilt and height count by preset and parts alone, whatever they weigh."""
    return dict(zip(column_names(), column_weights(preset, by_mass=False, parts=parts).tolist(), strict=True))


def _meant(word: str, known: Mapping[str, frozenset[str]], kind: str) -> frozenset[str]:
    for name, names in known.items():
        if plain(name) == plain(word):
            return names
    raise UsageError(f"no {kind} named {word!r}; choose from {', '.join(known)}")


@cache
def column_names() -> tuple[str, ...]:
    """What each column is called where weights are given."""
    return tuple(joint for joint in joints() for _ in range(3)) + (TILT,) * (len(ROOT_COLUMNS) - 1) + (HEIGHT,)


@cache
def _displaced_mass() -> Mapping[str, float]:
    """The share of the body's mass that each joint moves, and the hips by tilt and height: all of it."""
    skeleton = reference_skeleton()
    shares = dict(zip(skeleton.names, displaced_mass(body_masses(body_of(skeleton))).tolist(), strict=True))
    whole = shares.pop("Hips")
    return shares | {TILT: whole, HEIGHT: whole}
