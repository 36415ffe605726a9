"""How a foot must turn and move over time so that its plants hold."""

import math
from itertools import pairwise

import numpy as np
from numba import njit

from motionary.motion import turns
from motionary.plants.clean_fades import fade
from motionary.plants.clean_places import GENTLE_MOVE

HELD_WITHIN = 1e-6  # metres and radians: a stretch of frames that is that near already is left alone
GENTLE_TURN = 20.0  # rad/s²
STEP_RISE, STEP_SLOPE = 0.012, 0.06  # metres, and a share of a step's length: half of captured steps are lower
STEP_LEAST, STEP_MOST = 0.1, 0.08  # metres: shorter steps are lifted less, no step needs to be lifted more
LIFT_ACCELERATION = 15.0  # m/s²: no foot is lifted faster
MIDDLE = 0.25  # of the rise: where it is less, a foot is on its way up or down


def foot_corrections(
    from_ankle: np.ndarray,
    ankle: np.ndarray,
    places: np.ndarray,
    planted: np.ndarray,
    *,
    frame_time: float,
    fade_secs: float,
    made_up: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """(turns, moves) of a foot, (F, 3) each: rotation vectors of the foot, metres of the ankle; 0 far from plants.

    `from_ankle` (F, 2, 3) are heel and ball as seen from the ankle (F, 3), in the world; `places` (F, 2, 3) where
    they are wanted if `planted` (F, 2). Flat on the ground the foot lies along both places, its roll about that line
    as recorded; on one of them it turns as recorded, but for what is left of the turn of its flat frames. Steps with
    frames that are `made_up` (F,) lift the foot as high as captured steps of their length usually do.
    """
    flat = planted[:, 0] & planted[:, 1]
    turn_vectors = np.zeros_like(ankle)
    _flat_turns(from_ankle, places, flat, turn_vectors)
    _leave_alone(turn_vectors, flat)
    turn_vectors = fade(turn_vectors, flat, frame_time=frame_time, fade_secs=fade_secs, most_acceleration=GENTLE_TURN)
    moves = np.zeros_like(ankle)
    _planted_moves(from_ankle, ankle, places, planted, turn_vectors, moves)
    standing = planted[:, 0] | planted[:, 1]
    _leave_alone(moves, standing)
    moves = fade(moves, standing, frame_time=frame_time, fade_secs=fade_secs, most_acceleration=GENTLE_MOVE)
    _stay_above(from_ankle, ankle, places, planted, turn_vectors, moves)
    if made_up is not None:
        _lift_steps(from_ankle, ankle, planted, turn_vectors, moves, made_up, frame_time)
    return turn_vectors, moves


@njit(cache=True, nogil=True)
def _flat_turns(from_ankle, places, flat, turn_vectors):  # type: ignore[no-untyped-def]
    """Where heel and ball both stand: the shortest turn onto the line between their places."""
    for f in range(len(flat)):
        if not flat[f]:
            continue
        along = (
            from_ankle[f, 1, 0] - from_ankle[f, 0, 0],
            from_ankle[f, 1, 1] - from_ankle[f, 0, 1],
            from_ankle[f, 1, 2] - from_ankle[f, 0, 2],
        )
        wanted = (
            places[f, 1, 0] - places[f, 0, 0],
            places[f, 1, 1] - places[f, 0, 1],
            places[f, 1, 2] - places[f, 0, 2],
        )
        vector = turns.to_rotation_vector(turns.swing(along, wanted))
        for i in range(3):
            turn_vectors[f, i] = vector[i]


@njit(cache=True, nogil=True)
def _planted_moves(from_ankle, ankle, places, planted, turn_vectors, moves):  # type: ignore[no-untyped-def]
    """Where heel or ball stands: from the ankle to where it must be for them to be in their places."""
    for f in range(ankle.shape[0]):
        n_parts = 0
        turn = turns.from_rotation_vector((turn_vectors[f, 0], turn_vectors[f, 1], turn_vectors[f, 2]))
        for part in range(2):
            if not planted[f, part]:
                continue
            n_parts += 1
            point = turns.rotate(turn, (from_ankle[f, part, 0], from_ankle[f, part, 1], from_ankle[f, part, 2]))
            for i in range(3):
                moves[f, i] += places[f, part, i] - point[i] - ankle[f, i]
        for i in range(3):
            moves[f, i] /= max(n_parts, 1)


@njit(cache=True, nogil=True)
def _stay_above(from_ankle, ankle, places, planted, turn_vectors, moves):  # type: ignore[no-untyped-def]
    """Raise a foot in the air that its correction would push deeper into the floor.

    The floor is where the foot's heel and toe stand before and after, the lower of both.
    """
    n_frames = ankle.shape[0]
    floors = np.full((n_frames, 2), np.inf)
    for part in range(2):
        height = np.inf
        for f in range(n_frames):
            if planted[f, part]:
                height = places[f, part, 1]
            floors[f, part] = min(floors[f, part], height)
        height = np.inf
        for f in range(n_frames - 1, -1, -1):
            if planted[f, part]:
                height = places[f, part, 1]
            floors[f, part] = min(floors[f, part], height)
    for f in range(n_frames):
        if planted[f, 0] or planted[f, 1] or not (moves[f].any() or turn_vectors[f].any()):
            continue
        turn = turns.from_rotation_vector((turn_vectors[f, 0], turn_vectors[f, 1], turn_vectors[f, 2]))
        for part in range(2):
            point = turns.rotate(turn, (from_ankle[f, part, 0], from_ankle[f, part, 1], from_ankle[f, part, 2]))
            floor = floors[f, part] if floors[f, part] < np.inf else floors[f, 1 - part]
            lowest = min(floor, ankle[f, 1] + from_ankle[f, part, 1])
            moves[f, 1] = max(moves[f, 1], lowest - ankle[f, 1] - point[1])


def lift_reference(
    ankle: np.ndarray, points: np.ndarray, standing: np.ndarray, made_up: np.ndarray, *, frame_time: float
) -> np.ndarray:
    """How much steps raise a foot (F,), from the definition: of all rises that come and go as a squared sine, no faster
    than a captured step's, the least by which heel and ball, at the `points` (F, 2, 3), get high enough."""
    lifts = np.zeros(len(points))
    lowest = points[:, :, 1].min(axis=1)
    for first, stop in pairwise(np.flatnonzero(standing)):
        if not made_up[first + 1 : stop].any():
            continue
        length = float(np.linalg.norm(ankle[stop, ::2] - ankle[first, ::2]))
        usual = min(STEP_RISE * min(length / STEP_LEAST, 1.0) + STEP_SLOPE * length, STEP_MOST)
        lacking = np.maximum(min(lowest[first], lowest[stop]) + usual - lowest[first + 1 : stop], 0.0)
        bump = np.sin(np.pi * np.arange(1, stop - first) / (stop - first)) ** 2
        most = LIFT_ACCELERATION / (2.0 * (np.pi / ((stop - first) * frame_time)) ** 2)
        middle = bump > MIDDLE
        lifts[first + 1 : stop] = bump * (lacking[middle] / bump[middle]).min(initial=most)
    return lifts


@njit(cache=True, nogil=True)
def _lift_steps(from_ankle, ankle, planted, turn_vectors, moves, made_up, frame_time):  # type: ignore[no-untyped-def]
    """Raise a foot that glides low over the floor from where it stands to where it stands next.

    The foot's lower point, heel or ball, gets as high at some moment as in the usual captured step of that length; the
    rise comes and goes as a squared sine, and is as gentle as such a step is.
    """
    n_frames = ankle.shape[0]
    heights = np.empty(n_frames)
    first = 0  # the last frame in which it stood
    while first < n_frames - 1:
        stop = first + 1
        if not (planted[first, 0] or planted[first, 1]) or planted[stop, 0] or planted[stop, 1]:
            first += 1
            continue
        its = False
        while stop < n_frames and not (planted[stop, 0] or planted[stop, 1]):
            its |= made_up[stop]
            stop += 1
        if its and stop < n_frames:
            for f in range(first, stop + 1):
                turn = turns.from_rotation_vector((turn_vectors[f, 0], turn_vectors[f, 1], turn_vectors[f, 2]))
                heights[f] = np.inf
                for part in range(2):
                    point = turns.rotate(turn, (from_ankle[f, part, 0], from_ankle[f, part, 1], from_ankle[f, part, 2]))
                    heights[f] = min(heights[f], ankle[f, 1] + moves[f, 1] + point[1])
            x = ankle[stop, 0] + moves[stop, 0] - ankle[first, 0] - moves[first, 0]
            z = ankle[stop, 2] + moves[stop, 2] - ankle[first, 2] - moves[first, 2]
            length = math.sqrt(x * x + z * z)
            height = STEP_RISE * min(length / STEP_LEAST, 1.0) + STEP_SLOPE * length
            height = min(heights[first], heights[stop]) + min(height, STEP_MOST)
            lift = LIFT_ACCELERATION * ((stop - first) * frame_time / math.pi) ** 2 / 2.0
            for f in range(first + 1, stop):
                bump = math.sin(math.pi * (f - first) / (stop - first)) ** 2
                if bump > MIDDLE:
                    lift = min(lift, max(height - heights[f], 0.0) / bump)
            for f in range(first + 1, stop):
                moves[f, 1] += lift * math.sin(math.pi * (f - first) / (stop - first)) ** 2
        first = stop


@njit(cache=True, nogil=True)
def _leave_alone(values, known):  # type: ignore[no-untyped-def]
    """Make stretches of known values that are next to nothing exactly nothing."""
    start = 0
    while start < len(known):
        stop = start + 1
        if known[start]:
            most = 0.0
            while stop < len(known) and known[stop]:
                stop += 1
            for f in range(start, stop):
                for i in range(3):
                    most = max(most, abs(values[f, i]))
            if most < HELD_WITHIN:
                values[start:stop] = 0.0
        start = stop
