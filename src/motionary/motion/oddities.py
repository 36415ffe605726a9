"""What is odd in a motion, so that a person should know of it before relying on the clip."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from motionary.motion import rotations
from motionary.motion.falling import suggested_rate
from motionary.motion.intervals import mask_intervals
from motionary.motion.motion import Motion

OddityKind = Literal["t-pose", "zero frames", "frozen", "root jump", "frame rate"]
ODDITIES: tuple[OddityKind, ...] = get_args(OddityKind)
EMPTY = ("t-pose", "zero frames")  # oddities that are no movement; the jumps to and from them would hide the rest

SAME = 1e-9  # metres or parts of a quaternion; below this two frames are the same frame
FROZEN_FRAMES, FROZEN_STRETCH = 10, 5  # equal frames in all, and in each stretch of them
# A first pose is apart from the rest if the joints that turn most, a fifth of those that ever turn, turn this much to
# the next one, and so many times more than they usually do. From a T to standing arms come down by 60° and more.
APART_RADIANS, APART_FACTOR = np.radians(25.0), 4.0
MOST_TURNED = 0.2
NO_TURN_RADIANS = np.radians(6.0)  # average of the joints' turns in CMU's T-pose: 3.4°
# No capture is as exact: such a first pose is artificial even if the motion is blended in slowly.
EXACT_RADIANS, EXACT_SYMMETRY = 1e-3, 2e-3
EXACT_SHARE = 0.5  # of the joints that ever turn
HELD_RADIANS = np.radians(1.0)  # within which further frames hold the first pose
SYMMETRY_ERROR = 0.06  # of the span of the arms
SYMMETRIC_SHARE = 0.9  # of the joints; props and a root elsewhere have no counterpart
# A jump goes this much further than the steps beside it; the body would have to bear 7 g both ways.
JUMP_METRES, JUMP_SPEED, JUMP_FACTOR = 0.08, 2.4, 3.0
FASTEST_ROOT = 7.0  # metres per second; faster is odd unless the motion is fast all around
AROUND_SECS = 0.5


@dataclass(frozen=True, slots=True, order=True)
class Oddity:
    """Something odd in frames [start, stop), in words for people."""

    start: int
    stop: int
    kind: OddityKind
    text: str

    @property
    def is_empty(self) -> bool:
        """Whether its frames show no movement at all."""
        return self.kind in EMPTY


def oddities(motion: Motion) -> tuple[Oddity, ...]:
    """What is odd in the motion, in the order of its frames."""
    zero = zero_frames(motion)
    found = [_zero_oddity(start, stop, motion.n_frames) for start, stop in mask_intervals(zero).tolist()]
    first = _t_pose(motion, zero)
    if first is not None:
        found.append(first)
    empty = np.array(zero)
    if first is not None:
        empty[first.start : first.stop] = True
    found += _frozen(motion, zero)
    found += _root_jumps(motion, empty)
    rate_hz = suggested_rate(motion, ignored=empty)
    if rate_hz is not None:
        text = f"the body falls as if it had been captured at about {rate_hz:.4g} Hz, not {motion.rate_hz:.4g} Hz"
        found.append(Oddity(0, motion.n_frames, "frame rate", text))
    return tuple(sorted(found))


def zero_frames(motion: Motion) -> np.ndarray:
    """Which frames (F,) have the root at the origin and no joint turned: what missing capture looks like."""
    zero: np.ndarray = (motion.root_positions == 0.0).all(axis=1)
    if zero.any():
        zero[zero] = (np.abs(motion.rotations[zero][..., 1:]) < SAME).all(axis=(1, 2))
    return zero


def empty_frames(motion: Motion) -> np.ndarray:
    """Which frames (F,) are an artificial T-pose, or nothing at all."""
    empty = np.zeros(motion.n_frames, dtype=bool)
    for oddity in oddities(motion):
        if oddity.is_empty:
            empty[oddity.start : oddity.stop] = True
    return empty


def _zero_oddity(start: int, stop: int, n_frames: int) -> Oddity:
    where = "at the start" if start == 0 else "at the end" if stop == n_frames else "inside the motion"
    what = f"{_frames(start, stop)} all zero (root at the origin, nothing turned)"
    return Oddity(start, stop, "zero frames", f"{what} {where}; nothing was captured there")


def _t_pose(motion: Motion, zero: np.ndarray) -> Oddity | None:
    """The first frames, if they hold a pose for calibration: one that no movement leads away from, or an exact one."""
    captured = np.flatnonzero(~zero)
    if zero[0] or len(captured) < 2:
        return None
    turns = motion.rotations[captured, 1:]  # the root may face anywhere
    ever = np.ptp(turns, axis=0).max(axis=1) > SAME
    if not ever.any():
        return None
    away = _most_turned(rotations.angle_between(turns[0], turns[1:])[:, ever])  # from the first pose
    held = int(np.argmax(away > HELD_RADIANS)) if away.max() > HELD_RADIANS else len(away)
    if held == len(away) or away.max() < APART_RADIANS:
        return None
    turned = rotations.angle_between(rotations.IDENTITY, turns[0])
    symmetry = _spread_arms(motion.positions_world[0])
    at_rest = turned.mean() < NO_TURN_RADIANS
    unturned = (turned[ever] < EXACT_RADIANS).mean() >= EXACT_SHARE and turned.max() < APART_RADIANS
    exact = unturned or symmetry < EXACT_SYMMETRY
    if not at_rest and symmetry > SYMMETRY_ERROR:
        return None
    usual = _most_turned(rotations.angle_between(turns[held + 1 : -1], turns[held + 2 :])[:, ever])
    beside = max(float(np.median(usual)), float(usual[0])) if len(usual) else 0.0
    jumps = away[held] >= APART_RADIANS and away[held] >= APART_FACTOR * beside
    if not jumps and not exact:
        return None
    stop = int(captured[held]) + 1
    what = "frame 0 is an artificial T-pose" if stop == 1 else f"frames 0 to {stop - 1} are an artificial T-pose"
    how = "starts after it, with a jump" if jumps else "is blended in after it"
    return Oddity(0, stop, "t-pose", f"{what}; the capture {how}")


def _most_turned(angles: np.ndarray) -> np.ndarray:
    """The mean (F,) of the largest fifth, two at least, of the joints' angles (F, J): arms come down, fingers stay."""
    n_most = min(max(2, int(np.ceil(MOST_TURNED * angles.shape[1]))), angles.shape[1])
    return np.asarray(np.sort(angles, axis=1)[:, -n_most:].mean(axis=1))


def _spread_arms(positions: np.ndarray) -> float:
    """By what share of their span the joints (J, 3) miss lying symmetrically about an upright plane.

    Infinite unless they are about as wide as high.
    """
    ground = positions[:, [0, 2]] - np.median(positions[:, [0, 2]], axis=0)
    across = np.linalg.eigh(ground.T @ ground)[1][:, 1]
    sideways = ground @ across
    span, height = np.ptp(sideways), np.ptp(positions[:, 1])
    if height == 0.0 or not 0.7 * height <= span <= 1.4 * height:
        return float("inf")
    mirrored = np.array(positions)
    mirrored[:, [0, 2]] -= 2.0 * sideways[:, None] * across
    distances = np.linalg.norm(positions[:, None] - mirrored[None], axis=-1)
    return float(np.quantile(distances.min(axis=1), SYMMETRIC_SHARE) / span)


def _frozen(motion: Motion, zero: np.ndarray) -> list[Oddity]:
    """Stretches of equal frames, other than zero ones, if they are long in all."""
    places, turns, moved = motion.root_positions, motion.rotations, motion.joint_translations
    same = (np.abs(places[1:] - places[:-1]) < SAME).all(axis=1) & ~zero[1:]
    candidates = np.flatnonzero(same)
    if len(candidates) < FROZEN_STRETCH - 1:
        return []
    same[candidates] = (np.abs(turns[candidates + 1] - turns[candidates]) < SAME).all(axis=(1, 2))
    same[candidates] &= (np.abs(moved[candidates + 1] - moved[candidates]) < SAME).all(axis=(1, 2))
    stretches = [
        (start, stop + 1) for start, stop in mask_intervals(same).tolist() if stop + 1 - start >= FROZEN_STRETCH
    ]
    if sum(stop - start for start, stop in stretches) < FROZEN_FRAMES:
        return []
    return [
        Oddity(start, stop, "frozen", f"{_frames(start, stop)} all the same: the motion is frozen")
        for start, stop in stretches
    ]


def _root_jumps(motion: Motion, empty: np.ndarray) -> list[Oddity]:
    """Steps of the root that no body can make; those from and to empty frames are told already."""
    if motion.n_frames < 3:
        return []
    steps = np.linalg.norm(np.diff(motion.root_positions, axis=0), axis=1)
    steps[empty[1:] | empty[:-1]] = 0.0
    padded = np.concatenate([[0.0], steps, [0.0]])
    beside = np.maximum(padded[:-2], padded[2:])
    sudden = (steps - beside > max(JUMP_METRES, JUMP_SPEED * motion.frame_time)) & (steps > JUMP_FACTOR * beside)
    around = int(np.ceil(AROUND_SECS / motion.frame_time))
    for i in np.flatnonzero(steps > FASTEST_ROOT * motion.frame_time):
        sudden[i] |= steps[i] > JUMP_FACTOR * np.median(steps[max(0, i - around) : i + around + 1])
    return [
        Oddity(start, stop + 1, "root jump", _jump_text(start, stop, float(steps[start:stop].sum())))
        for start, stop in mask_intervals(sudden).tolist()
    ]


def _jump_text(start: int, stop: int, metres: float) -> str:
    return f"the root jumps by {100 * metres:.0f} cm between frames {start} and {stop}"


def _frames(start: int, stop: int) -> str:
    return f"frame {start} is" if stop == start + 1 else f"frames {start} to {stop - 1} are"
