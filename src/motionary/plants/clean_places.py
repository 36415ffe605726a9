"""Which plants can be held, and where."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np

from motionary.errors import UsageError
from motionary.plants.plant import FEET, Plant

PARTS = ("heel", "toe")
MISFIT = 0.10  # metres by which the places of heel and toe may miss the foot's length
ROUNDS = 20
Reason = Literal["", "out of reach", "does not fit the foot", "leg too short"]


@dataclass(frozen=True, slots=True)
class HeldPlant:
    """A plant, where it is held and how far the foot was from there; or why it is not held."""

    plant: Plant  # cut to the motion's frames
    place: tuple[float, float, float]
    distance: float  # metres, the largest in the plant's frames, before
    left: float  # the same afterwards
    reason: Reason = ""

    @property
    def held(self) -> bool:
        return not self.reason


def cut_plants(plants: Iterable[Plant], start: int, stop: int) -> list[Plant]:
    """The plants as the segment [start, stop) sees them: cut at its ends, its first frame being 0."""
    if not 0 <= start < stop:
        raise UsageError(f"no frames [{start}, {stop}) to cut plants to")
    cut = [(plant, max(plant.start, start), min(plant.stop, stop)) for plant in plants]
    return [replace(plant, start=first - start, stop=last - start) for plant, first, last in cut if first < last]


def choose_places(points: np.ndarray, plants: Iterable[Plant], *, reach: float, from_motion: bool) -> list[HeldPlant]:
    """What is to be done with each plant, by foot, part and time; `points` (F, 2, 2, 3) are heels and balls.

    Places are the plants' own, or, `from_motion`, the middle of where the foot was. Those of a heel and a toe that
    stand together are brought to the foot's length, the shorter plant's more.
    """
    plants = _checked(plants, len(points))
    chosen: list[HeldPlant] = []
    for plant in plants:
        path = points[plant.start : plant.stop, FEET.index(plant.foot), PARTS.index(plant.part)]
        place = path.mean(axis=0) if from_motion else np.array(plant.place)
        distance = _farthest(path, place)
        reason: Reason = "out of reach" if distance > reach else ""
        chosen.append(HeldPlant(plant, _triple(place), distance, distance, reason))
    for foot in range(2):
        along = points[:, foot, 1] - points[:, foot, 0]
        _fit_to_foot(chosen, FEET[foot], float(np.sqrt(np.einsum("fi,fi->f", along, along)).mean()))
    return chosen


def farthest(points: np.ndarray, held: HeldPlant) -> float:
    """The largest distance of the plant's point from its place."""
    plant = held.plant
    path = points[plant.start : plant.stop, FEET.index(plant.foot), PARTS.index(plant.part)]
    return _farthest(path, np.array(held.place))


def places_by_frame(chosen: Sequence[HeldPlant], n_frames: int) -> tuple[np.ndarray, np.ndarray]:
    """(places (F, 2, 2, 3), planted (F, 2, 2)): what is held, frame by frame; [left, right] by [heel, toe]."""
    places = np.zeros((n_frames, 2, 2, 3))
    planted = np.zeros((n_frames, 2, 2), dtype=np.bool_)
    for held in chosen:
        if held.held:
            plant = held.plant
            at = slice(plant.start, plant.stop), FEET.index(plant.foot), PARTS.index(plant.part)
            places[at], planted[at] = held.place, True
    return places, planted


def _checked(plants: Iterable[Plant], n_frames: int) -> list[Plant]:
    ordered = sorted(plants, key=lambda plant: (FEET.index(plant.foot), PARTS.index(plant.part), plant.start))
    for plant in ordered:
        if plant.start >= n_frames:
            raise UsageError(
                f"a plant of the {plant.foot} {plant.part} begins at frame {plant.start}, but the motion has "
                f"{n_frames} frames; cut_plants gives the plants of a segment"
            )
        if not np.isfinite(plant.place).all():
            raise UsageError(f"the {plant.foot} {plant.part} has a plant at {plant.place}, which is no place")
    for one, other in pairwise(ordered):
        if (one.foot, one.part) == (other.foot, other.part) and other.start < one.stop:
            raise UsageError(
                f"the {one.foot} {one.part} is planted twice in frame {other.start}: "
                f"[{one.start}, {one.stop}) and [{other.start}, {other.stop})"
            )
    return [replace(plant, stop=n_frames) if plant.stop > n_frames else plant for plant in ordered]


def _fit_to_foot(chosen: list[HeldPlant], foot: str, length: float) -> None:
    """Move the places of heels and toes that stand together until they are a foot's length apart."""
    mine = [i for i, held in enumerate(chosen) if held.held and held.plant.foot == foot]
    heels = [i for i in mine if chosen[i].plant.part == "heel"]
    toes = [i for i in mine if chosen[i].plant.part == "toe"]
    pairs = [
        (i, j)
        for i in heels
        for j in toes
        if chosen[i].plant.start < chosen[j].plant.stop and chosen[j].plant.start < chosen[i].plant.stop
    ]
    places = {i: np.array(chosen[i].place) for i in mine}
    frames = {i: chosen[i].plant.stop - chosen[i].plant.start for i in mine}
    unfit = set()
    for i, j in pairs:
        if abs(float(np.linalg.norm(places[j] - places[i])) - length) > MISFIT:
            unfit.add(i if frames[i] < frames[j] else j)
    pairs = [(i, j) for i, j in pairs if i not in unfit and j not in unfit]
    for _ in range(ROUNDS):
        worst = 0.0
        for i, j in pairs:
            apart = places[j] - places[i]
            distance = float(np.sqrt(apart @ apart))
            excess = distance - length
            worst = max(worst, abs(excess))
            share = frames[j] / (frames[i] + frames[j])
            pull = apart * (excess / max(distance, 1e-9))
            places[i] = places[i] + share * pull
            places[j] = places[j] - (1.0 - share) * pull
        if worst < 1e-6:
            break
    for i in mine:
        chosen[i] = replace(chosen[i], place=_triple(places[i]), reason="does not fit the foot" if i in unfit else "")


def _farthest(path: np.ndarray, place: np.ndarray) -> float:
    away = path - place
    return float(np.sqrt(np.einsum("fi,fi->f", away, away).max()))


def _triple(place: np.ndarray) -> tuple[float, float, float]:
    x, y, z = place.tolist()
    return x, y, z
