"""Joint limits: how far joints turn in a library, or as they are given; what goes beyond is brought back."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from motionary.edit.curves import mean_turns, turns_of
from motionary.edit.displacing import with_turns
from motionary.edit.joints import joints_called, mirrored_name
from motionary.edit.operation import PoseOperation, parameter
from motionary.edit.subject import Place, Subject
from motionary.errors import UsageError
from motionary.motion import Motion, rotations
from motionary.rig import PARTS

# part, mean rotation (w, x, y, z), least and greatest turn about x, y, z away from it, in degrees
Limit = tuple[str, tuple[float, float, float, float], tuple[float, float, float], tuple[float, float, float]]


@dataclass(frozen=True)
class Limits(PoseOperation):
    """Keeps joints within limits: each has a mean, and a range of angles about x, y and z from it.

    Limits are given, or learned from clips of the bank (`learn_limits`). With `soft_deg`, angles are compressed before
    they reach the limit. Whatever lies within all limits stays as it is.
    """

    name: ClassVar[str] = "limits"
    title: ClassVar[str] = "joint limits"
    identity: ClassVar[Any] = {"limits": (), "soft_deg": 0.0}
    example: ClassVar[Any] = {
        "limits": (
            ("LeftForearm", (1.0, 0.0, 0.0, 0.0), (-20.0, -40.0, -20.0), (20.0, 20.0, 20.0)),
            ("RightForearm", (1.0, 0.0, 0.0, 0.0), (-20.0, -20.0, -20.0), (20.0, 40.0, 20.0)),
        )
    }

    limits: tuple[Limit, ...] = parameter((), "(part, mean as w x y z, lowest x y z, highest x y z in degrees)")
    soft_deg: float = parameter(
        5.0, "distance from a limit at which angles begin to be compressed", low=0.0, high=60.0, unit="°"
    )

    def posed(self, subject: Subject, place: Place) -> tuple[Motion, tuple[str, ...]]:
        segment = subject.motion.slice(place.start, place.stop)
        turned = turns_of(segment, subject.rest)
        worst, touched = 0.0, set()
        for part, mean, least, greatest in self.limits:
            size = float(np.linalg.norm(mean))
            if size < 1e-3:
                raise UsageError(f"limits of {part}: the mean is not a rotation; it is w, x, y, z, not all 0")
            name, middle, low, high = part, np.array(mean) / size, np.radians(least), np.radians(greatest)
            if place.mirrored:
                name, middle = mirrored_name(part), middle * [1.0, 1.0, -1.0, -1.0]
                low, high = low * [1, 0, 0] - high * [0, 1, 1], high * [1, 0, 0] - low * [0, 1, 1]
            if np.any(low > high):
                raise UsageError(f"limits of {part}: the least turn is above the greatest")
            for joint in _there(subject, name):
                away = rotations.to_rotation_vector(rotations.multiply(rotations.inverse(middle), turned[:, joint]))
                within = soft_clip(away, low, high, np.radians(self.soft_deg))
                beyond = float(np.abs(away - within).max())
                if beyond > 1e-9:
                    turned[:, joint] = rotations.multiply(middle, rotations.from_rotation_vector(within))
                    worst = max(worst, beyond)
                    touched.add(name)
        if not touched:
            return segment, ()
        return with_turns(segment, turned, subject), (
            f"brought back {', '.join(sorted(touched))} by up to {np.degrees(worst):.0f}°",
        )


def learn_limits(subjects: Iterable[Subject], *, share: float = 0.999, margin_deg: float = 3.0) -> tuple[Limit, ...]:
    """Limits that hold for that share of the frames of all subjects, and a margin; for every part of the body."""
    if not 0.5 < share <= 1.0:
        raise UsageError(f"the share of limits must be above 0.5 and at most 1, not {share:g}")
    found: dict[str, list[np.ndarray]] = {}
    for subject in subjects:
        if subject.body is None:
            continue
        turned = turns_of(subject.motion, subject.rest)
        for part, joints in subject.body.body_map.slots.items():
            if part != "Hips" and len(joints) == 1:
                found.setdefault(part, []).append(turned[:, joints[0]])
    if not found:
        raise UsageError("there is no clip of a person to learn limits from")
    limits = []
    for part in PARTS:
        if part not in found:
            continue
        turns = rotations.continuous(np.concatenate(found[part]))
        middle = mean_turns(turns[:, None])[0]
        away = np.degrees(rotations.to_rotation_vector(rotations.multiply(rotations.inverse(middle), turns)))
        low, high = np.quantile(away, [1.0 - share, share], axis=0)
        limits.append(
            (
                part,
                _four(middle),
                _three(low - margin_deg),
                _three(high + margin_deg),
            )
        )
    return tuple(limits)


def soft_clip(values: np.ndarray, low: np.ndarray, high: np.ndarray, soft: float) -> np.ndarray:
    """Values brought between low and high; the last `soft` before a limit is approached ever more slowly."""
    if soft <= 0.0:
        return np.clip(values, low, high)
    room = np.minimum(soft, 0.5 * (high - low))
    over, under = values - (high - room), (low + room) - values
    safe = np.maximum(room, 1e-12)
    values = np.where(over > 0, high - room + safe * np.tanh(over / safe), values)
    return np.where(under > 0, low + room - safe * np.tanh(under / safe), values)


def _there(subject: Subject, name: str) -> list[int]:
    """The joints of a part; none if the skeleton does not have it."""
    if subject.body is not None and name in subject.body.body_map.slots:
        return list(subject.body.body_map.slots[name])
    return joints_called(subject, name)


def _three(values: np.ndarray) -> tuple[float, float, float]:
    x, y, z = (round(float(value), 3) for value in values)
    return x, y, z


def _four(values: np.ndarray) -> tuple[float, float, float, float]:
    w, x, y, z = (float(value) for value in values)
    return w, x, y, z
