"""Where the parts of a body are over time: its nodes, its head, the way it faces, the ground it stands on."""

from dataclasses import dataclass, replace

import numpy as np

from motionary.errors import UsageError
from motionary.motion import FORWARD, UP, Motion, rotations, unit
from motionary.picture.mannequin import Head, Mannequin


@dataclass(frozen=True, eq=False)
class Poses:
    """Some poses of a body, ready to be drawn."""

    mannequin: Mannequin
    nodes: np.ndarray  # (F, N, 3) world: joints, end sites, heels
    facing: np.ndarray  # (F, 3) unit: where the chest faces
    head_centre: np.ndarray  # (F, 3)
    head_axis: np.ndarray  # (F, 3) unit: towards the crown
    head_facing: np.ndarray  # (F, 3) unit: where the nose is

    @property
    def n_frames(self) -> int:
        return len(self.nodes)

    @property
    def centre(self) -> np.ndarray:
        """Places (F, 3) of the pelvis."""
        return np.asarray(self.nodes[:, self.mannequin.centre])

    @property
    def lowest(self) -> np.ndarray:
        """Heights (F,) of the lowest nodes."""
        return np.asarray(self.nodes[..., 1].min(axis=1))

    def __getitem__(self, frames: np.ndarray) -> "Poses":
        arrays = ("nodes", "facing", "head_centre", "head_axis", "head_facing")
        return replace(self, **{name: getattr(self, name)[frames] for name in arrays})


def poses_of(mannequin: Mannequin, motion: Motion, frames: np.ndarray) -> Poses:
    """The poses at the given frames; numbers that are not finite are an error."""
    _check_finite(motion, frames)
    chosen = replace(
        motion,
        root_positions=motion.root_positions[frames],
        rotations=motion.rotations[frames],
        translations=motion.joint_translations[frames],
    )
    nodes = np.concatenate([chosen.positions_world, chosen.end_sites_world], axis=1)[:, mannequin.stand_ins]
    facing = _facing(mannequin, nodes, chosen)
    centre, axis, head_facing = _head(mannequin.head, nodes, facing, chosen)
    return Poses(mannequin, _with_heels(mannequin, nodes), facing, centre, axis, head_facing)


def heading(facing: np.ndarray) -> float:
    """The direction on the ground (about +y from +z) that the body mostly faces, else the one it starts with."""
    on_ground = np.array(facing[:, [0, 2]])
    mean = on_ground.mean(axis=0)
    x, z = mean if np.hypot(*mean) > 0.7 else on_ground[0]
    return float(np.arctan2(x, z))


def _check_finite(motion: Motion, frames: np.ndarray) -> None:
    values = np.array(motion.rotations[frames].sum(axis=2))  # (F, J)
    values[:, 0] += motion.root_positions[frames].sum(axis=1)
    values[:, motion.moving_joints] += motion.joint_translations[frames].sum(axis=2)
    bad = np.argwhere(~np.isfinite(values))
    if len(bad):
        frame, joint = bad[0]
        name = motion.skeleton.names[joint]
        raise UsageError(f"frame {frames[frame]} cannot be drawn: joint {name!r} has a value that is not finite")


def _with_heels(mannequin: Mannequin, nodes: np.ndarray) -> np.ndarray:
    heels = np.empty((len(nodes), len(mannequin.heels), 3))
    for i, heel in enumerate(mannequin.heels):
        foot = nodes[:, heel.toe] - nodes[:, heel.ankle]
        length = np.linalg.norm(foot, axis=1, keepdims=True)
        ahead = foot / np.maximum(length, 1e-9)
        shin = unit(nodes[:, heel.ankle] - nodes[:, heel.knee], fallback=-UP)
        sole = shin - np.sum(shin * ahead, axis=1, keepdims=True) * ahead
        sole = sole / np.maximum(np.linalg.norm(sole, axis=1, keepdims=True), 0.3)  # 0 for a stretched foot
        heels[:, i] = nodes[:, heel.ankle] + length * (0.25 * sole - 0.3 * ahead)
    return np.concatenate([nodes, heels], axis=1)


def _facing(mannequin: Mannequin, nodes: np.ndarray, motion: Motion) -> np.ndarray:
    """Forward is across the left-right direction and the trunk; without sides, the root's own z axis."""
    ahead = np.array(rotations.rotate(motion.rotations_world[:, 0], FORWARD))
    if not mannequin.limbs.pairs:
        return ahead
    left, right = np.array(mannequin.limbs.pairs).T
    to_left = (nodes[:, left] - nodes[:, right]).mean(axis=1)
    middles = 0.5 * (nodes[:, left] + nodes[:, right])
    up = middles[:, -1] - middles[:, 0] if len(left) > 1 else np.broadcast_to(UP, to_left.shape)
    return unit(np.cross(unit(to_left), unit(up, fallback=UP)), fallback=ahead)


def _head(
    head: Head | None, nodes: np.ndarray, facing: np.ndarray, motion: Motion
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(centre, axis, facing) of the head over time; a head faces, on average, where the chest does."""
    if head is None:
        return nodes[:, 0], np.broadcast_to(UP, facing.shape), facing
    joint = nodes[:, head.joint]
    axis = unit(nodes[:, head.tip] - joint if head.tip is not None else joint - nodes[:, head.neck], fallback=UP)
    if head.tip is not None:
        centre = nodes[:, head.tip] - head.half_length * axis
    else:
        centre = joint + 0.8 * head.half_length * axis
    turned = motion.rotations_world[:, head.joint]
    own = rotations.rotate(rotations.inverse(turned), facing).mean(axis=0)
    forward = rotations.rotate(turned, np.broadcast_to(own, facing.shape))
    forward = forward - np.sum(forward * axis, axis=1, keepdims=True) * axis
    return centre, axis, unit(forward, fallback=facing)
