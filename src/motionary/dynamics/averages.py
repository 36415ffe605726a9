"""How the mass of a human body is shared among its parts: published averages, and a user's own."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from motionary.errors import UsageError
from motionary.files import read_ordinary
from motionary.rig import SIDES

MAX_FILE_BYTES = 16 << 20
SUM_WITHIN = 0.01  # tables are rounded: a user's whole table may miss 1 by this much


@dataclass(frozen=True, slots=True)
class PartMass:
    """One part of the body, described along its own length, from its inner end to its outer end."""

    share: float  # of the body's mass
    centre: float  # of mass, as a share of the length
    across: float  # radius of gyration about an axis across the part through its centre, likewise
    along: float  # radius of gyration about the part's own axis, likewise

    def __post_init__(self) -> None:
        for name in ("share", "centre", "across", "along"):
            value = getattr(self, name)
            if not (np.isfinite(value) and 0.0 <= value <= 1.0):
                raise UsageError(f"{name} = {value:g} is not possible for a body part; it must be between 0 and 1")


# Shares, centres and radii across: Winter, Biomechanics and Motor Control of Human Movement, table 4.1 (after
# Dempster); the trunk's parts have no radii there and are taken as even cylinders. Radii along: de Leva 1996, men;
# those of head and foot are of other lengths there (top of the head to C7, heel to toe tip) and converted to ours.
# Head and neck: from C7–T1 to the ear canal. Thorax: C7–T1 to T12–L1; abdomen: to L4–L5; pelvis: to the hip joints,
# each from its upper end. Hand: wrist to knuckles. Foot: ankle to ball.
AVERAGES: dict[str, PartMass] = {
    "Head": PartMass(0.081, 1.0, 0.495, 0.40),
    "Thorax": PartMass(0.216, 0.82, 0.0, 0.169),
    "Abdomen": PartMass(0.139, 0.44, 0.0, 0.169),
    "Pelvis": PartMass(0.142, 0.105, 0.0, 0.169),
    "UpperArm": PartMass(0.028, 0.436, 0.322, 0.158),
    "Forearm": PartMass(0.016, 0.430, 0.303, 0.121),
    "Hand": PartMass(0.006, 0.506, 0.297, 0.401),
    "Thigh": PartMass(0.100, 0.433, 0.323, 0.149),
    "Shin": PartMass(0.0465, 0.433, 0.302, 0.103),
    "Foot": PartMass(0.0145, 0.5, 0.475, 0.21),
}
TRUNK = ("Thorax", "Abdomen", "Pelvis")  # from above; their radii along are shares of the whole trunk's length
KINDS = tuple(AVERAGES)
LIMBS = ("UpperArm", "Forearm", "Hand", "Thigh", "Shin", "Foot")  # on both sides
BODY_PARTS = ("Head", *TRUNK, *(side + part for side in SIDES for part in LIMBS))


def part_kind(part: str) -> str:
    """The part without its side: Thigh of LeftThigh."""
    return part.removeprefix("Left").removeprefix("Right")


def part_masses(given: Mapping[str, Any] | None = None) -> dict[str, PartMass]:
    """The body's sixteen parts: published averages, except what is `given`.

    A name is a part of the body (LeftThigh) or one of both sides (Thigh); a value is its share of the mass, or a
    table with `share` and `centre`. What is not given is scaled so that all shares together are 1.
    """
    parts = {part: AVERAGES[part_kind(part)] for part in BODY_PARTS}
    fixed: set[str] = set()
    given = {} if given is None else given
    for name in sorted(given, key=lambda name: name in BODY_PARTS):  # a side's own word counts more than both sides'
        named = [part for part in BODY_PARTS if name in (part, part_kind(part))]
        if not named:
            raise UsageError(f"{name!r} is not a body part with a mass; choose from {', '.join(KINDS)}")
        values = _values(name, given[name])
        for part in named:
            parts[part] = replace(parts[part], **values)
            if "share" in values:
                fixed.add(part)
    return _scaled_to_one(parts, fixed) if fixed else parts


def read_part_masses(path: Path | str) -> dict[str, PartMass]:
    """The body's parts as a TOML file describes them: `Thigh = 0.1`, or a table `[Thigh]` with share and centre."""
    path = Path(path)
    try:
        entries = tomllib.loads(read_ordinary(path, max_bytes=MAX_FILE_BYTES).decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path}: the mass file cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: the mass file is not UTF-8 text") from None
    except RecursionError:
        raise UsageError(f"{path}: brackets are nested too deeply. Write lines such as Thigh = 0.1") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: not a TOML file ({error}). Write lines such as Thigh = 0.1") from None
    try:
        return part_masses(entries)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def _values(name: str, value: Any) -> dict[str, float]:
    """What a user says of one part, checked."""
    table = value if isinstance(value, Mapping) else {"share": value}
    for key, number in table.items():
        if key not in ("share", "centre"):
            raise UsageError(f"{name} has a share and a centre, not {key!r}")
        if isinstance(number, bool) or not isinstance(number, int | float | np.number):
            raise UsageError(f"{name}: {key} must be a number, not {number!r}")
        if not (np.isfinite(number) and 0.0 <= number <= 1.0):
            raise UsageError(f"{name}: {key} = {number:g} is not possible; it must be between 0 and 1")
    return {key: float(number) for key, number in table.items()}


def _scaled_to_one(parts: dict[str, PartMass], fixed: set[str]) -> dict[str, PartMass]:
    """The parts with those that are not fixed (or, if all are, all) scaled so that the shares' sum is 1."""
    taken = sum(parts[part].share for part in fixed)
    left = sum(parts[part].share for part in parts if part not in fixed)
    if len(fixed) == len(parts):
        if abs(taken - 1.0) > SUM_WITHIN:
            raise UsageError(f"the shares of all body parts sum to {taken:.3f}, not 1")
        return {part: replace(mass, share=mass.share / taken) for part, mass in parts.items()}
    if taken >= 1.0:
        raise UsageError(f"the given shares sum to {taken:.3f}, so nothing is left for the rest of the body")
    scale = (1.0 - taken) / left
    return {part: mass if part in fixed else replace(mass, share=mass.share * scale) for part, mass in parts.items()}
