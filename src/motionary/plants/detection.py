"""Foot plants found in a motion: what rests, on what floor, and which of it bears weight."""

from dataclasses import dataclass, field, replace

import numpy as np

from motionary.errors import UsageError
from motionary.motion import Motion, rotations, zero_frames
from motionary.plants.bearing import Bearing, bearing_rests
from motionary.plants.floor import Floor, fit_floor
from motionary.plants.plant import FEET, PARTS, Plant
from motionary.plants.rests import Rests, Stillness, find_rests
from motionary.plants.speeds import slowest_speeds, window_frames
from motionary.rig import SIDES, Body, body_of

USUAL_LEG = 0.85  # metres from hip to ankle, for which the lengths of the options are meant
SAME_HEIGHT = 0.02  # metres between two places over which a foot that slides has stood all the time
HASTY_APART_SECS = 0.08  # from other plants of the foot: nearer, it is landing or leaving
LEVEL_FLOOR = np.radians(0.5)
FLOOR_AT_ZERO = 0.02


@dataclass(frozen=True, slots=True)
class PlantOptions:
    """What counts as still, and what as standing; lengths and speeds are fitted to the actor's legs."""

    stillness: Stillness = field(default_factory=Stillness)
    bearing: Bearing = field(default_factory=Bearing)

    def scaled(self, leg_length: float) -> "PlantOptions":
        """The options for an actor with legs of this length: lengths grow with it, speeds with its root."""
        scale = leg_length / USUAL_LEG
        still, bearing = self.stillness, self.bearing
        return PlantOptions(
            replace(still, enter=still.enter * scale**0.5, leave=still.leave * scale**0.5, spread=still.spread * scale),
            replace(
                bearing,
                surely=bearing.surely * scale,
                near=bearing.near * scale,
                higher=bearing.higher * scale,
                uphill=bearing.uphill * scale,
            ),
        )


@dataclass(frozen=True, eq=False, repr=False)
class FootPlants:
    """The plants of a motion, the contacts behind them, and the floor that they tell."""

    plants: tuple[Plant, ...]  # by start, foot and part
    contacts: np.ndarray  # (F, 2, 2) bool; [left, right] by [heel, toe]
    floor: Floor
    notes: tuple[str, ...]  # what is unusual, for people

    def __repr__(self) -> str:
        return f"FootPlants({len(self.plants)} plants, {len(self.contacts)} frames)"

    @property
    def foot_contacts(self) -> np.ndarray:
        """Whether the left and the right foot stand (F, 2), on heel or toe."""
        return np.asarray(self.contacts.any(axis=2))

    @property
    def known_floor(self) -> Floor | None:
        """The floor if feet rest on it; without any, it is only the lowest that they come."""
        return self.floor if self.floor.secs > 0.0 else None


def detect_plants(motion: Motion, body: Body | None = None, *, options: PlantOptions | None = None) -> FootPlants:
    """When and where heels and balls of the feet stand, on the floor or on anything that carries the body."""
    body = body or body_of(motion.skeleton, motion=motion)
    return plants_of_points(
        body.feet.world(motion),
        motion.positions_world[:, body.body_map.hips],
        frame_time=motion.frame_time,
        leg_length=body.leg_length,
        sole_heights=sole_heights(body),
        captured=~zero_frames(motion),
        options=options,
    )


def plants_of_points(
    points: np.ndarray,
    pelvis: np.ndarray,
    *,
    frame_time: float,
    leg_length: float = USUAL_LEG,
    sole_heights: np.ndarray | None = None,
    captured: np.ndarray | None = None,
    options: PlantOptions | None = None,
) -> FootPlants:
    """As `detect_plants`, from places of heels and balls (F, 2, 2, 3) and of the pelvis (F, 3) in the world.

    `sole_heights` (2, 2) are those of heels and balls above the ground when the feet stand flat; 0 if not given.
    Frames that were not `captured` (F,), all zeros in a file, tell nothing of floor and feet.
    """
    n_frames = len(points)
    if n_frames == 0 or points.shape != (n_frames, 2, 2, 3) or pelvis.shape != (n_frames, 3):
        raise UsageError(f"heels and balls of shape {points.shape} and a pelvis of shape {pelvis.shape} do not fit")
    if not (np.isfinite(points).all() and np.isfinite(pelvis).all()):
        raise UsageError("a position of the feet or pelvis is not finite")
    if not (frame_time > 0 and leg_length > 0):
        raise UsageError(f"a frame time of {frame_time} s and legs of {leg_length} m are not possible")
    heights = np.zeros((2, 2)) if sole_heights is None else sole_heights
    options = (options or PlantOptions()).scaled(leg_length)
    still = options.stillness
    flat = np.ascontiguousarray(points, dtype=np.float64).reshape(n_frames, 4, 3)
    n_window = window_frames(still.window_secs, frame_time=frame_time, n_frames=n_frames)
    speeds = slowest_speeds(flat, n_window=n_window, frame_time=frame_time)
    rests = find_rests(flat, speeds, frame_time=frame_time, stillness=still)
    seen = np.ones(n_frames, dtype=bool) if captured is None or not captured.any() else captured
    if not seen.all():
        intervals = zip(rests.start, rests.stop, strict=True)
        rests = rests.only(np.array([seen[start:stop].all() for start, stop in intervals], dtype=bool))
    lowest = float((flat[seen, :, 1] - heights.ravel()).min())
    floor = fit_floor(rests, sole_heights=heights, frame_time=frame_time, usual_height=lowest)
    standing = bearing_rests(
        rests,
        flat,
        pelvis,
        floor=floor,
        frame_time=frame_time,
        leg_length=leg_length,
        bearing=options.bearing,
    )
    planted = _without_gaps(rests.only(standing), gap=still.gap_secs / frame_time)
    contacts = _contacts(planted, n_frames)
    hasty = _hasty_stances(flat, speeds, contacts, floor, frame_time=frame_time, options=options)
    if len(hasty):
        planted = _together(planted, hasty)
        contacts = _contacts(planted, n_frames)
    return FootPlants(
        _plants(planted), contacts.reshape(n_frames, 2, 2), floor, _notes(planted, floor, options.bearing)
    )


def sole_heights(body: Body) -> np.ndarray:
    """How high heels and balls (2, 2) are above the ground when the feet stand flat, as in the T-pose."""
    feet = body.feet
    ankles = np.array([body.body_map.joints[side + "Foot"] for side in SIDES])
    from_ankle = rotations.rotate(body.rest_world[feet.joints], feet.offsets)[..., 1]
    from_ankle += np.where(feet.joints == ankles[:, None], 0.0, body.toes[:, None, 1])
    return np.asarray(feet.ankle_height[:, None] + from_ankle)


def _hasty_stances(
    points: np.ndarray,
    speeds: np.ndarray,
    contacts: np.ndarray,
    floor: Floor,
    *,
    frame_time: float,
    options: PlantOptions,
) -> Rests:
    """Rests on the floor of feet that do not stand otherwise, though their points (F, 4, 3) are never quite still.

    A runner's foot rolls over the ground within a tenth of a second; being on the floor makes up for its haste.
    """
    still = options.stillness
    levels = points[..., 1] - floor.heights(points) - floor.offsets.ravel()
    standing = np.repeat(contacts[:, ::2] | contacts[:, 1::2], 2, axis=1)  # (F, 4) whether the point's foot stands
    low = np.where((levels < options.bearing.surely) & ~standing, speeds, np.inf)
    if not (low <= still.leave).any():
        return find_rests(points[:1], np.full((1, 4), np.inf), frame_time=frame_time, stillness=still)
    found = find_rests(points, low, frame_time=frame_time, stillness=replace(still, enter=still.leave))
    margin = max(1, round(HASTY_APART_SECS / frame_time))
    apart = [
        not standing[max(start - margin, 0) : stop + margin, point].any() and stop - start > 1
        for point, start, stop in zip(found.point, found.start, found.stop, strict=True)
    ]
    return found.only(np.array(apart, dtype=bool))


def _together(one: Rests, other: Rests) -> Rests:
    """Both, by point, then by start."""
    both = [
        np.concatenate([getattr(one, name), getattr(other, name)])
        for name in ("point", "start", "stop", "place", "slow_start", "slow_stop")
    ]
    order = np.lexsort((both[1], both[0]))
    return Rests(*(column[order] for column in both))


def _contacts(rests: Rests, n_frames: int) -> np.ndarray:
    """Which points rest in which frames (F, 4)."""
    contacts = np.zeros((n_frames, 4), dtype=bool)
    for point, start, stop in zip(rests.point, rests.start, rests.stop, strict=True):
        contacts[start:stop, point] = True
    return contacts


def _without_gaps(rests: Rests, *, gap: float) -> Rests:
    """The rests, those of a point that slid from one to the next without leaving the ground made to touch."""
    start, stop = rests.start.copy(), rests.stop.copy()
    follow = np.flatnonzero(
        (rests.point[1:] == rests.point[:-1])
        & (rests.slow_start[1:] - rests.slow_stop[:-1] <= gap)
        & (np.abs(rests.place[1:, 1] - rests.place[:-1, 1]) < SAME_HEIGHT)
    )
    middle = (rests.slow_start[follow + 1] + rests.slow_stop[follow]) // 2
    stop[follow], start[follow + 1] = middle, middle
    return replace(rests, start=start, stop=stop)


def _plants(rests: Rests) -> tuple[Plant, ...]:
    columns = (rests.point.tolist(), rests.start.tolist(), rests.stop.tolist(), rests.place.tolist())
    found = [
        Plant(FEET[point // 2], PARTS[point % 2], start, stop, tuple(place), origin="detected")
        for point, start, stop, place in zip(*columns, strict=True)
    ]
    return tuple(sorted(found, key=lambda plant: (plant.start, plant.foot, plant.part)))


def _notes(planted: Rests, floor: Floor, bearing: Bearing) -> tuple[str, ...]:
    """What is unusual about the floor and what the feet stand on."""
    if not len(planted):
        return ("no foot stands anywhere",)
    notes = []
    if abs(floor.height) > max(FLOOR_AT_ZERO, 2.0 * floor.height_error):
        notes.append(f"the floor is at {100 * floor.height:+.1f} cm")
    if floor.tilt > max(LEVEL_FLOOR, 2.0 * floor.tilt_error):
        notes.append(f"the floor tilts by {np.degrees(floor.tilt):.1f}°")
    levels = planted.place[:, 1] - floor.heights(planted.place) - floor.offsets.ravel()[planted.point]
    n_elsewhere = int(np.sum(np.abs(levels) >= bearing.near))
    if n_elsewhere:
        notes.append(f"{n_elsewhere} of {len(planted)} plants are not on the floor")
    return tuple(notes)
