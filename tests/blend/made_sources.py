"""Sources to blend, made for tests: reaches with a peak that is known, and walkers with plants that are true."""

from dataclasses import replace
from functools import cache

import numpy as np

from motionary.blend import BlendSource
from motionary.motion import Motion, Skeleton, rotations
from motionary.plants import Plant
from motionary.rig import body_of, reference_skeleton, root_height
from motionary.sample import ACTORS, gestures, locomotion
from motionary.sample.performer import Performer


def bump(n_frames: int, peak: int) -> np.ndarray:
    """0 to 1 at `peak` and back, with a rounded top."""
    t = np.arange(n_frames)
    up = 0.5 - 0.5 * np.cos(np.pi * np.clip((t - 3) / (peak - 3), 0.0, 1.0))
    down = 0.5 + 0.5 * np.cos(np.pi * np.clip((t - peak) / (n_frames - 4 - peak), 0.0, 1.0))
    return np.where(t <= peak, up, down)


def reach(
    angle_deg: float, *, height: float = 0.0, n_frames: int = 60, peak: int = 28, name: str = "", rate_hz: float = 30.0
) -> BlendSource:
    """A standing body that swings its right arm up to a direction and back; both feet stand."""
    skeleton = reference_skeleton()
    turns = np.zeros((n_frames, skeleton.n_joints, 3))
    p = bump(n_frames, peak)[:, None]
    yaw = np.radians(angle_deg)
    arm, spine = skeleton.index("RightUpperArm"), skeleton.index("Spine2")
    # The arm of a T-pose points to -x: it hangs, and is raised forward and turned about the vertical.
    hanging = np.array([0.0, 0.0, 1.35])
    raised = np.array([0.0, -1.2 + yaw, 0.4 - height])
    turns[:, arm] = (1.0 - p) * hanging + p * raised
    turns[:, skeleton.index("LeftUpperArm")] = [0.0, 0.0, -1.35]
    turns[:, spine] = p * np.array([0.1, -0.25 * yaw, 0.0])
    root = np.zeros((n_frames, 3))
    root[:, 1] = root_height(skeleton)
    motion = Motion(skeleton, 1.0 / rate_hz, root, rotations.continuous(rotations.from_rotation_vector(turns)))
    body = body_of(skeleton)
    places = body.feet.world(motion)[0]
    plants = tuple(
        Plant(foot, part, 0, n_frames, tuple(places[i, k]))
        for i, foot in enumerate(("left", "right"))
        for k, part in enumerate(("heel", "toe"))
    )
    return BlendSource(name or f"reach {angle_deg:g}/{height:g}", motion, body, plants)


def leg_raise(name: str, *, n_frames: int = 60, peak: int = 30) -> BlendSource:
    """A standing body that swings its right leg forward and up."""
    source = reach(0.0, n_frames=n_frames, peak=peak, name=name)
    skeleton = source.motion.skeleton
    turns = np.zeros((n_frames, skeleton.n_joints, 3))
    turns[:, skeleton.index("RightUpperArm")] = [0.0, 0.0, 1.35]
    turns[:, skeleton.index("LeftUpperArm")] = [0.0, 0.0, -1.35]
    turns[:, skeleton.index("RightThigh")] = bump(n_frames, peak)[:, None] * np.array([-1.6, 0.0, 0.0])
    motion = replace(source.motion, rotations=rotations.continuous(rotations.from_rotation_vector(turns)))
    return replace(source, motion=motion, plants=tuple(p for p in source.plants if p.foot == "left"))


@cache
def walkers(turns: tuple[float, ...] = (-0.9, 0.0, 0.9), *, seed: int = 0) -> tuple[BlendSource, ...]:
    """Two steps each of the sample library's walk, turning by so many radians over 4 m, from a left footfall on."""
    found = []
    for k, turn in enumerate(turns):
        rng = np.random.default_rng([seed, k])
        performer = Performer(ACTORS[0], rng, heading=float(rng.uniform(-3.0, 3.0)))
        gestures.idle(performer, 0.3)
        locomotion.walk(performer, turn=turn, metres=4.0)
        gestures.idle(performer, 0.3)
        take = performer.take(f"walk {turn:g}", rate_hz=30.0)
        landings = sorted(p.start for p in take.plants if (p.foot, p.part) == ("left", "heel") and p.start > 0)
        start, stop = landings[0], landings[1] + 1
        plants = tuple(
            replace(p, start=max(p.start, start) - start, stop=min(p.stop, stop) - start)
            for p in take.plants
            if p.start < stop and p.stop > start
        )
        motion = take.motion.slice(start, stop)
        found.append(BlendSource(take.name, motion, body_of(motion.skeleton), plants))
    return tuple(found)


@cache
def long_walk(*, metres: float = 5.0, turn: float = 0.5, seed: int = 3) -> tuple[BlendSource, tuple[int, ...]]:
    """The sample library's walk from the first footfall to the last, and the frames of its left footfalls."""
    rng = np.random.default_rng(seed)
    performer = Performer(ACTORS[0], rng, heading=0.3)
    gestures.idle(performer, 0.3)
    locomotion.walk(performer, turn=turn, metres=metres)
    take = performer.take("long walk", rate_hz=30.0)
    landings = sorted(p.start for p in take.plants if (p.foot, p.part) == ("left", "heel") and p.start > 0)
    motion = take.motion
    return BlendSource("long walk", motion, body_of(motion.skeleton), take.plants), tuple(landings[:-1])


def scissors(swing: float, *, n_frames: int = 50) -> BlendSource:
    """A standing body that swings one leg forward and one back, and sinks so that its feet stay above the ground."""
    source = reach(0.0, n_frames=n_frames, name=f"scissors {swing:g}")
    skeleton = source.motion.skeleton
    p = bump(n_frames, 26)
    turns = np.zeros((n_frames, skeleton.n_joints, 3))
    turns[:, skeleton.index("LeftThigh"), 0], turns[:, skeleton.index("RightThigh"), 0] = swing * p, -swing * p
    root = np.array(source.motion.root_positions)
    still = replace(source.motion, rotations=rotations.continuous(rotations.from_rotation_vector(turns)))
    root[:, 1] -= (source.body.feet.world(still)[..., 1] - source.plants[0].place[1]).reshape(n_frames, -1).min(axis=1)
    before = tuple(replace(plant, stop=4) for plant in source.plants)
    return replace(source, motion=replace(still, root_positions=root), plants=before)


def with_thumb(source: BlendSource, angle_deg: float) -> BlendSource:
    """The same body with one more joint, a thumb on the right hand, turned by so much."""
    motion, skeleton = source.motion, source.motion.skeleton
    hand = skeleton.index("RightHand")
    longer = Skeleton(
        (*skeleton.names, "RThumb"),
        np.append(skeleton.parents, np.int32(hand)),
        np.concatenate([skeleton.offsets, [[-0.03, 0.0, 0.03]]]),
        skeleton.end_site_joints,
        skeleton.end_site_offsets,
    )
    turn = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(angle_deg))
    thumb = np.tile(turn, (motion.n_frames, 1, 1))
    made = Motion(longer, motion.frame_time, motion.root_positions, np.concatenate([motion.rotations, thumb], axis=1))
    return replace(source, motion=made, body=body_of(longer))
