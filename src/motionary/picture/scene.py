"""What a film strip is made from: the rows that are asked for, and each as seen by its camera."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionary.errors import UsageError
from motionary.motion import Motion, even_frames, zero_frames
from motionary.picture.camera import Camera, Movement, View, view_azimuth
from motionary.picture.mannequin import Mannequin, mannequin_of
from motionary.picture.poses import Poses, heading, poses_of
from motionary.plants import Floor
from motionary.rig import BodyMap

N_SAMPLES = 400  # poses that stand for a long motion where its path, extent and view are found
N_VIEW_SAMPLES, N_VIEW_NODES = 24, 28


@dataclass(frozen=True, eq=False)
class Row:
    """A motion to draw, and what to say about it."""

    motion: Motion
    title: str = ""
    note: str = ""  # what is said below the title, in small letters
    heading: str = ""  # what stands above it, and is said of the rows that follow, too
    start_secs: float = 0.0  # time of the motion's first frame in its clip
    first_frame: int = 0  # number of that frame in its clip
    contacts: np.ndarray | None = None  # (F, 2) whether the left and the right foot are planted
    highlight: Sequence[str] = ()  # names of joints whose bones stand out in another colour
    body_map: BodyMap | None = None  # which joint is which part; found by names if not given
    floor: Floor | None = None  # as detected; at height 0 if not given
    sets_view: bool = False  # the view is chosen for such rows, if there are any; else for all together
    marked: Sequence[tuple[int, int]] = ()  # frames [start, stop) that stand out: what was made, between what was not
    curve: np.ndarray | None = None  # (F,) drawn below it, from 0 up, such as an error; NaN where there is none
    curve_name: str = ""
    curve_limit: float = 0.0  # drawn as a line across the curve, if it is above 0
    curve_limit_name: str = ""
    clock: np.ndarray | None = None  # (F,) seconds, ascending, at which frames stand in the picture; else their own

    def __post_init__(self) -> None:
        n_frames = self.motion.n_frames
        if self.contacts is not None:
            contacts = np.asarray(self.contacts, dtype=bool)
            object.__setattr__(self, "contacts", contacts)
            if contacts.shape != (n_frames, 2):
                raise UsageError(f"contacts of shape {contacts.shape} for {n_frames} frames of two feet")
        if self.curve is not None and self.curve.shape != (n_frames,):
            raise UsageError(f"a curve of shape {self.curve.shape} for {n_frames} frames")
        if self.clock is not None and (self.clock.shape != (n_frames,) or (np.diff(self.clock) <= 0).any()):
            raise UsageError(f"a clock needs one increasing time for each of {n_frames} frames")
        for start, stop in self.marked:
            if not 0 <= start < stop <= n_frames:
                raise UsageError(f"frames [{start}, {stop}) cannot be marked in a motion of {n_frames}")
        for name in self.highlight:
            self.motion.skeleton.index(name)


@dataclass(frozen=True, eq=False)
class Scene:
    """One row, sampled, with the camera that looks at it (1 pixel per metre)."""

    row: Row
    mannequin: Mannequin
    frames: np.ndarray  # (S,) of the samples
    poses: Poses  # at those frames
    camera: Camera
    floor_height: float  # at the origin
    floor_slope: np.ndarray  # (2,) along x and z

    @property
    def duration_secs(self) -> float:
        """From the picture's first moment to the last frame."""
        return float(self.secs_at(np.array([self.row.motion.n_frames - 1]))[0])

    def secs_at(self, frames: np.ndarray) -> np.ndarray:
        """When whole frames stand in the picture."""
        clock = self.row.clock
        return frames * self.row.motion.frame_time if clock is None else clock[frames]

    def frames_at(self, secs: np.ndarray) -> np.ndarray:
        """The frames, not whole, that stand at these times; beyond the last one there are more."""
        clock, n_frames, frame_time = self.row.clock, self.row.motion.n_frames, self.row.motion.frame_time
        if clock is None:
            return secs / frame_time
        beyond = secs > clock[-1] + 0.5 * frame_time
        return np.where(beyond, n_frames, np.interp(secs, clock, np.arange(n_frames)))

    @property
    def highlight(self) -> list[int]:
        """The joints to draw in another colour."""
        return [self.mannequin.skeleton.index(name) for name in self.row.highlight]

    def on_ground(self, points: np.ndarray) -> np.ndarray:
        """The points (..., 3) moved straight down or up onto the floor."""
        moved = np.array(points)
        moved[..., 1] = self.floor_heights(points)
        return moved

    def floor_heights(self, points: np.ndarray) -> np.ndarray:
        """The floor's height (...) below or above points (..., 3)."""
        return np.asarray(self.floor_height + points[..., [0, 2]] @ self.floor_slope)

    def path(self) -> np.ndarray:
        """Metres right and down (S, 2) in the picture of the pelvis's path over the floor, from its start.

        A floor that tilts is laid level here; what stands on it stays as high above it.
        """
        seen = self.camera.project(self.poses.centre * np.array([1.0, 0.0, 1.0]))[:, :2]
        return np.asarray(seen - seen[0])

    def extents(self, poses: Poses) -> np.ndarray:
        """Metres (F, 4) that a body reaches left, right, up and down from where its pelvis is on the floor."""
        centre = self.camera.project(self.on_ground(poses.centre))[:, None, :2]
        nodes = self.camera.project(poses.nodes)[..., :2] - centre
        if self.mannequin.head is not None:
            crown = poses.head_centre + self.mannequin.head.half_length * poses.head_axis
            nodes = np.concatenate([nodes, self.camera.project(crown)[:, None, :2] - centre], axis=1)
        thick = 0.03 * self.mannequin.size
        low, high = nodes.min(axis=1) - thick, nodes.max(axis=1) + thick
        return np.stack([-low[:, 0], high[:, 0], -low[:, 1], np.maximum(high[:, 1], 0.0)], axis=1)


def scenes_of(rows: Sequence[Row], view: View) -> list[Scene]:
    """The rows, each seen from the same side of its body."""
    if not rows:
        raise UsageError("nothing to draw; name at least one segment")
    sampled: list[tuple[Row, Mannequin, np.ndarray, Poses, float]] = []
    for row in rows:
        mannequin = mannequin_of(row.motion.skeleton, body_map=row.body_map)
        frames = even_frames(row.motion.n_frames, N_SAMPLES)
        poses = poses_of(mannequin, row.motion, frames)
        sampled.append((row, mannequin, frames, poses, heading(poses.facing)))
    decisive = [one for one in sampled if one[0].sets_view] or sampled
    azimuth = view_azimuth(view, [_movement(poses, facing) for _, _, _, poses, facing in decisive])
    return [
        Scene(row, mannequin, frames, poses, Camera(facing + azimuth), *_floor(row, poses, frames))
        for row, mannequin, frames, poses, facing in sampled
    ]


def _floor(row: Row, poses: Poses, frames: np.ndarray) -> tuple[float, np.ndarray]:
    """The floor's height at the origin and its slope: as detected, or level at 0. If the body never comes near it or
    goes deep below, it is level, where the body is lowest."""
    height, slope = (0.0, np.zeros(2)) if row.floor is None else (row.floor.height, row.floor.slope)
    captured = ~zero_frames(row.motion)[frames]
    below = height + poses.centre[:, [0, 2]] @ slope  # (S,)
    seen = captured if captured.any() else np.ones(len(frames), dtype=bool)
    lowest = float((poses.lowest - below)[seen].min())
    if -0.12 * poses.mannequin.size < lowest < 0.6 * poses.mannequin.size:
        return height, slope
    return float(poses.lowest[seen].min()), np.zeros(2)


def _movement(poses: Poses, facing: float) -> Movement:
    mannequin = poses.mannequin
    chosen = even_frames(poses.n_frames, N_VIEW_SAMPLES)
    joints = mannequin.skeleton.n_joints
    offsets = np.concatenate([mannequin.skeleton.offsets, mannequin.skeleton.end_site_offsets])
    lengths = np.linalg.norm(offsets, axis=1)
    longest = np.argsort(-lengths, kind="stable")
    parents = np.concatenate([mannequin.skeleton.parents, mannequin.skeleton.end_site_joints])
    n_nodes = joints + len(mannequin.skeleton.end_site_joints)
    nodes = np.sort([node for node in longest[:N_VIEW_NODES] if node < n_nodes and parents[node] >= 0]).astype(int)
    nodes = np.concatenate([[mannequin.centre], nodes])
    points = poses.nodes[np.ix_(chosen, nodes)]
    cos, sin = np.cos(facing), np.sin(facing)  # turned by −facing about the vertical
    turn = np.array([[cos, 0.0, -sin], [0.0, 1.0, 0.0], [sin, 0.0, cos]])
    return Movement((points - points[0, 0]) @ turn.T, np.array(mannequin.limbs.of_node)[nodes], mannequin.size)
