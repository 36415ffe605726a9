"""Angles of a recording that is written anew in some frames only, joined to those that it keeps in the others."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from motionary.motion.intervals import mask_intervals
from motionary.motion.recording import Recording

TURN = 2.0 * np.pi


def keep_angles(made: Recording, like: Recording, kept: np.ndarray) -> Recording:
    """`made`, but the joints and frames that are `kept` (F, J) have the angles of `like`, to the bit.

    They must be the same rotations. The other angles are written so that they lead from kept angles to kept angles by
    steps as small as possible; where `like` wraps its angles or changes to the other Euler solution, so may they.
    """
    values = np.array(made.values)
    for joint in np.flatnonzero(kept.any(axis=0)):
        columns = like.layout.of_joint(int(joint))
        columns = columns[like.layout.is_rotation[columns]]
        values[:, columns] = like.values[:, columns]
        changed = ~kept[:, joint]
        if not len(columns) or not changed.any():
            continue
        before, after = np.radians(like.values[:, columns]), np.radians(made.values[:, columns])
        order = like.layout.rotation_order(int(joint))
        forms = (_form_of(before, _continuous(before, order)), _same_form(before))
        for start, stop in mask_intervals(changed).tolist():
            ways = [_joined(before, after, (start, stop), form, order) for form in forms]
            angles = min(ways, key=_largest_step)[min(start, 1) :][: stop - start]
            values[start:stop, columns] = np.degrees(angles)
    return replace(made, values=values)


class _Form(NamedTuple):
    """How continuous angles are written in a file: by the other Euler solution, and with full turns added."""

    is_other: np.ndarray  # (F, 1)
    turns: np.ndarray  # (F, n)

    def written(self, angles: np.ndarray) -> np.ndarray:
        """Continuous angles (F, n) in this form."""
        return np.where(self.is_other, _other(angles, np.pi), angles) + TURN * self.turns

    def continuous(self, angles: np.ndarray) -> np.ndarray:
        """Angles (F, n) of this form without it: the inverse of `written`."""
        plain = angles - TURN * self.turns
        return np.where(self.is_other, _other(plain, -np.pi), plain)

    def of_frames(self, start: int, stop: int) -> "_Form":
        return _Form(self.is_other[start:stop], self.turns[start:stop])


def _form_of(angles: np.ndarray, continuous: np.ndarray) -> _Form:
    """The form that makes `angles` (F, n) of `continuous` ones; at gimbal lock the nearest."""
    candidates = [continuous] + [_other(continuous, np.pi)] * (angles.shape[1] == 3)
    turns = [np.round((angles - candidate) / TURN) for candidate in candidates]
    rest = [np.abs(angles - candidates[i] - TURN * turns[i]).sum(axis=1, keepdims=True) for i in range(len(turns))]
    is_other = rest[-1] < rest[0] - 1e-9
    return _Form(is_other, np.where(is_other, turns[-1], turns[0]))


def _same_form(angles: np.ndarray) -> _Form:
    return _Form(np.zeros((len(angles), 1), dtype=bool), np.zeros_like(angles))


def _other(angles: np.ndarray, half_turn: float) -> np.ndarray:
    """The other Euler solution of angles (F, 3) about three different axes; fewer angles (F, n) have no other."""
    if angles.shape[1] < 3:
        return angles
    return np.stack([angles[:, 0] + half_turn, np.pi - angles[:, 1], angles[:, 2] + half_turn], axis=1)


def _joined(before: np.ndarray, after: np.ndarray, changed: tuple[int, int], form: _Form, order: str) -> np.ndarray:
    """Angles of the changed frames and of their kept neighbours: from the first on continuous with it, up to the last
    continuous with that, and with one step between the two, where it is smallest."""
    first, last = max(changed[0] - 1, 0), min(changed[1] + 1, len(before))
    form = form.of_frames(first, last)
    plain = form.continuous(before[first:last])
    has_left, has_right = first < changed[0], last > changed[1]
    path = np.concatenate([plain[:has_left], after[changed[0] : changed[1]], plain[len(plain) - has_right :]])
    from_left = form.written(_continuous(path, order))
    from_right = form.written(_continuous(path[::-1], order)[::-1])
    if not has_right:
        return from_left
    if not has_left:
        return from_right
    step = int(np.argmin(np.abs(from_right[1:] - from_left[:-1]).max(axis=1))) + 1
    return np.concatenate([from_left[:step], from_right[step:]])


def _continuous(angles: np.ndarray, order: str) -> np.ndarray:
    """The same rotations by angles (F, n) that go on from those of the first frame without jumps."""
    from motionary.motion import euler  # here: whoever only lists clips needs no kernels

    return euler.near(angles, order) if len(order) == 3 else np.unwrap(angles, axis=0)


def _largest_step(angles: np.ndarray) -> float:
    return float(np.abs(np.diff(angles, axis=0)).max(initial=0.0))
