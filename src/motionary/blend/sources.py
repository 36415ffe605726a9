"""What is blended: motions with their bodies and foot plants, brought to one body and one rate."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionary.errors import MappingError, UsageError
from motionary.motion import Motion, mirror, resample
from motionary.plants import FEET, PARTS, Plant, detect_plants
from motionary.rig import SIDES, Body, OwnRoot, body_of, floor_root_of, mirror_partners, symmetric_pose, transfer

FRAME_TIMES_WITHIN = 1e-4


@dataclass(frozen=True, eq=False)
class BlendSource:
    """A motion that goes into a blend, with its body, its foot plants and the name it is spoken of by."""

    name: str
    motion: Motion
    body: Body
    plants: tuple[Plant, ...] = field(repr=False)
    own: OwnRoot | None = None  # of a skeleton whose hips hang on a floor point: its root was taken to the hips

    @classmethod
    def of(cls, name: str, motion: Motion, plants: Sequence[Plant] | None = None) -> "BlendSource":
        """The source of a motion alone; plants are detected if they are not given."""
        body = body_of(motion.skeleton, motion=motion)
        return cls(name, motion, body, detect_plants(motion, body).plants if plants is None else tuple(plants))

    @property
    def contacts(self) -> np.ndarray:
        """Whether heels and toes stand (F, 2, 2); [left, right] by [heel, toe]."""
        from motionary.plants import part_contacts_of_plants

        return part_contacts_of_plants(self.plants, self.motion.n_frames)

    def at_hips(self) -> "BlendSource":
        """The source with its root at the hips: blends read from it where the body is and faces."""
        floor_root = None if self.own is not None else floor_root_of(self.body)
        if floor_root is None:
            return self
        rooted = floor_root.with_hips_as_root(self.motion)
        return replace(self, motion=rooted, body=floor_root.rooted, own=OwnRoot(floor_root, self.motion))

    def with_own_root(self) -> "BlendSource":
        """The source with the root of its own skeleton."""
        if self.own is None:
            return self
        return replace(self, motion=self.on_own_root(self.motion), body=self.own.floor_root.own, own=None)

    def on_own_root(self, motion: Motion) -> Motion:
        """A motion made of the source's with the root of the source's own skeleton."""
        return motion if self.own is None else self.own.given_back(motion)

    def mirrored(self) -> "BlendSource":
        """The source seen in a mirror: left is right."""
        skeleton, body_map = self.motion.skeleton, self.body.body_map
        turned = mirror(
            self.motion,
            mirror_partners(skeleton, body_map=body_map),
            rest_world=symmetric_pose(skeleton, body_map=body_map, motion=self.motion),
        )
        plants = tuple(
            replace(
                plant,
                foot="right" if plant.foot == "left" else "left",
                place=(-plant.place[0], plant.place[1], plant.place[2]),
            )
            for plant in self.plants
        )
        return replace(self, motion=turned, plants=plants)


def one_body(
    sources: Sequence[BlendSource], *, body: BlendSource | None = None, frame_time: float | None = None
) -> tuple[BlendSource, ...]:
    """The sources on the first one's skeleton and at its rate, or on that of `body` and at `frame_time`; their roots
    are at the hips."""
    if not sources:
        raise UsageError("a blend needs at least one motion")
    sources = [source.at_hips() for source in sources]
    onto = sources[0] if body is None else body.at_hips()
    frame_time = onto.motion.frame_time if frame_time is None else frame_time
    prepared = [_at_rate(_on_body(source, onto), frame_time) for source in sources]
    motions = moving_alike([source.motion for source in prepared])
    return tuple(replace(source, motion=motion) for source, motion in zip(prepared, motions, strict=True))


def moving_alike(motions: Sequence[Motion]) -> tuple[Motion, ...]:
    """Motions of one skeleton, in each of which the joints move against their parents that do in any."""
    moving = sorted({int(joint) for motion in motions for joint in motion.moving_joints})
    return tuple(_moving_too(motion, moving) for motion in motions)


def cloud_of(source: BlendSource) -> np.ndarray:
    """Places (F, P, 3) of the points that poses are compared by: trunk, limbs, and heels and balls of the feet."""
    joints = source.body.body_map.joints
    limbs = [joints[name] for name in _LIMBS if name in joints]
    trunk = [source.body.body_map.hips, *source.body.body_map.spine[-1:], *source.body.body_map.neck[:1]]
    head = [joints["Head"]] if "Head" in joints else []
    motion = source.motion
    feet = source.body.feet.world(motion).reshape(motion.n_frames, 4, 3)
    return np.concatenate([motion.positions_world[:, [*trunk, *head, *limbs]], feet], axis=1)


_LIMBS = tuple(side + part for side in SIDES for part in ("UpperArm", "Forearm", "Hand", "Thigh", "Shin", "Foot"))


def _on_body(source: BlendSource, onto: BlendSource) -> BlendSource:
    if source.motion.skeleton.same_as(onto.motion.skeleton):
        return replace(source, body=onto.body)
    source, onto = source.with_own_root(), onto.with_own_root()
    try:
        moved = transfer(
            source.motion,
            onto.motion.skeleton,
            source_map=source.body.body_map,
            target_map=onto.body.body_map,
            target_motion=onto.motion,
        )
    except MappingError as error:
        raise MappingError(f"{source.name} cannot be brought onto the body of {onto.name}: {error}") from None
    plants = _plants_on(moved, onto.body, source.plants)
    return replace(source, motion=moved, body=onto.body, plants=plants).at_hips()


def _plants_on(motion: Motion, body: Body, plants: Sequence[Plant]) -> tuple[Plant, ...]:
    """Plants of the motion on another body, where its feet stand now: longer legs lead to other places."""
    points = body.feet.world(motion)
    found = []
    for plant in plants:
        stood = points[plant.start : plant.stop, FEET.index(plant.foot), PARTS.index(plant.part)]
        x, y, z = np.median(stood, axis=0).tolist()
        found.append(replace(plant, place=(x, y, z)))
    return tuple(found)


def _at_rate(source: BlendSource, frame_time: float) -> BlendSource:
    motion = source.motion
    if np.isclose(motion.frame_time, frame_time, rtol=FRAME_TIMES_WITHIN, atol=0.0):
        return replace(source, motion=replace(motion, frame_time=frame_time))
    ratio = motion.frame_time / frame_time
    resampled = resample(motion, frame_time=frame_time)
    plants = []
    for plant in source.plants:
        start, stop = (min(round(frame * ratio), resampled.n_frames) for frame in (plant.start, plant.stop))
        if start < stop:  # else no frame of it is left
            plants.append(replace(plant, start=start, stop=stop))
    return replace(source, motion=resampled, plants=tuple(plants))


def _moving_too(motion: Motion, moving: list[int]) -> Motion:
    """The motion with all of these joints moving, those that do not at their offsets."""
    if motion.moving_joints.tolist() == moving:
        return motion
    translations = np.tile(motion.skeleton.offsets[moving], (motion.n_frames, 1, 1))
    for column, joint in enumerate(motion.moving_joints.tolist()):
        translations[:, moving.index(joint)] = motion.joint_translations[:, column]
    return replace(motion, moving_joints=np.array(moving, dtype=np.int32), translations=translations)
