"""Inverse kinematics of a limb whose middle joint is a hinge: knees and elbows.

Two steps, each with one closed form. The hinge bends until the end stands as far from the upper joint as the
target does; then the limb swings as a whole, the shortest way, until the end points at the target. So a knee only
ever does what a knee can do, and the knee's direction follows the leg.
"""

import math

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.ik import turns
from motionary.ik.two_bone import LimbTurns
from motionary.motion import rotations


def hinged_limb(
    upper: np.ndarray,
    middle: np.ndarray,
    end: np.ndarray,
    target: np.ndarray,
    *,
    axis: np.ndarray,
    soft: float = 0.0,
) -> LimbTurns:
    """Turns that bring the limb (upper, middle, end joints' places, (F, 3) each) with its end to `target` (F, 3).

    The middle joint turns only about `axis` (F, 3), the world direction about which a right-handed turn bends it.
    With `soft` (a share of the limb's length) the last stretch is approached smoothly and never quite reached, so
    that knees do not pop. A limb that was stretched further than that already keeps its stretch: where the target
    is the end itself, nothing turns. A limb that was bent backwards stays so only while it is about as long.
    """
    if not 0.0 <= soft < 1.0:
        raise UsageError(f"a softness of {soft:g} is not possible; it is a share of the limb, from 0 to below 1")
    places = np.broadcast_arrays(*(np.asarray(p, dtype=float) for p in (upper, middle, end, target, axis)))
    if places[0].ndim == 0 or places[0].shape[-1] != 3:
        raise UsageError(f"a limb's places are vectors of 3 numbers, not an array of shape {places[0].shape}")
    shape = places[0].shape[:-1]
    flat = [np.ascontiguousarray(p).reshape(-1, 3) for p in places]
    out = [np.empty((len(flat[0]), n)) for n in (4, 4, 3, 3)]
    _hinged_limb(flat[0], flat[1], flat[2], flat[3], flat[4], soft, out[0], out[1], out[2], out[3])
    upper_turn, lower_turn, new_middle, new_end = (a.reshape(*shape, a.shape[-1]) for a in out)
    gap = places[3] - new_end
    return LimbTurns(upper_turn, lower_turn, new_middle, new_end, np.sqrt(np.einsum("...i,...i", gap, gap)))


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


@njit(cache=True, nogil=True)
def _hinged_limb(upper, middle, end, target, axis, soft, upper_turns, lower_turns, middles, ends):  # type: ignore[no-untyped-def]
    for f in range(upper.shape[0]):
        first = (middle[f, 0] - upper[f, 0], middle[f, 1] - upper[f, 1], middle[f, 2] - upper[f, 2])
        second = (end[f, 0] - middle[f, 0], end[f, 1] - middle[f, 1], end[f, 2] - middle[f, 2])
        away = (target[f, 0] - upper[f, 0], target[f, 1] - upper[f, 1], target[f, 2] - upper[f, 2])
        hinge = (axis[f, 0], axis[f, 1], axis[f, 2])
        angle = _bend_by(first, second, math.sqrt(_dot(away, away)), hinge, soft)
        share = angle / max(math.sqrt(_dot(hinge, hinge)), turns.TINY)
        bend = turns.from_rotation_vector((share * hinge[0], share * hinge[1], share * hinge[2]))
        lower = turns.rotate(bend, second)
        swing = turns.swing((first[0] + lower[0], first[1] + lower[1], first[2] + lower[2]), away)
        whole = turns.multiply(swing, bend)
        new_first, new_second = turns.rotate(swing, first), turns.rotate(swing, lower)
        for i in range(4):
            upper_turns[f, i], lower_turns[f, i] = swing[i], whole[i]
        for i in range(3):
            middles[f, i] = upper[f, i] + new_first[i]
            ends[f, i] = middles[f, i] + new_second[i]


@njit(cache=True, nogil=True)
def _bend_by(first, second, wanted, axis, soft):  # type: ignore[no-untyped-def]
    """The turn about the hinge after which the limb is as long as wanted, or as near to it as it can be."""
    size = math.sqrt(_dot(axis, axis))
    if size < turns.TINY:
        return 0.0
    along_first, along_second = _dot(first, axis) / size, _dot(second, axis) / size
    # Turned by x, the bones' product is fixed + span · cos(bend), with bend = x + the bend that there is.
    fixed = along_first * along_second
    cosine = _dot(first, second) - fixed
    sine = _dot(axis, _cross(first, second)) / size
    span = math.sqrt(cosine * cosine + sine * sine)
    if span < turns.TINY:
        return 0.0
    bend = math.atan2(sine, cosine)
    squares = _dot(first, first) + _dot(second, second)
    longest = math.sqrt(squares + 2.0 * (fixed + span))
    length = math.sqrt(max(squares + 2.0 * (fixed + cosine), 0.0))
    kept = max(length, (1.0 - soft) * longest)
    if wanted > kept:
        margin = longest - kept
        wanted = longest - margin * math.exp(-(wanted - kept) / margin) if margin > turns.TINY else longest
    new = math.acos(min(max((0.5 * (wanted * wanted - squares) - fixed) / span, -1.0), 1.0))
    if bend < 0.0:  # bent backwards: the same length lies on both sides; go over to the right one as the bend grows
        back = -bend
        new = -new if new < back else new - 2.0 * back * (back / new) ** 3
    return new - bend


@njit(cache=True, nogil=True)
def _dot(u, v):  # type: ignore[no-untyped-def]
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


@njit(cache=True, nogil=True)
def _cross(u, v):  # type: ignore[no-untyped-def]
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
