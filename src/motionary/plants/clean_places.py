"""Which plants can be held, in which frames, and where."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numba import njit

from motionary.errors import UsageError
from motionary.plants.clean_fades import PEAK
from motionary.plants.plant import FEET, PARTS, Plant

JOIN_SECS = 0.12  # plants of one part with less between them, and ...
JOIN_METRES = 0.05  # ... not farther apart, are one foothold: a foot that crept
APART_SECS = 0.20  # what a foot needs from one foothold to the next
GENTLE_MOVE = 4.0  # m/s²: corrections that would need more take longer
LET_GO_SECS = 0.1  # at most so much is taken off a foothold at either end for that
BEYOND_SECS = 0.15  # the same, where the leg would have to be longer than it is by more than ...
BEYOND = 0.005  # ... so many metres
STEP_SECS = 1.0 / 30.0  # over which speeds are taken
MISFIT = 0.10  # metres by which the places of heel and toe may miss the foot's length
MOST_TURN = 0.6  # radians by which they may turn it
ROUNDS = 20
Place = tuple[float, float, float]
Reason = Literal[
    "",
    "out of reach",
    "too near another",
    "does not fit the foot",
    "leg too short",
    "would cost the balance",
    "would jerk the pelvis",
    "would jerk a knee",
    "would push a foot into the floor",
]


@dataclass(frozen=True, slots=True)
class HeldPlant:
    """A plant, where it is held and how far the foot was from there; or why it is not held."""

    plant: Plant  # its frames are those that are held
    place: Place
    distance: float  # metres, the largest in the plant's frames, before
    left: float  # the same afterwards
    reason: Reason = ""

    @property
    def held(self) -> bool:
        return not self.reason


@dataclass(eq=False, slots=True)
class _Foothold:
    """Plants of one part of a foot, one after the other at about the same place: they are held as one."""

    start: int
    stop: int
    place: Place
    plants: list[Plant]
    reason: Reason = ""

    @property
    def n_frames(self) -> int:
        return self.stop - self.start


@dataclass(frozen=True, eq=False)
class Holding:
    """What is to be held: plant by plant, and frame by frame; [left, right] by [heel, toe]."""

    plants: tuple[HeldPlant, ...]  # by foot, part and time
    places: np.ndarray  # (F, 2, 2, 3)
    planted: np.ndarray  # (F, 2, 2) bool


def cut_plants(plants: Iterable[Plant], start: int, stop: int) -> list[Plant]:
    """The plants as the segment [start, stop) sees them: cut at its ends, its first frame being 0."""
    if not 0 <= start < stop:
        raise UsageError(f"no frames [{start}, {stop}) to trim plants to")
    cut = [(plant, max(plant.start, start), min(plant.stop, stop)) for plant in plants]
    return [replace(plant, start=first - start, stop=last - start) for plant, first, last in cut if first < last]


def choose_places(
    points: np.ndarray,
    plants: Iterable[Plant],
    *,
    frame_time: float,
    reach: float,
    from_motion: bool,
    let_go: float = np.inf,
    limbs: np.ndarray | None = None,
) -> Holding:
    """What is to be done with the plants; `points` (F, 2, 2, 3) are the places of heels and balls.

    Places are the plants' own, or, `from_motion`, the middle of where the foot was. A foot that crept from plant to
    plant gets one place for all of them; footholds that follow each other at once, but apart, are shortened to
    leave time for the step, and by frames at their ends in which the foot is faster than usual by more than `let_go`
    (m/s), or in which the leg is too short by far: `limbs` (F, 2, 3, 3) are its hip, knee and ankle. Places of a heel
    and a toe that stand together are brought to the foot's length.
    """
    n_frames = len(points)
    checked = _checked(plants, n_frames)
    held: list[HeldPlant] = []
    places, planted = np.zeros((n_frames, 2, 2, 3)), np.zeros((n_frames, 2, 2), dtype=np.bool_)
    for f, foot in enumerate(FEET):
        sides = []
        for p, part in enumerate(PARTS):
            mine = [plant for plant in checked if (plant.foot, plant.part) == (foot, part)]
            footholds = _footholds(mine, points, frame_time, from_motion)
            for foothold in footholds:
                if _farthest(points, f, p, foothold.start, foothold.stop, foothold.place) > reach:
                    foothold.reason = "out of reach"
                _let_go(foothold, points[:, f, p], frame_time, let_go)
                if limbs is not None and let_go < np.inf and not foothold.reason:
                    foothold.start, foothold.stop = _within_reach(
                        points, limbs, f, p, foothold.start, foothold.stop, foothold.place, frame_time
                    )
            _leave_time(footholds, frame_time)
            sides.append(footholds)
        _fit_to_foot(sides[0], sides[1], points[:, f, 1] - points[:, f, 0])
        _leave_time_to_roll(sides[0], sides[1], points[:, f], frame_time)
        for p, footholds in enumerate(sides):
            for foothold in footholds:
                held.extend(_held(foothold, points))
                if not foothold.reason:
                    places[foothold.start : foothold.stop, f, p] = foothold.place
                    planted[foothold.start : foothold.stop, f, p] = True
    return Holding(tuple(held), places, planted)


def farthest(points: np.ndarray, plant: Plant, place: Place) -> float:
    """The largest distance of a plant's point from a place, in its frames; `points` (F, 2, 2, 3)."""
    foot, part = FEET.index(plant.foot), PARTS.index(plant.part)
    return float(_farthest(points, foot, part, plant.start, plant.stop, place))


def _checked(plants: Iterable[Plant], n_frames: int) -> list[Plant]:
    ordered = sorted(plants, key=lambda plant: (plant.foot, plant.part, plant.start))
    for plant in ordered:
        if plant.start >= n_frames:
            raise UsageError(
                f"a plant of the {plant.foot} {plant.part} begins at frame {plant.start}, but the motion has "
                f"{n_frames} frames; cut_plants gives the plants of a segment"
            )
        if not np.isfinite(plant.place).all():
            raise UsageError(
                f"the {plant.foot} {plant.part} has a plant at {plant.place}, which is not a valid position"
            )
    for one, other in pairwise(ordered):
        if (one.foot, one.part) == (other.foot, other.part) and other.start < one.stop:
            raise UsageError(
                f"the {one.foot} {one.part} is planted twice in frame {other.start}: "
                f"[{one.start}, {one.stop}) and [{other.start}, {other.stop})"
            )
    return [replace(plant, stop=n_frames) if plant.stop > n_frames else plant for plant in ordered]


def _footholds(plants: list[Plant], points: np.ndarray, frame_time: float, from_motion: bool) -> list[_Foothold]:
    """The plants of one part of a foot, those that follow each other at about the same place joined."""
    footholds: list[_Foothold] = []
    for plant in plants:
        x, y, z = plant.place
        place = (float(x), float(y), float(z))
        if from_motion:
            place = _middle(points, FEET.index(plant.foot), PARTS.index(plant.part), plant.start, plant.stop)
        last = footholds[-1] if footholds else None
        if last and (plant.start - last.stop) * frame_time < JOIN_SECS and math.dist(place, last.place) < JOIN_METRES:
            n_frames = plant.stop - plant.start
            last.place = _towards(last.place, place, n_frames / (last.n_frames + n_frames))
            last.stop = plant.stop
            last.plants.append(plant)
        else:
            footholds.append(_Foothold(plant.start, plant.stop, place, [plant]))
    return footholds


def _let_go(foothold: _Foothold, way: np.ndarray, frame_time: float, faster: float) -> None:
    """Shorten a foothold by the frames at its ends in which the foot is on its way already; `way` (F, 3).

    Held until then, it would have to catch up all at once: knees would jerk, and the pelvis sink for a leg that is
    stretched to push off.
    """
    start, stop = _standing_still(way, foothold.start, foothold.stop, frame_time, faster)
    foothold.start, foothold.stop = start, stop


def _leave_time(footholds: list[_Foothold], frame_time: float) -> None:
    """Shorten footholds that follow each other too fast for a foot to get from one to the other."""
    standing = [foothold for foothold in footholds if not foothold.reason]
    for one, other in pairwise(standing):
        if math.dist(one.place, other.place) > 1e-6:
            _part(one, other, round(APART_SECS / frame_time))


def _leave_time_to_roll(heels: list[_Foothold], toes: list[_Foothold], points: np.ndarray, frame_time: float) -> None:
    """Shorten a heel's and a toe's foothold that follow each other, but never stand together, as they pull apart.

    The foot's correction would jump from the one's to the other's; `points` (F, 2, 3) are the foot's heel and ball.
    """
    n_most = round(APART_SECS / frame_time)
    footholds = [(foothold, part) for part, its in enumerate((heels, toes)) for foothold in its]
    for one, part in footholds:
        for other, other_part in footholds:
            if part == other_part or one.reason or other.reason or not 0 <= other.start - one.stop <= n_most:
                continue
            before = np.subtract(one.place, points[one.stop - 1, part])
            after = np.subtract(other.place, points[other.start, other_part])
            secs = math.sqrt(PEAK * float(np.linalg.norm(after - before)) / GENTLE_MOVE)
            _part(one, other, min(math.ceil(secs / frame_time), n_most))


def _part(one: _Foothold, other: _Foothold, n_frames: int) -> None:
    """Shorten two footholds, one after the other, until so many frames lie between them."""
    lacking = n_frames - (other.start - one.stop)
    if lacking <= 0:
        return
    share = one.n_frames / (one.n_frames + other.n_frames)  # the longer one gives more
    given = round(share * lacking)
    one.stop -= given
    other.start += lacking - given
    for foothold in (one, other):
        if foothold.n_frames < 1:
            foothold.reason = "too near another"


def _fit_to_foot(heels: list[_Foothold], toes: list[_Foothold], along: np.ndarray) -> None:
    """Move the places of heels and toes that stand together until they are a foot's length apart.

    `along` (F, 3) is the way from heel to ball. Places for which the foot would be stretched or turned too far are
    not those of one stance: the shorter one is not held.
    """
    length = float(np.sqrt(np.einsum("fi,fi->f", along, along)).mean())
    pairs = []
    for heel in heels:
        for toe in toes:
            together = heel.start < toe.stop and toe.start < heel.stop
            if together and not heel.reason and not toe.reason:
                stretch = abs(math.dist(heel.place, toe.place) - length)
                if stretch > MISFIT or _turn(heel, toe, along) > MOST_TURN:
                    (heel if heel.n_frames < toe.n_frames else toe).reason = "does not fit the foot"
                else:
                    pairs.append((heel, toe))
    for _ in range(ROUNDS):
        worst = 0.0
        for heel, toe in pairs:
            distance = math.dist(heel.place, toe.place)
            worst = max(worst, abs(distance - length))
            excess = (distance - length) / max(distance, 1e-9)
            share = toe.n_frames / (heel.n_frames + toe.n_frames)  # the shorter one gives more
            heel.place, toe.place = (
                _towards(heel.place, toe.place, share * excess),
                _towards(toe.place, heel.place, (1.0 - share) * excess),
            )
        if worst < 1e-6:
            break


def _turn(heel: _Foothold, toe: _Foothold, along: np.ndarray) -> float:
    """Radians between the line of the places and the foot's usual line while both stand."""
    usual = along[max(heel.start, toe.start) : min(heel.stop, toe.stop)].mean(axis=0)
    wanted = np.subtract(toe.place, heel.place)
    size = float(np.linalg.norm(usual) * np.linalg.norm(wanted))
    return math.acos(min(max(float(usual @ wanted) / size, -1.0), 1.0)) if size > 0.0 else 0.0


def _held(foothold: _Foothold, points: np.ndarray) -> Iterable[HeldPlant]:
    for plant in foothold.plants:
        start, stop = max(plant.start, foothold.start), min(plant.stop, foothold.stop)
        if not foothold.reason and start < stop and (start, stop) != (plant.start, plant.stop):
            plant = replace(plant, start=start, stop=stop)
        reason = foothold.reason if start < stop else "too near another"
        distance = farthest(points, plant, foothold.place)
        yield HeldPlant(plant, foothold.place, distance, distance, reason)


def _towards(one: Place, other: Place, share: float) -> Place:
    (x, y, z), (u, v, w) = one, other
    return x + share * (u - x), y + share * (v - y), z + share * (w - z)


@njit(cache=True, nogil=True)
def _standing_still(way, start, stop, frame_time, faster):  # type: ignore[no-untyped-def]
    """The frames [start, stop) without those at its ends in which a point (F, 3) is faster than it usually is there."""
    step = max(1, int(np.rint(STEP_SECS / frame_time)))
    n_steps = stop - start - step
    if n_steps < 2:
        return start, stop
    speeds = np.empty(n_steps)
    for k in range(n_steps):
        f = start + k
        square = 0.0
        for i in range(3):
            square += (way[f + step, i] - way[f, i]) ** 2
        speeds[k] = math.sqrt(square) / (step * frame_time)
    most = np.median(speeds) + faster
    n_most = min(int(np.rint(LET_GO_SECS / frame_time)), (stop - start) // 4)
    first, last = 0, n_steps
    while first < n_most and speeds[first] > most:
        first += 1
    while n_steps - last < n_most and speeds[last - 1] > most:
        last -= 1
    return start + first, stop - (n_steps - last)


@njit(cache=True, nogil=True)
def _within_reach(points, limbs, foot, part, start, stop, place, frame_time):  # type: ignore[no-untyped-def]
    """The frames [start, stop) without those at its ends in which the leg is too short for the place by far.

    A pelvis would have to drop for them within a step, for a foot that lifts off or has yet to land.
    """
    n_most = min(int(np.rint(BEYOND_SECS / frame_time)), (stop - start) // 4)
    first, last = start, stop
    while first < start + n_most and _beyond(points, limbs, foot, part, first, place) > BEYOND:
        first += 1
    while last > stop - n_most and _beyond(points, limbs, foot, part, last - 1, place) > BEYOND:
        last -= 1
    return first, last


@njit(cache=True, nogil=True)
def _beyond(points, limbs, foot, part, f, place):  # type: ignore[no-untyped-def]
    """Metres by which a leg is too short for a part of its foot to be at a place."""
    thigh, shin, asked, now = 0.0, 0.0, 0.0, 0.0
    for i in range(3):
        hip, knee, ankle = limbs[f, foot, 0, i], limbs[f, foot, 1, i], limbs[f, foot, 2, i]
        thigh += (knee - hip) ** 2
        shin += (ankle - knee) ** 2
        now += (ankle - hip) ** 2
        asked += (ankle + place[i] - points[f, foot, part, i] - hip) ** 2
    longest = max(math.sqrt(thigh) + math.sqrt(shin), math.sqrt(now))
    return math.sqrt(asked) - longest


@njit(cache=True, nogil=True)
def _farthest(points, foot, part, start, stop, place):  # type: ignore[no-untyped-def]
    most = 0.0
    for f in range(start, stop):
        square = 0.0
        for i in range(3):
            square += (points[f, foot, part, i] - place[i]) ** 2
        most = max(most, square)
    return math.sqrt(most)


@njit(cache=True, nogil=True)
def _middle(points, foot, part, start, stop):  # type: ignore[no-untyped-def]
    x, y, z = 0.0, 0.0, 0.0
    for f in range(start, stop):
        x += points[f, foot, part, 0]
        y += points[f, foot, part, 1]
        z += points[f, foot, part, 2]
    n = stop - start
    return (x / n, y / n, z / n)
