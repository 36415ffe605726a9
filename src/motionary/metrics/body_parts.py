"""The sixteen parts of the body that carry mass: their tree, their points, and which of them touch the ground."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from motionary.dynamics import AVERAGES, BODY_PARTS, PartMass, outward_mass, support_weights, supporting_parts
from motionary.errors import UsageError
from motionary.metrics.clouds import POINTS
from motionary.rig import SIDES

# The tree: the pelvis is the root, outward is away from it.
INWARD = {"Abdomen": "Pelvis", "Thorax": "Abdomen", "Head": "Thorax"} | {
    side + part: side + inward if part not in ("UpperArm", "Thigh") else inward
    for side in SIDES
    for part, inward in (
        *(("UpperArm", "Thorax"), ("Forearm", "UpperArm"), ("Hand", "Forearm")),
        *(("Thigh", "Pelvis"), ("Shin", "Thigh"), ("Foot", "Shin")),
    )
}
PARTS = ("Pelvis", "Abdomen", "Thorax", "Head", *(part for part in BODY_PARTS if part.startswith(SIDES)))
PARENTS = np.array([PARTS.index(INWARD[part]) if part in INWARD else -1 for part in PARTS])
TORSO = PARTS[:3]
POINTS_OF = {
    "Pelvis": ("Hips", "LeftThigh", "RightThigh"),
    "Abdomen": ("Hips", "Spine4"),
    "Thorax": ("Spine4", "Neck1", "LeftUpperArm", "RightUpperArm"),
    "Head": ("Neck1", "HeadTop"),
} | {
    side + part: (side + part, side + end)
    for side in SIDES
    for part, end in (
        *(("UpperArm", "Forearm"), ("Forearm", "Hand"), ("Hand", "HandTip")),
        *(("Thigh", "Shin"), ("Shin", "Foot"), ("Foot", "ToeTip")),
    )
}
# Metres above the ground below which a point lies on it: about half the thickness of the body there. Feet have
# contacts of their own.
LYING = {
    "Hips": 0.16, "Spine4": 0.16, "Neck1": 0.12, "HeadTop": 0.10, "UpperArm": 0.12, "Forearm": 0.07, "Hand": 0.05,
    "HandTip": 0.04, "Shin": 0.09,
}  # fmt: skip
TOUCHED_BY = {
    "Hips": "Pelvis", "Spine4": "Thorax", "Neck1": "Head", "HeadTop": "Head", "UpperArm": "Thorax",
    "Forearm": "Forearm", "Hand": "Hand", "HandTip": "Hand", "Shin": "Shin",
}  # fmt: skip
BY_THE_FEET = 4  # columns of contacts: left heel, left toe, right heel, right toe


@cache
def branch_numbers() -> np.ndarray:
    """The branch (16,) of every part: 0 to 4 for the head and the four limbs, −1 for the torso."""
    limbs = [("Head",), *((side + kind,) for side in SIDES for kind in ("UpperArm", "Thigh"))]
    tops = [limb[0] for limb in limbs]
    found = np.full(len(PARTS), -1)
    for number, part in enumerate(PARTS):
        found[number] = tops.index(part) if part in tops else found[PARENTS[number]] if number else -1
    return found


@cache
def point_shares() -> np.ndarray:
    """How the weight of every part is shared among its points: (20, 16), every column sums to 1."""
    shares = np.zeros((len(POINTS), len(PARTS)))
    for number, part in enumerate(PARTS):
        for point in POINTS_OF[part]:
            shares[POINTS.index(point), number] = 1.0 / len(POINTS_OF[part])
    return shares


def part_shares(masses: Mapping[str, PartMass] | None = None) -> np.ndarray:
    """The share (16,) of the body's mass in every part: published averages, or a user's."""
    given = AVERAGES if masses is None else masses
    found = np.array([_mass(given, part) for part in PARTS])
    return np.asarray(found / found.sum())


def part_weights(parts: Mapping[str, float] | None = None) -> np.ndarray:
    """Factors (16,) for parts with these words in their names; of several words that fit, all count."""
    weights = np.ones(len(PARTS))
    for word, factor in (parts or {}).items():
        fits = [word.lower() in part.lower() for part in PARTS]
        if not any(fits):
            raise UsageError(f"no body part has {word!r} in its name; choose from {', '.join(PARTS)}")
        if not (np.isfinite(factor) and factor >= 0):
            raise UsageError(f"the weight {factor} of {word!r} is not possible; it must be at least 0")
        weights[fits] *= factor
    if not weights.sum() > 0:
        raise UsageError("all parts have the weight 0, so nothing would be compared")
    return weights


def mass_weights(masses: np.ndarray) -> np.ndarray:
    """Displaced mass (16,): what moves along with a part."""
    return outward_mass(PARENTS, masses)


def friction_of_parts(masses: np.ndarray, touching: np.ndarray) -> np.ndarray:
    """Friction (F, 16) of the parts that support, by those that touch the ground (F, 16)."""
    return support_weights(PARENTS, branch_numbers(), masses, touching)


def supports(touching: np.ndarray) -> np.ndarray:
    """Which parts support (F, 16), by those that touch the ground."""
    return supporting_parts(PARENTS, branch_numbers(), touching)


def touching_parts(points: np.ndarray, contacts: np.ndarray) -> np.ndarray:
    """Which parts touch the ground (F, 16), by points (F, 20, 3) and the contacts (F, 4) of heels and toes.

    Feet touch by their contacts. Everything else touches where a point lies as low as half the body's thickness
    there, so that hands, knees and the trunk support in falls, crawls and handstands.
    """
    found = np.zeros((len(points), len(PARTS)), dtype=bool)
    feet = np.asarray(np.asarray(contacts).reshape(len(points), 2, 2).any(axis=2))
    for column, side in enumerate(SIDES):
        found[:, PARTS.index(f"{side}Foot")] = feet[:, column]
    for number, point in enumerate(POINTS):
        side = next((side for side in SIDES if point.startswith(side)), "")
        kind = point.removeprefix(side)
        if kind not in LYING:
            continue
        part = TOUCHED_BY[kind]
        part = part if part in PARTS else side + part
        found[:, PARTS.index(part)] |= points[:, number, 1] < LYING[kind]
    return found


def _mass(masses: Mapping[str, PartMass], part: str) -> float:
    return (masses[part] if part in masses else masses[part.removeprefix("Left").removeprefix("Right")]).share
