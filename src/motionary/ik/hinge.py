"""Inverse kinematics of a limb whose middle joint is a hinge: knees and elbows.

Two steps, each with one closed form. The hinge bends until the end stands as far from the upper joint as the
target does; then the limb swings as a whole, the shortest way, until the end points at the target. So a knee only
ever does what a knee can do, and the knee's direction follows the leg.
"""

import math
from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.ik.two_bone import LimbTurns
from motionary.motion import rotations, turns


@dataclass(frozen=True, eq=False)
class LimbBends:
    """How far hinged limbs are bent, and how their reach depends on it: reach² = even + span · cos(bend)."""

    bend: np.ndarray  # (...) radians: 0 is as straight as the limb gets, below it bends backwards
    even: np.ndarray  # (...) m²
    span: np.ndarray  # (...) m²

    def reach(self, bend: np.ndarray | float) -> np.ndarray:
        """Metres from the limb's upper joint to its end at that bend."""
        return np.sqrt(np.maximum(self.even + self.span * np.cos(bend), 0.0))


def limb_bends(upper: np.ndarray, middle: np.ndarray, end: np.ndarray, *, axis: np.ndarray) -> LimbBends:
    """The bends of limbs (places (..., 3) each) whose middle joints turn about `axis`."""
    (upper, middle, end, axis), shape = _flat(upper, middle, end, axis)
    bends = np.empty((len(upper), 3))
    hinge_bends(upper, middle, end, axis, bends)
    return LimbBends(*(np.ascontiguousarray(bends[:, i]).reshape(shape) for i in range(3)))


def hinged_limb(
    upper: np.ndarray,
    middle: np.ndarray,
    end: np.ndarray,
    target: np.ndarray,
    *,
    axis: np.ndarray,
    soft: float = 0.0,
) -> LimbTurns:
    """Turns that bring the limb (upper, middle, end joints' places, (..., 3) each) with its end to `target`.

    The middle joint turns only about `axis` (..., 3), the world direction about which a right-handed turn bends it.
    With `soft` (a share of the limb's length) the last stretch is approached smoothly and never quite reached, so
    that knees do not pop. A limb that was stretched further than that already keeps its stretch: where the target
    is the end itself, nothing turns. A limb that was bent backwards stays so only while it is about as long.
    """
    if not 0.0 <= soft < 1.0:
        raise UsageError(f"a softness of {soft:g} is not possible; it is a share of the limb, from 0 to below 1")
    (upper, middle, end, target, axis), shape = _flat(upper, middle, end, target, axis)
    bend_by = np.empty(len(upper))
    _bends_to(upper, middle, end, target, axis, soft, bend_by)
    return _bent(upper, middle, end, target, axis, bend_by, shape)


def bent_limb(
    upper: np.ndarray,
    middle: np.ndarray,
    end: np.ndarray,
    target: np.ndarray,
    *,
    axis: np.ndarray,
    bend_by: np.ndarray | float,
) -> LimbTurns:
    """Turns that bend the limb by so many radians more about `axis` and swing it towards `target`, reached or not."""
    (upper, middle, end, target, axis), shape = _flat(upper, middle, end, target, axis)
    angles = np.ascontiguousarray(np.broadcast_to(np.asarray(bend_by, dtype=float), shape)).reshape(-1)
    return _bent(upper, middle, end, target, axis, angles, shape)


def hinged_limb_reference(
    upper: np.ndarray, middle: np.ndarray, end: np.ndarray, target: np.ndarray, *, axis: np.ndarray, soft: float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """(middle, end) as `hinged_limb` places them, for one limb that is not bent backwards.

    From the definition: the bend is searched by halving, between the straightest and the most folded one.
    """
    axis = axis / np.linalg.norm(axis)

    def bent(angle: float) -> np.ndarray:
        return middle - upper + rotations.rotate(rotations.from_axis_angle(axis, angle), end - middle)

    def level(v: np.ndarray) -> np.ndarray:
        return v - axis * (axis @ v)

    first, second = level(middle - upper), level(end - middle)
    straight = -math.atan2(axis @ np.cross(first, second), first @ second)  # the turn that stretches the limb
    longest = float(np.linalg.norm(bent(straight)))
    wanted = float(np.linalg.norm(target - upper))
    kept = max(float(np.linalg.norm(end - upper)), (1.0 - soft) * longest)
    if wanted > kept:
        margin = longest - kept
        wanted = longest - margin * math.exp(-(wanted - kept) / margin) if margin > 0.0 else longest
    low, high = straight, straight + math.pi  # ever shorter between
    for _ in range(100):
        half = 0.5 * (low + high)
        low, high = (half, high) if np.linalg.norm(bent(half)) > wanted else (low, half)
    turn = rotations.between_vectors(bent(low), target - upper)
    return upper + rotations.rotate(turn, middle - upper), upper + rotations.rotate(turn, bent(low))


def _flat(*places: np.ndarray) -> tuple[list[np.ndarray], tuple[int, ...]]:
    """The places as (n, 3) each, and the leading axes that they had."""
    together = np.broadcast_arrays(*(np.asarray(p, dtype=float) for p in places))
    if together[0].ndim == 0 or together[0].shape[-1] != 3:
        raise UsageError(f"a limb's places are vectors of 3 numbers, not an array of shape {together[0].shape}")
    return [np.ascontiguousarray(p).reshape(-1, 3) for p in together], together[0].shape[:-1]


def _bent(
    upper: np.ndarray,
    middle: np.ndarray,
    end: np.ndarray,
    target: np.ndarray,
    axis: np.ndarray,
    bend_by: np.ndarray,
    shape: tuple[int, ...],
) -> LimbTurns:
    n = len(upper)
    upper_turns, lower_turns = np.empty((n, 4)), np.empty((n, 4))
    middles, ends = np.empty((n, 3)), np.empty((n, 3))
    swing_hinges(upper, middle, end, target, axis, bend_by, upper_turns, lower_turns, middles, ends)
    gap = target - ends
    return LimbTurns(
        upper_turns.reshape(*shape, 4),
        lower_turns.reshape(*shape, 4),
        middles.reshape(*shape, 3),
        ends.reshape(*shape, 3),
        np.sqrt(np.einsum("fi,fi->f", gap, gap)).reshape(shape),
    )


@njit(cache=True, nogil=True)
def hinge_bends(upper, middle, end, axis, bends):  # type: ignore[no-untyped-def]
    """Write bend, even and span (n, 3) of limbs (n, 3 each); see `LimbBends`."""
    for f in range(upper.shape[0]):
        first, second = _from_to(upper[f], middle[f]), _from_to(middle[f], end[f])
        bends[f, 0], bends[f, 1], bends[f, 2] = _bend_of(first, second, (axis[f, 0], axis[f, 1], axis[f, 2]))


@njit(cache=True, nogil=True)
def _bends_to(upper, middle, end, target, axis, soft, bend_by):  # type: ignore[no-untyped-def]
    """The turns about the hinges after which the limbs are as long as wanted, or as near to it as they can be."""
    for f in range(upper.shape[0]):
        first, second, away = _from_to(upper[f], middle[f]), _from_to(middle[f], end[f]), _from_to(upper[f], target[f])
        bend, even, span = _bend_of(first, second, (axis[f, 0], axis[f, 1], axis[f, 2]))
        if span < turns.TINY:  # no hinge to speak of
            bend_by[f] = 0.0
            continue
        wanted = math.sqrt(_dot(away, away))
        longest = math.sqrt(max(even + span, 0.0))
        kept = max(math.sqrt(max(even + span * math.cos(bend), 0.0)), (1.0 - soft) * longest)
        if wanted > kept:
            margin = longest - kept
            wanted = longest - margin * math.exp(-(wanted - kept) / margin) if margin > turns.TINY else longest
        new = math.acos(min(max((wanted * wanted - even) / span, -1.0), 1.0))
        if bend < 0.0:  # bent backwards: the same length lies on both sides; go over to the right one as it shortens
            back = -bend
            new = -new if new < back else new - 2.0 * back * (back / new) ** 3
        bend_by[f] = new - bend


@njit(cache=True, nogil=True)
def swing_hinges(upper, middle, end, target, axis, bend_by, upper_turns, lower_turns, middles, ends):  # type: ignore[no-untyped-def]
    """Bend limbs (n, 3 each) by so many radians more and swing them towards their targets; writes turns and places."""
    for f in range(upper.shape[0]):
        first, second = _from_to(upper[f], middle[f]), _from_to(middle[f], end[f])
        hinge = (axis[f, 0], axis[f, 1], axis[f, 2])
        share = bend_by[f] / max(math.sqrt(_dot(hinge, hinge)), turns.TINY)
        bend = turns.from_rotation_vector((share * hinge[0], share * hinge[1], share * hinge[2]))
        lower = turns.rotate(bend, second)
        end_away = (first[0] + lower[0], first[1] + lower[1], first[2] + lower[2])
        swing = turns.swing(end_away, _from_to(upper[f], target[f]))
        whole = turns.multiply(swing, bend)
        new_first, new_second = turns.rotate(swing, first), turns.rotate(swing, lower)
        for i in range(4):
            upper_turns[f, i], lower_turns[f, i] = swing[i], whole[i]
        for i in range(3):
            middles[f, i] = upper[f, i] + new_first[i]
            ends[f, i] = middles[f, i] + new_second[i]


@njit(cache=True, nogil=True)
def _bend_of(first, second, axis):  # type: ignore[no-untyped-def]
    """(bend, even, span) of two bones at a hinge; what they have along its axis does not take part in the bend."""
    size = math.sqrt(_dot(axis, axis))
    squares = _dot(first, first) + _dot(second, second)
    if size < turns.TINY:
        return 0.0, squares + 2.0 * _dot(first, second), 0.0
    fixed = _dot(first, axis) * _dot(second, axis) / (size * size)
    cosine = _dot(first, second) - fixed
    sine = _dot(axis, _cross(first, second)) / size
    return math.atan2(sine, cosine), squares + 2.0 * fixed, 2.0 * math.sqrt(cosine * cosine + sine * sine)


@njit(cache=True, nogil=True)
def _from_to(u, v):  # type: ignore[no-untyped-def]
    return (v[0] - u[0], v[1] - u[1], v[2] - u[2])


@njit(cache=True, nogil=True)
def _dot(u, v):  # type: ignore[no-untyped-def]
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


@njit(cache=True, nogil=True)
def _cross(u, v):  # type: ignore[no-untyped-def]
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
